"""Notices cover nothing that a person needs, on a phone and beside it."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from console.desk import NARROW
from harness.waiting import eventually

JUST_ABOVE = """(edge) => {
  const {bottom} = document.querySelector('#notices .notice:last-child').getBoundingClientRect();
  return bottom <= edge && bottom >= edge - 12;
}"""


@pytest.mark.parametrize("viewport", [NARROW, {"width": 1280, "height": 900}], ids=["phone", "desktop"])
async def test_notices_make_room_for_newer_ones_and_cover_neither_the_menu_nor_answers(open_desk, daemon, pair_app, viewport):
    coracle = await pair_app("Coracle")
    desk = await open_desk(daemon, viewport=viewport)
    await desk.go("/approvals")
    coracle.asks_to_sign("A long one. " * 200)
    bar = desk.page.locator(".answers")
    await expect(bar).to_be_visible()
    await desk.page.evaluate("""async () => { const { notice } = await import("/dom.js"); for (const one of "abcd") notice(one); }""")
    notices = desk.page.locator("#notices .notice")
    await expect(notices).to_have_text(["c", "d"])
    await desk.page.evaluate("() => Promise.all(document.getAnimations().map(({finished}) => finished))")
    box = await notices.last.bounding_box()
    if viewport is NARROW:
        place = await bar.bounding_box()
        assert place["y"] < NARROW["height"] - 150, "the answers float"
        for other in (desk.page.locator("#menu"), bar):
            below = await other.bounding_box()
            assert box["y"] + box["height"] <= below["y"], "above the answers and the menu"
        for other in (desk.page.locator(".masthead"), desk.page.locator("h1"), desk.page.locator(".request h2")):
            above = await other.bounding_box()
            assert above["y"] + above["height"] <= box["y"], "below the signer's state and what the page says first"
        await desk.page.get_by_role("button", name="Lock the signer").click(trial=True)
        await expect(notices.first).to_be_hidden()
        await desk.page.locator("#menu").get_by_role("link", name="Home").click()
        await expect(desk.page.get_by_role("heading", name="Home")).to_be_visible()
        menu = await desk.page.locator("#menu").bounding_box()
        await desk.page.wait_for_function(JUST_ABOVE, arg=menu["y"])
    else:
        page = await desk.page.locator("#page").bounding_box()
        assert box["x"] + box["width"] <= page["x"], "beside the page"
    await notices.last.click()
    await expect(notices).to_have_text(["c"])


SAID = """() => {
  const announcer = document.getElementById('announcer');
  window.said = [];
  new MutationObserver(() => announcer.textContent && window.said.push(announcer.textContent)).observe(announcer, {childList: true});
}"""


async def test_a_request_is_announced_once_also_after_a_lock_and_a_reload(desk, pair_app):
    coracle = await pair_app("Coracle", trust="low")
    await desk.page.evaluate(SAID)
    coracle.asks_to_sign("Before the lock")
    await eventually(lambda: len(desk.daemon.waiting()) == 1, "it waits")
    await expect(desk.page.locator("#announcer")).to_have_text("New request from Coracle: Sign a note.")
    await expect(desk.page.locator("#announcer")).to_have_text("")
    await desk.page.locator("#state").get_by_role("button").click()
    await expect(desk.page.locator("#state")).to_contain_text("Locked")
    assert await desk.page.evaluate("() => window.said.length") == 1
    await desk.page.reload()
    await expect(desk.page.locator("#waiting")).to_contain_text("1")
    assert await desk.page.locator("#announcer").inner_text() == ""
    await desk.page.evaluate(SAID)
    desk.daemon.home.cli("unlock", "--passphrase-file", str(desk.daemon.home.passphrase_file), check=True)
    await expect(desk.page.locator("#state")).to_contain_text("Unlocked")
    coracle.asks_to_sign("{}", 0)
    await expect(desk.page.locator("#announcer")).to_have_text("New request from Coracle: Change your profile.")
    assert await desk.page.evaluate("() => window.said.length") == 1
