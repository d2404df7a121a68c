"""secp256k1 keys: x-only public keys, BIP-340 signatures, the unhashed ECDH coordinate."""

from __future__ import annotations

import os

from coincurve import PrivateKey, PublicKey, PublicKeyXOnly


class Key:
    """One secret key, its x-only public key in hex, and what it can do."""

    def __init__(self, secret: bytes | str | None = None):
        secret = bytes.fromhex(secret) if isinstance(secret, str) else secret
        self.private = PrivateKey(secret)
        self.public = self.private.public_key.format()[1:].hex()

    @property
    def secret(self) -> bytes:
        return self.private.secret

    def sign(self, digest: bytes) -> str:
        return self.private.sign_schnorr(digest, os.urandom(32)).hex()

    def shared_x(self, peer: str) -> bytes:
        """The x coordinate of secret times peer: 32 bytes, not hashed."""
        point = PublicKey(b"\x02" + bytes.fromhex(peer))
        return point.multiply(self.secret).format()[1:]


def is_valid_signature(signature: str, digest: bytes, public: str) -> bool:
    try:
        return PublicKeyXOnly(bytes.fromhex(public)).verify(bytes.fromhex(signature), digest)
    except ValueError:
        return False


NOT_A_POINT = "ff" * 32
"""64 hex digits that are no x coordinate of any point on the curve (above the field's prime)."""
