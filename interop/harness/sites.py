"""Web sites on loopback: one server, a site for each name below localhost."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BLANK = "<!doctype html><html lang=en><title>A site</title><body>"


class Sites:
    """Serves `pages` by path, whatever the host is called: `http://a.localhost:PORT` and `http://b.localhost:PORT` are two sites."""

    def __init__(self):
        self.pages: dict[str, str] = {"/": BLANK, "/favicon.ico": ""}
        self.headers: dict[str, dict[str, str]] = {}
        sites = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.split("?")[0]
                page = sites.pages.get(path)
                self.send_response(200 if page is not None else 404)
                self.send_header("content-type", "text/html; charset=utf-8")
                for name, value in sites.headers.get(path, {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write((page or "").encode())

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def port(self) -> int:
        return self.server.server_port

    def origin(self, name: str) -> str:
        return f"http://{name}.localhost:{self.port}"

    def page(self, path: str, body: str, **headers: str) -> str:
        """Adds a page; its path."""
        self.pages[path] = BLANK + body
        self.headers[path] = {name.replace("_", "-"): value for name, value in headers.items()}
        return path

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
