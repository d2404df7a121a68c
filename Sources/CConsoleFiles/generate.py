#!/usr/bin/env python3
"""Writes the tables of everything in Web/console and Web/extension: files.c here and in CExtensionFiles. With --check: says whether they
are up to date.

Only the tables: the contents come in by #embed when files.c is compiled, and the compiler's dependency file makes a changed page
rebuild it."""

from __future__ import annotations

import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent.parent
WEB = SOURCES.parent / "Web"
# The folder below Web, which is also the word in the names of C, and the module of its table.
TABLES = {"console": "CConsoleFiles", "extension": "CExtensionFiles"}
NAME = re.compile(r"^[a-z0-9][a-z0-9._-]*$")


def files_in(folder: str) -> list[str]:
    found = []
    for path in (WEB / folder).rglob("*"):
        relative = path.relative_to(WEB / folder)
        if path.is_dir() or any(part.startswith(".") for part in relative.parts) or path.name == "README.md":
            continue
        if not all(NAME.match(part) for part in relative.parts):
            sys.exit(f"Web/{folder}/{relative}: lower-case letters, digits, dot, hyphen and underscore only")
        found.append(str(relative))
    return sorted(found)


def variable(name: str) -> str:
    return "file_" + re.sub(r"[^a-z0-9]", "_", name)


def text(folder: str) -> str:
    files = files_in(folder)
    lines = [
        f"// Written by Sources/CConsoleFiles/generate.py from the folder Web/{folder}; run it after adding or removing a file.",
        "// clang-format off",
        f'#include "{folder}_files.h"',
        "",
        '#pragma clang diagnostic ignored "-Wc23-extensions"',
        "",
    ]
    for name in files:
        lines += [f"static const unsigned char {variable(name)}[] = {{", f'#embed "../../Web/{folder}/{name}" suffix(,)', "0};"]
    lines += ["", f"const holdfast_{folder}_file holdfast_{folder}_files[] = {{"]
    lines += [f'  {{"{name}", {variable(name)}, sizeof {variable(name)} - 1}},' for name in files]
    lines += ["};", f"const size_t holdfast_{folder}_file_count = {len(files)};", ""]
    return "\n".join(lines)


def main() -> int:
    for folder, module in TABLES.items():
        target = SOURCES / module / "files.c"
        if "--check" not in sys.argv:
            target.write_text(text(folder))
        elif target.read_text() != text(folder):
            print(f"Sources/{module}/files.c is stale: run Sources/CConsoleFiles/generate.py", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
