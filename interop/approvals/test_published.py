"""A profile or follow list that was never signed here is compared with what the owner's relays have."""

from __future__ import annotations

import json

from harness.app import App
from harness.relay_connection import RelayConnection
from harness.waiting import eventually
from reference.events import signed
from reference.keys import Key


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
