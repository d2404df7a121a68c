"""rust-nostr up to 0.44.0, as apps still ship it. The current release is tested for real in test_rust_nostr.py."""

from __future__ import annotations

import asyncio
import json
import secrets

from harness.waiting import PATIENCE
from reference.events import as_json, is_genuine
from reference.links import BunkerLink

from .base import Client, Rejected


class OldRustNostr(Client):
    """All fields are typed. A result of the wrong form, or an empty one beside an error, is a parse error."""

    has_switch_relays = False
    has_logout = False
    has_nip04 = True

    def __init__(self, key=None):
        super().__init__(key)
        self._secret = secrets.token_hex(8)
        self._connected: asyncio.Future | None = None

    def new_id(self) -> str:
        return str(secrets.randbelow(1 << 32))

    def handle(self, event: dict, response: dict) -> None:
        id, result, error = response["id"], response.get("result"), response.get("error")
        if not isinstance(id, str) or not isinstance(result, str | None) or not isinstance(error, str | None):
            raise AssertionError(f"rust-nostr cannot read {response}")
        if self._connected and not self._connected.done():
            if result == self._secret:
                self._connected.set_result(event["pubkey"])
        elif error is not None:
            self.settle(id, error="unexpected end of JSON" if result == "" else error)
        elif result is not None:
            self.settle(id, result=result)

    async def pair_by_bunker(self, link: BunkerLink) -> None:
        self.signer = link.signer
        await self.listen(link.relays)
        params = [link.signer] + ([link.secret] if link.secret else [])
        if await self.request("connect", params) != "ack":
            raise Rejected("unexpected result")

    async def uri(self, relays: list[str]) -> str:
        self._connected = asyncio.get_running_loop().create_future()
        await self.listen(relays)
        metadata = as_json({"name": "Old app", "url": "https://old.example/"})
        query = "&".join(f"relay={relay}" for relay in relays)
        return f"nostrconnect://{self.key.public}?metadata={metadata}&{query}&secret={self._secret}"

    async def pair_by_uri(self) -> None:
        self.signer = await asyncio.wait_for(self._connected, PATIENCE)

    async def sign_event(self, template: dict) -> dict:
        unsigned = {**template, "pubkey": await self.get_public_key()}
        event = json.loads(await self.request("sign_event", [as_json(unsigned)]))
        if set(event) != {"id", "pubkey", "created_at", "kind", "tags", "content", "sig"} or not is_genuine(event):
            raise Rejected("invalid event")
        return event
