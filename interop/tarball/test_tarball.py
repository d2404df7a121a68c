"""The archive for machines without a compiler: unpacked in the smallest Debian and run there, built twice, and what its bill says."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from harness import debian
from harness.daemon import REPOSITORY, outputs
from harness.documents import blocks

PORTABLE = REPOSITORY / ".build/portable"
PROGRAMS = ("holdfast", "holdfast-wake", "holdfast-push")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not (PORTABLE / "holdfast").exists(), reason="there is no portable binary: run `make portable`"),
]

TRIED = """
set -eu
mkdir ~/download && cp /archive/* ~/download && cd ~/download
{installing}
export PATH=~/.local/bin:$PATH
holdfast --version
holdfast-wake --version
holdfast-push --version
umask 077
echo "a passphrase to try the archive" >~/passphrase
holdfast init --kdf-memory 19 --passphrase-file ~/passphrase
holdfast identity create alice --passphrase-file ~/passphrase
echo '{{"kind":1,"content":"packed","tags":[]}}' | holdfast sign --passphrase-file ~/passphrase
holdfast identity export alice --format ncryptsec --log-n 16 --qr-svg ~/key.svg --passphrase-file ~/passphrase --password-file ~/passphrase
"""


def packed(folder: Path) -> Path:
    subprocess.run([REPOSITORY / "Packaging/tarball.sh", PORTABLE, folder], check=True, capture_output=True)
    [archive] = folder.glob("holdfast-*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tarball")
    folder.chmod(0o755)
    return packed(folder)


@pytest.mark.skipif(bool(debian.missing()), reason=debian.missing() or "")
def test_it_is_installed_as_its_page_says_and_runs_where_nothing_else_is(archive):
    installing = "\n".join(blocks(REPOSITORY / "Packaging/INSTALL.md")).replace("@NAME@", archive.name.removesuffix(".tar.gz"))
    machine = debian.container(
        debian.tree(*debian.BARE), "--private-network", "--user=ada", "--pipe", f"--bind-ro={archive.parent}:/archive"
    )
    script = TRIED.format(installing=installing)
    done = subprocess.run([*machine, "/bin/bash", "-c", script], capture_output=True, text=True, timeout=300)
    outputs.extend((done.stdout, done.stderr))
    assert done.returncode == 0, done.stdout + done.stderr
    assert [re.sub(r"\d+\.\d+\.\d+", "N", line) for line in done.stdout.splitlines() if re.match(r"holdfast\S* \d", line)] == [
        "holdfast N",
        "holdfast-wake N",
        "holdfast-push N",
    ]
    event = json.loads(re.search(r'^\{.*"sig".*\}$', done.stdout, re.MULTILINE).group())
    assert (event["content"], len(event["sig"])) == ("packed", 128)


def test_the_same_build_gives_the_same_bytes(archive, tmp_path):
    again = packed(tmp_path)
    assert hashlib.sha256(again.read_bytes()).digest() == hashlib.sha256(archive.read_bytes()).digest()
    with tarfile.open(archive) as tar:
        members = tar.getmembers()
    assert [one.name for one in members] == sorted(one.name for one in members)
    assert {(one.uid, one.gid, one.mtime) for one in members} == {(0, 0, members[0].mtime)}
    assert all(one.mode in (0o755, 0o644) for one in members)


def test_the_folders_are_those_of_a_prefix(archive):
    with tarfile.open(archive) as tar:
        names = {one.name.partition("/")[2] for one in tar.getmembers() if one.isfile()}
    assert {name.split("/")[0] for name in names} == {"bin", "lib", "share"}
    assert names >= {
        *(f"bin/{program}" for program in PROGRAMS),
        *(f"share/man/man1/{program}.1.gz" for program in PROGRAMS),
        "share/bash-completion/completions/holdfast",
        "share/zsh/site-functions/_holdfast",
        "share/fish/vendor_completions.d/holdfast.fish",
        "share/systemd/user/holdfast.service",
        "share/dbus-1/services/org.holdfast.Signer1.service",
        "share/doc/holdfast/INSTALL.md",
        "share/doc/holdfast/LICENSE",
        "share/doc/holdfast/WAKE.md",
        "share/doc/holdfast/PUSH-PROXY.md",
    }


@pytest.fixture(scope="module")
def bill(archive) -> dict:
    return json.loads(archive.with_name(archive.name.replace(".tar.gz", ".cdx.json")).read_text())


def test_the_bill_is_valid_and_is_of_these_programs(archive, bill):
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(bill)) is None
    with tarfile.open(archive) as tar:
        programs = {Path(one.name).name: tar.extractfile(one).read() for one in tar.getmembers() if "/bin/" in one.name and one.isfile()}
        [inside] = [one for one in tar.getmembers() if one.name.endswith("/sbom.cdx.json")]
        assert json.load(tar.extractfile(inside)) == bill
    program = bill["metadata"]["component"]
    for described in (program, *program["components"]):
        digest = hashlib.sha256(programs.pop(described["name"])).hexdigest()
        assert described["hashes"] == [{"alg": "SHA-256", "content": digest}]
    assert not programs


def used(bill: dict, how: str) -> dict[str, dict]:
    """The parts of a bill that are used in a certain way, by their Debian source."""

    def properties(part: dict) -> dict:
        return {one["name"].removeprefix("holdfast:"): one["value"] for one in part["properties"]}

    return {properties(part).get("debian-source", part["name"]): part for part in bill["components"] if properties(part)["use"] == how}


def test_the_bill_names_what_is_in_the_program_and_what_it_asks_for(archive, bill):
    linked = used(bill, "linked in")
    libraries = {"libcap2", "libsecp256k1", "libsodium", "libwebsockets", "sqlite3", "utf8proc"}
    assert set(linked) == libraries | {"gcc-12", "Swift runtime and standard library"}
    assert set(used(bill, "bundled")) == {"qrencode"}
    assert set(used(bill, "shared library")) == {"gcc-12", "glibc", "openssl"}
    assert {"curl", "libsecret", "p11-kit", "pam"} <= set(used(bill, "loaded by name if it is there"))
    for source, part in linked.items():
        assert source == "gcc-12" or part["licenses"], source
        version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", part["name"]], capture_output=True, text=True).stdout
        assert version in ("", part["version"])
    with tarfile.open(archive) as tar:
        licences = {Path(one.name).name for one in tar.getmembers() if "/licences/" in one.name}
    assert licences == libraries | {"gcc-12", "qrencode", "swift"}
