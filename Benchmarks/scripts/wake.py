"""How long a wake takes from the start of `holdfast-wake` to its end, its CPU time and peak memory: wake.py SPAWN WAKE RELAY ROUNDS [tls]

The key comes from a systemd credential and the request is in the push: what is measured is the program, the vault's file, the log and one
connection to the relay. Prints lines "name: value unit".

With `tls`, the signer reaches the relay through nginx, with TLS. The machine's folder of certificate authorities then has one more for
this process alone: it must run in a mount namespace of its own (`unshare --mount`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from nginx import nginx

from harness.app import App
from harness.daemon import Home, environment
from harness.keyring import desktop_keyring
from harness.push_service import Authority
from reference.events import as_json, is_genuine, template

SERVER = """
  access_log off;
  server {{
    listen 127.0.0.1:{port} ssl;
    location / {{
      proxy_pass {relay}; proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;
    }}
  }}
"""
AUTHORITIES = Path("/etc/ssl/certs")


@contextlib.contextmanager
def with_tls(relay: str, port: int) -> Iterator[str]:
    """The relay behind nginx with TLS, whose authority this process and its children trust."""
    assert os.readlink("/proc/self/ns/mnt") != os.readlink(f"/proc/{os.getppid()}/ns/mnt"), (
        "run this under: unshare --mount --propagation private"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        authority = Authority(folder)
        authority.context("localhost")
        shutil.copytree(AUTHORITIES, folder / "authorities", symlinks=True)
        shutil.copy(authority.file, folder / "authorities/test.pem")
        subprocess.run(["openssl", "rehash", folder / "authorities"], check=True, stderr=subprocess.DEVNULL)
        subprocess.run(["mount", "--bind", folder / "authorities", AUTHORITIES], check=True)
        try:
            with nginx(folder, port, SERVER.format(port=port, relay=relay.replace("ws://", "http://"))):
                yield f"wss://localhost:{port}"
        finally:
            subprocess.run(["umount", AUTHORITIES], check=True)


def credential(env: dict, folder: Path) -> None:
    """Writes what the keyring has of the vault, as `secret-tool` prints it."""
    command = ["secret-tool", "search", "--all", "xdg:schema", "eu.holdfast.Slot"]
    found = subprocess.run(command, env=env, capture_output=True, check=True).stdout
    folder.mkdir()
    (folder / "holdfast-keyring").write_bytes(re.search(rb"secret = (.*?)\ncreated = ", found, re.DOTALL)[1])


async def measure(spawn: str, wake: str, relay: str, rounds: int, apps: str | None = None) -> list[list[float]]:
    """`apps` is the address at which the app reaches the same relay, if it is another one."""
    home, figures = Home.created(), []
    proof = ("--passphrase-file", str(home.passphrase_file))
    with desktop_keyring() as desktop:
        home.cli("identity", "create", "sleeper", "--class", "after-first-unlock", *proof, env=desktop, check=True)
        home.cli("slot", "add", "keyring", *proof, env=desktop, check=True)
        credential(desktop, home.folder / "credentials")
        daemon = home.start(env=desktop, relays=(relay,), embedded=False)
        app = await App.paired(replace(daemon.pair("full", "--identity", "sleeper"), relays=[apps or relay]))
        daemon.stop()
    push = home.folder / "push.json"
    command = [spawn, wake, "--home", str(home.path), "--payload", str(push)]
    env = environment(CREDENTIALS_DIRECTORY=str(home.folder / "credentials"))
    try:
        for _ in range(rounds):
            id, event = app.request("sign_event", [as_json(template(content="while you sleep"))])
            push.write_text(json.dumps({"relay_url": relay, "event_id": event["id"], "signer_pubkey": app.signer, "event": event}))
            done = await asyncio.to_thread(subprocess.run, command, env=env, capture_output=True, text=True, timeout=60)
            *taken, code = map(float, done.stderr.splitlines()[-1].split())
            assert code == 0, done.stderr
            assert is_genuine(json.loads((await app.reply(id)).result))
            figures.append(taken)
    finally:
        await app.close()
        home.remove()
    return figures


if __name__ == "__main__":
    spawn, wake, relay, rounds, *tls = sys.argv[1:]
    with with_tls(relay, int(relay.rsplit(":", 1)[1]) + 1) if tls else contextlib.nullcontext(relay) as address:
        figures = asyncio.run(measure(spawn, wake, address, int(rounds), relay))
    times, cpu, peaks = (sorted(column) for column in zip(*figures, strict=True))
    print(f"p50: {median(times):.1f} ms")
    print(f"p95: {times[len(times) * 95 // 100]:.1f} ms")
    print(f"CPU: {median(cpu):.1f} ms")
    print(f"peak memory: {median(peaks) / 1024:.1f} MiB")
