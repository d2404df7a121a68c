"""The owner's browser with a page of the console. It records everything that goes wrong in the page."""

from __future__ import annotations

import asyncio
import contextlib
import re
import warnings
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, Page, expect
from playwright.async_api import TimeoutError as PlaywrightTimeout

from harness.daemon import Daemon

CHROMIUM = "/usr/bin/chromium-headless-shell"
"""Chromium without windows. The whole browser, which also has extensions, takes twice as much of the processor."""
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}
CLOSING = 20
"""The most seconds that closing a context may take."""
expect.set_options(timeout=8_000)

LOST = re.compile(r"net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|INCOMPLETE)|WebSocket|status of 503")


class Desk:
    """One browser context (cookies of its own) with a page."""

    def __init__(self, context: BrowserContext, page: Page, daemon: Daemon):
        self.context = context
        self.page = page
        self.daemon = daemon
        self.faults: list[str] = []
        self.origin = daemon.ready["console"].rstrip("/")
        self.port = urlsplit(self.origin).port
        self.may_lose_connection = False
        self.expected: list[re.Pattern] = []
        """Console errors a test provokes on purpose."""

    @classmethod
    async def opened(cls, browser: Browser, daemon: Daemon, *, sign_in: bool = True, viewport=WIDE, at: str = "/", **options):
        """Opens a browser.

        A test that answers in the signer's place gives `service_workers="block"`: Playwright misses calls while a worker takes over.
        """
        context = await browser.new_context(viewport=viewport, **options)
        desk = cls(context, await context.new_page(), daemon)
        if options.get("service_workers") == "block":
            desk.expected.append(re.compile("Service Worker registration blocked"))
        desk.watch(desk.page)
        context.on("page", desk.watch)
        if sign_in:
            await desk.sign_in()
            if at != "/":
                await desk.go(at)
        return desk

    # Opening pages

    def link(self) -> str:
        """A one-time sign-in link, as `holdfast console` prints it."""
        return self.daemon.do("console")["url"]

    async def sign_in(self, link: str | None = None) -> None:
        link = link or self.link()
        parts = urlsplit(link)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        await self.page.goto(link)
        await expect(self.page.get_by_role("navigation", name="Pages")).to_be_visible()

    async def go(self, route: str) -> None:
        """Opens a page as a person does who typed its address."""
        await self.page.evaluate("route => { location.hash = '#' + route }", route)

    async def tab(self) -> Desk:
        """A second tab of the same browser."""
        other = Desk(self.context, await self.context.new_page(), self.daemon)
        other.faults, other.origin = self.faults, self.origin
        await other.page.goto(self.origin + "/")
        return other

    # What the page shows

    def card(self, text: str):
        """The waiting request that shows a text."""
        return self.page.get_by_role("article").filter(has_text=text)

    async def answer(self, text: str, button: str) -> None:
        """Presses a button of a card, once it takes answers. A card that is a row is opened first. “…” after its words is left out here."""
        card = self.card(text)
        await self.open_card(card)
        await expect(card).not_to_have_class(re.compile("settling"))
        await card.get_by_role("button", name=re.compile(f"^{re.escape(button)}…?$")).click()
        if button.startswith("Deny"):
            await self.send_denials()

    async def approve_serious(self, text: str) -> None:
        """Approves a request that is asked about a second time. A card that was redrawn just now takes no press."""
        sure = self.page.get_by_role("dialog").locator("button.danger")
        for _ in range(3):
            await self.answer(text, "Approve")
            with contextlib.suppress(PlaywrightTimeout):
                return await sure.click(timeout=4000)
        await sure.click()

    async def open_card(self, card) -> None:
        await expect(card).to_be_visible()
        if "closed" in await card.get_attribute("class"):
            await card.locator(".opener").click()

    async def send_denials(self) -> None:
        """Sends the denials that the page still holds back, without waiting for ten seconds."""
        for now in await self.page.get_by_role("button", name="Do it now").all():
            await now.click()

    async def asks(self, operation: str, **parameters):
        """Calls an operation from the open page and returns the signer's answer."""
        answer = await self.page.evaluate(
            """async ([operation, parameters]) => (await fetch(`/api/v1/${operation}`, {
                method: 'POST', body: JSON.stringify(parameters),
                headers: {'content-type': 'application/json', 'x-csrf-token': localStorage.getItem('holdfast-session')},
            })).json()""",
            [operation, parameters],
        )
        assert answer["ok"], answer
        return answer["result"]

    async def lock_unheard(self) -> None:
        """Locks the signer, of which the open page does not hear at once: the list of what waits cannot be fetched anew."""
        self.expected.append(re.compile("ERR_FAILED"))
        await self.page.route("**/api/v1/request/list", lambda route: route.abort())
        self.daemon.do("lock")

    async def hear_again(self) -> None:
        await self.page.unroute("**/api/v1/request/list")

    # What went wrong

    def watch(self, page: Page) -> None:
        page.on("console", self.hear)
        page.on("pageerror", lambda error: self.note(f"uncaught: {error}"))
        page.on("request", lambda request: self.check_origin(request.url))
        page.on("dialog", lambda dialog: self.note(f"a dialog opened: {dialog.message}"))

    def hear(self, message) -> None:
        if message.type in ("error", "warning"):
            self.note(f"console: {message.text} ({message.location.get('url', '')})")

    def note(self, fault: str) -> None:
        if self.may_lose_connection and LOST.search(fault):
            return
        if not any(pattern.search(fault) for pattern in self.expected):
            self.faults.append(fault)

    def check_origin(self, url: str) -> None:
        parts = urlsplit(url)
        is_ours = parts.hostname in ("127.0.0.1", "localhost") and parts.port == self.port
        if not is_ours and parts.scheme not in ("data", "blob", "about"):
            self.note(f"a request to elsewhere: {url}")

    async def close(self) -> None:
        """Closes the context. Chromium sometimes never answers this for a page that reloads; the context then ends with the browser."""
        try:
            async with asyncio.timeout(CLOSING):
                await self.context.close()
        except TimeoutError:
            warnings.warn(f"Chromium did not close the pages of {self.origin} in {CLOSING} seconds", stacklevel=2)
