"""A browser's calls to the console over plain HTTP, without a browser."""

from __future__ import annotations

import http.client
import json
import ssl
import subprocess
from pathlib import Path
from urllib.parse import urlsplit


class Browser:
    """Keeps a cookie and a CSRF token as a browser and the page would."""

    def __init__(self, daemon, certificate: Path | None = None):
        self.daemon, self.certificate = daemon, certificate
        self.port = urlsplit(daemon.ready["console"]).port
        self.authority = f"localhost:{self.port}"
        self.cookie: str | None = None
        self.csrf: str | None = None

    def call(
        self, operation: str, parameters: dict | None = None, secrets: dict[str, bytes] | None = None, **changes: str | None
    ) -> tuple[int, dict]:
        """One call; a header given as None is left out."""
        headers = {
            "Host": self.authority,
            "Origin": f"http{'s' if self.certificate else ''}://{self.authority}",
            "Content-Type": "application/octet-stream" if secrets else "application/json",
            "Cookie": self.cookie,
            "X-CSRF-Token": self.csrf,
        } | {name.replace("_", "-"): value for name, value in changes.items()}
        connection = self._connection()
        connection.request(
            "POST",
            f"/api/v1/{operation}",
            framed(parameters or {}, secrets or {}),
            {name: value for name, value in headers.items() if value is not None},
        )
        answer = connection.getresponse()
        body = json.loads(answer.read())
        if cookie := answer.getheader("set-cookie"):
            self.cookie = cookie.split(";")[0]
        connection.close()
        self.csrf = body.get("result", {}).get("csrf", self.csrf)
        return answer.status, body

    def _connection(self) -> http.client.HTTPConnection:
        if not self.certificate:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        trust = ssl.create_default_context(cafile=str(self.certificate))
        return http.client.HTTPSConnection("localhost", self.port, timeout=10, context=trust)

    def get(self, path: str, **headers: str) -> tuple[int, str | None, bytes]:
        """Loads a file: the status, its type and its content."""
        connection = self._connection()
        connection.request(
            "GET", path, headers={"Host": self.authority} | {name.replace("_", "-"): value for name, value in headers.items()}
        )
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.getheader("content-type"), content

    def do(self, operation: str, parameters: dict | None = None, secrets: dict[str, bytes] | None = None) -> dict:
        """A call that must succeed; its result."""
        status, body = self.call(operation, parameters, secrets)
        assert status == 200 and body["ok"], body
        return body["result"]

    def signed_in(self) -> Browser:
        token = self.daemon.do("console")["url"].split("#signin=")[1]
        status, body = self.call("session/open", {"token": token})
        assert status == 200, body
        return self


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost and its key."""
    made, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", made],
        check=True,
        capture_output=True,
    )
    return made, key


def framed(parameters: dict, secrets: dict[str, bytes]) -> bytes:
    """The body of a call: JSON on one line, behind it the secrets."""
    if not secrets:
        return json.dumps(parameters).encode()
    lengths = [[name, len(secret)] for name, secret in secrets.items()]
    return json.dumps(parameters | {"secrets": lengths}).encode() + b"\n" + b"".join(secrets.values())
