"""The owner's operations over the control socket, for those that no command offers."""

from __future__ import annotations

import http.client
import json
import socket
from pathlib import Path


class _OverSocket(http.client.HTTPConnection):
    def __init__(self, path: Path):
        super().__init__("holdfast", timeout=20)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def ask(home: Path, operation: str, secrets: dict[str, bytes] | None = None, **parameters) -> dict:
    """The answer as it stands: `{"ok": true, "result": …}` or `{"ok": false, "exit": …}`. Secrets lie beside the JSON."""
    connection = _OverSocket(home / "control.sock")
    if secrets:
        parameters["secrets"] = [[name, len(secret)] for name, secret in secrets.items()]
    body = json.dumps(parameters).encode() + (b"\n" + b"".join(secrets.values()) if secrets else b"")
    try:
        connection.request("POST", f"/v1/{operation}", body, {"Content-Type": "application/json"})
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


def do(home: Path, operation: str, **parameters) -> dict:
    """As `ask`, for what must succeed."""
    answer = ask(home, operation, **parameters)
    assert answer["ok"], answer
    return answer["result"]
