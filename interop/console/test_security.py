"""Locking, the emergency stop and the log's check, from the console."""

from __future__ import annotations

import contextlib
import re

import nostr_sdk as sdk
from playwright.async_api import Error as PageGone
from playwright.async_api import expect

from console.rust_app import signed
from harness.daemon import PASSPHRASE
from harness.waiting import eventually
from reference import nip44
from reference.keys import Key


async def unlock(desk, button: str, passphrase: str) -> None:
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_label("Passphrase").fill(passphrase)
    await dialog.get_by_role("button", name=button).click()


async def test_locking_keeps_apps_waiting_and_unlocking_lets_them_go_on(desk, pair_app):
    lantern = await pair_app("Lantern", trust="full")
    await desk.go("/security")
    await desk.page.get_by_role("button", name="Lock now").click()
    await expect(desk.page.get_by_role("heading", name="The signer is locked")).to_be_visible()
    asked = lantern.asks_to_sign("Patience")
    await eventually(lambda: desk.daemon.waiting(), "it waits for the key")
    assert not asked.done()
    await desk.go("/")
    await desk.page.get_by_role("button", name="Unlock…").click()
    await unlock(desk, "Unlock", "wrong")
    await expect(desk.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("The passphrase is wrong.")
    await unlock(desk, "Unlock", PASSPHRASE)
    await expect(desk.page.get_by_role("dialog")).to_have_count(0)
    assert (await signed(asked)).content() == "Patience"
    await expect(desk.page.get_by_role("heading", name="The signer is locked")).to_have_count(0)


async def test_approving_while_locked_unlocks_and_then_approves_what_was_decided(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked, other = coracle.asks_to_sign("Behind the lock"), coracle.asks_to_sign("+", 7)
    await expect(desk.card("Behind the lock")).to_be_visible()
    desk.daemon.do("lock")
    await desk.answer("Behind the lock", "Approve")
    await expect(desk.page.get_by_role("dialog")).to_contain_text("Once it is unlocked, this is approved: Sign a note.")
    await unlock(desk, "Unlock and approve", "wrong")
    await expect(desk.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("The passphrase is wrong.")
    assert not asked.done()
    await unlock(desk, "Unlock and approve", PASSPHRASE)
    assert (await signed(asked)).content() == "Behind the lock"
    await expect(desk.page.get_by_text("Approved: Sign a note.")).to_be_visible()
    assert not other.done(), "only what was decided is approved"


async def test_pairing_while_locked_unlocks_and_then_makes_the_link(desk):
    await desk.go("/pair")
    desk.daemon.do("lock")
    await desk.page.get_by_role("button", name="Make a link").click()
    await expect(desk.page.get_by_role("dialog")).to_contain_text("Once it is unlocked, your change is made.")
    await unlock(desk, "Unlock and continue", PASSPHRASE)
    await expect(desk.page.get_by_text("It works for apps on this machine only")).to_be_visible()


async def test_an_app_is_resumed_once_the_signer_is_unlocked_and_not_if_that_is_cancelled(desk, pair_app):
    await pair_app("Coracle")
    desk.daemon.do("client", "suspend", "Coracle")
    desk.daemon.do("lock")
    await desk.go(f"/apps/{desk.daemon.clients()[0]['signer']}")
    resume = desk.page.get_by_role("main").get_by_role("button", name="Resume").first
    await resume.click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    await expect(desk.page.get_by_text("apps can only be allowed less, not more")).to_be_visible()
    assert desk.daemon.clients()[0]["suspended"] is True
    await resume.click()
    await unlock(desk, "Unlock and continue", PASSPHRASE)
    await eventually(lambda: desk.daemon.clients()[0]["suspended"] is False, "it is resumed")


async def test_cancelling_the_unlock_approves_nothing(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("Not after all")
    await expect(desk.card("Not after all")).to_be_visible()
    desk.daemon.do("lock")
    await desk.answer("Not after all", "Approve")
    await desk.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    await desk.go("/")
    await desk.page.get_by_role("button", name="Unlock…").click()
    await unlock(desk, "Unlock", PASSPHRASE)
    await expect(desk.page.get_by_role("heading", name="The signer is locked")).to_have_count(0)
    assert not asked.done() and len(desk.daemon.waiting()) == 1


async def lists_changed(desk, change) -> None:
    """From now on the page gets another list of waiting requests: `change` has each of their parts."""

    async def changed(route):
        with contextlib.suppress(PageGone):
            response = await route.fetch()
            answer = await response.json()
            for one in answer["result"]["requests"]:
                change(one["parts"])
            await route.fulfill(response=response, json=answer)

    await desk.page.route("**/api/v1/request/list", changed)


async def test_what_shows_something_else_once_it_is_unlocked_is_not_approved(open_desk, daemon, pair_app):
    """The signer compares with more once it can read: the person has not seen that."""
    desk = await open_desk(daemon, service_workers="block")
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("Seen before")
    await expect(desk.card("Seen before")).to_be_visible()
    desk.daemon.do("lock")
    await desk.answer("Seen before", "Approve")
    await lists_changed(desk, lambda parts: parts.append({"type": "warning", "text": "Something else."}))
    await unlock(desk, "Unlock and approve", PASSPHRASE)
    await expect(desk.page.get_by_text("the request shows something else now, so nothing was approved")).to_be_visible()
    assert not asked.done() and len(desk.daemon.waiting()) == 1


async def test_a_name_that_was_found_meanwhile_is_nothing_else(open_desk, daemon, pair_app):
    desk = await open_desk(daemon, service_workers="block")
    coracle, peer = await pair_app("Coracle"), Key()
    await desk.go("/approvals")
    asked = coracle.asks(coracle.client.nip44_encrypt_async(sdk.PublicKey.parse(peer.public), "who are you"))
    await expect(desk.card("who are you")).to_be_visible()
    desk.daemon.do("lock")
    await desk.answer("who are you", "Approve")
    await lists_changed(desk, lambda parts: [one.update(name="Ada") for one in parts if "npub" in one])
    await unlock(desk, "Unlock and approve", PASSPHRASE)
    await expect(desk.page.get_by_text("Approved: ")).to_be_visible()
    assert nip44.decrypt(peer, desk.daemon.user, await asked) == "who are you"


async def test_what_the_rules_decide_after_the_unlock_needs_no_answer(desk, pair_app):
    lantern = await pair_app("Lantern", trust="full")
    await desk.go("/approvals")
    desk.daemon.do("lock")
    asked = lantern.asks_to_sign("By its rules")
    await desk.answer("By its rules", "Approve")
    await unlock(desk, "Unlock and approve", PASSPHRASE)
    assert (await signed(asked)).content() == "By its rules"
    await expect(desk.page.get_by_role("article")).to_have_count(0)
    await expect(desk.page.locator("#notices .bad")).to_have_count(0)


async def test_the_log_is_checked_from_the_page(desk, pair_app):
    lantern = await pair_app("Lantern", trust="full")
    await lantern.signs("Recorded")
    await desk.go("/security")
    await desk.page.get_by_role("button", name="Check the log").click()
    await expect(desk.page.get_by_text(re.compile(r"^All \d+ entries are as they were written\.$"))).to_be_visible()


async def test_the_dark_theme_is_kept(desk):
    ground = "() => getComputedStyle(document.documentElement).backgroundColor"
    light = await desk.page.evaluate(ground)
    await desk.page.get_by_role("button", name="Use dark colours").click()
    dark = await desk.page.evaluate(ground)
    assert dark != light
    await desk.page.reload()
    await expect(desk.page.get_by_role("button", name="Use light colours")).to_be_visible()
    assert await desk.page.evaluate(ground) == dark


async def test_stopping_everything_and_going_on(desk, pair_app):
    lantern = await pair_app("Lantern", trust="full")
    desk.expected.append(re.compile("401"))
    desk.may_lose_connection = True
    await desk.go("/security")
    await desk.page.get_by_role("button", name="Lock everything down…").click()
    await desk.page.get_by_role("dialog").get_by_role("button", name="Lock everything down").click()
    await expect(desk.page.get_by_role("heading", name="Sign in")).to_be_visible()
    await expect(desk.page.get_by_role("heading", name="The signer is locked down")).to_be_visible()
    await expect(desk.page.get_by_role("main")).to_contain_text("that does not end the lockdown")
    asked = lantern.asks_to_sign("While stopped")
    await desk.sign_in()
    await desk.go("/security")
    await expect(desk.page.get_by_role("heading", name="The signer is locked down")).to_be_visible()
    await desk.page.get_by_role("button", name="Resume…").click()
    await unlock(desk, "Resume", "wrong")
    await expect(desk.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("wrong")
    assert not asked.done()
    await unlock(desk, "Resume", PASSPHRASE)
    await expect(desk.page.get_by_role("heading", name="The signer is unlocked")).to_be_visible()
    await desk.go("/apps")
    await expect(desk.page.get_by_role("main").get_by_role("link", name="Lantern")).to_be_visible()
    await expect(desk.page.get_by_role("main").get_by_text("paused", exact=True)).to_have_count(0)
    assert (await lantern.signs("Going on")).content() == "Going on"
    # What came during the lockdown is the owner's to answer, however much the app is trusted.
    assert not asked.done()
    await desk.go("/approvals")
    await desk.answer("While stopped", "Approve")
    assert (await signed(asked)).content() == "While stopped"


async def test_in_a_lockdown_the_log_can_be_read_once_unlocked_and_the_lockdown_stays(open_desk, daemon):
    daemon.do("panic")
    desk = await open_desk(daemon, at="/security")
    await desk.page.get_by_role("link", name="See what happened").click()
    await expect(desk.page.get_by_role("main")).to_contain_text("The log cannot be read")
    await expect(desk.page.get_by_role("main")).to_contain_text("The lockdown stays until you resume.")
    await desk.page.get_by_role("button", name="Unlock to read it…").click()
    await expect(desk.page.get_by_role("dialog")).to_contain_text("every use of a key asks you until you resume")
    await unlock(desk, "Unlock", PASSPHRASE)
    await expect(desk.page.locator("details.entry").first).to_be_visible()
    await expect(desk.page.get_by_text("The log cannot be read")).to_be_hidden()
    assert daemon.do("status")["suspended"]


async def test_the_security_and_vault_pages_of_a_trial_say_how_to_keep_it(open_desk, start):
    daemon = start(trial=True)
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in(daemon.ready["signin"])
    await desk.go("/security")
    await expect(desk.page.get_by_role("heading", name="This is a trial")).to_be_visible()
    for advice in ["Ways to unlock the keys", "What opens your keys"]:
        await expect(desk.page.get_by_role("heading", name=advice)).to_have_count(0)
    await expect(desk.page.get_by_role("link", name="When it locks by itself")).to_have_count(0)
    await desk.go("/security/vault")
    await expect(desk.page.get_by_role("heading", name="Vault")).to_be_visible()
    await expect(desk.page.get_by_role("heading", name="Ways to unlock")).to_have_count(0)
    await desk.page.get_by_role("main").get_by_role("button", name="Keep this trial…").click()
    await expect(desk.page.get_by_role("dialog").get_by_label("Passphrase for the vault")).to_be_visible()


async def test_a_trial_that_ended_says_so_and_offers_no_longer_to_keep_it(open_desk, start):
    daemon = start(trial=True)
    desk = await open_desk(daemon, sign_in=False)
    await desk.sign_in(daemon.ready["signin"])
    await expect(desk.page.get_by_role("button", name="Keep this trial…").first).to_be_visible()
    desk.may_lose_connection = True
    daemon.stop()
    await expect(desk.page.locator("#banner")).to_contain_text("The trial has ended", timeout=30_000)
    await expect(desk.page.locator("#trial").get_by_role("button", name="Keep this trial…")).to_have_count(0)
