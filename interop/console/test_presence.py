"""Keys that are never kept: each use asks for the owner, in the page, for that one."""

from __future__ import annotations

import pytest_asyncio
from playwright.async_api import expect

from console.authenticator import Authenticator
from console.rust_app import signed
from console.sheets import sheet_field
from console.test_passkey_unlock import enrol, make_passkey, owner, shown, slot  # noqa: F401  the fixture


@pytest_asyncio.fixture(loop_scope="session")
async def coracle(pair_app):
    return await pair_app("Coracle")


def proof(desk) -> tuple[str, str]:
    return ("--passphrase-file", str(desk.daemon.home.passphrase_file))


async def choose_class(desk, title: str):
    """On the key's page. The dialog stays, for the proof."""
    await desk.go("/keys/alice")
    await desk.page.get_by_role("button", name="Change…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_role("radio", name=title).check()
    return dialog


async def by_passkey(desk, button: str) -> None:
    dialog = desk.page.get_by_role("dialog")
    choice = dialog.get_by_label("Prove that it is you")
    if await choice.count():
        await choice.select_option("passkey")
    await dialog.get_by_role("button", name=button, exact=True).click()


async def touched(not_this: Authenticator, this: Authenticator) -> None:
    """Which of the devices the owner's finger is on."""
    await not_this.send("setAutomaticPresenceSimulation", enabled=False)
    await this.send("setAutomaticPresenceSimulation", enabled=True)


def gone(desk):
    return expect(desk.page.get_by_role("dialog")).to_have_count(0)


async def test_each_use_takes_the_passphrase_and_only_the_right_one(desk, coracle):
    await choose_class(desk, "Passphrase each time")
    await shown(desk, "Change")
    await gone(desk)
    assert desk.daemon.do("identity", "show")["class"] == "device-passcode"
    await desk.go("/approvals")
    first = coracle.asks_to_sign("The first")
    await expect(desk.card("The first").locator(".risk").first).to_have_text("check it: this key asks for you")
    await desk.answer("The first", "Approve")
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog.get_by_role("heading", name="This key asks for you")).to_be_visible()
    await expect(dialog).to_contain_text("Coracle")
    await shown(desk, "Open it for this use", "not the passphrase")
    await expect(dialog.get_by_role("alert")).to_be_visible()
    assert not first.done(), "it waits"
    await shown(desk, "Open it for this use")
    assert (await signed(first)).content() == "The first"
    await gone(desk)
    second = coracle.asks_to_sign("The second")
    await desk.answer("The second", "Approve")
    await expect(dialog.get_by_role("heading", name="This key asks for you")).to_be_visible()
    assert not second.done(), "the key was put away after one use"
    await dialog.get_by_role("button", name="Cancel").click()
    await desk.answer("The second", "Deny")


async def test_another_passkey_shuts_what_takes_todays_until_a_recovery_kit_lets_it_in(owner, coracle):  # noqa: F811
    await enrol(owner, "Laptop")
    await choose_class(owner, "Today’s passkeys only")
    await by_passkey(owner, "Change")
    await gone(owner)
    await owner.go("/approvals")
    asked = coracle.asks_to_sign("By today's")
    await owner.answer("By today's", "Approve")
    await by_passkey(owner, "Open it for this use")
    assert (await signed(asked)).content() == "By today's"
    await gone(owner)

    # Without a kit the next passkey would shut it for good: that is refused.
    await owner.go("/security/vault")
    await owner.authenticator.send("setAutomaticPresenceSimulation", enabled=False)
    stick = await Authenticator.added(owner, transport="usb")
    await owner.page.get_by_role("button", name="Add a passkey…").click()
    await make_passkey(owner, "Stick")
    dialog = owner.page.get_by_role("dialog")
    await shown(owner, "Continue")
    await expect(dialog.get_by_role("alert")).to_contain_text("make a recovery kit")
    await dialog.get_by_role("button", name="Cancel").click()
    await gone(owner)
    kit = owner.daemon.home.cli("recovery", "create", "--threshold", "1", "--shares", "1", *proof(owner), check=True)
    await touched(stick, owner.authenticator)
    await slot(owner, "Laptop").get_by_role("button", name="Test").click()
    await dialog.get_by_role("button", name="Test").click()
    await expect(owner.page.get_by_text("It works.")).to_be_visible()
    await touched(owner.authenticator, stick)
    await owner.page.get_by_role("button", name="Add a passkey…").click()
    await dialog.get_by_role("button", name="Continue").click()
    await shown(owner, "Continue")
    await gone(owner)
    await expect(slot(owner, "Stick")).to_be_visible()

    # It is shut, and the page says how it opens.
    await owner.go("/approvals")
    asked = coracle.asks_to_sign("By the new one")
    await owner.answer("By the new one", "Approve")
    await by_passkey(owner, "Open it for this use")
    await expect(dialog.get_by_role("alert")).to_contain_text("A passkey or a finger was added or removed.")
    await expect(dialog.get_by_role("alert")).to_contain_text("recovery kit")
    await dialog.get_by_role("button", name="Cancel").click()
    assert not asked.done()

    await owner.go("/security/vault")
    await owner.page.get_by_text("For experts: the keys of the vault").click()
    await owner.page.get_by_role("button", name="Let in today’s passkeys…").click()
    await sheet_field(dialog).fill(kit.value["shares"][0])
    await dialog.get_by_role("button", name="Let them in").click()
    await expect(owner.page.get_by_text("Today’s passkeys are let in.")).to_be_visible()
    await owner.go("/approvals")
    await owner.answer("By the new one", "Approve")
    await by_passkey(owner, "Open it for this use")
    assert (await signed(asked)).content() == "By the new one"
