"""Locking, the emergency stop and the log's check, from the console."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re

import nostr_sdk as sdk
from playwright.async_api import Error as PageGone
from playwright.async_api import expect

from console.rust_app import signed
from harness.app import App
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


async def test_after_an_unlock_another_enter_does_not_lock_again(desk):
    await desk.page.get_by_role("button", name="Lock the signer").click()
    await desk.page.get_by_role("button", name="Unlock the signer").press("Enter")
    await unlock(desk, "Unlock", PASSPHRASE)
    await expect(desk.page.get_by_role("button", name="Lock the signer")).to_be_visible()
    await expect(desk.page.get_by_role("button", name="Lock the signer")).not_to_be_focused()
    await expect(desk.page.locator("main h1")).to_be_focused()


async def test_what_the_machine_does_not_report_cannot_be_ticked(desk):
    await desk.go("/security")
    for label in ("When the machine goes to sleep", "When the desktop is locked"):
        await expect(desk.page.get_by_label(label)).to_be_disabled()
        await expect(desk.page.get_by_label(label)).not_to_be_checked()
    before = await desk.asks("session/show")
    await desk.page.get_by_label("If unused, it locks").select_option("300")
    await desk.page.get_by_role("button", name="Save").first.click()
    await expect(desk.page.get_by_text("Saved.")).to_be_visible()
    after = await desk.asks("session/show")
    assert after["lock_after"] == 300
    assert [after[name] for name in ("lock_on_suspend", "lock_on_desktop_lock")] == [
        before[name] for name in ("lock_on_suspend", "lock_on_desktop_lock")
    ]


async def test_while_locked_no_page_shows_what_a_request_says(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("Meet me at nine")
    await expect(desk.card("Meet me at nine")).to_be_visible()
    await desk.page.get_by_role("button", name="Lock the signer").click()
    card = desk.page.get_by_role("article")
    await expect(card).to_contain_text("What it says is hidden while the signer is locked.")
    for route in ("/approvals", "/"):
        await desk.go(route)
        await expect(desk.page.get_by_role("main")).to_contain_text("Coracle")
        assert "nine" not in await desk.page.content()
    assert "nine" not in json.dumps(await desk.asks("request/list")), "nor does the signer send it"
    await desk.go("/approvals")
    await expect(card.get_by_role("button", name="Approve", exact=True)).to_have_count(0)
    await card.get_by_role("button", name="Unlock to read…").click()
    await unlock(desk, "Unlock", PASSPHRASE)
    await expect(desk.card("Meet me at nine")).to_be_visible()
    await desk.answer("Meet me at nine", "Approve")
    assert (await signed(asked)).content() == "Meet me at nine"


async def test_several_requests_are_hidden_with_one_button_to_read_them(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = [coracle.asks_to_sign("Meet me at nine"), coracle.asks_to_sign('{"about":"sailor"}', 0)]
    await expect(desk.page.get_by_role("article")).to_have_count(2)
    desk.daemon.do("lock")
    await expect(desk.page.get_by_text("What these requests say is hidden while the signer is locked.")).to_be_visible()
    await desk.page.get_by_role("button", name="Unlock to read…").first.click()
    await unlock(desk, "Unlock", PASSPHRASE)
    await expect(desk.page.get_by_text("What these requests say is hidden")).to_be_hidden()
    await expect(desk.card("Meet me at nine")).to_be_visible()
    assert not any(one.done() for one in asked)


async def test_approving_while_locked_unlocks_and_then_approves_what_was_decided(open_desk, daemon, pair_app):
    desk = await open_desk(daemon, service_workers="block")
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked, other = coracle.asks_to_sign("Behind the lock"), coracle.asks_to_sign("+", 7)
    await expect(desk.card("Behind the lock")).to_be_visible()
    await desk.lock_unheard()
    await desk.answer("Behind the lock", "Approve")
    await expect(desk.page.get_by_role("dialog")).to_contain_text("Once it is unlocked, this is approved: Sign a note.")
    await unlock(desk, "Unlock and approve", "wrong")
    await expect(desk.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("The passphrase is wrong.")
    assert not asked.done()
    await desk.hear_again()
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
    await expect(desk.page.get_by_text("Unlock the signer to do this.")).to_be_visible()
    assert desk.daemon.clients()[0]["suspended"] is True
    await resume.click()
    await unlock(desk, "Unlock and continue", PASSPHRASE)
    await eventually(lambda: desk.daemon.clients()[0]["suspended"] is False, "it is resumed")


async def test_cancelling_the_unlock_approves_nothing(open_desk, daemon, pair_app):
    desk = await open_desk(daemon, service_workers="block")
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("Not after all")
    await expect(desk.card("Not after all")).to_be_visible()
    await desk.lock_unheard()
    await desk.answer("Not after all", "Approve")
    await desk.hear_again()
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
    await desk.lock_unheard()
    await desk.answer("Seen before", "Approve")
    await desk.hear_again()
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
    await desk.lock_unheard()
    await desk.answer("who are you", "Approve")
    await desk.hear_again()
    await lists_changed(desk, lambda parts: [one.update(name="Ada") for one in parts if "npub" in one])
    await unlock(desk, "Unlock and approve", PASSPHRASE)
    await expect(desk.page.get_by_text("Approved: ")).to_be_visible()
    assert nip44.decrypt(peer, desk.daemon.user, await asked) == "who are you"


async def test_what_the_rules_decide_after_the_unlock_needs_no_answer(desk, pair_app):
    lantern = await pair_app("Lantern", trust="full")
    await desk.go("/approvals")
    desk.daemon.do("lock")
    asked = lantern.asks_to_sign("By its rules")
    await desk.page.get_by_role("article").get_by_role("button", name="Unlock to read…").click()
    await unlock(desk, "Unlock", PASSPHRASE)
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
    for advice in ["When it locks automatically", "What opens your keys"]:
        await expect(desk.page.get_by_role("heading", name=advice)).to_have_count(0)
    await desk.go("/security/vault")
    await expect(desk.page.get_by_role("heading", name="Ways in")).to_be_visible()
    await expect(desk.page.get_by_role("heading", name="Ways to unlock")).to_have_count(0)
    for route, advice in [("/backup", "Make a backup and download it"), ("/recovery", "You have no recovery kit.")]:
        await desk.go(route)
        await expect(desk.page.get_by_role("heading", name="This is a trial")).to_be_visible()
        await expect(desk.page.get_by_role("main")).not_to_contain_text(advice)
        await expect(desk.page.get_by_role("main").get_by_role("alert")).to_have_count(0)
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


async def test_an_incident_stays_in_sight_until_it_is_checked(desk, apps):
    link = desk.daemon.pair()
    await apps(App.paired(link))
    thief = await apps(App.by_link(link))
    await thief.error("connect", link.signer, link.secret)
    await desk.go("/")
    badge = desk.page.get_by_role("link", name="Security").locator(".badge")
    await expect(badge).to_contain_text("1 incident to check")
    await desk.page.get_by_role("main").get_by_role("link", name="See what happened").click()
    await expect(desk.page.get_by_label("Decision")).to_have_value("incidents")
    await expect(desk.page.get_by_role("main").get_by_role("listitem").filter(has_text="link")).to_have_count(1)
    await desk.go("/security")
    await desk.page.get_by_role("button", name="I have checked it").click()
    await expect(badge).to_be_hidden()
    await desk.go("/")
    await expect(desk.page.get_by_role("link", name="See what happened")).to_have_count(0)


async def test_an_incident_names_where_a_failed_sign_in_came_from(desk, open_desk):
    stranger = await open_desk(desk.daemon, sign_in=False)
    stranger.expected.append(re.compile("status of 401"))
    await stranger.page.goto(f"{stranger.origin}/#signin=guess")
    await expect(stranger.page.get_by_role("heading", name="Sign in")).to_be_visible()
    await desk.go("/activity?decision=incidents")
    entry = desk.page.locator("details.entry").filter(has_text="Something suspicious happened")
    await expect(entry).to_contain_text("a failed sign-in from this machine")


async def test_the_owners_own_lockdown_warns_nobody(open_desk, daemon, home):
    daemon.do("panic")
    assert home.cli("resume", "--passphrase-file", str(home.passphrase_file)).code == 0
    desk = await open_desk(daemon, at="/security")
    await desk.go("/")
    await expect(desk.page.get_by_role("main").get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    await expect(desk.page.get_by_role("heading", name="Something happened")).to_have_count(0)
    await expect(desk.page.get_by_role("link", name="Security").locator(".badge")).to_be_hidden()
    await desk.go("/security")
    await expect(desk.page.get_by_role("button", name="Lock now")).to_be_visible()
    await expect(desk.page.get_by_role("button", name="I have checked it")).to_have_count(0)
    await desk.go("/activity?decision=incidents")
    entries = desk.page.locator("details.entry")
    await expect(entries).to_contain_text(["A lockdown ended", "You locked everything down"])


async def test_a_trials_security_page_never_offers_to_lock_it_however_late_its_status_comes(open_desk, start):
    daemon = start(trial=True)
    desk = await open_desk(daemon, sign_in=False, service_workers="block")
    await desk.sign_in(daemon.ready["signin"])

    async def late(route):
        await asyncio.sleep(1)  # the time is the subject: the page asks for the rest meanwhile
        await route.continue_()

    await desk.page.route("**/api/v1/status", late)
    await desk.page.goto(f"{desk.origin}/#/security")
    await desk.page.reload()
    await expect(desk.page.get_by_role("heading", name="This is a trial")).to_be_visible()
    await expect(desk.page.get_by_role("heading", name="When it locks automatically")).to_have_count(0)
