"""Nothing that was shown, typed, imported or handed out is left in the signer: its memory, a core of it, its logs and its pages
are searched after each use of a secret and after each way of locking."""

from __future__ import annotations

import json
import os
import secrets as randomness
import subprocess
from pathlib import Path

import pytest

from harness.browser import Browser, certificate
from harness.daemon import PASSPHRASE, Home
from harness.machine import Machine, is_installed
from harness.memory import Canaries, regions
from harness.waiting import until
from reference import nip19
from reference.keys import Key
from reference.words import key_of_words, words_of

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may read the memory of a hardened process")
SURE = ("--unencrypted", "--confirm", "I understand")
OPEN = {"confirm": "I understand"}
WRONG = "a wrong passphrase, typed by mistake"
NEW = "the new passphrase 9Kd of the memory tests"
PASSWORD = "a password of a key 5Tt"


class Scene:
    """A signer, its owner at the command line and at the console, and what was secret so far."""

    def __init__(self, home: Home, daemon, certificate: Path | None = None):
        self.home, self.daemon = home, daemon
        self.canaries = Canaries()
        self.canaries.texts("the passphrase", PASSPHRASE)
        self.shown = ("--passphrase-file", str(home.passphrase_file))
        self.proof = {"passphrase": PASSPHRASE.encode()}
        self.kits: list[list[str]] = []
        self.browser = Browser(daemon, certificate).signed_in()

    def cli(self, *arguments: str, stdin: str = "", **more):
        return self.home.cli(*arguments, stdin=stdin, check=True, **more).value

    def file(self, text: str) -> str:
        path = self.home.folder / f"given-{randomness.token_hex(4)}"
        path.write_text(text)
        return str(path)

    def forget_files(self) -> None:
        """Removes the files with secrets that the owner wrote: they are not the signer's."""
        for path in self.home.folder.glob("given-*"):
            path.unlink()

    def in_use(self) -> dict:
        """Secrets outside of guarded memory. Keys in use are in guarded memory, and nothing else should be found."""
        return self.canaries.in_memory(self.daemon.pid, guarded=False)

    def left(self) -> dict:
        return self.canaries.in_memory(self.daemon.pid)

    def lock(self) -> None:
        self.daemon.do("lock")

    def unlock(self) -> None:
        assert self.home.cli("unlock", *self.shown).code == 0


@pytest.fixture
def scene(home, start):
    return Scene(home, start())


def imports_a_key(scene: Scene) -> None:
    for by in ("command", "console"):
        key = Key()
        scene.canaries.key("an imported key", key)
        if by == "command":
            scene.cli("identity", "import", f"nsec-{by}", stdin=nip19.nsec(key.secret))
        else:
            scene.browser.do("identity/import", {"name": f"nsec-{by}"}, {"key": nip19.nsec(key.secret).encode()})


def imports_words(scene: Scene) -> None:
    for by in ("command", "console"):
        entropy = randomness.token_bytes(16)
        words = words_of(entropy)
        scene.canaries.texts("imported words", words)
        scene.canaries.bytes("the words' entropy", entropy)
        scene.canaries.key("the words' key", key_of_words(words))
        if by == "command":
            scene.cli("identity", "import", f"words-{by}", stdin=words)
        else:
            scene.browser.do("identity/import", {"name": f"words-{by}"}, {"key": words.encode()})


def exports_open_keys(scene: Scene) -> None:
    imports_words(scene)
    for name in ("words-command", "words-console"):
        for format in ("nsec", "mnemonic"):
            scene.cli("identity", "export", name, "--format", format, *SURE, *scene.shown)
            scene.browser.do("identity/export", {"name": name, "format": format, **OPEN}, scene.proof)
    nsec = scene.browser.do("identity/export", {"name": "words-console", "format": "nsec", **OPEN}, scene.proof)["nsec"]
    drawn = scene.browser.do("pair/qr", {}, {"text": nsec.encode()})
    scene.canaries.texts("the QR code of a key", drawn["modules"][200:400])
    picture = str(scene.home.folder / "given-picture.png")
    scene.cli("identity", "export", "words-command", "--format", "nsec", "--qr-png", picture, *SURE, *scene.shown)


def exports_encrypted_keys(scene: Scene) -> None:
    imports_words(scene)
    scene.canaries.texts("the password of a key", PASSWORD)
    for format in ("ncryptsec", "file"):
        made = scene.cli("identity", "export", "words-command", "--format", format, "--password-file", scene.file(PASSWORD), *scene.shown)
        scene.browser.do("identity/export", {"name": "words-command", "format": format}, scene.proof | {"password": PASSWORD.encode()})
        scene.cli("identity", "delete", "words-command", "--yes", *scene.shown)
        scene.cli("identity", "import", "words-command", "--password-file", scene.file(PASSWORD), stdin=made[format])


