"""The receipt of a key: what the page says of it is what the vault has, in words, and on paper too."""

from __future__ import annotations

import re
import shutil
import tempfile

from playwright.async_api import expect

from console.test_passkey_unlock import shown

RAW = re.compile(r"\b(?:after-first-unlock|when-unlocked|device-passcode|in_memory|device_bound|undefined|null|NaN|\[object)")


def part(desk, title: str):
    return desk.page.locator("section").filter(has=desk.page.get_by_role("heading", name=title, exact=True))


async def test_a_receipt_tells_what_the_vault_has(desk):
    await desk.go("/keys/alice/receipt")
    await expect(part(desk, "What opens it").get_by_role("listitem")).to_have_count(1)
    await expect(part(desk, "What opens it")).to_contain_text("used")
    await expect(part(desk, "Who can rebuild it")).to_contain_text("Its words, if somebody has them from elsewhere")
    await expect(part(desk, "Who can rebuild it")).to_contain_text("Holdfast never showed them")
    await expect(part(desk, "What leaves this device")).to_have_count(0)
    await expect(part(desk, "What left this device")).to_contain_text("Nothing has left this device.")
    properties = part(desk, "Properties").get_by_role("listitem")
    await expect(properties.filter(has_text="The key never reaches the swap space.")).to_contain_text("not enforced here")
    await expect(properties.filter(has_text="More than one thing opens or restores it")).to_have_count(0)
    risk = part(desk, "Risks").get_by_role("listitem").filter(has_text="Only one thing opens this key.")
    await expect(risk.get_by_role("link", name="Add a second way")).to_have_attribute("href", "#/security/vault")

    await desk.go("/security/vault")
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await shown(desk, "Test")
    await expect(desk.page.get_by_text("It works.")).to_be_visible()
    secret = ("--passphrase-file", str(desk.daemon.home.passphrase_file))
    desk.daemon.home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *secret, check=True)
    await desk.go("/keys/alice/receipt")
    opens = part(desk, "What opens it")
    await expect(opens.get_by_role("listitem")).to_have_count(2)
    await expect(opens).to_contain_text(re.compile("Passphrase.*(used|tested) just now"))
    await expect(part(desk, "Who can rebuild it")).to_contain_text("Any 2 of 3 sheets")
    desk.daemon.do("backup", "create", backup := str(desk.daemon.home.path / "one.hfb"))
    desk.daemon.home.cli("backup", "verify", backup, *secret, check=True)
    await desk.page.reload()
    lost = part(desk, "Risks").get_by_role("listitem").filter(has_text="only on the same disk as the vault")
    await expect(lost.get_by_role("link", name="Keep a backup elsewhere")).to_have_attribute("href", "#/backup")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
        desk.daemon.home.cli("backup", "verify", shutil.copy(backup, elsewhere), *secret, check=True)
    await desk.page.reload()
    await expect(part(desk, "Who can rebuild it")).to_contain_text("Anybody who opens a backup")
    survives = part(desk, "Properties").get_by_role("listitem").filter(has_text="If this machine is lost, the key can be restored.")
    await expect(survives).to_contain_text("yes")
    await expect(part(desk, "Risks")).not_to_contain_text("Only one thing opens this key.")
    await expect(part(desk, "Properties")).to_contain_text("More than one thing opens or restores it")
    text = await desk.page.get_by_role("main").inner_text()
    assert not (raw := RAW.findall(text)), raw


async def test_a_receipt_says_which_kit_restores_the_key_and_what_is_missing(desk):
    await desk.go("/keys/alice/receipt")
    risks, rebuild = part(desk, "Risks").get_by_role("listitem"), part(desk, "Who can rebuild it").get_by_role("listitem")
    kit = risks.filter(has_text="recovery kit")
    await expect(kit).to_contain_text("No recovery kit restores this key.")
    await expect(kit).to_contain_text("Make one for the day when you have forgotten your passphrase.")
    await expect(kit.get_by_role("link")).to_have_text(["Make a recovery kit"])
    secret = ("--passphrase-file", str(desk.daemon.home.passphrase_file))
    desk.daemon.home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *secret, check=True)
    await desk.page.reload()
    await expect(kit).to_contain_text("The recovery kit that restores this key was never tried.")
    await expect(kit).to_contain_text("A recovery kit of the whole vault: any 2 of 3 sheets. Only a test shows that the sheets work.")
    await expect(kit.get_by_role("link")).to_have_text(["Test the kit"])
    row = rebuild.filter(has_text="A recovery kit of the whole vault")
    await expect(row).to_contain_text("They open a backup of the vault, and no backup has this key yet.")
    await expect(row.locator(".tag")).to_have_text(["needs a backup", "never tested"])
    desk.daemon.do("backup", "create", str(desk.daemon.home.path / "one.hfb"))
    await desk.page.reload()
    await expect(row).to_contain_text("Any 2 of 3 sheets, with a backup of the vault")
    await expect(row.locator(".tag")).to_have_text(["never tested"])


