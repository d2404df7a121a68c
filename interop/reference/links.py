"""`bunker://` links taken apart strictly, and `nostrconnect://` links put together as the libraries do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, urlencode

# What nostr-tools admits: a link outside this alphabet is refused there as a whole.
STRICTEST_ACCEPTED = re.compile(r"^bunker://([0-9a-f]{64})\??([?/\w:.=&%-]*)$", re.ASCII)


@dataclass(frozen=True)
class BunkerLink:
    text: str
    signer: str
    relays: list[str]
    secret: str | None

    @classmethod
    def parse(cls, text: str) -> BunkerLink:
        match = STRICTEST_ACCEPTED.match(text)
        if not match:
            raise ValueError("a link that nostr-tools refuses")
        query = parse_qs(match[2], keep_blank_values=True, strict_parsing=True)
        secret = query.get("secret", [None])[0]
        return cls(text, match[1], query.get("relay", []), secret)


def nostrconnect(client: str, relays: list[str], secret: str | None, **more: str) -> str:
    """As `URLSearchParams` writes it: spaces become `+`."""
    fields = [("relay", relay) for relay in relays]
    fields += [("secret", secret)] if secret is not None else []
    return f"nostrconnect://{client}?{urlencode(fields + list(more.items()))}"


def nostrconnect_percent(client: str, relays: list[str], secret: str, **more: str) -> str:
    """As `encodeURIComponent` writes it: spaces become `%20`."""
    fields = [("relay", relay) for relay in relays] + [("secret", secret)] + list(more.items())
    return f"nostrconnect://{client}?" + "&".join(f"{name}={quote(value, safe='')}" for name, value in fields)
