"""The console in other languages: every word of a page is in it, nothing overflows, and an app's words stay as they are."""

from __future__ import annotations

import json
import re
import sys
import time

import nostr_sdk as sdk
import pytest
from playwright.async_api import expect

from console.desk import NARROW
from console.rust_app import refused, signed
from harness.daemon import PASSPHRASE, REPOSITORY
from harness.waiting import eventually

sys.path.insert(0, str(REPOSITORY / "Web"))
import catalogue

LOCALES = {"de": "de-DE", "es": "es-ES", "ja": "ja-JP", "pt": "pt-BR"}
PAGES = {
    "/keys": "An identity is a Nostr key: who you are on Nostr. The key stays in this signer. Apps get only what it signs.",
    "/recovery": "Kept here for others",
    "/backup": "Scheduled backups",
    "/welcome": "Your identity on Nostr",
    "/keys/alice": "Replace this key",
    "/keys/alice/receipt": "What is true of this key, and what is not. Nothing here has to be changed.",
    "/": "Relays",
    "/approvals": "Nothing waits for you",
    "/apps": "No app is paired yet",
    "/pair": "The app shows a code or link",
    "/activity": "The vault was opened",
    "/security": "The log",
    "/security/vault": "For experts: the keys of the vault",
    "/security/console": "Signed-in browsers",
    "/settings": "Notifications",
    "/more": "Recovery kits",
}
"""Pages with a text that stands there once all has been fetched."""
ENGLISH = re.compile(r"\b(?:the|your|you|this|and|with|is|are)\b")

TEXTS = """() => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement;
    if (node.data.trim() && parent.checkVisibility() && !parent.closest('code, pre, noscript, [dir=auto]')) found.push(node.data.trim());
  }
  for (const one of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
    for (const name of ['aria-label', 'title']) if (one.checkVisibility() && one.hasAttribute(name)) found.push(one.getAttribute(name));
  }
  return found;
}"""

TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  return [...document.querySelectorAll('body *')].filter((one) => {
    const box = one.getBoundingClientRect();
    return one.checkVisibility() && box.width > 1 && (box.right > width + 1 || box.left < -1) && !one.closest('pre, .unseen, .skip');
  }).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 60)}`);
}"""


def words(language: str) -> dict:
    return json.loads((REPOSITORY / "Web/console/languages" / f"{language}.json").read_text(encoding="utf-8"))


async def enter(open_desk, daemon, locale: str, **options):
    """A signed-in page in a language; the menu's name is translated, too."""
    desk = await open_desk(daemon, sign_in=False, locale=locale, **options)
    await desk.page.goto(desk.link().replace("127.0.0.1", "localhost"))
    desk.origin = desk.origin.replace("127.0.0.1", "localhost")
    await expect(desk.page.get_by_role("navigation")).to_be_visible()
    return desk


async def show(desk, route: str, language: str = "en") -> None:
    """Opens a page, and waits until it is drawn."""
    await desk.go(route)
    text, catalogue = PAGES[route], words(language)
    spoken = catalogue["console"] | catalogue["signer"]
    await expect(desk.page.locator("main").get_by_text(spoken.get(text, text)).first).to_be_visible()
    await desk.page.wait_for_load_state("networkidle")


def english_left(texts: list[str], language: str) -> list[str]:
    """The texts that are still English: those of the catalogue that another language says otherwise, and sentences with English words."""
    spoken = words(language)["console"]
    same = {text for text in spoken.values() if isinstance(text, str)}
    untranslated = {key for key in spoken if key not in same}
    return [text for text in texts if text in untranslated or ENGLISH.search(text)]


@pytest.mark.parametrize("language", LOCALES)
async def test_a_browser_sees_the_console_in_its_language(open_desk, daemon, language):
    desk = await open_desk(daemon, sign_in=False, locale=LOCALES[language])
    await desk.page.goto(desk.origin)
    await expect(desk.page.get_by_role("heading", name=words(language)["console"]["Sign in"])).to_be_visible()
    assert await desk.page.evaluate("() => [document.documentElement.lang, document.documentElement.dir]") == [language, "ltr"]
    assert english_left(await desk.page.evaluate(TEXTS), language) == []
    await desk.page.goto(desk.link().replace("127.0.0.1", "localhost"))
    await expect(desk.page.get_by_role("navigation", name=words(language)["console"]["Pages"])).to_be_visible()
    for route in PAGES:
        await show(desk, route, language)
        assert english_left(await desk.page.evaluate(TEXTS), language) == [], route


async def test_english_loads_no_catalogue(open_desk, daemon):
    desk = await open_desk(daemon, sign_in=False, locale="en-GB")
    asked: list[str] = []
    desk.page.on("request", lambda request: asked.append(request.url))
    await desk.page.goto(desk.origin)
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert await desk.page.evaluate("() => document.documentElement.lang") == "en"
    assert not any("/languages/" in url for url in asked)


async def test_an_unknown_language_of_a_browser_is_passed_over(open_desk, daemon):
    desk = await open_desk(daemon, sign_in=False, locale="is-IS")
    await desk.page.goto(desk.origin)
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_the_person_chooses_the_language_and_the_browser_keeps_it(open_desk, daemon):
    desk = await enter(open_desk, daemon, "en-US")
    await desk.go("/settings")
    await desk.page.get_by_label("Language").select_option("Deutsch")
    await expect(desk.page.get_by_label("Sprache")).to_have_value("de")
    await desk.page.reload()
    await expect(desk.page.get_by_role("link", name="Schlüssel", exact=True)).to_be_visible()
    await desk.page.get_by_label("Sprache").select_option("Wie im Browser")
    await expect(desk.page.get_by_label("Language")).to_have_value("")


async def test_settings_have_the_language_colours_names_and_notifications(desk):
    await desk.page.get_by_role("navigation", name="Pages").get_by_role("link", name="Settings").click()
    await expect(desk.page.get_by_role("heading", name="Notifications")).to_be_visible()
    await expect(desk.page.get_by_label("Show what people call themselves")).to_be_visible()
    await expect(desk.page.get_by_label("Language")).to_be_visible()
    root = desk.page.locator("html")
    await desk.page.get_by_role("combobox", name="Colours").select_option("Dark")
    await expect(root).to_have_attribute("data-theme", "dark")
    await desk.page.reload()
    await expect(root).to_have_attribute("data-theme", "dark")
    await desk.page.get_by_role("combobox", name="Colours").select_option("As the system says")
    await expect(root).not_to_have_attribute("data-theme", "dark")
    main = desk.page.get_by_role("main")
    for link in ("When it locks by itself never", "Ways in 1 way to unlock", "Relays 1 relay", "Backups none yet"):
        await expect(main.get_by_role("link", name=re.compile(link.replace(" ", r"\s*")))).to_be_visible()
    await main.get_by_role("link", name="Signed-in browsers and passkeys").click()
    await expect(desk.page.get_by_role("heading", name="Passkeys")).to_be_visible()


async def test_the_language_is_chosen_before_a_sign_in_and_in_the_first_run(open_desk, daemon):
    desk = await open_desk(daemon, sign_in=False)
    await desk.page.goto(desk.link().partition("#")[0])
    await desk.page.get_by_label("Language").select_option("de")
    await expect(desk.page.get_by_role("heading", name="Anmelden")).to_be_visible()
    await desk.page.goto(desk.link())
    await desk.go("/welcome")
    await expect(desk.page.get_by_role("heading", name="Willkommen bei Holdfast")).to_be_visible()
    await desk.page.get_by_label("Sprache").select_option("en")
    await expect(desk.page.get_by_role("heading", name="Welcome to Holdfast")).to_be_visible()


@pytest.mark.parametrize(("locale", "form"), [("en-US", r"\d{1,2}:\d\d [AP]M"), ("en-GB", r"\d\d:\d\d")])
async def test_a_time_has_the_form_of_the_persons_region_wherever_it_stands(open_desk, daemon, locale, form):
    desk = await open_desk(daemon, locale=locale)
    words = await desk.page.evaluate(
        "async () => { const w = await import('/words.js'); const s = Date.now() / 1000 + 60; return [w.clock(s), w.fullTime(s)]; }"
    )
    short, long = (text.replace("\u202f", " ") for text in words)
    assert re.search(form + "$", short), short
    assert re.search(form.replace(r":\d\d", r":\d\d:\d\d", 1) + "$", long), long


@pytest.mark.parametrize("language", ["de", "ja"])
async def test_nothing_overflows_a_phone_in_long_words_or_wide_letters(open_desk, daemon, language):
    desk = await enter(open_desk, daemon, LOCALES[language], viewport=NARROW)
    for route in PAGES:
        await show(desk, route, language)
        assert await desk.page.evaluate(TOO_WIDE) == [], route


@pytest.mark.parametrize("width", [1280, 390])
async def test_a_language_from_right_to_left_mirrors_the_page(open_desk, daemon, width):
    desk = await enter(open_desk, daemon, "en-US", viewport={"width": width, "height": 900})
    for route in PAGES:
        await show(desk, route)
        await desk.page.evaluate(
            "async () => (await import('/language.js')).useLanguage('ar', { console: { Keys: 'مفاتيح' }, signer: {} })"
        )
        assert await desk.page.evaluate("() => document.documentElement.dir") == "rtl"
        assert await desk.page.evaluate(TOO_WIDE) == [], route
        heading = await desk.page.locator("main h1").bounding_box()
        assert heading["x"] + heading["width"] > width / 2, "the heading begins at the right"
    menu, page = await desk.page.locator("#menu").bounding_box(), await desk.page.locator("main").bounding_box()
    assert width < 800 or menu["x"] > page["x"], "the menu is on the other side"


async def test_what_the_signer_says_is_translated_and_an_apps_words_are_not(open_desk, daemon):
    desk = await open_desk(daemon, sign_in=False, locale="de-DE")
    await desk.page.goto(desk.origin)
    heard = await desk.page.evaluate(
        """async (texts) => { const { fromSigner } = await import('/language.js'); return texts.map(fromSigner); }""",
        [
            "Sign a note",
            "Log in to a website: example.com",
            "Log in to a website: {host} $& <b>Keys</b>",
            "notes from this app",
            "There is no such passkey. Try again.",
            "There is no such passkey. Keys",
            "The tide is out",
            "constructor",
            "Log in to a website: " + "x" * 5000,
        ],
    )
    assert heard == [
        "Eine Notiz signieren",
        "Bei einer Website anmelden: example.com",
        "Bei einer Website anmelden: {host} $& <b>Keys</b>",
        "Notizen von dieser App",
        "Diesen Passkey gibt es nicht. Versuche es noch einmal.",
        "There is no such passkey. Keys",
        "The tide is out",
        "constructor",
        "Log in to a website: " + "x" * 5000,
    ]


async def test_a_request_is_read_and_answered_in_the_language(open_desk, daemon, pair_app):
    app = await pair_app("Keys")
    desk = await enter(open_desk, daemon, "de-DE", viewport=NARROW)
    await desk.go("/approvals")
    asked = app.asks_to_sign("Approve")
    await expect(desk.page.get_by_role("heading", name="Eine Notiz signieren")).to_be_visible()
    await expect(desk.page.get_by_text("Niedriges Vertrauen: du wirst nach allem gefragt")).to_be_visible()
    await expect(desk.page.locator(".app-name")).to_have_text("Keys")
    await expect(desk.page.locator(".said")).to_have_text("Approve")
    await expect(desk.page.get_by_text("Die Antwort gilt für Notizen von dieser App")).to_be_visible()
    assert english_left(await desk.page.evaluate(TEXTS), "de") == []
    assert await desk.page.evaluate(TOO_WIDE) == []
    await desk.answer("Approve", "Genehmigen")
    assert (await signed(asked)).content() == "Approve"


async def test_the_kinds_to_filter_by_are_in_the_language(open_desk, daemon, pair_app):
    app = await pair_app("Coracle")
    desk = await enter(open_desk, daemon, "de-DE")
    await desk.go("/approvals")
    for kind in (1, 3, 10002, 24242, 7777):
        app.asks_to_sign("", kind)
    await expect(desk.page.get_by_role("combobox", name="Art").locator("option")).to_have_text(
        ["Alle Arten", "Anmeldung bei einem Dateiserver", "Art 7777", "Folgeliste", "Notiz", "Relay-Liste"]
    )
    await expect(desk.card("Ein Event der Art 7777 signieren")).to_be_visible()


async def test_what_an_answer_to_a_profile_is_remembered_for_is_in_the_language(open_desk, daemon, pair_app):
    app = await pair_app("Coracle")
    desk = await enter(open_desk, daemon, "de-DE")
    await desk.go("/approvals")
    app.asks_to_sign('{"name":"alice"}', 0)
    await expect(desk.page.get_by_role("article")).to_contain_text("Profiländerungen von dieser App")


@pytest.mark.parametrize("language", LOCALES)
async def test_no_kind_of_request_leaves_english_on_its_card(open_desk, daemon, pair_app, language):
    """The app's own texts are in no language. Each kind stands for those that are described alike."""
    app = await pair_app("Xyzzy")
    desk = await enter(open_desk, daemon, LOCALES[language])
    await show(desk, "/approvals", language)
    peer, event = sdk.Keys.generate().public_key(), "ab" * 32
    kinds = [
        *((1, "qq", []), (0, '{"name":"qq","lud16":"q@q.qq"}', []), (3, "", [["p", peer.to_hex()]]), (5, "", [["e", event]])),
        *((7, "+", [["e", event], ["p", peer.to_hex()]]), (10002, "", [["r", "wss://q.qq"]]), (30023, "qq", [["d", "q"], ["title", "qq"]])),
        *((10050, "", [["relay", "wss://q.qq"]]), (1984, "qq", [["p", peer.to_hex(), "spam"]]), (30078, "qq", [["d", "q"]])),
        *((22242, "", [["relay", "wss://q.qq"], ["challenge", "qq"]]), (27235, "", [["u", "https://q.qq/q"], ["method", "POST"]])),
        *((24242, "qq", [["t", "delete"], ["x", event]]), (62, "qq", [["relay", "ALL_RELAYS"]]), (9734, "qq", [["p", peer.to_hex()]])),
        *((23194, "qq", [["p", peer.to_hex()]]), (10000, "", [["p", peer.to_hex()]]), (54321, "qq", [["q", "q"]])),
    ]
    for kind, content, tags in kinds:
        app.asks_to_sign(content, kind, tags)
    app.asks(app.client.nip44_encrypt_async(peer, "qq"))
    await eventually(lambda: len(daemon.waiting()) == len(kinds) + 1, "all requests wait")
    await expect(desk.page.get_by_role("article")).to_have_count(len(kinds) + 1)
    openers = desk.page.locator(".request .opener")
    for number in range(len(kinds) + 1):  # one is open at a time
        if await openers.nth(number).get_attribute("aria-expanded") != "true":
            await openers.nth(number).click()
        assert english_left(await desk.page.evaluate(TEXTS.replace(", [dir=auto]", "")), language) == []
    await show(desk, "/activity", language)
    entries = desk.page.get_by_role("main")
    for rule in ("low trust", "passphrase", "made in this signer"):
        said = words(language)["console"][rule]
        await expect(entries).to_contain_text(said)
        if said.lower() != rule:
            await expect(entries).not_to_contain_text(re.compile(f"(?<![\\w“]){rule}"))


@pytest.mark.parametrize("language", LOCALES)
async def test_the_sheets_of_a_kit_are_in_the_language_and_their_commands_are_not(open_desk, daemon, language):
    desk = await enter(open_desk, daemon, LOCALES[language])
    say = words(language)["console"]
    for of in ("", "alice"):
        await desk.go("/recovery")
        await desk.page.get_by_role("button", name=say["Make a kit…"]).click()
        dialog = desk.page.get_by_role("dialog")
        await dialog.get_by_role("combobox", name=say["It opens"]).select_option(of)
        await dialog.get_by_label(say["Your vault’s passphrase, to confirm"]).fill(PASSPHRASE)
        await dialog.get_by_role("button", name=say["Make the kit"], exact=True).click()
        commands = desk.page.locator("article.sheet code.run")
        await expect(commands.last).to_contain_text("holdfast recovery restore" if of else "holdfast backup restore")
        await desk.page.locator("ol.share-words").evaluate("words => words.replaceChildren()")  # SLIP-39 words are English
        assert english_left(await desk.page.evaluate(TEXTS), language) == [], of
        for number in ("2", "3"):
            await desk.page.get_by_role("button", name=say["Next sheet"]).click()
            await expect(desk.page.locator("article.sheet h2")).to_contain_text(number)
        await desk.page.get_by_role("button", name=say["I have them all"]).click()


async def test_an_error_of_the_signer_is_in_the_language(open_desk, daemon):
    desk = await open_desk(daemon, sign_in=False, locale="pt-BR")
    desk.expected.append(re.compile("401"))
    await desk.page.goto(desk.origin + "/#signin=" + "A" * 43)
    await expect(desk.page.get_by_role("alert")).to_contain_text("Este link para entrar já foi usado, ou seus dez minutos acabaram.")


async def test_the_page_without_a_signer_is_in_the_language(open_desk, daemon):
    desk = await enter(open_desk, daemon, "es-ES")
    desk.may_lose_connection = True
    await desk.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    await desk.page.wait_for_function("async () => Boolean(await caches.match('/words'))")
    daemon.stop()
    await desk.page.goto(desk.origin + "/")
    await expect(desk.page.get_by_role("heading", name="Sin conexión")).to_be_visible()
    assert english_left(await desk.page.evaluate(TEXTS), "es") == []


async def test_a_notification_is_in_the_language(open_desk, daemon):
    desk = await enter(open_desk, daemon, "de-DE", permissions=["notifications"])
    await desk.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    await desk.page.wait_for_function("async () => Boolean(await caches.match('/words'))")
    [worker] = desk.context.service_workers
    shown = """async (message) => {
      const asked = [];
      self.registration.showNotification = async (title, { body, lang }) => { asked.push([title, body, lang]); };
      await show(message);
      return asked[0];
    }"""
    answer = "Öffne Holdfast, um es anzusehen und zu antworten."
    assert await worker.evaluate(shown, {"count": 3}) == ["3 Anfragen warten auf dich", answer, "de"]
    assert await worker.evaluate(shown, {"count": 1}) == ["1 Anfrage wartet auf dich", answer, "de"]
    assert await worker.evaluate(shown, {"count": 5000}) == ["Mehr als 50 Anfragen warten auf dich", answer, "de"]
    assert await worker.evaluate(shown, {"type": "incident"}) == [
        "Mit deinem Signer stimmt etwas nicht",
        "Öffne Holdfast, um zu sehen, was passiert ist.",
        "de",
    ]


# The check of the catalogues

WANTED = {"console": {"Keys": "Keys", "{count} apps": {"one": "{count} app", "other": "{count} apps"}}, "signer": {"Log in to {host}": ""}}
WHOLE = {
    "console": {"Keys": "Schlüssel", "{count} apps": {"one": "Eine App", "other": "{count} Apps"}},
    "signer": {"Log in to {host}": "Bei {host} anmelden"},
}


def changed(part: str, key: str, text) -> dict:
    catalogue = json.loads(json.dumps(WHOLE))
    catalogue[part].pop(key, None)
    if text is not None:
        catalogue[part][key] = text
    catalogue[part] = dict(sorted(catalogue[part].items()))
    return catalogue


def test_a_whole_catalogue_passes_the_check():
    wanted = {**WANTED, "signer": {"Log in to {host}": "Log in to {host}"}}
    assert catalogue.faults("de", WHOLE, wanted) == []


@pytest.mark.parametrize(
    ("part", "key", "text", "fault"),
    [
        ("console", "Keys", None, "nothing for “Keys”"),
        ("console", "Old", "Alt", "“Old” is not used any more"),
        ("console", "{count} apps", "{count} Apps", "needs the forms one, other"),
        ("console", "{count} apps", {"one": "Eine App", "other": "{number} Apps"}, "fills in something else for “other”"),
        ("signer", "Log in to {host}", "Bei {name} anmelden", "fills in something else"),
    ],
)
def test_what_a_catalogue_lacks_is_found(part, key, text, fault):
    wanted = {**WANTED, "signer": {"Log in to {host}": "Log in to {host}"}}
    found = catalogue.faults("de", changed(part, key, text), wanted)
    assert len(found) == 1 and fault in found[0]


@pytest.mark.parametrize(
    ("script", "forgotten"),
    [
        ('h("p", {}, "Keep it")', ["Keep it"]),
        ('h("p", { class: "two names" }, t("Keep it"))', []),
        ('h("p", {}, isHere ? "here" : t("away"))', ["here"]),
        ("notice(`The ${name} is gone`)", ["The {} is gone"]),
        ('rich("By {who}", { who: h("b", {}, "somebody") })', ["somebody"]),
        ('// A comment, "with words in it"\ncall("request/list")', []),
        ('const shape = /"no text here"/; t("{count} of", { count: a / b })', []),
    ],
)
def test_words_outside_of_the_catalogue_are_found(tmp_path, script, forgotten):
    path = tmp_path / "page.js"
    path.write_text(script)
    assert [token.value for token, _ in catalogue.untranslated(path)] == forgotten


def test_a_text_that_is_no_literal_is_refused(tmp_path):
    path = tmp_path / "page.js"
    path.write_text('t("one " + "two")')
    with pytest.raises(catalogue.Fault, match="must stand there as a literal"):
        catalogue.texts(path)


async def test_what_a_file_login_is_for_is_said_in_the_persons_language(open_desk, daemon, pair_app):
    coracle = await pair_app("Coracle")
    desk = await enter(open_desk, daemon, "de-DE")
    await show(desk, "/approvals", "de")
    tags = [["t", "upload"], ["x", "ab" * 32], ["server", "https://files.example"], ["expiration", str(int(time.time()) + 600)]]
    asked = coracle.asks_to_sign("Mein Bild", 24242, tags)
    card = desk.card("Mein Bild")
    await card.get_by_role("combobox").select_option("1h")
    said = words("de")["console"]["upload a file"]
    await expect(card.locator(".remember")).to_contain_text(said)
    await expect(card.locator(".remembered")).to_contain_text(said)
    await expect(card.locator(".answers")).not_to_contain_text("upload")
    desk.daemon.do("request", "deny", desk.daemon.waiting()[0]["id"])
    await refused(asked)
