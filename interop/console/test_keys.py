"""The owner's keys: how they look, when they can be used, and how they leave the signer."""

from __future__ import annotations

import re

import nostr_sdk as sdk
import pytest
from playwright.async_api import expect

from console.desk import NARROW, WIDE
from console.test_pairing import read_code
from harness.daemon import PASSPHRASE, run


async def save_dialog(desk, button: str, **fields: str):
    dialog = desk.page.get_by_role("dialog")
    for label, text in fields.items():
        await dialog.get_by_label(label.replace("_", " ")).fill(text)
    await dialog.get_by_role("button", name=button, exact=True).click()
    return dialog


def names(desk) -> dict[str, bool]:
    return {one["name"]: one["default"] for one in desk.daemon.do("identity", "list")["identities"]}


async def test_a_trial_says_on_each_page_that_its_keys_will_be_gone(open_desk, start):
    daemon = start(trial=True)
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in(daemon.ready["signin"])
    for route in ("/", "/keys", "/approvals"):
        await desk.go(route)
        await expect(desk.page.get_by_text("Trial: wiped at the end")).to_be_visible()
    await desk.go("/keys")
    await desk.page.get_by_role("button", name="Import one").click()
    await expect(desk.page.get_by_text("This is a trial: the key is gone when the signer stops.")).to_be_visible()


async def test_in_a_trial_nothing_asks_for_the_passphrase_that_nobody_knows(open_desk, start):
    daemon = start(trial=True)
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in(daemon.ready["signin"])
    dialog = desk.page.get_by_role("dialog")
    for route, name in [("/keys/main", "Export…")]:
        await desk.go(route)
        await desk.page.get_by_role("button", name=name).click()
        await expect(dialog).to_contain_text("a random passphrase that nobody knows")
        await expect(dialog.get_by_role("textbox")).to_have_count(0)
        await expect(dialog.locator("input")).to_have_count(0)
        await expect(dialog.get_by_role("button", name="Keep this trial…")).to_be_visible()
        await dialog.get_by_role("button", name="Cancel").click()
    await desk.go("/recovery")
    await expect(desk.page.get_by_role("main").get_by_role("button", name="Keep this trial…")).to_be_visible()
    await expect(desk.page.get_by_role("main").get_by_role("button")).to_have_count(1)  # no kit, no guardian, no test of a kit
    await desk.go("/keys/main")
    await desk.page.get_by_role("button", name="Delete…").click()
    await expect(dialog.get_by_label("Passphrase")).to_have_count(0)
    await dialog.get_by_label("Type the name").fill("main")
    await dialog.get_by_role("button", name="Delete for good").click()
    await expect(dialog).to_have_count(0)
    assert run("identity", "list", "--home", daemon.ready["home"], "--json").value["identities"] == []


async def test_locking_a_trial_down_ends_it_and_says_so_before_and_after(open_desk, start):
    daemon = start(trial=True)
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in(daemon.ready["signin"])
    desk.expected.append(re.compile("status of 401"))
    await expect(desk.page.get_by_role("button", name="Keep this trial…")).to_be_visible()
    await desk.go("/security")
    await desk.page.get_by_role("button", name="Lock everything down…").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("This ends the trial.")
    await expect(dialog).not_to_contain_text("resume")
    await dialog.get_by_role("button", name="Lock everything down").click()
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()
    await desk.sign_in(run("console", "--home", daemon.ready["home"], "--json").value["url"])
    for route in ("/", "/security"):
        await desk.go(route)
        await expect(desk.page.get_by_role("main")).to_contain_text("The trial is over")
    await expect(desk.page.get_by_role("button", name="Keep this trial…")).to_have_count(0)
    await expect(desk.page.get_by_role("button", name=re.compile("Resume|Unlock"))).to_have_count(0)


async def test_what_was_wrong_is_not_said_of_a_passphrase_that_was_suggested_or_typed_since(desk):
    await desk.go("/security/vault")
    await desk.page.get_by_role("button", name="Change the passphrase…").click()
    dialog = desk.page.get_by_role("dialog")
    too_short = dialog.get_by_text("needs at least")
    await dialog.get_by_label("Present passphrase").fill("something")
    for _ in range(2):
        await dialog.get_by_label(re.compile("^New passphrase")).fill("short")
        await dialog.get_by_label("Repeat the new passphrase").fill("short")
        await dialog.get_by_role("button", name="Change", exact=True).click()
        await expect(too_short).to_be_visible()
        await dialog.get_by_role("button", name="Suggest one").click()
        await expect(dialog.get_by_text("Write it down now.")).to_be_visible()
        await expect(too_short).to_have_count(0)


