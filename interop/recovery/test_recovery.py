"""Recovery kits: the pages a person prints, the shares a person types, and `shamir-mnemonic`, SLIP-39's own implementation."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import stat
import subprocess
import time
from pathlib import Path

import pytest
import shamir_mnemonic as slip39

from harness.daemon import binary, environment
from harness.terminal import Terminal
from harness.waiting import until
from reference.keys import Key
from reference.nip19 import npub as npub_of
from reference.words import HARD, derived, key_of_words, seed_of, words_of

FAILED, USAGE, LOCKED, NOT_FOUND = 1, 2, 3, 5


@pytest.fixture
def owner(home):
    """Runs commands that open the vault themselves."""
    return lambda *arguments, **more: home.cli(*arguments, "--passphrase-file", str(home.passphrase_file), **more)


def kit(owner, *arguments: str) -> list[str]:
    done = owner("recovery", "create", *(arguments or ("--threshold", "2", "--shares", "3")), "--identity", "alice")
    assert done.code == 0, done.said
    assert list(done.value) == ["kit", "shares"]
    return done.value["shares"]


def public_key(owner, name: str = "alice") -> str:
    return owner("identity", "show", name).value["pubkey"]


def test_what_holdfast_splits_shamir_mnemonic_combines(owner):
    shares = kit(owner, "--threshold", "3", "--shares", "5")
    for chosen in (shares[:3], shares[2:], [shares[4], shares[0], shares[2]]):
        entropy = slip39.combine_mnemonics(chosen)
        assert key_of_words(words_of(entropy)).public == public_key(owner)


def test_what_holdfast_splits_into_groups_shamir_mnemonic_combines(owner):
    shares = kit(owner, "--group", "2/3", "--group", "1/1", "--group", "3/5", "--group-threshold", "2")
    assert len(shares) == 9
    chosen = [shares[1], shares[2], *shares[4:7]]
    assert key_of_words(words_of(slip39.combine_mnemonics(chosen))).public == public_key(owner)


@pytest.mark.parametrize("extendable", [True, False])
def test_what_shamir_mnemonic_splits_holdfast_restores(owner, extendable):
    key = Key()
    groups = slip39.generate_mnemonics(2, [(2, 3), (3, 5), (1, 1)], key.secret, extendable=extendable, iteration_exponent=1)
    chosen = [groups[1][4], groups[0][0], groups[1][0], groups[0][2], groups[1][2]]
    refused = owner("recovery", "restore", "--identity", "back", stdin="\n".join(chosen))
    assert refused.code == FAILED and npub_of(key.public) in refused.value["error"], "32 bytes may be a key, or 24 words"
    done = owner("recovery", "restore", "--identity", "back", "--npub", npub_of(key.public), stdin="\n".join(chosen))
    assert done.code == 0, done.said
    assert public_key(owner, "back") == key.public


@pytest.mark.parametrize("length", [16, 32])
def test_words_of_shamir_mnemonic_come_back_as_words(owner, length):
    entropy = secrets.token_bytes(length)
    shares = slip39.generate_mnemonics(1, [(2, 2)], entropy)[0]
    key = key_of_words(words_of(entropy)).public
    asked = owner("recovery", "restore", "--identity", "back", "--words", stdin="\n\n".join(shares))
    assert asked.code == FAILED and f"{npub_of(key)} ({length * 3 // 4} words, account 0)" in asked.value["error"]
    done = owner("recovery", "restore", "--identity", "back", "--words", "--yes", stdin="\n\n".join(shares))
    assert done.code == 0, done.said
    assert public_key(owner, "back") == key


@pytest.mark.parametrize("extendable", [True, False])
@pytest.mark.parametrize("given", ["with", "without", "another"])
def test_a_passphrase_of_shamir_mnemonic_is_a_recovery_code_here(owner, home, extendable, given):
    """In SLIP-39 every passphrase gives some secret. Only the npub tells whether it is the right key."""
    key = Key()
    shares = slip39.generate_mnemonics(1, [(2, 3)], key.secret, passphrase=b"TREZOR", extendable=extendable)[0]
    (home.folder / "code").write_text("TREZOR\n" if given == "with" else "TREZ0R\n")
    code = () if given == "without" else ("--recovery-code-file", str(home.folder / "code"))
    restored = ("recovery", "restore", "--identity", "back", "--npub", npub_of(key.public), *code)
    done = owner(*restored, stdin="\n".join(shares[1:]))
    if given == "with":
        assert done.code == 0 and public_key(owner, "back") == key.public, done.said
    else:
        assert done.code == FAILED and "do not give" in done.value["error"], done.said
        assert [one["name"] for one in owner("identity", "list").value["identities"]] == ["alice"]


def test_a_recovery_code_is_the_passphrase_that_shamir_mnemonic_asks_for(owner, home):
    (home.folder / "code").write_text("velvet 31 canyon\n")
    shares = kit(owner, "--threshold", "2", "--shares", "3", "--new-recovery-code-file", str(home.folder / "code"))
    entropy = slip39.combine_mnemonics(shares[:2], b"velvet 31 canyon")
    assert key_of_words(words_of(entropy)).public == public_key(owner)
    assert slip39.combine_mnemonics(shares[:2]) != entropy
    alone = owner("recovery", "test", stdin="\n".join(shares[:2]))
    assert alone.code == FAILED and "recovery code" in alone.value["error"]
    code = ("--recovery-code-file", str(home.folder / "code"))
    assert owner("recovery", "test", *code, stdin="\n".join(shares[1:])).value["restores"] == "alice"


def test_what_a_wallet_makes_of_the_shares_is_another_key_as_the_page_says(owner, home):
    """Trezor and other wallets use the secret of SLIP-39 as the seed of BIP-32. Our page says that this gives another key."""
    shares = kit(owner)
    secret = slip39.combine_mnemonics(shares[:2])
    path = (44 | HARD, 1237 | HARD, 0 | HARD, 0, 0)
    assert derived(seed_of(words_of(secret)), path).public == public_key(owner), "NIP-06, from the words"
    assert derived(secret, path).public != public_key(owner), "as a wallet does"
    owner("identity", "import", "nsec", stdin=secrets.token_hex(32), check=True)
    made = owner("recovery", "create", "--threshold", "2", "--shares", "2", "--identity", "nsec", check=True).value["shares"]
    key = slip39.combine_mnemonics(made)
    assert Key(key).public == public_key(owner, "nsec") != derived(key, path).public
    folder = home.folder / "kit"
    owner("recovery", "create", "--threshold", "2", "--shares", "2", "--identity", "nsec", "--out", str(folder), check=True)
    assert all("gives the 32 bytes of the secret key. A wallet" in page.read_text() for page in folder.glob("*.html"))


def test_shares_are_read_from_files_as_people_write_them(owner, tmp_path):
    shares = kit(owner)
    numbered, loud, short = (tmp_path / name for name in ("numbered", "loud", "short"))
    numbered.write_text("".join(f"{n}. {word}\n" for n, word in enumerate(shares[0].split(), 1)))
    loud.write_text("  " + shares[1].upper().replace(" ", "   ") + "\r\n")
    short.write_text(" ".join(word[:4] for word in shares[2].split()))
    for pair in ((numbered, loud), (loud, short), (short, numbered)):
        assert owner("recovery", "test", *map(str, pair)).value["restores"] == "alice"


def test_the_json_of_create_says_what_the_pages_say_and_shows_no_share_that_is_on_a_page(owner, home):
    made = owner("recovery", "create", "--threshold", "2", "--shares", "3", "--identity", "alice", check=True).value
    assert made["kit"]["npub"] and "recovery restore --identity alice" in made["kit"]["steps"][-1]["command"]
    folder = home.folder / "kit"
    done = owner("recovery", "create", "--threshold", "2", "--shares", "3", "--identity", "alice", "--out", str(folder), check=True)
    assert list(done.value) == ["kit", "pages"]
    assert sorted(done.value["pages"]) == sorted(map(str, folder.glob("*.html")))
    for page in folder.glob("*.html"):
        words = re.findall(r"<li>([a-z]+)</li>", page.read_text())
        assert len(words) == 20 and " ".join(words[4:7]) not in done.out


def test_the_json_of_create_is_what_test_reads(owner):
    done = owner("recovery", "create", "--threshold", "2", "--shares", "2", "--identity", "alice")
    assert owner("recovery", "test", stdin=done.out).code == 0
    assert owner("recovery", "list").value["kits"][0]["last_tested"]


def test_a_kit_of_an_identity_that_needs_presence_is_made_by_the_proof_that_came_with_it(owner):
    owner("identity", "create", "careful", "--class", "device-passcode", check=True)
    made = owner("recovery", "create", "--threshold", "2", "--shares", "3", "--identity", "careful", check=True).value
    tested = owner("recovery", "test", stdin="\n".join(made["shares"][:2]).encode(), check=True).value
    assert tested["restores"] == "careful"


def test_the_share_at_fault_is_named_without_its_words(owner, tmp_path):
    shares, other = kit(owner), kit(owner)
    words = shares[1].split()
    (tmp_path / "right").write_text(shares[0])
    for name, text, sentence, code in [
        ("unknown", " ".join([*words[:6], "zzzzzz", *words[7:]]), ": word 7 is not in the list of words.", USAGE),
        ("near", " ".join([*words[:6], words[6][:-1] + "qq", *words[7:]]), ": word 7 is not in the list of words.", USAGE),
        ("swapped", " ".join([*words[:8], words[9], words[8], *words[10:]]), "is damaged", USAGE),
        ("foreign", other[1], "belongs to another kit", FAILED),
        ("same", shares[0], "the same as share 1", FAILED),
        ("long", shares[1] + " academic", "21 words", USAGE),
    ]:
        (tmp_path / name).write_text(text)
        done = owner("recovery", "test", str(tmp_path / "right"), str(tmp_path / name))
        assert done.code == code and sentence in done.value["error"], done.said
        # A single word may also be part of the error sentence.
        assert "zzzzzz" not in done.said and not any(" ".join(pair) in done.said for pair in zip(words, words[1:], strict=False))
    alone = owner("recovery", "test", str(tmp_path / "right"))
    assert alone.code == FAILED and "1 more" in alone.value["error"]


def test_pages_are_private_whole_and_never_overwritten(owner, tmp_path):
    folder = tmp_path / "kit"
    done = owner("recovery", "create", "--threshold", "2", "--shares", "3", "--identity", "alice", "--out", str(folder))
    assert done.code == 0
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    pages = sorted(folder.iterdir())
    assert [stat.S_IMODE(page.stat().st_mode) for page in pages] == [0o600] * 3
    shares = [" ".join(re.findall(r"<li>([a-z]+)</li>", page.read_text())) for page in pages]
    assert key_of_words(words_of(slip39.combine_mnemonics(shares[:2]))).public == public_key(owner)
    for page in pages:
        text = page.read_text()
        assert "<script" not in text and "<svg" in text and "src=" not in text and "href" not in text
    before = {page: page.read_bytes() for page in pages}
    assert owner("recovery", "create", "--threshold", "2", "--shares", "2", "--identity", "alice", "--out", str(folder)).code == 0
    assert all(page.read_bytes() == content for page, content in before.items())


def test_pages_are_read_back_as_they_were_written(owner, tmp_path):
    folder = tmp_path / "kit"
    made = owner("recovery", "create", "--threshold", "2", "--shares", "3", "--out", str(folder), check=True).value
    pages = sorted(made["pages"])
    assert owner("recovery", "test", *pages[1:], check=True).value["restores"] == "vault"
    assert owner("recovery", "test", *pages[:1]).code == 1
    Path(pages[0]).write_text(Path(pages[0]).read_text().replace("<li>", "<li><b>", 1))
    assert "not one of a recovery kit" in owner("recovery", "test", *pages).said


def test_no_code_is_asked_for_when_the_kit_is_known_to_have_none(home, start):
    start()
    passphrase = ("--passphrase-file", str(home.passphrase_file))
    made = home.cli("recovery", "create", "--threshold", "1", "--shares", "1", *passphrase, check=True).value
    terminal = Terminal("recovery", "test", "--hidden", "--home", str(home.path))
    try:
        terminal.wait_for("First share: ")
        terminal.type(made["shares"][0] + "\n")
        shown = terminal.finish()
    finally:
        terminal.close()
    assert terminal.code == 0 and "Recovery code" not in shown


def test_a_folder_that_others_see_or_that_cannot_be_written_costs_no_kit(owner, tmp_path):
    open_folder = tmp_path / "open"
    open_folder.mkdir(mode=0o755)
    open_folder.chmod(0o755)
    a_file = tmp_path / "file"
    a_file.write_text("")
    for place, code in ((open_folder, FAILED), (a_file, FAILED), (tmp_path / "no" / "such", NOT_FOUND)):
        done = owner("recovery", "create", "--threshold", "2", "--shares", "2", "--identity", "alice", "--out", str(place))
        assert done.code == code, done.said
    assert owner("recovery", "list").value["kits"] == []


def test_a_kit_that_could_not_be_told_leaves_no_page(owner, home, tmp_path):
    folder = tmp_path / "kit"
    command = [str(binary()), "recovery", "create", "--threshold", "2", "--shares", "2", "--identity", "alice", "--out", str(folder)]
    command += ["--home", str(home.path), "--passphrase-file", str(home.passphrase_file)]
    with open("/dev/full", "w") as full:
        assert subprocess.run(command, stdout=full, check=False).returncode == FAILED
    assert owner("recovery", "list").value["kits"] == [] and list(folder.glob("*")) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--threshold", "3", "--shares", "2"),
        ("--threshold", "1", "--shares", "2"),
        ("--threshold", "2"),
        ("--threshold", "2", "--shares", "17"),
        ("--group", "3/2"),
        ("--group", "x"),
        ("--group", "2/3", "--threshold", "2", "--shares", "3"),
        ("--group", "2/3", "--group-threshold", "2"),
    ],
)
def test_a_plan_that_no_kit_has_is_refused(owner, arguments):
    assert owner("recovery", "create", *arguments, "--identity", "alice").code == USAGE
    assert owner("recovery", "list").value["kits"] == []


def test_a_running_signer_does_the_same(home, start):
    start()
    pass_file = str(home.passphrase_file)
    shares = json.loads(
        home.cli("recovery", "create", "--threshold", "2", "--shares", "3", "--identity", "alice", "--passphrase-file", pass_file).out
    )["shares"]
    assert home.cli("recovery", "test", stdin="\n".join(shares[1:])).value["restores"] == "alice"
    (home.folder / "wrong").write_text("not the passphrase")
    wrong = home.cli(
        "recovery", "create", "--threshold", "2", "--shares", "3", "--identity", "alice", "--passphrase-file", str(home.folder / "wrong")
    )
    assert wrong.code == LOCKED
    kits = home.cli("recovery", "list").value["kits"]
    assert (
        len(kits) == 1
        and home.cli("recovery", "remove", kits[0]["id"], "--yes", "--passphrase-file", pass_file).value["still_restores"] is True
    )
    assert home.cli("recovery", "remove", kits[0]["id"], "--yes", "--passphrase-file", pass_file).code == NOT_FOUND


# The whole vault


def vault_kit(owner, *arguments: str) -> list[str]:
    done = owner("recovery", "create", *(arguments or ("--threshold", "3", "--shares", "5")))
    assert done.code == 0, done.said
    return done.value["shares"]


def test_a_vault_whose_passphrase_is_lost_opens_by_its_kit_with_a_new_one(owner, home, tmp_path):
    before = public_key(owner)
    shares = vault_kit(owner)
    assert all(len(share.split()) == 20 for share in shares)
    assert owner("recovery", "test", stdin="\n".join(shares[:3])).value["restores"] == "vault"
    new = tmp_path / "new"
    new.write_text("quite another passphrase\n")
    done = home.cli("recovery", "restore", "--new-passphrase-file", str(new), stdin="\n".join(shares[2:]))
    assert done.code == 0, done.said
    assert owner("identity", "list").code == LOCKED
    with_new = ("--passphrase-file", str(new))
    assert home.cli("identity", "show", "alice", *with_new).value["pubkey"] == before
    assert home.cli("recovery", "test", *with_new, stdin="\n".join(shares[1:4])).value["restores"] == "vault"


def test_wrong_shares_are_recorded_and_made_to_wait(home, start):
    """Wrong shares in `recovery test` and `recovery restore` count as attempts, as wrong passphrases do."""
    daemon = start()
    proof = ("--passphrase-file", str(home.passphrase_file))
    vault_kit(lambda *arguments, **more: home.cli(*arguments, *proof, **more))
    others = "\n".join(slip39.generate_mnemonics(1, [(2, 3)], bytes(range(16)))[0][:2])
    new = home.folder / "new"
    new.write_text("quite another passphrase\n")
    tries = (("recovery", "test"), ("recovery", "restore", "--new-passphrase-file", str(new)))
    said = [home.cli(*tries[number % 2], stdin=others) for number in range(8)]
    assert all(done.code != 0 for done in said) and any("try again in" in done.said for done in said)
    recorded = [entry for entry in daemon.log_entries() if entry["entry"] == "vaultOpenFailed"]
    # Attempts that come too soon make one entry after each wrong set.
    assert 4 <= len(recorded) <= len(said) and all(entry["rule"].startswith("recovery, from a terminal, for ") for entry in recorded)
    deadline = time.monotonic() + 60
    while seconds_to_wait(said[-1].said) < 8:
        assert time.monotonic() < deadline, said[-1].said
        said.append(home.cli("recovery", "test", stdin=others))
    assert home.cli("slot", "test", *proof).code == LOCKED, "the wait holds for the passphrase as well"


def seconds_to_wait(said: str) -> int:
    """How long the next attempt has to wait, from the answer to a wrong one; 0 if it names no wait."""
    told = re.search(r"try again in (\d+) s", said)
    return int(told.group(1)) if told else 0


def test_a_running_locked_signer_takes_a_new_passphrase_by_the_kit(home, start, tmp_path):
    pass_file = str(home.passphrase_file)
    start()
    shares = vault_kit(lambda *a, **m: home.cli(*a, "--passphrase-file", pass_file, **m))
    home.cli("lock", check=True)
    new = tmp_path / "new"
    new.write_text("quite another passphrase\n")
    done = home.cli("recovery", "restore", "--new-passphrase-file", str(new), stdin="\n".join(shares[:3]))
    assert done.code == 0, done.said
    assert home.cli("unlock", "--passphrase-file", pass_file).code == LOCKED
    assert home.cli("unlock", "--passphrase-file", str(new)).value["locked"] is False


def test_too_few_shares_or_those_of_another_vault_open_nothing(owner, home, closed_home, tmp_path):
    shares = vault_kit(owner)
    new = tmp_path / "new"
    new.write_text("quite another passphrase\n")
    few = home.cli("recovery", "restore", "--new-passphrase-file", str(new), stdin="\n".join(shares[:2]))
    assert few.code == FAILED and "1 more" in few.value["error"]
    other = closed_home.copied()
    foreign = other.cli("recovery", "restore", "--new-passphrase-file", str(new), stdin="\n".join(shares[:3]))
    other.remove()
    assert foreign.code == FAILED and "do not open this vault" in foreign.value["error"]
    assert owner("identity", "list").code == 0


def test_the_shares_of_a_removed_kit_open_nothing(owner, home, tmp_path):
    shares = vault_kit(owner)
    kit_id = owner("recovery", "list").value["kits"][0]["id"]
    assert owner("recovery", "remove", kit_id, "--yes").value["still_restores"] is False
    assert owner("recovery", "test", stdin="\n".join(shares[:3])).code == FAILED
    new = tmp_path / "new"
    new.write_text("quite another passphrase\n")
    assert home.cli("recovery", "restore", "--new-passphrase-file", str(new), stdin="\n".join(shares[:3])).code == FAILED
    assert owner("identity", "list").code == 0


def test_a_second_kit_does_not_end_the_first(owner):
    first, second = vault_kit(owner), vault_kit(owner, "--group", "2/2", "--group", "2/3", "--group-threshold", "1")
    for shares in (first[:3], second[:2], second[3:]):
        assert owner("recovery", "test", stdin="\n".join(shares)).value["restores"] == "vault"
    mixed = owner("recovery", "test", stdin="\n".join([first[0], second[0]]))
    assert "another kit" in mixed.value["error"]


@pytest.mark.parametrize("identity", [(), ("--identity", "alice")], ids=["vault", "identity"])
def test_a_kit_whose_maker_is_killed_before_its_shares_are_out_counts_for_nothing(home, start, identity):
    """Nobody reads the pipe to which the shares are written. So the kit is made, and no share of it was handed out."""
    start()
    proof = ("--passphrase-file", str(home.passphrase_file))
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b"x" * 65536)
    os.set_blocking(writer, True)
    command = [binary(), "recovery", "create", "--threshold", "2", "--shares", "3", *identity, *proof, "--home", str(home.path)]
    maker = subprocess.Popen(command, stdout=writer, env=environment())
    try:
        made = until(lambda: home.cli("recovery", "list").value["kits"], "the kit is noted")[0]
    finally:
        maker.kill()
        maker.wait()
        os.close(reader)
        os.close(writer)
    assert made["handed_out"] is False and home.cli("recovery", "list").value["kits"][0]["handed_out"] is False
    receipt = home.cli("identity", "receipt", "alice", check=True).value
    assert not [one for one in receipt["rebuild"] if one["what"] == "recovery kit"] and len(receipt["opens"]) == 1
    if not identity:
        refused = home.cli("slot", "remove", "1", "--yes", *proof)
        assert refused.code == FAILED and "nobody confirmed" in refused.value["error"]


def test_shares_of_a_file_are_taken_as_an_argument_and_as_an_option(home, start, tmp_path):
    """`backup restore` and `unlock` take --shares-file, so a person in need types it here, too."""
    made = home.unlocked("recovery", "create", "--threshold", "2", "--shares", "3").value
    file = tmp_path / "shares.txt"
    file.write_text("\n".join(made["shares"][:2]) + "\n")
    start(home)
    for words in ([str(file)], ["--shares-file", str(file)]):
        assert home.cli("recovery", "test", *words, check=True).value["restores"] == "vault"
