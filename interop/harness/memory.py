"""What stands in a process's memory, read as its owner's debugger would."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Region:
    """A writable piece of a process's memory."""

    start: int
    end: int
    flags: frozenset[str]

    @property
    def is_guarded(self) -> bool:
        """Left out of core files, as libsodium marks what it allocates."""
        return "dd" in self.flags


def regions(pid: int) -> list[Region]:
    found, span = [], None
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        head, _, rest = line.partition(" ")
        if "-" in head and not head.endswith(":"):
            start, end = (int(part, 16) for part in head.split("-"))
            span = (start, end) if rest.startswith("rw") else None
        elif line.startswith("VmFlags:") and span:
            found.append(Region(*span, frozenset(line.split()[1:])))
    return found


def find(pid: int, needles: set[bytes]) -> list[Region]:
    """The regions in which one of `needles` stands."""
    hits = []
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for region in regions(pid):
            try:
                memory.seek(region.start)
                data = memory.read(region.end - region.start)
            except OSError:
                continue  # unmapped meanwhile, or a guard page
            if any(needle in data for needle in needles):
                hits.append(region)
    return hits
