#!/usr/bin/env python3
"""The catalogue of the console's words: catalogue.py [--check | --untranslated]

Without an option it writes Web/console/languages/en.json: each text that the scripts give to t(), tn() and rich(), the words of index.html
that are marked data-t, and each sentence of Web/signer-sentences.json, which the signer says and the console shows, but for those that
Web/console/instead.js says in other words. With --check it fails when that file is stale, when a language lacks a text, has one that is not
used any more, or fills in something else, when a sentence of the signer has a command for which instead.js has no words, and when a script
has words that no catalogue can reach. --untranslated lists those of all scripts.
"""

from __future__ import annotations

import json
import pathlib
import re
import sys
from html.parser import HTMLParser

from javascript import Token, arguments, tokens

ROOT = pathlib.Path(__file__).resolve().parent
CONSOLE = ROOT / "console"
SIGNER = ROOT / "signer-sentences.json"
# Where the text stands among the arguments. tn(count, one, other) has two, and the second is the key.
CALLS = {"t": 0, "rich": 0, "tn": 2}
# The languages, each with its CLDR plural forms besides "other". Forms that a file leaves out, such as "many", use "other".
FORMS = {"en": {"one"}, "de": {"one"}, "es": {"one"}, "pt": {"one"}, "ja": set()}
PLACEHOLDER = re.compile(r"\{\w+\}")

# Calls whose arguments people read, and the first such argument.
SHOWN = {"h": 2, "svg": 2, "rich": 1} | dict.fromkeys(
    ["announce", "button", "choice", "copyButton", "dialog", "Error", "Failure", "field", "notice", "nothing", "ownerDialog", "say"], 0
)
# Properties that nobody reads, though their values may look like words.
CODE = {"class", "viewBox", "autocomplete", "id", "d", "points", "name", "type", "placeholder", "tag", "icon", "badge"}
# Names of the browser and of standards, and commands.
NAMES = re.compile(
    r"(?:[A-Z]\w*(?:Error|Event)|Holdfast|PushManager|Notification|POST|GET|Edge|Opera|Mac OS X|Arrow\w+|Escape|Enter|Tab"
    r"|holdfast [a-z ]+(?:(?:--home |--relay )?\{\}(?: --trusted-proxy 127\.0\.0\.1)?)?|[Tt]ailscale(?: serve --bg .*)?|Caddy"
    r"|\{\} \{\n\ttls internal(?s:.*)|\(prefers-[a-z-]+: \w+\)|[A-Z])"
)

# Scripts whose texts are for programmers, or names that the signer writes in English.
OTHERS = {"dom.js", "instead.js", "no-worker.js", "signer.js", "sw.js", "parts/icons.js", "parts/languages.js"}
# Texts that only look like words: classes, selectors, permissions and formats.
CODES = re.compile(
    r"(?:card|verdict|tag|state|batch|permission) (?:\w+|\{\})|input, textarea, .*|sign_event:1|ncryptsec|(?:Holdfast )?\{\}(?: ms)?"
)


# What people type in a terminal: a command, an option, the name of a permission.
TYPED = re.compile(r"\bholdfast [a-z]|(?:^|[ (])--[a-z]|\bsign_event\b|\bnip44_")


class Fault(Exception):
    """A call whose text cannot be read from the script."""


def is_call(found: list[Token], at: int, names) -> bool:
    token = found[at]
    if token.kind != "word" or token.value not in names or at + 1 == len(found) or found[at + 1].value != "(":
        return False
    return at == 0 or found[at - 1].value not in (".", "function")


def texts(path: pathlib.Path) -> dict[str, str | dict[str, str]]:
    """The texts that a script gives to t(), tn() and rich()."""
    source = path.read_text(encoding="utf-8")
    all_tokens, found = tokens(source), {}
    for at, token in enumerate(all_tokens):
        if not is_call(all_tokens, at, CALLS):
            continue
        given = arguments(all_tokens, at + 1)
        literals = [argument[0].value if len(argument) == 1 and argument[0].kind == "text" else None for argument in given]
        place = CALLS[token.value]
        wanted = literals[1:3] if place else literals[:1]
        if len(wanted) < (2 if place else 1) or None in wanted:
            line = source.count("\n", 0, token.start) + 1
            raise Fault(f"{shown(path)}:{line}: the text of {token.value}() must stand there as a literal")
        found[wanted[-1]] = {"one": wanted[0], "other": wanted[1]} if place else wanted[0]
    return found


