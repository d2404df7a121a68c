"""Pairing, both ways, and the first run: as a person who has just installed it."""

from __future__ import annotations

import base64
import re
import subprocess
from urllib.parse import urlsplit

import nostr_sdk as sdk
import pytest
from playwright.async_api import expect

from console.authenticator import Authenticator
from console.desk import NARROW, WIDE
from console.rust_app import RustApp
from harness.daemon import PASSPHRASE, REPOSITORY
from harness.waiting import eventually
from reference.events import as_json


def read_code(picture: bytes) -> str:
    """What a QR reader nobody here wrote sees in a picture."""
    done = subprocess.run(["zbarimg", "--nodbus", "-q", "--raw", "-"], input=picture, capture_output=True, timeout=20)
    return done.stdout.decode().strip()


async def test_a_link_for_this_machine_only_says_so_and_shows_no_code(desk):
    await desk.go("/pair")
    await desk.page.get_by_role("button", name="Make a link").click()
    await expect(desk.page.get_by_text("It works for apps on this machine only")).to_be_visible()
    await expect(desk.page.get_by_role("img", name="QR code of the link")).to_have_count(0)
    app = await RustApp.paired((await desk.page.locator("code.link").inner_text()).strip())
    await expect(desk.page.get_by_role("heading", name="Connected")).to_be_visible()
    await app.close()


async def test_a_link_that_no_app_used_is_listed_and_cancelled(desk):
    link = desk.daemon.do("pair", "--trust", "low")
    await desk.go("/pair")
    unused = desk.page.locator("section").filter(has_text="Links that no app has used yet")
    row = unused.get_by_role("listitem").filter(has_text="Low trust")
    await expect(row).to_contain_text("made just now")
    await expect(row).not_to_contain_text(link["pubkey"][:8])
    await row.get_by_role("button", name=f"Cancel the link {link['pubkey'][:8]}").click()
    await expect(row).to_have_count(0)
    assert link["pubkey"] not in [one["pubkey"] for one in desk.daemon.do("pair", "--list")["links"]]


async def test_an_app_pairs_by_the_code_on_the_screen(open_desk, start):
    desk = await open_desk(start(relays=("wss://relay.example",)))
    await desk.go("/pair")
    give = desk.page.locator("section").filter(has_text="The app asks for a “bunker” link")
    await give.get_by_role("radio", name=re.compile("^Full")).check()
    await desk.page.get_by_role("button", name="Make a link").click()
    code = desk.page.get_by_role("img", name="QR code of the link")
    await expect(code).to_be_visible()
    link = read_code(await code.screenshot(scale="css"))
    assert link == (await desk.page.locator("code.link").inner_text()).strip()
    await expect(desk.page.get_by_text("Waiting for the app…")).to_be_visible()
    app = await RustApp.paired(link)
    await expect(desk.page.get_by_role("heading", name="Connected")).to_be_visible()
    await desk.page.get_by_label("Call it").fill("Phone")
    await desk.page.get_by_role("button", name="Save the name").click()
    await expect(desk.page.get_by_text("Saved.")).to_be_visible()
    (client,) = desk.daemon.clients()
    assert client["pubkey"] == app.key and client["trust"] == "full" and client["name"] == "Phone"
    assert (await app.signs("Paired by a picture")).author().to_hex() == desk.daemon.user


async def test_a_nostrconnect_link_is_pasted(desk):
    keys = sdk.Keys.generate()
    metadata = as_json({"name": "Rusty", "url": "https://rusty.example"})
    uri = f"nostrconnect://{keys.public_key().to_hex()}?relay={desk.daemon.relay}&secret=s3cret-of-rusty&metadata={metadata}"
    app = RustApp.by_uri(uri, keys)
    learning = app.asks(app.learn_user())
    await desk.go("/pair")
    await desk.page.get_by_label("The app's link").fill(uri)
    await desk.page.get_by_role("button", name="See what it brings").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Pair “Rusty”?")
    await expect(dialog).to_contain_text("says it is https://rusty.example; nobody has checked this")
    assert desk.daemon.clients() == [], "nothing is stored before the answer"
    await dialog.get_by_role("button", name="Pair this app").click()
    await expect(desk.page.get_by_role("heading", name="Rusty", level=1)).to_be_visible()
    await expect(desk.page.get_by_text("It says it is https://rusty.example. Nobody has checked this.")).to_be_visible()
    assert await learning == desk.daemon.user
    await app.close()


