"""`holdfast-wake`: one request is answered while no signer runs."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

from harness.app import App
from harness.daemon import binary, environment
from harness.relays import NostrRelayProcess
from harness.scripted_relay import ScriptedRelay
from reference.events import as_json, is_genuine, template
from reference.keys import Key

SIGNED, FAILED, LOCKED, DENIED, NOT_FOUND, NOT_OURS, SEEN, USAGE = 0, 1, 3, 4, 5, 6, 7, 2


class Sleeper:
    """A signer that does not run, and an app that is paired with it on an outside relay."""

    def __init__(self, home, env: dict, relay: str, app: App):
        self.home, self.env, self.relay, self.app = home, env, relay, app

    def wake(self, *words: str, payload: dict | None = None, env: dict | None = None) -> dict:
        """Runs the program; its line of JSON, with the exit code."""
        if payload is not None:
            (self.home.folder / "push.json").write_text(json.dumps(payload))
            words = ("--payload", str(self.home.folder / "push.json"))
        done = subprocess.run(
            [binary().with_name("holdfast-wake"), "--home", str(self.home.path), "--json", *words],
            env=env or self.env,
            capture_output=True,
            timeout=60,
        )
        said = json.loads(done.stdout or b"{}")
        assert said.get("exit") == done.returncode, (done.returncode, done.stdout, done.stderr)
        return said

    def push(self, event: dict, **more) -> dict:
        """The payload of a push with the request in it."""
        return {"aps": {"mutable-content": 1}, "relay_url": self.relay, "event_id": event["id"], "signer_pubkey": self.app.signer,
                "event": event, **more}  # fmt: skip


@pytest.fixture
def proof(home):
    return ("--passphrase-file", str(home.passphrase_file))


@pytest.fixture
async def asleep(home, start, desktop, apps, nostr_relay, proof):
    """Makes a sleeper whose app has that trust, and whose key is of that class."""

    async def make(
        trust: str = "full", key_class: str = "after-first-unlock", relay: str | None = None, others: list[str] | None = None
    ) -> Sleeper:
        relay = relay or nostr_relay.url
        home.cli("identity", "create", "sleeper", "--class", key_class, *proof, env=desktop, check=True)
        home.cli("slot", "add", "keyring", *proof, env=desktop, check=True)
        daemon = start(env=desktop, relays=(relay, *(others or [])), embedded=False)
        app = await apps(App.paired(daemon.pair(trust, "--identity", "sleeper")))
        assert daemon.stop() == 0
        return Sleeper(home, desktop, relay, app)

    return make


async def test_the_request_in_a_push_is_answered(asleep):
    sleeper = await asleep()
    id, event = sleeper.app.request("sign_event", [as_json(template(content="while you sleep"))])
    said = sleeper.wake(payload=sleeper.push(event))
    assert (said["exit"], said["outcome"], said["event"]) == (SIGNED, "signed", event["id"])
    signed = json.loads((await sleeper.app.reply(id)).result)
    assert is_genuine(signed) and signed["content"] == "while you sleep"
    decided = [entry for entry in sleeper.home.unlocked("log", "show").value["entries"] if entry.get("request") == event["id"]]
    assert decided, "it is in the log"


async def test_a_request_is_fetched_from_its_relay(asleep):
    sleeper = await asleep()
    id, event = sleeper.app.request("sign_event", [as_json(template())])
    await sleeper.app.connections.publish(event)
    assert sleeper.wake("--relay", sleeper.relay, "--event", event["id"])["exit"] == SIGNED
    assert is_genuine(json.loads((await sleeper.app.reply(id)).result))
    assert sleeper.wake("--relay", sleeper.relay, "--event", "ab" * 32)["exit"] == NOT_FOUND


async def test_a_request_is_answered_once(asleep):
    sleeper = await asleep()
    id, event = sleeper.app.request("sign_event", [as_json(template())])
    assert sleeper.wake(payload=sleeper.push(event))["exit"] == SIGNED
    await sleeper.app.reply(id)
    assert sleeper.wake(payload=sleeper.push(event))["exit"] != SIGNED
    later, after = sleeper.app.request("ping", [])
    assert sleeper.wake(payload=sleeper.push(after))["exit"] == SIGNED
    await sleeper.app.reply(later)
    assert len(sleeper.app.answers(id)) == 1


async def test_what_the_rules_do_not_allow_waits_for_the_owner(asleep, start):
    sleeper = await asleep("low")
    id, event = sleeper.app.request("sign_event", [as_json(template())])
    assert sleeper.wake(payload=sleeper.push(event))["exit"] == DENIED
    daemon = start(relays=(sleeper.relay,), embedded=False)
    (waiting,) = daemon.waiting()
    daemon.do("request", "approve", waiting["id"])
    assert (await sleeper.app.reply(id)).result


async def test_a_key_that_the_keyring_does_not_open_waits_for_an_unlock(asleep):
    sleeper = await asleep(key_class="when-unlocked")
    _, event = sleeper.app.request("sign_event", [as_json(template())])
    assert sleeper.wake(payload=sleeper.push(event))["exit"] == LOCKED


async def test_what_is_for_somebody_else_is_left_alone(asleep, nostr_relay):
    sleeper = await asleep()
    _, event = sleeper.app.request("ping", [])
    assert sleeper.wake(payload=sleeper.push(event, signer_pubkey=Key().public))["exit"] == NOT_OURS
    elsewhere = sleeper.wake(payload=sleeper.push(event, relay_url="wss://elsewhere.example"))
    assert (elsewhere["exit"], elsewhere["outcome"]) == (NOT_OURS, "unknown-relay")
    other = sleeper.wake("--relay", "wss://elsewhere.example", "--event", event["id"])
    assert (other["exit"], other["outcome"]) == (NOT_OURS, "unknown-relay")
    stranger = App(sleeper.app.connections, sleeper.app.inbox, Key(), sleeper.app.signer)
    _, foreign = stranger.request("ping", [])
    stranger._reader.cancel()
    said = sleeper.wake(payload=sleeper.push(foreign))
    assert (said["exit"], said["outcome"]) == (NOT_OURS, "not-ours")


async def test_a_push_of_rubbish_is_refused(asleep):
    sleeper = await asleep()
    for payload in ({}, [], {"relay_url": 7}, {"relay_url": sleeper.relay, "event_id": "x"}, {"relay_url": sleeper.relay, "event": {}}):
        assert sleeper.wake(payload=payload)["exit"] == USAGE, payload


async def test_a_relay_that_is_away_is_said_to_be(asleep):
    with NostrRelayProcess() as relay:
        sleeper = await asleep(relay=relay.url)
    _, event = sleeper.app.request("ping", [])
    for said in (sleeper.wake("--relay", relay.url, "--event", event["id"]), sleeper.wake(payload=sleeper.push(event))):
        assert (said["exit"], said["outcome"]) == (FAILED, "unreachable")


async def test_a_relay_that_refuses_the_answer_is_told_apart_from_one_that_is_away(asleep):
    with ScriptedRelay() as relay:
        sleeper = await asleep(relay=relay.url)
        _, event = sleeper.app.request("ping", [])
        relay.refuse_everything = "blocked: not here"
        said = sleeper.wake(payload=sleeper.push(event))
        assert (said["exit"], said["outcome"]) == (FAILED, "not-taken")


async def test_a_forged_request_is_said_to_be(asleep):
    sleeper = await asleep()
    _, event = sleeper.app.request("ping", [])
    event["sig"] = event["sig"][:-2] + ("00" if event["sig"][-2:] != "00" else "01")
    said = sleeper.wake(payload=sleeper.push(event))
    assert (said["exit"], said["outcome"]) == (FAILED, "dropped")


async def test_after_a_kill_it_uses_no_key_until_the_owner_unlocks_once(asleep, start):
    sleeper = await asleep()
    daemon = sleeper.home.start(env=sleeper.env, relays=(sleeper.relay,), embedded=False)
    assert await sleeper.app.result("ping")
    daemon.kill()
    id, event = sleeper.app.request("sign_event", [as_json(template())])
    assert sleeper.wake("--check")["in_doubt"] is True
    said = sleeper.wake(payload=sleeper.push(event))
    assert (said["exit"], said["outcome"]) == (LOCKED, "in-doubt"), "nobody can say whether this vault is the latest"
    start(relays=(sleeper.relay,), embedded=False).stop()
    again, event = sleeper.app.request("sign_event", [as_json(template())])
    assert sleeper.wake(payload=sleeper.push(event))["exit"] == SIGNED
    await sleeper.app.reply(again)


async def test_a_request_that_a_killed_signer_answered_is_not_answered_again(asleep):
    sleeper = await asleep()
    daemon = sleeper.home.start(env=sleeper.env, relays=(sleeper.relay,), embedded=False)
    id, event = sleeper.app.request("sign_event", [as_json(template())])
    await sleeper.app.connections.publish(event)
    await sleeper.app.reply(id)
    daemon.kill()
    for _ in range(3):
        assert sleeper.wake(payload=sleeper.push(event))["exit"] != SIGNED
    assert len(sleeper.app.answers(id)) == 1


@pytest.fixture
async def awake(asleep, desktop):
    """A sleeper whose signer runs after all."""
    sleeper = await asleep()
    sleeper.home.start(env=desktop, relays=(sleeper.relay,), embedded=False)
    assert await sleeper.app.result("ping") == "pong"
    return sleeper


async def test_a_running_signer_gets_the_request_of_a_push(awake):
    id, event = awake.app.request("sign_event", [as_json(template(content="only in the push"))])
    said = awake.wake(payload=awake.push(event))
    assert (said["exit"], said["ok"], said["outcome"]) == (SIGNED, True, "handed-over")
    assert is_genuine(json.loads((await awake.app.reply(id)).result))


async def test_a_request_that_a_relay_and_a_push_bring_is_answered_once(awake):
    id, event = awake.app.request("sign_event", [as_json(template())])
    await awake.app.connections.publish(event)
    assert awake.wake(payload=awake.push(event))["outcome"] == "handed-over"
    assert awake.wake("--relay", awake.relay, "--event", event["id"])["outcome"] == "handed-over"
    await awake.app.reply(id)
    assert await awake.app.result("ping") == "pong"
    assert len(awake.app.answers(id)) == 1


async def test_a_running_signer_neither_asks_nor_answers_on_a_strangers_relay(awake):
    id, event = awake.app.request("ping", [])
    assert awake.wake(payload=awake.push(event, relay_url="wss://elsewhere.example"))["exit"] == NOT_OURS
    assert awake.wake("--relay", "wss://elsewhere.example", "--event", event["id"])["exit"] == NOT_OURS
    assert await awake.app.result("ping") == "pong"
    assert not awake.app.answers(id)


async def test_a_running_signer_checks_what_a_push_brings(awake):
    id, event = awake.app.request("sign_event", [as_json(template())])
    event["sig"] = event["sig"][:-2] + ("00" if event["sig"][-2:] != "00" else "01")
    assert awake.wake(payload=awake.push(event))["outcome"] == "handed-over"
    assert await awake.app.result("ping") == "pong"
    assert not awake.app.answers(id)


async def test_wakes_at_the_same_time_wait_for_each_other(asleep):
    sleeper = await asleep()
    asked = [sleeper.app.request("sign_event", [as_json(template(content=str(number)))]) for number in range(5)]
    running = []
    for number, (_, event) in enumerate(asked):
        push = sleeper.home.folder / f"push-{number}.json"
        push.write_text(json.dumps(sleeper.push(event)))
        command = [binary().with_name("holdfast-wake"), "--home", str(sleeper.home.path), "--payload", str(push)]
        running.append(subprocess.Popen(command, env=sleeper.env))
    assert [process.wait(60) for process in running] == [SIGNED] * len(asked)
    for id, _ in asked:
        assert is_genuine(json.loads((await sleeper.app.reply(id)).result))


async def test_the_owner_gets_the_vault_between_wakes(asleep, start):
    sleeper = await asleep()
    _, event = sleeper.app.request("get_public_key", [])
    (sleeper.home.folder / "push.json").write_text(json.dumps(sleeper.push(event)))
    program = [binary().with_name("holdfast-wake"), "--home", str(sleeper.home.path), "--payload", str(sleeper.home.folder / "push.json")]
    row = "while :; do " + shlex.join(map(str, program)) + " 2>/dev/null; done"
    rows = [subprocess.Popen(["bash", "-c", row], env=sleeper.env, start_new_session=True) for _ in range(3)]
    try:
        daemon = start(env=sleeper.env, relays=(sleeper.relay,), embedded=False)
        assert daemon.do("status")["running"]
    finally:
        for one in rows:
            os.killpg(one.pid, signal.SIGKILL)
            one.wait()


async def test_without_a_keyring_it_says_that_the_vault_is_locked(asleep):
    sleeper = await asleep()
    _, event = sleeper.app.request("ping", [])
    assert sleeper.wake(payload=sleeper.push(event), env=environment())["exit"] == LOCKED


@pytest.fixture
def credential(home, proof, tmp_path, monkeypatch):
    """A credential that was made as docs/WAKE.md says, decrypted as systemd does for a unit; with the environment of that unit."""
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs/WAKE.md").read_text()
    lines = page.partition("```\nholdfast slot add keyring --out")[2].partition("```")[0]
    script = "holdfast slot add keyring --out" + lines
    # No file of this machine's, and its root needs no sudo.
    script = script.replace("sudo ", "").replace("/etc/", "./").replace("/dev/shm/", "./")
    script = script.replace("holdfast ", shlex.join([str(binary()), "--home", str(home.path), *proof]) + " ", 1)
    done = subprocess.run(["sh", "-euc", script], capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "item").exists()
    unit = tmp_path / "unit"
    unit.mkdir()
    decrypt = ["systemd-creds", "decrypt", "--name=holdfast-keyring", "holdfast-keyring.credential", str(unit / "holdfast-keyring")]
    subprocess.run(decrypt, check=True, capture_output=True)
    return environment(CREDENTIALS_DIRECTORY=str(unit))


async def test_a_server_without_a_desktop_answers_with_a_credential(home, credential, proof, start, apps, nostr_relay):
    home.cli("identity", "create", "sleeper", "--class", "after-first-unlock", *proof, check=True)
    daemon = start(relays=(nostr_relay.url,), embedded=False)
    app = await apps(App.paired(daemon.pair("full", "--identity", "sleeper")))
    assert daemon.stop() == 0
    sleeper = Sleeper(home, credential, nostr_relay.url, app)
    assert sleeper.wake("--check")["identities"] == ["sleeper"]
    id, event = app.request("sign_event", [as_json(template())])
    assert sleeper.wake(payload=sleeper.push(event))["exit"] == SIGNED
    assert is_genuine(json.loads((await app.reply(id)).result))
    slot = next(slot for slot in home.unlocked("slot", "list").value["slots"] if slot["type"] == "keyring")
    assert slot["detail"] == "systemd credential"
    home.cli("slot", "remove", str(slot["id"]), "--yes", *proof, check=True)
    assert sleeper.wake("--check")["exit"] == LOCKED


def test_a_credential_of_another_vault_is_named_and_not_the_keyring(home, credential):
    (Path(credential["CREDENTIALS_DIRECTORY"]) / "holdfast-keyring").write_bytes(os.urandom(48))
    found = Sleeper(home, credential, "", None).wake("--check")
    assert (found["exit"], found["error"]) == (LOCKED, "The systemd credential holdfast-keyring opens no slot of this vault.")


async def test_a_vault_has_a_credential_beside_the_desktops_keyring(asleep, home, credential):
    sleeper = await asleep()
    for env in (sleeper.env, credential):
        assert sleeper.wake("--check", env=env)["identities"] == ["sleeper"]


def test_a_check_says_when_no_key_is_open(home, credential):
    said = Sleeper(home, credential, "", None).wake("--check")
    assert (said["exit"], said["identities"]) == (LOCKED, [])


def test_a_credential_is_made_only_for_the_keyring_and_in_a_new_file(home, proof, tmp_path):
    there = tmp_path / "there"
    there.write_text("mine")
    add = ("slot", "add")
    assert home.cli(*add, "keyring", "--out", str(there), *proof).code == 1
    assert there.read_text() == "mine"
    for words in (("passphrase", "--out", "new"), ("keyring", "--out", "new", "--gate", "login")):
        assert home.cli(*add, *words, *proof).code == 2
    made = home.cli(*add, "keyring", "--out", str(tmp_path / "item"), *proof, check=True)
    assert "item" not in made.value, "it is in the file alone"
    assert (tmp_path / "item").stat().st_mode & 0o777 == 0o600 and (tmp_path / "item").stat().st_size == 48


LONG = 3_600
"""Seconds after which nobody waits any more."""


async def test_a_relay_that_never_confirms_holds_a_wake_for_seconds(asleep):
    """The owner's commands wait for the vault for ten seconds."""
    with ScriptedRelay() as relay:
        sleeper = await asleep(relay=relay.url)
        _, event = sleeper.app.request("ping", [])
        relay.ok_delay = LONG
        begun = time.monotonic()
        assert sleeper.wake(payload=sleeper.push(event))["outcome"] in ("not-taken", "signed")
        assert time.monotonic() - begun < 9


