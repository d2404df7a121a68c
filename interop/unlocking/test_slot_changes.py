"""Slots from the command line: added, named, tried and removed; the passphrase and the class keys changed. With and without a signer."""

from __future__ import annotations

import shlex
import subprocess
import time
from pathlib import Path

import pytest

from harness.daemon import binary, environment, run
from harness.waiting import until

NOTE = '{"kind":1,"content":"by the owner","tags":[]}'


def written(folder: Path, name: str, text: str) -> list[str]:
    path = folder / name
    path.write_text(text + "\n")
    path.chmod(0o600)
    return ["--passphrase-file", str(path)]


@pytest.fixture(params=["with a signer", "without"])
def vault(request, home, start):
    if request.param == "with a signer":
        start()
    return home


def proof(home) -> list[str]:
    return ["--passphrase-file", str(home.passphrase_file)]


def slots(home, shown) -> list[dict]:
    return home.cli("slot", "list", *shown, check=True).value["slots"]


def test_a_second_passphrase_is_added_named_tried_and_removed(vault):
    second = written(vault.folder, "second", "a second passphrase")
    made = vault.cli("slot", "add", "passphrase", "--label", "drawer", "--new-passphrase-file", second[1], *proof(vault), check=True)
    number = made.value["slot"]["id"]
    assert "device-passcode" in made.value["slot"]["opens"] and "biometric-any" not in made.value["slot"]["opens"]
    tried = vault.cli("slot", "test", str(number), *second, check=True).value
    assert tried["id"] == number and tried["type"] == "passphrase"
    vault.cli("slot", "rename", str(number), "the safe", *proof(vault), check=True)
    listed = {slot["id"]: slot for slot in slots(vault, proof(vault))}
    assert listed[number]["label"] == "the safe" and listed[number]["last_tested"] and not listed[1]["last_tested"]
    text = run("slot", "list", *proof(vault), "--home", str(vault.path)).out
    assert "the safe" in text and "passphrase" in text
    vault.cli("slot", "remove", str(number), "--yes", *proof(vault), check=True)
    assert vault.cli("slot", "test", *second).code == 3
    assert len(slots(vault, proof(vault))) == 1
    kinds = vault.cli("log", "show", *proof(vault), check=True).out
    for kind in ("slotAdded", "slotTested", "slotRemoved"):
        assert kind in kinds


def test_without_a_terminal_nothing_is_removed_unless_it_is_said(vault):
    second = written(vault.folder, "second", "a second passphrase")
    vault.cli("slot", "add", "passphrase", "--new-passphrase-file", second[1], *proof(vault), check=True)
    refused = vault.cli("slot", "remove", "1", *proof(vault))
    assert refused.code == 2 and "--yes" in refused.said and len(slots(vault, proof(vault))) == 2
    done = vault.cli("slot", "remove", "1", "--yes", *proof(vault), check=True).value
    assert done["removed"] == 1 and done["lost"] == []
    assert done["warnings"] == ["Only this is left: the passphrase that was never used or tested. If you forget it, your keys are lost."]


def terminal(home, *arguments: str, answer: str, columns: int = 80) -> tuple[int, str]:
    """As a person at a terminal sees it."""
    command = shlex.join([str(binary()), *arguments, "--home", str(home.path)])
    shown = subprocess.run(
        ["script", "-qec", f"stty cols {columns}; {command}", "/dev/null"],
        input=answer.encode(),
        capture_output=True,
        env=environment(TERM="xterm"),
        timeout=60,
    )
    # A question is broken between words on a narrow terminal.
    return shown.returncode, " ".join(shown.stdout.decode().split())


def test_what_is_left_is_said_and_asked_on_a_terminal(vault):
    vault.cli("recovery", "create", "--threshold", "2", "--shares", "3", *proof(vault), check=True)
    code, text = terminal(vault, "slot", "remove", "1", *proof(vault), answer="n\n")
    assert code == 1 and "Nothing was done." in text
    assert "Only this is left: a recovery kit that was never tested. If its sheets are lost, so are your keys." in text
    assert "passphrase, used" in text and "Remove it for good? [y/N]" in text
    assert len(slots(vault, proof(vault))) == 2
    code, text = terminal(vault, "slot", "remove", "1", *proof(vault), answer="y\n")
    assert code == 0 and "Slot 1 is removed." in text


def test_what_still_has_a_key_is_said_before_it_is_deleted(vault):
    vault.cli("identity", "create", "bob", *proof(vault), check=True)
    code, text = terminal(vault, "identity", "delete", "bob", *proof(vault), answer="n\n")
    assert code == 1 and "Holdfast knows of nothing that could restore it." in text
    assert "To delete “bob” and its key for good, type its name:" in text and "That is not the name. Nothing was done." in text
    code, text = terminal(vault, "identity", "delete", "bob", *proof(vault), answer="y\n")
    assert code == 1, "one letter deletes no key that nothing else has"
    vault.cli("recovery", "create", "--identity", "bob", "--threshold", "2", "--shares", "3", *proof(vault), check=True)
    code, text = terminal(vault, "identity", "delete", "bob", *proof(vault), answer="y\n")
    assert code == 0 and "The key is still in: kit " in text and "Deleted “bob”." in text
    vault.cli("identity", "create", "carol", *proof(vault), check=True)
    code, text = terminal(vault, "identity", "delete", "carol", *proof(vault), answer="carol\n")
    assert code == 0 and "Deleted “carol”." in text


