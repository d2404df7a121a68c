"""`holdfast-push check`: what an operator can try before a proxy starts. It changes nothing."""

from __future__ import annotations

import json
import os
import socket
import subprocess

import pytest

from harness.daemon import binary, environment
from harness.relays import free_port


def checked(*arguments: str) -> tuple[int, str]:
    """The exit code, and what was found."""
    program = binary().with_name("holdfast-push")
    done = subprocess.run([program, "check", *arguments], capture_output=True, text=True, env=environment(), timeout=60)
    return done.returncode, done.stdout + done.stderr


def test_all_that_a_proxy_needs_is_tried_and_nothing_is_made(arguments, scripted_relay, tmp_path):
    code, said = checked(*arguments)
    assert code == 0 and "✗" not in said, said
    assert "✓ The key for Apple's service can be read, for app.example at localhost:" in said
    assert f"✓ The data folder {tmp_path}/data is made at the first start." in said
    assert f"✓ {scripted_relay.url} takes what the proxy asks for." in said
    assert not (tmp_path / "data").exists()


def test_it_can_be_asked_while_the_proxy_runs(proxies, arguments, tmp_path):
    proxy = proxies(*arguments)
    code, said = checked(*arguments)
    assert code == 0 and f"✓ The data folder {tmp_path}/data and its registrations can be read and written." in said
    assert f"! Another push proxy (process {proxy.process.pid}) uses the data folder" in said
    place = f"127.0.0.1:{proxy.ready['port']}"
    code, said = checked(*arguments[2:], "--listen", place)
    assert code == 0 and f"! Somebody listens on {place}, perhaps the push proxy (process {proxy.process.pid}) that runs." in said
    assert proxy.health()["ok"]
    proxy.stop()
    code, said = checked(*arguments[2:], "--listen", place)
    assert code == 0 and f"✓ A proxy can listen on {place}." in said and "Another push proxy" not in said


def test_an_address_where_it_cannot_listen_is_named(arguments):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = checked(*arguments[2:], "--listen", f"127.0.0.1:{port}")
    assert code == 1 and f"✗ Another program listens on 127.0.0.1:{port}." in said
    code, said = checked(*arguments[2:], "--listen", "192.0.2.1:8087")
    assert code == 1 and "✗ This machine has no address for 192.0.2.1:8087." in said


def test_a_relay_that_is_away_is_named(arguments, scripted_relay):
    away = f"ws://127.0.0.1:{free_port()}"
    code, said = checked(*arguments, "--relay", away, "--json")
    assert code == 1
    answer = json.loads(said)
    assert answer["ok"] is False
    bad = [finding["found"] for finding in answer["findings"] if finding["verdict"] == "bad"]
    assert bad == [f"There is no connection to {away}: the connection was refused."]
    assert f"{scripted_relay.url} takes what the proxy asks for." in [finding["found"] for finding in answer["findings"]]


def relay_lines(said: str) -> list[str]:
    """What was found of relays, without the advice."""
    return [line for line in said.splitlines() if "ws://" in line]


def test_a_relay_that_refuses_the_subscription_is_named_with_its_reason(arguments, scripted_relay):
    scripted_relay.closes_subscriptions = "blocked: \x1b[31mno kind 24133 here\n" + "x" * 300
    code, said = checked(*arguments)
    shown = "blocked: ?[31mno kind 24133 here?"
    assert code == 1 and f"✗ {scripted_relay.url} does not take the proxy's subscription. It says: “{shown}x" in said
    assert "\x1b" not in said and "x" * 201 not in said


@pytest.mark.parametrize("limit", ["most_keys", "most_subscriptions"])
def test_a_relay_that_takes_less_than_a_proxy_may_ask_for_is_warned_of(arguments, scripted_relay, limit):
    full = {"most_keys": 500, "most_subscriptions": 20}[limit]
    setattr(scripted_relay, limit, full)
    assert relay_lines(checked(*arguments)[1]) == [f"✓ {scripted_relay.url} takes what the proxy asks for."]
    setattr(scripted_relay, limit, full - 1)
    code, said = checked(*arguments)
    assert code == 0
    assert f"! {scripted_relay.url} takes a subscription for one key, and not as much" in said
    assert "20 subscriptions on one connection, of 500 keys each. It says: “error: too many " in said