async def test_several_relays_that_never_confirm_hold_a_wake_no_longer_than_one(asleep, start):
    with contextlib.ExitStack() as stack:
        relays = [stack.enter_context(ScriptedRelay()) for _ in range(5)]
        sleeper = await asleep(relay=relays[0].url, others=[relay.url for relay in relays[1:]])
        _, event = sleeper.app.request("ping", [])
        for relay in relays:
            relay.ok_delay = LONG
        begun = time.monotonic()
        sleeper.wake(payload=sleeper.push(event))
        assert time.monotonic() - begun < 9


async def test_requests_that_a_slow_relay_stores_are_left_for_wakes_of_their_own(asleep):
    with ScriptedRelay() as relay:
        relay.keeps_ephemeral_events = True
        sleeper = await asleep(relay=relay.url)
        ids = []
        for number in range(6):
            id, event = sleeper.app.request("sign_event", [as_json(template(content=f"{number}"))])
            await sleeper.app.connections.publish(event)
            ids.append((id, event))
        relay.ok_delay = 3
        begun = time.monotonic()
        sleeper.wake("--relay", relay.url, "--event", ids[-1][1]["id"])
        assert time.monotonic() - begun < 14
        relay.ok_delay = 0
        for id, event in ids:
            said = sleeper.wake("--relay", relay.url, "--event", event["id"])
            assert said["exit"] in (SIGNED, SEEN)
            assert json.loads((await sleeper.app.reply(id)).result)["content"], "each was answered"
