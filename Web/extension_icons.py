#!/usr/bin/env python3
"""Draws the extension's icons from Web/extension/icons/icon.svg, in Debian's Chromium: extension_icons.py. Run it after a change there."""

import pathlib

from playwright.sync_api import sync_playwright

ICONS = pathlib.Path(__file__).resolve().parent / "extension" / "icons"
SIZES = (16, 32, 48, 128)


def main() -> None:
    drawing = (ICONS / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<body style='margin:0'>{drawing.replace('<svg ', f'<svg width={size} height={size} ', 1)}")
            page.screenshot(path=ICONS / f"icon-{size}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
