#!/usr/bin/env python3
"""Writes Packaging/holdfast-wake.order: which functions a wake calls, in the order in which it does.

Packaging/small.sh has the linker put these first, side by side. A wake calls a thirteenth of the functions in the program; where they
lie scattered, the system maps most of the program into memory. Run this after the path of a wake has changed much: names that are gone do
no harm, and functions that are not listed lie where they lay. What only a wake over TLS calls comes last. Needs `make build build-wake`,
`make bench` (for its relay), nginx and root.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
ORDER = REPOSITORY / "Packaging/holdfast-wake.order"
PROGRAM = REPOSITORY / ".build/release/holdfast-wake"
RELAY = REPOSITORY / "Benchmarks/.build-c/relay"
PORT = 24159


def functions() -> dict[int, list[str]]:
    """The names of the functions at each address."""
    names: dict[int, list[str]] = {}
    listed = subprocess.run(["nm", "--defined-only", PROGRAM], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        address, kind, name = line.split(maxsplit=2)
        if kind in "tTwW":
            names.setdefault(int(address, 16), []).append(name)
    return names


def called(folder: Path, names: dict[int, list[str]]) -> list[int]:
    """The addresses of the functions that a wake calls, and then those that a wake over TLS calls besides."""
    # The tests have a `wake` of their own.
    sys.path[:0] = [str(REPOSITORY / "Benchmarks/scripts"), str(REPOSITORY / "interop")]
    from wake import measure, with_tls  # noqa: PLC0415

    tracer, offsets, found, spawn = (folder / name for name in ("first_calls", "offsets", "called", "spawn"))
    subprocess.run(["cc", "-O2", "-Wall", "-o", tracer, REPOSITORY / "Packaging/first_calls.c"], check=True)
    offsets.write_text("".join(f"{address:x}\n" for address in sorted(names)))
    spawn.write_text(f'#!/bin/sh\nexec {tracer} {offsets} {found} "$@"\n')
    spawn.chmod(0o700)
    relay = subprocess.Popen([RELAY, str(PORT)], stdout=subprocess.PIPE)
    try:
        relay.stdout.readline()
        plain = f"ws://127.0.0.1:{PORT}"
        asyncio.run(measure(str(spawn), str(PROGRAM), plain, 1))
        addresses = found.read_text().split()
        with with_tls(plain, PORT + 1) as address:
            asyncio.run(measure(str(spawn), str(PROGRAM), address, 1, plain))
        addresses += found.read_text().split()
    finally:
        relay.kill()
        relay.wait()
    return [int(address, 16) for address in dict.fromkeys(addresses)]


def in_own_mounts() -> None:
    """Starts this anew in a mount namespace of its own: a wake over TLS has one more authority to trust."""
    if os.environ.get("HOLDFAST_OWN_MOUNTS") is None:
        os.environ["HOLDFAST_OWN_MOUNTS"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])


if __name__ == "__main__":
    in_own_mounts()
    names = functions()
    with tempfile.TemporaryDirectory() as folder:
        order = [name for address in called(Path(folder), names) for name in names[address]]
    ORDER.write_text("".join(f"{name}\n" for name in order))
    print(f"{ORDER.relative_to(REPOSITORY)}: {len(order)} of {sum(map(len, names.values()))} functions")
