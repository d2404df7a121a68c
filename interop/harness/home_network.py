"""A home's network: a server that boots systemd in a container, and beside it a laptop and a phone, in a network namespace of their own."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from . import debian
from .daemon import environment
from .terminal import Terminal
from .waiting import PATIENCE, until

SERVER, AWAY = "10.77.0.1", "10.77.0.2"
NAME = "signer.home.arpa"
PACKAGES = (
    "ca-certificates caddy curl dbus dbus-user-session libpam-systemd libssl3 openssh-client openssh-server sudo systemd systemd-sysv"
).split()
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]")
CLONE_NEWNET = 0x40000000
SSHD = "AuthorizedKeysFile /etc/ssh/ada_keys\nPasswordAuthentication no\n"


class HomeNetwork:
    """The server is on when it is entered; everything is gone when it is left."""

    def __init__(self, folder: Path, *shared: str, packages: Sequence[str] = PACKAGES):
        self.folder = folder
        self.shared = shared
        self.packages = packages
        self.server, self.away = f"hf{os.getpid()}-server", f"hf{os.getpid()}-away"
        self.key = folder / "key"
        self._container: subprocess.Popen | None = None

    def __enter__(self) -> HomeNetwork:
        try:
            self._connect()
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key], check=True)
            (self.folder / "sshd.conf").write_text(SSHD)
            self.boot()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.switch_off()
        for namespace in (self.server, self.away):
            subprocess.run(["ip", "netns", "delete", namespace], check=False)
        shutil.rmtree(self.seen_there, ignore_errors=True)

    def _connect(self) -> None:
        """One cable between the two. Names are known to the laptop by its own /etc/hosts."""
        for line in [
            f"netns add {self.server}",
            f"netns add {self.away}",
            f"link add cable netns {self.server} type veth peer name cable netns {self.away}",
            *(
                f"-n {namespace} {line}"
                for namespace, address in ((self.server, SERVER), (self.away, AWAY))
                for line in (f"address add {address}/24 dev cable", "link set lo up", "link set cable up")
            ),
        ]:
            subprocess.run(["ip", *line.split()], check=True)
        self.seen_there.mkdir(parents=True)
        (self.seen_there / "hosts").write_text(f"127.0.0.1 localhost\n{SERVER} {NAME}\n")

    @property
    def seen_there(self) -> Path:
        """What lies here, commands on the laptop see in /etc."""
        return Path("/etc/netns") / self.away

    # The Internet, for laptop and server

    def leads(self, name: str, address: str) -> None:
        """Makes a name known to both. The laptop takes the address if it is in the network and nobody's yet."""
        line = f"{address} {name}"
        with (self.seen_there / "hosts").open("a") as hosts:
            hosts.write(line + "\n")
        assert self.asks("sudo tee -a /etc/hosts", line + "\n").returncode == 0
        if address not in (SERVER, AWAY):
            subprocess.run(["ip", "-n", self.away, "address", "add", f"{address}/24", "dev", "cable"], check=True)

    def trust(self, authority: Path, name: str) -> None:
        """Adds an authority's certificate to the systems' stores. Programs that run on the laptop already may not notice the first."""
        store, certificate = self.seen_there / "ssl/certs", authority.read_text()
        if not store.exists():
            shutil.copytree("/etc/ssl/certs", store, symlinks=True)
        shown = subprocess.run(["openssl", "x509", "-noout", "-hash", "-in", authority], capture_output=True, text=True, check=True)
        (store / f"{shown.stdout.strip()}.0").write_text(certificate)
        with (store / "ca-certificates.crt").open("a") as all_of_them:
            all_of_them.write(certificate)
        adding = f"sudo tee /usr/local/share/ca-certificates/{name}.crt && sudo update-ca-certificates"
        done = self.asks(adding, certificate, 3 * PATIENCE)
        assert done.returncode == 0, done.stderr

    def listen(self, address: str, port: int) -> socket.socket:
        """A socket of the laptop, for this process. Only a thread of its own enters the laptop's network."""
        made: list[socket.socket] = []

        def enter() -> None:
            with (Path("/run/netns") / self.away).open() as network:
                assert ctypes.CDLL(None).setns(network.fileno(), CLONE_NEWNET) == 0
            made.append(socket.create_server((address, port)))

        (thread := threading.Thread(target=enter)).start()
        thread.join()
        return made[0]

    def boot(self) -> None:
        options = [f"--network-namespace-path=/run/netns/{self.server}", "--boot", "--console=read-only", *self.shared]
        files = {"key.pub": "/etc/ssh/ada_keys", "sshd.conf": "/etc/ssh/sshd_config.d/test.conf"}
        options += [f"--bind-ro={self.folder / name}:{place}" for name, place in files.items()]
        command = debian.container(debian.tree(*self.packages), *options)
        with (self.folder / "boot").open("wb") as log:
            whole = os.environ | {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
            self._container = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=whole)
        until(lambda: self.asks("true").returncode == 0, "the server answers on ssh", 2 * PATIENCE)

    def switch_off(self) -> None:
        if self._container:
            self._container.terminate()
            self._container.wait(60)
            self._container = None

    def laptop(self, *words: str | Path) -> list[str]:
        """A command on the laptop, or the phone."""
        return ["ip", "netns", "exec", self.away, *map(str, words)]

    def ssh(self, *options: str) -> list[str]:
        """`ssh` on the laptop, with the key that the server knows."""
        trusting = ["-q", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "ConnectTimeout=5"]
        return self.laptop("ssh", *trusting, "-i", self.key, *options)

    def asks(self, command: str, given: str = "", seconds: float = PATIENCE) -> subprocess.CompletedProcess:
        """Asks the server something that the person does not type."""
        return subprocess.run([*self.ssh(f"ada@{NAME}"), command], input=given, capture_output=True, text=True, timeout=seconds)