async def test_an_app_without_a_name_is_called_alike_before_and_after_it_is_paired(desk):
    key = sdk.Keys.generate().public_key().to_hex()
    uri = f"nostrconnect://{key}?relay={desk.daemon.relay}&secret=no-name"
    name = f"Unnamed app · {key[:8]}"
    for again in (False, True):
        await desk.go("/pair")
        await desk.page.get_by_label("The app's link").fill(uri)
        await desk.page.get_by_role("button", name="See what it brings").click()
        dialog = desk.page.get_by_role("dialog")
        await expect(dialog.locator(".link-who strong").first).to_contain_text(name)
        if again:
            await expect(dialog).to_contain_text(f"paired already as {name}")
            await dialog.get_by_role("button", name="Cancel").click()
        else:
            await dialog.get_by_role("button", name="Pair this app").click()
            await expect(desk.page.locator("#notices")).to_contain_text(f"{name} is paired.")
            await expect(desk.page.get_by_role("heading", name=name, level=1)).to_be_visible()
    (client,) = desk.daemon.clients()
    assert client["name"] == f"app {key[:8]}", "only what is shown is another"


async def test_the_link_of_an_app_that_was_revoked_says_so(desk):
    key = sdk.Keys.generate().public_key().to_hex()
    uri = f"nostrconnect://{key}?relay={desk.daemon.relay}&secret=again"
    desk.daemon.accept(uri)
    desk.daemon.do("client", "revoke", key, "--yes")
    await desk.go("/pair")
    await desk.page.get_by_label("The app's link").fill(uri)
    await desk.page.get_by_role("button", name="See what it brings").click()
    await expect(desk.page.get_by_role("dialog")).to_contain_text("You revoked this app")


async def test_apps_of_one_name_are_told_apart(desk, pair_app):
    """By what an app cannot choose: when it was paired, and its key."""
    first = await pair_app("Rusty")
    keys = sdk.Keys.generate()
    metadata = as_json({"name": "rusty"})
    uri = f"nostrconnect://{keys.public_key().to_hex()}?relay={desk.daemon.relay}&secret=namesake&metadata={metadata}"
    app = RustApp.by_uri(uri, keys)
    learning = app.asks(app.learn_user())
    await desk.go("/pair")
    await desk.page.get_by_label("The app's link").fill(uri)
    await desk.page.get_by_role("button", name="See what it brings").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("You have an app of this name already, paired")
    await dialog.get_by_role("radio", name=re.compile("^Low")).check()
    await dialog.get_by_role("button", name="Pair this app").click()
    await learning
    await expect(desk.page.get_by_role("heading", name="rusty", level=1)).to_be_visible()
    await desk.go("/apps")
    rows = desk.page.get_by_role("main").get_by_role("link", name=re.compile("rusty", re.IGNORECASE))
    await expect(rows).to_have_count(2)
    for key in (first.key, app.key):
        row = rows.filter(has_text=f"key {key[:8]}…{key[-8:]}")
        await expect(row).to_contain_text(re.compile(r"paired (just now|\d+ seconds ago)"))
        await expect(row.locator(".key-picture")).to_have_count(1)
    app.asks_to_sign("Which one?")
    await desk.go("/approvals")
    await eventually(desk.daemon.waiting, "it waits")
    await expect(desk.card("Which one?")).to_contain_text(f"key {app.key[:8]}…{app.key[-8:]}")
    named = desk.daemon.cli("client", "rename", app.key, "RUSTY")
    assert named.code == 1 and "Another app is called “Rusty”." in named.said
    await app.close()


