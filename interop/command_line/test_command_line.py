"""The command as people and scripts run it: exit codes, JSON, and files that are never half written."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from harness.app import App
from harness.daemon import PASSPHRASE, REPOSITORY, Home, binary, environment, run
from harness.waiting import until
from reference import nip19
from reference.events import as_json, is_genuine, template
from reference.keys import Key

DONE, FAILED, USAGE, LOCKED, DENIED, NOT_FOUND = range(6)
WORDS = "system short news wasp pilot predict remind relax shell rice hybrid concert"
WORDS_KEY = "c7208abe98295b203feec883722efd4ada90002b2c54b0ad5b1e81f6a4269c6b"
NCRYPTSEC = (
    "ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm"
    "8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p"
)
NCRYPTSEC_KEY = Key("3501454135014541350145413501453fefb02227e449e57cf4d3a3ce05378683").public


def names(owner) -> list[str]:
    return [identity["name"] for identity in owner("identity", "list").value["identities"]]


def files(folder: Path) -> dict[str, str]:
    """The digest of every file below a folder, except the lock, which has the id of the last process."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


# Identities


def test_create_makes_a_key_of_its_own(owner):
    made = [owner("identity", "create", name, check=True).value for name in ("bob", "carol")]
    assert made[0]["pubkey"] != made[1]["pubkey"]
    for identity in made:
        assert identity["npub"] == nip19.npub(identity["pubkey"])
    assert sorted(names(owner)) == ["alice", "bob", "carol"]


@pytest.mark.parametrize("form", [lambda key: nip19.nsec(key.secret), lambda key: key.secret.hex()], ids=["nsec", "hex"])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"], ids=["bare", "newline", "windows newline"])
def test_import_reads_a_key_from_standard_input(form, end, owner):
    key = Key()
    identity = owner("identity", "import", "bob", stdin=form(key) + end, check=True).value
    assert identity["pubkey"] == key.public


def test_import_reads_a_mnemonic(owner):
    assert owner("identity", "import", "bob", stdin=WORDS + "\n", check=True).value["pubkey"] == WORDS_KEY
    other = owner("identity", "import", "carol", "--account", "1", stdin=WORDS, check=True).value
    assert other["pubkey"] != WORDS_KEY


def test_import_reads_an_ncryptsec_with_its_password(owner, home):
    password = home.folder / "password"
    password.write_text("nostr\n")
    done = owner("identity", "import", "bob", "--password-file", str(password), "--yes", stdin=NCRYPTSEC, check=True)
    assert done.value["pubkey"] == NCRYPTSEC_KEY


def test_import_with_a_wrong_ncryptsec_password_imports_nothing(owner, home):
    password = home.folder / "password"
    password.write_text("not nostr\n")
    done = owner("identity", "import", "bob", "--password-file", str(password), stdin=NCRYPTSEC)
    assert done.code in (FAILED, LOCKED, USAGE)
    assert names(owner) == ["alice"]


@pytest.mark.parametrize(
    "key",
    [
        "",
        "\n",
        "not a key",
        "00" * 32,
        "ff" * 32,
        "ab" * 31,
        nip19.nsec(Key().secret)[:-1],
        nip19.nsec(Key().secret)[:-1] + "b",
        nip19.npub(Key().public),
        " ".join(["abandon"] * 12),
        " ".join(["notaword"] * 12),
        WORDS + " concert",
        "x" * 100_000,
        "\x00" * 64,
    ],
    ids=[
        "nothing",
        "an empty line",
        "words",
        "zero",
        "above the group order",
        "short hex",
        "nsec cut short",
        "nsec with a wrong checksum",
        "npub",
        "mnemonic with a wrong checksum",
        "mnemonic of other words",
        "thirteen words",
        "endless",
        "zero bytes",
    ],
)
def test_import_of_what_is_no_key_fails_and_imports_nothing(key, owner):
    done = owner("identity", "import", "bob", stdin=key)
    assert done.code in (FAILED, USAGE)
    assert done.said.strip()
    assert len(key) < 20 or key.strip() not in done.said, "the error repeats what was given"
    assert names(owner) == ["alice"]


def test_a_key_is_never_taken_as_an_argument(owner):
    key = Key()
    done = owner("identity", "import", "bob", nip19.nsec(key.secret))
    assert done.code == USAGE
    assert nip19.nsec(key.secret) not in done.said
    assert names(owner) == ["alice"]


