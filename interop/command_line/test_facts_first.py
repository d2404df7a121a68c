"""Facts come before questions: nobody types a passphrase to learn what can be said without one."""

from __future__ import annotations

import subprocess

import pytest

from harness.app import App
from harness.daemon import Home, binary, environment, run
from harness.terminal import Terminal


def said(*words: str, home: Home) -> tuple[int, str]:
    """What a command shows at a terminal, when nobody types anything."""
    terminal = Terminal(*words, "--home", str(home.path))
    try:
        shown = " ".join(terminal.finish().split())
        return terminal.code, shown.replace(f" --home {home.path}", "")
    finally:
        terminal.close()


def test_status_without_a_signer_says_where_the_vault_is_and_how_to_see_more(home):
    code, shown = said("status", home=home)
    assert code == 1 and "no signer running" in shown and str(home.path) in shown.replace(" ", "")
    assert "status --open" in shown and "Passphrase" not in shown
    opened = run("status", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    assert "Identities" in opened.out


def test_the_list_of_requests_without_a_signer_asks_for_nothing(home, at_terminal):
    terminal = at_terminal("request", "list")
    shown = terminal.finish()
    assert terminal.code == 1 and "The signer is not running" in shown and "Passphrase" not in shown
    assert "request list --open" in " ".join(shown.split())
    asked = at_terminal("request", "list", "--open")
    asked.wait_for("Passphrase for ")
    named = run("request", "list", "--passphrase-file", str(home.passphrase_file), "--home", str(home.path))
    assert named.code == 0 and "Nothing waits for you." in named.out
    nowhere = run("request", "list", "--home", str(home.folder / "none"))
    assert nowhere.code == 5, "there is no vault"


def test_status_without_a_signer_says_that_the_next_one_starts_locked_down(home):
    home.cli("panic", check=True)
    assert "locked down" in said("status", home=home)[1]


def test_the_start_says_before_the_passphrase_that_it_will_be_locked_down(home):
    terminal = Terminal("up", "--listen", "127.0.0.1:0", "--home", str(home.path))
    try:
        assert "locked down" not in terminal.wait_for("Passphrase for ")
    finally:
        terminal.close()
    home.cli("panic", check=True)
    terminal = Terminal("up", "--listen", "127.0.0.1:0", "--home", str(home.path))
    try:
        shown = " ".join(terminal.wait_for("Passphrase for ").split())
        assert "was locked down and still will be" in shown and f"holdfast --home {home.path} resume" in shown
    finally:
        terminal.close()


@pytest.mark.parametrize("command", ["console", "lock", "unlock"])
def test_what_needs_the_signer_says_that_none_runs(command, home):
    code, shown = said(command, home=home)
    assert code == 1 and "none runs" in shown and "Passphrase" not in shown


def test_a_second_signer_is_refused_before_its_passphrase(daemon, home):
    code, shown = said("up", home=home)
    assert code == 1 and f"process {daemon.pid}" in shown and "Passphrase" not in shown


@pytest.mark.parametrize(
    "words",
    [
        "identity list",
        "identity export alice",
        "identity delete alice",
        "identity rotate alice",
        "recovery create",
        "recovery remove k",
        "slot test",
        "slot add passphrase",
        "slot passphrase",
        "backup create /tmp/never.hfb",
        "backup list",
        "client list",
        "guardian held",
        "vault repair",
        "panic",
        "log show",
    ],
)
def test_without_a_vault_nothing_is_asked(words, empty_home):
    code, shown = said(*words.split(), home=empty_home)
    assert code == 5 and "There is no vault" in shown and "assphrase" not in shown and "[y/N]" not in shown


def test_an_app_that_does_not_exist_is_not_asked_about(daemon, home):
    code, shown = said("client", "revoke", "nosuch", home=home)
    assert code == 5 and "[y/N]" not in shown


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--threshold", "4", "--shares", "3"), "cannot need"),
        (("--group", "3/2"), "cannot need"),
        (("--group", "1/2", "--group-threshold", "2"), "cannot need"),
        (("--threshold", "1", "--shares", "3"), "If one of 3 shares were enough, each would be a copy of the whole key."),
        (("--group", "2/3", "--group", "1/2"), "If one of 2 shares were enough"),
    ],
)
def test_a_kit_that_cannot_be_made_is_refused_before_the_passphrase(words, why, home):
    code, shown = said("recovery", "create", *words, home=home)
    assert code == 2 and why in shown and "Passphrase" not in shown


