"""Several `holdfast-push` that share a PostgreSQL database."""

from __future__ import annotations

import collections
import signal
import threading
import time

import pytest

from harness.clock import Clock
from harness.postgres import Postgres
from harness.push_proxy import DEVICE, Proxy, registered, request_to, until
from reference.events import as_json
from reference.keys import Key

LEASE = 5  # seconds after which a proxy counts as dead


class Load:
    """Many signers with a device each, and apps that ask them."""

    def __init__(self, relay, apple, signers: int):
        self.relay, self.apple, self.signers = relay, apple, [Key() for _ in range(signers)]
        self.sent: list[str] = []
        self.sent_at: dict[str, float] = {}

    def register(self, *proxies: Proxy) -> None:
        for number, signer in enumerate(self.signers):
            proxies[number % len(proxies)].do("/register", signer, {"token": f"{number:064x}"})

    def settle(self, watchers: int) -> None:
        until(lambda: all(self.relay.listeners_for(one.public) == watchers for one in self.signers), f"{watchers} for each key", 40)

    def send(self, signer: Key) -> None:
        event = request_to(signer)
        self.relay.deliver([event])
        self.sent.append(event["id"])
        self.sent_at[event["id"]] = time.monotonic()

    def send_round(self, pause: float = 0) -> None:
        for signer in self.signers:
            self.send(signer)
            time.sleep(pause)  # the load lasts while something else happens

    def woken(self) -> collections.Counter:
        """How often each request woke its device."""
        return collections.Counter(push["payload"]["event_id"] for push in self.apple.pushes() if push["status"] == 200)

    def all_woke(self) -> None:
        until(lambda: set(self.sent) <= set(self.woken()), "each request wakes its device", 40)


def test_a_device_that_registered_at_one_proxy_is_woken_once_by_all(proxies, shared, scripted_relay, apple):
    one, two = proxies(*shared), proxies(*shared)
    assert one.ready["application_server_key"] == two.ready["application_server_key"]
    signer = registered(one, scripted_relay)
    until(lambda: two.health()["unique_pubkeys"] == 1, "the other proxy knows the key", pause=0.1)
    until(lambda: [one.metric("proxies"), two.metric("proxies")] == [2, 2], "they know each other", pause=0.2)
    assert one.metric("store_up") == 1
    until(lambda: scripted_relay.listeners_for(signer.public) == 2, "both look for its requests")
    event = request_to(signer)
    scripted_relay.deliver([event])
    assert [push["payload"]["event_id"] for push in apple.pushes(1)] == [event["id"]]
    two.do("/unregister", signer, {"token": DEVICE})
    until(lambda: one.health()["unique_pubkeys"] == 0, "the first proxy knows that it is gone")
    until(lambda: not scripted_relay.listens_for(signer.public), "nobody looks for its requests")
    assert len(apple.pushes()) == 1
    two.stop()
    until(lambda: one.metric("proxies") == 1, "the first proxy is alone", pause=0.2)
    said = one.stop()[1]
    assert "1 proxy shares the database with this one now. There are 2." in said
    assert "1 proxy that shared the database ended or says nothing. This proxy is alone." in said


def test_an_authorization_counts_once_at_all_proxies_together(proxies, shared):
    one, two = proxies(*shared), proxies(*shared)
    signer, body = Key(), {"token": DEVICE}
    proof = one.proof("/register", signer, body)
    assert one.send("/register", as_json(body).encode(), proof)[0] == 200
    status, answer = two.send("/register", as_json(body).encode(), proof)
    assert (status, answer["code"]) == (401, "replayed")


@pytest.mark.slow
def test_three_proxies_divide_the_keys_and_wake_once_for_each_request(proxies, shared, scripted_relay, apple, postgres):
    all_three = [proxies(*shared) for _ in range(3)]
    load = Load(scripted_relay, apple, 40)
    load.register(*all_three)
    settled = "SELECT count(*) FROM holdfast_push.proxies WHERE since < now() - interval '11 seconds'"
    until(lambda: postgres.ask(settled) == [["3"]], "the first two leave their part to the third", 40)
    time.sleep(2)  # all have heard of it
    load.settle(2)
    for _ in range(4):
        load.send_round()
    load.all_woke()
    assert set(load.woken().values()) == {1}
    assert len(load.sent) == 160
    seen = [proxy.metric("events_total") for proxy in all_three]
    assert sum(seen) == 2 * len(load.sent), "two see each request"
    assert all(0 < count < len(load.sent) for count in seen), "all three have a part of the keys"


