"""The list of apps says how much of each app waits, and leads there."""

from __future__ import annotations

from playwright.async_api import expect

from console.test_order import ask


async def test_each_app_says_how_much_of_it_waits_and_leads_there(desk, pair_app):
    coracle, wallet = await pair_app("Coracle"), await pair_app("Wallet")
    await ask(desk, coracle, (1, 0))
    await ask(desk, wallet, (1111,))
    await desk.go("/apps")
    row = desk.page.get_by_role("listitem").filter(has_text="Coracle")
    await expect(row.get_by_role("link", name="2 requests wait, 1 of them serious")).to_be_visible()
    await expect(desk.page.get_by_role("link", name="1 request waits", exact=True)).to_be_visible()
    await row.get_by_role("link", name="2 requests wait, 1 of them serious").click()
    await expect(desk.page.get_by_text("2 of 3 requests shown")).to_be_visible()
    await expect(desk.page.get_by_role("combobox", name="App", exact=True)).to_have_value(
        next(one["signer"] for one in desk.daemon.clients() if one["name"] == "Coracle")
    )
    await expect(desk.page.locator(".request:visible")).to_have_count(2)
    await ask(desk, wallet, (5,))
    await desk.go("/apps")
    await expect(desk.page.get_by_role("link", name="2 requests wait, 1 of them serious")).to_have_count(2)
