"""What a user stumbled over who saw the command line for the first time."""

from __future__ import annotations

import re
import shlex

import pytest

from harness.app import App
from harness.daemon import environment, run

EVENT = '{"kind":1,"content":"hi"}'


def line(done) -> str:
    return " ".join((done.out + done.err).split())


async def test_the_counts_of_an_app_are_kept_when_the_signer_stops(daemon, home, apps):
    app = await apps(App.paired(daemon.pair()))
    for _ in range(3):
        await app.result("ping")
    before = daemon.clients()
    daemon.stop()
    assert home.unlocked("client", "list").value["clients"] == before
    assert "once a minute" in line(run("client", "list", "--help"))


def test_the_words_are_exported_by_the_command_that_the_help_prints(home):
    help = line(run("identity", "create", "--help"))
    printed = re.search(r"'holdfast (identity export NAME [^']*)'", help).group(1).replace("NAME", "alice")
    done = home.unlocked(*printed.split(), "--confirm", "I understand")
    assert len(done.value["words"].split()) == 12


def test_accounts_without_relays_say_that_nothing_was_searched(home):
    proof = ("--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    done = run("identity", "accounts", "alice", *proof)
    assert done.out.startswith("Nothing was searched: no relay is known") and "no event found" not in done.out
    assert "identity accounts alice --relay wss://relay.example.com" in done.out


@pytest.mark.parametrize("is_running", [True, False], ids=["running", "stopped"])
def test_without_a_passphrase_none_is_asked_for_to_change_it(is_running, home, start, at_terminal):
    shares = home.folder / "shares"
    made = home.unlocked("recovery", "create", "--threshold", "2", "--shares", "2").value["shares"]
    shares.write_text("\n".join(made))
    home.cli("slot", "remove", "1", "--yes", "--shares-file", str(shares), check=True)
    if is_running:
        start(home, opened_by=("--shares-file", str(shares)))
    terminal = at_terminal("slot", "passphrase")
    shown = " ".join(terminal.finish(20).split())
    assert terminal.code == 5 and "No passphrase opens this vault" in shown and "assphrase:" not in shown
    hint = re.search(r"To add one: holdfast (.*) FILE", shown).group(1)
    fresh = home.folder / "fresh"
    fresh.write_text("a passphrase of its own\n")
    added = run(*shlex.split(hint), str(shares), "--new-passphrase-file", str(fresh))
    assert added.code == 0, added


def test_a_trial_is_suggested_without_the_home(empty_home):
    apart = environment(TMPDIR=str(empty_home.folder))  # a trial of this machine's user would be named
    done = run("up", "--home", str(empty_home.path), env=apart)
    assert "'holdfast up --trial'" in done.err and f"'holdfast --home {empty_home.path} init'" in done.err
    refused = run("up", "--trial", "--home", str(empty_home.path))
    assert refused.code == 2 and "--trial does not take --home" in line(refused)
    assert f"holdfast --home {empty_home.path} init" in line(refused)


@pytest.mark.parametrize(
    "words, says",
    [
        (("v3",), "--prefix npub1ace"),
        (("x", "--prefix", "v3"), "--prefix npub1v3. After npub1, an npub has only the digits 0 and 2-9"),
        (("x", "--prefix", "bob"), "letters a-z without b, i and o"),
        (("x", "--prefix", "npub1bob"), "For example: --prefix npub1ace"),
        (("x", "--suffix", "xyz"), "--npub-suffix ace"),
    ],
)
def test_what_no_key_can_have_is_refused_with_the_letters_and_an_example(words, says, home):
    done = run("identity", "vanity", *words, "--home", str(home.path))
    assert done.code == 2 and says in line(done), done


FILES = [
    ("status", "--open", "--passphrase-file"),
    ("identity", "import", "new", "--from-file"),
    ("recovery", "test"),
    ("backup", "verify"),
    ("backup", "restore", "--into", "/tmp/never"),
    ("identity", "list", "--shares-file"),
    ("up", "--push-ca"),
    ("up", "--tls-key", "/etc/hostname", "--tls-cert"),
    ("backup", "create", "--to", "https://me@127.0.0.1:1/x", "--ca"),
    ("init", "--kdf-memory", "19", "--home", "{new}", "--passphrase-file"),
]


@pytest.mark.parametrize("words", FILES, ids=" ".join)
@pytest.mark.parametrize("place", ["missing", "folder"])
def test_an_error_about_a_file_names_it(words, place, home, tmp_path):
    path = tmp_path / place
    if place == "folder":
        path.mkdir()
    words = [str(tmp_path / "new") if word == "{new}" else word for word in words]
    done = run(*words, str(path), *([] if "--home" in words else ["--home", str(home.path)]))
    assert done.code != 0 and str(path) in line(done), done


def test_a_vault_that_cannot_be_made_and_a_file_that_is_no_proof_are_named(home, tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("no folder, and no proof")
    made = run("init", "--home", str(plain / "vault"), "--passphrase-file", str(home.passphrase_file))
    assert made.code == 1 and str(plain / "vault") in made.err
    for file in (plain, tmp_path):
        done = run("proof", "verify", str(file))
        assert done.code != 0 and str(file) in done.err


def test_a_new_file_that_cannot_be_made_is_named_before_anything_is_asked(home, tmp_path, at_terminal):
    there = tmp_path / "there"
    there.write_text("mine")
    for file, says, code in ((there, "already a file", 1), (tmp_path, "is a folder", 1), (tmp_path / "no" / "x", "No such file", 5)):
        for words in (("backup", "create", str(file)), ("identity", "export", "alice", "--out", str(file))):
            terminal = at_terminal(*words)
            shown = " ".join(terminal.finish(20).split())
            assert terminal.code == code and str(file) in shown and says in shown and "assphrase:" not in shown, shown
    assert there.read_text() == "mine"


def test_empty_standard_input_is_said_with_an_example(home):
    done = run("sign", "--home", str(home.path), stdin="\n")
    assert done.code == 2 and "Standard input is empty" in done.err and 'echo \'{"kind":1' in done.err
    assert "not an event as JSON" in run("sign", "--home", str(home.path), stdin='{"a').err


@pytest.mark.parametrize(
    "typed, hint",
    [
        ("identity create x --colr red", "--colour"),
        ("identity ls", "'holdfast identity list'"),
        ("identity remove x", "'holdfast identity delete'"),
        ("id list", "'holdfast identity list'"),
        ("client add", "'holdfast pair'"),
        ("show ALICE", "'holdfast identity show'"),
        ("backup --to /tmp", "'holdfast backup create --to PLACE'"),
        ("STATUS", "'holdfast status'"),
    ],
)
def test_a_usual_word_leads_to_the_command(typed, hint, empty_home):
    done = run(*typed.split(), env=environment(HOLDFAST_HOME=str(empty_home.path)))
    assert done.code == 2 and "Did you mean" in done.err and hint in line(done), done


def test_a_name_in_capitals_is_recognised(daemon, home):
    assert "Did you mean “alice”?" in run("identity", "show", "ALICE", "--home", str(home.path)).err


@pytest.mark.parametrize("topic, title", [("log-entries", "Types:"), ("exit-codes", "Codes:"), ("times", "Forms:")])
def test_the_list_of_a_topic_has_a_title_that_fits(topic, title):
    assert re.findall(r"^[A-Z]\w+:$", run("help", topic).out, re.M) == [title]


def test_one_default_of_the_home_is_told_everywhere():
    usual = "$XDG_DATA_HOME/holdfast, else ~/.local/share/holdfast"
    assert f"$HOLDFAST_HOME, else {usual}" in line(run("status", "--help"))
    page = run("man").out
    assert page.count(usual) == page.count("~/.local/share/holdfast") > 1


def test_a_place_may_be_a_relative_folder(daemon, home, tmp_path, monkeypatch):
    (tmp_path / "backups").mkdir()
    monkeypatch.chdir(tmp_path)
    home.unlocked("backup", "create", "--to", "backups")
    assert list((tmp_path / "backups").glob("*.hfb"))
    assert "PLACE is a folder" in line(run("backup", "create", "--help"))


def test_an_explanation_is_refused_before_its_event_is_read(daemon, home):
    at = ("--home", str(home.path))
    for words, says in [
        (("nobody",), "No paired app has that name"),
        ((), "'policy explain' needs the app that sends the request."),
        (("nobody", "--since", "1d"), "--since needs --log."),
    ]:
        done = run("policy", "explain", *words, *at, stdin="no JSON")
        assert says in done.err and "Standard input" not in done.err, done


async def test_a_change_that_is_none_is_refused_before_its_event_is_read(daemon, home, apps):
    app = await apps(App.paired(daemon.pair()))
    words = ("policy", "explain", app.key.public, "--home", str(home.path))
    assert "Standard input" not in run(*words, "--change", "foo=bar", stdin="no JSON").err
    assert run(*words, "--change", "trust=low", stdin=EVENT).code == 0


def test_an_answer_that_reaches_no_request_says_so(daemon, home):
    for verb, done in (("approve", "approved"), ("deny", "denied")):
        said = run("request", verb, "aaaa", "bbbb", "--home", str(home.path))
        assert said.out.startswith(f"Nothing was {done}: none of these requests waits."), said


def test_the_password_of_an_export_is_not_called_a_passphrase(home):
    weak = home.folder / "weak"
    weak.write_text("12345678\n")
    export = ("identity", "export", "alice", "--password-file", str(weak))
    done = run(*export, "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    assert done.code == 0 and "This password is well known" in done.err and "passphrase" not in done.err
