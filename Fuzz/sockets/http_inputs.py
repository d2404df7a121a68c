"""Makes HTTP inputs: whole and split pipelines, right and wrong. The same numbers give the same input."""

import base64

METHODS = [b"GET"] * 6 + [b"POST"] * 8 + [b"HEAD", b"PUT", b"PATCH", b"DELETE", b"OPTIONS", b"CONNECT", b"TRACE", b"get", b"", b"PRI"]
PATHS = [b"/echo"] * 8 + [
    b"/echo?when=later", b"/echo?when=worker", b"/echo?when=never", b"/echo?times=300", b"/echo?a=%26&b&&=&%41", b"/", b"/relay",
    b"/relay/", b"/api/v1/status", b"/v1/status", b"/api/v1/live", b"*", b"//", b"/../../etc", b"/a/./b/..", b"/%00", b"/%zz%", b"/%2e%2e/",
    b"/?" + b"a=b&" * 90, b"http://a/echo", b"", b"\xff\xfe",
]
VERSIONS = [b"HTTP/1.1"] * 14 + [b"HTTP/1.0", b"HTTP/2.0", b"HTTP/0.9", b"", b"HTTP/1.1 x", b"FOO"]
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
HEADERS = [
    b"Host: a", b"Host: localhost", b"Host:", b"Origin: http://localhost", b"Origin: null", b"Accept: application/nostr+json",
    b"Accept-Encoding: gzip, deflate", b"Connection: close", b"Connection: keep-alive", b"Connection: Upgrade", b"Connection: a, b",
    b"Expect: 100-continue", b"Expect: x", b"Transfer-Encoding: chunked", b"Transfer-Encoding: gzip, chunked", b"TE: trailers",
    b"Transfer-Encoding: identity", b"Transfer-Encoding : chunked", b"Upgrade: websocket", b"Upgrade: WebSocket", b"Upgrade: h2c",
    b"Upgrade: h3", b"Upgrade:", b"Upgrade: websocket, h2c", b"HTTP2-Settings: AAMAAABkAAQAAP__", b"HTTP2-Settings: %%%",
    KEY, b"Sec-WebSocket-Key:", KEY + b"A" * 200, b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Version: 8", b"Sec-WebSocket-Version: x",
    b"Sec-WebSocket-Protocol: holdfast", b"Sec-WebSocket-Protocol: a, b;c, \"", b"Sec-WebSocket-Extensions: permessage-deflate",
    b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99, x;;;", b"Cookie: a=b; c=d", b"Cookie: " + b"k" * 3000,
    b"Authorization: Basic YTpi", b"Authorization: Nostr x", b"Range: bytes=0-1,5-", b"If-None-Match: \"x\"", b"X-CSRF-Token: t",
    b"Content-Type: application/json", b"X-" + b"n" * 300 + b": v", b"Folded: a\r\n b", b"No colon", b": no name", b"Nul: a\0b",
    b"High: \xff\xfe", b"Tab:\t\tx", b"Bare: a\rb", b"X-Forwarded-For: 1.2.3.4", b"Content-Length: 3, 3", b"\r",
]
UPGRADE = [b"Host: a", b"Upgrade: websocket", b"Connection: Upgrade", KEY, b"Sec-WebSocket-Version: 13"]
LETTERS = bytes(97 + number % 26 for number in range(256))


def http_input(random):
    """One input: where to, the parts of the script, and what an honest first request must be answered with."""
    place = random.choices(["plain", "unix", "tls"], [80, 14, 6])[0]
    expect = None
    if random.random() < 0.25:
        first, expect = honest_request(random, place)
        data = first + (b"" if random.random() < 0.4 else pipeline(random))
    else:
        data = pipeline(random)
        if random.random() < 0.25:
            data = mutated(random, data)
    script = {"place": place, "parts": split(random, data)}
    if expect:
        script["expect"] = base64.b64encode(expect).decode()
    if random.random() < 0.15:
        script["parts"].append(["half"])
    if place == "tls" and not expect and random.random() < 0.2:
        script["raw"] = True  # as it stands, where a TLS handshake should be
    script["end"] = random.choices(["close", "reset", "keep", "read"], [60, 15, 15, 10])[0]
    return script


