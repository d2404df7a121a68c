"""The approval of a serious request is not the inviting button, says that a question follows, and can be for just this once."""

from __future__ import annotations

import re

import nostr_sdk as sdk
import pytest
from playwright.async_api import expect

from console.desk import NARROW, WIDE
from console.rust_app import signed
from console.test_careful_answers import ready


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_a_serious_request_is_not_approved_by_the_inviting_button(open_desk, daemon, pair_app, viewport):
    coracle = await pair_app("Coracle")
    desk = await open_desk(daemon, viewport=viewport)
    await desk.go("/approvals")
    coracle.asks_to_sign("Gone", 5, [["e", "aa" * 32]])
    card = desk.card("Ask relays to delete 1 post")
    approve = card.locator('[data-answer="approve"]')
    await expect(approve).to_have_text("Approve…")
    await expect(approve).not_to_have_class(re.compile("primary"))
    surface = await card.evaluate("(one) => getComputedStyle(one).backgroundColor")
    await expect(approve).to_have_css("background-color", surface)
    mark = await card.locator(".risk").first.evaluate("(one) => getComputedStyle(one).color")
    await expect(card.locator(".warning").first).to_have_css("color", mark)
    coracle.asks_to_sign("Hello")
    await desk.open_card(desk.card("Hello"))
    everyday = desk.card("Hello").locator('[data-answer="approve"]')
    await expect(everyday).to_have_text("Approve")
    await expect(everyday).to_have_class("primary")


async def test_the_question_about_a_lasting_answer_offers_to_approve_just_this_once(desk, pair_app):
    coracle = await pair_app("Coracle")
    await desk.go("/approvals")
    asked = coracle.asks_to_sign("", 7375)
    card, dialog = desk.page.get_by_role("article"), desk.page.get_by_role("dialog")
    await ready(card)
    await card.get_by_role("combobox").select_option("1h")
    await card.get_by_role("button", name=re.compile("^Approve")).click()
    once = dialog.get_by_role("button", name="Approve just this once")
    await expect(once).to_be_disabled()
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await once.click()
    await signed(asked)
    await expect(dialog).to_have_count(0)
    again = coracle.asks_to_sign("again", 7375)
    await expect(card).to_be_visible()
    assert not again.done() and len(desk.daemon.waiting()) == 1


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize(
    ("kind", "content", "tags", "title", "reason"),
    [
        (3, "", [["p", "ab" * 32]], "Change who you follow", "Serious: sets your whole follow list"),
        (0, '{"name":"alice"}', [], "Change your profile", "Serious: sets your whole profile"),
        (9999, "{}", [], "Sign an event of kind 9999", "Serious: the signer does not know this kind"),
        (1, "Pay others", [["zap", "ab" * 32, "wss://relay.example", "1"]], "Pay others", "Serious: lets others be paid"),
    ],
    ids=["follow list", "profile", "unknown kind", "zap split"],
)
async def test_every_serious_request_is_asked_about_twice(open_desk, daemon, pair_app, viewport, kind, content, tags, title, reason):
    app = await pair_app("Coracle")
    desk = await open_desk(daemon, viewport=viewport)
    await desk.go("/approvals")
    asked = app.asks_to_sign(content, kind, tags)
    card, dialog = desk.card(title), desk.page.get_by_role("dialog")
    await ready(card)
    await card.get_by_role("button", name="Approve…", exact=True).click()
    await expect(dialog.get_by_role("heading", name="Approve something serious?")).to_be_visible()
    await expect(dialog.locator(".warning").first).to_have_text(reason)
    mark = await card.locator(".risk").first.evaluate("(one) => getComputedStyle(one).color")
    await expect(dialog.locator(".warning").first).to_have_css("color", mark)
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await desk.page.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)
    assert not asked.done() and len(desk.daemon.waiting()) == 1
    await desk.approve_serious(title)
    assert (await signed(asked)).kind().as_u16() == kind


@pytest.mark.parametrize(
    ("kind", "first", "second", "title", "mark"),
    [
        (
            3,
            ("", [["p", "ab" * 32]]),
            ("", [["p", "ab" * 32], ["p", "cd" * 32]]),
            "Change who you follow",
            "check it: adds people you follow",
        ),
        (0, ('{"name":"alice"}', []), ('{"name":"Alice","about":"sails"}', []), "Change your profile", "check it: changes your profile"),
    ],
    ids=["follow list", "profile"],
)
async def test_what_loses_nothing_has_a_lower_mark_and_is_asked_about_once(desk, pair_app, kind, first, second, title, mark):
    app = await pair_app("Coracle")
    await desk.go("/approvals")
    before = app.asks_to_sign(first[0], kind, first[1])
    await desk.approve_serious(title)
    await signed(before)
    await expect(desk.card(title)).to_have_count(0)
    asked = app.asks_to_sign(second[0], kind, second[1])
    card = desk.card(title)
    await expect(card.locator(".risk")).to_have_text(mark)
    await expect(card.get_by_role("button", name="Approve", exact=True)).to_have_class("primary")
    await desk.answer(title, "Approve")
    await signed(asked)
    await desk.go("/activity")
    await expect(desk.page.get_by_role("listitem").filter(has_text=mark).first).to_be_visible()


async def test_the_question_about_a_deletion_names_what_is_deleted(desk, pair_app):
    app = await pair_app("Coracle")
    await desk.go("/approvals")
    named = sdk.EventId.parse("aa" * 32).to_bech32()
    app.asks_to_sign("It was a mistake.", 5, [["e", "aa" * 32], ["a", f"30023:{'bc' * 32}:an-article"]])
    card, dialog = desk.card("Ask relays to delete 2 posts"), desk.page.get_by_role("dialog")
    await ready(card)
    await card.get_by_role("button", name="Approve…", exact=True).click()
    for said in (named[:8], "an-article", "It was a mistake."):
        await expect(dialog.locator(".parts")).to_contain_text(said)
