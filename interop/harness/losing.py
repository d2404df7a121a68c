"""Between a program and its PostgreSQL server: a network that loses an answer at the wrong moment, or that is slow."""

from __future__ import annotations

import socket
import threading
import time


class _Between:
    """Takes connections for a server on this machine, and opens one to it for each."""

    def __init__(self, port: int):
        self._to = port
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
                server = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                return
            for work, ends in self._ways(client, server):
                threading.Thread(target=work, args=ends, daemon=True).start()

    def close(self) -> None:
        self._server.close()


class LosingProxy(_Between):
    """Passes on all but the first answer with rows to a statement that has `mark`. Then that connection breaks."""

    def __init__(self, port: int, mark: bytes):
        self._mark = mark
        self.lost = threading.Event()
        super().__init__(port)

    def _ways(self, client: socket.socket, server: socket.socket) -> list:
        asked: list[bytes] = [b""]
        return [(self._up, (client, server, asked)), (self._down, (client, server, asked))]

    def _up(self, client: socket.socket, server: socket.socket, asked: list[bytes]) -> None:
        names: set[bytes] = set()
        try:
            while sent := client.recv(65_536):
                if sent.startswith(b"P") and self._mark in sent:
                    names.add(sent[5:].split(b"\0")[0])
                asked[0] = sent if sent.startswith(b"B") and any(b"\0" + name + b"\0" in sent for name in names) else b""
                server.sendall(sent)
        except OSError:
            pass
        server.close()

    def _down(self, client: socket.socket, server: socket.socket, asked: list[bytes]) -> None:
        try:
            while answer := server.recv(65_536):
                if asked[0] and b"SELECT " in answer and b"SELECT 0" not in answer and not self.lost.is_set():
                    self.lost.set()
                    client.shutdown(socket.SHUT_RDWR)
                    server.shutdown(socket.SHUT_RDWR)
                    return
                client.sendall(answer)
        except OSError:
            pass
        client.close()


class SlowProxy(_Between):
    """Passes on what the server answers `seconds` later."""

    def __init__(self, port: int):
        self.seconds = 0.0
        super().__init__(port)

    def _ways(self, client: socket.socket, server: socket.socket) -> list:
        return [(self._pass, (client, server, False)), (self._pass, (server, client, True))]

    def _pass(self, source: socket.socket, target: socket.socket, is_slow: bool) -> None:
        try:
            while text := source.recv(65_536):
                time.sleep(self.seconds if is_slow else 0)
                target.sendall(text)
        except OSError:
            pass
        target.close()
