"""Drivers of tokens that crash, hang and look around, under the real signer: Tests/BadModule, built for the test."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from harness.daemon import REPOSITORY, environment
from harness.waiting import until

SOURCE = REPOSITORY / "Tests" / "BadModule" / "bad_module.c"
PIN = "135790-pin"
NOTE = '{"kind":1,"content":"by the owner","tags":[]}'


@pytest.fixture(scope="module")
def module(tmp_path_factory) -> Path:
    library = tmp_path_factory.mktemp("module") / "bad.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    return library


def add(home, module: Path):
    """Makes a slot with the token, by the running signer."""
    pin = home.folder / "pin"
    pin.write_text(PIN + "\n")
    pin.chmod(0o600)
    return home.cli(
        "slot", "add", "token", "--new-pin-file", str(pin), "--module", str(module), "--passphrase-file", str(home.passphrase_file)
    )


def driver_processes(parent: int) -> list[int]:
    """Processes that run a driver for that signer."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except (OSError, ValueError):
            continue
        if words[1:3] == [b"token-module-process", str(parent).encode()]:
            found.append(int(folder.name))
    return found


@pytest.mark.parametrize("harm", ["abort:load", "fault:initialize", "exit:slots", "fault:login", "hangup:login"])
def test_a_driver_that_crashes_is_named_and_the_signer_goes_on(home, start, module, harm):
    daemon = start(env=environment(PKCS11_BAD=harm))
    refused = add(home, module)
    assert refused.code == 1 and "its driver ended unexpectedly" in refused.said, refused.said
    assert PIN not in refused.said
    assert home.cli("sign", stdin=NOTE, check=True).value["sig"]
    assert driver_processes(daemon.pid) == []


def test_bytes_that_are_no_answer_are_named_and_the_signer_goes_on(home, start, module):
    start(env=environment(PKCS11_BAD="garbage:login"))
    refused = add(home, module)
    assert refused.code == 1 and "its driver sent what is no answer" in refused.said
    assert home.cli("sign", stdin=NOTE, check=True).value["sig"]


def test_a_driver_sees_nothing_of_the_signer(home, start, module):
    report = home.folder / "report"
    start(env=environment(PKCS11_BAD="look:login", PKCS11_REPORT=str(report), CANARY="canary-variable-8812"))
    add(home, module)
    seen = report.read_text(errors="replace")
    assert f"PIN: {PIN}" in seen
    for what in ("signer's environment", "signer's maps", "signer's memory", "signer's files", "tracing the signer"):
        assert f"{what}: refused" in seen, what
    assert "canary-variable-8812" not in seen and str(home.path) not in seen
    files = [line for line in seen.splitlines() if line.startswith("own file: ")]
    assert len(files) == 5 and sum("/dev/null" in line for line in files) == 3, files
    assert "dumpable: 0, core: 0, death signal: 9" in seen


def test_a_driver_that_hangs_ends_with_the_signer_and_holds_nobody_up(home, start, module):
    daemon = start(env=environment(PKCS11_BAD="hang:login"))
    asker = threading.Thread(target=add, args=(home, module), daemon=True)
    asker.start()
    until(lambda: driver_processes(daemon.pid), "the driver's process")
    assert home.cli("status", check=True).value
    os.kill(daemon.pid, 9)
    until(lambda: not driver_processes(daemon.pid), "the end of the driver's process")
    asker.join()


def test_while_a_driver_hangs_another_token_is_refused_at_once_and_a_stop_does_not_wait_for_it(home, start, module):
    daemon = start(env=environment(PKCS11_BAD="hang:login"))
    asker = threading.Thread(target=add, args=(home, module), daemon=True)
    asker.start()
    until(lambda: driver_processes(daemon.pid), "the driver's process")
    began = time.monotonic()
    refused = add(home, module)
    assert refused.code == 1 and "busy with another operation of a token" in refused.said
    daemon.stop()
    assert time.monotonic() - began < 20, "a driver has 30 s for an answer"
    assert not driver_processes(daemon.pid)
    asker.join()
