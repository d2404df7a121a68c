"""The site of `Examples/LinkSite` in a real browser: it opens a link, and its callback page hands the answer over."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from console.desk import CHROMIUM
from harness.waiting import until
from reference.events import is_genuine

FOLDER = Path(__file__).parents[2] / "Examples/LinkSite"
LISTENER = """
addEventListener("message", ({ origin, data }) => {
  document.title = JSON.stringify([...JSON.parse(document.title || "[]"), [origin, data]]);
});
document.title = "[]";
"""


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        args = ["--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=args)
        yield browser
        browser.close()


@pytest.fixture
def context(browser, daemon):
    """Named after the daemon, so that it is closed first: a page may still wait for it."""
    context = browser.new_context()
    context.set_default_timeout(30_000)
    yield context
    context.close()


@pytest.fixture(scope="module")
def site():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(QuietHandler, directory=str(FOLDER)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def asks(context, daemon, site, text="Hello from a link"):
    """The page, after it has opened the link. Playwright does not know the new window before the signer has answered."""
    page = context.new_page()
    page.goto(f"{site}/index.html")
    page.get_by_label("Note").fill(text)
    page.get_by_label("Signer").fill(f"http://127.0.0.1:{urlsplit(daemon.relay).port}")
    page.get_by_role("button", name="Sign").click()
    return page


def the_waiting(daemon) -> dict:
    return until(daemon.waiting, "a request that waits")[0]


def test_the_site_shows_the_event_that_the_owner_approved(context, daemon, site):
    page = asks(context, daemon, site, 'Ünï "quoted" \\ text')
    waiting = the_waiting(daemon)
    assert waiting["rule"] == "first-use"
    daemon.do("request", "approve", waiting["id"])
    expect(page.locator("#state")).to_have_text("Signed.")
    event = json.loads(page.locator("#event").text_content())
    assert is_genuine(event)
    assert (event["pubkey"], event["content"]) == (daemon.user, 'Ünï "quoted" \\ text')


def test_the_site_says_that_the_owner_denied_it(context, daemon, site):
    page = asks(context, daemon, site)
    daemon.do("request", "deny", the_waiting(daemon)["id"])
    expect(page.locator("#state")).to_have_text("Not signed: denied")
    expect(page.locator("#event")).to_be_empty()


ANSWER = {"ok": "1", "id": "a" * 64, "sig": "b" * 128, "pubkey": "c" * 64, "nonce": "n"}


def test_another_site_that_opens_the_callback_page_gets_no_answer(context, site):
    """`localhost` is another origin than `127.0.0.1`."""
    stranger = context.new_page()
    stranger.goto(site.replace("127.0.0.1", "localhost") + "/signed.html")
    stranger.evaluate(LISTENER)
    stranger.evaluate("address => void (window.opened = open(address))", f"{site}/signed.html?{urlencode(ANSWER)}")
    until(lambda: stranger.evaluate("window.opened.closed"), "the end of the page, which has said what it says")
    assert stranger.evaluate("new Promise(done => setTimeout(() => done(document.title)))") == "[]"


def test_the_answer_leaves_the_address_and_is_shown_without_an_opener(context, site):
    page = context.new_page()
    page.goto(f"{site}/signed.html?x=1&{urlencode(ANSWER)}")
    expect(page.locator("#answer")).not_to_be_empty()
    assert json.loads(page.locator("#answer").text_content()) == {**ANSWER, "ok": True}
    assert page.url == f"{site}/signed.html"


@pytest.mark.parametrize(
    "query",
    [
        "",
        "ok=1",
        "ok=1&pubkey=zz",
        f"ok=1&pubkey={'c' * 64}&id=1",
        f"ok=1&pubkey={'c' * 64}&id={'a' * 64}&sig=<b>",
        "ok=1&ok=0&code=denied",
    ],
)
def test_what_is_no_answer_is_not_taken_for_one(context, site, query):
    page = context.new_page()
    page.goto(f"{site}/signed.html?{query}")
    expect(page.locator("#answer")).not_to_be_empty()
    assert json.loads(page.locator("#answer").text_content())["ok"] is False


def test_a_forged_message_is_not_taken_for_the_answer(context, daemon, site):
    """From the page itself, from another window of the site, and from the right window with a nonce that was not sent."""
    page = asks(context, daemon, site)
    the_waiting(daemon)
    page.evaluate("window.heard = 0; addEventListener('message', () => { window.heard += 1; })")
    page.evaluate("data => postMessage(data, location.origin)", {"kind": "holdfast-link-answer", **ANSWER, "ok": True})
    page.evaluate("address => void open(address)", f"{site}/signed.html?{urlencode(ANSWER)}")
    page.evaluate("address => void open(address, 'signer')", f"{site}/signed.html?{urlencode(ANSWER)}")
    until(lambda: page.evaluate("window.heard") == 3, "three messages")
    assert page.locator("#state").text_content() == "The signer asks its owner."
    until(lambda: not daemon.waiting(), "the end of the request, whose window went elsewhere")
    page.get_by_role("button", name="Sign").click()
    daemon.do("request", "approve", the_waiting(daemon)["id"])
    expect(page.locator("#state")).to_have_text("Signed.")
    assert is_genuine(json.loads(page.locator("#event").text_content()))


def test_a_browser_behind_a_proxy_signs_in_first(browser, daemon, site):
    """The browser's requests look as a proxy on this machine passes them on."""
    context = browser.new_context(extra_http_headers={"X-Forwarded-For": "192.0.2.1"})
    context.set_default_timeout(30_000)
    try:
        with context.expect_page(lambda page: "/app/sign" in page.url) as opened:
            page = asks(context, daemon, site)
        popup = opened.value
        expect(popup.get_by_role("heading", name="Sign in first")).to_be_visible()
        assert daemon.waiting() == []
        console = context.new_page()
        console.goto(daemon.do("console")["url"].replace("localhost", "127.0.0.1"))
        expect(console.get_by_role("navigation").first).to_be_visible()
        popup.reload(wait_until="commit")
        daemon.do("request", "approve", the_waiting(daemon)["id"])
        expect(page.locator("#state")).to_have_text("Signed.")
        assert is_genuine(json.loads(page.locator("#event").text_content()))
    finally:
        context.close()