def test_unlocking_what_is_not_locked_says_so(daemon, home):
    code, shown = said("unlock", home=home)
    assert (code, shown) == (0, "It was not locked.")
    code, shown = said("resume", home=home)
    assert code == 0 and "Nothing was locked down" in shown and "Passphrase" not in shown
    assert run("unlock", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file)).out == "It was not locked.\n"


def test_a_second_lock_says_that_it_was_locked(daemon, home):
    assert said("lock", home=home)[1].startswith("Locked.")
    assert said("lock", home=home)[1].startswith("It was locked already.")


def test_what_a_deletion_lacks_is_named_at_once(daemon, home):
    refused = run("identity", "delete", "alice", "--home", str(home.path))
    assert refused.code == 2 and "add --yes" in refused.err and "--passphrase-file FILE" in refused.err, refused


def test_a_quiet_start_prints_the_link_alone(home):
    terminal = Terminal(
        "up", "--quiet", "--listen", "127.0.0.1:0", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file)
    )
    try:
        shown = terminal.wait_for("secret=")
        assert shown.startswith("bunker://") and "Next" not in shown, shown
        terminal.type("\x03")
        assert "Stopped" not in terminal.finish() and terminal.code == 0
    finally:
        terminal.close()


def test_init_says_first_that_nobody_can_recover_the_passphrase(empty_home):
    terminal = Terminal("init", "--home", str(empty_home.path))
    try:
        shown = " ".join(terminal.wait_for("New passphrase").split())
        assert "nobody can recover it for you" in shown and "at least 12 characters" in shown
        terminal.type("four random words here\n")
        terminal.wait_for("Repeat it")
        terminal.type("four random words here\n")
        assert "holdfast --home" in (ending := " ".join(terminal.finish().split())) and "recovery create" in ending
    finally:
        terminal.close()


def test_what_does_not_fit_the_terminal_goes_through_the_pager(daemon, home):
    for words, is_paged in [
        (("policy", "show", "--home", str(home.path)), True),
        (("help", "all"), True),
        (("status", "--home", str(home.path)), False),
    ]:
        terminal = Terminal(*words, HOLDFAST_PAGER="sed s/^/paged:/")
        try:
            assert terminal.finish().startswith("paged:") == is_paged and terminal.code == 0, words
        finally:
            terminal.close()
    for words in (("log", "show"), ("request", "list")):
        for more, is_paged in (((), True), (("--no-pager",), False)):
            terminal = Terminal(*words, *more, "--home", str(home.path), size=(1, 80), HOLDFAST_PAGER="sed s/^/paged:/")
            try:
                assert ("paged:" in terminal.finish()) == is_paged, (words, more)
            finally:
                terminal.close()
    missing = Terminal("help", "all", HOLDFAST_PAGER="no-such-pager")
    try:
        assert "holdfast: " in missing.finish(), "the text is shown all the same"
    finally:
        missing.close()
    assert "paged" not in run("help", "all", env=environment(HOLDFAST_PAGER="sed s/^/paged:/")).out


