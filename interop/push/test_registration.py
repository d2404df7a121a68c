"""`holdfast push register`: the signer keeps a real push proxy at what its pairings are."""

from __future__ import annotations

import base64
import http.server
import json
import random
import socket
import threading
import time

import pytest

from harness.app import App
from harness.daemon import Daemon
from harness.push_proxy import DEVICE, until
from harness.relays import free_port
from harness.waiting import PATIENCE

ENDPOINT = "https://up.example/a-path-that-nobody-may-learn"


@pytest.fixture
def device(tmp_path):
    file = tmp_path / "device"
    file.write_text(DEVICE + "\n")
    return file


@pytest.fixture
def place(tmp_path, nostr_relay):
    """The options of a proxy that can be started again at the same address."""
    port = free_port()
    where = ["--listen", f"127.0.0.1:{port}", "--public-url", f"http://127.0.0.1:{port}", "--data", str(tmp_path / "push")]
    return [*where, "--relay", nostr_relay.url, "--allow-private"]


def address(place: list[str]) -> str:
    return place[place.index("--public-url") + 1]


def register(daemon: Daemon, url: str, device) -> dict:
    return daemon.do("push", "register", "--proxy", url, "--device", str(device))


def states(daemon: Daemon) -> list[str]:
    return sorted(app["state"] for app in daemon.do("push", "status")["apps"])


def becomes(daemon: Daemon, expected: list[str], what: str, patience: float = PATIENCE) -> None:
    """Looks seldom: each look asks the proxy as well, which takes only so many requests from one address."""
    until(lambda: states(daemon) == expected, what, patience, pause=0.5)


async def paired(daemon: Daemon, apps):
    return await apps(App.paired(daemon.pair("full")))


async def test_each_app_is_registered_and_a_new_one_too(start, apps, proxies, place, device, nostr_relay):
    proxy = proxies(*place)
    daemon = start(relays=(nostr_relay.url,), embedded=False)
    await paired(daemon, apps)
    assert register(daemon, address(place), device)["proxy"] == address(place)
    becomes(daemon, ["registered"], "the first app is registered")
    assert proxy.health()["unique_pubkeys"] == 1
    await paired(daemon, apps)
    becomes(daemon, ["registered"] * 2, "the second app is registered", 30)
    assert proxy.health()["unique_pubkeys"] == 2 and proxy.metric("clients") == 2
    status = daemon.do("push", "status")
    assert status["answers"] is True and status["proxy_error"] is None
    entries = [entry for entry in daemon.log_entries() if "push proxy" in (entry.get("rule") or "")]
    assert len(entries) == 1, "the owner's act is in the log"


async def test_what_waits_survives_a_kill_and_is_done_once_the_proxy_is_there(start, home, apps, proxies, place, device, nostr_relay):
    daemon = start(relays=(nostr_relay.url,), embedded=False)
    await paired(daemon, apps)
    register(daemon, address(place), device)
    until(lambda: daemon.do("push", "status")["apps"][0]["error"], "the proxy is away")
    [app] = daemon.do("push", "status")["apps"]
    assert (app["state"], app["since"], app["error"]) == ("waiting", None, "its host cannot be reached")
    assert app["next"] <= time.time() + 60
    daemon.kill()
    proxy = proxies(*place)
    again = start(relays=(nostr_relay.url,), embedded=False)
    until(lambda: states(again) == ["registered"], "it is registered after the kill", 60)
    assert proxy.health()["unique_pubkeys"] == 1


async def test_a_request_that_was_under_way_at_a_kill_is_made_again(start, apps, proxies, place, device, nostr_relay):
    """A server takes the request and says nothing. Nobody knows then whether the proxy did it."""
    with socket.create_server(("127.0.0.1", int(address(place).rpartition(":")[2]))) as silent:
        daemon = start(relays=(nostr_relay.url,), embedded=False)
        await paired(daemon, apps)
        register(daemon, address(place), device)
        connection, _ = silent.accept()
        assert b"POST /register " in connection.recv(65536)
        daemon.kill()
        connection.close()
    proxy = proxies(*place)
    again = start(relays=(nostr_relay.url,), embedded=False)
    until(lambda: states(again) == ["registered"], "it is registered after the kill", 60)
    assert proxy.health()["unique_pubkeys"] == 1


