"""A passkey opens the keys: by its own secret, with its owner verified, and never as the only way."""

from __future__ import annotations

import asyncio
import json
import re

import pytest_asyncio
from playwright.async_api import expect

from console.authenticator import Authenticator
from console.rust_app import signed
from harness.daemon import PASSPHRASE

RSA = re.compile("pubKeyCredParams")
"""The browser warns that it would like RSA beside ES256."""


@pytest_asyncio.fixture(loop_scope="session")
async def owner(desk):
    """A browser with a fingerprint reader."""
    desk.expected.append(RSA)
    desk.authenticator = await Authenticator.added(desk)
    return desk


async def shown(desk, button: str, passphrase: str = PASSPHRASE) -> None:
    """Shows the passphrase in the dialog that asks who is there."""
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Your vault’s passphrase").fill(passphrase)
    await dialog.get_by_role("button", name=button, exact=True).click()


async def make_passkey(desk, name: str) -> None:
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Name of the passkey").fill(name)
    await dialog.get_by_role("button", name="Continue").click()


async def enrol(desk, name: str = "This laptop") -> None:
    """From the vault's page: a new passkey that signs in and unlocks."""
    await desk.go("/security/vault")
    await desk.page.get_by_role("button", name="Add a passkey…").click()
    await make_passkey(desk, name)
    await expect(desk.page.get_by_role("heading", name=f"Let “{name}” unlock the keys")).to_be_visible()
    await shown(desk, "Continue")
    await expect(desk.page.get_by_role("dialog")).to_have_count(0)
    await expect(slot(desk, name)).to_be_visible()
    await expect(desk.page.get_by_text("A second way in: done.")).to_be_visible()


def slot(desk, name: str):
    return desk.page.get_by_role("listitem", name=name)


async def slots(desk) -> dict[str, str]:
    return {one["label"] or one["type"]: one["type"] for one in (await desk.asks("slot/list"))["slots"]}


def is_locked(desk) -> bool:
    return desk.daemon.do("status")["locked"]


async def lock(desk) -> None:
    desk.daemon.do("lock")
    await desk.go("/")
    await expect(desk.page.get_by_role("heading", name="The signer is locked")).to_be_visible()


async def unlock(desk) -> None:
    await desk.page.get_by_role("button", name="Unlock with a passkey").click()
    await expect(desk.page.get_by_role("heading", name="The signer is locked")).to_have_count(0)
    assert not is_locked(desk)


async def test_one_passkey_signs_in_and_unlocks_and_its_secret_stays_nowhere(owner):
    await owner.page.evaluate(
        """() => {
            const get = navigator.credentials.get.bind(navigator.credentials);
            window.kept = [];
            navigator.credentials.get = async (options) => {
                const credential = await get(options);
                const { prf } = credential.getClientExtensionResults();
                for (const one of Object.values(prf?.results ?? {})) window.kept.push({ buffer: one, was: [...new Uint8Array(one)] });
                credential.getClientExtensionResults = () => ({ prf });
                return credential;
            };
        }"""
    )
    sent: list[bytes] = []
    owner.page.on("request", lambda request: sent.append(request.post_data_buffer or b""))
    await enrol(owner)
    assert (await slots(owner))["This laptop"] == "passkey"
    await lock(owner)
    await unlock(owner)
    kept = await owner.page.evaluate("() => kept.map(({buffer, was}) => [was, [...new Uint8Array(buffer)]])")
    assert len(kept) == 3, "one output to enrol, two to unlock"
    for was, now in kept:
        assert len(was) == 32 and any(was)
        assert not any(now), "the page's own memory of it is overwritten"
        for body in sent:
            assert bytes(was) not in body.split(b"\n", 1)[0], "a secret is no JSON"
    stored = await owner.page.evaluate("() => JSON.stringify({...localStorage}) + JSON.stringify({...sessionStorage})")
    assert "prf" not in stored


async def test_a_passkey_that_unlocked_is_said_to_be_used_at_once(owner):
    """On the page that is open, also after an unlock from the frame around it. Its set-up has shown that it works."""
    await enrol(owner)
    await expect(slot(owner, "This laptop")).to_contain_text("tested just now")
    await asyncio.sleep(1.1)  # times are whole seconds, and a test in the same one is said first
    state = owner.page.get_by_role("group", name="The signer")
    await state.get_by_role("button", name="Lock the signer").click()
    await state.get_by_role("button", name="Unlock the signer").click()
    await owner.page.get_by_role("dialog").get_by_role("button", name="Use a passkey").click()
    await expect(owner.page.get_by_role("dialog")).to_have_count(0)
    await expect(slot(owner, "This laptop")).to_contain_text("used just now")
    await owner.go("/security/console")
    rows = owner.page.get_by_role("main").get_by_role("listitem").filter(has_text="This laptop")
    await expect(rows.first).to_contain_text("last used just now")


