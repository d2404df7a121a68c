"""Programs and connections that end with their test."""

from __future__ import annotations

import pytest

from harness.bus_program import BusCaller, BusProgram, owner_of
from harness.desktop import Desktop
from harness.local_program import Connection, Program, new_executable
from harness.waiting import until


@pytest.fixture
def ended():
    """Ends what a test adds to it."""
    opened: list = []
    yield opened
    for one in opened:
        one.end()


@pytest.fixture
def executable(tmp_path):
    return new_executable(tmp_path / "notes")


@pytest.fixture
def run_program(home, ended):
    def run(executable, **options) -> Program:
        ended.append(Program(executable, home, **options))
        return ended[-1]

    return run


@pytest.fixture
def connect(home, ended):
    def open_connection() -> Connection:
        ended.append(Connection(home))
        return ended[-1]

    return open_connection


@pytest.fixture
def desktop(tmp_path):
    with Desktop(tmp_path) as desktop:
        yield desktop


@pytest.fixture
def open_desktop(home):
    """A session bus that lets in all users."""
    home.folder.chmod(0o755)
    with Desktop(home.folder, is_open=True) as desktop:
        yield desktop


@pytest.fixture
def on_bus(start, desktop):
    """Starts a signer on the session bus, and returns when it is there."""

    def run(*arguments: str):
        daemon = start(env=desktop.environment, arguments=arguments)
        if "--no-dbus" not in arguments:
            until(lambda: owner_of(desktop.address), "somebody has the signer's name")
        return daemon

    return run


@pytest.fixture
def caller(desktop, ended):
    """Connects the tests' own process to the bus."""

    def connect() -> BusCaller:
        ended.append(BusCaller(desktop.address))
        return ended[-1]

    return connect


@pytest.fixture
def on_bus_program(desktop, ended):
    """Runs a program that is connected to the bus."""

    def run(executable) -> BusProgram:
        ended.append(BusProgram(executable, desktop.address))
        return ended[-1]

    return run
