"""What tests of the command line share."""

from __future__ import annotations

import pytest

from harness.terminal import Terminal


@pytest.fixture
def at_terminal(home):
    """Starts commands on this test's home at a terminal; what still runs at the end is ended."""
    opened: list[Terminal] = []

    def start(*words: str) -> Terminal:
        opened.append(Terminal(*words, "--home", str(home.path)))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()
