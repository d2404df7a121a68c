"""The window that opens when somebody at this machine asks: with Chromium on a display."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from console.desk import Desk
from harness.app import App
from harness.local_program import new_executable
from harness.waiting import eventually, until
from reference.events import as_json, is_genuine, template

NOTE = {"kind": 1, "content": "from a program", "tags": []}

BROWSER = """#!/bin/sh
echo "$@" >>{folder}/opened
exec /usr/bin/chromium --no-sandbox --disable-dev-shm-usage --no-first-run --user-data-dir={folder}/profile --remote-debugging-port=0 \\
  --disable-features=DialMediaRouteProvider "$@" >{folder}/log 2>&1
"""
"""Debian's Chromium, as root may run it, with a port by which the test sees its pages."""


class Screen:
    def __init__(self, folder: Path):
        self.folder = folder
        read, write = os.pipe()
        self.xvfb = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
            pass_fds=(write,),
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as pipe:
            self.display = f":{pipe.readline().strip()}"
        browser = folder / "chromium"
        browser.write_text(BROWSER.format(folder=folder))
        browser.chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        return {"DISPLAY": self.display, "PATH": f"{self.folder}:{os.environ['PATH']}", "HOME": str(self.folder)}

    @property
    def opened(self) -> list[str]:
        log = self.folder / "opened"
        return log.read_text().splitlines() if log.exists() else []

    @property
    def port(self) -> int | None:
        place = self.folder / "profile/DevToolsActivePort"
        # The browser makes the file before it writes into it.
        words = place.read_text().split() if place.exists() else []
        return int(words[0]) if words else None

    def end(self) -> None:
        if (self.folder / "profile/SingletonLock").is_symlink():
            pid = os.readlink(self.folder / "profile/SingletonLock").rpartition("-")[2]
            subprocess.run(["kill", pid], check=False)
        self.xvfb.kill()
        self.xvfb.wait()


@pytest.fixture
def screen(tmp_path):
    screen = Screen(tmp_path)
    yield screen
    screen.end()


async def test_a_program_asks_and_is_answered_in_the_window_that_opens(start, screen, run_program, executable):
    daemon, program = start(env=screen.environment, arguments=("--consent-window",)), run_program(executable)
    program.send("sign", event=NOTE)
    port = until(lambda: screen.port, "the browser")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        page = await eventually(
            lambda: next((one for one in browser.contexts[0].pages if "127.0.0.1" in one.url or "localhost" in one.url), None), "a page"
        )
        await page.wait_for_url("**/#/approvals")
        desk = Desk(browser.contexts[0], page, daemon)
        await desk.answer("from a program", "Let it in and approve")
        assert is_genuine(program.read()["result"])
        (opened,) = screen.opened
        assert opened.startswith("--app=http")
        program.send("sign", event={**NOTE, "content": "another"})
        until(daemon.waiting, "the next one")
        await page.get_by_text("another").first.wait_for()
        assert len(screen.opened) == 1, "the open page shows it"
        await browser.close()


async def test_an_app_over_relays_opens_no_window_and_many_programs_open_one(start, screen, run_program, tmp_path, apps):
    daemon = start(env=screen.environment, arguments=("--consent-window",))
    (screen.folder / "chromium").write_text(f'#!/bin/sh\necho "$@" >>{screen.folder}/opened\n')
    app = await apps(App.paired(daemon.pair("low")))
    await app.send("sign_event", [as_json(template(content="by relay"))])
    await eventually(daemon.waiting, "the app's request")
    for number in range(5):
        executable = new_executable(tmp_path / f"program{number}")
        with open(executable, "ab") as file:
            file.write(bytes([number]))
        run_program(executable).send("getPublicKey")
    await eventually(lambda: len(daemon.waiting()) == 6, "all of them")
    await eventually(lambda: screen.opened, "a window")
    assert len(screen.opened) == 1, "that of the first program"


def test_without_the_option_no_window_opens(start, screen, run_program, executable):
    daemon, program = start(env=screen.environment), run_program(executable)
    program.send("sign", event=NOTE)
    until(daemon.waiting, "a request that waits")
    daemon.stop()
    assert screen.opened == []