async def test_a_relay_inside_the_network_is_used_only_where_the_owner_says_so(desk):
    keys = sdk.Keys.generate()
    inside = "ws://127.0.0.1:9"
    uri = f"nostrconnect://{keys.public_key().to_hex()}?relay={inside}&relay={desk.daemon.relay}&secret=inside&name=Rusty"
    await desk.go("/pair")
    await desk.page.get_by_label("The app's link").fill(uri)
    await desk.page.get_by_role("button", name="See what it brings").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog.get_by_role("listitem").filter(has_text=inside)).to_contain_text("in your network")
    await expect(dialog.get_by_role("listitem").filter(has_text=desk.daemon.relay)).to_contain_text("yours")
    await dialog.get_by_role("button", name="Pair this app").click()
    await expect(desk.page.get_by_role("alert")).to_contain_text(inside)
    assert desk.daemon.clients() == []
    await dialog.get_by_label("I know this relay").check()
    await dialog.get_by_role("button", name="Pair this app").click()
    await expect(desk.page.get_by_role("heading", name="Rusty", level=1)).to_be_visible()


async def test_an_app_that_nobody_checked_is_offered_the_trust_that_asks(desk, unused, open_desk):
    low = re.compile("^Low ?Asks you before every signature and every message.")
    await desk.go("/pair")
    await expect(desk.page.get_by_role("main").get_by_role("radio", name=low)).to_be_checked()
    key = sdk.Keys.generate().public_key().to_hex()
    uri = f"nostrconnect://{key}?relay={desk.daemon.relay}&secret=unchecked&name=Rusty"
    dialog = desk.page.get_by_role("dialog")
    for level in ("Low", "Medium"):
        await desk.go("/pair")
        await desk.page.get_by_label("The app's link").fill(uri)
        await desk.page.get_by_role("button", name="See what it brings").click()
        # The second time it is an app that the owner trusts already.
        await expect(dialog.get_by_role("radio", name=re.compile(f"^{level}"))).to_be_checked()
        if level == "Low":
            await dialog.get_by_role("button", name="Pair this app").click()
            await expect(desk.page.get_by_role("heading", name="Rusty", level=1)).to_be_visible()
            desk.daemon.do("client", "trust", key, "medium")
    first = await open_desk(unused, at="/welcome")
    await first.page.get_by_role("button", name="Keep this one").or_(first.page.get_by_role("button", name="Make a new one")).click()
    await first.page.get_by_role("button", name="Skip for now").click()
    await expect(first.page.get_by_role("radio", name=low)).to_be_checked()


async def test_what_a_link_asks_for_is_chosen_before_it_is_paired(desk):
    keys = sdk.Keys.generate()
    perms = "sign_event:1,sign_event:0,sign_event:62,nip44_decrypt,get_public_key"
    uri = f"nostrconnect://{keys.public_key().to_hex()}?relay={desk.daemon.relay}&secret=choices&name=Rusty&perms={perms}"
    await desk.go("/pair")
    await desk.page.get_by_label("The app's link").fill(uri)
    await desk.page.get_by_role("button", name="See what it brings").click()
    dialog = desk.page.get_by_role("dialog")
    notes = dialog.get_by_role("combobox", name="Sign notes")
    low, medium = (dialog.get_by_role("radio", name=re.compile(f"^{level}")) for level in ("Low", "Medium"))
    await expect(low).to_be_checked()
    await expect(notes).to_contain_text("Trust: asks you")
    await medium.check()
    await expect(notes).to_contain_text("Trust: without asking")
    await low.check()
    await notes.select_option(label="Allow")
    await dialog.get_by_role("combobox", name="Read encrypted messages").select_option(label="Deny")
    vanish = dialog.get_by_role("row", name=re.compile("Sign requests to vanish")).get_by_role("combobox")
    await expect(vanish.get_by_role("option", name="Allow", exact=True)).to_have_count(0)
    await dialog.get_by_role("button", name="Pair this app").click()
    await expect(desk.page.get_by_role("heading", name="Rusty", level=1)).to_be_visible()
    shown = desk.daemon.do("client", "show", keys.public_key().to_hex())
    rules = {rule["permission"]: rule["verdict"] for rule in shown["rules"]}
    assert shown["trust"] == "low" and rules == {"sign_event:1": "allow", "nip44_decrypt": "deny"}


