"""What was decided is found again, with the reason, and with a proof that a second program checks."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import re

import nostr_sdk as sdk
from playwright.async_api import expect

from console.rust_app import refused, signed
from harness.waiting import eventually


async def test_a_decision_is_seen_with_its_reason_and_the_event_it_signed(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("For the record")
    await desk.answer("For the record", "Approve")
    event = await signed(asked)
    await desk.page.get_by_role("link", name="See activity").click()
    row = desk.page.get_by_role("listitem").filter(has_text="Coracle: Sign a note").filter(has_text="you approved this request")
    await expect(row).to_be_visible()
    await row.locator("summary").click()
    await expect(row.get_by_text(event.id().to_hex())).to_be_visible()
    note = event.id().to_bech32()
    await expect(row.get_by_text(f"{note[:8]}…{note[-8:]}")).to_be_visible()


async def test_what_a_request_said_is_shown_as_long_as_the_tab_that_showed_it_is_open_and_unlocked(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("Only this tab knows")
    await desk.answer("Only this tab knows", "Approve")
    await signed(asked)
    await desk.go("/activity")
    row = desk.page.get_by_role("main").get_by_role("listitem").filter(has_text="Coracle: Sign a note")
    await expect(row.locator("summary")).to_contain_text("Only this tab knows")
    desk.daemon.do("lock")
    desk.daemon.home.cli("unlock", "--passphrase-file", str(desk.daemon.home.passphrase_file), check=True)
    await desk.go("/")
    await desk.go("/activity")
    await expect(row.locator("summary")).not_to_contain_text("Only this tab knows")
    await row.locator("summary").click()
    await expect(row).to_contain_text("Not kept: a log with texts would be a copy of all that you write.")
    assert "Only this tab knows" not in await desk.page.evaluate("() => JSON.stringify({ ...localStorage, ...sessionStorage })")


async def test_a_row_for_several_says_what_they_said(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = [coracle.asks_to_sign(f"Verse {number}") for number in range(3)]
    await expect(desk.page.get_by_text("Verse 2")).to_be_visible()
    for waiting in desk.daemon.waiting():
        desk.daemon.do("request", "approve", waiting["id"])
    for one in asked:
        await signed(one)
    await desk.go("/activity")
    row = desk.page.get_by_role("main").locator("details.entry > summary").filter(has_text="Coracle: 3 notes")
    await expect(row).to_contain_text("as alice")
    for number in range(3):
        await expect(row.locator(".gist")).to_contain_text(f"Verse {number}")


async def test_a_wrong_passphrase_is_marked_as_failed(desk, tmp_path):
    (wrong := tmp_path / "wrong").write_text("not the passphrase")
    wrong.chmod(0o600)
    desk.daemon.do("lock")
    for file in (wrong, desk.daemon.home.passphrase_file):
        desk.daemon.home.cli("unlock", "--passphrase-file", str(file))
    await desk.go("/activity")
    row = desk.page.get_by_role("main").get_by_role("listitem").filter(has_text="The vault was not opened")
    await expect(row.locator(".tag")).to_have_text("failed")
    await desk.page.get_by_role("combobox", name="Decision").select_option(label="Failed")
    await expect(row).to_have_count(1)
    await expect(desk.page.get_by_text("1 entry", exact=True)).to_be_visible()


async def test_activity_is_live_searched_and_filtered(desk, pair_app):
    coracle, lantern = await pair_app("Coracle"), await pair_app("Lantern", trust="full")
    await desk.go("/activity")
    rows = desk.page.get_by_role("main").get_by_role("listitem")
    await lantern.signs("One")
    await expect(rows.filter(has_text="Lantern: Sign a note")).to_have_count(1)
    await lantern.signs("Two")
    await expect(rows.filter(has_text="Lantern: Sign a note")).to_have_count(2)
    refusing = coracle.asks_to_sign("Three")
    await expect(rows.filter(has_text="Coracle: Sign a note")).to_have_count(1)
    (waiting,) = desk.daemon.waiting()
    desk.daemon.do("request", "deny", waiting["id"])
    await refused(refusing)
    await desk.page.get_by_label("Decision").select_option("deny")
    await expect(rows.filter(has_text="you denied this request")).to_have_count(1)
    await expect(rows.filter(has_text="Lantern")).to_have_count(0)
    await desk.page.get_by_label("Decision").select_option("")
    await desk.page.get_by_label(re.compile("^App")).select_option(label="Lantern")
    await expect(rows.filter(has_text="Coracle")).to_have_count(0)
    await expect(rows.filter(has_text="Lantern: Sign a note")).to_have_count(2)
    await desk.page.get_by_label(re.compile("^App")).select_option("")
    await desk.page.get_by_label("Search").fill("denied request coracle")
    await expect(rows).to_have_count(1)
    await desk.page.get_by_label("Search").fill("no such thing at all")
    await expect(desk.page.get_by_text("Nothing here matches")).to_be_visible()
    await expect(desk.page.get_by_text("Change the search or the filters.")).to_be_visible()
    await desk.page.get_by_label("Search").fill("")
    await desk.page.get_by_label("Kind").select_option(label="Notes")
    await expect(rows.filter(has_text="Paired")).to_have_count(0)
    await expect(rows.filter(has_text="Sign a note")).to_have_count(3)  # a request is one line, also if the owner was asked
    await desk.page.get_by_label("Decision").select_option("ask")
    await expect(rows).to_have_count(1)
    await rows.first.locator("summary").click()
    await expect(rows.first.get_by_role("term").filter(has_text="Asked you")).to_be_visible()


async def test_why_a_text_is_not_kept_and_where_its_event_is(desk, pair_app):
    lantern, coracle = await pair_app("Lantern", trust="full"), await pair_app("Coracle")
    await lantern.signs("One")
    asked = coracle.asks_to_sign("Two")
    await eventually(lambda: desk.daemon.waiting(), "it waits")
    desk.daemon.do("request", "deny", desk.daemon.waiting()[0]["id"])
    await refused(asked)
    await desk.page.reload()  # what this tab showed is forgotten with it
    await desk.go("/activity")
    for app, where in [("Lantern", "The event is where the app sent it"), ("Coracle", "Only the app has it.")]:
        row = desk.page.get_by_role("main").get_by_role("listitem").filter(has_text=f"{app}: Sign a note")
        await row.locator("summary").first.click()
        await expect(row).to_contain_text("Not kept: a log with texts would be a copy of all that you write.")
        await expect(row).to_contain_text(where)


async def test_a_rule_that_was_made_is_said_in_words(desk, pair_app):
    await pair_app("Coracle")
    desk.daemon.do("client", "deny", "Coracle", "sign_event:1", "--for", "1h")
    await desk.go("/activity")
    row = desk.page.get_by_role("main").get_by_role("listitem").filter(has_text="denied, for 1 hour: sign notes")
    await expect(row).to_have_count(1)
    person = sdk.Keys.generate().public_key()
    desk.daemon.do("client", "deny", "Coracle", f"nip44_encrypt@{person.to_hex()}")
    desk.daemon.do("client", "forget", "Coracle", f"nip44_encrypt@{person.to_hex()}")
    rows = desk.page.get_by_role("main").get_by_role("listitem")
    what = f"encrypt messages (only with {person.to_bech32()[:20]}…)"
    await expect(rows.filter(has_text=f"no rule any more: {what}")).to_have_count(1)
    await expect(rows.filter(has_text=f"denied, until you change it: {what}")).to_have_count(1)


async def test_more_entries_come_when_they_are_asked_for(desk, pair_app):
    lantern = await pair_app("Lantern", trust="full")
    for number in range(70):
        await lantern.signs(f"Number {number}", kind=1 if number % 2 else 1111)
    await desk.go("/activity")
    rows = desk.page.get_by_role("main").get_by_role("listitem")
    await expect(rows).to_have_count(60)
    await desk.page.get_by_role("button", name="Show more").click()
    await expect(rows.filter(has_text="The signer started")).to_have_count(1)
    await expect(rows.filter(has_text="Lantern: Sign a note")).to_have_count(35)


async def test_alike_entries_are_one_row_that_opens_and_grows(desk, pair_app):
    lantern, coracle = await pair_app("Lantern", trust="full"), await pair_app("Coracle", trust="full")
    for number in range(20):
        await lantern.signs(f"Number {number}")
    await desk.go("/activity")
    main = desk.page.get_by_role("main")
    run = main.locator("li").filter(has=desk.page.locator("ul.run"))
    await expect(run).to_have_count(1)
    await expect(run.locator("summary").first).to_contain_text("Lantern: 20 notes")
    await expect(run.locator("summary").first).to_contain_text("allowed")
    await expect(main.get_by_text("The signer started")).to_be_visible()
    await expect(main.get_by_text("Lantern: Sign a note")).to_have_count(0)
    await run.locator("summary").first.focus()
    await desk.page.keyboard.press("Enter")
    await expect(run.get_by_text("Lantern: Sign a note")).to_have_count(20)
    await lantern.signs("One more")
    await expect(run.locator("summary").first).to_contain_text("Lantern: 21 notes")
    await expect(run.get_by_text("Lantern: Sign a note")).to_have_count(21)
    await run.get_by_text("Lantern: Sign a note").first.click()
    await expect(run.get_by_role("term").filter(has_text="Signed event")).to_be_visible()
    await coracle.signs("Another app's")
    await lantern.signs("After it")
    await expect(main.get_by_text("Coracle: Sign a note")).to_be_visible()
    await expect(run.locator("summary").first).to_contain_text("Lantern: 21 notes")
    # They are counted, searched and saved one by one.
    await desk.page.get_by_label("Search").fill("lantern note")
    await expect(desk.page.get_by_text("22 entries")).to_be_visible()


async def test_shown_entries_are_saved_and_no_name_becomes_a_formula(desk, pair_app):
    lantern = await pair_app('=HYPERLINK("http://a.example"); =1+1', trust="full")
    await lantern.signs("One, for the table")
    await desk.go("/activity")
    await expect(desk.page.get_by_role("heading", name=re.compile("^Today, "))).to_be_visible()
    await desk.page.get_by_label("Decision").select_option("allow")
    await expect(desk.page.get_by_text("2 entries")).to_be_visible()
    async with desk.page.expect_download() as download:
        await desk.page.get_by_role("button", name="Save as CSV").click()
    table = list(csv.DictReader((await (await download.value).path()).open(newline="")))
    assert [row["text"] for row in table] == ["Sign a note", "Learn your public key"]
    assert {row["client_name"] for row in table} == {"'=HYPERLINK(\"http://a.example\");' =1+1"}
    for letter in ";\t":
        text = (await (await download.value).path()).read_text()
        fields = [field for row in csv.reader(text.splitlines(), delimiter=letter) for field in row]
        assert not [field for field in fields if field.strip(' "').startswith(tuple("=+-@"))]
    async with desk.page.expect_download() as download:
        await desk.page.get_by_role("button", name="Save as JSON lines").click()
    lines = (await (await download.value).path()).read_text().splitlines()
    assert [json.loads(line)["client"] for line in lines] == [lantern.key] * 2


async def test_a_press_on_a_bar_shows_that_hour(desk, pair_app):
    lantern = await pair_app("Lantern", trust="full")
    await lantern.signs("One")
    await desk.go("/")
    bar = desk.page.get_by_role("link", name=re.compile("2 allowed"))
    await bar.focus()
    await desk.page.keyboard.press("Enter")
    await expect(desk.page.get_by_text(re.compile("^From .* to "))).to_be_visible()
    await expect(desk.page.get_by_role("main").get_by_role("listitem").filter(has_text="Lantern: Sign a note")).to_have_count(1)
    await desk.go("/activity?since=3600&until=7200")
    await expect(desk.page.get_by_text("Change the filters, or take the time away.")).to_be_visible()
    await desk.page.get_by_role("button", name="Show all times").click()
    await expect(desk.page.get_by_role("listitem").filter(has_text="Lantern: Sign a note")).to_have_count(1)


async def test_the_proof_of_an_entry_checks_with_a_second_implementation(desk, pair_app):
    lantern = await pair_app("Lantern", trust="full")
    await lantern.signs("Provable")
    await desk.go("/activity")
    row = desk.page.get_by_role("listitem").filter(has_text="Lantern: Sign a note")
    await row.locator("summary").click()
    await row.get_by_role("button", name="Prove it").click()
    await expect(row.get_by_text(re.compile(r"This entry is one of the \d+ that the signed head names"))).to_be_visible()
    async with desk.page.expect_download() as download:
        await row.get_by_role("button", name="Save the proof").click()
    proof = json.loads((await (await download.value).path()).read_text())
    assert root_of(proof) == proof["root"]
    leaf = bytearray(unbase64(proof["leaf"]))
    leaf[-1] ^= 1
    assert root_of({**proof, "leaf": base64text(leaf)}) != proof["root"], "another entry would not fit"


def root_of(proof: dict) -> str:
    """RFC 9162, section 2.1.3.2, in ten lines."""
    index, last = proof["index"], proof["size"] - 1
    node = hashlib.sha256(b"\x00" + unbase64(proof["leaf"])).digest()
    for sibling in map(unbase64, proof["proof"]):
        if index & 1 or index == last:
            node = hashlib.sha256(b"\x01" + sibling + node).digest()
            while index & 1 == 0 and index:
                index, last = index >> 1, last >> 1
        else:
            node = hashlib.sha256(b"\x01" + node + sibling).digest()
        index, last = index >> 1, last >> 1
    return base64text(node)


def unbase64(text: str) -> bytes:
    return base64.b64decode(text)


def base64text(data: bytes) -> str:
    return base64.b64encode(bytes(data)).decode()


async def test_an_entry_says_its_reason_once(desk, pair_app):
    """A request without words of its own was shown with its reason in the place of them."""
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("", 12345)
    (request,) = await eventually(desk.daemon.waiting, "it waits")
    await desk.go("/activity")
    row = desk.page.get_by_role("main").get_by_role("listitem").filter(has_text="as alice").first
    await expect(row).to_be_visible()
    assert (await row.locator("summary").inner_text()).lower().count(request["reason"].lower()) == 1
    desk.daemon.do("request", "deny", request["id"])
    await refused(asked)


async def test_a_denial_that_is_held_back_is_counted_everywhere_alike(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("Not this")
    card = desk.card("Not this")
    await expect(card).not_to_have_class(re.compile("settling"))
    await desk.go("/activity")
    legend = desk.page.locator(".legend")
    await expect(legend).to_contain_text("waiting for you")
    await desk.go("/approvals")
    await expect(card).not_to_have_class(re.compile("settling"))
    await card.get_by_role("button", name="Deny", exact=True).click()
    await expect(desk.page.locator("#waiting")).to_be_hidden()
    await desk.go("/activity")
    await expect(legend).to_be_visible()
    await expect(legend).not_to_contain_text("waiting for you")
    await desk.go("/")
    await expect(desk.page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    await desk.page.get_by_role("button", name="Undo").click()
    await expect(desk.page.get_by_role("heading", name="1 request waits for you")).to_be_visible()
    await expect(desk.page.locator("#waiting")).to_contain_text("1")
    await desk.go("/approvals")
    await desk.answer("Not this", "Deny")
    await refused(asked)


async def test_an_entry_shows_the_mark_that_the_log_keeps(open_desk, daemon):
    desk = await open_desk(daemon, service_workers="block")
    why = "changes where payments to you go"
    entry = {
        "sequence": 1,
        "time": 1_700_000_000,
        "entry": "requestDecided",
        "text": "Change where payments to you go",
        "method": "sign_event",
    }
    entry |= {
        "kind": 0,
        "decision": "allow",
        "rule": "owner",
        "client": "ab" * 32,
        "identity": "alice",
        "risk": "grave",
        "risk_reason": why,
    }
    await desk.page.route("**/api/v1/log/show", lambda route: route.fulfill(json={"ok": True, "result": {"entries": [entry]}}))
    await desk.go("/activity")
    await expect(desk.page.locator("details.entry .risk.grave")).to_have_text(f"serious: {why}")


async def test_a_changed_payment_address_is_called_that_and_marked_also_after_its_approval(desk, pair_app):
    coracle = await pair_app("Coracle", trust="medium")
    asked = coracle.asks_to_sign(json.dumps({"name": "alice", "lud16": "mallory@evil.example"}), 0)
    (request,) = await eventually(desk.daemon.waiting, "it waits")
    await desk.go("/activity")
    row = desk.page.get_by_role("main").get_by_role("listitem").filter(has_text="Coracle: Change where payments to you go")
    await expect(row.locator(".risk.grave")).to_have_text("serious: changes where payments to you go")
    desk.daemon.do("request", "approve", request["id"])
    await signed(asked)
    await expect(row).to_contain_text("you approved this request")
    await expect(row.locator(".risk.grave")).to_have_text("serious: changes where payments to you go")
    await expect(desk.page.get_by_role("main").get_by_text("Change your profile")).to_have_count(0)


async def test_a_message_that_did_not_open_is_counted_as_failed_and_not_as_allowed(desk, pair_app):
    lantern = await pair_app("Lantern", trust="full")
    peer = sdk.Keys.generate().public_key()
    secret = await lantern.asks(lantern.client.nip44_encrypt_async(peer, "mine"))
    await refused(lantern.asks(lantern.client.nip44_decrypt_async(peer, secret[:-8] + "AAAAAAA=")))
    await desk.go("/activity")
    await expect(desk.page.locator(".legend")).to_contain_text("failed")
    await desk.go("/")
    await expect(desk.page.get_by_role("link", name=re.compile("1 failed"))).to_be_visible()


async def test_a_login_says_that_the_log_does_not_keep_where_it_went(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("", 27235, [["u", "https://files.example/upload"], ["method", "POST"]])
    await desk.answer("files.example", "Approve")
    await signed(asked)
    await desk.go("/activity")
    row = desk.page.get_by_role("main").get_by_role("listitem").filter(has_text="you approved this request")
    await row.locator("summary").click()
    await expect(row).to_contain_text("The log does not keep the website’s name.")


async def test_codes_of_the_log_are_said_in_words(desk):
    desk.daemon.do(
        "identity",
        "import",
        "bob",
        "--passphrase-file",
        str(desk.daemon.home.passphrase_file),
        stdin=sdk.Keys.generate().secret_key().to_bech32(),
    )
    await desk.go("/activity")
    row = desk.page.get_by_role("main").get_by_role("listitem").filter(has_text="bob").first
    await expect(row).to_contain_text("imported from an unencrypted key")
    await expect(desk.page.get_by_role("main")).not_to_contain_text("imported-nsec")
