"""Identities: details, accounts of the same words, and import and export in every format."""

from __future__ import annotations

import json
import stat

import nostr_sdk
import pytest
from cryptography.exceptions import InvalidTag

from harness.daemon import run
from reference import key_file, nip19, signer_exports
from reference.keys import Key

DONE, FAILED, USAGE, LOCKED, DENIED, NOT_FOUND = range(6)
WORDS = "system short news wasp pilot predict remind relax shell rice hybrid concert"
PASSWORD = "a password for one key"


@pytest.fixture(params=["daemon running", "vault opened by the command"])
def owner(request, home, start):
    """Runs owner's commands against a daemon, and against a closed vault. `proof` goes with what needs the owner's proof."""
    proof = ("--passphrase-file", str(home.passphrase_file))
    if request.param == "daemon running":
        start()

    def call(*arguments, **more):
        needs_proof = request.param != "daemon running" or arguments[1] in ("export", "class", "delete")
        return home.cli(*arguments, *(proof if needs_proof else ()), **more)

    call.file = lambda text, name="file": write(home, text, name)
    call.home = home
    return call


def write(home, text: str | bytes, name: str) -> str:
    path = home.folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def account(number: int, passphrase: str = "", words: str = WORDS) -> str:
    """The public key by rust-nostr."""
    keys = nostr_sdk.Keys.from_mnemonic(words, passphrase or None, number)
    return keys.public_key().to_hex()


# Details


def test_details_are_set_shown_and_removed(owner):
    made = owner(
        "identity", "set", "alice", "--colour", "teal", "--emoji", "🦊", "--relay", "wss://a.example", "--relay", "ws://b.example",
        "--notes", "since 2021", check=True,
    ).value  # fmt: skip
    assert (made["colour"], made["emoji"], made["notes"]) == ("#00897b", "🦊", "since 2021")
    assert made["relays"] == ["wss://a.example", "ws://b.example"]
    assert owner("identity", "show", "alice").value == made
    assert owner("identity", "list").value["identities"] == [made]
    cleared = owner("identity", "set", "alice", "--clear", "relays", "--clear", "emoji", check=True).value
    assert cleared["relays"] == [] and cleared["emoji"] is None and cleared["colour"] == "#00897b"


@pytest.mark.parametrize(
    "option",
    [
        ("--colour", "beige"),
        ("--emoji", "ab"),
        ("--emoji", "🦊🦊"),
        ("--relay", "wss://me@a"),
        ("--notes", "n" * 5000),
        ("--clear", "name"),
    ],
)
def test_invalid_details_are_refused(owner, option):
    assert owner("identity", "set", "alice", *option).code == USAGE


def test_text_has_no_colours_where_no_terminal_is(owner):
    owner("identity", "set", "alice", "--colour", "teal", "--emoji", "🦊", check=True)
    home = owner.home
    text = run("identity", "list", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file)).out
    assert "🦊 alice" in text and "\x1b" not in text


# Words and accounts


@pytest.mark.parametrize("count", [12, 24])
def test_words_of_a_new_identity_give_its_key(owner, count):
    made = owner("identity", "create", "bob", "--words", str(count), check=True).value
    words = owner("identity", "export", "bob", "--format", "mnemonic", "--unencrypted", "--confirm", "I understand", check=True).value[
        "words"
    ]
    assert len(words.split()) == count
    assert account(0, words=words) == made["pubkey"]


def test_a_words_passphrase_makes_other_keys_and_is_not_kept(owner):
    file = owner.file("25th word", "words-passphrase")
    made = owner("identity", "create", "bob", "--words-passphrase-file", file, check=True).value
    assert made["words_passphrase"]
    shown = owner("identity", "export", "bob", "--format", "mnemonic", "--unencrypted", "--confirm", "I understand").value
    assert shown["words_passphrase"] and "25th word" not in json.dumps(shown)
    assert account(0, "25th word", shown["words"]) == made["pubkey"] != account(0, words=shown["words"])
    assert owner("identity", "derive", "bob", "carol").code == LOCKED
    derived = owner("identity", "derive", "bob", "carol", "--words-passphrase-file", file, check=True).value
    assert derived["pubkey"] == account(1, "25th word", shown["words"])


