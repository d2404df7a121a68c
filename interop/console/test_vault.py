"""The vault's page: ways to unlock are named, tested, changed and refused; the signer locks by itself."""

from __future__ import annotations

import re

from playwright.async_api import expect

from console.sheets import type_sheets
from console.test_passkey_unlock import shown, slot, slots
from console.test_recovery import make_kit
from harness.daemon import PASSPHRASE


async def unlocks(desk, passphrase: str) -> None:
    """Locks, and unlocks on the page."""
    desk.daemon.do("lock")
    await desk.go("/")
    await desk.page.get_by_role("button", name="Unlock…").click()
    await shown(desk, "Unlock", passphrase)
    await expect(desk.page.get_by_role("dialog")).to_have_count(0)
    assert desk.daemon.do("status")["locked"] is False


async def test_a_way_to_unlock_is_tested_renamed_and_not_given_up(desk):
    await desk.go("/security/vault")
    await expect(desk.page.get_by_text("A second way in: not done.")).to_be_visible()
    row = desk.page.get_by_role("listitem").filter(has=desk.page.get_by_role("button", name="Test"))
    # The signer was started with it a moment ago.
    await expect(row.get_by_text("used just now")).to_be_visible()
    await row.get_by_role("button", name="Test").click()
    await shown(desk, "Test", "not the passphrase")
    await expect(desk.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("The passphrase is wrong.")
    await shown(desk, "Test")
    await expect(row.get_by_text("tested just now")).to_be_visible()
    await row.get_by_role("button", name="Rename…").click()
    await desk.page.get_by_role("dialog").get_by_label("Name").fill("In my head")
    await desk.page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    await expect(slot(desk, "In my head")).to_be_visible()
    await expect(slot(desk, "In my head").get_by_role("button", name="Remove…")).to_be_disabled()
    assert (await slots(desk)) == {"In my head": "passphrase"}


async def test_a_mistake_is_said_at_its_field_which_gets_the_focus(desk):
    await desk.go("/security/vault")
    await desk.page.get_by_role("button", name="Change the passphrase…").click()
    dialog = desk.page.get_by_role("dialog")
    old, again = dialog.get_by_label("Present passphrase"), dialog.get_by_label("Repeat the new passphrase")

    async def is_said_at(field, words: str) -> None:
        alert = dialog.get_by_role("alert")
        await expect(alert).to_contain_text(words)
        await expect(field).to_be_focused()
        await expect(field).to_have_attribute("aria-invalid", "true")
        await expect(field).to_have_accessible_description(re.compile(words))
        assert await alert.evaluate("(alert) => alert.previousElementSibling.querySelector('input') === document.activeElement")

    await old.fill("not the passphrase")
    await dialog.get_by_label(re.compile("^New passphrase")).fill("four words and a stone")
    await again.fill("four words and a store")
    await dialog.get_by_role("button", name="Change").click()
    await is_said_at(again, "The two new passphrases are not the same.")
    await again.fill("four words and a stone")
    await expect(dialog.get_by_role("alert")).to_have_count(0)
    await expect(again).not_to_have_attribute("aria-invalid", "true")
    await dialog.get_by_role("button", name="Change").click()
    await is_said_at(old, "The passphrase is wrong.")


async def test_the_passphrase_is_changed_and_only_the_new_one_opens(desk):
    fresh = "four words and a stone"
    await desk.go("/security/vault")
    await desk.page.get_by_role("button", name="Change the passphrase…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Present passphrase").fill(PASSPHRASE)
    await dialog.get_by_label(re.compile("^New passphrase")).fill(fresh)
    await dialog.get_by_label("Repeat the new passphrase").fill("four words and a store")
    await dialog.get_by_role("button", name="Change").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("not the same")
    await dialog.get_by_label("Repeat the new passphrase").fill(fresh)
    await dialog.get_by_role("button", name="Change").click()
    await expect(desk.page.get_by_text("The passphrase is changed.")).to_be_visible()
    desk.daemon.do("lock")
    await desk.go("/")
    for text, works in ((PASSPHRASE, False), (fresh, True)):
        if not works:
            await desk.page.get_by_role("button", name="Unlock…").click()
        await shown(desk, "Unlock", text)
        if not works:
            await expect(desk.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("wrong")
    await expect(desk.page.get_by_role("dialog")).to_have_count(0)
    assert desk.daemon.do("status")["locked"] is False


async def test_a_new_passphrase_is_judged_suggested_and_shown(desk):
    await desk.go("/security/vault")
    await desk.page.get_by_role("button", name="Change the passphrase…").click()
    dialog = desk.page.get_by_role("dialog")
    first, again = dialog.get_by_label(re.compile("^New passphrase")), dialog.get_by_label("Repeat the new passphrase")
    for weak, remark in (("stone", "is short"), ("11223344556677", "digits only"), ("password1234", "well known")):
        await first.fill(weak)
        await first.press("Tab")
        await expect(dialog.get_by_role("status")).to_contain_text(remark)
    await expect(first).to_have_attribute("type", "password")
    await dialog.get_by_role("button", name="Suggest one").click()
    await expect(dialog.get_by_role("status")).to_contain_text("Write it down now")
    await expect(first).to_have_attribute("type", "text")
    suggested = await first.input_value()
    assert re.fullmatch(r"([a-z]+ ){6}[a-z]+", suggested) and await again.input_value() == "", "whoever repeats it has it"
    await expect(dialog.get_by_text(suggested, exact=True)).to_be_visible()
    await again.fill(suggested)
    await dialog.get_by_role("button", name="Hide").click()
    await expect(first).to_have_attribute("type", "password")
    await expect(again).to_have_attribute("type", "password")
    await dialog.get_by_label("Present passphrase").fill(PASSPHRASE)
    await dialog.get_by_role("button", name="Change", exact=True).click()
    await expect(desk.page.get_by_text("The passphrase is changed.")).to_be_visible()
    await unlocks(desk, suggested)


async def test_class_keys_are_made_anew(desk):
    await desk.go("/security/vault")
    before = (await desk.asks("slot/list"))["generation"]
    made = desk.daemon.home.cli(
        "recovery",
        "create",
        "--threshold",
        "2",
        "--shares",
        "3",
        "--passphrase-file",
        str(desk.daemon.home.passphrase_file),
        check=True,
    ).value
    await desk.page.reload()
    await expect(desk.page.get_by_role("button", name="Renew them…")).to_be_hidden()
    await desk.page.get_by_text("For experts: the keys of the vault").click()
    await expect(desk.page.get_by_role("button", name="Let in today’s passkeys…")).to_have_count(0)  # no key needs that
    await desk.page.get_by_role("button", name="Renew them…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Passphrase").fill(PASSPHRASE)
    await type_sheets(dialog, *made["shares"][:2])
    await dialog.get_by_role("button", name="Renew them").click()
    await expect(desk.page.get_by_text("Renewed: ")).to_be_visible()
    assert (await desk.asks("slot/list"))["generation"] > before


async def test_it_locks_by_itself_as_the_page_says(desk):
    await desk.go("/security")
    await desk.page.get_by_label("If unused, it locks").select_option("900")
    await desk.page.get_by_label("When the machine goes to sleep").uncheck()
    await desk.page.get_by_role("button", name="Save").click()
    await expect(desk.page.get_by_text("Saved.")).to_be_visible()
    await desk.page.reload()
    await expect(desk.page.get_by_label("If unused, it locks")).to_have_value("900")
    await expect(desk.page.get_by_label("When the machine goes to sleep")).not_to_be_checked()


async def test_a_kit_that_is_removed_as_a_way_to_unlock_is_counted_on_nowhere(desk):
    secret = ("--passphrase-file", str(desk.daemon.home.passphrase_file))
    desk.daemon.home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *secret, check=True)
    await desk.go("/security/vault")
    await slot(desk, "Recovery kit").get_by_role("button", name="Remove…").click()
    await expect(desk.page.get_by_role("dialog").get_by_text("Only this is left: the passphrase.")).to_be_visible()
    await desk.page.get_by_role("dialog").get_by_label("Prove that it is you").select_option("passphrase")
    await shown(desk, "Remove")
    await expect(slot(desk, "Recovery kit")).to_have_count(0)
    assert (await desk.asks("recovery/list"))["kits"] == []
    rebuilt = (await desk.asks("identity/receipt", name="alice"))["rebuild"]
    assert [one["what"] for one in rebuilt] == ["words"]


async def test_what_is_left_is_said_before_a_way_to_unlock_goes(desk):
    secret = ("--passphrase-file", str(desk.daemon.home.passphrase_file))
    desk.daemon.home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *secret, check=True)
    await desk.go("/security/vault")
    await slot(desk, "Passphrase").get_by_role("button", name="Remove…").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog.get_by_text("a recovery kit that was never tested. If its sheets are lost, so are your keys.")).to_be_visible()
    await dialog.get_by_role("button", name="Cancel").click()
    assert len((await desk.asks("slot/list"))["slots"]) == 2


