#!/usr/bin/env python3
"""Writes files.c: the table of everything in Web/console. With --check: says whether it is up to date.

Only the table: the contents come in by #embed when files.c is compiled, and the compiler's dependency file makes a changed page
rebuild it."""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGES = HERE.parent.parent / "Web" / "console"
TARGET = HERE / "files.c"
NAME = re.compile(r"^[a-z0-9][a-z0-9._-]*$")


def pages() -> list[str]:
    found = []
    for path in PAGES.rglob("*"):
        relative = path.relative_to(PAGES)
        if path.is_dir() or any(part.startswith(".") for part in relative.parts) or path.name == "README.md":
            continue
        if not all(NAME.match(part) for part in relative.parts):
            sys.exit(f"Web/console/{relative}: lower-case letters, digits, dot, hyphen and underscore only")
        found.append(str(relative))
    return sorted(found)


def variable(name: str) -> str:
    return "file_" + re.sub(r"[^a-z0-9]", "_", name)


def text() -> str:
    files = pages()
    lines = [
        "// Written by generate.py from the folder Web/console; run it after adding or removing a page.",
        "// clang-format off",
        '#include "console_files.h"',
        "",
        '#pragma clang diagnostic ignored "-Wc23-extensions"',
        "",
    ]
    for name in files:
        lines += [f"static const unsigned char {variable(name)}[] = {{", f'#embed "../../Web/console/{name}" suffix(,)', "0};"]
    lines += ["", "const holdfast_console_file holdfast_console_files[] = {"]
    lines += [f'  {{"{name}", {variable(name)}, sizeof {variable(name)} - 1}},' for name in files]
    lines += ["};", f"const size_t holdfast_console_file_count = {len(files)};", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    if "--check" in sys.argv:
        if TARGET.read_text() != text():
            sys.exit("Sources/CConsoleFiles/files.c is stale: run Sources/CConsoleFiles/generate.py")
    else:
        TARGET.write_text(text())
