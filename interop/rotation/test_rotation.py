"""Rotation to a new key: what clients read from relays afterwards, what the old key may still do, and what a crash leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest

from harness.app import App
from harness.daemon import binary, environment
from harness.relay_connection import RelayConnection
from harness.waiting import until
from reference.events import as_json, is_genuine, template
from reference.keys import Key
from reference.links import BunkerLink

FAILED, USAGE, LOCKED, DENIED, NOT_FOUND = 1, 2, 3, 4, 5
STATEMENT = 8041
RETIRED = "this key is retired and signs nothing any more; ask its owner for the new one"
FOLLOWS = [["p", Key().public, "wss://a.example", "ann"], ["p", Key().public], ["p", Key().public]]
PROFILE = '{"name":"Alice","about":"é \\"quoted\\"","lud16":"alice@pay.example","nip05":"alice@name.example"}'


async def publish(relay: str, *events: dict) -> None:
    connection = await RelayConnection.open(relay)
    for event in events:
        assert (await connection.offer(event))[0]
    await connection.close()


async def stored(relay: str, **filter) -> list[dict]:
    """What a client that reads the relay finds."""
    connection = await RelayConnection.open(relay)
    queue = await connection.subscribe(**filter)
    events = [queue.get_nowait() for _ in range(queue.qsize())]
    await connection.close()
    assert all(is_genuine(event) for event in events)
    return events


def secret(home) -> tuple[str, str]:
    return ("--passphrase-file", str(home.passphrase_file))


async def ann_on(home, relay: str) -> str:
    """A new identity, the default one, with profile, follows and relay list on the relay, signed by its own vault; its key."""
    home.cli("identity", "create", "ann", *secret(home), check=True)
    home.cli("identity", "default", "ann", *secret(home), check=True)
    parts = [
        template(0, PROFILE),
        template(3, '{"wss://old.example":{"read":true}}', FOLLOWS),
        template(10002, "", [["r", relay], ["r", relay, "write"]]),
    ]
    events = [home.cli("sign", "--identity", "ann", *secret(home), stdin=as_json(part), check=True).value for part in parts]
    await publish(relay, *events)
    return events[0]["pubkey"]


@pytest.fixture
def owner(proving_owner):
    return proving_owner


def check_succession(statement: dict, acceptance: dict) -> None:
    """Checks a statement as docs/ROTATION.md describes."""
    named = [tag[1] for tag in statement["tags"] if tag[0] == "p" and tag[3:] == ["successor"]]
    assert statement["kind"] == acceptance["kind"] == STATEMENT
    assert named == [acceptance["pubkey"]] and acceptance["pubkey"] != statement["pubkey"]
    accepted = [tag[1] for tag in acceptance["tags"] if tag[0] == "p" and tag[3:] == ["predecessor"]]
    assert accepted == [statement["pubkey"]]
    assert [tag[1] for tag in acceptance["tags"] if tag[0] == "e"] == [statement["id"]]


def assert_recorded(home, old: str, new: str, statement: dict) -> None:
    """Checks that the log has the new key, the rotation, and everything the old key signed for it, once each."""
    entries = home.cli("log", "show", "--limit", "1000", *secret(home), check=True).value["entries"]
    kinds = [(entry["entry"], entry.get("identity")) for entry in entries]
    assert kinds.count(("identityCreated", "ann-2")) == 1 and kinds.count(("identityRotated", "ann")) == 1
    signed = [entry["signed"] for entry in entries if entry["entry"] == "requestDone" and entry.get("identity") == "ann"]
    assert statement["id"] in signed
    assert [entry["kind"] for entry in entries if entry.get("signed") in signed][-2:] == [STATEMENT, 1]


async def test_a_client_finds_the_new_key_with_everything_and_the_statement_verifies(owner, home, nostr_relay):
    relay = nostr_relay.url
    old = await ann_on(home, relay)
    done = owner("identity", "rotate", "ann", "--yes", "--relay", relay, "--note", check=True).value["rotation"]
    new = done["to"]["pubkey"]
    assert done["stage"] == "done" and done["from"]["pubkey"] == old and new != old
    assert done["to"]["name"] == "ann-2"
    assert [part["what"] for part in done["published"]] == ["statement", "acceptance", "profile", "follows", "relays", "note"]
    assert all(part["taken"] == [relay] for part in done["published"])
    [statement] = await stored(relay, kinds=[STATEMENT], authors=[old])
    [acceptance] = await stored(relay, kinds=[STATEMENT], authors=[new])
    check_succession(statement, acceptance)
    assert_recorded(home, old, new, statement)
    assert ["reason", "rotated"] in statement["tags"]
    [profile] = await stored(relay, kinds=[0], authors=[new])
    [follows] = await stored(relay, kinds=[3], authors=[new])
    [relays] = await stored(relay, kinds=[10002], authors=[new])
    assert profile["content"] == PROFILE
    assert follows["tags"] == FOLLOWS and "old.example" in follows["content"]
    assert relays["tags"] == [["r", relay], ["r", relay, "write"]]
    [note] = await stored(relay, kinds=[1], authors=[old])
    assert done["to"]["npub"] in note["content"]
    # The vault agrees: the new one is the default, the old one is there and used for nothing.
    shown = owner("identity", "show", check=True).value
    assert shown["pubkey"] == new and shown["origin"] == "rotated"
    refused = owner("sign", "--identity", "ann", stdin=as_json(template()))
    assert refused.code == DENIED and "retired" in refused.value["error"]
    assert owner("identity", "default", "ann").code == DENIED
    assert owner("identity", "rotation", check=True).value["rotations"][0]["stage"] == "done"
    # A second time changes nothing.
    again = owner("identity", "rotate", "ann", "--yes", check=True).value["rotation"]
    assert again["to"]["pubkey"] == new and again["published"][0]["id"] == statement["id"]


async def test_apps_of_the_old_key_are_refused_in_words_and_get_new_links(home, start, nostr_relay, apps):
    daemon = start()
    relay = nostr_relay.url
    old = await ann_on(home, relay)
    app = await apps(App.paired(daemon.pair("full")))
    waiting = await apps(App.paired(daemon.pair("low")))
    assert (await app.sign(template()))["pubkey"] == old
    asked = await waiting.send("sign_event", [as_json(template())])
    until(lambda: home.cli("request", "list").value["requests"], "the request to wait")
    unused = daemon.pair("full")
    done = home.cli("identity", "rotate", "ann", "--yes", "--relay", relay, "--move-apps", *secret(home), check=True).value
    assert await app.error("sign_event", as_json(template())) == RETIRED
    assert await app.error("nip44_encrypt", Key().public, "text") == RETIRED
    assert await app.result("ping") == "pong"
    # What waited is answered, too, and cannot be approved any more.
    assert (await waiting.reply(asked)).error == RETIRED
    assert not home.cli("request", "list").value["requests"]
    # A link that nobody had used is gone.
    late = await apps(App.by_link(unused))
    assert "no longer good" in await late.error("connect", unused.signer, unused.secret)
    # The new links lead to the new key.
    assert len(done["links"]) == 2
    [link] = [link for link in done["links"] if link["trust"] == "full"]
    moved = await apps(App.paired(BunkerLink.parse(link["bunker"])))
    assert (await moved.sign(template()))["pubkey"] == done["rotation"]["to"]["pubkey"]


async def test_a_retired_key_stays_refused_after_a_restart(home, start, nostr_relay, apps):
    daemon = start()
    await ann_on(home, nostr_relay.url)
    await apps(App.paired(daemon.pair("full")))
    home.cli("identity", "rotate", "ann", "--yes", "--relay", nostr_relay.url, *secret(home), check=True)
    daemon.stop()
    start()
    refused = home.cli("sign", "--identity", "ann", stdin=as_json(template()))
    assert refused.code == DENIED
    assert home.cli("pair", "--identity", "ann").code == DENIED


async def test_a_plan_says_what_would_be_done_and_does_nothing(owner, home, nostr_relay):
    relay = nostr_relay.url
    old = await ann_on(home, relay)
    before = owner("identity", "list").value
    plan = owner("identity", "rotate", "ann", "--yes", "--relay", relay, "--relay", "ws://127.0.0.1:9", "--plan", check=True).value["plan"]
    assert [part["what"] for part in plan["publishes"]] == ["statement", "acceptance", "profile", "follows", "relays"]
    assert plan["relays"] == [relay, "ws://127.0.0.1:9"]
    assert [fault["relay"] for fault in plan["unreachable"]] == ["ws://127.0.0.1:9"]
    assert plan["missing"] == ["message-relays"]
    assert any("Private messages" in line for line in plan["cannot"])
    assert owner("identity", "list").value == before
    assert not await stored(relay, kinds=[STATEMENT], authors=[old])


async def test_without_a_relay_that_answers_nothing_is_changed(owner, home):
    owner("identity", "create", "ann", check=True)
    before = owner("identity", "list").value
    refused = owner("identity", "rotate", "ann", "--yes", "--relay", "ws://127.0.0.1:9")
    assert refused.code == FAILED and "Nothing was changed" in refused.value["error"]
    assert owner("identity", "rotate", "ann", "--yes").code == USAGE
    assert owner("identity", "list").value == before


async def test_the_signers_own_relay_is_none_to_publish_on(home, start):
    """It keeps no events. The key must not be retired for a statement that nobody can read."""
    daemon = start()
    done = home.cli(
        "identity",
        "rotate",
        home.cli("identity", "list").value["identities"][0]["name"],
        "--relay",
        daemon.relay,
        "--yes",
        "--passphrase-file",
        str(home.passphrase_file),
    )
    assert done.code == USAGE and "keeps no events" in done.said
    assert not home.cli("identity", "list", check=True).value["identities"][0].get("retired")


async def test_rotation_wants_the_owner(home, start, nostr_relay):
    start()
    await ann_on(home, nostr_relay.url)
    wrong = ("--passphrase-file", "/etc/hostname")
    for command in (["identity", "rotate", "ann", "--yes", "--relay", nostr_relay.url], ["identity", "succession", "ann"]):
        assert home.cli(*command, *wrong).code == LOCKED
    home.cli("lock", check=True)
    assert home.cli("identity", "rotate", "ann", "--yes", "--relay", nostr_relay.url, *secret(home)).code == LOCKED
    home.cli("unlock", *secret(home), check=True)
    assert home.cli("identity", "rotation").value["rotations"] == []


async def test_a_prepared_statement_is_published_when_the_old_key_is_gone(owner, home, nostr_relay):
    relay = nostr_relay.url
    old = await ann_on(home, relay)
    prepared = owner("identity", "succession", "ann", check=True).value
    assert prepared["new"] and is_genuine(prepared["statement"]) and prepared["statement"]["pubkey"] == old
    shown = owner("identity", "succession", "ann", check=True).value
    assert not shown["new"] and shown["statement"] == prepared["statement"]
    assert not await stored(relay, kinds=[STATEMENT], authors=[old])
    owner("identity", "delete", "ann", "--yes", check=True)
    npub = prepared["identity"]["npub"]
    done = owner("identity", "rotate", npub, "--yes", "--use-succession", "--relay", relay, check=True).value["rotation"]
    assert done["reason"] == "prepared" and done["to"]["pubkey"] == prepared["successor"]["pubkey"]
    assert done["published"][0]["id"] == prepared["statement"]["id"]
    [statement] = await stored(relay, kinds=[STATEMENT], authors=[old])
    [acceptance] = await stored(relay, kinds=[STATEMENT], authors=[done["to"]["pubkey"]])
    check_succession(statement, acceptance)
    assert (await stored(relay, kinds=[0], authors=[done["to"]["pubkey"]]))[0]["content"] == PROFILE


async def test_a_succession_that_was_not_prepared_cannot_be_used(owner, home, nostr_relay):
    owner("identity", "create", "ann", check=True)
    refused = owner("identity", "rotate", "ann", "--yes", "--use-succession", "--relay", nostr_relay.url)
    assert refused.code == NOT_FOUND


async def test_after_a_theft_what_was_signed_here_is_copied_not_the_thiefs(home, start, nostr_relay):
    """The thief has the key and has published a profile and follow list of his own."""
    start()
    relay = nostr_relay.url
    key = Key()
    home.cli("identity", "import", "stolen", stdin=key.secret.hex(), check=True)
    for part in (template(0, '{"name":"mine"}'), template(3, "", FOLLOWS)):
        await publish(relay, home.cli("sign", "--identity", "stolen", stdin=as_json(part), check=True).value)
    from reference.events import signed

    later = int(time.time()) + 5
    await publish(relay, signed(key, 0, '{"name":"thief"}', [], later), signed(key, 3, "", [["p", Key().public]], later))
    done = home.cli("identity", "rotate", "stolen", "--yes", "--compromised", "--relay", relay, *secret(home), check=True).value["rotation"]
    new = done["to"]["pubkey"]
    assert (await stored(relay, kinds=[0], authors=[new]))[0]["content"] == '{"name":"mine"}'
    assert (await stored(relay, kinds=[3], authors=[new]))[0]["tags"] == FOLLOWS
    [statement] = await stored(relay, kinds=[STATEMENT], authors=[key.public])
    assert ["reason", "compromised"] in statement["tags"]


@pytest.mark.parametrize("after", ["statement", "profile", "relays"])
async def test_killed_while_publishing_it_goes_on(after, home, start, nostr_relay):
    """The daemon is killed as soon as a relay has some part."""
    daemon = start()
    relay = nostr_relay.url
    old = await ann_on(home, relay)
    process = subprocess.Popen(
        [binary(), "identity", "rotate", "ann", "--yes", "--relay", relay, "--home", str(home.path), "--json", *secret(home)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    before = {event["id"] for kind in (0, 10002) for event in await stored(relay, kinds=[kind])}
    wanted = {"statement": dict(kinds=[STATEMENT], authors=[old]), "profile": dict(kinds=[0]), "relays": dict(kinds=[10002])}[after]
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if any(event["id"] not in before for event in await stored(relay, **wanted)):
            break
    os.kill(daemon.process.pid, signal.SIGKILL)
    daemon.process.wait()
    process.wait(timeout=30)
    start()
    rotations = home.cli("identity", "rotation", check=True).value["rotations"]
    assert len(rotations) == 1
    done = home.cli("identity", "rotate", "ann", "--yes", *secret(home), check=True).value["rotation"]
    assert done["stage"] == "done"
    new = done["to"]["pubkey"]
    assert len(await stored(relay, kinds=[STATEMENT], authors=[old])) == 1
    assert [len(await stored(relay, kinds=[kind], authors=[new])) for kind in (0, 3, 10002, STATEMENT)] == [1, 1, 1, 1]
    assert home.cli("sign", "--identity", "ann", stdin=as_json(template())).code == DENIED
    assert len(home.cli("identity", "list").value["identities"]) == 3
