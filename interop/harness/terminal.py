"""A person at a terminal: a command on a pseudo terminal of its own, what it shows, and what is typed."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import termios
import time

from .daemon import binary, environment, outputs
from .waiting import PATIENCE

ENTER_SCREEN, LEAVE_SCREEN = "\x1b[?1049h", "\x1b[?1049l"


class Terminal:
    """Runs `holdfast <words>`; the command's controlling terminal outlives it, so that its state can be looked at."""

    def __init__(self, *words: str, term: str = "xterm-256color", size: tuple[int, int] | None = None, **env: str):
        self.keyboard, self._other = pty.openpty()
        if size:
            termios.tcsetwinsize(self._other, size)
        self.before = self.state()
        self.shown = ""
        self.code: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.keyboard)
            os.login_tty(self._other)
            # Tests that run in the background of a shell, or under nohup, inherit that these are ignored; the command keeps to that.
            for number in [signal.SIGINT, signal.SIGQUIT, signal.SIGHUP]:
                signal.signal(number, signal.SIG_DFL)
            self.execute(words, environment(TERM=term, **env))

    def execute(self, words: tuple[str, ...], env: dict[str, str]) -> None:
        """Becomes the command; what a child does."""
        os.execve(binary(), ["holdfast", *words], env)

    def state(self) -> list:
        return termios.tcgetattr(self._other)

    @property
    def echoes(self) -> bool:
        return bool(self.state()[3] & termios.ECHO)

    def type(self, text: str) -> None:
        os.write(self.keyboard, text.encode())

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def _read(self, seconds: float) -> bool:
        if not select.select([self.keyboard], [], [], seconds)[0]:
            return False
        got = os.read(self.keyboard, 65536).decode(errors="replace")
        self.shown += got
        outputs.append(got)
        return bool(got)

    def wait_for(self, text: str, seconds: float = PATIENCE) -> str:
        """What was shown up to and with `text`; that is then behind us."""
        end = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < end, f"{text!r} was not shown: {self.shown[-2000:]!r}"
            self._read(0.2)
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def finish(self, seconds: float = 30) -> str:
        """Waits for the end of the command; what it showed since the last look."""
        end = time.monotonic() + seconds
        while self.code is None:
            assert time.monotonic() < end, f"the command did not end: {self.shown[-2000:]!r}"
            self._read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        while self._read(0.05):
            pass
        shown, self.shown = self.shown, ""
        return shown

    def close(self) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.keyboard)
        os.close(self._other)


def first_screen(shown: str) -> str:
    """What stays on the terminal's first screen, and in what can be scrolled back to."""
    return re.sub(re.escape(ENTER_SCREEN) + ".*?" + re.escape(LEAVE_SCREEN), "", shown, flags=re.DOTALL)
