"""A PostgreSQL server of its own for a test: on loopback, in a temporary folder, by a user that is not root."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
from contextlib import closing, contextmanager
from pathlib import Path

PATIENCE = 60
PASSWORD = "a password / of the tests"


def program(name: str) -> str:
    """Debian keeps the server's programs beside their version, outside of PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    return str(found[-1]) if found else shutil.which(name) or name


class Postgres:
    """Initialised and running; the role `push` owns the database `push`."""

    def __init__(self, folder: Path):
        self.folder = folder / "postgres"
        self.folder.mkdir()
        self._user = {}
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self._user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            for parent in self.folder.parents[:-2]:
                parent.chmod(parent.stat().st_mode | 0o011)
        password = self.folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        self.data = self.folder / "data"
        names = ["--username", "push", "--pwfile", password, "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C"]
        self._run(program("initdb"), "--no-sync", "--pgdata", self.data, *names)
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            self.port = free.getsockname()[1]
        self._server: subprocess.Popen | None = None
        self._tls: list[str] = []
        self.start()
        self.ask("CREATE DATABASE push", "postgres")

    def _run(self, *words) -> None:
        subprocess.run(words, check=True, capture_output=True, timeout=PATIENCE, cwd=self.folder, **self._user)

    def start(self) -> None:
        options = [f"-cport={self.port}", "-clisten_addresses=127.0.0.1", "-cunix_socket_directories=", "-cmax_connections=60", *self._tls]
        log = (self.folder / "log").open("a")
        self._server = subprocess.Popen(
            [program("postgres"), "-D", self.data, *options], stdout=log, stderr=log, cwd=self.folder, **self._user
        )
        ready = [program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        while subprocess.run(ready).returncode != 0:
            assert self._server.poll() is None, (self.folder / "log").read_text()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT ends all sessions; SIGQUIT is as good as a crash."""
        self._server.send_signal(how)
        self._server.wait(PATIENCE)

    def processes(self) -> list[int]:
        """The server's own, and those of its sessions."""
        main = self._server.pid
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(main)], capture_output=True, text=True, check=True).stdout
        return [main, *map(int, found.split())]

    def use_tls(self, file: Path) -> None:
        """From now on with the key and certificate of that file."""
        own = self.folder / "server.pem"
        own.write_bytes(file.read_bytes())
        own.chmod(0o600)
        if self._user:
            os.chown(own, self._user["user"], self._user["group"])
        self._tls = ["-cssl=on", f"-cssl_cert_file={own}", f"-cssl_key_file={own}"]
        self.stop()
        self.start()

    def url(self, database: str = "push", password: str = PASSWORD) -> str:
        quoted = password.replace(" ", "%20").replace("/", "%2F")
        return f"postgres://push:{quoted}@127.0.0.1:{self.port}/{database}"

    def ask(self, sql: str, database: str = "push") -> list[list[str]]:
        """The rows of one statement, as texts."""
        done = subprocess.run(
            [program("psql"), "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.url(database), "-c", sql],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        return [line.split("|") for line in done.stdout.splitlines()]

    @contextmanager
    def held(self, *statements: str):
        """Another session's transaction, which has done this and does not end."""
        words = [program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.url()]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as session:
            session.stdin.write("".join(f"{one};\n" for one in ("BEGIN", *statements)) + "\\echo held\n")
            session.stdin.flush()
            while "held" not in (line := session.stdout.readline()):
                assert line
            yield
            session.kill()

    def notifies(self, channel: str, action) -> bool:
        """Whether a session that listens hears of what `action` does."""
        words = [program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.url()]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as session:
            session.stdin.write(f"LISTEN {channel};\n\\echo listening\n")
            session.stdin.flush()
            assert session.stdout.readline() == "listening\n"
            action()
            said, _ = session.communicate("SELECT 1;\n", PATIENCE)  # psql tells of notifications after a statement
        return f'notification "{channel}"' in said

    def close(self) -> None:
        if self._server and self._server.poll() is None:
            self.stop()
