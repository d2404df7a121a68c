"""Every change of stored data, killed at each sync, and on a disk that fills up at each write. It is done completely or not at all."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.daemon import Finished, Home, run
from harness.disk import FULL, KILL, Disk
from harness.waiting import until
from reference.events import as_json, is_genuine, template
from reference.keys import Key

KILLED, DONE, FAILED, DENIED = -9, 0, 1, 4
STATEMENT = 8041
STRANGER = Key()


@pytest.fixture
def disk(tmp_path) -> Disk:
    return Disk(tmp_path)


@dataclass(frozen=True)
class Change:
    """One command, and how to find out whether it was carried out."""

    command: tuple[str, ...]
    is_done: Callable[[Home], bool]
    stdin: str = ""
    passphrase_after: str | None = None

    def make(self, home: Home, **more) -> Finished:
        return run(*filled(self.command, home), "--home", str(home.path), "--json", *proof(home), stdin=self.stdin, **more)


def proof(home: Home) -> tuple[str, str]:
    return ("--passphrase-file", str(home.passphrase_file))


def filled(command: tuple[str, ...], home: Home) -> list[str]:
    """With the paths of this home's folder; a passphrase file there for what wants a new one."""
    new = home.folder / "new"
    new.write_text("another canary passphrase\n")
    new.chmod(0o600)
    names = home.folder / "names"
    if not names.exists():
        names.write_text(json.dumps(sorted(row_names(home))))
    return [word.format(folder=home.folder, new=new) for word in command]


def names_the_disk(done: Finished) -> bool:
    """Whether the error says that the disk is full or, if SQLite could not make a file, that the vault could not be written."""
    return bool(re.search("No space left|disk is full|could not be written", done.said))


def slots(home: Home) -> list[dict]:
    return home.unlocked("slot", "list").value["slots"]


def opens_with_new(home: Home) -> bool:
    done = home.cli("slot", "test", "--passphrase-file", str(home.folder / "new"))
    if done.code == DONE:
        home.passphrase_file.write_text((home.folder / "new").read_text())
    return done.code == DONE


def rows(folder: Path, question: str) -> list[tuple]:
    database = sqlite3.connect(f"file:{folder}/vault.db?mode=ro", uri=True)
    try:
        return database.execute(question).fetchall()
    finally:
        database.close()


def row_names(home: Home) -> set[str]:
    """They follow from a class's key."""
    return {name for [name] in rows(home.path, "SELECT hex(name) FROM records")}


def test_the_vault_does_not_keep_what_the_log_has(start, tmp_path):
    """If it did, a start after a kill would search the log for it, which may have got millions of entries since."""
    daemon = start()

    def waiting() -> int:
        """Reads a copy, because a running signer lets no other program read its vault."""
        for file in ("vault.db", "vault.db-wal"):
            shutil.copy(daemon.home.path / file, tmp_path / file)
        return rows(tmp_path, "SELECT count(*) FROM records WHERE kind = 41")[0][0]  # the outbox

    for name in ("first", "second"):
        daemon.do("identity", "create", name)
        until(lambda: waiting() == 0, "the vault to let go of the entries")


def class_keys_are_new(home: Home) -> bool:
    home.unlocked("identity", "list")  # the opening repairs what a crash left
    return row_names(home).isdisjoint(json.loads((home.folder / "names").read_text()))


def has_identity(name: str) -> Callable[[Home], bool]:
    return lambda home: name in [identity["name"] for identity in home.unlocked("identity", "list").value["identities"]]


def has_backup(home: Home) -> bool:
    """If there is a file of that name, it is a valid backup. An incomplete one has another name or does not exist."""
    path = home.folder / "one.hfb"
    if path.exists():
        home.unlocked("backup", "verify", str(path))
    return path.exists()


CHANGES = {
    "identity create": Change(("identity", "create", "made"), has_identity("made")),
    "slot add": Change(("slot", "add", "passphrase", "--new-passphrase-file", "{new}"), lambda home: len(slots(home)) == 2),
    "slot passphrase": Change(("slot", "passphrase", "--new-passphrase-file", "{new}"), opens_with_new),
    "slot rotate": Change(("slot", "rotate"), class_keys_are_new),
    "backup create": Change(("backup", "create", "{folder}/one.hfb"), has_backup),
    "identity import": Change(("identity", "import", "brought"), has_identity("brought"), stdin=STRANGER.secret.hex()),
}