def test_a_restored_vault_knows_the_backup_that_it_came_from(vault, tmp_path):
    vault.cli("identity", "create", "bob", *proof(vault), check=True)
    vault.cli("backup", "create", str(tmp_path / "keys.hfb"), *proof(vault), check=True)
    restored = vault.folder / "restored"
    made = run("backup", "restore", str(tmp_path / "keys.hfb"), "--into", str(restored), *proof(vault))
    assert made.code == 0, made.said
    vault.path = restored
    second = int(time.time())
    until(lambda: time.time() >= second + 1, "the second after the backup's")
    vault.cli("identity", "create", "carol", *proof(vault), check=True)
    code, text = terminal(vault, "identity", "delete", "carol", *proof(vault), answer="n\n")
    assert code == 1 and "Holdfast knows of nothing that could restore it." in text, "it is younger than the backup"
    code, text = terminal(vault, "identity", "delete", "bob", *proof(vault), answer="y\n")
    assert code == 0 and "The key is still in: a backup of " in text and "Deleted “bob”." in text, text


def test_a_copied_home_is_bound_to_this_machine_and_says_what_is_lost(home, start):
    shown = proof(home)
    home.cli("identity", "create", "here", "--class", "when-unlocked,this-device-only", *shown, check=True)
    assert home.cli("slot", "bind", *shown, "--yes", check=True).value["changed"] is False
    (home.path / "device.key").unlink()
    # The others go on working: one key that belongs elsewhere keeps no signer from starting.
    daemon = start()
    assert home.cli("sign", stdin=NOTE, check=True).value["sig"]
    refused = home.cli("slot", "bind", "--yes", *shown)
    assert refused.code == 1 and "“here” (when-unlocked,this-device-only)" in refused.said and "--accept-loss" in refused.said
    done = home.cli("slot", "bind", "--yes", "--accept-loss", *shown, check=True).value
    assert done["changed"] is True and done["lost"] == ["here"]
    assert [one["name"] for one in home.cli("identity", "list", check=True).value["identities"]] == ["alice"]
    home.cli("identity", "create", "new", "--class", "when-unlocked,this-device-only", *shown, check=True)
    assert home.cli("sign", "--identity", "new", stdin=NOTE, check=True).value["sig"]
    daemon.stop()
    start()
    assert home.cli("sign", "--identity", "new", stdin=NOTE, check=True).value["sig"]


def test_several_proofs_at_once(vault):
    made = vault.cli("recovery", "create", "--threshold", "2", "--shares", "3", *proof(vault), check=True).value
    shares = vault.folder / "shares"
    shares.write_text("\n".join(made["shares"][:2]) + "\n")
    shares.chmod(0o600)
    both = [*proof(vault), "--shares-file", str(shares)]
    done = vault.cli("slot", "rotate", *both, check=True).value
    assert sorted(done["shown"]) == ["passphrase", "recovery"] and done["kept"] == []
    assert "biometric-any" in done["rotated"]
    wrong = written(vault.folder, "wrong", "not the passphrase")
    refused = vault.cli("slot", "rotate", *wrong, "--shares-file", str(shares))
    assert refused.code == 3 and "passphrase is wrong" in refused.said
    assert vault.cli("slot", "test", *both).code == 2  # elsewhere one is enough


def test_the_last_slot_stays(vault):
    refused = vault.cli("slot", "remove", "1", "--yes", *proof(vault))
    assert refused.code == 1 and "only way to open the vault" in refused.said
    assert vault.cli("slot", "remove", "99", "--yes", *proof(vault)).code == 5
    assert vault.cli("slot", "rename", "99", "x", *proof(vault)).code == 5


def test_the_passphrase_is_changed(vault):
    new = written(vault.folder, "new", "another passphrase")
    wrong = written(vault.folder, "wrong", "not the passphrase")
    refused = vault.cli("slot", "passphrase", "--new-passphrase-file", new[1], *wrong)
    assert refused.code == 3 and "another passphrase" not in refused.said
    vault.cli("slot", "passphrase", "--new-passphrase-file", new[1], *proof(vault), check=True)
    assert vault.cli("slot", "test", *proof(vault)).code == 3
    assert vault.cli("slot", "test", *new, check=True).value["id"] == 1
    assert "passphraseChanged" in vault.cli("log", "show", *new, check=True).out


def test_class_keys_are_made_anew_and_everything_opens(vault):
    before = vault.cli("identity", "list", *proof(vault), check=True).value
    done = vault.cli("slot", "rotate", *proof(vault), check=True).value
    assert "when-unlocked" in done["rotated"] and done["kept"] == []
    assert vault.cli("identity", "list", *proof(vault), check=True).value == before
    assert vault.cli("sign", *proof(vault), stdin=NOTE, check=True).value["sig"]
    assert "classKeysRotated" in vault.cli("log", "show", *proof(vault), check=True).out


def test_without_passkeys_there_is_nothing_to_enrol(vault):
    refused = vault.cli("slot", "enrol", *proof(vault))
    assert refused.code == 1 and "No slot opens the class biometric-required" in refused.said


def test_a_signer_goes_on_after_its_class_keys_were_changed(home, start):
    daemon = start()
    home.cli("slot", "rotate", *proof(home), check=True)
    home.cli("lock", check=True)
    assert home.cli("sign", stdin=NOTE).code == 3
    home.cli("unlock", *proof(home), check=True)
    assert home.cli("sign", stdin=NOTE, check=True).value["sig"]
    daemon.stop()
    start()
    assert home.cli("sign", stdin=NOTE, check=True).value["sig"]
