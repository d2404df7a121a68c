"""What `holdfast-wake` says of a push or a vault that it can do nothing with."""

from __future__ import annotations

import subprocess

import pytest

from harness.daemon import binary, environment
from wake.test_wake import LOCKED, NOT_FOUND, USAGE, Sleeper


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ("{}", "it has no “relay_url”"),
        ('{"relay_url":"https://a.example"}', "The relay is not a ws:// or wss:// address."),
        ('{"relay_url":"wss://a.example"}', "it has neither “event_id” nor “event”"),
        ("{", "The push is not JSON"),
    ],
)
def test_what_a_push_lacks_is_said_with_how_one_looks(home, payload, said):
    (home.folder / "push.json").write_text(payload)
    found = Sleeper(home, environment(), "", None).wake("--payload", str(home.folder / "push.json"))
    assert found["exit"] == USAGE and said in found["error"], found
    assert found["hint"].startswith('A push looks like this: {"relay_url":"wss://')


def test_a_file_that_is_not_there_has_the_code_that_the_help_names(home):
    found = Sleeper(home, environment(), "", None).wake("--payload", str(home.folder / "none.json"))
    assert found["exit"] == NOT_FOUND and "none.json could not be read" in found["error"]
    shown = subprocess.run([binary().with_name("holdfast-wake"), "--help"], capture_output=True, text=True, check=True, env=environment())
    assert "5 no such request, vault or file" in " ".join(shown.stdout.split())


def test_a_vault_without_a_keyring_slot_is_said_to_have_none(home, desktop):
    found = Sleeper(home, desktop, "", None).wake("--check")
    assert (found["exit"], found["error"]) == (LOCKED, "The vault has no keyring slot, so a wake cannot open it.")
