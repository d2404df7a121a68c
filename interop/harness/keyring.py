"""The desktop's keyring: gnome-keyring on a session bus of its own."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .daemon import environment
from .waiting import until


@contextmanager
def desktop_keyring() -> Iterator[dict]:
    """A session bus with an unlocked keyring on it: the environment that finds it. Ended by their pids."""
    folder = Path(tempfile.mkdtemp(prefix="hfk-", dir="/tmp"))
    runtime = folder / "run"
    runtime.mkdir(mode=0o700)
    conf = folder / "bus.conf"
    conf.write_text(
        f"<busconfig><type>session</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>"
        '<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>'
        '<allow own="*"/></policy></busconfig>'
    )
    env = environment(DBUS_SESSION_BUS_ADDRESS=f"unix:path={folder}/bus", HOME=str(folder), XDG_RUNTIME_DIR=str(runtime))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    bus = subprocess.Popen(["dbus-daemon", "--nofork", f"--config-file={conf}"], **quiet)
    until(lambda: (folder / "bus").exists(), "a bus")
    keyring = subprocess.Popen(
        ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
        env=env,
        stdin=subprocess.PIPE,
        **quiet,
    )
    keyring.stdin.write(b"desktop password")
    keyring.stdin.close()
    ask = ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner"]
    until(lambda: b"true" in subprocess.run([*ask, "string:org.freedesktop.secrets"], env=env, capture_output=True).stdout, "a keyring")
    yield env
    for process in (keyring, bus):
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)
