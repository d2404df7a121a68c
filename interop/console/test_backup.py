"""Backups from the page: one to download that opens elsewhere, and a plan that runs."""

from __future__ import annotations

from playwright.async_api import expect

from console.test_passkey_unlock import shown


async def test_a_downloaded_backup_is_whole_and_opens_with_the_passphrase(desk, tmp_path):
    await desk.go("/backup")
    await expect(desk.page.get_by_text("Holdfast knows of no backup.")).to_be_visible()
    await expect(desk.page.get_by_text("No backups are scheduled.")).to_be_visible()
    async with desk.page.expect_download() as waiting:
        await desk.page.get_by_role("button", name="Make a backup and download it").click()
    file = tmp_path / (await waiting.value).suggested_filename
    await (await waiting.value).save_as(file)
    await expect(desk.page.get_by_text("The backup is made. Keep it on another machine")).to_be_visible()
    home = desk.daemon.home
    found = home.cli("backup", "verify", str(file), "--passphrase-file", str(home.passphrase_file), check=True).value
    assert found["sound"] and found["proven"] and found["this_vault"]


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
    (file,) = folder.glob("*.hfb")
    await desk.page.get_by_role("button", name="Stop it").click()
    await expect(desk.page.get_by_text("No backups are scheduled.")).to_be_visible()
    home = desk.daemon.home
    home.cli("backup", "verify", str(file), "--passphrase-file", str(home.passphrase_file), check=True)
