"""Events around requests: forged, misaddressed, old, repeated, replayed. What is not genuine is not answered."""

from __future__ import annotations

import time

import pytest
import pytest_asyncio

from harness.app import App
from harness.waiting import eventually
from reference import nip04, nip44
from reference.events import REMOTE_SIGNING, as_json, signed, template
from reference.keys import Key


@pytest.fixture
def listening(start, scripted_relay):
    """A daemon on a relay that hands over anything, checked or not."""
    return start(relays=(scripted_relay.url,), embedded=False)


@pytest_asyncio.fixture
async def app(listening, apps):
    return await apps(App.paired(listening.pair()))


JUNK = "A" * 132

FORGERIES = {
    "a signature of another event": lambda app, event, other: {**event, "sig": other["sig"]},
    "a signature by another key": lambda app, event, other: {**event, "sig": Key().sign(bytes.fromhex(event["id"]))},
    "a signature of zeros": lambda app, event, other: {**event, "sig": "00" * 64},
    "another event's id": lambda app, event, other: {**event, "id": other["id"]},
    "an id of zeros": lambda app, event, other: {**event, "id": "00" * 32},
    "another author": lambda app, event, other: {**event, "pubkey": Key().public},
    "a changed time": lambda app, event, other: {**event, "created_at": event["created_at"] + 1},
    "a changed kind": lambda app, event, other: {**event, "kind": 24134},
    "a tag added": lambda app, event, other: {**event, "tags": event["tags"] + [["x"]]},
    "no signature": lambda app, event, other: {k: v for k, v in event.items() if k != "sig"},
    "a signature cut short": lambda app, event, other: {**event, "sig": event["sig"][:-2]},
    "content of another event": lambda app, event, other: {**event, "content": other["content"]},
    "a key that is no point": lambda app, event, other: {**event, "pubkey": "ff" * 32},
}


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_a_forged_event_is_not_answered(forgery, app, scripted_relay):
    id, event = app.request("ping", [])
    _, other = app.request("get_public_key", [])
    scripted_relay.deliver([FORGERIES[forgery](app, event, other)])
    await app.hears_nothing(id, app.result("ping"))


SHADOWS = {
    "another signature": lambda event: {**event, "sig": "00" * 64},
    "other content": lambda event: {**event, "content": JUNK},
    "another author": lambda event: {**event, "pubkey": Key().public},
}


@pytest.mark.parametrize("shadow", SHADOWS)
async def test_a_forged_copy_that_arrives_first_does_not_keep_the_genuine_event_out(shadow, app, scripted_relay):
    """Otherwise one of several relays could silence an app by sending a broken copy of each of its events first."""
    id, event = app.request("ping", [])
    scripted_relay.deliver([SHADOWS[shadow](event), event])
    assert (await app.reply(id)).result == "pong"


MISADDRESSED = {
    "somebody else": lambda app: [["p", Key().public]],
    "nobody": lambda app: [["x", "y"]],
    "an empty p tag": lambda app: [["p"]],
    "something that is no key": lambda app: [["p", "abc"]],
}


@pytest.mark.parametrize("tags", MISADDRESSED)
async def test_an_event_for_another_is_not_answered(tags, app, scripted_relay):
    id, event = app.request("ping", [], tags=MISADDRESSED[tags](app))
    scripted_relay.deliver_text(lambda name: as_json(["EVENT", name, event]), to=app.signer)
    await app.hears_nothing(id, app.result("ping"))


@pytest.mark.parametrize(
    "other",
    [lambda app: Key().public, lambda app: app.signer, lambda app: "abc"],
    ids=["somebody else", "the same key", "no key"],
)
async def test_an_event_with_two_p_tags_is_not_answered(other, app, scripted_relay):
    id, event = app.request("ping", [], tags=[["p", app.signer], ["p", other(app)]])
    scripted_relay.deliver([event])
    await app.hears_nothing(id, app.result("ping"))


async def test_other_tags_beside_the_p_tag_are_ignored(app):
    tags = [["client", "x"], ["p", app.signer, "wss://relay.example"], ["expiration", "1"], ["", ""]]
    assert (await app.call("ping", tags=tags)).result == "pong"


async def test_an_event_of_another_kind_is_not_answered(app, scripted_relay):
    content = nip44.encrypt(app.key, app.signer, as_json({"id": "k", "method": "ping", "params": []}))
    event = signed(app.key, 4, content, [["p", app.signer]])
    scripted_relay.deliver_text(lambda name: as_json(["EVENT", name, event]), to=app.signer)
    await app.hears_nothing("k", app.result("ping"))


@pytest.mark.parametrize("cipher", [nip04, nip44], ids=["nip04", "nip44"])
async def test_an_answer_comes_in_the_family_of_its_request(cipher, app):
    reply = await app.call("ping", cipher=cipher)
    assert reply.result == "pong"
    assert nip04.looks_like(reply.event["content"]) == (cipher is nip04)


async def test_both_families_are_answered_side_by_side(app):
    for cipher in (nip04, nip44, nip04, nip44):
        reply = await app.call("get_public_key", cipher=cipher)
        assert nip04.looks_like(reply.event["content"]) == (cipher is nip04)


@pytest.mark.parametrize(
    "content",
    ["", "garbage", "AgAAAA", "?iv=", "a?iv=b?iv=c", "A" * 132, "\u00e9" * 100, "#not yet known", "[]", "=" * 200],
    ids=lambda content: content[:12] or "empty",
)
async def test_garbage_content_harms_nothing(content, app, scripted_relay):
    scripted_relay.deliver([signed(app.key, REMOTE_SIGNING, content, [["p", app.signer]])])
    assert await app.result("ping") == "pong"


