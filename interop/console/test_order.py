"""What waits stands in the order of its weight, on Approvals and on Home."""

from __future__ import annotations

from playwright.async_api import expect

from harness.waiting import eventually

WEIGHTY = "Send a request to vanish, which erases all you published"


async def ask(desk, app, kinds) -> None:
    before = len(desk.daemon.waiting())
    for count, kind in enumerate(kinds, before + 1):
        app.asks_to_sign("+" if kind == 7 else f"Of kind {kind}", kind, [["e", f"{count:064x}"]])
        await eventually(lambda count=count: len(desk.daemon.waiting()) == count, "it waits")


async def test_what_cannot_be_undone_stands_first_then_the_serious_then_the_rest_by_time(desk, pair_app):
    coracle = await pair_app("Coracle")
    await ask(desk, coracle, (1, 0, 30023, 1111, 3, 62))
    await desk.go("/approvals")
    titles = desk.page.locator("article :is(.row-words strong, h2)")
    await expect(titles).to_have_count(6)
    meant = [WEIGHTY, "Change your profile", "Change who you follow", "Sign a note", "Publish an article", "Sign a comment"]
    for place, title in enumerate(meant):
        await expect(titles.nth(place)).to_contain_text(title)
    await desk.go("/")
    rows = desk.page.get_by_role("main").locator(".card.lively .rows > li")
    for place, title in enumerate(meant[:3]):
        await expect(rows.nth(place)).to_contain_text(title)
    await expect(rows).to_have_count(3)


async def test_a_serious_request_that_comes_later_stands_above_a_batch_which_stays_one(desk, pair_app):
    coracle = await pair_app("Coracle")
    await ask(desk, coracle, (7, 7, 7))
    await desk.go("/approvals")
    cards = desk.page.get_by_role("article")
    await expect(cards).to_have_count(1)
    await ask(desk, coracle, (5,))
    await expect(cards).to_have_count(2)
    await expect(cards.nth(0)).to_contain_text("serious: cannot be undone")
    await expect(cards.nth(1)).to_contain_text("3 likes")
