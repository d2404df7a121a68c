"""Programs on this machine, as the console shows them: let in by an approval, trusted with their scripts, and revoked."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from harness.local_program import Connection


@pytest.fixture
def program(daemon):
    """The interpreter of these tests, which runs any script."""
    connection = Connection(daemon.home)
    yield connection
    connection.end()


async def test_an_approval_says_that_it_lets_the_program_in(desk, program):
    program.send("getPublicKey")
    await desk.go("/approvals")
    card = desk.card("Learn your public key")
    await desk.open_card(card)
    await expect(card).to_contain_text("on this machine")
    await expect(card).to_contain_text("An approval also lets it in")
    await expect(card).to_contain_text("from then on its trust and your rules decide what it asks")
    await expect(card.get_by_role("link", name="Its rules")).to_be_visible()
    await desk.answer("Learn your public key", "Let it in and approve")
    assert program.read()["result"]


async def test_more_trust_for_an_interpreter_is_trust_in_every_script(desk, program):
    program.send("getPublicKey")
    await desk.go("/apps")
    row = desk.page.get_by_role("main").get_by_role("link").filter(has_text="on this machine")
    await row.click()
    await desk.page.get_by_role("radio", name=re.compile("Full")).check()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Every script of yours that runs in this program gets this trust.")
    await dialog.get_by_role("button", name="Cancel").click()


async def test_a_revoked_program_is_asked_about_as_at_its_first_use(desk, program):
    program.send("getPublicKey")
    await desk.go("/apps")
    await desk.page.get_by_role("main").get_by_role("link").filter(has_text="on this machine").click()
    before = desk.daemon.do("local", "list")["programs"][0]["signer"]
    await desk.page.get_by_role("button", name="Revoke…").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("It may do nothing any more. If it asks again, you are asked as at its first use.")
    await dialog.get_by_role("button", name="Revoke").click()
    await expect(desk.page.locator("#notices")).to_contain_text("is revoked.")
    await expect(desk.page.get_by_text("not let in yet")).to_be_visible()
    [listed] = desk.daemon.do("local", "list")["programs"]
    assert listed["first_use"] is True and listed["signer"] != before
