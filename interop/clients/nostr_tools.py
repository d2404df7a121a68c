"""nostr-tools 2.24 and the releases up to 2.17."""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets

from harness.waiting import PATIENCE
from reference import nip44
from reference.events import as_json
from reference.links import BunkerLink, nostrconnect

from .base import BASE36, Client, Rejected

METADATA = {"name": "A & B", "url": "https://app.example", "image": "https://app.example/icon.png"}


class NostrTools(Client):
    """Reads `error` before `result`, removes the listener at any answer, and never settles on an empty result."""

    def __init__(self, key=None):
        super().__init__(key)
        prefix = "".join(secrets.choice(BASE36) for _ in range(5))
        self._ids = (f"{prefix}-{number}" for number in itertools.count(1))
        self._secret: str | None = None
        self._connected: asyncio.Future | None = None
        self._authorizing: set[str] = set()

    def new_id(self) -> str:
        return next(self._ids)

    def handle(self, event: dict, response: dict) -> None:
        if self._connected and not self._connected.done():
            if response.get("result") == self._secret:
                self._connected.set_result(event["pubkey"])
            return
        if event["pubkey"] != self.signer:
            return
        id, result, error = response.get("id"), response.get("result"), response.get("error")
        if result == "auth_url" and id not in self._authorizing:
            self._authorizing.add(id)  # handed to `onauth` once; a second one for this id counts as an error
        elif error:
            self.settle(id, error=error)
        elif result:
            self.settle(id, result=result)
        else:
            self.pending.pop(id, None)  # the promise is forgotten and never settles

    def opened(self, event: dict) -> dict:
        return json.loads(nip44.decrypt(self.key, event["pubkey"], event["content"]))

    async def pair_by_bunker(self, link: BunkerLink) -> None:
        self.signer = link.signer
        await self.listen(link.relays, authors=[link.signer], limit=0)
        await self.connect(link)

    async def connect(self, link: BunkerLink) -> None:
        await self.request("connect", [link.signer, link.secret or "", "", as_json(METADATA)])

    async def uri(self, relays: list[str]) -> str:
        self._secret = secrets.token_hex(8)
        self._connected = asyncio.get_running_loop().create_future()
        await self.listen(relays, limit=0)
        return nostrconnect(self.key.public, relays, self._secret, perms="sign_event:1,nip44_encrypt", **METADATA)

    async def pair_by_uri(self) -> None:
        self.signer = await asyncio.wait_for(self._connected, PATIENCE)
        if self.has_switch_relays:
            await asyncio.wait_for(self.switch_relays(), 1)

    async def switch_relays(self) -> None:
        relays = json.loads(await self.request("switch_relays", []))
        if relays and sorted(relays) != self.relays:
            await self.listen(sorted(relays), authors=[self.signer], limit=0)

    async def logout(self) -> None:
        if await self.request("logout", []) != "ack":
            raise Rejected("logout was not acknowledged")


class OldNostrTools(NostrTools):
    """Neither switches relays nor logs out, and sends no metadata."""

    has_switch_relays = False
    has_logout = False

    async def connect(self, link: BunkerLink) -> None:
        await self.request("connect", [link.signer, link.secret or ""])
