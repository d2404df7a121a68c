"""Relays that fail: dropped connections, refusals, AUTH, CLOSED, NOTICE, slow answers."""

from __future__ import annotations

import json
import urllib.request

import pytest
import pytest_asyncio

from harness.app import App
from harness.daemon import run
from harness.waiting import eventually
from reference.events import as_json, template
from reference.keys import Key
from reference.links import nostrconnect


@pytest.fixture
def listening(start, scripted_relay):
    return start(relays=(scripted_relay.url,), embedded=False)


@pytest_asyncio.fixture
async def app(listening, apps):
    return await apps(App.paired(listening.pair()))


async def comes_back(app: App, relay, apps) -> App:
    """The same app on a new connection, once the daemon listens again."""
    await eventually(lambda: relay.listens_for(app.signer), "the daemon subscribed again")
    return await apps(App.open([relay.url], app.signer, app.key))


async def test_a_relay_that_drops_while_the_answer_is_sent(app, scripted_relay, apps):
    scripted_relay.keeps_ephemeral_events = True
    scripted_relay.hang_up_on(app.signer)
    id = await app.send("sign_event", [as_json(template(content="kept"))])
    again = await comes_back(app, scripted_relay, apps)
    reply = await again.reply(id, 30)
    assert reply.result


async def test_a_relay_that_drops_everybody_is_joined_again(app, scripted_relay, apps):
    for _ in range(3):
        scripted_relay.drop_everyone()
        app = await comes_back(app, scripted_relay, apps)
        assert await app.result("ping") == "pong"


async def test_a_relay_that_was_down_at_start_is_joined_when_it_comes(start, scripted_relay, apps):
    url = scripted_relay.url
    scripted_relay.go_down()
    daemon = start(relays=(url,))
    link = daemon.pair()
    scripted_relay.come_back()
    await eventually(lambda: scripted_relay.listens_for(link.signer), "the daemon joined")
    app = await apps(App.open([url], link.signer))
    assert await app.result("connect", link.signer, link.secret) == "ack"


async def test_a_link_is_shown_when_its_relay_listens_for_it(listening, scripted_relay, apps):
    """An app sends its request the moment it has the link, and the relay keeps none."""
    scripted_relay.subscription_delay = 0.7
    link = listening.pair()
    assert scripted_relay.listens_for(link.signer)
    app = await apps(App.by_link(link))
    assert await app.result("connect", link.signer, link.secret) == "ack"


def test_the_first_link_is_shown_when_its_relay_listens_for_it(start, scripted_relay):
    scripted_relay.subscription_delay = 0.7
    assert scripted_relay.listens_for(start(relays=(scripted_relay.url,), embedded=False).link.signer)


def test_a_link_whose_relays_are_away_or_silent_is_shown_and_says_so(start, scripted_relay):
    silent, away = scripted_relay.url, "ws://127.0.0.1:1"
    daemon = start(relays=(silent, away))
    assert any(away in remark for remark in daemon.ready["remarks"])
    scripted_relay.ignores_subscriptions = True
    link = daemon.do("pair")
    assert set(link["unreached"]) == {silent, away}
    said = run("pair", "--home", str(daemon.home.path)).err
    assert "Until it is, apps get no answer there" in said and away in said


async def test_a_relay_that_goes_down_and_comes_back(app, scripted_relay, apps):
    scripted_relay.go_down()
    scripted_relay.come_back()
    app = await comes_back(app, scripted_relay, apps)
    assert await app.result("ping") == "pong"


async def test_one_dead_relay_does_not_delay_the_others(start, scripted_relays, apps):
    living, dead = scripted_relays(2)
    daemon = start(relays=(living.url, dead.url), embedded=False)
    app = await apps(App.paired(daemon.pair()))
    dead.go_down()
    assert await app.result("ping") == "pong"
    dead.come_back()


async def test_a_relay_that_demands_auth(start, scripted_relay):
    scripted_relay.requires_auth = True
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    link = daemon.pair()
    await eventually(lambda: scripted_relay.listens_for(link.signer), "the daemon signed in and subscribed")
    assert daemon.user not in {event["pubkey"] for event in scripted_relay.auth_events}, "never with the user's key"
    relays = [tag[1] for event in scripted_relay.auth_events for tag in event["tags"] if tag[0] == "relay"]
    assert {url.rstrip("/") for url in relays} == {scripted_relay.url}


async def test_a_relay_that_demands_auth_later(app, scripted_relay, apps):
    scripted_relay.requires_auth = True
    scripted_relay.drop_everyone()
    await eventually(lambda: scripted_relay.listens_for(app.signer), "the daemon signed in and subscribed")


async def test_a_closed_subscription_is_opened_again(app, scripted_relay):
    scripted_relay.close_subscriptions("error: shutting down idle subscription")
    await eventually(lambda: scripted_relay.listens_for(app.signer), "the daemon subscribed again")


async def test_notices_harm_nothing(app, scripted_relay):
    for text in ("hello", "ERROR: bad req", "", "x" * 10_000, "\x1b[31mred\x07"):
        scripted_relay.say("NOTICE", text)
    assert await app.result("ping") == "pong"


async def test_a_slow_ok_delays_nobody(app, scripted_relay):
    scripted_relay.ok_delay = 3
    ids = [app.request("ping", []) for _ in range(5)]
    for _, event in ids:
        await app.connections.each[0].send("EVENT", event)
    for id, _ in ids:
        assert (await app.reply(id, 2.5)).result == "pong"


