"""docs/SELF-HOSTING.md, typed as it is printed: a server that boots systemd, and an Internet with a stand-in for Apple's service."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.app import App
from harness.daemon import REPOSITORY, Daemon, binary
from harness.documents import blocks
from harness.home_network import AWAY, PACKAGES, SERVER, HomeNetwork, Session
from harness.push_proxy import KEY_ID, Apple, until
from harness.push_service import Authority
from harness.tls_front import TLSFront
from harness.waiting import PATIENCE
from push import on_debian
from reference.events import as_json
from reference.keys import Key
from reference.links import BunkerLink

DOCUMENT = REPOSITORY / "docs/SELF-HOSTING.md"
PUBLIC, RELAY, TOPIC = "push.example.com", "relay.example.com", "com.example.signer"
APPLE_PLACE, RELAY_PLACE = AWAY, "10.77.0.3"
NEEDED = "libcurl4 libqrencode4 libsecp256k1-1 libsodium23 libsqlite3-0 libutf8proc2 libwebsockets17".split()
"""What the package asks for and recommends: the server reaches no mirror."""

# Caddy asks no authority of the Internet, but one of its own. It reads the page's file all the same.
OWN_AUTHORITY = "{\n\tlocal_certs\n\tskip_install_trust\n}\nimport /etc/caddy/Caddyfile\n"
CADDY = "[Service]\nExecStart=\nExecStart=/usr/bin/caddy run --environ --adapter caddyfile --config /etc/caddy-of-the-test\n"
ROOT = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"

pytestmark = on_debian.MARKS


@pytest.fixture
def server(tmp_path) -> Iterator[HomeNetwork]:
    """A new server, with Caddy and the libraries, and ada's home folder on it, which is empty."""
    subprocess.run([REPOSITORY / "Packaging/deb.sh", binary(), tmp_path / "deb"], check=True, capture_output=True)
    files = {"deb": "/packages", "caddyfile": "/etc/caddy-of-the-test", "caddy.conf": "/etc/systemd/system/caddy.service.d/test.conf"}
    (tmp_path / "caddyfile").write_text(OWN_AUTHORITY)
    (tmp_path / "caddy.conf").write_text(CADDY)
    shared = [f"--bind-ro={tmp_path / name}:{place}" for name, place in files.items()]
    with HomeNetwork(tmp_path, *shared, packages=[*PACKAGES, *NEEDED]) as network:
        network.leads(PUBLIC, SERVER)
        yield network


@pytest.fixture
def apple(server, tmp_path) -> Iterator[Apple]:
    """The stand-in for Apple's service, by Apple's name. The package and the key are copied to the server."""
    (folder := tmp_path / "apple").mkdir()
    place = ["--listen", f"{APPLE_PLACE}:443", "--name", "api.push.apple.com"]
    apple = Apple(folder, *place, topic=TOPIC, within=server.laptop())
    server.leads("api.push.apple.com", APPLE_PLACE)
    server.trust(folder / "ca.pem", "apple")
    copying = f"cp /packages/holdfast-push_*.deb . && cat > AuthKey_{KEY_ID}.p8"
    assert server.asks(copying, apple.key_file.read_text()).returncode == 0
    yield apple
    apple.close()


@pytest.fixture
def relay(server, nostr_relay, tmp_path) -> Iterator[str]:
    """A relay on the Internet: where the app reaches it. The proxy and the signer reach it by its name and TLS."""
    (folder := tmp_path / "relay").mkdir()
    authority = Authority(folder, "authority of the relay")
    server.leads(RELAY, RELAY_PLACE)
    server.trust(authority.file, "relay")
    front = TLSFront(authority.context(RELAY), nostr_relay.port, server.listen(RELAY_PLACE, 443))
    yield nostr_relay.url
    front.close()


@pytest.fixture
def person(server):
    """Somebody at a shell of the server."""
    session = Session(server)
    yield session
    session.close()


@pytest.fixture
def computer(server, home, tmp_path):
    """The same person at the own computer, which has a vault."""
    settings = [f"--chdir={tmp_path}", f"HOLDFAST_HOME={home.path}", f"PATH={Path(binary()).parent}:{os.environ['PATH']}"]
    session = Session(server, *server.laptop("env", *settings, "bash", "--norc"))
    yield session
    session.close()


def typed(somebody: Session, section: str) -> str:
    """Types a section's blocks."""
    return "".join(somebody.does(block, {}) for block in blocks(DOCUMENT, section))


