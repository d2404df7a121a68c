"""What goes wrong for somebody new is said at once, and says what to do."""

from __future__ import annotations

import json
import subprocess

import pytest

from harness.app import App
from harness.daemon import PASSPHRASE, binary, environment, run
from harness.terminal import Terminal


def test_an_empty_link_is_said_to_be_empty(home):
    done = run("pair", "", "--home", str(home.path))
    assert done.code == 2 and "URI is empty." in done.err and "holdfast pair 'nostrconnect://…'" in done.err
    assert run("client", "show", "", "--home", str(home.path)).code == 2


@pytest.mark.parametrize(
    "key, said",
    [
        ("npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6", "This is a public key"),
        (" ".join(["abandon"] * 11 + ["abuot"]), "not a valid mnemonic"),
        ("hello", "not a key in any known format"),
    ],
)
def test_what_is_no_key_is_asked_for_again_without_the_passphrase(key, said, home):
    terminal = Terminal("identity", "import", "new", "--home", str(home.path))
    try:
        terminal.wait_for("Passphrase for ")
        terminal.type(PASSPHRASE + "\n")
        shown = ""
        for _ in range(3):
            shown += terminal.wait_for("words): ")
            terminal.type(key + "\n")
        shown = " ".join((shown + terminal.finish()).split())
        assert shown.count(said) == 3 and "Passphrase" not in shown and terminal.code != 0
    finally:
        terminal.close()


