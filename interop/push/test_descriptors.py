"""How many files and sockets a push proxy may have open."""

from __future__ import annotations

import os
import resource
import socket

from harness.push_proxy import until


def soft(pid: int) -> int:
    return resource.prlimit(pid, resource.RLIMIT_NOFILE)[0]


def test_the_limit_is_raised_at_the_start(proxies, arguments):
    before, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        proxy = proxies(*arguments)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before, hard))
    assert soft(proxy.process.pid) == min(hard, 4_096)


def test_it_says_that_no_descriptor_is_free_and_answers_when_one_is(proxies, arguments):
    proxy = proxies(*arguments)
    pid = proxy.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    until(lambda: proxy.health()["relays_connected"] == 1, "it is connected")
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (len(os.listdir(f"/proc/{pid}/fd")) // 2, before[1]))
    with socket.create_connection(("127.0.0.1", proxy.ready["port"])):
        said = proxy.process.stderr.readline()
        assert "No file descriptor is free" in said and "LimitNOFILE=" in said
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        assert proxy.health()["ok"]
    assert proxy.stop() == (0, ""), "it is told once a minute"