async def test_one_touch_unlocks_and_approves(open_desk, daemon, pair_app):
    owner = await open_desk(daemon, service_workers="block")
    owner.expected.append(RSA)
    owner.authenticator = await Authenticator.added(owner)
    await enrol(owner)
    coracle = await pair_app("Coracle")
    await owner.go("/approvals")
    asked = coracle.asks_to_sign("With a finger")
    await expect(owner.card("With a finger")).to_be_visible()
    await owner.lock_unheard()
    await owner.answer("With a finger", "Approve")
    await owner.hear_again()
    await owner.page.get_by_role("dialog").get_by_role("button", name="Approve with a passkey").click()
    assert (await signed(asked)).content() == "With a finger"
    assert not is_locked(owner)


async def test_each_unlocking_makes_the_next_secret(owner):
    salts: list[dict] = []

    async def hear(response):
        if response.url.endswith("slot/unlock-options"):
            options = (await response.json())["result"]["publicKey"]
            if options:
                salts.append(next(iter(options["extensions"]["prf"]["evalByCredential"].values())))

    await enrol(owner)
    owner.page.on("response", hear)
    for _ in range(3):
        await lock(owner)
        await unlock(owner)
    used = [one["first"] for one in salts]
    assert len(set(used)) >= 3, "the input is another one each time"
    assert set(used[1:]) <= {used[0]} | {one["second"] for one in salts}, "and one that was given before"


async def test_a_finger_that_is_not_the_owners_opens_nothing(owner):
    await enrol(owner)
    await lock(owner)
    await owner.authenticator.recognises(False)
    await owner.page.get_by_role("button", name="Unlock with a passkey").click()
    await expect(owner.page.get_by_role("alert")).to_contain_text("The passkey was not used")
    assert is_locked(owner)
    await owner.page.get_by_role("button", name="Unlock…").click()
    await shown(owner, "Unlock")
    await expect(owner.page.get_by_role("heading", name="The signer is locked")).to_have_count(0)


