"""A reverse proxy with TLS, as one stands before a service that speaks plain HTTP."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading


class TLSFront:
    """Passes on every byte between its TLS connections and a port of this machine."""

    def __init__(self, context: ssl.SSLContext, port: int, listening: socket.socket | None = None):
        self._context, self._target = context, port
        self._socket = listening or socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.origin = f"https://localhost:{self.port}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def lead_to(self, port: int) -> None:
        """From now on to another port."""
        self._target = port

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._join, args=(connection,), daemon=True).start()

    def _join(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.settimeout(30)
            inside = socket.create_connection(("127.0.0.1", self._target))
            outside = self._context.wrap_socket(connection, server_side=True)
            back = threading.Thread(target=self._pass_on, args=(inside, outside), daemon=True)
            back.start()
            self._pass_on(outside, inside)
            back.join()
            outside.close()
            inside.close()

    @staticmethod
    def _pass_on(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)
