"""What `holdfast-push` does while its database is slow, locked, newer than it, or of another opinion about the time."""

from __future__ import annotations

import re
import secrets
import signal
import threading
import time
from contextlib import closing

import pytest

from harness.clock import Clock
from harness.losing import SlowProxy
from harness.postgres import Postgres
from harness.push_proxy import DEVICE, registered, request_to, until
from push.test_postgres import Load, live
from reference.events import as_json
from reference.keys import Key

OWN_SESSIONS = "FROM pg_stat_activity WHERE application_name = 'holdfast-push'"


def aged(postgres: Postgres) -> None:
    """As if all proxies had run for long, so that the others count on them."""
    postgres.ask("UPDATE holdfast_push.proxies SET since = now() - interval '1 hour'")


def counted_on(postgres: Postgres) -> int:
    return int(postgres.ask("SELECT count(*) FROM holdfast_push.proxies WHERE since < now() - interval '30 minutes'")[0][0])


def all_are_counted_on(postgres: Postgres, count: int) -> bool:
    """A proxy that has no connection to a relay yet takes back with its next sign of life that it has run for long."""
    aged(postgres)
    time.sleep(1.5)
    return counted_on(postgres) == count


def test_a_proxy_whose_clock_is_wrong_is_not_counted_on(proxies, shared, postgres, tmp_path):
    """It finds no request that came in time."""
    clock = Clock(tmp_path)
    clock.set(-3_600)
    wrong = proxies(*shared, **clock.environment)
    proxies(*shared)
    until(lambda: live(postgres) == 2, "both live")
    aged(postgres)
    until(lambda: counted_on(postgres) == 1, "it says that it is not to be counted on")
    assert wrong.metric("clock_ahead_seconds") in range(-3_602, -3_598)
    clock.set(0)
    until(lambda: abs(wrong.metric("clock_ahead_seconds")) <= 1, "the clock is right", pause=0.2)
    said = wrong.stop()[1]
    assert re.search("This machine's clock is (3599|360[01]) seconds behind the database's.", said)
    assert "This machine's clock and the database's agree again." in said


def test_a_proxy_without_a_relay_is_not_counted_on(proxies, shared, scripted_relay, postgres):
    """Where it should look for requests, others look as if it were not there."""
    right = [proxies(*shared), proxies(*shared)]
    load = Load(scripted_relay, None, 20)
    load.register(*right)
    deaf = [word if word != scripted_relay.url else "ws://127.0.0.1:9" for word in shared]
    proxies(*deaf)
    until(lambda: live(postgres) == 3, "all live")
    until(lambda: [one.metric("proxies") for one in right] == [3, 3], "they know of it", pause=0.2)
    aged(postgres)
    until(lambda: counted_on(postgres) == 2, "it says that it is not to be counted on")
    load.settle(2)


def test_a_proxy_whose_clock_is_far_behind_takes_no_old_authorization(proxies, shared, tmp_path):
    """The database no longer knows that it was used."""
    clock = Clock(tmp_path)
    clock.set(-3_600)
    wrong = proxies(*shared, **clock.environment)
    body = {"token": DEVICE}
    status, answer = wrong.send("/register", as_json(body).encode(), wrong.proof("/register", Key(), body, int(time.time()) - 3_600))
    assert (status, answer["code"]) == (503, "not_stored")


def test_a_proxy_that_comes_back_is_counted_on_later(proxies, shared, postgres):
    """It has missed what changed, and has its connections to relays yet to make."""
    proxies(*shared)
    until(lambda: live(postgres) == 1, "it lives")
    postgres.ask("UPDATE holdfast_push.proxies SET since = now() - interval '1 hour', seen = now() - interval '1 minute'")
    until(lambda: live(postgres) == 1, "it is back")
    assert counted_on(postgres) == 0


def test_a_proxy_that_ends_leaves_no_key_to_a_single_one(proxies, shared, scripted_relay, postgres):
    three = [proxies(*shared) for _ in range(3)]
    load = Load(scripted_relay, None, 20)
    load.register(*three)
    until(lambda: live(postgres) == 3, "all live")
    until(lambda: [one.metric("proxies") for one in three] == [3, 3, 3], "they know each other", pause=0.2)
    until(lambda: all_are_counted_on(postgres, 3), "all are counted on")
    load.settle(2)
    three[0].signal(signal.SIGTERM)
    while three[0].is_running:
        assert all(scripted_relay.listeners_for(one.public) >= 2 for one in load.signers)
    load.settle(2)


