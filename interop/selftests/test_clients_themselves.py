"""The simulated clients work with a right signer and fail with the wrong answers their libraries fail on."""

from __future__ import annotations

import pytest
import pytest_asyncio

import clients
from clients.base import Rejected
from harness.relay_connection import RelayConnection
from reference.bunker import Bunker
from reference.events import template
from reference.keys import Key
from reference.links import BunkerLink

PEER = Key()


@pytest_asyncio.fixture
async def bunker(scripted_relay):
    bunker = await Bunker.open(await RelayConnection.open(scripted_relay.url))
    yield bunker
    await bunker.close()


@pytest_asyncio.fixture
async def make():
    made = []

    def make_client(library):
        made.append(library())
        return made[-1]

    yield make_client
    for client in made:
        await client.close()


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """A promise that has not settled after half a second never will: nothing here is slow."""
    for module in ("base", "nostr_tools", "ndk", "nostr_login", "rust_nostr", "welshman", "applesauce"):
        monkeypatch.setattr(f"clients.{module}.PATIENCE", 0.5)


async def paired(client, bunker):
    await client.pair_by_bunker(BunkerLink.parse(bunker.link))
    return client


@pytest.mark.parametrize("library", clients.ALL)
async def test_works_with_a_right_signer(library, bunker, make):
    client = await paired(make(library), bunker)
    assert await client.get_public_key() == bunker.user.public
    await client.switch_relays()
    assert (await client.sign_event(template(content="/ \u2028")))["content"] == "/ \u2028"
    sealed = await client.nip44_encrypt(PEER.public, "text")
    assert await client.nip44_decrypt(PEER.public, sealed) == "text"
    sealed = await client.nip04_encrypt(PEER.public, "text")
    assert await client.nip04_decrypt(PEER.public, sealed) == "text"
    await client.logout()


@pytest.mark.parametrize("library", [library for library in clients.ALL if library.by_nostrconnect])
async def test_pairs_by_its_own_link_with_a_right_signer(library, bunker, make, scripted_relay):
    client = make(library)
    await bunker.accept(await client.uri([scripted_relay.url]))
    await client.pair_by_uri()
    assert await client.get_public_key() == bunker.user.public


@pytest.mark.parametrize("library", [clients.NDK, clients.NostrLogin, clients.OldRustNostr])
async def test_refuses_an_echoed_secret_on_a_bunker_link(library, bunker, make):
    bunker.connect_result = bunker.secret
    with pytest.raises(Rejected):
        await paired(make(library), bunker)


@pytest.mark.parametrize("library", [clients.NostrTools, clients.NDK, clients.OldRustNostr])
async def test_does_not_take_ack_on_its_own_link(library, bunker, make, scripted_relay):
    bunker.overrides["uri"] = "ack"
    client = make(library)
    await bunker.accept(await client.uri([scripted_relay.url]))
    with pytest.raises(TimeoutError):
        await client.pair_by_uri()


@pytest.mark.parametrize("library", [clients.NostrLogin, clients.Welshman])
async def test_gives_up_its_own_link_on_any_other_first_answer(library, bunker, make, scripted_relay):
    bunker.overrides["uri"] = "something else"
    client = make(library)
    await bunker.accept(await client.uri([scripted_relay.url]))
    with pytest.raises(Rejected):
        await client.pair_by_uri()


@pytest.mark.parametrize("library", [clients.NostrTools, clients.Applesauce])
@pytest.mark.parametrize("nothing", ["", None], ids=["empty", "null"])
async def test_hangs_on_an_empty_or_null_result(library, nothing, bunker, make):
    bunker.overrides["switch_relays"] = nothing
    client = await paired(make(library), bunker)
    with pytest.raises(TimeoutError):
        await client.switch_relays()


async def test_rust_nostr_cannot_read_an_error_with_an_empty_result(bunker, make):
    bunker.error_body = {"result": ""}
    bunker.fails["get_public_key"] = "no"
    client = await paired(make(clients.OldRustNostr), bunker)
    with pytest.raises(Rejected, match="unexpected end of JSON"):
        await client.get_public_key()


@pytest.mark.parametrize("library", [library for library in clients.ALL if library is not clients.NDK])
async def test_shows_an_error_as_an_error(library, bunker, make):
    bunker.fails["nip44_encrypt"] = "not allowed"
    client = await paired(make(library), bunker)
    with pytest.raises(Rejected, match="not allowed"):
        await client.nip44_encrypt(PEER.public, "text")
