"""docs/HOME-SERVER.md, typed as it is printed: on a Debian that boots systemd, with a laptop and a phone beside it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness import debian
from harness.daemon import REPOSITORY
from harness.documents import blocks
from harness.home_network import HomeNetwork, Session
from harness.waiting import until

DOCUMENT = REPOSITORY / "docs/HOME-SERVER.md"
PORTABLE = REPOSITORY / ".build/portable"
PASSPHRASE = "a passphrase for the server at home"
ANSWERS = {question: PASSPHRASE for question in ["New passphrase:", "Repeat it:", "/.local/share/holdfast:", "Passphrase of the vault:"]}
ROOT = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(bool(debian.missing()), reason=debian.missing() or ""),
    pytest.mark.skipif(not (PORTABLE / "holdfast").exists(), reason="there is no portable binary: run `make portable`"),
]


@pytest.fixture
def home(tmp_path):
    archive = tmp_path / "archive"
    subprocess.run([REPOSITORY / "Packaging/tarball.sh", PORTABLE, archive], check=True, capture_output=True)
    # The document copies the archive to the server, and has another disk there.
    with HomeNetwork(tmp_path, f"--bind-ro={archive}:/archive") as network:
        assert network.asks("cp /archive/*.tar.gz . && sudo mkdir /media/stick && sudo chown ada /media/stick").returncode == 0
        yield network


@pytest.fixture
def person(home):
    session = Session(home)
    yield session
    session.close()


def typed(person: Session, section: str) -> str:
    """Types a section's blocks."""
    return "".join(person.does(block, ANSWERS) for block in blocks(DOCUMENT, section))


def is_well(home: HomeNetwork) -> bool:
    return "all is well" in home.asks("~/.local/bin/holdfast status").stdout


def signed_by_the_phone(home: HomeNetwork, link: str, root: Path) -> dict:
    phone = home.laptop(sys.executable, REPOSITORY / "interop/home_server/phone.py", link, root)
    done = subprocess.run(phone, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def link_in(shown: str) -> str:
    return re.findall(r"bunker://\S+", shown)[-1]


@contextmanager
def tunnel(home: HomeNetwork) -> Iterator[None]:
    """The laptop's ssh, as the document prints it."""
    command = blocks(DOCUMENT, "Open the console from your laptop")[0].split()
    assert command[0] == "ssh"
    forwarding = subprocess.Popen(home.ssh(*command[1:]))
    try:
        yield
    finally:
        forwarding.terminate()
        forwarding.wait(30)


def signed_in_on_the_laptop(home: HomeNetwork, person: Session) -> dict:
    """Opens the link of `holdfast console` on the laptop."""
    link = re.findall(r"http://\S+#signin=\S+", person.does(blocks(DOCUMENT, "Open the console from your laptop")[1], ANSWERS))[-1]
    page, token = link.split("#signin=")
    answered = home.laptop("curl", "--silent", "--retry", "20", "--retry-connrefused", page)
    assert "<title>" in subprocess.run(answered, capture_output=True, text=True).stdout
    opening = [
        "--header",
        f"Origin: {page.rstrip('/')}",
        "--header",
        "Content-Type: application/json",
        "--data",
        json.dumps({"token": token}),
    ]
    done = subprocess.run(home.laptop("curl", "--silent", *opening, page + "api/v1/session/open"), capture_output=True, text=True)
    return json.loads(done.stdout)


def test_from_nothing_to_a_paired_phone_as_it_is_written(home, person, tmp_path):
    for section in ["Install", "Make the vault", "Let systemd start it", "A public relay"]:
        typed(person, section)
    # No public relay is reached from here: the signer runs and says so.
    until(lambda: "relay.example.com" in home.asks("~/.local/bin/holdfast status").stdout, "the signer runs with the public relay")
    typed(person, "Your own relay behind Caddy")
    until(lambda: is_well(home), "the signer is well")
    shown = home.asks("systemctl --user show -p Type -p StatusText holdfast").stdout
    assert "Type=notify" in shown and "StatusText=Serving;" in shown, shown
    root = tmp_path / "root.crt"
    root.write_text(home.asks(f"sudo cat {ROOT}").stdout)
    event = signed_by_the_phone(home, link_in(typed(person, "Pair the phone")), root)
    assert event["content"] == "from the phone"

    # Nothing but ssh leads to the console.
    outside = ["curl", "--silent", "--cacert", root, "--output", "/dev/null", "--write-out", "%{http_code}", "https://signer.home.arpa/"]
    assert subprocess.run(home.laptop(*outside), capture_output=True, text=True).stdout == "404"
    with tunnel(home):
        assert signed_in_on_the_laptop(home, person)["ok"]
    typed(person, "Back up")
    assert "holdfast" in home.asks("ls /media/stick").stdout
    assert len(home.asks("ls kit").stdout.split()) >= 3

    # The file with the passphrase goes; from now on the person types it after each start.
    once, after_each_start = blocks(DOCUMENT, "Type the passphrase after each start")
    person.does(once, ANSWERS)
    assert home.asks("test -e .config/holdfast/passphrase").returncode == 1
    person.does(after_each_start, ANSWERS)
    until(lambda: is_well(home), "the signer is well")
