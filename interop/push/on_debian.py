"""What tests need that install the push proxy's package on a Debian of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import debian
from harness.daemon import binary

MARKS = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(bool(debian.missing()), reason=debian.missing() or ""),
    pytest.mark.skipif(not Path(binary()).with_name("holdfast-push").exists(), reason="there is no push proxy: run `make build-push`"),
]
