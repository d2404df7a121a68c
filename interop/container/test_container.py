"""The container: its recipe linted, and, where there is podman, built and run as the documents say. The tests run podman as root."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness import debian, podman
from harness.daemon import REPOSITORY
from harness.documents import blocks
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
def image(tmp_path_factory):
    """An image, built as the documents say; the base is made here, since no registry is reached."""
    engine = podman.Podman(tmp_path_factory.mktemp("podman"))
    archive = tmp_path_factory.mktemp("tarball")
    subprocess.run([REPOSITORY / "Packaging/tarball.sh", PORTABLE, archive], check=True, capture_output=True)
    engine.has_base(debian.tree(*debian.BARE))
    [build] = [line for line in BUILDING.splitlines() if line.startswith("podman build")]
    # The network of the machine, for apt, and no second container: this machine may be one itself.
    engine.run(*build.replace(".build/tarball", str(archive)).split()[1:], "--network", "host", "--isolation", "chroot", folder=REPOSITORY)
    yield engine
    engine.run("rm", "--force", "--all", check=False)


BUILDING, STARTING = blocks(REPOSITORY / "docs/HOME-SERVER.md", "In a container")


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(not (PORTABLE / "holdfast").exists(), reason="there is no portable binary: run `make portable`")
@pytest.mark.skipif(bool(podman.missing() or debian.missing()), reason=podman.missing() or debian.missing() or "")
def test_it_is_built_and_runs_as_the_documents_say(image, tmp_path):
    (tmp_path / "passphrase").write_text("a passphrase to try the container")
    for line in BUILDING.splitlines()[2:]:
        image.run(*line.split()[1:], folder=tmp_path)
    start, pair = STARTING.replace("\\\n", "").splitlines()
    # Without a network of its own there is no port to publish.
    image.run(*start.replace("--publish 127.0.0.1:24133:24133", "").split()[1:])
    until(lambda: image.run("healthcheck", "run", "signer", check=False).returncode == 0, "the container is healthy")
    paired = image.run(*pair.split()[1:]).stdout
    assert "bunker://" in paired.splitlines()[-1] and "relay=ws%3A%2F%2Flocalhost%3A24133%2Frelay" in paired.splitlines()[-1]

    inside = ["exec", "signer"]
    assert image.run(*inside, "id", "--user").stdout.strip() == "10001"
    assert "Read-only" in image.run(*inside, "touch", "/usr/local/bin/other", check=False).stderr
    assert image.run(*inside, "grep", "CapEff", "/proc/1/status").stdout.split()[1].strip("0") == ""
    config = json.loads(image.run("image", "inspect", "holdfast").stdout)[0]["Config"]
    assert (config["User"], list(config["Volumes"])) == ("10001", ["/vault"])
    assert image.run("stop", "signer").returncode == 0
