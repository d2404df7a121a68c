"""Every operation that a page calls is one that this signer has, and lets a signed-in browser call."""

from __future__ import annotations

import re

import pytest

from harness.browser import Browser
from harness.daemon import REPOSITORY

NAMING = "origin.js"
"""Names what was tried on the command line, too, and calls nothing."""
PAGES = sorted(page for page in (REPOSITORY / "Web" / "console").rglob("*.js") if page.name != NAMING)
CALLED = re.compile(r"""(?:call|perform|askToUnlock|callByPasskey)\(\s*"([a-z]+(?:/[a-z-]+)?)\"""")
NOUNS = "identity|pair|client|request|policy|log|slot|recovery|guardian|backup|session|push|passkey"
NAMED = re.compile(rf"""[("'`]((?:{NOUNS})/[a-z-]+)["'`]""")
ANSWERED = {"request/approve", "request/deny"}
"""The page puts these together from two halves."""
NOT_YET = {"identity/accounts"}
"""What a page offers only where the signer has it; it says so itself where not."""
LAST = ["log/export", "panic", "lock", "session/close"]
"""These end something for those after them."""


def operations() -> list[str]:
    found = set(ANSWERED)
    for page in PAGES:
        text = page.read_text()
        found |= set(CALLED.findall(text)) | set(NAMED.findall(text))
    return sorted(found, key=lambda one: (LAST.index(one) if one in LAST else -1, one))


def is_unknown(status: int, body: dict) -> bool:
    return status == 404 or "no operation of that name" in body.get("error", "")


async def test_what_the_pages_call_was_found():
    assert len(operations()) > 70 and {"status", "guardian/cancel", "slot/rotate"} <= set(operations())


async def test_every_operation_of_the_pages_exists_and_is_let_through(daemon):
    browser = Browser(daemon).signed_in()
    assert is_unknown(*browser.call("identity/none")) and is_unknown(*browser.call("console/link"))
    unknown = {one for one in operations() if one not in NOT_YET and is_unknown(*browser.call(one))}
    assert not unknown, f"a page calls what is not there: {sorted(unknown)}"


@pytest.mark.parametrize("operation", sorted(NOT_YET))
async def test_what_is_not_there_yet_is_handled_where_it_is_called(operation):
    for page in PAGES:
        text = page.read_text()
        if f'"{operation}"' in text:
            assert "isUnknown" in text, page.name