class Recorder(http.server.BaseHTTPRequestHandler):
    """A proxy that keeps connections open, and notes which request came over which."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        event = json.loads(base64.b64decode(self.headers["authorization"].removeprefix("Nostr ")))
        self.server.seen.append((self.client_address, event["pubkey"], self.path, json.loads(body), dict(self.headers)))
        answer = b'{"ok":true}'
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_) -> None: ...


async def test_each_request_has_a_connection_of_its_own_and_names_one_key(start, apps, device, nostr_relay):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    server.seen = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    daemon = start(relays=(nostr_relay.url,), embedded=False)
    for _ in range(3):
        await paired(daemon, apps)
    register(daemon, f"http://127.0.0.1:{server.server_port}", device)
    until(lambda: len(server.seen) == 6, "three apps are registered", 60)
    server.shutdown()
    assert len({peer for peer, *_ in server.seen}) == 6
    signers = {app["signer"] for app in daemon.clients()}
    assert {key for _, key, *_ in server.seen} == signers
    for _, key, path, body, headers in server.seen:
        text = json.dumps([path, body, headers])
        assert not any(other in text for other in signers - {key})
        assert daemon.user not in text and "User-Agent" not in headers


async def test_no_secret_of_the_device_is_shown_or_logged(start, apps, proxies, place, tmp_path, nostr_relay):
    proxies(*place)
    daemon = start(relays=(nostr_relay.url,), embedded=False)
    await paired(daemon, apps)
    file = tmp_path / "endpoint"
    file.write_text(ENDPOINT)
    register(daemon, address(place), file)
    becomes(daemon, ["registered"], "the app is registered")
    said = json.dumps(daemon.do("push", "status")) + json.dumps(daemon.log_entries()) + daemon.printed + daemon.errors
    assert "up.example" in said and "a-path-that-nobody-may-learn" not in said
    [limit] = [text for text in daemon.do("identity", "receipt")["limits"] if "push proxy" in text]
    assert "127.0.0.1" in limit


def test_what_is_no_proxy_or_no_device_is_refused(home, start, device, tmp_path):
    daemon = start()
    wrong = tmp_path / "wrong"
    wrong.write_text("http://a.example/x")
    for words in (
        ("--proxy", "http://push.example", "--device", str(device)),
        ("--proxy", "https://push.example/path", "--device", str(device)),
        ("--proxy", "https://push.example", "--device", str(wrong)),
        ("--device", str(device)),
        ("--proxy", "https://push.example"),
    ):
        assert daemon.cli("push", "register", *words).code == 2, words
    assert daemon.cli("push", "unregister").code == 5
    status = daemon.do("push", "status")
    assert (status["proxy"], status["answers"], status["apps"]) == (None, None, [])


@pytest.mark.slow
async def test_an_ended_app_is_forgotten_and_so_are_all_when_the_owner_says_so(start, apps, proxies, place, device, nostr_relay):
    """An end is told within a minute, at a moment left to chance."""
    proxy = proxies(*place)
    daemon = start(relays=(nostr_relay.url,), embedded=False)
    for _ in range(2):
        await paired(daemon, apps)
    register(daemon, address(place), device)
    becomes(daemon, ["registered"] * 2, "both apps are registered", 60)
    daemon.do("client", "revoke", daemon.clients()[0]["signer"], "--yes")
    assert states(daemon) == ["leaving", "registered"]
    becomes(daemon, ["registered"], "the ended app is forgotten", 90)
    assert proxy.health()["unique_pubkeys"] == 1
    daemon.do("push", "unregister")
    becomes(daemon, [], "all are forgotten", 90)
    assert proxy.health()["unique_pubkeys"] == 0 and proxy.metric("clients") == 0


@pytest.mark.slow
async def test_thirty_kills_of_signer_and_proxy_leave_the_proxy_with_what_should_be(start, apps, proxies, place, device, nostr_relay):
    """Apps come and go, and either program is killed at moments left to chance."""
    chance = random.Random(29)
    proxy = proxies(*place)
    daemon = start(relays=(nostr_relay.url,), embedded=False)
    register(daemon, address(place), device)
    for number in range(30):
        if number % 3 != 2 or not daemon.clients():
            await paired(daemon, apps)
        else:
            daemon.do("client", "revoke", daemon.clients()[0]["signer"], "--yes")
        time.sleep(chance.random() * 0.5)  # a moment left to chance
        if chance.random() < 0.7:
            daemon.kill()
            daemon = start(relays=(nostr_relay.url,), embedded=False)
        else:
            proxy.kill()
            proxy = proxies(*place)
    alive = len(daemon.clients())
    becomes(daemon, ["registered"] * alive, "the proxy has what it should have", 240)
    assert proxy.health()["unique_pubkeys"] == alive and proxy.metric("clients") == alive
