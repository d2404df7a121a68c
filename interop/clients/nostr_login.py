"""nostr-login's own RPC."""

from __future__ import annotations

import asyncio
import secrets

from harness.waiting import PATIENCE
from reference import nip04
from reference.links import BunkerLink, nostrconnect

from .base import Rejected
from .ndk import NDK


class NostrLogin(NDK):
    """Always encrypts with NIP-04. Its own link fails on the first answer that is neither "ack" nor the secret."""

    cipher = nip04

    def __init__(self, key=None):
        super().__init__(key)
        self._secret = secrets.token_hex(6)

    def handle(self, event: dict, response: dict) -> None:
        if not nip04.looks_like(event["content"]):
            raise AssertionError("a NIP-04 request must be answered in NIP-04")
        if "method" in response or response.get("result") == "auth_url":
            return
        if self._connected and not self._connected.done():
            if response.get("result") in ("ack", self._secret):
                self._connected.set_result(event["pubkey"])
            else:
                self._connected.set_exception(Rejected(response.get("error")))
        else:
            self.settle(response.get("id"), result=response)

    async def pair_by_bunker(self, link: BunkerLink) -> None:
        self.signer = link.signer
        await self.listen(link.relays)
        perms = "sign_event:1,nip04_encrypt,nip04_decrypt"
        response = await self.request("connect", [link.signer, link.secret or "", perms])
        if response.get("result") != "ack":
            raise Rejected(response.get("error"))

    def receive(self, event: dict) -> None:
        if self._connected and not self._connected.done():
            self._take_first(event)
        else:
            super().receive(event)

    def _take_first(self, event: dict) -> None:
        """The answer to the link may use either encryption, because the signer does not know yet which one this client uses."""
        response = self.opened(event)
        if response.get("result") in ("ack", self._secret):
            self._connected.set_result(event["pubkey"])
        else:
            self._connected.set_exception(Rejected(response.get("error")))

    async def uri(self, relays: list[str]) -> str:
        self._connected = asyncio.get_running_loop().create_future()
        await self.listen(relays)
        return nostrconnect(self.key.public, relays, self._secret, name="nostr-login", perms="sign_event:1")

    async def pair_by_uri(self) -> None:
        self.signer = await asyncio.wait_for(self._connected, PATIENCE)
