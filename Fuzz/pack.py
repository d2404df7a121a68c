#!/usr/bin/env python3
"""The kept inputs of a target as one text file: an input a line, in base64, sorted.

pack.py unpack FILE FOLDER    writes each input into the folder, named by its SHA-1 as libFuzzer does
pack.py pack FOLDER FILE      the other way round; fails when there is more than may be committed
"""

import base64
import hashlib
import sys
from pathlib import Path

# What one target may keep: so many inputs, replayed by every `swift test`, and so many bytes in all.
MAXIMUM_INPUTS = 400
MAXIMUM_BYTES = 96 * 1024


def unpack(file: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for line in file.read_text().splitlines() if file.exists() else []:
        content = base64.b64decode(line, validate=True)
        (folder / hashlib.sha1(content).hexdigest()).write_bytes(content)


def pack(folder: Path, file: Path) -> None:
    inputs = {path.read_bytes() for path in folder.iterdir()}
    size = sum(map(len, inputs))
    if len(inputs) > MAXIMUM_INPUTS or size > MAXIMUM_BYTES:
        sys.exit(f"{file}: {len(inputs)} inputs of {size} bytes; at most {MAXIMUM_INPUTS} of {MAXIMUM_BYTES} bytes may be kept")
    lines = sorted((base64.b64encode(content).decode() for content in inputs), key=lambda line: (len(line), line))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(line + "\n" for line in lines))
    print(f"{file}: {len(inputs)} inputs, {size} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("pack", "unpack"):
        sys.exit(__doc__)
    {"pack": pack, "unpack": unpack}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