def test_in_a_lockdown_commands_name_it_and_the_way_out(daemon, home):
    home.cli("panic", check=True)
    for words in (("pair",), ("log", "show"), ("identity", "create", "bob")):
        done = home.cli(*words)
        assert done.code == 3 and "locked down" in done.said and f"holdfast --home {home.path} resume" in done.said, words
    signed = home.cli("sign", stdin='{"kind":1,"content":"hello"}')
    assert signed.code == 3 and "locked down" in signed.said and f"holdfast --home {home.path} resume" in signed.said
    assert "locked down as well" in said("lock", home=home)[1]
    words = ("--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    unlocked = run("unlock", *words)
    assert unlocked.out.startswith("Unlocked. The signer is still locked down")
    status = " ".join(run("status", *words[:2]).out.split())
    assert "The signer is locked down: every use of a key asks you." in status
    assert "no app is served" not in status and "holdfast unlock" not in status
    paired = home.cli("pair")
    assert paired.code == 3 and "no app can be paired" in paired.said and "unlock" not in paired.said, "as in the console"
    assert run("resume", *words).code == 0


def test_a_lockdown_of_a_trial_is_asked_about_first(start):
    trial = start(trial=True)
    home = trial.home
    home.path = type(home.path)(trial.ready["home"])
    terminal = Terminal("panic", "--home", str(home.path))
    try:
        assert "This trial cannot be resumed" in " ".join(terminal.wait_for("[y/N]").split())
        terminal.type("n\n")
        terminal.finish()
        assert terminal.code == 1 and not home.cli("status").value["suspended"]
    finally:
        terminal.close()
    home.cli("panic", check=True)
    shown = said("status", home=home)[1]
    assert "locked down for good" in shown and "holdfast resume" not in shown and "holdfast unlock" not in shown


def test_a_trial_says_what_to_do_instead_of_asking_for_a_passphrase(start):
    trial = start(trial=True)
    home = trial.home
    home.path = type(home.path)(trial.ready["home"])
    for command in ("lock", "unlock", "resume"):
        code, shown = said(command, home=home)
        assert code == 1 and "never locked" in shown and "keep" in shown and "Passphrase" not in shown, command
    home.cli("panic", check=True)
    for command in ("lock", "unlock", "resume", "pair"):
        code, shown = said(command, home=home)
        assert "This trial is locked down" in shown and "up --trial" in shown and "Passphrase" not in shown, command


def test_in_a_trial_nobody_is_asked_for_a_passphrase_that_nobody_knows(start, tmp_path):
    trial = start(trial=True)
    home = trial.home
    home.path = type(home.path)(trial.ready["home"])
    for command in (
        "identity export main",
        "slot passphrase",
        "slot add passphrase",
        "recovery create",
        f"backup schedule --untested --to {tmp_path}",
    ):
        code, shown = said(*command.split(), home=home)
        assert code == 1 and "nobody knows that of a trial" in shown and "holdfast keep" in shown, command
        assert "assphrase:" not in shown and "How many" not in shown, command


def test_a_time_after_the_end_is_an_error(daemon):
    done = daemon.cli("log", "show", "--since", "1h", "--until", "2h")
    assert done.code == 2 and "--since is later than --until" in done.said


def test_an_export_can_be_limited(daemon, home):
    done = run("log", "export", "--limit", "2", "--home", str(home.path))
    assert done.code == 0 and done.out.count("\n") == 2


def test_a_mistyped_noun_is_suggested_with_its_verb():
    assert "Did you mean 'holdfast client list'?" in run("clinet", "list").err
    assert "Did you mean 'holdfast client'?" in run("clinet", "nosuch").err


def test_a_schedule_that_is_set_is_shown_by_schedule_alone(daemon, home):
    place = home.folder / "backups"
    place.mkdir()
    proof = ("--passphrase-file", str(home.passphrase_file))
    assert home.cli("backup", "schedule").code == 2
    home.cli("backup", "schedule", "--to", str(place), *proof, check=True)
    code, shown = said("backup", "schedule", home=home)
    assert code == 0 and str(place) in shown


def test_a_place_that_does_not_work_comes_with_the_whole_command_that_takes_it(daemon, home):
    place = "/proc/no such place"
    proof = ("--passphrase-file", str(home.passphrase_file))
    refused = home.cli("backup", "schedule", "--to", place, "--keep", "3", *proof)
    assert refused.code == 1 and f"holdfast --home {home.path} backup schedule --to '{place}' --keep 3 --untested" in refused.said


def test_the_first_wrong_passphrase_only_says_so(daemon, home):
    home.cli("lock", check=True)
    wrong = home.folder / "wrong"
    wrong.write_text("not it")
    assert home.cli("unlock", "--passphrase-file", str(wrong)).value["hint"] == "Try again."


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("identity", "create", "../x"), "no “/”"),
        (("identity", "create", ""), "NAME is empty"),
        (("identity", "set", "alice"), "--colour"),
        (("client", "allow", "app", "signevent:1"), "sign_event:KIND"),
        (("client", "deny", "app", "sign_event:x"), "from 0 to 65535"),
        (("client", "forget", "app", "nip44_decrypt@someone"), "not a person"),
        (("backup", "schedule", "--to", "/tmp", "--every", "1x"), "15m to 366d"),
        (("session", "set"), "--lock-after 15m"),
        (("log", "show", "--since", "2026-02-30"), "a real date"),
        (("log", "show", "--since", "2099-01-01"), "in the future"),
        (("request", "approve"), "holdfast request list"),
        (("pair", "bunker://" + "a" * 64), "Paste it into the app"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_before_the_passphrase(words, why, home):
    code, shown = said(*words, home=home)
    assert code == 2 and why in shown and "Passphrase" not in shown
    assert "lock_after" not in shown and "“every”" not in shown


def test_a_kit_that_does_not_exist_is_not_asked_about(daemon, home):
    code, shown = said("recovery", "remove", "zzzz", home=home)
    assert code == 5 and "no kit “zzzz”" in shown and "[y/N]" not in shown


def test_erasing_a_vault_in_use_is_refused_before_the_word_is_typed(daemon, home):
    code, shown = said("erase", home=home)
    assert code == 1 and f"process {daemon.pid}" in shown and "Nothing was erased" in shown and "Type ERASE" not in shown


def test_status_as_json_asks_for_nothing(home):
    code, shown = said("status", "--json", home=home)
    assert code == 1 and "No signer runs on this home." in shown and "--open" in shown and "Passphrase" not in shown


def test_beside_a_trial_a_command_without_home_names_the_trials_folder(start, tmp_path):
    trial = start(trial=True)
    asked = run("pair", "--home", str(tmp_path / "none"), env={"TMPDIR": str(trial.home.folder)})
    assert asked.code == 5 and "A trial runs in another folder" in asked.err and trial.ready["home"] in asked.err


async def test_allowing_all_events_says_which_kinds_still_ask(daemon):
    app = await App.paired(daemon.pair("medium"))
    shown = run("client", "allow", app.key.public, "sign_event", "--home", str(daemon.home.path))
    await app.close()
    assert shown.code == 0 and "still ask" in shown.out and "sign_event:3" in shown.out


def test_the_log_takes_an_app_by_the_name_of_its_column(daemon):
    assert daemon.cli("log", "show", "--app", "nobody").said == daemon.cli("log", "show", "--client", "nobody").said


def test_a_folder_in_place_of_a_backup_is_named_with_the_option_for_it(home):
    code, shown = said("backup", "verify", str(home.folder), home=home)
    assert code == 2 and "is a folder" in shown and f"--from {home.folder}" in shown and "Passphrase" not in shown


def test_testing_a_kit_that_was_never_made_asks_for_no_words(daemon, home):
    code, shown = said("recovery", "test", home=home)
    assert code == 5 and "no recovery kit" in shown and "holdfast recovery create" in shown


@pytest.mark.parametrize("words", [("identity", "list"), ("unlock",)])
def test_without_a_terminal_the_option_for_the_passphrase_is_named(words, home, start):
    if words == ("unlock",):
        start().do("lock")
    done = home.cli(*words)
    assert done.code == 3 and "--passphrase-file FILE" in done.said


async def test_while_locked_apps_get_less_but_not_more_and_the_command_says_that_they_wait(daemon, home, apps):
    app = await apps(App.paired(daemon.pair(trust="medium")))
    more = [("client", "allow", app.key.public, "sign_event:7"), ("client", "trust", app.key.public, "full", "--yes"), ("pair",)]
    less = [("client", "deny", app.key.public, "sign_event:1"), ("client", "trust", app.key.public, "low")]
    home.cli("lock", check=True)
    for words in more:
        code, shown = said(*words, home=home)
        assert code == 3 and "Until you unlock it, apps can only be allowed less, not more" in shown, words
    for words in less:
        code, shown = said(*words, home=home)
        assert code == 0 and "Requests that need a key wait until you unlock it: holdfast unlock" in shown, words
    home.cli("unlock", "--passphrase-file", str(home.passphrase_file), check=True)
    for words in [*less, *more]:
        code, shown = said(*words, *(["--yes"] if "trust" in words else []), home=home)
        assert code == 0 and "locked" not in shown, words


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        (("backup", "create", "--out", "x"), "Usage: holdfast backup create [FILE] "),
        (("backup", "create", "--out", "x"), "The file is given without an option: holdfast backup create FILE"),
        (("backup", "verify", "--file", "x"), "The file is given without an option: holdfast backup verify FILE"),
        (("sign", "--out", "x"), "Its output goes into a file like this: holdfast sign < drafts.jsonl > signed.jsonl"),
        (("identity", "export", "a", "--output", "x"), "Did you mean --out?"),
        (("log", "export", "--output", "x"), "Did you mean --out?"),
        (("sign", "-o", "x"), "Its output goes into a file like this: holdfast sign < drafts.jsonl > signed.jsonl"),
        (("client", "allow", "app"), "Usage: holdfast client allow CLIENT PERMISSION... [--for HOW-LONG] [--yes]\n"),
        (("client", "limit", "app", "--often", "5"), "Usage: holdfast client limit CLIENT [--per-minute N]"),
        (("unlock", "now"), "Usage: holdfast unlock\nTry '"),
    ],
)
def test_a_command_that_is_written_wrongly_is_shown_as_it_is_written(words, usage):
    done = run(*words)
    next_step = (
        "--help'",
        "The file is given",
        "Its output goes",
        "Did you mean",
        "For example: holdfast ",
        "To see the apps: holdfast client list",
    )
    assert done.code == 2 and usage in done.err and any(step in done.err for step in next_step)


