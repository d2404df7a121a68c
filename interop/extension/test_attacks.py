"""What a hostile page, a frame or another extension tries, in Chromium."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
from pathlib import Path

from extension.chromium import ID, asked, note
from harness.waiting import PATIENCE, eventually, silence
from reference.events import is_genuine


async def test_a_frame_asks_with_its_own_origin(chromium):
    path = chromium.sites.page("/framed", f"<iframe src='{chromium.sites.origin('inner')}/'></iframe>")
    page = await chromium.visit("outer", path)
    question = asyncio.create_task(asked(page.frames[1], "window.nostr.getPublicKey()"))
    chromium.daemon.do("request", "approve", (await chromium.request("inner"))["id"])
    assert (await question)["result"] == chromium.daemon.user
    assert not chromium.callers("outer")


async def test_a_sandboxed_frame_and_one_without_an_address_get_nothing(chromium):
    path = chromium.sites.page(
        "/boxes",
        f"<iframe sandbox='allow-scripts' src='{chromium.sites.origin('boxed')}/'></iframe>"
        "<iframe srcdoc='<p>x'></iframe><iframe src='about:blank'></iframe><iframe src='data:text/html,x'></iframe>",
    )
    page = await chromium.visit("boxer", path)
    boxed, *others = page.frames[1:]
    assert (await asked(boxed, "window.nostr.getPublicKey()"))["code"] == "not-allowed"
    for frame in others:
        assert await frame.evaluate("typeof window.nostr") == "undefined"
    assert not chromium.callers("boxed") and not chromium.callers("boxer")


async def test_a_page_cannot_claim_another_origin(chromium):
    """Whatever it adds to its request, and whatever its document says of itself."""
    page = await chromium.visit("claims")
    path = chromium.sites.page("/relaxed", "<script>try { document.domain = 'localhost' } catch {}</script>")
    await page.goto(chromium.sites.origin("claims") + path)
    await page.evaluate(
        """victim => {
            Object.defineProperty(window, "origin", { value: victim });
            history.replaceState(null, "", "/" + encodeURIComponent(victim));
            window.nostr.signEvent({ kind: 1, content: "x", tags: [], created_at: 1, origin: victim, for: { origin: victim },
                                     identity: "alice", extension: "y" });
        }""",
        chromium.sites.origin("victim"),
    )
    request = await chromium.request("claims")
    assert not chromium.callers("victim")
    shown = chromium.daemon.do("request", "show", request["id"])
    assert "victim" not in shown["raw"]


async def test_a_page_that_forges_the_extensions_messages_gets_nothing(chromium):
    """It posts and dispatches everything that the two halves say to each other, with a port of its own."""
    page = await chromium.visit("forges")
    await page.evaluate(
        """() => {
            window.got = [];
            const channel = new MessageChannel();
            channel.port1.onmessage = event => window.got.push(event.data);
            const request = { id: "0".repeat(32), method: "getPublicKey", params: {}, origin: "https://victim.example" };
            for (const message of [request, { about: "state" }, { about: "lock" }, { event: "use" }, { other: true }, "x", null]) {
                window.postMessage(message, "*");
                window.postMessage(JSON.stringify(message), "*");
                channel.port1.postMessage(JSON.stringify(message));
                window.dispatchEvent(new CustomEvent("holdfast-page-port", { detail: message }));
            }
            window.addEventListener("message", event => { if (event.data?.result) window.got.push(event.data); });
            const port = event => { if (event.ports?.[0] !== channel.port2) window.got.push("port"); };
            window.addEventListener("holdfast-page-port", event => { if (event.ports?.length) port(event); });
            window.dispatchEvent(new Event("holdfast-bridge-ready"));
            window.dispatchEvent(new MessageEvent("holdfast-page-port", { ports: [channel.port2] }));
            window.dispatchEvent(new MessageEvent("holdfast-page-port", { ports: [] }));
        }"""
    )
    # What is known to be answered afterwards shows that nothing above was.
    assert await chromium.let_in(page, "forges") == chromium.daemon.user
    await silence()
    assert await page.evaluate("window.got") == []
    assert [entry["requests"] for entry in chromium.callers("forges")] == [1]
    assert chromium.daemon.do("status")["locked"] is False


async def test_a_page_that_floods_is_held_back_and_others_are_served(chromium):
    flood = await chromium.visit("floods")
    await flood.evaluate(
        """() => {
            window.codes = {};
            for (let index = 0; index < 2000; index += 1) {
                window.nostr.signEvent({ kind: 1, content: `${index}`, tags: [], created_at: index })
                    .catch(error => { window.codes[error.code] = (window.codes[error.code] ?? 0) + 1; });
            }
        }"""
    )
    await flood.wait_for_function("(window.codes['rate-limited'] ?? 0) >= 2000 - 64")
    assert len(chromium.waiting("floods")) <= 64
    other = await chromium.visit("beside")
    assert await chromium.let_in(other, "beside") == chromium.daemon.user
    await flood.close()


async def test_many_frames_of_one_site_have_one_allowance(own_chromium, daemon):
    """While the signer does not answer, the extension holds 64 requests of a site, however many documents ask."""
    chromium = await own_chromium(daemon)
    path = chromium.sites.page("/many", f"<iframe src='{chromium.sites.origin('crowd')}/'></iframe>" * 4)
    page = await chromium.visit("crowded", path)
    os.kill(daemon.pid, signal.SIGSTOP)
    try:
        for frame in page.frames[1:]:
            await frame.evaluate(
                """() => { window.codes = [];
                    for (let index = 0; index < 40; index += 1)
                        window.nostr.nip44.encrypt("0".repeat(64), `${index}`).catch(error => window.codes.push(error.code)); }"""
            )
        async with asyncio.timeout(PATIENCE):
            while len(codes := [code for frame in page.frames[1:] for code in await frame.evaluate("window.codes")]) < 4 * 40 - 64:
                await asyncio.sleep(0.05)
        await silence()
        assert codes == ["rate-limited"] * (4 * 40 - 64)
    finally:
        os.kill(daemon.pid, signal.SIGCONT)


POLLUTE = """() => {
    const evil = function () { window.stolen = (window.stolen ?? 0) + 1; return "stolen"; };
    for (const [prototype, names] of [
        [Object.prototype, ["toJSON", "get", "value", "id", "error", "result", "ports", "method"]],
        [Array.prototype, ["toJSON", "push", "map", "join", Symbol.iterator, "0"]],
        [String.prototype, ["toJSON", "charAt", "padStart", Symbol.iterator]],
        [Promise.prototype, []], [Map.prototype, ["get", "set"]], [Function.prototype, ["call", "apply", "bind"]],
        [MessagePort.prototype, ["postMessage", "addEventListener", "start"]],
        [EventTarget.prototype, ["addEventListener", "dispatchEvent"]],
        [window, ["postMessage"]],
    ]) for (const name of names) {
        try { Object.defineProperty(prototype, name, { value: evil, writable: true, configurable: true }); } catch {}
    }
    Object.defineProperty(MessageEvent.prototype, "data", { get: evil, configurable: true });
    for (const name of ["parse", "stringify"]) JSON[name] = evil;
    for (const name of ["apply", "get", "construct"]) Reflect[name] = evil;
    for (const name of ["create", "defineProperty", "freeze", "setPrototypeOf", "keys", "assign"]) Object[name] = evil;
    crypto.getRandomValues = evil;
    window.MessageChannel = evil; window.Uint8Array = evil; window.Error = evil; Array.isArray = evil;
}"""


async def test_prototypes_that_a_page_changes_afterwards_change_nothing(chromium):
    page = await chromium.visit("pollutes")
    await chromium.let_in(page, "pollutes", "medium")
    # The test's own tool uses the page's language, so answers are written where it finds them.
    path = chromium.sites.page(
        "/polluted",
        f"""<p id=out></p><script>
        const keep = {{ then: Promise.prototype.then, stringify: JSON.stringify, out: document.getElementById("out") }};
        ({POLLUTE})();
        const shown = event => {{
            keep.out.textContent = `${{event.content}}|${{event.sig.length}}|${{event.kind}}|${{event.tags.length}}`;
        }};
        const failed = error => {{ keep.out.textContent = "failed: " + error; }};
        const before = window.stolen ?? 0;
        window.nostr.signEvent({{ kind: 1, content: "clean", tags: [["t", "x"]], created_at: 1795000000 }}).then(
            event => {{ shown(event); document.title = `${{(window.stolen ?? 0) - before}}`; }}, failed);
        </script>""",
    )
    await page.goto(chromium.sites.origin("pollutes") + path)
    await page.wait_for_selector("#out:not(:empty)")
    assert await page.inner_text("#out") == "clean|128|1|1"
    assert await page.title() == "0"


async def test_a_frame_whose_prototypes_were_changed_before_asks_only_for_its_own_site(chromium):
    """The first document of a frame of one's own site can be touched before the extension is there."""
    path = chromium.sites.page(
        "/before",
        f"""<script>
        const frame = document.createElement("iframe");
        document.documentElement.append(frame);
        const inside = frame.contentWindow;
        inside.JSON.stringify = () => '{{"id":"{"0" * 32}","method":"getPublicKey","origin":"https://victim.example"}}';
        inside.MessagePort.prototype.postMessage = function () {{}};
        inside.Object.freeze = value => value;
        frame.src = "/";
        frame.onload = () => {{ document.title = "ready"; }};
        </script>""",
    )
    page = await chromium.visit("before", path)
    await page.wait_for_function("document.title === 'ready'")
    await page.frames[1].evaluate("() => { window.nostr?.getPublicKey().catch(() => {}); }")
    await silence()
    assert not [entry for entry in chromium.daemon.do("local", "list")["programs"] if "victim" in json.dumps(entry)]
    assert await chromium.let_in(page, "before") == chromium.daemon.user


