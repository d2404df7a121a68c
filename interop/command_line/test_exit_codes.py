"""Scripts can rely on a command's exit code: the same thing gives the same code in every command."""

from __future__ import annotations

import pytest

from harness.daemon import environment, run


@pytest.mark.parametrize(
    "words",
    [
        "identity list --passphrase-file nope",
        "recovery test kit/nope",
        "backup verify nope.hfb",
        "proof verify nope",
        "up --tls-cert nope --tls-key nope",
    ],
)
def test_a_file_that_is_not_there_is_a_failure_in_every_command(words, home):
    done = run(*words.split(), env=environment(HOLDFAST_HOME=str(home.path)))
    assert done.code == 1 and "nope" in done.err, done.said


def test_an_export_without_a_password_lacks_an_option(home):
    done = run("identity", "export", "alice", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    assert done.code == 2 and "--password-file" in done.err, done.said
