"""The page "On your phone": its apps reach the signer through a relay that is tried there, and its browser opens the console by a code."""

from __future__ import annotations

import json
import re
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from console.desk import NARROW, WIDE
from console.rust_app import RustApp
from console.test_look import findings
from console.test_pairing import read_code
from harness.daemon import REPOSITORY

SIZES = pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["desktop", "phone"])


def card(desk, heading: str):
    return desk.page.locator("section.card", has=desk.page.get_by_role("heading", name=heading))


@SIZES
async def test_home_leads_to_what_puts_the_signer_onto_a_phone(open_desk, daemon, viewport):
    desk = await open_desk(daemon, viewport=viewport)
    await desk.go("/")
    await desk.page.get_by_role("main").get_by_role("link", name="Use it on your phone").click()
    await expect(desk.page.get_by_role("heading", name="On your phone", level=1)).to_be_visible()
    await desk.go("/security/console")
    await desk.page.get_by_role("main").get_by_role("link", name="Use it on your phone").click()
    await expect(desk.page.get_by_role("heading", name="On your phone", level=1)).to_be_visible()


@SIZES
async def test_an_app_gets_a_code_through_a_relay_that_was_tried(open_desk, daemon, rust_relay, viewport):
    """The relay is on this machine, so the signer's answer about it is given in its place: a browser may not try it."""
    desk = await open_desk(daemon, viewport=viewport, at="/phone", service_workers="block", bypass_csp=True, reduced_motion="reduce")
    works = {"url": rust_relay.url, "delivers": True, "milliseconds": 12}
    await desk.page.route("**/api/v1/relay/try", lambda route: route.fulfill(body=json.dumps({"ok": True, "result": works})))
    apps = card(desk, "Apps on the phone")
    show = apps.get_by_role("button", name="Show the code")
    await show.click()
    await expect(apps.get_by_role("alert")).to_have_text("Choose a relay that the phone reaches.")
    await expect(apps.get_by_label("Another relay")).to_be_focused()
    await apps.get_by_label("Another relay").fill(rust_relay.url)
    await apps.get_by_role("button", name="Add", exact=True).click()
    await expect(apps.get_by_role("listitem").filter(has_text=rust_relay.url)).to_contain_text("works, 12 ms")
    assert await findings(desk) == []
    await show.click()
    link = (await desk.page.locator("code.link").inner_text()).strip()
    assert daemon.do("pair", "--list")["links"][0]["relays"] == [rust_relay.url]
    app = await RustApp.paired(link)
    await expect(desk.page.get_by_role("heading", name="Connected")).to_be_visible()
    await app.close()


async def test_the_machine_in_the_network_is_a_choice_too(open_desk, daemon):
    desk = await open_desk(daemon, at="/phone")
    apps = card(desk, "Apps on the phone")
    await apps.get_by_role("button", name="This machine in your network…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Name of this machine there").fill("machine.tailnet.ts.net")
    await dialog.get_by_role("button", name="Use it").click()
    await expect(apps.get_by_role("listitem")).to_contain_text("wss://machine.tailnet.ts.net/relay")


async def test_relays_of_the_start_that_a_phone_reaches_are_named_and_need_no_choice(open_desk, start):
    desk = await open_desk(start(relays=("wss://relay.invalid",)), at="/phone")
    apps = card(desk, "Apps on the phone")
    await expect(apps).to_contain_text("The link names wss://relay.invalid")
    await apps.get_by_role("button", name="Show the code").click()
    await expect(desk.page.get_by_role("img", name="QR code of the link")).to_be_visible(timeout=20_000)


@SIZES
async def test_how_the_console_gets_onto_a_phone_is_shown_with_a_code(open_desk, daemon, viewport):
    """The texts are those of docs/HOME-SERVER.md."""
    desk = await open_desk(daemon, viewport=viewport, at="/phone")
    here = urlsplit(daemon.ready["relay"]).netloc
    page = (REPOSITORY / "docs/HOME-SERVER.md").read_text().replace("127.0.0.1:24133", here)
    there = card(desk, "This console on the phone")
    typed = there.locator("pre")
    await expect(typed.first).to_have_text(f"tailscale serve --bg http://{here}")
    assert f"  {await typed.first.text_content()}\n" in page
    await expect(there.get_by_role("img")).to_have_count(0)
    await there.get_by_label("With").select_option("caddy")
    await there.get_by_label("Name of this machine there").fill("Signer.home.arpa")
    await expect(typed.first).to_contain_text(f"reverse_proxy {here}")
    assert (await typed.first.text_content()).replace("\n", "\n  ") in page
    begin = "--console-host https://signer.home.arpa --trusted-proxy 127.0.0.1"
    up = f"holdfast up --home {daemon.home.path}"
    await expect(typed.nth(1)).to_have_text(f"{up} --listen {here} {begin}")
    assert f"holdfast up {begin}" in page
    code = there.get_by_role("img", name="QR code of the console’s address")
    await expect(code).to_be_visible()
    assert read_code(await code.screenshot(scale="css")) == "https://signer.home.arpa/"
    await expect(typed.last).to_have_text(f"holdfast console --home {daemon.home.path}")
    await there.get_by_label("With").select_option("certificate")
    port = here.rsplit(":")[-1]
    files = "--tls-cert FILE --tls-key FILE --console-host signer.home.arpa"
    await expect(typed.first).to_have_text(f"{up} --listen 0.0.0.0:{port} {files}")
    await expect(typed.nth(1)).to_have_text(f"https://signer.home.arpa:{port}/")
    assert await desk.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"


