"""Shares that a person types at a terminal: seen while they are typed, gone from the screen afterwards."""

from __future__ import annotations

import signal

import pytest

from harness.daemon import outputs
from harness.terminal import ENTER_SCREEN, LEAVE_SCREEN, Terminal, first_screen

FAILED = 1


@pytest.fixture
def shares(home):
    made = home.unlocked("recovery", "create", "--threshold", "2", "--shares", "3")
    return made.value["shares"]


@pytest.fixture
def at_terminal(home):
    opened: list[Terminal] = []

    def run(*words: str, **options) -> Terminal:
        opened.append(Terminal(*words, "--home", str(home.path), **options))
        return opened[-1]

    begun = len(outputs)
    yield run
    for terminal in opened:
        terminal.close()
    # The words were shown on purpose.
    del outputs[begun:]


def typing(at_terminal, home, *more: str) -> Terminal:
    terminal = at_terminal("recovery", "test", "--passphrase-file", str(home.passphrase_file), *more)
    terminal.all = terminal.wait_for("words of a share")
    return terminal


def passed(terminal: Terminal, text: str) -> str:
    seen = terminal.wait_for(text)
    terminal.all += seen
    return seen


def finished(terminal: Terminal) -> str:
    """Waits for the end, before which no code is asked for. Returns the text that was shown since the last call."""
    shown = terminal.finish()
    assert "Recovery code" not in shown
    return shown


def test_words_are_shown_while_they_are_typed_and_gone_afterwards(home, shares, at_terminal):
    terminal = typing(at_terminal, home)
    assert not terminal.echoes
    words = shares[0].split()
    terminal.type(words[0][:4])
    passed(terminal, words[0][:4])
    terminal.type(" " + " ".join(word[:4] for word in words[1:]))
    passed(terminal, f"20 {words[19][:4]}")
    terminal.type(" ")
    passed(terminal, "All 20 words fit together")
    terminal.type("\n")
    passed(terminal, "(any order): 1 more.")
    terminal.type(shares[2] + "\n")
    before = terminal.all
    shown = before + finished(terminal)
    assert terminal.code == 0 and "open this vault" in shown
    assert shown.count(ENTER_SCREEN) == 1 == shown.count(LEAVE_SCREEN)
    # A terminal without a second screen keeps nothing either, because everything is erased first.
    assert shown.split(LEAVE_SCREEN)[0].endswith("\x1b[H\x1b[J\x1b[0m")
    left = first_screen(shown)
    assert len({word for share in shares for word in share.split() if len(word) > 5 and word in left}) < 2, "one may be a sentence's own"
    assert terminal.state() == terminal.before


def test_shares_are_pasted_as_they_are_printed(home, shares, at_terminal):
    terminal = typing(at_terminal, home)
    terminal.type("".join(f"{n}. {word}\n" for n, word in enumerate(shares[0].split(), 1)))
    passed(terminal, "(any order): 1 more.")
    terminal.type("\n".join(shares[1].upper().split()) + "\n")
    assert "open this vault" in finished(terminal) and terminal.code == 0


def test_a_wrong_word_is_mended_where_it_stands(home, shares, at_terminal):
    terminal = typing(at_terminal, home)
    words = shares[0].split()
    wrong = "academic" if words[6] != "academic" else "acid"
    terminal.type(" ".join([*words[:6], wrong, *words[7:]]) + "\n")
    passed(terminal, "is damaged")
    passed(terminal, "it is word 7")
    # The cursor stands behind word 20.
    terminal.type("\x1b[D" * 14 + "\x15" + words[6] + "\x1b[C" * 13 + " \n")
    passed(terminal, "(any order): 1 more.")
    second = shares[1].split()
    terminal.type(" ".join([*second[:3], "zzzz", *second[4:]]) + "\n")
    passed(terminal, "question mark is not in the word list")
    terminal.type("\x1b[D" * 17 + "\x15" + second[3] + " " + "\x1b[C" * 16 + "\n")
    assert "open this vault" in finished(terminal) and terminal.code == 0


