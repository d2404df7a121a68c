"""The toolbar page: which site, which identity, what it may do, what waits; the console and the lock."""

from __future__ import annotations

import asyncio

from playwright.async_api import expect

from extension.chromium import asked, note
from harness.waiting import PATIENCE


async def badge_is(chromium, text: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while await chromium.badge() != text:
            await asyncio.sleep(0.05)


async def test_it_shows_the_site_and_what_it_may_do(chromium):
    page = await chromium.visit("shown")
    toolbar = await chromium.toolbar(page)
    await expect(toolbar.get_by_role("status")).to_have_text("The signer is running.")
    await expect(toolbar.get_by_role("heading", name=chromium.sites.origin("shown"))).to_be_visible()
    await expect(toolbar.locator("#grants")).to_have_text("This site has not asked for anything yet.")
    await chromium.let_in(page, "shown", "medium")
    await asked(page, note("shown"))
    await toolbar.reload()
    await expect(toolbar.locator("#grants")).to_have_text("alice: It signs notes without asking you.")
    await expect(toolbar.get_by_label("Identity on this site")).to_have_value(chromium.daemon.user)
    await expect(toolbar.get_by_role("listitem").first).to_contain_text("allowed")


async def test_what_waits_is_counted_on_the_icon_and_leads_to_the_console(own_chromium, daemon):
    chromium = await own_chromium(daemon)
    page = await chromium.visit("waits")
    question = asyncio.create_task(asked(page, "window.nostr.getPublicKey()"))
    await chromium.request("waits")
    await badge_is(chromium, "1")
    toolbar = await chromium.toolbar(page)
    await expect(toolbar.locator("#requests")).to_contain_text("Learn your public key")
    async with chromium.context.expect_page() as opened:
        await toolbar.get_by_role("button", name="Answer in the console").click()
    console = await opened.value
    assert console.url == daemon.ready["console"].rstrip("/") + "/#/approvals"
    daemon.do("request", "approve", (await chromium.request("waits"))["id"])
    assert (await question)["result"]
    await badge_is(chromium, "")


async def test_a_helper_that_starts_slowly_is_counted_on_the_icon_as_well(own_chromium, daemon):
    chromium = await own_chromium(daemon)
    chromium.slow_the_helper(seconds=2)
    page = await chromium.visit("slow")
    question = asyncio.create_task(asked(page, "window.nostr.getPublicKey()"))
    await chromium.request("slow")
    await badge_is(chromium, "1")
    daemon.do("request", "approve", (await chromium.request("slow"))["id"])
    assert (await question)["result"]
    await badge_is(chromium, "")


async def test_it_locks_and_says_when_nothing_runs(own_chromium, daemon):
    chromium = await own_chromium(daemon)
    toolbar = await chromium.toolbar(await chromium.visit("locking"))
    await toolbar.get_by_role("button", name="Lock").click()
    await expect(toolbar.get_by_role("status")).to_contain_text("locked")
    await expect(toolbar.get_by_role("button", name="Lock")).to_be_hidden()
    assert daemon.do("status")["locked"] is True
    daemon.stop()
    await toolbar.reload()
    await expect(toolbar.get_by_role("status")).to_have_text("Holdfast does not run. Start it: holdfast up")


async def test_texts_of_strangers_are_text(own_chromium, start, home):
    home.unlocked("identity", "create", "<img src=x onerror=alert(1)>")
    chromium = await own_chromium(start())
    toolbar = await chromium.toolbar(await chromium.visit("markup"))
    await expect(toolbar.get_by_label("Identity on this site")).to_contain_text("<img src=x onerror=alert(1)>")
    assert await toolbar.locator("img").count() == 0


async def test_it_is_readable_by_axe(chromium):
    from axe_playwright_python.async_playwright import Axe

    page = await chromium.visit("axe")
    await chromium.let_in(page, "axe")
    toolbar = await chromium.toolbar(page)
    found = await Axe().run(toolbar)
    assert found.violations_count == 0, found.generate_report()
    assert await toolbar.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
