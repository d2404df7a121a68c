"""`holdfast native-host` as a browser runs it: started by the wrapper, with frames on its standard streams."""

from __future__ import annotations

import json
import select
import struct
import subprocess
from pathlib import Path

from .daemon import environment
from .waiting import PATIENCE


class NativeHost:
    """The helper, and the browser's end of its streams."""

    def __init__(self, home, *arguments: str, wrapper: Path | None = None, env: dict | None = None):
        self.count = 0
        self.process = subprocess.Popen(
            [str(wrapper or Path(home.path) / "browser" / "native-host"), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env or environment(),
        )

    def send_bytes(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message) -> None:
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.send_bytes(struct.pack("=I", len(body)) + body)

    def read(self) -> dict:
        (length,) = struct.unpack("=I", self.exactly(4))
        return json.loads(self.exactly(length))

    def exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
            assert ready, "the helper said nothing"
            piece = self.process.stdout.raw.read(count - len(data)) if hasattr(self.process.stdout, "raw") else None
            assert piece, "the helper has ended"
            data += piece
        return data

    def ask(self, method: str, origin: str | None = "https://site.example", channel: str | None = "c", **parameters) -> dict:
        self.count += 1
        message = {"id": str(self.count), "method": method, "origin": origin, "params": parameters}
        self.send(message | ({"channel": channel} if channel else {}))
        answer = self.read()
        assert answer["id"] == str(self.count), answer
        return answer

    def code(self, *arguments, **parameters) -> str:
        return self.ask(*arguments, **parameters)["error"]["code"]

    def end(self) -> int:
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return code
