"""Power cuts. A signer's writes and syncs are recorded. The folders that a disk could show after a cut are opened by the real program.

`make campaign PARTS=power` does the same with many more cuts, and with backups, rotations, passphrases and the first start.
"""

from __future__ import annotations

import os
import random
import time

import pytest

from campaign import journal
from campaign.power import FirstStart, Rotating, Serving
from campaign.replay import replay
from campaign.simulated_disk import AllWritten, Before, OnlySynced, SimulatedDisk, SomeWritten
from harness.daemon import Home
from harness.recorder import Recorder

SEED = int(os.environ.get("INTEROP_SEED", time.time_ns() % 1_000_000))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "most"),
    [
        (Serving("requests and changes", SEED, requests=30, changes=12), 60),
        (Rotating("rotation", SEED), 20),
        (FirstStart("first start", SEED), 60),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_whatever_a_power_cut_leaves_opens_and_has_all_that_was_answered(part, most):
    print(f"INTEROP_SEED={SEED}")
    recording = part.recorded()
    opened, _, faults = replay(recording, SEED, most, part.check, line=False)
    assert opened > 10
    assert not faults, "\n".join(faults)


def test_the_recorder_sees_every_byte_that_is_written(tmp_path):
    """Applied to the folder from before, the recorded calls give the folder as it is."""
    home = Home.created()
    try:
        disk = SimulatedDisk(Before.of(home.folder))
        recorder = Recorder(tmp_path, home.folder)
        for end in ("kill", "stop", "kill"):
            daemon = home.start(env=recorder.preload)
            daemon.do("identity", "create", f"before {daemon.pid}")
            daemon.do("backup", "create", str(home.path / f"{daemon.pid}.hfb"))
            getattr(daemon, end)()
        for record in journal.read(recorder.journal):
            disk.take(record)
        files = [file for file in home.path.rglob("*") if (file.is_file() or file.is_dir()) and not file.name.endswith("-shm")]
        found = {str(file.relative_to(home.folder)): file.read_bytes() if file.is_file() else None for file in files}
        shown = {path: content for path, content in disk.files_left(AllWritten()).items() if path.startswith("home/")}
        assert sorted(shown) == sorted(found)
        assert [path for path in found if found[path] != shown[path]] == []
    finally:
        home.remove()


def test_a_sector_that_was_not_synced_holds_what_stood_there_at_some_moment():
    chance = random.Random(SEED)
    before, calls = b"a" * 1024, [("write", 1024, b"b" * 600), ("write", 500, b"c" * 100), ("length", 1100)]
    states = {SomeWritten(chance).file(before, calls) for _ in range(400)}
    assert OnlySynced().file(before, calls) in states and AllWritten().file(before, calls) in states
    assert {len(state) for state in states} == {1024, 1100, 1624}
    assert {state[:512] for state in states} == {b"a" * 512, b"a" * 500 + b"c" * 12}
    assert {state[512:1024] for state in states} == {b"a" * 512, b"c" * 88 + b"a" * 424}
    assert {state[1024:1100] for state in states if len(state) > 1024} == {bytes(76), b"b" * 76}
