"""The icon in the desktop's panel, with Xfce's."""

from __future__ import annotations

import shutil

import pytest

from harness.app import App
from harness.desktop import Desktop
from harness.panel import Item, Panel
from harness.waiting import eventually, until
from reference.events import as_json, template

pytestmark = pytest.mark.skipif(
    not shutil.which("xfce4-panel") or not shutil.which("Xvfb"), reason="xfce4-panel and Xvfb are not installed"
)


@pytest.fixture
def desktop(tmp_path):
    with Desktop(tmp_path) as desktop:
        yield desktop


@pytest.fixture
def panel(desktop, tmp_path):
    return Panel(desktop, tmp_path / "panel")


@pytest.fixture
def opened(tmp_path):
    """What the signer gives to a browser."""
    tools, log = tmp_path / "tools", tmp_path / "opened"
    tools.mkdir()
    (tools / "chromium").write_text(f'#!/bin/sh\necho "$@" >>{log}\n')
    (tools / "chromium").chmod(0o755)
    log.touch()
    return lambda: log.read_text().splitlines()


@pytest.fixture
def signer(start, desktop, tmp_path):
    path = f"{tmp_path}/tools:/usr/bin:/bin"
    return lambda *arguments: start(env={**desktop.environment, "PATH": path}, arguments=("--tray", *arguments))


def icon(desktop, panel) -> Item:
    return Item(desktop, until(lambda: panel.items, "the icon in the panel")[0])


def is_locked(daemon) -> bool:
    return daemon.do("session", "show")["locked"]


def test_the_icon_is_in_the_panel_and_lock_locks(signer, desktop, panel, home):
    daemon = signer()
    item = icon(desktop, panel)
    assert item.property("Id") == "holdfast" and item.property("Status") == "Active"
    sizes = [(width, height, len(pixels)) for width, height, pixels in item.property("IconPixmap")]
    assert sizes == [(24, 24, 24 * 24 * 4), (48, 48, 48 * 48 * 4)]
    assert item.menu()["Lock"][1] is True
    item.choose("Lock")
    until(lambda: is_locked(daemon), "the lock")
    until(lambda: "Locked" in item.menu(), "the menu says so")
    assert item.menu()["Locked"][1] is False
    daemon.do("unlock", "--passphrase-file", str(home.passphrase_file))
    until(lambda: "Lock" in item.menu(), "the menu says that, too")


async def test_what_waits_is_counted_and_apps_are_paused(signer, desktop, panel, apps):
    daemon = signer()
    item = icon(desktop, panel)
    assert item.menu()["No request waits"][1] is False
    app = await apps(App.paired(daemon.pair("low")))
    await app.send("sign_event", [as_json(template(content="one"))])
    await eventually(lambda: "1 request waits" in item.menu(), "the count")
    assert item.property("Status") == "NeedsAttention"
    assert not daemon.clients()[0]["suspended"]
    item.choose("Pause all apps")
    await eventually(lambda: daemon.clients()[0]["suspended"], "the pause")
    await eventually(lambda: "No app to pause" in item.menu(), "the menu says so")


def test_the_console_opens_signed_in_once_in_a_while(signer, desktop, panel, opened):
    signer()
    item = icon(desktop, panel)
    for _ in range(10):
        item.choose("Open the console")
    (line,) = until(opened, "the browser")
    assert line.startswith("--app=http") and "#signin=" in line and line.endswith("/home")


def test_another_panel_gets_the_icon_too(signer, desktop, panel, tmp_path):
    signer()
    icon(desktop, panel)
    panel.end()
    until(lambda: not panel.has_watcher, "the end of the panel")
    panel.start()
    icon(desktop, panel)


def test_what_cannot_be_chosen_does_nothing(signer, desktop, panel, opened):
    """Any program on the bus can send these."""
    daemon = signer()
    item = icon(desktop, panel)
    for id in (0, 3, 6, -1, 2**31 - 1, item.menu()["No request waits"][0]):
        item.event(id)
    item.event(item.menu()["Lock"][0], "hovered")
    item.choose("Open the console")
    first, *_ = until(opened, "the browser, which was asked last")
    assert not is_locked(daemon) and first.endswith("/home"), "not the approvals, of which there are none"


def test_without_the_option_or_a_panel_there_is_no_icon(start, signer, desktop):
    daemon = start(env=desktop.environment, arguments=("--no-dbus",))
    assert desktop.names_of(daemon.pid) == []
    daemon.stop()
    daemon = signer()
    until(lambda: len(desktop.names_of(daemon.pid)) == 2, "one for the service, one for the icon")
    assert daemon.stop() == 0
