"""What is typed while a passphrase is checked is neither shown nor left for the shell."""

from __future__ import annotations

import os
import select
import signal

import pytest

from harness.terminal import Terminal
from harness.waiting import until

TYPED = "typed too early"


def left_for_the_shell(terminal: Terminal) -> bytes:
    """What a program would read that comes after the command."""
    ready = select.select([terminal._other], [], [], 0.2)[0]
    return os.read(terminal._other, 4096) if ready else b""


def test_what_is_typed_while_a_wrong_passphrase_is_checked_is_not_shown(at_terminal):
    terminal = at_terminal("identity", "list")
    for attempt in range(3):
        terminal.wait_for("Passphrase for ")
        terminal.type(f"wrong {attempt}\n")
        until(lambda: terminal._read(0.05) or terminal.shown.endswith("\n"), "the prompt has ended")
        assert not terminal.echoes
        terminal.type(TYPED + "\n")
    shown = terminal.finish()
    assert terminal.code == 3 and TYPED not in shown
    assert terminal.state() == terminal.before and left_for_the_shell(terminal) == b""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_passphrase_is_checked_restores_the_terminal(number, at_terminal):
    terminal = at_terminal("identity", "list")
    terminal.wait_for("Passphrase for ")
    terminal.type("wrong\n")
    terminal.wait_for("wrong")
    assert not terminal.echoes
    terminal.signal(number)
    terminal.finish()
    assert terminal.code == -number and terminal.state() == terminal.before


def test_a_question_after_a_secret_is_answered_in_sight(at_terminal, home):
    terminal = at_terminal("identity", "import", "known", "--passphrase-file", str(home.passphrase_file))
    terminal.wait_for("words): ")
    terminal.type(" ".join(["abandon"] * 11 + ["about"]) + "\n")
    terminal.wait_for("[y/N]")
    until(lambda: terminal.echoes, "what is typed is shown")


def test_a_signer_that_runs_leaves_the_terminal_as_it_was(at_terminal, home):
    terminal = at_terminal("up", "--listen", "127.0.0.1:0")
    terminal.wait_for("Passphrase for ")
    terminal.type(home.passphrase_file.read_text().strip() + "\n")
    terminal.wait_for("Ctrl-C")
    until(lambda: terminal.state() == terminal.before, "the terminal is as before")
    terminal.signal(signal.SIGTERM)
    terminal.finish()
    assert terminal.code == 0