def test_a_share_of_another_kit_is_named_after_two_words(home, shares, at_terminal):
    other = home.unlocked("recovery", "create", "--threshold", "2", "--shares", "2").value["shares"]
    terminal = typing(at_terminal, home)
    terminal.type(shares[0] + "\n")
    passed(terminal, "(any order): 1 more.")
    terminal.type(" ".join(other[0].split()[:2]) + " ")
    passed(terminal, "the last share belongs to kit")
    terminal.type("\x17" * 2 + shares[0] + "\n")
    passed(terminal, "the same as share 1")
    # Its words are gone. The first share back, and another pair.
    terminal.type("\x12")
    passed(terminal, "was removed")
    terminal.type(" ".join(shares[1].split()[:3]) + "\n")
    passed(terminal, "3 words so far. A share has 20 or 33.")
    terminal.type(" ".join(shares[1].split()[3:]) + "\n")
    passed(terminal, "(any order): 1 more.")
    terminal.type(shares[2] + "\n")
    assert "open this vault" in finished(terminal) and terminal.code == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_leaves_the_terminal_as_it_was_and_no_word_on_it(home, shares, at_terminal, number):
    terminal = typing(at_terminal, home)
    words = shares[0].split()
    terminal.type(" ".join(words[:10]))
    passed(terminal, f"10 {words[9][:4]}")
    if number == signal.SIGINT:
        terminal.type("\x03")
    else:
        terminal.signal(number)
    shown = terminal.all + terminal.finish()
    assert terminal.code == -number
    assert terminal.state() == terminal.before and terminal.echoes
    left = first_screen(shown)
    assert LEAVE_SCREEN in shown and len({word for word in words if len(word) > 5 and word in left}) < 2


def test_suspending_the_command_hides_the_words_until_it_continues(home, shares, at_terminal):
    terminal = typing(at_terminal, home)
    words = shares[0].split()
    terminal.type(" ".join(words[:10]))
    passed(terminal, f"10 {words[9][:4]}")
    terminal.signal(signal.SIGTSTP)
    passed(terminal, LEAVE_SCREEN)
    assert not first_screen(terminal.all).count(words[9][:4]) or len(words[9]) < 6
    terminal.signal(signal.SIGCONT)
    passed(terminal, f"10 {words[9][:4]}")
    terminal.type(" " + " ".join(words[10:]) + "\n" + shares[1] + "\n")
    assert "open this vault" in finished(terminal) and terminal.code == 0


@pytest.mark.parametrize("more, options", [(["--hidden"], {}), ([], {"term": "dumb"})])
def test_words_can_be_typed_hidden(home, shares, at_terminal, more, options):
    terminal = at_terminal("recovery", "test", "--passphrase-file", str(home.passphrase_file), *more, **options)
    shown = terminal.wait_for("First share: ")
    terminal.type(shares[0] + "\n")
    shown += terminal.wait_for("1 more of this kit): ")
    terminal.type(shares[1] + "\n")
    shown += terminal.finish()
    assert "Recovery code" not in shown
    assert terminal.code == 0 and ENTER_SCREEN not in shown
    assert len({word for share in shares for word in share.split() if len(word) > 5 and word in shown}) < 2


def test_two_entries_that_differ_cost_no_share(home, shares, at_terminal):
    terminal = at_terminal("recovery", "restore")
    terminal.wait_for("words of a share")
    terminal.type(shares[0] + "\n" + shares[1] + "\n")
    for entries in (("a new long passphrase", "another one here"), ("a new long passphrase", "a new long passphrase")):
        terminal.wait_for("New passphrase: ")
        terminal.type(entries[0] + "\n")
        terminal.wait_for("Repeat it: ")
        terminal.type(entries[1] + "\n")
    shown = terminal.finish()
    assert terminal.code == 0 and "opens with the new passphrase" in shown
    new = home.folder / "new"
    new.write_text("a new long passphrase")
    assert home.cli("identity", "list", "--passphrase-file", str(new)).code == 0
