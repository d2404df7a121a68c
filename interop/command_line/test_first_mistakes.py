"""What goes wrong for somebody new is said at once, and says what to do."""

from __future__ import annotations

import json

import pytest

from harness.daemon import run
from harness.terminal import Terminal


def test_an_empty_link_is_said_to_be_empty(home):
    done = run("pair", "", "--home", str(home.path))
    assert done.code == 2 and "URI is empty." in done.err and "holdfast pair 'nostrconnect://…'" in done.err
    assert run("client", "show", "", "--home", str(home.path)).code == 2


@pytest.mark.parametrize(
    "key, said",
    [
        ("npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6", "This is a public key"),
        (" ".join(["abandon"] * 11 + ["abuot"]), "not a valid mnemonic"),
        ("hello", "not a key in any known format"),
    ],
)
def test_what_is_no_key_is_refused_before_the_vaults_passphrase(key, said, home):
    terminal = Terminal("identity", "import", "new", "--home", str(home.path))
    try:
        terminal.wait_for("words): ")
        terminal.type(key + "\n")
        shown = " ".join(terminal.finish().split())
        assert said in shown and "Passphrase" not in shown and terminal.code != 0
    finally:
        terminal.close()


def test_a_proof_goes_into_a_file_that_is_checked(home, tmp_path):
    proof, text = tmp_path / "entry-1.json", tmp_path / "entry-1.txt"
    opened = ("--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    written = run("log", "prove", "1", "--out", str(proof), *opened)
    assert written.code == 0 and f"holdfast proof verify {proof}" in written.out.replace(f" --home {home.path}", ""), written.said
    assert run("proof", "verify", str(proof)).code == 0
    assert "checkpoint" in json.loads(proof.read_text())
    text.write_text(run("log", "prove", "1", *opened).out)
    refused = run("proof", "verify", str(text))
    assert refused.code == 1 and "for people" in refused.err and "--out FILE" in refused.err
    again = run("log", "prove", "1", "--out", str(proof), *opened)
    assert again.code == 1 and "already a file" in again.err


def test_a_passphrase_that_others_can_read_is_warned_about(home, tmp_path_factory):
    folder = tmp_path_factory.mktemp("open")
    folder.chmod(0o755)
    file = folder / "passphrase"
    file.write_text(home.passphrase_file.read_text())
    words = ("identity", "list", "--home", str(home.path), "--passphrase-file", str(file))
    file.chmod(0o644)
    warned = run(*words)
    assert warned.code == 0 and f"chmod 600 {file}" in warned.err and warned.err.count("Warning") == 1
    file.chmod(0o600)
    assert run(*words).err == ""