@pytest.mark.slow
def test_one_of_three_is_killed_under_load_and_no_wake_is_lost(proxies, shared, scripted_relay, apple):
    one, two, three = [proxies(*shared) for _ in range(3)]
    load = Load(scripted_relay, apple, 40)
    load.register(one, two, three)
    load.settle(2)
    load.send_round(0.03)
    before, killed_at = set(load.sent), time.monotonic()
    killer = threading.Timer(0.4, two.kill)
    killer.start()
    for _ in range(3):
        load.send_round(0.05)
    killer.join()
    load.settle(2)
    took = time.monotonic() - killed_at
    load.send_round()
    load.all_woke()
    woken = load.woken()
    long_before = {one for one in before if load.sent_at[one] < killed_at - 2}
    assert all(woken[one] == 1 for one in long_before)
    assert took < 20
    assert sum(woken.values()) < len(load.sent) + 40, "few were sent twice"


def live(postgres: Postgres) -> int:
    """How many proxies count as live."""
    lease = f"now() - interval '{LEASE} seconds'"
    return int(postgres.ask(f"SELECT count(*) FROM holdfast_push.proxies WHERE seen > {lease}")[0][0])


@pytest.mark.slow
def test_a_proxy_that_stood_still_harms_no_other(proxies, shared, scripted_relay, apple, postgres):
    """As on a machine that slept, or that was moved: longer than a lease."""
    one, two = proxies(*shared), proxies(*shared)
    load = Load(scripted_relay, apple, 20)
    load.register(one, two)
    load.settle(2)
    load.send_round()
    load.all_woke()
    until(lambda: postgres.ask("SELECT count(*) FROM holdfast_push.claims WHERE is_over = 0") == [["0"]], "that is noted")
    two.signal(signal.SIGSTOP)
    load.send_round(0.02)
    until(lambda: live(postgres) == 1, "the other one counts as dead")
    load.send_round(0.02)
    load.all_woke()
    two.signal(signal.SIGCONT)
    until(lambda: live(postgres) == 2, "it is back")
    load.settle(2)
    load.send_round()
    load.all_woke()
    assert sum(load.woken().values()) <= len(load.sent) + 5


def test_what_a_killed_proxy_had_noted_is_done_by_another(proxies, shared, scripted_relay, apple, postgres):
    one = proxies(*shared)
    signer = registered(one, scripted_relay)
    apple.order("silent always")
    event = request_to(signer)
    scripted_relay.deliver([event])
    until(lambda: postgres.ask("SELECT count(*) FROM holdfast_push.claims WHERE is_over = 0") == [["1"]], "it is noted")
    one.kill()
    apple.order("speak")
    already = len(apple.pushes())
    proxies(*shared)
    push = apple.pushes(already + 1)[-1]
    assert (push["status"], push["payload"]["event_id"]) == (200, event["id"])


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_the_database_is_started_again_under_load_and_no_wake_is_lost(proxies, shared, scripted_relay, apple, postgres, how):
    one, two = proxies(*shared), proxies(*shared)
    load = Load(scripted_relay, apple, 30)
    load.register(one, two)
    load.settle(2)
    load.send_round(0.02)

    def restart():
        postgres.stop(how)
        time.sleep(3)  # how long it is away
        postgres.start()

    restarting = threading.Thread(target=restart)
    restarting.start()
    load.send_round(0.05)
    refused = one.ask("/register", Key(), {"token": "cd" * 32})
    load.send_round(0.05)
    restarting.join()
    load.send_round(0.02)
    load.all_woke()
    assert (refused[0], refused[1]["code"]) == (503, "not_stored")
    until(lambda: one.ask("/register", Key(), {"token": "cd" * 32})[0] == 200, "signers can register again")
    until(lambda: one.metric("store_up") == 1, "the proxy lives again", pause=0.2)  # /metrics has a limit
    assert sum(load.woken().values()) <= len(load.sent) + 5
    code, said = one.stop()
    assert code == 0
    assert "The database does not answer." in said
    assert "The database is back." in said


