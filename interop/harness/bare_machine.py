"""A machine that has only the program. A shell runs commands as they are printed, and a simulated person types the answers."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .daemon import Home, binary, environment
from .terminal import Terminal

FRESH = "a passphrase of the bare machine 3Kp"
"""What is chosen wherever a new passphrase is asked for."""

WORDS, NEW, AGAIN, OPENS = "words of a share", "New passphrase: ", "Repeat it: ", "Passphrase for "
"""Questions, as they are shown."""


@dataclass
class Printed:
    """The parts of one printed page: the words, the commands, and the other text."""

    words: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    text: str = ""

    @property
    def share(self) -> str:
        return " ".join(self.words)


def typed(pages: list[Printed], code: str | None) -> list[tuple[str, str]]:
    """The shares of some pages, and what is answered to the question for the code; None where it is not asked."""
    shares = "\n".join(page.share for page in pages)
    return [(WORDS, shares)] + ([] if code is None else [("Recovery code", code)])


class Shell(Terminal):
    """One line for a shell, on a terminal of its own."""

    def __init__(self, line: str, folder: Path, **env: str):
        self.folder = folder
        super().__init__(line, **env)

    def execute(self, words: tuple[str, ...], env: dict[str, str]) -> None:
        os.chdir(self.folder)
        os.execve("/bin/sh", ["sh", "-c", *words], env)


class BareMachine:
    """An empty home. `holdfast` is on the PATH, and there is no vault."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="hf-", dir="/tmp"))
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "holdfast").symlink_to(binary().resolve())
        self.home = self.folder / "home"
        self.home.mkdir(mode=0o700)
        self.passphrase_file = self.folder / "passphrase"

    @property
    def vault(self) -> Path:
        return self.home / ".local" / "share" / "holdfast"

    def takes(self, home: Home) -> None:
        """A machine with a vault: a closed home is at the default place."""
        self.vault.parent.mkdir(parents=True, mode=0o700)
        shutil.copytree(home.path, self.vault)

    def run(self, line: str, answers: list[tuple[str, str]]) -> str:
        """Runs a line as it is printed and types each answer when its question is shown; the line must work.

        - Returns: what was shown after the last answer.
        """
        kept = {name: value for name, value in environment().items() if name not in ("PATH", "HOME")}
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        shell = Shell(line, self.home, **kept, PATH=path, HOME=str(self.home))
        try:
            for question, answer in answers:
                shell.wait_for(question, 60)
                shell.type(answer + "\n")
            shown = shell.finish(60)
            assert shell.code == 0, f"{line}: exit {shell.code}: {shown[-600:]!r}"
            return shown
        finally:
            shell.close()

    def fails(self, line: str, answers: list[tuple[str, str]]) -> str:
        """As `run`, for a line that must not work."""
        try:
            shown = self.run(line, answers)
        except AssertionError as failure:
            assert "exit 1" in str(failure), failure
            return str(failure)
        raise AssertionError(f"{line} worked: {shown[-600:]!r}")

    def identities(self, passphrase: str = FRESH) -> dict[str, str]:
        """The npub of each name in its vault."""
        self.passphrase_file.write_text(passphrase)
        self.passphrase_file.chmod(0o600)
        home = Home.__new__(Home)
        home.folder, home.path, home.passphrase_file = self.folder, self.vault, self.passphrase_file
        return {one["name"]: one["npub"] for one in home.unlocked("identity", "list").value["identities"]}

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