async def test_an_import_without_a_name_says_so_at_the_field_and_sends_nothing(desk):
    await desk.go("/keys")
    await desk.page.get_by_role("button", name="Import one").click()
    dialog, sent = desk.page.get_by_role("dialog"), []
    desk.page.on("request", lambda request: sent.append(request.url))
    await dialog.get_by_label(re.compile("^Key")).fill("ab" * 32)
    await dialog.get_by_role("button", name="Import").click()
    await expect(dialog.get_by_text("Enter a name for this identity.")).to_be_visible()
    await expect(dialog.locator(".fault:visible")).to_have_count(1)
    await expect(dialog.get_by_label(re.compile("^Name"))).to_be_focused()
    await dialog.get_by_label(re.compile("^Name")).fill("b")
    await expect(dialog.locator(".fault:visible")).to_have_count(0)
    assert not any("identity/import" in url for url in sent)


async def test_an_identity_is_made_renamed_made_the_default_and_deleted(desk):
    await desk.go("/keys")
    await desk.page.get_by_role("button", name="Create one").click()
    await save_dialog(desk, "Create", Name="bob")
    await desk.page.get_by_role("link", name=re.compile("^bob")).click()
    await expect(desk.page.get_by_role("heading", name="bob", level=1)).to_be_visible()
    await desk.page.get_by_role("button", name="Make it the default").click()
    await expect(desk.page.get_by_text("bob is now the default identity.")).to_be_visible()
    await desk.page.get_by_role("button", name="Rename…").click()
    await save_dialog(desk, "Rename", New_name="robert")
    await expect(desk.page.get_by_role("heading", name="robert", level=1)).to_be_visible()
    assert names(desk) == {"alice": False, "robert": True}
    await desk.page.get_by_role("button", name="Delete…").click()
    dialog = desk.page.get_by_role("dialog")
    typed = dialog.get_by_label("Type the name “robert” to delete it")
    await expect(dialog.get_by_text("nothing could restore it")).to_be_visible()
    await dialog.get_by_label("Passphrase").fill("not the passphrase")
    await typed.fill("bob")
    await dialog.get_by_role("button", name="Delete for good").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("The name is not the same.")
    await typed.fill("robert")
    await dialog.get_by_role("button", name="Delete for good").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("The passphrase is wrong.")
    await dialog.get_by_label("Passphrase").fill(PASSPHRASE)
    await dialog.get_by_role("button", name="Delete for good").click()
    await expect(desk.page.get_by_role("heading", name="Keys", level=1)).to_be_visible()
    assert list(names(desk)) == ["alice"]


async def test_an_identity_that_is_gone_is_said_to_be(desk):
    await desk.go("/keys/nobody")
    await expect(desk.page.get_by_text("There is no identity of that name")).to_be_visible()


async def test_an_import_that_fails_keeps_what_was_typed(desk):
    words = sdk.Keys.generate().secret_key().to_bech32()
    await desk.go("/keys")
    await desk.page.get_by_role("button", name="Import one").click()
    dialog = await save_dialog(desk, "Import", Name="me")
    key = dialog.get_by_label("Key", exact=False).first
    await key.fill(words[:-1] + ("q" if words[-1] != "q" else "p"))
    await dialog.get_by_role("button", name="Import", exact=True).click()
    await expect(dialog.get_by_role("alert")).to_be_visible()
    await expect(dialog.get_by_role("alert")).not_to_contain_text(re.compile("[a-z][A-Z]"))
    assert len(await key.input_value()) == len(words), "one wrong letter does not cost the rest"
    await key.fill(words)
    await dialog.get_by_role("button", name="Import", exact=True).click()
    await expect(dialog).to_have_count(0)
    assert list(names(desk)) == ["alice", "me"]


