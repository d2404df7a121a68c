"""The TPM that seals device.key: the real program with a real TPM of software, copied homes, and a TPM that does not answer."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from harness.daemon import Home, environment, run
from harness.waiting import until

NOTE = '{"kind":1,"content":"by the owner","tags":[]}'
BOUND = "when-unlocked,this-device-only"

if not shutil.which("swtpm"):
    pytest.skip("swtpm is not installed", allow_module_level=True)


class SoftTPM:
    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="hf-tpm-", dir="/tmp"))
        (self.folder / "state").mkdir()
        self.process = None
        self.start()

    @property
    def env(self) -> dict[str, str]:
        return environment(HOLDFAST_TPM=f"swtpm:path={self.folder}/tpm")

    def start(self) -> None:
        server = f"type=unixio,path={self.folder}/tpm"
        control = f"type=unixio,path={self.folder}/tpm.ctrl"
        flags = "not-need-init,startup-clear"
        command = ["swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self.folder}/state"]
        self.process = subprocess.Popen([*command, "--server", server, "--ctrl", control, "--flags", flags])
        until(lambda: (self.folder / "tpm").exists() and (self.folder / "tpm.ctrl").exists(), "the TPM's sockets")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        for name in ("tpm", "tpm.ctrl"):
            (self.folder / name).unlink(missing_ok=True)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)


@pytest.fixture
def tpms():
    made: list[SoftTPM] = []

    def make() -> SoftTPM:
        made.append(SoftTPM())
        return made[-1]

    yield make
    for tpm in made:
        tpm.remove()


@pytest.fixture
def deaf():
    """Takes every call of a TPM and never answers."""
    folder = Path(tempfile.mkdtemp(prefix="hf-tpm-", dir="/tmp"))
    sockets = []
    for name in ("tpm", "tpm.ctrl"):
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(folder / name))
        listening.listen(8)
        sockets.append(listening)
    yield environment(HOLDFAST_TPM=f"swtpm:path={folder}/tpm")
    for listening in sockets:
        listening.close()
    shutil.rmtree(folder)


def proof(home: Home) -> list[str]:
    return ["--passphrase-file", str(home.passphrase_file)]


def sign(home: Home, env, name: str = "here"):
    return run("sign", "--identity", name, "--home", str(home.path), "--json", *proof(home), stdin=NOTE, env=env, seconds=60)


def owner(home: Home, env, *arguments: str):
    return run(*arguments, "--home", str(home.path), "--json", *proof(home), env=env, seconds=60)


def test_a_copied_home_gives_no_key_of_this_device(home, tpms):
    here, there = tpms(), tpms()
    assert owner(home, here.env, "identity", "create", "here", "--class", BOUND).code == 0
    assert owner(home, here.env, "status").value["device_binding"] == "not enforced here", "made before there was a TPM"
    kept = (home.path / "device.key").read_bytes()
    done = owner(home, here.env, "slot", "bind", "--tpm")
    assert done.code == 0 and done.value["changed"] is True and done.value["lost"] == [], done.said
    assert (home.path / "device.key").read_bytes().startswith(b"HFSEAL\x01")
    here.stop()
    here.start()
    assert sign(home, here.env).code == 0
    # A TPM of software is a file like others: no binding is claimed.
    assert owner(home, here.env, "status").value["device_binding"] == "not enforced here"
    found = owner(home, here.env, "doctor").out
    assert "software TPM" in found
    copy = home.copied()
    for env, words in ((there.env, "sealed by another TPM"), (environment(), "this machine has none")):
        refused = sign(copy, env)
        assert refused.code == 3 and words in refused.said and "slot bind" in refused.said, refused.said
        assert sign(copy, env, "alice").code == 0
    (copy.path / "device.key").write_bytes(kept)
    assert sign(copy, here.env).code == 3, "the earlier secret, which was not sealed"
    copy.remove()
    # Back to a plain one, for who moves the disk.
    assert owner(home, here.env, "slot", "bind", "--no-tpm").code == 0
    assert sign(home, environment()).code == 0


@pytest.mark.slow
def test_a_tpm_that_never_answers_holds_nothing_up(home, tpms, deaf, start):
    here = tpms()
    assert owner(home, here.env, "slot", "bind", "--tpm").code == 0
    assert owner(home, here.env, "identity", "create", "here", "--class", BOUND).code == 0
    began = time.monotonic()
    refused = sign(home, deaf)
    assert refused.code == 3 and "did not answer in time" in refused.said and time.monotonic() - began < 45
    unasked = owner(home, deaf, "slot", "bind", "--yes", "--accept-loss")
    assert unasked.code == 3 and "did not answer in time" in unasked.said, "a fault that may pass costs no key"
    # The signer starts, and signs with every other key.
    daemon = start(env={"HOLDFAST_TPM": deaf["HOLDFAST_TPM"]})
    assert home.cli("sign", "--identity", "alice", stdin=NOTE, check=True).value["sig"]
    assert home.cli("status", check=True).value["device_binding"] == "sealed by a TPM, which does not open it"
    assert home.cli("sign", "--identity", "here", stdin=NOTE).code == 3
    daemon.stop()
    assert sign(home, here.env).code == 0


def test_a_cleared_tpm_is_taken_anew_and_says_what_is_gone(home, tpms):
    here, cleared = tpms(), tpms()
    assert owner(home, here.env, "slot", "bind", "--tpm").code == 0
    assert owner(home, here.env, "identity", "create", "here", "--class", BOUND).code == 0
    refused = owner(home, cleared.env, "slot", "bind", "--yes")
    assert refused.code == 1 and "“here”" in refused.said and "--accept-loss" in refused.said
    done = owner(home, cleared.env, "slot", "bind", "--yes", "--accept-loss")
    assert done.code == 0 and done.value["lost"] == ["here"], done.said
    assert owner(home, cleared.env, "identity", "create", "new", "--class", BOUND).code == 0
    assert sign(home, cleared.env, "new").code == 0 and sign(home, cleared.env, "alice").code == 0
    assert sign(home, here.env, "new").code == 3
