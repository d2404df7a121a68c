"""What a form says itself before anything is sent: what is missing, what is wrong, and what is weak, each beside its field."""

from __future__ import annotations

import re

import pytest_asyncio
from playwright.async_api import expect

from console.sheets import sheet_field
from console.test_apps import open_app, open_other, unfold
from harness.daemon import PASSPHRASE

COMMANDS = re.compile(r"holdfast [a-z]|--[a-z]|sign_event|nip44")


@pytest_asyncio.fixture(loop_scope="session")
async def coracle(pair_app):
    return await pair_app("Coracle", trust="medium")


async def expect_fault(field, words: str) -> None:
    """The field has the focus, is marked as wrong, and names the words beside it."""
    await expect(field).to_be_focused()
    await expect(field).to_have_attribute("aria-invalid", "true")
    await expect(field).to_have_accessible_description(re.compile(re.escape(words)))


async def test_a_key_that_was_not_typed_is_asked_for_beside_its_field(unused, open_desk):
    desk = await open_desk(unused, at="/welcome")
    await desk.page.get_by_role("link", name="I have a key").click()
    await desk.page.get_by_role("button", name="Import it").click()
    key = desk.page.get_by_label(re.compile("^Key"))
    await expect_fault(key, "Paste or type the key.")
    await key.fill("ncryptsec1x")
    await expect(desk.page.get_by_role("alert")).to_have_count(0)
    await desk.page.get_by_role("button", name="Import it").click()
    await expect_fault(desk.page.get_by_label("Password of this ncryptsec"), "Type its password.")


