"""Rotation on relays that require a login (NIP-42): which key logs in, for which events, and which one no longer does."""

from __future__ import annotations

import pytest

from harness.daemon import Home
from harness.relay_connection import RelayConnection
from harness.relays import RustLocalRelay
from harness.scripted_relay import ScriptedRelay, matches
from harness.waiting import eventually
from reference.events import as_json, is_genuine, signed, template
from reference.keys import Key

DONE, LOCKED, DENIED = 0, 3, 4
STATEMENT, LOGIN = 8041, 22242
STRANGE = Key()


def secret(home: Home) -> tuple[str, str]:
    return ("--passphrase-file", str(home.passphrase_file))


@pytest.fixture
def members_only(scripted_relay) -> ScriptedRelay:
    """A relay that keeps events and lets each author read and write only his own."""
    scripted_relay.keeps_ephemeral_events = True
    scripted_relay.requires_auth = scripted_relay.asks_authors_only = True
    return scripted_relay


@pytest.fixture
def owner(proving_owner):
    return proving_owner


def written_by(home: Home, name: str) -> list[dict]:
    """Profile and follow list of an identity, made by its vault."""
    home.cli("identity", "create", name, *secret(home), check=True)
    parts = [template(0, '{"name":"Ann"}'), template(3, "", [["p", STRANGE.public]])]
    return [home.cli("sign", "--identity", name, *secret(home), stdin=as_json(part), check=True).value for part in parts]


def logins(relay: ScriptedRelay, key: str) -> list[dict]:
    return [event for event in relay.auth_events if event["pubkey"] == key]


def kept(relay: ScriptedRelay, **filter) -> list[dict]:
    return [event for event in relay.events if matches(filter, event)]


async def test_each_event_is_offered_under_its_authors_login(owner, home, members_only):
    events = written_by(home, "ann")
    members_only.events += events
    old, url = events[0]["pubkey"], members_only.url
    done = owner("identity", "rotate", "ann", "--yes", "--relay", url, "--note", check=True).value["rotation"]
    new = done["to"]["pubkey"]
    assert done["stage"] == "done" and done["missing"] == ["relays", "message-relays"]
    assert [part["what"] for part in done["published"]] == ["statement", "acceptance", "profile", "follows", "note"]
    assert [event["content"] for event in kept(members_only, kinds=[0], authors=[new])] == ['{"name":"Ann"}']
    assert len(kept(members_only, kinds=[STATEMENT])) == 2 and len(kept(members_only, kinds=[1], authors=[old])) == 1
    # Only the two keys log in, each for this relay and its challenge: the old key for reading and for its last events.
    assert {event["pubkey"] for event in members_only.auth_events} == {old, new}
    assert len(logins(members_only, old)) == 2 and len(logins(members_only, new)) == 1
    assert {tag[1] for event in members_only.auth_events for tag in event["tags"] if tag[0] == "relay"} == {url}
    # Each is in the log, before and after.
    entries = home.cli("log", "show", "--limit", "1000", *secret(home), check=True).value["entries"]
    ids = {event["id"] for event in members_only.auth_events}
    assert ids <= {entry.get("signed") for entry in entries}
    # The old key says nothing any more, to this relay either.
    again = owner("identity", "rotate", "ann", "--yes", check=True).value["rotation"]
    assert again["published"] == done["published"]
    assert len(members_only.auth_events) == 3
    refused = owner("sign", "--identity", "ann", stdin=as_json(template(LOGIN, "", [["challenge", "x"]])))
    assert refused.code == DENIED and "retired" in refused.value["error"]


async def test_a_relay_that_does_not_ask_learns_of_no_login(owner, home, scripted_relay):
    scripted_relay.keeps_ephemeral_events = True
    scripted_relay.events += written_by(home, "ann")
    rotated = owner("identity", "rotate", "ann", "--yes", "--relay", scripted_relay.url, check=True)
    assert rotated.value["rotation"]["stage"] == "done"
    assert not scripted_relay.auth_events