def test_a_change_is_heard_of_at_once(proxies, shared, postgres):
    """A proxy reads at least once a second what others changed, and when the database tells it (NOTIFY)."""
    proxies(*shared)
    until(lambda: live(postgres) == 1, "it lives")
    readings = set()
    for _ in range(20):
        postgres.ask("SELECT pg_notify('holdfast_push', '')")
        time.sleep(0.4)
        readings.add(postgres.ask("SELECT seen FROM holdfast_push.proxies")[0][0])
    assert len(readings) > 15, "once a second would be eight"


def test_notifications_without_end_change_nothing(proxies, shared, postgres):
    one = proxies(*shared)
    with postgres.held("DO $$ BEGIN FOR n IN 1..100000 LOOP PERFORM pg_notify('holdfast_push', n::text); END LOOP; END $$", "COMMIT"):
        readings = {postgres.ask("SELECT seen FROM holdfast_push.proxies")[0][0] for _ in range(200)}
        assert one.metric("store_up") == 1
        one.do("/register", Key(), {"token": DEVICE})
    assert len(readings) < 100, "not one for each notification"


def test_a_change_is_announced(proxies, shared, postgres):
    one = proxies(*shared)
    assert postgres.notifies("holdfast_push", lambda: one.do("/register", Key(), {"token": DEVICE}))


def test_what_somebody_locks_keeps_nothing_else_from_being_forgotten(proxies, shared, postgres):
    one = proxies(*shared)
    postgres.ask(
        "INSERT INTO holdfast_push.claims (request, signer, relay, expires, is_over, owner) "
        "SELECT sha256(n::text::bytea), sha256('x'), 'wss://relay.example', n, 1, 7 FROM generate_series(1, 200) AS n"
    )
    with postgres.held("SELECT 1 FROM holdfast_push.claims WHERE expires = 1 FOR UPDATE"):
        until(lambda: postgres.ask("SELECT count(*) FROM holdfast_push.claims") == [["1"]], "all others are gone", 70, 0.5)
    assert one.stop() == (0, "")


def test_what_the_database_is_slow_with_takes_no_more_connections(proxies, shared, postgres):
    one = proxies(*shared)
    one.do("/register", Key(), {"token": DEVICE})
    most = 0
    with postgres.held("LOCK TABLE holdfast_push.proxies IN ACCESS EXCLUSIVE MODE"):
        until(lambda: one.metric("store_up") == 0, "the proxy cannot say that it lives", pause=0.2)
        for _ in range(100):
            most = max(most, int(postgres.ask(f"SELECT count(*) {OWN_SESSIONS}")[0][0]))
    assert most <= 3  # the fourth notes requests, and there was none
    until(lambda: one.metric("store_up") == 1, "it says so again", pause=0.2)


def test_registrations_that_cannot_be_read_are_no_health(proxies, shared, postgres):
    one = proxies(*shared)
    one.do("/register", Key(), {"token": DEVICE})
    with postgres.held("LOCK TABLE holdfast_push.pairs IN ACCESS EXCLUSIVE MODE"):
        one.do("/register", Key(), {"token": "cd" * 32})
        until(lambda: not one.health()["ok"], "the proxy does not know which keys to look after", pause=0.2)
        assert one.ready_for_signers()[0] == 503
        assert one.metric("store_up") == 0
    until(lambda: one.health()["ok"], "it knows", 40, 0.2)
    assert one.ready_for_signers() == (200, {"ok": True, "reason": None})


def test_another_reason_is_said_when_it_becomes_another(proxies, shared, postgres):
    one = proxies(*shared)
    postgres.ask("ALTER ROLE push PASSWORD 'another'")
    postgres.stop()
    until(lambda: one.metric("store_up") == 0, "the database is away", pause=0.2)
    postgres.start()
    time.sleep(5)  # longer than the pause between two attempts
    said = one.stop()[1]
    assert "The database does not answer." in said
    assert "The database refuses the password." in said


