"""Replays power cuts: after each recorded call, the folders that a disk could show are built, and the real program opens them."""

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
from .reporting import ProgressLine
from .simulated_disk import AllWritten, Before, OnlySynced, SimulatedDisk, SomeWritten, Survival, build, digest

LOG = "home/log/audit.log"
AFTER_THE_END = 1 << 62
"""A place after everything in the journal: the recorded program has ended."""
AT_ONCE = 2
"""How many programs run at the same time."""


@dataclass(frozen=True)
class Cut:
    """One moment of a power cut, and one state of the disk that is possible then."""

    index: int
    """The index of the last record before the cut."""
    at: int
    """The place of that record in the journal."""
    power: str
    log_synced: int
    """Everything that was written to the log before this place of the journal was synced."""

    def __str__(self) -> str:
        return f"cut after record {self.index}, {self.power}"


@dataclass(frozen=True)
class Recording:
    """A recording of one part: the folder before it, and every call."""

    name: str
    before: Before
    records: list[Record]


def survivals(seed: int, index: int) -> dict[str, Survival]:
    chance = random.Random(seed * 1_000_003 + index)
    return {"all": AllWritten(), "synced": OnlySynced(), "some": SomeWritten(chance)}


def walk(recording: Recording, seed: int) -> Iterator[tuple[Cut, SimulatedDisk, dict[str, Survival]]]:
    """Every moment at which something was changed, synced or sent."""
    disk = SimulatedDisk(recording.before)
    log_synced, begun = 0, {}
    for index, record in enumerate(recording.records):
        disk.take(record)
        if record.what == What.SYNC and disk.is_named(record.number, LOG):
            begun[record.second] = record.at
        if record.what == What.SYNCED and record.second in begun:
            log_synced = max(log_synced, begun.pop(record.second))
        if record.what in CHANGES or record.what in SYNCED or record.what == What.SEND:
            yield Cut(index, record.at, "", log_synced), disk, survivals(seed, index)
    over = len(recording.records)
    yield Cut(over, AFTER_THE_END, "", log_synced), disk, survivals(seed, over)


def chosen(recording: Recording, seed: int, most: int) -> tuple[set[tuple[int, str]], int]:
    """Chooses the states that are opened. Of equal states it takes the last one, before which most was confirmed.

    If there are too many, half of those chosen have only synced data and are from right before and after a sync. They show whether an
    answer was sent too early.

    - Returns: index and kind of each, and how many different states there are.
    """
    last: dict[bytes, tuple[int, str]] = {}
    for cut, disk, ways in walk(recording, seed):
        for name, power in ways.items():
            if name == "all" or not disk.is_clean:
                last[digest(disk.files_left(power))] = (cut.index, name)
    states = list(last.values())
    if len(states) > most:
        random.Random(seed).shuffle(states)
        syncs = {number + beside for number, record in enumerate(recording.records) if record.what in SYNCED for beside in (-1, 0)}
        around_syncs = [state for state in states if state[1] == "synced" and state[0] in syncs][: most // 2]
        states = (around_syncs + [state for state in states if state not in set(around_syncs)])[:most]
    return set(states), len(last)


def replay(recording: Recording, seed: int, most: int, check: Callable[[Home, Cut], None], line: bool = True) -> tuple[int, int, list[str]]:
    """Opens each chosen state.

    - Parameter check: raises if a property does not hold. It may run on two threads at once.
    - Returns: how many states were opened, how many there are, and the faults.
    """
    wanted, states = chosen(recording, seed, most)
    faults: list[str] = []
    progress = ProgressLine(f"power, {recording.name}", len(wanted))
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
        for cut, disk, ways in walk(recording, seed):
            for name, power in ways.items():
                if (cut.index, name) in wanted:
                    here = Cut(cut.index, cut.at, name, cut.log_synced)
                    running.append(pool.submit(one, here, disk.files_left(power)))
            collect(2 * AT_ONCE)
        collect(0)
    progress.end()
    return done, states, faults
