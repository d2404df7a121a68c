"""The page Relays: each relay with its state and who has the signer use it; one is tried and added, another left."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from console.desk import NARROW, WIDE
from console.rust_app import RustApp
from console.test_look import findings
from harness.daemon import run
from harness.waiting import eventually

AWAY = "ws://127.0.0.1:9"


def row(desk, relay: str):
    return desk.page.get_by_role("main").get_by_role("listitem").filter(has_text=relay)


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["desktop", "phone"])
async def test_the_menu_leads_to_the_relays_and_marks_them(open_desk, daemon, viewport):
    desk = await open_desk(daemon, viewport=viewport)
    menu = desk.page.get_by_role("navigation", name="Pages")
    if viewport == NARROW:
        await menu.get_by_role("link", name="More").click()
        await desk.page.get_by_role("main").get_by_role("link", name=re.compile("^Relays")).click()
    else:
        await menu.get_by_role("link", name="Relays", exact=True).click()
    await expect(desk.page.get_by_role("heading", name="Relays", level=1)).to_be_visible()
    await expect(menu.locator("[aria-current]:visible")).to_have_text("More" if viewport == NARROW else "Relays")


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["desktop", "phone"])
async def test_every_relay_shows_its_state_and_who_uses_it(open_desk, daemon, rust_relay, viewport):
    link = daemon.do("pair", "--relay", rust_relay.url, "--relay", AWAY)
    app = await RustApp.paired(link["bunker"])
    daemon.do("client", "rename", app.key, "Wanderer")
    unused = daemon.do("pair", "--relay", rust_relay.url)["pubkey"][:8]
    assert f"{rust_relay.url} (1 app, 1 unused link)" in run("relay", "list", "--home", str(daemon.home.path)).out
    desk = await open_desk(daemon, viewport=viewport, bypass_csp=True, reduced_motion="reduce")
    await desk.page.get_by_role("main").get_by_role("link", name="All relays", exact=True).click()
    await expect(desk.page.get_by_role("heading", name="Relays", level=1)).to_be_visible()
    there = row(desk, rust_relay.url)
    await expect(there).to_contain_text("connected")
    await expect(there).to_contain_text(re.compile(r"accepted the last answer after \d+ ms"))
    await expect(there.get_by_role("link", name="Wanderer")).to_be_visible()
    await expect(there.get_by_role("button", name=f"Cancel the link {unused}")).to_be_visible()
    away = row(desk, AWAY)
    await expect(away).to_contain_text(re.compile("not reachable, trying again since .*(now|second)"))
    await expect(away.get_by_role("link", name="Wanderer")).to_be_visible()
    own = row(desk, daemon.relay)
    await expect(own).to_contain_text("built into the signer")
    await expect(own).to_contain_text("in new links")
    await expect(own.get_by_role("button", name=re.compile("^Remove"))).to_have_count(0)
    assert await findings(desk) == []
    await app.close()


async def test_a_relay_is_away_since_it_was_lost_and_not_since_the_last_try(daemon, scripted_relay):
    daemon.do("pair", "--relay", AWAY)

    def seen() -> dict:
        return next(one for one in daemon.do("status")["relays"] if one["url"] == AWAY)

    await eventually(lambda: seen().get("away_since"), "the first try failed")
    first = seen()["away_since"]
    await eventually(lambda: seen()["since"] > first, "another try failed later")
    assert seen()["away_since"] == first


async def test_leaving_a_relay_names_the_apps_that_lose_their_way_and_revokes_them(desk, rust_relay):
    alone = await RustApp.paired(desk.daemon.do("pair", "--relay", rust_relay.url)["bunker"])
    both = await RustApp.paired(desk.daemon.do("pair", "--relay", rust_relay.url, "--relay", desk.daemon.relay)["bunker"])
    elsewhere = await RustApp.paired(desk.daemon.pair().text)
    for app, name in ((alone, "Hermit"), (both, "Wanderer"), (elsewhere, "Neighbour")):
        desk.daemon.do("client", "rename", app.key, name)
    desk.daemon.do("pair", "--relay", rust_relay.url)
    await desk.go("/relays")
    await row(desk, rust_relay.url).get_by_role("button", name="Remove ws").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog.get_by_role("list").first).to_have_text("Hermit")
    await expect(dialog.get_by_role("list").nth(1)).to_have_text("Wanderer")
    await expect(dialog).to_contain_text("1 link that no app has used is cancelled.")
    await expect(dialog).not_to_contain_text("Neighbour")
    await dialog.get_by_role("button", name="Revoke 2 apps and remove the relay").click()
    await expect(desk.page.get_by_text("No app and no link names that relay any more.")).to_be_visible()
    await expect(row(desk, rust_relay.url)).to_contain_text("Kept for a day for an app that is no longer paired.")
    await expect(row(desk, rust_relay.url).get_by_role("button", name=re.compile("^Remove"))).to_have_count(0)
    assert [client["name"] for client in desk.daemon.clients()] == ["Neighbour"]
    assert not any(rust_relay.url in link["relays"] for link in desk.daemon.do("pair", "--list")["links"])
    for app in (alone, both, elsewhere):
        await app.close()


async def test_the_last_link_through_a_relay_takes_the_relay_with_it(desk):
    desk.daemon.do("pair", "--relay", AWAY)
    await desk.go("/relays")
    await row(desk, AWAY).get_by_role("button", name="Remove ws").click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="Remove the relay").click()
    await expect(row(desk, AWAY)).to_have_count(0)


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["desktop", "phone"])
async def test_a_relay_is_tried_when_it_is_typed_and_taken_along_to_a_link(open_desk, daemon, viewport):
    desk = await open_desk(daemon, viewport=viewport, at="/relays")
    make = desk.page.get_by_role("button", name="Make a link through these")
    await make.click()
    await expect(desk.page.get_by_role("alert")).to_contain_text("Add a relay first")
    await desk.page.get_by_label("Another relay").fill("relay.invalid")
    await desk.page.keyboard.press("Enter")
    await expect(row(desk, "wss://relay.invalid")).to_contain_text("does not work")
    await expect(desk.page.locator("pre.command")).to_have_text(re.compile("^holdfast up .*--relay wss://relay.invalid$"))
    await make.click()
    await expect(desk.page.get_by_role("heading", name="Pair an app", level=1)).to_be_visible()
    await expect(row(desk, "wss://relay.invalid")).to_contain_text("does not work")
    # Chosen for one link only.
    await desk.go("/relays")
    await desk.go("/pair")
    await expect(desk.page.get_by_role("button", name="Add a relay")).to_be_visible()
    await expect(row(desk, "wss://relay.invalid")).to_have_count(0)


async def test_the_relays_of_the_start_stay_in_what_starts_the_signer(open_desk, start):
    desk = await open_desk(start(relays=(AWAY,)), at="/relays")
    away = row(desk, AWAY)
    await expect(away).to_contain_text("Named when the signer was started.")
    await expect(away.get_by_role("button", name=re.compile("^Remove"))).to_have_count(0)
    await expect(desk.page.locator("pre.command")).to_have_text(re.compile(f"^holdfast up --relay {AWAY} --listen "))