def makes_and_tests_kits(scene: Scene) -> None:
    imports_a_key(scene)
    size = ("--threshold", "2", "--shares", "3")
    made = [
        scene.cli("recovery", "create", *size, *scene.shown)["shares"],
        scene.cli("recovery", "create", *size, "--identity", "nsec-command", *scene.shown)["shares"],
        scene.browser.do("recovery/create", {"threshold": 2, "shares": 3}, scene.proof)["shares"],
        scene.browser.do("recovery/create", {"threshold": 2, "shares": 3, "identity": "nsec-console"}, scene.proof)["shares"],
    ]
    pages = scene.home.folder / "given-pages"
    scene.cli("recovery", "create", *size, "--out", str(pages), *scene.shown)
    for page in pages.glob("*"):
        page.unlink()
    pages.rmdir()
    for shares in made:
        assert len(shares) == 3 and all(len(share.split()) >= 20 for share in shares)
        scene.canaries.texts("a share", *shares)
        scene.cli("recovery", "test", stdin="\n".join(shares[:2]))
        scene.browser.do("recovery/test", {}, {"shares": "\n".join(shares[1:]).encode()})
        scene.browser.call("pair/qr", {}, {"text": shares[0].encode()})
        wrong = "\n".join([shares[0], shares[1][:-3] + "ace"])
        scene.browser.call("recovery/test", {}, {"shares": wrong.encode()})
    scene.kits = made


def restores_from_shares(scene: Scene) -> None:
    makes_and_tests_kits(scene)
    npub = scene.cli("identity", "show", "nsec-console")["npub"]
    scene.cli("identity", "delete", "nsec-console", "--yes", *scene.shown)
    scene.cli("recovery", "restore", "--identity", "again", "--npub", npub, stdin="\n".join(scene.kits[3][:2]))
    scene.canaries.texts("a new passphrase", NEW)
    scene.cli("recovery", "restore", "--new-passphrase-file", scene.file(NEW), stdin="\n".join(scene.kits[0][:2]))
    new = scene.file(NEW)
    scene.cli("slot", "passphrase", "--new-passphrase-file", str(scene.home.passphrase_file), "--passphrase-file", new)


def changes_slots(scene: Scene) -> None:
    scene.canaries.texts("a new passphrase", NEW, NEW + " again")
    new, old = scene.file(NEW), str(scene.home.passphrase_file)
    made = scene.cli("slot", "add", "passphrase", "--label", "drawer", "--new-passphrase-file", new, *scene.shown)["slot"]
    scene.cli("slot", "test", str(made["id"]), "--passphrase-file", new)
    scene.browser.do("slot/test", {"id": made["id"]}, {"passphrase": NEW.encode()})
    scene.cli("slot", "remove", str(made["id"]), "--yes", *scene.shown)
    scene.cli("slot", "passphrase", "--new-passphrase-file", new, *scene.shown)
    scene.cli("slot", "passphrase", "--new-passphrase-file", old, "--passphrase-file", new)
    scene.browser.call("slot/passphrase", {}, scene.proof | {"new_passphrase": (NEW + " again").encode()})
    scene.cli("slot", "passphrase", "--new-passphrase-file", old, "--passphrase-file", scene.file(NEW + " again"))
    scene.cli("slot", "rotate", *scene.shown)


def unlocks_everywhere(scene: Scene) -> None:
    scene.canaries.texts("a wrong passphrase", WRONG)
    scene.lock()
    assert not scene.browser.call("unlock", {}, {"passphrase": WRONG.encode()})[1]["ok"]
    until(lambda: scene.browser.call("unlock", {}, scene.proof)[1]["ok"], "it opens by the right one")
    scene.lock()
    assert scene.home.cli("unlock", "--passphrase-file", scene.file(WRONG)).code == 3
    until(lambda: scene.home.cli("unlock", *scene.shown).code == 0, "it opens by the right one")
    # The answer of an unknown passkey is refused, and its secret is wiped.
    output = randomness.token_bytes(32)
    scene.canaries.bytes("the output of a passkey", output)
    for operation in ("unlock", "slot/test"):
        assert not scene.browser.call(operation, {"credential": {"id": "AAAA"}}, {"prf": output})[1]["ok"]
    # A body that is larger than one read, and one that is never complete.
    mark = randomness.token_hex(12)
    scene.canaries.texts("a body that is far too long", mark)
    flood = mark.encode() * 2000
    assert not scene.browser.call("slot/test", {}, {"passphrase": flood})[1]["ok"]


