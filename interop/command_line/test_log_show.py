"""`log show` for people: entries as they come, days by name, identities by their names."""

from __future__ import annotations

import json
import signal
import subprocess

from harness.daemon import binary, environment, run


def test_new_entries_are_shown_as_they_come(daemon, at_terminal):
    terminal = at_terminal("log", "show", "--follow")
    terminal.wait_for("The signer started")
    daemon.pair("low")
    assert terminal.wait_for("A pairing link was made (alice)").count("A pairing link was made") == 1
    terminal.type("\x03")
    assert "A pairing link was made" not in terminal.finish() and terminal.code == -signal.SIGINT


def test_a_program_reads_new_entries_as_lines_of_json(daemon):
    command = [str(binary()), "log", "show", "-f", "--json", "--entry", "linkMade", "--home", str(daemon.home.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(), text=True) as following:
        try:
            first = json.loads(following.stdout.readline()) if daemon.pair("low") else {}
            daemon.pair("low")
            second = json.loads(following.stdout.readline())
        finally:
            following.terminate()
    assert first["entry"] == second["entry"] == "linkMade" and first["sequence"] < second["sequence"]
    assert "leaf" not in second


def test_following_needs_a_signer_and_no_end(daemon, home, tmp_path):
    assert run("log", "show", "-f", "--before", "3", "--home", str(home.path)).code == 2
    assert run("log", "show", "3", "-f", "--home", str(home.path)).code == 2
    daemon.stop()
    stopped = run("log", "show", "-f", "--home", str(home.path))
    assert stopped.code != 0 and "holdfast" in stopped.err


def test_the_log_names_the_identity_that_an_entry_is_about(daemon, home):
    daemon.do("identity", "create", "brief")
    key = next(one for one in daemon.do("identity", "list")["identities"] if one["name"] == "brief")
    daemon.do("identity", "delete", "brief", "--yes", "--passphrase-file", str(home.passphrase_file))
    shown = run("log", "show", "--since", "today", "--home", str(home.path)).out
    assert f"An identity was deleted ({key['npub'][:12]}…{key['npub'][-7:]})" in shown
    number = daemon.do("log", "show", "--entry", "identityDeleted")["entries"][-1]["sequence"]
    one = run("log", "show", str(number), "--home", str(home.path)).out
    assert key["npub"] in one and any(line.startswith("Time") and line.count(":") == 2 for line in one.splitlines())


def test_a_list_that_ends_at_its_limit_says_so_at_a_terminal(daemon, at_terminal):
    for _ in range(3):
        daemon.do("pair")
    newest = daemon.do("log", "show", "--limit", "2")["entries"]
    oldest = min(entry["sequence"] for entry in newest)
    shown = " ".join(at_terminal("log", "show", "--limit", "2").finish().split())
    assert f"For older ones: holdfast --home {daemon.home.path} log show --before {oldest}" in shown, shown
    assert "For older ones" not in at_terminal("log", "show", "--limit", "1000").finish()
    assert "For older ones" not in at_terminal("log", "show", str(oldest)).finish()
