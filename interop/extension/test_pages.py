"""Pages as libraries write them, several sites, and the owner's changes while a page is open."""

from __future__ import annotations

import asyncio
import statistics

import pytest

from extension.chromium import asked, note
from harness.waiting import eventually
from reference import nip04, nip44
from reference.events import is_genuine
from reference.keys import Key


async def test_it_is_there_before_the_pages_first_script(chromium):
    path = chromium.sites.page("/early", "<script>window.found = typeof window.nostr.signEvent</script>")
    page = await chromium.visit("early", path)
    assert await page.evaluate("window.found") == "function"
    assert await page.evaluate("window.nostr.getRelays()") == {}


async def test_events_in_the_forms_of_libraries_are_signed(chromium):
    """nostr-tools passes an event without a key; NDK one with its key, an empty signature and an id; noStrudel one that is frozen."""
    page = await chromium.visit("libraries")
    key = await chromium.let_in(page, "libraries", "medium")
    for event in (
        "{ kind: 1, created_at: 1795000001, tags: [['t', 'one']], content: 'nostr-tools' }",
        f"{{ kind: 1, created_at: 1795000002, tags: [], content: 'NDK', pubkey: '{key}', id: '', sig: '' }}",
        f"Object.freeze({{ kind: 1, created_at: 1795000003, tags: Object.freeze([]), content: 'noStrudel', pubkey: '{key}' }})",
    ):
        signed = (await asked(page, f"window.nostr.signEvent({event})"))["result"]
        assert signed["pubkey"] == key
        assert set(signed) == {"id", "pubkey", "created_at", "kind", "tags", "content", "sig"}
        assert is_genuine(signed)


async def test_an_event_of_another_key_is_refused(chromium):
    page = await chromium.visit("otherkey")
    await chromium.let_in(page, "otherkey", "full")
    assert (await asked(page, note("x", pubkey=Key().public)))["code"] in ("invalid", "no-key", "not-allowed")


async def test_texts_are_encrypted_and_decrypted(chromium):
    page = await chromium.visit("texts")
    user = await chromium.let_in(page, "texts", "full")
    peer = Key()
    for version, module in (("nip04", nip04), ("nip44", nip44)):
        payload = (await asked(page, f"window.nostr.{version}.encrypt('{peer.public}', 'a word ☃')"))["result"]
        assert module.decrypt(peer, user, payload) == "a word ☃"
        answer = module.encrypt(peer, user, "back ✓")
        assert (await asked(page, f"window.nostr.{version}.decrypt('{peer.public}', '{answer}')"))["result"] == "back ✓"


@pytest.mark.parametrize(
    "call",
    [
        "window.nostr.signEvent(null)",
        "window.nostr.signEvent({ kind: 'one', content: '', tags: [], created_at: 1 })",
        "window.nostr.signEvent({ kind: 1, content: '', tags: 'none', created_at: 1 })",
        "window.nostr.nip44.encrypt(7, 'text')",
        "window.nostr.nip44.encrypt('0'.repeat(64), '\\ud800x')",
        "window.nostr.signEvent({ kind: 1, content: '', tags: [['t', 'x\\udc00']], created_at: 1 })",
    ],
)
async def test_what_cannot_be_read_is_refused_in_the_page(chromium, call):
    page = await chromium.visit("unreadable")
    assert "must be" in (answer := await asked(page, call))["error"] or "takes an event" in answer["error"]
    assert not chromium.callers("unreadable")


async def test_a_key_that_is_none_is_refused(chromium):
    page = await chromium.visit("wrongkey")
    await chromium.let_in(page, "wrongkey", "full")
    assert (await asked(page, "window.nostr.nip44.encrypt('xyz', 'text')"))["code"] == "invalid"


async def test_an_answer_is_remembered_and_its_rule_expires_with_the_revocation(chromium):
    page = await chromium.visit("remembers")
    await chromium.let_in(page, "remembers")
    question = asyncio.create_task(asked(page, note("one")))
    request = await chromium.request("remembers")
    chromium.daemon.do("request", "approve", request["id"], "--for", "1h")
    assert "result" in await question
    assert "result" in await asked(page, note("two"))
    chromium.daemon.do("local", "revoke", chromium.callers("remembers")[0]["name"])
    question = asyncio.create_task(asked(page, note("three")))
    assert (await chromium.request("remembers"))["rule"] == request["rule"] or chromium.callers("remembers")[0]["first_use"]
    chromium.daemon.do("request", "deny", (await chromium.request("remembers"))["id"])
    assert (await question)["code"] == "denied"


async def test_a_request_waits_through_a_lock(own_chromium, start):
    daemon = start()
    chromium = await own_chromium(daemon)
    page = await chromium.visit("locks")
    await chromium.let_in(page, "locks", "medium")
    daemon.do("lock")
    question = asyncio.create_task(asked(page, note("while locked")))
    stranger = await chromium.visit("stranger")
    assert (await asked(stranger, "window.nostr.getPublicKey()"))["code"] == "locked"
    assert not question.done()
    daemon.do("unlock", "--passphrase-file", str(daemon.home.passphrase_file))
    assert (await question)["result"]["content"] == "while locked"


