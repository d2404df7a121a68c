"""The shared conformance vectors, counted against the manifest in their README.md."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ.get("HOLDFAST_VECTORS", Path(__file__).resolve().parents[3] / "shared" / "vectors"))


def manifest_count(path: str) -> int:
    """How many cases the manifest gives the file."""
    column = None
    for line in (FOLDER / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)]
        if "file" in cells and "cases" in cells:
            column = cells.index("cases")
        elif column is not None and len(cells) > column and cells[1] == f"`{path}`":
            return int(re.match(r"\d+", cells[column])[0])
    raise ValueError(f"{path} is not in the manifest")


def nip44() -> dict[str, Any]:
    """`v2` of NIP-44's file, with as many cases as the manifest says, and not none."""
    path = "nip44/nip44.vectors.json"
    v2 = json.loads((FOLDER / path).read_text())["v2"]
    lists = [part for validity in v2.values() for part in validity.values()]
    counted = sum(len(part["keys"] if isinstance(part, dict) else part) for part in lists)
    if counted != manifest_count(path) or not all(lists):
        raise ValueError(f"{path} has {counted} cases, and the manifest says {manifest_count(path)}")
    return v2
