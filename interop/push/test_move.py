"""docs/PUSH-PROXY.md's way to a database and back, typed as it is printed on a server that boots systemd and has PostgreSQL."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator

import pytest

from harness.daemon import REPOSITORY, binary
from harness.documents import blocks
from harness.home_network import PACKAGES, HomeNetwork, Session
from harness.waiting import PATIENCE
from push import on_debian

PAGE = REPOSITORY / "docs/PUSH-PROXY.md"
NEEDED = "libcurl4 libpq5 libqrencode4 libsecp256k1-1 libsodium23 libsqlite3-0 libutf8proc2 libwebsockets17 postgresql".split()
PASSWORD = "a password / of the test"
PAGES_DATABASE = "push@db.example/push?sslmode=verify-full&sslrootcert=/etc/ssl/certs/ca-certificates.crt"

pytestmark = on_debian.MARKS


@pytest.fixture
def server(tmp_path) -> Iterator[HomeNetwork]:
    """A server with the proxy's package, PostgreSQL, and a proxy that keeps its registrations in a folder."""
    subprocess.run([REPOSITORY / "Packaging/deb.sh", binary(), tmp_path / "deb"], check=True, capture_output=True)
    with HomeNetwork(tmp_path, f"--bind-ro={tmp_path / 'deb'}:/packages", packages=[*PACKAGES, *NEEDED]) as network:
        does(network, "sudo apt-get install -y /packages/holdfast-push_*.deb")
        does(network, "sudo tee /etc/holdfast-push.conf", "relay ws://127.0.0.1:9\npublic-url https://push.example.com\n")
        does(network, f"sudo -u postgres psql -c \"CREATE ROLE push LOGIN PASSWORD '{PASSWORD}'\"")
        does(network, "sudo -u postgres createdb push --owner push")
        does(network, "cat > push-password", PASSWORD)
        does(network, "sudo systemctl start holdfast-push")
        yield network


def does(server: HomeNetwork, command: str, given: str = "") -> str:
    done = server.asks(command, given, 4 * PATIENCE)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def health(server: HomeNetwork) -> dict:
    end = time.monotonic() + PATIENCE
    while (asked := server.asks("curl --silent --fail http://127.0.0.1:8087/health")).returncode != 0:
        assert time.monotonic() < end, server.asks("sudo journalctl --no-pager --lines 25 --unit holdfast-push").stdout
        time.sleep(1)
    return json.loads(asked.stdout)


def greeting(server: HomeNetwork) -> list[str]:
    """What the proxy said at its last start, and the key that browsers subscribe with."""
    health(server)
    lines = does(server, "sudo journalctl --no-pager --output cat --unit holdfast-push").splitlines()
    place = [line for line in lines if line.startswith("Registrations: ")][-1]
    return [place, [line for line in lines if "Browsers subscribe with the key" in line][-1]]


def test_a_proxy_moves_to_a_database_and_back_as_it_is_written(server):
    in_folder = greeting(server)
    assert "in the database" not in in_folder[0]
    [naming] = [block for block in blocks(PAGE) if "tee -a /etc/holdfast-push.conf" in block]
    [moving] = [block for block in blocks(PAGE) if "move-to-database --config" in block]
    [checking] = [block for block in blocks(PAGE) if "holdfast-push check --config" in block]
    assert PAGES_DATABASE in naming
    person = Session(server)
    said = server.asks(checking).stdout
    assert "its registrations can be read and written" in said and "✗ There is no connection to ws://127.0.0.1:9" in said
    person.does(naming.replace(PAGES_DATABASE, "push@127.0.0.1/push"), {})
    shown = person.does(moving, {})
    assert "Copied: 0 devices" in shown
    in_database = greeting(server)
    assert "in the database at 127.0.0.1:5432/push" in in_database[0]
    assert in_database[1] == in_folder[1], "the proxy's own key came along"

    does(server, "sudo systemctl stop holdfast-push && sudo find /var/lib/private/holdfast-push -name 'push.sqlite*' -delete")
    person.does(moving.replace("move-to-database", "move-to-folder"), {})
    does(server, "sudo sed -i /^database/d /etc/holdfast-push.conf && sudo systemctl restart holdfast-push")
    again = greeting(server)
    assert again == in_folder
    person.close()
