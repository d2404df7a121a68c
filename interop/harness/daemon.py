"""The real `holdfast` program: the daemon as a process, and its command line against that daemon's home."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from reference.links import BunkerLink

from .waiting import until

REPOSITORY = Path(__file__).resolve().parents[2]
PASSPHRASE = "interop canary passphrase 7Qx"
CHEAPEST_COST = ["--kdf-memory", "19"]
"""Asks `holdfast init` for the cheapest passphrase function the vault allows: 19 MiB."""

outputs: list[str] = []
"""Everything that commands started by this process have printed. Tests search it for secrets."""


def binary() -> Path:
    """The program under test: `HOLDFAST_BINARY`, else the release build, else the debug build."""
    named = os.environ.get("HOLDFAST_BINARY")
    candidates = [Path(named)] if named else [REPOSITORY / ".build" / kind / "holdfast" for kind in ("release", "debug")]
    for candidate in candidates:
        if candidate.exists():
            return candidate
    raise FileNotFoundError(f"no holdfast binary at {', '.join(map(str, candidates))}: run `make build`")


@dataclass(frozen=True)
class Finished:
    """One finished command: exit code and both outputs."""

    code: int
    out: str
    err: str

    @property
    def value(self):
        """The JSON the command printed."""
        return json.loads(self.out)

    @property
    def said(self) -> str:
        """Everything it printed, for people or as JSON."""
        return self.out + self.err


KEPT = ("PATH", "LANG", "HOME", "LD_LIBRARY_PATH", "HOLDFAST_MUTANT")
"""The variables of this environment that programs under test get. The last one is for `make mutants`."""


def environment(**more: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    # The tests' homes are not for the TPM of the machine they run on, and nobody pages at their terminals.
    return {**kept, "SWIFT_BACKTRACE": "enable=no", "HOLDFAST_TPM": "none", "HOLDFAST_PAGER": "cat", **more}


def run(*arguments: str, stdin: str | bytes = b"", env: dict | None = None, seconds: float = 120, folder: Path | None = None) -> Finished:
    """Runs `holdfast` with `arguments` to its end, in a folder if one is named."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    env = env or environment()
    done = subprocess.run([binary(), *arguments], input=given, capture_output=True, timeout=seconds, env=env, cwd=folder)
    finished = Finished(done.returncode, done.stdout.decode(), done.stderr.decode())
    outputs.extend((finished.out, finished.err))
    return finished