async def test_a_printed_receipt_has_the_facts_and_no_buttons(desk):
    await desk.go("/keys/alice/receipt")
    await expect(part(desk, "What opens it")).to_be_visible()
    await desk.page.evaluate("() => { window.print = () => { window.printed = true } }")
    await desk.page.get_by_role("button", name="Print").click()
    assert await desk.page.evaluate("() => window.printed")
    await desk.page.emulate_media(media="print")
    await expect(part(desk, "What opens it")).to_be_visible()
    await expect(desk.page.get_by_text("Printed ")).to_be_visible()
    await expect(desk.page.get_by_role("button", name="Print")).to_be_hidden()
    await expect(desk.page.get_by_role("navigation", name="Pages")).to_be_hidden()


async def test_the_pages_of_a_key_fit_a_phone(open_desk, daemon):
    desk = await open_desk(daemon, viewport={"width": 360, "height": 740})
    secret = ("--passphrase-file", str(daemon.home.passphrase_file))
    daemon.home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *secret, check=True)
    for route, shown_there in (
        ("/keys/alice", "Copies"),
        ("/keys/alice/receipt", "What opens it"),
        ("/security/vault", "Ways to unlock"),
        ("/recovery", "Kept here for others"),
        ("/backup", "Scheduled backups"),
    ):
        await desk.go(route)
        await expect(desk.page.get_by_role("heading", name=shown_there, exact=True)).to_be_visible()
        wide = await desk.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{route} is wider than the screen by {wide}"
        text = await desk.page.get_by_role("main").inner_text()
        assert not (raw := RAW.findall(text)), (route, raw)


async def test_an_exported_copy_is_named_everywhere_and_is_no_second_way_in(desk):
    copy = "as long as you still have that copy"
    for route in ("/security/vault", "/", "/security"):
        await desk.go(route)
        await expect(desk.page.get_by_text("Only one thing opens your key: Passphrase. If you lose it, the key is lost.")).to_be_visible()
    home = desk.daemon.home
    password = home.path.parent / f"{home.path.name}-password"
    password.write_text("a password for the copy")
    password.chmod(0o600)
    secrets = ("--passphrase-file", str(home.passphrase_file), "--password-file", str(password))
    home.cli("identity", "export", "alice", "--out", str(home.path / "copy"), *secrets, check=True)
    await desk.page.reload()
    await expect(desk.page.get_by_role("main")).to_contain_text(copy)
    await expect(desk.page.get_by_text("Only one thing opens your key")).to_have_count(0)
    await expect(desk.page.get_by_role("main")).to_contain_text("One thing alone opens alice.")
    await desk.go("/")
    step = desk.page.get_by_role("main").get_by_role("link").filter(has_text="A second way in")
    await expect(step).to_contain_text(f"One thing alone opens alice. If that is lost, only an exported copy restores it, {copy}.")
    await desk.go("/security/vault")
    await expect(desk.page.get_by_text("A second way in: not done.")).to_be_visible()
    await expect(desk.page.get_by_text(re.compile(r"A copy of alice was made .+\. It is no way in"))).to_be_visible()
    await desk.go("/keys/alice/receipt")
    properties = part(desk, "Properties").get_by_role("listitem")
    for sentence in ["More than one thing opens or restores it", "If this machine is lost, the key can be restored."]:
        await expect(properties.filter(has_text=sentence)).to_contain_text(copy)


async def test_a_backup_that_does_not_open_with_all_that_opens_the_vault_is_a_risk(desk):
    secret = ("--passphrase-file", str(desk.daemon.home.passphrase_file))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
        desk.daemon.do("backup", "create", copy := f"{elsewhere}/one.hfb")
        desk.daemon.home.cli("backup", "verify", copy, *secret, check=True)
    desk.daemon.home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *secret, check=True)
    await desk.go("/keys/alice/receipt")
    risk = part(desk, "Risks").get_by_role("listitem").filter(has_text="If this machine is lost, the key may be lost.")
    await expect(risk).to_contain_text("does not open with everything that opens the vault now")
    await expect(risk.get_by_role("link", name="Make a backup")).to_have_attribute("href", "#/backup")


async def test_what_helps_if_the_machine_is_lost_is_a_backup(desk):
    """A kit opens the vault's file, which is lost with the machine."""
    await desk.go("/keys/alice/receipt")
    lost = part(desk, "Risks").get_by_role("listitem").filter(has_text="If this machine is lost, the key is lost.")
    await expect(lost.get_by_role("link")).to_have_text(["Make a backup"])
    await expect(lost.get_by_role("link", name="Make a backup")).to_have_attribute("href", "#/backup")
