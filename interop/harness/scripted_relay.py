"""A relay that misbehaves on request. It has one option for each fault of real relays.

It runs on a thread of its own, so that a test may block on the daemon while the relay answers it.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable

import websockets

from reference.events import is_genuine


class Visitor:
    """One connection to the relay."""

    def __init__(self, socket, challenge_length: int = 16):
        self.socket = socket
        self.filters: dict[str, list[dict]] = {}
        self.authenticated: set[str] = set()
        self.challenge = secrets.token_hex(challenge_length // 2)

    def listening_for(self, key: str) -> list[str]:
        """The names of the subscriptions to events addressed to `key`."""
        return [name for name, filters in list(self.filters.items()) if any(key in f.get("#p", []) for f in filters)]


class ScriptedRelay:
    """NIP-01 over loopback with faults. The options can be set from any thread."""

    def __init__(self):
        self.keeps_ephemeral_events = False
        self.requires_auth = False
        self.challenge_length = 16
        self.asks_authors_only = False
        """With `requires_auth`: who offers or reads somebody's events must be logged in as that author."""
        self.ok_delay = 0.0
        self.subscription_delay = 0.0
        self.ignores_subscriptions = False
        self.answers_with_notice: str | None = None
        """Sent for each subscription that is ignored."""
        self.closes_subscriptions: str | None = None
        """The reason with which each is refused."""
        self.admits: set[str] | None = None
        """With `requires_auth`: the only keys that may log in."""
        self.most_keys: int | None = None
        self.most_subscriptions: int | None = None
        self.deliveries = 1
        self.refusals: defaultdict[str, deque[str]] = defaultdict(deque)
        self.drops: Counter[str] = Counter()
        self.checks_events = True
        self.refuse_everything: str | None = None
        self.events: list[dict] = []
        self.connections = 0
        self.auth_events: list[dict] = []
        self._visitors: list[Visitor] = []
        self._loop = asyncio.new_event_loop()
        self._running = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._port = 0

    # Life

    def __enter__(self) -> ScriptedRelay:
        self._thread.start()
        self._running.wait(10)
        return self

    def __exit__(self, *_) -> None:
        self._call(self._shut())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen())
        self._running.set()
        self._loop.run_forever()

    async def _listen(self) -> None:
        self._server = await websockets.serve(self._serve, "127.0.0.1", self._port, max_size=None, ping_interval=None, compression=None)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _shut(self) -> None:
        self._server.close()
        self._visitors.clear()
        await self._server.wait_closed()

    def _call(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    # What tests do to it

    def refuse(self, author: str, *reasons: str) -> None:
        """Answers the next events of `author` with OK false, one reason each."""
        self.refusals[author].extend(reasons)

    def hang_up_on(self, author: str, times: int = 1) -> None:
        """Ends the connection, without an answer, when `author` next publishes."""
        self.drops[author] += times

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self._port}"

    def go_down(self) -> None:
        """Closes every connection and stops listening; the port stays reserved for `come_back`."""
        self._call(self._shut())

    def come_back(self) -> None:
        self._call(self._listen())

    def drop_everyone(self) -> None:
        """Ends all connections without a closing handshake."""

        async def drop():
            for visitor in self._visitors:
                visitor.socket.transport.abort()
            self._visitors.clear()

        self._call(drop())

    def say(self, *message) -> None:
        """Sends a message to every visitor, e.g. `say("NOTICE", "…")`."""

        async def tell():
            text = json.dumps(message)
            await asyncio.gather(*(v.socket.send(text) for v in self._visitors), return_exceptions=True)

        self._call(tell())

    def close_subscriptions(self, reason: str) -> None:
        """Ends every subscription with CLOSED."""

        async def close():
            for visitor in self._visitors:
                for name in list(visitor.filters):
                    del visitor.filters[name]
                    await visitor.socket.send(json.dumps(["CLOSED", name, reason]))

        self._call(close())

    def deliver(self, events: list[dict]) -> None:
        """Hands events to whoever subscribed to them, without checking them first."""

        async def hand_out():
            for event in events:
                await self._distribute(event)

        self._call(hand_out())

    def deliver_text(self, text_for: Callable[[str], str], to: str) -> None:
        """Sends `text_for(subscription name)`, whatever it is, to whoever listens for the key `to`."""

        async def hand_out():
            for visitor in self._visitors:
                for name in visitor.listening_for(to):
                    await visitor.socket.send(text_for(name))

        self._call(hand_out())

    def listens_for(self, key: str) -> bool:
        """Somebody is subscribed to events addressed to `key`."""
        return self.listeners_for(key) > 0

    def listeners_for(self, key: str) -> int:
        """How many connections are subscribed to them."""
        return sum(1 for visitor in list(self._visitors) if visitor.listening_for(key))

    # NIP-01

    async def _serve(self, socket) -> None:
        self.connections += 1
        visitor = Visitor(socket, self.challenge_length)
        self._visitors.append(visitor)
        try:
            if self.requires_auth:
                await self._reply(visitor, "AUTH", visitor.challenge)
            async for text in socket:
                await self._take(visitor, json.loads(text))
        except websockets.ConnectionClosed:
            pass
        finally:
            if visitor in self._visitors:
                self._visitors.remove(visitor)

    async def _reply(self, visitor: Visitor, *message) -> None:
        await visitor.socket.send(json.dumps(message))

    async def _take(self, visitor: Visitor, message: list) -> None:
        match message:
            case ["EVENT", event]:
                await self._take_event(visitor, event)
            case ["REQ", name, *filters]:
                await self._take_request(visitor, name, filters)
            case ["CLOSE", name]:
                visitor.filters.pop(name, None)
            case ["AUTH", event]:
                await self._take_auth(visitor, event)

    async def _take_auth(self, visitor: Visitor, event: dict) -> None:
        answers = ["challenge", visitor.challenge] in event["tags"] and event["kind"] == 22242 and is_genuine(event)
        if answers and self.admits is not None and event["pubkey"] not in self.admits:
            await self._reply(visitor, "OK", event["id"], False, "restricted: members only")
            return
        if answers:
            visitor.authenticated.add(event["pubkey"])
            self.auth_events.append(event)
        await self._reply(visitor, "OK", event["id"], answers, "" if answers else "auth-required: wrong challenge")

    async def _take_request(self, visitor: Visitor, name: str, filters: list[dict]) -> None:
        fault = self._missing_login(visitor, {author for f in filters for author in f.get("authors", [])})
        if fault:
            await self._reply(visitor, "CLOSED", name, fault)
            return
        fault = self.closes_subscriptions or self._excess(visitor, name, filters)
        if fault:
            await self._reply(visitor, "CLOSED", name, fault)
            return
        if self.ignores_subscriptions:
            if self.answers_with_notice:
                await self._reply(visitor, "NOTICE", self.answers_with_notice)
            return
        await asyncio.sleep(self.subscription_delay)  # the fault that is played
        visitor.filters[name] = filters
        for event in self.events if self.keeps_ephemeral_events else []:
            if any(matches(filter, event) for filter in filters):
                await self._reply(visitor, "EVENT", name, event)
        await self._reply(visitor, "EOSE", name)

    def _excess(self, visitor: Visitor, name: str, filters: list[dict]) -> str | None:
        if self.most_keys is not None and any(len(f.get("#p", [])) > self.most_keys for f in filters):
            return "error: too many tag values"
        if self.most_subscriptions is not None and len(visitor.filters.keys() | {name}) > self.most_subscriptions:
            return "error: too many concurrent REQs"
        return None

    async def _take_event(self, visitor: Visitor, event: dict) -> None:
        if self.drops[event["pubkey"]] > 0:
            self.drops[event["pubkey"]] -= 1
            visitor.socket.transport.abort()
            self._visitors.remove(visitor)
            return
        reason = self._fault_of(visitor, event)
        if reason:
            await self._reply(visitor, "OK", event["id"], False, reason)
            return
        self.events.append(event)
        for _ in range(self.deliveries):
            await self._distribute(event)
        if self.ok_delay:
            self._loop.call_later(self.ok_delay, self._say_ok_later, visitor, event["id"])
        else:
            await self._reply(visitor, "OK", event["id"], True, "")

    def _missing_login(self, visitor: Visitor, authors: set[str]) -> str | None:
        if self.requires_auth and not visitor.authenticated:
            return "auth-required: sign in first"
        if self.requires_auth and self.asks_authors_only and not authors <= visitor.authenticated:
            return "restricted: only for its author"
        return None

    def _say_ok_later(self, visitor: Visitor, identifier: str) -> None:
        self._loop.create_task(self._reply(visitor, "OK", identifier, True, ""))

    def _fault_of(self, visitor: Visitor, event: dict) -> str | None:
        fault = self._missing_login(visitor, {event["pubkey"]})
        if fault:
            return fault
        if self.checks_events and not is_genuine(event):
            return "invalid: wrong id or signature"
        if self.refuse_everything:
            return self.refuse_everything
        waiting = self.refusals[event["pubkey"]]
        return waiting.popleft() if waiting else None

    async def _distribute(self, event: dict) -> None:
        for visitor in list(self._visitors):
            for name, filters in list(visitor.filters.items()):
                if any(matches(filter, event) for filter in filters):
                    try:
                        await self._reply(visitor, "EVENT", name, event)
                    except websockets.ConnectionClosed:
                        break


def matches(filter: dict, event: dict) -> bool:
    """NIP-01 filter matching, as far as signers use it."""
    if "kinds" in filter and event["kind"] not in filter["kinds"]:
        return False
    if "authors" in filter and event["pubkey"] not in filter["authors"]:
        return False
    if event["created_at"] < filter.get("since", 0):
        return False
    tagged = {tag[1] for tag in event["tags"] if len(tag) > 1 and tag[0] == "p"}
    return "#p" not in filter or bool(tagged & set(filter["#p"]))
