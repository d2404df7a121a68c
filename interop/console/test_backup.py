"""Backups from the page: one to download that opens elsewhere, and a plan that runs."""

from __future__ import annotations

import shutil
import tempfile

from playwright.async_api import expect

from console.desk import NARROW
from console.sheets import type_sheets
from console.test_passkey_unlock import shown
from console.test_recovery import make_kit
from harness.daemon import PASSPHRASE, run


async def test_a_downloaded_backup_is_whole_and_opens_with_the_passphrase(desk, tmp_path):
    await desk.go("/backup")
    await expect(desk.page.get_by_text("Holdfast made no backup here in the last 30 days.")).to_be_visible()
    await expect(desk.page.get_by_role("heading", name="Backups of the schedule")).to_be_hidden()
    await expect(desk.page.get_by_text("No backups are scheduled.")).to_be_visible()
    async with desk.page.expect_download() as waiting:
        await desk.page.get_by_role("button", name="Make a backup and download it").click()
    file = tmp_path / (await waiting.value).suggested_filename
    await (await waiting.value).save_as(file)
    await expect(desk.page.get_by_text("The backup is made. Keep it on another machine")).to_be_visible()
    await expect(desk.page.get_by_text(f"Downloaded, not checked yet: {file.name}.")).to_be_visible()
    home = desk.daemon.home
    found = home.cli("backup", "verify", str(file), "--passphrase-file", str(home.passphrase_file), check=True).value
    assert found["sound"] and found["proven"] and found["this_vault"]


async def test_a_downloaded_backup_counts_as_fresh_once_it_was_checked(desk, tmp_path):
    verdict = desk.page.locator(".verdicts")
    await desk.go("/backup")
    async with desk.page.expect_download() as waiting:
        await desk.page.get_by_role("button", name="Make a backup and download it").click()
    file = await (await waiting.value).path()
    await expect(verdict).to_contain_text("A fresh backup: not checked yet.")
    await desk.page.reload()
    await expect(desk.page.get_by_text("It is a file that was not checked yet.")).to_be_visible()
    await desk.go("/keys/alice/receipt")
    risk = desk.page.get_by_role("listitem").filter(has_text="No backup that has this key was checked.")
    await expect(risk.get_by_role("link", name="Check the backup")).to_have_attribute("href", "#/backup")
    await desk.go("/")
    step = desk.page.get_by_role("main").get_by_role("link").filter(has_text="A fresh backup")
    await expect(step).to_contain_text("The last backup is a file that was not checked yet.")
    await step.click()
    await desk.page.get_by_role("button", name="Check a backup file").click()
    await expect(desk.page.get_by_role("button", name="Choose a file…")).to_be_focused()
    card = desk.page.locator("section.card", has=desk.page.get_by_role("heading", name="Check a backup file"))
    await card.locator('input[type="file"]').set_input_files(file)
    await card.get_by_label("Your vault’s passphrase").fill(PASSPHRASE)
    await card.get_by_role("button", name="Check it").click()
    await expect(card).to_contain_text("is whole, and what you gave opens it.")
    await expect(verdict).to_contain_text("A fresh backup: done")
    await expect(desk.page.get_by_text("not checked yet")).to_have_count(0)


async def test_a_folder_on_the_vaults_own_disk_is_taken_with_a_warning(desk, tmp_path):
    words = "This folder is on the same disk as the vault: if that disk breaks, both are lost."
    home = desk.daemon.home
    (beside := home.folder / "backups").mkdir()

    def says(*command: str) -> str:
        return run(*command, "--home", str(home.path)).out

    def scheduled(folder: str) -> str:
        return says("backup", "schedule", "--to", folder, "--passphrase-file", str(home.passphrase_file))

    assert words in scheduled(str(beside)) and words in says("backup", "plan")
    await desk.go("/backup")
    await expect(desk.page.get_by_text(words)).to_be_visible()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
        assert words not in scheduled(elsewhere)
        await desk.page.reload()
        await expect(desk.page.get_by_role("main")).to_contain_text(elsewhere)
        await expect(desk.page.get_by_text(words)).to_have_count(0)


async def test_on_a_phone_a_stored_backup_has_its_name_in_a_few_lines(open_desk, daemon):
    (folder := daemon.home.folder / "backups").mkdir()
    daemon.do("backup", "schedule", "--to", str(folder), "--passphrase-file", str(daemon.home.passphrase_file))
    daemon.do("backup", "run")
    desk = await open_desk(daemon, viewport=NARROW)
    await desk.go("/backup")
    name = desk.page.get_by_role("main").get_by_role("listitem").locator("strong")
    await expect(name).to_be_visible()
    assert (await name.bounding_box())["height"] < 80


async def test_the_schedule_says_whose_password_and_whose_passphrase_it_asks_for(desk):
    await desk.go("/backup")
    await desk.page.get_by_role("button", name="Set it up…").click()
    labels, where = desk.page.get_by_role("dialog").locator(".label"), desk.page.get_by_role("dialog").get_by_label("Where")
    server = ["User name at that server, if it needs one", "Password at that server"]
    bucket = ["Access key of that bucket", "Secret key of that bucket"]
    for address, asked in [("", []), ("/media/backup", []), ("https://dav.example", server), ("s3://bucket", bucket), ("/media", [])]:
        await where.fill(address)
        expected = ["Where", *asked, "How often", "How many to keep", "Your vault’s passphrase, to confirm"]
        await expect(labels).to_have_text(expected)


