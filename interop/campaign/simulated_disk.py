"""Folders as a disk could show them after a power cut, rebuilt from a recording."""

from __future__ import annotations

import hashlib
import os
import random
from dataclasses import dataclass, field
from pathlib import Path

from .journal import Record, What

SECTOR = 512


@dataclass(frozen=True)
class Item:
    """A file or folder with its inode number. The content of a folder is None."""

    number: int
    content: bytes | None
    names: dict[str, Item]

    @classmethod
    def of(cls, path: Path) -> Item:
        entries = [] if path.is_file() else [e for e in path.iterdir() if not e.is_symlink() and (e.is_file() or e.is_dir())]
        content = path.read_bytes() if path.is_file() else None
        return cls(path.stat().st_ino, content, {entry.name: cls.of(entry) for entry in entries})


@dataclass(frozen=True)
class Before:
    """The folder when the recording began. All of it counts as synced."""

    root: str
    top: Item

    @classmethod
    def of(cls, folder: Path) -> Before:
        return cls(str(folder.resolve()), Item.of(folder))


@dataclass
class Node:
    """A file with its content, or a folder with its names, as of the last sync, and the calls since then."""

    is_folder: bool
    content: bytes = b""
    names: dict[str, Node] = field(default_factory=dict)
    unsynced: list[tuple] = field(default_factory=list)
    """For a file: ("write", offset, bytes) and ("length", n). For a folder: ("name", name, node), ("gone", name), ("moved", …)."""
    at_sync: dict[int, int] = field(default_factory=dict)
    """For each sync that has begun, by its number: how many of `unsynced` came before it."""


class Survival:
    """Which of the calls after the last sync survive a power cut."""

    def file(self, content: bytes, calls: list[tuple]) -> bytes:
        raise NotImplementedError

    def names(self, calls: list[tuple]) -> list[tuple]:
        raise NotImplementedError


class AllWritten(Survival):
    """All of them, as after a kill."""

    def file(self, content, calls):
        return with_writes(content, calls)

    def names(self, calls):
        return calls


class OnlySynced(Survival):
    """None of them."""

    def file(self, content, calls):
        return content

    def names(self, calls):
        return []


class SomeWritten(Survival):
    """Some of them. Each sector of a file, and its length, is as it was at a random moment since the sync. A folder has a random number of
    its first changes of names.

    That is how a disk writes its cache: sectors in any order, each as a whole, with everything that was written to it until then.
    """

    def __init__(self, chance: random.Random):
        self.chance = chance

    def names(self, calls):
        return calls[: self.chance.randint(0, len(calls))]

    def file(self, content, calls):
        if not calls:
            return content
        versions = [content]
        for call in calls:
            versions.append(with_writes(versions[-1], [call]))
        length = len(self._one_of(versions))
        whole = bytearray(content[:length] + bytes(max(0, length - len(content))))
        for sector in sorted({place for call in calls for place in sectors(call)}):
            if sector < length:
                part = self._one_of(versions)[sector : sector + SECTOR]
                whole[sector : sector + SECTOR] = part + bytes(SECTOR - len(part))
        return bytes(whole[:length])

    def _one_of(self, versions: list[bytes]) -> bytes:
        """Often the newest or the oldest version, because that is what disks mostly leave."""
        chance = self.chance.random()
        return versions[-1] if chance < 0.4 else versions[0] if chance < 0.6 else self.chance.choice(versions)


