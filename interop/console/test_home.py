"""Home shows what waits, the most serious first, and leads to it."""

from __future__ import annotations

import re

import pytest_asyncio
from playwright.async_api import expect

from harness.waiting import eventually


@pytest_asyncio.fixture(loop_scope="session")
async def coracle(pair_app):
    """An app that asks for everything."""
    return await pair_app("Coracle")


async def test_home_marks_what_is_serious_and_shows_it_first(desk, coracle):
    await desk.go("/")
    asked = [coracle.asks_to_sign(f"Note {n}", kind) for n, kind in enumerate((1, 30023, 1111))]
    await eventually(lambda: len(desk.daemon.waiting()) == 3, "they wait")
    asked.append(coracle.asks_to_sign("{}", 0))
    rows = desk.page.get_by_role("main").locator(".card.lively .rows > li")
    await expect(rows.first).to_contain_text("Change your profile")
    await expect(rows.first.locator(".risk")).to_have_text("serious")
    await expect(rows).to_have_count(3)
    await expect(rows.nth(1).locator(".risk")).to_have_count(0)


async def test_a_request_on_the_home_page_opens_that_request(desk, coracle):
    for kind in (0, 3, 10002, 5, 1):
        coracle.asks_to_sign(f"Of kind {kind}", kind=kind)
    await eventually(lambda: len(desk.daemon.waiting()) == 5, "all wait")
    meant = [one for one in desk.daemon.waiting() if one["risk"] == "grave"][1]
    await desk.go("/")
    await desk.page.locator(f"a[href='#/approvals?open={meant['id']}']").click()
    card = desk.page.locator("article.selected")
    await expect(card).to_contain_text(meant["title"])
    await expect(card).not_to_have_class(re.compile("closed"))
    await desk.page.keyboard.press("Escape")
    await expect(card).to_have_class(re.compile("closed"))
