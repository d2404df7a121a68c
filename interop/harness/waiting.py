"""Waiting on conditions. Nothing in this suite sleeps for a fixed time and hopes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 15.0
"""Seconds any single answer may take on a busy machine before the test fails."""

QUIET = 0.4
"""Seconds without an answer, after a later request was answered, that count as silence."""


def until(condition: Callable[[], T], what: str, seconds: float = PATIENCE) -> T:
    """The first true value of `condition`; fails naming `what` when there is none in time."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.005)


async def eventually(condition: Callable[[], T], what: str, seconds: float = PATIENCE) -> T:
    """As `until`, without stopping the event loop."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        await asyncio.sleep(0.005)