async def test_without_prf_no_way_to_unlock_is_made_and_it_is_said(desk):
    desk.expected.append(RSA)
    await Authenticator.added(desk, prf=False)
    await desk.go("/security/vault")
    await desk.page.get_by_role("button", name="Add a passkey…").click()
    await make_passkey(desk, "Old key")
    await expect(desk.page.get_by_text("No way to unlock was added.")).to_be_visible()
    await expect(desk.page.get_by_role("dialog")).to_have_count(0)
    assert set((await slots(desk)).values()) == {"passphrase"}
    await desk.go("/security/console")
    await desk.page.get_by_role("button", name="Let it unlock…").click()
    await shown(desk, "Continue")
    await expect(desk.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("No way to unlock was added.")
    assert set((await slots(desk)).values()) == {"passphrase"}


async def test_a_passkey_that_is_let_in_on_the_consoles_page_is_a_way_in_at_once(owner):
    await owner.go("/security/console")
    await owner.page.get_by_role("button", name="Add a passkey", exact=True).click()
    await make_passkey(owner, "Laptop")
    await owner.page.get_by_role("button", name="Let it unlock…").click()
    # No key of this vault needs today's passkeys.
    await expect(owner.page.get_by_role("dialog")).to_contain_text("First prove that it is you")
    await expect(owner.page.get_by_role("dialog")).not_to_contain_text("Today’s passkeys only")
    await shown(owner, "Continue")
    await expect(owner.page.get_by_role("button", name="Let it unlock…")).to_have_count(0)
    await owner.page.get_by_role("link", name="Ways in").click()
    await expect(slot(owner, "Laptop")).to_be_visible()
    await owner.page.get_by_role("link", name="Overview").click()
    await expect(owner.page.get_by_role("main")).to_contain_text("Each key has more than one way in.")


async def test_in_a_lockdown_a_passkey_signs_in_only_and_that_is_said_before(owner):
    await enrol(owner)
    await lock(owner)
    await unlock(owner)
    owner.expected.append(re.compile("401"))
    owner.may_lose_connection = True
    owner.daemon.do("panic")
    await expect(owner.page.get_by_text("that does not end the lockdown")).to_be_visible()
    await expect(owner.page.get_by_role("button", name="Sign in with a passkey and unlock the keys")).to_have_count(0)
    await owner.page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(owner.page.get_by_role("heading", name="Home")).to_be_visible()
    assert owner.daemon.do("status")["suspended"]


async def test_two_passkeys_unlock_and_a_removed_one_does_not(owner):
    await enrol(owner, "Laptop")
    await owner.authenticator.send("setAutomaticPresenceSimulation", enabled=False)
    other = await Authenticator.added(owner, transport="usb")
    await owner.page.get_by_role("button", name="Add a passkey…").click()
    await make_passkey(owner, "Stick")
    await shown(owner, "Continue")
    await expect(slot(owner, "Stick")).to_be_visible()
    await slot(owner, "Stick").get_by_role("button", name="Remove…").click()
    dialog = owner.page.get_by_role("dialog")
    await dialog.get_by_label("Prove that it is you").select_option("passphrase")
    await shown(owner, "Remove")
    await expect(slot(owner, "Stick")).to_have_count(0)
    await lock(owner)
    await owner.page.get_by_role("button", name="Unlock with a passkey").click()
    await expect(owner.page.get_by_role("alert")).to_contain_text("The passkey was not used")
    assert is_locked(owner), "the stick is there, and opens nothing any more"
    await other.take_out()
    await owner.authenticator.send("setAutomaticPresenceSimulation", enabled=True)
    await unlock(owner)


async def test_a_passkey_that_is_gone_loses_nothing(owner):
    await enrol(owner)
    await lock(owner)
    for credential in await owner.authenticator.credentials():
        await owner.authenticator.send("removeCredential", credentialId=credential["credentialId"])
    await owner.page.get_by_role("button", name="Unlock…").click()
    await shown(owner, "Unlock")
    await expect(owner.page.get_by_role("heading", name="The signer is locked")).to_have_count(0)
    assert not is_locked(owner)


async def test_passkeys_alone_are_refused(owner):
    await enrol(owner)
    row = owner.page.get_by_role("listitem").filter(has=owner.page.get_by_role("button", name="Remove…")).first
    await row.get_by_role("button", name="Remove…").click()
    # Said before anything is asked for.
    await expect(owner.page.get_by_text("Only passkeys would be left")).to_be_visible()
    assert "passphrase" in (await slots(owner)).values()


async def test_a_passkey_that_unlocks_is_not_forgotten_by_half(owner):
    await enrol(owner)
    await owner.go("/security/console")
    section = owner.page.locator("section").filter(has=owner.page.get_by_role("heading", name="Passkeys", exact=True))
    await expect(section.get_by_text("unlocks", exact=True)).to_be_visible()
    await section.get_by_role("button", name="Remove…").click()
    await owner.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    await expect(owner.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("also unlocks the keys")


async def test_after_a_restart_one_touch_signs_in_and_unlocks(owner, start):
    await enrol(owner)
    await lock(owner)
    await unlock(owner)
    owner.may_lose_connection = True
    owner.expected.append(re.compile("401"))
    port, home = owner.port, owner.daemon.home
    owner.daemon.stop()
    owner.daemon = start(home, listen=f"127.0.0.1:{port}")
    owner.daemon.do("lock")
    await owner.page.reload()
    restarted = owner.page.get_by_text("The signer was restarted, so every browser signs in again.")
    await expect(restarted).to_be_visible()
    await owner.page.get_by_role("button", name="Sign in with a passkey and unlock the keys").click()
    await expect(owner.page.get_by_text("Signed in, and the keys are open.")).to_be_visible()
    assert not is_locked(owner)
    await owner.go("/security/console")
    await owner.page.get_by_role("button", name="Sign out here").click()
    await expect(owner.page.get_by_role("heading", name="Sign in")).to_be_visible()
    await expect(restarted).to_be_hidden()


async def test_the_passphrase_that_lets_a_passkey_in_must_be_right(owner):
    await owner.go("/security/vault")
    await owner.page.get_by_role("button", name="Add a passkey…").click()
    await make_passkey(owner, "Mine")
    await shown(owner, "Continue", "not the passphrase")
    await expect(owner.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("wrong")
    assert set((await slots(owner)).values()) == {"passphrase"}


async def test_a_stolen_passkey_answer_opens_nothing(owner):
    """A thief of one answer tries it again: unchanged, without its secret, and with the secret of another."""
    await enrol(owner)
    await lock(owner)
    bodies: list[bytes] = []
    owner.page.on("request", lambda one: one.url.endswith("/unlock") and bodies.append(one.post_data_buffer))
    await unlock(owner)
    await lock(owner)
    line, secrets = bodies[0].split(b"\n", 1)
    for body in (bodies[0], line + b"\n" + bytes(len(secrets)), json.dumps({"credential": "AAAA"}).encode()):
        answer = await owner.page.evaluate(
            """async (body) => (await fetch('/api/v1/unlock', {
                method: 'POST', body: new Uint8Array(body),
                headers: {'content-type': 'application/octet-stream', 'x-csrf-token': localStorage.getItem('holdfast-session')},
            })).json()""",
            list(body),
        )
        assert answer["ok"] is False
    assert is_locked(owner)
