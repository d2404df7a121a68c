"""A secret that was typed into the page and not sent is gone from it once the signer locks or the page is left."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from console.sheets import sheet_field
from console.test_recovery import make_kit
from harness.daemon import PASSPHRASE

LEFT = "() => [...document.querySelectorAll('input, textarea')].map((one) => one.value).filter((text) => text.includes('secret'))"


async def test_the_words_of_sheets_are_gone_after_a_lock_and_after_leaving_the_page(desk):
    shares = await make_kit(desk)
    words = sheet_field(desk.page)
    code = desk.page.get_by_label("Recovery code, if the kit has one")
    await words.fill(shares[0])
    await code.fill("a secret code")
    await desk.page.get_by_role("button", name="Lock the signer").click()
    await expect(desk.page.locator("#state")).to_contain_text("Locked")
    await expect(words).to_have_value("")
    await expect(code).to_have_value("")
    desk.daemon.home.cli("unlock", "--passphrase-file", str(desk.daemon.home.passphrase_file), check=True)
    await expect(desk.page.locator("#state")).to_contain_text("Unlocked")
    await expect(words).to_have_value("")
    await words.fill(shares[1])
    await desk.go("/backup")
    await expect(desk.page.get_by_role("heading", name="Backups", level=1)).to_be_visible()
    await desk.go("/recovery")
    await expect(words).to_have_value("")


@pytest.mark.parametrize(
    ("route", "opener", "fields"),
    [
        ("/keys", "Import one", {"Key": "nsec1secret"}),
        ("/keys", "Import one", {"Key": "secret words of a key that came from words", "Passphrase of the words (25th word)": "secret"}),
        ("/security/vault", "Change the passphrase…", {"Present passphrase": "secret one", "New passphrase": "a secret one"}),
        ("/keys/alice", "Export…", {"Password for the copy": "a secret one", "Your vault’s passphrase, to confirm": "secret"}),
    ],
    ids=["key", "words", "passphrase", "export"],
)
async def test_a_form_that_is_open_when_the_signer_locks_forgets_its_secrets(desk, route, opener, fields):
    await desk.go(route)
    await desk.page.get_by_role("button", name=opener).click()
    dialog = desk.page.get_by_role("dialog")
    for label, text in fields.items():
        await dialog.get_by_label(re.compile(f"^{re.escape(label)}")).fill(text)
        if label == "Key" and len(fields) > 1:
            await dialog.get_by_text("More about these words").click()
    shows = dialog.get_by_role("button", name="Show", exact=True)
    if await shows.count():
        await shows.first.click()
    assert len(await desk.page.evaluate(LEFT)) == len(fields)
    desk.daemon.do("lock")
    await expect(desk.page.locator("#state")).to_contain_text("Locked")
    await expect(dialog.get_by_label(re.compile(f"^{re.escape(next(iter(fields)))}"))).to_have_value("")
    assert await desk.page.evaluate(LEFT) == []


async def test_a_suggested_passphrase_is_gone_after_a_lock(desk):
    await desk.go("/security/vault")
    await desk.page.get_by_role("button", name="Change the passphrase…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Suggest one").click()
    words = await dialog.locator(".suggested p").inner_text()
    assert len(words.split()) > 3
    desk.daemon.do("lock")
    await expect(dialog.get_by_label(re.compile("^New passphrase"))).to_have_value("")
    assert words not in await desk.page.evaluate("() => document.documentElement.outerHTML")


async def test_what_unlocks_a_locked_signer_is_not_taken_from_who_types_it(desk):
    desk.daemon.do("lock")
    await expect(desk.page.locator("#state")).to_contain_text("Locked")
    await desk.page.get_by_role("button", name="Unlock the signer").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Your vault’s passphrase").fill(PASSPHRASE)
    # Another look at the state says once more that it is locked.
    await desk.page.evaluate("async () => (await import('/store.js')).refresh('status')")
    await expect(dialog.get_by_label("Your vault’s passphrase")).to_have_value(PASSPHRASE)
    await dialog.get_by_role("button", name="Unlock", exact=True).click()
    await expect(desk.page.locator("#state")).to_contain_text("Unlocked")
