"""Programs and connections that end with their test."""

from __future__ import annotations

import pytest

from harness.local_program import Connection, Program, new_executable


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
