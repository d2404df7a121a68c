"""What `holdfast extension install` prints for a quick try, typed letter by letter into a shell."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from pathlib import Path

import pytest_asyncio

from extension.chromium import ID, PATIENCE, asked
from harness.daemon import environment, run

# A test's browser has no screen, and no sandbox where the tests run as root. Without a screen, Chromium would take a profile of its own
# and not the usual one.
HEADLESS = '--headless=new --no-sandbox --disable-dev-shm-usage --remote-debugging-port=0 --user-data-dir="$HOME/.config/chromium"'

ERRORS = """async id => {
  const { inDeveloperMode } = await chrome.developerPrivate.getProfileConfiguration();
  if (!inDeveloperMode) await chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
  await chrome.developerPrivate.reload(id, { failQuietly: true, populateErrorForUnpacked: true });
  const all = await chrome.developerPrivate.getExtensionsInfo({});
  return all.find(one => one.id === id).manifestErrors.map(error => error.message);
}"""


async def port_of(folder: Path) -> str:
    """Where the browser listens, once it does."""
    file = folder / "DevToolsActivePort"
    async with asyncio.timeout(PATIENCE):
        while not (file.exists() and file.read_text()):
            await asyncio.sleep(0.05)
    return file.read_text().splitlines()[0]


@pytest_asyncio.fixture(loop_scope="session")
async def typed(playwright, start, tmp_path):
    """A browser that the printed line started, with its signer."""
    daemon = start()
    told = run("extension", "install", "--browser", "chromium", "--home", str(daemon.home.path), env=environment(HOME=str(tmp_path))).out
    [line] = [line.strip() for line in told.splitlines() if line.strip().startswith("chromium ")]
    browser = subprocess.Popen(
        ["sh", "-c", f"exec {line} {HEADLESS}"], env=environment(HOME=str(tmp_path)), stderr=subprocess.DEVNULL, start_new_session=True
    )
    port = await port_of(tmp_path / ".config" / "chromium")
    connected = await playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
    yield connected.contexts[0], daemon
    await connected.close()
    os.killpg(browser.pid, signal.SIGTERM)
    browser.wait()


async def test_the_printed_command_starts_a_chromium_whose_sites_ask(typed, sites):
    context, daemon = typed
    page = await context.new_page()
    await page.goto(sites.origin("quick"))
    question = asyncio.create_task(asked(page, "window.nostr.getPublicKey()"))
    async with asyncio.timeout(PATIENCE):
        while not (waiting := daemon.waiting()):
            await asyncio.sleep(0.05)
    daemon.do("request", "approve", waiting[0]["id"])
    assert (await question)["result"] == daemon.user


async def test_chromium_finds_no_fault_in_the_manifest(typed):
    context, _ = typed
    page = await context.new_page()
    await page.goto("chrome://extensions")
    assert await page.evaluate(ERRORS, ID) == []
