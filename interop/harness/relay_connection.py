"""A bare connection to a relay: NIP-01 messages, nothing of NIP-46."""

from __future__ import annotations

import asyncio
import itertools
import json

import websockets

from .waiting import PATIENCE


class Refused(Exception):
    """A relay answered OK false."""


class RelayConnection:
    """One WebSocket to one relay."""

    def __init__(self, url: str, socket: websockets.ClientConnection):
        self.url = url
        self.socket = socket
        self.notices: list[str] = []
        self.challenge: str | None = None
        self._numbers = itertools.count(1)
        self._subscriptions: dict[str, asyncio.Queue] = {}
        self._stored: dict[str, asyncio.Event] = {}
        self._oks: dict[str, asyncio.Future] = {}
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, url: str) -> RelayConnection:
        socket = await websockets.connect(url, max_size=None, ping_interval=None, compression=None, proxy=None)
        return cls(url, socket)

    async def _read(self) -> None:
        try:
            async for text in self.socket:
                self._take(json.loads(text))
        except websockets.ConnectionClosed:
            pass
        for waiting in self._oks.values():
            if not waiting.done():
                waiting.set_exception(ConnectionError("the relay closed the connection"))

    def _take(self, message: list) -> None:
        match message:
            case ["EVENT", subscription, event] if subscription in self._subscriptions:
                self._subscriptions[subscription].put_nowait(event)
            case ["EOSE", subscription] if subscription in self._stored:
                self._stored[subscription].set()
            case ["OK", identifier, accepted, reason]:
                waiting = self._oks.pop(identifier, None)
                if waiting and not waiting.done():
                    waiting.set_result((accepted, reason))
            case ["NOTICE", text]:
                self.notices.append(text)
            case ["AUTH", challenge]:
                self.challenge = challenge

    async def send(self, *message) -> None:
        await self.socket.send(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    async def subscribe(self, queue: asyncio.Queue | None = None, **fields) -> asyncio.Queue:
        """Subscribes and returns after EOSE, so that nothing published later can be missed.

        Tag filters are given as `p=[…]`.
        """
        name = f"s{next(self._numbers)}"
        queue = queue or asyncio.Queue()
        self._subscriptions[name], self._stored[name] = queue, asyncio.Event()
        await self.send("REQ", name, {("#" + k if len(k) == 1 else k): v for k, v in fields.items()})
        await asyncio.wait_for(self._stored[name].wait(), PATIENCE)
        return queue

    async def offer(self, event: dict, message: str = "EVENT") -> tuple[bool, str]:
        """Publishes, or logs in with `AUTH`, and returns the relay's OK: accepted or not, and why."""
        waiting = self._oks[event["id"]] = asyncio.get_running_loop().create_future()
        await self.send(message, event)
        return await asyncio.wait_for(waiting, PATIENCE)

    async def publish(self, event: dict) -> None:
        accepted, reason = await self.offer(event)
        if not accepted:
            raise Refused(reason)

    async def close(self) -> None:
        await self.socket.close()
        await self._reader


class RelayConnections:
    """Connections to several relays, used as one: publish to all, one OK is enough."""

    def __init__(self, connections: list[RelayConnection]):
        self.each = connections

    @classmethod
    async def open(cls, urls: list[str]) -> RelayConnections:
        opened = await asyncio.gather(*(RelayConnection.open(url) for url in urls), return_exceptions=True)
        connections = [connection for connection in opened if isinstance(connection, RelayConnection)]
        if not connections:
            raise ConnectionError(f"none of {urls} can be reached")
        return cls(connections)

    async def subscribe(self, **fields) -> asyncio.Queue:
        queue: asyncio.Queue = asyncio.Queue()
        await asyncio.gather(*(connection.subscribe(queue, **fields) for connection in self.each))
        return queue

    async def publish(self, event: dict) -> None:
        answers = await asyncio.gather(*(connection.publish(event) for connection in self.each), return_exceptions=True)
        if all(isinstance(answer, BaseException) for answer in answers):
            raise answers[0]

    async def close(self) -> None:
        await asyncio.gather(*(connection.close() for connection in self.each), return_exceptions=True)
