"""One app's page: what is changed there holds for the app at once."""

from __future__ import annotations

import re

import pytest
import pytest_asyncio
from playwright.async_api import expect

from console.desk import NARROW, WIDE
from console.rust_app import refused, signed
from harness.waiting import eventually


@pytest_asyncio.fixture(loop_scope="session")
async def coracle(pair_app):
    return await pair_app("Coracle", trust="medium")


async def open_app(desk, name="Coracle"):
    await desk.go("/apps")
    await desk.page.get_by_role("main").get_by_role("link", name=name).click()
    await expect(desk.page.get_by_role("heading", name=name, level=1)).to_be_visible()


async def unfold(desk, title: str) -> None:
    """Opens a folded part of the page."""
    await desk.page.locator("details.fold > summary").filter(has=desk.page.get_by_role("heading", name=title)).click()


def switch(desk, words: str, answer: str):
    """Chooses in the table of what an app may do."""
    return desk.page.get_by_role("combobox", name=words, exact=True).select_option(label=answer)


async def test_renaming_holds_everywhere(desk, coracle):
    await open_app(desk)
    await desk.page.get_by_role("button", name="Rename…").click()
    await desk.page.get_by_role("dialog").get_by_label("Name").fill("My writing desk")
    await desk.page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    await expect(desk.page.get_by_role("heading", name="My writing desk", level=1)).to_be_visible()
    assert [client["name"] for client in desk.daemon.clients()] == ["My writing desk"]


async def test_a_list_that_changes_under_a_click_does_not_lose_it(desk, coracle):
    await desk.go("/apps")
    row = desk.page.get_by_role("main").get_by_role("link", name="Coracle")
    place = await row.bounding_box()
    await desk.page.mouse.move(place["x"] + 20, place["y"] + place["height"] / 2)
    await desk.page.mouse.down()
    desk.daemon.do("client", "rename", "Coracle", "Elsewhere")
    await desk.page.wait_for_timeout(500)
    await expect(row).to_be_visible()
    await desk.page.mouse.up()
    await expect(desk.page.get_by_role("heading", name="Elsewhere", level=1)).to_be_visible()
    await desk.go("/apps")
    await expect(desk.page.get_by_role("main").get_by_role("link", name="Elsewhere")).to_be_visible()


async def test_lowering_trust_makes_the_next_request_wait(desk, coracle):
    await coracle.signs("Not asked")
    await open_app(desk)
    await desk.page.get_by_role("group", name="Trust").get_by_role("radio", name=re.compile("^Low")).check()
    await expect(desk.page.get_by_text("Trust is low now.")).to_be_visible()
    asked = coracle.asks_to_sign("Asked now")
    await desk.go("/approvals")
    await desk.answer("Asked now", "Deny")
    await refused(asked)


async def test_more_trust_is_given_only_after_a_question(desk, coracle):
    await open_app(desk)
    trust = desk.page.get_by_role("group", name="Trust")
    await trust.get_by_role("radio", name=re.compile("^Medium")).focus()
    await desk.page.keyboard.press("ArrowDown")
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Trust Coracle more?")
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(trust.get_by_role("radio", name=re.compile("^Medium"))).to_be_checked()
    assert desk.daemon.clients()[0]["trust"] == "medium"
    await trust.get_by_role("radio", name=re.compile("^Full")).click()
    await dialog.get_by_role("button", name="Trust it more").click()
    await expect(desk.page.get_by_text("Trust is full now.")).to_be_visible()
    assert desk.daemon.clients()[0]["trust"] == "full"


async def test_a_switch_denies_one_kind_and_trust_takes_it_back(desk, coracle):
    await open_app(desk)
    await switch(desk, "Sign notes", "Deny")
    await expect(desk.page.get_by_text("It may not sign notes, until you change it.")).to_be_visible()
    assert await refused(coracle.asks_to_sign("Forbidden"))
    assert (await coracle.signs("+", kind=7)).content() == "+"
    await switch(desk, "Sign notes", "As trust says")
    await expect(desk.page.get_by_text("Its trust now decides: sign notes.")).to_be_visible()
    assert (await coracle.signs("Again")).content() == "Again"


