"""Places for backups from other projects: WsgiDAV, and nanio, an S3-compatible store that checks every signature."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

from cheroot import wsgi
from wsgidav.wsgidav_app import WsgiDAVApp

from .waiting import until

USER, PASSWORD = "me", "dav canary password 4Tz"
KEY_ID, SECRET = "holdfastkey", "s3 canary secret 9Vw"
BUCKET = "my-backups"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class WebDAV:
    """A WebDAV server on loopback that keeps its files in a folder."""

    def __init__(self, folder: Path, *, digest: bool = False):
        folder.mkdir()
        self.folder = folder
        self.requests: list[tuple[str, str]] = []
        app = WsgiDAVApp(
            {
                "provider_mapping": {"/": str(folder)},
                "simple_dc": {"user_mapping": {"*": {USER: {"password": PASSWORD}}}},
                "http_authenticator": {
                    "accept_basic": not digest,
                    "accept_digest": digest,
                    "default_to_digest": digest,
                },
                "verbose": 0,
                "logging": {"enable": False},
            }
        )

        def recording(environ, start_response):
            self.requests.append((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
            return app(environ, start_response)

        self.server = wsgi.Server(("127.0.0.1", 0), recording)
        self.server.prepare()
        self.thread = threading.Thread(target=self.server.serve, daemon=True)
        self.thread.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server.bind_addr[1]}"

    def stop(self) -> None:
        self.server.stop()
        self.thread.join()


class S3:
    """A bucket on loopback."""

    def __init__(self, folder: Path):
        (folder / BUCKET).mkdir(parents=True)
        self.folder, self.port = folder, free_port()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nanio", "serve", "--data-dir", str(folder), "--host", "127.0.0.1"]
            + ["--port", str(self.port), "--region", "eu-test", "--log-level", "error", "--no-access-log"],
            env={**os.environ, "NANIO_ACCESS_KEY": KEY_ID, "NANIO_SECRET_KEY": SECRET},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self._answers, "the store to listen", 20)

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
