"""Relays of other projects: rust-nostr's LocalRelay in this process, and PyPI `nostr-relay` as a process."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import nostr_sdk

from .waiting import until

_CONFIGURATION = """\
relay_name: interop
max_event_size: 400000
subscription_limit: 64
storage:
  sqlalchemy.url: sqlite+aiosqlite:///{folder}/events.sqlite3
  num_concurrent_reqs: 4
  num_concurrent_adds: 1
  validators:
    - nostr_relay.validators.is_not_too_large
    - nostr_relay.validators.is_signed
gunicorn:
  bind: 127.0.0.1:{port}
purple:
  host: 127.0.0.1
  port: {port}
  workers: 1
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts_connections(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class NostrRelayProcess:
    """The Python package `nostr-relay`, storing in SQLite in a temporary folder. Keeps 24133 and replays it."""

    def __enter__(self) -> NostrRelayProcess:
        self.folder = Path(tempfile.mkdtemp(prefix="hf-relay-", dir="/tmp"))
        self.port = free_port()
        (self.folder / "config.yaml").write_text(_CONFIGURATION.format(folder=self.folder, port=self.port))
        program = Path(sys.executable).with_name("nostr-relay")
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen(
            [program, "-c", "config.yaml", "serve", "--use-uvicorn"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        until(self._is_up, "nostr-relay accepts connections", 30)
        return self

    def _is_up(self) -> bool:
        if self.process.poll() is not None:
            raise AssertionError((self.folder / "log").read_text())
        return accepts_connections(self.port)

    def __exit__(self, *_) -> None:
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(5)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"


class RustLocalRelay:
    """rust-nostr's own relay, in this process on threads of its own. Never stores 24133."""

    def __init__(self, *, wants_login: bool = False):
        """With `wants_login`, reading and writing need a login (NIP-42)."""
        self._wants_login = wants_login

    def __enter__(self) -> RustLocalRelay:
        builder = nostr_sdk.LocalRelayBuilder()
        if self._wants_login:
            both = nostr_sdk.LocalRelayBuilderNip42Mode.BOTH
            builder = builder.nip42(nostr_sdk.LocalRelayBuilderNip42(mode=both))
        self._relay = builder.build()
        self.url = asyncio.run(self._start())
        return self

    async def _start(self) -> str:
        await self._relay.run()
        return str(await self._relay.url())

    def __exit__(self, *_) -> None:
        self._relay.shutdown()
