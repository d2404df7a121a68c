"""nginx with a configuration of one's own, as a server for a measurement."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

CONFIGURATION = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx.error;
events {{ worker_connections 64; }}
http {{
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/t1; fastcgi_temp_path {folder}/t2; uwsgi_temp_path {folder}/t3;
  scgi_temp_path {folder}/t4;
  ssl_certificate {folder}/localhost.pem; ssl_certificate_key {folder}/localhost.pem; ssl_protocols TLSv1.2 TLSv1.3;
  {server}
}}
"""


@contextlib.contextmanager
def nginx(folder: Path, port: int, server: str) -> Iterator[None]:
    """Runs it until the block ends. `folder` has the certificate in `localhost.pem`; `server` is the rest of the section `http`."""
    (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, server=server))
    process = subprocess.Popen([shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"), "-c", folder / "nginx.conf"])
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait()
