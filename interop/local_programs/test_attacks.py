"""What a hostile program on this machine can try on the apps' socket."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from harness.local_program import CARRIER, new_executable, socket_of
from harness.measures import resident_kib
from harness.waiting import until
from reference.events import is_genuine

NOTE = {"kind": 1, "content": "x", "tags": []}
LINE_LIMIT = 2 << 20
AT_ONCE = 64


@pytest.fixture
def trusting(start):
    return start(arguments=("--local-trust", "full"))


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user")
def test_another_user_is_refused_although_the_folder_is_open(start, home):
    daemon = start()
    home.folder.chmod(0o755)
    home.path.chmod(0o755)
    os.chmod(socket_of(home), 0o666)
    python = shutil.which("python3", path="/usr/bin")
    other = subprocess.Popen(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", python, "-c", CARRIER, socket_of(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        other.stdin.write(json.dumps({"v": 1, "id": "1", "method": "getPublicKey"}).encode() + b"\n")
        other.stdin.flush()
        assert other.stdout.read() == b"", "the connection ends without a word"
    finally:
        other.kill()
        other.communicate()
    assert daemon.waiting() == [] and daemon.do("local", "list")["programs"] == []


def test_lines_that_are_no_request_get_an_error_each(trusting, connect):
    connection = connect()
    for line in (b"", b"x", b"[]", b"{}", b'{"v":1}', b'{"v":1,"id":"1"}', b"\xff\xfe", b"[" * 100_000, b'{"v":1,"id":[],"method":"sign"}'):
        connection.send_line(line)
        assert "error" in connection.read(), line
    assert is_genuine(connection.result("sign", event=NOTE))


@pytest.mark.parametrize("behalf", [{"origin": "https://bank.example", "extension": "abc"}, {"callback": "https://bank.example"}])
def test_a_program_cannot_ask_in_the_name_of_a_site_or_link(trusting, connect, behalf):
    connection = connect()
    request = {"v": 1, "id": "1", "method": "sign", "params": {"event": NOTE}, "for": behalf}
    connection.send_line(json.dumps(request).encode())
    assert connection.read()["error"]["code"] == "not-allowed"
    assert trusting.do("local", "list")["programs"] == []


def test_a_line_that_is_too_long_ends_the_connection(trusting, connect):
    connection = connect()
    try:
        connection.send_line(b"x" * (LINE_LIMIT + 1))
    except (BrokenPipeError, ConnectionResetError):
        pass
    assert connection.read() is None
    assert is_genuine(connect().result("sign", event=NOTE))


def test_a_program_that_never_reads_takes_no_memory_without_end(trusting, connect):
    assert is_genuine(connect().result("sign", event=NOTE))
    before = resident_kib(trusting.pid)
    for _ in range(20):
        deaf = connect()
        deaf.socket.settimeout(0.2)
        line = json.dumps({"v": 1, "id": "1", "method": "x" * 50_000}).encode() + b"\n"
        try:
            for _ in range(200):
                deaf.socket.sendall(line)
        except OSError:
            pass
    assert resident_kib(trusting.pid) - before < 64 * 1024
    assert is_genuine(connect().result("sign", event=NOTE))


def test_more_at_once_than_is_taken_gets_an_error(start, connect):
    daemon, connection = start(), connect()
    for number in range(AT_ONCE + 10):
        connection.send("sign", event={**NOTE, "content": str(number)})
    codes = [connection.read()["error"]["code"] for _ in range(10)]
    assert set(codes) == {"rate-limited"}
    assert len(daemon.waiting()) <= 20, "no more wait than for any app"


@pytest.mark.slow
def test_a_thousand_connections(trusting, connect):
    connections = [connect() for _ in range(1_000)]
    for connection in connections:
        connection.send("getPublicKey")
    assert {connection.read()["result"] for connection in connections} == {trusting.user}


def test_what_a_program_no_longer_waits_for_waits_no_more(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("sign", event=NOTE)
    until(daemon.waiting, "a request that waits")
    program.end()
    until(lambda: not daemon.waiting(), "the end of the request")
    dropped = lambda: [entry for entry in daemon.log_entries() if entry["entry"] == "requestDropped"]  # noqa: E731
    until(dropped, "its end in the log")
    assert len(dropped()) == 1


def test_two_that_ask_the_same_are_both_answered_and_one_that_leaves_takes_nothing_from_the_other(start, connect):
    daemon, first, second = start(), connect(), connect()
    first.send("sign", event=NOTE)
    until(daemon.waiting, "a request that waits")
    second.send("sign", event=NOTE)
    until(lambda: daemon.waiting()[0]["repeats"] == 1, "the second one, too")
    first.end()
    until(lambda: daemon.waiting()[0]["repeats"] == 0, "the first one is gone")
    daemon.do("request", "approve", daemon.waiting()[0]["id"])
    assert is_genuine(second.read()["result"])


def test_of_many_that_ask_the_same_none_waits_for_ever(start, connect):
    daemon, connection = start(), connect()
    for _ in range(8):
        connection.send("sign", event=NOTE)
    refused = [connection.read() for _ in range(4)]
    assert {answer["error"]["code"] for answer in refused} == {"rate-limited"}
    daemon.do("request", "approve", daemon.waiting()[0]["id"])
    assert all(is_genuine(connection.read()["result"]) for _ in range(4))


def test_programs_that_were_not_let_in_take_no_place_of_others(start, run_program, tmp_path):
    daemon = start()
    first = new_executable(tmp_path / "p0")
    program = run_program(first)
    for number in range(30):
        program.send("sign", event={**NOTE, "content": str(number)})
    until(daemon.waiting, "a request that waits")
    codes = [program.read()["error"]["code"] for _ in range(29)]
    assert set(codes) == {"rate-limited"} and len(daemon.waiting()) == 1, "each asks one thing"


def test_a_program_that_becomes_another_one_is_refused(trusting, run_program, executable, tmp_path):
    """It connects, then runs the file of a trusted program, while a child of it goes on writing."""
    trusted = tmp_path / "trusted"
    shutil.copyfile(shutil.which("sleep"), trusted)
    trusted.chmod(0o755)
    script = f"""
