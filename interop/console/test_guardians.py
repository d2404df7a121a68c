"""Guardians in the page: who keeps what, and whether shares are taken from others."""

from __future__ import annotations

import nostr_sdk as sdk
from playwright.async_api import expect

from console.test_passkey_unlock import shown


def npub() -> str:
    return sdk.Keys.generate().public_key().to_bech32()


async def test_shares_are_taken_only_when_the_owner_says_so(desk):
    await desk.go("/recovery")
    await expect(desk.page.get_by_text("You have none")).to_be_visible()
    await expect(desk.page.get_by_text("You keep no share for anybody.")).to_be_visible()
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
    row = desk.page.get_by_role("listitem").filter(has_text="npub1")
    await expect(row).to_contain_text("has not said yet that it is kept")
    await expect(row).to_contain_text("waits 3 days before")
    await row.get_by_role("button", name="Remove…").click()
    await dialog.get_by_role("button", name="Remove").click()
    await expect(desk.page.get_by_text("You have none")).to_be_visible()
