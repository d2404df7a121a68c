"""Ways to open the vault beside the passphrase: a token (SoftHSM2), the desktop's keyring (gnome-keyring on a bus of its own)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from harness.app import App
from harness.daemon import Home, environment, run
from harness.waiting import until
from reference.events import as_json, is_genuine, template

PIN, WRONG_PIN = "135790-pin", "wrong-pin-000"
NOTE = '{"kind":1,"content":"by the owner","tags":[]}'


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text + "\n")
    path.chmod(0o600)
    return str(path)


@pytest.fixture
def token(home):
    """A software token of its own, and the environment that finds it."""
    (home.folder / "tokens").mkdir()
    conf = home.folder / "softhsm2.conf"
    conf.write_text(f"directories.tokendir = {home.folder}/tokens\nlog.level = ERROR\n")
    env = environment(SOFTHSM2_CONF=str(conf))
    subprocess.run(
        ["softhsm2-util", "--init-token", "--free", "--label", "interop", "--so-pin", "so-pin-1", "--pin", PIN],
        env=env,
        check=True,
        capture_output=True,
    )
    return env


def slots(home: Home, *how: str, env: dict) -> list[dict]:
    return home.cli("slot", "list", *how, env=env, check=True).value["slots"]


def test_a_token_opens_everything_also_after_a_restart(home, start, token):
    pin = written(home.folder, "pin", PIN)
    daemon = start(env=token)
    proof = ["--passphrase-file", str(home.passphrase_file)]
    made = home.cli(
        "slot",
        "add",
        "token",
        "--label",
        "card",
        "--new-pin-file",
        pin,
        "--module",
        "/usr/lib/softhsm/libsofthsm2.so",
        *proof,
        env=token,
        check=True,
    ).value["slot"]
    assert made["type"] == "token" and "when-unlocked" in made["opens"] and "token=interop" in made["detail"]
    home.cli("lock", check=True)
    assert home.cli("sign", stdin=NOTE).code == 3
    home.cli("unlock", "--token", "--pin-file", pin, check=True)
    assert home.cli("sign", stdin=NOTE, check=True).value["sig"]
    daemon.stop()
    # Without a daemon, and by a new one that sees the passphrase never.
    assert home.cli("identity", "list", "--token", "--pin-file", pin, env=token, check=True).value
    assert home.cli("slot", "test", "--token=pkcs11:token=interop", "--pin-file", pin, env=token, check=True).value["id"] == made["id"]
    assert home.cli("identity", "list", "--token=pkcs11:token=other", "--pin-file", pin, env=token).code != 0


@pytest.mark.parametrize("runs", [True, False], ids=["by the signer", "without one"])
def test_a_second_token_is_added_with_the_first_as_proof(home, start, token, runs):
    pin, second = written(home.folder, "pin", PIN), written(home.folder, "second", "246802-pin")
    driver = ["--module", "/usr/lib/softhsm/libsofthsm2.so"]
    subprocess.run(
        ["softhsm2-util", "--init-token", "--free", "--label", "second", "--so-pin", "so-pin-2", "--pin", "246802-pin"],
        env=token,
        check=True,
        capture_output=True,
    )
    proof = ["--passphrase-file", str(home.passphrase_file)]
    new = ["slot", "add", "token", *driver, "--new-token"]
    home.cli(*new, "pkcs11:token=interop", "--new-pin-file", pin, *proof, env=token, check=True)
    if runs:
        start(env=token)
    made = home.cli(
        *new, "pkcs11:token=second", "--new-pin-file", second, "--token=pkcs11:token=interop", "--pin-file", pin, env=token, check=True
    ).value["slot"]
    assert "token=second" in made["detail"]
    by_it = ["--token=pkcs11:token=second", "--pin-file", second]
    assert home.cli("slot", "test", *by_it, env=token, check=True).value["id"] == made["id"]


def test_a_signer_without_the_drivers_settings_says_what_to_look_at(home, start, token):
    pin = written(home.folder, "pin", PIN)
    proof = ["--passphrase-file", str(home.passphrase_file)]
    home.cli("slot", "add", "token", "--new-pin-file", pin, "--module", "/usr/lib/softhsm/libsofthsm2.so", *proof, env=token, check=True)
    start()  # its environment has no SOFTHSM2_CONF
    refused = home.cli("unlock", "--token", "--pin-file", pin)
    assert refused.code == 5 and "The token “interop” is not present." in refused.said
    assert "/usr/lib/softhsm/libsofthsm2.so" in refused.said and "SOFTHSM2_CONF" in refused.said


def test_a_wrong_pin_opens_nothing_and_is_recorded(home, token):
    pin, wrong = written(home.folder, "pin", PIN), written(home.folder, "wrong", WRONG_PIN)
    proof = ["--passphrase-file", str(home.passphrase_file)]
    home.cli("slot", "add", "token", "--new-pin-file", pin, "--module", "/usr/lib/softhsm/libsofthsm2.so", *proof, env=token, check=True)
    refused = home.cli("identity", "list", "--token", "--pin-file", wrong, env=token)
    assert refused.code == 3 and "The PIN is wrong for the token “interop”" in refused.said
    assert PIN not in refused.said and WRONG_PIN not in refused.said
    entries = home.cli("log", "show", "--token", "--pin-file", pin, env=token, check=True).out
    assert '"token"' in entries


def test_an_older_backup_is_verified_with_a_token_that_was_replaced(home, start, token, tmp_path):
    """The vault has no slot of the old token: its PIN is not shown to the new one, and a wrong PIN is recorded here."""
    pin, wrong = written(home.folder, "pin", PIN), written(home.folder, "wrong", WRONG_PIN)
    second = written(home.folder, "second", "246802-pin")
    subprocess.run(
        ["softhsm2-util", "--init-token", "--free", "--label", "second", "--so-pin", "so-pin-2", "--pin", "246802-pin"],
        env=token,
        check=True,
        capture_output=True,
    )
    daemon = start(env=token)
    proof = ["--passphrase-file", str(home.passphrase_file)]
    new = ["slot", "add", "token", "--module", "/usr/lib/softhsm/libsofthsm2.so", "--new-token"]
    old = home.cli(*new, "pkcs11:token=interop", "--new-pin-file", pin, *proof, check=True).value["slot"]["id"]
    backup = str(tmp_path / "old.hfb")
    home.cli("backup", "create", backup, check=True)
    home.cli("slot", "remove", str(old), "--yes", *proof, check=True)

    def verified(pin_file: str, name: str):
        return home.cli("backup", "verify", backup, f"--token=pkcs11:token={name}", "--pin-file", pin_file)

    def refused() -> int:
        return sum(entry["entry"] == "vaultOpenFailed" and entry["rule"].split(",")[0] == "token" for entry in daemon.log_entries())

    for count in (1, 2):  # without any token's slot in the vault, then beside the new token's
        assert verified(pin, "interop").value["proven"] is True
        assert refused() == count - 1
        said = verified(wrong, "interop")
        assert said.code == 3 and "The PIN is wrong for the token “interop”" in said.said
        until(lambda: refused() == count, "an entry about the wrong PIN")
        if count == 1:
            home.cli(*new, "pkcs11:token=second", "--new-pin-file", second, *proof, check=True)
    assert verified(pin, "nowhere").code == 5 and refused() == 2
    # A wrong PIN of the new token is counted once, at the vault.
    assert verified(wrong, "second").code == 3
    until(lambda: refused() == 3, "an entry about the new token's PIN")


def test_the_keyring_opens_what_stays_open_and_no_key(home, start, desktop):
    proof = ["--passphrase-file", str(home.passphrase_file)]
    made = home.cli("slot", "add", "keyring", *proof, env=desktop, check=True).value["slot"]
    assert not any(name.startswith("when-unlocked") for name in made["opens"])
    start(env=desktop)
    home.cli("lock", check=True)
    refused = home.cli("unlock", "--keyring")
    assert refused.code == 4 and "keys stay locked" in refused.said
    assert home.cli("sign", stdin=NOTE).code == 3
    home.cli("unlock", *proof, check=True)
    assert home.cli("sign", stdin=NOTE, check=True).value["sig"]


def test_a_start_by_the_keyring_signs_with_what_stays_open_alone(home, start, desktop):
    proof = ["--passphrase-file", str(home.passphrase_file)]
    home.cli("identity", "create", "open", "--class", "after-first-unlock", *proof, env=desktop, check=True)
    home.cli("slot", "add", "keyring", *proof, env=desktop, check=True)
    daemon = start(env=desktop, opened_by=("--keyring",))
    assert any("locked" in remark for remark in daemon.ready["remarks"])
    assert home.cli("status", check=True).value["locked"] is True
    assert home.cli("sign", "--identity", "open", stdin=NOTE, check=True).value["sig"]
    assert home.cli("sign", stdin=NOTE).code == 3
    home.cli("unlock", *proof, check=True)
    assert home.cli("sign", stdin=NOTE, check=True).value["sig"]


async def test_after_a_proper_end_a_start_by_the_keyring_serves_apps_at_once(home, start, desktop, apps):
    proof = ["--passphrase-file", str(home.passphrase_file)]
    home.cli("identity", "create", "open", "--class", "after-first-unlock", *proof, env=desktop, check=True)
    home.cli("slot", "add", "keyring", *proof, env=desktop, check=True)
    daemon = start(env=desktop)
    app = await apps(App.paired(daemon.pair("full", "--identity", "open")))
    id, before = app.request("sign_event", [as_json(template())])
    await app.connections.publish(before)
    assert (await app.reply(id)).result
    assert daemon.stop() == 0
    daemon = start(env=desktop, opened_by=("--keyring",))
    assert home.cli("status", check=True).value["locked"] is True
    again = await apps(App.open([daemon.relay], app.signer, app.key))
    assert is_genuine(await again.sign(template()))
    await again.connections.publish(before)
    await again.result("ping")
    assert again.answers(id) == [], "it was answered before"


def test_after_a_kill_a_start_by_the_keyring_runs_to_be_unlocked_and_pairs_nobody_before(home, start, desktop):
    proof = ["--passphrase-file", str(home.passphrase_file)]
    home.cli("slot", "add", "keyring", *proof, env=desktop, check=True)
    daemon = start(env=desktop)
    home.cli("pair", check=True)  # behind the log's head
    daemon.kill()
    # With another trust than the earlier link has, there is no link to show.
    daemon = start(env=desktop, opened_by=("--keyring",), arguments=("--trust", "low"))
    assert daemon.ready["bunker"] is None and any("did not end properly" in remark for remark in daemon.ready["remarks"])
    assert home.cli("pair").code == 3
    home.cli("unlock", *proof, check=True)
    assert home.cli("pair", check=True).value["bunker"].startswith("bunker://")
    assert home.cli("log", "verify", check=True).value["ok"]


def test_the_keyring_proves_nothing(home, start, desktop):
    """Any program of the owner's can read it: it must not be a way to more."""
    proof = ["--passphrase-file", str(home.passphrase_file)]
    number = home.cli("slot", "add", "keyring", *proof, env=desktop, check=True).value["slot"]["id"]
    new = written(home.folder, "new", "a passphrase of the thief's own")
    start(env=desktop)
    add = home.cli("slot", "add", "passphrase", "--new-passphrase-file", new, "--keyring", env=desktop)
    remove = home.cli("slot", "remove", "1", "--yes", "--keyring", env=desktop)
    for refused in (add, remove):
        assert refused.code == 4 and "does not prove" in refused.said
    assert len(slots(home, env=desktop)) == 2
    # With the slot goes what lies in the keyring.
    home.cli("slot", "remove", str(number), "--yes", *proof, check=True)
    found = subprocess.run(["secret-tool", "search", "--all", "xdg:schema", "eu.holdfast.Slot"], env=desktop, capture_output=True)
    assert b"slot" not in found.stdout


def test_without_a_desktop_the_keyring_fails_at_once(home, desktop):
    proof = ["--passphrase-file", str(home.passphrase_file)]
    home.cli("slot", "add", "keyring", *proof, env=desktop, check=True)
    refused = home.cli("identity", "list", "--keyring", seconds=15)
    assert refused.code == 5 and "session bus" in refused.said
    assert run("unlock", "--keyring", "--token").code == 2


def test_a_slot_is_named_by_its_label_too(home, start):
    start()
    second, proof = written(home.folder, "second", "another quiet passphrase"), ("--passphrase-file", str(home.passphrase_file))
    assert home.cli("slot", "add", "passphrase", "--label", "blue", "--new-passphrase-file", second, *proof).code == 0
    tested = home.cli("slot", "test", "blue", "--passphrase-file", second)
    assert tested.code == 0 and json.loads(tested.out)["id"] == 2, tested.said
    assert home.cli("slot", "rename", "blue", "green").code == 0
    unknown = home.cli("slot", "test", "blue", "--passphrase-file", second)
    assert unknown.code == 2 and "slot list" in unknown.said, unknown.said