async def test_content_sealed_for_another_key_harms_nothing(app, scripted_relay):
    content = nip44.encrypt(app.key, Key().public, as_json({"id": "x", "method": "ping", "params": []}))
    scripted_relay.deliver([signed(app.key, REMOTE_SIGNING, content, [["p", app.signer]])])
    await app.hears_nothing("x", app.result("ping"))


@pytest.mark.parametrize("minutes", [-8, 8])
async def test_a_paired_app_with_a_wrong_clock_is_told_so_and_nothing_is_signed(minutes, shared, apps):
    app = await apps(App.paired(shared.pair()))
    created_at = int(time.time()) + minutes * 60
    error = await app.error("sign_event", as_json(template()), created_at=created_at)
    assert "clock" in error
    assert not [entry for entry in shared.log_entries("--client", app.key.public) if entry.get("signed")]


@pytest.mark.parametrize("minutes", [-8, 8])
async def test_a_new_app_with_a_wrong_clock_is_told_so_and_not_paired(minutes, shared, apps):
    link = shared.pair()
    stranger = await apps(App.by_link(link))
    created_at = int(time.time()) + minutes * 60
    assert "check the clocks" in await stranger.error("connect", link.signer, link.secret, created_at=created_at)
    assert stranger.key.public not in {client["pubkey"] for client in shared.clients()}
    assert await stranger.result("connect", link.signer, link.secret) == "ack"


async def test_an_event_of_a_wrong_time_delivered_again_and_again_is_answered_at_most_once(app, scripted_relay, listening):
    """Otherwise somebody who kept such an event could make the signer answer, and its log grow, without end."""
    id, event = app.request("ping", [], created_at=int(time.time()) + 3600)
    before = listening.do("status")["log_entries"]
    scripted_relay.deliver([event] * 50)
    await app.result("ping")
    assert len(app.answers(id)) <= 1
    assert listening.do("status")["log_entries"] - before < 10


@pytest.mark.parametrize("minutes", [-4, 4])
async def test_a_clock_four_minutes_off_is_tolerated(minutes, app, scripted_relay):
    id, event = app.request("ping", [], created_at=int(time.time()) + minutes * 60)
    scripted_relay.deliver([event])
    assert (await app.reply(id)).result == "pong"


@pytest.mark.parametrize("created_at", [-(2**63), -1, 0, 2**31, 2**53, 2**62, 2**63 - 1, 2**63, 10**30])
async def test_times_at_the_edges_of_numbers_harm_nothing(created_at, app, scripted_relay):
    id, event = app.request("ping", [], created_at=created_at)
    scripted_relay.deliver([event])
    assert await app.result("ping") == "pong"
    assert not [reply for reply in app.answers(id) if reply.result]


async def test_answers_carry_the_present_time(app):
    reply = await app.call("ping")
    assert abs(reply.event["created_at"] - time.time()) < 30


async def test_one_event_delivered_again_is_answered_once(app, scripted_relay):
    id, event = app.request("sign_event", [as_json(template())])
    scripted_relay.deliver([event] * 5)
    await app.reply(id)
    scripted_relay.deliver([event] * 5)
    await app.result("ping")
    assert len(app.answers(id)) == 1


async def test_one_event_from_three_relays_is_answered_once(start, scripted_relays, apps):
    relays = scripted_relays(3)
    daemon = start(relays=tuple(relay.url for relay in relays), embedded=False)
    link = daemon.pair()
    assert len(link.relays) == 3
    app = await apps(App.paired(link))
    id = await app.send("sign_event", [as_json(template())])
    await app.reply(id)
    await app.result("ping")
    assert len({reply.event["id"] for reply in app.answers(id)}) == 1
    signed_entries = [e for e in daemon.log_entries() if e.get("method") == "sign_event"]
    assert len({entry.get("request") or entry.get("event") for entry in signed_entries}) == 1


async def test_an_event_seen_before_a_restart_is_not_answered_after_it(start, home, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    app = await apps(App.paired(daemon.pair()))
    id, event = app.request("sign_event", [as_json(template())])
    await app.connections.publish(event)
    await app.reply(id)
    daemon.stop()
    start(relays=(scripted_relay.url,), embedded=False)
    await eventually(lambda: scripted_relay.listens_for(app.signer), "the daemon listens again")
    scripted_relay.deliver([event] * 3)
    await app.result("ping")
    assert len(app.answers(id)) == 1


async def test_a_relay_that_keeps_and_replays_everything_causes_no_second_answer(start, scripted_relay, apps):
    scripted_relay.keeps_ephemeral_events = True
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    app = await apps(App.paired(daemon.pair()))
    ids = [await app.send("sign_event", [as_json(template(content=str(n)))]) for n in range(5)]
    events = {id: (await app.reply(id)).event["id"] for id in ids}
    for _ in range(2):
        scripted_relay.drop_everyone()
        again = await apps(App.open([scripted_relay.url], app.signer, app.key))
        await eventually(lambda: scripted_relay.listens_for(app.signer), "the daemon listens again")
        await again.result("ping")
    answered = {reply.event["id"] for reply in again.replies if reply.id in ids}
    assert answered == set(events.values())


async def test_messages_that_are_no_nostr_harm_nothing(app, scripted_relay):
    for text in (
        "",
        "x",
        "[]",
        "{}",
        '["EVENT"]',
        '["EVENT",5,{}]',
        "[" * 10_000,
        '["OK"]',
        '["NOTICE",5]',
        "\x00",
        "null",
    ):
        scripted_relay.deliver_text(lambda name: text, to=app.signer)
    for event in (None, [], {}, "x", {"id": 5}, {"kind": REMOTE_SIGNING}):
        scripted_relay.deliver_text(lambda name: as_json(["EVENT", name, event]), to=app.signer)
    assert await app.result("ping") == "pong"
