"""The keys of Approvals where nothing waits, and after a denial was taken back."""

from __future__ import annotations

import re

from playwright.async_api import expect

from harness.waiting import eventually


async def test_where_nothing_waits_the_keys_say_so(desk):
    await desk.go("/approvals")
    await expect(desk.page.get_by_role("main")).to_contain_text("Nothing waits for you")
    for key in "jjo":
        await desk.page.keyboard.press(key)
    notices = desk.page.locator("#notices .notice")
    await expect(notices).to_have_text(["Nothing waits for you"])
    await expect(desk.page.locator("#announcer")).to_have_text("Nothing waits for you")


async def test_a_request_whose_denial_is_taken_back_is_the_chosen_one(desk, pair_app):
    coracle = await pair_app("Coracle")
    for count, (text, kind) in enumerate({"First": 1, "Second": 1111, "Third": 30023}.items(), 1):
        coracle.asks_to_sign(text, kind)
        await eventually(lambda count=count: len(desk.daemon.waiting()) == count, "it waits")
    await desk.go("/approvals")
    cards = desk.page.get_by_role("article")
    await expect(cards).to_have_count(3)
    await desk.page.keyboard.press("j")
    await desk.page.keyboard.press("j")
    await expect(cards.nth(1)).to_have_class(re.compile("selected"))
    if "closed" in await cards.nth(1).get_attribute("class"):
        await desk.page.keyboard.press("o")
    await desk.page.keyboard.press("d")
    await expect(cards).to_have_count(2)
    await desk.page.keyboard.press("u")
    await expect(cards).to_have_count(3)
    await expect(cards.nth(1)).to_contain_text("Second")
    await expect(cards.nth(1)).to_have_class(re.compile("selected"))
    await expect(cards.nth(1)).to_be_focused()
