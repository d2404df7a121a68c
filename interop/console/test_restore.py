"""A person who has a Holdfast already restores its backup in a trial's console, on a new machine."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from console.desk import NARROW, WIDE
from console.rust_app import RustApp
from console.sheets import type_sheets
from harness.daemon import PASSPHRASE, Home, run

NEW = "seven quiet otters knit"


@pytest.fixture
def old():
    """The vault of the old machine, which is stopped, with an identity and a paired app."""
    home = Home.created()
    yield home
    home.remove()


@pytest.fixture
def backup(old, tmp_path) -> bytes:
    old.unlocked("backup", "create", str(tmp_path / "keys.hfb"))
    return (tmp_path / "keys.hfb").read_bytes()


@pytest.fixture
def new_machine(open_desk, start, empty_home):
    """Opens a trial's console, whose owner's home does not exist yet."""

    async def opened(viewport=WIDE):
        daemon = start(trial=True, env={"HOLDFAST_HOME": str(empty_home.path)})
        desk = await open_desk(daemon, sign_in=False, viewport=viewport)
        await desk.sign_in(daemon.ready["signin"])
        return desk

    return opened


def section(desk):
    return desk.page.locator("section.card", has=desk.page.get_by_role("heading", name="Restore a backup file"))


async def choose(desk, content: bytes) -> None:
    await desk.go("/restore")
    file = {"name": "keys.hfb", "mimeType": "application/octet-stream", "buffer": content}
    await section(desk).locator('input[type="file"]').set_input_files(file)


async def look(desk, passphrase: str) -> None:
    await section(desk).get_by_label("The backup’s passphrase").fill(passphrase)
    await section(desk).get_by_role("button", name="See what is in it").click()


async def fits(desk) -> None:
    assert await desk.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"


async def comes_back(desk) -> None:
    told = desk.page.get_by_role("dialog").filter(has_text="Your vault is at")
    await expect(told).to_be_visible(timeout=30_000)
    await fits(desk)
    await expect(told).to_contain_text("Next time, start the signer with")
    await told.get_by_role("button", name="Done").click()
    await expect(desk.page.get_by_text("The signer restarts. This page signs in again by itself.")).to_be_visible()
    await expect(desk.page.get_by_role("navigation", name="Pages")).to_be_visible(timeout=30_000)
    assert all("session/state" in fault for fault in desk.faults), desk.faults
    desk.faults.clear()


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_a_backup_becomes_the_vault_of_the_new_machine(new_machine, backup, old, empty_home, viewport):
    desk = await new_machine(viewport)
    trial = desk.daemon.ready["home"]
    await desk.go("/welcome")
    await desk.page.get_by_role("link", name="I already have a Holdfast").click()
    trials = desk.page.locator("section.card").filter(has=desk.page.get_by_role("heading", name="This is a trial"))
    await expect(trials).to_contain_text("The trial ends then, and its own keys and apps are wiped.")
    first, file = await trials.bounding_box(), await section(desk).get_by_role("button", name="Choose a file…").bounding_box()
    assert first["y"] < file["y"], "it is said before a file is chosen"
    await choose(desk, backup)
    await expect(section(desk)).to_contain_text("Type what opened the vault when it was made.")
    await fits(desk)
    await look(desk, "not the passphrase")
    await expect(section(desk).get_by_role("alert")).to_contain_text("does not open the backup")
    await look(desk, PASSPHRASE)
    await expect(section(desk).get_by_role("definition").first).to_have_text("alice")
    await expect(section(desk)).to_contain_text("This trial ends, and its own keys and apps are wiped.")
    assert not empty_home.path.exists(), "nothing is restored before the person says so"
    await fits(desk)
    await section(desk).get_by_role("button", name="Restore it").click()
    await comes_back(desk)
    await expect(desk.page.locator("#notices")).to_contain_text("The backup is restored.")
    await expect(desk.page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    await expect(desk.page.get_by_text("Trial: wiped at the end")).to_be_hidden()
    status = run("status", "--home", str(empty_home.path), "--json").value
    assert status["trial"] is False and status["locked"] is False
    names = await desk.asks("identity/list")
    assert [one["name"] for one in names["identities"]] == ["alice"]
    assert run("status", "--home", trial, "--json").code != 0, "the trial's signer is gone"
    assert await desk.page.evaluate("async () => (await import('/parts/keep.js')).isKept") is True


async def test_shares_of_a_kit_restore_it_under_a_new_passphrase(new_machine, old, tmp_path, empty_home):
    shares = old.unlocked("recovery", "create", "--threshold", "2", "--shares", "3").value["shares"]
    old.unlocked("backup", "create", str(tmp_path / "kit.hfb"))
    desk = await new_machine()
    await choose(desk, (tmp_path / "kit.hfb").read_bytes())
    await section(desk).get_by_label("Open it").select_option("shares")
    await type_sheets(section(desk), *shares[:2])
    await section(desk).get_by_role("button", name="See what is in it").click()
    await expect(section(desk)).to_contain_text("alice")
    restores = section(desk).get_by_role("button", name="Restore it")
    await section(desk).get_by_label("New passphrase for the vault").fill(NEW)
    await section(desk).get_by_label("Repeat it").fill("another one")
    await restores.click()
    await expect(section(desk).get_by_role("alert")).to_contain_text("The two passphrases differ.")
    assert not empty_home.path.exists()
    await section(desk).get_by_label("Repeat it").fill(NEW)
    await restores.click()
    await comes_back(desk)
    chosen = tmp_path / "new"
    chosen.write_text(NEW)
    home = ("--home", str(empty_home.path), "--json")
    assert run("lock", *home).code == 0
    assert run("unlock", "--passphrase-file", str(chosen), *home).value["locked"] is False


async def test_an_app_comes_back_paused_and_is_named(new_machine, start, old, tmp_path):
    before = start(old)
    app = await RustApp.paired(before.pair("full").text)
    before.do("client", "rename", app.key, "Coracle")
    await app.close()
    before.stop()
    old.unlocked("backup", "create", str(tmp_path / "keys.hfb"))
    desk = await new_machine()
    await choose(desk, (tmp_path / "keys.hfb").read_bytes())
    await look(desk, PASSPHRASE)
    await expect(section(desk)).to_contain_text("Coracle")
    await section(desk).get_by_role("button", name="Restore it").click()
    await expect(desk.page.get_by_role("dialog")).to_contain_text("Paused until you resume each of them: Coracle.", timeout=30_000)
    await comes_back(desk)
    await expect(desk.page.locator("#notices")).to_contain_text("Restored. 1 app is paused: check it, then resume it.")
    await expect(desk.page.get_by_role("heading", name="Apps", level=1)).to_be_visible()
    await expect(desk.page.get_by_role("main").get_by_role("link", name="Coracle")).to_be_visible()
    clients = await desk.asks("client/list")
    assert [one["suspended"] for one in clients["clients"]] == [True]


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_an_app_that_was_revoked_since_stays_away_by_its_list(new_machine, start, old, tmp_path, viewport):
    running, secret = start(old), ("--passphrase-file", str(old.passphrase_file))
    for name in ("Coracle", "Amethyst"):
        app = await RustApp.paired(running.pair("full").text)
        running.do("client", "rename", app.key, name)
        await app.close()
    backup = tmp_path / running.do("backup", "create", "--to", str(tmp_path), *secret)["name"]
    running.do("client", "revoke", "Amethyst", "--yes")
    running.do("backup", "create", "--to", str(tmp_path), *secret)
    running.stop()
    (list_file,) = tmp_path.glob("*-revoked.hfr")
    desk = await new_machine(viewport)
    await choose(desk, backup.read_bytes())
    await look(desk, PASSPHRASE)
    chooser = section(desk).get_by_label("List of revoked apps")
    restores = section(desk).get_by_role("button", name="Restore it")
    await expect(section(desk)).to_contain_text("Without it, those come back, too")
    await fits(desk)
    await chooser.set_input_files({"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": b"no list"})
    await expect(section(desk)).to_contain_text("Apps that photo.jpg lists are not restored.")
    await restores.click()
    await expect(section(desk).get_by_role("alert")).to_contain_text("This is not the list of revoked apps that belongs to the backup.")
    await section(desk).get_by_role("button", name="Without it").click()
    await expect(section(desk)).not_to_contain_text("photo.jpg")
    await chooser.set_input_files(list_file)
    await expect(section(desk)).to_contain_text(f"Apps that {list_file.name} lists are not restored.")
    await fits(desk)
    await restores.click()
    told = desk.page.get_by_role("dialog")
    await expect(told).to_contain_text("because you revoked them after the backup was made: Amethyst.", timeout=30_000)
    await expect(told).to_contain_text("Paused until you resume each of them: Coracle.")
    await expect(told).not_to_contain_text("was not sent along")
    await comes_back(desk)
    assert [one["name"] for one in (await desk.asks("client/list"))["clients"]] == ["Coracle"]


async def test_where_a_vault_exists_nothing_is_restored(new_machine, backup, empty_home):
    desk = await new_machine()
    await desk.go("/restore")
    await expect(section(desk).get_by_role("button", name="Choose a file…")).to_be_visible()
    empty_home.cli("init", "--passphrase-file", str(empty_home.passphrase_file), check=True)
    before = sorted(path.name for path in empty_home.path.iterdir())
    await choose(desk, backup)
    await look(desk, PASSPHRASE)
    fault = section(desk).get_by_role("alert")
    await expect(fault).to_contain_text(f"There is already a vault at {empty_home.path}. Nothing was changed.")
    await expect(fault).to_contain_text("holdfast backup restore FILE --into DIR")
    assert sorted(path.name for path in empty_home.path.iterdir()) == before
    assert run("status", "--home", desk.daemon.ready["home"], "--json").value["trial"] is True


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_a_signer_with_a_vault_says_what_to_type_and_restores_nothing(open_desk, daemon, viewport):
    desk = await open_desk(daemon, viewport=viewport)
    for route in ("/backup", "/restore"):
        await desk.go(route)
        steps = desk.page.locator("section.card", has=desk.page.get_by_role("heading", name="Restore on another machine"))
        await expect(steps.locator("pre")).to_have_text(["holdfast backup restore FILE", "holdfast up"])
        await fits(desk)
    await expect(section(desk)).to_have_count(0)
    desk.expected.append(re.compile("403"))
    said = await desk.page.evaluate(
        """async () => {
          const { call } = await import("/api.js");
          const secrets = { passphrase: new TextEncoder().encode("anything") };
          return call("trial/restore", { upload: "ab" }, secrets).then(() => "restored", (failure) => failure.message);
        }"""
    )
    assert said == "This signer has a vault already, so nothing is restored here."


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_that_a_vault_is_there_already_is_said_before_a_file_is_sent(new_machine, empty_home, viewport):
    desk = await new_machine(viewport)
    await desk.go("/restore")
    await expect(section(desk).get_by_role("button", name="Choose a file…")).to_be_visible()
    empty_home.cli("init", "--passphrase-file", str(empty_home.passphrase_file), check=True)
    await desk.page.reload()
    main = desk.page.get_by_role("main")
    await expect(main).to_contain_text(f"There is already a vault at {empty_home.path}.")
    await expect(section(desk)).to_have_count(0)
    await expect(main.locator("pre").first).to_have_text("holdfast up")
    await fits(desk)
    await desk.page.get_by_role("button", name="Keep this trial…").first.click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text(f"There is already a vault at {empty_home.path}.")
    await expect(dialog.locator('input[type="password"]')).to_have_count(0)