def test_accounts_of_the_same_words(owner):
    owner("identity", "import", "zero", stdin=WORDS, check=True)
    claims = {one["claim"]: one["holds"] for one in owner("identity", "receipt", "zero", check=True).value["claims"]}
    assert claims["never-open-outside"] is False, "its words came in open text"
    one = owner("identity", "derive", "zero", "one", check=True).value
    seven = owner("identity", "derive", "zero", "seven", "--account", "7", check=True).value
    eight = owner("identity", "derive", "one", "eight", check=True).value
    assert [one["pubkey"], seven["pubkey"], eight["pubkey"]] == [account(1), account(7), account(8)]
    assert sorted(one["same_words"]) == ["zero"] and sorted(eight["same_words"]) == ["one", "seven", "zero"]
    assert owner("identity", "derive", "zero", "again", "--account", "7").code == FAILED
    assert owner("identity", "derive", "alice", "none", check=True).value["account"] == 1
    key = Key()
    owner("identity", "import", "bare", stdin=key.secret.hex(), check=True)
    assert owner("identity", "derive", "bare", "none2").code == FAILED
    assert owner("identity", "delete", "zero", "--yes", check=True).value["deleted"] == "zero"
    assert owner("identity", "derive", "eight", "zero", "--account", "0", check=True).value["pubkey"] == account(0)


# Export


def export(owner, name, *options, password=PASSWORD, check=True):
    file = owner.file(password, "export-password")
    return owner("identity", "export", name, "--password-file", file, *options, check=check)


def entries(owner, kind: str) -> list[dict]:
    return [entry for entry in owner("log", "show", "--limit", "50").value["entries"] if entry["entry"] == kind]


def test_an_ncryptsec_opens_with_rust_nostr(owner):
    key = Key()
    owner("identity", "import", "bob", stdin=nip19.nsec(key.secret), check=True)
    made = export(owner, "bob", "--log-n", "17").value
    sealed = nostr_sdk.EncryptedSecretKey.from_bech32(made["ncryptsec"])
    assert sealed.key_security() == nostr_sdk.KeySecurity.WEAK and made["security"] == "handled-insecurely"
    assert sealed.decrypt(PASSWORD).to_hex() == key.secret.hex() and made["log_n"] == 17
    said = export(owner, "bob", "--security", "untracked").value
    assert nostr_sdk.EncryptedSecretKey.from_bech32(said["ncryptsec"]).key_security() == nostr_sdk.KeySecurity.UNKNOWN


@pytest.mark.parametrize("security", list(nostr_sdk.KeySecurity), ids=str)
def test_the_security_byte_that_came_is_the_one_that_goes(owner, security):
    key = Key()
    password = owner.file(PASSWORD, "pw")
    text = signer_exports.ncryptsec(key.secret, PASSWORD, 16, security)
    owner("identity", "import", "bob", "--password-file", password, stdin=text, check=True)
    again = nostr_sdk.EncryptedSecretKey.from_bech32(export(owner, "bob").value["ncryptsec"])
    assert again.key_security() == security


def test_a_key_file_opens_with_twenty_lines_of_python(owner):
    owner("identity", "import", "bob", "--notes", "mine", "--colour", "#010203", stdin=WORDS, check=True)
    made = export(owner, "bob", "--format", "file", "--hint", "the blue one").value
    assert json.loads(made["file"])["hint"] == "the blue one" and "bob" not in made["file"]
    inside = key_file.read(made["file"], PASSWORD)
    assert Key(inside["secretKey"]).public == account(0) and inside["words"] == WORDS and inside["account"] == 0
    assert (inside["name"], inside["notes"], inside["colour"]) == ("bob", "mine", "#010203")
    with pytest.raises(InvalidTag):
        key_file.read(made["file"].replace("the blue one", "the blue two"), PASSWORD)
    with pytest.raises(InvalidTag):
        key_file.read(made["file"], PASSWORD + "x")


def test_a_hint_does_not_give_the_password_away(owner):
    assert export(owner, "alice", "--format", "file", "--hint", f"it is {PASSWORD.upper()}", check=False).code == USAGE


