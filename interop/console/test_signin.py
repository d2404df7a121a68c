"""Signing in: the one-time link, passkeys, and the sessions that come of them."""

from __future__ import annotations

import asyncio
import re

from playwright.async_api import expect

from console.authenticator import Authenticator
from console.desk import NARROW
from harness.daemon import PASSPHRASE
from harness.terminal import Terminal


async def test_a_link_signs_in_once_and_leaves_no_trace_in_the_address(open_desk, daemon):
    desk = await open_desk(daemon, sign_in=False)
    await desk.page.goto(desk.origin)
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()
    await desk.page.get_by_text("Sign in with a link from a terminal").click()
    await expect(desk.page.get_by_text(f"holdfast console --home {daemon.home.path}", exact=True)).to_be_visible()
    link = desk.link()
    await desk.page.goto(link)
    await expect(desk.page.get_by_role("navigation", name="Pages")).to_be_visible()
    token = link.split("signin=")[1]
    assert token not in desk.page.url
    assert token not in await desk.page.evaluate("() => document.documentElement.outerHTML + JSON.stringify({...localStorage})")
    await desk.page.go_back()
    assert token not in desk.page.url
    other = await open_desk(daemon, sign_in=False)
    other.expected.append(re.compile("401"))
    await other.page.goto(link)
    await expect(other.page.get_by_role("alert")).to_contain_text("already used")
    await expect(other.page.get_by_role("navigation", name="Pages")).to_be_hidden()


async def test_a_forgotten_passphrase_leads_to_the_sheets_of_the_kit(open_desk, daemon):
    desk = await open_desk(daemon, sign_in=False)
    await desk.page.goto(desk.origin)
    await desk.page.get_by_text("Forgot the passphrase?").click()
    await expect(desk.page.get_by_text("1. Bring the sheets together")).to_be_visible()
    # As it is typed: the folder is not the usual one.
    await expect(desk.page.get_by_text(f"holdfast recovery restore --home {daemon.home.path}", exact=True)).to_be_visible()
    await expect(desk.page.get_by_text("so that no web page can get hold of your sheets by looking like this one")).to_be_visible()


async def add_passkey(desk) -> None:
    """Adds the passkey “This laptop”, without PRF."""
    desk.expected.append(re.compile("pubKeyCredParams"))  # the browser would like RSA beside ES256
    await Authenticator.added(desk, prf=False)
    await desk.go("/security/console")
    await desk.page.get_by_role("button", name="Add a passkey").click()
    await desk.page.get_by_role("dialog").get_by_label("Name of the passkey").fill("This laptop")
    await desk.page.get_by_role("dialog").get_by_role("button", name="Continue").click()
    await expect(desk.page.get_by_text("This laptop")).to_be_visible()


async def test_a_passkey_is_added_and_signs_in(open_desk, daemon):
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in()
    await add_passkey(desk)
    await desk.page.get_by_role("button", name="Sign out here").click()
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()
    ways = [
        desk.page.get_by_role("button", name="Sign in with a passkey"),
        desk.page.get_by_label("Your vault’s passphrase"),
        desk.page.get_by_text("Sign in with a link from a terminal"),
    ]
    places = [(await way.bounding_box())["y"] for way in ways]
    assert places == sorted(places), "the usual way is first"
    await expect(desk.page.get_by_text("holdfast console", exact=True)).to_be_hidden()
    await expect(desk.page.get_by_text("The signer was restarted")).to_be_hidden()
    await desk.page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(desk.page.get_by_text(re.compile("by passkey "))).to_be_visible()
    await desk.page.get_by_role("button", name="Remove…").click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    await expect(desk.page.get_by_text("This laptop")).to_have_count(0)
    assert [entry["entry"] for entry in daemon.log_entries() if "passkey" in entry["entry"]] == [
        "passkeyAdded",
        "passkeyRemoved",
    ]


