"""Fixtures of the console's tests: a browser for each worker, a signed-in page for each test, rust-nostr as the app."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from console.desk import CHROMIUM, Desk
from console.rust_app import RustApp
from harness.daemon import Home

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """The browser lives as long as the worker, so its tests share the worker's event loop."""
    for item in items:
        if HERE in item.path.parents and inspect.iscoroutinefunction(item.obj):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser():
    """Debian's Chromium, no download. It does not resolve names, so that a request to elsewhere cannot even leave."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
            ],
        )
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def open_desk(browser, start):
    """Opens browsers of the owner, each with cookies of its own; what went wrong in them fails the test at its end.

    They are closed before the daemons are, which is why this fixture names `start`.
    """
    opened: list[Desk] = []

    async def open_one(daemon, **options) -> Desk:
        desk = await Desk.opened(browser, daemon, **options)
        opened.append(desk)
        return desk

    yield open_one
    for desk in opened:
        await desk.close()
    for desk in opened:
        assert not desk.faults, "the page was not clean:\n" + "\n".join(desk.faults)


@pytest.fixture
def unused(start):
    """A daemon on a vault without an identity: just installed."""
    home = Home.created(identity=None)
    yield start(home)
    home.remove()


@pytest_asyncio.fixture(loop_scope="session")
async def desk(open_desk, daemon):
    """A signed-in browser on this test's own daemon."""
    return await open_desk(daemon)


@pytest_asyncio.fixture(loop_scope="session")
async def pair_app(daemon):
    """Pairs rust-nostr apps by a link from the command line: `await pair_app("Coracle", trust="low")`."""
    apps: list[RustApp] = []

    async def pair(name: str | None = None, trust: str = "low") -> RustApp:
        app = await RustApp.paired(daemon.pair(trust).text)
        apps.append(app)
        if name:
            daemon.do("client", "rename", app.key, name)
        return app

    yield pair
    for app in apps:
        await app.close()
