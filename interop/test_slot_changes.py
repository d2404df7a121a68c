"""Slots from the command line: added, named, tried and removed; the passphrase and the class keys changed. With and without a signer."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.daemon import run

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


def test_the_last_slot_stays(vault):
    refused = vault.cli("slot", "remove", "1", "--yes", *proof(vault))
    assert refused.code == 1 and "only way into the vault" in refused.said
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
    assert refused.code == 1 and "no slot that opens the class biometric-required" in refused.said


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
