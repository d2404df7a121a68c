"""What a command says is what it did: its exit code, its warning, the next command that it prints."""

from __future__ import annotations

import json
import re

import pytest

from harness.app import App
from harness.daemon import run
from harness.terminal import Terminal
from harness.waiting import eventually
from reference.events import as_json, template

FINAL, NOT_FOUND, USAGE = "cannot be undone, and there is no terminal to confirm it", 5, 2


@pytest.fixture
def proof(home):
    return ("--home", str(home.path), "--passphrase-file", str(home.passphrase_file))


def test_up_gives_its_link_the_trust_that_the_owner_set(home, start, proof):
    first = start()
    assert first.ready["trust"] == "medium"
    said = run("policy", "set", "--default-trust", "low", *proof).out
    assert re.search(
        r"1 unused link still gives medium trust\. To cancel it: holdfast pair --cancel [0-9a-f]{8}",
        said.replace(f" --home {home.path}", ""),
    ), said
    first.stop()
    second = start()
    assert second.ready["trust"] == "low" and second.ready["bunker"] != first.ready["bunker"]
    assert {link["trust"] for link in second.do("pair", "--list")["links"]} == {"low", "medium"}
    assert "unused link" not in run("policy", "set", "--follow-share", "20", *proof).out
    second.stop()
    assert start(trust="full").ready["trust"] == "full"


@pytest.mark.parametrize("is_running", [False, True], ids=["without a signer", "with a signer"])
def test_what_is_final_needs_yes_without_a_terminal(is_running, home, start, proof):
    kit = json.loads(run("recovery", "create", "--threshold", "2", "--shares", "3", "--json", *proof).out)["kit"]["id"]
    if is_running:
        start()
    for command in (
        ("recovery", "remove", kit),
        ("log", "retain", "--keep", "7d"),
        ("identity", "rotate", "alice", "--relay", "ws://127.0.0.1:9"),
        ("guardian", "remove", "nobody"),
        ("slot", "remove", "2"),
        ("identity", "delete", "alice"),
    ):
        for more in ((), ("--json",)):
            done = run(*command, *more, *proof)
            assert done.code == USAGE and FINAL in done.said, f"{command}: {done.said}"
    assert [one["id"] for one in home.cli("recovery", "list", *proof[2:], check=True).value["kits"]] == [kit]
    removed = home.cli("recovery", "remove", kit, "--yes", *proof[2:], check=True).value
    assert removed["warnings"] == ["Only this is left: the passphrase. If you forget it, your keys are lost."]


def test_the_end_of_a_kit_says_what_is_left_and_asks(daemon, home, at_terminal, proof):
    home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *proof[2:], check=True)
    kit = daemon.do("recovery", "list")["kits"][0]["id"]
    terminal = at_terminal("recovery", "remove", kit, *proof[2:])
    shown = " ".join(terminal.wait_for("[y/N]").split())
    assert f"The shares of kit {kit}, also on paper, will open nothing" in shown and "Only this is left: the passphrase." in shown
    terminal.type("n\n")
    terminal.finish()
    assert len(daemon.do("recovery", "list")["kits"]) == 1


@pytest.mark.parametrize("verb", ["approve", "deny"])
def test_answering_nothing_is_no_success(verb, daemon):
    words = ("request", verb, "b9ce", "7213", "--home", str(daemon.home.path))
    done = run(*words)
    assert done.code == NOT_FOUND
    assert done.err.count("no waiting request has that id") == 2 and "Not answered" not in done.out
    told = run(*words, "--json")
    assert told.code == NOT_FOUND and json.loads(told.out)["ok"] is False


def test_the_colours_of_doctor_break_no_line(daemon, home):
    terminal = Terminal("doctor", "--home", str(home.path))
    try:
        shown = terminal.finish()
    finally:
        terminal.close()
    assert "\x1b[32m✓" in shown
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown).replace("\r\n", "\n").replace("\r", "\n").splitlines()
    broken = [
        (line, after) for line, after in zip(lines, lines[1:], strict=False) if re.match("[✓!✗] ", line) and re.match("  [^ ]", after)
    ]
    assert broken
    for line, after in broken:
        assert len(line) <= 80 < len(line) + 1 + len(after.split()[0]), f"broken too early: {line}"


@pytest.mark.parametrize(
    "words",
    [("status",), ("client", "list"), ("client", "show", "Amethyst"), ("request", "list"), ("help",), ("pair", "--help")],
    ids=" ".join,
)
async def test_colours_are_for_terminals_that_want_them(words, daemon, home, apps):
    app = await apps(App.paired(daemon.pair("low", "--name", "Amethyst")))
    await app.send("sign_event", [as_json(template(kind=5, tags=[["e", "ab" * 32]]))])
    await eventually(daemon.waiting, "a request waits")
    place = () if words[0] == "help" or words[-1] == "--help" else ("--home", str(home.path))

    def shown(**options) -> str:
        terminal = Terminal(*words, *place, **options)
        try:
            return terminal.finish()
        finally:
            terminal.close()

    assert "\x1b[1m" in shown(), "headings are bold"
    for plain in (shown(NO_COLOR="1"), shown(term="dumb"), run(*words, *place).out):
        assert "\x1b[" not in plain and not re.search("[\x01-\x06]", plain)


def test_backups_are_scheduled_at_a_terminal_without_an_option(daemon, home, at_terminal, tmp_path, proof):
    terminal = at_terminal("backup", "schedule")
    terminal.wait_for("Folder for the backups")
    (tmp_path / "kept").mkdir()
    terminal.type(f"{tmp_path / 'kept'}\n")
    terminal.wait_for("assphrase for ")
    terminal.type(home.passphrase_file.read_text().strip() + "\n")
    terminal.finish()
    assert terminal.code == 0 and daemon.do("backup", "schedule")["plan"]["to"] == str(tmp_path / "kept")


def test_the_check_that_is_printed_for_a_proof_works(daemon, home, tmp_path):
    for number, what in enumerate((("5",), ("--from", "3"))):
        path = tmp_path / f"proof-{number}.json"
        said = run("log", "prove", *what, "--out", str(path), "--home", str(home.path)).out
        command = said.strip().split("To check it: holdfast ")[1].split()
        done = run(*command)
        assert done.code == 0 and "The proof is sound" in done.out, done.said


@pytest.mark.parametrize(
    "words", [("identity", "export", "nosuch"), ("identity", "delete", "nosuch", "--yes"), ("slot", "test", "99")], ids=" ".join
)
def test_what_does_not_exist_is_said_before_a_passphrase_is_asked(words, daemon, home, at_terminal):
    terminal = at_terminal(*words)
    shown = terminal.finish()
    assert terminal.code == NOT_FOUND and "assphrase" not in shown, shown
