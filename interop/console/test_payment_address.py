"""Where payments to the owner go: what differs is in sight in the list, on the card and in each question, before and after."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import expect

from console.desk import NARROW, WIDE
from console.rust_app import signed
from console.test_careful_answers import ready
from harness.waiting import eventually

SIZES = pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["desktop", "phone"])
LONG = "a-very-long-name-of-somebody-who-is-paid-{}-and-goes-on-for-a-while@payments.example"
TITLE = "Change where payments to you go"

UNCUT = """row => row.scrollWidth <= row.clientWidth + 1 && [...row.querySelectorAll('span')].every(
  one => one.scrollWidth <= one.clientWidth + 1 || getComputedStyle(one).display === 'inline')"""


@pytest.fixture
def address(pair_app):
    """Asks for a profile with a payment address, and approves the first one."""

    async def asked(desk, *addresses: str):
        app = await pair_app("Coracle")
        await desk.go("/approvals")
        for at, one in enumerate(addresses):
            waiting = app.asks_to_sign(json.dumps({"name": "alice", "lud16": one}), 0)
            if at == len(addresses) - 1:
                return app, waiting
            (request,) = await eventually(desk.daemon.waiting, "it waits")
            desk.daemon.do("request", "approve", request["id"])
            await signed(waiting)
        raise AssertionError

    return asked


async def row_beside_a_note(desk, app):
    """The words of the closed card, once another request waits, too."""
    app.asks_to_sign("A note", 1)
    await expect(desk.page.get_by_role("article")).to_have_count(2)
    card = desk.card(TITLE)
    if await (shut := card.get_by_role("button", name="Close")).count():
        await shut.click()
    return card.locator(".row-words")


@SIZES
async def test_a_row_shows_where_two_long_addresses_differ(open_desk, daemon, address, viewport):
    desk = await open_desk(daemon, viewport=viewport)
    app, _ = await address(desk, LONG.format("alice"), LONG.format("a1ice"))
    row = await row_beside_a_note(desk, app)
    await expect(row).to_contain_text("…ho-is-paid-alice-and-goes…ents.example → a-very-long-…ho-is-paid-a1ice-and-goes…ents.example")
    assert await row.evaluate(UNCUT), "it is cut at its end"
    assert await desk.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@SIZES
async def test_a_row_shows_the_middle_of_two_addresses_that_differ_all_over(open_desk, daemon, address, viewport):
    """What differs is where the payments go, wherever in the address it is."""
    desk = await open_desk(daemon, viewport=viewport)
    ends = ("a" * 40, "b" * 40)
    app, _ = await address(desk, f"x{ends[0]}pays-alice{ends[1]}y", f"z{ends[0]}pays-mallory{ends[1]}w")
    row = await row_beside_a_note(desk, app)
    await expect(row).to_contain_text("pays-alice")
    await expect(row).to_contain_text("pays-mallory")
    assert await row.evaluate(UNCUT), "it is cut at its end"
    assert await desk.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@SIZES
async def test_a_lasting_answer_is_asked_about_with_the_table_of_its_card(open_desk, daemon, address, viewport):
    desk = await open_desk(daemon, viewport=viewport)
    await address(desk, "alice@pay.example", "mallory@evil.example")
    card = desk.card(TITLE)
    await expect(card).to_contain_text("mallory@evil.example")
    cells = [await one.inner_text() for one in await card.locator("table.fields td").all()]
    await ready(card)
    await card.get_by_role("combobox").select_option("always")
    await card.get_by_role("button", name="Approve always").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog.locator("table.fields")).to_contain_text("alice@pay.example")
    assert [await one.inner_text() for one in await dialog.locator("table.fields td").all()] == cells
    assert await desk.page.evaluate("() => document.querySelector('dialog').scrollWidth <= innerWidth")


async def test_the_question_about_a_first_profile_says_what_its_card_says(desk, address):
    _, asked = await address(desk, "alice@pay.example")
    card = desk.card(TITLE)
    words = "This is most likely your first one, so nothing is lost: your key was made here, and was never used for this."
    await expect(card).to_contain_text(words)
    await ready(card)
    await card.get_by_role("button", name="Approve…", exact=True).click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text(words)
    await expect(dialog).not_to_contain_text("Holdfast knows no earlier")
    await dialog.get_by_role("button", name=TITLE).click()
    await signed(asked)
