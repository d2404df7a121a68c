"""A thousand apps at one signer: connected by a WebSocket each, paired, and signing at once."""

from __future__ import annotations

import asyncio

import pytest

from harness.app import App
from harness.measures import open_files, resident_kib
from reference.events import as_json, template

APPS = 1_000
# So many log in at once: each proof of a signature takes the tests' own Python some milliseconds.
TOGETHER = 50


async def in_parts(jobs: list, size: int = TOGETHER) -> list:
    results = []
    for first in range(0, len(jobs), size):
        results += await asyncio.gather(*(job() for job in jobs[first : first + size]))
    return results


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_thousand_apps_stay_connected_pair_and_sign_at_once(start):
    daemon = start()
    opened: list[App] = []

    async def pair() -> None:
        link = await asyncio.to_thread(daemon.pair, "full")
        opened.append(await App.paired(link))

    try:
        await in_parts([pair] * APPS)
        assert len(opened) == APPS
        assert open_files(daemon.pid) > APPS, "each has a connection of its own"
        assert len(daemon.do("client", "list")["clients"]) == APPS

        # All requests are on their way before the first answer is read.
        asked = {}
        for number, app in enumerate(opened):
            asked[app] = app.request("sign_event", [as_json(template(content=f"app {number}"))])
        await asyncio.gather(*(app.connections.publish(event) for app, (_, event) in asked.items()))
        replies = await asyncio.gather(*(app.reply(id, seconds=60) for app, (id, _) in asked.items()))
        assert all(reply.error is None for reply in replies)
        assert resident_kib(daemon.pid) < 128 * 1024
    finally:
        await asyncio.gather(*(app.close() for app in opened))
