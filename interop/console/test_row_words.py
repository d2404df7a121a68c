"""The row of a request says what a person decides by: a title, and what would be lost."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect


async def test_an_article_shows_its_title_in_a_row_and_not_where_its_picture_is(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    tags = [["d", "x"], ["title", "On keeping keys"], ["image", "https://pictures.example/p.png"]]
    coracle.asks_to_sign("Once upon a time", 30023, tags)
    coracle.asks_to_sign("A note")
    coracle.asks_to_sign("Another", 1111)
    coracle.asks_to_sign("Sold", 7375)
    await expect(desk.page.get_by_role("article")).to_have_count(4)
    await desk.go("/")
    await desk.go("/approvals")
    row = desk.page.locator(".request.closed").filter(has_text="Publish an article")
    await expect(row.locator(".gist")).to_contain_text("On keeping keys · Once upon a time")
    await expect(row).not_to_contain_text("pictures.example")


@pytest.mark.parametrize(
    ("kind", "lost"), [(0, "Others would no longer see your profile."), (10000, "A list of yours would be gone.")], ids=["profile", "list"]
)
async def test_a_deletion_of_a_profile_or_a_list_says_in_its_row_what_is_lost(desk, pair_app, kind, lost):
    coracle = await pair_app("Coracle")
    owner = (await desk.asks("identity/list"))["identities"][0]["pubkey"]
    coracle.asks_to_sign("just tidying up", 5, [["a", f"{kind}:{owner}:"]])
    for number in range(4):
        coracle.asks_to_sign(f"Row {number}", 7375)
    await desk.go("/approvals")
    await expect(desk.page.get_by_role("article")).to_have_count(5)
    row = desk.page.get_by_role("article").filter(has_text="Ask relays to delete")
    if "closed" not in await row.get_attribute("class"):
        await row.get_by_role("button", name="Close").click()
    await expect(row).to_have_class(re.compile("closed"))
    await expect(row).to_contain_text(lost)
    await expect(row).not_to_contain_text("tidying")
