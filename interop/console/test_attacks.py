"""Strangers' texts in the owner's page are shown as text. They are never run, and no link in them is followed."""

from __future__ import annotations

import nostr_sdk as sdk
import pytest
from playwright.async_api import expect

from console.rust_app import RustApp, refused, signed
from harness.waiting import eventually
from reference.events import as_json

SCRIPTS = [
    "<script>window.pwned = 1</script>",
    "<img src=x onerror='window.pwned = 1'>",
    "\"><svg onload='window.pwned = 1'>",
    "javascript:window.pwned=1",
    "<a href='https://evil.example/' target=_blank>click</a>",
    "<iframe srcdoc='<script>parent.pwned = 1</script>'></iframe>",
    "</textarea></pre></blockquote><style>*{display:none}</style>",
    "{{constructor.constructor('window.pwned=1')()}}",
]


async def harmless(desk) -> None:
    """Checks that no script ran, that no element was made of the text, and that no link leads out of the console."""
    assert await desk.page.evaluate("() => window.pwned === undefined")
    made = await desk.page.evaluate("() => document.querySelectorAll('main script, main iframe, main style, main img, main object').length")
    assert made == 0
    links = await desk.page.evaluate(
        "() => [...document.querySelectorAll('a[href], form[action]')].map(a => a.getAttribute('href') ?? a.action)"
    )
    assert all(link.startswith("#") for link in links), links


@pytest.mark.parametrize("name", [SCRIPTS[0], SCRIPTS[1], SCRIPTS[2]])
async def test_script_in_a_name_and_in_what_is_to_be_signed_is_text(desk, pair_app, name):
    coracle = await pair_app(name[:60])
    await desk.go("/approvals")
    content = "\n".join(SCRIPTS)
    asked = coracle.asks_to_sign(content, 1, [[letter, script] for letter, script in zip("tulx", SCRIPTS, strict=False)])
    card = desk.page.get_by_role("article")
    for script in SCRIPTS:
        await expect(card.locator("blockquote")).to_contain_text(script)
    await card.get_by_text("The exact request (raw)").click()
    await expect(card.locator("pre.raw")).to_contain_text("window.pwned")
    await harmless(desk)
    profile = coracle.asks_to_sign(as_json({"name": name, name: "x", "picture": "https://evil.example/p.png"}), 0)
    await desk.open_card(desk.card("Change your profile"))
    await expect(desk.card("Change your profile")).to_contain_text("https://evil.example/p.png")
    await harmless(desk)
    await desk.answer("Sign a note", "Approve")
    assert (await signed(asked)).content() == content
    await expect(card).to_have_count(1)
    await desk.answer("Change your profile", "Deny")
    await refused(profile)
    for route in ("/", "/apps", f"/apps/{desk.daemon.clients()[0]['signer']}", "/activity"):
        await desk.go(route)
        shown = desk.page.locator("main strong, main h1").filter(has_text=desk.daemon.clients()[0]["name"])
        await expect(shown.first).to_be_visible()
        await harmless(desk)


async def test_what_an_app_says_about_itself_is_marked_as_its_claim_and_never_fetched(desk):
    keys = sdk.Keys.generate()
    metadata = as_json(
        {
            "name": SCRIPTS[1],
            "url": "https://evil.example/" + SCRIPTS[0],
            "icons": ["https://evil.example/i.png"],
            "image": "https://evil.example/i.png",
        }
    )
    uri = f"nostrconnect://{keys.public_key().to_hex()}?relay={desk.daemon.relay}&secret=s&name={SCRIPTS[1]}&metadata={metadata}"
    app = RustApp.by_uri(uri, keys)
    learning = app.asks(app.learn_user())
    # What the signer says before the app listens is lost.
    await eventually(lambda: desk.daemon.do("status")["relays"][0]["subscriptions"], "the app listens")
    desk.daemon.accept(uri, "low")
    await learning
    asked = app.asks_to_sign("Hello")
    await desk.go("/approvals")
    await expect(desk.card("Hello")).to_be_visible()
    await harmless(desk)
    await desk.go(f"/apps/{desk.daemon.clients()[0]['signer']}")
    await expect(desk.page.get_by_role("heading", name="What it did")).to_be_visible()
    await harmless(desk)
    assert not asked.done()
    await app.close()


async def test_the_page_cannot_be_framed_or_made_to_run_what_it_did_not_bring(desk):
    answer = await desk.page.goto(desk.origin + "/")
    policy = answer.headers["content-security-policy"]
    for rule in (
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "form-action 'none'",
        "base-uri 'none'",
    ):
        assert rule in policy
    assert "unsafe" not in policy and "*" not in policy and "http" not in policy
    ran = (
        "() => new Promise(done => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        " document.body.append(s); setTimeout(() => done(window.ran === 1), 50) })"
    )
    desk.faults.clear()
    assert not await desk.page.evaluate(ran)
    assert any("Content Security Policy" in fault for fault in desk.faults), "and the browser said so"
    desk.faults.clear()


async def test_keys_and_clicks_that_no_person_made_approve_nothing(desk, pair_app):
    """A held key repeats, and a form on another page receives letters. Neither is an answer."""
    coracle = await pair_app("Coracle")
    asked = coracle.asks_to_sign("Typed over")
    await desk.go("/approvals")
    await expect(desk.page.locator(".settling")).to_have_count(0)
    await desk.page.keyboard.press("j")
    await desk.page.keyboard.press("Control+a")
    await desk.page.get_by_role("combobox").first.focus()
    await desk.page.keyboard.press("a")
    await desk.page.keyboard.press("d")
    await expect(desk.card("Typed over")).to_be_visible()
    assert not asked.done() and len(desk.daemon.waiting()) == 1
