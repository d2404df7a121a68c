"""What a service manager such as systemd hears of the signer (sd_notify): it is ready, what it does, it answers, it stops."""

from __future__ import annotations

import os
import signal
import socket
import subprocess

import pytest

from harness.app import App
from harness.daemon import binary, environment
from harness.waiting import until

HEARTBEAT = 0.5
"""How long the manager waits for a sign of life, in seconds."""


class Manager:
    """The manager's end of the socket."""

    def __init__(self, address: str):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address.replace("@", "\0", 1))
        self.environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": str(int(HEARTBEAT * 1_000_000))}

    def hears(self, seconds: float = 10) -> dict[str, str] | None:
        """The next message; nil if none comes in time."""
        self._socket.settimeout(seconds)
        try:
            return dict(line.split("=", 1) for line in self._socket.recv(4096).decode().split("\n"))
        except TimeoutError:
            return None

    def hears_of(self, name: str, text: str = "") -> str:
        """The next value of that name with a text in it; other messages are passed over."""

        def value() -> str | None:
            found = (self.hears() or {}).get(name)
            return found if found is not None and text in found else None

        return until(value, f"{name}: {text}")

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["path", "abstract"])
def manager(request, tmp_path):
    name = f"holdfast-test-{os.getpid()}"
    made = Manager(str(tmp_path / "notify") if request.param == "path" else f"@{name}")
    yield made
    made.close()


async def test_a_service_manager_hears_what_the_signer_does(manager, home, start, apps):
    daemon = start(home, env=manager.environment)
    ready = manager.hears()
    assert ready == {"READY": "1", "STATUS": "Serving; 0 requests wait for the owner"}
    assert manager.hears_of("WATCHDOG") == "1"
    app = await apps(App.paired(daemon.pair("low")))
    await app.send("nip44_encrypt", [app.key.public, "hello"])
    manager.hears_of("STATUS", "1 request waits")
    daemon.do("lock")
    manager.hears_of("STATUS", "Locked: requests that need a key wait (1)")
    daemon.do("panic")
    manager.hears_of("STATUS", "Locked down")
    os.kill(daemon.pid, signal.SIGTERM)
    assert manager.hears_of("STOPPING") == "1"


def test_a_signer_that_hangs_gives_no_sign_of_life(manager, home, start):
    daemon = start(home, env=manager.environment)
    manager.hears_of("WATCHDOG")
    os.kill(daemon.pid, signal.SIGSTOP)
    try:
        assert until(lambda: manager.hears(4 * HEARTBEAT) is None, "silence")
    finally:
        os.kill(daemon.pid, signal.SIGCONT)
    assert manager.hears_of("WATCHDOG") == "1"


@pytest.mark.parametrize("how", [["--json"], []], ids=["json", "text"])
@pytest.mark.parametrize("trial", [False, True], ids=["vault", "trial"])
def test_no_link_stands_in_the_journal(home, tmp_path, how, trial):
    """The journal can be read by every administrator, and keeps what it got."""
    printed = tmp_path / "journal"
    what = ["--trial"] if trial else ["--home", str(home.path), "--passphrase-file", str(home.passphrase_file)]
    with printed.open("wb") as journal:
        place = os.fstat(journal.fileno())
        process = subprocess.Popen(
            [binary(), "up", "--listen", "127.0.0.1:0", *what, *how],
            stdin=subprocess.DEVNULL,
            stdout=journal,
            stderr=journal,
            env=environment(TMPDIR=str(home.folder), JOURNAL_STREAM=f"{place.st_dev}:{place.st_ino}"),
        )
    try:
        until(lambda: '"ready":true' in (text := printed.read_text()) or "Ctrl-C" in text, "the ready line", 60)
        if not trial:
            assert home.cli("pair", "--list", check=True).value["links"] == []
            assert "secret=" in home.cli("pair", check=True).value["bunker"]
    finally:
        process.terminate()
        process.wait(15)
    text = printed.read_text()
    assert "bunker://" not in text and "secret=" not in text and "signin=" not in text
    assert how or "holdfast pair" in text


def test_a_manager_that_is_gone_does_not_hold_the_signer_up(manager, home, start):
    manager.close()
    daemon = start(home, env=manager.environment)
    assert daemon.do("status")["locked"] is False
    assert daemon.stop() == 0
