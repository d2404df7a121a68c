"""Apps on this machine that speak NIP-46 without relay and envelope: at the apps' socket, and by `holdfast bunker connect`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from harness.daemon import binary, environment
from harness.local_program import Lines
from harness.waiting import until
from reference.events import is_genuine
from reference.keys import Key

NOTE = {"kind": 1, "content": "a frame", "tags": [], "created_at": 1_700_000_000}

STARTER = """
import subprocess, sys
sys.exit(subprocess.run(sys.argv[1:]).returncode)
"""
"""Starts a command as its child, with its own standard streams, and waits for it."""


class Frames(Lines):
    """A client of NIP-46 over two descriptors."""

    def ask(self, method: str, *params: str) -> dict:
        id = self.put(method, *params)
        answer = self.read()
        assert answer is not None and answer["id"] == id, answer
        return answer

    def put(self, method: str, *params: str) -> str:
        self.count += 1
        self.send_line(json.dumps({"id": str(self.count), "method": method, "params": params}).encode())
        return str(self.count)

    def result(self, method: str, *params: str) -> str:
        answer = self.ask(method, *params)
        assert isinstance(answer["result"], str) and "error" not in answer, answer
        return answer["result"]

    def error(self, method: str, *params: str) -> str:
        answer = self.ask(method, *params)
        assert answer["result"] is None, answer
        return answer["error"]


class Child(Frames):
    """`holdfast bunker connect`, started by a program with a file of its own."""

    def __init__(self, home, executable, starter: str = STARTER, before: tuple[str, ...] = ()):
        command = [str(binary()), "bunker", "connect", "--home", str(home.path)]
        self.process = subprocess.Popen(
            [*before, str(executable), "-c", starter, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(**({} if before else {"PYTHONHOME": sys.base_prefix})),
        )
        super().__init__(self.process.stdout.fileno(), self.process.stdin.fileno())

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def child(home, ended):
    def start_child(executable, **options) -> Child:
        ended.append(Child(home, executable, **options))
        return ended[-1]

    return start_child


@pytest.fixture
def frames(connect):
    def begin() -> Frames:
        connection = connect()
        return Frames(connection.reading, connection.writing)

    return begin


def approve(daemon) -> dict:
    waiting = until(daemon.waiting, "a request that waits")[0]
    daemon.do("request", "approve", waiting["id"])
    return waiting


def test_an_app_is_let_in_by_connect_and_then_signs(start, child, executable):
    daemon, app = start(), child(executable)
    id = app.put("connect", "")
    waiting = approve(daemon)
    assert (waiting["rule"], waiting["client"]["name"]) == ("first-use", "notes")
    assert app.read() == {"id": id, "result": "ack"}
    assert app.result("get_public_key") == daemon.user
    (program,) = daemon.do("local", "list")["programs"]
    assert program["program"]["path"] == str(executable), "the program that started the command, not the command"
    app.put("sign_event", json.dumps(NOTE))
    approve(daemon)
    event = json.loads(app.read()["result"])
    assert is_genuine(event) and event["content"] == NOTE["content"]


def test_every_method_of_nip_46_answers(start, frames):
    daemon, app, peer = start(arguments=("--local-trust", "full")), frames(), Key()
    assert app.result("ping") == "pong"
    assert app.result("switch_relays") == "null"
    assert app.result("connect", "", "", "sign_event:1") == "ack"
    assert app.result("get_public_key") == daemon.user
    assert is_genuine(json.loads(app.result("sign_event", json.dumps(NOTE))))
    for kind in ("nip44", "nip04"):
        sealed = app.result(f"{kind}_encrypt", peer.public, "hello")
        assert app.result(f"{kind}_decrypt", peer.public, sealed) == "hello"


def test_logout_forgets_the_program(start, frames):
    daemon, app = start(), frames()
    assert app.result("logout") == "ack" and daemon.do("local", "list")["programs"] == [], "nobody to forget"
    app.put("connect", "")
    approve(daemon)
    app.read()
    assert app.result("logout") == "ack"
    until(lambda: [program["first_use"] for program in daemon.do("local", "list")["programs"]] == [True], "it may do nothing any more")
    app.put("get_public_key")
    assert until(daemon.waiting, "it is asked about again")[0]["rule"] == "first-use"


def test_logout_does_not_take_off_what_the_owner_restricted(start, frames):
    """Where new programs are trusted, one could log out to come anew."""
    daemon, app = start(arguments=("--local-trust", "full")), frames()
    assert app.result("connect", "") == "ack"
    [program] = daemon.do("local", "list")["programs"]
    daemon.do("local", "trust", program["signer"], "low")
    assert app.result("logout") == "ack"
    until(lambda: daemon.do("local", "list")["programs"][0]["first_use"], "it may do nothing any more")
    app.put("sign_event", json.dumps(NOTE))
    assert until(daemon.waiting, "it is asked about")[0]["rule"] == "first-use"


def test_connect_chooses_the_identity(start, frames):
    daemon, app = start(arguments=("--local-trust", "full")), frames()
    work = daemon.do("identity", "create", "work")["pubkey"]
    assert app.result("connect", work) == "ack"
    assert app.result("get_public_key") == work
    assert json.loads(app.result("sign_event", json.dumps(NOTE)))["pubkey"] == work
    assert app.result("connect", "alice") == "ack" and app.result("get_public_key") == daemon.user
    assert "No identity" in app.error("connect", "00" * 32)


def test_a_denied_app_gets_an_error_and_learns_nothing(start, frames):
    daemon, app = start(), frames()
    app.put("connect", "")
    daemon.do("request", "deny", until(daemon.waiting, "a request that waits")[0]["id"])
    answer = app.read()
    assert answer["result"] is None and answer["error"] == "user rejected"
    assert daemon.user not in json.dumps(answer)


def test_what_is_no_message_gets_an_error(start, frames):
    start(arguments=("--local-trust", "full"))
    app = frames()
    for line in (
        b'{"id":"1","method":"sign","params":[]}',
        b'{"id":"1","method":"create_account","params":["a"]}',
        b'{"id":"1","method":"sign_event","params":[]}',
        b'{"id":"1","method":"sign_event","params":["{"]}',
        b'{"id":"1","method":"nip44_encrypt","params":["00"]}',
        b'{"id":"1","method":"nip44_encrypt","params":[1,2]}',
        b'{"id":[],"method":"ping","params":[]}',
        b'{"method":"ping","params":[]}',
    ):
        app.send_line(line)
        answer = app.read()
        assert answer["result"] is None and isinstance(answer["error"], str), line
    assert app.result("ping") == "pong"


def test_an_event_may_be_an_object_and_an_id_a_number(start, frames):
    start(arguments=("--local-trust", "full"))
    app = frames()
    app.send_line(json.dumps({"id": 7, "method": "sign_event", "params": [NOTE]}).encode())
    answer = app.read()
    assert answer["id"] == 7 and is_genuine(json.loads(answer["result"]))


def test_lines_from_a_pipe_are_answered_before_the_command_ends(start, home):
    daemon = start(arguments=("--local-trust", "full"))
    asked = "".join(json.dumps({"id": str(n), "method": "get_public_key", "params": []}) + "\n" for n in range(20)).rstrip("\n")
    done = subprocess.run([binary(), "bunker", "connect", "--home", home.path], input=asked, capture_output=True, text=True, timeout=60)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and {answer["id"] for answer in answers} == {str(n) for n in range(20)}
    assert {answer["result"] for answer in answers} == {daemon.user}


def test_without_a_signer_the_command_says_how_to_start_one(home):
    done = subprocess.run([binary(), "bunker", "connect", "--home", home.path], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 1 and "Start it: holdfast" in done.stderr


def test_when_the_signer_ends_the_command_ends(start, child, executable):
    daemon, app = start(arguments=("--local-trust", "full")), child(executable)
    assert app.result("ping") == "pong"
    daemon.stop()
    assert app.read() is None and app.process.wait(30) == 1
    assert "ended the connection" in app.process.stderr.read().decode()


def test_another_program_cannot_say_that_it_carries_lines(start, frames):
    """Only the signer's own file is believed."""
    daemon, app = start(arguments=("--local-trust", "full")), frames()
    app.send_line(b'{"v":1,"carry":"starter"}')
    answer = app.read()
    assert answer["result"] is None and "Only Holdfast" in answer["error"]
    assert app.read() is None, "the connection ends"
    assert daemon.do("local", "list")["programs"] == []


