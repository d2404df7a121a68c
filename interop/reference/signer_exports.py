"""Other signers' exports, written from their published formats with PyPI's libraries. None of their code is here.

Each function takes a secret key (32 bytes) and gives the bytes of a file as that program writes it.
"""

from __future__ import annotations

import hashlib
import json
import os
from base64 import b64encode

import nostr_sdk
from argon2.low_level import Type, hash_secret_raw
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from reference import nip19


def ncryptsec(secret: bytes, password: str, log_n: int = 16, security=None) -> str:
    security = nostr_sdk.KeySecurity.UNKNOWN if security is None else security
    return nostr_sdk.EncryptedSecretKey(nostr_sdk.SecretKey.parse(secret.hex()), password, log_n, security).to_bech32()


def amber(accounts: list[tuple[str, bytes]], password: str, words: dict[str, str] | None = None) -> str:
    """Amber's "export all accounts": an object a line; the words sealed to the key itself by NIP-44."""
    lines = []
    for name, secret in accounts:
        keys = nostr_sdk.Keys.parse(secret.hex())
        text = (words or {}).get(name, "")
        sealed = nostr_sdk.nip44_encrypt(keys.secret_key(), keys.public_key(), text, nostr_sdk.Nip44Version.V2) if text else ""
        account = {"version": "1.0", "exportDate": 1_760_000_000, "npub": keys.public_key().to_bech32(), "name": name}
        account |= {"nsec": ncryptsec(secret, password), "seedWords": sealed, "signPolicy": 1, "picture": "", "didBackup": True}
        lines.append(json.dumps(account, separators=(",", ":")))
    return "\n".join(lines) + "\n"


def amber_earlier(accounts: list[tuple[str, bytes]], password: str) -> str:
    """Amber's first format: one object that lists the accounts."""
    listed = [json.loads(line) for line in amber(accounts, password).splitlines()]
    for account in listed:
        del account["version"], account["exportDate"]
    return json.dumps({"version": "1.0", "exportDate": 1_760_000_000, "accountCount": len(listed), "accounts": listed})


def nos2x_fox(secret: bytes, pin: str | None = None) -> str:
    """nos2x-fox, "Export profile"."""
    key = secret.hex()
    if pin is not None:
        salt, iv = os.urandom(16), os.urandom(12)
        derived = hashlib.pbkdf2_hmac("sha256", pin.encode(), salt, 100_000)
        sealed = AESGCM(derived).encrypt(iv, key.encode(), None)
        parts = {"salt": salt, "iv": iv, "ciphertext": sealed}
        key = json.dumps({name: b64encode(value).decode() for name, value in parts.items()})
    relays = {"wss://relay.example.com": {"read": True, "write": True}, "not a relay": {"read": True, "write": False}}
    permissions = {"https://app.example": {"level": 10, "condition": "forever", "created_at": 1_700_000_000}}
    return json.dumps({"privateKey": key, "relays": relays, "permissions": permissions, "name": "mine"})


def nsecbunker(keys: dict[str, bytes], passphrase: str | None = None) -> str:
    """nsecbunkerd's configuration file."""
    stored = {}
    for name, secret in keys.items():
        nsec = nip19.nsec(secret)
        if passphrase is None:
            stored[name] = {"key": nsec}
            continue
        iv = os.urandom(16)
        pad = padding.PKCS7(128).padder()
        cipher = Cipher(algorithms.AES(hashlib.sha256(passphrase.encode()).digest()), modes.CBC(iv)).encryptor()
        data = cipher.update(pad.update(nsec.encode()) + pad.finalize()) + cipher.finalize()
        stored[name] = {"iv": iv.hex(), "data": data.hex()}
    head = {"nostr": {"relays": ["wss://relay.example.com"]}, "admin": {"npubs": []}, "database": "sqlite://nsecbunker.db"}
    return json.dumps(head | {"logs": "./nsecbunker.log", "keys": stored, "verbose": False}, indent=2)


def keep(keys: list[tuple[str, str, bytes]], passphrase: str, lanes: int = 4, memory: int = 64 << 10) -> bytes:
    """privkeyio/keep's backup, version 1; `keys` are (name, type, secret)."""
    import nacl.bindings  # only here

    listed = [
        {
            "pubkey": nostr_sdk.Keys.parse(secret.hex()).public_key().to_hex(), "key_type": kind, "name": name,
            "created_at": 1_700_000_000, "last_used": None, "sign_count": 0, "secret": secret.hex(),
        }
        for name, kind, secret in keys
    ]  # fmt: skip
    inside = {"version": 1, "created_at": "2026-01-01T00:00:00+00:00", "keys": listed, "shares": []}
    inside |= {"wallet_descriptors": [], "relay_configs": [], "health_statuses": [], "config": {"kill_switch": False, "proxy": None}}
    salt, nonce = os.urandom(32), os.urandom(24)
    key = hash_secret_raw(passphrase.encode(), salt, 2, memory, lanes, 32, Type.ID)
    sealed = nacl.bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(json.dumps(inside).encode(), None, nonce, key)
    numbers = b"".join(number.to_bytes(4, "little") for number in (memory, 2, lanes))
    return b"KEEPBACK" + (1).to_bytes(2, "little") + bytes(2) + salt + numbers + nonce + bytes(144) + sealed