def places(name: str, what: int, home: Home, disk: Disk) -> range:
    """The calls at which a change is disturbed: all calls of the first change. The others begin in the same way and skip those."""
    if name == next(iter(CHANGES)):
        return range(1, 300)
    looked = home.copied()
    opening = disk.calls_of(what, lambda: run("slot", "list", "--home", str(looked.path), *proof(looked), env=disk.environment))
    looked.remove()
    return range(max(1, opening // 4), 300)


def still_whole(home: Home) -> None:
    """Checks that the vault opens, that its first identity signs, and that the log is valid."""
    signed = home.unlocked("sign", stdin=as_json(template())).value
    assert is_genuine(signed)
    assert home.unlocked("log", "verify").value["ok"] is True


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", CHANGES)
def test_killed_at_each_sync_a_change_is_done_wholly_or_not_at_all(name, closed_home, disk):
    change = CHANGES[name]
    seen = set()
    for at in places(name, KILL, closed_home, disk):
        home = closed_home.copied()
        disk.plan(KILL, at)
        done = change.make(home, env=disk.environment)
        assert done.code in (KILLED, DONE), done.said
        is_done = change.is_done(home)
        seen.add(is_done)
        assert is_done or done.code == KILLED, "it was promised"
        still_whole(home)
        if not is_done:
            again = change.make(home)
            assert again.code == DONE and change.is_done(home), again.said
        home.remove()
        if done.code == DONE:
            break
    assert seen == {True, False} and at < 299


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", CHANGES)
def test_a_disk_that_fills_up_at_any_write_leaves_no_half_change(name, closed_home, disk):
    change = CHANGES[name]
    seen = set()
    for at in places(name, FULL, closed_home, disk):
        home = closed_home.copied()
        disk.plan(FULL, at)
        done = change.make(home, env=disk.environment)
        was_full = disk.calls >= at
        if done.code != DONE:
            assert done.code == FAILED and names_the_disk(done), done.said
        is_done = change.is_done(home)
        seen.add(is_done)
        assert is_done == (done.code == DONE), done.said
        still_whole(home)
        if not is_done:
            again = change.make(home)
            assert again.code == DONE and change.is_done(home), again.said
        home.remove()
        if not was_full:
            break
    assert seen == {True, False} and at < 299


# A rotation, which continues after it was stored


@pytest.fixture
def ann_on_a_relay(closed_home, scripted_relay):
    """A home whose second identity, the default one, has a profile on a relay that wants logins."""
    home = closed_home.copied()
    home.unlocked("identity", "create", "ann")
    home.unlocked("identity", "default", "ann")
    scripted_relay.keeps_ephemeral_events = scripted_relay.requires_auth = scripted_relay.asks_authors_only = True
    scripted_relay.events.append(home.unlocked("sign", "--identity", "ann", stdin=as_json(template(0, '{"name":"Ann"}'))).value)
    yield home
    home.remove()


def rotate(home: Home, relay, **more) -> Finished:
    return run(*("identity", "rotate", "ann", "--yes", "--relay", relay.url, "--home", str(home.path), "--json", *proof(home)), **more)


def check_rotation(home: Home, relay, profile: dict, promised: bool) -> bool:
    """Either nothing was done, or the old key signs nothing any more. In both cases the rotation can be completed, with one successor."""
    rotations = home.unlocked("identity", "rotation").value["rotations"]
    signs = home.cli("sign", "--identity", "ann", *proof(home), stdin=as_json(template()))
    assert signs.code == (DENIED if rotations else DONE), signs.said
    assert rotations or not promised
    if not rotations:
        assert relay.events == [profile], "nothing was published of a rotation that is not stored"
        assert len(home.unlocked("identity", "list").value["identities"]) == 2
    done = rotate(home, relay)
    assert done.code == DONE, done.said
    rotation = done.value["rotation"]
    assert rotation["stage"] == "done" and (not rotations or rotation["to"] == rotations[0]["to"])
    old, new = profile["pubkey"], rotation["to"]["pubkey"]
    # If it could not be stored that a relay has an event, the same event is offered again. The relay keeps it once.
    events = {event["id"]: event for event in relay.events[1:]}
    written = sorted((event["pubkey"] == old, event["kind"]) for event in events.values())
    assert written == [(False, 0), (False, STATEMENT), (True, STATEMENT)]
    shown = {one["name"]: one for one in home.unlocked("identity", "list").value["identities"]}
    assert len(shown) == 3 and shown["ann"]["retired"] and shown["ann-2"]["default"] and shown["ann-2"]["pubkey"] == new
    assert home.cli("sign", "--identity", "ann", *proof(home), stdin=as_json(template())).code == DENIED
    assert home.unlocked("sign", stdin=as_json(template())).value["pubkey"] == new
    assert "identityRotated" in home.unlocked("log", "show").out
    assert home.unlocked("log", "verify").value["ok"] is True
    return bool(rotations)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_at_each_sync_a_rotation_is_taken_up_again(ann_on_a_relay, scripted_relay, disk):
    [profile] = scripted_relay.events
    seen = []
    for at in range(1, 300):
        home = ann_on_a_relay.copied()
        scripted_relay.events[:] = [profile]
        disk.plan(KILL, at)
        done = rotate(home, scripted_relay, env=disk.environment)
        assert done.code in (KILLED, DONE), done.said
        seen.append(check_rotation(home, scripted_relay, profile, done.code == DONE))
        home.remove()
        if done.code == DONE:
            break
    assert done.code == DONE
    assert seen == sorted(seen) and seen.count(False) > 3 and seen.count(True) > 3, "first the old state, then the new"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_rotation_on_a_disk_that_fills_up_is_taken_up_again(ann_on_a_relay, scripted_relay, disk):
    [profile] = scripted_relay.events
    seen = set()
    for at in range(1, 300):
        home = ann_on_a_relay.copied()
        scripted_relay.events[:] = [profile]
        disk.plan(FULL, at)
        done = rotate(home, scripted_relay, env=disk.environment)
        was_full = disk.calls >= at
        assert done.code == DONE or (done.code == FAILED and names_the_disk(done)), done.said
        seen.add(check_rotation(home, scripted_relay, profile, done.code == DONE))
        home.remove()
        if not was_full:
            break
    assert not was_full and seen == {False, True}
