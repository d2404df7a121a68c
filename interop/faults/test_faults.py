"""Faults around the daemon: kill -9 under load, a full disk, clocks that jump, readers that never read."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import time

import pytest
import pytest_asyncio
import websockets

from harness.app import App, SignerSaid
from harness.daemon import Daemon, Home
from harness.measures import open_files, resident_kib
from harness.small_disk import fill, mounted
from harness.waiting import PATIENCE, eventually, until
from reference.events import as_json, is_genuine, template

ROUNDS = 50


@pytest.fixture
def listening(start, scripted_relay):
    return start(relays=(scripted_relay.url,), embedded=False)


@pytest_asyncio.fixture
async def app(listening, apps):
    return await apps(App.paired(listening.pair()))


# kill -9


class Load:
    """Apps that keep asking for signatures. It remembers their requests and answers."""

    def __init__(self, apps: list[App]):
        self.apps = apps
        self.asked: dict[str, dict] = {}
        self._tasks: list[asyncio.Task] = []

    def begin(self) -> None:
        self._tasks = [asyncio.create_task(self._ask(app)) for app in self.apps]

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _ask(self, app: App) -> None:
        while True:
            id, event = app.request("sign_event", [as_json(template(content=f"{len(self.asked)}"))])
            id = f"{app.key.public[:8]}/{id}"
            self.asked[id] = event
            await app.connections.publish(event)
            await asyncio.sleep(0.004)  # the pace of the load, not a wait for something

    def answered(self) -> dict[str, list[dict]]:
        """Signed events by the id of the request event that asked for them."""
        answers: dict[str, list[dict]] = {}
        for app in self.apps:
            for reply in app.replies:
                request = self.asked.get(f"{app.key.public[:8]}/{reply.id}")
                if request and reply.result:
                    answers.setdefault(request["id"], []).append(json.loads(reply.result))
        return answers


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_kill_9_at_fifty_random_moments_loses_no_record_and_signs_nothing_twice(start, scripted_relay, apps):
    seed = int(os.environ.get("INTEROP_SEED", time.time_ns() % 1_000_000))
    print(f"INTEROP_SEED={seed}")
    chance = random.Random(seed)
    options = {"relays": (scripted_relay.url,), "embedded": False}
    daemon = start(**options)
    load = Load([await apps(App.paired(daemon.pair())) for _ in range(4)])
    before: list[dict] = []
    for _ in range(ROUNDS):
        load.begin()
        await asyncio.sleep(chance.uniform(0, 0.15))  # a random moment, not a wait for something
        daemon.kill()
        await load.end()
        daemon = await asyncio.to_thread(start, **options)
        await eventually(lambda: all(scripted_relay.listens_for(a.signer) for a in load.apps), "it listens again")
        latest = list(load.asked.values())[-200:]
        await asyncio.to_thread(scripted_relay.deliver, latest + before)
        before = chance.sample(latest, min(20, len(latest)))
    await asyncio.gather(*(app.result("ping") for app in load.apps))
    assert_every_answer_is_recorded_once(load, daemon)


def assert_every_answer_is_recorded_once(load: Load, daemon: Daemon) -> None:
    assert daemon.do("log", "verify")["ok"] is True
    entries = daemon.log_entries("--limit", "100000")
    decided, signed = [], {}
    for entry in entries:
        if entry.get("decision"):
            decided.append(entry["request"])
        if entry.get("signed"):
            signed.setdefault(entry["request"], set()).add(entry["signed"])
    answers = load.answered()
    assert len(answers) > ROUNDS, "the load was real"
    for request, events in answers.items():
        assert all(is_genuine(event) for event in events)
        assert len({event["id"] for event in events}) == 1, "one request, one signature"
        assert request in decided, "an answered request has its record"
        assert signed.get(request) == {events[0]["id"]}, "a signature is in the log before its answer is sent"
    assert all(len(ids) == 1 for ids in signed.values()), "no request was signed twice"
    assert len(decided) == len(set(decided)), "no request was decided twice"


# A full disk


@pytest.fixture
def small_disk(closed_home):
    """A home on a file system of 8 MiB."""
    home = Home()
    home.path.mkdir(mode=0o700)
    with mounted(home.path, "8m"):
        subprocess.run(["cp", "-a", f"{closed_home.path}/.", str(home.path)], check=True)
        yield home
    home.remove()


async def test_a_full_disk_stops_signing_with_a_clear_error_and_space_brings_it_back(small_disk, start, apps):
    daemon = start(of=small_disk)
    app = await apps(App.paired(daemon.pair()))
    await app.sign(template(content="before"))
    ballast = fill(small_disk.path)
    refusals = []
    for n in range(200):  # what is already allocated may still take some entries
        try:
            await app.sign(template(content=f"full {n}"))
        except SignerSaid as refusal:
            refusals.append(str(refusal))
            break
    assert refusals, "nothing may be signed without a record"
    done = daemon.cli("identity", "create", "bob")
    assert done.code == 1 and re.search("space|disk|full|written", done.said)
    assert daemon.is_running
    ballast.unlink()
    assert (await app.sign(template(content="after")))["content"] == "after"
    assert daemon.do("log", "verify")["ok"] is True
    daemon.stop()
    again = start(of=small_disk)
    assert again.do("log", "verify")["ok"] is True
    assert [identity["name"] for identity in again.do("identity", "list")["identities"]] == ["alice"]


async def test_a_pairing_that_cannot_be_stored_is_refused_and_its_link_stays_good(small_disk, start, apps):
    daemon = start(of=small_disk)
    link = daemon.pair()
    app = await apps(App.by_link(link))
    ballast = fill(small_disk.path)
    await app.error("connect", link.signer, link.secret)
    ballast.unlink()
    assert await app.result("connect", link.signer, link.secret) == "ack"


# Clocks


@pytest.mark.parametrize("jump", [3600, -3600, 86_400 * 365, -86_400 * 365], ids=["hour", "-hour", "year", "-year"])
async def test_a_clock_that_jumps_and_comes_back(jump, clock, start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False, env=clock.environment)
    app = await apps(App.paired(daemon.pair()))
    other = await apps(App.paired(daemon.pair()))
    assert await app.sign(template())
    id, event = app.request("sign_event", [as_json(template(content="seen before the jump"))])
    await app.connections.publish(event)
    await app.reply(id)
    clock.set(jump)
    if jump > 0:
        assert await other.result("ping", created_at=int(time.time()) + jump) == "pong"
    else:
        assert "clock" in await other.error("ping")
    clock.set(0)
    await eventually_answers(app)
    scripted_relay.deliver([event])
    await app.result("ping")
    assert len(app.answers(id)) == 1, "a clock that jumps does not make a replay possible"
    assert daemon.do("log", "verify")["ok"] is True


async def test_a_signer_started_with_a_clock_ahead_hears_its_apps_once_the_clock_is_right(clock, start, scripted_relay, apps):
    """It subscribed to events after a time in the future, so it has to subscribe again."""
    clock.set(3600)
    daemon = start(relays=(scripted_relay.url,), embedded=False, env=clock.environment)
    link = daemon.pair()
    clock.set(0)
    app = await apps(App.by_link(link))
    await eventually_answers(app, "connect", link.signer, link.secret)


async def eventually_answers(app: App, method: str = "ping", *params: str) -> None:
    for _ in range(10):
        try:
            id = await app.send(method, list(params))
            await app.reply(id, 2)
            return
        except AssertionError:
            continue
    raise AssertionError("the daemon answers again once its clock is right")


async def test_a_waiting_request_survives_a_clock_that_jumps(clock, start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False, env=clock.environment)
    app = await apps(App.paired(daemon.pair("low")))
    id = await app.send("sign_event", [as_json(template())])
    (request,) = await eventually(daemon.waiting, "the request waits")
    clock.set(-3600)
    assert [waiting["id"] for waiting in daemon.waiting()] == [request["id"]]
    clock.set(0)
    daemon.do("request", "approve", request["id"])
    assert (await app.reply(id)).result


async def test_a_start_with_a_clock_in_the_past_still_refuses_what_was_answered(clock, start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    app = await apps(App.paired(daemon.pair()))
    id, event = app.request("sign_event", [as_json(template())])
    await app.connections.publish(event)
    await app.reply(id)
    daemon.stop()
    clock.set(-120)
    start(relays=(scripted_relay.url,), embedded=False, env=clock.environment)
    await eventually(lambda: scripted_relay.listens_for(app.signer), "the daemon listens again")
    scripted_relay.deliver([event])
    await app.result("ping")
    assert len(app.answers(id)) == 1


# Readers that never read


async def test_a_client_that_never_reads_costs_bounded_memory_and_delays_nobody(daemon, apps):
    good = await apps(App.paired(daemon.pair()))
    deaf = await apps(App.paired(daemon.pair()))
    before = resident_kib(daemon.pid)
    socket = deaf.connections.each[0].socket
    socket.transport.pause_reading()
    text = "x" * 16_000
    for _ in range(1500):
        _, event = deaf.request("nip44_encrypt", [good.key.public, text])
        message = as_json(["EVENT", event])
        try:
            await asyncio.wait_for(socket.send(message), 1)
        except (TimeoutError, OSError, websockets.ConnectionClosed):
            break  # slowed down or closed: both are right
    assert await good.result("ping") == "pong"
    assert (await good.sign(template()))["kind"] == 1
    assert resident_kib(daemon.pid) - before < 64 * 1024
    assert daemon.is_running


async def test_many_connections_that_say_nothing_are_bounded_and_let_go(daemon, apps):
    good = await apps(App.paired(daemon.pair()))
    host, port = "127.0.0.1", int(daemon.relay.split(":")[2].split("/")[0])
    before = open_files(daemon.pid)
    idle = [await asyncio.open_connection(host, port) for _ in range(300)]
    assert await good.result("ping") == "pong"
    for _, writer in idle:
        writer.close()
    await eventually(lambda: open_files(daemon.pid) <= before + 5, "closed connections are let go", PATIENCE)
    assert await good.result("ping") == "pong"


@pytest.mark.parametrize(
    "opening",
    [
        b"",
        b"\x00" * 1000,
        b"GET / HTTP/1.1\r\n",
        b"GET /relay HTTP/1.1\r\n" + b"A: b\r\n" * 10_000,
        b"\x16\x03\x01" + b"x" * 500,
        b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
    ],
    ids=["nothing", "zeros", "half a request", "endless headers", "TLS", "endless body"],
)
async def test_strangers_who_speak_no_websocket_harm_nothing(opening, shared, app_of_shared):
    port = int(shared.relay.split(":")[2].split("/")[0])
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(opening)
    try:
        await asyncio.wait_for(writer.drain(), 2)
    except (TimeoutError, ConnectionError):
        pass
    assert await app_of_shared.result("ping") == "pong"
    writer.close()


@pytest_asyncio.fixture
async def app_of_shared(shared, apps):
    return await apps(App.paired(shared.pair()))


# Stopping and starting


async def test_a_graceful_stop_finishes_what_was_accepted(app, listening, home):
    events = [app.request("sign_event", [as_json(template(content=str(n)))]) for n in range(100)]
    for _, event in events:
        await app.connections.each[0].send("EVENT", event)
    await app.reply(events[0][0])
    assert await asyncio.to_thread(listening.stop) == 0
    answered = {event["id"] for id, event in events if app.answers(id)}
    entries = home.unlocked("log", "show", "--limit", "100000").value["entries"]
    accepted = {entry["request"] for entry in entries if entry.get("decision") == "allow" and entry["request"]}
    ours = {event["id"] for _, event in events}
    await eventually(lambda: {e["id"] for id, e in events if app.answers(id)} >= accepted & ours, "every accepted request")
    assert answered


@pytest.mark.parametrize("times", [1, 2])
def test_a_stop_is_quick_and_clean(times, start, home):
    daemon = start()
    started = time.monotonic()
    for _ in range(times):
        os.kill(daemon.pid, 15)
    assert daemon.stop() == 0
    assert time.monotonic() - started < 30, "the end waited for something that never comes"
    assert not (home.path / "control.sock").exists()
    assert "error" not in daemon.errors.lower()


def test_ctrl_c_is_a_graceful_stop_too(start):
    daemon = start()
    os.kill(daemon.pid, 2)
    assert daemon.process.wait(10) == 0


async def test_a_restart_picks_up_pairings_links_and_grants(start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    app = await apps(App.paired(daemon.pair("full")))
    limited = await apps(App.paired(daemon.pair("low")))
    daemon.do("client", "allow", limited.key.public, "sign_event:1")
    daemon.do("client", "rename", app.key.public, "phone")
    unused, spent = daemon.pair(), daemon.pair()
    await apps(App.paired(spent))
    before = {client["pubkey"]: (client["name"], client["trust"]) for client in daemon.clients()}
    daemon.stop()
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    await eventually(lambda: scripted_relay.listens_for(app.signer), "the daemon listens again")
    assert {client["pubkey"]: (client["name"], client["trust"]) for client in daemon.clients()} == before
    assert (await app.sign(template(kind=0, content="{}")))["kind"] == 0
    assert (await limited.sign(template(kind=1)))["kind"] == 1
    late = await apps(App.by_link(unused))
    assert await late.result("connect", unused.signer, unused.secret) == "ack"
    thief = await apps(App.by_link(spent))
    assert "used by another app" in await thief.error("connect", spent.signer, spent.secret)


async def test_a_revocation_survives_kill_9_and_the_app_still_hears_of_it(start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    app = await apps(App.paired(daemon.pair()))
    other = await apps(App.paired(daemon.pair()))
    daemon.do("client", "revoke", app.key.public, "--yes")
    daemon.kill()
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    await eventually(lambda: scripted_relay.listens_for(other.signer), "the daemon listens again")
    assert "no longer paired" in await app.error("get_public_key")
    assert await other.result("ping") == "pong"


async def test_a_pairing_that_was_acked_survives_kill_9(start, scripted_relay, apps):
    options = {"relays": (scripted_relay.url,), "embedded": False}
    daemon = start(**options)
    for _ in range(5):
        link = daemon.pair()
        # This relay keeps no event for later subscribers.
        await eventually(lambda: scripted_relay.listens_for(link.signer), "the daemon listens for the new key")
        app = await apps(App.paired(link))
        daemon.kill()
        daemon = start(**options)
        await eventually(lambda: scripted_relay.listens_for(app.signer), "the daemon listens again")
        assert await app.result("get_public_key") == daemon.user


def test_a_start_after_kill_9_needs_no_help(start, home):
    start().kill()
    assert (home.path / "lock").exists()
    assert start().do("log", "verify")["ok"] is True


def test_the_control_socket_is_the_owners_alone(daemon):
    socket = daemon.home.path / "control.sock"
    until(socket.exists, "the control socket")
    assert socket.stat().st_mode & 0o077 == 0
    assert daemon.home.path.stat().st_mode & 0o077 == 0
