"""A real terminal of 80 columns and 24 lines: a shell in tmux, and what stays on its screen."""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from pathlib import Path

from .daemon import binary, environment, outputs
from .waiting import PATIENCE, until

COLUMNS, LINES = 80, 24
DONE = re.compile(r"^<done:(\d+)>$", re.MULTILINE)


class Tmux:
    """One window with a shell in it. `holdfast` is on the PATH, and the home is empty."""

    def __init__(self, folder: Path, *, columns: int = COLUMNS, lines: int = LINES):
        self.folder, self.columns = folder, columns
        self._socket = Path(tempfile.mkdtemp(prefix="hf-", dir="/tmp")) / "tmux"
        (folder / "bin").mkdir(exist_ok=True)
        if not (link := folder / "bin" / "holdfast").exists():
            link.symlink_to(binary().resolve())
        whole = environment(HOME=str(folder), PATH=f"{folder / 'bin'}:/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL="C.UTF-8", PS1="$ ")
        whole["PROMPT_COMMAND"] = 'echo "<done:$?>"'
        command = ["new-session", "-d", "-x", str(columns), "-y", str(lines), "-c", str(folder)]
        subprocess.run(
            ["tmux", "-S", self._socket, "-f", "/dev/null", "set-option", "-g", "history-limit", "20000", ";"]
            + ["set-option", "-g", "status", "off", ";", *command, "bash", "--norc", "--noprofile"],
            check=True,
            env=whole,
        )
        self._wait(0)

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-S", self._socket, *words], capture_output=True, text=True, check=True)
        return done.stdout

    def screen(self) -> str:
        """The 24 lines that are seen now."""
        return self._tmux("capture-pane", "-p")

    def shown(self) -> list[str]:
        """Every line since the last command was typed, also those that were scrolled away. What the terminal broke is one line again."""
        return self._tmux("capture-pane", "-p", "-J", "-S", "-").rstrip().split("\n")

    def type(self, text: str, enter: bool = True) -> None:
        self._tmux("send-keys", "-l", text)
        if enter:
            self._tmux("send-keys", "Enter")

    def keys(self, *names: str) -> None:
        self._tmux("send-keys", *names)

    def clear(self) -> None:
        """An empty screen, with nothing scrolled away."""
        self._tmux("send-keys", "-R")
        self._tmux("clear-history")

    def run(self, command: str, answers: dict[str, str] | None = None) -> tuple[int, list[str]]:
        """Types a command, answers what it asks, and waits for its end.

        - Returns: the exit code, and the lines it showed.
        """
        self.clear()
        self.type(command)
        code = self._wait(0, answers or {})
        lines = self.shown()
        first = next(number for number, line in enumerate(lines) if command in line)
        last = max(number for number, line in enumerate(lines) if DONE.match(line))
        outputs.append("\n".join(lines))
        return code, lines[first + 1 : last]

    def _wait(self, seen: int, answers: dict[str, str] | None = None) -> int:
        end, left = time.monotonic() + PATIENCE, dict(answers or {})
        while True:
            lines = self.shown()
            done = [match for line in lines if (match := DONE.match(line))]
            if len(done) > seen:
                return int(done[-1].group(1))
            for question, answer in answers.items() if answers else ():
                # On a line of its own, or at the top of a screen of its own.
                if question in left and any(line.rstrip().endswith(question.rstrip()) for line in (lines[0], lines[-1])):
                    left.pop(question)
                    for line in answer.split("\n"):
                        self.type(line)
            assert time.monotonic() < end, "the command did not end:\n" + "\n".join(lines)
            time.sleep(0.02)

    def wait_for(self, text: str) -> list[str]:
        try:
            return until(lambda: any(text in line for line in self.shown()) and self.shown(), f"the terminal shows {text!r}")
        except AssertionError as failure:
            raise AssertionError(f"{failure}\n{self.screen()}") from None

    def close(self) -> None:
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], check=False, capture_output=True)
        self._socket.unlink(missing_ok=True)
        self._socket.parent.rmdir()
