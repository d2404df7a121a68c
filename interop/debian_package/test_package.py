"""The Debian packages: built from the binaries under test, unpacked, and run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from harness.daemon import REPOSITORY, binary

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="dpkg-deb is not installed"),
    pytest.mark.timeout(300),
]


@pytest.fixture(scope="module")
def packages(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("deb")
    subprocess.run([REPOSITORY / "Packaging/deb.sh", binary(), folder], check=True)
    return folder


def run(*words: str | Path, **options) -> subprocess.CompletedProcess:
    return subprocess.run(words, capture_output=True, text=True, **options)


def test_the_package_holds_what_it_should_and_runs(packages):
    [package] = packages.glob("holdfast_*.deb")
    checked = run(REPOSITORY / "Packaging/check-deb.sh", package)
    assert checked.returncode == 0, checked.stderr
    print(checked.stdout)


@pytest.fixture(scope="module")
def push(packages, tmp_path_factory) -> Path:
    """The push proxy's package, unpacked."""
    [package] = packages.glob("holdfast-push_*.deb")
    root = tmp_path_factory.mktemp("push")
    subprocess.run(["dpkg-deb", "-x", package, root], check=True)
    return root


@pytest.mark.parametrize("program", ["holdfast-push", "holdfast-wake"])
def test_programs_are_of_the_same_version_and_have_a_page(packages, program, tmp_path):
    [package] = packages.glob(("holdfast-push" if program == "holdfast-push" else "holdfast") + "_*.deb")
    subprocess.run(["dpkg-deb", "-x", package, tmp_path], check=True)
    version = run("dpkg-deb", "-f", package, "Version").stdout.strip()
    assert run(tmp_path / "usr/bin" / program, "--version").stdout == f"{program} {version}\n"
    page = tmp_path / f"usr/share/man/man1/{program}.1.gz"
    if shutil.which("man"):
        shown = run("man", "--warnings", "-E", "UTF-8", "-l", page, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "100"})
        assert not shown.stderr and "OPTIONS" in shown.stdout and "COMMON OPTIONS" not in shown.stdout


def test_the_push_proxys_unit_and_options_are_in_order(push, tmp_path):
    configuration = (push / "etc/holdfast-push.conf").read_text()
    options = tmp_path / "options"
    options.write_text(configuration.replace("#relay", "relay").replace("#public-url", "public-url").replace("#contact", "contact"))
    words = [push / "usr/bin/holdfast-push", "--config", options, "--data", tmp_path / "data", "--listen", "127.0.0.1:0", "--json"]
    proxy = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert '"ready":true' in proxy.stdout.readline()
    finally:
        proxy.terminate()
    assert proxy.wait(30) == 0
    if shutil.which("systemd-analyze"):
        unit = (push / "usr/lib/systemd/system/holdfast-push.service").read_text()
        (tmp_path / "holdfast-push.service").write_text(unit.replace("/usr/bin/", f"{push}/usr/bin/"))
        verified = run("systemd-analyze", "verify", "--man=no", tmp_path / "holdfast-push.service")
        assert "holdfast-push.service" not in verified.stdout + verified.stderr
