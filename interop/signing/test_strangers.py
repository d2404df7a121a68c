"""Strangers keep connections open and never finish a message. Paired apps and the owner can still connect."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import itertools
import json
import os
import resource
import socket
import threading
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
import websockets

from harness.app import App
from harness.browser import Browser
from harness.measures import resident_kib
from harness.waiting import PATIENCE, until
from reference.keys import Key

IDLE = 1_536
"""The most connections of the embedded relay."""
MORE_THAN_ALL = 2_200
"""More connections than the port accepts."""
UNFINISHED = 2_000
UNFINISHED_BYTES = 120_000
MEMORY_KIB = 128 * 1024
"""What unfinished messages may cost: their budget, the fair share of each, and the connections themselves."""

HANDSHAKE = (
    "GET /relay HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.fixture(autouse=True)
def many_files():
    """So many connections need as many descriptors, here as in the daemon, which inherits the limit."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8_192, before[1]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture
def strangers():
    with contextlib.ExitStack() as stack:
        yield lambda daemon, count, **more: [stack.enter_context(stranger(daemon, **more)) for _ in range(count)]


def stranger(daemon, speaks: bool = True) -> socket.socket:
    """A connection that says nothing, or only that it wants to be a WebSocket."""
    connection = socket.create_connection(("127.0.0.1", urlsplit(daemon.ready["console"]).port), timeout=10)
    with contextlib.suppress(OSError):  # it may be closed at once
        if speaks:
            connection.sendall(HANDSHAKE.encode())
            connection.recv(4096)
    return connection


def health(daemon) -> dict:
    try:
        with urllib.request.urlopen(daemon.ready["console"] + "healthz", timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


async def everybody_is_served(daemon, apps, link: str) -> None:
    """The paired app is served, and the owner is served by the console and the control socket."""
    app = await apps(App.paired(link))
    assert await app.result("ping") == "pong"
    browser = Browser(daemon).signed_in()
    assert browser.call("status")[0] == 200
    assert daemon.do("status")["identities"]


async def test_a_process_with_every_websocket_of_the_relay_keeps_nobody_out(daemon, apps, strangers):
    link = daemon.pair()
    strangers(daemon, IDLE)
    await everybody_is_served(daemon, apps, link)
    assert "connections-short" in health(daemon)["problems"]
    metrics = urllib.request.urlopen(daemon.ready["console"] + "metrics", timeout=10).read().decode()
    assert 'holdfast_connections_ended_total{why="room"} 0' not in metrics


async def test_a_paired_app_that_waits_is_not_closed_for_strangers(daemon, apps, strangers):
    app = await apps(App.paired(daemon.pair()))
    assert await app.result("ping") == "pong"
    await asyncio.to_thread(strangers, daemon, IDLE + 500)  # the app answers pings meanwhile
    assert await app.result("ping") == "pong"


async def test_connections_that_say_nothing_keep_nobody_out(daemon, apps, strangers):
    link = daemon.pair()
    strangers(daemon, MORE_THAN_ALL, speaks=False)
    await everybody_is_served(daemon, apps, link)


async def test_connections_that_are_opened_again_and_again_keep_nobody_out(daemon, apps, strangers):
    link = daemon.pair()
    strangers(daemon, MORE_THAN_ALL, speaks=False)
    is_over = threading.Event()
    opened = itertools.count()
    is_flooding = threading.Event()

    def reopen() -> None:
        held: collections.deque[socket.socket] = collections.deque()
        while not is_over.is_set():
            with contextlib.suppress(OSError):
                held.append(stranger(daemon))
            if next(opened) > 200:
                is_flooding.set()
            if len(held) > IDLE:
                held.popleft().close()
        for connection in held:
            connection.close()

    flood = threading.Thread(target=reopen)
    flood.start()
    try:
        assert await asyncio.to_thread(is_flooding.wait, 4 * PATIENCE), "strangers open connections"
        await everybody_is_served(daemon, apps, link)
    finally:
        is_over.set()
        flood.join()


def send_halves(daemon, strangers) -> int:
    """Sends half a message by each of many connections. The most memory that the signer had meanwhile, in KiB."""
    # A text frame of twice the bytes that follow, masked with zeros.
    half = b"\x81\xff" + (2 * UNFINISHED_BYTES).to_bytes(8, "big") + bytes(4) + b'["EVENT",' + b"x" * UNFINISHED_BYTES
    most = 0
    for _ in range(UNFINISHED):
        connection = strangers(daemon, 1)[0]
        with contextlib.suppress(OSError):
            connection.sendall(half)
        most = max(most, resident_kib(daemon.pid))
    for _ in range(30):  # what the system held for it is read
        time.sleep(0.1)  # a sample each tenth of a second, because growth over time is measured
        most = max(most, resident_kib(daemon.pid))
    return most


@pytest.mark.slow
async def test_unfinished_messages_cost_bounded_memory(daemon, apps, strangers):
    app = await apps(App.paired(daemon.pair()))
    assert await app.result("ping") == "pong"
    before = resident_kib(daemon.pid)
    most = await asyncio.to_thread(send_halves, daemon, strangers)
    print(f"{(most - before) // 1024} MiB for {UNFINISHED} unfinished messages")
    assert most - before < MEMORY_KIB
    text = os.urandom(100_000).hex()
    sealed = await app.result("nip44_encrypt", app.key.public, text)
    assert await app.result("nip44_decrypt", app.key.public, sealed) == text


def guesses(daemon, count: int, **headers: str) -> list[int]:
    return [Browser(daemon).call("session/open", {"token": "guess"}, **headers)[0] for _ in range(count)]


def test_a_right_link_signs_in_after_any_number_of_wrong_ones(daemon):
    assert guesses(daemon, 30)[-1] == 429
    for _ in range(100):
        Browser(daemon).call("passkey/challenge")
    Browser(daemon).signed_in()


def test_a_proxys_address_header_counts_only_if_the_owner_trusts_the_proxy(start):
    daemon = start(arguments=("--trusted-proxy", "127.0.0.1"))
    assert guesses(daemon, 12, X_Forwarded_For="203.0.113.7")[10:] == [429, 429]
    assert guesses(daemon, 1, X_Forwarded_For="203.0.113.8") == [401]
    # The part that the client sent comes before the proxy's own.
    assert guesses(daemon, 1, X_Forwarded_For="198.51.100.1, 203.0.113.7") == [429]


def test_an_address_header_of_a_stranger_is_ignored(daemon):
    assert [guesses(daemon, 1, X_Forwarded_For=f"203.0.113.{n}")[0] for n in range(12)][10:] == [429, 429]


def test_idle_connections_do_not_stop_the_signers_end(daemon, strangers):
    strangers(daemon, 1_100)
    began = time.monotonic()
    daemon.stop()
    assert time.monotonic() - began < 15
    assert until(lambda: not daemon.is_running, "the end") is not None


async def test_subscriptions_with_long_texts_cost_bounded_memory(daemon, apps):
    """A value of a filter may be as long as a message: any web page in the owner's browser may send some."""
    link = daemon.pair("full")
    before = resident_kib(daemon.pid)
    text = "x" * 3_900_000
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(4):
            connection = await websockets.connect(daemon.relay, max_size=None, compression=None, proxy=None)
            stack.push_async_callback(connection.close)
            for number in range(20):
                await connection.send(json.dumps(["REQ", f"s{number}", {"#p": [Key().public], "#x": [text]}]))
                assert json.loads(await connection.recv())[0] in ("EOSE", "CLOSED")
        assert resident_kib(daemon.pid) - before < MEMORY_KIB
        await everybody_is_served(daemon, apps, link)