import json, os, socket, sys, time
peer = socket.socket(socket.AF_UNIX)
peer.connect({socket_of(trusting.home)!r})
peer.sendall(b'{{"v":1,"id":"0","method":"x"}}\\n')
peer.recv(65536)
if os.fork():
    os.execv({str(trusted)!r}, ["trusted", "60"])
while b"trusted" not in open("/proc/%d/comm" % os.getppid(), "rb").read(): time.sleep(0.01)
peer.sendall(json.dumps({{"v": 1, "id": "1", "method": "sign", "params": {{"event": {json.dumps(NOTE)}}}}}).encode() + b"\\n")
os.write(1, peer.recv(65536))
os.kill(os.getppid(), 9)
"""
    done = subprocess.run(
        [str(executable), "-c", script], env={**os.environ, "PYTHONHOME": sys.base_prefix}, stdout=subprocess.PIPE, timeout=60
    )
    assert json.loads(done.stdout)["error"]["code"] == "not-allowed"
    assert trusting.do("local", "list")["programs"] == []


def test_a_request_survives_kill_9_and_is_answered_when_it_is_asked_again(home, start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("sign", event=NOTE)
    name = until(daemon.waiting, "a request that waits")[0]["id"]
    daemon.kill()
    assert program.read() is None
    daemon = start()
    assert [request["id"] for request in daemon.waiting()] == [name]
    again = run_program(executable)
    again.send("sign", event=NOTE)
    assert again.code("getPublicKey") == "rate-limited", "the one before was taken"
    daemon.do("request", "approve", name)
    assert is_genuine(again.read()["result"])


def test_a_request_from_before_kill_9_ends_with_the_program_that_asked_again(home, start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("sign", event=NOTE)
    until(daemon.waiting, "a request that waits")
    daemon.kill()
    daemon, again = start(), run_program(executable)
    again.send("sign", event=NOTE)
    assert again.code("getPublicKey") == "rate-limited", "the one before was taken"
    again.end()
    until(lambda: not daemon.waiting(), "the end of the request")


def test_while_locked_a_new_program_is_told_so_and_a_known_one_waits(trusting, home, run_program, executable, connect):
    known = run_program(executable)
    assert is_genuine(known.result("sign", event=NOTE))
    trusting.do("lock")
    assert connect().code("getPublicKey") == "locked"
    assert known.result("getPublicKey") == trusting.user, "it knows that already"
    known.send("sign", event={**NOTE, "content": "later"})
    until(trusting.waiting, "a request that waits for the unlocking")
    trusting.do("unlock", "--passphrase-file", str(home.passphrase_file))
    assert is_genuine(known.read()["result"])


def test_a_locked_signer_lets_no_program_in(home, start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("getPublicKey")
    name = until(daemon.waiting, "a request that waits")[0]["id"]
    daemon.do("lock")
    assert daemon.cli("request", "approve", name).code == 3
    digits = daemon.do("local", "list")["programs"][0]["program"]["sha256"][:16]
    assert daemon.cli("local", "trust", digits, "full").code == 3
    assert daemon.do("local", "list")["programs"][0]["first_use"] is True


def test_ids_of_two_programs_do_not_meet(trusting, connect):
    first, second = connect(), connect()
    first.send("sign", event={**NOTE, "content": "first"})
    second.send("sign", event={**NOTE, "content": "second"})
    assert first.read()["result"]["content"] == "first"
    assert second.read()["result"]["content"] == "second"


def test_no_event_of_a_relay_speaks_for_a_program(trusting, connect):
    """A program's key is asked for at no relay, and nobody has its other half."""
    connect().result("getPublicKey")
    program = trusting.do("local", "list")["programs"][0]
    assert program["signer"] != program["pubkey"]
    assert all(client["program"] for client in trusting.clients())


