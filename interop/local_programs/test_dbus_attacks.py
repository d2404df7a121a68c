"""What a hostile program can try on the session bus."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import site
import socket
import subprocess
import sys

import pytest
from jeepney import DBusAddress, HeaderFields, MessageFlag, new_method_call, new_signal
from jeepney.io.blocking import open_dbus_connection

from harness.bus_program import NAME, SIGNER, Refused, owner_of
from harness.measures import open_files, resident_kib
from harness.waiting import until
from reference.events import is_genuine

NOTE = {"kind": 1, "content": "x", "tags": []}
AT_ONCE = 64


def note(content: str) -> tuple[str, str]:
    return json.dumps({**NOTE, "content": content}), ""


def test_a_denied_program_learns_nothing(on_bus, on_bus_program, executable):
    daemon, program = on_bus(), on_bus_program(executable)
    program.send("GetPublicKey", "")
    daemon.do("request", "deny", until(daemon.waiting, "a request that waits")[0]["id"])
    _, error, body = program.read()
    assert error == f"{NAME}.Error.Denied" and daemon.user not in json.dumps(body)
    assert program.error("ListIdentities") == "Denied"
    assert daemon.do("local", "list")["programs"][0]["first_use"] is True


def test_what_waits_ends_with_its_connection(on_bus, on_bus_program, executable):
    daemon, program = on_bus(), on_bus_program(executable)
    program.send("SignEvent", *note("x"))
    until(daemon.waiting, "a request that waits")
    program.end()
    until(lambda: not daemon.waiting(), "the end of the request")


def test_nobody_ends_the_requests_of_another(on_bus, caller):
    """Another program says that the first one has left the bus."""
    daemon, first, other = on_bus(), caller(), caller()
    first.send("SignEvent", *note("x"))
    until(daemon.waiting, "a request that waits")
    name = first.bus.unique_name
    forged = new_signal(DBusAddress("/org/freedesktop/DBus", interface="org.freedesktop.DBus"), "NameOwnerChanged", "sss", (name, name, ""))
    forged.header.fields[HeaderFields.destination] = owner_of_signer(other)
    other.bus.send(forged)
    other.property("Locked")  # the bus keeps the order: the signer has seen it
    daemon.do("request", "approve", daemon.waiting()[0]["id"])
    assert is_genuine(json.loads(first.read()[0]))


def owner_of_signer(caller) -> str:
    reply = caller.bus.send_and_get_reply(
        new_method_call(
            DBusAddress("/org/freedesktop/DBus", bus_name="org.freedesktop.DBus", interface="org.freedesktop.DBus"),
            "GetNameOwner",
            "s",
            (NAME,),
        )
    )
    return reply.body[0]


def test_an_answer_goes_to_the_one_that_asked(on_bus, caller):
    daemon, first, second = on_bus("--local-trust", "full"), caller(), caller()
    one, two = first.send("SignEvent", *note("first")), second.send("SignEvent", *note("second"))
    assert json.loads(first.read(one)[0])["content"] == "first"
    assert json.loads(second.read(two)[0])["content"] == "second"
    assert daemon.waiting() == []


def test_more_at_once_than_is_taken_gets_an_error(on_bus, caller):
    daemon, program = on_bus(), caller()
    calls = [program.send("SignEvent", *note(str(number))) for number in range(AT_ONCE + 10)]
    assert program.errors_of(calls[-10:]) == {"RateLimited"}
    assert len(daemon.waiting()) <= 20, "no more wait than for any app"


def test_bytes_that_wait_are_limited(on_bus, caller):
    daemon, program = on_bus("--local-trust", "low"), caller()
    for number in range(3):
        program.send("SignEvent", *note(str(number) * (1300 << 10)))
    until(lambda: len(daemon.waiting()) == 3, "the large ones wait")
    with pytest.raises(Refused, match="RateLimited: At most 64 requests of one connection, and 4 MiB"):
        program.call("SignEvent", *note("x" * (300 << 10)))
    program.send("SignEvent", *note("small"))
    until(lambda: len(daemon.waiting()) == 4, "a small one still waits with them")


def test_huge_texts_take_no_memory_without_end(on_bus, caller):
    daemon, program = on_bus("--local-trust", "full"), caller()
    assert is_genuine(program.sign(NOTE))
    before = resident_kib(daemon.pid)
    for _ in range(4):
        assert program.error("SignEvent", "x" * (40 << 20), "") == "org.freedesktop.DBus.Error.LimitsExceeded"
        assert program.error("NoSuchMethod", "x" * (40 << 20)) == "org.freedesktop.DBus.Error.UnknownMethod"
    assert resident_kib(daemon.pid) - before < 16 * 1024
    assert is_genuine(program.sign(NOTE))


def test_a_flood_of_calls_stops_nobody(on_bus, caller):
    daemon, hostile, honest = on_bus("--local-trust", "full"), caller(), caller()
    assert is_genuine(honest.sign(NOTE))
    before = resident_kib(daemon.pid)
    for number in range(5_000):
        hostile.send("SignEvent" if number % 2 else "NoSuchMethod", "{", "")
    assert is_genuine(honest.sign({**NOTE, "content": "meanwhile"}))
    assert resident_kib(daemon.pid) - before < 32 * 1024


def test_more_connections_than_are_remembered_stop_nobody(on_bus, caller):
    on_bus("--local-trust", "full")
    for _ in range(1_100):
        one = caller()
        one.call("GetPublicKey", "")
    assert is_genuine(one.sign(NOTE))


def test_descriptors_in_messages_do_not_come_in(on_bus, desktop):
    """The bus passes them to nobody who does not want any."""
    daemon = on_bus("--local-trust", "full")
    until(lambda: owner_of(desktop.address), "the signer on the bus")
    with contextlib.closing(open_dbus_connection(desktop.address, enable_fds=True)) as bus:
        before = open_files(daemon.pid)
        call = new_method_call(SIGNER, "SignEvent", "h", (os.open("/dev/null", os.O_RDONLY),))
        reply = bus.send_and_get_reply(call)
        assert reply.header.fields[HeaderFields.error_name].startswith("org.freedesktop.DBus.Error.")
        assert open_files(daemon.pid) == before


def test_bytes_that_are_no_text_do_not_reach_the_signer(on_bus, caller, desktop):
    """The bus closes the connection of whoever sends them."""
    on_bus("--local-trust", "full")
    hostile = caller()
    message = new_method_call(SIGNER, "SignEvent", "ss", ("AAAA", ""))
    raw = message.serialise(serial=next(hostile.bus.outgoing_serial)).replace(b"AAAA", b"\xff\xfe\xff\xfe")
    hostile.bus.sock.sendall(raw)
    with pytest.raises((ConnectionResetError, BrokenPipeError)):
        hostile.read()
    assert is_genuine(caller().sign(NOTE))


def test_a_program_that_becomes_another_one_is_refused(on_bus, caller, desktop, executable, tmp_path):
    """It calls, then runs the file of a trusted program, while a child of it goes on calling over the same connection."""
    daemon = on_bus("--local-trust", "full")
    trusted = tmp_path / "trusted"
    shutil.copyfile(shutil.which("sleep"), trusted)
    trusted.chmod(0o755)
    script = f"""
