"""A passphrase that was typed wrongly: the command asks for it again, so that the next one is not typed into the shell."""

from __future__ import annotations

import pytest

from harness.daemon import PASSPHRASE, run
from harness.terminal import Terminal
from reference.keys import Key

WRONG = "The passphrase is wrong."


def enter(terminal: Terminal, passphrase: str) -> None:
    terminal.wait_for("Passphrase for ")
    terminal.type(passphrase + "\n")


@pytest.mark.parametrize("words", [("identity", "list"), ("status", "--open"), ("log", "verify")])
def test_a_vault_that_a_command_opens_itself(words, home, at_terminal):
    terminal = at_terminal(*words)
    enter(terminal, "not it")
    terminal.wait_for(WRONG)
    enter(terminal, PASSPHRASE)
    terminal.finish()
    assert terminal.code == 0


def test_a_key_is_typed_after_the_vault_is_open(home, at_terminal):
    taken = at_terminal("identity", "import", "alice")
    enter(taken, PASSPHRASE)
    assert "name" in taken.finish() and taken.code != 0, "the name is refused before the key is typed"
    terminal = at_terminal("identity", "import", "bob")
    enter(terminal, "not it")
    terminal.wait_for(WRONG)
    enter(terminal, PASSPHRASE)
    terminal.wait_for("Key (nsec, hex, ncryptsec or words): ")
    terminal.type(Key().secret.hex() + "\n")
    terminal.finish()
    assert terminal.code == 0
    assert "bob" in run("identity", "list", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file)).out


def test_a_running_signer(daemon, home, at_terminal):
    home.cli("lock", check=True)
    terminal = at_terminal("unlock")
    enter(terminal, "not it")
    terminal.wait_for(WRONG)
    enter(terminal, "nor this")
    terminal.wait_for(WRONG)
    enter(terminal, PASSPHRASE)
    assert "Unlocked." in terminal.finish() and terminal.code == 0


def test_after_three_the_command_ends(daemon, home, at_terminal):
    home.cli("lock", check=True)
    terminal = at_terminal("unlock")
    for guess in ("one", "two", "three"):
        enter(terminal, guess)
    assert WRONG in terminal.finish() and terminal.code == 3


def test_a_signer_that_is_about_to_start(home, at_terminal):
    terminal = at_terminal("up", "--listen", "127.0.0.1:0")
    enter(terminal, "not it")
    terminal.wait_for(WRONG)
    enter(terminal, PASSPHRASE)
    terminal.wait_for("Holdfast is running")
    terminal.type("\x03")
    terminal.finish()
    assert terminal.code == 0


def test_a_change_of_a_slot(daemon, home, at_terminal):
    terminal = at_terminal("slot", "test")
    enter(terminal, "not it")
    terminal.wait_for(WRONG)
    enter(terminal, PASSPHRASE)
    terminal.finish()
    assert terminal.code == 0


def test_a_backup(home, at_terminal, tmp_path):
    backup = tmp_path / "keys.hfb"
    home.cli("backup", "create", str(backup), "--passphrase-file", str(home.passphrase_file), check=True)
    terminal = Terminal("backup", "restore", str(backup), "--into", str(tmp_path / "new"))
    try:
        for passphrase, shown in (("not it", "This does not open the backup."), (PASSPHRASE, "Restored")):
            terminal.wait_for("press Enter to use a kit): ")
            terminal.type(passphrase + "\n")
            terminal.wait_for(shown)
        terminal.finish()
        assert terminal.code == 0
    finally:
        terminal.close()
