"""A soak test: the rate that README states, for an hour. Memory, disk use and delays are measured all the time."""

from __future__ import annotations

import re
import shlex
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from harness.daemon import REPOSITORY, Daemon, Home
from harness.measures import cpu_seconds, resident_kib
from harness.owner import do
from harness.relays import free_port
from harness.waiting import until

from .reporting import ProgressLine, table

SAMPLED_EVERY = 10.0
SETTLED_AFTER = 600.0
"""After so many seconds, caches and the list of seen ids have reached their full size."""
FLAT = 2048.0
"""Memory that grows by no more than this, in KiB an hour, counts as flat."""
STARTS_WITHIN = 1.0
PARTS = {
    "relay": ("relay", "bytes json curve nip44 event envelope signer_answer client websocket"),
    "load": ("load", "bytes json curve nip44 event envelope signer_answer client websocket"),
}
LIBRARIES = ("libsecp256k1", "libsodium", "libcrypto", "libwebsockets")


def stated_rate() -> int:
    """The rate that README states, in requests a second."""
    text = (REPOSITORY / "README.md").read_text()
    return int(re.search(r"\| requests a second, 64 clients through a relay \| ([\d,]+) \|", text)[1].replace(",", ""))


def program(name: str, folder: Path) -> Path:
    """Builds a C program of Benchmarks."""
    flags = shlex.split(subprocess.run(["pkg-config", "--cflags", "--libs", *LIBRARIES], check=True, capture_output=True, text=True).stdout)
    main, units = PARTS[name]
    sources = [REPOSITORY / "Benchmarks" / "c" / f"{unit}.c" for unit in (main, *units.split())]
    subprocess.run(["cc", "-std=gnu11", "-O2", *sources, "-o", folder / name, *flags], check=True)
    return folder / name


@dataclass(frozen=True)
class Sample:
    """What is measured every ten seconds."""

    at: float
    resident: int
    disk: int
    cpu: float
    health: str


@dataclass(frozen=True)
class LoadReport:
    """What the load program prints every ten seconds: seconds so far, answers, refusals, delays in ms."""

    at: float
    answers: int
    refused: int
    p50: float
    p90: float
    p99: float
    worst: float