def test_an_open_key_needs_the_explicit_word_and_the_owner(owner):
    for options in ([], ["--unencrypted"], ["--confirm", "I understand"], ["--unencrypted", "--confirm", "yes"]):
        refused = owner("identity", "export", "alice", "--format", "nsec", *options)
        assert refused.code == USAGE and "nsec1" not in refused.out
    assert entries(owner, "keyExported") == []
    shown = owner("identity", "export", "alice", "--format", "nsec", "--unencrypted", "--confirm", "I understand", check=True)
    assert Key(nip19.decode(shown.value["nsec"])[1]).public == owner("identity", "show", "alice").value["pubkey"]
    assert [entry["rule"] for entry in entries(owner, "keyExported")] == ["nsec"]


def test_a_wrong_passphrase_lets_no_key_out(home, start):
    start()
    wrong = write(home, "not it", "wrong")
    password = write(home, PASSWORD, "pw")
    for options in (["--password-file", password], ["--format", "nsec", "--unencrypted", "--confirm", "I understand"]):
        refused = home.cli("identity", "export", "alice", *options, "--passphrase-file", wrong)
        assert refused.code == LOCKED and "sec1" not in refused.out


def test_words_that_leave_are_recorded_for_every_account(owner):
    owner("identity", "import", "zero", stdin=WORDS, check=True)
    owner("identity", "derive", "zero", "one", check=True)
    owner("identity", "export", "one", "--format", "mnemonic", "--unencrypted", "--confirm", "I understand", check=True)
    assert sorted(entry["identity"] for entry in entries(owner, "keyExported")) == ["one", "zero"]
    assert {entry["rule"] for entry in entries(owner, "keyExported")} == {"mnemonic"}


