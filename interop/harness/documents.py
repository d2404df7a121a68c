"""Commands as the documents print them."""

from __future__ import annotations

import re
from pathlib import Path


def blocks(document: Path, section: str | None = None) -> list[str]:
    """The text of each block of a document, or of one section of it, without its indentation."""
    text = document.read_text()
    if section is not None:
        match = re.search(rf"^(#+) {re.escape(section)}\n(.*?)(?=^#{{1,3}} |\Z)", text, re.MULTILINE | re.DOTALL)
        assert match, f"{document.name} has no section {section!r}"
        text = match.group(2)
    found = re.findall(r"^( *)```\w*\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indentation}", "", block, flags=re.MULTILINE) for indentation, block in found]
