"""Between a program and its PostgreSQL server: loses one answer, as a network does that breaks at the wrong moment."""

from __future__ import annotations

import socket
import threading


class LosingProxy:
    """Passes on all but the first answer with rows to a statement that has `mark`. Then that connection breaks."""

    def __init__(self, port: int, mark: bytes):
        self._to, self._mark = port, mark
        self.lost = threading.Event()
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._to))
            asked: list[bytes] = [b""]
            threading.Thread(target=self._up, args=(client, server, asked), daemon=True).start()
            threading.Thread(target=self._down, args=(client, server, asked), daemon=True).start()

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

    def close(self) -> None:
        self._server.close()
