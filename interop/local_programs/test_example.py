"""The Python example, run as its page says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from harness.waiting import until
from reference.events import is_genuine

EXAMPLE = Path(__file__).parents[2] / "Examples/LocalPrograms/sign.py"


def test_the_example_signs_a_note(start, home):
    daemon = start()
    running = subprocess.Popen(
        [sys.executable, str(EXAMPLE), "Hello from Python", "--home", str(home.path)], stdout=subprocess.PIPE, text=True
    )
    daemon.do("request", "approve", until(daemon.waiting, "the example's request")[0]["id"])
    out, _ = running.communicate(timeout=30)
    event = json.loads(out)
    assert is_genuine(event)
    assert event["content"] == "Hello from Python"


def test_the_example_says_that_no_signer_runs(home):
    done = subprocess.run([sys.executable, str(EXAMPLE), "x", "--home", str(home.path)], capture_output=True, text=True)
    assert done.returncode == 1 and "holdfast up" in done.stderr