def test_who_was_not_let_in_cannot_tell_which_keys_and_names_there_are(start, run_program, tmp_path):
    """Each of these programs waits, and the owner is asked, whichever identity it names. No answer names a key."""
    daemon = start()
    bob = daemon.do("identity", "create", "bob")["pubkey"]
    foreign = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    asks = [("sign", {"event": NOTE | {"pubkey": key}}) for key in (bob, daemon.user, foreign, "bob", "carol")]
    asks += [("sign", {"identity": "bob", "event": NOTE | {"pubkey": foreign}})]
    asks += [("getPublicKey", {"identity": name}) for name in ("alice", "bob", "carol", bob, foreign)]
    for number, (method, parameters) in enumerate(asks):
        executable = new_executable(tmp_path / f"program{number}")
        with open(executable, "ab") as file:
            file.write(bytes([number]))
        program = run_program(executable)
        program.send(method, **parameters)
        waiting = until(daemon.waiting, f"what {parameters} asks")
        assert [one["rule"] for one in waiting] == ["first-use"]
        daemon.do("request", "deny", waiting[0]["id"])
        assert program.read()["error"] == {"code": "denied", "message": "user rejected"}
        program.end()


def test_the_owner_is_told_that_an_identity_is_not_there_and_an_approval_lets_in_for_the_shown_one(start, run_program, tmp_path):
    daemon, program = start(), run_program(new_executable(tmp_path / "notes"))
    program.send("sign", event=NOTE, identity="carol")
    waiting = until(daemon.waiting, "the request")[0]
    shown = daemon.do("request", "show", waiting["id"])
    assert (shown["title"], waiting["identity"]["name"]) == ("Learn your public key", "alice")
    assert any("does not have" in part["text"] for part in shown["parts"] if part["type"] == "warning")
    daemon.do("request", "approve", waiting["id"])
    assert program.read()["error"]["code"] == "no-key"
    assert program.result("getPublicKey") == daemon.user
