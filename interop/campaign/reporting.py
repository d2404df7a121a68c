"""What a run prints: a line of progress while it runs, and a table at its end."""

from __future__ import annotations

import sys
import time


class ProgressLine:
    """The progress of a part. On a terminal one line is rewritten; elsewhere a new line is printed now and then."""

    EVERY = 30.0

    def __init__(self, name: str, total: int):
        self.name, self.total = name, total
        self._begun = self._said = time.monotonic()

    def at(self, done: int, more: str = "") -> None:
        now = time.monotonic()
        is_terminal = sys.stderr.isatty()
        if done < self.total and now - self._said < (0.2 if is_terminal else self.EVERY):
            return
        self._said = now
        left = (now - self._begun) / max(done, 1) * (self.total - done)
        text = f"{self.name}: {done} of {self.total}, {more + ', ' if more else ''}{left:.0f} s to go"
        print(f"\r\033[K{text}" if is_terminal else text, end="" if is_terminal else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def percentiles(values: list[float], unit: str = "ms", scale: float = 1000) -> str:
    if not values:
        return "none"
    ordered = sorted(values)
    parts = [f"{name} {ordered[min(len(ordered) - 1, int(part * len(ordered)))] * scale:.0f}" for name, part in SHOWN]
    return ", ".join([*parts, f"worst {ordered[-1] * scale:.0f}"]) + f" {unit}"


SHOWN = (("p50", 0.5), ("p90", 0.9), ("p99", 0.99))


def table(title: str, rows: dict[str, object], faults: list[str]) -> None:
    width = max(map(len, rows), default=0)
    print(f"\n{title}")
    for name, value in rows.items():
        print(f"  {name:{width}}  {value}")
    print(f"  {'faults':{width}}  {len(faults)}")
    for fault in faults[:20]:
        print("    " + fault.replace("\n", "\n    "))
    sys.stdout.flush()
