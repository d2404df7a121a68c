"""welshman c6847fa (Coracle, Flotilla)."""

from __future__ import annotations

import asyncio
import json
import secrets

from harness.waiting import PATIENCE
from reference.links import BunkerLink, nostrconnect

from .base import BASE36, Client, Rejected


def normalized(url: str) -> str:
    """Relay addresses without a path get a trailing slash."""
    scheme, rest = url.split("://", 1)
    rest = rest.rstrip("/")
    return f"{scheme}://{rest}" + ("" if "/" in rest else "/")


class Welshman(Client):
    """Any answer other than "ack" or the secret ends a pairing by link, whoever sent it. Any array is taken as a list of relays."""

    has_logout = False

    def __init__(self, key=None):
        super().__init__(key)
        self._secret = "".join(secrets.choice(BASE36) for _ in range(6))
        self._connected: asyncio.Future | None = None

    def new_id(self) -> str:
        return str(secrets.randbelow(10**16))

    def handle(self, event: dict, response: dict) -> None:
        if response.get("result") == "auth_url":
            return
        if self._connected and not self._connected.done():
            if response.get("result") in ("ack", self._secret):
                self._connected.set_result(event["pubkey"])
            else:
                self._connected.set_exception(Rejected(response))
        elif response.get("error"):
            self.settle(response.get("id"), error=response["error"])
        else:
            self.settle(response.get("id"), result=response.get("result"))

    async def pair_by_bunker(self, link: BunkerLink) -> None:
        self.signer = link.signer
        await self.listen([normalized(relay) for relay in link.relays])
        await self.request("connect", [link.signer, link.secret or "", ""])
        await self.switch_relays()

    async def uri(self, relays: list[str]) -> str:
        self._connected = asyncio.get_running_loop().create_future()
        await self.listen([normalized(relay) for relay in relays])
        return nostrconnect(self.key.public, relays, self._secret, name="Coracle", url="https://coracle.example")

    async def pair_by_uri(self) -> None:
        self.signer = await asyncio.wait_for(self._connected, PATIENCE)
        await self.switch_relays()

    async def switch_relays(self) -> None:
        relays = json.loads(await self.request("switch_relays", []))
        if relays:
            await self.listen([normalized(relay) for relay in relays])

    async def sign_event(self, template: dict) -> dict:
        return await super().sign_event({**template, "pubkey": await self.get_public_key()})
