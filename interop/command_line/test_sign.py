"""`holdfast sign` as a filter."""

from __future__ import annotations

import json
import subprocess

from harness.daemon import binary, environment
from reference.events import as_json, is_genuine, template


def sign(home, text: str, *more: str) -> subprocess.CompletedProcess:
    command = [binary(), "sign", "--home", str(home.path), *more]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, env=environment())


def test_one_event_may_be_spread_over_lines(daemon, home):
    done = sign(home, json.dumps(json.loads(as_json(template(content="one"))), indent=2))
    (line,) = done.stdout.splitlines()
    assert is_genuine(json.loads(line))


def test_several_events_are_signed_in_their_order(daemon, home):
    lines = [as_json(template(content=str(number))) for number in range(5)]
    done = sign(home, "\n".join(lines) + "\n\n")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and [event["content"] for event in events] == ["0", "1", "2", "3", "4"]
    assert all(is_genuine(event) for event in events)


def test_a_line_that_is_no_event_is_named_and_nothing_is_signed(daemon, home):
    done = sign(home, as_json(template(content="one")) + "\n{\n")
    assert done.returncode == 2 and done.stdout == "" and "Line 2 of standard input" in done.stderr


def test_without_a_signer_each_event_is_proved(home):
    lines = [as_json(template(content=str(number))) for number in range(2)]
    done = sign(home, "\n".join(lines), "--passphrase-file", str(home.passphrase_file))
    assert done.returncode == 0 and all(is_genuine(json.loads(line)) for line in done.stdout.splitlines())
    assert len(done.stdout.splitlines()) == 2


def test_an_event_that_cannot_be_signed_is_named_by_its_line(daemon, home):
    lines = [as_json(template(content="one")), "", '{"kind":"x"}', as_json(template(content="three"))]
    done = sign(home, "\n".join(lines))
    assert done.returncode == 1 and [json.loads(line)["content"] for line in done.stdout.splitlines()] == ["one"]
    assert "Line 3: This is not an event" in done.stderr and "The lines before it were signed" in done.stderr
    ahead = sign(home, as_json(template(created_at=4_000_000_000)) + "\n" + lines[0])
    assert ahead.returncode == 1 and "Line 1: The event is dated" in ahead.stderr and "Nothing was signed" in ahead.stderr
    assert sign(home, as_json(template(created_at=4_000_000_000))).returncode == 4


def test_what_is_not_about_an_event_keeps_its_exit_code(daemon, home):
    lines = "\n".join(as_json(template(content=str(number))) for number in range(2))
    assert sign(home, lines, "--identity", "nobody").returncode == 5
