"""BIP-39 words of entropy and their seed, BIP-32 private keys, and NIP-06 keys of words by rust-nostr."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

import nostr_sdk

from .keys import Key

_LIST = Path(__file__).resolve().parents[2] / "Sources" / "Mnemonics" / "WordLists" / "english.txt"


def words_of(entropy: bytes) -> str:
    bits = "".join(f"{byte:08b}" for byte in entropy)
    bits += f"{hashlib.sha256(entropy).digest()[0]:08b}"[: len(entropy) // 4]
    names = _LIST.read_text().split()
    return " ".join(names[int(bits[at : at + 11], 2)] for at in range(0, len(bits), 11))


def key_of_words(words: str) -> Key:
    return Key(bytes.fromhex(nostr_sdk.Keys.from_mnemonic(words, None).secret_key().to_hex()))


HARD = 1 << 31
_ORDER = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141


def seed_of(words: str) -> bytes:
    """BIP-39, without a passphrase."""
    return hashlib.pbkdf2_hmac("sha512", words.encode(), b"mnemonic", 2048)


def derived(seed: bytes, path: tuple[int, ...]) -> Key:
    """BIP-32: the private key at a path."""
    material = hmac.digest(b"Bitcoin seed", seed, "sha512")
    for index in path:
        key, chain = Key(material[:32]), material[32:]
        start = b"\0" + key.secret if index & HARD else key.private.public_key.format()
        step = hmac.digest(chain, start + index.to_bytes(4, "big"), "sha512")
        number = (int.from_bytes(step[:32], "big") + int.from_bytes(key.secret, "big")) % _ORDER
        material = number.to_bytes(32, "big") + step[32:]
    return Key(material[:32])
