"""nip44_* and nip04_*: lengths around the limits, damaged payloads, oneself as peer."""

from __future__ import annotations

import base64

import pytest

from harness.app import App
from reference import nip04, nip44
from reference.keys import Key

PEER = Key()


@pytest.fixture
def roomy(start, scripted_relay):
    """A daemon on a relay without a size limit, so that only the signer's own limits are met."""
    return start(relays=(scripted_relay.url,), embedded=False)


@pytest.mark.parametrize("length", [1, 31, 32, 33, 255, 256, 257, 1000, 20_000])
async def test_nip44_lengths_that_fit_every_relay(length, app, shared):
    text = "x" * length
    sealed = await app.result("nip44_encrypt", PEER.public, text)
    assert nip44.decrypt(PEER, shared.user, sealed) == text
    assert await app.result("nip44_decrypt", PEER.public, nip44.encrypt(PEER, shared.user, text)) == text


@pytest.mark.parametrize("length", [65_535, 65_536, 65_537, 100_000])
async def test_nip44_lengths_around_the_long_prefix(length, roomy, apps):
    app = await apps(App.paired(roomy.pair()))
    text = "x" * length
    sealed = await app.result("nip44_encrypt", PEER.public, text)
    assert nip44.decrypt(PEER, roomy.user, sealed) == text
    assert await app.result("nip44_decrypt", PEER.public, nip44.encrypt(PEER, roomy.user, text)) == text


async def test_a_megabyte_of_nip44_text(roomy, apps):
    app = await apps(App.paired(roomy.pair()))
    text = "x" * (1 << 20)
    sealed = await app.result("nip44_encrypt", PEER.public, text)
    assert nip44.decrypt(PEER, roomy.user, sealed) == text
    assert await app.result("nip44_decrypt", PEER.public, sealed_by_peer(roomy, text)) == text


def sealed_by_peer(daemon, text: str) -> str:
    return nip44.encrypt(PEER, daemon.user, text)


async def test_more_than_any_limit_harms_nothing(roomy, scripted_relay, apps):
    app = await apps(App.paired(roomy.pair()))
    await app.send("nip44_encrypt", [PEER.public, "x" * (6 << 20)])
    for _ in range(10):  # the signer may have hung up on the relay, and comes back
        id = await app.send("ping", [])
        try:
            await app.reply(id, 2)
            return
        except AssertionError:
            continue
    raise AssertionError("the signer answers again")


async def test_an_answer_too_large_for_its_relay_is_an_error_not_silence(shared, app):
    """44 kB travel to the signer in one event of 64 KiB; the answer, encoded twice, would not fit back."""
    reply = await app.call("nip44_decrypt", PEER.public, nip44.encrypt(PEER, shared.user, "x" * 20_000))
    assert reply.result == "x" * 20_000
    reply = await app.call("nip44_encrypt", PEER.public, "x" * 40_000)
    assert reply.error or nip44.decrypt(PEER, shared.user, reply.result) == "x" * 40_000


@pytest.mark.parametrize("family", ["nip04", "nip44"])
async def test_encrypting_nothing(family, app, shared):
    if family == "nip44":
        await app.error("nip44_encrypt", PEER.public, "")
    else:
        sealed = await app.result("nip04_encrypt", PEER.public, "")
        assert nip04.decrypt(PEER, shared.user, sealed) == ""


async def test_an_empty_decryption_is_an_error_because_empty_results_hang_clients(app, shared):
    await app.error("nip04_decrypt", PEER.public, nip04.encrypt(PEER, shared.user, ""))


@pytest.mark.parametrize("text", ["h\u00e9llo", "\U0001f511" * 20, "a\x00b", "\u2028", '{"a":"b"}', '["x"]', "null"], ids=repr)
@pytest.mark.parametrize("family", ["nip04", "nip44"])
async def test_text_comes_back_as_it_was(family, text, app, shared):
    cipher = {"nip04": nip04, "nip44": nip44}[family]
    assert cipher.decrypt(PEER, shared.user, await app.result(f"{family}_encrypt", PEER.public, text)) == text
    assert await app.result(f"{family}_decrypt", PEER.public, cipher.encrypt(PEER, shared.user, text)) == text


@pytest.mark.parametrize("family", ["nip04", "nip44"])
async def test_oneself_as_peer(family, app, shared):
    sealed = await app.result(f"{family}_encrypt", shared.user, "a note to myself")
    shared.do("client", "allow", app.key.public, f"{family}_decrypt@self", "--for", "1d")
    assert await app.result(f"{family}_decrypt", shared.user, sealed) == "a note to myself"


async def test_a_peer_key_in_capitals(app, shared):
    sealed = await app.call("nip44_encrypt", PEER.public.upper(), "text")
    assert sealed.error or nip44.decrypt(PEER, shared.user, sealed.result) == "text"


def damaged(payload: str) -> list[str]:
    raw = base64.b64decode(payload)
    changed = [raw[:i] + bytes([raw[i] ^ 1]) + raw[i + 1 :] for i in (0, 1, 20, 40, len(raw) - 40, len(raw) - 1)]
    cut = [raw[:-1], raw[:98], raw + b"\0", b"", b"\x02"]
    return [base64.b64encode(data).decode() for data in changed + cut] + [payload[:-1], "#" + payload, "?iv=", "!!"]


async def test_no_damaged_nip44_payload_decrypts(app, shared):
    for payload in damaged(nip44.encrypt(PEER, shared.user, "a text of some length")):
        await app.error("nip44_decrypt", PEER.public, payload)


@pytest.mark.parametrize("payload", ["", "?iv=", "AAAA?iv=AAAA", "x", "AAAAAAAAAAAAAAAAAAAAAA==?iv=", "?iv=AAAAAAAAAAAAAAAAAAAAAA=="])
async def test_no_malformed_nip04_payload_decrypts(payload, app):
    await app.error("nip04_decrypt", PEER.public, payload)


async def test_a_payload_of_another_pair_does_not_decrypt(app, shared):
    await app.error("nip44_decrypt", PEER.public, nip44.encrypt(Key(), shared.user, "not from the peer"))


async def test_plaintext_that_is_not_utf8_is_an_error(app, shared):
    payload = nip44.encrypt_with(nip44.conversation_key(PEER, shared.user), b"\xff\xfe\x80")
    await app.error("nip44_decrypt", PEER.public, payload)


async def test_every_encryption_uses_a_fresh_nonce(app):
    sealed = {await app.result("nip44_encrypt", PEER.public, "same") for _ in range(5)}
    assert len({base64.b64decode(payload)[1:33] for payload in sealed}) == 5
