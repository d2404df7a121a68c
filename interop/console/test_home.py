"""Home shows what waits, in the order of Approvals, and leads to it."""

from __future__ import annotations

import re

import pytest
import pytest_asyncio
from playwright.async_api import expect

from console.desk import NARROW
from console.rust_app import RustApp
from harness.daemon import PASSPHRASE
from harness.waiting import eventually


@pytest_asyncio.fixture(loop_scope="session")
async def coracle(pair_app):
    """An app that asks for everything."""
    return await pair_app("Coracle")


async def test_home_marks_what_is_serious_and_has_the_order_of_approvals(desk, coracle):
    await desk.go("/")
    asked = []
    for kind in (1, 0, 30023, 1111, 3):
        asked.append(coracle.asks_to_sign(f"Of kind {kind}", kind))
        await eventually(lambda: len(desk.daemon.waiting()) == len(asked), "it waits")
    rows = desk.page.get_by_role("main").locator(".card.lively .rows > li")
    await expect(rows).to_have_count(3)
    await expect(rows.nth(0)).to_contain_text("Change your profile")
    await expect(rows.nth(0).locator(".risk")).to_have_text("serious: sets your whole profile")
    await expect(rows.nth(1).locator(".risk")).to_have_text("serious: sets your whole follow list")
    await expect(rows.nth(2).locator(".risk")).to_have_count(0)
    await expect(desk.page.get_by_text("and 2 more", exact=True)).to_be_visible()
    on_home = await rows.locator(".row-words span").all_inner_texts()
    await desk.go("/approvals")
    cards = desk.page.get_by_role("article")
    await expect(cards).to_have_count(5)
    for place, title in enumerate(on_home):
        await expect(cards.nth(place)).to_contain_text(title)


async def test_in_a_lockdown_no_page_offers_to_pair_an_app(open_desk, daemon):
    daemon.do("panic")
    desk = await open_desk(daemon)
    main = desk.page.get_by_role("main")
    for route in ("/", "/pair"):
        await desk.go(route)
        await expect(main.get_by_text("Resume the signer before you pair an app.")).to_be_visible()
    await expect(main.get_by_role("button", name="Make a link")).to_be_hidden()
    await desk.go("/apps")
    await expect(main).to_contain_text("No app is paired yet")
    await expect(main.get_by_role("link", name=re.compile("Pair"))).to_have_count(0)
    await desk.go("/")
    await expect(main.get_by_role("link", name=re.compile("Pair"))).to_have_count(0)


async def test_a_request_on_the_home_page_opens_that_request(desk, coracle):
    for kind in (0, 3, 10002, 5, 1):
        coracle.asks_to_sign(f"Of kind {kind}", kind=kind)
    await eventually(lambda: len(desk.daemon.waiting()) == 5, "all wait")
    meant = [one for one in desk.daemon.waiting() if one["risk"] == "grave"][1]
    await desk.go("/")
    await desk.page.locator(f"a[href='#/approvals?open={meant['id']}']").click()
    card = desk.page.locator("article.selected")
    await expect(card).to_contain_text(meant["title"])
    await expect(card).not_to_have_class(re.compile("closed"))
    await desk.page.keyboard.press("Escape")
    await expect(card).to_have_class(re.compile("closed"))


STATUS = """() => [...document.querySelectorAll('#state .state-words, main h1, main h2, main p')]
  .flatMap((one) => one.checkVisibility() ? [...one.childNodes].map(({ textContent }) => textContent) : [])
  .flatMap((text) => text.split(/[.:,;]/)).map((text) => text.trim().toLowerCase())
  .filter((text) => text.split(' ').length > 2 && /wiped|wait|served|lock|resume|answer/.test(text))"""