def test_lines_are_carried_for_nobody_else_later(start, frames):
    start(arguments=("--local-trust", "full"))
    app = frames()
    assert app.result("ping") == "pong"
    app.send_line(b'{"v":1,"carry":"starter"}')
    assert app.read()["error"]["code"] == "invalid"


def test_a_command_whose_starter_has_ended_is_refused(start, child, executable):
    """It belongs to whatever adopts orphans then, which never asked."""
    daemon = start(arguments=("--local-trust", "full"))
    orphan = (
        "import os, sys, time\nif os.fork(): os._exit(0)\nwhile os.getppid() != 1: time.sleep(0.01)\nos.execv(sys.argv[1], sys.argv[1:])"
    )
    app = child(executable, starter=orphan)
    assert app.read() is None and "cannot see which program started" in app.process.stderr.read().decode()
    assert daemon.do("local", "list")["programs"] == []


def test_the_command_ends_with_its_starter(start, child, executable):
    """Although its input stays open, and what it asked has no answer yet."""
    daemon, app = start(), child(executable)
    app.put("get_public_key")
    until(daemon.waiting, "a request that waits")
    app.process.kill()
    assert app.read() is None
    until(lambda: not daemon.waiting(), "the end of the request")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user")
def test_it_works_for_an_ordinary_user_who_may_not_look_into_hardened_processes(home, ended):
    """The command shows the signer its file, which other programs of Holdfast do not."""
    for place in (home.folder, *home.folder.rglob("*")):
        os.chown(place, 65534, 65534)
    home.folder.chmod(0o700)
    user = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    command = [*user, str(binary()), "up", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file), "--json"]
    env = environment(TMPDIR=str(home.folder), HOME=str(home.folder))
    signer = subprocess.Popen([*command, "--listen", "127.0.0.1:0", "--local-trust", "full"], stdout=subprocess.PIPE, env=env)
    try:
        user_key = json.loads(signer.stdout.readline())["pubkey"]
        app = Child(home, shutil.which("python3", path="/usr/bin"), before=user)
        ended.append(app)
        assert app.result("get_public_key") == user_key
    finally:
        signer.terminate()
        signer.communicate(timeout=30)
