"""Machines with a Debian 12 of their own: containers of systemd-nspawn, over a tree made by debootstrap. Needs root and a mirror."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .daemon import REPOSITORY

MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
TREES = REPOSITORY / ".build" / "debian"
BARE = ("ca-certificates", "libssl3")
"""What the program needs beside the smallest Debian."""


def missing() -> str | None:
    """What this machine lacks for such containers, as the reason of a test that is left out."""
    if os.getuid() != 0:
        return "containers need root"
    absent = [tool for tool in ("debootstrap", "systemd-nspawn") if not shutil.which(tool)]
    return f"not installed: {', '.join(absent)}" if absent else None


def tree(*packages: str) -> Path:
    """A Debian with these packages and a user `ada`, who may use sudo if that is installed. Made once, and never written to afterwards."""
    made = TREES / hashlib.sha256(" ".join(packages).encode()).hexdigest()[:16]
    TREES.mkdir(parents=True, exist_ok=True)
    with _alone(TREES / "lock"):
        if not made.exists():
            shutil.rmtree(unfinished := made.with_suffix(".unfinished"), ignore_errors=True)
            _debootstrap(unfinished, packages)
            unfinished.rename(made)
    return made


def _debootstrap(folder: Path, packages: tuple[str, ...]) -> None:
    command = ["debootstrap", "--variant=minbase", f"--include={','.join(packages)}", "bookworm", folder, MIRROR]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"debootstrap: {done.stdout[-600:]}{done.stderr[-600:]}"
    subprocess.run(["chroot", folder, "useradd", "--create-home", "--shell", "/bin/bash", "--uid", "1000", "ada"], check=True)
    (folder / "etc/hosts").write_text("127.0.0.1 localhost\n127.0.1.1 signer\n::1 localhost\n")
    (folder / "etc/hostname").write_text("signer\n")
    if (sudoers := folder / "etc/sudoers.d").exists():
        (sudoers / "ada").write_text("ada ALL=(ALL) NOPASSWD: ALL\n")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def container(folder: Path, *options: str) -> list[str]:
    """The command that runs a container; what it writes is gone with it. The words of its own command follow."""
    nspawn = [
        "systemd-nspawn",
        "--quiet",
        "--register=no",
        "--keep-unit",
        "--volatile=overlay",
        "--resolv-conf=off",
        f"--directory={folder}",
        *options,
    ]
    # Mounts in a namespace of their own: a container that is killed leaves none behind.
    return ["unshare", "--mount", "--propagation", "private", "--", *nspawn]
