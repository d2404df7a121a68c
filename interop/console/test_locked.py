"""While the signer is locked, pages that need it open say so once, and what a person does goes on after the unlocking."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from console.desk import NARROW, WIDE
from harness.daemon import PASSPHRASE

WORDS = {
    "/pair": "Pausing and revoking apps works while it is locked.",
    "/backup": "Scheduled backups are made while the signer is locked, too.",
    "/keys": "You can see what is public about your keys.",
    "/keys/alice": "You can see what is public about your keys.",
}


def panel(desk):
    return desk.page.locator("section.card", has=desk.page.get_by_role("heading", name="The signer is locked"))


async def unlock(desk, button: str) -> None:
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Your vault’s passphrase").fill(PASSPHRASE)
    await dialog.get_by_role("button", name=button, exact=True).click()
    await expect(dialog).to_have_count(0)


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("route", WORDS)
async def test_a_page_that_needs_the_signer_open_says_so_once_and_opens_it(open_desk, daemon, route, viewport):
    desk = await open_desk(daemon, viewport=viewport)
    await desk.go(route)
    await expect(desk.page.get_by_role("heading", level=1)).not_to_have_text("Home")
    await expect(panel(desk)).to_have_count(0)
    daemon.do("lock")
    await expect(panel(desk)).to_have_count(1)
    await expect(panel(desk)).to_contain_text(WORDS[route])
    assert await desk.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"
    await panel(desk).get_by_role("button", name="Unlock…").click()
    await unlock(desk, "Unlock")
    await expect(panel(desk)).to_have_count(0)
    assert daemon.do("status")["locked"] is False


async def test_the_page_of_backups_is_whole_again_once_it_is_unlocked(open_desk, daemon, tmp_path):
    daemon.do("backup", "create", str(tmp_path / "b.hfb"))
    daemon.do("lock")
    desk = await open_desk(daemon)
    await desk.go("/backup")
    await expect(panel(desk)).to_have_count(1)
    await expect(desk.page.get_by_role("heading", name="Scheduled backups")).to_be_visible()
    await expect(desk.page.get_by_text("The log cannot be read")).to_have_count(0)
    await panel(desk).get_by_role("button", name="Unlock…").click()
    await unlock(desk, "Unlock")
    await expect(desk.page.get_by_text("The log cannot be read")).to_have_count(0)
    await expect(desk.page.get_by_role("heading", name="Scheduled backups")).to_be_visible()


async def test_after_a_cancelled_unlock_a_form_offers_to_unlock_and_names_no_command(desk, daemon, pair_app):
    await pair_app("Coracle")
    await desk.go("/pair")
    make = desk.page.get_by_role("button", name="Make a link")
    await expect(make).to_be_visible()
    daemon.do("lock")
    await expect(panel(desk)).to_be_visible()
    await make.click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Cancel").click()
    alert = desk.page.get_by_role("alert")
    await expect(alert).to_have_text("Unlock the signer to do this. Unlock…")
    await alert.get_by_role("button", name="Unlock…").click()
    await unlock(desk, "Unlock")
    await expect(alert).to_have_count(0)
    await make.click()
    await expect(desk.page.locator("code.link")).to_be_visible()


async def test_the_accounts_of_words_are_shown_once_it_is_unlocked(desk, daemon):
    await desk.go("/keys/alice")
    shows = desk.page.get_by_role("button", name="Show the accounts")
    await expect(shows).to_be_visible()
    daemon.do("lock")
    await expect(panel(desk)).to_be_visible()
    await shows.click()
    await expect(desk.page.get_by_role("dialog")).to_contain_text("Once it is unlocked, the accounts are shown.")
    await unlock(desk, "Unlock and continue")
    await expect(desk.page.get_by_text("Account 0: alice")).to_be_visible()


async def test_during_a_lockdown_the_page_for_pairing_says_only_that(desk, daemon):
    desk.expected.append(re.compile("status of 401"))
    await desk.go("/pair")
    daemon.do("panic")
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()
    await desk.sign_in()
    await desk.go("/pair")
    await expect(desk.page.get_by_role("heading", name="The signer is locked down")).to_be_visible()
    await expect(panel(desk).filter(visible=True).filter(has_text="To give an app access")).to_have_count(0)


async def test_a_sign_out_during_a_pages_loading_shows_the_sign_in_and_nothing_else(desk, daemon):
    desk.expected.append(re.compile("status of 401"))
    signed_out = {"error": "You are not signed in.", "exit": 4}

    async def ended(route) -> None:
        daemon.do("panic")
        await route.fulfill(status=401, json=signed_out)

    await desk.page.route("**/api/v1/pair/list", ended)
    await desk.go("/pair")
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_a_list_that_cannot_be_loaded_says_why_on_its_page(desk):
    desk.expected.append(re.compile("status of 500"))
    broken = {"error": "The list could not be read.", "exit": 1}
    await desk.page.route("**/api/v1/pair/list", lambda route: route.fulfill(status=500, json=broken))
    await desk.go("/pair")
    await expect(desk.page.get_by_role("alert").filter(has_text="The list could not be read.")).to_be_visible()
