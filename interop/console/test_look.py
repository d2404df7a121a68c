"""Every page at two widths and in two themes: axe finds nothing, nothing is cut or overflows, and the keyboard reaches every control.

What each page has to show is made once: apps, requests that were allowed, denied and wait, a kit without a test, a locked signer.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass

import pytest
import pytest_asyncio
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.async_api import expect

from console.desk import NARROW, WIDE, Desk
from console.rust_app import RustApp
from harness.daemon import Home

PAGES = ["/", "/approvals", "/apps", "/apps/APP", "/pair", "/keys", "/keys/alice", "/keys/alice/receipt", "/recovery", "/backup"]
PAGES += [
    "/activity",
    "/activity?since=3600&until=7200",
    "/security",
    "/security/vault",
    "/security/console",
    "/settings",
    "/relays",
    "/phone",
    "/more",
    "/welcome",
]
LOOKS = [("wide, light", WIDE, "light"), ("wide, dark", WIDE, "dark"), ("narrow, light", NARROW, "light"), ("narrow, dark", NARROW, "dark")]

MOST_TABS = 250
REPEATED = 30
"""So many known controls in a row: the focus went round. A page that was redrawn sends it to the top once."""

FITS = """() => {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} px wide in a window of ${root.clientWidth}`);
  const scrolls = (element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('svg, .unseen, [hidden], .skip') || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (hasText && element.scrollWidth > element.clientWidth + 1 && style.display !== 'inline' && style.textOverflow !== 'ellipsis'
        && !scrolls(element)) faults.push(`cut: ${element.className} “${element.textContent.trim().slice(0, 60)}”`);
    const box = element.getBoundingClientRect();
    // What a row cuts with an ellipsis is not seen outside of it.
    if (style.display === 'inline' && getComputedStyle(element.parentElement).textOverflow === 'ellipsis') continue;
    if (hasText && (box.right > root.clientWidth + 1 || box.left < -1) && !element.closest('pre')) {
      faults.push(`outside: ${element.className} “${element.textContent.trim().slice(0, 60)}”`);
    }
    const frame = element.parentElement.closest('.card, .map-box, button, .button, dialog')?.getBoundingClientRect();
    if (hasText && frame && (box.right > frame.right + 1 || box.left < frame.left - 1) && !element.closest('pre')) {
      faults.push(`outside its box: ${element.className} “${element.textContent.trim().slice(0, 60)}”`);
    }
  }
  return faults;
}"""

BROKEN_WORDS = """() => {
  const faults = [], range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const parent = node.parentElement;
    if (!parent.checkVisibility() || parent.closest('.unseen, code, pre, .whole, .key, svg, script, noscript, textarea, .skip')) continue;
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}]{2,18}/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top)));
      if (tops.size > 1) faults.push(`broken: “${word}” in “${node.data.trim().slice(0, 60)}”`);
    }
  }
  return faults;
}"""

CONTROLS = """() => {
  window.reached = new Set();
  window.named = (element) => `${element.tagName} ${(element.ariaLabel ?? (element.textContent.trim() || element.labels?.[0]?.textContent
    || element.placeholder || "")).slice(0, 60)}`;
  document.activeElement?.blur();
}"""

PRESSED = """() => {
  const now = document.activeElement, name = window.named(now);
  const wasReached = now !== document.body && window.reached.has(now);
  window.reached.add(now).add(name);
  return wasReached;
}"""

UNREACHED = """() => {
  const controls = 'a[href], button, input, select, textarea, summary, [role=link], [tabindex="0"]';
  const isReached = (element) => window.reached.has(element) || window.reached.has(window.named(element))
    || (element.type === 'radio' && [...window.reached].some((one) => one.name === element.name));
  return [...document.querySelectorAll(controls)].filter((element) => element.checkVisibility() && !element.disabled
    && !element.closest('.unseen') && !isReached(element)).map(window.named);
}"""


@dataclass
class Shown:
    """A signer that has something for every page."""

    daemon: object
    app: str


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shown():
    home = Home.created()
    daemon = home.start(relays=("ws://127.0.0.1:9/",))
    apps = []
    for name, trust in [("Coracle", "full"), ("An app with a rather long name, for the phone", "low")]:
        app = await RustApp.paired(daemon.pair(trust).text)
        daemon.do("client", "rename", app.key, name)
        apps.append(app)
    await apps[0].signs("Hello")
    apps[1].asks_to_sign("A note that waits. " * 12)
    apps[1].asks_to_sign('{"name":"Alice","about":"sailor"}', 0)
    secret = ("--passphrase-file", str(home.passphrase_file))
    home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *secret, check=True)
    signer = next(one["signer"] for one in daemon.do("client", "list")["clients"] if one["name"] == "Coracle")
    yield Shown(daemon, signer)
    for app in apps:
        await app.close()
    daemon.kill()
    home.remove()


async def open_page(desk: Desk, route: str, app: str) -> None:
    """Opens a page and waits until it has drawn itself: nothing is in its place any more, and it asks for nothing."""
    await desk.go("/none" if route == "/" else "/")
    await desk.go(route.replace("APP", app))
    await expect(desk.page.locator("main h1")).to_be_visible()
    await expect(desk.page.locator("main .skeleton:visible, main .settling")).to_have_count(0)
    await desk.page.wait_for_load_state("networkidle")


async def findings(desk: Desk) -> list[str]:
    """What axe says, and what is cut, outside or broken."""
    if not await desk.page.evaluate("() => Boolean(window.axe)"):
        await desk.page.evaluate(AXE_FILE_PATH.read_text())
    axe = await desk.page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations']})).violations.flatMap((one) => one.nodes.map((node) => "
        "`${one.id}: ${node.target} ${node.failureSummary.split('\\n')[1] ?? ''}`))"
    )
    return axe + await desk.page.evaluate(FITS) + await desk.page.evaluate(BROKEN_WORDS)


@pytest.mark.parametrize(("name", "viewport", "theme"), LOOKS, ids=[look[0] for look in LOOKS])
async def test_every_page_is_whole_and_accessible(open_desk, shown, name, viewport, theme):
    desk = await open_desk(shown.daemon, viewport=viewport, color_scheme=theme, reduced_motion="reduce", bypass_csp=True)
    found = {}
    for route in PAGES:
        await open_page(desk, route, shown.app)
        if faults := await findings(desk):
            found[route] = faults
    assert not found, f"{name}:\n" + "\n".join(f"{route}: {fault}" for route, faults in found.items() for fault in faults)


async def test_the_keyboard_reaches_every_control(open_desk, shown):
    desk = await open_desk(shown.daemon, reduced_motion="reduce")
    found = {}
    for route in PAGES:
        await open_page(desk, route, shown.app)
        await desk.page.evaluate(CONTROLS)
        repeated = 0
        for _ in range(MOST_TABS):
            await desk.page.keyboard.press("Tab")
            repeated = repeated + 1 if await desk.page.evaluate(PRESSED) else 0
            if repeated == REPEATED:
                break
        if missed := await desk.page.evaluate(UNREACHED):
            found[route] = missed
    assert not found, found


async def test_the_frame_says_the_state_and_locks_with_one_press(open_desk, daemon):
    daemon.do("session", "set", "--lock-after", "10m")
    desk = await open_desk(daemon)
    state = desk.page.get_by_role("group", name="The signer")
    await expect(state).to_contain_text(re.compile("Unlocked.*locks in (9|10) minutes"))
    await desk.go("/apps")
    await state.get_by_role("button", name="Lock the signer").click()
    await expect(state).to_contain_text("Locked")
    assert daemon.do("status")["locked"] and daemon.do("status")["locks_at"] is None
    await state.get_by_role("button", name="Unlock the signer").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("passphrase").fill(daemon.home.passphrase_file.read_text().strip())
    await dialog.get_by_role("button", name="Unlock", exact=True).click()
    await expect(state).to_contain_text("Unlocked")


async def test_after_a_lockdown_is_resumed_nothing_says_that_it_still_is(open_desk, daemon):
    daemon.do("panic")
    desk = await open_desk(daemon)
    await desk.go("/")
    await expect(desk.page.get_by_role("main")).to_contain_text("The signer is locked down")
    state = desk.page.get_by_role("group", name="The signer")
    # One button resumes: that of the page, or where the page has none, that of the frame.
    await expect(state).to_contain_text("Locked down")
    await expect(desk.page.get_by_role("button", name="Resume")).to_have_count(1)
    await desk.go("/settings")
    await expect(desk.page.get_by_role("heading", name="Settings", level=1)).to_be_visible()
    await state.get_by_role("button", name="Resume the signer").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("passphrase").fill(daemon.home.passphrase_file.read_text().strip())
    await dialog.get_by_role("button", name="Resume", exact=True).click()
    await expect(state).to_contain_text("Unlocked")
    await desk.go("/")
    await expect(desk.page.get_by_role("main")).not_to_contain_text("locked down")


async def test_a_lockdown_stops_every_app_and_none_asks_for_everything(open_desk, daemon, pair_app):
    app = await pair_app("Coracle", trust="full")
    daemon.do("panic")
    desk = await open_desk(daemon)
    for route in ("/", "/apps"):
        await desk.go(route)
        row = desk.page.get_by_role("main").get_by_role("link", name="Coracle")
        await expect(row).to_contain_text("stopped by the lockdown, gets no answer")
        await expect(row).not_to_contain_text("paused")
        await expect(desk.page.get_by_role("main")).not_to_contain_text("asks you for everything")
    await row.click()
    main = desk.page.get_by_role("main")
    await expect(main).to_contain_text("The signer is locked down. No app gets an answer until you resume.")
    await expect(main).not_to_contain_text("This app is paused.")
    await main.get_by_role("button", name="Resume…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("passphrase").fill(daemon.home.passphrase_file.read_text().strip())
    await dialog.get_by_role("button", name="Resume", exact=True).click()
    await expect(main).not_to_contain_text("locked down")
    assert (await app.signs("Going on")).content() == "Going on"


async def test_each_part_of_security_has_a_tab_and_one_place_in_the_menu(open_desk, daemon):
    desk = await open_desk(daemon)
    menu = desk.page.get_by_role("navigation", name="Pages")
    tabs = desk.page.get_by_role("navigation", name="Parts of Security")
    await menu.get_by_role("link", name="Security").click()
    await expect(tabs.locator("[aria-current]")).to_have_text("Overview")
    for part, heading in [
        ("Overview", "What opens your keys"),
        ("Ways in", "Ways to unlock"),
        ("Recovery kits", "Guardians"),
        ("Backups", "Scheduled backups"),
        ("Console", "Signed-in browsers"),
    ]:
        await tabs.get_by_role("link", name=part).click()
        await expect(desk.page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        await expect(tabs.locator("[aria-current]")).to_have_text(part)
        await expect(menu.locator("[aria-current]:visible")).to_have_text("Security")
    await menu.get_by_role("link", name="Home").click()
    await expect(menu.locator("[aria-current]:visible")).to_have_text("Home")


async def test_a_dialog_does_not_survive_its_page(open_desk, daemon):
    desk = await open_desk(daemon)
    for route in ("/approvals", "/security"):
        await desk.go("/security")
        await desk.page.get_by_role("button", name="Lock everything down…").click()
        await expect(desk.page.get_by_role("dialog")).to_be_visible()
        await desk.go("/keys" if route == "/security" else route)
        await expect(desk.page.get_by_role("dialog")).to_have_count(0)


async def test_what_was_said_before_a_sign_in_is_gone_after_it(open_desk, daemon):
    desk = await open_desk(daemon)
    desk.expected.append(re.compile("status of 401"))
    await desk.go("/security")
    await desk.page.get_by_role("button", name="Lock everything down…").click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="Lock everything down").click()
    await expect(desk.page.get_by_text("Sign in again to resume.")).to_be_visible()
    await desk.sign_in()
    # Less than the time after which a notice goes by itself.
    await expect(desk.page.get_by_text("Sign in again to resume.")).to_have_count(0, timeout=1_000)


async def test_why_everybody_is_signed_out_is_said_although_the_sign_out_is_noticed_last(open_desk, daemon):
    """The answer may come before the live connection ends: then the sign-in page takes the place of one that said so already."""
    desk = await open_desk(daemon, service_workers="block")
    desk.expected.append(re.compile("status of 401"))
    desk.may_lose_connection = True
    locked = {"ok": True, "result": {"locked": True, "suspended": True}}
    await desk.page.route("**/api/v1/panic", lambda route: route.fulfill(json=locked))
    await desk.go("/security")
    await desk.page.get_by_role("button", name="Lock everything down…").click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="Lock everything down").click()
    farewell = desk.page.get_by_text("Sign in again to resume.")
    await expect(farewell).to_be_visible()
    daemon.do("panic")
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()
    await expect(farewell).to_be_visible()
    await desk.sign_in()
    await expect(farewell).to_have_count(0, timeout=1_000)


async def test_a_backdrop_reaches_the_windows_edge(open_desk, daemon):
    """Headless Chromium draws no scroll bar: its room is what is left of the window beside the page."""
    desk = await open_desk(daemon)
    await desk.go("/security")
    await desk.page.get_by_role("button", name="Lock everything down…").click()
    ground = "() => [getComputedStyle(document.documentElement), getComputedStyle(document.body)].map((one) => one.backgroundColor)"
    root, body = await desk.page.evaluate(ground)
    assert root != body, "the room of the scroll bar is as dark as the rest"
    assert await desk.page.evaluate("() => getComputedStyle(document.documentElement).overflowY") == "hidden"


async def test_an_age_is_right_at_once_when_a_page_comes_back_in_sight(open_desk, shown):
    """A browser may let the timers of a page that is out of sight stand still for minutes."""
    desk = await open_desk(shown.daemon, at="/approvals")
    age = desk.page.locator("main time").first
    await expect(age).to_be_visible()
    now = """(age) => {
      age.dateTime = new Date(Date.now() - 3 * 3_600_000).toISOString();
      document.dispatchEvent(new Event('visibilitychange'));
      return age.textContent;
    }"""
    assert await age.evaluate(now) == "3 hours ago"


async def test_a_notice_is_above_an_open_dialog(open_desk, daemon):
    desk = await open_desk(daemon)
    await desk.go("/security")
    await desk.page.get_by_role("button", name="Lock everything down…").click()
    await expect(desk.page.get_by_role("dialog")).to_be_visible()
    await desk.page.evaluate("async () => (await import('/dom.js')).notice('Something else happened.')")
    notice = desk.page.get_by_text("Something else happened.")
    await expect(notice).to_be_visible()
    assert await desk.page.evaluate("() => document.getElementById('notices').matches(':popover-open')")


async def test_home_lists_what_is_to_do_until_it_is_done(open_desk, daemon):
    desk = await open_desk(daemon)
    await desk.go("/")
    checklist = desk.page.locator("section").filter(has=desk.page.get_by_role("heading", name="Before you rely on it"))
    await expect(checklist.get_by_role("link")).to_have_count(5)
    titles = checklist.locator(".rows strong")
    needed = ["A second way in", "A fresh backup"]
    more = ["A recovery kit that was tested", "A relay beyond this machine", "When it locks by itself"]
    await expect(titles).to_have_text(needed + more)
    await expect(checklist.get_by_role("heading", name="Recommended")).to_be_visible()
    await expect(checklist.get_by_text(re.compile("^0 of [23] done$"))).to_have_text(["0 of 2 done", "0 of 3 done"])
    await checklist.get_by_role("link", name=re.compile("A recovery kit that was tested")).click()
    await expect(desk.page.get_by_role("heading", name="Recovery kits", level=1)).to_be_visible()
    secret = ("--passphrase-file", str(daemon.home.passphrase_file))
    daemon.home.cli("recovery", "create", "--threshold", "2", "--shares", "3", *secret, check=True)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
        daemon.do("backup", "create", copy := f"{elsewhere}/copy")
        daemon.home.cli("backup", "verify", copy, *secret, check=True)
    await desk.go("/")
    # A kit that was made has to be tested. What is done comes after it, and the rest stays optional.
    await expect(checklist.get_by_text(re.compile("^[0-9] of [0-9] done$"))).to_have_text(["2 of 3 done", "0 of 2 done"])
    await expect(checklist.get_by_role("link")).to_have_count(3)
    await expect(titles).to_have_text([more[0], *needed, *more[1:]])


async def test_the_picture_says_what_red_means_and_has_what_mends_it(open_desk, daemon):
    desk = await open_desk(daemon, at="/security")
    main = desk.page.get_by_role("main")
    await expect(main).to_contain_text("Red: only one way opens this key. If you lose that way, nobody can open the key again.")
    await expect(main.locator("a.map-box.risk").last).to_contain_text("one way in")
    await main.get_by_role("link", name="Add a second way").click()
    await expect(desk.page.get_by_role("heading", name="Ways in", level=1)).to_be_visible()


async def test_security_vault_and_receipt_agree_on_what_was_tried(open_desk, shown):
    desk = await open_desk(shown.daemon)
    await desk.go("/security")
    picture = desk.page.locator("figure.map")
    await expect(picture.get_by_role("link", name=re.compile("Passphrase tried"))).to_be_visible()
    await expect(picture.get_by_role("link", name=re.compile("Recovery kit never tried"))).to_be_visible()
    await expect(desk.page.locator("path.link-line.untried").first).to_be_attached()
    await expect(desk.page.get_by_text("Each key has more than one way in.")).to_be_visible()
    await desk.go("/security/vault")
    await expect(desk.page.get_by_role("main").get_by_text("never used or tested")).to_have_count(1)
    await desk.go("/keys/alice/receipt")
    await expect(desk.page.get_by_role("main").get_by_text("Something that should open this key was never tried.")).to_be_visible()
