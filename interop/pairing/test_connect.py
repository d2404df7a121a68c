"""Pairing by `bunker://` link: forms of connect, right and wrong secrets, and what is paired afterwards."""

from __future__ import annotations

import asyncio
import time

import pytest

from harness.app import App
from harness.waiting import eventually
from reference.events import as_json, template
from reference.keys import Key

DAY = 86_400
LINK_USED = "this link was used by another app: ask for a new one"
CONNECT_FIRST = "connect first: this link is not used yet"
NO_LONGER_PAIRED = "no longer paired: connect again with a new link"
PERMS = "sign_event:1,nip44_encrypt"
METADATA = as_json({"name": "An app", "url": "https://app.example", "image": "https://app.example/i.png"})


@pytest.mark.parametrize(
    "shape",
    [
        lambda d, link: [link.signer, link.secret],
        lambda d, link: [d.user, link.secret],
        lambda d, link: ["", link.secret],
        lambda d, link: [link.signer, link.secret, ""],
        lambda d, link: [link.signer, link.secret, PERMS],
        lambda d, link: [link.signer, link.secret, "", METADATA],
        lambda d, link: [link.signer, link.secret, PERMS, METADATA],
        lambda d, link: [link.signer, link.secret, PERMS, "not json"],
        lambda d, link: [link.signer, link.secret, "no such perm,sign_event:x,:::", ""],
        lambda d, link: [Key().public, link.secret],
        lambda d, link: [link.signer, link.secret, "", "", "a fifth"],
    ],
    ids=[
        "signer, secret",
        "user, secret",
        "empty, secret",
        "empty perms",
        "perms",
        "metadata",
        "perms, metadata",
        "metadata that is not JSON",
        "unknown perms",
        "some other key, secret",
        "five parameters",
    ],
)
async def test_a_right_secret_pairs_whatever_surrounds_it(shape, shared, apps):
    link = shared.pair("full")
    app = await apps(App.by_link(link))
    assert await app.result("connect", *shape(shared, link)) == "ack"
    assert await app.result("get_public_key") == shared.user


@pytest.mark.parametrize(
    "shape",
    [
        lambda link: [],
        lambda link: [""],
        lambda link: [link.signer],
        lambda link: [link.signer, ""],
        lambda link: [link.signer, "", PERMS],
        lambda link: [link.signer, "", PERMS, METADATA],
        lambda link: [link.signer, PERMS],
        lambda link: [link.signer, "wrong-secret"],
        lambda link: [link.signer, link.secret[:-1]],
        lambda link: [link.signer, link.secret + "x"],
        lambda link: [link.signer, link.secret.swapcase() + "-"],
        lambda link: [link.secret, link.signer],
    ],
    ids=[
        "nothing",
        "empty",
        "signer only",
        "empty secret",
        "empty secret, perms",
        "empty secret, perms, metadata",
        "perms in the place of the secret",
        "another secret",
        "secret cut short",
        "secret with a tail",
        "secret in other case",
        "secret in the wrong place",
    ],
)
async def test_a_wrong_or_missing_secret_from_a_stranger_gets_an_error(shape, shared, apps):
    link = shared.pair("full")
    app = await apps(App.by_link(link))
    await app.error("connect", *shape(link))
    assert app.key.public not in {client["pubkey"] for client in shared.clients()}
    owner = await apps(App.paired(link))
    assert await owner.result("get_public_key") == shared.user, "the link is still good for its owner"


async def test_an_error_does_not_repeat_the_secret(shared, apps):
    link = shared.pair()
    app = await apps(App.by_link(link))
    assert "wrong-secret-canary" not in await app.error("connect", link.signer, "wrong-secret-canary")


async def test_a_second_app_on_a_used_link_is_told_so_once_a_minute(shared, apps):
    link = shared.pair()
    owner = await apps(App.paired(link))
    thief = await apps(App.by_link(link))
    assert await thief.error("connect", link.signer, link.secret) == LINK_USED
    id = await thief.send("connect", [link.signer, link.secret])
    await thief.hears_nothing(id, owner.result("ping"))
    assert thief.key.public not in {client["pubkey"] for client in shared.clients()}


