"""Incidents: what happened, in plain words, and what the owner says of it."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import expect

from console.desk import NARROW, WIDE

SIZES = pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["desktop", "phone"])


async def failed_sign_in(open_desk, daemon) -> None:
    stranger = await open_desk(daemon, sign_in=False)
    stranger.expected.append(re.compile("status of 401"))
    await stranger.page.goto(f"{stranger.origin}/#signin=guess")
    await expect(stranger.page.get_by_role("heading", name="Sign in")).to_be_visible()


@SIZES
async def test_an_incident_is_told_and_may_have_been_the_owner(open_desk, daemon, viewport):
    await failed_sign_in(open_desk, daemon)
    desk = await open_desk(daemon, viewport=viewport)
    await desk.go("/")
    main = desk.page.get_by_role("main")
    await expect(main).to_contain_text("1 incident to check.")
    await expect(main).to_contain_text("A sign-in to this console failed.")
    await expect(main.get_by_role("button", name="I have checked it")).to_be_visible()
    assert await desk.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    await main.get_by_role("button", name="That was me").click()
    await expect(desk.page.locator("#notices")).to_contain_text("Marked as checked: it was you.")
    await expect(main.get_by_text("1 incident to check.")).to_have_count(0)
    assert daemon.do("status")["new_incidents"] == 0


async def test_what_the_owner_cannot_have_done_offers_no_that_was_me(open_desk, daemon):
    desk = await open_desk(daemon, service_workers="block")
    entry = {
        "sequence": 1,
        "time": 1_700_000_000,
        "entry": "incidentMinor",
        "text": "Something suspicious happened",
        "rule": "a forged event",
    }

    async def log(route):
        wanted = route.request.post_data_json.get("entry")
        await route.fulfill(json={"ok": True, "result": {"entries": [entry] if wanted == "incidentMinor" else []}})

    async def status(route):
        answer = await (await route.fetch()).json()
        answer["result"]["new_incidents"] = 1
        await route.fulfill(json=answer)

    await desk.page.route("**/api/v1/log/show", log)
    await desk.page.route("**/api/v1/status", status)
    await desk.go("/security")
    await desk.page.reload()
    main = desk.page.get_by_role("main")
    await expect(main).to_contain_text("Somebody forged a message in the name of one of your apps. It got no answer.")
    await expect(main.get_by_role("button", name="That was me")).to_have_count(0)
    await expect(main.get_by_role("button", name="I have checked it")).to_be_visible()


async def test_an_old_sign_in_link_opened_on_this_machine_is_no_incident(open_desk, daemon):
    """A used one, and one that newer ones closed: both are the owner's own. The log says it all the same."""
    used = daemon.do("console")["url"]
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in(used)
    closed = daemon.do("console")["url"]
    for _ in range(8):
        daemon.do("console")
    for link in (used, closed):
        other = await open_desk(daemon, sign_in=False)
        other.expected.append(re.compile("status of 401"))
        await other.page.goto(link)
        await expect(other.page.get_by_role("alert")).to_contain_text("This sign-in link was already used, or its ten minutes are over.")
    assert daemon.do("status")["new_incidents"] == 0
    await desk.go("/activity")
    main = desk.page.get_by_role("main")
    await expect(main.get_by_text("with a link that was used already")).to_be_visible()
    await expect(main.get_by_text("with a link that no longer works")).to_be_visible()
    await expect(main.get_by_text("incident to check")).to_have_count(0)


async def test_three_wrong_passphrases_at_the_sign_in_page_are_an_incident(open_desk, daemon):
    """After a wrong one the next has to wait, so some of them are not tried."""
    desk = await open_desk(daemon, sign_in=False)
    desk.expected.append(re.compile("status of 4"))
    await desk.page.goto(desk.origin)
    field = desk.page.get_by_label("Your vault’s passphrase")

    async def wrong() -> int:
        await field.fill("wrong")
        await field.press("Enter")
        await expect(field).to_have_value("")
        await asyncio.sleep(0.5)
        return sum(entry["entry"] == "vaultOpenFailed" for entry in daemon.log_entries())

    assert await wrong() == 1
    assert daemon.do("status")["new_incidents"] == 0
    for _ in range(40):
        if await wrong() >= 3:
            break
    assert daemon.do("status")["new_incidents"] == 1
    owner = await open_desk(daemon, at="/security")
    await expect(owner.page.get_by_role("main")).to_contain_text("A wrong passphrase was typed several times.")