async def test_the_passphrase_signs_in_and_unlocks_on_the_signers_machine(open_desk, daemon):
    daemon.do("lock")
    desk = await open_desk(daemon, sign_in=False)
    await desk.page.goto(desk.origin)
    field = desk.page.get_by_label("Your vault’s passphrase")
    await expect(field).to_be_focused()
    await desk.page.get_by_text("Forgot the passphrase?").click()
    await expect(desk.page.get_by_text("holdfast recovery restore")).to_be_visible()
    await field.focus()
    await field.press("Enter")
    await expect(desk.page.get_by_role("alert")).to_contain_text("Type the passphrase")
    await field.fill("wrong")
    await field.press("Enter")
    await expect(desk.page.get_by_role("alert")).to_contain_text("wrong")
    await expect(field).to_have_value("")
    await expect(desk.page.get_by_role("navigation", name="Pages")).to_be_hidden()
    await field.fill(PASSPHRASE)
    await desk.page.get_by_role("button", name="Sign in", exact=True).click()
    await expect(desk.page.get_by_role("navigation", name="Pages")).to_be_visible()
    await expect(desk.page.get_by_text("Signed in, and the keys are open.")).to_be_visible()
    assert daemon.do("status")["locked"] is False
    await desk.go("/security/console")
    await expect(desk.page.get_by_text(re.compile("by passphrase "))).to_be_visible()
    entries = [(entry["entry"], entry.get("rule")) for entry in daemon.log_entries()]
    assert ("signedIn", "passphrase") in entries
    assert [name for name, _ in entries if name in ("vaultOpenFailed", "unlocked")] == ["vaultOpenFailed", "unlocked"], "one attempt each"


async def test_the_passphrase_signs_in_but_ends_no_lockdown(open_desk, daemon):
    daemon.do("panic")
    desk = await open_desk(daemon, sign_in=False)
    await desk.page.goto(desk.origin)
    await expect(desk.page.get_by_text("that does not end the lockdown")).to_be_visible()
    await desk.page.get_by_label("Your vault’s passphrase").fill(PASSPHRASE)
    await desk.page.get_by_role("button", name="Sign in", exact=True).click()
    await expect(desk.page.get_by_role("navigation", name="Pages")).to_be_visible()
    status = daemon.do("status")
    assert status["suspended"] and status["locked"]


