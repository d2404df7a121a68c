"""Words and layout that a new owner stumbled over: each says what it is about, and nothing runs out of its place."""

from __future__ import annotations

import re
import secrets

from playwright.async_api import expect

from console.desk import NARROW
from console.test_apps import open_app
from harness.daemon import REPOSITORY
from harness.waiting import eventually

OVERLAP = """([one, other]) => {
  const [a, b] = [one, other].map((selector) => document.querySelector(selector).getBoundingClientRect());
  return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
}"""


async def test_what_opens_the_keys_and_what_signs_in_are_told_apart(open_desk, daemon):
    desk = await open_desk(daemon, at="/security/vault")
    await expect(desk.page.get_by_text("A sign-in link, or a passkey that only signs in, opens none of them.")).to_be_visible()
    stranger = await open_desk(daemon, sign_in=False)
    await stranger.page.goto(desk.origin)
    await expect(stranger.page.get_by_label("Your vault’s passphrase")).to_be_visible()
    await expect(stranger.page.get_by_text("This unlocks it, too.")).to_have_count(0)
    daemon.do("lock")
    await stranger.page.reload()
    await expect(stranger.page.get_by_text("The signer is locked. This unlocks it, too.")).to_be_visible()


async def test_activity_says_how_many_entries_of_the_log_are_shown_as_one(desk, pair_app):
    app = await pair_app("Coracle", trust="medium")
    await app.signs("A note")
    await desk.go("/activity")
    entries = len(desk.daemon.log_entries())
    await expect(desk.page.get_by_text(re.compile(rf"made of {entries} entries of the log"))).to_be_visible()


async def test_an_imported_key_does_not_read_as_if_it_were_unencrypted(desk):
    await desk.go("/keys")
    await desk.page.get_by_role("button", name="Import one").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("old")
    key = dialog.get_by_label(re.compile("^Key"))
    await key.fill(secrets.token_hex(32))
    await dialog.get_by_role("button", name="Show").click()
    await expect(key).to_have_attribute("type", "text")
    await dialog.get_by_role("button", name="Hide").click()
    await expect(key).to_have_attribute("type", "password")
    await dialog.get_by_role("button", name="Import", exact=True).click()
    await expect(desk.page.get_by_text("imported from an unencrypted key")).to_be_visible()


async def test_a_row_of_approvals_says_for_whom_once_there_are_two_identities(desk, pair_app):
    for name in ("Wary", "Other"):
        (await pair_app(name, trust="low")).asks_to_sign("A note")
    waiting = await eventually(lambda: len(desk.daemon.waiting()) == 2 and desk.daemon.waiting(), "two requests wait")
    await desk.go("/approvals")
    row = desk.page.locator(".request-row").last
    await expect(row).to_be_visible()
    await expect(row).not_to_contain_text("as alice")
    desk.daemon.home.cli("identity", "create", "bob", "--passphrase-file", str(desk.daemon.home.passphrase_file), check=True)
    await expect(row).to_contain_text("as alice")
    for one in waiting:
        desk.daemon.do("request", "deny", one["id"])


async def test_a_long_name_stays_in_its_box(desk, pair_app):
    await pair_app("Coracle", trust="medium")
    name = "n" * 64
    desk.daemon.do("identity", "rename", "alice", name)
    await desk.go("/security")
    box = desk.page.locator(".map-box").filter(has_text=name)
    await expect(box).to_be_visible()
    assert await box.evaluate("(box) => box.scrollWidth <= box.clientWidth + 1")
    await open_app(desk, "Coracle")
    head = desk.page.locator(".request-head .request-words")
    await expect(head).to_contain_text(name)
    assert await head.evaluate("(head) => head.scrollWidth <= head.clientWidth + 1")


