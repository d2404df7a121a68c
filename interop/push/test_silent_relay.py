"""A relay that lets a push proxy connect, and says nothing to what it asks."""

from __future__ import annotations

from harness.push_proxy import DEVICE, until
from reference.keys import Key


def test_a_relay_that_never_answers_does_not_count_as_connected(proxies, arguments, scripted_relay):
    scripted_relay.ignores_subscriptions = True
    proxy = proxies(*arguments)
    proxy.do("/register", Key(), {"token": DEVICE})
    said = proxy.process.stderr.readline()
    assert f"{scripted_relay.url} is connected, and does not confirm what the proxy asks for (no EOSE for 10 seconds)." in said
    assert proxy.health()["relays_connected"] == 0
    assert proxy.labelled("own_relays", state="waiting") == 1
    scripted_relay.ignores_subscriptions = False
    proxy.do("/register", Key(), {"token": DEVICE})
    until(lambda: proxy.health()["relays_connected"] == 1, "it has confirmed")
    assert f"Connected to {scripted_relay.url} again." in proxy.stop()[1]
