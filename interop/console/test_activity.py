"""What was decided is found again, with the reason, and with a proof that a second program checks."""

from __future__ import annotations

from playwright.async_api import expect

from console.rust_app import refused, signed


async def test_a_decision_is_seen_with_its_reason_and_the_event_it_signed(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("For the record")
    await desk.answer("For the record", "Approve")
    event = await signed(asked)
    await desk.page.get_by_role("link", name="See activity").click()
    row = (
        desk.page.get_by_role("listitem")
        .filter(has_text="Coracle: Sign: note")
        .filter(has_text="you approved this request")
    )
    await expect(row).to_be_visible()
    await row.locator("summary").click()
    await expect(row.get_by_text(event.id().to_hex())).to_be_visible()


async def test_activity_is_live_searched_and_filtered(desk, pair_app):
    coracle, lantern = await pair_app("Coracle"), await pair_app("Lantern", trust="full")
    await desk.go("/activity")
    rows = desk.page.get_by_role("main").get_by_role("listitem")
    await lantern.signs("One")
    await expect(rows.filter(has_text="Lantern: Sign: note")).to_have_count(1)
    await lantern.signs("Two")
    await expect(rows.filter(has_text="Lantern: Sign: note")).to_have_count(2)
    refusing = coracle.asks_to_sign("Three")
    await expect(rows.filter(has_text="Coracle: Sign: note")).to_have_count(1)
    (waiting,) = desk.daemon.waiting()
    desk.daemon.do("request", "deny", waiting["id"])
    await refused(refusing)
    await desk.page.get_by_label("Decision").select_option("deny")
    await expect(rows.filter(has_text="you refused this request")).to_have_count(1)
    await expect(rows.filter(has_text="Lantern")).to_have_count(0)
    await desk.page.get_by_label("Decision").select_option("")
    await desk.page.get_by_label("App").select_option(label="Lantern")
    await expect(rows.filter(has_text="Coracle")).to_have_count(0)
    await expect(rows.filter(has_text="Lantern: Sign: note")).to_have_count(2)
    await desk.page.get_by_label("App").select_option("")
    await desk.page.get_by_label("Search").fill("refused coracle")
    await expect(rows).to_have_count(1)
    await desk.page.get_by_label("Search").fill("no such thing at all")
    await expect(desk.page.get_by_text("Nothing here matches")).to_be_visible()
    await desk.page.get_by_label("Search").fill("")
    await desk.page.get_by_label("Kind").fill("1")
    await expect(rows.filter(has_text="was paired")).to_have_count(0)
    await expect(rows.filter(has_text="Sign: note")).to_have_count(4)


async def test_more_entries_come_when_they_are_asked_for(desk, pair_app):
    lantern = await pair_app("Lantern", trust="full")
    for number in range(70):
        await lantern.signs(f"Number {number}")
    await desk.go("/activity")
    rows = desk.page.get_by_role("main").get_by_role("listitem")
    await expect(rows).to_have_count(60)
    await desk.page.get_by_role("button", name="Show more").click()
    await expect(rows.filter(has_text="The signer started")).to_have_count(1)
    await expect(rows.filter(has_text="Lantern: Sign: note")).to_have_count(70)
