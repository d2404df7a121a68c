"""`holdfast stop` ends the signer of this home, and says what is true after that."""

from __future__ import annotations

import contextlib
import json
import signal

from harness.daemon import run
from harness.terminal import Terminal


def test_stop_ends_the_signer_and_waits_until_it_has_ended(daemon, home):
    done = run("stop", "--home", str(home.path))
    assert done.code == 0 and f"The signer (process {daemon.pid}) has ended." in done.out, done.said
    assert not daemon.is_running, "it had ended when the command said so"
    assert daemon.stop() == 0, "it ended as it does after Ctrl-C"
    again = run("stop", "--home", str(home.path))
    assert again.code == 1 and "No signer runs on this home." in again.err
    assert again.code == run("status", "--home", str(home.path)).code


def test_stop_answers_programs_in_json(daemon, home):
    done = run("stop", "--json", "--home", str(home.path))
    assert json.loads(done.out) == {"home": str(home.path), "pid": daemon.pid, "unit": None}
    again = run("stop", "--json", "--home", str(home.path))
    assert again.code == 1 and json.loads(again.out)["error"] == "No signer runs on this home."


def test_a_trial_is_ended_only_by_somebody_who_knows_that_it_is_wiped(empty_home):
    with_trial = Terminal("up", "--trial", "--listen", "127.0.0.1:0")
    try:
        shown = with_trial.wait_for("Ctrl-C stops the signer.")
        home = shown.split("export HOLDFAST_HOME=")[1].split()[0]
        refused = run("stop", "--home", home)
        assert refused.code == 2 and "add --yes" in refused.err, refused.said
        done = run("stop", "-y", "--home", home)
        assert done.code == 0 and "has ended" in done.out, done.said
        with_trial.finish()
    finally:
        with_trial.close()


@contextlib.contextmanager
def used_trial(tmp_path):
    """A trial at a terminal, in which an identity was made; and its folder."""
    trial = Terminal("up", "--trial", "--listen", "127.0.0.1:0", HOME=str(tmp_path))
    try:
        home = trial.wait_for("secret=").split("export HOLDFAST_HOME=")[1].split()[0]
        assert run("identity", "create", "bob", "--home", home).code == 0
        yield trial, home
    finally:
        trial.close()


def test_ctrl_c_says_first_what_the_end_of_a_trial_wipes(tmp_path):
    with used_trial(tmp_path) as (trial, home):
        trial.type("\x03")
        said = " ".join(trial.wait_for("Ctrl-C again.").split())
        assert (
            "wipes the keys of “" in said
            and "“bob”" in said
            and f"To keep everything, in another terminal: holdfast --home {home} keep" in said
        )
        assert run("identity", "create", "carol", "--home", home).code == 0, "it goes on"
        trial.type("\x03")
        assert "“carol”" in trial.wait_for("Ctrl-C again."), "there is more to lose since"
        trial.type("\x03")
        assert "the trial vault was wiped" in trial.finish() and trial.code == 0


def test_a_trial_that_a_program_ends_is_not_asked_about(tmp_path):
    with used_trial(tmp_path) as (trial, _):
        trial.signal(signal.SIGTERM)
        assert "Ctrl-C again" not in (said := trial.finish()) and "the trial vault was wiped" in said


def test_status_says_what_the_backups_are_worth(daemon, home, at_terminal, tmp_path):
    def said() -> str:
        return " ".join(run("status", "--home", str(home.path)).out.split()).replace(f" --home {home.path}", "")

    assert "No backup was made yet. To make one: holdfast backup create FILE" in said()
    overview = " ".join(at_terminal().finish().split())
    assert "No backup was made yet." in overview
    daemon.do("backup", "create", str(tmp_path / "keys.hfb"))
    assert "No backup was made" not in said()
