"""A backup still has an app that was revoked since: the console says so, and gives out the list that keeps the app away."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from console.desk import NARROW, WIDE
from harness.daemon import Home

SIZES = pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["desktop", "phone"])
MAKE, LIST = "Make a backup and download it", "Download the list of revoked apps"


def card(desk):
    return desk.page.locator("section.card", has=desk.page.get_by_role("heading", name="Newest backup"))


async def download(desk, button, folder):
    async with desk.page.expect_download() as waiting:
        await button.click()
    file = folder / (await waiting.value).suggested_filename
    await (await waiting.value).save_as(file)
    return file


async def fits(desk) -> None:
    assert await desk.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"


def restored(backup, old: Home) -> list[str]:
    """The apps of a vault that the backup became."""
    new = Home()
    try:
        new.cli("backup", "restore", str(backup), "--passphrase-file", str(old.passphrase_file), check=True)
        return [one["name"] for one in new.unlocked("client", "list").value["clients"]]
    finally:
        new.remove()


@SIZES
async def test_the_list_is_downloaded_beside_a_backup_and_keeps_a_revoked_app_away(open_desk, daemon, pair_app, tmp_path, viewport):
    for name in ("Amethyst", "Coracle"):
        await pair_app(name)
    desk = await open_desk(daemon, viewport=viewport, at="/backup")
    await expect(card(desk).get_by_role("button", name=LIST)).to_have_count(0)
    backup = await download(desk, card(desk).get_by_role("button", name=MAKE), tmp_path)
    await expect(card(desk).get_by_role("button", name=LIST)).to_be_visible()
    await expect(card(desk).get_by_text("It still has")).to_have_count(0)
    daemon.do("client", "revoke", "Amethyst", "--yes")
    # A list of another vault that this browser has downloaded says nothing of this one.
    await desk.page.evaluate(
        "() => ['', ' 00000000'].forEach(vault => localStorage.setItem(`holdfast-revoked-through${vault}`, '9999999999'))"
    )
    await desk.page.reload()
    warning = card(desk).get_by_text("It still has an app that you revoked since: Amethyst.")
    await expect(warning).to_contain_text("Make a new backup, or keep the list of revoked apps beside this one")
    await fits(desk)
    (alone := tmp_path / "alone").mkdir()
    assert sorted(restored(alone / backup.rename(alone / backup.name).name, daemon.home)) == ["Amethyst", "Coracle"]
    listed = await download(desk, card(desk).get_by_role("button", name=LIST), alone)
    assert listed.name.endswith("-revoked.hfr") and listed.name[:17] == backup.name[:17]
    await expect(warning).to_have_count(0)
    assert restored(alone / backup.name, daemon.home) == ["Coracle"]
    await desk.page.reload()
    await expect(card(desk).get_by_role("button", name=LIST)).to_be_visible()
    await expect(warning).to_have_count(0)


@SIZES
async def test_revoking_an_app_says_that_the_last_backup_has_it_and_offers_both_ways_out(open_desk, daemon, pair_app, tmp_path, viewport):
    await pair_app("Amethyst")
    daemon.do("backup", "create", str(tmp_path / "one.hfb"))
    desk = await open_desk(daemon, viewport=viewport)
    signer = daemon.clients()[0]["signer"]
    await desk.go(f"/apps/{signer}")
    await desk.page.get_by_role("button", name="Revoke…").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Your last backup still has this app.")
    await dialog.get_by_role("button", name="Revoke").click()
    await expect(dialog.get_by_role("heading", name="Amethyst is revoked")).to_be_visible()
    assert daemon.clients() == []
    await expect(dialog).to_contain_text("After a restore, the app would be back, paused.")
    await expect(dialog.get_by_role("button")).to_have_text([MAKE, "Download the list", "Later"])
    await fits(desk)
    listed = await download(desk, dialog.get_by_role("button", name="Download the list"), tmp_path)
    assert listed.name.endswith("-revoked.hfr")
    await expect(dialog).to_have_count(0)
    await expect(desk.page.get_by_role("heading", name="Apps", level=1)).to_be_visible()


async def test_revoking_an_app_that_no_backup_has_says_nothing_of_backups(desk, pair_app):
    await pair_app("Amethyst")
    await desk.go(f"/apps/{desk.daemon.clients()[0]['signer']}")
    await desk.page.get_by_role("button", name="Revoke…").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).not_to_contain_text("backup")
    await dialog.get_by_role("button", name="Revoke").click()
    await expect(desk.page.locator("#notices")).to_contain_text("Amethyst is revoked.")
    await expect(dialog).to_have_count(0)


async def test_a_schedule_keeps_the_list_beside_its_own_backups(open_desk, daemon, pair_app, tmp_path):
    await pair_app("Amethyst")
    secret = ("--passphrase-file", str(daemon.home.passphrase_file))
    daemon.home.cli("backup", "schedule", "--to", str(tmp_path), *secret, check=True)
    daemon.do("backup", "run")
    desk = await open_desk(daemon)
    await desk.go(f"/apps/{daemon.clients()[0]['signer']}")
    await desk.page.get_by_role("button", name="Revoke…").click()
    await expect(desk.page.get_by_role("dialog")).not_to_contain_text("backup")
