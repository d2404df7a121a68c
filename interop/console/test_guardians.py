"""Guardians in the page: who keeps what, and whether shares are taken from others."""

from __future__ import annotations

import nostr_sdk as sdk
from playwright.async_api import expect

from console.desk import NARROW
from console.test_passkey_unlock import shown
from harness.waiting import until


def npub() -> str:
    return sdk.Keys.generate().public_key().to_bech32()


async def test_shares_are_taken_only_when_the_owner_says_so(desk):
    await desk.go("/recovery")
    await expect(desk.page.get_by_text("You have no guardians")).to_be_visible()
    await expect(desk.page.get_by_text("You keep no shares for others.")).to_be_visible()
    take = desk.page.get_by_label("Take shares from others")
    await expect(take).not_to_be_checked()
    await take.check()
    await desk.page.reload()
    await expect(desk.page.get_by_label("Take shares from others")).to_be_checked()
    assert desk.daemon.do("guardian", "held")["listening"] is True


async def test_a_guardian_is_given_a_share_and_is_listed_until_removed(desk):
    home = desk.daemon.home
    secret = ("--passphrase-file", str(home.passphrase_file))
    shares = home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *secret, check=True).value["shares"]
    await desk.go("/recovery")
    await desk.page.get_by_role("button", name="Add a guardian…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Their public key").fill(npub())
    await dialog.get_by_label("The share they get").fill(shares[0].replace(" ", " acid ", 1))
    await shown(desk, "Send it")
    await expect(dialog.get_by_role("alert")).to_be_visible()
    await dialog.get_by_label("The share they get").fill(shares[0])
    await shown(desk, "Send it")
    await expect(desk.page.get_by_text("The share is on its way.")).to_be_visible()
    # The code for the owner's papers, then and whenever it is wanted.
    code = await dialog.locator("strong.key").text_content()
    await dialog.get_by_role("button", name="I have it").click()
    await desk.page.get_by_role("button", name="Request code").click()
    await expect(dialog.locator("strong.key")).to_have_text(code)
    await dialog.get_by_role("button", name="I have it").click()
    row = desk.page.get_by_role("listitem").filter(has_text="npub1")
    await expect(row).to_contain_text("has not confirmed it yet")
    await expect(row).to_contain_text("waits 3 days before")
    await row.get_by_role("button", name="Remove…").click()
    await shown(desk, "Remove", "not the passphrase")
    await expect(dialog.get_by_role("alert")).to_be_visible()
    await shown(desk, "Remove")
    await expect(desk.page.get_by_text("You have no guardians")).to_be_visible()


async def test_a_share_that_is_asked_for_shows_the_code_and_waits_for_a_yes(scene, people, open_desk):  # noqa: F811
    owner, guardian = scene
    newcomer = people()
    asked = newcomer("guardian", "ask", guardian.npub, owner.kit, "--note", "my laptop is gone", check=True).value
    until(guardian.requests, "the guardian sees the request")
    desk = await open_desk(guardian.daemon, at="/recovery", viewport=NARROW)
    card = desk.page.locator("section").filter(has=desk.page.get_by_role("heading", name="A share is asked for"))
    await expect(card).to_contain_text(asked["code"])
    await expect(card).to_contain_text("They write: “my laptop is gone”")
    await expect(card).to_contain_text("They proved nothing")
    await card.get_by_role("button", name="Agree…").click()
    await expect(desk.page.get_by_role("dialog")).to_contain_text(asked["code"])
    dialog = desk.page.get_by_role("dialog")
    await shown(desk, "It is them", "not the passphrase")
    await expect(dialog.get_by_role("alert")).to_be_visible()
    assert guardian.requests()[0]["state"] == "waiting"
    await shown(desk, "It is them")
    await expect(desk.page.get_by_text("The share is given when the waiting time is over.")).to_be_visible()
    await expect(desk.page.get_by_text("You keep no shares for others.")).to_have_count(0)
    until(lambda: newcomer.asked()[0]["state"] == "given", "the share comes back")


async def test_the_owner_stops_from_the_page_who_asks_in_their_name(scene, people, open_desk):  # noqa: F811
    owner, guardian = scene
    thief = people()
    code = owner("guardian", "code", owner.kit, check=True).value["code"]
    thief("guardian", "ask", guardian.npub, owner.kit, "--note", "it is me", "--code", code, check=True)
    until(owner.requests, "the owner hears of it")
    desk = await open_desk(owner.daemon, at="/recovery")
    card = desk.page.locator("section").filter(has=desk.page.get_by_role("heading", name="A share is asked for"))
    await expect(card).to_contain_text("If you did not ask, stop it.")
    await expect(card.get_by_role("button", name="Agree…")).to_have_count(0)
    await card.get_by_role("button", name="Stop it").click()
    await expect(desk.page.get_by_text("Stopped.")).to_be_visible()
    until(lambda: not guardian.requests(), "the guardian is told")