async def test_an_encrypted_key_is_exported_with_its_code(desk):
    await desk.go("/keys/alice")
    await desk.page.get_by_role("button", name="Export…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Password for the copy").fill("a good long password")
    await dialog.get_by_label("Repeat the password").fill("another password")
    await dialog.get_by_label("Your vault’s passphrase").fill(PASSPHRASE)
    await dialog.get_by_role("button", name="Export", exact=True).click()
    await expect(dialog.get_by_role("alert")).to_contain_text("not the same")
    await dialog.get_by_label("Repeat the password").fill("a good long password")
    await dialog.get_by_role("button", name="Export", exact=True).click()
    code = dialog.get_by_role("img", name="QR code of the encrypted key of alice")
    await expect(code).to_be_visible(timeout=30_000)
    exported = (await dialog.locator("pre.link").inner_text()).strip()
    assert read_code(await code.screenshot(scale="css")) == exported
    opened = sdk.Keys(sdk.EncryptedSecretKey.from_bech32(exported).decrypt("a good long password"))
    assert opened.public_key().to_hex() == desk.daemon.user


async def test_a_key_that_wants_its_owner_each_time_is_made_imported_and_derived_with_a_proof(desk):
    await desk.go("/keys")
    for button, done, fields in (
        ("Create one", "Create", {"Name": "bob"}),
        ("Import one", "Import", {"Name": "carol", "Key": "system short news wasp pilot predict remind relax shell rice hybrid concert"}),
    ):
        await desk.page.get_by_role("button", name=button).click()
        dialog = desk.page.get_by_role("dialog")
        await dialog.get_by_text("When it can be used").click()
        await dialog.get_by_label("Protection").select_option("device-passcode")
        await dialog.get_by_label("Your vault’s passphrase").fill("not the passphrase")
        for label, text in fields.items():
            await dialog.get_by_label(label).first.fill(text)
        await dialog.get_by_role("button", name=done, exact=True).click()
        await expect(dialog.get_by_role("alert")).to_be_visible()
        await dialog.get_by_label("Your vault’s passphrase").fill(PASSPHRASE)
        await dialog.get_by_role("button", name=done, exact=True).click()
        await expect(dialog).to_have_count(0)
    await desk.go("/keys/carol")
    await expect(desk.page.get_by_text("imported from words, account 0")).to_be_visible()
    await desk.page.get_by_role("button", name="Make the next account…").click()
    await desk.page.get_by_role("dialog").get_by_label("Name of the new identity").fill("dave")
    await desk.page.get_by_role("dialog").get_by_label("Your vault’s passphrase").fill(PASSPHRASE)
    await desk.page.get_by_role("dialog").get_by_role("button", name="Make it").click()
    await expect(desk.page.get_by_role("heading", name="dave", level=1)).to_be_visible()
    assert {one["class"] for one in desk.daemon.do("identity", "list")["identities"][1:]} == {"device-passcode"}


async def test_a_key_is_short_and_can_be_copied_and_opened_everywhere(desk, pair_app):
    app = await pair_app("Coracle")
    npub = desk.daemon.do("identity", "list")["identities"][0]["npub"]
    await desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    app.asks_to_sign("A note")
    for route in ("/keys/alice", "/keys/alice/receipt", "/approvals"):
        await desk.go(route)
        key = desk.page.get_by_role("main").locator(".key-text").first
        opener, short = key.locator(".key-opener"), f"{npub[:13]}…{npub[-8:]}"
        await expect(opener).to_have_text(short)
        await key.get_by_role("button", name="Copy the key").click()
        assert await desk.page.evaluate("() => navigator.clipboard.readText()") == npub
        await opener.click()
        await expect(opener).to_have_text(npub)
        await opener.click()
        await expect(opener).to_have_text(short)
    await desk.go("/keys/alice/receipt")
    await desk.page.emulate_media(media="print")
    await expect(desk.page.get_by_text(npub, exact=True)).to_be_visible()


async def test_every_page_can_be_reached_on_a_phone(open_desk, daemon):
    desk = await open_desk(daemon, viewport={"width": 360, "height": 740})
    for title in ("Keys", "Pair an app", "Relays", "Ways in", "Recovery kits", "Backups", "Console"):
        await desk.page.get_by_role("navigation", name="Pages").get_by_role("link", name="More").click()
        await expect(desk.page.get_by_role("heading", name="More", level=1)).to_be_visible()
        await desk.page.get_by_role("main").get_by_role("link", name=re.compile(f"^{title}")).click()
        await expect(desk.page.get_by_role("heading", name=title, level=1)).to_be_visible()
        wide = await desk.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{title} is wider than the screen by {wide}"