def test_a_request_that_could_not_be_noted_is_counted(proxies, shared, scripted_relay, apple, postgres):
    one = proxies(*shared)
    signer = registered(one, scripted_relay)
    assert one.metric("requests_lost_total") == 0
    with postgres.held("LOCK TABLE holdfast_push.claims IN ACCESS EXCLUSIVE MODE"):
        scripted_relay.deliver([request_to(signer)])
        until(lambda: one.metric("requests_lost_total") == 1, "a minute is over", 80, 0.5)
    assert apple.pushes() == []


@pytest.mark.parametrize("length", [1_000, 2_027, 7_000])
def test_a_long_address_is_stored_or_refused_and_keeps_nobody_else_out(proxies, shared, length):
    """What an index of PostgreSQL takes is limited to a third of a page."""
    one = proxies(*shared)
    signer, long = Key(), secrets.token_urlsafe(length)[:length]
    one.do("/register", signer, {"token": DEVICE})
    for path, body in [
        ("/register", {"token": f"https://push.example/{long}"}),
        ("/pair-client", {"client_pubkey": Key().public, "relay_urls": [f"wss://relay.example/{long}"]}),
    ]:
        assert one.ask(path, signer, body)[0] in (200, 400), path


def test_columns_of_another_type_lose_no_wake(proxies, shared, scripted_relay, apple, postgres):
    """As after a later version has changed the tables: what the server has prepared is of no use any more."""
    one = proxies(*shared)
    signer = registered(one, scripted_relay)
    scripted_relay.deliver([request_to(signer)])
    apple.pushes(1)
    postgres.ask('ALTER TABLE holdfast_push.registrations ALTER COLUMN place TYPE VARCHAR(5000) COLLATE "C"')
    event = request_to(signer)
    scripted_relay.deliver([event])
    assert apple.pushes(2)[1]["payload"]["event_id"] == event["id"]
    one.do("/unregister", signer, {"token": DEVICE})


def test_a_proxy_that_is_older_than_the_tables_changes_nothing(proxies, shared, scripted_relay, apple, postgres):
    one = proxies(*shared)
    signer = registered(one, scripted_relay)
    postgres.ask("UPDATE holdfast_push.format SET version = 99")
    status, answer = one.ask("/register", Key(), {"token": DEVICE})
    assert (status, answer["code"]) == (503, "not_stored")
    until(lambda: not one.health()["ok"], "somebody else is to be asked", pause=0.2)
    event = request_to(signer)
    scripted_relay.deliver([event])
    assert apple.pushes(1)[0]["payload"]["event_id"] == event["id"]
    assert "which a later version of the push proxy made" in one.stop()[1]


@pytest.mark.slow
def test_a_slow_database_makes_no_proxy_look_dead(proxies, parts, shared, postgres):
    with closing(SlowProxy(postgres.port)) as slow:
        one = proxies(*shared)
        proxies(*parts, "--database", postgres.url().replace(str(postgres.port), str(slow.port)))
        until(lambda: one.metric("proxies") == 2, "both live", pause=0.2)
        slow.seconds = 1.1
        for _ in range(150):
            assert live(postgres) == 2
            time.sleep(0.1)  # three times the time after which a proxy counts as dead


@pytest.mark.slow
def test_what_a_signer_asks_is_answered_however_slow_the_database_is(proxies, parts, postgres):
    """Each statement is answered in time, and all of them together are not."""
    with closing(SlowProxy(postgres.port)) as slow:
        one = proxies(*parts, "--database", postgres.url().replace(str(postgres.port), str(slow.port)))
        one.do("/register", Key(), {"token": DEVICE})
        slow.seconds = 1.6
        status, answer = one.ask("/register", Key(), {"token": "cd" * 32})
        assert (status, answer["code"]) == (503, "not_stored")
        slow.seconds = 0
        until(lambda: one.ask("/register", Key(), {"token": "cd" * 32})[0] == 200, "it is stored later", 40, 0.5)


@pytest.mark.slow
def test_a_clock_is_stepped_under_load_and_no_wake_is_lost(proxies, shared, scripted_relay, apple, tmp_path):
    clock = Clock(tmp_path)
    stepped, right = proxies(*shared, **clock.environment), proxies(*shared)
    load = Load(scripted_relay, apple, 20)
    load.register(right)
    load.settle(2)
    for seconds in (3_600, -3_600, 0):
        step = threading.Timer(0.2, clock.set, [seconds])
        step.start()
        load.send_round(0.03)
        step.join()
    load.all_woke()
    assert set(load.woken().values()) == {1}
    assert stepped.is_running
