"""The container: its recipe linted, and, where there is podman, built and run as the documents say, without root."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import pytest

from harness import debian, podman
from harness.daemon import REPOSITORY
from harness.documents import blocks
from harness.relays import free_port
from harness.waiting import until

RECIPE = REPOSITORY / "Packaging/Containerfile"
PORTABLE = REPOSITORY / ".build/portable"


def test_the_linter_finds_nothing_in_the_recipe():
    done = subprocess.run([Path(sys.executable).with_name("hadolint"), RECIPE], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_no_secret_gets_into_a_layer():
    copied = [line.split() for line in RECIPE.read_text().splitlines() if line.startswith(("COPY", "ADD"))]
    assert [words[1:] for words in copied] == [
        ["holdfast-*.tar.gz", "SHA256SUMS", "/archive/"],
        ["--from=unpacked", "/unpacked", "/usr/local"],
    ]


@pytest.fixture(scope="module")
def image():
    """An image, built as the documents say; the base is made here, since no registry is reached."""
    # Not in pytest's own folder: another run of pytest shuts that to other accounts.
    folder = Path(tempfile.mkdtemp(prefix="hf-", dir="/tmp"))
    engine = podman.Podman(folder)
    try:
        build(engine)
        yield engine
    finally:
        engine.end()
        shutil.rmtree(folder, ignore_errors=True)


def build(engine: podman.Podman) -> None:
    archive = engine.place("archive")
    subprocess.run([REPOSITORY / "Packaging/tarball.sh", PORTABLE, archive], check=True, capture_output=True)
    engine.has_base(debian.tree(*debian.BARE))
    [line] = [line for line in BUILDING.splitlines() if line.startswith("podman build")]
    # The network of the machine, for apt, and no second container: this machine may be one itself.
    engine.run(*line.replace(".build/tarball", str(archive)).split()[1:], "--network", "host", "--isolation", "chroot", folder=REPOSITORY)


BUILDING, STARTING = blocks(REPOSITORY / "docs/HOME-SERVER.md", "In a container")


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(not (PORTABLE / "holdfast").exists(), reason="there is no portable binary: run `make portable`")
@pytest.mark.skipif(bool(podman.missing() or debian.missing()), reason=podman.missing() or debian.missing() or "")
def test_it_is_built_and_runs_as_the_documents_say(image):
    folder = image.place("documents")
    (folder / "passphrase").write_text("a passphrase to try the container")
    for line in BUILDING.splitlines()[2:]:
        image.run(*line.split()[1:], folder=folder)
    start, pair, console = STARTING.replace("\\\n", "").splitlines()
    # Another port than usual: this machine may have a signer.
    image.run(*start.split()[1:], "up", "--listen", f"127.0.0.1:{(port := free_port())}")
    until(lambda: image.run("healthcheck", "run", "signer", check=False).returncode == 0, "the container is healthy")
    paired = image.run(*pair.split()[1:]).stdout
    assert "bunker://" in paired.splitlines()[-1] and f"relay=ws%3A%2F%2F127.0.0.1%3A{port}%2Frelay" in paired.splitlines()[-1]
    [link] = re.findall(rf"^http://localhost:{port}/\S+$", image.run(*console.split()[1:]).stdout, re.MULTILINE)
    with urllib.request.urlopen(link, timeout=10) as answer:
        assert "<title>Holdfast</title>" in answer.read().decode()

    inside = ["exec", "signer"]
    assert image.run(*inside, "id", "--user").stdout.strip() == "10001"
    assert "Read-only" in image.run(*inside, "touch", "/usr/local/bin/other", check=False).stderr
    assert image.run(*inside, "grep", "CapEff", "/proc/1/status").stdout.split()[1].strip("0") == ""
    config = json.loads(image.run("image", "inspect", "holdfast").stdout)[0]["Config"]
    assert (config["User"], list(config["Volumes"])) == ("10001", ["/vault"])
    assert image.run("stop", "signer").returncode == 0
