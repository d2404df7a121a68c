"""`holdfast-push` as its operator starts it: signers register, apps ask, and devices are woken."""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.daemon import binary, environment
from harness.push_proxy import DEVICE, PUBLIC, TOPIC, registered, request_to, until
from reference.keys import Key


def test_a_request_wakes_the_device_once_although_relays_repeat_it(proxies, arguments, scripted_relay, apple):
    proxy = proxies(*arguments)
    signer = registered(proxy, scripted_relay)
    event = request_to(signer)
    for _ in range(3):
        scripted_relay.deliver([event])
    [push] = apple.pushes(1)
    assert (push["status"], push["device"], push["headers"]["apns-topic"]) == (200, DEVICE, TOPIC)
    assert push["payload"]["event_id"] == event["id"]
    second = request_to(signer, content="another")
    scripted_relay.deliver([second])
    assert [one["payload"]["event_id"] for one in apple.pushes(2)] == [event["id"], second["id"]]


def test_figures_tell_the_proxys_own_relays_from_those_of_apps(proxies, arguments, scripted_relays):
    own, named = scripted_relays(2)
    at = arguments.index("--relay")
    proxy = proxies(*arguments[: at + 1], own.url, *arguments[at + 2 :], "--allow-private")
    signer = registered(proxy, own)
    until(lambda: proxy.labelled("own_relays", state="connected") == 1, "its own relay is heard", pause=0.3)
    proxy.do("/pair-client", signer, {"client_pubkey": Key().public, "relay_urls": [named.url]})
    until(lambda: named.listens_for(signer.public), "the app's relay is heard, too")
    own.go_down()
    until(lambda: proxy.labelled("own_relays", state="waiting") == 1, "its own relay is away", pause=0.3)
    assert proxy.labelled("own_relays", state="connected") == 0
    assert proxy.labelled("relays", state="connected") == 1


def test_a_forged_request_wakes_nobody(proxies, arguments, scripted_relay, apple):
    proxy = proxies(*arguments)
    signer = registered(proxy, scripted_relay)
    forged = {**request_to(signer), "sig": secrets.token_hex(64)}
    genuine = request_to(signer)
    scripted_relay.deliver([forged, genuine])
    assert [push["payload"]["event_id"] for push in apple.pushes(1)] == [genuine["id"]]


def test_a_relay_that_cannot_be_reached_is_said_at_once(proxies, arguments):
    """Also before anybody has registered: a misspelt address must not wait for the first wake."""
    proxy = proxies(*arguments, "--relay", "ws://127.0.0.1:9")
    until(lambda: proxy.labelled("relays", state="waiting") == 1, "it is tried", pause=0.2)
    until(lambda: proxy.labelled("relays", state="connected") == 1, "the other one is connected", pause=0.2)
    said = proxy.stop()[1]
    assert "There is no connection to ws://127.0.0.1:9" in said and "Nobody is woken for requests there." in said


def test_what_a_push_service_refuses_is_said_and_counted(proxies, arguments, scripted_relay, apple):
    """A service whose certificate nobody signed that this machine trusts."""
    proxy = proxies(*arguments, "--allow-private")
    signer = Key()
    proxy.do("/register", signer, {"token": f"https://localhost:{apple.port}/up"})
    until(lambda: scripted_relay.listens_for(signer.public), "the proxy looks for requests")
    scripted_relay.deliver([request_to(signer)])
    until(lambda: proxy.health()["webpush"]["lastFailureReason"], "it failed", pause=0.2)
    health = proxy.health()["webpush"]
    said = proxy.stop()[1]
    assert health["lastFailureReason"] in said and "A push to localhost failed: " in said


def test_after_a_restart_devices_are_woken_as_before(proxies, arguments, scripted_relay, apple):
    first = proxies(*arguments)
    signer = registered(first, scripted_relay)
    key = first.ready["application_server_key"]
    first.kill()
    second = proxies(*arguments)
    assert second.ready["application_server_key"] == key
    until(lambda: scripted_relay.listens_for(signer.public), "the second proxy looks for requests")
    scripted_relay.deliver([request_to(signer)])
    assert apple.pushes(1)[0]["device"] == DEVICE


def test_a_device_that_apple_no_longer_knows_is_forgotten(proxies, arguments, scripted_relay, apple):
    proxy = proxies(*arguments)
    gone = registered(proxy, scripted_relay, "cd" * 32)
    other = registered(proxy, scripted_relay)
    scripted_relay.deliver([request_to(other)])
    apple.pushes(1)
    time.sleep(1.1)  # Apple's time is in whole seconds here: the device must have registered before it
    apple.order("answer 410 Unregistered")
    scripted_relay.deliver([request_to(gone)])
    until(lambda: proxy.health()["unique_pubkeys"] == 1, "the device is forgotten")


