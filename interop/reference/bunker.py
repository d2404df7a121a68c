"""A small remote signer in Python. The simulated clients are tested against it, with right and wrong answers, before they test Holdfast."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import parse_qs, quote, urlsplit

from . import nip04, nip44
from .events import REMOTE_SIGNING, as_json, event_id, signed
from .keys import Key


class Bunker:
    """Answers as NIP-46 says. Its options make it answer as some existing signers do."""

    def __init__(self, connection):
        self.connection = connection
        self.key, self.user = Key(), Key()
        self.secret = "s3cret-for-tests"
        self.connect_result = "ack"
        self.error_body = {"result": None}
        self.overrides: dict[str, object] = {}
        self.fails: dict[str, str] = {}

    @classmethod
    async def open(cls, connection) -> Bunker:
        bunker = cls(connection)
        queue = await connection.subscribe(kinds=[REMOTE_SIGNING], p=[bunker.key.public])
        bunker._reader = asyncio.create_task(bunker._serve(queue))
        return bunker

    async def close(self) -> None:
        self._reader.cancel()
        await self.connection.close()

    @property
    def link(self) -> str:
        return f"bunker://{self.key.public}?relay={quote(self.connection.url, safe='')}&secret={self.secret}"

    async def accept(self, uri: str) -> None:
        parts = urlsplit(uri)
        secret = parse_qs(parts.query)["secret"][0]
        await self._send(parts.netloc, {"id": "from-uri", "result": self.overrides.get("uri", secret)}, nip44)

    async def _serve(self, queue: asyncio.Queue) -> None:
        while True:
            event = await queue.get()
            cipher = nip04 if nip04.looks_like(event["content"]) else nip44
            request = json.loads(cipher.decrypt(self.key, event["pubkey"], event["content"]))
            await self._send(event["pubkey"], self._response(request), cipher)

    def _response(self, request: dict) -> dict:
        method = request["method"]
        if method in self.fails:
            return {"id": request["id"], **self.error_body, "error": self.fails[method]}
        if method in self.overrides:
            return {"id": request["id"], "result": self.overrides[method]}
        return {"id": request["id"], "result": self._result(method, request["params"])}

    def _result(self, method: str, params: list) -> str:
        match method:
            case "connect":
                return self.connect_result
            case "ping":
                return "pong"
            case "get_public_key":
                return self.user.public
            case "switch_relays":
                return "null"
            case "logout":
                return "ack"
            case "sign_event":
                return self._signed(json.loads(params[0]))
        cipher, operation = {"nip04": nip04, "nip44": nip44}[method[:5]], method[6:]
        return getattr(cipher, operation)(self.user, params[0], params[1])

    def _signed(self, template: dict) -> str:
        event = {name: template[name] for name in ("kind", "content", "tags", "created_at")}
        event["pubkey"] = self.user.public
        event["id"] = event_id(event)
        return as_json({**event, "sig": self.user.sign(bytes.fromhex(event["id"]))})

    async def _send(self, client: str, body: dict, cipher) -> None:
        content = cipher.encrypt(self.key, client, as_json(body))
        await self.connection.publish(signed(self.key, REMOTE_SIGNING, content, [["p", client]]))
