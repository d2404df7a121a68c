"""Makes inputs of a hostile relay: what it answers to a handshake of ours, then frames. The same numbers give the same input."""

import base64

from frame_inputs import fault, message

ACCEPT = b"@" * 28  # stands for what the client's key asks for
RIGHT = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + ACCEPT + b"\r\n\r\n"
LINES = [
    b"Upgrade: websocket", b"Upgrade: h2c", b"Upgrade:", b"Connection: Upgrade", b"Connection: close", b"Sec-WebSocket-Accept: " + ACCEPT,
    b"Sec-WebSocket-Accept: x", b"Sec-WebSocket-Accept: " + b"A" * 300, b"Sec-WebSocket-Protocol: holdfast", b"Sec-WebSocket-Protocol: a, b",
    b"Sec-WebSocket-Extensions: permessage-deflate", b"Sec-WebSocket-Extensions: x; y=1, z", b"Location: ws://127.0.0.1:1/", b"Location: /a",
    b"Location: http://", b"Content-Length: 5", b"Content-Length: -1", b"Transfer-Encoding: chunked", b"Set-Cookie: a=b", b"Folded: a\r\n b",
    b"No colon", b"X-" + b"n" * 300 + b": v", b"Long: " + b"v" * 9000, b"Nul: \0",
]
STATUS = [b"101 Switching Protocols"] * 6 + [b"200 OK", b"301 Moved", b"302 Found", b"401 No", b"404 Not Found", b"500 x", b"999 x", b"-1", b"", b"100 Continue"]


def relay_input(random, messages):
    """One connection's bytes."""
    random.masks = 0.03  # relays do not mask
    data = RIGHT if random.random() < 0.75 else answer(random)
    if random.random() < 0.1:
        data = data[: random.randrange(len(data))] + random.randbytes(random.randrange(20))
    for _ in range(random.choice([0, 1, 3, 20, 100])):
        data += b"".join(message(random, messages))
    if random.random() < 0.6:
        data += b"".join(fault(random, messages))
    cuts = sorted(random.randrange(len(data) + 1) for _ in range(random.choice([0, 0, 1, 1, 5])))
    parts = [
        ["send", base64.b64encode(data[start:end]).decode()] for start, end in zip([0] + cuts, cuts + [len(data)], strict=True)
    ]
    for place in range(len(parts) - 1, 0, -1):
        if random.random() < 0.4:
            parts.insert(place, random.choice([["settle"], ["read"]]))
    return {"place": "dial", "parts": parts, "end": random.choices(["close", "reset", "keep", "read"], [60, 15, 15, 10])[0]}


def answer(random):
    lines = [random.choice([b"HTTP/1.1 ", b"HTTP/1.0 ", b"HTTP/2 ", b"ICY ", b""]) + random.choice(STATUS)]
    lines += [random.choice(LINES) for _ in range(random.choice([0, 2, 4, 8, 60]))]
    return b"\r\n".join(lines) + b"\r\n\r\n" + random.choice([b"", b"hello", b"5\r\nhello\r\n0\r\n\r\n", random.randbytes(50)])
