"""Each library's client, from pairing to logging out and pairing again."""

from __future__ import annotations

import asyncio

import pytest
import pytest_asyncio

import clients
from reference import nip04, nip44
from reference.events import template
from reference.keys import Key

PEER = Key()
BY_LINK = [pytest.param(library, "bunker", id=f"{library.__name__}-bunker") for library in clients.ALL]
BY_URI = [
    pytest.param(library, "nostrconnect", id=f"{library.__name__}-nostrconnect") for library in clients.ALL if library.by_nostrconnect
]


@pytest_asyncio.fixture
async def pair(shared):
    """Pairs a fresh client of a library in a direction, as its user would."""
    made = []

    async def pair_client(library, direction, client=None):
        client = client or library()
        made.append(client)
        if direction == "bunker":
            await client.pair_by_bunker(shared.pair("full"))
        else:
            uri = await client.uri([shared.relay])
            await asyncio.to_thread(shared.accept, uri)
            await client.pair_by_uri()
        return client

    yield pair_client
    for client in made:
        await client.close()


@pytest.mark.parametrize("library, direction", BY_LINK + BY_URI)
async def test_whole_session_from_pairing_to_pairing_again(library, direction, pair, shared):
    client = await pair(library, direction)
    assert await client.get_public_key() == shared.user
    if client.has_switch_relays:
        await client.switch_relays()
    await signs(client, shared.user)
    await encrypts_and_decrypts(client, shared.user)
    if client.has_logout:
        await client.logout()
    again = await pair(library, direction)
    assert await again.get_public_key() == shared.user


async def signs(client, user):
    content = 'quotes " and / and \\ and \n and \u2028 and \U0001f511'
    event = await client.sign_event(template(content=content, tags=[["t", "a/b"], ["client", ""]]))
    assert (event["pubkey"], event["content"], event["kind"]) == (user, content, 1)


async def encrypts_and_decrypts(client, user):
    text = "for the peer: / \u00e9 \U0001f511"
    sealed = await client.nip44_encrypt(PEER.public, text)
    assert nip44.decrypt(PEER, user, sealed) == text
    assert await client.nip44_decrypt(PEER.public, nip44.encrypt(PEER, user, text)) == text
    if client.has_nip04:
        sealed = await client.nip04_encrypt(PEER.public, text)
        assert nip04.decrypt(PEER, user, sealed) == text
        assert await client.nip04_decrypt(PEER.public, nip04.encrypt(PEER, user, text)) == text


async def test_applesauce_restores_its_session_with_the_spent_secret(shared):
    first = clients.Applesauce()
    link = shared.pair("full")
    await first.pair_by_bunker(link)
    restored = await first.restored(link)
    assert await restored.get_public_key() == shared.user
    await first.close()
    await restored.close()


async def test_ndk_reads_an_error_where_it_expects_one(pair):
    client = await pair(clients.NDK, "bunker")
    with pytest.raises(clients.base.Rejected):
        await client.nip44_decrypt(PEER.public, "not a payload")
    assert await client.get_public_key()


async def test_ndk_flips_to_nip04_and_back(pair, shared):
    client = await pair(clients.NDK, "bunker")
    for cipher in (nip04, nip44):
        client.cipher = cipher
        assert await client.get_public_key() == shared.user
        assert client.cipher is cipher, "the answer came in the envelope of the request"


@pytest.mark.parametrize("library", [library for library in clients.ALL if library is not clients.NDK])
async def test_an_error_reaches_the_app_as_an_error(library, pair):
    client = await pair(library, "bunker")
    with pytest.raises(clients.base.Rejected):
        await client.nip44_decrypt(PEER.public, "not a payload")


async def test_ten_clients_at_once_each_get_their_own_answers(pair, shared):
    paired = [await pair(library, "bunker") for library in clients.ALL]
    await asyncio.gather(*(client.get_public_key() for client in paired))
    signed = await asyncio.gather(*(c.sign_event(template(content=f"from {i}")) for i, c in enumerate(paired)))
    assert [event["content"] for event in signed] == [f"from {i}" for i in range(len(paired))]


@pytest.mark.parametrize("library", clients.ALL)
async def test_an_app_whose_owner_revoked_it_does_not_wait_for_ever(library, pair, shared):
    client = await pair(library, "bunker")
    shared.do("client", "revoke", client.key.public, "--yes")
    # NDK's get_public_key resolves with nothing on an error; signing rejects in every library.
    with pytest.raises(clients.base.Rejected):
        await client.nip44_encrypt(PEER.public, "text")


@pytest.mark.parametrize("library", clients.ALL)
async def test_a_second_app_on_a_used_link_does_not_wait_for_ever(library, shared):
    link = shared.pair("full")
    first, second = clients.NostrTools(), library()
    await first.pair_by_bunker(link)
    with pytest.raises(clients.base.Rejected):
        await second.pair_by_bunker(link)
    await first.close()
    await second.close()


async def test_a_long_answer_reaches_nostr_tools_and_is_noted(pair, shared):
    """nostr-tools has read NIP-44's form for long texts since 2.23.8."""
    client = await pair(clients.NostrTools, "bunker")
    text = "a" * 80_000
    assert (await client.sign_event(template(content=text)))["content"] == text
    shown = shared.do("client", "show", client.key.public)
    assert shown["long_answer"]["bytes"] > 80_000
