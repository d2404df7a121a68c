"""Starts `holdfast-push` and the stand-in for Apple's service, and asks the proxy as a signer does. Shares no code with the proxy."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from harness.daemon import binary, environment
from harness.push_service import point
from reference.events import REMOTE_SIGNING, as_json, signed
from reference.keys import Key

PATIENCE = 15
PUBLIC = "https://push.example"
DEVICE = "ab" * 32
KEY_ID, TEAM, TOPIC = "ABC123DEFG", "DEF123GHIJ", "app.example"


class Lines:
    """What a process prints, as JSON, read on a thread of its own."""

    def __init__(self, output):
        self._all: list[dict] = []
        self._changed = threading.Condition()
        threading.Thread(target=self._read, args=(output,), daemon=True).start()

    def _read(self, output) -> None:
        for line in output:
            with self._changed:
                self._all.append(json.loads(line))
                self._changed.notify_all()

    def all(self, wanted=lambda line: True) -> list[dict]:
        with self._changed:
            return [line for line in self._all if wanted(line)]

    def wait(self, wanted=lambda line: True, count: int = 1, patience: float = PATIENCE) -> list[dict]:
        """The lines that are meant, once there are so many."""
        with self._changed:
            assert self._changed.wait_for(lambda: len([line for line in self._all if wanted(line)]) >= count, patience), self._all
            return [line for line in self._all if wanted(line)]


class Apple:
    """The stand-in for Apple's service, with the key of a developer's account."""

    def __init__(self, folder: Path, *place: str, topic: str = TOPIC, within: Sequence[str] = ()):
        """`place` is further options of the stand-in, and `within` the words of a command that runs it, such as `ip netns exec …`."""
        self.folder = folder
        key = ec.generate_private_key(ec.SECP256R1())
        self.key_file = folder / "AuthKey.p8"
        self.key_file.write_bytes(
            key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        )
        self.key_file.chmod(0o600)
        names = ["--key-id", KEY_ID, "--team", TEAM, "--topic", topic, *place]
        self.process = subprocess.Popen(
            [*within, sys.executable, "-m", "push.apns_stand_in", "--folder", folder, "--key", point(key).hex(), *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1]), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        self._lines = Lines(self.process.stdout)
        self.port = self._lines.wait(lambda line: "port" in line, patience=60)[0]["port"]

    def arguments(self) -> list[str]:
        """The options of a proxy that uses it."""
        place = ["--apns-host", f"localhost:{self.port}", "--apns-ca", str(self.folder / "ca.pem")]
        return [*place, "--apns-key", str(self.key_file), "--apns-key-id", KEY_ID, "--apns-team-id", TEAM, "--apns-topic", TOPIC]

    def order(self, line: str) -> None:
        done = len(self._lines.all(lambda line: "did" in line))
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self._lines.wait(lambda line: "did" in line, done + 1)

    def pushes(self, count: int = 0) -> list[dict]:
        """What was pushed, once there is so much."""
        if count == 0:
            return self._lines.all(lambda line: "device" in line)
        return self._lines.wait(lambda line: "device" in line, count)

    def wake_for(self, request: dict, patience: float = PATIENCE) -> dict:
        """The push that names this request."""
        return self._lines.wait(lambda line: (line.get("payload") or {}).get("event_id") == request["id"], patience=patience)[0]

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(PATIENCE)


class Proxy:
    """A running `holdfast-push`."""

    def __init__(self, *arguments: str, **more: str):
        program = Path(binary()).with_name("holdfast-push")
        self.process = subprocess.Popen(
            [program, "--json", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(**more), text=True
        )
        self.ready = json.loads(self.process.stdout.readline() or "{}")
        assert self.ready, self.process.stderr.read()
        self.url = f"http://127.0.0.1:{self.ready['port']}"

    def ask(self, path: str, key: Key, body: dict) -> tuple[int, dict]:
        """One request of a signer, proven as NIP-98 says."""
        return self.send(path, as_json(body).encode(), self.proof(path, key, body))

    def proof(self, path: str, key: Key, body: dict, at: int | None = None) -> str:
        content = as_json(body).encode()
        tags = [["u", self.ready["public_url"] + path], ["method", "POST"], ["payload", hashlib.sha256(content).hexdigest()]]
        return "Nostr " + base64.b64encode(as_json(signed(key, 27235, "", tags, at)).encode()).decode()

    def send(self, path: str, content: bytes, proof: str) -> tuple[int, dict]:
        request = urllib.request.Request(self.url + path, content, {"Authorization": proof}, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)

    def do(self, path: str, key: Key, body: dict) -> None:
        status, answer = self.ask(path, key, body)
        assert (status, answer) == (200, {"ok": True})

    def health(self) -> dict:
        try:
            with urllib.request.urlopen(self.url + "/health", timeout=PATIENCE) as answer:
                status, said = answer.status, json.load(answer)
        except urllib.error.HTTPError as away:
            status, said = away.code, json.load(away)
        assert said["ok"] == (status == 200)
        return said

    def ready_for_signers(self) -> tuple[int, dict]:
        """What it answers to a load balancer."""
        try:
            with urllib.request.urlopen(self.url + "/ready", timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as away:
            return away.code, json.load(away)

    def metric(self, name: str) -> int:
        """A number without labels."""
        with urllib.request.urlopen(self.url + "/metrics", timeout=PATIENCE) as answer:
            lines = answer.read().decode().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"holdfast_push_{name} "))

    def labelled(self, name: str, **label: str) -> int:
        """A number with one label."""
        [(key, value)] = label.items()
        start = f'holdfast_push_{name}{{{key}="{value}"}} '
        with urllib.request.urlopen(self.url + "/metrics", timeout=PATIENCE) as answer:
            lines = answer.read().decode().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(start))

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self) -> tuple[int, str]:
        """The exit code, and what it said to the operator besides that it ends."""
        self.process.terminate()
        said = [line for line in self.process.stderr if not line.startswith("holdfast-push: The proxy ends. ")]
        return self.process.wait(PATIENCE), "".join(said)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None


def until(is_so, what: str, patience: float = PATIENCE, pause: float = 0.02) -> None:
    end = time.monotonic() + patience
    while not is_so():
        assert time.monotonic() < end, f"not within {patience} s: {what}"
        time.sleep(pause)


def registered(proxy: Proxy, relay, device: str = DEVICE) -> Key:
    """A signer whose device is registered, and whose requests are looked for."""
    signer = Key()
    proxy.do("/register", signer, {"token": device})
    until(lambda: relay.listens_for(signer.public), "the proxy looks for requests to the signer")
    return signer


def request_to(signer: Key, app: Key | None = None, content: str = "encrypted") -> dict:
    return signed(app or Key(), REMOTE_SIGNING, content, [["p", signer.public]])
