"""What a program does to its files and sends, written down in order: disk_record.c in front of the C library."""

from __future__ import annotations

import subprocess
from pathlib import Path

from .daemon import environment

SOURCE = Path(__file__).with_name("disk_record.c")


class Recorder:
    """Programs that run with its environment write into its journal. The journal lies outside of the folder that is watched."""

    def __init__(self, folder: Path, below: Path):
        self.journal = folder / "journal"
        self.below = below
        self.library = folder / "disk_record.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-pthread", "-o", self.library, SOURCE], check=True)
        self.journal.write_bytes(b"")

    @property
    def mark(self) -> int:
        """How long the journal is now: what was seen until now happened before this place."""
        return self.journal.stat().st_size

    @property
    def preload(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(self.library),
            "DISK_RECORD": str(self.journal),
            "DISK_RECORD_BELOW": str(self.below),
        }

    @property
    def environment(self) -> dict[str, str]:
        return environment(**self.preload)
