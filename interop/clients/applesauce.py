"""applesauce of 2026-07 (noStrudel)."""

from __future__ import annotations

import asyncio
import json
import secrets

from harness.waiting import PATIENCE
from reference.links import BunkerLink, nostrconnect

from .base import Client, Rejected


class Applesauce(Client):
    """Ignores empty results and events of strangers. When it is restored, it connects again with its used secret."""

    def __init__(self, key=None):
        super().__init__(key)
        self._secret = secrets.token_urlsafe(9)
        self._connected: asyncio.Future | None = None

    def new_id(self) -> str:
        return secrets.token_urlsafe(6)

    def handle(self, event: dict, response: dict) -> None:
        if self.signer and event["pubkey"] != self.signer:
            return
        id, result, error = response.get("id"), response.get("result"), response.get("error")
        if not self.signer and self._connected and result in ("ack", self._secret):
            self.signer = event["pubkey"]
            self._connected.set_result(None)
        elif id in self.pending and error and result != "auth_url":
            self.settle(id, error=error)
        elif id in self.pending and result and result != "auth_url":
            self.settle(id, result=result)

    async def pair_by_bunker(self, link: BunkerLink) -> None:
        self.signer = link.signer
        await self.listen(link.relays)
        await self.request("connect", [link.signer, link.secret or "", "sign_event:1,nip44_encrypt,nip44_decrypt"])

    async def restored(self, link: BunkerLink) -> Applesauce:
        """The same session after the app was opened again."""
        again = Applesauce(self.key)
        await again.pair_by_bunker(link)
        return again

    async def uri(self, relays: list[str]) -> str:
        self._connected = asyncio.get_running_loop().create_future()
        await self.listen(relays)
        return nostrconnect(self.key.public, relays, self._secret, name="noStrudel")

    async def pair_by_uri(self) -> None:
        await asyncio.wait_for(self._connected, PATIENCE)

    async def get_public_key(self) -> str:
        key = await super().get_public_key()
        if len(key) != 64 or int(key, 16) < 0:
            raise Rejected("Remote signer returned an invalid public key")
        return key

    async def nip04_decrypt(self, peer: str, payload: str) -> str:
        return unwrapped(await super().nip04_decrypt(peer, payload))

    async def nip44_decrypt(self, peer: str, payload: str) -> str:
        return unwrapped(await super().nip44_decrypt(peer, payload))

    async def logout(self) -> None:
        try:
            await super().logout()
        except (Rejected, TimeoutError):
            pass


def unwrapped(text: str) -> str:
    """Some signer once answered `["text"]`. The library unpacks such a list, even if the text itself was meant to be one."""
    return json.loads(text)[0] if text.startswith('["') and text.endswith('"]') else text
