"""What each kind of event does decides what the owner is asked: money, erasing, keys, logins and dates, against the real signer."""

from __future__ import annotations

import asyncio
import time

import pytest

from harness.app import App
from harness.waiting import eventually
from reference import nip04, nip44
from reference.events import as_json, template
from reference.keys import Key
from reference.links import nostrconnect

EVERY_TRUST = {
    62: "vanish", 9321: "wallet-kind", 10019: "wallet-kind", 23194: "wallet-kind", 24133: "key-handling", 24242: "file-login",
    8041: "succession", 7375: "wallet-kind", 38383: "wallet-kind", 27235: "web-login",
}  # fmt: skip
MEDIUM = {10050: "protected-kind", 443: "protected-kind", 9001: "protected-kind", 12345: "unknown-kind", 22242: "relay-login"}
USUAL = [1, 4, 6, 7, 13, 1059, 1063, 1111, 1984, 9734, 9802, 10000, 10003, 30000, 30023, 30315]
SUCH_DATES = [1 << 61, 1 << 62, (1 << 63) - 1]


def of(app: App, daemon) -> list[dict]:
    return [request for request in daemon.waiting() if request["client"]["pubkey"] == app.key.public]


async def waits(app: App, daemon, count: int = 1) -> list[dict]:
    return await eventually(lambda: (found := of(app, daemon)) and len(found) == count and found, f"{count} waiting")


async def asks(app: App, **fields) -> str:
    return await app.send("sign_event", [as_json(template(**fields))])


@pytest.mark.parametrize("trust", ["medium", "full"])
async def test_what_spends_erases_or_speaks_for_the_key_waits(trust, start, apps):
    daemon = start()
    expected = EVERY_TRUST | (MEDIUM if trust == "medium" else {})
    app = await apps(App.paired(daemon.pair(trust)))
    ids = [await asks(app, kind=kind) for kind in expected]
    requests = await waits(app, daemon, len(expected))
    assert {request["kind"]: request["rule"] for request in requests} == expected
    assert not any(app.answers(id) for id in ids)
    assert [request["kind"] for request in requests if request["batch"] is not None] == []
    for kind in (62, 8041, 24133):
        assert daemon.cli("client", "allow", app.key.public, f"sign_event:{kind}", "--for", "5m").code == 4


async def test_what_people_do_every_day_does_not_wait(shared, apps):
    app = await apps(App.paired(shared.pair("medium")))
    for kind in USUAL:
        assert (await app.sign(template(kind=kind, tags=[["d", "x"]])))["kind"] == kind
    soon = ["expiration", str(int(time.time()) + 3600)]
    assert (await app.sign(template(kind=24242, tags=[["t", "upload"], ["x", "ab" * 32], soon])))["kind"] == 24242


@pytest.mark.parametrize("cipher", [nip44, nip04], ids=["nip44", "nip04"])
async def test_reading_what_one_encrypted_to_oneself_waits(cipher, start, apps):
    key = Key()
    daemon = start()
    daemon.do("identity", "import", "wallet", stdin=key.secret.hex() + "\n")
    method = f"{cipher.__name__.rpartition('.')[2]}_decrypt"
    link = daemon.pair("full", "--identity", "wallet")
    app = await apps(App.paired(link))
    payload = cipher.encrypt(key, key.public, "the tokens of a wallet")
    id = await app.send(method, [key.public, payload])
    (request,) = await waits(app, daemon)
    assert request["rule"] == "self-decryption" and "always" not in request["offers"] and "1d" in request["offers"]
    assert any(part["type"] == "warning" and "wallet" in part["text"] for part in request["parts"])
    assert not app.answers(id)
    assert daemon.cli("client", "allow", app.key.public, f"{method}@self").code == 4
    assert daemon.cli("client", "allow", app.key.public, f"{method}@self", "--for", "1w").code == 4
    daemon.do("request", "approve", request["id"], "--for", "1d", "--yes")
    assert (await app.reply(id)).result == "the tokens of a wallet"
    assert await app.result(method, key.public, payload) == "the tokens of a wallet"


