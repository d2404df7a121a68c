"""Scripts can rely on a command's exit code: the same thing gives the same code in every command, as `help exit-codes` says."""

from __future__ import annotations

import json

import pytest

from harness.daemon import environment, run

DATED_AHEAD = json.dumps({"kind": 1, "content": "later", "created_at": 4_000_000_000})

MEANINGS = {
    0: ["status --open", "identity list", "log show", "help exit-codes", "backup verify --help"],
    # It failed, is refused as it stands, or needs the running signer.
    1: [
        "init",
        "status",
        "identity create alice",
        "identity import known --from-file published-key",
        "request approve 0000000000000000",
        "proof verify folder-of-no-proof/text",
    ],
    # A wrong command line.
    2: [
        "identity show alice --nonsense",
        "identity import",
        "log show --since tomorrow",
        "log show --entry nonsense",
        "request show zzzz",
        "identity create a/b",
        "client show x --home",
        "open mailto:somebody",
        "open keyfob://pubkey",
        # A malformed key.
        "identity import new --from-file foo",
        "identity import new --from-file zero-key",
        "identity import new --from-file bad-words",
        "identity import new --from-file bad-nsec",
        "identity import new --from-file empty",
        "recovery test foo",
        "recovery test",
        # Something new is to be typed, and there is no terminal to ask on.
        "slot passphrase",
        "slot add passphrase",
        "slot add token",
        "identity export alice",
        "identity delete alice",
        "erase",
    ],
    # The vault is locked.
    3: [
        "identity list --passphrase-file foo",
        "sign --passphrase-file foo",
        "backup verify vault.hfb --passphrase-file foo",
    ],
    4: ["sign"],
    # Something that is named is not there.
    5: [
        "identity list --home nowhere",
        "identity show nobody",
        "client show nobody",
        "request show 0000000000000000",
        "log show 999999",
        "slot remove 99 --yes",
        "local trust nobody full",
        "recovery remove zzzz --yes",
        "keep",
        "identity import new --from-file nope",
        "identity list --passphrase-file nope",
        "recovery test kit/nope",
        "backup verify nope.hfb",
        "backup verify",
        "backup schedule --off",
        "proof verify nope",
        "up --tls-cert nope --tls-key nope",
        "log export --out nowhere/log.jsonl",
    ],
}

WITHOUT_A_PASSPHRASE = {2: ["init --home new"], 3: ["identity list", "sign", "log show", "backup verify vault.hfb"]}


@pytest.fixture(scope="module")
def place(closed_home, tmp_path_factory):
    """A folder with a vault's home, a backup, and files that hold no key."""
    home, folder = closed_home.copied(), tmp_path_factory.mktemp("files")
    (folder / "folder-of-no-proof").mkdir()
    words = "abandon " * 11 + "zebra"
    published = "abandon " * 11 + "about"
    files = {"foo": "foo", "zero-key": "0" * 64, "bad-words": words, "published-key": published, "empty": ""}
    files |= {"bad-nsec": "nsec1" + "q" * 58, "folder-of-no-proof/text": "Entry 1"}
    files["holdfast-passphrase"] = home.passphrase_file.read_text()
    for name, text in files.items():
        (folder / name).write_text(text)
    home.unlocked("backup", "create", str(folder / "vault.hfb"))
    yield home, folder
    home.remove()


@pytest.mark.parametrize(("words", "code"), [(words, code) for code, each in MEANINGS.items() for words in each])
def test_each_command_ends_with_the_code_that_the_help_names(words, code, place):
    assert ended(words, place, credentials=True).code == code


@pytest.mark.parametrize(("words", "code"), [(words, code) for code, each in WITHOUT_A_PASSPHRASE.items() for words in each])
def test_without_a_terminal_a_new_secret_lacks_its_option_and_a_vault_stays_locked(words, code, place):
    done = ended(words, place)
    assert done.code == code and "no terminal to ask on" in done.err and "--passphrase-file FILE" in done.err, done.said


def test_the_help_names_each_code():
    said = run("help", "exit-codes").out
    assert all(f"\n  {code}  " in said for code in MEANINGS), said


def ended(words, place, credentials=False):
    """A command in the folder, whose home is the vault. As a service with credentials it need not ask for the passphrase."""
    home, folder = place
    more = {"HOLDFAST_HOME": str(home.path), "TMPDIR": str(folder)} | ({"CREDENTIALS_DIRECTORY": str(folder)} if credentials else {})
    return run(*words.split(), stdin=DATED_AHEAD if words.startswith("sign") else b"", env=environment(**more), folder=folder)