async def test_a_page_cannot_replace_what_it_is_given(chromium):
    page = await chromium.visit("replaces")
    assert await page.evaluate(
        """() => {
            const own = window.nostr;
            for (const attempt of [
                () => { window.nostr = {}; },
                () => { delete window.nostr; },
                () => { Object.defineProperty(window, "nostr", { value: {} }); },
                () => { window.nostr.signEvent = () => "stolen"; },
                () => { window.nostr.nip44.decrypt = () => "stolen"; },
                () => { Object.setPrototypeOf(window.nostr, {}); },
                () => { window.nostr.getPublicKey.call = () => "stolen"; },
            ]) { try { attempt(); } catch {} }
            const about = Object.getOwnPropertyDescriptor(window, "nostr");
            return window.nostr === own && Object.isFrozen(own) && Object.isFrozen(own.nip44) && Object.isFrozen(own.signEvent)
                && !about.writable && !about.configurable && !Object.hasOwn(own.getPublicKey, "call");
        }"""
    )


def chromium_id(folder: Path) -> str:
    """The id of an extension without a key: from its path."""
    return "".join(chr(97 + int(digit, 16)) for digit in hashlib.sha256(str(folder).encode()).hexdigest()[:32])


def folder_of_id(parent: Path, fits) -> Path:
    """Chromium runs the scripts of extensions in the order of their ids."""
    return next(folder for number in range(1_000) if fits(chromium_id(folder := parent / f"another{number}")))


