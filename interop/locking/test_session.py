"""The session locks by itself: by inactivity, before the machine sleeps, with the desktop. logind is python-dbusmock's."""

from __future__ import annotations

import asyncio
import os

import pytest

from harness.app import App
from harness.machine import Machine, is_installed
from harness.memory import find
from harness.waiting import PATIENCE, eventually, silence
from reference import nip19
from reference.events import as_json, is_genuine, template
from reference.keys import Key

pytestmark = pytest.mark.skipif(not is_installed(), reason="python3-dbusmock is not installed")


@pytest.fixture
def machine(tmp_path):
    with Machine(tmp_path) as machine:
        yield machine


@pytest.fixture
def daemon(start, machine):
    return start(env=machine.environment)


@pytest.fixture
def unlock(home):
    return lambda: home.cli("unlock", "--passphrase-file", str(home.passphrase_file))


def is_locked(daemon) -> bool:
    return daemon.do("status")["locked"]


def no_key_left(daemon, key: Key) -> bool:
    return os.geteuid() != 0 or find(daemon.pid, {key.secret, key.secret.hex().encode(), nip19.nsec(key.secret).encode()}) == []


async def test_sleep_waits_until_the_keys_are_gone(daemon, machine, apps, unlock):
    key = Key()
    daemon.do("identity", "import", "bob", stdin=nip19.nsec(key.secret))
    app = await apps(App.paired(daemon.pair("full", "--identity", "bob")))
    assert is_genuine(await app.sign(template()))
    await eventually(lambda: len(machine.inhibitors) == 1, "sleep is held up")
    what, who, _, mode = machine.inhibitors[0]
    assert (what, who, mode) == ("sleep", "Holdfast", "delay")
    assert daemon.do("session", "show")["hears_suspend"] is True

    machine.sleeps(True)
    # The moment the machine may sleep, nothing is left.
    await eventually(lambda: machine.inhibitors == [], "sleep is let go")
    assert is_locked(daemon) and no_key_left(daemon, key)
    id = await app.send("sign_event", [as_json(template())])
    await eventually(lambda: len(daemon.waiting()) == 1, "the request waits")

    machine.sleeps(False)
    await eventually(lambda: len(machine.inhibitors) == 1, "the next sleep is held up, too")
    assert is_locked(daemon) and not app.answers(id)
    assert unlock().code == 0
    assert (await app.reply(id)).result


async def test_with_the_desktop_only_when_the_owner_wants_it(daemon, machine, unlock):
    machine.screen_saver(True)
    machine.locks_session()
    await silence()
    assert not is_locked(daemon)
    shown = daemon.do("session", "set", "--lock-on-desktop-lock", "on")
    assert shown["lock_on_desktop_lock"] is True
    await eventually(lambda: daemon.do("session", "show")["hears_desktop_lock"], "the desktop is heard")
    for lock in (
        lambda: machine.screen_saver(True),
        lambda: machine.screen_saver(True, "org.gnome.ScreenSaver"),
        machine.locks_session,
    ):
        lock()
        await eventually(lambda: is_locked(daemon), "locked with the desktop")
        assert unlock().code == 0
    machine.screen_saver(False)
    await silence()
    assert not is_locked(daemon)


async def test_the_owner_can_let_it_sleep_open(daemon, machine):
    await eventually(lambda: len(machine.inhibitors) == 1, "sleep is held up")
    daemon.do("session", "set", "--lock-on-suspend", "off")
    await eventually(lambda: machine.inhibitors == [], "and is not any more")
    machine.sleeps(True)
    await silence()
    assert not is_locked(daemon)


async def test_a_program_that_plays_logind_locks_nothing(daemon, machine):
    await eventually(lambda: len(machine.inhibitors) == 1, "sleep is held up")
    names = await eventually(lambda: machine.names_of(daemon.pid), "the daemon is on the bus")
    machine.forge_sleep(to=names)
    await silence()
    assert not is_locked(daemon)


async def test_inactivity_locks_however_busy_the_apps_are(daemon, apps, unlock):
    app = await apps(App.paired(daemon.pair("full")))
    daemon.do("session", "set", "--lock-after", "2s")

    async def busy():
        while not is_locked(daemon):  # `status` only reads and does not count as activity
            await app.result("ping")

    await asyncio.wait_for(busy(), PATIENCE)
    assert daemon.do("session", "show")["until"] is None
    assert unlock().code == 0
    assert daemon.do("session", "show")["until"]
