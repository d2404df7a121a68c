"""A vault of another user of the machine: every command says whose it is, and none says to make one there."""

from __future__ import annotations

import os
import subprocess

import pytest

from harness.daemon import binary, environment

NOBODY = 65534


@pytest.fixture
def strangers(home):
    """A command line as another user types it."""
    assert os.geteuid() == 0, "only root can run a program as another user"
    home.folder.chmod(0o755)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        env = environment(HOME="/nonexistent", HOLDFAST_HOME=str(home.path))
        return subprocess.run([binary(), *words], user=NOBODY, group=NOBODY, env=env, capture_output=True, text=True, timeout=60)

    return run


@pytest.mark.parametrize("words", ["status", "up", "init", "identity list", "request list", "log verify", "erase --yes"])
def test_a_command_says_that_the_vault_is_another_users(words, strangers):
    done = strangers(*words.split())
    said = " ".join(done.stderr.split())
    assert done.returncode == 4 and "belongs to another user (number 0)" in said and "as the vault's owner" in said
    assert "chmod" not in said and "holdfast init" not in said


def test_what_lies_behind_a_closed_folder_is_not_said_to_be_missing(home, strangers):
    home.folder.chmod(0o700)
    done = strangers("status")
    assert done.returncode == 4 and "You may not look into" in done.stderr and "init" not in done.stderr


def test_doctor_looks_no_further_than_the_folder(strangers):
    said = strangers("doctor").stdout
    assert "belongs to another user" in said and "0 files" not in said and "There is no vault" not in said


def test_a_command_that_needs_no_vault_works_beside_another_users(strangers):
    assert strangers("help").returncode == 0
