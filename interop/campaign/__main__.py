"""Runs one part of the campaign: see ../README.md."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from campaign import clocks, full_disk, kills, power, soak


def main() -> int:
    parser = argparse.ArgumentParser(prog="campaign", description=__doc__)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000, help="the seed of all random choices")
    parts = parser.add_subparsers(dest="part", required=True)
    part = parts.add_parser("kills", help="kill -9 under load and during the owner's changes")
    part.add_argument("--count", type=int, default=1000)
    part.add_argument("--keep", action="store_true", help="keep the home, to inspect it")
    part.set_defaults(run=lambda given: kills.run(given.count, given.seed, given.keep))
    part = parts.add_parser("power", help="power cuts at each write and sync, replayed")
    part.add_argument("--most", type=int, default=600, help="openings for each recording")
    part.add_argument("--only", default="", help="recordings with this text in their name")
    part.set_defaults(run=lambda given: power.run_all(given.seed, given.most, given.only))
    part = parts.add_parser("disk", help="a full disk in every state of the WAL")
    part.add_argument("--only", default="", help="states with this text in their name")
    part.set_defaults(run=lambda given: full_disk.run(given.seed, given.only))
    part = parts.add_parser("clock", help="the clock is set by seconds up to years, and back")
    part.add_argument("--rounds", type=int, default=3)
    part.set_defaults(run=lambda given: clocks.run(given.rounds, given.seed))
    part = parts.add_parser("soak", help="an hour at the rate that README states")
    part.add_argument("--minutes", type=float, default=60)
    part.add_argument("--rate", type=float, help="requests a second; else what README states")
    part.add_argument("--clients", type=int, default=64)
    part.set_defaults(run=lambda given: soak.run(given.minutes, given.rate, given.clients))
    given = parser.parse_args()
    print(f"campaign {given.part}, seed {given.seed}", flush=True)
    return 1 if given.run(given) else 0


if __name__ == "__main__":
    sys.exit(main())
