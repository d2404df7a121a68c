"""A push service on loopback: takes messages as it should, or lies in the way its path says. Shares no code with the signer."""

from __future__ import annotations

import base64
import contextlib
import datetime
import json
import os
import socket
import ssl
import struct
import threading
from dataclasses import dataclass
from pathlib import Path

import http_ece
import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unbase64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


class Authority:
    """A certificate authority of this test's own."""

    def __init__(self, folder: Path, name: str = "test authority"):
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.file = folder / "ca.pem"
        certificate = self._certificate(self._name, self._key, None)
        self.file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def context(self, name: str) -> ssl.SSLContext:
        """A server's, with a certificate for that name."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = self._certificate(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), key, name)
        file = self._folder / f"{name}.pem"
        private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context

    def _certificate(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, host: str | None) -> x509.Certificate:
        now = datetime.datetime.now(datetime.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=2))
            .add_extension(x509.BasicConstraints(ca=host is None, path_length=None), critical=True)
        )
        if host:
            builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        return builder.sign(self._key, hashes.SHA256())


class Browser:
    """A browser that is subscribed: has the keys, reads what was sent to it."""

    def __init__(self, service: PushService, path: str):
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        self.path = path
        self.endpoint = service.origin + path

    @property
    def subscription(self) -> dict:
        return {"endpoint": self.endpoint, "p256dh": base64url(point(self._key)), "auth": base64url(self._auth)}

    def read(self, message: Message) -> dict:
        """The plaintext, by an independent library."""
        return json.loads(http_ece.decrypt(message.body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"))


@dataclass
class Message:
    path: str
    headers: dict[str, str]
    body: bytes

    def claims(self, origin: str) -> dict:
        """The claims of its VAPID token, whose signature, audience and time are checked by an independent library."""
        scheme, _, rest = self.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unbase64url(parts["k"]))
        return jwt.decode(parts["t"], key, algorithms=["ES256"], audience=origin, options={"require": ["exp", "aud", "sub"]})


class PushService:
    """Answers each connection on a thread of its own."""

    def __init__(self, context: ssl.SSLContext | None, name: str = "localhost"):
        self._context = context
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.origin = f"https://{name}:{self.port}"
        self.messages: list[Message] = []
        self.connections = 0
        self._isOver = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._isOver.set()
        self._socket.close()

    def of(self, path: str) -> list[Message]:
        return [message for message in self.messages if message.path == path]

    def _serve(self) -> None:
        while not self._isOver.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError):
            connection.settimeout(20)
            if self._context:
                connection = self._context.wrap_socket(connection, server_side=True)
            with connection:
                message = self._read(connection)
                self.messages.append(message)
                self._lie(connection, message)

    @staticmethod
    def _read(connection: socket.socket) -> Message:
        file = connection.makefile("rb")
        _, path, _ = file.readline().decode().split(" ")
        headers = {}
        while line := file.readline().decode().strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        return Message(path, headers, file.read(int(headers["content-length"])))

    def _lie(self, connection: socket.socket, message: Message) -> None:
        kind = message.path.split("/")[1]
        plain = {
            "ok": b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
            "gone": b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n",
            "forbidden": b"HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno",
            "busy": b"HTTP/1.1 429 Later\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n",
            "never": b"HTTP/1.1 503 Later\r\nRetry-After: 31536000\r\nContent-Length: 0\r\n\r\n",
            "redirect": f"HTTP/1.1 307 Go\r\nLocation: {self.origin}/inside\r\nContent-Length: 0\r\n\r\n".encode(),
            "junk": b"HTTP/1.1 201 \xff\xfe\r\nX: \x01\x02\r\nContent-Length: 4\r\n\r\n\xff\x00<b>",
            "nohttp": b"\x00\x01\x02 this is no HTTP at all\r\n\r\n",
        }
        if kind in plain:
            return connection.sendall(plain[kind])
        if kind == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return None
        endless = {
            "endless": (b"HTTP/1.1 201 Created\r\n\r\n", b"x" * 4096, 0),
            "headers": (b"HTTP/1.1 201 Created\r\n", b"X-Header: " + b"x" * 500 + b"\r\n", 0),
            "drip": (b"HTTP/1.1 201 Created\r\nContent-Length: 100000\r\n\r\n", b"x", 0.2),
            "silent": (b"", b"", 0.2),
        }
        start, piece, pause = endless[kind]
        connection.sendall(start)
        while not self._isOver.is_set():
            connection.sendall(piece)
            self._isOver.wait(pause)  # the pace of a slow server
