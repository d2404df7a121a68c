"""The part that all libraries share: a client key, a subscription, and requests that wait for answers."""

from __future__ import annotations

import asyncio
import json
import secrets
import string

from harness.relay_connection import RelayConnections
from harness.waiting import PATIENCE
from reference import nip04, nip44
from reference.events import REMOTE_SIGNING, as_json, is_genuine, signed
from reference.keys import Key
from reference.links import BunkerLink

BASE36 = string.digits + string.ascii_lowercase


class Rejected(Exception):
    """The library's promise was rejected."""


class Client:
    """One app session of one library."""

    by_bunker = True
    by_nostrconnect = True
    has_switch_relays = True
    has_logout = True
    has_nip04 = True
    cipher = nip44
    """The encryption of requests: NIP-44 or NIP-04."""

    def __init__(self, key: Key | None = None):
        self.key = key or Key()
        self.signer: str | None = None
        self.relays: list[str] = []
        self.user: str | None = None
        self.connections: RelayConnections | None = None
        self.pending: dict[str, asyncio.Future] = {}
        self._readers: list[asyncio.Task] = []
        self._to_close: list[RelayConnections] = []

    # Transport

    async def listen(self, relays: list[str], **filter) -> None:
        """Connects, subscribes, and passes every event to `receive`."""
        self.relays = relays
        self.connections = await RelayConnections.open(relays)
        self._to_close.append(self.connections)
        queue = await self.connections.subscribe(kinds=[REMOTE_SIGNING], p=[self.key.public], **filter)
        self._readers.append(asyncio.create_task(self._pump(queue)))

    async def _pump(self, queue: asyncio.Queue) -> None:
        seen = set()
        while True:
            event = await queue.get()
            if event["id"] not in seen:
                seen.add(event["id"])
                self.receive(event)

    async def close(self) -> None:
        for reader in self._readers:
            reader.cancel()
        for connections in self._to_close:
            await connections.close()

    def opened(self, event: dict) -> dict:
        """The JSON inside an event, encrypted with NIP-44 or NIP-04."""
        cipher = nip04 if nip04.looks_like(event["content"]) else nip44
        return json.loads(cipher.decrypt(self.key, event["pubkey"], event["content"]))

    def receive(self, event: dict) -> None:
        """Takes one event from the relay. Most libraries check the signature before they decrypt."""
        if is_genuine(event):
            self.handle(event, self.opened(event))

    def handle(self, event: dict, response: dict) -> None:
        """Takes a response as the library does."""
        raise NotImplementedError

    def new_id(self) -> str:
        return "".join(secrets.choice(BASE36) for _ in range(6))

    def request_text(self, id: str, method: str, params: list) -> str:
        return as_json({"id": id, "method": method, "params": params})

    async def request(self, method: str, params: list) -> str:
        """Sends a request and waits for the result or the error that the library would give its app."""
        id = self.new_id()
        waiting = self.pending[id] = asyncio.get_running_loop().create_future()
        content = self.cipher.encrypt(self.key, self.signer, self.request_text(id, method, params))
        await self.connections.publish(signed(self.key, REMOTE_SIGNING, content, [["p", self.signer]]))
        return await asyncio.wait_for(waiting, PATIENCE)

    def settle(self, id: str, *, result=None, error=None) -> None:
        waiting = self.pending.pop(id, None)
        if waiting and not waiting.done():
            waiting.set_exception(Rejected(error)) if error is not None else waiting.set_result(result)

    # What an app does

    async def pair_by_bunker(self, link: BunkerLink) -> None:
        raise NotImplementedError

    async def uri(self, relays: list[str]) -> str:
        """A `nostrconnect://` link as this library makes it. The client is subscribed before it returns."""
        raise NotImplementedError

    async def pair_by_uri(self) -> None:
        """Waits until a signer has answered the link and the library calls itself connected."""
        raise NotImplementedError

    async def get_public_key(self) -> str:
        if self.user is None:
            self.user = await self.request("get_public_key", [])
        return self.user

    async def switch_relays(self) -> None:
        await self.request("switch_relays", [])

    async def sign_event(self, template: dict) -> dict:
        event = json.loads(await self.request("sign_event", [as_json(template)]))
        if not is_genuine(event):
            raise Rejected("event returned from bunker is improperly signed")
        return event

    async def nip44_encrypt(self, peer: str, text: str) -> str:
        return await self.request("nip44_encrypt", [peer, text])

    async def nip44_decrypt(self, peer: str, payload: str) -> str:
        return await self.request("nip44_decrypt", [peer, payload])

    async def nip04_encrypt(self, peer: str, text: str) -> str:
        return await self.request("nip04_encrypt", [peer, text])

    async def nip04_decrypt(self, peer: str, payload: str) -> str:
        return await self.request("nip04_decrypt", [peer, payload])

    async def logout(self) -> None:
        await self.request("logout", [])
