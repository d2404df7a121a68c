"""What `holdfast-push` does when its database says nothing, although every connection stands."""

from __future__ import annotations

import os
import re
import signal
import socket
import struct
import subprocess
import threading
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from harness.daemon import binary, environment
from harness.losing import LosingProxy
from harness.postgres import PASSWORD, Postgres
from harness.push_proxy import DEVICE, PATIENCE, registered, request_to, until
from push.test_postgres import live
from reference.keys import Key

SSL_REQUEST = struct.pack("!II", 8, 80877103)


@contextmanager
def silent(*pids: int):
    """Processes that do nothing for a while. What they were sent waits."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


@pytest.mark.slow
def test_a_database_that_says_nothing_holds_up_no_answer_and_no_end(proxies, shared, scripted_relay, apple, postgres):
    one = proxies(*shared)
    signer = registered(one, scripted_relay)
    scripted_relay.deliver([request_to(signer)])
    apple.pushes(1)
    with silent(*postgres.processes()):
        scripted_relay.deliver([request_to(signer)])
        status, answer = one.ask("/register", Key(), {"token": DEVICE})
        assert (status, answer["code"]) == (503, "not_stored")
        until(lambda: one.metric("store_up") == 0, "the proxy knows", pause=0.2)
        begun = time.monotonic()
        code, said = one.stop()
        assert code == 0
        assert time.monotonic() - begun < 12
        assert "The database does not answer." in said


@pytest.mark.slow
def test_a_sign_of_life_that_is_not_answered_is_given_again_in_time(proxies, shared, postgres):
    proxies(*shared)
    two = proxies(*shared)
    until(lambda: two.metric("proxies") == 2, "both live", pause=0.2)
    beats = "SELECT pid FROM pg_stat_activity WHERE query LIKE '%FROM claims%NOT EXISTS%' AND application_name = 'holdfast-push'"
    until(lambda: postgres.ask(beats), "one of them looks after dead ones")
    with silent(int(postgres.ask(beats)[0][0])):
        end = time.monotonic() + 10  # twice the time after which a proxy counts as dead
        while time.monotonic() < end:
            assert live(postgres) == 2
            time.sleep(0.2)


def test_a_silent_host_does_not_keep_the_next_one_from_being_asked(proxies, parts, postgres):
    with closing(socket.create_server(("127.0.0.1", 0))) as mute:
        hosts = f"127.0.0.1:{mute.getsockname()[1]},127.0.0.1:{postgres.port}"
        proxy = proxies(*parts, "--database", postgres.url().replace(f"127.0.0.1:{postgres.port}", hosts))
        assert proxy.ready["database"] == f"127.0.0.1:{postgres.port}/push"
        proxy.do("/register", Key(), {"token": DEVICE})


def refused(parts: list[str], url: str) -> str:
    done = subprocess.run(
        [Path(binary()).with_name("holdfast-push"), *parts, "--database", url],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=30,
    )
    assert done.returncode != 0
    assert "canary" not in done.stdout + done.stderr
    return re.sub(r"\s+", " ", done.stdout + done.stderr)


def test_another_machine_without_tls_is_told_no_password(parts):
    """0.0.0.0 leads to this machine, but is not known to."""
    got: list[bytes] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                got.append(connection.recv(8))
                connection.sendall(b"N")  # no TLS here
                got.append(connection.recv(1_024))

        thread = threading.Thread(target=answer)
        thread.start()
        said = refused(parts, f"postgres://push:canary@0.0.0.0:{server.getsockname()[1]}/push")
        thread.join()
    assert got == [SSL_REQUEST, b""]
    assert "There is no TLS to the database" in said


def test_what_fails_at_once_is_not_called_a_malformed_address(parts):
    assert "does not answer" in refused(parts, "postgres://push@/push?host=/nowhere")
    assert "The value of sslmode in --database is wrong." in refused(parts, "postgres://push@127.0.0.1/push?sslmode=canary")


@pytest.mark.slow
def test_a_lost_answer_to_what_a_dead_proxy_left_loses_no_wake(proxies, parts, scripted_relay, apple, postgres):
    with closing(LosingProxy(postgres.port, b"SKIP LOCKED")) as losing:
        one = proxies(*parts, "--database", postgres.url().replace(str(postgres.port), str(losing.port)))
        signer = registered(one, scripted_relay)
        request = "ab" * 32
        postgres.ask(
            "INSERT INTO holdfast_push.claims (request, signer, relay, expires, is_over, owner) VALUES "
            f"('\\x{request}', '\\x{signer.public}', 'wss://relay.example', extract(epoch FROM now())::bigint + 50, 0, 7)"
        )
        assert losing.lost.wait(PATIENCE)
        until(lambda: [push["payload"]["event_id"] for push in apple.pushes()] == [request], "the device wakes", 30)


def test_a_proxy_from_the_future_does_not_count_as_live(proxies, shared, postgres):
    """As after the database's clock was set back."""
    one = proxies(*shared)
    postgres.ask("INSERT INTO holdfast_push.proxies (id, seen) VALUES (7, now() + interval '1 hour')")
    postgres.ask("UPDATE holdfast_push.format SET revision = revision + 1")
    seen = postgres.ask("SELECT max(seen) FROM holdfast_push.proxies WHERE id <> 7")
    until(lambda: postgres.ask("SELECT max(seen) FROM holdfast_push.proxies WHERE id <> 7") != seen, "the proxy beats")
    time.sleep(1.5)  # and again, and has read the answer
    assert one.metric("proxies") == 1


def test_no_other_user_of_the_server_can_stop_changes(proxies, shared, postgres: Postgres):
    postgres.ask("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    proxy = proxies(*shared)
    url = postgres.url().replace("push:" + PASSWORD.replace(" ", "%20").replace("/", "%2F"), "guest:guest")
    lock = f"SELECT pg_advisory_lock({int.from_bytes(b'HFDPUSH')}); SELECT pg_sleep(60)"
    with subprocess.Popen(["psql", "-X", "-q", "-d", url, "-c", lock], stdout=subprocess.DEVNULL) as guest:
        held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
        until(lambda: postgres.ask(held) == [["1"]], "the lock is held")
        proxy.do("/register", Key(), {"token": DEVICE})
        guest.kill()
