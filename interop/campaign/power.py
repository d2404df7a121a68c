"""Power cuts at every write and sync: while apps are served, and during the owner's changes, backups, rotations and the first start."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness.app import App
from harness.clock import Clock
from harness.daemon import CHEAPEST_COST, Finished, Home, environment, run
from harness.owner import do
from harness.recorder import Recorder
from harness.scripted_relay import ScriptedRelay
from reference.events import as_json, template

from . import journal
from .after_cut import Answered, Expected, check_after_cut, check_health, opened
from .changes import Fault, OwnerChanges, other_links, own_changes, read_log
from .journal import Record, What
from .load import Load
from .replay import AFTER_THE_END, Cut, Recording, replay
from .reporting import table
from .simulated_disk import Before

DAY = 86_400


class Part:
    """Something the signer does while its writes and syncs are recorded."""

    def __init__(self, name: str, seed: int):
        self.name = name
        self.seed = seed
        self.chance = random.Random(seed)
        self.folder = Path(tempfile.mkdtemp(prefix="hf-record-", dir="/tmp"))

    def record(self, home: Home, act: Callable[[Recorder], None]) -> Recording:
        before = Before.of(home.folder)
        recorder = Recorder(self.folder, home.folder)
        act(recorder)
        return Recording(self.name, before, journal.read(recorder.journal))


# Served apps and the owner's changes


class Serving(Part):
    """A signer with its embedded relay, some apps and an owner."""

    def __init__(self, name: str, seed: int, *, requests: int, changes: int, stops: bool = True):
        super().__init__(name, seed)
        self.requests, self.changes, self.stops = requests, changes, stops
        self.expected = Expected()
        self._marks: list[int] = []

    def recorded(self) -> Recording:
        home = Home.created()
        try:
            recording = self.record(home, lambda recorder: asyncio.run(self._act(home, recorder)))
        finally:
            home.remove()
        self._find_answers(recording.records)
        return recording

    def check(self, home: Home, cut: Cut) -> None:
        check_after_cut(home, cut, self.expected) if cut.at >= self._begun else self._check_early(home)

    @staticmethod
    def _check_early(home: Home) -> None:
        with opened(home):
            check_health(home)

    async def _act(self, home: Home, recorder: Recorder) -> None:
        daemon = home.start(env=recorder.preload)
        try:
            apps = {await App.paired(await asyncio.to_thread(daemon.pair, trust)): trust for trust in ("full", "full", "medium")}
            self._load = Load(apps, self.chance)
            changed = await App.paired(await asyncio.to_thread(daemon.pair, "full"))
            await changed.close()
            self._book = OwnerChanges(home.path, self.chance, untouched=frozenset(app.key.public for app in apps))
            self.expected.states.append(self._book.state)
            entries = read_log(home.path)
            self.expected.entries_before = len(own_changes(entries))
            self.expected.links_before = len(other_links(entries))
            self._begun = recorder.mark
            await asyncio.gather(asyncio.to_thread(self._change, recorder), *(self._ask(app) for app in apps))
            for app in apps:
                await app.close()
        finally:
            daemon.stop() if self.stops else daemon.kill()

    async def _ask(self, app: App) -> None:
        """Sends requests in groups, so that outcomes are written while intents are synced."""
        share = self.requests // len(self._load.apps)
        while share > 0:
            wave = min(share, self.chance.randint(1, 8))
            share -= wave
            ids = [await self._load.send(app, methods=()) for _ in range(wave)]
            for id in ids:
                await app.reply(id)
            await asyncio.sleep(self.chance.choice([0, 0, 0.15]))

    def _change(self, recorder: Recorder) -> None:
        for _ in range(self.changes):
            change = self._book.next()
            mark = recorder.mark
            if self._book.make(change):
                self._marks.append(mark)
                self.expected.states.append(change.after)
                self.expected.entries.append(change.entry)

    def _find_answers(self, records: list[Record]) -> None:
        """Finds where each answer was sent. A send has the text of an app's answer; an answer to the owner begins with a line of HTTP."""
        sends = [record for record in records if record.what == What.SEND]
        for app in self._load.apps:
            for reply in app.replies:
                event = self._load.asked.get((app.key.public, reply.id))
                if event and reply.result:
                    at = next(send.at for send in sends if reply.event["id"].encode() in send.bytes)
                    self.expected.answered.append(Answered(at, app.key, app.signer, event, signed_id(reply.result)))
        self.expected.answered.sort(key=lambda answer: answer.at)
        answers = [send.at for send in sends if send.bytes.startswith(b"HTTP/1.")]
        self.expected.confirmed = [next(at for at in answers if at >= mark) for mark in self._marks]


def signed_id(result: str) -> str:
    return json.loads(result)["id"]