async def test_the_first_run_of_a_trial_has_no_step_that_is_passed_over(open_desk, start):
    daemon = start(trial=True)
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in(daemon.ready["signin"])
    await desk.go("/welcome")
    steps = desk.page.get_by_role("list", name="Steps").get_by_role("listitem")
    await expect(steps).to_have_text(["1Your identity", "2Your first app"])
    await desk.page.get_by_role("button", name="Keep this one").click()
    await expect(steps.last).to_have_attribute("aria-current", "step")


async def test_a_trial_that_asks_for_a_new_link_names_its_folder(open_desk, start):
    daemon = start(trial=True)
    desk = await open_desk(daemon, sign_in=False, service_workers="block")
    await desk.sign_in(daemon.ready["signin"])
    desk.expected.append(re.compile("403"))
    wants = {"ok": False, "exit": 4, "error": "Your sign-in was too long ago for this.", "hint": "", "wants": "proof"}
    await desk.page.route("**/api/v1/session/list", lambda route: route.fulfill(status=403, json=wants))
    await desk.page.evaluate("""() => { import("/api.js").then(({ call }) => call("session/list")).catch(() => {}); }""")
    command = desk.page.get_by_role("dialog").locator("pre")
    await expect(command).to_have_text(f"holdfast console --home {daemon.ready['home']}")


async def test_a_trial_is_kept_from_the_console(open_desk, start, empty_home):
    kept = empty_home.folder / "mine"
    daemon = start(trial=True, env={"HOLDFAST_HOME": str(kept)})
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in(daemon.ready["signin"])
    await desk.page.get_by_role("button", name="Keep this trial…").click()
    dialog = await save_dialog(desk, "Keep it", Passphrase_for_the_vault="seven quiet otters knit", Repeat_it="seven quiet otters knot")
    await expect(dialog.get_by_role("alert")).to_contain_text("The two passphrases differ.")
    assert not kept.exists()
    await dialog.get_by_label("Repeat it").fill("seven quiet otters knit")
    await dialog.get_by_role("button", name="Keep it", exact=True).click()
    told = desk.page.get_by_role("dialog").filter(has_text=f"Your vault is at {kept}")
    await expect(told).to_be_visible()
    await expect(told).to_contain_text("holdfast console")
    await told.get_by_role("button", name="Continue with these steps").click()
    await expect(desk.page.get_by_text("The signer restarts. This page signs in again by itself.")).to_be_visible()
    await expect(desk.page.get_by_role("navigation", name="Pages")).to_be_visible(timeout=30_000)
    tries = [fault for fault in desk.faults if "session/state" in fault]
    assert tries == desk.faults and len(tries) < 20, "the page waits between its tries while the signer restarts"
    desk.faults.clear()
    state = await desk.asks("session/list")
    assert [one["by"] for one in state["sessions"]] == ["link"]
    await expect(desk.page.get_by_text("Trial: wiped at the end")).to_be_hidden()
    await expect(desk.page.get_by_role("button", name="Keep this trial…")).to_have_count(0)
    # What the first run of a trial leaves out comes now.
    await expect(desk.page.get_by_role("heading", name="Keep a copy of the key")).to_be_visible()
    await desk.page.get_by_role("button", name="Skip for now").click()
    await desk.page.get_by_role("button", name="Skip for now").click()
    await expect(desk.page.get_by_role("heading", name="When shall it lock by itself?")).to_be_visible()


async def test_an_old_trial_asks_for_a_new_link_before_anything_is_typed(open_desk, start):
    daemon = start(trial=True)
    desk = await open_desk(daemon, sign_in=False, service_workers="block")
    await desk.sign_in(daemon.ready["signin"])
    is_old = True

    async def state(route):
        response = await route.fetch()
        body = await response.json()
        body["result"]["proven"] = not is_old
        await route.fulfill(response=response, json=body)

    await desk.page.route("**/api/v1/session/state", state)
    await desk.page.get_by_role("button", name="Keep this trial…").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Print a new link")
    await expect(dialog.locator('input[type="password"]')).to_have_count(0)
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(dialog).to_have_count(0)
    await desk.page.get_by_role("button", name="Keep this trial…").click()
    await expect(dialog).to_contain_text("Print a new link")
    is_old = False
    await dialog.get_by_role("button", name="I have opened it").click()
    await expect(dialog.get_by_label("Passphrase for the vault")).to_be_visible()


