"""NIP-44 version 2, with the length rules of June 2026 (texts above 65,535 bytes carry a six byte prefix)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import struct

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

from .keys import Key


class NIP44Error(ValueError):
    pass


def conversation_key(key: Key, peer: str) -> bytes:
    return hmac.digest(b"nip44-v2", key.shared_x(peer), "sha256")


def _message_keys(conversation: bytes, nonce: bytes) -> tuple[bytes, bytes, bytes]:
    stream, block = b"", b""
    for counter in (1, 2, 3):
        block = hmac.digest(conversation, block + nonce + bytes([counter]), "sha256")
        stream += block
    return stream[:32], stream[32:44], stream[44:76]


def padded_length(length: int) -> int:
    if length <= 32:
        return 32
    upper = 1 << (length - 1).bit_length()
    chunk = 32 if upper <= 256 else upper // 8
    return chunk * ((length - 1) // chunk + 1)


def _pad(text: bytes) -> bytes:
    if not text:
        raise NIP44Error("empty text")
    long = len(text) >= 65536
    prefix = struct.pack(">HI", 0, len(text)) if long else struct.pack(">H", len(text))
    return prefix + text.ljust(padded_length(len(text)), b"\0")


def _unpad(padded: bytes) -> bytes:
    (length,) = struct.unpack(">H", padded[:2])
    prefix = 2
    if length == 0:
        (length,), prefix = struct.unpack(">I", padded[2:6]), 6
        if length < 65536:
            raise NIP44Error("length not in its shortest form")
    if length == 0 or len(padded) != prefix + padded_length(length):
        raise NIP44Error("wrong padding")
    return padded[prefix : prefix + length]


def _chacha20(key: bytes, nonce: bytes, data: bytes) -> bytes:
    return Cipher(algorithms.ChaCha20(key, bytes(4) + nonce), mode=None).encryptor().update(data)


def encrypt_with(conversation: bytes, text: bytes, nonce: bytes | None = None) -> str:
    nonce = nonce or os.urandom(32)
    cipher_key, cipher_nonce, mac_key = _message_keys(conversation, nonce)
    sealed = _chacha20(cipher_key, cipher_nonce, _pad(text))
    mac = hmac.digest(mac_key, nonce + sealed, "sha256")
    return base64.b64encode(b"\x02" + nonce + sealed + mac).decode()


def decrypt_with(conversation: bytes, payload: str) -> bytes:
    if not payload or payload[0] == "#":
        raise NIP44Error("unknown version")
    data = base64.b64decode(payload, validate=True)
    if len(data) < 99 or data[0] != 2:
        raise NIP44Error("unknown version or too short")
    nonce, sealed, mac = data[1:33], data[33:-32], data[-32:]
    cipher_key, cipher_nonce, mac_key = _message_keys(conversation, nonce)
    if not hmac.compare_digest(mac, hmac.digest(mac_key, nonce + sealed, "sha256")):
        raise NIP44Error("wrong authentication code")
    return _unpad(_chacha20(cipher_key, cipher_nonce, sealed))


def encrypt(key: Key, peer: str, text: str) -> str:
    return encrypt_with(conversation_key(key, peer), text.encode())


def decrypt(key: Key, peer: str, payload: str) -> str:
    return decrypt_with(conversation_key(key, peer), payload).decode()


def digest(payload: str) -> str:
    return hashlib.sha256(payload.encode()).hexdigest()
