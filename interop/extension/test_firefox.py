"""The same extension in Firefox ESR: first use, signing, frames, and what a page cannot do."""

from __future__ import annotations

import asyncio

import pytest_asyncio

from extension.chromium import note
from extension.firefox import ID, Firefox
from harness.waiting import PATIENCE
from reference.events import is_genuine


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def firefox(shared, sites, tmp_path_factory):
    browser = await Firefox.opened(shared, sites, tmp_path_factory.mktemp("firefox"))
    yield browser
    await browser.close()


async def let_in(firefox, tab, site: str) -> str:
    question = asyncio.create_task(tab.asked("window.nostr.getPublicKey()"))
    firefox.daemon.do("request", "approve", (await firefox.request(site))["id"])
    return (await question)["result"]


async def test_first_use_asks_and_an_approval_lets_the_site_in(firefox):
    tab = await firefox.visit("first")
    question = asyncio.create_task(tab.asked("window.nostr.getPublicKey()"))
    request = await firefox.request("first")
    caller = firefox.callers("first")[0]
    assert caller["site"]["extension"] == ID
    assert "firefox" in caller["site"]["browser"]
    firefox.daemon.do("request", "approve", request["id"])
    assert (await question)["result"] == firefox.daemon.user


async def test_a_note_is_signed_without_asking_under_medium_trust(firefox):
    tab = await firefox.visit("signs")
    await let_in(firefox, tab, "signs")
    firefox.daemon.do("local", "trust", firefox.callers("signs")[0]["name"], "medium")
    event = (await tab.asked(note("Hello from Firefox")))["result"]
    assert event["content"] == "Hello from Firefox"
    assert is_genuine(event)


async def test_a_denial_is_an_error(firefox):
    tab = await firefox.visit("denied")
    question = asyncio.create_task(tab.asked("window.nostr.getPublicKey()"))
    firefox.daemon.do("request", "deny", (await firefox.request("denied"))["id"])
    assert (await question)["code"] == "denied"


async def test_a_frame_asks_with_its_own_origin_and_a_sandboxed_one_not_at_all(firefox):
    path = firefox.sites.page(
        "/framed",
        f"<iframe src='{firefox.sites.origin('inner')}/'></iframe>"
        f"<iframe sandbox='allow-scripts' src='{firefox.sites.origin('boxed')}/'></iframe>",
    )
    tab = await firefox.visit("outer", path)
    inner, boxed = await tab.frames()
    question = asyncio.create_task(inner.asked("window.nostr.getPublicKey()"))
    firefox.daemon.do("request", "approve", (await firefox.request("inner"))["id"])
    assert (await question)["result"] == firefox.daemon.user
    assert (await boxed.asked("window.nostr.getPublicKey()"))["code"] == "not-allowed"
    assert not firefox.callers("outer") and not firefox.callers("boxed")


async def test_a_page_cannot_replace_what_it_is_given(firefox):
    tab = await firefox.visit("replaces")
    assert await tab.evaluate(
        "(() => { try { window.nostr = {}; } catch {} try { delete window.nostr; } catch {}"
        " return Object.isFrozen(window.nostr) && typeof window.nostr.signEvent === 'function'; })()"
    )


async def test_it_is_found_in_a_profile(daemon, sites, tmp_path):
    browser = await Firefox.opened(daemon, sites, tmp_path, from_profile=True)
    try:
        # A fresh profile starts its extensions when its first window is there already.
        async with asyncio.timeout(PATIENCE):
            while await (tab := await browser.visit("profile")).evaluate("typeof window.nostr") != "object":
                pass
        assert await let_in(browser, tab, "profile") == daemon.user
    finally:
        await browser.close()
