"""The page says only what can be done: the only way in is not removed, and a trial is not locked."""

from __future__ import annotations

from playwright.async_api import expect

from console.test_recovery import make_kit


async def test_the_only_way_in_cannot_be_removed_and_the_page_says_why(desk):
    await desk.go("/security/vault")
    rows = desk.page.locator("li.slot")
    await expect(rows).to_have_count(1)
    remove = rows.get_by_role("button", name="Remove…")
    await expect(remove).to_be_disabled()
    await expect(remove).to_have_accessible_description("It is the only way in, so it cannot be removed. Add another one first.")
    await expect(rows).to_contain_text("It is the only way in, so it cannot be removed. Add another one first.")
    await make_kit(desk)
    await desk.go("/security/vault")
    await expect(rows).to_have_count(2)
    for row in await rows.all():
        await expect(row.get_by_role("button", name="Remove…")).to_be_enabled()
    await expect(desk.page.get_by_role("main")).not_to_contain_text("It is the only way in")


async def test_a_trials_page_of_security_speaks_of_no_lock(open_desk, start):
    daemon = start(trial=True)
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in(daemon.ready["signin"])
    await desk.go("/security")
    main = desk.page.get_by_role("main")
    await expect(main).to_contain_text("It answers your apps by your rules, as long as the trial runs.")
    await expect(main).not_to_contain_text("When you lock it")
    await expect(main.get_by_role("button", name="Lock now")).to_have_count(0)
