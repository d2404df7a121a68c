"""What makes a request serious reaches the page by names, so that no wording of the signer decides what is asked twice."""

from __future__ import annotations

import json
import time

import nostr_sdk as sdk
import pytest
from playwright.async_api import expect

from console.rust_app import signed
from console.test_careful_answers import ready
from harness.waiting import eventually

WORDS = "Said in other words"


async def other_words(route) -> None:
    """The signer's list of requests, with none of its sentences."""
    response = await route.fetch()
    body = await response.json()
    for request in body["result"]["requests"]:
        request |= {"title": WORDS, "risk_reason": request["risk_reason"] and WORDS}
        for part in request["parts"]:
            if part["type"] == "warning":
                part["text"] = WORDS
    await route.fulfill(response=response, json=body)


@pytest.mark.parametrize(
    ("kind", "content", "tags", "question"),
    [
        (10000, "", [], "All that is in this list now would be gone."),
        (0, json.dumps({"lud16": "mallory@evil.example"}), [], "Payments to you may go to somebody else."),
        (24242, "", [["t", "delete"], ["x", "5b" * 32]], "This cannot be undone."),
    ],
    ids=["emptied list", "payments", "deleted files"],
)
async def test_the_second_question_is_asked_whatever_the_sentences_say(open_desk, daemon, pair_app, kind, content, tags, question):
    app = await pair_app("Coracle")
    desk = await open_desk(daemon, service_workers="block")
    await desk.page.route("**/api/v1/request/list", other_words)
    await desk.go("/approvals")
    asked = app.asks_to_sign(content, kind, tags)
    card, dialog = desk.card(WORDS), desk.page.get_by_role("dialog")
    await ready(card)
    await card.get_by_role("button", name="Approve…", exact=True).click()
    await expect(dialog).to_contain_text(question)
    await dialog.get_by_role("button", name="Cancel").click()
    assert not asked.done()


async def test_activity_gives_a_request_the_weight_that_its_card_had(desk, pair_app):
    app = await pair_app("Coracle", trust="medium")
    later = sdk.EventBuilder(sdk.Kind(1), "Tomorrow").custom_created_at(sdk.Timestamp.from_secs(int(time.time()) + 86_400))
    split = sdk.EventBuilder(sdk.Kind(1), "Pay others").tags([sdk.Tag.parse(["zap", "ab" * 32, "wss://relay.example", "1"])])
    for event, mark in [(split, "serious: lets others be paid"), (later, "serious: dated in the future")]:
        asked = app.asks(app.client.sign_event_async(event.finalize_unsigned(app.user)))
        (request,) = await eventually(desk.daemon.waiting, "it waits")
        await desk.go("/approvals")
        await expect(desk.page.get_by_role("article").locator(".risk")).to_have_text(mark)
        await desk.go("/activity")
        row = desk.page.get_by_role("main").get_by_role("listitem").filter(has_text=mark)
        await expect(row).to_contain_text("asked you")
        desk.daemon.do("request", "approve", request["id"])
        await signed(asked)
        await expect(row).to_contain_text("you approved this request")
        await expect(row.locator(".risk.grave")).to_have_text(mark)
        # The question may be on an earlier page of the log: the answer says it, too.
        marks = [one["concern"] for one in desk.daemon.do("log", "show")["entries"] if one.get("request_name") == request["id"]]
        assert marks and len(set(marks)) == 1, marks


@pytest.mark.parametrize(
    ("kind", "content", "title", "loss"),
    [
        (0, '{"name":"alice"}', "Ask relays to delete your profile", "Others would no longer see your profile."),
        (3, "", "Ask relays to delete the list of people you follow", "Your apps and others would no longer see whom you follow."),
        (10002, "", "Ask relays to delete a list of yours", "A list of yours would be gone."),
    ],
)
async def test_a_deletion_by_id_is_told_as_one_by_address(desk, pair_app, kind, content, title, loss):
    app = await pair_app("Coracle", trust="full")
    tags = [["p", "ab" * 32]] if kind == 3 else [["r", "wss://relay.example"]] if kind == 10002 else []
    asked = app.asks_to_sign(content, kind, tags)
    for request in await eventually(lambda: desk.daemon.waiting() or asked.done() and [None], "it waits or is signed"):
        if request:
            desk.daemon.do("request", "approve", request["id"])
    event = await signed(asked)
    await desk.go("/approvals")
    gone = app.asks_to_sign("", 5, [["e", event.id().to_hex()]])
    card = desk.card(title)
    await ready(card)
    await expect(card.locator(".warning").first).to_have_text(loss)
    await expect(card.locator(".why")).to_contain_text("You are asked before your profile or a list of yours is lost")
    await expect(card.get_by_role("combobox")).to_have_count(0)
    assert not gone.done()


async def test_a_first_list_is_not_said_to_replace_one(desk, pair_app):
    app = await pair_app("Coracle")
    await desk.go("/approvals")
    app.asks_to_sign("", 3, [["p", "ab" * 32]])
    card = desk.card("Change who you follow")
    await expect(card).to_contain_text("This is most likely your first one, so nothing is lost")
    await expect(card.locator(".risk")).to_have_text("serious: sets your whole follow list")
    await expect(card).not_to_contain_text("replace")
    await desk.go("/activity")
    await expect(desk.page.get_by_role("listitem").locator(".risk")).to_have_text("serious: sets your whole follow list")
