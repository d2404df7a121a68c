"""Who approves has read what it does: nothing is covered, nothing is out of sight, and what is final is asked twice."""

from __future__ import annotations

import json
import re
import time

import nostr_sdk as sdk
import pytest
import pytest_asyncio
from playwright.async_api import expect

from console.desk import NARROW
from console.rust_app import refused, signed
from console.test_look import FITS
from harness.waiting import eventually
from reference.keys import Key
from reference.nip19 import npub

WINDOWS = [NARROW, {"width": 1280, "height": 800}]
SHA256 = "5b" * 32

COVERED = """() => {
  const faults = [];
  for (const card of document.querySelectorAll('.request:not(.closed)')) {
    card.scrollIntoView({block: 'start'});
    const bar = card.querySelector('.answers').getBoundingClientRect();
    for (const one of card.querySelectorAll('.warning, .row-warning')) {
      const box = one.getBoundingClientRect();
      if (box.bottom > bar.top && box.top < bar.bottom) faults.push(one.textContent);
    }
  }
  return faults;
}"""

OVERLAPPED = """() => {
  const menu = document.getElementById('menu'), faults = [];
  const bottom = getComputedStyle(menu).position === 'fixed' ? menu.getBoundingClientRect().top : innerHeight;
  const shown = (one) => one && one.checkVisibility() && one.getBoundingClientRect().top < bottom;
  const bar = document.querySelector('.answers .buttons'), line = document.querySelector('.onward button');
  if (!shown(bar) && !shown(line) && ![...document.querySelectorAll('.warning, .row-warning')].some((one) => {
    const box = one.getBoundingClientRect();
    return box.top < bottom && box.bottom > bottom - 120;
  })) faults.push('neither the answers nor the line to the warning is in sight');
  if (shown(line)) {
    const below = [...document.querySelectorAll('.warning, .row-warning')].filter((one) => one.getBoundingClientRect().bottom > bottom);
    if (!below.length) faults.push('the line stays though no warning is further down');
    const card = line.closest('.request').getBoundingClientRect(), own = line.getBoundingClientRect();
    if (own.width < card.width - 3 || Math.abs(own.bottom - bottom) > 1) faults.push('the line stands in the middle of words');
  }
  for (const one of document.querySelectorAll('.warning, .row-warning')) {
    const box = one.getBoundingClientRect();
    for (const over of [document.querySelector('.answers'), line]) {
      const {top, bottom: end} = over.getBoundingClientRect();
      const isCovered = shown(over) && one.checkVisibility() && box.bottom > top && box.top < Math.min(end, bottom);
      if (isCovered) faults.push('covered: ' + one.textContent);
    }
  }
  return faults;
}"""

REQUESTS = [
    (1, "A note. " * 30, []),
    (0, '{"name":"alice","about":"I like trains","lud16":"mallory@evil.example"}', []),
    (3, "", [["p", Key().public]]),
    (5, "", [["e", "aa" * 32]]),
    (62, "", [["relay", "ALL_RELAYS"]]),
    (7375, "{}", []),
    (9734, "nice", [["p", Key().public], ["amount", "2100000"], ["relays", "wss://nos.example"]]),
    (10002, "", [["r", "wss://nos.example"], ["r", "wss://relay.example"]]),
    (22242, "", [["relay", "wss://nos.example"], ["challenge", ""]]),
    (24133, "x" * 300, [["p", Key().public]]),
    (24242, "Delete it", [["t", "delete"], ["x", SHA256], ["server", "https://files.example"], ["expiration", "4000000000"]]),
    (27235, "", [["u", f"https://files.example/{SHA256}/{SHA256}"], ["method", "POST"], ["payload", SHA256]]),
    (30023, "An article. " * 40, [["title", "A title"]]),
    (4242, "What is it?", [["x", SHA256]]),
]


@pytest_asyncio.fixture(loop_scope="session")
async def coracle(pair_app):
    return await pair_app("Coracle")


async def ready(card) -> None:
    await expect(card).to_be_visible()
    await expect(card).not_to_have_class(re.compile("settling"))


