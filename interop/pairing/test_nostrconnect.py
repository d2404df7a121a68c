"""Pairing by a client's `nostrconnect://` link."""

from __future__ import annotations

import asyncio
import secrets

import pytest

from harness.app import App
from harness.relays import free_port
from harness.terminal import Terminal
from harness.waiting import eventually
from reference.events import as_json, template
from reference.keys import Key
from reference.links import nostrconnect, nostrconnect_percent


async def accepted(app: App, daemon, uri: str, trust: str = "full") -> dict:
    """The owner accepts a link; returns what the command said, once the app knows its signer."""
    said = await asyncio.to_thread(daemon.accept, uri, trust)
    await eventually(lambda: app.replies, "an answer to the link")
    app.signer = app.replies[0].event["pubkey"]
    return said


@pytest.fixture
def waiting_app(shared, apps):
    async def open_app(relays=None) -> App:
        return await apps(App.open(relays or [shared.relay]))

    return open_app


async def test_the_answer_is_exactly_the_secret(shared, waiting_app):
    app = await waiting_app()
    await accepted(app, shared, nostrconnect(app.key.public, [shared.relay], "the-secret"))
    (reply,) = app.replies
    assert reply.result == "the-secret"
    assert set(reply.body) == {"id", "result"}
    assert await app.result("get_public_key") == shared.user


async def test_requests_sent_at_once_after_the_answer_are_heard(shared, waiting_app):
    app = await waiting_app()
    await accepted(app, shared, nostrconnect(app.key.public, [shared.relay], "the-secret"))
    answers = await asyncio.gather(app.result("get_public_key"), app.result("switch_relays"), app.result("ping"))
    assert answers == [shared.user, "null", "pong"]


@pytest.mark.parametrize("length", [1, 8, 64, 128])
async def test_secrets_of_any_usual_length(length, shared, waiting_app):
    app = await waiting_app()
    secret = (secrets.token_urlsafe(128))[:length]
    await accepted(app, shared, nostrconnect(app.key.public, [shared.relay], secret))
    assert app.replies[0].result == secret


async def test_a_secret_of_other_characters_comes_back_as_it_was(shared, waiting_app):
    app = await waiting_app()
    secret = "a b+c/d=&\u00e9"
    await accepted(app, shared, nostrconnect_percent(app.key.public, [shared.relay], secret))
    assert app.replies[0].result == secret


async def test_five_relays_with_one_dead(start, scripted_relays, apps):
    daemon = start()
    relays = [relay.url for relay in scripted_relays(4)] + [f"ws://127.0.0.1:{free_port()}"]
    app = await apps(App.open(relays[:4]))
    await accepted(app, daemon, nostrconnect(app.key.public, relays, "five"))
    assert app.replies[0].result == "five"
    assert await app.result("get_public_key") == daemon.user


@pytest.mark.parametrize(
    "make, name",
    [
        (nostrconnect, "My App + more"),
        (nostrconnect_percent, "My App + more"),
        (nostrconnect_percent, "caf\u00e9 \U0001f511"),
    ],
    ids=["plus", "percent", "not ASCII"],
)
async def test_names_are_decoded(make, name, shared, waiting_app):
    app = await waiting_app()
    uri = make(app.key.public, [shared.relay], "s1", name=name, url="https://a.example")
    said = await accepted(app, shared, uri)
    assert said["name"] == name
    assert name in {client["name"] for client in shared.clients() if client["pubkey"] == app.key.public}


@pytest.mark.parametrize("encoded", [True, False])
async def test_metadata_as_json_is_read(encoded, shared, waiting_app):
    app = await waiting_app()
    metadata = as_json({"name": "rust app", "url": "https://r.example/"})
    uri = nostrconnect_percent(app.key.public, [shared.relay], "s2", metadata=metadata)
    if not encoded:
        uri = nostrconnect_percent(app.key.public, [shared.relay], "s2") + "&metadata=" + metadata
    assert (await accepted(app, shared, uri))["name"] == "rust app"


async def test_empty_and_unknown_parameters_are_ignored(shared, waiting_app):
    app = await waiting_app()
    uri = nostrconnect(app.key.public, [shared.relay], "s3", perms="", name="", url="", image="", accounts="multi")
    await accepted(app, shared, uri + "&callback=https%3A%2F%2Fa.example&flag&x=")
    assert app.replies[0].result == "s3"
    assert await app.result("ping") == "pong"


