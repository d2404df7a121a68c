"""Waiting for conditions. No test of this suite sleeps for a fixed time and hopes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 60.0
"""Seconds that one answer may take before the test fails. It is far more than a busy machine needs, so that load decides nothing."""

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


def next_second() -> None:
    """Returns in the next second of the wall clock, so that the next event has a later date: dates are whole seconds."""
    begun = int(time.time())
    until(lambda: int(time.time()) > begun, "the next second")


async def silence() -> None:
    """Lets a moment pass in which nothing must happen. Use it only if no later answer can show that."""
    await asyncio.sleep(QUIET)  # the time itself is waited for