async def test_two_sites_have_two_identities_and_hear_of_a_change(own_chromium, start, home):
    home.unlocked("identity", "create", "bob")
    daemon = start()
    keys = {entry["name"]: entry["pubkey"] for entry in daemon.do("identity", "list")["identities"]}
    chromium = await own_chromium(daemon)
    first, second = await chromium.visit("one"), await chromium.visit("two")
    assert await chromium.let_in(first, "one") == keys["alice"]
    assert await chromium.let_in(second, "two") == keys["alice"]
    for page in (first, second):
        await page.evaluate(
            "() => { window.heard = []; window.nostr.on('accountChanged', () => window.heard.push('on'));"
            " window.addEventListener('nostr:accountChanged', () => window.heard.push('event')); }"
        )
    toolbar = await chromium.toolbar(second)
    await toolbar.get_by_label("Identity on this site").select_option("bob")
    await second.wait_for_function("window.heard.length === 2")
    assert await first.evaluate("window.heard") == []
    question = asyncio.create_task(asked(second, "window.nostr.getPublicKey()"))
    request = await eventually(lambda: [one for one in chromium.waiting("two") if one["identity"]["name"] == "bob"], "bob's request")
    daemon.do("request", "approve", request[0]["id"])
    assert (await question)["result"] == keys["bob"]
    assert (await asked(first, "window.nostr.getPublicKey()"))["result"] == keys["alice"]


async def test_the_default_identity_may_change_and_the_site_keeps_its_own(own_chromium, start, home):
    home.unlocked("identity", "create", "bob")
    daemon = start()
    chromium = await own_chromium(daemon)
    page = await chromium.visit("keeps")
    key = await chromium.let_in(page, "keeps")
    daemon.do("identity", "default", "bob")
    assert (await asked(page, "window.nostr.getPublicKey()"))["result"] == key


async def test_a_stopped_service_worker_loses_no_request(own_chromium, start):
    daemon = start()
    chromium = await own_chromium(daemon)
    page = await chromium.visit("stopped")
    await chromium.let_in(page, "stopped")
    question = asyncio.create_task(asked(page, note("survives")))
    await chromium.request("stopped")
    await chromium.stop_worker()
    await eventually(lambda: len(chromium.waiting("stopped")) == 1, "the request, asked once more")
    assert not question.done()

    async def approved():
        for request in chromium.waiting("stopped"):
            daemon.cli("request", "approve", request["id"])
        return question.done()

    while not await approved():
        await asyncio.sleep(0.05)
    assert (await question)["result"]["content"] == "survives"
    assert len([entry for entry in daemon.log_entries("--entry", "requestDone") if entry.get("kind") == 1]) == 1


async def test_a_closed_page_takes_its_request_back(chromium):
    page = await chromium.visit("closes")
    await page.evaluate("() => { window.nostr.getPublicKey(); }")
    await chromium.request("closes")
    await page.close()
    await eventually(lambda: not chromium.waiting("closes"), "the end of the request")


async def test_a_signer_that_is_not_there_is_said_and_found_again(own_chromium, start, home):
    daemon = start()
    chromium = await own_chromium(daemon)
    page = await chromium.visit("away")
    await chromium.let_in(page, "away", "medium")
    daemon.stop()
    answer = await asked(page, note("nobody"))
    assert answer["code"] == "unavailable" and "holdfast up" in answer["error"]
    chromium.daemon = start()
    assert (await asked(page, note("somebody")))["result"]["content"] == "somebody"


async def test_an_answer_longer_than_a_browser_takes_is_an_error(chromium):
    """nip44 makes of 600,000 bytes more than a million: the request passes, its answer does not."""
    page = await chromium.visit("long")
    user = await chromium.let_in(page, "long", "full")
    answer = await asked(page, f"window.nostr.nip44.encrypt('{user}', 'x'.repeat(800_000))")
    assert answer["code"] == "too-large"
    assert (await asked(page, f"window.nostr.nip44.encrypt('{user}', 'x'.repeat(2_000_000))"))["code"] == "too-large"
    assert (await asked(page, note("short again")))["result"]


async def test_a_signature_takes_a_moment(chromium, record_property):
    page = await chromium.visit("quick")
    await chromium.let_in(page, "quick", "full")
    times = await page.evaluate(
        """async () => {
            const times = [];
            for (let index = 0; index < 50; index += 1) {
                const begun = performance.now();
                await window.nostr.signEvent({ kind: 1, content: `note ${index}`, tags: [], created_at: 1795000000 + index });
                times.push(performance.now() - begun);
            }
            return times;
        }"""
    )
    record_property("milliseconds", statistics.median(times))
    print(f"sign round trip from a page: {statistics.median(times):.1f} ms at the median of {len(times)}")
