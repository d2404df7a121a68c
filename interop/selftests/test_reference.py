"""The reference implementation itself, against the published vectors and values typed in from the standards."""

from __future__ import annotations

import pytest

from reference import events, nip04, nip19, nip44
from reference import vectors as published
from reference.keys import Key

ALICE, BOB = Key("11" * 32), Key("22" * 32)

needs_vectors = pytest.mark.skipif(not published.FOLDER.exists(), reason=f"no vectors at {published.FOLDER}")


@pytest.fixture(scope="module")
def vectors():
    return published.nip44()


@needs_vectors
def test_nip44_conversation_keys(vectors):
    for case in vectors["valid"]["get_conversation_key"]:
        assert nip44.conversation_key(Key(case["sec1"]), case["pub2"]).hex() == case["conversation_key"]


@needs_vectors
def test_nip44_payloads(vectors):
    for case in vectors["valid"]["encrypt_decrypt"]:
        key, nonce, text = (bytes.fromhex(case["conversation_key"]), bytes.fromhex(case["nonce"]), case["plaintext"])
        assert nip44.encrypt_with(key, text.encode(), nonce) == case["payload"]
        assert nip44.decrypt_with(key, case["payload"]).decode() == text


@needs_vectors
def test_nip44_refuses_wrong_payloads(vectors):
    for case in vectors["invalid"]["decrypt"]:
        with pytest.raises(ValueError):
            nip44.decrypt_with(bytes.fromhex(case["conversation_key"]), case["payload"])


@pytest.mark.parametrize(
    "length, digest",
    [
        (65535, "6d8c2810d1e870fbaa1f0a0937126cca837a15f9260e27060c331d70a3c0bc84"),
        (65536, "b7b4edb36ba92e267d322d56d9aebc22e7fa96ff52e3c12adc07f07a43cbc616"),
        (65537, "eeb7c7c5373894ea2c1547cfd3ccb15d5a0b2d619da852e5c79df792dcc9e435"),
    ],
)
def test_nip44_lengths_around_the_long_prefix(length, digest):
    key = bytes.fromhex("c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d")
    payload = nip44.encrypt_with(key, b"a" * length, bytes(31) + b"\x01")
    assert nip44.digest(payload) == digest
    assert nip44.decrypt_with(key, payload) == b"a" * length


def test_nip04_round_trip():
    assert nip04.decrypt(BOB, ALICE.public, nip04.encrypt(ALICE, BOB.public, "")) == ""
    assert nip04.decrypt(BOB, ALICE.public, nip04.encrypt(ALICE, BOB.public, "h\u00e9")) == "h\u00e9"


def test_canonical_form_escapes_as_nip01_says():
    event = {"pubkey": "aa", "created_at": 1, "kind": 2, "tags": [["t", "\n"]], "content": '\b\f\t\r"\\/\x01\u2028é'}
    expected = '[0,"aa",1,2,[["t","\\n"]],"\\b\\f\\t\\r\\"\\\\/\\u0001\u2028é"]'
    assert events.canonical_form(event).decode() == expected


def test_signed_events_verify_and_changed_ones_do_not():
    event = events.signed(ALICE, 1, "text", [])
    assert events.is_genuine(event)
    assert not events.is_genuine({**event, "content": "other"})
    assert not events.is_genuine({**event, "sig": event["sig"][:-2] + "00"})


def test_npub_of_the_standard():
    public = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e"
    npub = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
    assert nip19.npub(public) == npub
    assert nip19.decode(npub) == ("npub", bytes.fromhex(public))