async def test_a_lasting_approval_of_something_serious_is_asked_twice_and_says_what_it_does_not_reach(desk, coracle):
    await desk.go("/approvals")
    asked = coracle.asks_to_sign('{"name":"alice","lud16":"alice@pay.example"}', 0)
    card, dialog = desk.card("Change where payments to you go"), desk.page.get_by_role("dialog")
    await ready(card)
    still = "Even if you approve, a profile that changes where payments to you go asks you each time."
    await expect(card).not_to_contain_text(still)
    await card.get_by_role("combobox").select_option("always")
    await expect(card.locator(".remembered")).to_contain_text(still)
    await card.get_by_role("button", name="Approve always").click()
    await expect(dialog.get_by_role("heading", name="Approve this, and more like it without asking?")).to_be_visible()
    await expect(dialog.get_by_text("Approve it only if this address is yours.")).to_be_visible()
    await expect(dialog).to_contain_text(
        "Then Coracle may also, as alice and without asking you: sign profiles (kind 0), until you change it."
    )
    await expect(dialog).to_contain_text("A profile that changes where payments to you go still asks you each time.")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await desk.page.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)
    assert not asked.done() and len(desk.daemon.waiting()) == 1
    await ready(card)
    await card.get_by_role("button", name="Approve always").click()
    await dialog.get_by_role("button", name="Approve always").click()
    await signed(asked)
    await expect(desk.page.locator("#notices")).to_contain_text("A profile that changes where payments to you go still asks you each time.")
    await coracle.signs('{"name":"alice","about":"I like trains","lud16":"alice@pay.example"}', 0)
    other = coracle.asks_to_sign('{"name":"alice","lud16":"mallory@evil.example"}', 0)
    await expect(desk.card("mallory@evil.example")).to_be_visible()
    await desk.page.get_by_role("link", name="Rules of this app").click()
    row = desk.page.get_by_role("row", name="Sign profiles")
    await expect(row).to_contain_text("Allowed (your rule) A profile that changes where payments to you go still asks you each time.")
    assert not other.done()


async def test_another_payment_address_is_said_everywhere_and_asked_twice(desk, pair_app):
    """Under medium trust, which asks about every profile: the weightier reason is said."""
    app = await pair_app("Coracle", trust="medium")
    await desk.go("/approvals")
    asked = app.asks_to_sign('{"picture":"https://a.example/p.png","lud16":"mallory@evil.example"}', 0)
    card, dialog = desk.card("Change where payments to you go"), desk.page.get_by_role("dialog")
    await ready(card)
    await expect(card.locator(".risk")).to_have_text("serious: changes where payments to you go")
    await expect(card.locator(".why")).to_contain_text("You are asked before it changes where payments to you go")
    await expect(card.get_by_role("row").nth(1)).to_contain_text("mallory@evil.example")
    await card.get_by_role("button", name="Approve…", exact=True).click()
    await expect(dialog).to_contain_text("Payments to you may go to somebody else.")
    await expect(dialog).to_contain_text("mallory@evil.example")
    await expect(dialog).not_to_contain_text("a.example")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await dialog.get_by_role("button", name="Cancel").click()
    assert not asked.done()
    await ready(card)
    await card.get_by_role("button", name="Approve…", exact=True).click()
    await dialog.get_by_role("button", name="Change where payments to you go").click()
    await signed(asked)


async def test_in_a_row_the_payment_address_comes_first(desk, coracle):
    await desk.go("/approvals")
    # A card that came before the others stays open; requests of one kind would be one card.
    for kind in (1, 7, 30023, 30024):
        coracle.asks_to_sign(f"Kind {kind}", kind)
    await expect(desk.page.get_by_role("article")).to_have_count(4)
    coracle.asks_to_sign(json.dumps({"picture": f"https://a.example/{'p' * 200}", "lud16": "mallory@evil.example"}), 0)
    row = desk.card("Change where payments to you go")
    await expect(row.locator(".row-words")).to_contain_text("Lightning address (lud16): mallory@evil.example")


async def test_a_profile_that_changes_nothing_is_not_serious_and_said_once(desk, coracle):
    await desk.go("/approvals")
    profile = '{"name":"alice"}'
    first = coracle.asks_to_sign(profile, 0)
    await desk.approve_serious("Change your profile")
    await signed(first)
    asked = coracle.asks_to_sign(profile, 0)
    card = desk.card("the same as the last one that was signed here")
    await ready(card)
    await expect(card.locator(".risk")).to_have_count(0)
    await expect(card.get_by_text("Nothing would change.")).to_have_count(0)
    await expect(card.locator(".part-label", has_text="Profile")).to_have_count(1)
    # What would be allowed by it is as serious as ever.
    await card.get_by_role("combobox").select_option("always")
    await card.get_by_role("button", name="Approve always").click()
    await expect(desk.page.get_by_role("dialog")).to_contain_text("Approve this, and more like it without asking?")
    assert not asked.done()


