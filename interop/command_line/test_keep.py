"""A trial that its owner keeps: nothing is lost, whatever happens on the way."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
import subprocess
import time
from pathlib import Path

import pytest

from harness.app import App
from harness.daemon import Daemon, Home, binary, environment, run
from harness.terminal import Terminal
from harness.waiting import until
from reference.events import is_genuine, template

PASSPHRASE = "seven quiet otters knit warm socks"


@pytest.fixture
def trial(empty_home, start) -> Daemon:
    return start(empty_home, trial=True)


@pytest.fixture
def passphrase_file(empty_home) -> Path:
    path = empty_home.folder / "chosen"
    path.write_text(PASSPHRASE)
    return path


def in_trial(*words: str, trial: Daemon):
    done = run(*words, "--home", trial.ready["home"], "--json")
    assert done.code == 0, done.said
    return done.value


def keep(trial: Daemon, passphrase_file: Path, to: Path | str, **more):
    words = ["keep", "--home", trial.ready["home"], "--to", str(to), "--new-passphrase-file", str(passphrase_file), "--json"]
    return run(*words, **more)


def second_ready(daemon: Daemon) -> dict:
    def line():
        lines = daemon.printed.splitlines()
        return json.loads(lines[1]) if len(lines) > 1 else None

    return until(line, "the ready line after the trial was kept", 60)


def kept_home(empty_home: Home, to: Path, passphrase_file: Path) -> Home:
    home = Home()
    shutil.rmtree(home.folder)
    home.folder, home.path, home.passphrase_file = empty_home.folder, to, passphrase_file
    return home


def test_a_trial_that_the_environment_names_is_not_kept_in_its_own_folder(trial, empty_home, passphrase_file):
    surroundings = environment(HOLDFAST_HOME=trial.ready["home"], XDG_DATA_HOME=str(empty_home.folder / "data"))
    surroundings["TMPDIR"] = str(empty_home.folder)
    done = run("keep", "--new-passphrase-file", str(passphrase_file), "--json", env=surroundings)
    assert done.code == 0, done.said
    assert done.value["home"] == str(empty_home.folder / "data" / "holdfast")


async def test_a_kept_trial_is_a_vault_with_the_same_keys_apps_rules_and_log(trial, empty_home, passphrase_file, apps):
    old = Path(trial.ready["home"])
    app = await apps(App.paired(trial.link))
    assert is_genuine(await app.sign(template(content="before")))
    in_trial("identity", "create", "bob", trial=trial)
    client = in_trial("client", "list", trial=trial)["clients"][0]
    in_trial("client", "deny", client["name"], "sign_event:7", trial=trial)
    rules = in_trial("client", "show", client["name"], trial=trial)
    before = in_trial("log", "show", trial=trial)["entries"]
    to = empty_home.folder / "mine" / "vault"
    kept = keep(trial, passphrase_file, to)
    assert kept.code == 0, kept.said
    assert kept.value["home"] == str(to) and f"--home {to}" in kept.value["start"]
    assert not old.exists(), "the trial's folder is wiped"
    assert stat.S_IMODE(to.stat().st_mode) == 0o700
    assert not [path for path in to.parent.iterdir() if path != to], "nothing is left on the way"
    ready = second_ready(trial)
    assert ready["home"] == str(to) and ready["pubkey"] == trial.user and ready["relay"] == trial.relay
    again = await apps(App.open([trial.relay], app.signer, app.key))
    assert is_genuine(await again.sign(template(content="after"))), "the app is still paired"
    home = kept_home(empty_home, to, passphrase_file)
    after = home.cli("log", "show", "--limit", "100", check=True).value["entries"]
    assert [entry for entry in before if entry not in after] == [], "the log is whole"
    assert home.cli("log", "verify", check=True).value["ok"] is True
    assert home.cli("status", check=True).value["trial"] is False
    assert home.cli("client", "show", client["name"], check=True).value["rules"] == rules["rules"]
    assert trial.stop() == 0
    assert {one["name"] for one in home.unlocked("identity", "list").value["identities"]} == {"main", "bob"}
    assert home.unlocked("log", "verify").value["ok"] is True
    assert to.exists(), "a kept vault is not wiped at the end"


def test_a_kept_vault_locks_and_unlocks_with_the_chosen_passphrase(trial, empty_home, passphrase_file):
    to = empty_home.folder / "mine"
    assert keep(trial, passphrase_file, to).code == 0
    home = kept_home(empty_home, to, passphrase_file)
    home.cli("lock", check=True)
    assert home.cli("unlock", "--passphrase-file", str(passphrase_file), check=True).value["locked"] is False


def test_the_printed_command_starts_the_kept_vault(trial, empty_home, passphrase_file):
    to = empty_home.folder / "mine"
    kept = run("keep", "--home", trial.ready["home"], "--to", str(to), "--new-passphrase-file", str(passphrase_file))
    assert kept.code == 0, kept.said
    assert trial.stop() == 0
    printed = next(line for line in kept.out.splitlines() if line.startswith("Next time"))
    words = shlex.split(printed.split(": ", 1)[1])
    assert words[:2] == ["holdfast", "up"] and words.count("--home") == 1, printed
    command = [str(binary()), *words[1:], "--passphrase-file", str(passphrase_file), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment()) as again:
        assert json.loads(again.stdout.readline())["home"] == str(to)
        again.terminate()


def test_the_command_for_this_terminal_can_be_copied(trial, empty_home, passphrase_file):
    to = empty_home.folder / ("long" * 14)
    words = ("--to", str(to), "--new-passphrase-file", str(passphrase_file))
    terminal = Terminal("keep", *words, size=(24, 80), HOLDFAST_HOME=trial.ready["home"])
    try:
        shown = terminal.finish().replace("\r", "")
    finally:
        terminal.close()
    assert f"Type:\n  export HOLDFAST_HOME={to}\n" in shown, shown


def test_what_cannot_be_kept_is_refused_before_a_passphrase_is_asked(trial, daemon, empty_home):
    to = str(empty_home.folder / "mine")
    no_trial = asked("keep", "--home", str(daemon.home.path), "--to", to)
    assert "This signer is no trial" in no_trial and "Passphrase" not in no_trial
    in_trial("panic", trial=trial)
    shut = asked("keep", "--home", trial.ready["home"], "--to", to)
    assert "locked down" in shut and "Passphrase" not in shut


def asked(*words: str) -> str:
    """What a command shows at a terminal when nobody types anything."""
    terminal = Terminal(*words)
    try:
        return " ".join(terminal.finish().split())
    finally:
        terminal.close()


@pytest.mark.parametrize("what", ["a vault", "a file in it", "a file of that name", "a link"])
def test_a_folder_that_is_not_free_is_left_alone_and_the_trial_goes_on(what, trial, empty_home, home, passphrase_file):
    to = empty_home.folder / "mine"
    if what == "a vault":
        to = home.path
    elif what == "a file in it":
        to.mkdir()
        (to / "notes.txt").write_text("mine")
    elif what == "a file of that name":
        to.write_text("mine")
    else:
        to.symlink_to(empty_home.folder / "elsewhere")
    kept = keep(trial, passphrase_file, to)
    assert kept.code == 1 and "Nothing was changed" in kept.said and "--to DIR" in kept.said
    assert in_trial("status", trial=trial)["trial"] is True
    assert not (to / "log").exists() or what == "a vault"
    assert trial.stop() == 0 and not Path(trial.ready["home"]).exists()


def test_only_a_trial_can_be_kept(daemon, passphrase_file, empty_home):
    daemon.ready["home"] = str(daemon.home.path)
    kept = keep(daemon, passphrase_file, empty_home.folder / "mine")
    assert kept.code == 1 and "no trial" in kept.said
    assert not (empty_home.folder / "mine").exists()


def test_a_trial_that_is_locked_down_cannot_be_kept(trial, passphrase_file, empty_home):
    in_trial("panic", trial=trial)
    kept = keep(trial, passphrase_file, empty_home.folder / "mine")
    assert kept.code == 1 and "locked down" in kept.said


def test_the_running_trial_is_found_without_its_folder_being_named(trial, empty_home, passphrase_file):
    to = empty_home.folder / "mine"
    words = ["keep", "--new-passphrase-file", str(passphrase_file), "--json"]
    names = {"TMPDIR": str(empty_home.folder), "HOLDFAST_HOME": str(to)}
    kept = run(*words, env=environment(**names))
    assert kept.code == 0 and kept.value["home"] == str(to)
    again = run(*words, env=environment(**{**names, "HOLDFAST_HOME": str(empty_home.folder / "other")}))
    assert again.code == 5 and "No trial runs here" in again.said


def files(folder: Path) -> int:
    return sum(len(names) for _, _, names in os.walk(folder))


MOMENTS = {
    "while files are copied": lambda old, way, to: files(way) > 1,  # one is the marker
    "when some are copied": lambda old, way, to: files(way) > 3,
    "when the new folder has its name": lambda old, way, to: to.exists(),
    "while the trial is wiped": lambda old, way, to: to.exists() and files(old) < 4,
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_kill_on_the_way_leaves_the_trial_or_the_whole_new_vault(moment, trial, empty_home, passphrase_file):
    old, to = Path(trial.ready["home"]), empty_home.folder / "mine"
    way = to.with_name("mine.incoming")
    with open(old / "backup.spool", "wb") as file:
        file.truncate(100 << 20)  # copying and wiping take long enough to be seen
    words = ["keep", "--home", str(old), "--to", str(to), "--new-passphrase-file", str(passphrase_file)]
    command = subprocess.Popen([binary(), *words], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not MOMENTS[moment](old, way, to) and old.exists() and time.monotonic() < end:
        pass
    trial.kill()
    command.kill()
    command.wait(10)
    place = to if to.exists() else old
    home = kept_home(empty_home, place, passphrase_file)
    checked = home.unlocked("identity", "list").value["identities"]
    assert [one["pubkey"] for one in checked] == [trial.user]
    assert home.unlocked("log", "verify").value["ok"] is True
    if place == old:
        second = home.start()
        assert second.ready["pubkey"] == trial.user
        second.kill()