import os, site, sys
from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection
bus = open_dbus_connection({desktop.address!r})
os.set_inheritable(bus.sock.fileno(), True)
signer = DBusAddress("/org/holdfast/Signer1", bus_name={NAME!r}, interface={NAME!r})
def ask(): return bus.send_and_get_reply(new_method_call(signer, "GetPublicKey", "s", ("",)))
print(ask().body[0], flush=True)
become = os.pipe()
if os.fork() == 0:
    os.read(become[0], 1)
    while open(f"/proc/{{os.getppid()}}/comm").read().strip() != "trusted": pass
    reply = ask()
    print(reply.header.message_type.name, reply.header.fields, flush=True)
    os._exit(0)
os.write(become[1], b"x")
os.execv({str(trusted)!r}, ["trusted", "60"])
"""
    env = {**os.environ, "PYTHONHOME": sys.base_prefix, "PYTHONPATH": os.pathsep.join(site.getsitepackages())}
    process = subprocess.Popen([str(executable), "-c", script], stdout=subprocess.PIPE, text=True, env=env)
    try:
        assert process.stdout.readline().strip() == daemon.user
        answer = process.stdout.readline()
        assert answer.startswith("error") and f"{NAME}.Error.NotAllowed" in answer
        assert [one["program"]["path"] for one in daemon.do("local", "list")["programs"]] == [str(executable)]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user")
def test_another_user_is_refused_although_the_bus_lets_it_in(start, open_desktop):
    daemon = start(env=open_desktop.environment, arguments=("--local-trust", "full"))
    until(lambda: owner_of(open_desktop.address), "the signer on the bus")
    command = ["busctl", f"--address={open_desktop.address}", "call", NAME, "/org/holdfast/Signer1", NAME, "GetPublicKey", "s", ""]
    other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    done = subprocess.run([*other, *command], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "own user" in done.stderr, done.stderr
    assert daemon.do("local", "list")["programs"] == []
    assert not daemon.do("status")["suspended"], "nobody locks the signer by a call"
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert daemon.user in done.stdout, done.stderr


def test_a_call_that_wants_no_answer_is_not_carried_out(on_bus, caller):
    daemon, program = on_bus(), caller()
    call = new_method_call(SIGNER, "SignEvent", "ss", note("x"))
    call.header.flags |= MessageFlag.no_reply_expected
    program.bus.send(call)
    program.property("Locked")
    assert daemon.waiting() == [] and daemon.do("local", "list")["programs"] == []


def test_one_that_never_reads_takes_no_memory_without_end(on_bus, caller, desktop):
    daemon, deaf = on_bus("--local-trust", "full"), caller()
    assert is_genuine(deaf.sign(NOTE))
    before = resident_kib(daemon.pid)
    deaf.bus.sock.settimeout(2)
    with contextlib.suppress(TimeoutError, socket.timeout, OSError):
        for _ in range(200):
            deaf.send("Sign" + "x" * 200, "x" * 100_000)
    assert resident_kib(daemon.pid) - before < 32 * 1024
    assert is_genuine(caller().sign(NOTE))
