"""NIP-04: AES-256-CBC under the unhashed shared coordinate. No authentication; kept for old clients."""

from __future__ import annotations

import base64
import os

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

from .keys import Key


def encrypt(key: Key, peer: str, text: str) -> str:
    iv = os.urandom(16)
    padder = PKCS7(128).padder()
    padded = padder.update(text.encode()) + padder.finalize()
    encryptor = Cipher(algorithms.AES(key.shared_x(peer)), modes.CBC(iv)).encryptor()
    sealed = encryptor.update(padded) + encryptor.finalize()
    return base64.b64encode(sealed).decode() + "?iv=" + base64.b64encode(iv).decode()


def decrypt(key: Key, peer: str, payload: str) -> str:
    sealed, iv = (base64.b64decode(part, validate=True) for part in payload.split("?iv="))
    decryptor = Cipher(algorithms.AES(key.shared_x(peer)), modes.CBC(iv)).decryptor()
    unpadder = PKCS7(128).unpadder()
    padded = decryptor.update(sealed) + decryptor.finalize()
    return (unpadder.update(padded) + unpadder.finalize()).decode()


def looks_like(payload: str) -> bool:
    return "?iv=" in payload