async def test_an_expired_link_is_refused_in_words(clock, start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False, env=clock.environment)
    link = daemon.pair()
    clock.set(2 * DAY)
    app = await apps(App.by_link(link))
    reply = await app.call("connect", link.signer, link.secret, created_at=int(time.time()) + 2 * DAY)
    assert "expired" in reply.error
    assert daemon.clients() == []


async def test_of_two_clients_racing_for_one_secret_exactly_one_wins(shared, apps):
    for _ in range(5):
        link = shared.pair()
        racers = [await apps(App.by_link(link)) for _ in range(2)]
        requests = [racer.request("connect", [link.signer, link.secret]) for racer in racers]
        await asyncio.gather(*(racer.connections.publish(event) for racer, (_, event) in zip(racers, requests, strict=True)))
        await eventually(lambda: all(r.answers(id) for r, (id, _) in zip(racers, requests, strict=True)), "both are answered")
        won = [any(reply.result == "ack" for reply in r.answers(id)) for r, (id, _) in zip(racers, requests, strict=True)]
        winner, loser = racers[won.index(True)], racers[1 - won.index(True)]
        assert await winner.result("get_public_key") == shared.user
        paired = {client["pubkey"] for client in shared.clients()}
        assert winner.key.public in paired and loser.key.public not in paired
        (lost, _) = requests[racers.index(loser)]
        assert (await loser.reply(lost)).error == LINK_USED


async def test_one_secret_sent_twice_at_once_by_one_client_pairs_it_once(shared, apps):
    link = shared.pair()
    app = await apps(App.by_link(link))
    ids = [await app.send("connect", [link.signer, link.secret]) for _ in range(2)]
    await eventually(lambda: any(app.answers(id) for id in ids), "one of them is answered")
    assert all(reply.result == "ack" for reply in app.replies)
    assert await app.result("connect", link.signer, link.secret) == "ack"
    mine = [client for client in shared.clients() if client["pubkey"] == app.key.public]
    assert len(mine) == 1


@pytest.mark.parametrize(
    "secret",
    [lambda link: [link.secret], lambda link: [""], lambda link: [], lambda link: ["wrong"]],
    ids=["spent secret", "empty secret", "no secret", "wrong secret"],
)
async def test_a_paired_client_connects_again_without_a_fresh_secret(secret, shared, apps):
    link = shared.pair()
    app = await apps(App.paired(link))
    assert await app.result("connect", link.signer, *secret(link)) == "ack"
    assert await app.result("get_public_key") == shared.user


async def test_connecting_again_keeps_the_grants(shared, apps):
    link = shared.pair("full")
    app = await apps(App.paired(link))
    await app.result("connect", link.signer, link.secret, "get_public_key")
    assert (await app.sign(template()))["pubkey"] == shared.user


async def test_requested_permissions_do_not_widen_a_low_trust_link(shared, apps):
    link = shared.pair("low")
    app = await apps(App.by_link(link))
    assert await app.result("connect", link.signer, link.secret, "sign_event,nip44_decrypt") == "ack"
    id = await app.send("sign_event", [as_json(template())])
    await eventually(lambda: [r for r in shared.waiting() if r["client"]["pubkey"] == app.key.public], "the request waits")
    assert not app.answers(id)


async def test_every_link_has_a_remote_signer_key_of_its_own(shared):
    links = [shared.pair() for _ in range(3)]
    keys = {link.signer for link in links}
    assert len(keys) == 3
    assert shared.user not in keys
    assert len({link.secret for link in links}) == 3


async def test_answers_come_from_the_key_in_the_link(shared, apps):
    link = shared.pair()
    app = await apps(App.paired(link))
    await app.result("ping")
    assert {reply.event["pubkey"] for reply in app.replies} == {link.signer}
    assert all(["p", app.key.public] in reply.event["tags"] for reply in app.replies)