async def test_what_is_remembered_is_named_exactly(desk, coracle):
    """The app, as whom, what kind, and with whom."""
    peer = Key()
    await desk.go("/approvals")
    asked = coracle.asks(coracle.client.nip44_encrypt_async(sdk.PublicKey.parse(peer.public), "to one person"))
    card = desk.card("to one person")
    await ready(card)
    person = f"{npub(peer.public)[:13]}…{npub(peer.public)[-8:]}"
    await card.get_by_role("combobox").select_option("1h")
    await expect(card.locator(".remembered")).to_have_text(
        f"Your answer then holds for 1 hour, for Coracle as alice: encrypt messages, with {person}."
    )
    await card.get_by_role("combobox").select_option("once")
    await expect(card.locator(".remembered")).to_have_text("")
    await card.get_by_role("combobox").select_option("1h")
    await card.get_by_role("button", name="Approve for 1 hour").click()
    await expect(desk.page.locator("#notices")).to_contain_text(
        f"The same answer holds for 1 hour for Coracle: encrypt messages, with {person}."
    )
    await asked
    coracle.asks_to_sign('{"name":"alice","lud16":"alice@pay.example"}', 0)
    card, dialog = desk.card("Change where payments to you go"), desk.page.get_by_role("dialog")
    await ready(card)
    await card.get_by_role("combobox").select_option("always")
    await card.get_by_role("button", name="Approve always").click()
    await expect(dialog.get_by_role("row", name="Lightning address")).to_contain_text("alice@pay.example")


async def test_a_lasting_approval_says_what_else_it_approves_now(desk, coracle):
    await desk.go("/approvals")
    asked = [coracle.asks_to_sign(f'{{"about":"{number}"}}', 0) for number in range(3)]
    dialog = desk.page.get_by_role("dialog")
    await eventually(lambda: len(desk.daemon.waiting()) == 3, "all wait")
    card = desk.card("Change your profile").first
    await desk.open_card(card)
    await ready(card)
    await card.get_by_role("combobox").select_option("always")
    await card.get_by_role("button", name="Approve always").click()
    await expect(dialog).to_contain_text("2 more such requests that wait now are approved, too.")
    await dialog.get_by_role("button", name="Approve always").click()
    await eventually(lambda: all(one.done() for one in asked), "all are signed")


async def test_what_a_lasting_approval_does_not_reach_is_offered_and_shown(desk, coracle):
    await desk.go("/approvals")
    asked, other = (
        coracle.asks_to_sign("", 22242, [["relay", relay], ["challenge", "c"]]) for relay in ("wss://one.example/", "wss://two.example/")
    )
    await eventually(lambda: len(desk.daemon.waiting()) == 2, "both wait")
    card = desk.card("one.example")
    await desk.open_card(card)
    await ready(card)
    await card.get_by_role("combobox").select_option("always")
    await card.get_by_role("button", name="Approve always").click()
    await signed(asked)
    await desk.page.get_by_role("button", name="Approve 1 more like this…").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("two.example")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    assert not other.done()
    await dialog.get_by_role("button", name="Approve 1 request").click()
    await signed(other)
    assert not desk.daemon.waiting()


@pytest.mark.parametrize(
    ("kind", "title"), [(62, "Send a request to vanish, which erases all you published"), (5, "Ask relays to delete 1 post")]
)
async def test_what_cannot_be_undone_is_asked_twice(desk, coracle, kind, title):
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("Gone", kind, [["e", "aa" * 32]])
    card, dialog = desk.card(title), desk.page.get_by_role("dialog")
    await ready(card)
    await card.get_by_role("button", name="Approve…", exact=True).click()
    await expect(dialog.get_by_role("heading", name="This cannot be undone.")).to_be_visible()
    await expect(dialog.locator(".warning").first).to_be_visible()
    mark = await card.locator(".risk").first.evaluate("(one) => getComputedStyle(one).color")
    await expect(dialog.locator(".warning").first).to_have_css("color", mark)
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await expect(dialog.locator("button.danger")).to_have_text(title)
    await desk.page.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)
    assert len(desk.daemon.waiting()) == 1 and not asked.done()
    await desk.page.keyboard.press("j")
    await ready(card)
    await desk.page.keyboard.press("a")
    await expect(dialog).to_be_visible()
    await expect(dialog.locator("button.danger")).to_be_disabled()
    await dialog.locator("button.danger").click()
    assert (await signed(asked)).kind().as_u16() == kind


