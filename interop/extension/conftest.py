"""Fixtures of the extension's tests: real browsers with the installed extension, and sites on loopback."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from extension.chromium import Chromium
from harness.sites import Sites

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """The browser lives longer than a test, so all tests share the worker's event loop."""
    for item in items:
        if HERE in item.path.parents and inspect.iscoroutinefunction(item.obj):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="module")
def sites():
    sites = Sites()
    yield sites
    sites.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def playwright():
    async with async_playwright() as playwright:
        yield playwright


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def chromium(playwright, shared, sites, tmp_path_factory):
    """One browser and one signer for the tests of a module: each test has sites of its own."""
    browser = await Chromium.opened(playwright, shared, sites, tmp_path_factory.mktemp("chromium"))
    yield browser
    await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def own_chromium(playwright, start, sites, tmp_path):
    """Opens browsers that one test has for itself, each with a signer of the test's."""
    opened: list[Chromium] = []

    async def open_one(daemon, **options) -> Chromium:
        opened.append(await Chromium.opened(playwright, daemon, sites, tmp_path / f"chromium{len(opened)}", **options))
        return opened[-1]

    yield open_one
    for browser in opened:
        await browser.close()
