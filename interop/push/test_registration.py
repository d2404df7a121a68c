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
from harness.daemon import Daemon, Home, run
from harness.push_proxy import until
from harness.relays import free_port
from harness.waiting import PATIENCE

ENDPOINT = "https://up.example/a-path-that-nobody-may-learn"


@pytest.fixture
def device(tmp_path):
    file = tmp_path / "device"
    file.write_text("https://up.example/device\n")
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


def shown(home: Home, *words: str, code: int = 0) -> str:
    """What a command says to people, in one line."""
    done = run(*words, "--home", str(home.path))
    assert done.code == code, done.err
    return " ".join(done.out.split())


def status(daemon: Daemon) -> dict:
    """What `push status` says, also of a proxy that does not serve."""
    return daemon.cli("push", "status").value


def states(daemon: Daemon) -> list[str]:
    return sorted(app["state"] for app in status(daemon)["apps"])


def becomes(daemon: Daemon, expected: list[str], what: str, patience: float = PATIENCE) -> None:
    """Looks seldom: each look asks the proxy as well, which takes only so many requests from one address."""
    until(lambda: states(daemon) == expected, what, patience, pause=0.5)


def doctor(daemon: Daemon) -> dict[str, dict]:
    """The doctor's findings about push, by the name of the check."""
    return {one["check"]: one for one in daemon.home.cli("doctor").value["findings"] if one["check"].startswith("push")}


async def paired(daemon: Daemon, apps):
    return await apps(App.paired(daemon.pair("full")))


async def test_each_app_is_registered_and_a_new_one_too(start, apps, proxies, place, device, nostr_relay):
    proxy = proxies(*place)
    daemon = start(relays=(nostr_relay.url,), embedded=False)
    await paired(daemon, apps)
    assert doctor(daemon) == {}, "no proxy is named"
    assert register(daemon, address(place), device)["proxy"] == address(place)
    becomes(daemon, ["registered"], "the first app is registered")
    found = doctor(daemon)["push"]
    assert (found["verdict"], found["found"]) == ("good", f"The push proxy {address(place)} answers, and knows the key of each app.")
    assert proxy.health()["unique_pubkeys"] == 1
    await paired(daemon, apps)
    becomes(daemon, ["registered"] * 2, "the second app is registered", 30)
    assert proxy.health()["unique_pubkeys"] == 2 and proxy.metric("clients") == 2
    found = daemon.do("push", "status")
    assert found["answers"] is True and found["proxy_error"] is None
    entries = [entry for entry in daemon.log_entries() if "push proxy" in (entry.get("rule") or "")]
    assert len(entries) == 1, "the owner's act is in the log"


async def test_an_app_that_knows_only_the_signers_own_relay_is_warned_of(start, apps, proxies, place, device, nostr_relay):
    """That relay ends with the signer, so the proxy hears nothing there."""
    daemon = start(relays=(nostr_relay.url,))
    await apps(App.paired(daemon.pair("full", "--relay", nostr_relay.url)))
    assert "own relay" not in shown(daemon.home, "push", "register", "--proxy", "http://127.0.0.1:9", "--device", str(device))
    await apps(App.paired(daemon.pair("full", "--relay", daemon.relay)))
    assert sorted(app["only_own_relay"] for app in status(daemon)["apps"]) == [False, True]
    said = shown(daemon.home, "push", "status", code=1)
    assert "only the signer's own relay, which ends with the signer" in said and "pair --relay wss://…" in said
    found = doctor(daemon)
    assert found["push"]["verdict"] == "bad" and "http://127.0.0.1:9 does not serve" in found["push"]["found"]
    proxies(*place)
    register(daemon, address(place), device)
    found = doctor(daemon)
    assert found["push-relay"]["verdict"] == "warning" and "is not able to wake this device" in found["push-relay"]["found"]


async def test_a_proxy_that_does_not_serve_is_an_exit_code_and_what_is_registered_there_is_no_claim(start, apps, device, nostr_relay):
    """Nothing listens at these ports. The first proxy may have taken what it was asked, so its entries leave."""
    daemon = start(relays=(nostr_relay.url,), embedded=False)
    for _ in range(2):
        await paired(daemon, apps)
    words = ("push", "register", "--device", str(device), "--proxy")
    assert "2 apps are being registered at http://127.0.0.1:9 by the running signer." in shown(daemon.home, *words, "http://127.0.0.1:9")
    until(lambda: all(app["error"] for app in status(daemon)["apps"]), "both were tried", 30)
    said = shown(daemon.home, *words, "http://127.0.0.1:11")
    assert "2 apps are being registered at http://127.0.0.1:11 by the running signer. To see how far it is: holdfast " in said
    assert states(daemon) == ["leaving", "leaving", "waiting", "waiting"]
    assert "does not serve: its host cannot be reached" in shown(daemon.home, "push", "status", code=1)
    done = daemon.cli("push", "status")
    assert (done.code, done.value["ok"], done.value["answers"]) == (1, False, False)
    waiting = [app for app in done.value["apps"] if app["state"] == "waiting"]
    assert "127.0.0.1:9 " in shown(daemon.home, "push", "status", code=1), "the rows name their proxy"
    until(lambda: all(app["error"] for app in status(daemon)["apps"] if app["state"] == "waiting"), "the second was asked, too", 30)
    said = shown(daemon.home, "push", "unregister")
    assert len(waiting) == 2 and "The proxy never said that it registered the keys of 2 apps." in said, "not those of the first proxy"
    assert daemon.cli("push", "status").code == 0, "no proxy is named"


async def test_a_refusal_is_shown_with_the_proxys_reason_and_registering_again_asks_at_once(
    start, apps, proxies, place, tmp_path, nostr_relay
):
    """The proxy's operator forgot --allow-private. The device's push service is on this machine."""
    proxy = proxies(*[word for word in place if word != "--allow-private"])
    daemon = start(relays=(nostr_relay.url,), embedded=False)
    await paired(daemon, apps)
    file = tmp_path / "endpoint"
    file.write_text("https://localhost:24443/wake/x")
    register(daemon, address(place), file)
    until(lambda: status(daemon)["apps"][0]["error"], "the proxy refused")
    [app] = status(daemon)["apps"]
    assert app["error"].startswith('it does not take this kind of device. It says: “"token" names a push service on this machine')
    assert app["next"] > time.time() + 1_000
    proxy.kill()
    proxies(*place)
    register(daemon, address(place), file)
    becomes(daemon, ["registered"], "it is asked again at once")


def test_without_a_signer_registering_says_when_it_is_done(home, start, device):
    assert start().stop() == 0
    proof = ("--passphrase-file", str(home.passphrase_file))
    words = ("push", "register", "--proxy", "http://127.0.0.1:9", "--device", str(device))
    said = shown(home, *words, *proof)
    assert "No app is paired over a relay yet. Each one will be registered at http://127.0.0.1:9 once it is paired" in said
    assert "running signer" not in said


async def test_what_waits_survives_a_kill_and_is_done_once_the_proxy_is_there(start, home, apps, proxies, place, device, nostr_relay):
    daemon = start(relays=(nostr_relay.url,), embedded=False)
    await paired(daemon, apps)
    register(daemon, address(place), device)
    until(lambda: status(daemon)["apps"][0]["error"], "the proxy is away")
    [app] = status(daemon)["apps"]
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
    found = daemon.do("push", "status")
    assert (found["ok"], found["proxy"], found["answers"], found["apps"]) == (True, None, None, [])


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