@pytest.mark.parametrize("trust", ["medium", "full"])
async def test_events_dated_ahead_wait_and_shut_nothing(trust, start, apps):
    daemon = start()
    app = await apps(App.paired(daemon.pair(trust)))
    other = await apps(App.paired(daemon.pair("full")))
    held = 65  # those that are alike count as one
    for number in range(held):
        await asks(app, kind=10000, content=str(number), created_at=(1 << 61) + number)
    requests = await waits(app, daemon, held)
    assert {request["rule"] for request in requests} == {"dated-ahead"}
    daemon.do("request", "deny", requests[0]["id"])
    assert (await other.sign(template(kind=10000, content="of now")))["content"] == "of now"
    now = int(time.time())
    signed = daemon.do("sign", stdin=as_json(template(kind=10000, content="mine", created_at=now + 5)))
    assert signed["created_at"] == now + 5
    for date in SUCH_DATES:
        refused = daemon.cli("sign", stdin=as_json(template(kind=10000, created_at=date)))
        assert refused.code == 4 and "--date-ahead" in refused.err + refused.out
    daemon.do("sign", "--date-ahead", stdin=as_json(template(kind=10000, created_at=1 << 61)))
    assert (await other.sign(template(kind=10000, content="later", created_at=now + 20)))["content"] == "later"


async def test_a_follow_list_dated_ahead_does_not_blind_the_guard(start, apps):
    daemon = start()
    app = await apps(App.paired(daemon.pair("full")))
    people = [["p", Key().public] for _ in range(40)]
    now = int(time.time())
    await app.sign(template(kind=3, tags=people, created_at=now - 10))
    await asks(app, kind=3, tags=people[:38], created_at=1 << 62)
    (request,) = await waits(app, daemon)
    assert request["rule"] == "dated-ahead"
    daemon.do("request", "approve", request["id"])
    await eventually(lambda: not of(app, daemon), "the answer")
    await app.sign(template(kind=3, tags=people, created_at=now + 1))
    await asks(app, kind=3, tags=[], created_at=now + 2)
    (request,) = await waits(app, daemon)
    assert request["rule"] == "follow-list-drops"


async def test_a_reset_place_takes_events_again(start, apps):
    daemon = start()
    ahead = int(time.time()) + 800
    article = dict(kind=30023, tags=[["d", "a place"]])
    daemon.do("sign", stdin=as_json(template(**article, content="one", created_at=ahead)))
    again = as_json(template(**article, content="two", created_at=ahead))
    refused = daemon.cli("sign", stdin=again)
    assert refused.code == 1 and "reset-event" in refused.err + refused.out
    name = daemon.do("identity", "list")["identities"][0]["name"]
    assert daemon.cli("identity", "reset-event", name, "30023", "elsewhere").code == 5
    assert daemon.cli("identity", "reset-event", name, "1").code == 2
    assert daemon.do("identity", "reset-event", name, "30023", "a place")["reset"] is True
    assert daemon.do("sign", stdin=again)["content"] == "two"
    assert any(entry["entry"] == "identityChanged" and "reset" in entry["rule"] for entry in daemon.log_entries())


async def test_a_relay_of_the_apps_own_link_is_not_known(start, scripted_relay, apps):
    daemon = start()
    app = await apps(App.open([scripted_relay.url]))
    await asyncio.to_thread(daemon.accept, nostrconnect(app.key.public, [scripted_relay.url], "the-secret"), "medium")
    await eventually(lambda: app.replies, "an answer to the link")
    app.signer = app.replies[0].event["pubkey"]
    await asks(app, kind=22242, tags=[["relay", scripted_relay.url], ["challenge", "c"]])
    (request,) = await waits(app, daemon)
    assert request["rule"] == "relay-login"
    login = template(kind=22242, tags=[["relay", daemon.relay], ["challenge", "c"]])
    assert (await app.sign(login))["kind"] == 22242


async def test_the_rules_are_shown_for_every_kind(shared):
    shown = shared.do("policy", "show")
    kinds = {kind: row for row in shown["kinds"] for kind in range(row["first"], row["last"] + 1)}
    for kind in (62, 9321, 10019, 23194, 24133, 8041):
        assert [kinds[kind][trust] for trust in ("full", "medium", "low")] == ["ask"] * 3
    for kind in USUAL:
        assert kinds[kind]["medium"] == "allow"
    assert {"money", "destruction", "key-handling", "login", "list", "profile", "ordinary"} == {row["effect"] for row in shown["kinds"]}
    ahead = next(row for row in shown["defaults"] if row["what"] == "anything dated ahead")
    assert [ahead[trust]["verdict"] for trust in ("full", "medium", "low")] == ["ask"] * 3
