"""The parts that a push proxy is tested with."""

from __future__ import annotations

import pytest

from harness.postgres import Postgres
from harness.push_proxy import PUBLIC, Apple


@pytest.fixture
def apple(tmp_path):
    apple = Apple(tmp_path)
    yield apple
    apple.close()


@pytest.fixture
def parts(scripted_relay, apple):
    """The options of a proxy that this machine has all parts for, but for where it keeps what it must not forget."""
    place = ["--listen", "127.0.0.1:0", "--public-url", PUBLIC]
    return [*place, "--relay", scripted_relay.url, *apple.arguments()]


@pytest.fixture
def arguments(tmp_path, parts):
    return [*parts, "--data", str(tmp_path / "data")]


@pytest.fixture
def postgres(tmp_path):
    server = Postgres(tmp_path)
    yield server
    server.close()


@pytest.fixture
def shared(postgres, parts):
    """The options of proxies that share a database."""
    return [*parts, "--database", postgres.url()]