async def test_with_a_passkey_the_start_shows_no_link_any_more(open_desk, daemon, home):
    desk = await open_desk(daemon)
    await add_passkey(desk)
    await desk.close()
    daemon.stop()
    terminal = Terminal("up", "--listen", "127.0.0.1:0", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    try:
        shown = terminal.wait_for("bunker://")
        assert "holdfast console" in shown and "#signin=" not in shown
    finally:
        terminal.close()


async def test_an_address_of_numbers_says_why_it_takes_no_passkey(open_desk, daemon):
    desk = await open_desk(daemon, sign_in=False)
    await desk.page.goto(desk.link().replace("localhost", "127.0.0.1"))
    await expect(desk.page.get_by_role("navigation", name="Pages")).to_be_visible()
    await desk.go("/security/console")
    await expect(desk.page.get_by_text("not at a number such as 127.0.0.1")).to_be_visible()
    await expect(desk.page.get_by_role("button", name="Add a passkey")).to_have_count(0)
    await desk.page.get_by_role("button", name="Open it at localhost").click()
    await desk.page.wait_for_url(f"http://localhost:{desk.port}/**")
    await expect(desk.page.get_by_text("not at a number")).to_have_count(0)


async def test_the_sign_in_page_at_an_address_of_numbers_says_why_it_takes_no_passkey(open_desk, daemon):
    desk = await open_desk(daemon, sign_in=False)
    await desk.page.goto(f"http://127.0.0.1:{desk.port}/")
    await expect(desk.page.get_by_role("button", name="Open it at localhost")).to_be_visible()


async def test_signing_out_is_one_press_away_on_every_page(desk):
    desk.expected.append(re.compile("401"))
    await desk.go("/activity")
    await desk.page.get_by_role("navigation", name="Pages").get_by_role("button", name="Sign out").click()
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_on_a_phone_signing_out_is_under_more(open_desk, daemon):
    desk = await open_desk(daemon, viewport=NARROW, at="/more")
    desk.expected.append(re.compile("401"))
    await expect(desk.page.get_by_role("navigation", name="Pages").get_by_role("button", name="Sign out")).to_be_hidden()
    await desk.page.get_by_role("main").get_by_role("button", name="Sign out").click()
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_a_browser_that_is_signed_out_from_another_is_out_at_once(open_desk, daemon):
    mine, stolen = await open_desk(daemon), await open_desk(daemon)
    stolen.may_lose_connection = True
    stolen.expected.append(re.compile("401"))
    await stolen.go("/approvals")
    await mine.go("/security/console")
    await mine.page.get_by_role("main").get_by_role("button", name="Sign out", exact=True).click()
    await expect(stolen.page.get_by_role("heading", name="Sign in")).to_be_visible()
    await stolen.page.reload()
    await expect(stolen.page.get_by_role("heading", name="Sign in")).to_be_visible()
    await expect(mine.page.get_by_text("this one")).to_be_visible()


async def test_signing_out_ends_every_tab_of_the_browser(desk):
    other = await desk.tab()
    desk.may_lose_connection = True
    desk.expected.append(re.compile("401"))
    await expect(other.page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    await desk.go("/security/console")
    await desk.page.get_by_role("button", name="Sign out here").click()
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()
    await expect(other.page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert "alice" not in await other.page.locator("body").inner_text(), "nothing that was shown before is still on the page"


async def test_a_link_opened_where_somebody_is_signed_in_goes_on(desk):
    desk.expected.append(re.compile("401"))  # Calls that were under way belong to the session from before.
    await desk.go("/security")
    await open_link(desk)
    await expect(desk.page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    assert "signin" not in desk.page.url


async def test_a_late_refusal_of_the_session_from_before_does_not_end_the_new_one(open_desk, daemon):
    desk = await open_desk(daemon, service_workers="block")
    desk.expected.append(re.compile("401"))
    held = asyncio.get_running_loop().create_future()
    await desk.page.route("**/api/v1/log/show", lambda route: held.set_result(route), times=1)
    await desk.go("/activity")
    route = await asyncio.wait_for(held, 8)
    await open_link(desk)
    await expect(desk.page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    async with desk.page.expect_response(lambda response: response.status == 401):
        await route.fulfill(status=401, json={"ok": False, "error": "You are not signed in."})
    await desk.go("/security")
    await expect(desk.page.get_by_role("heading", name="Security", level=1)).to_be_visible()


async def open_link(desk):
    await desk.page.evaluate("hash => { location.hash = hash }", "#" + desk.link().split("#")[1])


async def test_a_sign_in_that_is_not_recent_is_renewed_by_the_passphrase(open_desk, daemon, home):
    """The link was opened while the signer was locked, so it counts no more once a terminal has unlocked it."""
    daemon.do("lock")
    desk = await open_desk(daemon)
    desk.expected += [re.compile("403"), re.compile("pubKeyCredParams")]
    assert home.cli("unlock", "--passphrase-file", str(home.passphrase_file)).code == 0
    await Authenticator.added(desk, prf=False)
    await desk.go("/security/console")
    await desk.page.get_by_role("button", name="Add a passkey").click()
    await desk.page.get_by_role("dialog").get_by_label("Name of the passkey").fill("This laptop")
    await desk.page.get_by_role("dialog").get_by_role("button", name="Continue").click()
    proof = desk.page.get_by_role("dialog").filter(has_text="Prove that it is you")
    await expect(proof.locator("pre")).to_have_count(0)
    await proof.get_by_label("Passphrase").fill("wrong")
    await proof.get_by_role("button", name="Continue").click()
    await expect(proof).to_contain_text("wrong")
    assert any(entry["entry"] == "vaultOpenFailed" for entry in daemon.log_entries())
    await proof.get_by_label("Passphrase").fill(PASSPHRASE)
    await proof.get_by_role("button", name="Continue").click()
    await expect(desk.page.get_by_text("This laptop")).to_be_visible()
    assert [entry["rule"] for entry in daemon.log_entries() if entry["entry"] == "signedIn"][-1] == "passphrase"


async def test_without_a_passphrase_slot_the_command_names_the_vault(open_desk, daemon, home):
    desk = await open_desk(daemon, service_workers="block")
    desk.expected.append(re.compile("403"))
    slots = {"ok": True, "result": {"slots": [{"id": 1, "type": "token"}]}}
    refusal = {"ok": False, "exit": 4, "error": "Your sign-in was too long ago for this.", "wants": "proof"}
    await desk.page.route("**/api/v1/slot/list", lambda route: route.fulfill(json=slots))
    await desk.page.route("**/api/v1/passkey/begin", lambda route: route.fulfill(status=403, json=refusal), times=1)
    await Authenticator.added(desk, prf=False)
    await desk.go("/security/console")
    await desk.page.get_by_role("button", name="Add a passkey").click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="Continue").click()
    proof = desk.page.get_by_role("dialog").filter(has_text="Print a new link")
    await expect(proof.locator("pre")).to_have_text(f"holdfast console --home {home.path}")
    await expect(proof.get_by_role("button", name="Copy")).to_be_visible()
    await expect(proof.get_by_label("Passphrase")).to_have_count(0)