def honest_request(random, place):
    body = random.randbytes(random.choice([0, 1, 2, 50, 3000, 20000])).translate(LETTERS)
    if place == "unix":
        return b"POST /v1/status HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", b'"did":"status"'
    if not body:
        return b"GET /echo HTTP/1.1\r\nHost: a\r\n\r\n", b"\r\n\r\nGET "
    when = random.choice([b"", b"?when=later", b"?when=worker"])
    head = b"POST /echo%s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % (when, len(body))
    return head + body, b"\r\n\r\nPOST " + body


def pipeline(random):
    return b"".join(request(random) for _ in range(random.choices([1, 2, 3, 6, 40], [30, 40, 20, 9, 1])[0]))


def request(random):
    shape = random.random()
    if shape < 0.04:
        return random.choice([b"\r\n", b"\0", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", b"\x16\x03\x01\x02\0", random.randbytes(40)])
    if shape < 0.12:
        frames = b"".join(bytes([0x81, 0x80 | 5]) + random.randbytes(9) for _ in range(random.randrange(4)))
        path = random.choice([b"/relay", b"/relay", b"/relay", b"/relay/", b"/api/v1/live", b"/"])
        return b"GET %s HTTP/1.1\r\n" % path + b"\r\n".join(UPGRADE) + b"\r\n\r\n" + frames
    lines = [b" ".join([random.choice(METHODS), random.choice(PATHS), random.choice(VERSIONS)])]
    if random.random() < 0.9:
        lines.append(b"Host: a")
    for _ in range(random.choices([0, 1, 2, 5, 120], [40, 30, 20, 9, 1])[0]):
        lines.append(random.choice(HEADERS))
    body = content(random, lines)
    end = random.choices([b"\r\n", b"\n"], [97, 3])[0]
    return end.join(lines) + end + end + body


def content(random, lines):
    """A body, with the headers that announce it, rightly or not."""
    kind = random.random()
    if kind < 0.35:
        return b""
    size = random.choices([0, 1, 2, 30, 5000, 66000], [10, 20, 30, 30, 9, 1])[0]
    body = random.randbytes(size) if random.random() < 0.5 else random.randbytes(size).translate(LETTERS)
    if kind < 0.75:
        lines.append(b"Content-Length: %d" % size)
        return body
    if kind < 0.88:
        wrong = [b"-1", b"0", b"", b"1x", b"+2", b"99999999999999999999", b"65537", b"%d" % (size + 9), b"%d" % max(0, size - 9), b"0x10"]
        lines.append(b"Content-Length: " + random.choice(wrong))
        if random.random() < 0.2:
            lines.append(b"Content-Length: %d" % size)
        return body
    lines.append(random.choice([b"Transfer-Encoding: chunked", b"transfer-encoding:chunked", b"Transfer-Encoding: x, chunked"]))
    length = random.choice([b"%x" % size, b"%X;x=y" % size, b"0%x" % size, b"-1", b"ffffffffffffffff", b"zz", b""])
    return length + b"\r\n" + body + b"\r\n" + random.choice([b"0\r\n\r\n", b"0\r\nTrailer: x\r\n\r\n", b"", b"0\r\n"])


def mutated(random, data):
    data = bytearray(data)
    for _ in range(random.randrange(1, 6)):
        place = random.randrange(len(data) + 1)
        length = random.randrange(1, 20)
        change = random.randrange(4)
        if change == 0:
            data[place : place + 1] = bytes([random.randrange(256)])
        elif change == 1:
            del data[place : place + length]
        elif change == 2:
            data[place:place] = data[place : place + length] * random.randrange(1, 5)
        else:
            data[place:place] = random.choice([b"\r\n", b"\r\n\r\n", b"\0", b" ", b":", b"\xff" * 8, b"A" * 9000])
    return bytes(data)


def split(random, data):
    """Sends the input whole, in two parts, in some, or byte by byte. Between parts: nothing, a pause until an honest client is served, or a read."""
    kind = random.random()
    if kind < 0.45:
        cuts = []
    elif kind < 0.75:
        cuts = [random.randrange(len(data) + 1)]
    elif kind < 0.98 or len(data) > 300:
        cuts = sorted(random.randrange(len(data) + 1) for _ in range(random.randrange(2, 8)))
    else:
        cuts = list(range(1, len(data)))
    waits = random.random() < 0.5
    parts = []
    for start, end in zip([0] + cuts, cuts + [len(data)], strict=True):
        parts.append(["send", base64.b64encode(data[start:end]).decode()])
        if waits and end < len(data) and random.random() < 0.5:
            parts.append(random.choice([["settle"], ["read"]]))
    return parts
