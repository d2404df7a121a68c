"""A disk that fills up, or a program that is killed, at a chosen call: disk_faults.c in front of the C library."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

from .daemon import environment

SOURCE = Path(__file__).with_name("disk_faults.c")
NOTHING, KILL, FULL = 0, 1, 2
NEVER = 1 << 40
_LAYOUT = "=qqq"


class Disk:
    """What happens to the programs that run with its environment."""

    def __init__(self, folder: Path):
        self.file = folder / "disk-faults"
        self.library = folder / "disk_faults.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.library, SOURCE], check=True)
        self.plan(NOTHING)

    def plan(self, what: int, at: int = 0) -> None:
        """From now on: at the call of that number, counted from here."""
        new = struct.pack(_LAYOUT, what, at, 0)
        with open(self.file, "r+b" if self.file.exists() else "w+b", buffering=0) as file:
            file.write(new)

    def calls_of(self, what: int, run: Callable[[], object]) -> int:
        """How many calls of `run` count for a fault of that kind."""
        self.plan(what, NEVER)
        run()
        return self.calls

    @property
    def calls(self) -> int:
        """How many calls were made that count."""
        return struct.unpack(_LAYOUT, self.file.read_bytes())[2]

    @property
    def environment(self) -> dict[str, str]:
        return environment(LD_PRELOAD=str(self.library), DISK_FAULTS=str(self.file))