async def test_the_table_says_who_decides_and_what_it_did(desk, coracle):
    for number in range(2):
        await coracle.signs(f"Note {number}")
    await open_app(desk)
    notes = desk.page.get_by_role("row", name="Sign notes")
    await expect(notes).to_contain_text("Allowed (from Medium trust)")
    await expect(notes).to_contain_text("2 allowed")
    await desk.page.get_by_role("button", name=re.compile("^Show")).click()
    await expect(desk.page.get_by_role("row", name="Sign profiles")).to_contain_text("Asks you (from Medium trust)")
    await expect(desk.page.get_by_role("row", name="Sign profiles")).to_contain_text("not used")


async def test_a_switch_that_asks_brings_the_question(desk, coracle):
    await open_app(desk)
    await switch(desk, "Sign notes", "Ask me")
    await expect(desk.page.get_by_text("It asks before it may sign notes, until you change it.")).to_be_visible()
    asked = coracle.asks_to_sign("Asked by a switch")
    await desk.go("/approvals")
    await expect(desk.card("Asked by a switch")).to_contain_text("You want to be asked about this")
    await desk.answer("Asked by a switch", "Approve")
    await signed(asked)


async def test_a_switch_for_a_time_has_an_end(desk, coracle):
    await open_app(desk)
    await desk.page.get_by_label("A new setting lasts").select_option("1h")
    await switch(desk, "Sign profiles", "Allow")
    await desk.page.get_by_role("dialog").get_by_role("button", name="Allow").click()
    await expect(desk.page.get_by_text(re.compile("It may sign profiles, for 1 hour"))).to_be_visible()
    (rule,) = desk.daemon.do("client", "show", coracle.key)["rules"]
    assert rule["permission"] == "sign_event:0" and rule["expires"] - rule["made"] == 3600
    await expect(desk.page.get_by_text(re.compile("your rule, holds until .*, in (60 minutes|1 hour)"))).to_be_visible()
    assert (await coracle.signs("{}", kind=0)).content() == "{}"


async def test_a_budget_that_is_used_up_asks(desk, coracle):
    await open_app(desk)
    await unfold(desk, "How much")
    await desk.page.get_by_label("this many").fill("2")
    await desk.page.get_by_role("button", name="Add", exact=True).click()
    await expect(desk.page.get_by_text("0 of 2 used, in a day")).to_be_visible()
    for number in range(2):
        await coracle.signs(f"Note {number}")
    await expect(desk.page.get_by_text("2 of 2 used, in a day")).to_be_visible()
    asked = coracle.asks_to_sign("One too many")
    await desk.go("/approvals")
    await expect(desk.card("One too many")).to_contain_text("budget")
    await desk.answer("One too many", "Deny")
    await refused(asked)


async def test_a_limit_that_is_reached_asks(desk, coracle):
    await open_app(desk)
    await unfold(desk, "How much")
    await desk.page.get_by_label("Requests in an hour").fill("1")
    await desk.page.get_by_role("button", name="Save the limits").click()
    await expect(desk.page.get_by_text("The limits hold from now on.")).to_be_visible()
    asked = [coracle.asks_to_sign(f"Note {number}") for number in range(2)]
    await eventually(desk.daemon.waiting, "the second request waits")
    await desk.go("/approvals")
    await expect(desk.card("Coracle")).to_contain_text("more in an hour than you allow this app", ignore_case=True)
    assert len(desk.daemon.waiting()) == 1
    await eventually(lambda: any(task.done() for task in asked), "one of two is signed")


async def test_pausing_asks_for_everything(desk, coracle):
    await open_app(desk)
    pause = desk.page.get_by_role("button", name="Pause")
    await pause.scroll_into_view_if_needed()
    where = await pause.bounding_box()
    await pause.click()
    await expect(desk.page.get_by_text("This app is paused.")).to_be_visible()
    now = await desk.page.get_by_role("button", name="Resume").first.bounding_box()
    assert (abs(now["x"] - where["x"]), abs(now["y"] - where["y"])) <= (2, 2), "nothing else is under the pointer"
    await expect(desk.page.get_by_role("row", name="Sign notes")).to_contain_text("Asks you (paused)")
    await desk.go("/apps")
    await expect(desk.page.get_by_role("main").get_by_role("link", name="Coracle")).to_contain_text("paused")
    await expect(desk.page.get_by_text("1 app is paused")).to_be_visible()
    await open_app(desk)
    asked = coracle.asks_to_sign("While paused")
    await expect(desk.page.locator(".paused-card")).to_contain_text("1 request waits")
    await desk.page.get_by_role("button", name="Resume").first.click()
    await expect(desk.page.get_by_text("This app is paused.")).to_have_count(0)
    assert (await coracle.signs("Goes on")).content() == "Goes on"
    await desk.go("/approvals")
    await desk.answer("While paused", "Approve")
    await signed(asked)