def other_extension(folder: Path) -> Path:
    """Another extension that provides window.nostr, as many do."""
    folder.mkdir()
    (folder / "manifest.json").write_text(
        json.dumps(
            {
                "manifest_version": 3,
                "name": "Another",
                "version": "1",
                "content_scripts": [
                    {"matches": ["http://*/*"], "js": ["other.js"], "run_at": "document_start", "world": "MAIN", "all_frames": True}
                ],
                "permissions": ["nativeMessaging"],
                "background": {"service_worker": "worker.js"},
            }
        )
    )
    (folder / "other.js").write_text("if (!window.nostr) window.nostr = { getPublicKey: async () => 'another' };")
    (folder / "worker.js").write_text(
        "globalThis.got = [];"
        "globalThis.ask = (id, message) => new Promise(done => chrome.runtime.sendMessage(id, message, answer => {"
        " void chrome.runtime.lastError; done(answer ?? null); }));"
        "globalThis.call = (id, message) => new Promise(done => { const port = chrome.runtime.connect(id, { name: 'page' });"
        " port.onMessage.addListener(done); port.onDisconnect.addListener(() => { void chrome.runtime.lastError; done(null); });"
        " port.postMessage(message); });"
        "globalThis.native = () => new Promise(done => chrome.runtime.sendNativeMessage('org.holdfast.signer',"
        " { id: '1', method: 'state' }, answer => done(chrome.runtime.lastError?.message ?? answer)));"
    )
    return folder


async def test_another_extensions_object_is_left_until_the_owner_says_otherwise(own_chromium, daemon, tmp_path):
    chromium = await own_chromium(daemon, others=(other_extension(folder_of_id(tmp_path, lambda id: id < ID)),))
    page = await chromium.visit("shared")
    assert (await asked(page, "window.nostr.getPublicKey()"))["result"] == "another"
    toolbar = await chromium.toolbar(page)
    await toolbar.get_by_text("Another extension provides Nostr here.").wait_for()
    await toolbar.get_by_role("button", name="Use Holdfast").click()
    await page.wait_for_function("Object.isFrozen(window.nostr)")
    assert await chromium.let_in(page, "shared") == daemon.user
    await page.reload()
    await page.wait_for_function("Object.isFrozen(window.nostr)")