def sectors(call: tuple) -> range:
    """The offsets of the sectors that a call changes."""
    if call[0] == "length":
        return range(call[1] // SECTOR * SECTOR, call[1] // SECTOR * SECTOR + SECTOR, SECTOR)
    _, place, data = call
    return range(place // SECTOR * SECTOR, place + len(data), SECTOR)


class SimulatedDisk:
    """A folder to which the recorded calls are applied one by one."""

    def __init__(self, before: Before):
        self.root = before.root
        self.nodes: dict[int, Node] = {}
        self.top = self._taken_in(before.top)

    def _taken_in(self, item: Item) -> Node:
        node = self.nodes[item.number] = Node(item.content is None, item.content or b"")
        node.names = {name: self._taken_in(child) for name, child in item.names.items()}
        return node

    def is_named(self, number: int, path: str) -> bool:
        """Whether the path, as programs see it, is the file of that number."""
        node = self.top
        for part in path.split("/"):
            node = visible_names(node).get(part) if node else None
        return node is not None and node is self.nodes.get(number)

    # Applying calls

    def take(self, record: Record) -> None:
        match record.what:
            case What.CREATE | What.MKDIR:
                node = self.nodes[record.number] = Node(record.what == What.MKDIR)
                self._name(record.path, node)
            case What.WRITE:
                self._node(record.number).unsynced.append(("write", record.second, record.bytes))
            case What.LENGTH:
                self._node(record.number).unsynced.append(("length", record.second))
            case What.LINK:
                self._name(record.path, self._node(record.number))
            case What.UNLINK | What.RMDIR:
                self._unname(record.path)
            case What.RENAME:
                self._rename(*record.paths)
            case What.SYNC:
                node = self._node(record.number)
                node.at_sync[record.second] = len(node.unsynced)
            case What.SYNCED:
                self._settle(self._node(record.number), record.second)
            case What.SYNC_ALL:
                for node in self.nodes.values():
                    node.at_sync[record.second] = len(node.unsynced)
            case What.SYNCED_ALL:
                for node in self.nodes.values():
                    self._settle(node, record.second)

    def _node(self, number: int) -> Node:
        return self.nodes.setdefault(number, Node(False))

    def _folder(self, path: str) -> tuple[Node | None, str]:
        """The folder of a path as programs see it, and the name in it. The folder is None for a path outside of the recorded folder."""
        parent, name = os.path.split(path)
        if not (parent + "/").startswith(self.root + "/"):
            return None, name
        node = self.top
        for part in parent[len(self.root) :].split("/"):
            node = visible_names(node)[part] if part else node
        return node, name

    def _name(self, path: str, node: Node) -> None:
        folder, name = self._folder(path)
        if folder:
            folder.unsynced.append(("name", name, node))

    def _unname(self, path: str) -> None:
        folder, name = self._folder(path)
        if folder:
            folder.unsynced.append(("gone", name))

    def _rename(self, before: str, after: str) -> None:
        folder, name = self._folder(before)
        node = visible_names(folder)[name]
        target, new = self._folder(after)
        if folder is target:
            folder.unsynced.append(("moved", name, new, node))
            return
        self._unname(before)
        self._name(after, node)

    @staticmethod
    def _settle(node: Node, sync: int) -> None:
        count = node.at_sync.pop(sync, 0)
        done, node.unsynced = node.unsynced[:count], node.unsynced[count:]
        if node.is_folder:
            node.names = with_names(node.names, done)
        else:
            node.content = with_writes(node.content, done)
        node.at_sync = {other: max(0, place - count) for other, place in node.at_sync.items()}

    # What is left

    @property
    def is_clean(self) -> bool:
        """Whether everything is synced, so that only one result of a cut is possible."""
        return not any(node.unsynced for node in self.nodes.values())

    def files_left(self, power: Survival) -> dict[str, bytes | None]:
        """The files after a cut: path below the folder and content, which is None for folders."""
        files: dict[str, bytes | None] = {}
        self._show(self.top, "", power, files)
        return files

    def _show(self, node: Node, path: str, power: Survival, files: dict[str, bytes | None]) -> None:
        for name, child in with_names(node.names, power.names(node.unsynced)).items():
            below = f"{path}/{name}" if path else name
            if child.is_folder:
                files[below] = None
                self._show(child, below, power, files)
            else:
                files[below] = power.file(child.content, child.unsynced)


def visible_names(node: Node) -> dict[str, Node]:
    """The names in a folder as programs see them."""
    return with_names(node.names, node.unsynced)


def with_names(names: dict[str, Node], calls: list[tuple]) -> dict[str, Node]:
    names = dict(names)
    for call in calls:
        match call:
            case ("name", name, node):
                names[name] = node
            case ("gone", name):
                names.pop(name, None)
            case ("moved", before, after, node):
                names.pop(before, None)
                names[after] = node
    return names


def with_writes(content: bytes, calls: list[tuple]) -> bytes:
    if not calls:
        return content
    data = bytearray(content)
    for call in calls:
        if call[0] == "length":
            del data[call[1] :]
            data.extend(bytes(max(0, call[1] - len(data))))
        else:
            _, place, written = call
            data.extend(bytes(max(0, place - len(data))))
            data[place : place + len(written)] = written
    return bytes(data)


LEFT_OUT = ("-shm",)
"""Files that SQLite makes anew."""


def digest(files: dict[str, bytes | None]) -> bytes:
    """The same for two states that are alike: only one of them needs to be opened."""
    whole = hashlib.sha256()
    for path in sorted(path for path in files if not path.endswith(LEFT_OUT)):
        content = files[path]
        whole.update(f"{path}\0{'folder' if content is None else len(content)}\0".encode() + (content or b""))
    return whole.digest()


def build(files: dict[str, bytes | None], at: Path) -> None:
    """Writes the files into an empty folder. Only the owner can read them."""
    for path in sorted(files):
        content, place = files[path], at / path
        if content is None:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        elif not path.endswith(LEFT_OUT):
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            place.write_bytes(content)
            place.chmod(0o600)