def test_importing_a_key_twice_is_refused(owner):
    key = Key().secret.hex()
    owner("identity", "import", "bob", stdin=key, check=True)
    assert owner("identity", "import", "carol", stdin=key).code == FAILED
    assert names(owner) == ["alice", "bob"]


def test_show_tells_what_is_public(owner):
    shown = owner("identity", "show", "alice", check=True).value
    assert shown["name"] == "alice" and shown["npub"] == nip19.npub(shown["pubkey"]) and shown["default"] is True


def test_rename(owner):
    before = owner("identity", "show", "alice").value["pubkey"]
    owner("identity", "rename", "alice", "alicia", check=True)
    assert owner("identity", "show", "alicia").value["pubkey"] == before
    assert owner("identity", "show", "alice").code == NOT_FOUND


def test_delete(owner, home):
    shown = ("--passphrase-file", str(home.passphrase_file))
    owner("identity", "create", "bob", check=True)
    refused = home.cli("identity", "delete", "bob", *shown)
    assert refused.code == USAGE and "--yes" in refused.said and names(owner) == ["alice", "bob"]
    gone = home.cli("identity", "delete", "bob", "--yes", *shown, check=True).value
    assert gone["still_in"] == [] and names(owner) == ["alice"]
    assert home.cli("identity", "delete", "bob", "--yes", *shown).code == NOT_FOUND


def test_default(owner):
    owner("identity", "create", "bob", check=True)
    owner("identity", "default", "bob", check=True)
    listed = {identity["name"]: identity["default"] for identity in owner("identity", "list").value["identities"]}
    assert listed == {"alice": False, "bob": True}


@pytest.mark.parametrize("name", ["alice"])
def test_a_name_in_use_is_refused(name, owner):
    assert owner("identity", "create", name).code == FAILED
    assert names(owner) == ["alice"]


@pytest.mark.parametrize("name", ["", "a/b", "a\nb", "x" * 65, "\x1b[31m"], ids=repr)
def test_names_that_could_mislead_are_refused(name, owner):
    assert owner("identity", "create", name).code in (FAILED, USAGE)
    assert names(owner) == ["alice"]


@pytest.mark.parametrize(
    "command",
    [
        ["identity", "show", "nobody"],
        ["identity", "rename", "nobody", "x"],
        ["identity", "default", "nobody"],
        ["client", "show", "nobody"],
        ["client", "revoke", "nobody", "--yes"],
        ["client", "trust", "nobody", "full", "--yes"],
        ["pair", "--identity", "nobody"],
    ],
    ids=" ".join,
)
def test_what_is_not_there_is_not_found(command, owner):
    assert owner(*command).code == NOT_FOUND


