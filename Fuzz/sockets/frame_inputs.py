"""Makes inputs for the embedded relay: a handshake, then WebSocket frames, most of them right. The same numbers give the same input."""

import base64
import functools
import hashlib
import json

from server import HANDSHAKE

TEXT, BINARY, CONTINUATION, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
NOW = 1_700_000_000  # the server's time
FIELD = 2**256 - 2**32 - 977
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
BASE = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


class Messages:
    """Texts for the relay: made once for a run, so that frames are quick to make."""

    def __init__(self, random):
        keys = [random.randrange(1, ORDER) for _ in range(4)]
        self.keys = [b"%064x" % multiply(key)[0] for key in keys]
        self.events = [event(random, random.choice(keys), random.choice(self.keys)) for _ in range(60)]
        self.texts = [self.text(random) for _ in range(1500)]
        self.malformed = [self.bad(random) for _ in range(300)]

    def text(self, random):
        kind = random.random()
        if kind < 0.45:
            return b'["EVENT",' + random.choice(self.events) + b"]"
        if kind < 0.55:
            found = json.loads(random.choice(self.events))
            name = random.choice(list(found))
            wrong = {"kind": [1, 0, 2**31, 22242], "created_at": [0, NOW + 10**6, 2**62], "tags": [[], [["p", "x"]], [["p"] * 9] * 40]}
            found[name] = random.choice(wrong.get(name, ["0" * 64, "f" * 128, "Ä\u0000\u202e", "x" * 4000]))
            return b'["EVENT",' + json.dumps(found).encode() + b"]"
        name = random.choice([b"s", b"t", b"%d" % random.randrange(40), b"n" * 64, b"\\u0000", b""])
        if kind < 0.8:
            keys = b",".join(b'"%s"' % random.choice(self.keys + [b"0" * 64, b"AB"]) for _ in range(random.choice([1, 1, 2, 60])))
            rest = random.choice([b"", b',"kinds":[24133]', b',"since":%d' % random.choice([0, NOW, 2**62]), b',"limit":0', b',"authors":[]'])
            return b'["REQ","%s",{"#p":[%s]%s}]' % (name, keys, rest)
        if kind < 0.95:
            return b'["CLOSE","%s"]' % name
        return b'["AUTH",' + random.choice(self.events) + b"]"

    def bad(self, random):
        text = bytearray(random.choice(self.texts))
        kind = random.randrange(6)
        if kind == 0:
            text[random.randrange(len(text))] = random.randrange(256)
        elif kind == 1:
            del text[random.randrange(len(text)) :]
        elif kind == 2:
            text = bytearray(b"[" * random.choice([1, 100, 5000]))
        elif kind == 3:
            text = bytearray(random.choice([b"", b"null", b"{}", b'["EVENT"]', b'["REQ","s",1e999]', b'["COUNT","s",{}]', b"\xef\xbb\xbf[]"]))
        elif kind == 4:
            text = bytearray(random.randbytes(random.randrange(1, 300)))
        else:
            text *= random.choice([2, 30])
        return bytes(text)


def frame_input(random, messages):
    """One connection's frames, and how many they are. A fault of the peer comes last, since the server ends the connection for it."""
    place = "tls" if random.random() < 0.02 else "plain"
    frames = []
    for _ in range(random.choice([1, 5, 40, 150, 400])):
        frames += message(random, messages)
    if random.random() < 0.5:
        frames += fault(random, messages)
    parts = [["send", base64.b64encode(HANDSHAKE).decode()]]
    if random.random() < 0.9:
        parts.append(["head"])
    parts += pieces(random, frames)
    end = random.choices(["close", "reset", "keep", "read"], [60, 15, 15, 10])[0]
    return {"place": place, "parts": parts, "end": end, "frames": len(frames)}


def pieces(random, frames):
    """Some frames at a time, and the cut anywhere."""
    data = b"".join(frames)
    size = random.choice([1 << 20, 1 << 20, 5000, 700])
    parts = []
    place = 0
    while place < len(data):
        end = place + random.randrange(1, 2 * min(size, len(data)) + 1)
        parts.append(["send", base64.b64encode(data[place:end]).decode()])
        if random.random() < 0.3:
            parts.append(["read"])
        place = end
    return parts


def message(random, messages):
    """The frames of one message, or a control frame."""
    kind = random.random()
    if kind < 0.06:
        return [frame(random, random.choice([PING, PONG]), random.randbytes(random.choice([0, 1, 5, 125])))]
    text = random.choice(messages.malformed if kind < 0.075 else messages.texts)
    if random.random() < 0.8 or not text:
        return [frame(random, TEXT, text)]
    count = random.choice([2, 3, 10])
    cuts = [0] + sorted(random.randrange(len(text) + 1) for _ in range(count - 1)) + [len(text)]
    frames = []
    for number in range(count):
        opcode = TEXT if number == 0 else CONTINUATION
        frames.append(frame(random, opcode, text[cuts[number] : cuts[number + 1]], final=number == count - 1))
        if random.random() < 0.1 and number < count - 1:
            frames.append(frame(random, PING, b"between"))
    return frames


