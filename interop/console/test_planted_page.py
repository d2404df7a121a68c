"""While the signer is stopped, another program has its port, and leaves a page in the owner's browser that stays: a service worker."""

from __future__ import annotations

import contextlib
import http.server
import threading

from playwright.async_api import expect

from harness.browser import Browser

PLANT = (
    "<!doctype html><script>navigator.serviceWorker.register('/theirs.js', {updateViaCache: 'all'})"
    ".then(() => navigator.serviceWorker.ready).then(() => document.title = 'planted')</script>"
)
# It answers every navigation with a page of its own, which signs in with the owner's link and says what it got.
THEIRS = """
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(new Response(PAGE, { headers: { "content-type": "text/html" } }));
});
const PAGE = `<!doctype html><title>theirs</title><script>(async () => {
  const call = (name, given) => fetch("/api/v1/" + name, {
    method: "POST", body: JSON.stringify(given), headers: { "content-type": "application/json" } }).then((answer) => answer.json());
  const opened = await call("session/open", { token: location.hash.replace("#signin=", "") });
  document.title = opened.ok ? "theirs, signed in" : "theirs, refused";
})()</script>`;
"""


class Theirs(http.server.BaseHTTPRequestHandler):
    """Whatever it serves may be stored for a year."""

    def do_GET(self):
        is_script = self.path == "/theirs.js"
        body = (THEIRS if is_script else PLANT).encode()
        self.send_response(200)
        self.send_header("content-type", "text/javascript" if is_script else "text/html")
        self.send_header("cache-control", "max-age=31536000")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_): ...


@contextlib.contextmanager
def another_program(port: int = 0):
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), Theirs) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def link(daemon) -> str:
    """A sign-in link at the address where the page was planted."""
    return daemon.do("console")["url"].replace("localhost", "127.0.0.1")


async def test_a_planted_page_is_gone_after_one_sign_in_and_its_session_is_over(browser, start):
    context = await browser.new_context()
    page = await context.new_page()
    with another_program() as port:
        await page.goto(f"http://127.0.0.1:{port}/")
        await page.wait_for_function("document.title === 'planted'")
        await page.close()
    daemon = start(listen=f"127.0.0.1:{port}")
    page = await context.new_page()
    await page.goto(link(daemon))
    await expect(page).to_have_title("theirs, signed in")
    # A browser looks for a newer worker after each visit. It finds the signer's, which ends it.
    page = await context.new_page()
    await page.goto(f"http://127.0.0.1:{port}/")
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=20_000)
    await page.goto(link(daemon))
    await expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
    scripts = await page.evaluate(
        """async () => (await navigator.serviceWorker.getRegistrations()).map(
            (found) => new URL((found.active ?? found.waiting ?? found.installing).scriptURL).pathname)"""
    )
    assert scripts == ["/sw.js"]
    entries = [(entry["entry"], entry.get("rule")) for entry in daemon.log_entries()]
    assert ("sessionEnded", "another program's page was in the browser") in entries
    assert ("incidentMinor", "a page of another program in a browser, at the signer's address") in entries
    await context.close()


def test_only_the_browser_itself_can_be_signed_out_by_asking_for_another_worker(daemon):
    """Any program that reaches the port can ask as a browser does for a worker's script."""
    browser = Browser(daemon).signed_in()
    stranger = Browser(daemon)
    for path in ("/theirs.js", "/relay", "/healthz", "/app/sign", "/api/v1/theirs.js"):
        status, kind, script = stranger.get(path, Service_Worker="script")
        assert (status, kind) == (200, "text/javascript; charset=utf-8") and b"unregister" in script, path
    assert browser.call("status")[0] == 200
    assert stranger.get("/sw.js", Service_Worker="script")[2] != script
    assert browser.get("/theirs.js", Service_Worker="script", Cookie=browser.cookie)[0] == 200
    assert browser.call("status")[0] == 401