def test_what_was_answered_ok_survives_a_crash_of_the_database(proxies, shared, scripted_relay, postgres):
    one = proxies(*shared)
    for number in range(20):
        one.do("/register", Key(), {"token": f"{number:064x}"})
    postgres.stop(signal.SIGQUIT)
    postgres.start()
    assert postgres.ask("SELECT count(*) FROM holdfast_push.registrations") == [["20"]]


def test_the_database_is_cut_off_and_a_proxy_goes_on_with_what_it_knows(proxies, shared, scripted_relay, postgres):
    one = proxies(*shared)
    signer = registered(one, scripted_relay)
    postgres.stop()
    time.sleep(2 * LEASE)  # longer than a lease: nothing is given up
    assert scripted_relay.listens_for(signer.public)
    assert (one.health()["ok"], one.health()["unique_pubkeys"]) == (False, 1)
    assert (one.metric("store_up"), one.metric("proxies")) == (0, 1)
    postgres.start()
    until(lambda: one.health()["ok"], "the database is used again")
    assert one.stop()[0] == 0


@pytest.mark.parametrize("seconds", [3_600, -3_600])
def test_a_proxy_with_a_wrong_clock_harms_no_other(proxies, shared, scripted_relay, apple, tmp_path, seconds):
    right = proxies(*shared)
    clock = Clock(tmp_path)
    clock.set(seconds)
    wrong = proxies(*shared, **clock.environment)
    signer = registered(right, scripted_relay)
    until(lambda: scripted_relay.listeners_for(signer.public) == 2, "both look for requests")
    time.sleep(LEASE + 1)  # from now on it would take over what dead ones left
    apple.order("delay 2500")
    event = request_to(signer)
    scripted_relay.deliver([event])
    apple.pushes(1)
    time.sleep(3)  # nobody takes over what is being done
    assert [push["payload"]["event_id"] for push in apple.pushes()] == [event["id"]]
    assert wrong.ask("/register", signer, {"token": DEVICE})[0] == 401, "its clock is wrong indeed"


def test_what_was_not_heard_of_for_long_is_forgotten(proxies, shared, scripted_relay, postgres):
    proxy = proxies(*shared)
    old, young = (registered(proxy, scripted_relay, device * 32) for device in ("ab", "cd"))
    proxy.do("/pair-client", old, {"client_pubkey": Key().public, "relay_urls": ["wss://relay.invalid"]})
    proxy.stop()
    for table, column in (("registrations", "seen"), ("pairs", "since")):
        postgres.ask(f"UPDATE holdfast_push.{table} SET {column} = {column} - 401 * 86400 WHERE signer = '\\x{old.public}'")
    again = proxies(*shared)
    until(lambda: again.metric("devices") == 1, "the old device is forgotten", pause=0.3)
    until(lambda: scripted_relay.listens_for(young.public), "the young one is not")
    assert postgres.ask("SELECT count(*) FROM holdfast_push.pairs") == [["0"]]
    assert again.metric("keys") == 1 and again.metric("clients") == 0


def test_text_of_strangers_is_no_sql(proxies, shared, scripted_relay, postgres):
    one = proxies(*shared)
    signer = Key()
    address = "https://push.example/'); DROP TABLE holdfast_push.registrations; --".replace(" ", "%20")
    one.do("/register", signer, {"token": address})
    one.do("/pair-client", signer, {"client_pubkey": Key().public, "relay_urls": ["wss://relay.example/';DELETE%20FROM%20pairs;--"]})
    assert postgres.ask("SELECT place FROM holdfast_push.registrations") == [[address]]
    assert postgres.ask("SELECT relay FROM holdfast_push.pairs") == [["wss://relay.example/';DELETE%20FROM%20pairs;--"]]
    status, answer = one.ask("/register", signer, {"token": "https://push.example/\u0000"})
    assert (status, answer["code"]) == (400, "invalid_body")
