"""`holdfast wake listen`: a push wakes the signer of this machine. All parts are real but the reverse proxy with TLS."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import socket
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

import http_ece
import nostr_sdk as sdk
import pytest
import websockets
from cryptography.hazmat.primitives.asymmetric import ec

from harness import rust_nostr
from harness.app import App
from harness.daemon import REPOSITORY, Home, binary
from harness.documents import blocks
from harness.push_proxy import Proxy
from harness.push_service import Authority, unbase64url
from harness.relays import RustLocalRelay
from harness.sleeper import SleepingMachine, WakeListener, proxy_arguments
from harness.waiting import PATIENCE, eventually, until
from reference.events import REMOTE_SIGNING, as_json, is_genuine, signed, template
from reference.keys import Key


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path)


@pytest.fixture
def machines(desktop, authority, closed_home):
    made: list[tuple[Home, SleepingMachine]] = []

    def make(relay: str, env: dict = desktop) -> SleepingMachine:
        home = closed_home.copied()
        made.append((home, SleepingMachine(home, env, authority, relay)))
        return made[-1][1]

    yield make
    for home, machine in made:
        machine.close()
        home.remove()


@pytest.fixture(params=["stores requests", "stores no request"])
def any_relay(request, nostr_relay):
    """rust-nostr's relay passes events of kind 24133 on and forgets them, as NIP-01 says of ephemeral ones."""
    if request.param == "stores requests":
        yield nostr_relay.url
        return
    with RustLocalRelay() as relay:
        yield relay.url


async def until_heard(proxy: Proxy, relay: str, signer: str) -> None:
    """Waits until the proxy hears what the relay passes on to the signer, by events that are dated too far ahead to wake anybody.

    A relay that stores nothing passes a request only to those who listen already.
    """
    async with asyncio.timeout(PATIENCE), websockets.connect(relay) as socket:
        while proxy.metric("events_total") == 0:
            event = signed(Key(), REMOTE_SIGNING, "", [["p", signer]], int(time.time()) + 1_800)
            await socket.send(as_json(["EVENT", event]))
            await socket.recv()
            await asyncio.sleep(0.2)


async def test_an_app_of_rust_nostr_is_answered_by_a_signer_that_sleeps(machines, proxies, any_relay, authority, tmp_path):
    proxy = proxies(*proxy_arguments(tmp_path, authority, any_relay))
    machine = machines(any_relay)
    machine.register(proxy)
    link = machine.daemon.do("pair", "--trust", "full", "--identity", "sleeper")["bunker"]
    client = rust_nostr.connect(link)
    author = await client.get_public_key_async()
    machine.sleep()
    await until_heard(proxy, any_relay, urlsplit(link).netloc)
    for number in range(3):
        unsigned = sdk.EventBuilder(sdk.Kind(1), f"asleep {number}").finalize_unsigned(author)
        event = await client.sign_event_async(unsigned)
        assert event.verify() and event.content() == f"asleep {number}" and event.author().to_hex() == author.to_hex()
    # A wake also answers what came meanwhile, so that the next one finds it taken.
    assert {wake["outcome"] for wake in machine.listener.wakes(3)} <= {"done", "seen"}


def pushed(machine: SleepingMachine, event_id: str, relay: str = "wss://elsewhere.example", signer: str = "ab" * 32) -> bytes:
    """A message that a push service sends, encrypted by an independent library."""
    keys = json.loads(machine.device.read_text())["keys"]
    payload = as_json({"relay_url": relay, "event_id": event_id, "signer_pubkey": signer}).encode()
    return http_ece.encrypt(
        payload,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=unbase64url(keys["p256dh"]),
        auth_secret=unbase64url(keys["auth"]),
        version="aes128gcm",
    )


def post(machine: SleepingMachine, body: bytes, path: str | None = None, method: str = "POST") -> int:
    path = path or "/" + json.loads(machine.device.read_text())["endpoint"].rpartition("/")[2]
    with socket.create_connection(("127.0.0.1", machine.listener.port), 20) as connection:
        head = f"{method} {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode() + body)
        return int(connection.makefile("rb").readline().split()[1])


@pytest.fixture
def machine(machines, nostr_relay):
    made = machines(nostr_relay.url)
    assert made.daemon.stop() == 0
    return made


def test_a_message_of_another_library_is_read_and_one_of_a_stranger_is_not(machine):
    name = secrets.token_hex(32)
    assert post(machine, pushed(machine, name)) == 201
    [wake] = machine.listener.wakes(1)
    assert (wake["event"], wake["outcome"], wake["over"]) == (name, "not-ours", True)
    assert post(machine, pushed(machine, name)) == 201
    assert post(machine, secrets.token_bytes(200)) == 400
    assert post(machine, b"") == 400
    assert post(machine, pushed(machine, name), path="/wake/other") == 404
    assert post(machine, b"", method="GET") == 405
    other = secrets.token_hex(32)
    assert post(machine, pushed(machine, other)) == 201
    assert [wake["event"] for wake in machine.listener.wakes(2)] == [name, other], "the repeated one woke nobody"