def test_while_apple_takes_nothing_no_device_is_forgotten(proxies, arguments, scripted_relay, apple):
    """A wrong topic, or the service for apps in development, makes every device look unknown."""
    proxy = proxies(*arguments)
    signer = registered(proxy, scripted_relay)
    apple.order("answer 400 DeviceTokenNotForTopic 2")
    scripted_relay.deliver([request_to(signer), request_to(signer)])
    apple.pushes(2)
    until(lambda: proxy.health()["apns"]["sendFail"] == 2, "both attempts are noted")
    assert proxy.health()["unique_pubkeys"] == 1
    code, said = proxy.stop()
    assert code == 0
    assert said.count("Check that --apns-topic is the app's bundle id") == 1


def test_asked_to_end_it_sends_what_waits(proxies, arguments, scripted_relay, apple):
    proxy = proxies(*arguments)
    signer = registered(proxy, scripted_relay)
    apple.order("delay 1000")
    scripted_relay.deliver([request_to(signer)])
    until(lambda: proxy.health()["last_event_received_at"] is not None, "the request came")
    proxy.process.terminate()
    said = proxy.process.stderr.read()
    assert proxy.process.wait(30) == 0
    assert "The proxy ends. It takes no further requests" in said and "for 5 seconds at most." in said
    assert apple.pushes(1)[0]["status"] == 200


def test_many_addresses_of_one_host_leave_room_for_others(proxies, arguments, scripted_relays):
    """Paths count together, and the signer, the figures and the operator are told."""
    proxy = proxies(*arguments, "--allow-private")
    signer, (flooded, other) = Key(), scripted_relays(2)
    proxy.do("/register", signer, {"token": DEVICE})
    until(lambda: proxy.labelled("relays", state="connected") == 1, "the proxy has its own relay", pause=0.2)
    many = {"client_pubkey": Key().public, "relay_urls": [f"{flooded.url}/q0-0-{number}" for number in range(10)]}
    assert proxy.ask("/pair-client", signer, many) == (200, {"ok": True, "left_out": 7})
    until(lambda: proxy.labelled("relays", state="connected") == 4, "three of them are watched", pause=0.2)
    more = {"client_pubkey": Key().public, "relay_urls": [f"{flooded.url}/another"]}
    status, answer = proxy.ask("/pair-client", signer, more)
    assert (status, answer["error"]) == (409, "relay_limit_per_host")
    proxy.do("/pair-client", signer, {"client_pubkey": Key().public, "relay_urls": [other.url]})
    until(lambda: other.listens_for(signer.public), "a relay of another host is watched")
    assert proxy.metric("relays_declined_total") == 8
    assert proxy.stop()[1].count("(relay_limit_per_host)") == 1


def test_without_access_to_apples_service_no_apple_device_is_registered(proxies, tmp_path, scripted_relay):
    place = ["--listen", "127.0.0.1:0", "--public-url", PUBLIC, "--data", str(tmp_path / "data")]
    proxy = proxies(*place, "--relay", scripted_relay.url)
    status, answer = proxy.ask("/register", Key(), {"token": DEVICE})
    assert (status, answer["error"]) == (400, "apple_not_supported")
    proxy.do("/register", Key(), {"token": "https://push.example.com/x"})


def test_without_a_relay_it_is_ready_for_signers(proxies, tmp_path):
    proxy = proxies("--public-url", PUBLIC, "--relay", "ws://127.0.0.1:9", "--listen", "127.0.0.1:0", "--data", str(tmp_path / "data"))
    assert proxy.ready_for_signers() == (200, {"ok": True, "reason": None})


def test_killed_between_the_request_and_the_wake_it_wakes_at_its_next_start(proxies, arguments, scripted_relay, apple):
    proxy = proxies(*arguments)
    signer = registered(proxy, scripted_relay)
    apple.order("silent always")
    event = request_to(signer)
    scripted_relay.deliver([event])
    until(lambda: len(claims(arguments)) == 1, "the request is noted")
    proxy.kill()
    apple.order("speak")
    already = len(apple.pushes())
    proxies(*arguments)
    push = apple.pushes(already + 1)[-1]
    assert (push["status"], push["payload"]["event_id"]) == (200, event["id"])
    assert "event" not in push["payload"], "what was asked is not stored"


