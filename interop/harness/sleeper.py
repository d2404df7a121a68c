"""A machine whose signer sleeps: a vault that its keyring opens, `holdfast wake listen`, and TLS in front of it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from harness.daemon import Home, binary
from harness.push_proxy import Lines, Proxy
from harness.push_service import Authority
from harness.relays import free_port
from harness.tls_front import TLSFront
from harness.waiting import PATIENCE, until


class WakeListener:
    """A running `holdfast wake listen`."""

    def __init__(self, home: Home, env: dict, *arguments: str, port: int = 0):
        command = [binary(), "wake", "listen", "--home", str(home.path), "--json", "--listen", f"127.0.0.1:{port}", *arguments]
        self._process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = self._process.stdout.readline()
        assert first, self._process.stderr.read()
        self.port = json.loads(first)["port"]
        self.lines = Lines(self._process.stdout)

    def wakes(self, count: int = 0) -> list[dict]:
        """What it said of wakes, once there are so many."""
        return self.lines.wait(lambda line: "event" in line, count) if count else self.lines.all(lambda line: "event" in line)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)

    def errors(self) -> str:
        """What it said on standard error, once it has ended."""
        return self._process.stderr.read()

    def stop(self) -> int:
        self._process.terminate()
        return self._process.wait(PATIENCE)


def proxy_arguments(folder: Path, authority: Authority, *relays: str) -> list[str]:
    """The options of a push proxy on this machine that may reach this machine."""
    port = free_port()
    place = ["--listen", f"127.0.0.1:{port}", "--public-url", f"http://127.0.0.1:{port}", "--data", str(folder / "push")]
    return [*place, "--allow-private", "--push-ca", str(authority.file), *(word for relay in relays for word in ("--relay", relay))]


class SleepingMachine:
    """A signer with one app, registered at a push proxy. It sleeps once `sleep` returns."""

    def __init__(self, home: Home, env: dict, authority: Authority, relay: str):
        self.home, self.env, self.relay = home, env, relay
        proof = ("--passphrase-file", str(home.passphrase_file))
        home.cli("identity", "create", "sleeper", "--class", "after-first-unlock", *proof, env=env, check=True)
        home.cli("slot", "add", "keyring", *proof, env=env, check=True)
        self.listener = WakeListener(home, env)
        self.front = TLSFront(authority.context("localhost"), self.listener.port)
        done = home.cli("wake", "subscription", "--public-url", self.front.origin + "/wake", check=True)
        self.device = home.folder / "device.json"
        self.device.write_text(done.out)
        self.daemon = home.start(env=env, relays=(relay,), embedded=False)

    def register(self, proxy: Proxy) -> None:
        self.daemon.do("push", "register", "--proxy", proxy.ready["public_url"], "--device", str(self.device))

    def status(self) -> dict:
        return self.daemon.do("push", "status")

    def sleep(self) -> None:
        """Ends the signer once the proxy has acknowledged its apps."""
        until(lambda: all(app["state"] == "registered" for app in self.status()["apps"]), "the proxy has all apps")
        assert self.daemon.stop() == 0

    def close(self) -> None:
        if self.listener.is_running:
            self.listener.kill()
        self.front.close()
