#!/usr/bin/env python3
"""Checks that each module of Sources names in Package.swift every module that it imports. Otherwise SwiftPM may build it too early."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMPORT = re.compile(r"^(?:@\w+ )?(?:public |package |private )?import (?:struct |func |class |enum )?(\w+)", re.MULTILINE)


def declared() -> dict[str, set[str]]:
    """The dependencies of each target, by its name."""
    swift = os.environ.get("SWIFT", "swift")
    package = json.loads(subprocess.check_output([swift, "package", "dump-package"], cwd=ROOT))
    return {target["name"]: {names[0] for one in target["dependencies"] for names in one.values()} for target in package["targets"]}


def main() -> int:
    targets, faults = declared(), 0
    for name, dependencies in targets.items():
        for file in sorted((ROOT / "Sources" / name).rglob("*.swift")):
            for imported in sorted(set(IMPORT.findall(file.read_text())) & targets.keys() - dependencies):
                print(f"{file.relative_to(ROOT)} imports {imported}, which {name} does not name in Package.swift")
                faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
