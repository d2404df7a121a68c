"""People with a signer each, for tests in which several of them deal with one another."""

from __future__ import annotations

import os
import subprocess

from .daemon import Home, binary, environment

DELAY = 3
"""Seconds a guardian in these tests waits before a share may leave."""


class Person:
    """A home and its running signer on a relay outside."""

    def __init__(self, closed_home: Home | None, relay: str):
        self.home = closed_home.copied() if closed_home else Home.created()
        self.relay = relay
        self.passphrase = ("--passphrase-file", str(self.home.passphrase_file))
        self.shares: list[str] = []
        self.daemon = None

    def up(self, **more) -> Person:
        self.daemon = self.home.start(relays=(self.relay,), embedded=False, **more)
        return self

    def down(self) -> None:
        if self.daemon:
            self.daemon.kill()
            self.daemon = None

    def __call__(self, *arguments: str, **more):
        return self.home.cli(*arguments, **more)

    @property
    def npub(self) -> str:
        return self("identity", "show").value["npub"]

    def release(self, request: str, **more):
        return self("guardian", "release", request, *self.passphrase, **more)

    def typed(self, line: str) -> None:
        """Runs a line as a shell takes it, where `holdfast` is installed."""
        folder = self.home.folder / "bin"
        folder.mkdir(exist_ok=True)
        (folder / "holdfast").symlink_to(binary())
        env = environment(HOLDFAST_HOME=str(self.home.path), PATH=f"{folder}:{os.environ['PATH']}")
        done = subprocess.run(["sh", "-c", line], cwd=self.home.folder, env=env, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr

    def came(self) -> list[str]:
        return self("guardian", "asked", "--shares", *self.passphrase, check=True).value["shares"]

    def requests(self) -> list[dict]:
        return self("guardian", "requests").value["requests"]

    def asked(self) -> list[dict]:
        return self("guardian", "asked").value["asked"]
