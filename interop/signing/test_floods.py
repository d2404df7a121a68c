"""Ten thousand events from one author and from ten thousand: a paired client still gets its answers."""

from __future__ import annotations

import json
import time

import pytest
import pytest_asyncio

from harness.app import App
from harness.measures import resident_kib
from reference.events import REMOTE_SIGNING, as_json, signed, template
from reference.keys import Key

COUNT = 10_000
MEMORY_KIB = 64 * 1024
"""How much the memory of the daemon may grow during a flood."""

JUNK = "A" * 132


@pytest.fixture
def listening(start, scripted_relay):
    return start(relays=(scripted_relay.url,), embedded=False)


@pytest_asyncio.fixture
async def app(listening, apps):
    return await apps(App.paired(listening.pair()))


def junk_from(authors: list[Key], signer: str, count: int) -> list[dict]:
    """Genuine events with worthless content, taken in turn from `authors`."""
    return [signed(authors[n % len(authors)], REMOTE_SIGNING, JUNK, [["p", signer], ["n", str(n)]]) for n in range(count)]


async def survives(flood: list[dict], app: App, relay, daemon) -> None:
    """Delivers a flood and, in the middle and after it, asks for signatures."""
    before = resident_kib(daemon.pid)
    half = len(flood) // 2
    for part in (flood[:half], flood[half:]):
        relay.deliver(part)
        id = await app.send("sign_event", [as_json(template(content="under flood"))])
        reply = await app.reply(id, seconds=30)
        assert json.loads(reply.result)["content"] == "under flood"
    assert resident_kib(daemon.pid) - before < MEMORY_KIB
    assert daemon.is_running


@pytest.mark.slow
async def test_ten_thousand_events_from_one_author(app, scripted_relay, listening):
    await survives(junk_from([Key()], app.signer, COUNT), app, scripted_relay, listening)


@pytest.mark.slow
async def test_ten_thousand_events_from_ten_thousand_authors(app, scripted_relay, listening):
    await survives(junk_from([Key() for _ in range(COUNT)], app.signer, COUNT), app, scripted_relay, listening)


@pytest.mark.slow
async def test_ten_thousand_forged_events_in_the_name_of_a_paired_client(app, scripted_relay, listening):
    """Forgeries must not use up the rate limit of the client they claim to come from."""
    genuine = signed(app.key, REMOTE_SIGNING, JUNK, [["p", app.signer]])
    flood = [{**genuine, "id": f"{n:064x}"} for n in range(COUNT)]
    await survives(flood, app, scripted_relay, listening)


async def test_a_flood_from_a_paired_client_is_slowed_and_another_client_is_not(listening, app, apps):
    other = await apps(App.paired(listening.pair()))
    flood = [app.request("ping", [])[1] for _ in range(2000)]
    for event in flood:
        await app.connections.each[0].send("EVENT", event)
    started = time.monotonic()
    assert await other.result("ping") == "pong"
    assert time.monotonic() - started < 30


async def test_repeating_one_event_ten_thousand_times_is_answered_once(app, scripted_relay):
    id, event = app.request("ping", [])
    scripted_relay.deliver([event] * COUNT)
    await app.result("ping")
    assert len(app.answers(id)) == 1
