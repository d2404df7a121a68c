"""An app without a library: it sends exactly what a test tells it to and shows everything that comes back."""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from dataclasses import dataclass

from reference import nip04, nip44
from reference.events import REMOTE_SIGNING, as_json, is_genuine, signed
from reference.keys import Key
from reference.links import BunkerLink

from .relay_connection import RelayConnections
from .waiting import PATIENCE, eventually, silence


@dataclass(frozen=True)
class Reply:
    """One decrypted answer and the event it came in."""

    event: dict
    body: dict

    @property
    def id(self):
        return self.body.get("id")

    @property
    def result(self):
        return self.body.get("result")

    @property
    def error(self):
        return self.body.get("error")


class SignerSaid(Exception):
    """The signer answered with an error."""


class App:
    """One client key, its relay connections, and the key of the remote signer that it asks."""

    def __init__(self, connections: RelayConnections, inbox: asyncio.Queue, key: Key, signer: str | None):
        self.connections = connections
        self.inbox = inbox
        self.key = key
        self.signer = signer
        self.replies: list[Reply] = []
        session = secrets.token_hex(3)
        self._ids = (f"{session}-{number}" for number in itertools.count(1))
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, relays: list[str], signer: str | None = None, key: Key | None = None) -> App:
        key = key or Key()
        connections = await RelayConnections.open(relays)
        inbox = await connections.subscribe(kinds=[REMOTE_SIGNING], p=[key.public])
        return cls(connections, inbox, key, signer)

    @classmethod
    async def by_link(cls, link: BunkerLink, key: Key | None = None) -> App:
        """Connected to a link's relays, not yet paired."""
        return await cls.open(link.relays, link.signer, key)

    @classmethod
    async def paired(cls, link: BunkerLink, key: Key | None = None) -> App:
        app = await cls.by_link(link, key)
        assert await app.result("connect", link.signer, link.secret) == "ack"
        return app

    async def close(self) -> None:
        self._reader.cancel()
        await self.connections.close()

    async def _read(self) -> None:
        while True:
            event = await self.inbox.get()
            assert is_genuine(event), "the signer sent an event that does not verify"
            cipher = nip04 if nip04.looks_like(event["content"]) else nip44
            self.replies.append(Reply(event, json.loads(cipher.decrypt(self.key, event["pubkey"], event["content"]))))

    # Sending

    def request(self, method: str, params, id=None, cipher=nip44, **event_fields) -> tuple[str, dict]:
        """A request event, not sent: its JSON-RPC id and the event."""
        id = next(self._ids) if id is None else id
        return id, self.sealed(as_json({"id": id, "method": method, "params": params}), cipher, **event_fields)

    def sealed(self, text: str, cipher=nip44, tags: list | None = None, created_at: int | None = None) -> dict:
        """Any text, encrypted to the signer and signed by this client."""
        content = cipher.encrypt(self.key, self.signer, text)
        return signed(self.key, REMOTE_SIGNING, content, tags or [["p", self.signer]], created_at)

    async def send(self, method: str, params, **options) -> str:
        id, event = self.request(method, params, **options)
        await self.connections.publish(event)
        return id

    # Receiving

    def answers(self, id) -> list[Reply]:
        return [reply for reply in self.replies if reply.id == id]

    async def reply(self, id, seconds: float = PATIENCE) -> Reply:
        return (await eventually(lambda: self.answers(id), f"an answer to {id}", seconds))[0]

    async def call(self, method: str, *params, **options) -> Reply:
        return await self.reply(await self.send(method, list(params), **options))

    async def result(self, method: str, *params, **options) -> str:
        """The result of a request that must succeed, in the shape every library accepts."""
        reply = await self.call(method, *params, **options)
        if reply.error is not None:
            raise SignerSaid(reply.error)
        assert set(reply.body) == {"id", "result"}, "success carries id and result, nothing else"
        assert isinstance(reply.result, str) and reply.result, "a result is text and never empty"
        return reply.result

    async def error(self, method: str, *params, **options) -> str:
        """The error of a request that must fail, in the shape every library accepts."""
        reply = await self.call(method, *params, **options)
        assert isinstance(reply.error, str) and reply.error, f"an error is text, not {reply.body}"
        assert reply.body == {"id": reply.id, "result": None, "error": reply.error}
        return reply.error

    async def sign(self, template: dict) -> dict:
        event = json.loads(await self.result("sign_event", as_json(template)))
        assert is_genuine(event)
        return event

    async def hears_nothing(self, id, after) -> None:
        """Checks that `id` is not answered: first `after` (awaited) must be answered, then a quiet moment must pass."""
        await after
        await silence()
        assert not self.answers(id), f"expected silence, got {self.answers(id)[0].body}"
