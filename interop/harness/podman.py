"""podman without root, with a storage of its own, for tests that run in a container or a virtual machine without cgroups of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

BASE = "docker.io/library/debian:12-slim"
"""What the recipe begins with. The tests import an own one under its name: no registry is reached."""

USER = 47_110
"""Who runs podman. The account is in no file of this machine: only podman's own mount namespace has it."""
LEFT_TO_IT = f"{USER}:{USER + 1}:65536\n"
"""The accounts that its containers use."""

CONTAINERS = """
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
events_logger = "file"
cgroup_manager = "cgroupfs"
"""

# crun wants one kind of cgroups, where some machines have both. The accounts are added to copies of the machine's files.
ALONE = """
umount /sys/fs/cgroup/unified 2>/dev/null
for file in passwd group subuid subgid; do mount --bind "$0/$file" "/etc/$file"; done
exec setpriv --reuid={user} --regid={user} --clear-groups -- "$@"
"""


def missing() -> str | None:
    """What this machine lacks, as the reason of a test that is left out."""
    if os.getuid() != 0:
        return "this test adds an account in a mount namespace, for which it needs root"
    absent = [tool for tool in ("podman", "crun", "newuidmap", "slirp4netns") if not shutil.which(tool)]
    return f"not installed: {', '.join(absent)}" if absent else None


class Podman:
    """Images and containers of an account without rights, gone at the end."""

    def __init__(self, folder: Path):
        self.folder = folder
        for parent in (folder, *folder.parents[:-1]):
            parent.chmod(parent.stat().st_mode | 0o011)
        (folder / "containers.conf").write_text(CONTAINERS)
        storage = f'[storage]\ndriver = "vfs"\nrunroot = "{folder}/run"\ngraphroot = "{folder}/images"\n'
        (folder / "storage.conf").write_text(storage)
        self._account(f"ada:x:{USER}:{USER}::{folder}:/bin/sh\n", "passwd")
        self._account(f"ada:x:{USER}:\n", "group")
        for file in ("subuid", "subgid"):
            (folder / file).write_text(LEFT_TO_IT)
        # The process that holds the account's namespace is found there: that of another run is not used.
        (runtime := folder / "runtime").mkdir(mode=0o700)
        for mine in (folder, runtime):
            shutil.chown(mine, USER, USER)
        self.environment = {
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(runtime),
            "PATH": os.environ["PATH"],
            "CONTAINERS_CONF": str(folder / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"),
            # It would start one that nobody ends.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/dev/null",
        }

    def place(self, name: str) -> Path:
        """A new folder that the account can read."""
        (made := self.folder / name).mkdir(mode=0o755)
        return made

    def _account(self, line: str, file: str) -> None:
        (self.folder / file).write_text(Path("/etc", file).read_text() + line)

    def command(self, *words: str | Path) -> list[str]:
        alone = ALONE.format(user=USER)
        return ["unshare", "--mount", "--propagation", "private", "--", "sh", "-c", alone, str(self.folder), *map(str, words)]

    def run(self, *words: str | Path, given: str = "", check: bool = True, folder: Path | None = None) -> subprocess.CompletedProcess:
        command = self.command("podman", *words)
        where = folder or self.folder
        done = subprocess.run(command, input=given, capture_output=True, text=True, env=self.environment, cwd=where, timeout=300)
        assert not check or done.returncode == 0, f"podman {words}: {done.stdout}{done.stderr}"
        return done

    def has_base(self, tree: Path) -> None:
        """Makes the base image of a Debian's tree."""
        pack = subprocess.Popen(["tar", "--create", "--directory", tree, "."], stdout=subprocess.PIPE)
        subprocess.run(
            self.command("podman", "import", "-", BASE),
            stdin=pack.stdout, capture_output=True, env=self.environment, cwd=self.folder, check=True,
        )  # fmt: skip
        assert pack.wait() == 0

    def end(self) -> None:
        """Removes all containers, and ends the process that holds the account's namespace."""
        self.run("rm", "--force", "--all", check=False)
        self.run("unshare", "rm", "-rf", self.folder / "images", check=False)
        self.run("system", "migrate", check=False)