async def test_a_request_to_vanish_names_every_relay_in_words(desk, coracle):
    await desk.go("/approvals")
    coracle.asks_to_sign("Gone", 62, [["relay", "ALL_RELAYS"], ["relay", "wss://relay.example"]])
    card = desk.card("Send a request to vanish")
    await expect(card).to_contain_text("every relay")
    await expect(card).to_contain_text("wss://relay.example")
    await expect(card.locator(".parts")).not_to_contain_text("ALL_RELAYS")


async def test_a_login_that_lets_an_app_delete_files_is_asked_twice_and_another_is_not(desk, coracle):
    await desk.go("/approvals")
    tags = [["x", SHA256], ["server", "https://files.example"], ["expiration", str(int(time.time()) + 600)]]
    asked = coracle.asks_to_sign("Delete it", 24242, [["t", "delete"], *tags])
    await expect(desk.card("Log in to a file server to delete files")).to_contain_text("Delete it")
    await desk.answer("Delete it", "Approve")
    await expect(desk.page.get_by_role("dialog")).to_contain_text("It allows deleting files.")
    for named in (SHA256, "https://files.example"):
        await expect(desk.page.get_by_role("dialog").locator(".parts")).to_contain_text(named)
    await desk.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    await desk.answer("Delete it", "Deny")
    await refused(asked)
    upload = coracle.asks_to_sign("Upload it", 24242, [["t", "upload"], *tags])
    await desk.answer("Upload it", "Approve")
    await signed(upload)


async def test_a_button_says_for_how_long_its_answer_lasts(desk, coracle):
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("For a while")
    card = desk.card("For a while")
    for choice, words in [("1h", "for 1 hour"), ("always", "always")]:
        await card.get_by_role("combobox").select_option(choice)
        await expect(card.locator("[data-answer=approve]")).to_have_text(f"Approve {words}")
        await expect(card.locator("[data-answer=deny]")).to_have_text(f"Deny {words}")
    await card.get_by_role("combobox").select_option("once")
    await desk.answer("For a while", "Deny")
    await refused(asked)


async def test_twenty_notes_are_answered_together_by_somebody_who_sees_each(desk, coracle):
    await desk.go("/approvals")
    for number in range(20):
        coracle.asks_to_sign(f"Post number {number:02}")
    card = desk.card("20 notes")
    await desk.open_card(card)
    for number in range(20):
        await expect(card.get_by_text(f"Post number {number:02}").first).to_be_visible()
    await expect(card.get_by_role("button", name="Approve all 20")).to_be_visible()
    await expect(card.get_by_role("button", name="Approve only this")).to_have_count(0)
    await card.get_by_text("Post number 07").first.click()
    await expect(card.get_by_role("button", name="Approve only this")).to_have_count(1)


@pytest.mark.parametrize("viewport", WINDOWS, ids=["phone", "desktop"])
async def test_the_answers_cover_no_warning_and_nothing_overflows(open_desk, daemon, coracle, viewport):
    desk = await open_desk(daemon, viewport=viewport)
    found = {}
    for kind, content, tags in REQUESTS:
        asked = coracle.asks_to_sign(content, kind, tags)
        await eventually(lambda: len(desk.daemon.waiting()) == 1, "it waits")
        await desk.go("/approvals")
        await ready(desk.page.locator(".request:not(.closed)"))
        # A card that leaves no room to float may not float either: its warnings come first.
        if faults := await desk.page.evaluate(COVERED) + await desk.page.evaluate(FITS):
            found[kind] = faults
        desk.daemon.do("request", "deny", desk.daemon.waiting()[0]["id"])
        await refused(asked)
        await expect(desk.page.get_by_role("article")).to_have_count(0)
    assert not found, found


