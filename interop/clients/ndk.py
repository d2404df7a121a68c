"""NDK 3.0.3."""

from __future__ import annotations

import asyncio
import json

from harness.waiting import PATIENCE
from reference import nip04, nip44
from reference.links import BunkerLink, nostrconnect_percent

from .base import Client, Rejected


class NDK(Client):
    """Accepts only "ack" on a bunker link, and only the secret on its own link. Encrypts as the last message was encrypted."""

    has_logout = False

    def __init__(self, key=None):
        super().__init__(key)
        self._secret = self.new_id()
        self._connected: asyncio.Future | None = None

    @staticmethod
    def normalised(url: str) -> str:
        """NDK's `normalizeRelayUrl`: scheme and host in lower case, and a slash at the end of every address."""
        scheme, _, rest = url.partition("://")
        host, slash, path = rest.partition("/")
        url = f"{scheme}://{host}".lower() + slash + path
        return url if url.endswith("/") else url + "/"

    async def listen(self, relays: list[str], **filter) -> None:
        await super().listen([self.normalised(url) for url in relays], **filter)

    def handle(self, event: dict, response: dict) -> None:
        self.cipher = nip04 if nip04.looks_like(event["content"]) else nip44
        if "method" in response:
            return
        if self._connected and not self._connected.done():
            if response.get("result") == self._secret:
                self._connected.set_result(event["pubkey"])
        elif response.get("result") != "auth_url":
            self.settle(response.get("id"), result=response)

    async def _answered(self, method: str, params: list) -> str:
        response = await self.request(method, params)
        if response.get("error"):
            raise Rejected(response["error"])
        return response.get("result")

    async def pair_by_bunker(self, link: BunkerLink) -> None:
        self.signer = link.signer
        await self.listen(link.relays)
        response = await self.request("connect", [self.user or ""] + ([link.secret] if link.secret else []))
        if response.get("result") != "ack":
            raise Rejected(response.get("error"))

    async def uri(self, relays: list[str]) -> str:
        self._connected = asyncio.get_running_loop().create_future()
        await self.listen(relays[:1])
        return nostrconnect_percent(self.key.public, self.relays, self._secret, perms="", name="", url="", image="")

    async def pair_by_uri(self) -> None:
        self.signer = await asyncio.wait_for(self._connected, PATIENCE)

    async def get_public_key(self) -> str:
        return (await self.request("get_public_key", [])).get("result")

    async def switch_relays(self) -> None:
        relays = json.loads(await asyncio.wait_for(self._answered("switch_relays", []), 5) or "null")
        if isinstance(relays, list):
            await self.listen(relays)

    async def sign_event(self, template: dict) -> dict:
        with_user = {**template, "pubkey": await self.get_public_key()}
        return self.checked(await self._answered("sign_event", [json.dumps(with_user, separators=(",", ":"))]))

    @staticmethod
    def checked(text: str) -> dict:
        return json.loads(text)

    async def nip44_encrypt(self, peer, text):
        return await self._answered("nip44_encrypt", [peer, text])

    async def nip44_decrypt(self, peer, payload):
        return await self._answered("nip44_decrypt", [peer, payload])

    async def nip04_encrypt(self, peer, text):
        return await self._answered("nip04_encrypt", [peer, text])

    async def nip04_decrypt(self, peer, payload):
        return await self._answered("nip04_decrypt", [peer, payload])
