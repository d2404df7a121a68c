"""BIP-39 words of entropy, and NIP-06 keys of words by rust-nostr."""

from __future__ import annotations

import hashlib
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