@pytest.mark.parametrize("viewport", WINDOWS, ids=["phone", "desktop"])
async def test_the_answers_or_the_way_to_a_warning_are_in_sight_at_each_place_of_the_page(open_desk, daemon, coracle, viewport):
    desk = await open_desk(daemon, viewport=viewport)
    found = {}
    for kind, content, tags in REQUESTS:
        asked = coracle.asks_to_sign(content, kind, tags)
        await eventually(lambda: len(desk.daemon.waiting()) == 1, "it waits")
        await desk.go("/approvals")
        await ready(desk.page.locator(".request:not(.closed)"))
        end = await desk.page.evaluate("() => document.documentElement.scrollHeight - innerHeight")
        for place in range(0, end + 24, 24):
            await desk.page.evaluate(
                "place => new Promise((done) => { scrollTo(0, place); requestAnimationFrame(() => requestAnimationFrame(done)); })", place
            )
            if faults := await desk.page.evaluate(OVERLAPPED):
                found[kind, place] = faults
        desk.daemon.do("request", "deny", desk.daemon.waiting()[0]["id"])
        await refused(asked)
        await expect(desk.page.get_by_role("article")).to_have_count(0)
    assert not found, found


async def test_on_a_phone_a_line_leads_to_the_warning_that_is_out_of_sight(open_desk, daemon, coracle):
    desk = await open_desk(daemon, viewport=NARROW)
    tags = [["t", "delete"], ["x", SHA256], ["server", "https://files.example"], ["expiration", "4000000000"]]
    asked = [coracle.asks_to_sign("Delete it", 24242, tags), coracle.asks_to_sign("Another")]
    await eventually(lambda: len(desk.daemon.waiting()) == 2, "both wait")
    await desk.go(f"/approvals?open={desk.daemon.waiting()[0]['id']}")
    card = desk.card("Delete it")
    await desk.open_card(card)
    close = await card.get_by_role("button", name="Close").bounding_box()
    assert close["height"] >= 44 and close["width"] >= 44
    await desk.page.evaluate("scrollTo(0, 0)")
    await card.get_by_role("button", name="A warning is further down").click()
    await expect(card.locator(".warning").last).to_be_in_viewport(ratio=1)
    for one in asked:
        one.cancel()


@pytest.mark.parametrize("viewport", WINDOWS, ids=["phone", "desktop"])
async def test_of_several_requests_only_those_that_fit_are_open(open_desk, daemon, coracle, viewport):
    desk = await open_desk(daemon, viewport=viewport)
    for kind, content, tags in REQUESTS[1:4]:
        coracle.asks_to_sign(content, kind, tags)
    await expect(desk.page.locator("#waiting")).to_contain_text("3")
    await desk.go("/approvals")
    await expect(desk.page.get_by_role("article")).to_have_count(3)
    last = await desk.page.get_by_role("article").last.bounding_box()
    assert last["y"] + last["height"] <= viewport["height"], "each is in sight"
    assert await desk.page.locator(".request.closed").count() >= 2


async def test_denying_right_after_opening_is_not_refused(desk, coracle, pair_app):
    wallet = await pair_app("Wallet")
    await desk.go("/approvals")
    asked = [coracle.asks_to_sign("{}", 0), coracle.asks_to_sign("", 3, [["p", Key().public]]), wallet.asks_to_sign("Sold", 7375)]
    await expect(desk.page.get_by_role("article")).to_have_count(3)
    while await desk.page.locator(".request:not(.closed)").count():
        await desk.page.locator(".request:not(.closed) .opener").first.click()
    await desk.page.keyboard.press("j")
    await desk.page.keyboard.press("o")
    await desk.page.keyboard.press("a")
    await expect(desk.page.get_by_text("so nothing was done")).to_be_visible()
    await desk.page.keyboard.press("o")
    await desk.page.keyboard.press("o")
    await desk.page.keyboard.press("d")
    await expect(desk.page.get_by_role("article")).to_have_count(2)
    await desk.send_denials()
    assert len(desk.daemon.waiting()) == 2
    for one in asked:
        one.cancel()


async def test_an_app_that_is_paused_is_not_paused_again(desk, coracle):
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("Before the pause")
    card = desk.card("Before the pause")
    await card.get_by_role("button", name="Pause this app").click()
    await desk.page.get_by_role("button", name="1 request of paused apps").click()
    await expect(card).to_be_visible()
    await expect(card.get_by_role("button", name="Pause this app")).to_have_count(0)
    await desk.page.get_by_role("button", name="Undo").click()
    await expect(card.get_by_role("button", name="Pause this app")).to_have_count(1)
    await desk.answer("Before the pause", "Deny")
    await refused(asked)