async def test_no_form_sends_what_lacks_something(desk, daemon):
    daemon.do("recovery", "create", "--threshold", "2", "--shares", "3", "--passphrase-file", str(daemon.home.passphrase_file))
    sent: list[str] = []
    desk.page.on(
        "request", lambda request: sent.append(request.url) if re.search("/recovery/test|/pair/preview|/slot/", request.url) else None
    )
    await desk.go("/recovery")
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await expect_fault(sheet_field(desk.page), "Type the words of the sheets.")
    await desk.go("/pair")
    await desk.page.get_by_role("button", name="See what it brings").click()
    await expect_fault(desk.page.get_by_label("The app's link"), "Paste the app’s link here.")
    await desk.go("/keys/alice")
    await desk.page.get_by_role("button", name="Rename…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("New name").fill("")
    await dialog.get_by_role("button", name="Rename").click()
    await expect_fault(dialog.get_by_label("New name"), "Fill this in.")
    assert not [one for one in sent if "slot/list" not in one and "unlock-options" not in one]


async def test_a_refusal_in_the_browser_names_no_command(desk):
    await desk.go("/keys")
    dialog = desk.page.get_by_role("dialog")
    for name, key in [("alice", None), ("known", "0" * 63 + "1")]:
        await desk.page.get_by_role("button", name="Create one" if key is None else "Import one").click()
        await dialog.get_by_label("Name").fill(name)
        if key:
            await dialog.get_by_label(re.compile("^Key")).fill(key)
        await dialog.get_by_role("button", name="Create" if key is None else "Import", exact=True).click()
        fault = dialog.get_by_role("alert")
        await expect(fault).to_be_visible()
        assert not COMMANDS.search(await fault.inner_text()), await fault.inner_text()
        await dialog.get_by_role("button", name="Cancel").click()
    await desk.go("/backup")
    await desk.page.get_by_role("button", name="Set it up…").click()
    await dialog.get_by_label("Where").fill("/nope/here")
    await dialog.get_by_label("Your vault’s passphrase").fill(PASSPHRASE)
    await dialog.get_by_role("button", name="Save").click()
    fault = dialog.get_by_role("alert")
    await expect(fault).to_be_visible()
    assert not COMMANDS.search(await fault.inner_text()), await fault.inner_text()
    await dialog.get_by_role("button", name="Cancel").click()


async def test_activity_names_a_budget_in_words(desk, coracle):
    await open_app(desk)
    await unfold(desk, "How much")
    await desk.page.get_by_label("At most this many").fill("5")
    await desk.page.get_by_role("button", name="Add", exact=True).click()
    await expect(desk.page.get_by_text("The budget is set.")).to_be_visible()
    await desk.go("/activity")
    await expect(desk.page.get_by_text("budget of 5 in a day: sign notes")).to_be_visible()
    await expect(desk.page.get_by_text("sign_event")).to_have_count(0)


async def test_money_is_offered_for_a_day_at_most_before_anything_is_asked(desk, coracle):
    await open_app(desk)
    await (await open_other(desk)).fill("9321")
    await desk.page.get_by_role("button", name="Allow", exact=True).click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Money can be allowed for a day at most.")
    await expect(dialog).to_contain_text("for 1 day")
    await expect(dialog).not_to_contain_text("until you change it")
    await dialog.get_by_role("button", name="Allow").click()
    await expect(desk.page.get_by_text("It may sign nutzaps, for 1 day.")).to_be_visible()
    (rule,) = desk.daemon.do("client", "show", "Coracle")["rules"]
    assert rule["permission"] == "sign_event:9321"
    assert rule["expires"]


async def test_a_kind_that_cannot_be_allowed_here_is_refused_beside_its_field(desk, coracle):
    await open_app(desk)
    kind = await open_other(desk)
    for typed, words in [
        ("", "Type the number of a kind."),
        ("abc", "Give a whole number from 0 to 65535."),
        ("70000", "Give a whole number from 0 to 65535."),
        ("27235", "A login can be allowed for one place only."),
        ("62", "This asks you each time, so no rule can allow it."),
    ]:
        await kind.fill(typed)
        await desk.page.get_by_role("button", name="Allow", exact=True).click()
        await expect_fault(kind, words)
    await expect(desk.page.get_by_role("dialog")).to_have_count(0)
    assert not desk.daemon.do("client", "show", "Coracle")["rules"]


async def test_numbers_are_checked_in_the_words_of_the_page(desk, coracle):
    await open_app(desk)
    await unfold(desk, "How much")
    count = desk.page.get_by_label("At most this many")
    await desk.page.get_by_role("button", name="Add", exact=True).click()
    await expect_fault(count, "Fill this in.")
    await desk.page.get_by_label("Requests in a day").fill("0")
    await desk.page.get_by_role("button", name="Save the limits").click()
    await expect(desk.page.get_by_text("With 0, every request waits for you.")).to_be_visible()
    await desk.go("/backup")
    await desk.page.get_by_role("button", name="Set it up…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Where").fill("/tmp/x")
    await dialog.get_by_label("How many to keep").fill("x")
    await dialog.get_by_role("button", name="Save").click()
    await expect_fault(dialog.get_by_label("How many to keep"), "Give a whole number from 1 to 999.")


async def test_what_is_no_relay_is_never_taken_for_one(desk):
    await desk.go("/pair")
    await desk.page.get_by_role("button", name="Add a relay").click()
    another = desk.page.get_by_label("Another relay")
    for typed in ("http://x", "hello world", "nonsense", ""):
        await another.fill(typed)
        await desk.page.get_by_role("button", name="Add", exact=True).click()
        await expect_fault(another, "relay")
    await expect(desk.page.get_by_role("main").get_by_text("wss://hello")).to_have_count(0)
    await desk.go("/keys/alice")
    relays = desk.page.get_by_label("Relays, one per line")
    await relays.fill("wss://relay.example.com\nhttp://x")
    await desk.page.get_by_role("button", name="Save", exact=True).click()
    await expect_fault(relays, "“http://x” is not the address of a relay.")
    await desk.page.get_by_role("button", name="Plan a new key…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Relays where it is read, one per line").fill("nonsense here")
    await dialog.get_by_role("button", name="Show the plan").click()
    await expect_fault(dialog.get_by_label("Relays where it is read, one per line"), "“nonsense” is not the address of a relay.")


async def test_a_weak_passphrase_is_taken_only_after_a_question(desk):
    await desk.go("/security/vault")
    await desk.page.get_by_role("button", name="Change the passphrase…").click()
    dialog = desk.page.get_by_role("dialog", name="Change the passphrase")
    await dialog.get_by_label("Present passphrase").fill(PASSPHRASE)
    first, again = dialog.get_by_label(re.compile("^New passphrase")), dialog.get_by_label("Repeat the new passphrase")
    question = desk.page.get_by_role("dialog", name="Use it anyway?")
    for weak in ("password", "password1234"):
        await first.fill(weak)
        await again.fill(weak)
        await dialog.get_by_role("button", name="Change", exact=True).click()
        await expect(question).to_contain_text("This passphrase is well known, or nearly: attackers try it first.")
        await question.get_by_role("button", name="Choose another").click()
        await expect_fault(first, "well known")
    await dialog.get_by_role("button", name="Change", exact=True).click()
    await question.get_by_role("button", name="Use it anyway").click()
    await expect(desk.page.get_by_text("The passphrase is changed.")).to_be_visible()


async def test_one_empty_field_is_asked_for_by_its_name(desk):
    await desk.page.get_by_role("button", name="Lock the signer").click()
    await desk.page.get_by_role("button", name="Unlock the signer").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Unlock").click()
    await expect_fault(dialog.get_by_label("Your vault’s passphrase"), "Type your passphrase.")


async def test_the_browsers_back_leads_out_of_bringing_a_key(unused, open_desk):
    desk = await open_desk(unused, at="/welcome")
    await desk.page.get_by_role("link", name="I have a key").click()
    await expect(desk.page.get_by_role("heading", name="Import your key")).to_be_visible()
    await desk.page.go_back()
    await expect(desk.page.get_by_role("heading", name="Your identity on Nostr")).to_be_visible()
