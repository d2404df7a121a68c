"""The fields for the words of a recovery kit's sheets: one for each."""

from __future__ import annotations

import re


def sheet_field(place, number: int = 1):
    return place.get_by_label(f"Sheet {number}", exact=True)


async def type_sheets(place, *sheets: str) -> None:
    """Types each into a field of its own, and leaves the others empty."""
    for number, words in enumerate(sheets, 1):
        await sheet_field(place, number).fill(words)
    for number in range(len(sheets) + 1, await place.get_by_label(re.compile(r"^Sheet \d+$")).count() + 1):
        await sheet_field(place, number).fill("")
