"""The push proxy's container: its recipe linted, and, where there is podman, built and run as its page says, without root."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import pytest

from harness import debian, podman
from harness.daemon import REPOSITORY, binary
from harness.documents import blocks
from harness.relays import free_port
from harness.waiting import until

RECIPE = REPOSITORY / "Packaging/Containerfile-push"
[PAGE] = blocks(REPOSITORY / "docs/PUSH-PROXY.md", "In a container")


def test_the_linter_finds_nothing_in_the_recipe():
    done = subprocess.run([Path(sys.executable).with_name("hadolint"), RECIPE], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.fixture
def engine():
    folder = Path(tempfile.mkdtemp(prefix="hf-", dir="/tmp"))
    engine = podman.Podman(folder)
    try:
        yield engine
    finally:
        engine.end()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(bool(podman.missing() or debian.missing()), reason=podman.missing() or debian.missing() or "")
def test_it_is_built_and_runs_as_its_page_says(engine):
    package = engine.place("package")
    subprocess.run([REPOSITORY / "Packaging/deb.sh", binary(), package], check=True, capture_output=True)
    engine.has_base(debian.tree(*debian.BARE))
    _, build, volume, start = PAGE.replace("\\\n", "").splitlines()
    words = build.replace(".build/deb", str(package)).split()[1:]
    engine.run(*words, "--network", "host", "--isolation", "chroot", folder=REPOSITORY)
    engine.run(*volume.split()[1:])
    # Another port than usual: this machine may have a proxy.
    engine.run(*start.split()[1:], "--listen", f"127.0.0.1:{(port := free_port())}")

    def health() -> dict:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
                return json.loads(answer.read())
        except OSError:
            return {}

    assert "apns" in until(health, "the proxy answers")
    assert engine.run("exec", "push", "id", "--user").stdout.strip() == "10002"
    assert "Read-only" in engine.run("exec", "push", "touch", "/usr/bin/other", check=False).stderr
    assert engine.run("exec", "push", "stat", "-c", "%a", "/data/push.sqlite").stdout.strip() == "600"
    assert engine.run("stop", "push").returncode == 0
