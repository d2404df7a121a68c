"""Reads the journal that disk_record.c writes."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

_HEAD = struct.Struct("=IB3xQQ")


class What(IntEnum):
    CREATE = 1
    WRITE = 2
    LENGTH = 3
    RENAME = 4
    LINK = 5
    UNLINK = 6
    MKDIR = 7
    RMDIR = 8
    SYNC = 9
    SYNCED = 10
    SYNC_ALL = 11
    SYNCED_ALL = 12
    SEND = 13


CHANGES = frozenset({What.CREATE, What.WRITE, What.LENGTH, What.RENAME, What.LINK, What.UNLINK, What.MKDIR, What.RMDIR})
SYNCED = frozenset({What.SYNCED, What.SYNCED_ALL})


@dataclass(frozen=True)
class Record:
    """One call. `at` is its place in the journal. What a client had seen when the journal was that long happened before it."""

    at: int
    what: What
    number: int
    second: int
    bytes: bytes

    @property
    def path(self) -> str:
        return self.bytes.decode()

    @property
    def paths(self) -> tuple[str, str]:
        before, after = self.bytes.split(b"\0")
        return before.decode(), after.decode()


def read(path: Path) -> list[Record]:
    data, at, records = path.read_bytes(), 0, []
    while at + _HEAD.size <= len(data):
        length, what, number, second = _HEAD.unpack_from(data, at)
        start = at + _HEAD.size
        records.append(Record(at, What(what), number, second, data[start : start + length]))
        at = start + length
    return records