async def test_what_was_typed_for_another_place_is_not_sent(desk, tmp_path):
    await desk.go("/backup")
    await desk.page.get_by_role("button", name="Set it up…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Where").fill("https://dav.example")
    await dialog.get_by_label("Password at that server").fill("not for a folder")
    await dialog.get_by_label("Where").fill(str(tmp_path))
    async with desk.page.expect_request("**/api/v1/backup/schedule") as sent:
        await shown(desk, "Save")
    assert b"not for a folder" not in (await sent.value).post_data_buffer


async def test_a_plan_is_set_run_and_stopped(desk, tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    await desk.go("/backup")
    await desk.page.get_by_role("button", name="Set it up…").click()
    await desk.page.get_by_role("dialog").get_by_label("Where").fill(str(folder))
    await shown(desk, "Save")
    await expect(desk.page.get_by_text("No backup was made yet.")).to_be_visible()
    await desk.page.get_by_role("button", name="Run it now").click()
    row = desk.page.get_by_role("main").get_by_role("listitem")
    await expect(row).to_have_count(1)
    await expect(row).to_contain_text("checked")
    await expect(desk.page.get_by_text("a file that ends in -revoked.hfr: the list of the apps that you revoked.")).to_be_visible()
    assert len(list(folder.glob("*-revoked.hfr"))) == 1
    (file,) = folder.glob("*.hfb")
    await row.get_by_role("button", name="Check it…").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog.get_by_role("heading", name="The backup is whole")).to_be_visible()
    await expect(dialog).to_contain_text(file.name)
    await expect(dialog.get_by_role("definition").first).to_have_text("alice")
    await dialog.get_by_role("button", name="Close").click()
    await desk.page.get_by_role("button", name="Stop it").click()
    await expect(desk.page.get_by_text("No backups are scheduled.")).to_be_visible()
    home = desk.daemon.home
    home.cli("backup", "verify", str(file), "--passphrase-file", str(home.passphrase_file), check=True)


async def test_a_backup_is_fresh_again_only_once_it_opens_with_a_new_kit(desk):
    verdict, row = desk.page.locator(".verdicts"), desk.page.locator("section.card li.row")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
        home = desk.daemon.home
        desk.daemon.do("backup", "schedule", "--to", elsewhere, "--passphrase-file", str(home.passphrase_file))
        desk.daemon.do("backup", "run")
        await desk.go("/backup")
        await expect(verdict).to_contain_text("A fresh backup: done")
        await expect(row.first).to_contain_text("Opens with: Passphrase")
        shares = await make_kit(desk)
        await expect(desk.page.get_by_text("Make a new backup now: older ones do not open with this kit.")).to_be_visible()
        await type_sheets(desk.page, *shares[:2])
        await desk.page.get_by_role("button", name="Test", exact=True).click()
        why = "A recovery kit was made after the last backup, which does not open with it."
        result = desk.page.locator(".kit-test")
        await expect(result).to_contain_text("On another machine you also need a backup that was made after the kit.")
        await expect(result).to_contain_text(why)
        await desk.go("/")
        await expect(desk.page.get_by_role("main").get_by_role("link").filter(has_text="A fresh backup")).to_contain_text(why)
        await desk.go("/backup")
        await expect(verdict).to_contain_text("A fresh backup: not done.")
        await expect(row.first).to_contain_text("Does not open with: Recovery kit")
        assert why in run("backup", "list", "--home", str(home.path)).out
        await desk.page.get_by_role("button", name="Run it now").click()
        await expect(verdict).to_contain_text("A fresh backup: done")
        await expect(row.first).to_contain_text("Opens with: Passphrase, Recovery kit")
        assert "passphrase, recovery kit" in run("backup", "list", "--home", str(home.path)).out


async def test_a_backup_on_the_vaults_own_disk_only_is_not_fresh(desk):
    home = desk.daemon.home
    (beside := home.folder / "backups").mkdir()
    desk.daemon.do("backup", "schedule", "--to", str(beside), "--passphrase-file", str(home.passphrase_file))
    desk.daemon.do("backup", "run")
    await desk.go("/backup")
    await expect(desk.page.locator(".verdicts")).to_contain_text("A fresh backup: only on this disk")
    await desk.go("/")
    step = desk.page.get_by_role("main").get_by_role("link").filter(has_text="A fresh backup")
    await expect(step).to_contain_text("The last backup is only on this disk")
    await expect(step).to_contain_text("Copy it to another machine or medium")
    (file,) = beside.glob("*.hfb")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
        copied = shutil.copy(file, elsewhere)
        desk.daemon.do("backup", "verify", str(copied), "--passphrase-file", str(home.passphrase_file))
    await desk.page.reload()
    await expect(step).to_have_count(0)
