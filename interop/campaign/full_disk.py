"""A full disk in every state of the vault's write-ahead log. A change is either refused without effect, or carried out and recorded."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import shutil
import sqlite3
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

from harness.app import App
from harness.daemon import Daemon, Home
from harness.owner import do
from harness.relays import free_port
from reference.events import as_json, template
from reference.keys import Key

from .changes import OFTEN, SELDOM, Change, Fault, OwnerChanges, State, differences
from .load import Ledger
from .reporting import ProgressLine, table

SIZE = 24
"""The size of the small disk in MiB."""
LEFT = (0, 4096, 40_960)
"""How many bytes are left free."""
MOST_ASKED, REFUSALS = 200, 3
"""An app asks until it was refused `REFUSALS` times. The space that the log has reserved holds some hundred entries."""
CHECKPOINT = 256
"""After so many pages SQLite copies the WAL into the vault (set in `VaultFile.swift`)."""
KINDS = tuple(dict.fromkeys((*OFTEN, *SELDOM, "revoke")))


def frames(wal: Path) -> int:
    """How many pages of the WAL are in use: the first ones, as long as they have the salt of the header."""
    data = wal.read_bytes() if wal.exists() else b""
    if len(data) < 32:
        return 0
    page, salt = struct.unpack_from(">I", data, 8)[0], data[16:24]
    count = 0
    while 32 + (count + 1) * (24 + page) <= len(data) and data[32 + count * (24 + page) + 8 :][:8] == salt:
        count += 1
    return count


class Template:
    """A home whose WAL is in a given state, with three apps: one signs, one is changed, one may be revoked. No signer runs."""

    def __init__(self, state: str, chance: random.Random):
        self.state = state
        self.home = Home.created()
        self.app, self.spare = Key(), Key()
        self.listen = f"127.0.0.1:{free_port()}"
        """The same address at each start. With another one the signer would make another link."""
        daemon = self.home.start(listen=self.listen)
        try:
            self.signer = asyncio.run(self._pair(daemon))
            self._reach(state, chance)
        finally:
            daemon.kill()
        if state == "fresh":
            self.home.start(listen=self.listen).stop()
        if state == "truncated":
            database = sqlite3.connect(self.home.path / "vault.db")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            shutil.copy(self.home.path / "vault.db-wal", self.home.folder / "wal")
            database.close()
            shutil.move(self.home.folder / "wal", self.home.path / "vault.db-wal")

    async def _pair(self, daemon: Daemon) -> str:
        for key in (Key(), self.spare, self.app):
            link = await asyncio.to_thread(daemon.pair, "full")
            await (await App.paired(link, key)).close()
        return link.signer

    def _reach(self, state: str, chance: random.Random) -> None:
        book = OwnerChanges(self.home.path, chance, [self.spare.public], frozenset({self.app.public}))
        wal = self.home.path / "vault.db-wal"
        passed = {"fresh": 0, "truncated": 0, "grown": 0, "recycled": 1, "checkpoint": 1}[state]
        last = frames(wal)
        while passed:
            book.make(book.of("rename"))
            passed, last = (passed - 1 if frames(wal) < last else passed), frames(wal)
        least = {"grown": CHECKPOINT // 2, "checkpoint": CHECKPOINT - 16}.get(state, 0)
        while frames(wal) < least:
            book.make(book.of("rename"))


@contextlib.contextmanager
def small_disk(source: Home) -> Iterator[Home]:
    """Copies a home to a small file system of its own. Needs root."""
    home = Home()
    home.path.mkdir(mode=0o700)
    options = f"size={SIZE}m,mode=0700"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(home.path)], check=True)
    try:
        subprocess.run(["cp", "-a", f"{source.path}/.", str(home.path)], check=True)
        yield home
    finally:
        subprocess.run(["umount", "-l", str(home.path)], check=True)
        home.remove()


def fill(folder: Path, left: int) -> Path:
    """Fills the file system except for `left` bytes."""
    ballast = folder / "ballast"
    with open(ballast, "ab", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(size))
        file.truncate(max(0, file.tell() - left))
    return ballast


class Case:
    """One test with one disk. It becomes full, and then changes of every kind are tried, one given kind first."""

    def __init__(self, template: Template, left: int, first: str, chance: random.Random):
        self.template, self.left, self.chance = template, left, chance
        self.kinds = [first, *chance.sample(KINDS, len(KINDS))]
        self.made = self.refused = self.signed = self.unsigned = 0

    def run(self) -> None:
        with small_disk(self.template.home) as home:
            daemon = home.start(listen=self.template.listen)
            try:
                self._fill_and_change(home, daemon)
                daemon.kill()
                daemon = home.start(listen=self.template.listen)
                self.book.settle()
                self._compare(home)
            finally:
                daemon.kill()

    def _fill_and_change(self, home: Home, daemon: Daemon) -> None:
        self.book = OwnerChanges(home.path, self.chance, [self.template.spare.public], frozenset({self.template.app.public}))
        ballast = fill(home.path, self.left)
        for kind in self.kinds:
            self._change(home, kind)
        self.answered = asyncio.run(self._ask(daemon))
        is_early = self.chance.random() < 0.5
        if is_early:  # the restart comes while the disk is still full
            daemon.kill()
        ballast.unlink()
        if is_early:
            return
        after = self.book.of("rename")
        if not self.book.make(after):
            raise Fault("a change is refused although there is space again")
        self.book.settle()
        self._compare(home)

    def _change(self, home: Home, kind: str) -> None:
        change: Change | None = self.book.of(kind)
        if change is None:
            return
        is_made = self.book.make(change)
        self.made, self.refused = self.made + is_made, self.refused + (not is_made)
        found = State.of(home.path)
        if found != self.book.state:
            said = "was done" if is_made else "was refused"
            raise Fault(f"{change.operation} {said}, and the vault does not agree:\n{differences(self.book.state, found)}")

    async def _ask(self, daemon: Daemon) -> dict[str, str]:
        answered = {}
        app = await App.open([daemon.relay], self.template.signer, self.template.app)
        try:
            while self.signed < MOST_ASKED and self.unsigned < REFUSALS:
                id, event = app.request("sign_event", [as_json(template(content=f"note {self.signed}"))])
                await app.connections.publish(event)
                reply = await app.reply(id)
                if reply.error is None:
                    answered[event["id"]] = json.loads(reply.result)["id"]
                    self.signed += 1
                else:
                    self.unsigned += 1
        finally:
            await app.close()
        return answered

    def _compare(self, home: Home) -> None:
        ledger = Ledger(home.path)
        ledger.read()
        for request, signed in self.answered.items():
            if ledger.signed.get(request) != signed or request not in ledger.decided:
                raise Fault(f"request {request} was answered on the full disk, and the log does not know it so")
        if not (verified := do(home.path, "log/verify"))["ok"]:
            raise Fault(f"the log is not sound: {verified['fault']}")


STATES = ("fresh", "grown", "recycled", "truncated", "checkpoint")


def run(seed: int, only: str = "") -> list[str]:
    chance = random.Random(seed)
    rows, faults = {}, []
    wanted = [state for state in STATES if only in state]
    line, done = ProgressLine("disk", len(wanted) * len(LEFT) * len(KINDS)), 0
    for state in wanted:
        template = Template(state, chance)
        cases: list[Case] = []
        for left in LEFT:
            for kind in KINDS:
                cases.append(Case(template, left, kind, random.Random(chance.random())))
                try:
                    cases[-1].run()
                except Exception as fault:
                    faults.append(f"{state}, {left} bytes left, {kind} first: {type(fault).__name__}: {fault}")
                done += 1
                line.at(done, f"{len(faults)} faults")
        template.home.remove()
        counts = {name: sum(getattr(case, name) for case in cases) for name in ("made", "refused", "signed", "unsigned")}
        rows[f"WAL {state}"] = (
            f"{len(cases)} disks; changes: {counts['made']} done, {counts['refused']} refused; "
            f"requests: {counts['signed']} signed, {counts['unsigned']} refused"
        )
    line.end()
    table("full disk", rows, faults)
    return faults
