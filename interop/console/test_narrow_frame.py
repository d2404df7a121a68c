"""On a phone the frame keeps its lines: the state in one, the parts of Security in even ones, and nothing sticks out of its card."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from console.desk import NARROW

PLACES = "(all) => all.map((one) => one.getBoundingClientRect()).map(({top, bottom, left, right}) => ({top, bottom, left, right}))"


async def test_the_state_is_one_line_when_the_signer_is_locked(open_desk, daemon):
    desk = await open_desk(daemon, viewport=NARROW)
    state = desk.page.locator("#state")
    await expect(state).to_contain_text("Unlocked")
    before = await state.bounding_box()
    await desk.page.get_by_role("button", name="Lock the signer").click()
    await expect(state).to_contain_text("Locked")
    after, unlock = await state.bounding_box(), await desk.page.get_by_role("button", name="Unlock the signer").bounding_box()
    assert after["height"] == before["height"]
    assert unlock["x"] > after["x"] and unlock["y"] + unlock["height"] <= after["y"] + after["height"]
    words = await state.locator(".state-words").bounding_box()
    assert words["x"] + words["width"] <= unlock["x"], "beside its words"


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "es-ES", "pt-BR", "ja-JP"])
async def test_the_parts_of_security_stand_in_even_lines(open_desk, daemon, locale):
    desk = await open_desk(daemon, viewport=NARROW, locale=locale, sign_in=False)
    await desk.page.goto(desk.link())
    await expect(desk.page.locator("#menu")).to_be_visible()
    await desk.go("/security")
    tabs = desk.page.locator("nav.tabs a")
    await expect(tabs).to_have_count(5)
    places = await tabs.evaluate_all(PLACES)
    lines = [sum(1 for one in places if one["top"] == top) for top in sorted({one["top"] for one in places})]
    assert lines == [3, 2], lines
    assert all(one["right"] <= NARROW["width"] for one in places)


async def test_close_stays_inside_its_card(open_desk, daemon, pair_app):
    coracle = await pair_app("Coracle")
    desk = await open_desk(daemon, viewport=NARROW, at="/approvals")
    for kind in (1, 30023, 1111):
        coracle.asks_to_sign("Hello", kind)
    await expect(desk.page.get_by_role("article")).to_have_count(3)
    card = desk.page.get_by_role("article").first
    await desk.open_card(card)
    close = await card.get_by_role("button", name="Close").bounding_box()
    head = await card.locator(".request-head").bounding_box()
    assert close["x"] + close["width"] <= head["x"] + head["width"] + 0.5