async def test_scheme_and_key_in_capitals(shared, waiting_app):
    app = await waiting_app()
    uri = nostrconnect(app.key.public.upper(), [shared.relay], "s4").replace("nostrconnect", "NostrConnect")
    await accepted(app, shared, uri)
    assert app.replies[0].result == "s4"


async def test_accepting_twice_keeps_one_client(shared, waiting_app):
    app = await waiting_app()
    uri = nostrconnect(app.key.public, [shared.relay], "s5")
    await accepted(app, shared, uri)
    await asyncio.to_thread(shared.cli, "pair", uri)
    assert await app.result("get_public_key") == shared.user
    assert [client["pubkey"] for client in shared.clients()].count(app.key.public) == 1


async def test_trust_is_the_owners_not_the_links(shared, waiting_app):
    app = await waiting_app()
    uri = nostrconnect(app.key.public, [shared.relay], "s6", perms="sign_event:0,sign_event", trust="full")
    await accepted(app, shared, uri, trust="low")
    id = await app.send("sign_event", [as_json(template(kind=0, content="{}"))])
    await eventually(lambda: [r for r in shared.waiting() if r["client"]["pubkey"] == app.key.public], "the request waits")
    assert not app.answers(id)


@pytest.mark.parametrize(
    "fault",
    [
        lambda key, relay: nostrconnect(key, [relay], None),
        lambda key, relay: nostrconnect(key, [relay], ""),
        lambda key, relay: nostrconnect(key, [], "secret"),
        lambda key, relay: nostrconnect(key[:-1], [relay], "secret"),
        lambda key, relay: nostrconnect(key[:-1] + "x", [relay], "secret"),
        lambda key, relay: nostrconnect("ff" * 32, [relay], "secret"),
        lambda key, relay: nostrconnect("", [relay], "secret"),
        lambda key, relay: nostrconnect(key, ["https://not.a.relay"], "secret"),
        lambda key, relay: nostrconnect(key, ["ws://"], "secret"),
        lambda key, relay: f"nostrconnect://{key}",
        lambda key, relay: f"nostrconnect://{key}?relay=%zz&secret=a",
        lambda key, relay: "nostrconnect://",
        lambda key, relay: f"nostr-connect://{key}?relay={relay}&secret=a",
        lambda key, relay: f"nostrconnect://{key}?relay={relay}&secret=" + "a" * 100_000,
    ],
    ids=[
        "no secret",
        "empty secret",
        "no relay",
        "short key",
        "key not hex",
        "key not on the curve",
        "no key",
        "relay not ws",
        "relay without host",
        "no parameters",
        "broken escape",
        "nothing",
        "other scheme",
        "endless secret",
    ],
)
def test_malformed_links_are_refused_and_pair_nobody(fault, shared):
    before = shared.clients()
    key = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    done = shared.cli("pair", fault(key, shared.relay))
    assert done.code in (1, 2), done
    assert done.err.strip() or done.out.strip()
    assert shared.clients() == before


def test_at_a_terminal_a_link_is_described_and_asked_about_before_anything_is_stored(daemon):
    """A script is not asked: see the tests above, whose standard input is no terminal."""
    link = nostrconnect(
        Key().public,
        [daemon.relay, "wss://relay.example.com"],
        "s3cret",
        name="Rusty",
        url="https://rusty.example",
        perms="sign_event:1,sign_event:62",
    )
    refused = Terminal("pair", link, "--home", str(daemon.home.path))
    shown = refused.wait_for("Pair this app?")
    assert "Rusty" in shown and "nobody has checked this" in shown
    assert f"{daemon.relay} (yours)" in shown and "wss://relay.example.com (new)" in shown
    shown = " ".join(shown.split())
    assert "sign_event:1 (notes from this app): without asking" in shown and "sign_event:62 (" in shown and "): asks you" in shown
    refused.type("n\n")
    assert "Nothing was done." in refused.finish() and refused.code == 1
    refused.close()
    assert daemon.clients() == []
    for words, answer in ((("pair", link), "y\n"), (("pair", link, "--yes", "--trust", "low"), "")):
        terminal = Terminal(*words, "--home", str(daemon.home.path))
        if answer:
            terminal.wait_for("Pair this app?")
            terminal.type(answer)
        assert "Paired with “Rusty”" in terminal.finish() and terminal.code == 0
        terminal.close()
    (client,) = daemon.clients()
    assert client["trust"] == "low", "the same app again: its trust is the new one"
