"""Amethyst's Quartz."""

from __future__ import annotations

import json
import secrets
import string

from reference.events import is_genuine
from reference.links import BunkerLink

from .base import Client, Rejected


class Amethyst(Client):
    """Leaves absent parameters out, guesses the type of results from their text, and repeats an unanswered request under a new id."""

    by_nostrconnect = False
    has_switch_relays = False
    has_logout = False

    def new_id(self) -> str:
        return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(32))

    def handle(self, event: dict, response: dict) -> None:
        id, result, error = response.get("id"), response.get("result"), response.get("error")
        if result == "auth_url":
            return
        if error is not None:
            self.settle(id, error=error)
        elif result is not None:
            self.settle(id, result=typed(result))

    async def pair_by_bunker(self, link: BunkerLink) -> None:
        self.signer = link.signer
        await self.listen(link.relays)
        perms = "sign_event,nip44_encrypt,nip44_decrypt,nip04_encrypt,nip04_decrypt,get_public_key"
        params = [link.signer, link.secret, perms]
        try:
            await self.request("connect", [param for param in params if param is not None])
        except Rejected as refusal:
            if "already connected" not in str(refusal):
                raise

    async def get_public_key(self) -> str:
        return self._of_type("pubkey", await self.request("get_public_key", []))

    async def sign_event(self, template: dict) -> dict:
        unsigned = {**template, "pubkey": await self.get_public_key()}
        text = json.dumps(unsigned, separators=(",", ":"), ensure_ascii=False)
        event = self._of_type("event", await self.request("sign_event", [text]))
        if not is_genuine(event):
            raise Rejected("could not verify")
        return event

    async def nip44_encrypt(self, peer, text):
        return self._of_type("text", await super().nip44_encrypt(peer, text))

    async def nip44_decrypt(self, peer, payload):
        return self._of_type("text", await super().nip44_decrypt(peer, payload))

    async def nip04_encrypt(self, peer, text):
        return self._of_type("text", await super().nip04_encrypt(peer, text))

    async def nip04_decrypt(self, peer, payload):
        return self._of_type("text", await super().nip04_decrypt(peer, payload))

    @staticmethod
    def _of_type(expected: str, typed_result: tuple):
        if typed_result[0] != expected:
            raise Rejected(f"received but could not perform: {typed_result[0]}")
        return typed_result[1]


def typed(result: str) -> tuple:
    """A result's type as the library guesses it."""
    if result == "ack" or result == "pong":
        return result, result
    if len(result) == 64 and set(result) <= set(string.hexdigits):
        return "pubkey", result
    if result.startswith("{"):
        value = json.loads(result)
        return ("event" if "sig" in value else "relays"), value
    return "text", result