async def test_what_came_during_a_pause_is_offered_once_the_app_goes_on(desk, coracle):
    await open_app(desk)
    await desk.page.get_by_role("button", name="Pause").click()
    await expect(desk.page.get_by_text("This app is paused.")).to_be_visible()
    asked = [coracle.asks_to_sign("A note meanwhile"), coracle.asks_to_sign("A reply meanwhile", 1111, [["k", "1"]])]
    deletion = coracle.asks_to_sign("Serious meanwhile", 5, [["e", "aa" * 32]])
    await expect(desk.page.locator(".paused-card")).to_contain_text("3 requests wait")
    await desk.page.get_by_role("button", name="Resume").first.click()
    await expect(desk.page.locator("#notices")).to_contain_text("3 requests that came during the pause still wait for you.")
    await desk.page.get_by_role("button", name="Look at what came…").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog.get_by_role("listitem").filter(has_text="meanwhile")).to_have_count(2)
    assert not any(one.done() for one in asked), "nothing is approved before a yes"
    await dialog.get_by_role("button", name="Approve 2 requests").click()
    for one in asked:
        await signed(one)
    assert not deletion.done() and len(desk.daemon.waiting()) == 1, "a deletion is answered alone"


async def test_a_paused_app_keeps_its_rules_in_sight(desk, coracle):
    desk.daemon.do("client", "allow", "Coracle", "sign_event:1")
    await open_app(desk)
    rule = desk.page.get_by_role("row", name="Sign notes").get_by_role("combobox")
    await expect(rule).to_have_value("allow")
    await desk.page.get_by_role("button", name="Pause").click()
    await expect(desk.page.get_by_role("row", name="Sign notes")).to_contain_text("Asks you (paused)")
    await expect(rule).to_have_value("allow")
    coracle.asks_to_sign("While paused")
    await desk.go("/approvals")
    await desk.page.get_by_role("button", name="1 request of paused apps").click()
    await desk.open_card(desk.card("While paused"))
    await expect(desk.card("While paused")).to_contain_text("You paused this app")


async def test_a_paused_app_is_quiet(desk, coracle, pair_app):
    desk.daemon.do("client", "suspend", "Coracle")
    await desk.go("/approvals")
    fold = desk.page.get_by_role("button", name="1 request of paused apps")
    asked = coracle.asks_to_sign("Quiet please")
    await expect(fold).to_be_visible()
    await expect(desk.page.get_by_text("Nothing waits for you")).to_be_visible()
    await expect(desk.card("Quiet please")).to_be_hidden()
    await expect(desk.page.locator("#waiting")).to_be_hidden()
    assert not (await desk.page.title()).startswith("(")
    other = await pair_app("Loud", trust="low")
    loud = other.asks_to_sign("Look at me")
    await expect(desk.page.locator("#waiting")).to_contain_text("1 request waits")
    await desk.answer("Look at me", "Deny")
    await refused(loud)
    await desk.go("/")
    await expect(desk.page.get_by_role("link", name="1 request of paused apps")).to_be_visible()
    await desk.go("/approvals")
    await fold.click()
    await desk.answer("Quiet please", "Approve")
    await signed(asked)
    await expect(desk.page.locator(".quiet-row")).to_be_hidden()


async def test_an_app_without_a_name_is_named_where_it_asks(desk, pair_app):
    app = await pair_app()
    await desk.go("/approvals")
    app.asks_to_sign("Who is this")
    await desk.card("Who is this").get_by_role("button", name="Name it…").click()
    await desk.page.get_by_role("dialog").get_by_label("Name").fill("Lantern")
    await desk.page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    await expect(desk.card("Who is this")).to_contain_text("Lantern")