async def test_an_answer_refused_as_rate_limited_is_sent_again(app, scripted_relay):
    scripted_relay.refuse(app.signer, "rate-limited: slow down", "rate-limited: slow down")
    assert await app.result("ping") == "pong"
    assert not scripted_relay.refusals[app.signer]


async def test_an_answer_sent_again_is_a_fresh_event(app, scripted_relay):
    scripted_relay.refuse(app.signer, "duplicate: have this event")
    id = await app.send("ping", [])
    await eventually(lambda: app.answers(id) or not scripted_relay.refusals[app.signer], "refused once")
    assert await app.result("ping") == "pong"


async def test_an_answer_sent_again_signs_nothing_twice(app, scripted_relay, listening):
    scripted_relay.refuse(app.signer, "rate-limited: slow down")
    id = await app.send("sign_event", [as_json(template(content="once"))])
    assert (await app.reply(id)).result
    await app.result("ping")
    assert len({reply.result for reply in app.answers(id)}) == 1


async def test_refusals_for_good_do_not_stop_later_answers(app, scripted_relay):
    scripted_relay.refuse(app.signer, *["blocked: not you"] * 3)
    await app.send("ping", [])
    await eventually(lambda: len(scripted_relay.refusals[app.signer]) < 3, "the answer was refused")
    scripted_relay.refusals[app.signer].clear()
    assert await app.result("ping") == "pong"


async def test_every_event_delivered_three_times_is_answered_once(app, scripted_relay):
    scripted_relay.deliveries = 3
    id = await app.send("sign_event", [as_json(template())])
    await app.reply(id)
    scripted_relay.deliveries = 1
    await app.result("ping")
    assert len({reply.event["id"] for reply in app.answers(id)}) == 1


async def test_switch_relays_is_null_when_nothing_changes(app):
    assert await app.result("switch_relays") == "null"


async def test_a_link_lists_every_relay_the_signer_listens_on(start, scripted_relay):
    daemon = start(relays=(scripted_relay.url,))
    assert {url.rstrip("/") for url in daemon.pair().relays} == {daemon.relay, scripted_relay.url}


async def test_answers_reach_the_relay_the_request_came_from(start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,))
    link = daemon.pair()
    outside = await apps(App.open([scripted_relay.url], link.signer))
    assert await outside.result("connect", link.signer, link.secret) == "ack"
    inside = await apps(App.open([daemon.relay], link.signer, outside.key))
    assert await outside.result("ping") == "pong"
    assert await inside.result("ping") == "pong"


async def test_status_names_an_app_none_of_whose_relays_can_be_reached(daemon, scripted_relay, apps):
    """The built-in relay is there all the time, so the signer has no problem of its own."""
    link = daemon.pair("full", "--relay", scripted_relay.url, "--name", "Coracle")
    await apps(App.paired(link))
    assert daemon.do("status")["unreached_apps"] == []
    scripted_relay.go_down()
    await eventually(lambda: daemon.do("status")["unreached_apps"], "the relay is away")
    (gone,) = daemon.do("status")["unreached_apps"]
    assert (gone["name"], gone["relays"]) == ("Coracle", [scripted_relay.url])
    told = run("status", "--home", str(daemon.home.path)).out
    assert "Requests of “Coracle” do not arrive: its only relay" in told and "all is well" not in told
    scripted_relay.come_back()
    await eventually(lambda: not daemon.do("status")["unreached_apps"], "the relay is back")
    assert "all is well" in run("status", "--home", str(daemon.home.path)).out


async def test_status_names_every_relay_and_its_state(listening, scripted_relay):
    (relay,) = listening.do("status")["relays"]
    assert relay["url"].rstrip("/") == scripted_relay.url and relay["state"]


@pytest.mark.parametrize("path", ["/relay", "/relay/"])
async def test_the_embedded_relay_answers_with_and_without_a_slash_at_the_end(path, shared, apps):
    """NDK puts a slash at the end of every relay's address, nostr-tools takes it away."""
    link = shared.pair()
    address = shared.relay.removesuffix("/relay") + path
    app = await apps(App.open([address], link.signer))
    assert await app.result("connect", link.signer, link.secret) == "ack"
    page = urllib.request.Request(address.replace("ws", "http", 1), headers={"Accept": "application/nostr+json"})
    with urllib.request.urlopen(page) as answer:
        assert 46 in json.load(answer)["supported_nips"]


async def test_one_relay_written_in_several_ways_is_connected_once(start, scripted_relay):
    """An app's link names the owner's relay as its library writes it."""
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    key = Key()
    slashed = scripted_relay.url.upper().replace("WS://", "ws://", 1) + "/"
    daemon.accept(nostrconnect(key.public, [slashed], "a-secret-of-the-app"))
    (relay,) = daemon.do("status")["relays"]
    assert relay["url"] == scripted_relay.url


@pytest.mark.parametrize(("names", "shown"), [((), "127.0.0.1"), (("--console-host", "localhost"), "localhost")])
def test_a_link_never_names_all_addresses(start, names, shown):
    daemon = start(listen="0.0.0.0:0", arguments=names)
    assert daemon.relay.startswith(f"ws://{shown}:")
    assert daemon.ready["console"].startswith(f"http://{shown}:")
    assert daemon.ready["this_machine_only"] is True
