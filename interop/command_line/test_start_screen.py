"""What `holdfast up` shows first, on a terminal of 80 columns and 24 lines: nothing is cut, and its commands work as printed."""

from __future__ import annotations

import re
import shlex
import signal

import pytest

from harness.daemon import environment, run
from harness.relays import free_port
from harness.terminal import Terminal

COLUMNS, LINES = 80, 24


@pytest.fixture
def trial(tmp_path):
    terminal = Terminal("up", "--trial", "--listen", "127.0.0.1:0", HOME=str(tmp_path))
    yield terminal
    terminal.close()


def test_a_trials_first_screen_fits_and_its_commands_find_the_trial(trial):
    shown = trial.wait_for("secret=")
    lines = shown.replace("\r", "").split("\n")
    link = next(number for number, line in enumerate(lines) if line.startswith("bunker://"))
    assert all(len(line) <= COLUMNS for line in lines[:link]), "\n".join(lines)
    assert len(lines[:link]) + 2 < LINES, "the link, on two lines, is on the first screen with all the rest"
    [export] = [line for line in lines if "export HOLDFAST_HOME=" in line]
    home = shlex.split(export.partition("=")[2])[0]
    commands = re.findall(r"^  \S*holdfast ((?:pair|client list|request list)) {2,}", "\n".join(lines), re.MULTILINE)
    assert commands == ["pair", "client list", "request list"]
    for command in commands:
        assert run(*command.split(), env=environment(HOLDFAST_HOME=home)).code == 0, command
    trial.signal(signal.SIGINT)
    assert "the trial vault was wiped" in trial.finish()


def test_a_long_question_is_broken_between_words(home):
    terminal = Terminal("erase", "--home", str(home.path))
    try:
        shown = terminal.wait_for("to continue: ").replace("\r", "")
        assert all(len(line) <= COLUMNS for line in shown.split("\n")), shown
        terminal.type("no\n")
        assert "Nothing was done." in terminal.finish()
    finally:
        terminal.close()
    assert home.path.exists()


UNUSED = "and has not been used. For another app: holdfast pair"


def test_a_link_that_may_have_been_given_away_is_shown_as_such(home):
    place, listen = ("--home", str(home.path)), ("--listen", f"127.0.0.1:{free_port()}")

    def shown(*commands: tuple[str, ...]) -> tuple[bool, str]:
        terminal = Terminal("up", *listen, *place, "--passphrase-file", str(home.passphrase_file))
        try:
            text = terminal.wait_for("secret=")
            for command in commands:
                home.cli(*command, check=True)
            terminal.signal(signal.SIGINT)
            terminal.finish()
            lines = [line.strip() for line in text.splitlines()]
            assert UNUSED not in " ".join(lines) or any(line.startswith("It works for apps on this machine") for line in lines), text
            return UNUSED in " ".join(text.split()), text.rpartition("bunker://")[2][:64]
        finally:
            terminal.close()

    is_old, link = shown()
    assert not is_old
    assert shown(("pair", "--cancel", link[:16]), ("pair", "--name", "Amethyst")) == (True, link)
    is_old, other = shown()
    assert not is_old and other != link, "a link that was made for a named app is not shown to others"
    assert shown() == (True, other)


SIGN_IN = "/#signin="


def test_the_first_starts_on_a_terminal_show_a_link_to_the_console(home, start):
    terminal = Terminal("up", "--listen", "127.0.0.1:0", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    try:
        assert SIGN_IN in terminal.wait_for("bunker://")
        terminal.signal(signal.SIGINT)
        terminal.finish()
    finally:
        terminal.close()
    assert start(home).ready.get("signin") is None, "what is no terminal may be a file or a journal"
