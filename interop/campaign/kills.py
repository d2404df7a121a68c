"""kill -9 at random moments, under load and during the owner's changes."""

from __future__ import annotations

import asyncio
import random
import threading
import time

from harness.app import App
from harness.daemon import Daemon, Home
from harness.measures import cpu_seconds
from harness.owner import ask, do
from harness.scripted_relay import ScriptedRelay
from harness.waiting import eventually

from .changes import CONNECTION_LOST, Fault, OwnerChanges
from .load import Ledger, Load
from .reporting import ProgressLine, percentiles, table

TRUSTS = ("full", "full", "full", "medium", "medium", "low")
SERVED_WITHIN = 1.0
WHOLE_LOG_EVERY = 50
SENT_AGAIN = 20


class Owner:
    """Makes changes on a thread of its own until the signer is killed."""

    def __init__(self, book: OwnerChanges, chance: random.Random):
        self.book, self.chance = book, chance
        self.fault: Exception | None = None
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        self._is_wanted = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._is_wanted = False
        self._thread.join(30)

    def _run(self) -> None:
        try:
            while self._is_wanted:
                self.book.make(self.book.next())
                self._answer_one()
                time.sleep(self.chance.uniform(0, 0.03))
        except CONNECTION_LOST:
            pass
        except Exception as fault:
            self.fault = fault

    def _answer_one(self) -> None:
        """Now and then approves or denies a waiting request of an app with low trust."""
        if self.chance.random() < 0.3:
            for request in do(self.book.home, "request/list")["requests"][:1]:
                verdict = self.chance.choice(["request/approve", "request/deny"])
                ask(self.book.home, verdict, id=request["id"])


class Kills:
    def __init__(self, count: int, seed: int, keeps: bool):
        self.keeps = keeps
        self.count = count
        self.chance = random.Random(seed)
        self.home = Home.created()
        self.served: list[float] = []
        self.ready: list[float] = []
        self.cpu: list[float] = []
        self.during_start = 0
        self.looked_for = 0
        self.faults: list[str] = []

    async def run(self) -> list[str]:
        with ScriptedRelay() as self.relay:
            self.options = {"relays": (self.relay.url,), "embedded": False}
            try:
                await self._run()
            finally:
                self.daemon.kill()
                if not self.keeps:
                    self.home.remove()
        self._report()
        return self.faults

    async def _run(self) -> None:
        self.daemon = self.home.start(**self.options)
        apps = {await App.paired(await asyncio.to_thread(self.daemon.pair, trust)): trust for trust in TRUSTS}
        spare = [await self._spare() for _ in range(min(40, self.count // 10))]
        self.load = Load(apps, self.chance)
        self.ledger = Ledger(self.home.path)
        self.untouched = frozenset(app.key.public for app in list(apps)[: len(apps) // 2])
        self.book = OwnerChanges(self.home.path, self.chance, spare, self.untouched)
        self.owner = Owner(self.book, self.chance)
        line = ProgressLine("kills", self.count)
        for number in range(1, self.count + 1):
            await self._once()
            try:
                await self._check(number)
            except (Fault, AssertionError) as fault:
                self.faults.append(f"kill {number}: {fault}")
                if len(self.faults) >= 20 or not self.daemon.is_running:
                    break
                self.book = self.owner.book = OwnerChanges(self.home.path, self.chance, self.book.spare, self.untouched)
            last = sorted(self.ready[-50:])
            line.at(number, f"{len(self.faults)} faults, {self.looked_for} answers, start {last[len(last) // 2] * 1000:.0f} ms")
        line.end()
        for app in apps:
            await app.close()

    async def _spare(self) -> str:
        app = await App.paired(await asyncio.to_thread(self.daemon.pair, "full"))
        await app.close()
        return app.key.public

    async def _once(self) -> None:
        self.load.begin()
        self.owner.begin()
        await asyncio.sleep(self.chance.uniform(0, 0.4))
        self.daemon.process.kill()
        await asyncio.to_thread(self.daemon.process.wait, 10)
        await self.load.end()
        await asyncio.to_thread(self.owner.end)
        if self.chance.random() < 0.1:
            self.during_start += 1
            starting = self.home.start(**self.options, wait=False)
            await asyncio.sleep(self.chance.uniform(0, 0.06))
            starting.kill()

    async def _check(self, number: int) -> None:
        begun = time.monotonic()
        self.daemon: Daemon = await asyncio.to_thread(lambda: self.home.start(**self.options))
        self.ready.append(time.monotonic() - begun)
        self.cpu.append(cpu_seconds(self.daemon.pid))
        served = await asyncio.gather(*(self._served(app, begun) for app in self.load.apps))
        self.served += served
        again = self.load.recent(3 * SENT_AGAIN)
        self.relay.deliver(self.chance.sample(again, min(SENT_AGAIN, len(again))))
        await asyncio.gather(*(app.result("ping") for app in self.load.apps))
        self.load.take()
        await asyncio.to_thread(self._compare, number)
        self.load.forget()
        self.relay.events.clear()

    async def _served(self, app: App, begun: float) -> float:
        """- Returns: how many seconds after the start the app had an answer."""
        await eventually(lambda: self.relay.listens_for(app.signer), "the signer listens for an app", 20)
        await app.result("get_public_key")
        return time.monotonic() - begun

    def _compare(self, number: int) -> None:
        if self.owner.fault:
            fault, self.owner.fault = self.owner.fault, None
            raise Fault(f"a change failed: {fault!r}")
        self.ledger.read()
        self.looked_for += self.ledger.compare(self.load)
        self.book.settle()
        if number % WHOLE_LOG_EVERY == 0 or number == self.count:
            verified = do(self.home.path, "log/verify")
            if not verified["ok"]:
                raise Fault(f"the log is not sound: {verified}")

    def _report(self) -> None:
        late = sum(seconds > SERVED_WITHIN for seconds in self.served)
        if late:
            self.faults.append(f"{late} of {len(self.served)} times an app was served later than {SERVED_WITHIN:.0f} s after the start")
        table(
            "kills",
            {
                "kills": f"{len(self.ready)}, and {self.during_start} during a start",
                "answers looked for": self.looked_for,
                "owner's changes": f"{self.book.made} made, {self.book.refused} refused",
                "requests in the log": len(self.ledger.decided),
                "start to ready": percentiles(self.ready),
                "of these the last fifty": percentiles(self.ready[-50:]),
                "CPU until ready": percentiles(self.cpu),
                "start to an app's answer": percentiles(self.served),
            },
            self.faults,
        )


def run(count: int, seed: int, keeps: bool = False) -> list[str]:
    """- Parameter keeps: the home is not removed, so that it can be inspected."""
    kills = Kills(count, seed, keeps)
    try:
        return asyncio.run(kills.run())
    finally:
        if keeps:
            print(f"the home is kept: {kills.home.folder}")