# One command


@dataclass(frozen=True)
class Command:
    """A command of the owner without a daemon, and how to find out whether it was carried out."""

    arguments: tuple[str, ...]
    effects: Callable[[Home], int] | None
    """Counts in the vault or a folder how often it was carried out. None if only a successful opening shows it."""
    entry: str | None
    """The kind of its log entry."""
    made: Callable[[], Home] = Home.created
    """Makes the home in which it runs."""


class Commanded(Part):
    """One command, recorded from its start to its end."""

    def __init__(self, name: str, seed: int, command: Command):
        super().__init__(name, seed)
        self.command = command

    def recorded(self) -> Recording:
        home = self.command.made()
        try:
            self._entries = count(home, self.command.entry)
            self._effects = self._seen(home)
            return self.record(home, lambda recorder: self._act(home, recorder))
        finally:
            home.remove()

    def _act(self, home: Home, recorder: Recorder) -> None:
        done = command(home, self.command.arguments, env=recorder.environment)
        assert done.code == 0, done.said

    def _seen(self, home: Home) -> int:
        return self.command.effects(home) if self.command.effects else 0

    def check(self, home: Home, cut: Cut) -> None:
        opens_with_either(home)
        with opened(home):
            check_health(home)
            entries = count(home, self.command.entry) - self._entries
        effects = self._seen(home) - self._effects
        if cut.at == AFTER_THE_END and self.command.effects and effects != 1:
            raise Fault("the command ended well, and its effect is missing")
        if self.command.entry and entries != effects:
            raise Fault(f"vault and log differ: {effects} in the vault, {entries} in the log")


def command(home: Home, arguments: tuple[str, ...], **more) -> Finished:
    filled = [word.format(folder=home.folder) for word in arguments]
    return run(*filled, "--home", str(home.path), "--json", "--passphrase-file", str(home.passphrase_file), seconds=60, **more)


def count(home: Home, entry: str | None) -> int:
    if entry is None:
        return 0
    if (home.path / "control.sock").exists():
        try:
            return len(do(home.path, "log/show", limit=1000, entry=entry)["entries"])
        except OSError:
            pass
    return len(home.unlocked("log", "show", "--limit", "1000", "--entry", entry).value["entries"])


def opens_with_either(home: Home) -> None:
    """If the new passphrase opens the vault, later commands use it."""
    new = home.folder / "new"
    if new.exists() and home.cli("slot", "list", "--passphrase-file", str(new)).code == 0:
        home.passphrase_file.write_text(new.read_text())


def with_new_passphrase() -> Home:
    home = Home.created()
    new = home.folder / "new"
    new.write_text("another canary passphrase\n")
    new.chmod(0o600)
    return home


def backups(home: Home) -> int:
    """1 if there is a file with the backup's name. Such a file must be a valid backup."""
    path = home.folder / "one.hfb"
    if path.exists():
        home.unlocked("backup", "verify", str(path))
    return int(path.exists())


def with_old_entries() -> Home:
    """A home whose log has a thousand entries from more than a month ago."""
    home = Home()
    clock = Clock(home.folder)
    clock.set(-40 * DAY)
    for words in (("init", *CHEAPEST_COST), ("identity", "create", "alice")):
        done = command(home, words, env=environment(**clock.environment))
        assert done.code == 0, done.said
    daemon = home.start(env=clock.environment)
    asyncio.run(ask_often(daemon.pair("full"), 600, -40 * DAY))
    daemon.stop()
    return home


async def ask_often(link, times: int, moved: int) -> None:
    app = await App.by_link(link)
    await app.reply(await app.send("connect", [link.signer, link.secret], created_at=int(time.time()) + moved))
    for number in range(times):
        text = as_json(template(content=f"old {number}", created_at=int(time.time()) + moved))
        await app.reply(await app.send("sign_event", [text], created_at=int(time.time()) + moved))
    await app.close()


def identities(home: Home) -> int:
    return len(home.unlocked("identity", "list").value["identities"])


COMMANDS = {
    "identity": Command(("identity", "create", "made"), identities, "identityCreated"),
    "backup": Command(("backup", "create", "{folder}/one.hfb"), backups, None),
    "passphrase": Command(
        ("slot", "passphrase", "--new-passphrase-file", "{folder}/new"),
        lambda home: int((home.folder / "new").exists() and home.passphrase_file.read_text() == (home.folder / "new").read_text()),
        "passphraseChanged",
        with_new_passphrase,
    ),
    "class keys": Command(("slot", "rotate"), None, None),
    "retention": Command(("log", "retain", "--keep", "7d", "--yes"), None, None, with_old_entries),
}


