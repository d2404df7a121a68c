"""`holdfast-push` as its operator starts it: signers register, apps ask, and devices are woken."""

from __future__ import annotations

import contextlib
import re
import secrets
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.daemon import binary, environment
from harness.push_proxy import DEVICE, PUBLIC, TOPIC, registered, request_to, until


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


def test_a_forged_request_wakes_nobody(proxies, arguments, scripted_relay, apple):
    proxy = proxies(*arguments)
    signer = registered(proxy, scripted_relay)
    forged = {**request_to(signer), "sig": secrets.token_hex(64)}
    genuine = request_to(signer)
    scripted_relay.deliver([forged, genuine])
    assert [push["payload"]["event_id"] for push in apple.pushes(1)] == [genuine["id"]]


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
    assert proxy.stop() == (0, "")
    assert apple.pushes(1)[0]["status"] == 200


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


def test_make_run_push_proves_a_wake():
    folder = Path(__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "push.prove_wake"],
        capture_output=True,
        text=True,
        env={**environment(), "PYTHONPATH": str(folder), "HOLDFAST_BINARY": str(binary())},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "Proved: one wake." in done.stdout


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
