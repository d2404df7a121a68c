"""What a usability review found: checks before questions, second tries, and hints that name what to type."""

from __future__ import annotations

import re
import signal

import pytest

from harness.app import App
from harness.daemon import PASSPHRASE, environment, run
from harness.terminal import Terminal
from harness.waiting import eventually
from reference.events import as_json, template


def said(terminal: Terminal, home) -> str:
    return " ".join(terminal.finish(20).split()).replace(f" --home {home.path}", "")


NOTHING_ASKED = [
    (("backup", "verify", "/etc/hostname"), "This file is not a Holdfast backup."),
    (("backup", "restore", "/etc/hostname", "--into", "/tmp/never"), "This file is not a Holdfast backup."),
    (("backup", "schedule", "--to", "relative/folder"), ""),
    (("backup", "schedule", "--to", "/nowhere/at/all"), ""),
    (("backup", "create", "--to", "/nowhere/at/all"), ""),
    (("slot", "add", "token", "--module", "/nowhere/driver.so"), ""),
    (("slot", "add", "keyring"), ""),
    (("log", "retain", "--keep", "1d"), "7d or more"),
]


@pytest.mark.parametrize("words, says", NOTHING_ASKED, ids=lambda words: " ".join(words) if isinstance(words, tuple) else "")
def test_what_cannot_work_asks_for_nothing_without_a_signer(home, at_terminal, words, says):
    terminal = at_terminal(*words)
    shown = said(terminal, home)
    assert terminal.code not in (0, None) and says in shown and "assphrase" not in shown and "[y/N]" not in shown and "PIN" not in shown


WITH_SIGNER = [
    *NOTHING_ASKED,
    (("identity", "rotate", "alice"), "does not know this identity's relays"),
    (("backup", "verify"), "No backups are scheduled."),
]


@pytest.mark.parametrize("words, says", WITH_SIGNER)
def test_what_cannot_work_asks_for_nothing_with_a_signer(daemon, home, at_terminal, words, says):
    terminal = at_terminal(*words)
    shown = said(terminal, home)
    assert terminal.code not in (0, None) and says in shown and "assphrase" not in shown and "[y/N]" not in shown and "PIN" not in shown


def test_a_wrong_passphrase_for_a_backup_is_asked_for_again(daemon, home, at_terminal, tmp_path):
    file = tmp_path / "keys.hfb"
    home.cli("backup", "create", str(file), check=True)
    for words, ends in ((("backup", "verify", str(file)), "opens."), (("backup", "schedule", "--to", str(tmp_path)), "Every day")):
        terminal = at_terminal(*words)
        terminal.wait_for("assphrase")
        terminal.type("not it\n")
        terminal.wait_for("\n")
        terminal.wait_for("assphrase for ")
        terminal.type(PASSPHRASE + "\n")
        assert ends in terminal.finish() and terminal.code == 0


def test_enter_instead_of_a_new_passphrase_gives_one_of_random_words(empty_home, tmp_path):
    terminal = Terminal("init", "--home", str(empty_home.path))
    try:
        assert "or press Enter for one that is made of 7 random words" in terminal.wait_for("New passphrase: ")
        terminal.type("\n")
        shown = terminal.wait_for("Repeat it: ")
        words = re.search(r"it is not shown again\.\s+((?:[a-z]+ ){6}[a-z]+)\s", shown).group(1)
        assert not terminal.echoes
        terminal.type("seven other words\n")
        assert "That is not what stands above." in terminal.wait_for("Repeat it: ")
        terminal.type(words + "\n")
        assert "Made a vault" in terminal.finish() and terminal.code == 0
    finally:
        terminal.close()
    (file := tmp_path / "passphrase").write_text(words)
    assert run("identity", "list", "--home", str(empty_home.path), "--passphrase-file", str(file)).code == 0


def test_whoever_stops_before_the_passphrase_is_repeated_is_told_that_nothing_was_made(empty_home):
    terminal = Terminal("init", "--home", str(empty_home.path))
    try:
        terminal.wait_for("New passphrase: ")
        terminal.type("\n")
        terminal.wait_for("Write it down now")
        terminal.wait_for("Repeat it: ")
        terminal.type("\x03")
        assert terminal.finish().strip().endswith("Nothing was created.") and terminal.code == -signal.SIGINT
    finally:
        terminal.close()
    assert not empty_home.path.exists()