async def test_another_extension_gets_no_answer(own_chromium, daemon, tmp_path):
    chromium = await own_chromium(daemon, others=(other_extension(folder_of_id(tmp_path, lambda id: id > ID)),))
    other = await chromium.other_worker()
    holdfast = (await chromium.worker()).url.split("/")[2]
    for message in ({"about": "state"}, {"about": "lock"}, {"about": "other"}):
        assert await other.evaluate("([id, message]) => ask(id, message)", [holdfast, message]) is None
    request = {"id": "0" * 32, "method": "getPublicKey", "params": {}}
    assert await other.evaluate("([id, message]) => call(id, message)", [holdfast, request]) is None
    assert "forbidden" in await other.evaluate("native()")
    assert daemon.do("local", "list")["programs"] == []
    assert daemon.do("status")["locked"] is False


async def test_a_page_cannot_open_the_extensions_pages(chromium):
    page = await chromium.visit("opens")
    holdfast = (await chromium.worker()).url.split("/")[2]
    for name in ("toolbar.html", "background.js", "manifest.json", "icons/icon-16.png"):
        answer = await page.evaluate(
            "async url => { try { return (await fetch(url)).status; } catch { return 'refused'; } }",
            f"chrome-extension://{holdfast}/{name}",
        )
        assert answer == "refused"


async def test_a_private_window_gets_nothing(chromium):
    """The browser lets no extension into private windows until the owner allows it there."""
    browser = await chromium.private_browser()
    try:
        page = await browser.new_page()
        await page.goto(chromium.sites.origin("private") + "/")
        assert await page.evaluate("typeof window.nostr") == "undefined"
    finally:
        await browser.close()


async def test_it_signs_only_what_the_page_showed(chromium):
    """An event whose members change while it is read is signed as it was read, once."""
    page = await chromium.visit("shifty")
    await chromium.let_in(page, "shifty", "medium")
    event = await page.evaluate(
        """() => {
            let count = 0;
            const event = { get content() { count += 1; return `read ${count}`; }, kind: 1, tags: [], created_at: 1795000000 };
            return window.nostr.signEvent(event);
        }"""
    )
    assert event["content"] == "read 1" and is_genuine(event)


async def test_it_logs_nothing(chromium):
    page = await chromium.visit("quiet")
    heard = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    await chromium.let_in(page, "quiet", "low")
    question = asyncio.create_task(asked(page, note("quiet")))
    chromium.daemon.do("request", "deny", (await chromium.request("quiet"))["id"])
    assert (await question)["code"] == "denied"
    assert heard == []


async def test_documents_that_end_while_they_wait_cost_their_site_no_place(own_chromium, daemon):
    """Four times twenty requests that nobody waits for are more than the 64 that a site may have under way."""
    chromium = await own_chromium(daemon)
    page = await chromium.visit("reloads")
    await chromium.let_in(page, "reloads", "low")
    for turn in range(4):
        await page.evaluate(
            """turn => { for (let index = 0; index < 20; index += 1)
                window.nostr.signEvent({ kind: 1, content: `${turn} ${index}`, tags: [], created_at: 1 }).catch(() => {}); }""",
            turn,
        )
        await chromium.request("reloads", 20)
        await page.reload()
        await eventually(lambda: not chromium.waiting("reloads"), "the end of what nobody waits for")
    assert (await asked(page, "window.nostr.getPublicKey()"))["result"] == daemon.user


async def test_a_full_store_of_the_extension_stops_no_site(own_chromium, daemon):
    chromium = await own_chromium(daemon)
    await (await chromium.worker()).evaluate(
        """async () => { try { for (let size = 5 << 20, index = 0; size > 0; size >>= 1, index += 1)
            for (let turn = 0; turn < 2; turn += 1) await chrome.storage.session.set({ [`${index} ${turn}`]: "x".repeat(size) })
                .catch(() => {}); } catch {} }"""
    )
    page = await chromium.visit("full")
    assert await chromium.let_in(page, "full") == daemon.user


async def test_a_site_does_not_hear_of_a_change_for_the_one_that_was_in_its_tab_before(own_chromium, start, home):
    home.unlocked("identity", "create", "bob")
    chromium = await own_chromium(start())
    listen = "() => { window.heard = 0; window.nostr.on('accountChanged', () => { window.heard += 1; }); }"
    page = await chromium.visit("shop")
    await chromium.let_in(page, "shop")
    await page.goto(chromium.sites.origin("next") + "/")
    await chromium.let_in(page, "next")
    await page.evaluate(listen)
    still = await chromium.visit("shop")
    assert "result" in await asked(still, "window.nostr.getPublicKey()")
    await still.evaluate(listen)
    toolbar = await chromium.toolbar(still)
    await toolbar.get_by_label("Identity on this site").select_option("bob")
    await still.wait_for_function("window.heard === 1")
    assert await page.evaluate("window.heard") == 0
