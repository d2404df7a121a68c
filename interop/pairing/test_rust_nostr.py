"""rust-nostr 0.45 (PyPI `nostr-sdk`): a client nobody here wrote, both pairing directions, three relays."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import timedelta

import nostr_sdk as sdk
import pytest

from harness.rust_nostr import connect
from harness.waiting import PATIENCE
from reference import nip04, nip44
from reference.events import as_json
from reference.keys import Key

SECONDS = timedelta(seconds=PATIENCE)
PEER = Key()


def nostrconnect_uri(keys: sdk.Keys, relay: str, secret: str) -> str:
    metadata = as_json({"name": "rust app", "url": "https://rust.example/", "icons": []})
    return f"nostrconnect://{keys.public_key().to_hex()}?relay={relay}&secret={secret}&metadata={metadata}"


@contextlib.contextmanager
def running(home, relay_url: str | None):
    """A daemon on its embedded relay, or on a foreign relay alone."""
    options = {} if relay_url is None else {"relays": (relay_url,), "embedded": False}
    daemon = home.start(**options)
    try:
        yield daemon
    finally:
        daemon.kill()


@pytest.fixture(scope="module", params=["embedded relay", "rust-nostr LocalRelay", "PyPI nostr-relay"])
def signer(request, closed_home):
    """A daemon reachable through each of three relays, and that relay's address."""
    fixture = {"rust-nostr LocalRelay": "rust_relay", "PyPI nostr-relay": "nostr_relay"}.get(request.param)
    url = request.getfixturevalue(fixture).url if fixture else None
    home = closed_home.copied()
    with running(home, url) as daemon:
        yield daemon, url or daemon.relay
    home.remove()


async def by_bunker_link(daemon, relay) -> sdk.NostrConnect:
    return connect(daemon.pair("full").text)


async def by_nostrconnect_link(daemon, relay) -> sdk.NostrConnect:
    keys = sdk.Keys.generate()
    uri = nostrconnect_uri(keys, relay, "rust-secret-1")
    client = connect(uri, keys)
    asking = asyncio.create_task(client.get_public_key_async())
    # The client listens a moment after it was asked; a signer's answer before that would be lost on a relay that
    # stores nothing, so the owner accepts again until the client has heard it.
    for _ in range(20):
        await asyncio.to_thread(daemon.accept, uri)
        done, _ = await asyncio.wait({asking}, timeout=1)
        if done:
            break
    assert (await asking).to_hex() == daemon.user
    return client


@pytest.fixture(params=[by_bunker_link, by_nostrconnect_link], ids=["bunker", "nostrconnect"])
def pair(request, signer):
    return lambda: request.param(*signer)


async def test_pairs_and_learns_the_user_key(pair, signer):
    client = await pair()
    assert (await client.get_public_key_async()).to_hex() == signer[0].user


async def test_signs_an_event_that_verifies(pair, signer):
    client = await pair()
    builder = sdk.EventBuilder(sdk.Kind(1), 'from rust: \u2028 / " \\ \n')
    unsigned = builder.finalize_unsigned(await client.get_public_key_async())
    event = await client.sign_event_async(unsigned)
    assert event.verify()
    assert event.author().to_hex() == signer[0].user


async def test_encrypts_nip44_for_a_peer(pair, signer):
    client = await pair()
    sealed = await client.nip44_encrypt_async(sdk.PublicKey.parse(PEER.public), "to the peer")
    assert nip44.decrypt(PEER, signer[0].user, sealed) == "to the peer"


async def test_decrypts_nip44_from_a_peer(pair, signer):
    client = await pair()
    sealed = nip44.encrypt(PEER, signer[0].user, "from the peer")
    assert await client.nip44_decrypt_async(sdk.PublicKey.parse(PEER.public), sealed) == "from the peer"


async def test_encrypts_and_decrypts_nip04(pair, signer):
    client = await pair()
    peer = sdk.PublicKey.parse(PEER.public)
    sealed = await client.nip04_encrypt_async(peer, "old style")
    assert nip04.decrypt(PEER, signer[0].user, sealed) == "old style"
    assert await client.nip04_decrypt_async(peer, nip04.encrypt(PEER, signer[0].user, "back")) == "back"


async def test_keeps_its_session_when_the_app_starts_again(signer):
    daemon, _ = signer
    keys, link = sdk.Keys.generate(), daemon.pair("full").text
    assert (await connect(link, keys).get_public_key_async()).to_hex() == daemon.user
    assert (await connect(link, keys).get_public_key_async()).to_hex() == daemon.user


async def test_shows_a_refusal_as_an_error(signer):
    daemon, _ = signer
    wrong = daemon.pair("full").text.split("secret=")[0] + "secret=not-the-secret"
    with pytest.raises(sdk.NostrSdkError):
        await connect(wrong).get_public_key_async()


async def test_an_app_that_was_revoked_hears_it(shared):
    keys = sdk.Keys.generate()
    client = connect(shared.pair("full").text, keys)
    await client.get_public_key_async()
    shared.do("client", "revoke", keys.public_key().to_hex(), "--yes")
    with pytest.raises(sdk.NostrSdkError, match="no longer paired"):
        await client.nip44_encrypt_async(sdk.PublicKey.parse(PEER.public), "text")


async def test_an_answer_it_cannot_read_is_named_in_the_log_and_at_the_app(shared):
    """NIP-44's form for texts over 65,535 bytes is unknown to it; the request is shorter, the answer is not."""
    keys = sdk.Keys.generate()
    uri = sdk.NostrConnectUri.parse(shared.pair("full").text)
    client = sdk.NostrConnect(uri, keys, timedelta(seconds=4), None)
    peer, app = sdk.PublicKey.parse(PEER.public), keys.public_key().to_hex()
    assert len(await client.nip44_encrypt_async(peer, "a" * 40_000)) > 40_000
    assert shared.do("client", "show", app)["long_answer"] is None
    with pytest.raises(sdk.NostrSdkError):
        await client.nip44_encrypt_async(peer, "a" * 49_000)
    long = shared.do("client", "show", app)["long_answer"]["bytes"]
    assert long > 65_535
    entries = [entry for entry in shared.log_entries("--client", app) if entry.get("amount") == long]
    assert entries and "rust-nostr" in entries[0]["rule"]