def fault(random, messages):
    """What a peer may not send, and something behind it."""
    text = random.choice(messages.texts)
    faults = [
        lambda: frame(random, BINARY, text),
        lambda: frame(random, CONTINUATION, text),
        lambda: frame(random, TEXT, text, final=False) + frame(random, TEXT, text),
        lambda: frame(random, random.choice([3, 4, 5, 6, 7, 11, 12, 13, 14, 15]), text[:100]),
        lambda: frame(random, PING, bytes(126)),
        lambda: frame(random, PING, b"cut", final=False),
        lambda: frame(random, TEXT, text, reserved=random.choice([0x10, 0x20, 0x40, 0x70])),
        lambda: frame(random, TEXT, b"\xff\xfe" + text),
        lambda: frame(random, TEXT, text, announced=random.choice([2**63, 2**63 - 1, 2**32, 5 << 20, 70000, len(text) + 3])),
        lambda: frame(random, TEXT, bytes(300_000)) * 16,
        lambda: frame(random, TEXT, b"", final=False) + frame(random, CONTINUATION, b"", final=False) * 1100,
        lambda: frame(random, CLOSE, random.choice([b"", b"\x03", b"\x03\xe8", b"\x03\xe8bye", b"\xff\xff", b"\x03\xe8\xff", bytes(125)])),
        lambda: frame(random, CLOSE, b"\x03\xe8") * 2,
        lambda: random.randbytes(random.randrange(1, 200)),
    ]
    found = random.choice(faults)()
    if random.random() < 0.5:
        found += b"".join(frame(random, TEXT, random.choice(messages.texts)) for _ in range(random.randrange(1, 5)))
    return [found]


def frame(random, opcode, payload, final=True, reserved=0, announced=None):
    first = (0x80 if final else 0) | reserved | opcode
    length = len(payload) if announced is None else announced
    mask_bit = 0x80 if random.random() < getattr(random, "masks", 0.97) else 0
    width = 0 if length < 126 else 2 if length < 65536 else 8
    if random.random() < 0.02 and opcode < 8:
        width = 8  # longer than needed
    marker = length if width == 0 else 126 if width == 2 else 127
    head = bytes([first, mask_bit | marker]) + (length % 2**64).to_bytes(width, "big") if width else bytes([first, mask_bit | marker])
    if not mask_bit:
        return head + payload
    mask = random.randbytes(4) if random.random() < 0.9 else bytes(4)
    if not payload:
        return head + mask
    wide = (mask * (len(payload) // 4 + 1))[: len(payload)]
    return head + mask + (int.from_bytes(payload, "big") ^ int.from_bytes(wide, "big")).to_bytes(len(payload), "big")


# MARK: events (NIP-01, BIP-340)


def event(random, key, recipient):
    content = random.choice(["", "x", "Grüße", "y" * 500, "z" * 5000]) + str(random.random())
    found = {
        "pubkey": "%064x" % multiply(key)[0], "created_at": NOW + random.randrange(-300, 300), "kind": 24133,
        "tags": [["p", recipient.decode()]], "content": content,
    }
    ordered = [0, found["pubkey"], found["created_at"], found["kind"], found["tags"], content]
    identity = hashlib.sha256(json.dumps(ordered, separators=(",", ":"), ensure_ascii=False).encode()).digest()
    found["id"] = identity.hex()
    found["sig"] = sign(identity, key).hex()
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False).encode()


def sign(message, key):
    x, y = multiply(key)
    key = key if y % 2 == 0 else ORDER - key
    masked = key ^ int.from_bytes(tagged("BIP0340/aux", bytes(32)), "big")
    nonce = int.from_bytes(tagged("BIP0340/nonce", masked.to_bytes(32, "big") + x.to_bytes(32, "big") + message), "big") % ORDER
    rx, ry = multiply(nonce)
    nonce = nonce if ry % 2 == 0 else ORDER - nonce
    challenge = int.from_bytes(tagged("BIP0340/challenge", rx.to_bytes(32, "big") + x.to_bytes(32, "big") + message), "big") % ORDER
    return rx.to_bytes(32, "big") + ((nonce + challenge * key) % ORDER).to_bytes(32, "big")


def tagged(tag, data):
    name = hashlib.sha256(tag.encode()).digest()
    return hashlib.sha256(name + name + data).digest()


@functools.cache
def multiply(number, point=BASE):
    result = None
    while number:
        if number & 1:
            result = add(result, point)
        point = add(point, point)
        number >>= 1
    return result


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and a[1] != b[1]:
        return None
    slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, FIELD) if a == b else (b[1] - a[1]) * pow(b[0] - a[0], -1, FIELD)
    x = (slope * slope - a[0] - b[0]) % FIELD
    return x, (slope * (a[0] - x) - a[1]) % FIELD
