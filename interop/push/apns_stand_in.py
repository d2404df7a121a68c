"""A stand-in for Apple's push service: HTTP/2 over TLS, with the checks that Apple's documents list. It shares no code with the proxy.

    PYTHONPATH=interop python -m push.apns_stand_in --folder DIR --key HEX --key-id ABC123DEFG --team DEF123GHIJ --topic app.example

`--key` is the provider's public key, a P-256 point of 65 bytes. The certificate to trust is written to DIR/ca.pem; the service's own is for
`--name`. It listens at a free port of 127.0.0.1, or at `--listen ADDRESS:PORT`. The first line printed is {"port": …}; then comes one JSON
line for each push. Lines on standard input change what it does, and each is answered by {"did": …}. It ends with its input:

    answer STATUS REASON [COUNT [RETRY-AFTER]]   the answer to the next pushes that pass all checks
    delay MILLISECONDS [COUNT]                   the next answers come late
    silent                                       connections that are open now never answer again; new ones do
    silent always                                nor do new ones, until `speak`
    speak                                        new connections answer
    goaway                                       ends all connections politely
    goaway next                                  the next push is not taken: its connection ends with GOAWAY
    early                                        pushes on open connections are taken before their body comes, and their streams reset
    clock SECONDS                                the service's clock is so far ahead of the machine's
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import select
import socket
import ssl
import sys
import threading
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings
import jwt
from cryptography.hazmat.primitives.asymmetric import ec

from harness.push_service import Authority

LONGEST_PAYLOAD = 4096
LONGEST_COLLAPSE_ID = 64
TOKEN_LIFETIME = 3600
TOKEN_PAUSE = 20 * 60  # seconds between two new provider tokens
PUSH_TYPES = {"alert", "background", "voip", "complication", "fileprovider", "mdm", "liveactivity", "pushtotalk", "location"}


class Refused(Exception):
    def __init__(self, status: int, reason: str):
        super().__init__(reason)
        self.status, self.reason = status, reason


class ProviderTokens:
    """Checks the header `authorization` (Apple: "Establishing a token-based connection to APNs")."""

    def __init__(self, key: ec.EllipticCurvePublicKey, key_id: str, team: str):
        self._key, self._key_id, self._team = key, key_id, team
        self._last: tuple[str, float] | None = None

    def check(self, header: str | None, now: float) -> None:
        if header is None:
            raise Refused(403, "MissingProviderToken")
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or self._issued(token) is None:
            raise Refused(403, "InvalidProviderToken")
        age = now - self._issued(token)
        if not -60 <= age <= TOKEN_LIFETIME:
            raise Refused(403, "ExpiredProviderToken")
        self._count(token, now)

    def _issued(self, token: str) -> int | None:
        options = {"require": ["iss", "iat"], "verify_iat": False}
        with contextlib.suppress(jwt.PyJWTError):
            claims = jwt.decode(token, self._key, algorithms=["ES256"], issuer=self._team, options=options)
            if jwt.get_unverified_header(token).get("kid") == self._key_id and isinstance(claims["iat"], int):
                return claims["iat"]
        return None

    def _count(self, token: str, now: float) -> None:
        if self._last and self._last[0] == token:
            return
        if self._last and now - self._last[1] < TOKEN_PAUSE:
            raise Refused(429, "TooManyProviderTokenUpdates")
        self._last = (token, now)


@dataclass
class Push:
    headers: dict[str, str]
    repeated: bool
    body: bytes = b""

    def check(self, tokens: ProviderTokens, topic: str, now: float) -> None:
        """Raises what Apple would answer first."""
        if self.headers[":method"] != "POST":
            raise Refused(405, "MethodNotAllowed")
        if self.repeated:
            raise Refused(400, "DuplicateHeaders")
        tokens.check(self.headers.get("authorization"), now)
        self._check_path()
        self._check_topic(topic)
        self._check_headers()
        self._check_payload()

    @property
    def device(self) -> str:
        return self.headers[":path"].removeprefix("/3/device/")

    def _check_path(self) -> None:
        if not self.headers[":path"].startswith("/3/device/"):
            raise Refused(404, "BadPath")
        if not self.device:
            raise Refused(400, "MissingDeviceToken")
        if not re.fullmatch(r"([0-9a-f]{2}){32,100}", self.device):
            raise Refused(400, "BadDeviceToken")

    def _check_topic(self, topic: str) -> None:
        if "apns-topic" not in self.headers:
            raise Refused(400, "MissingTopic")
        if self.headers["apns-topic"] != topic:
            raise Refused(400, "DeviceTokenNotForTopic")

    def _check_headers(self) -> None:
        if self.headers.get("apns-push-type") not in PUSH_TYPES:
            raise Refused(400, "InvalidPushType")
        if self.headers.get("apns-priority", "10") not in {"1", "5", "10"}:
            raise Refused(400, "BadPriority")
        if not self.headers.get("apns-expiration", "0").isdecimal():
            raise Refused(400, "BadExpirationDate")
        if len(self.headers.get("apns-collapse-id", "").encode()) > LONGEST_COLLAPSE_ID:
            raise Refused(400, "BadCollapseId")

    def _check_payload(self) -> None:
        if not self.body:
            raise Refused(400, "PayloadEmpty")
        if len(self.body) > LONGEST_PAYLOAD:
            raise Refused(413, "PayloadTooLarge")
        if "aps" not in json.loads(self.body):
            raise Refused(400, "PayloadEmpty")


@dataclass
class Orders:
    """What the service was told to do."""

    answers: list[tuple[int, str, str | None]] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    is_silent: bool = False
    ends_next: bool = False
    ahead: float = 0


class Service:
    def __init__(self, context: ssl.SSLContext, tokens: ProviderTokens, topic: str, place: tuple[str, int]):
        context.set_alpn_protocols(["h2"])
        self.context, self.tokens, self.topic = context, tokens, topic
        self.orders = Orders()
        self.lock = threading.RLock()
        self.connections: list[Connection] = []
        self._socket = socket.create_server(place)
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            plain, _ = self._socket.accept()
            threading.Thread(target=self._serve, args=(plain,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        with contextlib.suppress(OSError, h2.exceptions.ProtocolError):
            secure = self.context.wrap_socket(plain, server_side=True)
            with self.lock:
                connection = Connection(self, secure, len(self.connections))
                connection.is_silent = self.orders.is_silent
                self.connections.append(connection)
            connection.run()

    def judge(self, push: Push) -> tuple[int, str | None, str | None]:
        """Status, reason and Retry-After."""
        try:
            push.check(self.tokens, self.topic, time.time() + self.orders.ahead)
        except Refused as refused:
            return refused.status, refused.reason, None
        except ValueError:
            return 400, "PayloadEmpty", None
        return self.orders.answers.pop(0) if self.orders.answers else (200, None, None)

    def obey(self, line: str) -> None:
        order, *words = line.split()
        with self.lock:
            getattr(self, "_" + order)(*words)
        say({"did": line.strip()})

    def _answer(self, status: str, reason: str, count: str = "1", retry_after: str | None = None) -> None:
        self.orders.answers += [(int(status), reason, retry_after)] * int(count)

    def _delay(self, milliseconds: str, count: str = "1") -> None:
        self.orders.delays += [int(milliseconds) / 1000] * int(count)

    def _silent(self, how_long: str = "") -> None:
        self.orders.is_silent = how_long == "always"
        for connection in self.connections:
            connection.is_silent = True

    def _speak(self) -> None:
        self.orders.is_silent = False

    def _goaway(self, when: str = "") -> None:
        self.orders.ends_next = when == "next"
        if not when:
            for connection in self.connections:
                connection.go_away()

    def _early(self) -> None:
        for connection in self.connections:
            connection.answer_early()

    def _clock(self, seconds: str) -> None:
        self.orders.ahead = int(seconds)


class Connection:
    def __init__(self, service: Service, secure: ssl.SSLSocket, number: int):
        self._service, self._secure, self._number = service, secure, number
        self._h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self._pushes: dict[int, Push] = {}
        self._taken = 0
        self.is_silent = False
        self._is_early = False

    def run(self) -> None:
        if not self.is_silent:
            with self._service.lock:
                self._h2.initiate_connection()
                self._flush()
        self._secure.setblocking(False)
        while (data := self._read()) != b"":
            with self._service.lock:
                if data and not self.is_silent:
                    self._receive(data)

    def _read(self) -> bytes | None:
        """None when there was nothing for us. One thread at a time uses the TLS connection: OpenSSL wants that."""
        if not self._secure.pending():
            select.select([self._secure], [], [])
        with self._service.lock, contextlib.suppress(ssl.SSLWantReadError):
            return self._secure.recv(65536)
        return None

    def go_away(self) -> None:
        """Says the last stream that was taken, and closes."""
        with contextlib.suppress(OSError, h2.exceptions.ProtocolError):
            self._h2.close_connection(last_stream_id=self._taken)
            self._flush()
            self._secure.shutdown(socket.SHUT_RDWR)

    def answer_early(self) -> None:
        """As nginx does where no program reads the body. New streams have no room for one, so that it cannot come in time."""
        self._is_early = True
        self._h2.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 0})
        self._flush()

    def _take_early(self, stream: int) -> None:
        self._report(self._pushes.pop(stream), (200, None, None))
        self._h2.send_headers(stream, [(":status", "200"), ("content-length", "0")], end_stream=True)
        threading.Timer(0.1, self._reset, (stream,)).start()

    def _reset(self, stream: int) -> None:
        with self._service.lock, contextlib.suppress(OSError, h2.exceptions.ProtocolError):
            self._h2.reset_stream(stream, h2.errors.ErrorCodes.NO_ERROR)
            self._flush()

    def _receive(self, data: bytes) -> None:
        for event in self._h2.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                names = [name for name, _ in event.headers]
                self._pushes[event.stream_id] = Push(dict(event.headers), len(set(names)) < len(names))
                if self._is_early:
                    self._take_early(event.stream_id)
            elif isinstance(event, h2.events.DataReceived):
                self._pushes[event.stream_id].body += event.data[: 2 * LONGEST_PAYLOAD]
                self._h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                self._ended(event.stream_id, self._pushes.pop(event.stream_id))
        self._flush()

    def _ended(self, stream: int, push: Push) -> None:
        orders = self._service.orders
        if orders.ends_next:
            orders.ends_next = False
            return self.go_away()
        self._taken = stream
        answer = self._service.judge(push)
        self._report(push, answer)
        if not orders.delays:
            return self._answer(stream, *answer)
        threading.Timer(orders.delays.pop(0), self._answer_late, (stream, *answer)).start()

    def _report(self, push: Push, answer: tuple[int, str | None, str | None]) -> None:
        payload = None
        with contextlib.suppress(ValueError):
            payload = json.loads(push.body)
        headers = {name: value for name, value in push.headers.items() if name.startswith("apns-")}
        line = {"connection": self._number, "device": push.device, "headers": headers, "payload": payload}
        say(line | {"status": answer[0], "reason": answer[1]})

    def _answer_late(self, stream: int, *answer) -> None:
        with self._service.lock, contextlib.suppress(OSError, h2.exceptions.ProtocolError):
            if not self.is_silent:
                self._answer(stream, *answer)

    def _answer(self, stream: int, status: int, reason: str | None, retry_after: str | None) -> None:
        headers = [(":status", str(status)), ("apns-id", str(uuid.uuid4()).upper())]
        headers += [("retry-after", retry_after)] if retry_after else []
        self._h2.send_headers(stream, headers, end_stream=reason is None)
        if reason:
            body = {"reason": reason} | ({"timestamp": int(time.time() * 1000)} if status == 410 else {})
            self._h2.send_data(stream, json.dumps(body).encode(), end_stream=True)
        self._flush()

    def _flush(self) -> None:
        if data := self._h2.data_to_send():
            self._secure.sendall(data)


def say(line: dict) -> None:
    print(json.dumps(line), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="A stand-in for Apple's push service.")
    for name in ["--folder", "--key", "--key-id", "--team", "--topic"]:
        parser.add_argument(name, required=True)
    parser.add_argument("--name", default="localhost")
    parser.add_argument("--listen", default="127.0.0.1:0")
    given = parser.parse_args()
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes.fromhex(given.key))
    tokens = ProviderTokens(key, given.key_id, given.team)
    address, _, port = given.listen.rpartition(":")
    service = Service(Authority(Path(given.folder)).context(given.name), tokens, given.topic, (address, int(port)))
    say({"port": service.port})
    for line in sys.stdin:
        service.obey(line)


if __name__ == "__main__":
    main()
