"""Web Push to endpoints on loopback. Independent libraries decrypt and check what arrives. Then hostile endpoints."""

from __future__ import annotations

import asyncio
import json
import time

import pytest

from harness import owner
from harness.app import App
from harness.push_service import Authority, Browser, PushService
from harness.waiting import eventually, until
from reference.events import as_json, is_genuine, template

CONTACT = "mailto:owner@example.com"


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path)


@pytest.fixture
def services(authority):
    """Push services: one as it should be, others with a wrong certificate or none."""
    made: list[PushService] = []

    def make(certificate: str | None = "localhost") -> PushService:
        made.append(PushService(authority.context(certificate) if certificate else None))
        return made[-1]

    yield make
    for service in made:
        service.close()


@pytest.fixture
def told(start, authority):
    """A daemon that may send to loopback."""
    return start(arguments=("--push-allow-private", "--push-ca", str(authority.file), "--push-contact", CONTACT))


def subscribe(daemon, browser: Browser, label: str = "phone") -> str:
    return owner.do(daemon.home.path, "push/subscribe", **browser.subscription, label=label)["id"]


def subscriptions(daemon) -> dict[str, dict]:
    return {entry["label"]: entry for entry in daemon.do("push", "list")["subscriptions"]}


async def ask_to_sign(app: App, content: str = "a secret draft") -> str:
    return await app.send("sign_event", [as_json(template(content=content))])


async def test_a_waiting_request_reaches_the_browser_and_says_nothing_of_itself(told, services, apps):
    service = services()
    browser = Browser(service, "/ok/1")
    subscribe(told, browser)
    app = await apps(App.paired(told.pair("low")))
    for number in range(3):
        await ask_to_sign(app, f"a secret draft {number}")
    (message,) = await eventually(lambda: service.of("/ok/1"), "the message")
    assert browser.read(message) == {"v": 1, "type": "waiting", "count": 3}
    claims = message.claims(service.origin)
    assert claims["sub"] == CONTACT and 0 < claims["exp"] - time.time() <= 86_400
    key = owner.do(told.home.path, "push/key")["key"]
    assert message.headers["authorization"].endswith(f"k={key}")
    assert message.headers["content-encoding"] == "aes128gcm" and message.headers["urgency"] == "high"
    assert message.headers["topic"] == "waiting" and int(message.headers["ttl"]) > 0
    assert not any(word in " ".join(message.headers.values()) for word in (app.key.public, told.user, "draft"))
    await eventually(lambda: subscriptions(told)["phone"]["last_ok"], "the delivery is noted")
    assert subscriptions(told)["phone"]["last_error"] is None
    assert browser.endpoint not in json.dumps(subscriptions(told)), "whoever knows the address may post to it"


async def test_messages_of_one_length_whatever_they_say(told, services, apps):
    service = services()
    browser = Browser(service, "/ok/1")
    id = subscribe(told, browser)
    told.do("push", "test", id)
    (first,) = await eventually(lambda: service.of("/ok/1"), "the test message")
    assert browser.read(first) == {"v": 1, "type": "test"}
    app = await apps(App.paired(told.pair("low")))
    await ask_to_sign(app)
    (_, second) = await eventually(lambda: len(found := service.of("/ok/1")) == 2 and found, "the message")
    assert len(first.body) == len(second.body) and first.body[:16] != second.body[:16]


def test_the_same_key_after_a_restart_and_subscriptions_stay(start, authority, services):
    arguments = ("--push-allow-private", "--push-ca", str(authority.file))
    service = services()
    daemon = start(arguments=arguments)
    browser = Browser(service, "/ok/1")
    id, key = subscribe(daemon, browser), owner.do(daemon.home.path, "push/key")["key"]
    daemon.stop()
    daemon = start(arguments=arguments)
    assert owner.do(daemon.home.path, "push/key")["key"] == key
    daemon.do("push", "test", id)
    (message,) = until(lambda: service.of("/ok/1"), "the message")
    assert message.headers["authorization"].endswith(f"k={key}")
    assert subscribe(daemon, browser, "again") == id, "one browser is one entry"
    daemon.do("push", "remove", id)
    assert subscriptions(daemon) == {}
    assert daemon.cli("push", "remove", id).code == 5
    assert daemon.cli("push", "test", id).code == 5
    kinds = [entry["entry"] for entry in daemon.log_entries()]
    assert "notificationSubscribed" in kinds and "notificationUnsubscribed" in kinds, kinds


LIES = {
    "endless": "its answer had no end",
    "headers": "its answer had no end",
    "drip": "it did not answer in time; Holdfast will try again",
    "silent": "it did not answer in time; Holdfast will try again",
    "redirect": "the push service redirects (307), and Holdfast does not follow redirects",
    "forbidden": "the push service refused it (403)",
    "busy": "the push service is busy (429); Holdfast will try again",
    "never": "the push service is busy (503)",
    "reset": "the connection broke; Holdfast will try again",
    "nohttp": "the connection broke; Holdfast will try again",
    "junk": None,
}


@pytest.mark.slow
async def test_push_endpoint_that_lies(told, services, apps):
    """All hostile endpoints at once, with one daemon. It goes on signing and needs little memory."""
    service, other, plain = services(), services("other.example"), services(None)
    for lie in LIES:
        subscribe(told, Browser(service, f"/{lie}/1"), lie)
    subscribe(told, Browser(service, "/gone/1"), "gone")
    subscribe(told, Browser(other, "/ok/1"), "another's name")
    subscribe(told, Browser(plain, "/ok/1"), "no TLS")
    low, full = await apps(App.paired(told.pair("low"))), await apps(App.paired(told.pair("full")))
    before = told.do("status")["memory_kib"]
    await ask_to_sign(low)
    expected = LIES | {
        "another's name": "its certificate is not valid for its name",
        "no TLS": "no secure connection could be made; Holdfast will try again",
    }

    def unseen() -> dict:
        """The expectations that do not hold yet."""
        found = {name: entry["last_error"] for name, entry in subscriptions(told).items()}
        return {name: error for name, error in found.items() if name == "gone" or expected[name] != error}

    signing = asyncio.get_running_loop().time()
    signed = 0
    while left := unseen():
        id = await full.send("sign_event", [as_json(template(content=f"meanwhile {signed}"))])
        assert is_genuine(json.loads((await full.reply(id)).result))
        signed += 1
        assert asyncio.get_running_loop().time() - signing < 60, left
    assert signed > 10
    assert subscriptions(told)["junk"]["last_ok"], "the text of a service's answer does not matter"
    assert service.of("/inside") == [], "a redirect is not followed"
    assert other.messages == [] and plain.messages == [], "nothing is sent to a server that the certificate does not name"
    assert told.do("status")["memory_kib"] - before < 16 * 1024
    assert told.is_running and told.stop() == 0


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "0.0.0.0", "[::1]", "2130706433", "[::ffff:127.0.0.1]"])
async def test_an_endpoint_inside_the_network_is_never_connected_to(start, authority, services, host):
    """Without --push-allow-private the address is looked at in the moment of connecting, whatever the name was."""
    daemon = start(arguments=("--push-ca", str(authority.file)))
    service = services()
    browser = Browser(service, "/ok/1")
    browser.endpoint = f"https://{host}:{service.port}/ok/1"
    try:
        id = subscribe(daemon, browser)
    except AssertionError as refusal:
        assert "not the address" in str(refusal)
        return
    daemon.do("push", "test", id)
    await eventually(lambda: subscriptions(daemon)["phone"]["last_error"], "it is noted")
    assert subscriptions(daemon)["phone"]["last_error"] == "its address is inside a private network"
    assert service.connections == 0