async def make_all_the_same(desk) -> None:
    """Makes a link whose relays do not work, which is asked about once they were tried."""
    await expect(desk.page.get_by_role("listitem").filter(has_text="does not work")).to_be_visible()
    await desk.page.get_by_role("button", name="Make a link").click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="Make the link all the same").click()


async def test_where_no_phone_reaches_the_relay_others_are_offered_and_tried(desk):
    """The browser names an address in the owner's network: the signer tries nothing there, and says so."""
    await desk.go("/pair")
    await expect(desk.page.get_by_text("Works for apps on this machine.")).to_be_visible()
    await desk.page.get_by_role("button", name="Add a relay").click()
    await expect(desk.page.get_by_role("button", name="Add wss://relay.nsec.app")).to_be_focused()
    taken = desk.page.get_by_role("button", name=re.compile("^Remove wss"))
    await expect(taken).to_have_count(0)
    await expect(desk.page.get_by_text("Works for apps on this machine.")).to_be_visible()
    await desk.page.get_by_role("button", name="Add wss://nos.lol").click()
    await expect(taken).to_have_count(1)
    await expect(desk.page.get_by_role("button", name="Add wss://nos.lol")).to_be_hidden()
    await expect(desk.page.get_by_text("Works for apps on this machine.")).to_be_hidden()
    await desk.page.keyboard.press("Enter")
    await expect(taken).to_have_count(2)
    await expect(desk.page.get_by_role("button", name="Add wss://relay.damus.io")).to_be_focused()
    for _ in range(2):
        await taken.first.click()
    await expect(desk.page.get_by_role("button", name="Add wss://nos.lol")).to_be_visible()
    await expect(desk.page.get_by_text("“relay.example.com” is enough: it stands for wss://relay.example.com.")).to_be_visible()
    await desk.page.get_by_label("Another relay").fill("relay.invalid:7777")
    await desk.page.get_by_role("button", name="Add", exact=True).click()
    await desk.page.get_by_role("button", name="Remove wss://relay.invalid:7777").click()
    await desk.page.get_by_label("Another relay").fill("ws://127.0.0.1:9")
    await desk.page.get_by_role("button", name="Add", exact=True).click()
    row = desk.page.get_by_role("listitem").filter(has_text="ws://127.0.0.1:9")
    await expect(row).to_contain_text("does not work: a browser may not try addresses in your network")
    await desk.page.get_by_role("button", name="Make a link").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog.get_by_role("heading", name="None of these relays works")).to_be_visible()
    await dialog.get_by_role("button", name="Cancel").click()
    assert not any("ws://127.0.0.1:9" in link["relays"] for link in desk.daemon.do("pair", "--list")["links"])
    await make_all_the_same(desk)
    link = await desk.page.locator("code.link").inner_text()
    assert "127.0.0.1%3A9" in link or "127.0.0.1:9" in link
    await expect(desk.page.get_by_text("No app can use this link now: the signer reaches none of its relays")).to_be_visible()


async def test_home_says_who_names_a_relay_that_is_away_and_lets_go_of_it(desk, rust_relay):
    """An app's relay, and that of a link that nobody used: the signer tries them as long as somebody names them."""
    away = "ws://127.0.0.1:9"
    link = desk.daemon.do("pair", "--relay", away, "--relay", rust_relay.url)
    app = await RustApp.paired(link["bunker"])
    desk.daemon.do("client", "rename", app.key, "Wanderer")
    desk.daemon.do("pair", "--relay", away)
    await desk.go("/")
    row = desk.page.get_by_role("main").get_by_role("listitem").filter(has_text="not reachable").filter(has_text=away)
    await expect(row.get_by_role("link", name="Wanderer")).to_be_visible()
    await row.get_by_role("button", name=re.compile("^Cancel the link")).click()
    await expect(row.get_by_role("button", name=re.compile("^Cancel the link"))).to_have_count(0)
    await expect(row.get_by_role("link", name="Wanderer")).to_be_visible()
    assert not any(away in link["relays"] for link in desk.daemon.do("pair", "--list")["links"])
    await row.get_by_role("link", name="Wanderer").click()
    await expect(desk.page.get_by_role("heading", name="Wanderer", level=1)).to_be_visible()
    await app.close()


