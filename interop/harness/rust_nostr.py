"""rust-nostr (PyPI `nostr-sdk`) as the app of a test."""

from __future__ import annotations

from datetime import timedelta

import nostr_sdk as sdk

from .waiting import PATIENCE


def connect(uri: str, keys: sdk.Keys | None = None) -> sdk.NostrConnect:
    """A client that pairs by a `bunker://` link, or waits for the signer by a `nostrconnect://` one."""
    return sdk.NostrConnect(sdk.NostrConnectUri.parse(uri), keys or sdk.Keys.generate(), timedelta(seconds=PATIENCE), None)
