"""The wall clock a daemon sees, moved while it runs."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

from .daemon import Home

SOURCE = Path(__file__).with_name("moved_clock.c")


class Clock:
    """Seconds by which one home's daemons see the time moved."""

    def __init__(self, home: Home):
        self.file = home.folder / "clock"
        self.library = home.folder / "moved_clock.so"
        self.file.write_bytes(struct.pack("=q", 0))
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.library, SOURCE], check=True)

    def set(self, seconds: int) -> None:
        with open(self.file, "r+b", buffering=0) as file:
            file.write(struct.pack("=q", seconds))

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.library), "MOVED_CLOCK": str(self.file)}
