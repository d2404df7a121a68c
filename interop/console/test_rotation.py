"""A key gives way to another from its page: the plan is seen before anything is done."""

from __future__ import annotations

from playwright.async_api import expect

from console.test_passkey_unlock import shown


async def test_the_plan_is_shown_first_and_only_then_done(desk, rust_relay):
    def names():
        return {one["name"]: one["retired"] for one in desk.daemon.do("identity", "list")["identities"]}

    await desk.go("/keys/alice")
    await desk.page.get_by_role("button", name="Plan a new key…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Relays where it is read").fill(rust_relay.url)
    await dialog.get_by_role("button", name="Show the plan").click()
    await expect(desk.page.get_by_role("heading", name="What is published")).to_be_visible()
    main = desk.page.get_by_role("main")
    await expect(main).to_contain_text("A statement that names the new key, signed by the old key")
    await expect(main).to_contain_text("alice-2")
    await expect(main).to_contain_text("Private messages to the old key can only be read with it")
    assert names() == {"alice": False}, "a plan does nothing"
    await desk.page.get_by_role("button", name="Do it…").click()
    await dialog.get_by_label("Type the name").fill("alicia")
    await shown(desk, "Make the new key")
    await expect(dialog.get_by_role("alert")).to_contain_text("The name is not the same.")
    await dialog.get_by_label("Type the name").fill("alice")
    await shown(desk, "Make the new key")
    await expect(desk.page.get_by_text("The identity has a new key, and every relay has it.")).to_be_visible()
    assert names() == {"alice": True, "alice-2": False}