async def test_revoking_while_a_request_waits_withdraws_it(desk, pair_app):
    app = await pair_app("Coracle")
    asked = app.asks_to_sign("Too late")
    await desk.go("/approvals")
    await desk.card("Too late").get_by_role("link", name="Rules of this app").click()
    await desk.page.get_by_role("button", name="Revoke…").click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert len(desk.daemon.clients()) == 1, "a question that was answered with no does nothing"
    await desk.page.get_by_role("button", name="Revoke…").click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    await expect(desk.page.get_by_text("No app is paired yet")).to_be_visible()
    assert desk.daemon.clients() == [] and desk.daemon.waiting() == []
    assert not asked.done() or asked.exception(), "nothing was signed for it"
    await desk.go("/approvals")
    await expect(desk.page.get_by_text("Nothing waits for you")).to_be_visible()


async def test_a_page_of_an_app_that_was_revoked_elsewhere_says_so(desk, coracle):
    await open_app(desk)
    desk.daemon.do("client", "revoke", coracle.key, "--yes")
    await expect(desk.page.get_by_text("This app is no longer paired")).to_be_visible()


async def test_the_chart_counts_what_the_app_asked(desk, coracle):
    for number in range(3):
        await coracle.signs(f"Note {number}")
    await open_app(desk)
    entries = desk.daemon.log_entries("--client", coracle.key)
    counted = len([one for one in entries if one["entry"] == "requestDecided" and one.get("decision") == "allow"])
    await expect(desk.page.get_by_role("group", name="Requests in the last 24 hours")).to_be_visible()
    await expect(desk.page.get_by_text(f"{counted} allowed", exact=True)).to_be_visible()
    await coracle.signs("One more")
    await expect(desk.page.get_by_text(f"{counted + 1} allowed", exact=True)).to_be_visible()
    await desk.page.get_by_role("button", name="The last 30 days").click()
    await expect(desk.page.get_by_role("group", name="Requests in the last 30 days")).to_be_visible()


async def test_a_request_is_counted_once_by_what_became_of_it(desk, pair_app):
    wary = await pair_app("Wary", trust="low")
    for content, answer in [("A note", "approve"), ("Another", "deny")]:
        asked = wary.asks_to_sign(content)
        (waiting,) = await eventually(desk.daemon.waiting, "the request waits")
        desk.daemon.do("request", answer, waiting["id"])
        await (signed(asked) if answer == "approve" else refused(asked))
    await open_app(desk, "Wary")
    entries = desk.daemon.log_entries("--client", wary.key)
    requests = {one["request"] for one in entries if one["entry"] == "requestDecided" and "decision" in one}
    for words in ["1 denied", f"{len(requests) - 1} allowed"]:
        await expect(desk.page.get_by_text(words, exact=True)).to_be_visible()


async def test_a_request_that_waits_is_counted_as_waiting(desk, pair_app):
    wary = await pair_app("Wary", trust="low")
    wary.asks_to_sign("A note")
    (waiting,) = await eventually(desk.daemon.waiting, "the request waits")
    await open_app(desk, "Wary")
    await expect(desk.page.get_by_text("1 waiting for you", exact=True)).to_be_visible()
    await desk.go("/")
    await expect(desk.page.get_by_text("1 waiting for you", exact=True)).to_be_visible()
    desk.daemon.do("request", "deny", waiting["id"])


async def test_a_limit_that_is_no_number_is_refused_in_words_and_changes_nothing(desk, coracle):
    await open_app(desk)
    await unfold(desk, "How much")
    await desk.page.get_by_label("Requests in a minute").fill("1.5")
    await desk.page.get_by_role("button", name="Save the limits").click()
    await expect(desk.page.get_by_role("alert")).to_have_text("Give a whole number from 0 to 9999999.")
    await expect(desk.page.get_by_text("per_minute")).to_have_count(0)
    await desk.page.get_by_label("Requests in a minute").fill("5")
    await desk.page.get_by_role("button", name="Save the limits").click()
    await expect(desk.page.get_by_text("The limits hold from now on.")).to_be_visible()


