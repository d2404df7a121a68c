"""`make run-push`: starts the push proxy with a relay and a stand-in for Apple's service on this machine, and proves one wake.

PYTHONPATH=interop python -m push.prove_wake
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from harness.push_proxy import Apple, Proxy, until
from harness.scripted_relay import ScriptedRelay
from reference.events import REMOTE_SIGNING, signed
from reference.keys import Key

PUBLIC = "https://push.example"
DEVICE = "ab" * 32


def arguments(folder: Path, relay: ScriptedRelay, apple: Apple) -> list[str]:
    place = ["--listen", "127.0.0.1:0", "--public-url", PUBLIC, "--data", str(folder / "data")]
    return [*place, "--relay", relay.url, *apple.arguments()]


def prove(folder: Path, relay: ScriptedRelay) -> None:
    apple = Apple(folder)
    proxy = Proxy(*arguments(folder, relay, apple))
    print(f"The proxy runs at {proxy.url}. It watches the relay {relay.url}, and sends to a stand-in for Apple's service.")
    signer = Key()
    proxy.do("/register", signer, {"token": DEVICE})
    until(lambda: relay.listens_for(signer.public), "the proxy looks for requests to the signer")
    print(f"A signer registered the device {DEVICE[:8]}… for its key {signer.public[:8]}…, proven by NIP-98.")
    request = signed(Key(), REMOTE_SIGNING, "encrypted, so that the proxy cannot read it", [["p", signer.public]])
    begun = time.monotonic()
    relay.deliver([request])
    [push] = apple.pushes(1)
    took = (time.monotonic() - begun) * 1_000
    assert push["payload"]["event_id"] == request["id"]
    print(f"An app asked by the relay, and {took:.0f} ms later the device was woken with:")
    print(json.dumps({name: push["payload"][name] for name in ("relay_url", "event_id", "signer_pubkey")}, indent=2))
    # Apple has taken the push before the proxy has read that it did.
    until(lambda: proxy.health()["apns"]["sendOk"] == 1, "the proxy has counted the wake")
    print(f"Proved: one wake. Its health said: {json.dumps(proxy.health()['apns'])}")
    proxy.stop()
    apple.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, ScriptedRelay() as relay:
        prove(Path(folder), relay)