@pytest.mark.parametrize(
    "command",
    [
        ["nothing"],
        ["identity"],
        ["identity", "nothing"],
        ["identity", "create"],
        ["identity", "create", "a", "b"],
        ["up", "--nothing"],
        ["up", "--listen", "nowhere"],
        ["up", "--trust", "some"],
        ["up", "--relay", "https://x"],
        ["pair", "--trust", "some"],
        ["client", "trust", "x", "some"],
        ["log", "show", "--limit", "many"],
        ["init", "--kdf-memory", "little"],
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_is_exit_2_and_says_why(command, empty_home):
    done = run(*command, "--home", str(empty_home.path))
    assert done.code == USAGE
    assert done.err.strip() and not done.out.strip()
    assert not empty_home.path.exists()


def test_without_arguments_it_shows_how_to_start():
    done = run()
    assert "holdfast" in done.said and "up" in done.said


def test_the_short_help_fits_a_small_terminal_and_the_whole_help_has_every_command():
    short, whole = run("help"), run("help", "all")
    assert short.code == whole.code == DONE and len(short.out.splitlines()) <= 23 and "holdfast help all" in short.out
    assert "  native-host" in whole.out and "  native-host" not in short.out


@pytest.mark.parametrize("command", [[], ["up"], ["identity"], ["identity", "import"], ["pair"], ["client"], ["log", "show"]])
def test_help_is_on_standard_output_with_exit_0(command):
    done = run(*command, "--help")
    assert done.code == DONE and "sage" in done.out and not done.err


def test_version():
    shown = run("--version").out
    assert re.search(r"\d+\.\d+", shown)
    assert run("version").out == shown and "Show the version" in run("help", "version").out


# Vaults


def test_init_makes_a_private_folder(empty_home):
    empty_home.cli("init", "--passphrase-file", str(empty_home.passphrase_file), "--kdf-memory", "19", check=True)
    assert stat.S_IMODE(empty_home.path.stat().st_mode) == 0o700
    for path in empty_home.path.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_init_over_a_vault_is_refused_and_changes_nothing(home):
    before = files(home.path)
    assert home.cli("init", "--passphrase-file", str(home.passphrase_file)).code == FAILED
    assert files(home.path) == before


def test_init_with_an_empty_passphrase_is_refused(empty_home):
    empty_home.passphrase_file.write_text("\n")
    assert empty_home.cli("init", "--passphrase-file", str(empty_home.passphrase_file)).code in (FAILED, USAGE, LOCKED)
    assert not (empty_home.path / "vault.db").exists()


def with_passphrase(home: Home, passphrase: str, *command: str):
    path = home.folder / "other"
    path.write_text(passphrase + "\n")
    return home.cli(*command, "--passphrase-file", str(path))


def test_a_wrong_passphrase_is_exit_3_and_after_some_the_wait_is_stated(home):
    answers = [with_passphrase(home, "wrong passphrase canary", "identity", "list") for _ in range(4)]
    assert [answer.code for answer in answers] == [LOCKED] * 4
    assert re.search(r"\d+ ?s", answers[-1].said), answers[-1].said
    assert all("canary" not in answer.said for answer in answers)


def test_the_wait_holds_for_the_right_passphrase_too_and_then_ends(home):
    for _ in range(4):
        with_passphrase(home, "wrong", "identity", "list")
    early = home.cli("identity", "list", "--passphrase-file", str(home.passphrase_file))
    assert early.code == LOCKED
    again = ("identity", "list", "--passphrase-file", str(home.passphrase_file))
    until(lambda: home.cli(*again).code == DONE, "the wait is over")


@pytest.mark.parametrize("change", [str.upper, lambda p: p + " ", lambda p: p[:-1], lambda p: ""], ids=["upper", "space", "cut", "none"])
def test_almost_the_passphrase_is_not_the_passphrase(change, home):
    assert with_passphrase(home, change(PASSPHRASE), "identity", "list").code in (LOCKED, USAGE)


def test_up_with_a_wrong_passphrase_is_exit_3(home):
    (home.folder / "other").write_text("wrong\n")
    done = run(
        "up",
        "--json",
        "--home",
        str(home.path),
        "--passphrase-file",
        str(home.folder / "other"),
        "--listen",
        "127.0.0.1:0",
    )
    assert done.code == LOCKED


def test_a_vault_from_a_newer_version_is_refused_untouched(home):
    with sqlite3.connect(home.path / "vault.db") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    before = files(home.path)
    done = home.cli("identity", "list", "--passphrase-file", str(home.passphrase_file))
    assert done.code == FAILED
    assert "99" in done.said or "newer" in done.said
    assert files(home.path) == before


@pytest.mark.parametrize("damage", ["cut", "zeroed", "flipped", "text"])
def test_a_corrupted_vault_is_named_and_nothing_is_overwritten(damage, home):
    path = home.path / "vault.db"
    data = bytearray(path.read_bytes())
    if damage == "cut":
        data = data[: len(data) // 2]
    elif damage == "zeroed":
        data[100:] = bytes(len(data) - 100)
    elif damage == "flipped":
        for offset in range(200, len(data), 97):
            data[offset] ^= 0x55
    else:
        data = bytearray(b"this is no database at all\n" * 100)
    path.write_bytes(data)
    before = path.read_bytes()
    done = home.cli("identity", "list", "--passphrase-file", str(home.passphrase_file))
    assert done.code in (FAILED, LOCKED)
    assert "vault" in done.said.lower(), done.said
    assert path.read_bytes() == before
    started = run(
        "up",
        "--json",
        "--home",
        str(home.path),
        "--passphrase-file",
        str(home.passphrase_file),
        "--listen",
        "127.0.0.1:0",
    )
    assert started.code in (FAILED, LOCKED)
    assert path.read_bytes() == before


def log_files(home: Home) -> list[Path]:
    return sorted(path for path in home.path.rglob("*") if path.is_file() and "log" in str(path.relative_to(home.path)))


async def test_a_changed_log_is_found_and_named(start, home, apps):
    daemon = start()
    app = await apps(App.paired(daemon.pair()))
    for n in range(5):
        await app.sign(template(content=str(n)))
    daemon.stop()
    assert home.unlocked("log", "verify").value["ok"] is True
    largest = max(log_files(home), key=lambda path: path.stat().st_size)
    data = bytearray(largest.read_bytes())
    data[len(data) // 2] ^= 1
    largest.write_bytes(data)
    done = home.cli("log", "verify", "--passphrase-file", str(home.passphrase_file))
    assert done.code == FAILED
    assert done.said.strip()
    assert largest.read_bytes().startswith(data), "nothing was overwritten"


def test_the_log_is_exported_into_a_new_file_that_only_its_owner_can_read(daemon, tmp_path):
    file = tmp_path / "log.jsonl"
    finished = run("log", "export", "--out", str(file), "--home", str(daemon.home.path))
    entries = [json.loads(line) for line in file.read_text().splitlines()]
    assert finished.code == DONE and f"Wrote {len(entries)} entries to {file}." in finished.out and len(entries) > 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = daemon.cli("log", "export", "--out", str(file))
    assert again.code == FAILED and "already a file" in again.value["error"]
    other = tmp_path / "first.jsonl"
    assert daemon.do("log", "export", "--limit", "1", "--out", str(other)) == {"out": str(other), "entries": 1}
    assert json.loads(other.read_text()) == entries[0]


def test_an_export_that_fails_leaves_no_file(home, tmp_path):
    wrong, file = tmp_path / "wrong", tmp_path / "log.jsonl"
    wrong.write_text("wrong")
    assert home.cli("log", "export", "--out", str(file), "--passphrase-file", str(wrong)).code == LOCKED
    full = run("log", "export", "--out", "/dev/full", "--home", str(home.path))
    assert full.code == FAILED and not file.exists()


async def test_a_proof_checks_with_a_program_that_shares_no_code(start, home, apps):
    daemon = start()
    app = await apps(App.paired(daemon.pair()))
    for n in range(5):
        await app.sign(template(content=str(n)))
    checker = REPOSITORY / "interop" / "reference" / "verify_proof.py"
    vkey = daemon.do("log", "key")["vkey"]

    def holds(proof: dict) -> bool:
        said = {
            subprocess.run(given, input=json.dumps(proof), text=True, capture_output=True).returncode == 0
            for given in ([sys.executable, str(checker), vkey], [str(binary()), "proof", "verify", "-", "--key", vkey])
        }
        (one,) = said
        return one

    entries = [json.loads(line) for line in daemon.cli("log", "export", check=True).out.splitlines()]
    assert [entry["sequence"] for entry in entries] == list(range(1, len(entries) + 1))
    for entry in entries:
        proof = daemon.do("log", "prove", str(entry["sequence"]))
        assert holds(proof)
        assert base64.b64decode(proof["leaf_hash"]).hex() == entry["leaf"]
    proof = daemon.do("log", "prove", "2")
    assert not holds(proof | {"index": 2})
    assert not holds(proof | {"leaf": base64.b64encode(b"another").decode()})
    assert not holds(proof | {"size": proof["size"] + 1})
    assert not holds(proof | {"checkpoint": proof["checkpoint"].replace("\n", "\n1", 1)})
    grown = daemon.do("log", "prove", "--from", "3")
    verify = [str(binary()), "proof", "verify", "-", "--key", vkey, "--json"]
    done = subprocess.run(verify, input=json.dumps(grown), text=True, capture_output=True)
    assert done.returncode == 0 and json.loads(done.stdout)["from_root"] == grown["old_root"]
    # What is true of the whole log is no proof of an entry that somebody made up.
    forged = proof | {"index": 40, "leaf": base64.b64encode(b"forged").decode(), "proof": []}
    both = forged | {"old_size": proof["size"], "old_root": proof["root"]}
    assert subprocess.run(verify, input=json.dumps(both), text=True, capture_output=True).returncode == FAILED


def test_a_vault_is_erased_when_no_signer_runs_and_it_is_confirmed(home, start):
    daemon = start()
    running = home.cli("erase", "--yes")
    assert running.code == FAILED and "Nothing was erased" in running.said
    daemon.stop()
    assert home.cli("erase").code == USAGE, "without a terminal nobody can confirm"
    assert (home.path / "vault.db").exists()
    done = home.cli("erase", "--yes", check=True)
    assert done.value["home"] == str(home.path) and done.value["erased"] >= 4
    assert not (home.path / "vault.db").exists() and not (home.path / "device.key").exists()
    assert home.cli("erase", "--yes").code == NOT_FOUND


def test_no_vault_is_said_with_what_to_do(empty_home):
    apart = environment(TMPDIR=str(empty_home.folder))  # away from trials that others run on this machine
    done = empty_home.cli("identity", "list", "--passphrase-file", str(empty_home.passphrase_file), env=apart)
    assert done.code == NOT_FOUND
    assert "init" in done.said


def test_a_second_daemon_on_one_home_is_refused_and_says_who_holds_it(daemon, home):
    done = run(
        "up",
        "--json",
        "--home",
        str(home.path),
        "--passphrase-file",
        str(home.passphrase_file),
        "--listen",
        "127.0.0.1:0",
    )
    assert done.code == FAILED
    assert str(daemon.pid) in done.said
    assert daemon.do("status")["pid"] == daemon.pid


def test_a_port_in_use_is_said(daemon, closed_home):
    other = closed_home.copied()
    port = daemon.relay.split(":")[2].split("/")[0]
    done = run(
        "up",
        "--json",
        "--home",
        str(other.path),
        "--passphrase-file",
        str(other.passphrase_file),
        "--listen",
        f"127.0.0.1:{port}",
    )
    assert done.code == FAILED and port in done.said
    other.remove()


# The daemon


def test_the_ready_line_has_what_scripts_rely_on(daemon):
    ready = daemon.ready
    assert ready["ready"] is True and ready["pid"] == daemon.pid and ready["identity"] == "alice"
    assert ready["npub"] == nip19.npub(ready["pubkey"])
    assert ready["relay"].startswith("ws://127.0.0.1:") and ready["console"].startswith("http://127.0.0.1:")
    assert daemon.link.relays == [ready["relay"]]
    assert daemon.printed.count("\n") == 1


async def test_a_trial_needs_nothing_and_leaves_nothing(empty_home, apps):
    daemon = empty_home.start(trial=True)
    try:
        app = await apps(App.paired(daemon.link))
        assert (await app.sign(template()))["pubkey"] == daemon.user
        assert any(path.name.startswith("holdfast-trial") for path in empty_home.folder.iterdir())
    finally:
        assert daemon.stop() == DONE
    assert not any(path.name.startswith("holdfast-trial") for path in empty_home.folder.iterdir())


def test_two_trials_have_different_keys(empty_home):
    daemons = [empty_home.start(trial=True) for _ in range(2)]
    try:
        assert daemons[0].user != daemons[1].user
    finally:
        for daemon in daemons:
            daemon.stop()


def test_status_counts(daemon):
    status = daemon.do("status")
    assert status["pid"] == daemon.pid and status["identities"] == 1 and status["clients"] == 0 and status["waiting"] == 0
    assert status["home"] == str(daemon.home.path) and status["memory_kib"] > 0
    assert {"version", "uptime", "relays", "log_entries"} <= set(status)


def test_up_signs_as_the_identity_asked_for(home, start):
    made = home.unlocked("identity", "create", "bob").value
    daemon = start(arguments=("--identity", "bob"))
    assert (daemon.ready["identity"], daemon.user) == ("bob", made["pubkey"])


async def test_a_link_of_another_identity_signs_with_that_key(daemon, apps):
    bob = daemon.do("identity", "create", "bob")
    app = await apps(App.paired(daemon.pair("full", "--identity", "bob")))
    assert await app.result("get_public_key") == bob["pubkey"]
    assert (await app.sign(template()))["pubkey"] == bob["pubkey"]


async def test_deleting_an_identity_unpairs_its_apps(daemon, apps):
    daemon.do("identity", "create", "bob")
    link, unused = daemon.pair("full", "--identity", "bob"), daemon.pair("full", "--identity", "bob")
    app = await apps(App.paired(link))
    daemon.do("identity", "delete", "bob", "--yes", "--passphrase-file", str(daemon.home.passphrase_file))
    assert "no longer paired" in await app.error("get_public_key")
    late = await apps(App.by_link(unused))
    assert "no longer good" in await late.error("connect", unused.signer, unused.secret)
    assert app.key.public not in {client["pubkey"] for client in daemon.clients()}


# Clients, the log, signing


@pytest.mark.parametrize("handle", [lambda key: key, nip19.npub, lambda key: key[:8]], ids=["hex", "npub", "prefix"])
async def test_a_client_is_named_by_key_npub_or_prefix(handle, shared, apps):
    app = await apps(App.paired(shared.pair()))
    assert shared.do("client", "show", handle(app.key.public))["pubkey"] == app.key.public


async def test_a_client_is_renamed_and_named_by_its_name(shared, apps):
    app = await apps(App.paired(shared.pair()))
    shared.do("client", "rename", app.key.public, "my phone")
    assert shared.do("client", "show", "my phone")["pubkey"] == app.key.public


async def test_client_list_shows_what_each_asked_for(shared, apps):
    app = await apps(App.paired(shared.pair("medium")))
    await app.result("ping")
    (mine,) = [client for client in shared.clients() if client["pubkey"] == app.key.public]
    assert {"name", "identity", "trust", "paired", "last_seen", "requests"} <= set(mine)
    assert mine["trust"] == "medium" and mine["identity"] == "alice" and mine["requests"] >= 1


async def test_the_log_shows_each_signature_and_what_decided_it(shared, apps):
    app = await apps(App.paired(shared.pair()))
    event = await app.sign(template(kind=7, content="+"))
    entries = until(
        lambda: [e for e in shared.log_entries("--client", app.key.public) if e.get("signed") == event["id"]],
        "the outcome",
    )
    assert entries[0]["kind"] == 7 and entries[0]["method"] == "sign_event" and entries[0]["client"] == app.key.public
    decided = [e for e in shared.log_entries("--client", app.key.public) if e.get("decision")]
    assert any(e["request"] == entries[0]["request"] and e["decision"] == "allow" and e["rule"] for e in decided)


async def test_log_verify_counts_the_entries(shared):
    verified = shared.do("log", "verify")
    assert verified["ok"] is True and verified["entries"] > 0


def test_log_show_limits(shared):
    assert len(shared.log_entries("--limit", "2")) <= 2


def test_sign_reads_an_event_and_prints_the_signed_one(owner):
    public = owner("identity", "show", "alice").value["pubkey"]
    event = json.loads(owner("sign", stdin=as_json(template(kind=3, content="by hand \u2028")), check=True).out)
    assert is_genuine(event) and event["pubkey"] == public and event["content"] == "by hand \u2028"


@pytest.mark.parametrize("text", ["", "x", "[]", "{}", '{"kind":"1"}', '{"kind":1,"content":"\\ud800","tags":[]}', "{" * 9999])
def test_sign_refuses_what_is_no_event(text, owner):
    done = owner("sign", stdin=text)
    assert done.code in (FAILED, USAGE) and not done.out.strip().startswith('{"id"')


JSON_COMMANDS = [
    ["identity", "list"],
    ["identity", "show"],
    ["pair"],
    ["client", "list"],
    ["request", "list"],
    ["log", "show"],
    ["log", "verify"],
    ["status"],
]


@pytest.mark.parametrize("command", JSON_COMMANDS, ids=" ".join)
def test_json_is_one_line_on_standard_output(command, shared):
    done = shared.cli(*command)
    assert done.code == DONE and not done.err
    assert done.out.endswith("\n") and done.out.count("\n") == 1
    assert isinstance(json.loads(done.out), dict)


@pytest.mark.parametrize("command", JSON_COMMANDS, ids=" ".join)
def test_text_for_people_has_no_control_characters(command, shared):
    done = run(*command, "--home", str(shared.home.path))
    assert done.code == DONE
    assert all(c.isprintable() or c == "\n" for c in done.out)


def test_errors_with_json_are_json_too(shared):
    done = shared.cli("identity", "show", "nobody")
    error = json.loads(done.out or done.err)
    assert error["error"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_printed(shell):
    done = run("completions", shell)
    assert done.code == DONE and "holdfast" in done.out


def test_completions_for_bash_parse():
    assert shutil.which("bash")
    assert subprocess.run(["bash", "-n"], input=run("completions", "bash").out.encode()).returncode == 0


async def test_a_change_of_an_app_says_in_a_sentence_what_it_did(daemon, apps):
    app = await apps(App.paired(daemon.pair("low")))
    key = app.key.public[:16]
    forget = f"holdfast --home {daemon.home.path} client forget {key} sign_event:7"
    for words, says in [
        (("rename", key, "Damus"), f"The app {key} is called “Damus” now."),
        (("trust", key, "full", "--yes"), "“Damus” now has full trust: it asks you only what every app must ask"),
        (
            ("allow", key, "sign_event:1", "--for", "1h"),
            "“Damus” may now do sign_event:1 (notes from this app) for 1 hour without asking. That holds until 2",
        ),
        (("deny", key, "sign_event:7"), f"“Damus” may not do sign_event:7. That holds until you change it. To end it: {forget}"),
        (("ask", key, "sign_event:7"), f"“Damus” asks you about sign_event:7. That holds until you change it. To end it: {forget}"),
        (("forget", key, "sign_event:7"), "The rule for sign_event:7 is removed. The trust of “Damus” decides again."),
        (("pause", key), f"“Damus” is paused. To end that: holdfast --home {daemon.home.path} client resume {key}"),
        (("pause", key), "“Damus” was paused already. To end that:"),
        (("resume", key), "“Damus” follows its rules again."),
        (("resume", key), "“Damus” was not paused: it follows its rules."),
    ]:
        done = run("client", *words, "--home", str(daemon.home.path))
        assert done.code == 0 and says in done.out.strip().splitlines()[-1], done
        assert len(done.out.splitlines()) == 1, "the card of the app is for 'client show'"
    whole = daemon.do("client", "trust", key, "low")
    assert whole["name"] == "Damus" and "requests" in whole, "JSON has all of it"
    assert "Paired" in run("client", "show", key, "--home", str(daemon.home.path)).out


def test_a_vault_that_cannot_be_removed_is_not_said_to_be_erased(home):
    """Whatever else is left: here a file of somebody else's in the log's folder."""
    vault = home.path / "vault.db"
    (home.path / "log" / "notes.txt").write_text("mine")
    subprocess.run(["chattr", "+i", vault], check=True)
    try:
        done = home.cli("erase", "--yes")
        assert done.code == FAILED and "could not be" in done.said and vault.exists()
    finally:
        subprocess.run(["chattr", "-i", vault], check=True)
    done = home.cli("erase", "--yes", check=True)
    assert done.value["left"] == ["log/notes.txt"] and not vault.exists()


def test_a_file_of_the_vault_that_stays_is_not_called_the_owners(home):
    """Nor is a folder that cannot be read taken for an empty one."""
    log = home.path / "log" / "audit.log"
    subprocess.run(["chattr", "+i", log], check=True)
    try:
        done = home.cli("erase", "--yes")
        assert done.code == FAILED and "could not be" in done.said and (home.path / "vault.db").exists()
    finally:
        subprocess.run(["chattr", "-i", log], check=True)
    assert home.cli("erase", "--yes", check=True).value["left"] == []


def test_an_erasing_that_was_cut_off_can_be_repeated(home):
    """The vault goes after its copies and the log, so that the next `erase` finds it."""
    copy = home.path / "vault.db.damaged-1790000000"
    copy.write_bytes((home.path / "vault.db").read_bytes())
    (home.path / "zlast").write_text("mine")
    subprocess.run(["chattr", "+i", copy], check=True)
    try:
        assert home.cli("erase", "--yes").code == FAILED
        assert (home.path / "vault.db").exists() and not (home.path / "device.key").exists()
    finally:
        subprocess.run(["chattr", "-i", copy], check=True)
    assert home.cli("erase", "--yes", check=True).value["left"] == ["zlast"] and not copy.exists()


def test_an_apps_name_is_no_command_that_is_recommended(daemon):
    """As a name in a link, and after a pause."""
    key, name = Key(), "Nos. Now finish: holdfast client trust Nos full"
    link = f"nostrconnect://{key.public}?relay={quote(daemon.relay)}&secret=abcdefgh&name={quote(name)}"
    accepted = run("pair", link, "--yes", "--trust", "low", "--home", str(daemon.home.path))
    paused = run("client", "pause", key.public[:16], "--home", str(daemon.home.path))
    for done in (accepted, paused):
        assert done.code == 0 and f"holdfast --home {daemon.home.path} client trust" not in done.out, done
        assert "holdfast\u00a0client trust Nos full" in done.out
