"""Reads the console's scripts as tokens: enough of JavaScript to find its texts and the calls that they stand in."""

from __future__ import annotations

import re
from dataclasses import dataclass

SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
WORD = re.compile(r"[A-Za-z_$][\w$]*|#[A-Za-z_$][\w$]*|\d[\w.]*")
STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
PATTERN = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
SIGN = re.compile(r"=>|===|!==|==|!=|\.\.\.|\?\?=|\?\?|\?\.|&&|\|\||.", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
# A slash after one of these begins a pattern; after anything else it divides.
BEFORE_PATTERN = set("(,=:[!&|?{};+-*%<>~^") | {"=>", "===", "!==", "==", "!=", "&&", "||", "??", "...", "return", "typeof", "case"}


@dataclass(frozen=True)
class Token:
    """A word, a sign, a text (`text`), or a template with something filled in (`template`)."""

    kind: str
    value: str
    start: int
    end: int


def tokens(source: str, start: int = 0, until: str | None = None) -> list[Token]:
    """The tokens from `start`; up to the brace that closes a template's part when `until` is given, with that brace as the last."""
    found: list[Token] = []
    at, depth = start, 0
    while at < len(source):
        if space := SPACE.match(source, at):
            at = space.end()
            continue
        token, inner = next_token(source, at, found[-1].value if found else "(")
        if until and token.value == until and depth == 0 and token.kind == "sign":
            return [*found, token]
        depth += {"{": 1, "}": -1}.get(token.value, 0) if token.kind == "sign" else 0
        found += [token, *inner]
        at = token.end
    return found


def next_token(source: str, at: int, before: str) -> tuple[Token, list[Token]]:
    """The token at a place, and those inside it when it is a template."""
    if source[at] == "`":
        return template(source, at)
    if text := STRING.match(source, at):
        return Token("text", unescaped(text.group()[1:-1]), at, text.end()), []
    if word := WORD.match(source, at):
        return Token("word", word.group(), at, word.end()), []
    if source[at] == "/" and before in BEFORE_PATTERN and (pattern := PATTERN.match(source, at)):
        return Token("pattern", pattern.group(), at, pattern.end()), []
    sign = SIGN.match(source, at)
    return Token("sign", sign.group(), at, sign.end()), []


def template(source: str, start: int) -> tuple[Token, list[Token]]:
    """A template. Without anything filled in it is a text; otherwise what is filled in stands as {}."""
    at, parts, inner = start + 1, [""], []
    while source[at] != "`":
        if source.startswith("${", at):
            filled = tokens(source, at + 2, until="}")
            inner += filled[:-1]
            at = filled[-1].end
            parts.append("")
        elif source[at] == "\\":
            parts[-1] += source[at : at + 2]
            at += 2
        else:
            parts[-1] += source[at]
            at += 1
    kind = "template" if len(parts) > 1 else "text"
    return Token(kind, "{}".join(unescaped(part) for part in parts), start, at + 1), inner


def unescaped(text: str) -> str:
    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", lambda found: escape(*found.groups()), text, flags=re.DOTALL)


def escape(code: str | None, letter: str | None) -> str:
    return chr(int(code, 16)) if code else ESCAPES.get(letter or "", letter or "")


def arguments(all_tokens: list[Token], opening: int) -> list[list[Token]]:
    """The arguments of the call whose opening bracket is at an index."""
    depth, found = 0, [[]]
    for token in all_tokens[opening:]:
        if token.kind == "sign" and token.value in "([{":
            depth += 1
            if depth == 1:
                continue
        if token.kind == "sign" and token.value in ")]}":
            depth -= 1
            if depth == 0:
                break
        if token.kind == "sign" and token.value == "," and depth == 1:
            found.append([])
        else:
            found[-1].append(token)
    return [argument for argument in found if argument]