async def test_how_phones_reach_this_machine_is_shown_with_its_name_and_its_relay(desk):
    """The texts are those of docs/HOME-SERVER.md, which a test types."""
    here = urlsplit(desk.daemon.ready["relay"]).netloc
    page = (REPOSITORY / "docs/HOME-SERVER.md").read_text().replace("127.0.0.1:24133", here)
    await desk.go("/pair")
    await desk.page.get_by_role("button", name="This machine in your network…").click()
    dialog = desk.page.get_by_role("dialog")
    await expect(dialog.locator("pre").first).to_have_text(f"tailscale serve --bg --set-path /relay http://{here}/relay")
    assert await dialog.locator("pre").first.text_content() in page
    await dialog.get_by_label("With").select_option("caddy")
    await dialog.get_by_label("Name of this machine there").fill("not a name; rm")
    await dialog.get_by_role("button", name="Use it").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("not a machine’s name")
    await dialog.get_by_label("Name of this machine there").fill("Signer.home.arpa")
    await expect(dialog.locator("pre").first).to_contain_text(f"reverse_proxy {here}")
    assert f"\n{await dialog.locator('pre').first.text_content()}\nEND" in page
    # Each step says what is seen after it, and the last one is a button here.
    await expect(dialog.get_by_role("listitem")).to_have_count(3)
    await expect(dialog.get_by_role("listitem").nth(1)).to_contain_text("It says “Holdfast is running.”")
    await expect(dialog.locator("pre")).to_have_count(2)
    await expect(dialog.locator("pre").nth(1)).to_have_text(
        f"holdfast up --home {desk.daemon.home.path} --listen {here} --relay wss://signer.home.arpa/relay --trusted-proxy 127.0.0.1"
    )
    await dialog.get_by_role("button", name="Use it").click()
    await expect(desk.page.get_by_role("listitem").filter(has_text="wss://signer.home.arpa/relay")).to_be_visible()
    await make_all_the_same(desk)
    assert "signer.home.arpa" in await desk.page.locator("code.link").inner_text()


@pytest.mark.parametrize("viewport", [NARROW, WIDE], ids=["phone", "desktop"])
async def test_a_link_that_was_made_is_in_sight(open_desk, daemon, viewport):
    desk = await open_desk(daemon, viewport=viewport, at="/pair")
    await desk.page.get_by_role("button", name="Add a relay").click()
    await desk.page.get_by_label("Another relay").fill("wss://relay.invalid")
    await desk.page.get_by_role("button", name="Add", exact=True).click()
    await desk.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    await make_all_the_same(desk)
    heading = desk.page.get_by_role("heading", name="Give this to the app")
    await expect(heading).to_be_focused()
    await expect(heading).to_be_in_viewport()
    await expect(desk.page.locator("#page code.link")).to_be_in_viewport()


async def test_a_link_that_is_none_is_refused_in_words(desk):
    await desk.go("/pair")
    await desk.page.get_by_label("The app's link").fill("https://nostr.example/login")
    await desk.page.get_by_role("button", name="See what it brings").click()
    await expect(desk.page.get_by_role("alert")).to_contain_text("This is not a nostrconnect:// link.")
    assert desk.daemon.clients() == []


