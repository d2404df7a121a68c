"""go-nostr's BunkerClient, which nak uses."""

from __future__ import annotations

import itertools
import secrets
import time

from reference import nip04
from reference.links import BunkerLink

from .base import Client, Rejected


class GoNostr(Client):
    """Fields are Go strings. A number or an object makes the whole response unreadable, and null is read as an empty string."""

    by_nostrconnect = False
    has_switch_relays = False
    has_logout = False

    def __init__(self, key=None):
        super().__init__(key)
        prefix = secrets.randbelow(65536)
        self._ids = (f"gn-{prefix}-{number}" for number in itertools.count(1))

    def new_id(self) -> str:
        return next(self._ids)

    def receive(self, event: dict) -> None:
        if nip04.looks_like(event["content"]):
            raise AssertionError("a NIP-44 request must be answered in NIP-44")
        super().receive(event)

    def handle(self, event: dict, response: dict) -> None:
        id, result, error = (response.get(name) or "" for name in ("id", "result", "error"))
        if not all(isinstance(field, str) for field in (id, result, error)):
            return
        if result == "auth_url":
            return
        if error != "":
            self.settle(id, error=error)
        else:
            self.settle(id, result=result)

    async def pair_by_bunker(self, link: BunkerLink) -> None:
        self.signer = link.signer
        await self.listen(link.relays, since=int(time.time()), limit=0)
        await self.request("connect", [link.signer, link.secret or ""])

    async def sign_event(self, template: dict) -> dict:
        event = await super().sign_event(template)
        if not event["sig"]:
            raise Rejected("sign_event response from bunker has invalid signature")
        return event