async def test_one_client_cannot_use_the_key_of_anothers_pairing(shared, apps):
    owner = await apps(App.paired(shared.pair()))
    other = await apps(App.paired(shared.pair()))
    other.signer = owner.signer
    assert await other.error("get_public_key") == LINK_USED


METHODS = ("ping", "get_public_key", "sign_event", "nip44_decrypt", "switch_relays", "logout", "describe", "x")


async def test_a_stranger_on_an_open_link_is_told_to_connect_first(shared, apps):
    stranger = await apps(App.by_link(shared.pair()))
    for method in METHODS:
        assert await stranger.error(method) == CONNECT_FIRST


@pytest.mark.parametrize("method", METHODS)
async def test_a_stranger_on_a_used_link_gets_nothing_but_an_error(method, shared, apps):
    link = shared.pair("full")
    owner = await apps(App.paired(link))
    stranger = await apps(App.by_link(link))
    assert await stranger.error(method, as_json(template())) == LINK_USED
    assert await owner.result("ping") == "pong"


async def test_the_link_survives_the_strictest_parser(shared):
    link = shared.pair()
    assert link.secret and len(link.secret) >= 16
    assert set(link.secret) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    assert not (len(link.secret) == 64 and set(link.secret) <= set("0123456789abcdef"))
    assert link.relays == [shared.relay]


async def test_the_link_printed_at_start_pairs_with_medium_trust(daemon, apps):
    app = await apps(App.paired(daemon.link))
    assert (await app.sign(template(kind=1)))["kind"] == 1
    id = await app.send("sign_event", [as_json(template(kind=0, content="{}"))])
    await eventually(daemon.waiting, "a profile change waits under medium trust")
    assert not app.answers(id)


@pytest.mark.parametrize("level", ["full", "low"])
async def test_the_link_printed_at_start_pairs_with_the_trust_asked_for(level, start, apps):
    daemon = start(trust=level)
    app = await apps(App.paired(daemon.link))
    (client,) = daemon.clients()
    assert (client["pubkey"], client["trust"]) == (app.key.public, level)


async def test_logout_is_acknowledged_and_ends_the_pairing(shared, apps):
    app = await apps(App.paired(shared.pair()))
    assert await app.result("logout") == "ack"
    await eventually(lambda: app.key.public not in {c["pubkey"] for c in shared.clients()}, "the client is gone")
    assert await app.error("get_public_key") == NO_LONGER_PAIRED


async def test_a_client_that_logged_out_pairs_again_with_a_new_link_only(shared, apps):
    link = shared.pair()
    app = await apps(App.paired(link))
    await app.result("logout")
    await eventually(lambda: app.key.public not in {c["pubkey"] for c in shared.clients()}, "the client is gone")
    assert await app.error("connect", link.signer, link.secret) == NO_LONGER_PAIRED
    again = await apps(App.paired(shared.pair(), key=app.key))
    assert await again.result("get_public_key") == shared.user
    assert await app.error("ping") == NO_LONGER_PAIRED, "the old key stays ended"


async def test_a_revoked_client_is_told_so(shared, apps):
    link = shared.pair()
    app = await apps(App.paired(link))
    stranger = await apps(App.by_link(link))
    shared.do("client", "revoke", app.key.public, "--yes")
    for method in METHODS:
        assert await app.error(method) == NO_LONGER_PAIRED
    assert await stranger.error("connect", link.signer, link.secret) == LINK_USED


async def test_what_waits_is_told_that_its_app_was_revoked(shared, apps):
    app = await apps(App.paired(shared.pair("low")))
    id = await app.send("sign_event", [as_json(template())])
    await eventually(lambda: [r for r in shared.waiting() if r["client"]["pubkey"] == app.key.public], "the request waits")
    shared.do("client", "revoke", app.key.public, "--yes")
    assert (await app.reply(id)).body == {"id": id, "result": None, "error": NO_LONGER_PAIRED}