def test_export_files_are_the_owners_alone_and_never_overwrite(owner):
    folder = owner.home.folder
    for name in ("key.txt", "code.png", "code.svg"):
        (folder / name).unlink(missing_ok=True)
    done = export(
        owner, "alice", "--out", str(folder / "key.txt"), "--qr-png", str(folder / "code.png"), "--qr-svg", str(folder / "code.svg")
    )
    assert "ncryptsec" not in done.value and done.value["out"] == str(folder / "key.txt")
    assert (folder / "key.txt").read_text().startswith("ncryptsec1")
    for name in ("key.txt", "code.png", "code.svg"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    before = (folder / "key.txt").read_text()
    refused = export(owner, "alice", "--out", str(folder / "key.txt"), check=False)
    assert refused.code == FAILED and (folder / "key.txt").read_text() == before
    assert len(entries(owner, "keyExported")) == 1


def test_the_qr_codes_are_read_back(owner, tmp_path):
    from PIL import Image
    from pyzbar import pyzbar

    def read(image) -> list[str]:
        return [code.data.decode() for code in pyzbar.decode(image, symbols=[pyzbar.ZBarSymbol.QRCODE])]

    png, svg = tmp_path / "code.png", tmp_path / "code.svg"
    text = export(owner, "alice", "--qr-png", str(png), "--qr-svg", str(svg)).value["ncryptsec"]
    image = Image.open(png)
    assert image.mode == "1" and read(image.convert("L")) == [text]
    # The drawing holds rectangles only: draw them.
    import re

    drawing = svg.read_text()
    side = int(re.search(r'viewBox="0 0 (\d+)', drawing)[1])
    drawn = Image.new("L", (side * 8, side * 8), 255)
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", drawing):
        drawn.paste(0, (int(x) * 8, int(y) * 8, (int(x) + int(width)) * 8, int(y) * 8 + 8))
    assert read(drawn) == [text]
    home = owner.home
    shown = run(
        "identity", "export", "alice", "--qr", "--password-file", owner.file(PASSWORD, "pw"), "--home", str(home.path),
        "--passphrase-file", str(home.passphrase_file), seconds=60,
    ).out  # fmt: skip
    rows = [line for line in shown.split("\n") if line and not line.startswith("ncryptsec1")]
    wide = len(rows[0])
    terminal = Image.new("L", (wide * 8, len(rows) * 16), 0)
    for row, line in enumerate(rows):  # without colours, light modules are drawn
        for column, sign in enumerate(line):
            if sign in "█▀":
                terminal.paste(255, (column * 8, row * 16, column * 8 + 8, row * 16 + 8))
            if sign in "█▄":
                terminal.paste(255, (column * 8, row * 16 + 8, column * 8 + 8, row * 16 + 16))
    assert read(terminal)[0].startswith("ncryptsec1")


# Import


def test_other_signers_exports_are_read(owner):
    keys = [Key() for _ in range(9)]
    words = {"with words": WORDS}
    first = bytes.fromhex("205bca3ea9b689f896f387ad2842f29f454c5f1acc5b9c7ae6ecbba8efcd7d7a")
    files = {
        "amber": (signer_exports.amber([("with words", first), ("b", keys[1].secret)], PASSWORD, words), "1", account(0)),
        "amber-second": (signer_exports.amber([("a", keys[2].secret), ("b", keys[3].secret)], PASSWORD), "b", keys[3].public),
        "amber-earlier": (signer_exports.amber_earlier([("a", keys[4].secret)], PASSWORD), None, keys[4].public),
        "nos2x-fox": (signer_exports.nos2x_fox(keys[5].secret), None, keys[5].public),
        "nos2x-fox-pin": (signer_exports.nos2x_fox(keys[6].secret, PASSWORD), None, keys[6].public),
        "nsecbunker": (signer_exports.nsecbunker({"x": keys[7].secret}, PASSWORD), None, keys[7].public),
        "keep": (signer_exports.keep([("main", "Nostr", keys[8].secret)], PASSWORD), None, keys[8].public),
        "key-file": (key_file.write({"secretKey": keys[0].secret.hex()}, PASSWORD), None, keys[0].public),
    }
    password = owner.file(PASSWORD, "pw")
    for name, (content, pick, expected) in files.items():
        options = ["--pick", pick] if pick else []
        made = owner("identity", "import", name, "--from-file", owner.file(content, name), "--password-file", password, *options)
        assert made.code == DONE, (name, made.said)
        assert made.value["pubkey"] == expected, name
    amber = owner("identity", "show", "amber").value
    assert amber["words"] and amber["account"] == 0
    rules = [entry["rule"] for entry in entries(owner, "identityImported")]
    assert {"imported-amber", "imported-nos2x-fox", "imported-nsecbunker", "imported-keep", "imported-key-file"} <= set(rules)


def test_a_file_of_several_keys_asks_which(owner):
    content = signer_exports.amber([("a", Key().secret), ("b", Key().secret)], PASSWORD)
    password = owner.file(PASSWORD, "pw")
    refused = owner("identity", "import", "x", "--from-file", owner.file(content), "--password-file", password)
    assert refused.code == USAGE and "2 keys" in refused.said and "--pick" in refused.said


def test_what_is_exported_comes_back(owner):
    owner("identity", "import", "bob", "--notes", "mine", stdin=WORDS, check=True)
    made = export(owner, "bob", "--format", "file").value["file"]
    owner("identity", "delete", "bob", "--yes", check=True)
    file, password = owner.file(made), owner.file(PASSWORD, "pw")
    back = owner("identity", "import", "robert", "--from-file", file, "--password-file", password, check=True).value
    assert back["pubkey"] == account(0) and back["notes"] == "mine" and back["account"] == 0 and back["words"]
    assert back["origin"] == "imported-key-file"


# Classes and receipts


def test_a_key_that_needs_presence_and_its_receipt(owner):
    assert owner("identity", "class", "alice", "device-passcode", check=True).value["class"] == "device-passcode"
    receipt = owner("identity", "receipt", "alice", check=True).value
    claims = {claim["claim"]: claim["holds"] for claim in receipt["claims"]}
    assert receipt["class"] == "device-passcode" and claims["presence-for-each-use"] is True
    assert claims["never-in-swap"] == "not enforced here" and claims["recovery-tested"] is False
    assert [slot["type"] for slot in receipt["opens"]] == ["passphrase"] and receipt["leaves"] == []
    made = export(owner, "alice").value
    assert nostr_sdk.EncryptedSecretKey.from_bech32(made["ncryptsec"]).decrypt(PASSWORD)
    assert [left["what"] for left in owner("identity", "receipt", "alice").value["leaves"]] == ["export as ncryptsec"]
    home = owner.home
    text = run("identity", "receipt", "alice", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file)).out
    assert "What opens it" in text and "[not enforced here]" in text