def test_without_a_terminal_the_option_for_a_new_password_is_named(home):
    wanted = home.cli("identity", "export", "alice", "--format", "ncryptsec", "--passphrase-file", str(home.passphrase_file))
    assert "--password-file FILE" in wanted.err + wanted.out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("backup", "verify", "/nosuch.hfb"), 5, "/nosuch.hfb could not be read"),
        (("identity", "import", "alice"), 1, "An identity of that name already exists"),
        (("slot", "remove", "99"), 5, "slot"),
        (("identity", "export", "alice", "--format", "nsec"), 2, "add --unencrypted"),
    ],
)
def test_what_cannot_work_is_refused_before_a_secret_is_typed(daemon, home, words, code, says):
    assert home.cli("identity", "list", check=True).value["identities"][0]["name"] == "alice"
    found, shown = said(*words, home=home)
    assert found == code and says in shown, shown
    assert "Passphrase" not in shown and "Key (" not in shown


def test_a_relative_home_is_shown_from_the_root(home, tmp_path, monkeypatch):
    monkeypatch.chdir(home.path.parent)
    words = ("up", "--home", home.path.name, "--passphrase-file", str(home.passphrase_file), "--listen", "127.0.0.1:0")
    terminal = Terminal(*words)
    try:
        shown = terminal.wait_for("Ctrl-C") + terminal.wait_for("bunker://")
    finally:
        terminal.close()
    assert f"export HOLDFAST_HOME={home.path}" in shown


