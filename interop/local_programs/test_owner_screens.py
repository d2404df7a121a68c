"""What the owner's terminal says of programs on this machine."""

from __future__ import annotations

import os

import pytest

from harness.daemon import run
from harness.terminal import Terminal
from harness.waiting import until


@pytest.fixture
def asked(start, run_program, executable):
    """A signer that a program has asked, which nobody has let in."""
    daemon, program = start(), run_program(executable)
    program.send("getPublicKey")
    until(daemon.waiting, "the request waits")
    return daemon


def test_a_program_that_was_not_let_in_is_not_shown_as_trusted(asked):
    for noun in ("client", "local"):
        assert "not let in" in run(noun, "list", "--home", str(asked.home.path)).out


def test_an_app_that_is_a_program_is_shown_with_its_file(asked, executable):
    shown = run("client", "show", "notes", "--home", str(asked.home.path)).out
    program = asked.do("local", "list")["programs"][0]["program"]
    facts = dict(line.split("  ", 1) for line in shown.splitlines())
    assert facts["Program"].strip() == os.path.realpath(executable)
    assert facts["File (SHA-256)"].strip() == program["sha256"]
    assert facts["Trust"].strip().startswith("not let in")


def test_trust_for_an_interpreter_is_said_to_be_trust_for_every_script(start, connect):
    daemon = start()
    connect().send("getPublicKey")
    until(daemon.waiting, "the request waits")
    [program] = daemon.do("local", "list")["programs"]
    said = run("local", "trust", program["signer"], "medium", "--home", str(daemon.home.path)).out
    assert "every script of yours that runs in it gets this trust" in " ".join(said.split())


def test_the_terminal_of_the_signer_does_not_call_it_paired(home, run_program, executable):
    terminal = Terminal("up", "--listen", "127.0.0.1:0", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    try:
        terminal.wait_for("Ctrl-C")
        run_program(executable).send("getPublicKey")
        shown = " ".join(terminal.wait_for("request deny").split())
        assert "A program on this machine asks for the first time: " in shown and "has paired" not in shown
        assert "asks you: Learn your public key" in shown
    finally:
        terminal.close()


def test_revoking_a_program_raises_no_alarm(home, run_program, executable):
    terminal = Terminal("up", "--listen", "127.0.0.1:0", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    try:
        terminal.wait_for("Ctrl-C")
        program = run_program(executable)
        program.send("getPublicKey")
        terminal.wait_for("asks for the first time")
        waiting = until(lambda: home.cli("request", "list").value["requests"], "the request waits")
        home.cli("request", "approve", waiting[0]["id"], check=True)
        program.read()
        home.cli("local", "revoke", "notes", check=True)
        terminal.wait_for("has ended")
        program.send("getPublicKey")
        assert "asks for the first time" not in terminal.wait_for("request deny"), "that it asks again is a line of its own"
    finally:
        terminal.close()
