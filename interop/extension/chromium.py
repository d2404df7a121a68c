"""Debian's Chromium with the extension, as `holdfast extension install` leaves it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from harness.daemon import Daemon, environment
from harness.waiting import PATIENCE, eventually

CHROMIUM = "/usr/bin/chromium"
ID = "dceegofnjohdgopdllmjiekcgeofkmob"


class Chromium:
    """A browser with a folder of its own, whose extension asks one signer."""

    def __init__(self, playwright, context, daemon: Daemon, sites, folder: Path):
        self.playwright, self.context, self.daemon, self.sites, self.folder = playwright, context, daemon, sites, folder

    @classmethod
    async def opened(cls, playwright, daemon: Daemon, sites, folder: Path, *, others: tuple[Path, ...] = ()) -> Chromium:
        installed = daemon.do("extension", "install", "--browser", "chromium", "--profile", str(folder))
        assert installed["id"] == ID
        paths = ",".join([installed["extension"], *map(str, others)])
        context = await playwright.chromium.launch_persistent_context(
            str(folder),
            executable_path=CHROMIUM,
            headless=True,
            args=[
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--remote-debugging-port=0",
                f"--load-extension={paths}",
                f"--disable-extensions-except={paths}",
            ],
            env=environment(HOME=str(folder)),
        )
        browser = cls(playwright, context, daemon, sites, folder)
        await browser.worker()
        return browser

    async def worker(self):
        """The extension's service worker, once it runs."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for worker in self.context.service_workers:
                    if worker.url == f"chrome-extension://{ID}/background.js":
                        return worker
                await asyncio.sleep(0.05)

    async def other_worker(self):
        """The service worker of an extension of the test's own."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for worker in self.context.service_workers:
                    if worker.url.endswith("/worker.js"):
                        return worker
                await asyncio.sleep(0.05)

    async def private_browser(self):
        """A private window of the same browser, by its other way in."""
        port = (self.folder / "DevToolsActivePort").read_text().splitlines()[0]
        browser = await self.playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        return await browser.new_context()

    async def stop_worker(self) -> None:
        """Stops the service worker, as the browser does when it likes."""
        page = await self.context.new_page()
        session = await self.context.new_cdp_session(page)
        versions = asyncio.get_running_loop().create_future()

        def found(event) -> None:
            mine = [version for version in event["versions"] if version["scriptURL"].startswith(f"chrome-extension://{ID}/")]
            if mine and not versions.done():
                versions.set_result(mine[0]["versionId"])

        session.on("ServiceWorker.workerVersionUpdated", found)
        await session.send("ServiceWorker.enable")
        await page.goto(f"chrome-extension://{ID}/toolbar.html")
        await session.send("ServiceWorker.stopWorker", {"versionId": await asyncio.wait_for(versions, PATIENCE)})
        await page.close()

    def slow_the_helper(self, seconds: float) -> None:
        """From its next start on, the helper does nothing for some seconds."""
        manifest = self.folder / "NativeMessagingHosts" / "org.holdfast.signer.json"
        settings = json.loads(manifest.read_text())
        slow = self.folder / "slow-helper"
        slow.write_text(f'#!/bin/sh\nsleep {seconds}\nexec "{settings["path"]}" "$@"\n')
        slow.chmod(0o700)
        manifest.write_text(json.dumps(settings | {"path": str(slow)}))

    async def visit(self, site: str, path: str = "/"):
        """A new tab on a page of a site."""
        page = await self.context.new_page()
        await page.goto(self.sites.origin(site) + path)
        return page

    async def tab_of(self, page) -> int:
        """The browser's number of the tab that is in front."""
        await page.bring_to_front()
        worker = await self.worker()
        return await worker.evaluate("async () => (await chrome.tabs.query({ active: true, lastFocusedWindow: true }))[0].id")

    async def toolbar(self, page):
        """The toolbar page about another tab, in a tab of its own."""
        tab = await self.tab_of(page)
        toolbar = await self.context.new_page()
        await toolbar.goto(f"chrome-extension://{ID}/toolbar.html?tab={tab}")
        await toolbar.wait_for_selector("html[data-ready]")
        return toolbar

    async def badge(self) -> str:
        return await (await self.worker()).evaluate("() => chrome.action.getBadgeText({})")

    def waiting(self, site: str) -> list[dict]:
        """The requests of a site that wait."""
        names = [entry["name"] for entry in self.callers(site)]
        return [request for request in self.daemon.waiting() if request["client"]["name"] in names]

    async def request(self, site: str, count: int = 1) -> dict:
        """The last of a site's waiting requests, once there are that many."""
        return (await eventually(lambda: len(found := self.waiting(site)) >= count and found, f"a request of {site}"))[-1]

    async def let_in(self, page, site: str, trust: str | None = None) -> str:
        """Approves the site's first request, and perhaps trusts it; the public key that it learns."""
        question = asyncio.create_task(asked(page, "window.nostr.getPublicKey()"))
        self.daemon.do("request", "approve", (await self.request(site))["id"])
        answer = await question
        if trust:
            self.daemon.do("local", "trust", self.callers(site)[0]["name"], trust)
        return answer["result"]

    def callers(self, site: str) -> list[dict]:
        listed = self.daemon.do("local", "list")["programs"]
        return [entry for entry in listed if (entry["site"] or {}).get("origin") == self.sites.origin(site)]

    async def close(self) -> None:
        await self.context.close()


async def asked(page, expression: str) -> dict:
    """What a call of window.nostr ends with: `{"result": …}` or `{"error": …, "code": …}`."""
    return await page.evaluate(
        f"""async () => {{
            try {{ return {{ result: await ({expression}) }}; }}
            catch (error) {{ return {{ error: error.message, code: error.code ?? null }}; }}
        }}"""
    )


def note(content: str, **more) -> str:
    """A call that signs a note."""
    event = {"kind": 1, "content": content, "tags": [], "created_at": 1_795_000_000, **more}
    return f"window.nostr.signEvent({json.dumps(event)})"