class Home:
    """A vault's folder and its passphrase file, in a short temporary path (socket paths hold 107 bytes)."""

    def __init__(self, folder: Path | None = None):
        self.folder = folder or Path(tempfile.mkdtemp(prefix="hf-", dir="/tmp"))
        self.path = self.folder / "home"
        self.passphrase_file = self.folder / "passphrase"
        self.passphrase_file.write_text(PASSPHRASE + "\n")
        self.passphrase_file.chmod(0o600)
        self._started: list[Daemon] = []

    @classmethod
    def created(cls, *, identity: str | None = "alice") -> Home:
        home = cls()
        home.cli("init", "--passphrase-file", str(home.passphrase_file), *CHEAPEST_COST, check=True)
        if identity:
            home.unlocked("identity", "create", identity)
        return home

    def copied(self) -> Home:
        """A second home with the same vault. The original must be closed."""
        copy = Home()
        shutil.copytree(self.path, copy.path)
        return copy

    def cli(self, *arguments: str, stdin: str | bytes = b"", check: bool = False, **more) -> Finished:
        """`holdfast <arguments> --home <this> --json`."""
        done = run(*arguments, "--home", str(self.path), "--json", stdin=stdin, **more)
        if check and done.code != 0:
            raise AssertionError(f"holdfast {' '.join(arguments)}: exit {done.code}\n{done.out}{done.err}")
        return done

    def unlocked(self, *arguments: str, stdin: str | bytes = b"") -> Finished:
        """As `cli` when no daemon runs: the command opens the vault itself. Fails on a failing command."""
        return self.cli(*arguments, "--passphrase-file", str(self.passphrase_file), stdin=stdin, check=True)

    def start(self, **options) -> Daemon:
        daemon = Daemon.start(self, log=self.folder / f"run{len(self._started) + 1}", **options)
        self._started.append(daemon)
        return daemon

    def remove(self) -> None:
        """Kills the daemons of this home that still run, then removes the folder."""
        for daemon in self._started:
            daemon.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Daemon:
    """A running `holdfast up`."""

    def __init__(self, home: Home, process: subprocess.Popen, log: Path):
        self.home = home
        self.process = process
        self.log = log
        self.ready: dict = {}

    @classmethod
    def start(
        cls,
        home: Home,
        *,
        log: Path,
        trust: str | None = None,
        relays: tuple[str, ...] = (),
        embedded: bool = True,
        trial: bool = False,
        arguments: tuple[str, ...] = (),
        env: dict | None = None,
        listen: str = "127.0.0.1:0",
        wait: bool = True,
        opened_by: tuple[str, ...] | None = None,
        within: tuple[str, ...] = (),
    ) -> Daemon:
        """Starts the daemon and returns when it says it is ready. `within` is a command that becomes the daemon: `ip netns exec …`."""
        command = [*within, str(binary()), "up", "--json", "--listen", listen]
        opened_by = opened_by or ("--passphrase-file", str(home.passphrase_file))
        command += ["--trial"] if trial else ["--home", str(home.path), *opened_by]
        command += ["--trust", trust] if trust else []
        command += [] if embedded else ["--no-embedded-relay"]
        for relay in relays:
            command += ["--relay", relay]
        out, err = open(f"{log}.out", "wb"), open(f"{log}.err", "wb")
        process = subprocess.Popen(
            command + list(arguments),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env={**environment(TMPDIR=str(home.folder)), **(env or {})},
            start_new_session=True,
        )
        out.close()
        err.close()
        daemon = cls(home, process, log)
        if wait:
            try:
                daemon.ready = until(daemon._ready_line, "the daemon's ready line", 120)
            except BaseException:
                daemon.kill()
                raise
        return daemon

    def _ready_line(self) -> dict | None:
        text = self.printed
        if "\n" in text:
            return json.loads(text[: text.index("\n")])
        if self.process.poll() is not None:
            raise AssertionError(f"the daemon ended with {self.process.returncode}: {self.errors}")
        return None

    @property
    def printed(self) -> str:
        return Path(f"{self.log}.out").read_text()

    @property
    def errors(self) -> str:
        return Path(f"{self.log}.err").read_text()

    @property
    def relay(self) -> str:
        return self.ready["relay"]

    @property
    def user(self) -> str:
        return self.ready["pubkey"]

    @property
    def link(self) -> BunkerLink:
        return BunkerLink.parse(self.ready["bunker"])

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def cli(self, *arguments: str, **more) -> Finished:
        return self.home.cli(*arguments, **more)

    def do(self, *arguments: str, **more):
        """A command that must succeed; its JSON."""
        return self.home.cli(*arguments, check=True, **more).value

    def pair(self, trust: str | None = "full", *more: str) -> BunkerLink:
        """A fresh `bunker://` link."""
        level = ["--trust", trust] if trust else []
        return BunkerLink.parse(self.do("pair", *level, *more)["bunker"])

    def accept(self, uri: str, trust: str = "full", **more) -> dict:
        """Accepts a client's `nostrconnect://` link."""
        return self.do("pair", uri, "--trust", trust, **more)

    def clients(self) -> list[dict]:
        return self.do("client", "list")["clients"]

    def waiting(self) -> list[dict]:
        """The requests that wait for the owner."""
        return self.do("request", "list")["requests"]

    def log_entries(self, *arguments: str) -> list[dict]:
        return self.do("log", "show", *arguments)["entries"]

    def stop(self, seconds: float = 15) -> int:
        """Asks for a graceful end and waits for it. Returns the exit code."""
        if self.is_running:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("the daemon did not end after SIGTERM") from None

    def kill(self) -> None:
        """Ends the process as a power cut would."""
        if self.is_running:
            self.process.kill()
        self.process.wait(10)
