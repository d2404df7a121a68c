"""Sets the signer's wall clock by a second up to years, and back, while apps are served."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time

from harness.app import App
from harness.clock import Clock
from harness.daemon import Home
from harness.owner import do
from harness.scripted_relay import ScriptedRelay
from harness.waiting import eventually
from reference.events import as_json, template

from .changes import Fault
from .load import Ledger, Load
from .reporting import ProgressLine, percentiles, table

HOUR, DAY, YEAR = 3600, 86_400, 365 * 86_400
STEPS = (1, 5, 30, 60, 120, 300, 600, HOUR, 6 * HOUR, DAY, 30 * DAY, YEAR, 10 * YEAR)
TRUSTS = ("full", "full", "medium")
SERVED_WITHIN, ASKED_AGAIN_AFTER = 20.0, 0.5
"""Seconds."""


class Clocks:
    def __init__(self, rounds: int, seed: int):
        self.chance = random.Random(seed)
        self.steps = [way * step for _ in range(rounds) for step in STEPS for way in (1, -1)]
        self.chance.shuffle(self.steps)
        self.home = Home.created()
        self.clock = Clock(self.home.folder)
        self.served: list[float] = []
        self.restarts = self.looked_for = 0
        self.faults: list[str] = []

    async def run(self) -> list[str]:
        with ScriptedRelay() as self.relay:
            self.options = {"relays": (self.relay.url,), "embedded": False, "env": self.clock.environment}
            self.daemon = self.home.start(**self.options)
            try:
                await self._run()
            finally:
                self.daemon.kill()
                self.home.remove()
        rows = {
            "steps": f"{len(self.steps)}, up to 10 years either way; with {self.restarts} the signer was killed and started meanwhile",
            "answers looked for": self.looked_for,
            "right again to an app's answer": percentiles(self.served),
        }
        table("clock steps", rows, self.faults)
        return self.faults

    async def _run(self) -> None:
        apps = {await App.paired(await asyncio.to_thread(self.daemon.pair, trust)): trust for trust in TRUSTS}
        self.load, self.ledger = Load(apps, self.chance), Ledger(self.home.path)
        line = ProgressLine("clock", len(self.steps))
        for number, step in enumerate(self.steps, 1):
            try:
                await self._once(step)
            except (Fault, AssertionError) as fault:
                self.faults.append(f"step {number}, by {step} s: {fault}")
                if len(self.faults) >= 20:
                    break
            line.at(number, f"{len(self.faults)} faults")
        line.end()
        for app in apps:
            await app.close()

    async def _once(self, step: int) -> None:
        self.load.begin()
        await asyncio.sleep(self.chance.uniform(0.05, 0.3))
        self.clock.set(step)
        if self.chance.random() < 0.2:
            await self._restart()
        await asyncio.sleep(self.chance.uniform(0.05, 0.6))
        if step > 0:
            await self._are_served_at(step)
        self.clock.set(0)
        right = time.monotonic()
        await self.load.end()
        await asyncio.gather(*(self._is_served(app, right) for app in self.load.apps))
        again = self.load.recent(60)
        self.relay.deliver(self.chance.sample(again, min(20, len(again))))
        await asyncio.gather(*(app.result("ping") for app in self.load.apps))
        self.load.take()
        await asyncio.to_thread(self._compare)
        self.load.forget()
        self.relay.events.clear()

    async def _restart(self) -> None:
        self.restarts += 1
        self.daemon.kill()
        self.daemon = await asyncio.to_thread(lambda: self.home.start(**self.options))
        for app in self.load.apps:
            await eventually(lambda app=app: self.relay.listens_for(app.signer), "the signer listens for an app", 20)

    async def _are_served_at(self, step: int) -> None:
        """An app whose clock was set together with the signer's is served."""
        app = next(iter(self.load.apps))
        id = await app.send("get_public_key", [], created_at=int(time.time()) + step)
        reply = await app.reply(id)
        if reply.error is not None:
            raise Fault(f"an app with the same clock was refused: {reply.error}")

    async def _is_served(self, app: App, right: float) -> None:
        """Sends requests until one is answered, as clients do. A signer that was started with a clock ahead must first subscribe anew."""
        while True:
            id, event = app.request("sign_event", [as_json(template(content=f"right again {self.chance.random()}"))])
            self.load.asked[app.key.public, id] = event
            await app.connections.publish(event)
            with contextlib.suppress(AssertionError):
                if (await app.reply(id, ASKED_AGAIN_AFTER)).error is None:
                    break
            if time.monotonic() - right > SERVED_WITHIN:
                raise Fault(f"an app is not served {SERVED_WITHIN:.0f} s after the clock is right")
        self.served.append(time.monotonic() - right)

    def _compare(self) -> None:
        self.ledger.read()
        self.looked_for += self.ledger.compare(self.load)
        verified = do(self.home.path, "log/verify")
        if not verified["ok"]:
            raise Fault(f"the log is not sound: {verified['fault']}")


def run(rounds: int, seed: int) -> list[str]:
    return asyncio.run(Clocks(rounds, seed).run())