class Soak:
    def __init__(self, minutes: float, rate: float, clients: int):
        self.seconds, self.rate, self.clients = minutes * 60, rate, clients
        self.folder = Path(tempfile.mkdtemp(prefix="hf-soak-", dir="/tmp"))
        self.samples: list[Sample] = []
        self.said: list[LoadReport] = []
        self.faults: list[str] = []
        self.verified, self.restart, self.restart_cpu, self.stop = "not done", 0.0, 0.0, 0.0

    def run(self) -> list[str]:
        home, port = Home.created(), free_port()
        relay = subprocess.Popen([program("relay", self.folder), str(port)], stdout=subprocess.PIPE)
        try:
            relay.stdout.readline()
            options = {"relays": (f"ws://127.0.0.1:{port}",), "embedded": False}
            daemon = home.start(**options)
            try:
                self._load(home, daemon)
                self._check(home)
                daemon.kill()
                begun = time.monotonic()
                daemon = home.start(**options)
                self.restart, self.restart_cpu = time.monotonic() - begun, cpu_seconds(daemon.pid)
                begun = time.monotonic()
                daemon.stop(60)
                self.stop = time.monotonic() - begun
            except Exception as failure:  # the results so far are reported all the same
                self.faults.append(f"{type(failure).__name__}: {failure}")
            finally:
                daemon.kill()
        finally:
            relay.terminate()
            relay.wait()
            home.remove()
        self._report()
        return self.faults

    def _load(self, home: Home, daemon: Daemon) -> None:
        links = self.folder / "links"
        links.write_text("".join(daemon.do("pair", "--trust", "full")["bunker"] + "\n" for _ in range(self.clients)))
        command = [program("load", self.folder), links, str(self.clients), str(self.rate), str(self.seconds)]
        load = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        reader = threading.Thread(target=self._read, args=(load.stdout,), daemon=True)
        reader.start()
        line, begun = ProgressLine("soak, seconds", int(self.seconds)), time.monotonic()
        while load.poll() is None:
            seconds = time.monotonic() - begun
            self.samples.append(self._sample(home, daemon, seconds))
            last = f"{self.said[-1].answers / 10:.0f} a second" if self.said else "pairing"
            line.at(min(int(seconds), int(self.seconds)), f"{last}, {self.samples[-1].resident // 1024} MiB")
            until(lambda: load.poll() is not None or time.monotonic() - begun > seconds + SAMPLED_EVERY, "the next sample", 30)
        line.end()
        reader.join(10)
        if load.returncode != 0:
            self.faults.append(f"the load ended: {load.stderr.read().strip()}")

    def _read(self, lines) -> None:
        for line in lines:
            at, answers, refused, *delays = line.split()
            self.said.append(LoadReport(float(at), int(answers), int(refused), *map(float, delays)))

    @staticmethod
    def _sample(home: Home, daemon: Daemon, at: float) -> Sample:
        status = do(home.path, "status")
        disk = sum(file.stat().st_blocks * 512 for file in home.path.rglob("*") if file.is_file())
        return Sample(at, resident_kib(daemon.pid), disk, cpu_seconds(daemon.pid), status["health"])

    def _check(self, home: Home) -> None:
        unwell = sorted({sample.health for sample in self.samples} - {"ok"})
        if unwell:
            self.faults.append(f"health was {', '.join(unwell)} for {sum(s.health != 'ok' for s in self.samples)} samples")
        status, begun = do(home.path, "status"), time.monotonic()
        verified = home.cli("log", "verify", seconds=600).value
        self.verified = f"{verified['entries']} entries in {time.monotonic() - begun:.1f} s"
        if not verified["ok"]:
            self.faults.append(f"the log is not sound: {verified['fault']}")
        answers, refused = sum(said.answers for said in self.said), sum(said.refused for said in self.said)
        if status["signed"] < answers - refused:
            self.faults.append(f"apps got {answers - refused} signatures, the signer counts {status['signed']}")
        if refused or status["unrecorded"] or status["unpublished"]:
            lost = f"{status['unrecorded']} not recorded, {status['unpublished']} answers not published"
            self.faults.append(f"{refused} requests refused, {lost}")

    def _report(self) -> None:
        rows: dict[str, object] = {"asked for": f"{self.rate:.0f} a second from {self.clients} apps for {self.seconds / 60:.0f} minutes"}
        length = max(1.0, self.said[-1].at if self.said else 1.0)
        answers = sum(said.answers for said in self.said)
        rows["answered"] = f"{answers}, {answers / length:.0f} a second; {sum(said.refused for said in self.said)} refused"
        for part in range(0, int(length), 600):
            some = [said for said in self.said if part < said.at <= part + 600]
            if some:
                rows[f"minutes {part // 60} to {part // 60 + 10}"] = self._part(some)
        rows["memory"] = self._memory()
        rows["disk"] = f"{self.samples[0].disk >> 20} to {self.samples[-1].disk >> 20} MiB"
        rows["CPU"] = f"{(self.samples[-1].cpu - self.samples[0].cpu) / max(1, answers) * 1e6:.0f} us a request"
        rows["log verify"] = self.verified
        rows["start after a kill"] = f"{self.restart * 1000:.0f} ms, {self.restart_cpu * 1000:.0f} ms of CPU; stop {self.stop:.1f} s"
        if self.restart > STARTS_WITHIN:
            self.faults.append(f"the start after a kill took {self.restart:.2f} s")
        table("soak", rows, self.faults)

    @staticmethod
    def _part(some: list[LoadReport]) -> str:
        def middle(name: str) -> float:
            values = sorted(getattr(said, name) for said in some)
            return values[len(values) // 2]

        rate = sum(said.answers for said in some) / len(some) / SAMPLED_EVERY
        delays = ", ".join(f"{name} {middle(name):.1f}" for name in ("p50", "p90", "p99"))
        return f"{rate:.0f} a second, {delays}, worst {max(said.worst for said in some):.0f} ms"

    def _memory(self) -> str:
        first, last, most = self.samples[0].resident, self.samples[-1].resident, max(sample.resident for sample in self.samples)
        text = f"{first // 1024} to {last // 1024} MiB, {most // 1024} at most"
        settled = [sample for sample in self.samples if sample.at >= SETTLED_AFTER]
        if len(settled) < 60:
            return text + "; too short to say whether it is flat"
        growth = slope(settled) * 3600
        if growth > FLAT:
            self.faults.append(f"memory grows by {growth / 1024:.1f} MiB an hour after the first ten minutes")
        return text + f"; after the first ten minutes {growth:+.0f} KiB an hour: {'flat' if growth <= FLAT else 'it grows'}"


def slope(samples: list[Sample]) -> float:
    """KiB a second, by least squares."""
    middle = sum(sample.at for sample in samples) / len(samples)
    mean = sum(sample.resident for sample in samples) / len(samples)
    over = sum((sample.at - middle) * (sample.resident - mean) for sample in samples)
    return over / sum((sample.at - middle) ** 2 for sample in samples)


def run(minutes: float, rate: float | None, clients: int) -> list[str]:
    return Soak(minutes, rate or stated_rate(), clients).run()