def test_a_proof_goes_into_a_file_that_is_checked(home, tmp_path):
    proof, text = tmp_path / "entry-1.json", tmp_path / "entry-1.txt"
    opened = ("--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    written = run("log", "prove", "1", "--out", str(proof), *opened)
    assert written.code == 0 and f"holdfast proof verify {proof}" in written.out.replace(f" --home {home.path}", ""), written.said
    assert run("proof", "verify", str(proof)).code == 0
    assert "checkpoint" in json.loads(proof.read_text())
    text.write_text(run("log", "prove", "1", *opened).out)
    refused = run("proof", "verify", str(text))
    assert refused.code == 1 and "for people" in refused.err and "--out FILE" in refused.err
    again = run("log", "prove", "1", "--out", str(proof), *opened)
    assert again.code == 1 and "already a file" in again.err


def test_a_passphrase_that_others_can_read_is_warned_about(home, tmp_path_factory):
    folder = tmp_path_factory.mktemp("open")
    folder.chmod(0o755)
    file = folder / "passphrase"
    file.write_text(home.passphrase_file.read_text())
    words = ("identity", "list", "--home", str(home.path), "--passphrase-file", str(file))
    file.chmod(0o644)
    warned = run(*words)
    assert warned.code == 0 and f"chmod 600 {file}" in warned.err and warned.err.count("Warning") == 1
    file.chmod(0o600)
    assert run(*words).err == ""


def test_a_folder_that_others_can_read_is_named_in_the_command_that_helps(home):
    home.path.chmod(0o755)
    done = run("identity", "list", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    assert done.code == 1 and done.err.endswith(f"chmod 700 {home.path}\n")


@pytest.mark.parametrize("words", ["status", "identity list", "init", "up"])
def test_a_file_is_not_taken_for_a_vaults_folder(words, empty_home):
    done = run("--home", str(empty_home.passphrase_file), *words.split())
    assert done.code == 2 and f"{empty_home.passphrase_file} is a file, not a folder." in done.err and "init" not in done.err


def test_a_command_with_a_quoted_folder_is_not_put_in_the_same_quotes(empty_home):
    folder = empty_home.folder / "my vault"
    done = run("status", "--home", str(folder), env=environment(TMPDIR=str(empty_home.folder)))
    assert f"“holdfast --home '{folder}' init”" in done.err and "''" not in done.err


@pytest.mark.parametrize("link", ["http://site.example", "https://site.example/about"])
def test_an_address_of_the_web_is_told_which_links_are_opened(link):
    done = run("open", link)
    assert done.code == 2 and "https://HOST/app/sign?" in done.err and "keyfob://" in done.err and "cb=" not in done.err


def test_a_mistyped_permission_names_the_one_that_was_meant(home):
    for words, meant in [
        ("client allow bot sign_evnt:1", "sign_event:1"),
        ("client deny bot nip44_decript@self", "nip44_decrypt@self"),
        ("client budget bot sign_evnt:1 3", "sign_event:1"),
        ("request approve 3f2a --for 1h --permission sign_evnt:1", "sign_event:1"),
    ]:
        done = run(*words.split(), "--home", str(home.path))
        assert done.code == 2 and f"Did you mean {meant}?" in done.err, words


def test_a_number_below_zero_is_no_option(home):
    done = run("client", "budget", "bot", "sign_event:1", "-3", "--home", str(home.path))
    assert done.code == 2 and "COUNT must be a number or none, not “-3”." in done.err


def test_an_unencrypted_export_that_nobody_confirmed_says_so_and_names_no_option_that_was_given(home):
    export = ("identity", "export", "alice", "--format", "nsec", "--unencrypted", "--home", str(home.path))
    unasked = run(*export, "--passphrase-file", str(home.passphrase_file))
    assert unasked.code == 2 and '--confirm "I understand"' in unasked.err and "add --unencrypted" not in unasked.err
    other = run(*export, "--confirm", "yes", "--passphrase-file", str(home.passphrase_file))
    assert other.code == 2 and "--confirm takes the words" in other.err
    terminal = Terminal(*export, "--passphrase-file", str(home.passphrase_file))
    try:
        for question in ("type: I understand", "Type exactly"):
            terminal.wait_for(question)
            terminal.type("yes\n")
        shown = " ".join(terminal.finish().split())
        assert terminal.code == 1 and "Nothing was exported" in shown and "add --unencrypted" not in shown and "nsec1" not in shown
    finally:
        terminal.close()


def test_scheduled_backups_are_turned_off_once(home, tmp_path):
    proof = ("--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    scheduled = run("backup", "schedule", "--to", str(tmp_path), *proof)
    assert "Every day to " in scheduled.out, scheduled.said
    assert [run("backup", "schedule", "--off", *proof).code for _ in range(2)] == [0, 5]
    assert run("log", "show", *proof).out.count("scheduled backups were turned off") == 1


def test_a_passphrase_is_asked_for_by_what_it_opens(home, at_terminal):
    terminal = at_terminal("identity", "list")
    terminal.wait_for(f"Passphrase for the vault at {home.path}: ")
    terminal.type(home.passphrase_file.read_text())
    terminal.finish()
    assert terminal.code == 0


@pytest.mark.parametrize("key", ["fa37716091b2c1e2" * 4, "abandon " * 12, "hunter2"])
def test_a_key_behind_the_name_is_said_to_be_in_the_shells_history(key, home):
    done = run("identity", "import", "mine", *key.split(), "--home", str(home.path))
    assert done.code == 2 and "history" in done.err and key.split()[0] not in done.err


def test_a_dash_is_said_to_be_too_much_where_standard_input_is_read_anyway(home):
    done = run("identity", "import", "mine", "-", "--home", str(home.path))
    assert done.code == 2 and "leave out the '-'" in done.err


@pytest.mark.parametrize(
    ("words", "meant"),
    [("identity import mine --file key.txt", "--from-file"), ("client limit app --minute 5", "--per-minute")],
)
def test_a_part_of_an_options_name_suggests_it(words, meant, home):
    done = run(*words.split(), "--home", str(home.path))
    assert done.code == 2 and f"Did you mean {meant}?" in done.err


def test_closed_standard_input_is_not_a_long_event(home):
    done = subprocess.run(
        ["bash", "-c", f"exec {binary()} sign --home {home.path} <&-"], capture_output=True, text=True, env=environment(), timeout=60
    )
    assert done.returncode == 2 and "Standard input is closed." in done.stderr


async def test_an_apps_name_is_found_in_small_letters(daemon, apps):
    app = await apps(App.paired(daemon.pair("low")))
    daemon.do("client", "rename", app.key.public, "Amethyst")
    assert daemon.do("client", "show", "amethyst")["name"] == "Amethyst"
