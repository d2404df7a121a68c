"""podman with a storage of its own, for tests that run as root in a container or a virtual machine without cgroups of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

BASE = "docker.io/library/debian:12-slim"
"""What the recipe begins with. The tests import an own one under its name: no registry is reached."""

CONTAINERS = """
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
netns = "none"
[engine]
events_logger = "file"
cgroup_manager = "cgroupfs"
"""


def missing() -> str | None:
    """What this machine lacks, as the reason of a test that is left out."""
    if os.getuid() != 0:
        return "this test runs podman as root"
    absent = [tool for tool in ("podman", "crun") if not shutil.which(tool)]
    return f"not installed: {', '.join(absent)}" if absent else None


class Podman:
    """Images and containers that are gone at the end."""

    def __init__(self, folder: Path):
        self.folder = folder
        (folder / "containers.conf").write_text(CONTAINERS)
        storage = f'[storage]\ndriver = "vfs"\nrunroot = "{folder}/run"\ngraphroot = "{folder}/images"\n'
        (folder / "storage.conf").write_text(storage)
        self.environment = os.environ | {
            "CONTAINERS_CONF": str(folder / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"),
        }

    def command(self, *words: str | Path) -> list[str]:
        """In a mount namespace: crun wants one kind of cgroups, where some machines have both."""
        alone = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec "$@"'
        return ["unshare", "--mount", "--propagation", "private", "--", "sh", "-c", alone, "sh", *map(str, words)]

    def run(self, *words: str | Path, given: str = "", check: bool = True, folder: Path | None = None) -> subprocess.CompletedProcess:
        command = self.command("podman", *words)
        done = subprocess.run(command, input=given, capture_output=True, text=True, env=self.environment, cwd=folder, timeout=300)
        assert not check or done.returncode == 0, f"podman {words}: {done.stdout}{done.stderr}"
        return done

    def has_base(self, tree: Path) -> None:
        """Makes the base image of a Debian's tree."""
        pack = subprocess.Popen(["tar", "--create", "--directory", tree, "."], stdout=subprocess.PIPE)
        subprocess.run(
            self.command("podman", "import", "-", BASE), stdin=pack.stdout, capture_output=True, env=self.environment, check=True
        )
        assert pack.wait() == 0
