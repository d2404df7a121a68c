"""A second reader of Holdfast's encrypted key file, as docs/FORMATS.md gives it."""

from __future__ import annotations

import json
import unicodedata
from base64 import b64decode, b64encode

from argon2.low_level import Type, hash_secret_raw
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def _key_and_data(file: dict, password: str) -> tuple[bytes, bytes]:
    kdf = file["kdf"]
    key = hash_secret_raw(
        unicodedata.normalize("NFKC", password).encode(), b64decode(kdf["salt"]), time_cost=kdf["iterations"], memory_cost=kdf["memory"],
        parallelism=kdf["parallelism"], hash_len=32, type=Type.ID,
    )  # fmt: skip
    lines = ["holdfast key file", file["version"], file["algorithm"], kdf["name"], kdf["memory"], kdf["iterations"]]
    lines += [kdf["parallelism"], kdf["salt"], file["nonce"], file["createdAt"], file["hint"]]
    return key, "\n".join(map(str, lines)).encode()


def read(text: str, password: str) -> dict:
    file = json.loads(text)
    key, data = _key_and_data(file, password)
    return json.loads(AESGCM(key).decrypt(b64decode(file["nonce"]), b64decode(file["encrypted"]), data))


def write(contents: dict, password: str, salt: bytes = b"s" * 16, nonce: bytes = b"n" * 12, **changed) -> str:
    """Another program's file. `changed` replaces members before sealing."""
    kdf = {"name": "Argon2id", "memory": 19 << 10, "iterations": 2, "parallelism": 1, "salt": b64encode(salt).decode()}
    file = {"version": 1, "algorithm": "AES-256-GCM", "kdf": kdf, "nonce": b64encode(nonce).decode()}
    file |= {"hint": "", "createdAt": 1_700_000_000} | changed
    key, data = _key_and_data(file, password)
    file["encrypted"] = b64encode(AESGCM(key).encrypt(nonce, json.dumps(contents).encode(), data)).decode()
    return json.dumps(file, indent=2)