async def test_a_serious_permission_is_allowed_after_a_question_and_each_can_be_taken_back(desk, coracle):
    await open_app(desk)
    await switch(desk, "Sign profiles", "Allow")
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("A profile that changes where payments to you go still asks you each time.")
    await dialog.get_by_role("button", name="Cancel").click()
    profiles = desk.page.get_by_role("combobox", name="Sign profiles", exact=True)
    await expect(profiles).to_have_value("trust")
    assert not desk.daemon.do("client", "show", "Coracle")["rules"]
    await switch(desk, "Sign profiles", "Allow")
    await dialog.get_by_role("button", name="Allow").click()
    await expect(profiles).to_have_value("allow")
    await desk.page.get_by_role("button", name="Undo", exact=True).click()
    await expect(profiles).to_have_value("trust")
    await switch(desk, "Sign notes", "Deny")
    await expect(desk.page.get_by_role("combobox", name="Sign notes", exact=True)).to_have_value("deny")
    await desk.page.get_by_role("button", name="Undo", exact=True).click()
    await expect(desk.page.get_by_role("combobox", name="Sign notes", exact=True)).to_have_value("trust")
    assert not desk.daemon.do("client", "show", "Coracle")["rules"]


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize(
    ("verdict", "says"),
    [("ask", "it asks you again"), ("deny", "it may not do so again"), ("allow", "it may do so again")],
)
async def test_undo_says_which_rule_holds_again(open_desk, daemon, coracle, verdict, says, viewport):
    desk = await open_desk(daemon, viewport=viewport)
    daemon.do("client", verdict, "Coracle", "sign_event:1")
    await open_app(desk)
    await switch(desk, "Sign notes", "Deny" if verdict == "allow" else "Allow")
    undo = desk.page.get_by_role("button", name="Undo", exact=True)
    await expect(desk.page.locator("#notices")).to_contain_text(f"After “Undo” {says}.")
    await expect(undo).to_be_in_viewport(ratio=1)
    await undo.click()
    await expect(desk.page.get_by_role("combobox", name="Sign notes", exact=True)).to_have_value(verdict)
    assert [rule["verdict"] for rule in daemon.do("client", "show", "Coracle")["rules"]] == [verdict]


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_what_people_come_for_is_first_and_the_rest_is_folded(open_desk, daemon, coracle, viewport):
    await coracle.signs("A note")
    desk = await open_desk(daemon, viewport=viewport)
    await open_app(desk)
    await expect(desk.page.get_by_role("heading", level=2)).to_have_text(
        ["Trust", "What it may do", "What it did", "How much", "Keys and relays"]
    )
    first = await desk.page.get_by_role("button", name="Revoke…").bounding_box()
    trust = await desk.page.get_by_role("heading", name="Trust").bounding_box()
    assert first["y"] < trust["y"], "ending the pairing is at the top"
    limit = desk.page.get_by_label("Requests in an hour")
    await expect(limit).to_be_hidden()
    await expect(desk.page.get_by_text("The signer's key for it")).to_be_hidden()
    folds = desk.page.locator("details.fold > summary")
    await expect(folds).to_contain_text(["Medium", "requests in the last 24 hours", "no limit", "1 relay"])
    limits = folds.filter(has_text="How much")
    await limits.focus()
    await desk.page.keyboard.press("Enter")
    await limit.fill("7")
    await desk.page.get_by_role("button", name="Save the limits").click()
    await expect(limits).to_contain_text("7 in an hour")
    await expect(limit).to_be_visible()
    daemon.do("client", "budget", "Coracle", "sign_event:1", "3")
    await expect(limits).to_contain_text("7 in an hour · 1 budget")
    await unfold(desk, "Keys and relays")
    await expect(desk.page.get_by_text("The signer's key for it")).to_be_visible()
    assert await desk.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_on_a_phone_trust_is_folded_and_a_permission_has_the_whole_width(open_desk, daemon, coracle, viewport):
    await coracle.signs("A note")
    desk = await open_desk(daemon, viewport=viewport)
    await open_app(desk)
    low = desk.page.get_by_role("radio", name=re.compile("^Low"))
    other = desk.page.get_by_label("Another kind of event, by its number")
    choice = desk.page.get_by_role("combobox", name="Sign notes", exact=True)
    name, chosen = await desk.page.get_by_role("rowheader", name="Sign notes").bounding_box(), await choice.bounding_box()
    if viewport == NARROW:
        await expect(low).to_be_hidden()
        await unfold(desk, "Trust")
    assert name["y"] + name["height"] <= chosen["y"], "the name is above its answer"
    await expect(other).to_be_hidden()
    await open_other(desk)
    await low.check()
    await expect(desk.page.locator("details.fold > summary").first).to_contain_text("Low")
    await expect(low).to_be_visible()
    # What was opened stays open when the page is drawn anew.
    await expect(other).to_be_visible()


