"""Reads the memory of a process, as a debugger of its owner would."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from reference import nip19


@dataclass(frozen=True)
class Region:
    """A writable piece of a process's memory."""

    start: int
    end: int
    flags: frozenset[str]
    name: str = ""

    @property
    def is_guarded(self) -> bool:
        """Whether it is left out of core files. libsodium marks its allocations in this way."""
        return "dd" in self.flags


def regions(pid: int) -> list[Region]:
    found, span, name = [], None, ""
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        head, _, rest = line.partition(" ")
        if "-" in head and not head.endswith(":"):
            start, end = (int(part, 16) for part in head.split("-"))
            span, name = (start, end) if rest.startswith("rw") else None, " ".join(rest.split()[4:])
        elif line.startswith("VmFlags:") and span:
            found.append(Region(*span, frozenset(line.split()[1:]), name))
    return found


def find(pid: int, needles: set[bytes]) -> list[Region]:
    """The regions that contain one of `needles`."""
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


_TEXT = re.compile(rb"[ -~]{8,}")
_WIDE_TEXT = re.compile(rb"(?:[ -~]\0){8,}")
_PIECE = 1 << 20
_OVERLAP = 4096


class Canaries:
    """Secrets that a test has used, each in all forms to search for. `found` names those that some data contains."""

    def __init__(self):
        self._texts: dict[str, set[bytes]] = {}
        self._bytes: dict[str, set[bytes]] = {}

    def key(self, name: str, key) -> None:
        """Adds a secret key: as bytes and as nsec."""
        self.bytes(name + ", raw", key.secret)
        self.texts(name, nip19.nsec(key.secret))

    def texts(self, name: str, *texts: str) -> None:
        """Adds texts of eight or more characters, found in any case and in UTF-16. Of more than nine words, any three in a row count."""
        for text in texts:
            words = text.split()
            runs = [" ".join(words[at : at + 3]) for at in range(len(words) - 2)] if len(words) > 9 else [text]
            # Three words in alphabetical order may be from the word lists, which are not secret.
            telling = [run for run in runs if len(runs) == 1 or sorted(run.split()) != run.split()]
            self._texts.setdefault(name, set()).update(run.lower().encode() for run in telling)

    def bytes(self, name: str, secret: bytes) -> None:
        """Adds bytes, as they are and as hex digits."""
        self._bytes.setdefault(name, set()).add(secret)
        self.texts(name, secret.hex())

    def found(self, data: bytes) -> set[str]:
        names = set()
        for start in range(0, len(data), _PIECE):
            piece = data[start : start + _PIECE + _OVERLAP]
            if not piece.strip(b"\0"):
                continue
            names |= {name for name, needles in self._bytes.items() if any(needle in piece for needle in needles)}
            # Texts are searched for only in the parts that are text, because there are a thousand texts and only little memory is text.
            text = b"\n".join(_TEXT.findall(piece) + [wide[::2] for wide in _WIDE_TEXT.findall(piece)]).lower()
            names |= {name for name, needles in self._texts.items() if any(needle in text for needle in needles)}
        return names

    def in_memory(self, pid: int, *, guarded: bool = True) -> dict[str, list[str]]:
        """Where in a process's memory each secret is found. The search includes stacks and the memory of libraries.

        With `guarded` false, it leaves out memory that core files do not contain: a key in use is there.
        """
        hits: dict[str, list[str]] = {}
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
            for region in regions(pid):
                if region.is_guarded and not guarded:
                    continue
                for name in self.found(_read(memory, region)):
                    hits.setdefault(name, []).append(f"{region.start:x} {'guarded' if region.is_guarded else region.name}")
        return hits

    def in_files(self, *folders: Path) -> dict[str, list[str]]:
        """The files that contain a secret: among the vault, the log, the journal, outputs and core files."""
        hits: dict[str, list[str]] = {}
        for file in (file for folder in folders for file in ([folder] if folder.is_file() else folder.rglob("*"))):
            if file.is_file() and not file.is_symlink():
                for name in self.found(file.read_bytes()):
                    hits.setdefault(name, []).append(file.name)
        return hits


def _read(memory, region: Region) -> bytes:
    parts, place = [], region.start
    memory.seek(place)
    while place < region.end:
        try:
            part = memory.read(region.end - place)
        except OSError:
            break  # unmapped meanwhile, or a guard page
        if not part:
            break
        parts.append(part)
        place += len(part)
    return b"".join(parts)