@pytest.mark.parametrize("state", ["unlocked", "locked", "locked down", "unlocked in a lockdown"])
async def test_no_status_is_said_twice_on_a_page(open_desk, daemon, home, state):
    """The frame says the state, and the page what that means; no two cards say the same."""
    commands = {"locked": ["lock"], "locked down": ["panic"], "unlocked in a lockdown": ["panic", "unlock"]}
    for command in commands.get(state, []):
        proof = ["--passphrase-file", str(home.passphrase_file)] if command == "unlock" else []
        assert home.cli(command, *proof).code == 0
    desk = await open_desk(daemon)
    for route, heading in (("/security", "Security"), ("/", "Home")):
        await desk.go(route)
        await expect(desk.page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        await expect(desk.page.locator("main .skeleton:visible")).to_have_count(0)
        said = await desk.page.evaluate(STATUS)
        assert sorted(set(said)) == sorted(said), route


async def test_home_says_that_all_apps_are_paused_until_they_are_resumed(desk, coracle, pair_app):
    await pair_app("Amethyst")
    for name in ("Coracle", "Amethyst"):
        desk.daemon.do("client", "suspend", name)
    await desk.go("/")
    banner = desk.page.get_by_role("heading", name="All apps are paused")
    await expect(banner).to_be_visible()
    await desk.page.get_by_role("button", name="Resume all…").click()
    await expect(desk.page.get_by_role("dialog")).to_contain_text("Coracle")
    await desk.page.get_by_role("dialog").get_by_role("button", name="Resume all").click()
    await expect(banner).to_have_count(0)
    assert [client["suspended"] for client in desk.daemon.clients()] == [False, False]


async def test_an_only_app_that_is_paused_is_said_on_its_row_alone(desk, coracle, pair_app):
    desk.daemon.do("client", "suspend", "Coracle")
    row = desk.page.get_by_role("main").get_by_role("link", name="Coracle")
    for route in ("/", "/apps"):
        await desk.go(route)
        await expect(row).to_contain_text("the only app is paused")
        await expect(desk.page.get_by_role("heading", name="All apps are paused")).to_have_count(0)
    await pair_app("Amethyst")
    await expect(row).to_contain_text("paused")
    await expect(row).not_to_contain_text("only app")


@pytest.mark.parametrize("after", ["never", "900"])
async def test_home_asks_once_when_the_signer_locks_by_itself(desk, after):
    """“Never” is right on a server, so that choice counts as well."""
    await desk.go("/")
    checklist = desk.page.locator("section").filter(has=desk.page.get_by_role("heading", name="Before you rely on it"))
    await checklist.get_by_role("link", name=re.compile("When it locks by itself")).click()
    await desk.page.get_by_label("If unused, it locks").select_option(after)
    await desk.page.get_by_role("button", name="Save").first.click()
    await expect(desk.page.get_by_text("Saved.")).to_be_visible()
    await desk.go("/")
    await expect(checklist.get_by_text("When it locks by itself")).to_be_visible()
    await expect(checklist.get_by_role("link", name=re.compile("When it locks by itself"))).to_have_count(0)


async def test_a_new_owner_who_signs_in_with_the_passphrase_is_welcomed(open_desk, unused):
    desk = await open_desk(unused, sign_in=False)
    await desk.page.goto(desk.origin)
    # What the browser keeps of an earlier vault, such as a trial, at this address.
    await desk.page.evaluate("() => { localStorage.setItem('welcomed', 'yes'); localStorage.setItem('welcomed 00000000', 'yes'); }")
    await desk.page.get_by_label("Your vault’s passphrase").fill(PASSPHRASE)
    await desk.page.get_by_role("button", name="Sign in", exact=True).click()
    await expect(desk.page.get_by_role("heading", name="Your identity on Nostr")).to_be_visible()
    # Whoever leaves these steps is led by Home, and not sent back.
    await desk.go("/home")
    await desk.page.reload()
    card = desk.page.locator("section.card").filter(has=desk.page.get_by_role("heading", name="Welcome to Holdfast"))
    await expect(card.get_by_role("link", name="1. Make or import an identity")).to_have_attribute("href", "#/welcome")
    await expect(card.get_by_role("link", name="3. Be safe from losing it")).to_contain_text("0 of 2 done")
    await card.get_by_role("link", name="2. Connect an app").click()
    await expect(desk.page.get_by_role("heading", name="Pair an app")).to_be_visible()
    await desk.go("/home")
    app = await RustApp.paired(unused.pair("low").text)
    await expect(desk.page.get_by_role("heading", name="1 app paired")).to_be_visible()
    await expect(card).to_have_count(0)
    await app.close()


async def test_each_step_of_the_first_run_begins_at_its_heading(open_desk, unused):
    desk = await open_desk(unused, viewport=NARROW, at="/welcome")
    steps = [
        ("Keep this one", "Keep a copy of the key"),
        ("Skip for now", "Pair your first app"),
        ("Skip for now", "When shall it lock by itself?"),
        ("Skip for now", "Sign in without a terminal"),
    ]
    for button, heading in steps:
        await desk.page.get_by_role("button", name=button).click()
        await expect(desk.page.get_by_role("heading", name=heading)).to_be_focused()
        assert await desk.page.evaluate("() => scrollY") == 0, heading


GAP = """([above, below]) => document.querySelector(below).getBoundingClientRect().top
  - document.querySelector(above).getBoundingClientRect().bottom"""


async def test_a_label_keeps_its_distance_from_what_stands_above(open_desk, daemon, unused):
    first = await open_desk(unused, at="/welcome")
    await first.page.get_by_role("button", name="Keep this one").click()
    await expect(first.page.get_by_label("Repeat the password")).to_be_visible()
    assert await first.page.evaluate(GAP, [".new-secret > .buttons", ".new-secret > .field:last-child"]) >= 12
    await first.close()
    desk = await open_desk(daemon)
    await desk.go("/keys/alice")
    await desk.page.get_by_role("button", name="Export…").click()
    await expect(desk.page.get_by_role("dialog").get_by_role("combobox", name="As")).to_be_visible()
    assert await desk.page.evaluate(GAP, ["dialog h2", "dialog form"]) >= 12
