#!/usr/bin/env python3
"""Looks for words that docs/GLOSSARY.md forbids: check-words.py [FILE…]

The table below "## Words we do not use" has the columns `not`, `but` and, optionally, `allowed where`:

    | not | but | allowed where |
    |---|---|---|
    | `gates?` | check, limiter | `Sources/Sockets/**`, "gate of a house" |

- `not` holds regular expressions in backticks. They are matched without regard to case, as whole words, after every identifier is taken
  apart (`SignInGate` and `sign_in_gate` read as "sign in gate").
- `allowed where` holds patterns of paths in backticks, and in quotes the phrases in which the word is meant otherwise.

It first tries itself on a small table of its own.

Without arguments it reads every file in git that a person writes: code, pages, scripts and documents.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GLOSSARY = ROOT / "docs" / "GLOSSARY.md"
HEADING = "## Words we do not use"
READ = {".swift", ".h", ".c", ".py", ".js", ".css", ".html", ".sh", ".md", ".toml", ".service"}
LEFT_OUT = [
    "docs/GLOSSARY.md",
    "docs/check-words.py",
    "Tests/Vectors/*",
    "Sources/Mnemonics/WordLists/*",
    "Sources/*/Generated/*",
    "Fuzz/*Cases/*",
]
"""What quotes the words, and texts that are not ours."""

TICKED = re.compile(r"`((?:[^`\\]|\\.)+)`")
QUOTED = re.compile(r'"([^"]+)"')
JOINTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_")


class Word:
    """One row of the table."""

    def __init__(self, cells: list[str]):
        self.instead = cells[1] if len(cells) > 1 else ""
        allowed = cells[2] if len(cells) > 2 else ""
        self.paths = ticked(allowed)
        self.phrases = [re.compile(re.escape(one), re.IGNORECASE) for one in QUOTED.findall(TICKED.sub("", allowed))]
        self.forbidden = [whole(one) for one in ticked(cells[0])]

    def reads(self, path: str) -> bool:
        return not any(fnmatch.fnmatch(path, pattern) for pattern in self.paths)

    def found(self, line: str) -> list[str]:
        """The forbidden words of a line that are in no allowed phrase."""
        matches = [match for pattern in self.forbidden for match in pattern.finditer(line)]
        if not matches:
            return []
        spans = [match.span() for phrase in self.phrases for match in phrase.finditer(line)]
        return [match.group() for match in matches if not any(start <= match.start() and match.end() <= end for start, end in spans)]


def ticked(cell: str) -> list[str]:
    return [one.replace("\\|", "|") for one in TICKED.findall(cell)]


def whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)


def table(text: str) -> list[Word]:
    """The rows below the heading; the first two are the head and the rule below it."""
    section = text.split(HEADING, 1)
    if len(section) == 1:
        return []
    rows = [line for line in section[1].split("\n## ", 1)[0].splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))] for row in rows[2:]]
    return [Word(row) for row in cells]


def files() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [path for path in listed if pathlib.Path(path).suffix in READ or pathlib.Path(path).name == "Makefile"]


def faults(paths: list[str], words: list[Word]) -> list[str]:
    found = []
    any_word = re.compile(r"\b(?:" + "|".join(pattern.pattern for word in words for pattern in word.forbidden) + ")")
    for path in paths:
        if any(fnmatch.fnmatch(path, pattern) for pattern in LEFT_OUT) or not (ROOT / path).is_file():
            continue
        here = [word for word in words if word.reads(path)]
        text = JOINTS.sub(" ", (ROOT / path).read_text(encoding="utf-8", errors="replace"))
        lower = text.lower()
        if not any_word.search(lower):  # a whole file at once: most have none
            continue
        for number, line in enumerate(text.splitlines(), start=1):
            if not any_word.search(line.lower()):
                continue
            for word in here:
                found += [f"{path}:{number}: {match!r}: say {word.instead}" for match in word.found(line)]
    return found


def broken_rules() -> list[str]:
    """What this program would miss or report by mistake, by a table of its own."""
    rules = table(
        HEADING + '\n\n| not | but | allowed where |\n|---|---|---|\n| `gates?`, `a look` | check | "(gate:", `Web/**` |\n\n## Next\n'
    )
    wanted = [
        ("SignInGate", 1), ("let sign_in_gate = a.gate", 2), ("has a look", 1), ("a lookup, and it investigates", 0),
        ("(gate: x)", 0), ("(gate: x) gate", 1), ("two gates", 1),
    ]  # fmt: skip
    broken = [line for line, count in wanted if sum(len(rule.found(JOINTS.sub(" ", line))) for rule in rules) != count]
    if len(rules) != 1 or rules[0].reads("Web/console/main.js") or not rules[0].reads("docs/KEYS.md"):
        broken.append("the column of paths")
    return broken


def main() -> int:
    if broken := broken_rules():
        print(f"words: this check is wrong itself, about: {', '.join(broken)}", file=sys.stderr)
        return 1
    words = table(GLOSSARY.read_text(encoding="utf-8")) if GLOSSARY.exists() else []
    if not words:
        print(f"words: docs/GLOSSARY.md has no table below {HEADING!r}", file=sys.stderr)
        return 1
    found = faults(sys.argv[1:] or files(), words)
    for fault in found:
        print(fault, file=sys.stderr)
    print(f"words: {len(found)} that docs/GLOSSARY.md forbids" if found else "words: as docs/GLOSSARY.md has them")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
