"""What happens on the morning of the pictures, and the pictures: python -m screenshots.take HOME FOLDER. Started by __main__.py."""

from __future__ import annotations

import asyncio
import hashlib
import math
import os
import struct
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from playwright.async_api import Page, async_playwright, expect

from console.desk import CHROMIUM, NARROW, WIDE, Desk
from harness.app import App
from harness.daemon import CHEAPEST_COST, Daemon, Home, environment
from harness.waiting import eventually
from reference.events import as_json, template
from reference.keys import Key

PORT = 24133
APPS = {"Amethyst": "medium", "Coracle": "medium", "Damus": "low"}
"""Each app's trust."""


def key_of(name: str) -> Key:
    """The same key each time."""
    return Key(hashlib.sha256(f"screenshots: {name}".encode()).digest())


ADA = key_of("Ada")

CLOCK = {name: os.environ[name] for name in ("LD_PRELOAD", "MOVED_CLOCK")}


def until_clock(hour: int, minute: int) -> None:
    """Sets the clock of everybody forward to that time of the morning."""
    now = datetime.fromtimestamp(time.time(), UTC)
    ahead = math.ceil((now.replace(hour=hour, minute=minute, second=0, microsecond=0) - now).total_seconds())
    with open(CLOCK["MOVED_CLOCK"], "r+b", buffering=0) as file:
        (moved,) = struct.unpack("=q", file.read(8))
        file.seek(0)
        file.write(struct.pack("=q", moved + ahead))


async def paired(daemon: Daemon, name: str) -> App:
    app = await App.paired(daemon.pair(APPS[name]), key_of(name))
    daemon.do("client", "rename", app.key.public, name, env=environment(**CLOCK))
    return app


async def morning(daemon: Daemon) -> list[App]:
    """Three apps; what they asked for and got; and what waits for the owner."""
    until_clock(8, 5)
    amethyst, coracle, damus = [await paired(daemon, name) for name in APPS]
    for hour, minute, app, kind, text in [
        (8, 12, amethyst, 1, "Good morning from the harbour."),
        (8, 31, coracle, 7, "+"),
        (8, 47, amethyst, 1, "The bread is out of the oven."),
        (9, 3, coracle, 1, "Reading on the train."),
        (9, 16, amethyst, 7, "🤙"),
    ]:
        until_clock(hour, minute)
        await app.sign(template(kind, text))
    until_clock(9, 27)
    await damus.send("sign_event", [as_json(template(1, "Anyone up for a walk to the lighthouse?"))])
    until_clock(9, 29)
    profile = as_json({"name": "Ada", "about": "Bakes bread by the sea.", "nip05": "ada@example.com"})
    await coracle.send("sign_event", [as_json(template(0, profile))])
    await eventually(lambda: len(daemon.waiting()) == 2, "both requests wait")
    until_clock(9, 30)
    return [amethyst, coracle, damus]


async def shoot(desk: Desk, folder: Path, apps: list[App]) -> None:
    page = desk.page
    for file, route, viewport, shown in [
        ("home", "/home", WIDE, page.get_by_role("heading", level=1)),
        ("approvals", "/approvals", WIDE, page.get_by_role("article").nth(1)),
        ("approvals-phone", "/approvals", NARROW, page.get_by_role("article").nth(1)),
        ("app", f"/apps/{apps[1].key.public}", WIDE, page.get_by_role("heading", name="Coracle").first),
        ("activity", "/activity", WIDE, page.get_by_role("listitem").filter(has_text="Coracle").last),
    ]:
        await page.set_viewport_size(viewport)
        await desk.go(route)
        await page.reload()
        await expect(shown).to_be_visible()
        await settled(page)
        await expect(page.locator(".settling")).to_have_count(0)
        await page.screenshot(path=folder / f"{file}.png", animations="disabled", caret="hide")
        print(f"screenshots: {folder / file}.png", flush=True)


async def settled(page: Page) -> None:
    """Waits until the page has not changed for half a second."""
    await page.evaluate(
        """() => new Promise(done => {
            let quiet = setTimeout(done, 500);
            new MutationObserver(() => { clearTimeout(quiet); quiet = setTimeout(done, 500); })
                .observe(document.body, { subtree: true, childList: true, characterData: true });
            setTimeout(done, 10000);
        })"""
    )


async def main(home: Home, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    opened = ("--passphrase-file", str(home.passphrase_file))
    home.cli("init", *opened, *CHEAPEST_COST, env=environment(**CLOCK), check=True)
    home.cli("identity", "import", "ada", *opened, env=environment(**CLOCK), stdin=ADA.secret.hex(), check=True)
    daemon = home.start(env=environment(**CLOCK), listen=f"127.0.0.1:{PORT}")
    look = {"locale": "en-US", "timezone_id": "UTC", "color_scheme": "light", "reduced_motion": "reduce"}
    try:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            desk = await Desk.opened(browser, daemon, **look)
            apps = await morning(daemon)
            await shoot(desk, folder, apps)
            assert not desk.faults, desk.faults
            for app in apps:
                await app.close()
            await browser.close()
    finally:
        daemon.stop()


if __name__ == "__main__":
    asyncio.run(main(Home(Path(sys.argv[1])), Path(sys.argv[2])))
