"""How long a wake takes from the start of `holdfast-wake` to its end, with its CPU time and peak memory: wake.py SPAWN WAKE RELAY ROUNDS

The key comes from a systemd credential and the request is in the push: what is measured is the program, the vault's file, the log and one
connection to the relay. Prints lines "name: value unit".
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from statistics import median

from harness.app import App
from harness.daemon import Home, environment
from harness.keyring import desktop_keyring
from reference.events import as_json, is_genuine, template


def credential(env: dict, folder: Path) -> None:
    """Writes what the keyring has of the vault, as `secret-tool` prints it."""
    command = ["secret-tool", "search", "--all", "xdg:schema", "eu.holdfast.Slot"]
    found = subprocess.run(command, env=env, capture_output=True, check=True).stdout
    folder.mkdir()
    (folder / "holdfast-keyring").write_bytes(re.search(rb"secret = (.*?)\ncreated = ", found, re.DOTALL)[1])


async def measure(spawn: str, wake: str, relay: str, rounds: int) -> list[list[float]]:
    home, figures = Home.created(), []
    proof = ("--passphrase-file", str(home.passphrase_file))
    with desktop_keyring() as desktop:
        home.cli("identity", "create", "sleeper", "--class", "after-first-unlock", *proof, env=desktop, check=True)
        home.cli("slot", "add", "keyring", *proof, env=desktop, check=True)
        credential(desktop, home.folder / "credentials")
        daemon = home.start(env=desktop, relays=(relay,), embedded=False)
        app = await App.paired(daemon.pair("full", "--identity", "sleeper"))
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
    spawn, wake, relay, rounds = sys.argv[1:]
    times, cpu, peaks = (sorted(column) for column in zip(*asyncio.run(measure(spawn, wake, relay, int(rounds))), strict=True))
    print(f"p50: {median(times):.1f} ms")
    print(f"p95: {times[len(times) * 95 // 100]:.1f} ms")
    print(f"CPU: {median(cpu):.1f} ms")
    print(f"peak memory: {median(peaks) / 1024:.1f} MiB")