def test_no_secret_of_the_subscription_is_in_anybodys_log(machine):
    subscription = json.loads(machine.device.read_text())
    post(machine, pushed(machine, secrets.token_hex(32)))
    machine.listener.wakes(1)
    said = json.dumps(machine.listener.lines.all())
    path = subscription["endpoint"].rpartition("/")[2]
    assert path not in said and subscription["keys"]["auth"] not in said
    assert path not in machine.home.unlocked("log", "show").out


def test_a_killed_listener_loses_no_push(machine, tmp_path):
    """The program that it starts does not end until the test says so."""
    hold = tmp_path / "hold"
    slow = tmp_path / "slow"
    slow.write_text(f"#!/bin/sh\nwhile test -e {hold}; do sleep 0.05; done\nexit 0\n")
    slow.chmod(0o700)
    hold.touch()
    machine.listener.stop()
    machine.listener = WakeListener(machine.home, machine.env, "--program", str(slow))
    names = [secrets.token_hex(32) for _ in range(3)]
    for name in names:
        assert post(machine, pushed(machine, name)) == 201
    machine.listener.kill()
    hold.unlink()
    machine.listener = WakeListener(machine.home, machine.env, "--program", str(slow))
    assert [wake["event"] for wake in machine.listener.wakes(3)] == names
    until(lambda: not list(machine.home.path.glob("wake-*")), "nothing is left of them")


def test_one_listener_runs_for_a_vault(machine):
    done = machine.home.cli("wake", "listen", "--listen", "127.0.0.1:0")
    assert done.code == 1 and "runs for this vault, process" in done.said


def test_a_flood_of_rubbish_keeps_no_real_push_away(machine):
    for _ in range(300):
        assert post(machine, b"rubbish") == 400
    assert post(machine, pushed(machine, secrets.token_hex(32))) == 201


def test_who_floods_one_key_is_asked_to_wait_and_others_are_not(machine):
    answers = [post(machine, pushed(machine, secrets.token_hex(32))) for _ in range(100)]
    assert set(answers) == {201, 429}
    assert post(machine, pushed(machine, secrets.token_hex(32), signer="cd" * 32)) == 201


def test_the_keys_go_with_the_vault(machine):
    machine.listener.stop()
    assert (machine.home.path / "wake.key").stat().st_mode & 0o777 == 0o600
    machine.home.cli("erase", "--yes", check=True)
    assert not machine.home.path.exists()


def test_it_listens_at_a_socket_that_systemd_passes_and_ends_when_nothing_comes(machine, tmp_path):
    machine.listener.stop()
    with socket.create_server(("127.0.0.1", 0)) as passed:
        command = [binary(), "wake", "listen", "--home", machine.home.path, "--json", "--idle", "1"]
        listener = subprocess.Popen(
            ["sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', "sh", *map(str, command)],
            env=machine.env,
            close_fds=False,
            preexec_fn=lambda: os.dup2(passed.fileno(), 3),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert json.loads(listener.stdout.readline())["port"] == passed.getsockname()[1]
        with socket.create_connection(passed.getsockname(), 20) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert b" 404 " in connection.makefile("rb").readline()
        assert listener.wait(20) == 0


def test_a_subscription_needs_an_address_with_tls(home):
    for url in ("http://a.example", "https://", "https://a b", "https://a/?x", "a"):
        assert home.cli("wake", "subscription", "--public-url", url).code == 2, url
    assert home.cli("wake", "subscription").code == 2
    first, second = (home.cli("wake", "subscription", "--public-url", "https://a.example/wake", check=True).value for _ in range(2))
    assert first == second and first["endpoint"].startswith("https://a.example/wake/")


def test_the_units_are_ones_that_systemd_takes_and_hardens(tmp_path):
    for kind in ("service", "socket"):
        text = (Path(__file__).resolve().parents[2] / f"Packaging/holdfast-wake@.{kind}").read_text()
        (tmp_path / f"holdfast-wake@.{kind}").write_text(text.replace("/usr/bin/holdfast", str(binary())))
    units = [str(tmp_path / f"holdfast-wake@root.{kind}") for kind in ("socket", "service")]
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, timeout=60)
    assert (verified.returncode, verified.stderr) == (0, "")
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", units[1]], capture_output=True, text=True, timeout=60
    )
    exposure = re.search(r"exposure level.*: ([0-9.]+)", rated.stdout)
    assert exposure and float(exposure[1]) <= 3.5, rated.stdout


