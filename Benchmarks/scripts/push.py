"""What the push proxy needs for many keys and many requests: push.py LOAD PROXY RELAY RATE SECONDS

`LOAD` is c/push_load.c, `RELAY` the URL of c/relay.c. nginx stands for Apple's service: it takes every push over HTTP/2 and TLS, and writes
when. Every genuine request is for another key and wakes its device. Prints lines "name: value unit".
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from nginx import nginx

from harness.push_proxy import Apple, Proxy
from harness.push_service import Authority

MANY, FEW = 100_000, 10_000
SERVER = """
  log_format push '$msec $request_uri';
  access_log {folder}/pushes push buffer=1m flush=1s;
  server {{
    listen 127.0.0.1:{port} ssl http2;
    keepalive_requests 100000000; http2_max_concurrent_streams 1000;
    location / {{ return 200; }}
  }}
"""


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@dataclass
class Sink:
    """nginx as the service that takes pushes."""

    folder: Path
    port: int

    def pushes(self) -> dict[str, float]:
        """When each device was pushed first, in seconds since 1970."""
        found: dict[str, float] = {}
        for line in (self.folder / "pushes").read_text().splitlines():
            moment, path = line.split()
            found.setdefault(path.rsplit("/", 1)[1], float(moment))
        return found


@contextlib.contextmanager
def sink(folder: Path) -> Iterator[Sink]:
    Authority(folder).context("localhost")
    port = free_port()
    with nginx(folder, port, SERVER.format(folder=folder, port=port)):
        yield Sink(folder, port)


def register(database: Path, keys: list[str]) -> None:
    """Writes the registrations as the proxy stores them: for each key a device of its own, which has the key's own number."""
    now = int(time.time())
    with contextlib.closing(sqlite3.connect(database)) as file, file:
        rows = ((bytes.fromhex(key), key, b"", now, now) for key in keys)
        file.executemany("INSERT INTO registrations (signer, place, keys, since, seen) VALUES (?, ?, ?, ?, ?)", rows)


class Watched:
    """A running proxy, seen from outside."""

    def __init__(self, arguments: list[str]):
        self.proxy = Proxy(*arguments)
        self.pid = self.proxy.process.pid

    def cpu(self) -> float:
        """Seconds so far, of all threads."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, name: str) -> float:
        """A line of the process's status, in MiB."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name + ":")) / 1024

    def rest(self) -> None:
        """Waits until it does nothing."""
        before = self.cpu()
        while True:
            time.sleep(1.5)
            if (now := self.cpu()) - before <= 0.02:
                return
            before = now


@dataclass
class Run:
    idle: float
    peak: float
    cpu: float
    events: int
    delays: list[float]
    lost: int
    verify: float

    @property
    def each(self) -> float:
        """Microseconds of CPU time for an event."""
        return self.cpu / self.events * 1e6


@dataclass
class Bench:
    load: str
    relay: str
    arguments: list[str]
    folder: Path
    seconds: int

    def idle(self) -> float:
        """The memory of a proxy at which nobody registered, in MiB."""
        with TemporaryDirectory(dir=self.folder) as place:
            arguments = ["--relay", self.relay, "--allow-private", "--public-url", "https://push.example", "--data", f"{place}/data"]
            proxy = Watched([*arguments, "--listen", f"127.0.0.1:{free_port()}"])
            proxy.rest()
            try:
                return proxy.memory("VmRSS")
            finally:
                proxy.proxy.stop()

    def run(self, keys: list[str], rate: int, junk: int) -> Run:
        with TemporaryDirectory(dir=self.folder) as place, sink(Path(place)) as pushed:
            return self._run(Path(place), pushed, keys, rate, junk)

    def _run(self, place: Path, pushed: Sink, keys: list[str], rate: int, junk: int) -> Run:
        data = place / "data"
        apple = ["--apns-host", f"localhost:{pushed.port}", "--apns-ca", str(place / "ca.pem"), *self.arguments]
        arguments = [*apple, "--relay", self.relay, "--allow-private", "--public-url", "https://push.example", "--data", str(data)]
        arguments += ["--listen", f"127.0.0.1:{free_port()}"]
        Watched(arguments).proxy.stop()  # makes the tables
        register(data / "push.sqlite", keys)
        listed = place / "keys"
        listed.write_text("\n".join(keys) + "\n")
        proxy = Watched(arguments)
        try:
            proxy.rest()
            idle, before = proxy.memory("VmRSS"), proxy.cpu()
            command = [self.load, self.relay, str(listed), str(rate), str(self.seconds), str(junk)]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            proxy.rest()
            cpu, peak = proxy.cpu() - before, proxy.memory("VmHWM")
        finally:
            proxy.proxy.stop()
        time.sleep(1.5)  # nginx writes its log each second
        words = dict(zip(said[::2], said[1::2], strict=True))
        verify = float(words.pop("verify"))
        words.pop("sent")
        arrived = pushed.pushes()
        delays = sorted(arrived[key] * 1e3 - float(sent) for key, sent in words.items() if key in arrived)
        return Run(idle, peak, cpu, rate * self.seconds, delays, len(words) - len(delays), verify)


def show(name: str, value: float, unit: str = "") -> None:
    print(f"{name}: {value:.2f} {unit}".rstrip())


def main() -> None:
    load, proxy, relay, rate, seconds = sys.argv[1:]
    os.environ["HOLDFAST_BINARY"] = str(Path(proxy).with_name("holdfast"))
    keys = subprocess.run([load, "keys", str(MANY)], capture_output=True, text=True, check=True).stdout.split()
    with TemporaryDirectory() as folder:
        apple = Apple(Path(folder))
        arguments = apple.arguments()[4:]
        apple.close()
        bench = Bench(load, relay, arguments, Path(folder), int(seconds))
        idle = bench.idle()
        mixed = bench.run(keys, int(rate), 50)
        genuine = bench.run(keys, int(rate) // 4, 0)
        junk = bench.run(keys, int(rate), 100)
        few = bench.run(keys[:FEW], int(rate) // 4, 0)
    show("idle memory", idle, "MiB")
    show(f"memory with {MANY} keys", mixed.idle, "MiB")
    show(f"peak memory with {MANY} keys and {rate} events a second", mixed.peak, "MiB")
    show(f"CPU per event, {rate} events a second, half of them junk", mixed.each, "us")
    for name, run in ((f"{rate} events a second", mixed), (f"{int(rate) // 4} events a second", genuine)):
        show(f"wake p50, {name}", median(run.delays), "ms")
        show(f"wake p99, {name}", run.delays[len(run.delays) * 99 // 100], "ms")
    show("wakes lost", mixed.lost + genuine.lost)
    show("CPU per wake", genuine.each, "us")
    show("CPU per forged event", junk.each, "us")
    show("C, check of an event", junk.verify, "us")
    show("forged event/C ratio", junk.each / junk.verify)
    show(f"CPU per wake, {MANY} keys/{FEW} keys ratio", genuine.each / few.each)
    show(f"memory, {MANY} keys/{FEW} keys ratio", genuine.idle / few.idle)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()
