"""Of a long text a card shows the beginning, and the whole of it on demand, as text."""

from __future__ import annotations

from playwright.async_api import expect

from console.rust_app import signed

BEGINNING = "The first line.\n\n<b>Not bold</b> & so on.\n"
LONG = BEGINNING + "A long one, line after line.\n" * 500 + "The\u202e very\u200b last words."


async def test_the_whole_of_a_long_text_is_shown_as_text(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign(LONG)
    card = desk.card("The first line.")
    said = card.locator("blockquote.said")
    await expect(card).to_contain_text("This is shortened: it is only the beginning of the text.")
    await expect(said).not_to_contain_text("last words")
    await expect(said).to_have_class("said cut")
    more = card.get_by_role("button", name="Show the whole text")
    await more.click()
    await expect(said).to_contain_text("The very last words.")
    assert await said.evaluate("(one) => one.textContent") == LONG.replace("\u202e", "").replace("\u200b", "")
    assert await said.evaluate("(one) => one.childElementCount") == 0
    await expect(said).to_have_css("white-space-collapse", "preserve")
    await expect(said).to_have_class("said")
    await expect(more).to_have_count(0)
    await expect(card).to_contain_text("This is the whole text, as it will be signed.")
    await desk.answer("The first line.", "Approve")
    assert (await signed(asked)).content() == LONG


async def test_the_whole_text_of_an_article_is_shown(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    coracle.asks_to_sign("# An article\n" + "With many words. " * 800 + "The end.", 30023)
    card = desk.card("An article")
    await card.get_by_role("button", name="Show the whole text").click()
    await expect(card.locator("blockquote.said")).to_contain_text("The end.")