async def test_a_key_that_is_imported_leaves_no_trace_in_the_page(open_desk, unused):
    desk = await open_desk(unused, at="/keys")
    keys = sdk.Keys.generate()
    nsec = keys.secret_key().to_bech32()
    sent: list[str] = []
    desk.page.on("request", lambda request: request.url.endswith("identity/import") and sent.append(request.post_data or ""))
    await desk.page.get_by_role("button", name="Import one").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("old me")
    await dialog.get_by_label("Key").first.fill(f"  {nsec} ")
    await dialog.get_by_role("button", name="Import").click()
    await expect(desk.page.get_by_role("link", name=re.compile("^old me"))).to_be_visible()
    assert [one["pubkey"] for one in unused.do("identity", "list")["identities"]] == [
        unused.user,
        keys.public_key().to_hex(),
    ]
    assert nsec not in sent[0].split("\n")[0], "a key is no JSON text"
    everything = await desk.page.evaluate(
        "() => document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(i => i.value).join()"
        " + JSON.stringify({...localStorage}) + JSON.stringify({...sessionStorage}) + location.href"
    )
    assert nsec not in everything


async def test_the_first_run_makes_an_identity_backs_it_up_and_pairs(open_desk, unused):
    """Without a manual: every step follows from what the page says."""
    desk = await open_desk(unused)
    await expect(desk.page.get_by_role("heading", name="Welcome to Holdfast")).to_be_visible()
    await desk.page.get_by_label("A name for your identity").fill("alice")
    await desk.page.get_by_role("button", name="Keep this one").click()
    await desk.page.get_by_label("Password for the copy").fill("a backup password")
    await desk.page.get_by_label("Repeat the password").fill("a backup password")
    await desk.page.get_by_label("Your vault’s passphrase").fill(PASSPHRASE)
    await desk.page.get_by_role("button", name="Make the copy").click()
    code = desk.page.get_by_role("img", name="QR code of the copy of alice")
    await expect(code).to_be_visible(timeout=30_000)
    await expect(desk.page.get_by_role("button", name="Continue without keeping it")).to_be_visible()
    await desk.page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    await desk.page.get_by_role("button", name="Print").click()
    assert await desk.page.evaluate("() => window.printed")
    async with desk.page.expect_download() as download:
        await desk.page.get_by_role("button", name="Save as a file").click()
    path = await (await download.value).path()
    copy = path.read_text().strip()
    assert read_code(await code.screenshot(scale="css")) == copy
    (identity,) = unused.do("identity", "list")["identities"]
    opened = sdk.Keys(sdk.EncryptedSecretKey.from_bech32(copy).decrypt("a backup password"))
    assert opened.public_key().to_hex() == identity["pubkey"], "rust-nostr opens the copy"
    await desk.page.get_by_role("button", name="Next").click()
    # In the same step: what a phone needs.
    await expect(desk.page.get_by_text("A phone cannot reach the signer's own relay.")).to_be_visible()
    await expect(desk.page.get_by_role("button", name="This machine in your network…")).to_be_visible()
    await desk.page.get_by_role("button", name="Add a relay").click()
    await expect(desk.page.get_by_role("button", name="Add wss://nos.lol")).to_be_visible()
    await desk.page.get_by_role("button", name="Make a link").click()
    app = await RustApp.paired((await desk.page.locator("code.link").inner_text()).strip())
    await expect(desk.page.get_by_role("heading", name="Connected")).to_be_visible()
    assert app.user.to_hex() == identity["pubkey"]
    await desk.page.get_by_label("Call it").fill("My first app")
    await desk.page.get_by_role("button", name="Save the name and go on").click()
    # A reload goes on where the steps were left, and so does another browser.
    await expect(desk.page.get_by_role("heading", name="When shall it lock by itself?")).to_be_visible()
    await desk.page.reload()
    await desk.go("/welcome")
    hears = await desk.asks("session/show")
    sleeps = "It locks after 15 minutes without you, when the machine goes to sleep, and with the desktop."
    stays = "Nothing else locks it: this machine reports neither sleep nor a locked desktop."
    if hears["hears_suspend"] == hears["hears_desktop_lock"]:
        await expect(desk.page.get_by_role("main")).to_contain_text(sleeps if hears["hears_suspend"] else stays)
    await desk.page.get_by_label("On a laptop or desktop").check()
    await desk.page.get_by_role("button", name="Next").click()
    await expect(desk.page.get_by_role("heading", name="Sign in without a terminal")).to_be_visible()
    state = await desk.asks("session/show")
    assert (state["lock_after"], state["lock_on_suspend"]) == (900, True)
    desk.expected.append(re.compile("pubKeyCredParams"))  # the browser would like RSA beside ES256
    await Authenticator.added(desk)
    await desk.page.get_by_role("button", name="Add a passkey for this browser…").click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="Continue").click()
    await expect(desk.page.get_by_role("heading", name="You can now sign in with it.")).to_be_visible()
    await desk.page.get_by_role("button", name="Let it unlock…").click()
    await desk.page.get_by_role("dialog").get_by_label("Your vault’s passphrase").fill(PASSPHRASE)
    before = await desk.page.evaluate("() => history.length")
    await desk.page.get_by_role("dialog").get_by_role("button", name="Continue").click()
    await expect(desk.page.get_by_role("heading", name="1 app paired")).to_be_visible()
    assert desk.page.url.endswith("#/")
    assert await desk.page.evaluate("() => history.length") == before, "Back does not lead into the first run again"
    assert {one["type"] for one in unused.do("slot", "list")["slots"]} == {"passphrase", "passkey"}
    await expect(desk.page.get_by_role("main").get_by_text("My first app")).to_be_visible()
    await desk.page.goto("about:blank")  # before its signer ends


