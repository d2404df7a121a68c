"""NIP-01: the canonical form, the id, signing and checking of events."""

from __future__ import annotations

import hashlib
import json
import time

from .keys import Key, is_valid_signature

REMOTE_SIGNING = 24133

_SHORT = {0x0A: "\\n", 0x22: '\\"', 0x5C: "\\\\", 0x0D: "\\r", 0x09: "\\t", 0x08: "\\b", 0x0C: "\\f"}
_ESCAPES = {**{code: f"\\u{code:04x}" for code in range(0x20)}, **_SHORT}


def _quoted(text: str) -> str:
    return '"' + text.translate(_ESCAPES) + '"'


def canonical_form(event: dict) -> bytes:
    """`[0,pubkey,created_at,kind,tags,content]` with the seven short escapes; everything else verbatim.

    Written by hand rather than through `json`, so that the two can be compared.
    """
    tags = ",".join("[" + ",".join(map(_quoted, tag)) + "]" for tag in event["tags"])
    head = f'[0,"{event["pubkey"]}",{event["created_at"]},{event["kind"]},[{tags}],'
    return (head + _quoted(event["content"]) + "]").encode()


def event_id(event: dict) -> str:
    return hashlib.sha256(canonical_form(event)).hexdigest()


def signed(key: Key, kind: int, content: str, tags: list, created_at: int | None = None) -> dict:
    event = {
        "pubkey": key.public,
        "created_at": int(time.time()) if created_at is None else created_at,
        "kind": kind,
        "tags": tags,
        "content": content,
    }
    event["id"] = event_id(event)
    event["sig"] = key.sign(bytes.fromhex(event["id"]))
    return event


def is_genuine(event: dict) -> bool:
    """The id belongs to the content and the signature to the id."""
    if event_id(event) != event["id"]:
        return False
    return is_valid_signature(event["sig"], bytes.fromhex(event["id"]), event["pubkey"])


def template(kind: int = 1, content: str = "hello", tags: list | None = None, **more) -> dict:
    """What an app hands to a signer: no id, no pubkey, no signature."""
    return {"kind": kind, "content": content, "tags": tags or [], "created_at": int(time.time()), **more}


def as_json(value) -> str:
    """Compact JSON with characters verbatim, as browsers write it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