def makes_backups(scene: Scene) -> None:
    makes_and_tests_kits(scene)
    file = scene.home.folder / "given-backup"
    scene.cli("backup", "create", str(file), *scene.shown)
    scene.cli("backup", "verify", str(file), *scene.shown)
    shares = scene.file("\n".join(scene.kits[0][:2]))
    scene.cli("backup", "verify", str(file), "--shares-file", shares)
    target = Home()
    target.cli("backup", "restore", str(file), "--passphrase-file", str(scene.home.passphrase_file), check=True)
    restored = target.start()
    try:
        assert scene.canaries.in_memory(restored.pid, guarded=False) == {}
        target.cli("lock", check=True)
        assert scene.canaries.in_memory(restored.pid) == {}
    finally:
        restored.kill()
        target.remove()


USES = [
    imports_a_key, imports_words, exports_open_keys, exports_encrypted_keys, makes_and_tests_kits, restores_from_shares,
    changes_slots, unlocks_everywhere, makes_backups,
]  # fmt: skip


@pytest.mark.parametrize("use", USES, ids=lambda use: use.__name__)
def test_after_each_use_no_secret_is_left_in_the_signers_memory(scene, use):
    use(scene)
    assert scene.in_use() == {}, "an unlocked signer has keys in guarded memory only, and no text of a secret"
    scene.lock()
    assert scene.left() == {}
    scene.forget_files()
    logs = [Path(f"{scene.daemon.log}.{end}") for end in ("out", "err")]
    assert scene.canaries.in_files(scene.home.path, *logs) == {}


@pytest.mark.skipif(not is_installed(), reason="python3-dbusmock is not installed")
@pytest.mark.parametrize("way", ["command", "console", "timeout", "suspend", "desktop lock", "panic"])
def test_after_each_way_of_locking_nothing_is_left(home, start, tmp_path, way):
    with Machine(tmp_path) as machine:
        scene = Scene(home, start(env=machine.environment))
        exports_open_keys(scene)
        makes_and_tests_kits(scene)
        if way == "desktop lock":
            scene.cli("session", "set", "--lock-on-desktop-lock", "on")
            until(lambda: scene.cli("session", "show")["hears_desktop_lock"], "the desktop is heard")
        if way == "suspend":
            until(lambda: machine.inhibitors, "sleep is held up")
        assert scene.left() != {}, "the keys are found while the signer is unlocked, so the search works"
        ways = {
            "command": scene.lock,
            "console": lambda: scene.browser.do("lock"),
            "timeout": lambda: scene.cli("session", "set", "--lock-after", "1s"),
            "suspend": lambda: machine.sleeps(True),
            "desktop lock": machine.locks_session,
            "panic": lambda: scene.cli("panic"),
        }
        ways[way]()
        until(lambda: scene.cli("status")["locked"], "it locks")
        assert scene.left() == {}


def test_over_tls_nothing_is_left_either(home, start, tmp_path):
    trusted, key = certificate(tmp_path)
    scene = Scene(home, start(arguments=("--tls-cert", str(trusted), "--tls-key", str(key))), trusted)
    exports_open_keys(scene)
    makes_and_tests_kits(scene)
    unlocks_everywhere(scene)
    assert scene.in_use() == {}
    scene.lock()
    assert scene.left() == {}


@pytest.mark.slow
def test_a_core_and_what_may_be_swapped_hold_nothing(scene, tmp_path):
    exports_open_keys(scene)
    makes_and_tests_kits(scene)
    guarded = [region for region in regions(scene.daemon.pid) if region.is_guarded]
    assert guarded and all("lo" in region.flags for region in guarded), "guarded memory is locked: it is never swapped"
    assert cored(scene, tmp_path / "open") == {}, "a core of an unlocked signer leaves out guarded memory and has no secret elsewhere"
    scene.lock()
    assert cored(scene, tmp_path / "locked") == {}


def cored(scene: Scene, place: Path) -> dict:
    """Searches a core file as gdb writes it. Like every core file it leaves some memory out."""
    done = subprocess.run(["gcore", "-o", str(place), str(scene.daemon.pid)], capture_output=True, timeout=60, check=False)
    core = Path(f"{place}.{scene.daemon.pid}")
    if not core.exists():
        pytest.skip(f"gcore writes no core here: {done.stderr[-200:]}")
    try:
        return scene.canaries.in_files(core)
    finally:
        core.unlink()


def test_a_command_prints_the_same_json_as_ever(scene):
    imports_words(scene)
    shown = scene.cli("identity", "export", "words-command", "--format", "mnemonic", *SURE, *scene.shown)
    assert list(shown) == ["name", "npub", "format", "words", "account", "words_passphrase"] and shown["words"]
    shown = scene.cli("identity", "export", "words-command", "--format", "nsec", *SURE, *scene.shown)
    assert list(shown) == ["name", "npub", "format", "nsec"] and shown["nsec"].startswith("nsec1")
    made = scene.home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *scene.shown).out
    assert list(json.loads(made)) == ["kit", "shares"] and len(json.loads(made)["shares"]) == 3 and made.endswith('"]}\n')
