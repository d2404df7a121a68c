"""Makes the documents' pictures of the console anew: python -m screenshots FOLDER

The same names, keys, texts and times each time: signer, apps and this program see a clock that begins on one morning.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from harness.clock import Clock
from harness.daemon import Home

MORNING = datetime(2026, 6, 1, 8, 0, tzinfo=UTC)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    home = Home()
    try:
        clock = Clock(home.folder)
        clock.set(int(MORNING.timestamp() - time.time()))
        command = [sys.executable, "-m", "screenshots.take", str(home.folder), str(Path(sys.argv[1]).resolve())]
        interop = Path(__file__).resolve().parents[1]
        return subprocess.run(command, cwd=interop, env=os.environ | clock.environment, check=False).returncode
    finally:
        home.remove()


if __name__ == "__main__":
    sys.exit(main())