async def test_a_lost_connection_names_what_starts_the_signer_and_covers_nothing(desk):
    desk.may_lose_connection = True
    desk.expected.append(re.compile("ERR_|Failed to fetch"))
    await desk.go("/settings")
    tries = "async () => { const { live } = await import('/live.js'); setInterval(() => live.dispatchEvent(new Event('lost')), 1000); }"
    desk.daemon.stop()
    await desk.page.evaluate(tries)
    banner = desk.page.locator("#banner")
    await expect(banner).to_contain_text("holdfast up")
    await desk.page.mouse.wheel(0, 400)
    assert not await desk.page.evaluate(OVERLAP, ["#banner", ".brand"])


async def test_notices_leave_the_menu_free_in_a_low_window(open_desk, daemon):
    desk = await open_desk(daemon, viewport={"width": 1280, "height": 800})
    for text in ("It may post notes, until you change it. " * 5, "Another notice, as long as the first one. " * 5):
        await desk.page.evaluate("async (text) => (await import('/dom.js')).notice(text)", text)
    await expect(desk.page.get_by_text("Another notice")).to_be_visible()
    assert not await desk.page.evaluate(OVERLAP, ["#notices", "[data-page='settings']"])
    assert not await desk.page.evaluate(OVERLAP, ["#notices", ".sign-out"])


async def test_on_a_phone_a_way_in_stands_beside_its_icon(open_desk, daemon):
    desk = await open_desk(daemon, viewport=NARROW, at="/security/vault")
    slot = desk.page.locator(".slot").first
    await expect(slot).to_be_visible()
    icon, words = await slot.locator(".symbol").bounding_box(), await slot.locator(".row-words").bounding_box()
    assert words["x"] > icon["x"] + icon["width"]
    assert words["y"] < icon["y"] + icon["height"]


async def test_a_third_wrong_passphrase_gets_advice_that_fits_a_running_signer(open_desk, daemon):
    stranger = await open_desk(daemon, sign_in=False)
    stranger.expected.append(re.compile("status of 4"))
    await stranger.page.goto(stranger.origin)
    for _ in range(3):
        await stranger.page.get_by_label("Your vault’s passphrase").fill("not this one")
        await stranger.page.get_by_role("button", name="Sign in", exact=True).click()
        await expect(stranger.page.get_by_role("alert")).to_contain_text("The passphrase is wrong.")
    await expect(stranger.page.get_by_role("alert")).to_contain_text("Check Caps Lock and the keyboard’s language.")
    await expect(stranger.page.get_by_role("alert")).not_to_contain_text("older copy")


async def test_an_origin_says_what_the_proof_was_for_and_names_no_operation(desk):
    said = "async text => (await import('/parts/origin.js')).originWords(text)"
    assert await desk.page.evaluate(said, "passphrase, from a terminal, for unlock") == "passphrase in a terminal (to unlock the signer)"
    assert await desk.page.evaluate(said, "passphrase, from a terminal, for some/thing") == "passphrase in a terminal"
    asked = await desk.page.evaluate("async () => (await (await fetch('/parts/origin.js')).text())")
    proven = re.findall(r"^### `([a-z/-]+)`\n\n(?:.+\n\n)?.*requires the owner.s proof", (REPOSITORY / "docs/API.md").read_text(), re.M)
    for operation in proven:
        if operation.split("/")[0] in ("identity", "slot", "vault", "recovery", "request"):
            assert f'"{operation}"' in asked, operation


async def test_electronic_cash_is_explained_where_it_is_asked_for(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    coracle.asks_to_sign("", 9321, [["p", "ab" * 32], ["proof", "{}"]])
    await expect(desk.card("Send cashu tokens")).to_contain_text("A nutzap pays somebody in Cashu, which is electronic cash.")


async def test_a_link_is_cancelled_by_a_button_that_has_its_room_on_a_phone(open_desk, daemon):
    daemon.do("pair")
    desk = await open_desk(daemon, viewport=NARROW, at="/pair")
    button = desk.page.get_by_role("button", name=re.compile("^Cancel the link")).first
    await button.scroll_into_view_if_needed()
    words = await button.evaluate("one => one.parentElement.querySelector('.row-words').getBoundingClientRect().width")
    assert words > 240, "what the link is for is not squeezed beside it"
