"""rust-nostr as the app: it sends requests and gets the owner's decisions."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import nostr_sdk as sdk

from harness.waiting import PATIENCE


class RustApp:
    """One paired app and the requests it still waits for."""

    def __init__(self, keys: sdk.Keys, client: sdk.NostrConnect):
        self.keys = keys
        self.client = client
        self.user: sdk.PublicKey | None = None
        self._asked: list[asyncio.Task] = []

    @classmethod
    def by_uri(cls, uri: str, keys: sdk.Keys | None = None) -> RustApp:
        keys = keys or sdk.Keys.generate()
        return cls(keys, sdk.NostrConnect(sdk.NostrConnectUri.parse(uri), keys, timedelta(seconds=2 * PATIENCE), None))

    @classmethod
    async def paired(cls, uri: str) -> RustApp:
        app = cls.by_uri(uri)
        await app.learn_user()
        return app

    async def learn_user(self) -> str:
        self.user = await self.client.get_public_key_async()
        return self.user.to_hex()

    @property
    def key(self) -> str:
        return self.keys.public_key().to_hex()

    def asks(self, work) -> asyncio.Task:
        """Lets the app ask for something; the task ends with what it got, or its error."""
        task = asyncio.ensure_future(work)
        self._asked.append(task)
        return task

    def asks_to_sign(self, content: str, kind: int = 1, tags: list[list[str]] | None = None) -> asyncio.Task:
        builder = sdk.EventBuilder(sdk.Kind(kind), content)
        if tags:
            builder = builder.tags([sdk.Tag.parse(tag) for tag in tags])
        return self.asks(self.client.sign_event_async(builder.finalize_unsigned(self.user)))

    async def signs(self, content: str, kind: int = 1) -> sdk.Event:
        return await asyncio.wait_for(self.asks_to_sign(content, kind), PATIENCE)

    async def close(self) -> None:
        for task in self._asked:
            task.cancel()
        await asyncio.gather(*self._asked, return_exceptions=True)


async def signed(asked: asyncio.Task) -> sdk.Event:
    """The event the app got; it must verify."""
    event = await asyncio.wait_for(asked, PATIENCE)
    assert event.verify()
    return event


async def refused(asked: asyncio.Task) -> str:
    """The error the app got."""
    try:
        await asyncio.wait_for(asked, PATIENCE)
    except sdk.NostrSdkError as error:
        return str(error)
    raise AssertionError("the app got what it should not have got")
