"""Programs that ask over the session bus, with a real one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from jeepney.bus_messages import message_bus

from harness.bus_program import NAME, BusCaller, owner_of
from harness.daemon import binary, environment
from harness.waiting import until
from reference.events import is_genuine
from reference.keys import Key

NOTE = {"kind": 1, "content": "over the bus", "tags": []}
PLACE = ["/org/holdfast/Signer1", NAME]


def the_waiting(daemon) -> dict:
    return until(daemon.waiting, "a request that waits")[0]


def shell(desktop, *command: str) -> str:
    done = subprocess.run(command, env=environment(**desktop.environment), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", ["/org/holdfast/Signer1", "/"])
def test_gdbus_shows_what_there_is(on_bus, desktop, path):
    on_bus()
    shown = shell(desktop, "gdbus", "introspect", "--session", "--recurse", "--dest", NAME, "--object-path", path)
    for name in ("GetPublicKey", "SignEvent", "Nip04Encrypt", "Nip04Decrypt", "Nip44Encrypt", "Nip44Decrypt", "ListIdentities"):
        assert f"{name}(" in shown
    assert "readonly b Locked = false" in shown and "readonly s Version" in shown


def test_busctl_signs_once_its_first_use_is_approved(on_bus, desktop):
    daemon = on_bus()
    command = ["busctl", f"--address={desktop.address}", "--json=short", "--timeout=60", "call", NAME, *PLACE]
    running = subprocess.Popen([*command, "SignEvent", "ss", json.dumps(NOTE), ""], stdout=subprocess.PIPE, text=True)
    waiting = the_waiting(daemon)
    assert (waiting["rule"], waiting["client"]["name"]) == ("first-use", "busctl")
    daemon.do("request", "approve", waiting["id"])
    out, _ = running.communicate(timeout=30)
    event = json.loads(json.loads(out)["data"][0])
    assert is_genuine(event) and event["content"] == NOTE["content"]


def test_tools_of_the_bus_are_said_to_run_for_any_script(on_bus, desktop, ended):
    daemon = on_bus()
    running = subprocess.Popen(
        ["gdbus", "call", "--session", "--dest", NAME, "--object-path", PLACE[0], "--method", f"{NAME}.GetPublicKey", ""],
        env=environment(**desktop.environment),
        stdout=subprocess.PIPE,
    )
    try:
        shown = daemon.do("request", "show", the_waiting(daemon)["id"])
        assert any("not the script" in part.get("text", "") for part in shown["parts"])
    finally:
        running.kill()
        running.communicate()


def test_the_example_for_shells_signs_a_note(on_bus, desktop):
    daemon = on_bus()
    script = Path(__file__).parents[2] / "Examples/LocalPrograms/sign.sh"
    env = environment(**desktop.environment)
    running = subprocess.Popen([str(script), 'Hello from a "shell"'], env=env, stdout=subprocess.PIPE, text=True)
    daemon.do("request", "approve", the_waiting(daemon)["id"])
    event = json.loads(running.communicate(timeout=30)[0])
    assert is_genuine(event) and event["content"] == 'Hello from a "shell"'


def test_a_program_let_in_at_the_socket_is_let_in_on_the_bus(on_bus, run_program, on_bus_program, executable):
    daemon, program = on_bus(), run_program(executable)
    program.send("getPublicKey")
    daemon.do("request", "approve", the_waiting(daemon)["id"])
    program.read()
    assert on_bus_program(executable).call("GetPublicKey", "") == daemon.user
    (known,) = daemon.do("local", "list")["programs"]
    assert known["program"]["path"] == str(executable)


def test_every_method_answers(on_bus, caller):
    daemon, peer = on_bus("--local-trust", "full"), Key()
    program = caller()
    assert program.call("GetPublicKey", "") == program.call("GetPublicKey", "alice") == daemon.user
    assert program.call("ListIdentities") == [("alice", daemon.user, daemon.ready["npub"])]
    assert is_genuine(program.sign(NOTE))
    for kind in ("Nip44", "Nip04"):
        sealed = program.call(f"{kind}Encrypt", peer.public, "hello 🗝", "")
        assert program.call(f"{kind}Decrypt", peer.public, sealed, "alice") == "hello 🗝"


def test_the_event_or_the_argument_names_the_identity(on_bus, caller):
    daemon = on_bus("--local-trust", "full")
    work = daemon.do("identity", "create", "work")["pubkey"]
    program = caller()
    assert program.call("GetPublicKey", "work") == work
    assert json.loads(program.call("SignEvent", json.dumps(NOTE), "work"))["pubkey"] == work
    assert program.sign({**NOTE, "pubkey": work})["pubkey"] == work


def test_the_lock_is_seen_and_told(on_bus, caller, home):
    daemon, program = on_bus(), caller()
    program.listen_for_changes()
    assert program.property("Locked") is False and program.property("Version")
    daemon.do("lock")
    assert program.change() == {"Locked": True}
    assert program.property("Locked") is True
    daemon.do("unlock", "--passphrase-file", str(home.passphrase_file))
    assert program.change() == {"Locked": False}


@pytest.mark.parametrize(
    ("method", "texts", "error"),
    [
        ("GetPublicKey", ("nobody",), "NoKey"),
        ("SignEvent", ("{", ""), "Invalid"),
        ("SignEvent", ("[]", ""), "Invalid"),
        ("SignEvent", ("{}", ""), "Invalid"),
        ("SignEvent", ('{"kind":1,"content":"x","tags":[],"pubkey":"00"}', ""), "Invalid"),
        ("SignEvent", ('{"kind":1,"content":"x","tags":[],"pubkey":"alice"}', ""), "Invalid"),
        ("SignEvent", (f'{{"kind":1,"content":"x","tags":[],"pubkey":"{"79" * 32}"}}', ""), "NoKey"),
        ("Nip44Encrypt", ("not a key", "x", ""), "Invalid"),
        ("Nip44Decrypt", ("00" * 32, "x", ""), "Invalid"),
        ("SignEvent", ("x" * (2 << 20) + "x", ""), "TooLarge"),
        ("SignEvent", ("{}",), "org.freedesktop.DBus.Error.InvalidArgs"),
        ("Sign", ("{}",), "org.freedesktop.DBus.Error.UnknownMethod"),
    ],
)
def test_what_cannot_be_done_is_an_error_with_a_name(on_bus, caller, method, texts, error):
    on_bus("--local-trust", "full")
    assert caller().error(method, *texts) == error


def test_a_signer_whose_name_is_taken_gets_it_when_it_is_free(on_bus, caller, desktop):
    first = caller()
    first.bus.send_and_get_reply(message_bus.RequestName(NAME))
    daemon = on_bus("--local-trust", "full")
    assert owner_of(desktop.address) == first.bus.unique_name
    first.end()
    until(lambda: owner_of(desktop.address) not in (None, first.bus.unique_name), "the name is the signer's")
    assert caller().call("GetPublicKey", "") == daemon.user


def test_after_the_bus_restarted_the_signer_is_there_again(on_bus, desktop):
    daemon = on_bus("--local-trust", "full")
    until(lambda: owner_of(desktop.address), "the signer on the bus")
    desktop.restart()
    until(lambda: owner_of(desktop.address), "the signer on the new bus")
    assert BusCaller(desktop.address).call("GetPublicKey", "") == daemon.user
    assert daemon.stop() == 0


def test_a_call_starts_the_signer(home, desktop, caller):
    """As Packaging/org.holdfast.Signer1.service does, with a passphrase that a test can give."""
    log = home.folder / "started"
    command = f"{binary()} up --home {home.path} --passphrase-file {home.passphrase_file} --listen 127.0.0.1:0 --local-trust full"
    starter = home.folder / "start.sh"
    starter.write_text(f"#!/bin/sh\necho $$ >{log}\nHOLDFAST_TPM=none exec {command} >/dev/null 2>&1\n")
    starter.chmod(0o755)
    desktop.offer(NAME, str(starter))
    try:
        assert len(caller().call("GetPublicKey", "")) == 64
    finally:
        subprocess.run(["kill", log.read_text().strip()], check=True)


def test_off_or_without_a_bus_there_is_nothing_and_the_library_is_not_loaded(on_bus, start, desktop):
    daemon = on_bus("--no-dbus")
    assert desktop.names_of(daemon.pid) == []
    daemon.stop()
    daemon = start()
    assert "libsystemd" not in Path(f"/proc/{daemon.pid}/maps").read_text()