async def test_the_first_steps_name_the_identity_of_the_app_and_of_earlier_links(desk):
    desk.daemon.do("identity", "create", "bob")
    desk.daemon.do("pair", "--identity", "bob")
    await desk.go("/welcome")
    await desk.page.evaluate("() => localStorage.setItem('welcome-step', 'app')")
    await desk.page.reload()
    main = desk.page.get_by_role("main")
    await expect(main).to_contain_text("The app then signs as alice.")
    await expect(main).to_contain_text("such as the one in the terminal, is for bob. Do not use it for alice.")
    await desk.page.get_by_role("button", name="Make a link").click()
    app = await RustApp.paired((await desk.page.locator("code.link").inner_text()).strip())
    await expect(desk.page.locator(".paired")).to_contain_text("is paired, and signs as alice")
    await app.close()


READS = """() => { globalThis.BarcodeDetector = class {
  async detect() { return globalThis.code ? [{ rawValue: globalThis.code }] : []; }
}; }"""
"""A detector as some browsers have one. What it finds is up to the test; that the picture arrives is up to the page."""
PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")


async def test_an_apps_code_is_read_from_a_picture(open_desk, daemon):
    desk = await open_desk(daemon)
    await desk.context.add_init_script(f"({READS})()")
    await desk.page.reload()
    await desk.go("/pair")
    main = desk.page.get_by_role("main")
    picture = {"name": "code.png", "mimeType": "image/png", "buffer": PICTURE}
    async with desk.page.expect_file_chooser() as chosen:
        await main.get_by_role("button", name="Read a picture of it…").click()
    await (await chosen.value).set_files(picture)
    await expect(desk.page.get_by_text("There is no QR code in this picture.")).to_be_visible()
    await desk.page.evaluate("(code) => { globalThis.code = code; }", f"nostrconnect://{'ab' * 32}?relay=wss://relay.example")
    async with desk.page.expect_file_chooser() as chosen:
        await main.get_by_role("button", name="Read a picture of it…").click()
    await (await chosen.value).set_files(picture)
    await expect(desk.page.get_by_label("The app's link")).to_have_value(re.compile("^nostrconnect://abab"))


async def test_without_a_detector_no_picture_is_asked_for(open_desk, daemon):
    desk = await open_desk(daemon)
    await desk.context.add_init_script("delete globalThis.BarcodeDetector")
    await desk.page.reload()
    await desk.go("/pair")
    await expect(desk.page.get_by_role("button", name="See what it brings")).to_be_visible()
    await expect(desk.page.get_by_role("button", name="Read a picture of it…")).to_have_count(0)
