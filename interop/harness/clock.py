"""The time a daemon sees, moved by libfaketime (Debian package `faketime`)."""

from __future__ import annotations

from pathlib import Path

from .daemon import Home

LIBFAKETIME = next(iter(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)


class Clock:
    """The time a daemon sees, set through a file that libfaketime reads each time."""

    def __init__(self, home: Home):
        self.file = home.folder / "clock"
        self.set(0)

    def set(self, seconds: int) -> None:
        fresh = self.file.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}s\n")
        fresh.rename(self.file)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(LIBFAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
