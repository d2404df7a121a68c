"""A push proxy whose disk is full, or whose file is damaged."""

from __future__ import annotations

import pytest

from harness.push_proxy import DEVICE, until
from harness.small_disk import fill, mounted
from push.test_check import checked
from reference.keys import Key


@pytest.fixture
def small_disk(tmp_path):
    """A data folder on a file system of 512 KiB."""
    (data := tmp_path / "data").mkdir()
    with mounted(data, "512k"):
        yield data


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


def test_check_says_that_the_disk_is_full(arguments, small_disk):
    fill(small_disk)
    code, said = checked(*arguments)
    assert code == 1 and f"✗ push.sqlite in {small_disk} could not be written: No space left on device." in said
    assert sorted(file.name for file in small_disk.iterdir()) == ["ballast"]


def truncated(content: bytes) -> bytes:
    return content[: len(content) // 2]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (truncated, "push.sqlite is damaged."),
        (lambda content: b"other bytes\n" * 100, "push.sqlite was not written by the push proxy."),
        (lambda content: b"", "push.sqlite was not written by the push proxy."),
    ],
)
def test_check_finds_a_file_with_which_a_proxy_does_not_start(proxies, arguments, tmp_path, damage, said):
    proxy = proxies(*arguments)
    proxy.do("/register", Key(), {"token": DEVICE})
    proxy.stop()
    code, found = checked(*arguments)
    assert code == 0 and "and its registrations can be read and written." in found
    file = tmp_path / "data" / "push.sqlite"
    file.write_bytes(damage(file.read_bytes()))
    before = (file.read_bytes(), sorted(entry.name for entry in file.parent.iterdir()))
    code, found = checked(*arguments)
    assert code == 1 and f"✗ {said}" in found, found
    assert (file.read_bytes(), sorted(entry.name for entry in file.parent.iterdir())) == before


def test_check_takes_the_file_of_a_proxy_that_was_killed(proxies, arguments):
    proxy = proxies(*arguments)
    proxy.do("/register", Key(), {"token": DEVICE})
    proxy.process.kill()
    proxy.process.wait()
    code, found = checked(*arguments)
    assert code == 0 and "and its registrations can be read and written." in found
