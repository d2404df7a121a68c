#!/usr/bin/env python3
"""Looks for tests without a title: every `@Test` says in a sentence what it checks, and no two of a file say the same.

A title is the first argument: `@Test("A link can be claimed once")`.
"""

import pathlib
import re
import sys
from collections import Counter

TESTS = pathlib.Path(__file__).resolve().parent
UNTITLED = [
    "DaemonTests",
]
"""Folders whose tests have no titles yet. The list shall become empty."""

ATTRIBUTE = re.compile(r"^(?!\s*//)[^\"\n]*@Test\b(?:\s*\(\s*\"((?:[^\"\\]|\\.)+)\")?", re.MULTILINE)


def faults(file: pathlib.Path) -> list[str]:
    text, name = file.read_text(encoding="utf-8"), file.relative_to(TESTS.parent)
    titles = [(text.count("\n", 0, match.start()) + 1, match[1]) for match in ATTRIBUTE.finditer(text)]
    found = [f"{name}:{line}: the test has no title" for line, title in titles if title is None]
    twice = [title for title, count in Counter(title for _, title in titles if title).items() if count > 1]
    return found + [f"{name}: two tests have the title {title!r}" for title in twice]


def main() -> int:
    files = [file for file in sorted(TESTS.rglob("*.swift")) if file.relative_to(TESTS).parts[0] not in UNTITLED]
    found = [fault for file in files for fault in faults(file)]
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