async def test_once_a_kept_trial_has_restarted_nothing_says_that_it_will(open_desk, start, empty_home):
    daemon = start(trial=True, env={"HOLDFAST_HOME": str(empty_home.folder / "mine")})
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in(daemon.ready["signin"])
    await desk.page.get_by_role("button", name="Keep this trial…").click()
    await save_dialog(desk, "Keep it", Passphrase_for_the_vault="seven quiet otters knit", Repeat_it="seven quiet otters knit")
    told = desk.page.get_by_role("dialog").filter(has_text="Your vault is at")
    await expect(told).to_contain_text("The signer has restarted, and this browser is signed in again.", timeout=30_000)
    await expect(told).not_to_contain_text("restarts now")
    await expect(told).to_contain_text("Next time, start the signer with")
    # Another terminal need not have the HOLDFAST_HOME of this one.
    await expect(told).to_contain_text(f"--home {empty_home.folder / 'mine'}")
    desk.faults.clear()


async def test_a_page_cannot_choose_where_a_trial_goes(open_desk, start, empty_home):
    daemon = start(trial=True, env={"HOLDFAST_HOME": str(empty_home.folder / "usual")})
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in(daemon.ready["signin"])
    elsewhere = empty_home.folder / "elsewhere"
    said = await desk.page.evaluate(
        """async (home) => {
          const { call } = await import("/api.js");
          const secrets = { new_passphrase: new TextEncoder().encode("seven quiet otters knit") };
          return call("trial/keep", { home }, secrets).then(() => "kept", (failure) => failure.message);
        }""",
        str(elsewhere),
    )
    assert said == "A browser cannot choose the folder."
    assert not elsewhere.exists() and run("status", "--home", daemon.ready["home"], "--json").value["trial"] is True


async def test_the_first_account_of_words_that_were_made_here_has_no_number(desk):
    await desk.go("/keys/alice")
    await expect(desk.page.get_by_role("main")).to_contain_text("made in this signer")
    await expect(desk.page.get_by_role("main")).not_to_contain_text("account 0")


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_the_page_of_a_key_begins_with_what_protects_it_and_ends_with_its_look(open_desk, daemon, pair_app, viewport):
    await pair_app("Coracle")
    secret = ("--passphrase-file", str(daemon.home.passphrase_file))
    daemon.home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *secret, check=True)
    desk = await open_desk(daemon, viewport=viewport)
    await desk.go("/keys/alice")
    headings = desk.page.get_by_role("main").get_by_role("heading", level=2)
    await expect(headings.first).to_have_text("What protects it, and who can use it")
    await expect(headings.last).to_have_text("Its name, look, relays and notes")
    guard = desk.page.locator("section.card").filter(has=desk.page.get_by_role("heading", name="What protects it"))
    rows = guard.get_by_role("listitem")
    await expect(rows.filter(has_text="What opens it")).to_contain_text("Passphrase, Recovery kit")
    await expect(rows.filter(has_text="If this machine is lost")).to_contain_text("Nothing that Holdfast knows of brings the key back.")
    await expect(rows.filter(has_text="Apps that sign with it")).to_contain_text("Coracle")
    await expect(guard).to_contain_text("its receipt says which, and what to do")
    for words, heading in [("Ways in", "Ways in"), ("Backups", "Backups"), ("Apps", "Apps"), ("Receipt", "Receipt of alice")]:
        await desk.go("/keys/alice")
        await guard.get_by_role("link", name=words, exact=True).click()
        await expect(desk.page.get_by_role("heading", name=heading, level=1)).to_be_visible()
    daemon.do("lock")
    await desk.go("/keys/alice")
    await expect(rows.filter(has_text="When it can be used")).to_be_visible()


async def test_a_note_alone_gives_an_identity_no_colour(desk):
    await desk.go("/keys/alice")
    await desk.page.get_by_label("Notes").fill("the usual one")
    await desk.page.get_by_role("button", name="Save", exact=True).click()
    await expect(desk.page.get_by_text("Saved.")).to_be_visible()
    kept = desk.daemon.do("identity", "show", "alice")
    assert kept["notes"] == "the usual one" and not kept.get("colour")


async def test_a_dialog_is_closed_when_its_owner_is_signed_out_elsewhere(desk):
    desk.expected.append(re.compile("status of 401"))
    await desk.go("/keys")
    await desk.page.get_by_role("button", name="Create one").click()
    await expect(desk.page.get_by_role("dialog")).to_be_visible()
    desk.daemon.do("panic")
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()
    await expect(desk.page.get_by_role("dialog")).to_have_count(0)