async def test_an_app_shows_first_what_an_owner_came_for(open_desk, daemon, coracle):
    await coracle.signs("A note")
    desk = await open_desk(daemon, viewport={"width": 1280, "height": 800})
    await open_app(desk)
    trust = await desk.page.get_by_role("radio", name=re.compile("^Low")).bounding_box()
    may = await desk.page.get_by_role("heading", name="What it may do").bounding_box()
    did = await desk.page.get_by_role("heading", name="What it did").bounding_box()
    latest = await desk.page.locator("details.entry").first.bounding_box()
    assert did["x"] > trust["x"] + trust["width"], "what it did stands beside what it may do"
    for box in (trust, may, did, latest):
        assert box["y"] < 800, "it begins in sight"
    height = await desk.page.evaluate("() => document.documentElement.scrollHeight")
    assert height < 2 * 800, height


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, NARROW], ids=["wide", "narrow"])
async def test_the_first_screen_of_an_app_pauses_revokes_and_shows_trust_and_permissions(open_desk, daemon, coracle, viewport):
    await coracle.signs("A note")
    desk = await open_desk(daemon, viewport=viewport)
    await open_app(desk)
    menu = await desk.page.locator("#menu").bounding_box()
    bottom = menu["y"] if viewport == NARROW else viewport["height"]
    main = desk.page.get_by_role("main")
    for one in (
        main.get_by_role("button", name="Pause"),
        main.get_by_role("button", name="Revoke…"),
        main.get_by_role("heading", name="Trust"),
        main.get_by_role("combobox", name="Sign notes", exact=True),
    ):
        box = await one.bounding_box()
        assert box["y"] + box["height"] <= bottom, await one.inner_text()
    did = main.get_by_role("link", name="All of its activity")
    await expect(did).to_be_visible(visible=viewport != NARROW)
    if viewport == NARROW:
        await unfold(desk, "What it did")
        await expect(did).to_be_visible()


async def test_the_trust_of_an_app_is_one_line_that_says_what_the_present_one_means(open_desk, daemon, coracle):
    desk = await open_desk(daemon, viewport={"width": 1280, "height": 800})
    await open_app(desk)
    levels = desk.page.get_by_role("group", name="Trust").get_by_role("radio")
    tops = {(await levels.nth(at).bounding_box())["y"] for at in range(3)}
    assert len(tops) == 1, tops
    trust = desk.page.locator("details.fold").first
    await expect(trust).to_contain_text("Signs everyday events")
    await levels.first.check()
    await expect(trust).to_contain_text("Asks you before every signature and every message.")


async def open_other(desk):
    """The field for the rule of a kind that is not in the table."""
    await desk.page.get_by_text("A rule for another kind of event").click()
    return desk.page.get_by_label("Another kind of event, by its number")


async def test_another_kind_gets_the_same_three_answers(desk, coracle):
    await open_app(desk)
    await open_other(desk)
    kind = desk.page.get_by_label("Another kind of event, by its number")
    for number, (words, verdict) in enumerate([("Allow", "allow"), ("Ask me", "ask"), ("Deny", "deny")], 30301):
        await kind.fill(str(number))
        await desk.page.locator(".inline").filter(has=kind).get_by_role("button", name=words, exact=True).click()
        await expect(desk.page.get_by_role("row").filter(has_text=str(number)).get_by_role("combobox")).to_have_value(verdict)
    rules = {rule["permission"]: rule["verdict"] for rule in desk.daemon.do("client", "show", coracle.key)["rules"]}
    assert rules == {"sign_event:30301": "allow", "sign_event:30302": "ask", "sign_event:30303": "deny"}


async def test_a_kind_has_one_name_everywhere(desk, coracle):
    desk.daemon.do("client", "allow", "Coracle", "sign_event:23194", "--for", "1d")
    await open_app(desk)
    await expect(desk.page.get_by_role("combobox", name="Sign wallet requests", exact=True)).to_be_visible()
    await expect(desk.page.get_by_text("Spending asks you each time, unless you allow one kind of it for a day at most.")).to_be_visible()


