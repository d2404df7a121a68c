"""200 waiting requests and 500 apps: what an input costs. The figures are printed; what is asserted is the work, not the time."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from harness.app import App
from harness.waiting import eventually
from reference.keys import Key
from reference.links import BunkerLink, nostrconnect

APPS, ASKING, EACH = 500, 10, 20

# Counts the elements that an input adds to the page, and the time until the frame after it.
WATCH = """() => {
  window.work = { added: 0, removed: 0, milliseconds: 0 };
  new MutationObserver((changes) => {
    for (const { addedNodes, removedNodes } of changes) {
      for (const node of addedNodes) work.added += 1 + (node.querySelectorAll?.('*').length ?? 0);
      work.removed += removedNodes.length;
    }
  }).observe(document.getElementById('page'), { childList: true, subtree: true });
  const begin = (event) => {
    const start = event.timeStamp;
    requestAnimationFrame(() => setTimeout(() => { work.milliseconds = performance.now() - start; }));
  };
  for (const type of ['keydown', 'click', 'input', 'change']) addEventListener(type, begin, true);
}"""

# Ends the page's timers. The times that it shows go on by themselves, each half a minute, which is no work of an input.
STILL = "() => { for (let id = setTimeout(() => {}); id > 0; id -= 1) clearTimeout(id); }"

PAIR = """async (links) => {
  const { call } = await import('/api.js');
  for (const uri of links) await call('pair/accept', { uri, trust: 'low', local_relays: true });
}"""


@pytest.mark.slow
async def test_an_input_stays_cheap_with_200_requests_and_500_apps(desk, apps):
    keys = [Key() for _ in range(APPS)]
    relay = desk.daemon.relay
    links = [nostrconnect(key.public, [relay], f"secret{n}", name=f"App {n:03}") for n, key in enumerate(keys)]
    await desk.page.evaluate(PAIR, links)
    signers = {one["pubkey"]: one["signer"] for one in desk.daemon.clients()}
    assert len(signers) == APPS
    for key in keys[:ASKING]:
        app = await apps(App.by_link(BunkerLink("", signers[key.public], [relay], None), key))
        for n in range(EACH):
            await app.send("sign_event", [f'{{"kind":{[1, 0, 5, 30023][n % 4]},"content":"request {n}","tags":[]}}'])
    await eventually(lambda: len(desk.daemon.waiting()) == ASKING * EACH, "all requests wait", 60)

    await desk.go("/approvals")
    await expect(desk.page.get_by_role("article")).to_have_count(ASKING * (2 + EACH // 2), timeout=30_000)
    await expect(desk.page.locator(".settling")).to_have_count(0)
    await desk.page.evaluate(STILL)
    await desk.page.evaluate(WATCH)
    figures = {
        "choose a request": await measured(desk, desk.page.keyboard.press("j")),
        "open a request": await measured(desk, desk.page.keyboard.press("o")),
        "filter by kind": await measured(desk, desk.page.get_by_role("combobox", name="Kind", exact=True).select_option(index=1)),
    }
    await desk.go("/apps")
    await expect(desk.page.get_by_role("main").get_by_role("link", name="App 499")).to_be_visible()
    field = desk.page.get_by_label("Find an app")
    await field.focus()
    await desk.page.evaluate(STILL)
    figures["a letter in the search"] = await measured(desk, desk.page.keyboard.press("4"))
    for what, work in figures.items():
        print(f"{what}: {work['milliseconds']:.0f} ms, {work['added']} elements added, {work['removed']} removed")
    assert figures["choose a request"]["added"] == 0
    assert figures["open a request"]["added"] < 150, "one card and no more is built"
    assert figures["filter by kind"]["added"] < 30, "rows are hidden, not built anew"
    assert figures["a letter in the search"]["added"] < 10, "rows are hidden, not built anew"


async def measured(desk, act) -> dict:
    await desk.page.evaluate("() => Object.assign(work, { added: 0, removed: 0, milliseconds: 0 })")
    await act
    await desk.page.wait_for_function("() => work.milliseconds > 0")
    await asyncio.sleep(0)
    return await desk.page.evaluate("() => ({ ...work })")
