"""NIP-19 for bare keys: bech32 of 32 bytes under `npub` and `nsec`."""

from __future__ import annotations

_ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def _checksum_state(values: list[int]) -> int:
    state = 1
    for value in values:
        top, state = state >> 25, (state & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            if top >> bit & 1:
                state ^= generator
    return state


def _regroup(values: bytes | list[int], width: int, into: int) -> list[int]:
    number = count = 0
    groups = []
    for value in values:
        number, count = number << width | value, count + width
        while count >= into:
            count -= into
            groups.append(number >> count & (1 << into) - 1)
    if into < width and count:
        groups.append(number << (into - count) & (1 << into) - 1)
    return groups


def encode(prefix: str, data: bytes) -> str:
    values = _regroup(data, 8, 5)
    spread = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    state = _checksum_state(spread + values + [0] * 6) ^ 1
    check = [state >> 5 * (5 - i) & 31 for i in range(6)]
    return prefix + "1" + "".join(_ALPHABET[v] for v in values + check)


def decode(text: str) -> tuple[str, bytes]:
    prefix, _, rest = text.rpartition("1")
    values = [_ALPHABET.index(c) for c in rest]
    spread = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    if _checksum_state(spread + values) != 1:
        raise ValueError("wrong checksum")
    return prefix, bytes(_regroup(values[:-6], 5, 8)[:32])


def npub(public: str) -> str:
    return encode("npub", bytes.fromhex(public))


def nsec(secret: bytes) -> str:
    return encode("nsec", secret)
