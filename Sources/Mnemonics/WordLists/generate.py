#!/usr/bin/env python3
"""Writes ../Generated/<Language>.swift from the word lists beside this script; with --check only says whether they are stale.

Each Swift file holds one static string: the words in NFKD, a space after each. The lines are for the reader and not in the string.
"""

import pathlib
import sys
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parent / "Generated"
WIDTH = 118


def words_of(path):
    words = [unicodedata.normalize("NFKD", word) for word in path.read_text("utf-8").split()]
    count = 1024 if path.stem == "slip39" else 2048
    if len(words) != count or len(set(words)) != count:
        sys.exit(f"{path.name}: not {count} different words")
    return words


def camel_case(name):
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def swift(name, words):
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) + 2 > WIDTH:
            lines.append(line)
            line = ""
        line += word + " "
    body = "\n".join(f"    {text}\\" for text in lines + [line])
    return (
        "// swift-format-ignore-file\n"
        f"// Made by WordLists/generate.py from WordLists/{name}.txt. Do not edit.\n\n"
        "extension WordList {\n"
        f'  static var {camel_case(name)}: StaticString {{\n    """\n{body}\n\n    """\n  }}\n}}\n'
    )


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit("usage: generate.py [--check]")
    stale = []
    expected = {}
    for path in sorted(HERE.glob("*.txt")):
        name = camel_case(path.stem)
        expected[TARGET / f"{name[0].upper()}{name[1:]}.swift"] = swift(path.stem, words_of(path))
    for path, text in expected.items():
        if path.exists() and path.read_text("utf-8") == text:
            continue
        stale.append(path.name)
        if not check:
            path.write_text(text, "utf-8")
    stale += [path.name for path in TARGET.glob("*.swift") if path not in expected]
    if check and stale:
        sys.exit("stale, run Sources/Mnemonics/WordLists/generate.py: " + ", ".join(sorted(stale)))


main()
