"""The examples of programs on this machine, run as their page says. The one in Swift is built by `swift build`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness.waiting import until
from reference.events import is_genuine

PROJECT = Path(__file__).parents[2]
IN_PYTHON = [sys.executable, str(PROJECT / "Examples/LocalPrograms/sign.py")]
IN_SWIFT = [str(PROJECT / ".build/debug/LocalSigningExample")]


def arguments(example: list[str], text: str, home) -> list[str]:
    return [*example, text, *(["--home"] if example is IN_PYTHON else []), str(home.path)]


@pytest.mark.parametrize("example", [IN_PYTHON, IN_SWIFT], ids=["Python", "Swift"])
def test_the_example_signs_a_note(start, home, example):
    daemon = start()
    running = subprocess.Popen(arguments(example, "Hello from a program", home), stdout=subprocess.PIPE, text=True)
    daemon.do("request", "approve", until(daemon.waiting, "the example's request")[0]["id"])
    out, _ = running.communicate(timeout=30)
    event = json.loads(out)
    assert is_genuine(event)
    assert event["content"] == "Hello from a program"


@pytest.mark.parametrize("example", [IN_PYTHON, IN_SWIFT], ids=["Python", "Swift"])
def test_the_example_says_that_no_signer_runs(home, example):
    done = subprocess.run(arguments(example, "x", home), capture_output=True, text=True)
    assert "holdfast up" in done.stdout + done.stderr


def test_the_example_in_python_says_that_it_waits_and_which_socket_it_tried(start, home):
    done = subprocess.run(arguments(IN_PYTHON, "x", home), capture_output=True, text=True)
    assert str(home.path / "app.sock") in done.stderr and ".." not in done.stderr
    daemon = start()
    running = subprocess.Popen(arguments(IN_PYTHON, "x", home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stderr.readline() == "Waiting for the owner: holdfast request list\n"
    daemon.do("request", "deny", until(daemon.waiting, "the example's request")[0]["id"])
    assert "denied" in running.communicate(timeout=30)[1]
