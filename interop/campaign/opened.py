"""What is looked at after a power cut, in the folder that was left: opened by the real program, without help."""

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

from .changes import SOON, Fault, State, differences, other_links, own, read_log
from .load import Ledger
from .replay import Cut


@dataclass(frozen=True)
class Answered:
    """An app's request, where its answer left, and what was signed."""

    at: int
    key: Key
    signer: str
    event: dict
    signed: str


@dataclass
class Promises:
    """What was out, and when: places of the journal."""

    answered: list[Answered] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    """Of the vault: before the first change, and after each."""
    entries: list[tuple] = field(default_factory=list)
    """What the log says of each change."""
    confirmed: list[int] = field(default_factory=list)
    """Where the word left that a change was done."""
    told_before: int = 0
    """How many entries of such changes were there before the first."""
    links_before: int = 0
    """How many of other links."""


@contextlib.contextmanager
def opened(home: Home, *more: str) -> Iterator[Daemon]:
    daemon = home.start(arguments=more)
    try:
        if not daemon.ready.get("ready"):
            raise Fault(f"it does not open by itself: {daemon.ready.get('error')}")
        yield daemon
    finally:
        daemon.kill()


def look(home: Home, cut: Cut, promises: Promises) -> None:
    """Everything that was promised before the cut is there, and vault and log say the same."""
    with opened(home) as daemon:
        is_well(home)
        ledger = Ledger(home.path)
        ledger.read()
        due = [answer for answer in promises.answered if answer.at <= cut.at]
        for answer in due:
            is_recorded(answer, ledger, cut)
        if promises.states:
            is_one_story(home, cut, promises)
        if due:
            asyncio.run(answers_nothing_again(daemon, due[-3:], ledger))


def is_well(home: Home) -> None:
    """The signer opened what it found as its own, and holds nothing against it."""
    verified, status = do(home.path, "log/verify"), do(home.path, "status")
    if not verified["ok"]:
        raise Fault(f"the log is not sound: {verified['fault']}")
    if status["locked"] or status["suspended"] or status["incidents"] or status["health"] != "ok":
        told = {name: status[name] for name in ("locked", "suspended", "incidents", "health", "problems")}
        raise Fault(f"the signer is not well after the cut: {told}")


def is_recorded(answer: Answered, ledger: Ledger, cut: Cut) -> None:
    request = answer.event["id"]
    if request not in ledger.decided:
        raise Fault(f"request {request} was answered before the cut, and no intent of it is in the log")
    # An outcome is in the file before its answer leaves, and synced with what comes next.
    has_outcome = cut.power == "all" or answer.at < cut.log_synced
    if has_outcome and ledger.signed.get(request) != answer.signed:
        raise Fault(f"request {request} got {answer.signed}, the log says {ledger.signed.get(request)}")


def is_one_story(home: Home, cut: Cut, promises: Promises) -> None:
    """The vault stands behind one of the changes, the last confirmed one or a later, and the log tells just these."""
    least = sum(at <= cut.at for at in promises.confirmed)
    deadline = time.monotonic() + SOON
    while fault := story_fault(home, least, promises):
        if time.monotonic() > deadline:
            raise Fault(fault)


def story_fault(home: Home, least: int, promises: Promises) -> str | None:
    entries = read_log(home.path)
    found = State.of(home.path)
    found.links -= len(other_links(entries)) - promises.links_before
    stands = [number for number in range(least, len(promises.states)) if promises.states[number] == found]
    if not stands:
        return f"{least} changes were confirmed, and the vault is as after none since:\n{differences(promises.states[least], found)}"
    said = own(entries)[promises.told_before :]
    if said in [promises.entries[:number] for number in stands]:
        return None
    return f"vault and log differ: {stands[0]} changes in the vault, the log says {len(said)}, at its end {said[-2:]}"


async def answers_nothing_again(daemon: Daemon, answered: list[Answered], ledger: Ledger) -> None:
    """The app sends its old requests once more: none is signed again."""
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
