"""A push proxy whose disk is full, or whose file is damaged."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from harness.push_proxy import DEVICE, until
from reference.keys import Key


@pytest.fixture
def small_disk(tmp_path):
    """A data folder on a file system of 512 KiB."""
    (data := tmp_path / "data").mkdir()
    size = ["mount", "-t", "tmpfs", "-o", "size=512k,mode=0700", "tmpfs", str(data)]
    if subprocess.run(size, capture_output=True).returncode != 0:
        pytest.skip("mounting a small file system needs root")
    yield data
    subprocess.run(["umount", "-l", str(data)], check=True)


def fill(folder: Path) -> Path:
    """Takes every free byte."""
    ballast = folder / "ballast"
    with open(ballast, "ab", buffering=0) as file:
        for size in (1 << 12, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
    return ballast


def test_a_full_disk_is_told_and_space_brings_the_proxy_back(proxies, arguments, small_disk):
    proxy = proxies(*arguments)
    ballast = fill(small_disk)
    for _ in range(3):
        assert proxy.ask("/register", Key(), {"token": DEVICE})[0] == 503
    reason = "The disk of push.sqlite is full, so signers cannot register."
    assert proxy.ready_for_signers() == (503, {"ok": False, "reason": reason})
    assert proxy.health()["reason"] == reason
    ballast.unlink()
    until(lambda: proxy.ready_for_signers() == (200, {"ok": True, "reason": None}), "it can write again", pause=0.5)
    proxy.do("/register", Key(), {"token": DEVICE})
    code, said = proxy.stop()
    assert code == 0 and said.count("The disk of push.sqlite is full.") == 1
    assert said.count("push.sqlite can be written again.") == 1
