"""The wall clock a daemon sees, moved while it runs."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("moved_clock.c")


class Clock:
    """Seconds by which the programs that get `environment` see the time moved."""

    def __init__(self, folder: Path):
        self.file = folder / "clock"
        self.library = folder / "moved_clock.so"
        self.file.write_bytes(struct.pack("=q", 0))
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.library, SOURCE], check=True)

    def set(self, seconds: int) -> None:
        with open(self.file, "r+b", buffering=0) as file:
            file.write(struct.pack("=q", seconds))

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.library), "MOVED_CLOCK": str(self.file)}