def test_enter_instead_of_the_passphrase_asks_again_and_ends_after_three(home, at_terminal):
    terminal = at_terminal("identity", "list")
    for _ in range(2):
        terminal.wait_for("Passphrase for ")
        terminal.type("\n")
        terminal.wait_for("Nothing was typed. To stop, press Ctrl-C.")
    terminal.wait_for("Passphrase for ")
    terminal.type("\n")
    assert "The passphrase is empty." in terminal.finish() and terminal.code == 2


def test_a_password_that_is_too_short_is_not_confirmed_first(home, at_terminal):
    terminal = at_terminal("identity", "export", "alice", "--passphrase-file", str(home.passphrase_file))
    terminal.wait_for("New password for the exported key: ")
    terminal.type("short\n")
    assert "Repeat it" not in terminal.wait_for("Type at least 8 characters")
    for question in ("New password for the exported key: ", "Repeat it: "):
        terminal.wait_for(question)
        terminal.type("long and not guessed 7\n")
    assert "ncryptsec1" in terminal.finish() and terminal.code == 0


async def test_while_locked_the_command_line_hides_what_requests_say_in_the_consoles_words(daemon, apps):
    app = await apps(App.paired(daemon.pair("low")))
    for text in ("meet me at nine", "bring the papers"):
        await app.send("sign_event", [as_json(template(1, text))])
    await app.send("sign_event", [as_json(template(27235, tags=[["u", "https://papers.example/login"], ["method", "GET"]]))])
    await eventually(lambda: len(daemon.waiting()) == 3, "all wait")
    id = daemon.waiting()[0]["id"]
    home = ("--home", str(daemon.home.path))
    listed = run("request", "list", "--full", *home).out
    assert "meet me at nine" in listed and "Log in to a website: papers.example" in listed
    daemon.do("lock")
    for words in (("list", "--full"), ("list",), ("show", id), ("show", id, "--json"), ("list", "--json")):
        shown = run("request", *words, *home)
        assert shown.code == 0 and "nine" not in shown.said and "papers" not in shown.said, words
        if "--json" not in words:
            assert "What it says is hidden while the signer is locked." in shown.out
            assert shown.out.count("Unlock to read: holdfast") == 1 and f"request deny {id if 'show' in words else 'ID'}" in shown.out
            assert "request approve" not in shown.out


def test_a_wrong_passphrase_is_said_before_a_new_password_is_typed(home, at_terminal):
    terminal = at_terminal("identity", "export", "alice")
    for passphrase, says in [("not it", "The passphrase is wrong."), (PASSPHRASE, "New password for the exported key: ")]:
        terminal.wait_for("Passphrase for ")
        terminal.type(passphrase + "\n")
        before = terminal.wait_for(says)
        assert passphrase == PASSPHRASE or "New password" not in before
    terminal.type("long and not guessed 7\n")
    terminal.wait_for("Repeat it: ")
    terminal.type("long and not guessed 7\n")
    assert "ncryptsec1" in terminal.finish() and terminal.code == 0


def test_a_program_that_is_not_there_leads_to_the_list_of_programs(daemon):
    for words in (("trust", "nope", "low"), ("revoke", "nope", "--yes")):
        refused = daemon.cli("local", *words)
        assert refused.code == 5 and "local list" in refused.said and "client list" not in refused.said


async def test_an_explained_change_without_effect_is_said(daemon, apps):
    app = await apps(App.paired(daemon.pair("full")))
    event = '{"kind":1,"content":"hi","tags":[]}'
    words = ("policy", "explain", app.key.public, "--change", "per_hour=1000", "--home", str(daemon.home.path))
    done = run(*words, stdin=event)
    assert done.code == 0 and "the answer is the same" in done.out, done


def test_words_are_in_numbered_columns_on_a_terminal(home, at_terminal):
    passphrase = ("--passphrase-file", str(home.passphrase_file))
    home.cli("identity", "create", "worded", "--words", "24", *passphrase, check=True)
    export = ("identity", "export", "worded", "--format", "mnemonic", "--unencrypted", *passphrase)
    words = home.cli(*export, "--confirm", "I understand", check=True).value["words"].split()
    piped = run(*export, "--confirm", "i understand", "--home", str(home.path))
    assert piped.out.strip().split() == words and piped.out.count("\n") == 1
    terminal = at_terminal(*export)
    terminal.wait_for("> ")
    terminal.type("yes\n")
    terminal.wait_for("Type exactly: I understand")
    terminal.wait_for("> ")
    terminal.type("i UNDERSTAND\n")
    lines = [line for line in terminal.finish().splitlines() if re.match(r" +\d+ [a-z]", line)]
    assert len(lines) == 6 and all(len(line.rstrip()) <= 60 for line in lines)
    found = {int(number): word for line in lines for number, word in re.findall(r"(\d+) ([a-z]+)", line)}
    assert [found[number] for number in range(1, 25)] == words


