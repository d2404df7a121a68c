"""Locking, panic and resume, and exporting a key."""

from __future__ import annotations

import asyncio
import json
import os
import random
import threading
import time

import nostr_sdk
import pytest

from harness.app import App
from harness.daemon import run
from harness.memory import find
from harness.waiting import eventually
from reference import nip19, nip44
from reference.events import as_json, is_genuine, template
from reference.keys import Key

PEER = Key()

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may read the memory of a hardened process")


@pytest.fixture
def with_passphrase(home):
    """A command that needs the vault's passphrase although a daemon runs."""
    return lambda *words: home.cli(*words, "--passphrase-file", str(home.passphrase_file))


async def asks(app: App, text: str) -> str:
    return await app.send("sign_event", [as_json(template(content=text))])


@as_root
async def test_a_locked_signer_holds_no_key_and_no_conversation_key(daemon, apps, with_passphrase):
    key = Key()
    daemon.do("identity", "import", "bob", stdin=nip19.nsec(key.secret))
    app = await apps(App.paired(daemon.pair("full", "--identity", "bob")))
    for _ in range(20):
        await app.sign(template())
        await app.result("nip44_encrypt", PEER.public, "text")
    raw = {key.secret, nip44.conversation_key(key, PEER.public)}
    texts = {key.secret.hex().encode(), nip19.nsec(key.secret).encode()}

    before = find(daemon.pid, raw)
    assert before and all(region.is_guarded for region in before), "keys stand in guarded memory only"
    assert find(daemon.pid, texts) == []
    daemon.do("lock")
    assert find(daemon.pid, raw | texts) == []
    assert await app.result("ping") == "pong"
    assert find(daemon.pid, raw | texts) == []

    assert with_passphrase("unlock").code == 0
    assert is_genuine(await app.sign(template()))
    assert find(daemon.pid, {key.secret})
    assert daemon.do("panic")["keys_wiped"]
    assert find(daemon.pid, raw | texts) == []


async def test_while_locked_nothing_final_is_said_and_all_goes_on_after_it(daemon, apps, with_passphrase):
    app = await apps(App.paired(daemon.pair("full")))
    daemon.do("lock")
    assert daemon.do("status")["locked"]
    ids = [await asks(app, f"note {number}") for number in range(5)]
    await eventually(lambda: len(daemon.waiting()) == 5, "five requests wait")
    assert await app.result("ping") == "pong"
    assert not any(app.answers(id) for id in ids)
    approved = daemon.cli("request", "approve", daemon.waiting()[0]["id"])
    assert approved.code == 3 and len(daemon.waiting()) == 5
    assert with_passphrase("unlock").code == 0
    for id in ids:
        assert is_genuine(json.loads((await app.reply(id)).result))
    await eventually(lambda: daemon.waiting() == [], "nothing waits")


async def test_panic_takes_less_than_a_second_and_holds_over_a_restart(start, home, apps, with_passphrase):
    daemon = start()
    app = await apps(App.paired(daemon.pair("full")))
    await asyncio.gather(*(asks(app, f"flood {number}") for number in range(500)))
    started = time.monotonic()
    done = daemon.do("panic")
    took = time.monotonic() - started
    assert took < 1, f"{took:.3f} s, of which the signer took {done['milliseconds']} ms"
    assert done["keys_wiped"] and done["stored"] and done["recorded"] and done["failures"] == []
    assert done["milliseconds"] < 1000
    daemon.stop()

    again = start()
    status = again.do("status")
    assert status["suspended"] and status["locked"]
    assert any("resume" in remark for remark in again.ready["remarks"])
    assert home.cli("sign", stdin=as_json(template())).code == 3
    # After unlocking without resuming, every use asks.
    assert with_passphrase("unlock").code == 0
    assert again.do("status")["suspended"]
    wrong = home.folder / "wrong"
    wrong.write_text("not it")
    assert home.cli("resume", "--passphrase-file", str(wrong)).code == 3
    assert with_passphrase("resume").value == {"locked": False, "suspended": False, "was_suspended": True, "suspended_apps": []}
    kinds = [entry["entry"] for entry in again.log_entries("--limit", "5000")]
    assert "incidentCritical" in kinds and "incidentEnded" in kinds


def test_panic_without_a_daemon_asks_nothing_and_shuts_the_next_start(home, start):
    done = home.cli("panic")
    assert done.code == 0 and done.value["suspended"] and not done.value["running"]
    assert start().do("status")["suspended"]


def test_a_panic_that_was_acknowledged_survives_kill_9(home, start, with_passphrase):
    """Seed 7. Killed at ten moments of a panic: what it said was stored is stored, and the vault and the record are whole."""
    choose = random.Random(7)
    for _ in range(10):
        daemon = start()
        said: list = []
        caller = threading.Thread(target=lambda: said.append(home.cli("panic")))
        caller.start()
        time.sleep(choose.random() * 0.04)  # a random moment, not a wait for something
        daemon.kill()
        caller.join()
        stored = said[0].code == 0 and said[0].value.get("stored")
        again = start()
        assert again.do("status")["suspended"] or not stored
        assert again.do("log", "verify")["ok"]
        assert with_passphrase("resume").code == 0
        assert not again.do("status")["locked"]
        again.stop()


def test_locking_and_unlocking_survive_kill_9(home, start, with_passphrase):
    """Seed 8."""
    choose = random.Random(8)
    for _ in range(6):
        daemon = start()
        daemon.do("lock")
        caller = threading.Thread(target=lambda: with_passphrase("unlock"))
        caller.start()
        time.sleep(choose.random() * 0.15)  # a random moment, not a wait for something
        daemon.kill()
        caller.join()
        again = start()
        status = again.do("status")
        assert not status["locked"] and not status["suspended"]
        assert again.do("log", "verify")["ok"]
        again.stop()


def test_an_exported_key_opens_with_an_independent_program(daemon, home):
    key = Key()
    daemon.do("identity", "import", "bob", stdin=key.secret.hex())
    password = home.folder / "password"
    password.write_text("a password for one key")
    words = ["identity", "export", "bob", "--password-file", str(password), "--passphrase-file", str(home.passphrase_file)]
    text = home.cli(*words).value["ncryptsec"]
    opened = nostr_sdk.EncryptedSecretKey.from_bech32(text).decrypt("a password for one key")
    assert opened.to_hex() == key.secret.hex()
    plain = run(*words, "--home", str(home.path))
    assert plain.out.startswith("ncryptsec1") and plain.out.count("\n") == 1
    wrong = home.folder / "wrong"
    wrong.write_text("not it")
    assert home.cli(*words[:-1], str(wrong)).code == 3
    assert [entry["entry"] for entry in daemon.log_entries()].count("keyExported") == 2


def test_a_trial_cannot_be_locked_for_good(home, start):
    trial = start(trial=True)
    refused = run("lock", "--home", trial.ready["home"], "--json")
    assert refused.code == 1 and "trial" in refused.said
