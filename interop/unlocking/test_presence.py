"""An identity whose key needs presence for each use: with rust-nostr as the app, on the command line."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import time

import nostr_sdk as sdk
import pytest

from harness.daemon import PASSPHRASE, binary, environment
from harness.rust_nostr import connect
from harness.waiting import eventually
from reference.events import as_json, is_genuine, template

LOCKED, DENIED = 3, 4
WAITING = "this identity needs your presence each time"


def secret(home) -> tuple[str, str]:
    return ("--passphrase-file", str(home.passphrase_file))


@pytest.fixture
def daemon(home, start):
    daemon = start()
    home.cli("identity", "create", "bob", "--class", "device-passcode", *secret(home), check=True)
    return daemon


def note(author: sdk.PublicKey, text: str) -> sdk.UnsignedEvent:
    return sdk.EventBuilder(sdk.Kind(1), text).finalize_unsigned(author)


async def asked(daemon, app, author, text: str) -> tuple[asyncio.Task, dict]:
    """The app asks for a signature; the request that waits then."""
    asking = asyncio.create_task(app.sign_event_async(note(author, text)))
    await eventually(lambda: len(daemon.waiting()) == 1, "the request waits")
    [waiting] = daemon.waiting()
    assert waiting["presence"] == "passcode" and waiting["reason"] == WAITING
    return asking, waiting


async def test_each_use_of_a_key_is_asked_about_and_wants_the_passphrase(daemon, home):
    app = connect(daemon.pair("full", "--identity", "bob").text)
    author = await app.get_public_key_async()
    asking, waiting = await asked(daemon, app, author, "first")

    refused = home.cli("request", "approve", waiting["id"])
    assert refused.code == DENIED and "asks for your presence" in refused.value["error"]
    assert "--passphrase-file" in refused.value["hint"]
    wrong = home.cli("request", "approve", waiting["id"], "--passphrase-file", "/etc/hostname")
    assert wrong.code == LOCKED
    assert not asking.done() and len(daemon.waiting()) == 1
    home.cli("request", "approve", waiting["id"], *secret(home), check=True)
    assert (await asking).verify()

    # The second use is a use of its own, also after an answer that was to hold.
    asking, waiting = await asked(daemon, app, author, "second")
    home.cli("request", "approve", waiting["id"], "--for", "1h", *secret(home))
    if not asking.done() and daemon.waiting():
        home.cli("request", "approve", waiting["id"], *secret(home), check=True)
    assert (await asking).verify()

    # Unlocking proves nothing for a later use.
    home.cli("lock", check=True)
    home.cli("unlock", *secret(home), check=True)
    asking, waiting = await asked(daemon, app, author, "third")
    assert home.cli("request", "approve", waiting["id"]).code == DENIED
    home.cli("request", "approve", waiting["id"], *secret(home), check=True)
    assert (await asking).verify()


async def test_while_locked_the_passphrase_with_the_approval_is_enough_for_that_one_use(daemon, home):
    app = connect(daemon.pair("full", "--identity", "bob").text)
    author = await app.get_public_key_async()
    home.cli("lock", check=True)
    asking, waiting = await asked(daemon, app, author, "while locked")
    assert home.cli("request", "approve", waiting["id"]).code == DENIED
    home.cli("request", "approve", waiting["id"], *secret(home), check=True)
    assert (await asking).verify()
    assert daemon.do("status")["locked"]


async def test_a_terminal_asks_for_the_passphrase_by_itself(daemon, home):
    app = connect(daemon.pair("full", "--identity", "bob").text)
    author = await app.get_public_key_async()
    asking, waiting = await asked(daemon, app, author, "typed")
    code, shown = await asyncio.to_thread(
        at_terminal, ["request", "approve", waiting["id"], "--home", str(home.path)], b"asks you for each use of its key): ", PASSPHRASE
    )
    assert code == 0 and "asks you for each use" in shown and PASSPHRASE not in shown
    assert (await asking).verify()


def test_the_owner_signs_with_the_passphrase(daemon, home):
    event = as_json(template(1, "mine"))
    refused = home.cli("sign", "--identity", "bob", stdin=event)
    assert refused.code == DENIED and "asks for your presence" in refused.value["error"]
    assert home.cli("sign", "--identity", "bob", "--passphrase-file", "/etc/hostname", stdin=event).code == LOCKED
    assert is_genuine(home.cli("sign", "--identity", "bob", *secret(home), stdin=event, check=True).value)


def test_the_owner_signs_without_a_daemon(home):
    home.unlocked("identity", "create", "bob", "--class", "device-passcode")
    assert is_genuine(home.unlocked("sign", "--identity", "bob", stdin=as_json(template(1, "mine"))).value)


async def test_rotation_keeps_the_class_of_the_key(daemon, home, nostr_relay):
    prepared = home.cli("identity", "succession", "bob", *secret(home), check=True).value
    assert is_genuine(prepared["statement"])
    done = home.cli("identity", "rotate", "bob", "--yes", "--relay", nostr_relay.url, *secret(home), check=True).value["rotation"]
    assert done["stage"] == "done"
    assert home.cli("identity", "show", done["to"]["name"], check=True).value["class"] == "device-passcode"
    event = as_json(template(1, "new"))
    assert home.cli("sign", "--identity", done["to"]["name"], stdin=event).code == DENIED
    signed = home.cli("sign", "--identity", done["to"]["name"], *secret(home), stdin=event, check=True).value
    assert is_genuine(signed) and signed["pubkey"] == done["to"]["pubkey"]


def at_terminal(words: list[str], question: bytes, answer: str) -> tuple[int, str]:
    """Runs a command on a terminal of its own, and types the answer when it is asked."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(binary(), ["holdfast", *words], environment(TERM="dumb"))
    shown, typed, end = b"", False, time.monotonic() + 30
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            got = os.read(terminal, 4096)
        except OSError:
            break
        if not got:
            break
        shown += got
        if not typed and question in shown:
            os.write(terminal, answer.encode() + b"\n")
            typed = True
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode(errors="replace")
