"""A site asks for the first time, and afterwards: as pages use window.nostr."""

from __future__ import annotations

import asyncio

from extension.chromium import ID, asked, note
from reference.events import is_genuine
from reference.keys import Key


async def test_first_use_asks_and_an_approval_lets_the_site_in(chromium):
    page = await chromium.visit("first")
    question = asyncio.create_task(asked(page, "window.nostr.getPublicKey()"))
    request = await chromium.request("first")
    assert request["method"] == "get_public_key"
    assert not question.done()
    caller = chromium.callers("first")[0]
    assert caller["first_use"] is True
    assert caller["site"]["extension"] == ID
    assert caller["site"]["browser"].endswith("chromium")
    chromium.daemon.do("request", "approve", request["id"])
    assert (await question)["result"] == chromium.daemon.user


async def test_a_note_is_signed_once_it_is_allowed(chromium):
    page = await chromium.visit("signs")
    question = asyncio.create_task(asked(page, note("Hello from a page")))
    request = await chromium.request("signs")
    chromium.daemon.do("request", "approve", request["id"])
    event = (await question)["result"]
    assert event["content"] == "Hello from a page"
    assert event["pubkey"] == chromium.daemon.user
    assert is_genuine(event)


async def test_a_denial_is_an_error(chromium):
    page = await chromium.visit("denied")
    question = asyncio.create_task(asked(page, "window.nostr.getPublicKey()"))
    request = await chromium.request("denied")
    chromium.daemon.do("request", "deny", request["id"])
    assert (await question)["code"] == "denied"


async def test_a_chosen_identity_that_is_gone_is_let_go(own_chromium, start, home):
    """As after a trial, whose keys the extension still knows."""
    daemon = start()
    chromium = await own_chromium(daemon)
    page = await chromium.visit("gone")
    assert await chromium.let_in(page, "gone") == daemon.user
    await (await chromium.worker()).evaluate(
        "async key => { const all = await chrome.storage.local.get(); for (const site in all)"
        " await chrome.storage.local.set({ [site]: { ...all[site], identity: key } }); }",
        Key().public,
    )
    assert (await asked(page, "window.nostr.getPublicKey()"))["result"] == daemon.user
    kept = await (await chromium.worker()).evaluate("async () => Object.values(await chrome.storage.local.get())")
    assert kept == [{"identity": daemon.user}]
