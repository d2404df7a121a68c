"""`/healthz` and `/metrics`, read by the Prometheus client library's own parser."""

from __future__ import annotations

import http.client
import json

import pytest
from prometheus_client.parser import text_string_to_metric_families

from harness.app import App
from harness.waiting import until


def get(daemon, path: str, *, host: str | None = None, method: str = "GET"):
    """One request to the daemon's port: status, headers and body."""
    address = daemon.ready["console"].removeprefix("http://").rstrip("/")
    connection = http.client.HTTPConnection(address, timeout=10)
    connection.putrequest(method, path, skip_host=host is not None)
    if host is not None:
        connection.putheader("Host", host)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, dict(answer.getheaders()), body


def samples(daemon) -> dict[tuple, float]:
    """Every sample, by name and labels."""
    status, headers, body = get(daemon, "/metrics")
    assert status == 200
    assert headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(body)
        for sample in family.samples
    }


def test_healthz_says_ok(daemon):
    status, headers, body = get(daemon, "/healthz")
    assert (status, headers["content-type"]) == (200, "application/json")
    assert json.loads(body)["status"] == "ok"
    assert json.loads(body)["problems"] == []


def test_every_family_parses_and_has_a_type(daemon):
    families = list(text_string_to_metric_families(get(daemon, "/metrics")[2]))
    assert {family.name for family in families} >= {
        "holdfast_requests",
        "holdfast_request_duration_seconds",
        "holdfast_relay_connected",
        "holdfast_queue_length",
        "holdfast_log_bytes",
        "holdfast_unlocked",
    }
    assert all(family.type in ("counter", "gauge", "histogram") for family in families)
    assert all(family.documentation for family in families)


async def test_requests_are_counted_by_method_and_decision(daemon, apps):
    app = await apps(App.paired(daemon.pair("medium")))
    before = samples(daemon)
    for _ in range(3):
        assert await app.result("ping") == "pong"
    key = ("holdfast_requests_total", ("decision", "allow"), ("method", "ping"))
    after = samples(daemon)
    assert after[key] - before[key] == 3
    count = ("holdfast_request_duration_seconds_count",)
    until(lambda: samples(daemon)[count] - before[count] == 3, "three durations")


def test_histograms_are_cumulative(daemon):
    found = samples(daemon)
    for name in ("holdfast_request_duration_seconds", "holdfast_approval_wait_seconds"):
        buckets = sorted(
            (float(labels[0][1].replace("+Inf", "inf")), value) for (sample, *labels), value in found.items() if sample == f"{name}_bucket"
        )
        values = [value for _, value in buckets]
        assert values == sorted(values)
        assert values[-1] == found[(f"{name}_count",)]


async def test_metrics_name_nobody(daemon, apps):
    app = await apps(App.paired(daemon.pair("full")))
    assert await app.result("get_public_key") == daemon.user
    body = get(daemon, "/metrics")[2] + get(daemon, "/healthz")[2]
    for private in (daemon.user, app.key.public, app.signer, "alice"):
        assert private not in body


@pytest.mark.parametrize("path", ["/healthz", "/metrics"])
@pytest.mark.parametrize("host", ["evil.example", "evil.example:24133", "127.0.0.1.evil.example"])
def test_a_page_that_rebinds_its_name_reads_nothing(shared, path, host):
    status, _, body = get(shared, path, host=host)
    assert status == 421
    assert "holdfast_" not in body and "status" not in body


def test_only_reading_is_known(shared):
    assert get(shared, "/metrics", method="OPTIONS")[0] == 405


def test_metrics_are_for_this_machine_unless_the_owner_says_otherwise(start, home):
    daemon = start(listen="0.0.0.0:0")
    daemon.ready["console"] = daemon.ready["console"].replace("0.0.0.0", "127.0.0.1")
    assert get(daemon, "/metrics")[0] == 404
    assert get(daemon, "/healthz")[0] == 200
    daemon.stop()
    opened = start(listen="0.0.0.0:0", arguments=("--metrics",))
    opened.ready["console"] = opened.ready["console"].replace("0.0.0.0", "127.0.0.1")
    assert get(opened, "/metrics", host="signer.example")[0] == 200


def test_relays_that_are_away_degrade_a_signer_that_has_no_other(start):
    daemon = start(relays=("ws://127.0.0.1:1/",), embedded=False)
    found = samples(daemon)
    assert found[("holdfast_relay_connected", ("relay", "ws://127.0.0.1:1"))] == 0
