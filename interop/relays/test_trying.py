"""Whether a relay can be used for a link is tried before the link is made."""

from __future__ import annotations

from harness.daemon import run
from harness.relays import free_port


def test_a_relay_that_passes_messages_on_is_found_to_work(daemon, rust_relay):
    tried = daemon.do("relay", "try", rust_relay.url)
    assert tried["delivers"] and tried["milliseconds"] >= 0 and tried["why"] is None


def test_a_relay_that_is_not_there_is_said_not_to_work(daemon):
    url = f"ws://127.0.0.1:{free_port()}"
    tried = daemon.cli("relay", "try", url)
    assert tried.code == 1 and not tried.value["delivers"] and tried.value["why"]
    said = run("relay", "try", url, "--home", str(daemon.home.path))
    assert said.code == 1 and "does not work" in said.out


def test_the_signers_own_relay_is_known_to_reach_this_machine_only(daemon):
    listed = daemon.do("relay", "list")
    assert listed["this_machine_only"] and listed["suggested"]