def test_the_drop_ins_of_the_page_give_a_second_user_a_port_and_a_credential(tmp_path):
    page = blocks(REPOSITORY / "docs/WAKE.md")
    dropped = {
        kind: next(block for block in page if block.startswith(f"[{kind.title()}]\n") and "=\n" in block) for kind in ("socket", "service")
    }
    for kind, text in dropped.items():
        unit = (REPOSITORY / f"Packaging/holdfast-wake@.{kind}").read_text()
        (tmp_path / f"holdfast-wake@.{kind}").write_text(unit.replace("/usr/bin/holdfast", str(binary())))
        (folder := tmp_path / f"holdfast-wake@root.{kind}.d").mkdir()
        (folder / "override.conf").write_text(text)
        # An empty assignment forgets what the unit of the package lists.
        lines = [line for line in text.splitlines() if "=" in line]
        assert lines[0].endswith("=") and unit.count(lines[0]) == 1 and lines[1].startswith(lines[0]) and lines[1] not in unit
    units = [str(tmp_path / f"holdfast-wake@root.{kind}") for kind in dropped]
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, timeout=60)
    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.timeout(1500)
async def test_of_a_thousand_requests_none_is_lost_though_the_proxy_is_killed(machines, proxies, nostr_relay, authority, tmp_path):
    """Ten machines asleep, a hundred requests to each in a row, each as soon as the one before is answered; the proxy dies in between."""
    arguments = proxy_arguments(tmp_path, authority, nostr_relay.url)
    proxy = proxies(*arguments)
    apps: list[App] = []
    sleepers: list[SleepingMachine] = []
    for _ in range(10):
        machine = machines(nostr_relay.url)
        machine.register(proxy)
        apps.append(await App.paired(machine.daemon.pair("full", "--identity", "sleeper")))
        machine.sleep()
        sleepers.append(machine)
    answered = 0

    async def ask(app: App) -> None:
        nonlocal answered
        for number in range(100):
            signed = json.loads(await app.result("sign_event", as_json(template(content=f"{number}"))))
            assert is_genuine(signed)
            answered += 1

    asking = [asyncio.create_task(ask(app)) for app in apps]
    for share in (200, 500, 800):
        await eventually(lambda share=share: answered >= share or any(task.done() and task.exception() for task in asking), "requests", 900)
        proxy.kill()
        proxy = proxies(*arguments)
    await asyncio.gather(*asking)
    assert answered == 1000
    wakes = [wake for machine in sleepers for wake in machine.listener.wakes()]
    print(f"{answered} answers, {len(wakes)} wakes, {sum(wake['outcome'] != 'done' for wake in wakes)} of them without an answer")
    for app in apps:
        await app.close()


@pytest.mark.parametrize(
    ("printed", "code", "said"),
    [
        ('{"outcome":"signed"}', 0, "Answered."),
        ('{"outcome":"handed-over"}', 0, "Handed to the signer that runs"),
        ('{"outcome":"unreachable"}', 1, "The relay could not be reached. It is tried again."),
        ('{"outcome":"not-taken"}', 1, "No relay confirmed the answer."),
        ('{"outcome":"in-doubt"}', 3, "Not answered, because the signer did not end properly."),
        ('{"outcome":"unknown-relay"}', 6, "No app that it can be for uses that relay."),
        ('{"outcome":"not-ours"}', 6, "It is not for an app of this vault."),
    ],
)
def test_people_are_told_what_became_of_a_push(machine, tmp_path, printed, code, said):
    machine.listener.kill()
    (program := tmp_path / "wake").write_text(f"#!/bin/sh\necho '{printed}'\nexit {code}\n")
    program.chmod(0o700)
    words = ["--home", str(machine.home.path), "--listen", f"127.0.0.1:{machine.listener.port}", "--program", program]
    listening = subprocess.Popen([binary(), "wake", "listen", *words], env=machine.env, stdout=subprocess.PIPE, text=True)
    try:
        assert "Receiving pushes" in listening.stdout.readline()
        assert post(machine, pushed(machine, secrets.token_hex(32))) == 201
        assert said in listening.stdout.readline()
    finally:
        listening.kill()
        listening.wait(20)


def test_after_a_kill_of_the_signer_the_listener_warns_once(machine, tmp_path):
    machine.listener.kill()
    (program := tmp_path / "wake").write_text('#!/bin/sh\necho \'{"outcome":"in-doubt"}\'\nexit 3\n')
    program.chmod(0o700)
    machine.listener = WakeListener(machine.home, machine.env, "--program", str(program))
    for _ in range(2):
        assert post(machine, pushed(machine, secrets.token_hex(32))) == 201
    assert [wake["outcome"] for wake in machine.listener.wakes(2)] == ["locked"] * 2
    machine.listener.stop()
    said = machine.listener.errors()
    assert said.count("The signer did not end properly. No request is answered until you unlock the vault once: holdfast up") == 1