@pytest.fixture
def closed_relay():
    """rust-nostr's, which nobody reads or writes without a login."""
    with RustLocalRelay(wants_login=True) as relay:
        yield relay


async def test_with_rust_nostrs_relay_that_always_wants_a_login(owner, home, closed_relay):
    events, url = written_by(home, "ann"), closed_relay.url
    connection = await RelayConnection.open(url)
    await log_in(connection, url)
    for event in events:
        await connection.publish(event)
    done = owner("identity", "rotate", "ann", "--yes", "--relay", url, "--note", check=True).value["rotation"]
    assert done["stage"] == "done", done["published"]
    new = done["to"]["pubkey"]
    found = await connection.subscribe(authors=[events[0]["pubkey"], new])
    stored = [found.get_nowait() for _ in range(found.qsize())]
    assert all(is_genuine(event) for event in stored)
    assert sorted(event["kind"] for event in stored if event["pubkey"] == new) == [0, 3, STATEMENT]
    assert sorted(event["kind"] for event in stored if event["pubkey"] != new) == [0, 1, 3, STATEMENT]
    await connection.close()


async def log_in(connection: RelayConnection, url: str) -> None:
    """Logs in with an unknown key. The relay sends its challenge at the first request."""
    await connection.send("REQ", "first", {"kinds": [0], "limit": 1})
    await eventually(lambda: connection.challenge, "the challenge")
    answer = signed(STRANGE, LOGIN, "", [["relay", url], ["challenge", connection.challenge]])
    assert (await connection.offer(answer, "AUTH"))[0]


async def test_a_challenge_that_is_no_challenge_is_left(owner, home, members_only):
    """A relay keeps sending new challenges, the last one very long. No key logs in, and the refused events are reported."""
    members_only.challenge_length = 2_000
    members_only.events += written_by(home, "ann")
    refused = owner("identity", "rotate", "ann", "--yes", "--relay", members_only.url)
    assert refused.code == 1 and "auth-required" in refused.value["error"] and "Nothing was changed" in refused.value["error"]
    assert not members_only.auth_events and not kept(members_only, kinds=[STATEMENT])


async def test_where_the_old_key_is_gone_the_new_one_logs_in(owner, home, scripted_relay):
    scripted_relay.keeps_ephemeral_events = scripted_relay.requires_auth = True
    events = written_by(home, "ann")
    scripted_relay.events += events
    prepared = owner("identity", "succession", "ann", check=True).value
    owner("identity", "delete", "ann", "--yes", check=True)
    npub, url = prepared["identity"]["npub"], scripted_relay.url
    # Nobody may read for the old key; what is said of it is what another relay has.
    with ScriptedRelay() as other:
        other.keeps_ephemeral_events = True
        other.events += events
        command = ("identity", "rotate", npub, "--yes", "--use-succession", "--relay", url, "--relay", other.url)
        done = owner(*command, check=True).value["rotation"]
    assert all(url in part["taken"] for part in done["published"])
    assert {event["pubkey"] for event in scripted_relay.auth_events} == {done["to"]["pubkey"]}


async def test_without_the_owners_proof_the_old_key_logs_in_nowhere(home, start, members_only):
    """Somebody at an open terminal can only have the events of a rotation offered again."""
    start()
    events = written_by(home, "ann")
    members_only.events += events
    members_only.refuse_everything = "error: down for today"
    done = home.cli("identity", "rotate", "ann", "--yes", "--relay", members_only.url, *secret(home), check=True).value["rotation"]
    assert done["stage"] == "publishing"
    before = len(members_only.auth_events)
    members_only.refuse_everything = None
    wrong = ("--passphrase-file", "/etc/hostname")
    assert home.cli("identity", "rotate", "ann", "--yes", *wrong).code == LOCKED
    assert len(members_only.auth_events) == before
    done = home.cli("identity", "rotate", "ann", "--yes", *secret(home), check=True).value["rotation"]
    assert done["stage"] == "done"
    assert {event["pubkey"] for event in members_only.auth_events[before:]} == {events[0]["pubkey"], done["to"]["pubkey"]}
