"""The connection: lost, it says so; back, it goes on by itself."""

from __future__ import annotations

import re
import socket
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.async_api import expect

from console.desk import NARROW
from console.rust_app import RustApp, signed


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


async def test_a_restart_is_said_and_survived(open_desk, start, port, rust_relay):
    """The app is on a relay of its own: what it asked waits through the restart, and is answered afterwards."""
    options = {"listen": f"127.0.0.1:{port}", "relays": (rust_relay.url,)}
    daemon = start(**options)
    link = daemon.do("pair", "--trust", "low", "--relay", rust_relay.url)["bunker"]
    app = await RustApp.paired(link)
    desk = await open_desk(daemon, at="/approvals")
    desk.may_lose_connection = True
    asked = app.asks_to_sign("Through a restart")
    await expect(desk.card("Through a restart")).to_be_visible()
    daemon.stop()
    await expect(desk.page.get_by_text("Not connected to the signer.")).to_be_visible()
    state = desk.page.get_by_role("group", name="The signer")
    await expect(state).to_contain_text("Not reachable")
    await expect(state).not_to_contain_text("Unlocked")
    await expect(state.get_by_role("button")).to_have_count(0)
    await expect(desk.card("Through a restart")).to_be_visible()
    desk.daemon = start(**options)
    await expect(desk.page.get_by_text("Not connected to the signer.")).to_be_hidden()
    desk.expected.append(re.compile("401"))
    if await desk.page.get_by_role("heading", name="Sign in").is_visible():
        await desk.sign_in()
        await desk.go("/approvals")
    await desk.answer("Through a restart", "Approve")
    assert (await signed(asked)).content() == "Through a restart"
    await app.close()


async def test_what_a_signer_said_before_it_stopped_goes_with_it(open_desk, start, port):
    daemon = start(listen=f"127.0.0.1:{port}")
    desk = await open_desk(daemon)
    desk.may_lose_connection = True
    await desk.page.evaluate("async () => { (await import('/dom.js')).notice('Something critical happened.', { bad: true }) }")
    await expect(desk.page.get_by_text("Something critical happened.")).to_be_visible()
    daemon.stop()
    await expect(desk.page.get_by_text("Not connected to the signer.")).to_be_visible()
    await expect(desk.page.locator("#notices .notice")).to_have_count(0, timeout=3_000)
    await expect(desk.page.locator("#banner")).to_contain_text(f"start it with: holdfast up --listen 127.0.0.1:{port}")
    # A fresh terminal finds this vault by it, too.
    await expect(desk.page.locator("#banner")).to_contain_text(f"--home {daemon.home.path}")


async def test_what_changed_meanwhile_is_there_after_the_connection_came_back(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    await expect(desk.page.get_by_text("Nothing waits for you")).to_be_visible()
    desk.may_lose_connection = True
    desk.expected.append(re.compile("ERR_INTERNET_DISCONNECTED"))
    await desk.context.set_offline(True)
    await desk.page.evaluate("() => fetch('/api/v1/status', {method: 'POST', body: '{}'}).catch(() => {})")
    asked = coracle.asks_to_sign("Missed")
    await desk.context.set_offline(False)
    await desk.answer("Missed", "Approve")
    assert (await signed(asked)).content() == "Missed"


async def test_without_the_signer_the_installed_app_says_not_connected(open_desk, start, port):
    daemon = start(listen=f"127.0.0.1:{port}")
    desk = await open_desk(daemon)
    desk.may_lose_connection = True
    await desk.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    daemon.stop()
    await desk.page.goto(desk.origin + "/")
    await expect(desk.page.get_by_role("heading", name="Not connected")).to_be_visible()
    desk.daemon = start(listen=f"127.0.0.1:{port}")
    await desk.page.get_by_role("button", name="Try now").click()
    await expect(desk.page.get_by_role("heading", name="Not connected")).to_have_count(0)


async def test_while_the_signer_starts_the_installed_app_waits_for_it(open_desk, start, port):
    """A starting signer answers everything with 503 and a line of text; the page must not stop at that line."""
    daemon = start(listen=f"127.0.0.1:{port}")
    desk = await open_desk(daemon)
    desk.may_lose_connection = True
    desk.expected.append(re.compile("status of 503"))
    await desk.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    daemon.stop()
    with starting(port):
        await desk.page.goto(desk.origin + "/")
        await expect(desk.page.get_by_role("heading", name="Not connected")).to_be_visible()
        assert await desk.page.evaluate("async () => (await fetch('/icons/icon.svg')).status") == 200, "it is in the cache"
    desk.daemon = start(listen=f"127.0.0.1:{port}")
    await expect(desk.page.get_by_role("heading", name="Not connected")).to_have_count(0, timeout=30_000)


@contextmanager
def starting(port: int):
    """Answers at the port as a signer does before it is ready."""

    class Starting(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_error(503, "Holdfast is starting. Try again in a moment.")

        do_POST = do_GET

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Starting)
    Thread(target=server.serve_forever).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


async def test_on_a_narrow_screen_everything_is_in_reach(open_desk, daemon, pair_app):
    coracle = await pair_app("An app with quite a long name, as they are")
    desk = await open_desk(daemon, viewport=NARROW, has_touch=True, is_mobile=True)
    asked = coracle.asks_to_sign("From the sofa " + "w" * 300)
    await desk.page.get_by_role("navigation", name="Pages").get_by_role("link", name="Approvals").tap()
    card = desk.card("From the sofa")
    await expect(card).not_to_have_class(re.compile("settling"))
    await card.get_by_role("button", name="Approve").tap()
    await signed(asked)
    for route in (
        "/",
        "/approvals",
        "/apps",
        f"/apps/{daemon.clients()[0]['signer']}",
        "/pair",
        "/keys",
        "/keys/alice",
        "/keys/alice/receipt",
        "/recovery",
        "/backup",
        "/security/vault",
        "/more",
        "/activity",
        "/security",
        "/security/console",
        "/settings",
        "/welcome",
    ):
        await desk.go(route)
        await expect(desk.page.get_by_role("heading", level=1)).to_be_visible()
        width = await desk.page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= NARROW["width"], f"{route} is {width} pixels wide"


async def test_the_usual_place_needs_no_option_and_a_proxy_has_none(desk):
    said = await desk.page.evaluate(
        """async () => {
          const { starting } = await import("/parts/starting.js");
          const here = [["127.0.0.1", "24133"], ["localhost", "24200"], ["[::1]", "24200"]];
          const places = [...here, ["signer.home.arpa", "8443"], ["signer.home.arpa", ""]];
          return places.map(([hostname, port]) => starting("holdfast up", { hostname, port }));
        }"""
    )
    assert said == [
        "holdfast up",
        "holdfast up --listen 127.0.0.1:24200",
        "holdfast up --listen [::1]:24200",
        "holdfast up",
        "holdfast up",
    ]