async def test_a_forgotten_passphrase_is_set_anew_with_a_kit(desk):
    shares, fresh = await make_kit(desk), "four words and a stone"
    await desk.go("/security/vault")
    await desk.page.get_by_role("button", name="Change the passphrase…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Prove that it is you").select_option(label="With the sheets of a recovery kit")
    await expect(dialog.get_by_label("Present passphrase")).to_have_count(0)
    await type_sheets(dialog, *shares[:2])
    await dialog.get_by_label(re.compile("^New passphrase")).fill(fresh)
    await dialog.get_by_label("Repeat the new passphrase").fill(fresh)
    await dialog.get_by_role("button", name="Change", exact=True).click()
    await expect(desk.page.get_by_text("The passphrase is changed.")).to_be_visible()
    await expect(desk.page.get_by_text("older ones do not open with the new passphrase")).to_be_visible()
    await unlocks(desk, fresh)


async def test_a_wrong_passphrase_is_recorded_with_its_browser_and_forgiven_after_the_right_one(desk):
    await desk.go("/security/vault")
    await desk.page.get_by_role("button", name="Change the passphrase…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Present passphrase").fill("no such passphrase")
    for label in (re.compile("^New passphrase"), "Repeat the new passphrase"):
        await dialog.get_by_label(label).fill("four words and a stone")
    await dialog.get_by_role("button", name="Change", exact=True).click()
    await expect(dialog.get_by_role("alert")).to_contain_text("The passphrase is wrong.")
    await dialog.get_by_label("Present passphrase").fill(PASSPHRASE)
    await dialog.get_by_role("button", name="Change", exact=True).click()
    await expect(desk.page.get_by_text("The passphrase is changed.")).to_be_visible()
    await desk.go("/activity?decision=failed")
    await expect(desk.page.get_by_role("main")).to_contain_text("passphrase in this browser (to change the passphrase)")
    assert desk.daemon.do("status")["new_incidents"] == 0
