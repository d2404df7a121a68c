"""Paired apps know the signer's port, so a later start without `--listen` is there again."""

from __future__ import annotations

import json
import subprocess

from harness.daemon import binary, environment, run
from harness.relays import free_port


def started(home, *words: str) -> str:
    """The relay's address of a signer that is started so, and stopped again."""
    command = [str(binary()), "up", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file), "--json", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment()) as up:
        relay = json.loads(up.stdout.readline())["relay"]
        up.terminate()
    return relay


def test_a_port_that_was_named_once_is_used_again(home):
    port = free_port()
    named = started(home, "--listen", f"127.0.0.1:{port}")
    assert f":{port}/" in named
    assert started(home) == named
    offline = run("pair", "--json", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    assert f"127.0.0.1%3A{port}" in json.loads(offline.out)["bunker"], offline.said


def test_a_port_that_the_network_can_reach_is_not_used_again_by_itself(home):
    port = free_port()
    assert f":{port}/" in started(home, "--listen", f"127.0.0.1:{port}")
    other = free_port()
    started(home, "--listen", f"0.0.0.0:{other}")
    assert f"127.0.0.1:{port}/" in started(home)
