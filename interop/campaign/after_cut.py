"""Checks after a power cut: the real program opens the folder that is left, without help."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from harness.app import App
from harness.daemon import Daemon, Home
from harness.owner import do
from reference.keys import Key

from .changes import SOON, Fault, State, differences, other_links, own_changes, read_log
from .load import Ledger
from .replay import Cut


@dataclass(frozen=True)
class Answered:
    """An app's request, the place in the journal where its answer was sent, and what was signed."""

    at: int
    key: Key
    signer: str
    event: dict
    signed: str


@dataclass
class Expected:
    """What apps and owner had been told before a cut, and when. Moments are places in the journal."""

    answered: list[Answered] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    """States of the vault: before the first change, and after each."""
    entries: list[tuple] = field(default_factory=list)
    """The log entry of each change."""
    confirmed: list[int] = field(default_factory=list)
    """Where the confirmation of each change was sent."""
    told_before: int = 0
    """How many entries of changes the log had before the first one."""
    links_before: int = 0
    """How many entries of other links the log had then."""


@contextlib.contextmanager
def opened(home: Home, *more: str) -> Iterator[Daemon]:
    daemon = home.start(arguments=more)
    try:
        if not daemon.ready.get("ready"):
            raise Fault(f"the signer does not start by itself: {daemon.ready.get('error')}")
        yield daemon
    finally:
        daemon.kill()


def check_after_cut(home: Home, cut: Cut, expected: Expected) -> None:
    """Everything that was answered or confirmed before the cut is there, and vault and log agree."""
    with opened(home) as daemon:
        check_health(home)
        ledger = Ledger(home.path)
        ledger.read()
        due = [answer for answer in expected.answered if answer.at <= cut.at]
        for answer in due:
            check_recorded(answer, ledger, cut)
        if expected.states:
            check_vault_and_log_agree(home, cut, expected)
        if due:
            asyncio.run(check_nothing_is_signed_again(daemon, due[-3:], ledger))


def check_health(home: Home) -> None:
    """The log is valid, and the signer reports no incident and no problem."""
    verified, status = do(home.path, "log/verify"), do(home.path, "status")
    if not verified["ok"]:
        raise Fault(f"the log is not sound: {verified['fault']}")
    if status["locked"] or status["suspended"] or status["incidents"] or status["health"] != "ok":
        told = {name: status[name] for name in ("locked", "suspended", "incidents", "health", "problems")}
        raise Fault(f"the signer is not well after the cut: {told}")


def check_recorded(answer: Answered, ledger: Ledger, cut: Cut) -> None:
    request = answer.event["id"]
    if request not in ledger.decided:
        raise Fault(f"request {request} was answered before the cut, and no intent of it is in the log")
    # An outcome is in the file before its answer leaves, and synced with what comes next.
    has_outcome = cut.power == "all" or answer.at < cut.log_synced
    if has_outcome and ledger.signed.get(request) != answer.signed:
        raise Fault(f"request {request} got {answer.signed}, the log says {ledger.signed.get(request)}")


def check_vault_and_log_agree(home: Home, cut: Cut, expected: Expected) -> None:
    """The vault is in the state after the last confirmed change or a later one. The log has exactly the changes up to that one."""
    least = sum(at <= cut.at for at in expected.confirmed)
    deadline = time.monotonic() + SOON
    while fault := disagreement(home, least, expected):
        if time.monotonic() > deadline:
            raise Fault(fault)


def disagreement(home: Home, least: int, expected: Expected) -> str | None:
    entries = read_log(home.path)
    found = State.of(home.path)
    found.links -= len(other_links(entries)) - expected.links_before
    stands = [number for number in range(least, len(expected.states)) if expected.states[number] == found]
    if not stands:
        return f"{least} changes were confirmed, and the vault is in no state after them:\n{differences(expected.states[least], found)}"
    said = own_changes(entries)[expected.entries_before :]
    if said in [expected.entries[:number] for number in stands]:
        return None
    return f"vault and log differ: the vault has {stands[0]} changes, the log {len(said)}, the last ones {said[-2:]}"


async def check_nothing_is_signed_again(daemon: Daemon, answered: list[Answered], ledger: Ledger) -> None:
    """The app sends its old requests again. None is signed a second time."""
    last = answered[-1]
    app = await App.open([daemon.relay], last.signer, last.key)
    try:
        ours = [answer for answer in answered if answer.key is last.key]
        for answer in ours:
            await app.connections.publish(answer.event)
        await app.call("ping")
        for reply in app.replies:
            if reply.result and reply.result.startswith("{"):
                raise Fault(f"a request that was answered before the cut was signed again: {json.loads(reply.result)['id']}")
    finally:
        await app.close()
    await asyncio.to_thread(ledger.read)
