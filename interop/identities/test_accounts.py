"""Which accounts of some words were used, asked of a relay that holds events of a few of them."""

from __future__ import annotations

import nostr_sdk
import pytest

from harness.relay_connection import RelayConnection
from harness.terminal import Terminal
from reference.events import signed
from reference.keys import Key

USAGE, FAILED = 2, 1
WORDS = "system short news wasp pilot predict remind relax shell rice hybrid concert"
NOBODY = "ws://127.0.0.1:9"


def account(number: int) -> Key:
    return Key(nostr_sdk.Keys.from_mnemonic(WORDS, None, number).secret_key().to_hex())


@pytest.fixture(params=["daemon running", "vault opened by the command"])
def owner(request, home, start):
    if request.param == "daemon running":
        start()
    secret = ("--passphrase-file", str(home.passphrase_file))
    return lambda *arguments, **more: home.cli(*arguments, *secret, **more)


@pytest.fixture
async def relay(nostr_relay):
    """Holds a profile of account 0, a note of 2, a relay list of 7, a reaction of 27, and a note of somebody else."""
    connection = await RelayConnection.open(nostr_relay.url)
    for key, kind in ((account(0), 0), (account(2), 1), (account(7), 10002), (account(27), 7), (Key(), 1)):
        # Refused only as older than what an earlier test left there.
        await connection.offer(signed(key, kind, "{}" if kind == 0 else "x", []))
    await connection.close()
    return nostr_relay.url


def found(result: dict) -> list[int]:
    return [one["account"] for one in result["accounts"] if one["found"]]


async def test_the_accounts_that_were_used_are_found_and_nothing_is_imported(owner, relay):
    made = owner("identity", "import", "w", "--scan", "--relay", relay, stdin=WORDS, check=True).value
    assert made["name"] == "w" and found(made["scan"]) == [0, 2, 7, 27]
    result = owner("identity", "accounts", "w", check=True).value
    assert result["gap_limit"] == 20 and result["searched"] == 48 and result["unreachable"] == []
    assert found(result) == [0, 2, 7, 27] and [one["pubkey"] for one in result["accounts"]] == [
        account(number).public for number in (0, 2, 7, 27)
    ]
    assert [one["here"] for one in result["accounts"]] == ["w", None, None, None]
    assert names(owner) == ["alice", "w"]
    owner("identity", "derive", "w", "second", "--account", "2", check=True)
    again = owner("identity", "accounts", "w", "--relay", relay, "--relay", NOBODY, check=True).value
    assert [one["here"] for one in again["accounts"]] == ["w", "second", None, None]
    assert [one["relay"] for one in again["unreachable"]] == [NOBODY]


def names(owner) -> list[str]:
    return sorted(one["name"] for one in owner("identity", "list", check=True).value["identities"])


async def test_the_accounts_that_are_named_are_taken_and_no_others(owner, relay):
    owner("identity", "import", "w", stdin=WORDS, check=True)
    asked = ("identity", "accounts", "w", "--relay", relay, "--take")
    for wrong in ("5", "2,5", "x", "", "2,-1"):
        assert owner(*asked, wrong).code == USAGE
    assert names(owner) == ["alice", "w"]
    made = owner(*asked, "0, 7,2", check=True).value
    assert [(one["account"], one["name"]) for one in made["taken"]] == [(2, "w-2"), (7, "w-7")]
    assert owner("identity", "show", "w-7").value["pubkey"] == account(7).public
    assert [one["account"] for one in owner(*asked, "all", check=True).value["taken"]] == [27]
    assert owner(*asked, "all", check=True).value["taken"] == []
    assert names(owner) == ["alice", "w", "w-2", "w-27", "w-7"]


async def test_an_import_takes_what_its_search_found(owner, relay):
    made = owner("identity", "import", "w", "--scan", "--relay", relay, "--take", "all", stdin=WORDS, check=True).value
    assert [one["name"] for one in made["taken"]] == ["w-2", "w-7", "w-27"] and made["name"] == "w"


def test_a_person_at_a_terminal_is_asked_which_to_take(home, start, nostr_relay, relay):
    start()
    home.cli("identity", "import", "w", stdin=WORDS, check=True)
    command = ("identity", "accounts", "w", "--relay", relay, "--home", str(home.path))
    terminal = Terminal(*command)
    try:
        terminal.wait_for("Account 27")
        terminal.wait_for("for none: ")
        terminal.type("two\n")
        terminal.wait_for("numbers such as 0,2,5")
        terminal.wait_for("for none: ")
        terminal.type("2, 27\n")
        shown = terminal.finish()
        assert terminal.code == 0 and "account 2: w-2" in shown and "account 27: w-27" in shown
    finally:
        terminal.close()
    terminal = Terminal(*command)
    try:
        terminal.wait_for("for none: ")
        terminal.type("\n")
        terminal.finish()
        assert terminal.code == 0
    finally:
        terminal.close()
    assert names(home.cli) == ["alice", "w", "w-2", "w-27"]


async def test_without_relays_what_is_here_is_said_and_without_an_answer_nothing_is_guessed(owner):
    owner("identity", "import", "w", stdin=WORDS, check=True)
    result = owner("identity", "accounts", "w", check=True).value
    assert result["relays"] == [] and found(result) == []
    assert [(one["account"], one["here"]) for one in result["accounts"]] == [(0, "w")]
    refused = owner("identity", "accounts", "w", "--relay", NOBODY)
    assert refused.code == FAILED and "None of the relays" in refused.value["error"]
    assert owner("identity", "accounts", "w", "--relay", "https://relay.example").code == USAGE


async def test_a_key_without_words_has_no_accounts(owner):
    owner("identity", "import", "bare", stdin=Key().secret.hex(), check=True)
    refused = owner("identity", "accounts", "bare")
    assert refused.code == FAILED and "did not come from words" in refused.value["error"]
