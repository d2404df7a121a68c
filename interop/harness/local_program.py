"""Programs on this machine that ask over the apps' socket, each a process with an executable file of its own."""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from harness.waiting import PATIENCE

CARRIER = """
import os, socket, sys, threading
peer = socket.socket(socket.AF_UNIX)
peer.connect(sys.argv[1])
def down():
    while True:
        try: data = peer.recv(65536)
        except OSError: data = b""
        if not data: os._exit(0)
        os.write(1, data)
threading.Thread(target=down, daemon=True).start()
while True:
    data = os.read(0, 65536)
    if not data: os._exit(0)
    peer.sendall(data)
"""
"""Carries lines between its own standard streams and the socket."""


def socket_of(home) -> str:
    return str(home.path / "app.sock")


def new_executable(place: Path) -> Path:
    """A file of its own that runs Python."""
    shutil.copyfile(os.path.realpath(sys.executable), place)
    place.chmod(0o755)
    return place


class Lines:
    """Sends requests and reads answers over a descriptor for each direction."""

    def __init__(self, reading: int, writing: int):
        self.reading, self.writing = reading, writing
        self.rest = b""
        self.count = 0

    def send(self, method: str, **parameters) -> str:
        self.count += 1
        id = str(self.count)
        self.send_line(json.dumps({"v": 1, "id": id, "method": method, "params": parameters}).encode())
        return id

    def send_line(self, line: bytes) -> None:
        view = memoryview(line + b"\n")
        while view:
            view = view[os.write(self.writing, view) :]

    def read(self, seconds: float = PATIENCE) -> dict | None:
        """The next answer; None at the end of the connection."""
        while b"\n" not in self.rest:
            waiting = select.poll()  # select knows no number beyond 1023
            waiting.register(self.reading, select.POLLIN)
            ready = waiting.poll(max(0, seconds) * 1000)
            assert ready, f"no answer within {seconds} s"
            try:
                data = os.read(self.reading, 65536)
            except ConnectionResetError:
                return None
            if not data:
                return None
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def ask(self, method: str, **parameters) -> dict:
        id = self.send(method, **parameters)
        answer = self.read()
        assert answer is not None and answer["id"] == id, answer
        return answer

    def result(self, method: str, **parameters):
        answer = self.ask(method, **parameters)
        assert "result" in answer, answer
        return answer["result"]

    def code(self, method: str, **parameters) -> str:
        answer = self.ask(method, **parameters)
        assert "error" in answer, answer
        return answer["error"]["code"]


class Program(Lines):
    """A process that is connected."""

    def __init__(self, executable: Path, home, **options):
        self.process = subprocess.Popen(
            [str(executable), "-c", CARRIER, socket_of(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHOME": sys.base_prefix},
            **options,
        )
        super().__init__(self.process.stdout.fileno(), self.process.stdin.fileno())

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Connection(Lines):
    """A connection of the tests' own process."""

    def __init__(self, home):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(socket_of(home))
        super().__init__(self.socket.fileno(), self.socket.fileno())

    def end(self) -> None:
        self.socket.close()