@SIZES
async def test_once_the_signer_takes_an_address_its_code_is_there_at_once(open_desk, start, viewport):
    names = ("https://signer.home.arpa", "http://insecure.home.arpa", "https://localhost")
    daemon = start(arguments=tuple(part for name in names for part in ("--console-host", name)))
    assert daemon.do("status")["console_elsewhere"] == ["https://signer.home.arpa"]
    desk = await open_desk(daemon, viewport=viewport, sign_in=False, bypass_csp=True, reduced_motion="reduce")
    await desk.sign_in(desk.link().replace("https://signer.home.arpa", desk.origin))
    await desk.go("/phone")
    there = card(desk, "This console on the phone")
    code = there.get_by_role("img", name="QR code of the console’s address").first
    assert read_code(await code.screenshot(scale="css")) == "https://signer.home.arpa/"
    await expect(there.locator("pre:visible")).to_have_text(["https://signer.home.arpa/", f"holdfast console --home {daemon.home.path}"])
    await there.get_by_text("Reach it another way").click()
    await expect(there.locator("pre:visible").nth(2)).to_have_text(re.compile("^tailscale serve"))
    assert await findings(desk) == []


async def test_in_a_lockdown_the_page_makes_no_link(open_desk, daemon):
    daemon.do("panic")
    desk = await open_desk(daemon)
    await desk.go("/phone")
    await expect(desk.page.get_by_text("Resume the signer before you pair an app.")).to_be_visible()
    await expect(card(desk, "Apps on the phone")).to_be_hidden()
    await expect(card(desk, "This console on the phone")).to_be_visible()


async def test_in_a_lockdown_the_page_resumes_like_the_one_that_pairs(open_desk, daemon):
    daemon.do("panic")
    desk = await open_desk(daemon)
    await desk.go("/phone")
    await desk.page.get_by_role("main").get_by_role("button", name="Resume…").click()
    await expect(desk.page.get_by_role("dialog").get_by_role("heading", name="End the lockdown")).to_be_visible()


@SIZES
async def test_what_has_a_made_up_name_in_it_is_not_copied(open_desk, daemon, viewport):
    desk = await open_desk(daemon, viewport=viewport, at="/phone")
    there = card(desk, "This console on the phone")
    start = there.locator(".proof", has=desk.page.locator("pre", has_text="holdfast up"))
    await expect(start).to_contain_text("machine.tailnet.ts.net")
    await expect(start).to_contain_text(f"--home {daemon.home.path}")
    await expect(start.get_by_role("button", name="Copy")).to_have_count(0)
    await expect(start).to_contain_text("Once the name above is typed, you can copy this.")
    serve = there.locator(".proof", has=desk.page.locator("pre", has_text="tailscale serve"))
    await expect(serve.get_by_role("button", name="Copy")).to_be_visible()
    await there.get_by_label("Name of this machine there").fill("signer.tailnet.ts.net")
    await expect(start.get_by_role("button", name="Copy")).to_be_visible()
    await expect(start).to_contain_text("--console-host https://signer.tailnet.ts.net --trusted-proxy 127.0.0.1")


@pytest.mark.parametrize(
    ("now", "options", "whole"),
    [
        (None, ["--console-host", "a.example"], "holdfast up --console-host a.example"),
        (
            "holdfast up --relay wss://a.example --listen 127.0.0.1:1",
            ["--listen", "0.0.0.0:1"],
            "holdfast up --relay wss://a.example --listen 0.0.0.0:1",
        ),
        ("holdfast up --home '/a b/c'", ["--listen", "127.0.0.1:1"], "holdfast up --home '/a b/c' --listen 127.0.0.1:1"),
        ("holdfast up --trusted-proxy 127.0.0.1", ["--trusted-proxy", "127.0.0.1"], "holdfast up --trusted-proxy 127.0.0.1"),
    ],
)
async def test_a_start_command_keeps_the_options_that_the_signer_has(desk, now, options, whole):
    made = "async ([now, options]) => (await import('/parts/thismachine.js')).startWith(now, options)"
    assert await desk.page.evaluate(made, [now, options]) == whole


async def test_settings_lead_to_the_phone(open_desk, daemon):
    desk = await open_desk(daemon, at="/settings")
    row = desk.page.get_by_role("main").get_by_role("link", name="On your phone")
    await expect(row).to_contain_text("this console opens on this machine only")
    await row.click()
    await expect(desk.page.get_by_role("heading", name="On your phone", level=1)).to_be_visible()