def health(computer: Session) -> dict:
    """What the page's check shows."""
    return json.loads(re.search(r"\{.*\}", typed(computer, "Check it"))[0])


def serves(server: HomeNetwork, what: str) -> None:
    """Waits until the proxy answers by its public name."""
    end = time.monotonic() + 2 * PATIENCE
    while (asked := server.asks(f"curl --silent --show-error --fail https://{PUBLIC}/health")).returncode != 0:
        journal = "sudo journalctl --no-pager --lines 25 --unit holdfast-push --unit caddy"
        assert time.monotonic() < end, f"{what}: {asked.stderr}{server.asks(journal).stdout}"
        time.sleep(1)


def trusts_caddy(server: HomeNetwork, tmp_path: Path) -> None:
    """The authority that signed the public name's certificate is known, as that of a real one would be."""
    until(lambda: server.asks(f"sudo test -s {ROOT}").returncode == 0, "Caddy has its authority", PATIENCE, pause=1)
    (root := tmp_path / "caddy.crt").write_text(server.asks(f"sudo cat {ROOT}").stdout)
    server.trust(root, "caddy")


async def paired(link: BunkerLink, relay: str, key: Key) -> None:
    app = await App.open([relay], link.signer, key)
    assert await app.result("connect", link.signer, link.secret) == "ack"
    await app.close()


async def asked(link: BunkerLink, relay: str, key: Key) -> dict:
    """The request of a paired app for a signature."""
    app = await App.open([relay], link.signer, key)
    note = {"kind": 1, "content": "while the signer sleeps", "tags": [], "created_at": 1_700_000_000}
    _, request = app.request("sign_event", [as_json(note)])
    await app.connections.publish(request)
    await app.close()
    return request


def registered(computer: Session, daemon: Daemon) -> str:
    """Types the page's section on the computer, and returns the token that it registers."""
    making, showing = blocks(DOCUMENT, "Register a device")
    computer.does(making, {})
    until(lambda: daemon.do("push", "status")["apps"][0]["state"] == "registered", "the app is registered", 3 * PATIENCE, pause=2)
    shown = computer.does(showing, {})
    assert f"The push proxy https://{PUBLIC} answers." in shown and "registered" in shown
    return re.search(r"[0-9a-f]{64}", making)[0]


def test_from_nothing_to_one_wake_as_it_is_written(server, apple, relay, person, computer, start, tmp_path):
    typed(person, "The proxy")
    trusts_caddy(server, tmp_path)
    serves(server, "the proxy answers by its public name")
    assert health(computer)["ok"] is True
    assert server.asks(f"curl --silent --output /dev/null --write-out '%{{http_code}}' https://{PUBLIC}/metrics").stdout == "404"
    assert server.asks(f"test -e AuthKey_{KEY_ID}.p8").returncode == 1
    assert server.asks("stat -c %a /etc/AuthKey.p8 /etc/holdfast-push.conf").stdout.split() == ["600", "600"]

    daemon = start(relays=(f"wss://{RELAY}",), embedded=False, within=tuple(server.laptop()))
    link, key = daemon.pair("full"), Key()
    asyncio.run(paired(link, relay, key))
    token = registered(computer, daemon)
    before = health(computer)
    assert before["unique_pubkeys"] == 1
    assert daemon.stop() == 0
    request = asyncio.run(asked(link, relay, key))
    push = apple.wake_for(request, 2 * PATIENCE)
    assert (push["status"], push["device"]) == (200, token)
    assert push["payload"]["event"] == request
    assert push["payload"]["signer_pubkey"] == link.signer
    until(lambda: health(computer)["apns"]["sendOk"] > before["apns"]["sendOk"], "the wake is counted", PATIENCE, pause=1)

    update, copy, restore = blocks(DOCUMENT, "Update and back up")
    person.does(update, {})
    serves(server, "the updated proxy answers")
    person.does(copy, {})
    loss = "sudo systemctl stop holdfast-push && sudo rm -rf /var/lib/private/holdfast-push && sudo systemctl start holdfast-push"
    assert server.asks(loss).returncode == 0
    serves(server, "the new proxy answers")
    assert health(computer)["unique_pubkeys"] == 0
    person.does(restore, {})
    serves(server, "the restored proxy answers")
    assert health(computer)["unique_pubkeys"] == 1