def test_a_relay_with_a_login_is_logged_in_to(arguments, scripted_relay):
    scripted_relay.requires_auth = True
    code, said = checked(*arguments)
    assert code == 0 and f"✓ {scripted_relay.url} takes what the proxy asks for, after a login (NIP-42)." in said
    scripted_relay.admits = set()
    code, said = checked(*arguments)
    assert code == 0 and f"! {scripted_relay.url} wants a login (NIP-42), and does not take that of a key" in said
    assert "“auth-required: sign in first”" in said


def test_a_relay_that_says_nothing_or_only_a_notice_is_named(arguments, scripted_relay):
    scripted_relay.ignores_subscriptions = True
    code, said = checked(*arguments)
    assert code == 1 and f"✗ {scripted_relay.url} says nothing to the proxy's subscription for 5 seconds." in said
    scripted_relay.answers_with_notice = "bad req"
    code, said = checked(*arguments)
    assert code == 1 and "with a notice, and does not take it. It says: “bad req”" in said


def test_a_folder_that_cannot_be_made_is_named(arguments, tmp_path):
    (tmp_path / "file").write_text("")
    code, said = checked(*arguments[:-1], str(tmp_path / "no" / "parent"))
    assert code == 1 and f"✗ push.sqlite could not be made in {tmp_path}/no/parent: No such file or directory." in said
    code, said = checked(*arguments[:-1], str(tmp_path / "file" / "below"))
    assert code == 1 and "✗" in said and "Not a directory." in said


def test_a_folder_of_somebody_else_is_named(arguments, tmp_path):
    (data := tmp_path / "data").mkdir(mode=0o755)
    for parent in [*tmp_path.parents[:-2], tmp_path]:
        parent.chmod(parent.stat().st_mode | 0o011)
    program = str(binary().with_name("holdfast-push"))
    without_apple = arguments[: arguments.index("--apns-host")]
    words = [program, "check", *without_apple, "--data", str(data)]
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
    if not as_nobody:
        data.chmod(0o500)
    done = subprocess.run([*as_nobody, *words], capture_output=True, text=True, env=environment(), timeout=60)
    assert done.returncode == 1 and f"✗ The data folder {data} could not be locked: Permission denied." in done.stdout


def test_a_key_that_is_none_is_a_line_like_the_others(arguments, apple, scripted_relay):
    apple.key_file.write_text("no key\n")
    code, said = checked(*arguments)
    assert code == 1 and f"✗ {apple.key_file} has no private key for Apple's service." in said
    assert f"✓ {scripted_relay.url} takes what the proxy asks for." in said, "the rest is tried all the same"
    apple.key_file.unlink()
    code, said = checked(*arguments)
    assert code == 1 and "✗ Apple's key" in said and "No such file" in said


def test_a_wrong_option_ends_it_as_it_ends_a_start(arguments):
    code, said = checked(*arguments, "--threads", "0")
    assert code == 2 and "--threads" in said and "✓" not in said


def test_what_a_start_warns_of_is_shown_and_is_no_fault(arguments, apple):
    apple.key_file.chmod(0o644)
    code, said = checked(*arguments)
    assert code == 0 and f"! All users of this machine can read {apple.key_file}" in said


def test_a_database_is_asked_and_not_changed(shared, postgres, proxies):
    code, said = checked(*shared)
    assert code == 0 and f"✓ The database at 127.0.0.1:{postgres.port}/push answers. It has no tables yet" in said
    assert postgres.ask("SELECT count(*) FROM pg_namespace WHERE nspname = 'holdfast_push'") == [["0"]]
    proxies(*shared).stop()
    code, said = checked(*shared)
    assert code == 0 and "Its tables can be read." in said
    postgres.ask("UPDATE holdfast_push.format SET version = 99")
    code, said = checked(*shared)
    assert code == 1 and "✗" in said and "later version" in said
    postgres.stop()
    code, said = checked(*shared)
    assert code == 1 and "✗ The database does not answer." in said
