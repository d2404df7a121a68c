"""Apps that keep sending requests, and a comparison of what they got with the log."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path

from harness.app import App, Reply
from reference.events import as_json, is_genuine, template

from .changes import Fault, read_log

PACE = {"full": 0.006, "medium": 0.06, "low": 0.1}
"""Seconds between the requests of an app, by its trust. This is less than the rate limits allow."""


class Load:
    """Lets every app send requests until it is ended."""

    def __init__(self, apps: dict[App, str], chance: random.Random):
        self.apps = apps
        self.chance = chance
        self.asked: dict[tuple[str, str], dict] = {}
        """The event of each request, by the app's key and the request's id."""
        self.signed: list[tuple[str, str]] = []
        """Answers that were not yet compared with the log: id of the request's event, id of the signed event."""
        self.answers = 0
        self._notes = itertools.count()
        self._tasks: list[asyncio.Task] = []

    def begin(self) -> None:
        self._tasks = [asyncio.create_task(self._ask(app, PACE[trust])) for app, trust in self.apps.items()]

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.take()

    async def _ask(self, app: App, pace: float) -> None:
        while True:
            await self.send(app)
            await asyncio.sleep(self.chance.uniform(0, 2 * pace))

    async def send(self, app: App, methods: tuple[str, ...] = ("ping", "get_public_key")) -> str:
        """- Parameter methods: requested now and then instead of a signature."""
        if methods and self.chance.random() < 0.1:
            return await app.send(self.chance.choice(methods), [])
        # Each content is new: a waiting request with the same content would be answered together with it.
        content = f"note {next(self._notes)}"
        id, event = app.request("sign_event", [as_json(template(kind=self.chance.choice([1, 1, 1, 7]), content=content))])
        self.asked[app.key.public, id] = event
        await app.connections.publish(event)
        return id

    def take(self) -> None:
        """Reads the replies that have arrived."""
        for app in self.apps:
            replies, app.replies = app.replies, []
            for reply in replies:
                self._take(app, reply)

    def _take(self, app: App, reply: Reply) -> None:
        self.answers += 1
        event = self.asked.get((app.key.public, reply.id))
        if event is None or reply.error is not None:
            return
        signed = json.loads(reply.result)
        if not is_genuine(signed):
            raise Fault(f"an answer to {event['id']} holds an event that does not verify")
        self.signed.append((event["id"], signed["id"]))

    def recent(self, count: int) -> list[dict]:
        """The last `count` requests that were sent."""
        return list(self.asked.values())[-count:]

    def forget(self, keep: int = 5_000) -> None:
        """Forgets all but the last `keep` requests."""
        for key in list(self.asked)[: max(0, len(self.asked) - keep)]:
            del self.asked[key]


class Ledger:
    """The decisions and signatures in the log, read as it grows."""

    def __init__(self, home: Path):
        self.home = home
        self.decided: dict[str, str] = {}
        self.signed: dict[str, str] = {}
        self._from = 1

    def read(self) -> None:
        entries = read_log(self.home, self._from)
        for entry in entries:
            self._take(entry)
        if entries:
            self._from = entries[-1]["sequence"] + 1

    def _take(self, entry: dict) -> None:
        request, signed = entry.get("request"), entry.get("signed")
        if request and entry.get("decision") == "allow":
            if self.decided.get(request) == "allow":
                raise Fault(f"request {request} was allowed twice, the second time in entry {entry['sequence']}")
            self.decided[request] = "allow"
        if signed:
            if self.signed.get(request, signed) != signed:
                raise Fault(f"request {request} was signed twice: {self.signed[request]} and {signed}")
            self.signed[request] = signed

    def compare(self, load: Load, has_outcome: Callable[[str], bool] = lambda request: True) -> int:
        """Checks that everything an app got is in the log.

        - Returns: how many answers were compared.
        """
        answered, load.signed = load.signed, []
        once: dict[str, str] = {}
        for request, signed in answered:
            if once.setdefault(request, signed) != signed:
                raise Fault(f"an app got two signatures for one request: {request}")
            if request not in self.decided:
                raise Fault(f"request {request} was answered, and no intent of it is in the log")
            if has_outcome(request) and self.signed.get(request) != signed:
                raise Fault(f"request {request} got event {signed}, the log says {self.signed.get(request)}")
        return len(answered)
