"""The server under test: starts it, watches it, and asks it honestly whether it still answers."""

import base64
import hashlib
import os
import socket
import ssl
import subprocess
import tempfile
import time

PATIENCE = 120  # seconds that an honest client waits: machines that build and test are slow
CONNECT_SECONDS = 10  # that the server waits for a relay's handshake: SocketLimits.connectMilliseconds
HANDSHAKE = (
    b"GET /relay HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Finding(Exception):
    """The server crashed, hangs, or answers an honest client wrongly."""


class Server:
    def __init__(self, program, log):
        self.folder = tempfile.mkdtemp(prefix="holdfast-sockets-")
        self.log = log
        make_certificate(self.folder)
        environment = dict(os.environ)
        environment["ASAN_OPTIONS"] = "detect_leaks=0:exitcode=66:abort_on_error=0"
        with open(log, "ab") as errors:
            self.process = subprocess.Popen(
                [program, self.folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment
            )
        line = self.process.stdout.readline().split()
        if len(line) != 2:
            raise SystemExit(f"the server did not start; see {log}")
        self.ports = {"plain": int(line[0]), "tls": int(line[1])}
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.tls.check_hostname = False
        self.tls.verify_mode = ssl.CERT_NONE
        self.honest = None
        self.asked = 0
        self.relay = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.relay.settimeout(PATIENCE)

    def connect(self, place):
        """A connected socket; without TLS yet."""
        kind = socket.AF_UNIX if place == "unix" else socket.AF_INET
        address = self.folder + "/control.sock" if place == "unix" else ("127.0.0.1", self.ports[place])
        peer = socket.socket(kind, socket.SOCK_STREAM)
        peer.settimeout(PATIENCE)
        peer.connect(address)
        if kind == socket.AF_INET:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return peer

    def dialled(self):
        """A connection that the server made to us as to a relay, and the answer that its handshake wants."""
        with self.connect("plain") as peer:
            peer.sendall(b"GET /dial?port=%d HTTP/1.1\r\nHost: a\r\n\r\n" % self.relay.getsockname()[1])
            if b"dialled" not in hear(peer, b"dialled"):
                raise Finding("the server does not connect to a relay")
        peer, _ = self.relay.accept()
        peer.settimeout(PATIENCE)
        handshake = hear(peer, b"\r\n\r\n")
        key = handshake.partition(b"Sec-WebSocket-Key: ")[2].partition(b"\r\n")[0]
        return peer, base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())

    def settle(self):
        """An honest round trip: what was sent before it has reached the server, which answers as it should."""
        self.asked += 1
        body = b"honest %d" % self.asked
        request = b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        for _ in range(2):  # a kept connection may have been closed
            try:
                kept = self.honest is not None
                if not kept:
                    self.honest = self.connect("plain")
                self.honest.sendall(request)
                heard = hear(self.honest, b"POST " + body)
                if b"onnection: close" in heard:
                    self.hang_up()
                if heard.endswith(b"POST " + body) and heard.startswith(b"HTTP/1.1 200"):
                    return
                if heard or not kept:
                    raise Finding(f"an honest request was answered with {heard[:200]!r}")
            except TimeoutError:
                raise Finding("an honest request has no answer") from None
            except OSError as fault:
                if not self.is_alive():
                    raise Finding("the server is gone") from None
                if not kept:
                    raise Finding(f"an honest client cannot ask: {fault}") from None
            self.hang_up()

    def check(self):
        """Every way in, honestly: HTTP, relay, TLS, control socket; and the way out to a relay."""
        self.settle()
        for place, request, mark in [
            ("tls", b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", b"POST hi"),
            ("unix", b"POST /v1/status HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", b'"did":"status"'),
            ("plain", HANDSHAKE + masked(b'["REQ","s",{"kinds":[24133],"#p":["' + b"0" * 64 + b'"]}]'), b'["EOSE","s"]'),
        ]:
            try:
                with self.connect(place) as raw:
                    peer = self.tls.wrap_socket(raw) if place == "tls" else raw
                    with peer:
                        peer.sendall(request)
                        heard = hear(peer, mark)
            except OSError as fault:
                raise Finding(f"an honest client of the {place} listener: {fault}") from None
            if mark not in heard:
                raise Finding(f"an honest client of the {place} listener was answered with {heard[:200]!r}")
        self.check_way_out()

    def check_way_out(self):
        """An honest relay is spoken to. The server gives it 10 seconds: where the machine stood still for so long, it is asked again."""
        for _ in range(3):
            began = time.monotonic()
            peer, accept = self.dialled()
            with peer:
                peer.sendall(
                    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
                )
                heard = hear(peer, b"\x81")
            took = time.monotonic() - began
            if heard.startswith(b"\x81"):
                return
            if took < CONNECT_SECONDS:
                break
        raise Finding(f"the server says {heard[:100]!r} to an honest relay, after {took:.1f} s")

    def is_alive(self):
        return self.process.poll() is None

    def hang_up(self):
        if self.honest:
            self.honest.close()
        self.honest = None

    def stop(self):
        """Ends the server. Raises a finding when it does not end well, or a sanitizer has said something."""
        self.hang_up()
        self.process.stdin.close()
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Finding("the server does not end") from None
        if status != 0:
            raise Finding(f"the server ended with status {status}")

    def kill(self):
        self.hang_up()
        self.process.kill()
        self.process.wait()

    def report(self):
        """The first lines of a sanitizer's report or of a trap."""
        with open(self.log, "rb") as log:
            lines = log.read().decode("utf-8", "replace").splitlines()
        for place, line in enumerate(lines):
            if "Sanitizer" in line or "Fatal error" in line or "Assertion" in line:
                return "\n".join(lines[place : place + 12])
        return "\n".join(lines[-5:])


def hear(peer, mark):
    """What comes until `mark` is in it, or until the end."""
    heard = b""
    while mark not in heard:
        piece = peer.recv(65536)
        if not piece:
            break
        heard += piece
    return heard


def masked(payload, first=0x81):
    return bytes([first, 0x80 | 126, len(payload) >> 8, len(payload) & 0xFF, 0, 0, 0, 0]) + payload


def make_certificate(folder):
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-keyout",
            folder + "/server.key",
            "-out",
            folder + "/server.pem",
        ],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