def test_after_a_proper_end_nothing_wakes_a_second_time(proxies, arguments, scripted_relay, apple):
    first = proxies(*arguments)
    signer = registered(first, scripted_relay)
    event = request_to(signer)
    scripted_relay.deliver([event])
    apple.pushes(1)
    assert first.stop()[0] == 0
    proxies(*arguments)
    until(lambda: scripted_relay.listens_for(signer.public), "the second proxy looks for requests")
    later = request_to(signer)
    scripted_relay.deliver([event, later])
    assert [push["payload"]["event_id"] for push in apple.pushes(2)] == [event["id"], later["id"]]


def claims(arguments: list[str]) -> list[tuple]:
    """The requests that the proxy has noted."""
    file = Path(arguments[arguments.index("--data") + 1]) / "push.sqlite"
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        return database.execute("SELECT request FROM claims").fetchall()


def test_options_come_from_the_environment_and_a_file(proxies, tmp_path, scripted_relay):
    file = tmp_path / "push.conf"
    file.write_text(f"# where apps reach it\npublic-url {PUBLIC}/\nrelay wss://other.example\nno-metrics\nlisten 127.0.0.1:1\n")
    proxy = proxies(
        *["--listen", "127.0.0.1:0", "--config", str(file)],
        HOLDFAST_PUSH_RELAY=scripted_relay.url,
        HOLDFAST_PUSH_DATA=str(tmp_path / "data"),
    )
    assert proxy.ready["public_url"] == PUBLIC
    assert proxy.ready["relays"] == [scripted_relay.url]
    assert proxy.ready["apns"] is False


def test_make_run_push_proves_a_wake(tmp_path):
    """With nothing but what it builds: on a fresh clone there is no other program."""
    folder = Path(__file__).resolve().parents[1]
    planned = subprocess.run(["make", "--dry-run", "run-push"], capture_output=True, text=True, cwd=folder.parent, check=True).stdout
    needed = Path(re.search(r"HOLDFAST_BINARY=(\S+)", planned)[1]).name
    assert f"Packaging/small.sh {needed}" in planned, "it builds what it needs"
    shutil.copy(Path(binary()).with_name("holdfast-push"), tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "push.prove_wake"],
        capture_output=True,
        text=True,
        env={**environment(), "PYTHONPATH": str(folder), "HOLDFAST_BINARY": str(tmp_path / needed)},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "Proved: one wake." in done.stdout
    assert '"sendOk": 1' in done.stdout and '"sessionAlive": true' in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--public-url is missing"),
        (("--public-url", "https://push.example/path"), "--public-url takes https://HOST"),
        (("--public-url", PUBLIC), "No relay is named"),
        (("--public-url", PUBLIC, "--relay", "https://relay.example"), "--relay takes an address that begins with ws://"),
        (
            ("--public-url", PUBLIC, "--relay", "ws://127.0.0.1:9", "--apns-topic", "x"),
            "Missing: --apns-key, --apns-key-id, --apns-team-id",
        ),
        (("--public-url", PUBLIC, "--relay", "ws://127.0.0.1:9", "--listen", "example.com"), "--listen takes HOST:PORT"),
        (("--wrong",), "There is no option --wrong"),
    ],
)
def test_a_wrong_command_line_is_refused_in_words(arguments, said, tmp_path):
    program = Path(binary()).with_name("holdfast-push")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment(), cwd=tmp_path, timeout=20)
    assert done.returncode == 2
    assert said in done.stderr.replace("\n", " ")
    assert list(tmp_path.iterdir()) == []


def test_the_unit_is_one_that_systemd_takes_and_hardens(tmp_path):
    unit = Path(__file__).resolve().parents[2] / "Packaging" / "holdfast-push.service"
    installed = tmp_path / unit.name
    installed.write_text(unit.read_text().replace("/usr/bin/holdfast-push", str(Path(binary()).with_name("holdfast-push"))))
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", installed], capture_output=True, text=True, timeout=60)
    assert (verified.returncode, verified.stderr) == (0, "")
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", installed], capture_output=True, text=True, timeout=60
    )
    exposure = re.search(r"exposure level.*: ([0-9.]+)", rated.stdout)
    assert exposure and float(exposure[1]) <= 2.0


@pytest.mark.parametrize(("name", "codes"), [("holdfast-push.service", "2 5"), ("holdfast.service", "2 3 5")])
def test_a_unit_is_not_restarted_when_only_a_person_can_help(name, codes):
    """A wrong option (2) or a file that is missing (5) stays so; a database that is away (1) may come back."""
    lines = (Path(__file__).resolve().parents[2] / "Packaging" / name).read_text().splitlines()
    assert "Restart=on-failure" in lines
    assert f"RestartPreventExitStatus={codes}" in lines
