"""The Debian package: built from the binary under test, unpacked, and run."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from harness.daemon import REPOSITORY, binary


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="dpkg-deb is not installed")
@pytest.mark.timeout(300)
def test_the_package_holds_what_it_should_and_runs(tmp_path):
    subprocess.run([REPOSITORY / "Packaging/deb.sh", binary(), tmp_path], check=True)
    [package] = tmp_path.glob("holdfast_*.deb")
    checked = subprocess.run([REPOSITORY / "Packaging/check-deb.sh", package], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    print(checked.stdout)
