#!/usr/bin/env python3
"""Checks the documents: links lead somewhere, every line of the threat model names a test that exists, and FORMATS.md has the kinds of
log entries that the code has.

A test is named as `PATH::name`, where PATH is a file or a folder below Tests/ or interop/.
A line of the threat model is a table row or a list item in one of the sections that promise something.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = ROOT / "docs" / "THREAT_MODEL.md"
NAMED = re.compile(r"`((?:Tests|interop|Fuzz)[\w/.-]*)::(\w+)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
PROMISES = "## What it defends against"
FORMATS = ROOT / "docs" / "FORMATS.md"
ENTRY = ROOT / "Sources" / "AuditLog" / "Entries" / "AuditEntry.swift"


def definitions(path: pathlib.Path) -> set[str]:
    """The names of all test functions in a file or below a folder."""
    names: set[str] = set()
    files = [path] if path.is_file() else [*path.rglob("*.swift"), *path.rglob("*.py")]
    for file in files:
        text = file.read_text(encoding="utf-8")
        pattern = r"\bfunc\s+(\w+)" if file.suffix == ".swift" else r"\bdef\s+(\w+)"
        names.update(re.findall(pattern, text))
    return names


def threat_model() -> list[str]:
    """Rows without a test, and names of tests that are not there."""
    faults: list[str] = []
    known: dict[str, set[str]] = {}
    promising = header = False
    for number, line in enumerate(MODEL.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("## "):
            promising = line.strip() == PROMISES
        named = NAMED.findall(line)
        if promising and line.startswith("|"):
            header = header or set(line) <= set("|-: ")
            if not named and header and not set(line) <= set("|-: "):
                faults.append(f"docs/THREAT_MODEL.md:{number}: this row names no test")
        else:
            header = False
        for path, name in named:
            if path not in known:
                known[path] = definitions(ROOT / path) if (ROOT / path).exists() else set()
            if name not in known[path]:
                faults.append(f"docs/THREAT_MODEL.md:{number}: there is no test {path}::{name}")
    return faults


def links() -> list[str]:
    """Relative links that lead nowhere."""
    faults: list[str] = []
    for file in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "Packaging").glob("*.md")]):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            for target in LINK.findall(line):
                if "://" not in target and not target.startswith("mailto:") and not (file.parent / target).exists():
                    faults.append(f"{file.relative_to(ROOT)}:{number}: the link to {target} leads nowhere")
    return faults


def entry_kinds() -> list[str]:
    """Kinds of log entries that FORMATS.md lists otherwise than the code. A `*` marks those after which the head is written."""
    code = ENTRY.read_text(encoding="utf-8")
    start, middle, end = (code.index(text) for text in ("enum Kind", "var wantsHead", "default: false"))
    marked = set(re.findall(r"\.(\w+)", code[middle:end]))
    declared = {f"{number} {name}{' *' * (name in marked)}" for name, number in re.findall(r"case (\w+) = (\d+)", code[start:middle])}
    section = FORMATS.read_text(encoding="utf-8").split("The kinds of entries", 1)[-1].split("### ", 1)[0]
    listed = {
        cell.strip() for line in section.splitlines() if line.startswith("|") for cell in line.split("|") if cell.strip()[:1].isdigit()
    }
    return [f"docs/FORMATS.md: the table of entry kinds differs from the code in: {one}" for one in sorted(declared ^ listed)]


def main() -> int:
    faults = links() + entry_kinds() + (threat_model() if MODEL.exists() else [])
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        print("docs: links and named tests are there")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