def test_a_trial_that_is_kept_elsewhere_names_its_home_in_the_next_steps(start, tmp_path):
    trial = start(trial=True)
    (tmp_path / "passphrase").write_text("four words for a test\n")
    kept = tmp_path / "kept"
    done = run("keep", "--home", trial.ready["home"], "--to", str(kept), "--new-passphrase-file", str(tmp_path / "passphrase"))
    assert done.code == 0, done
    assert f"holdfast --home {kept} recovery create" in done.out and f"holdfast --home {kept} backup schedule" in done.out


@pytest.mark.parametrize("words", [("identity", "list"), ("identity", "list", "--json"), ("man",), ("client", "list"), ("status",)])
def test_output_that_cannot_be_written_is_an_error_that_says_so(words, daemon, home):
    command = [str(binary()), *words, *([] if words == ("man",) else ["--home", str(home.path)])]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1 and "Standard output could not be written: No space left on device." in done.stderr


def test_what_a_locked_signer_cannot_do_is_refused_before_anything_is_asked(daemon, home, tmp_path, at_terminal):
    home.cli("lock", check=True)
    for words in (("identity", "export", "alice"), ("recovery", "create", "--out", str(tmp_path / "kit"))):
        terminal = at_terminal(*words)
        assert "The signer is locked." in " ".join(terminal.wait_for(" unlock").split())
        terminal.finish()
        assert terminal.code == 3
    assert not (tmp_path / "kit").exists()


async def test_no_two_apps_get_the_same_name(daemon, home, apps):
    first, second = [await apps(App.paired(daemon.pair())) for _ in range(2)]
    assert home.cli("client", "rename", first.key.public, "Phone").code == 0
    for words in (("client", "rename", second.key.public, "Phone"), ("pair", "--name", "Phone")):
        code, shown = said(*words, home=home)
        assert code == 1 and "Another app is called “Phone”." in shown
    assert home.cli("client", "rename", first.key.public, "Phone").code == 0
