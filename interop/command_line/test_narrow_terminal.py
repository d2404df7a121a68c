"""What the lists show in a terminal of 60 columns: no line is broken by the terminal, and nothing that is needed is lost."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from harness.app import App
from harness.tmux import Tmux
from harness.waiting import eventually
from reference.events import as_json, template

NARROW = 60


@pytest.fixture
def terminal(tmp_path):
    opened = Tmux(tmp_path, columns=NARROW, lines=40)
    yield opened
    opened.close()


def shown(terminal: Tmux, command: str) -> list[str]:
    code, lines = terminal.run(command)
    assert code == 0, lines
    return lines


async def test_requests_stay_readable(daemon, apps, terminal):
    app = await apps(App.paired(daemon.pair("low")))
    daemon.do("client", "rename", app.key.public, "An app with a rather long name")
    await app.send("sign_event", [as_json(template(1, "A note that is longer than one line of a small terminal. " * 3))])
    await eventually(daemon.waiting, "it waits")
    (request,) = daemon.waiting()
    home = f"--home {daemon.home.path}"
    listed = shown(terminal, f"holdfast request list {home}")
    assert listed[0].startswith(f"{request['id']}  An app with a rather long name:")
    for command in (f"request list {home}", f"request show {request['id']} {home}", f"client list {home}", f"status {home}"):
        lines = shown(terminal, f"holdfast {command}")
        # A command that is to be copied stays whole.
        long = [line for line in lines if len(line) > NARROW and "holdfast " not in line]
        assert not long, (command, long)
    continued = [line for line in listed[1:6] if line.strip() and not line.startswith("To ")]
    assert all(line.startswith("    ") for line in continued), "what belongs to a request is indented below it"


def test_the_path_of_a_program_keeps_its_end(daemon, terminal, tmp_path):
    """Its end says what it is. The list in JSON has all of it."""
    folder = tmp_path / ("a-folder-with-a-long-name-" * 4)
    folder.mkdir()
    program = folder / "python"
    program.write_bytes(open(sys.executable, "rb").read())
    program.chmod(0o755)
    ask = (
        "import json,socket,sys\n"
        "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
        "s.sendall(json.dumps({'v': 1, 'id': '1', 'method': 'getPublicKey', 'params': {}}).encode() + b'\\n')\n"
        "s.settimeout(2)\n"
        "try: s.recv(1)\n"
        "except TimeoutError: pass\n"
    )
    subprocess.run([program, "-c", ask, daemon.home.path / "app.sock"], check=True, timeout=60)
    (listed,) = daemon.do("local", "list")["programs"]
    assert listed["program"]["path"] == str(program), json.dumps(listed)
    lines = shown(terminal, f"holdfast local list --home {daemon.home.path}")
    assert all(len(line) <= NARROW for line in lines), lines
    row = next(line for line in lines if "…" in line)
    assert "…/python" in row and listed["program"]["sha256"][:16] in row, row
    assert str(program) not in row
