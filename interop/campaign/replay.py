"""Power cuts, replayed: each prefix of a recording becomes folders as a disk could show them, and each is opened by the real program."""

from __future__ import annotations

import random
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness.daemon import Home

from .changes import Fault
from .journal import CHANGES, SYNCED, Record, What
from .platter import All, Before, Platter, Power, Some, Synced, build, digest
from .telling import Line

LOG = "home/log/audit.log"
AFTER_ALL = 1 << 62
"""Behind every place of a journal: what was recorded has come to its end."""
AT_ONCE = 2
"""Programs that run at a time."""


@dataclass(frozen=True)
class Cut:
    """One moment and one way in which the disk may look then."""

    index: int
    """Of the last record that happened."""
    at: int
    """Its place in the journal."""
    power: str
    log_synced: int
    """What was written to the log before this place of the journal is on the disk."""

    def __str__(self) -> str:
        return f"cut after record {self.index}, {self.power}"


@dataclass(frozen=True)
class Recording:
    """What a part did: the folder before, and every call after."""

    name: str
    before: Before
    records: list[Record]


def powers(seed: int, index: int) -> dict[str, Power]:
    chance = random.Random(seed * 1_000_003 + index)
    return {"all": All(), "synced": Synced(), "some": Some(chance)}


def walk(recording: Recording, seed: int) -> Iterator[tuple[Cut, Platter, dict[str, Power]]]:
    """Every moment at which something changed, or left."""
    platter = Platter(recording.before)
    log_synced, begun = 0, {}
    for index, record in enumerate(recording.records):
        platter.take(record)
        if record.what == What.SYNC and platter.is_named(record.number, LOG):
            begun[record.second] = record.at
        if record.what == What.SYNCED and record.second in begun:
            log_synced = max(log_synced, begun.pop(record.second))
        if record.what in CHANGES or record.what in SYNCED or record.what == What.SEND:
            yield Cut(index, record.at, "", log_synced), platter, powers(seed, index)
    over = len(recording.records)
    yield Cut(over, AFTER_ALL, "", log_synced), platter, powers(seed, over)


def chosen(recording: Recording, seed: int, most: int) -> tuple[set[tuple[int, str]], int]:
    """Which looks are worth an opening: of those that are alike the last one, which has most to keep.

    Of too many, half are of what only was synced, right before and after a sync: there it shows whether something left too early.

    - Returns: index and power of each, and how many different looks there are.
    """
    last: dict[bytes, tuple[int, str]] = {}
    for cut, platter, ways in walk(recording, seed):
        for name, power in ways.items():
            if name == "all" or not platter.is_clean:
                last[digest(platter.shown(power))] = (cut.index, name)
    looks = list(last.values())
    if len(looks) > most:
        random.Random(seed).shuffle(looks)
        syncs = {number + beside for number, record in enumerate(recording.records) if record.what in SYNCED for beside in (-1, 0)}
        telling = [look for look in looks if look[1] == "synced" and look[0] in syncs][: most // 2]
        looks = (telling + [look for look in looks if look not in set(telling)])[:most]
    return set(looks), len(last)


def replay(recording: Recording, seed: int, most: int, check: Callable[[Home, Cut], None], line: bool = True) -> tuple[int, int, list[str]]:
    """Opens each look that is chosen.

    - Parameter check: raises where something is not as it must be. It may run on two threads at once.
    - Returns: how many were opened, how many there are, and the faults.
    """
    wanted, looks = chosen(recording, seed, most)
    faults: list[str] = []
    progress = Line(f"power, {recording.name}", len(wanted))
    running: list[Future] = []
    done = 0

    def one(cut: Cut, files: dict) -> str | None:
        folder = Path(tempfile.mkdtemp(prefix="hf-", dir="/tmp"))
        try:
            build(files, folder)
            check(Home(folder), cut)
        except Exception as fault:
            where = "" if isinstance(fault, Fault) else "\n" + "".join(traceback.format_tb(fault.__traceback__)[-4:])
            return f"{recording.name}, {cut}: {type(fault).__name__}: {fault}{where}"
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return None

    def collect(left: int) -> None:
        nonlocal done
        while len(running) > left:
            fault = running.pop(0).result()
            done += 1
            faults.extend([fault] if fault else [])
            if line:
                progress.at(done, f"{len(faults)} faults")

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for cut, platter, ways in walk(recording, seed):
            for name, power in ways.items():
                if (cut.index, name) in wanted:
                    here = Cut(cut.index, cut.at, name, cut.log_synced)
                    running.append(pool.submit(one, here, platter.shown(power)))
            collect(2 * AT_ONCE)
        collect(0)
    progress.end()
    return done, looks, faults