def test_the_next_step_names_an_identity_that_is_not_the_default(home):
    done = run("identity", "create", "second", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    assert f"holdfast --home {home.path} pair --identity second\n" in done.out


@pytest.mark.parametrize(
    "typed, hint",
    [
        ("requests", "'holdfast request list'"),
        ("identities", "'holdfast identity list'"),
        ("start", "'holdfast up'"),
        ("down", "No signer runs"),
        ("ls", "'holdfast identity list', 'holdfast client list' or 'holdfast request list'"),
        ("up --port 1234", "holdfast up --listen 127.0.0.1:1234"),
        ("client allow bot post", "Did you mean sign_event:1?"),
    ],
)
def test_what_other_programs_call_it_is_understood(typed, hint, empty_home):
    done = run(*typed.split(), env=environment(HOLDFAST_HOME=str(empty_home.path)))
    assert done.code == 2 and hint in " ".join(done.err.split()), done


def test_down_says_how_to_end_the_signer(daemon, home):
    done = run("--home", str(home.path), "down")
    assert f"holdfast --home {home.path} stop" in done.err


def test_a_home_that_is_empty_may_become_a_vault(home, tmp_path):
    usual = tmp_path / "holdfast"
    usual.symlink_to(home.path)
    done = run("up", env=environment(HOLDFAST_HOME=str(tmp_path / "new"), XDG_DATA_HOME=str(tmp_path)))
    assert "unset HOLDFAST_HOME" in done.err and "holdfast init" in done.err


async def test_the_log_of_an_app_that_left_is_found_by_digits_and_by_name(daemon, apps):
    app = await apps(App.paired(daemon.pair("full")))
    key = app.key.public
    paired = daemon.log_entries("--client", key)
    name = next(one["name"] for one in daemon.clients() if one["pubkey"] == key)
    daemon.do("client", "revoke", key, "--yes")
    for word in (key[:8], key[:8].upper(), key[:16] + "…", key, name):
        assert len(daemon.log_entries("--client", word)) > len(paired) > 0, word
    missing = daemon.cli("log", "show", "--client", "0123456789abcdef")
    assert missing.code == 5 and "No app in the log" in missing.said


async def test_a_limit_and_a_budget_end_with_a_sentence_and_forget_names_the_app(daemon, apps):
    app = await apps(App.paired(daemon.pair("low")))
    key, program = app.key.public[:16], f"holdfast --home {daemon.home.path}"
    for words, says in [
        (("limit", key, "--per-hour", "60"), "may now use your key at most 60 times an hour."),
        (("limit", key, "--per-hour", "60"), f"That holds until you change it. To end it: {program} client limit {key} --per-hour none"),
        (("limit", key, "--per-hour", "none"), "has no limits now."),
        (("budget", key, "sign_event:1", "10"), "may now do sign_event:1 at most 10 times in 1 day."),
        (("budget", key, "sign_event:1", "10"), f"To end it: {program} client budget {key} sign_event:1 none --per 1d"),
        (("forget", key, "sign_event:9"), f"See: holdfast --home {daemon.home.path} client show {key}"),
    ]:
        done = run("client", *words, "--home", str(daemon.home.path))
        assert says in (done.out + done.err).strip().splitlines()[-1], done
    log = run("log", "show", "--client", key, "--home", str(daemon.home.path)).out
    for says in ("limit: 60 an hour", "no limits", "budget for sign_event:1: 10 in 1 day"):
        assert says in log, log


async def test_a_denied_request_has_two_rows(daemon, apps):
    app = await apps(App.paired(daemon.pair("low")))
    key = app.key.public
    daemon.do("client", "deny", key, "sign_event:7")
    await app.error("sign_event", '{"kind":7,"content":"+","tags":[],"created_at":1}')
    done = run("log", "show", "--client", key[:8], "--home", str(daemon.home.path))
    assert "denied" in done.out and "a rule denied it" not in done.out


async def test_requests_that_are_alike_are_listed_as_one_and_answered_together(daemon, apps):
    app = await apps(App.paired(daemon.pair("low")))
    for n in range(3):
        await app.send("sign_event", [as_json(template(kind=7, content="+", tags=[["e", f"{n:064x}"]]))])
    first, second, _ = await eventually(lambda: len(found := daemon.waiting()) == 3 and found, "three wait")
    command = f"holdfast --home {daemon.home.path} request"

    def request(*words: str) -> str:
        return " ".join(run("request", *words, "--home", str(daemon.home.path)).out.split())

    listed = request("list")
    assert listed.count(": 3 likes") == 1 and second["id"] not in listed and f"{command} list --full" in listed
    together = f"To answer 3 that are alike: {command} approve --all-like {first['id']}"
    assert together in listed
    full = request("list", "--full")
    assert all(one["id"] in full for one in daemon.waiting()) and together in full
    denied = request("deny", first["id"])
    assert f"2 more like it wait. To answer all of them the same: {command} deny --all-like" in denied
    assert "Denied: 2 requests." in request("deny", "--all-like", second["id"])
    assert daemon.waiting() == []


def test_the_help_of_lock_names_no_way_to_open():
    assert "passphrase" not in run("lock", "--help").out


def test_a_backup_names_the_command_that_tests_it(home, tmp_path):
    file = tmp_path / "my keys.hfb"
    done = run("backup", "create", str(file), "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    assert f"backup verify '{file}'" in done.out
    missing = run("backup", "verify", "--home", str(tmp_path / "none"))
    assert "holdfast --home" in missing.err or "backup verify --help" in missing.err


def test_what_is_left_is_said_before_a_slot_is_removed(home, at_terminal):
    passphrase = home.folder / "second"
    passphrase.write_text("another long passphrase")
    proof = ("--passphrase-file", str(home.passphrase_file))
    home.cli("slot", "add", "passphrase", "--new-passphrase-file", str(passphrase), *proof, check=True)
    terminal = at_terminal("slot", "remove", "2", *proof)
    shown = terminal.wait_for("[y/N]")
    assert "What still opens the vault afterwards:" in shown and "slot 1: passphrase" in shown
    terminal.type("n\n")
    terminal.finish()


def test_a_weak_passphrase_is_said_after_the_first_typing_and_nothing_typed_is_shown(empty_home):
    terminal = Terminal("init", "--home", str(empty_home.path))
    try:
        terminal.wait_for("New passphrase: ")
        terminal.type("letmein\n")
        shown = terminal.wait_for("press Enter for another one: ")
        assert "Note: " in shown and "Repeat it" in shown and "[y/N]" not in shown
        assert not terminal.echoes
        # Whoever types it anew, instead of an answer, shows it to nobody.
        terminal.type("four random words here\n")
        assert "four random" not in terminal.wait_for("New passphrase: ") and not terminal.echoes
        terminal.type("letmein\n")
        terminal.wait_for("press Enter for another one: ")
        terminal.type("\n")
        assert "differ" not in terminal.wait_for("New passphrase: ")
        terminal.type("letmein\n")
        terminal.wait_for("press Enter for another one: ")
        terminal.type("letmein\n")
        assert "Made a vault" in terminal.finish() and terminal.code == 0
    finally:
        terminal.close()


@pytest.mark.parametrize("words", [("slot", "remove", "2"), ("identity", "delete", "bob")], ids=" ".join)
def test_the_question_comes_before_the_passphrase_where_a_signer_runs(words, home, start, at_terminal):
    passphrase = home.folder / "second"
    passphrase.write_text("another long passphrase")
    proof = ("--passphrase-file", str(home.passphrase_file))
    home.cli("slot", "add", "passphrase", "--new-passphrase-file", str(passphrase), *proof, check=True)
    home.cli("identity", "create", "bob", *proof, check=True)
    start()
    question, yes = ("type its name: ", "bob") if words[0] == "identity" else ("[y/N]", "y")
    for answer in ("n", yes):
        terminal = at_terminal(*words)
        assert "assphrase for " not in terminal.wait_for(question)
        terminal.type(answer + "\n")
        if answer == yes:
            for typed in ("not it", PASSPHRASE):
                terminal.wait_for("assphrase for ")
                terminal.type(typed + "\n")
        shown = terminal.finish()
        assert question not in shown and ("Nothing was done." in shown) == (answer == "n") and terminal.code == (answer == "n"), shown


@pytest.mark.parametrize("words", [("slot", "remove", "2"), ("identity", "delete", "bob")], ids=" ".join)
def test_a_wrong_passphrase_is_noticed_before_the_question_where_it_opens_the_vault(words, home, at_terminal):
    passphrase = home.folder / "second"
    passphrase.write_text("another long passphrase")
    proof = ("--passphrase-file", str(home.passphrase_file))
    home.cli("slot", "add", "passphrase", "--new-passphrase-file", str(passphrase), *proof, check=True)
    home.cli("identity", "create", "bob", *proof, check=True)
    terminal = at_terminal(*words)
    terminal.wait_for("assphrase for ")
    terminal.type("not it\n")
    question, yes = ("type its name: ", "bob") if words[0] == "identity" else ("[y/N]", "y")
    assert question not in terminal.wait_for("assphrase for ")
    terminal.type(PASSPHRASE + "\n")
    terminal.wait_for(question)
    terminal.type(yes + "\n")
    assert "assphrase: " not in terminal.finish() and terminal.code == 0


def test_a_taken_port_is_said_before_the_passphrase_is_asked_for(daemon, closed_home):
    other = closed_home.copied()
    port = daemon.relay.split(":")[2].split("/")[0]
    terminal = Terminal("up", "--listen", f"127.0.0.1:{port}", "--home", str(other.path))
    try:
        shown = said(terminal, other)
        assert f"Port {port} on 127.0.0.1 is taken." in shown and "assphrase" not in shown and terminal.code == 1
    finally:
        terminal.close()
        other.remove()


JUNK = "test " * 11 + "junk"


def test_a_script_imports_words_that_everybody_knows_only_with_yes(home):
    proof = ("--passphrase-file", str(home.passphrase_file))
    refused = home.cli("identity", "import", "bob", *proof, stdin=JUNK)
    assert refused.code == 1 and "Everybody knows this key" in refused.said and "identity import NAME --yes" in refused.said
    assert home.cli("identity", "import", "bob", "--yes", *proof, stdin=JUNK).code == 0


@pytest.mark.parametrize(("answer", "code"), [("n", 1), ("yes", 0)])
def test_a_person_is_asked_about_words_that_everybody_knows(answer, code, home, at_terminal):
    terminal = at_terminal("identity", "import", "bob", "--passphrase-file", str(home.passphrase_file))
    terminal.wait_for("words): ")
    terminal.type(JUNK + "\n")
    asked = " ".join(terminal.wait_for("[y/N]").split())
    assert "Everybody knows this key" in asked and "Import it anyway, for a test?" in asked
    terminal.type(answer + "\n")
    terminal.finish()
    assert terminal.code == code


async def test_an_app_is_named_with_its_link(daemon, apps):
    link = daemon.pair("low", "--name", "Amethyst on the phone")
    assert "Amethyst on the phone" in run("pair", "--list", "--home", str(daemon.home.path)).out
    assert [one["name"] for one in daemon.do("pair", "--list")["links"] if one.get("name")] == ["Amethyst on the phone"]
    app = await apps(App.paired(link))
    assert [one["name"] for one in daemon.clients() if one["pubkey"] == app.key.public] == ["Amethyst on the phone"]
    invisible = daemon.cli("pair", "--name", "\u200b")
    assert invisible.code == 2 and "no visible characters" in invisible.said


async def test_up_says_that_requests_wait(daemon, home, apps):
    app = await apps(App.paired(daemon.pair("low")))
    await app.send("sign_event", [as_json(template(1, "hello"))])
    await eventually(daemon.waiting, "a request waits")
    daemon.stop()
    terminal = Terminal("up", "--listen", "127.0.0.1:0", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    try:
        shown = " ".join(terminal.wait_for("secret=").split())
        assert "1 request waits for your answer. To see it: holdfast --home" in shown and "request list" in shown
        terminal.type("\x03")
        terminal.finish()
    finally:
        terminal.close()


async def test_up_says_that_all_apps_are_paused_after_a_restore_and_how_a_code_is_shown(daemon, home, apps, tmp_path):
    await apps(App.paired(daemon.pair("low")))
    daemon.do("backup", "create", str(tmp_path / "keys.hfb"))
    passphrase = ("--passphrase-file", str(home.passphrase_file))
    restored = tmp_path / "restored"
    run("backup", "restore", str(tmp_path / "keys.hfb"), "--into", str(restored), *passphrase)
    terminal = Terminal("up", "--listen", "127.0.0.1:0", "--home", str(restored), *passphrase)
    try:
        shown = " ".join(terminal.wait_for("secret=").split())
        assert "The paired app is paused: it asks you for everything." in shown and "client resume NAME" in shown
        assert "--qr shows" not in shown, "no phone reaches a relay on loopback"
        terminal.type("\x03")
        terminal.finish()
    finally:
        terminal.close()
    away = run("pair", "--relay", "wss://relay.example", "--home", str(home.path))
    assert away.code == 0 and "--qr" not in away.out
    link, *rest = away.out.splitlines()
    assert link.startswith("bunker://") and not rest, "another program gets the link alone"
    assert "Give this link to one app." in away.err
    on_screen = Terminal("pair", "--relay", "wss://relay.example", "--home", str(home.path))
    try:
        assert "The QR code needs a terminal with" in on_screen.finish()
    finally:
        on_screen.close()
