#!/usr/bin/env python3
"""Collects the sentences that the signer says and the console shows: signer_sentences.py [--check]

It reads the texts of the Swift sources named below and writes Web/signer-sentences.json. What a text fills in becomes a placeholder, with
the last name of its expression: "Log in to \\(address.host)" is "Log in to {host}". A text with two endings, as \\(count == 1 ? "" : "s"),
is collected with each. With --check it says whether the file is up to date.
"""

from __future__ import annotations

import itertools
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent
SOURCES = ROOT.parent / "Sources"
TARGET = ROOT / "signer-sentences.json"

# What is asked of the owner, why, what happened, and why something failed.
FILES = [
    "Nostr/Kinds/KindEntry.swift",
    "Nostr/Kinds/KindTable+*.swift",
    "RequestPreview/*.swift",
    "RemoteSigning/Grants/Rule.swift",
    "OwnerOperations/AnswerOperations*.swift",
    "OwnerOperations/Backup/*.swift",
    "OwnerOperations/ClientOperations.swift",
    "OwnerOperations/ConsoleOperations.swift",
    "OwnerOperations/Custody/CustodyFacts.swift",
    "OwnerOperations/DamagedVault.swift",
    "OwnerOperations/GrantOperations.swift",
    "OwnerOperations/GuardOperations.swift",
    "OwnerOperations/IdentityOperations.swift",
    "OwnerOperations/LogCheck.swift",
    "OwnerOperations/LogEntryText.swift",
    "OwnerOperations/LogOperations.swift",
    "OwnerOperations/PairOperations.swift",
    "OwnerOperations/Presence.swift",
    "OwnerOperations/Push*.swift",
    "OwnerOperations/QRCodeOperation.swift",
    "OwnerOperations/NearNames.swift",
    "OwnerOperations/Relay*.swift",
    "OwnerOperations/RequestOperations.swift",
    "OwnerOperations/Trial*Operations.swift",
    "OwnerOperations/UnusedLinks.swift",
    "OwnerOperations/Identities/*.swift",
    "OwnerOperations/Recovery/*.swift",
    "OwnerOperations/Session/PassphraseRemark.swift",
    "OwnerOperations/Session/SessionOperations.swift",
    "OwnerOperations/Slots/*.swift",
    "OwnerWords/AuditFaults.swift",
    "OwnerWords/*Failures.swift",
    "OwnerWords/FaultWords.swift",
    "Backups/BackupReason.swift",
    "Backups/Backups.swift",
    "Guardians/AskedEntries.swift",
    "Guardians/GuardianBook+Listening.swift",
    "KeyRotation/RelaySession*.swift",
    "Signer/Locking/*.swift",
    "Signer/Serving/AuditEntries.swift",
    "Signer/Serving/RefusedLinks.swift",
    "Signer/Serving/SigningService.swift",
    "Signer/Storing/ForgottenAttempts.swift",
    "Signer/Storing/OpenedHome.swift",
    "Signer/Storing/OpenedHome+Endings.swift",
    "Signer/Storing/OpenedHome+Waiting.swift",
    "Signer/Storing/RollbackFinding.swift",
    "Sockets/CloseReason.swift",
    "VaultRepair/RenewedLog.swift",
    "Console/ConsoleHooks.swift",
    "Console/Sessions/*.swift",
    "Console/Passkeys/*.swift",
    "Console/Serving/CallReply.swift",
    "Mnemonics/Shares/ShareSentences.swift",
    "ObjectStorage/ObjectStorageError.swift",
]
# Texts of these files that the console does not show: the command line's own, raw events, and keys of a change.
LEFT_OUT = {"RawText.swift", "RequestSummary.swift", "ListChange.swift"}
LEFT_OUT |= {"WaysLeft.swift", "ResetEventOperation.swift", "SuccessionOperation.swift", "VanityOperation.swift"}
LEFT_OUT |= {"VaultRepairFailures.swift"}
# Sentences of those files for the command line only, and for who writes a client of the signer.
NOT_SHOWN = re.compile(
    "|".join(
        [r"^,", r"^holdfast ", r"^Holdfast(?: console)?$", r"^\{value\};", r"^“\{?\w+\}?” ", r"\{trust\}"]
        + [r"(?<!slot enrol )(?<!… )--[a-z]+-file"]
        + [r"--(?:pick|threshold|token|checkpoint|tls)", r"The checkpoint", r"vault accept", r"log renew", r"move “"]
        + [r"JSON", r"at byte", r"content type", r"POST", r"more than \{count\} values", r"^it is longer than \{count\} bytes$"]
        + [r"--(?:ca|npub|json)\b", r"--to PLACE", r"Stop it, then run", r"on standard input", r"Leave out --", r"in quotes: '"]
        + [r"^sign_event:", r"^Accept:", r"^Kind \{kind\}", r"^\{permission\}, so", r"although it does not work"]
        + [r"encrypted to yourself may", r"give it with --recovery-code", r"^recovery \{"]
        + [r"--(?:format|unencrypted|emoji|lock-after)", r"pin-file", r"lock_after", r"given with --relay", r"of its PRF"]
        + [r"^I understand$", r"^class \{", r"^at \{", r"^; ", r"^\{slots\}", r"^1 slot$", r"^\{name\} (?:cannot|could|failed|is)"]
        + [r"^The token “\{name\}”$", r"Its driver", r"^nothing, because", r"^the token's module$", r"A running signer has$"]
        + [r"enrolled, compared", r"^(?:recording|making a folder)", r"^entry \{", r"^one or more of the entries", r"^rewritten"]
        + [r"^A test of Holdfast", r"^looking at the file$", r"mark of the suspension", r"rust-nostr", r"^to \{"]
        + [r"wrong passphrases? w(?:as|ere)$", r"^put back$", r"^\{address\};", r"new token's PIN"]
        + [r"^(?:was|has|is|does not|cannot(?! be (?:undone|read)$)) "]
        + [r"its number from 1", r"a file beside", r"^the vault file$", r"MiB$", r"^and binds"]
    )
)
# What some expressions fill in. The console translates what stands for {thing}, {things}, {what} and {why}, too: it is never an app's word.
NAMED = {
    r"plural\(": "things",
    r"KindName\(": "thing",
    r"\.words$|\.sentence$|^how$|^error$": "why",
    r"\.giveUp$|signal\.rawValue$": "what",
    r"utf8\.count|^count$|^text\.count$": "count",
}
CHOICE = re.compile(r'[^?"]+ \? "(?P<yes>[^"\\]*)" : "(?P<no>[^"\\]*)"$', re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")
# Parts of expressions that do not say what is filled in.
NOT_NAMES = set("String Self radix limit map separator joined prefix hex description count rawValue of type self".split())


def literals(source: str) -> list[list[list[str]]]:
    """The string literals of a Swift source, each as a list of parts; a part is the list of the texts that may stand there."""
    found, at = [], 0
    while at < len(source):
        if source.startswith("//", at):
            at = source.find("\n", at) % (len(source) + 1)
        elif source.startswith('"""', at):
            at = source.index('"""', at + 3) + 3
        elif source[at] == '"':
            parts, at = literal(source, at + 1)
            found.append(parts)
        else:
            at += 1
    return found


def literal(source: str, at: int) -> tuple[list[list[str]], int]:
    """One literal from after its first quote; where it ends."""
    parts, text = [], ""
    while source[at] != '"':
        if source.startswith("\\(", at):
            end = closing(source, at + 2)
            parts += [[text], choices(source[at + 2 : end])]
            text, at = "", end + 1
        elif source[at] == "\\":
            text += {"n": "\n", "t": "\t"}.get(source[at + 1], source[at + 1])
            at += 2
        else:
            text += source[at]
            at += 1
    return [*parts, [text]], at + 1


def closing(source: str, at: int) -> int:
    """Where an expression ends that is filled in: at the bracket that closes it, outside of its own texts."""
    depth = 0
    while depth or source[at] != ")":
        if source[at] == '"':
            at = literal(source, at + 1)[1]
            continue
        depth += {"(": 1, ")": -1}.get(source[at], 0)
        at += 1
    return at


def choices(expression: str) -> list[str]:
    """The texts that an expression may fill in: those of a choice, or a placeholder."""
    if choice := CHOICE.match(expression):
        return [choice["yes"], choice["no"]]
    if quoted := re.match(r"ShownText\.quoted\((\w+),", expression):
        return ["“{" + quoted[1] + "}”"]
    for pattern, name in NAMED.items():
        if re.search(pattern, expression):
            return ["{" + name + "}"]
    names = [name for name in NAME.findall(re.sub(r'"[^"]*"', "", expression)) if name not in NOT_NAMES]
    return ["{" + (names[-1] if names else "count") + "}"]


def sentences(path: pathlib.Path) -> set[str]:
    # What is added to a sentence as another one begins with a space.
    found = {
        re.sub(r"^ (?=[A-Z])", "", "".join(text))
        for parts in literals(path.read_text(encoding="utf-8"))
        for text in itertools.product(*parts)
    }
    if path.name.startswith("KindTable"):
        found = {text for text in found if re.match(r"[A-Z]", text)}
    if path.name == "KindEntry.swift":  # the rest is made of names of kinds
        found = {text for text in found if text.startswith("Sign an event of kind")}
    return {text for text in found if is_sentence(text)}


def is_sentence(text: str) -> bool:
    """Whether people read it: one word with a capital letter, or several words, but no command, and no part of a sentence."""
    filled = re.findall(r"\{\w+\}", text)
    if text != text.strip() or len(set(filled)) != len(filled) or NOT_SHOWN.search(text):
        return False
    words = re.sub(r"\{\w+\}", "", text)
    return bool(re.match(r"[A-Z][a-z]+$", text) or (" " in text and re.search(r"[A-Za-z]{2}[,.:”)]* ", words.strip() + " ")))


def collected() -> list[str]:
    paths = {path for pattern in FILES for path in SOURCES.glob(pattern) if path.name not in LEFT_OUT}
    return sorted(set().union(*(sentences(path) for path in paths)))


def main() -> int:
    text = json.dumps(collected(), ensure_ascii=False, indent=1) + "\n"
    if "--check" not in sys.argv:
        TARGET.write_text(text, encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != text:
        print("Web/signer-sentences.json is stale: run Web/signer_sentences.py, then Web/catalogue.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
