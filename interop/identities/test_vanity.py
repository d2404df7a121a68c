"""The search for a key that begins as wanted, as a person runs it: found keys are whole identities, a broken-off search leaves nothing."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import time

import pytest

from harness.daemon import PASSPHRASE, binary, environment
from harness.waiting import until
from reference import nip19
from reference.events import is_genuine

USAGE, LOCKED = 2, 3
IMPOSSIBLE = "npub1qqqqqqqqqqqq"


@pytest.mark.parametrize(
    "wanted",
    [["--prefix", "npub1q2w"], ["--prefix", "c0f"], ["--prefix", "a", "--suffix", "00"], ["--npub-suffix", "ace"]],
    ids=lambda w: w[-1],
)
def test_a_found_key_is_an_identity_that_signs(wanted, owner):
    made = owner("identity", "vanity", "ace", *wanted, check=True).value
    prefix = wanted[1] if wanted[0] == "--prefix" else ""
    assert (made["npub"] if prefix.startswith("npub1") else made["pubkey"]).startswith(prefix)
    if "--suffix" in wanted:
        assert made["pubkey"].endswith("00")
    if "--npub-suffix" in wanted:
        assert made["npub"].endswith("ace")
    assert made["npub"] == nip19.npub(made["pubkey"])
    assert made["origin"] == "vanity"
    assert made["tried"] > 0
    event = owner("sign", "--identity", "ace", stdin='{"kind":1,"content":"hi"}')
    assert is_genuine(event.value) and event.value["pubkey"] == made["pubkey"]


@pytest.mark.parametrize(
    ("prefix", "said"),
    [
        ("npub1bob", "“b”"),
        ("npub1Ace", "capital"),
        ("wxyz", "not a hex digit"),
        ("npub1", "No characters to search for"),
        ("nsec1ace", "secret key"),
        ("npub1" + "q" * 13, "more than 12"),
    ],
)
def test_what_no_key_begins_with_is_refused_in_words(prefix, said, home):
    refused = home.cli("identity", "vanity", "ace", "--prefix", prefix, "--passphrase-file", str(home.passphrase_file))
    assert refused.code == USAGE
    assert said in refused.value["error"]


def test_a_name_that_is_taken_is_refused_before_the_search(owner):
    begun = time.monotonic()
    refused = owner("identity", "vanity", "alice", "--prefix", IMPOSSIBLE)
    assert refused.code == 1 and "already" in refused.value["error"]
    assert time.monotonic() - begun < 20


def test_a_wrong_passphrase_is_refused_before_the_search(home):
    refused = home.cli("identity", "vanity", "ace", "--prefix", IMPOSSIBLE, "--passphrase-file", "/etc/hostname")
    assert refused.code == LOCKED


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "terminate"])
def test_a_search_that_is_broken_off_leaves_nothing(sent, home):
    before = names_of(home)
    command = [binary(), "identity", "vanity", "ace", "--prefix", IMPOSSIBLE, "--threads", "1"]
    process = subprocess.Popen(
        [*command, "--home", str(home.path), "--json", "--passphrase-file", str(home.passphrase_file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    until(lambda: cpu_ticks(process.pid) > 100, "the search to work", seconds=20)
    # The vault is free meanwhile.
    assert names_of(home) == before
    process.send_signal(sent)
    out, err = process.communicate(timeout=5)
    assert process.returncode == 1
    assert b"No key was stored" in out and not err
    assert names_of(home) == before


def names_of(home) -> list[str]:
    return [identity["name"] for identity in home.unlocked("identity", "list").value["identities"]]


def cpu_ticks(pid: int) -> int:
    """User time of the process, in ticks of 10 ms."""
    return int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[11])


def test_on_a_terminal_a_bar_and_an_estimate_are_shown_and_ctrl_c_takes_them_away(home):
    terminal, other = pty.openpty()
    command = [binary(), "identity", "vanity", "ace", "--prefix", IMPOSSIBLE, "--threads", "1"]
    process = subprocess.Popen(
        [*command, "--home", str(home.path), "--passphrase-file", str(home.passphrase_file)],
        stdin=other,
        stdout=other,
        stderr=other,
        env=environment(TERM="xterm"),
        start_new_session=True,
    )
    os.close(other)
    seen = b""
    while b"keys/s [" not in seen:
        seen += os.read(terminal, 4096)
    assert b"half of all such searches end within" in seen.replace(b"\r\n", b" ")
    process.send_signal(signal.SIGINT)
    try:
        while part := os.read(terminal, 4096):
            seen += part
    except OSError:  # the terminal's other end is closed
        pass
    assert process.wait(timeout=5) == 1
    # The bar is wiped before the last words.
    assert seen.rindex(b"\r\x1b[K") < seen.rindex(b"Interrupted")
    assert PASSPHRASE.encode() not in seen
    os.close(terminal)


def test_a_key_found_while_the_signer_is_locked_waits_for_it(home, start):
    start()
    command = [binary(), "identity", "vanity", "ace", "--prefix", "npub1q2w", "--home", str(home.path), "--json"]
    # Locked before it begins: told at once.
    home.cli("lock", check=True)
    refused = home.cli("identity", "vanity", "ace", "--prefix", "npub1q")
    assert refused.code == LOCKED
    home.cli("unlock", "--passphrase-file", str(home.passphrase_file), check=True)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    until(lambda: process.poll() is not None or cpu_ticks(process.pid) > 1, "the search to begin", seconds=20)
    home.cli("lock", check=True)
    # Either it was faster than the lock, or it waits now; in both cases the key is there in the end.
    home.cli("unlock", "--passphrase-file", str(home.passphrase_file), check=True)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0, out
    assert "ace" in [identity["name"] for identity in home.cli("identity", "list").value["identities"]]