class Rotating(Part):
    """A rotation to a new key, with a statement on a relay."""

    def recorded(self) -> Recording:
        home = Home.created()
        with ScriptedRelay() as relay:
            relay.keeps_ephemeral_events = True
            home.unlocked("identity", "create", "ann")
            profile = home.unlocked("sign", "--identity", "ann", stdin=as_json(template(0, '{"name":"Ann"}'))).value
            relay.events.append(profile)
            try:
                return self.record(home, lambda recorder: self._act(home, relay, recorder))
            finally:
                home.remove()

    def _act(self, home: Home, relay: ScriptedRelay, recorder: Recorder) -> None:
        done = command(home, ("identity", "rotate", "ann", "--yes", "--relay", relay.url), env=recorder.environment)
        assert done.code == 0, done.said

    def check(self, home: Home, cut: Cut) -> None:
        with opened(home):
            check_health(home)
            rotations = do(home.path, "identity/rotation")["rotations"]
            entries = do(home.path, "log/show", limit=1000, entry="identityRotated")["entries"]
            is_refused = home.cli("sign", "--identity", "ann", stdin=as_json(template())).code != 0
            successors = len(do(home.path, "identity/list")["identities"]) - 2
        if not len(rotations) == len(entries) == successors == is_refused:
            what = f"{len(rotations)} rotations, {successors} successors, the old key is {'refused' if is_refused else 'used'}"
            raise Fault(f"vault and log differ: {what}, {len(entries)} entries")


class Restoring(Part):
    """A restore from a backup: afterwards there is no home, or a complete one."""

    FILE = "one.hfb"
    WORDS = ("backup", "restore", "{folder}/" + FILE)

    def recorded(self) -> Recording:
        home = Home.created()
        try:
            command(home, ("backup", "create", "{folder}/" + self.FILE))
            shutil.rmtree(home.path)
            return self.record(home, lambda recorder: self._act(home, recorder))
        finally:
            home.remove()

    def _act(self, home: Home, recorder: Recorder) -> None:
        done = command(home, self.WORDS, env=recorder.environment)
        assert done.code == 0, done.said

    def check(self, home: Home, cut: Cut) -> None:
        if not home.path.exists():
            if cut.at == AFTER_THE_END:
                raise Fault("the restore ended well, and the home is missing")
            done = command(home, self.WORDS)
            if done.code != 0:
                raise Fault(f"the backup cannot be restored after the cut: {done.said}")
        with opened(home):
            check_health(home)
            names = [one["name"] for one in do(home.path, "identity/list")["identities"]]
        if names != ["alice"]:
            raise Fault(f"a restored home has {names}")


class FirstStart(Part):
    """`init`, `identity create` and `up` in an empty folder."""

    def recorded(self) -> Recording:
        home = Home()
        try:
            return self.record(home, lambda recorder: self._act(home, recorder))
        finally:
            home.remove()

    def _act(self, home: Home, recorder: Recorder) -> None:
        for words in (("init", *CHEAPEST_COST), ("identity", "create", "alice")):
            done = command(home, words, env=recorder.environment)
            assert done.code == 0, done.said
            self._made_at = getattr(self, "_made_at", recorder.mark)
            self._created_at = recorder.mark
        home.start(env=recorder.preload).stop()

    def check(self, home: Home, cut: Cut) -> None:
        if not (home.path / "vault.db").exists():
            if cut.at >= self._made_at:
                raise Fault("`init` ended well, and the vault is missing")
            done = command(home, ("init", *CHEAPEST_COST))
            if done.code != 0:
                raise Fault(f"a vault cannot be made after the cut: {done.said}")
        with opened(home):
            check_health(home)
            names = [one["name"] for one in do(home.path, "identity/list")["identities"]]
        if cut.at >= self._created_at and "alice" not in names:
            raise Fault(f"`identity create` ended well, and the identity is missing: {names}")


# All parts


def parts(seed: int) -> list:
    commands = [Commanded(name, seed, command) for name, command in COMMANDS.items()]
    return [
        Serving("requests", seed, requests=150, changes=0),
        Serving("requests and changes", seed, requests=90, changes=60),
        Serving("changes", seed, requests=0, changes=250),
        *commands,
        Rotating("rotation", seed),
        Restoring("restore", seed),
        FirstStart("first start", seed),
    ]


def run_part(part, most: int) -> tuple[str, list[str]]:
    recording = part.recorded()
    done, states, faults = replay(recording, part.seed, most, part.check)
    return f"{len(recording.records)} calls, {states} states, {done} opened, {len(faults)} faults", faults


def run_all(seed: int, most: int, only: str = "") -> list[str]:
    rows, faults = {}, []
    for part in parts(seed):
        if only in part.name:
            rows[part.name], found = run_part(part, most)
            faults += found
    table("power cuts", rows, faults)
    return faults