class Session(Terminal):
    """The person, at a shell of the server over ssh, or at another one: types commands and answers questions."""

    DONE = re.compile(r"<done:(\d+)>")

    def __init__(self, network: HomeNetwork, *words: str):
        """`words` start another shell than that one."""
        self.network = network
        super().__init__(*(words or network.ssh("-tt", f"ada@{NAME}")))
        self.type("bind 'set enable-bracketed-paste off'; PS1=; PS2=; PROMPT_COMMAND='echo \"<done:$?>\"'\n")
        self._finished({})

    def execute(self, words: tuple[str, ...], env: dict[str, str]) -> None:
        os.execvpe(words[0], list(words), environment(TERM="xterm", PATH=os.environ["PATH"]))

    def does(self, block: str, answers: dict[str, str]) -> str:
        """Types each command of a block and answers what is asked. All of them must work.

        - Returns: what was shown.
        """
        shown = ""
        for command in commands(block):
            self.type(command + "\n")
            code, said = self._finished(answers)
            assert code == 0, f"{command}: exit {code}: {said}"
            shown += said
        return shown

    def _finished(self, answers: dict[str, str]) -> tuple[int, str]:
        end, shown = time.monotonic() + 2 * PATIENCE, ""
        while True:
            if done := self.DONE.search(self.shown):
                shown += self.shown[: done.start()]
                self.shown = self.shown[done.end() :]
                return int(done.group(1)), shown
            for question, answer in answers.items():
                if ESCAPES.sub("", self.shown).rstrip().endswith(question):
                    shown, self.shown = shown + self.shown, ""
                    self.type(answer + "\n")
            assert time.monotonic() < end, f"it did not end: {shown}{self.shown}"
            self._read(0.2)


def commands(block: str) -> list[str]:
    """A block's commands: a line each, but for those that go on to the end of a here document, or behind a backslash."""
    found: list[str] = []
    open_until: str | None = None
    for line in block.splitlines():
        if open_until is not None or (found and found[-1].endswith("\\")):
            found[-1] += "\n" + line
            open_until = None if line == open_until else open_until
        else:
            found.append(line)
            here = re.search(r"<<'(\w+)'$", line)
            open_until = here.group(1) if here else None
    return found
