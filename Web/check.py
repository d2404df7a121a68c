#!/usr/bin/env python3
"""Looks in Web for what makes code or markup of text, and for what the console's Content-Security-Policy forbids.

The policy stops most of it in a browser; here it is seen before. The linter (Web/oxlint.json) knows the rest: eval, console, alert.
"""

import pathlib
import re
import sys
from html.parser import HTMLParser

ROOT = pathlib.Path(__file__).resolve().parent
MARKUP = "markup from text: make elements with h()"
SCRIPTS = {
    r"\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bsetHTML(?:Unsafe)?\b|\bcreateContextualFragment\b": MARKUP,
    r"\bdocument\.write(?:ln)?\b|\bsrcdoc\b|\bDOMParser\b": MARKUP,
    r"""\bsetAttribute\(\s*["'`]on""": "a handler from text: use addEventListener, or onclick: in h()",
    r"\bnew Function\b|\bimport\(": "code from elsewhere",
    r"""["'`]javascript:""": "code from text",
    r"""["'`](?:https?|wss?)://(?!\$|www\.w3\.org/)[^"'`]*["'`]""": "an address of another machine",
}


class Page(HTMLParser):
    """The faults of one HTML file: inline scripts, styles and handlers, and addresses elsewhere."""

    def __init__(self, name: str):
        super().__init__()
        self.name = name
        self.faults: list[str] = []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "script" and "src" not in given:
            self.fault("an inline script")
        if tag in ("style", "iframe", "object", "embed", "base"):
            self.fault(f"<{tag}>")
        for name, value in attributes:
            if name.startswith("on") or name == "style":
                self.fault(f"{name}= on <{tag}>")
            if name in ("src", "href", "action") and re.match(r"\s*(?:[a-z]+:|//)", value or "", re.IGNORECASE):
                self.fault(f"{name}={value!r}: an address of another machine, or code")

    def fault(self, what: str) -> None:
        self.faults.append(f"{self.name}:{self.getpos()[0]}: {what}")


def page_faults(path: pathlib.Path) -> list[str]:
    page = Page(f"Web/{path.relative_to(ROOT)}")
    page.feed(path.read_text(encoding="utf-8"))
    return page.faults


def script_faults(path: pathlib.Path) -> list[str]:
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    return [
        f"Web/{path.relative_to(ROOT)}:{number}: {what}: {found.group()}"
        for number, line in lines
        for pattern, what in SCRIPTS.items()
        for found in re.finditer(pattern, without_comment(line))
    ]


def without_comment(line: str) -> str:
    return re.sub(r"^\s*(?://|\*|/\*).*|/\*.*?\*/", "", line)


def main() -> int:
    faults = [fault for path in sorted(ROOT.rglob("*.html")) for fault in page_faults(path)]
    faults += [fault for path in sorted(ROOT.rglob("*.js")) for fault in script_faults(path)]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