async def test_apps_without_a_name_are_told_apart_by_their_keys(desk, pair_app):
    for app in [await pair_app(), await pair_app()]:
        name = f"Unnamed app · {app.key[:8]}"
        await desk.go("/apps")
        await expect(desk.page.get_by_role("main").get_by_text(name, exact=True)).to_be_visible()
        app.asks_to_sign(f"From {app.key}")
        await desk.go("/approvals")
        await expect(desk.card(f"From {app.key}")).to_contain_text(name)
        await desk.go("/activity")
        await expect(desk.page.get_by_role("main").locator("strong").filter(has_text=name).first).to_be_visible()


async def test_what_a_revoked_app_did_can_still_be_filtered(desk, pair_app):
    gone = await pair_app("Gone", trust="full")
    await gone.signs("A note")
    desk.daemon.do("client", "revoke", gone.key, "--yes")
    await desk.go("/activity")
    await desk.page.get_by_role("combobox", name="App").select_option(label="Gone (no longer paired)")
    rows = desk.page.get_by_role("main").locator("details.entry")
    await expect(rows.filter(has_text="Sign a note")).to_have_count(1)


async def test_a_revoked_app_is_listed_below_the_others_with_when(desk, pair_app):
    await pair_app("Coracle")
    gone = await pair_app("Lantern")
    await desk.go("/apps")
    fold = desk.page.locator("details.fold").filter(has_text="Revoked apps")
    await expect(desk.page.get_by_role("main").get_by_role("link", name="Lantern")).to_be_visible()
    await expect(fold).to_be_hidden()
    desk.daemon.do("client", "revoke", "Lantern", "--yes")
    await expect(fold).to_be_visible()
    await fold.locator("summary").click()
    await expect(fold.get_by_role("listitem")).to_have_text([re.compile("Lantern.*revoked just now.*What it did")])
    await expect(fold.get_by_role("link", name="What it did")).to_have_attribute("href", f"#/activity?client={gone.key}")


async def test_a_paused_app_has_one_button_that_resumes_it(desk, coracle):
    await open_app(desk)
    await desk.page.get_by_role("button", name="Pause").click()
    await expect(desk.page.get_by_text("This app is paused.")).to_be_visible()
    await expect(desk.page.get_by_role("main").get_by_role("button", name="Resume")).to_have_count(1)


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_all_apps_are_paused_and_resumed_by_one_button_that_says_what_happens(open_desk, daemon, coracle, pair_app, viewport):
    await pair_app("Amethyst")
    await pair_app("Quiet before")
    daemon.do("client", "suspend", "Quiet before")
    desk = await open_desk(daemon, viewport=viewport)
    await desk.go("/apps")
    main, dialog = desk.page.get_by_role("main"), desk.page.get_by_role("dialog")

    def paused() -> dict[str, bool]:
        return {client["name"]: client["suspended"] for client in daemon.clients()}

    await main.get_by_role("button", name="Pause all apps…").click()
    await expect(dialog).to_contain_text("What their rules do not deny waits at the end of Approvals")
    await expect(dialog.get_by_role("listitem")).to_have_text(["Amethyst", "Coracle"])
    await expect(dialog).to_contain_text("it also wipes the keys from memory and signs out every browser")
    await dialog.get_by_role("button", name="Cancel").click()
    assert not paused()["Coracle"]
    await main.get_by_role("button", name="Pause all apps…").click()
    await dialog.get_by_role("button", name="Pause all").click()
    await expect(desk.page.locator("#notices")).to_contain_text("2 apps are paused.")
    await expect(main.get_by_role("button", name="Resume all…")).to_be_visible()
    assert all(paused().values())
    await desk.page.get_by_role("button", name="Undo", exact=True).click()
    await expect(main.get_by_role("button", name="Pause all apps…")).to_be_visible()
    assert paused() == {"Coracle": False, "Amethyst": False, "Quiet before": True}
    daemon.do("client", "suspend", "Coracle")
    daemon.do("client", "suspend", "Amethyst")
    await main.get_by_role("button", name="Resume all…").click()
    await dialog.get_by_role("button", name="Resume all").click()
    await expect(desk.page.locator("#notices")).to_contain_text("All apps are resumed.")
    assert not any(paused().values())
