"""Checks what `holdfast log prove N --json` prints: python verify_proof.py VKEY < proof.json. Shares no code with Holdfast."""

import base64  # noqa: E401
import hashlib
import json
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def root(node, index, size, path):
    if size == 1:
        return node if not path else None
    half, other = 1 << (size - 1).bit_length() - 1, path.pop()
    left, right = (root(node, index, half, path), other) if index < half else (other, root(node, index - half, size - half, path))
    return hashlib.sha256(b"\1" + left + right).digest()


p, (name, _, key), b64 = json.load(sys.stdin), sys.argv[1].split("+", 2), base64.b64decode
found = root(hashlib.sha256(b"\0" + b64(p["leaf"])).digest(), p["index"], p["size"], [*map(b64, p["proof"])])
body, signature = p["checkpoint"].split("\n\n")
Ed25519PublicKey.from_public_bytes(b64(key)[1:]).verify(b64(signature.split()[2])[4:], f"{body}\n".encode())
sys.exit(body.split("\n")[:3] != [name, str(p["size"]), base64.b64encode(found).decode()])