def shown(path: pathlib.Path) -> str:
    return str(path.relative_to(ROOT.parent)) if path.is_relative_to(ROOT.parent) else path.name


class Frame(HTMLParser):
    """The words of index.html that are marked `data-t`: what stands in such an element, its tooltip and its label."""

    def __init__(self):
        super().__init__()
        self.words: dict[str, str] = {}
        self.is_marked = False

    def handle_starttag(self, tag, attributes):
        self.is_marked = any(name == "data-t" for name, _ in attributes)
        if self.is_marked:
            self.words |= {value: value for name, value in attributes if name in ("title", "aria-label") and value}

    def handle_data(self, data):
        if self.is_marked and data.strip():
            self.words[data] = data

    def handle_endtag(self, tag):
        self.is_marked = False


def frame_words() -> dict[str, str]:
    frame = Frame()
    frame.feed((CONSOLE / "index.html").read_text(encoding="utf-8"))
    return frame.words


def scripts() -> list[pathlib.Path]:
    return [path for path in sorted(CONSOLE.rglob("*.js")) if path.name != "language.js"]


def english() -> dict[str, dict]:
    """The English catalogue, as the scripts and the signer's sentences have it now."""
    console: dict[str, str | dict[str, str]] = dict(frame_words())
    for path in scripts():
        for key, text in texts(path).items():
            if console.setdefault(key, text) != text:
                raise Fault(f"{shown(path)}: “{key}” is both a text and a plural, or has two singulars")
    replaced, _ = page_words()
    signer = {sentence: sentence for sentence in signer_sentences() if sentence not in replaced}
    return {"console": dict(sorted(console.items())), "signer": dict(sorted(signer.items()))}


def signer_sentences() -> list[str]:
    return json.loads(SIGNER.read_text(encoding="utf-8"))


def page_words() -> tuple[set[str], set[str]]:
    """The signer's sentences that instead.js replaces, and those with a command that it keeps."""
    found = tokens((CONSOLE / "instead.js").read_text(encoding="utf-8"))
    replaced, kept = set(), set()
    for before, token, after in zip(found, found[1:], found[2:], strict=False):
        if token.kind == "text" and after.value == ":":
            replaced.add(token.value)
        elif token.kind == "text" and before.value in ("[", ",") and after.value in (",", "]"):
            kept.add(token.value)
    return replaced, kept


def command_faults() -> list[str]:
    """Commands that the signer's sentences would show in a browser, and words for sentences that it does not say."""
    (replaced, kept), said = page_words(), signer_sentences()
    shown = [text for text in said if TYPED.search(text) and text not in replaced | kept]
    found = [f"“{text}” has a command: say it in words of the page in Web/console/instead.js, or keep it there" for text in shown]
    return found + [f"Web/console/instead.js: the signer does not say “{text}”" for text in (replaced | kept).difference(said)]


def as_file(catalogue: dict) -> str:
    return json.dumps(catalogue, ensure_ascii=False, indent=1) + "\n"


def faults(name: str, catalogue: dict, wanted: dict) -> list[str]:
    """What a language's catalogue lacks or has too much."""
    found = []
    for part in ("console", "signer"):
        have, need = catalogue.get(part, {}), wanted[part]
        found += [f"{name}: nothing for “{key}”" for key in need if key not in have]
        found += [f"{name}: “{key}” is not used any more" for key in have if key not in need]
        found += [fault for key in need if key in have for fault in text_faults(name, key, have[key], need[key])]
        if list(have) != sorted(have):
            found.append(f"{name}: “{part}” is not sorted")
    return found


def text_faults(name: str, key: str, text, need) -> list[str]:
    """What is wrong with one text of a language."""
    if isinstance(need, str):
        if not isinstance(text, str):
            return [f"{name}: “{key}” must be a text"]
        return [] if placeholders(text) == placeholders(need) else [f"{name}: “{key}” fills in something else"]
    forms = FORMS[name] | {"other"}
    if not isinstance(text, dict) or set(text) != forms:
        return [f"{name}: “{key}” needs the forms {', '.join(sorted(forms))}"]
    # "One request" may do without its number.
    differ = [form for form in text if placeholders(text[form]) | {"{count}"} != placeholders(need["other"]) | {"{count}"}]
    return [f"{name}: “{key}” fills in something else for “{form}”" for form in differ]


def placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


def untranslated(path: pathlib.Path) -> list[tuple[Token, int]]:
    """Words that people read and that are not in t(), tn() or rich(), with their lines."""
    source = path.read_text(encoding="utf-8")
    all_tokens = tokens(source)
    inside = {token for at in range(len(all_tokens)) if is_call(all_tokens, at, CALLS) for token in translated(all_tokens, at)}
    read = {token for at in range(len(all_tokens)) if is_call(all_tokens, at, SHOWN) for token in read_by_people(all_tokens, at)}
    found = []
    for at, token in enumerate(all_tokens):
        if token.kind not in ("text", "template") or token in inside or is_code(all_tokens, at):
            continue
        if token in read or re.search(r"[A-Za-z]{2,}[,.:]? +(?:[A-Za-z]{2,}|\{\})|\{\} [A-Za-z]{2,}|^[A-Z][a-z]", token.value):
            found.append((token, source.count("\n", 0, token.start) + 1))
    return found


def translated(all_tokens: list[Token], at: int) -> list[Token]:
    """The texts themselves. What is filled in may be another sentence, which needs its own."""
    given = arguments(all_tokens, at + 1)
    return [argument[0] for argument in given[: CALLS[all_tokens[at].value] + 1] if argument]


def read_by_people(all_tokens: list[Token], at: int) -> list[Token]:
    """The texts that stand in a call as they are, or as one side of a condition."""
    found = []
    for argument in arguments(all_tokens, at + 1)[SHOWN[all_tokens[at].value] :]:
        depth = 0
        for token in argument:
            if token.kind == "sign":
                depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.value, 0)
            elif depth == 0 and token.kind in ("text", "template") and re.search(r"[A-Za-z]{2}", token.value):
                found.append(token)
    return found


def is_code(all_tokens: list[Token], at: int) -> bool:
    before, after = (all_tokens[at - 1] if at else None), (all_tokens[at + 1] if at + 1 < len(all_tokens) else None)
    text = all_tokens[at].value
    if NAMES.fullmatch(text) or re.match(r"[./#?&]", text) or not re.search(r"[A-Za-z]{2}", text.replace("{}", "")):
        return True
    if before and before.value in ("===", "!==", "==", "from", "import", "case", "in"):
        return True
    if after and after.value == ":" and before and before.value in ("{", ","):
        return True
    if after and after.value in ("===", "!==", "in"):
        return True
    return bool(before and before.value == ":" and all_tokens[at - 2].value in CODE)


def forgotten(path: pathlib.Path) -> list[str]:
    """The words of a finished script that no catalogue can reach."""
    if str(path.relative_to(CONSOLE)) in OTHERS:
        return []
    return [f"{shown(path)}:{line}: “{token.value}”" for token, line in untranslated(path) if not CODES.fullmatch(token.value)]


def check() -> list[str]:
    wanted = english()
    languages = CONSOLE / "languages"
    found = []
    if not (languages / "en.json").exists() or (languages / "en.json").read_text(encoding="utf-8") != as_file(wanted):
        found.append("Web/console/languages/en.json is stale: run Web/catalogue.py")
    found += command_faults()
    files = {path.stem: path for path in sorted(languages.glob("*.json"))}
    found += [f"{fault}: give it to t()" for path in scripts() for fault in forgotten(path)]
    if set(files) != set(FORMS):
        found.append(f"Web/console/languages has {', '.join(files)}, but FORMS in Web/catalogue.py has {', '.join(FORMS)}")
    for name in set(files) & set(FORMS) - {"en"}:
        found += faults(name, json.loads(files[name].read_text(encoding="utf-8")), wanted)
    return sorted(found)


def main() -> int:
    try:
        if "--untranslated" in sys.argv:
            for path in scripts():
                for token, line in untranslated(path):
                    print(f"{shown(path)}:{line}: {token.value}")
            return 0
        if "--check" not in sys.argv:
            (CONSOLE / "languages" / "en.json").write_text(as_file(english()), encoding="utf-8")
            return 0
        found = check()
    except Fault as fault:
        found = [str(fault)]
    for fault in found:
        print(f"catalogue: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
