"""A profile or follow list that was never signed here is compared with what the owner's relays have."""

from __future__ import annotations

import json

from harness.app import App
from harness.daemon import run
from harness.relay_connection import RelayConnection
from harness.waiting import eventually
from reference.events import signed
from reference.keys import Key


def profile(key: Key, **fields: str) -> dict:
    return signed(key, 0, json.dumps(fields), [])


async def test_a_profile_is_compared_with_the_one_on_the_owners_relays(daemon, apps, nostr_relay, home):
    """The signer has the owner's key but has signed nothing yet; the relay also has a forged profile, and one of a stranger."""
    owner = Key()
    daemon.do("identity", "import", "bob", stdin=owner.secret.hex())
    daemon.do("identity", "set", "bob", "--relay", nostr_relay.url)
    connection = await RelayConnection.open(nostr_relay.url)
    await connection.publish(signed(owner, 0, json.dumps({"name": "Bob", "lud16": "bob@bank.example"}), []))
    await connection.publish(signed(Key(), 0, json.dumps({"name": "Stranger"}), []))
    await connection.close()
    app = await apps(App.paired(daemon.pair("low", "--identity", "bob")))
    template = json.dumps({"kind": 0, "content": json.dumps({"name": "Bob", "lud16": "thief@evil.example"}), "tags": []})
    await app.send("sign_event", [template])
    (waiting,) = await eventually(daemon.waiting, "the request waits")

    def compared():
        parts = daemon.do("request", "show", waiting["id"])["parts"]
        (change,) = [part for part in parts if part["type"] == "field-diff"]
        return change if change["baseline"] else None

    change = await eventually(compared, "the profile is found")
    (field,) = change["fields"]
    assert field["name"] == "lud16" and field["before"] == "bob@bank.example" and field["after"] == "thief@evil.example"
    assert "where payments to you go" in field["warning"]


async def test_names_of_people_are_looked_up_only_if_the_owner_wants_them(daemon, apps, nostr_relay):
    """A friend of the owner has a profile, and so has a stranger who calls himself the same."""
    friend, stranger = Key(), Key()
    daemon.do("identity", "set", "alice", "--relay", nostr_relay.url)
    connection = await RelayConnection.open(nostr_relay.url)
    await connection.publish(profile(friend, name="Ada", picture="http://127.0.0.1:9/picture.png"))
    await connection.publish(profile(stranger, name="ada"))
    await connection.close()
    app = await apps(App.paired(daemon.pair("low")))
    for person in (friend, stranger):
        await app.send("nip44_encrypt", [person.public, "hello"])
    waiting = await eventually(lambda: (found := daemon.waiting()) and len(found) == 2 and found, "both requests wait")

    def people() -> dict[str, dict]:
        shown = [daemon.do("request", "show", one["id"]) for one in waiting]
        return {part["pubkey"]: part for one in shown for part in one["parts"] if part["type"] == "peer"}

    assert not any("name" in part for part in people().values()), "names are off until the owner turns them on"
    assert daemon.do("people", "show") == {"names": False}
    daemon.do("people", "set", "--names", "on")
    await eventually(lambda: all("name" in part for part in people().values()), "both profiles are found")
    assert {part["name"] for part in people().values()} == {"Ada", "ada"}
    assert all(part["name_shared"] for part in people().values())
    shown = run("request", "show", waiting[0]["id"], "--home", str(daemon.home.path)).out
    assert "npub1" in shown and "says to be “" in shown and "as somebody else does" in shown
    daemon.do("people", "set", "--names", "off")
    assert not any("name" in part for part in people().values())
