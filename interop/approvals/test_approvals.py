"""Requests that wait for the owner: nothing is answered before the decision, and one decision answers once."""

from __future__ import annotations

import asyncio
import json
import time

import pytest

import clients
from harness.app import App
from harness.daemon import binary, run
from harness.terminal import Terminal
from harness.waiting import eventually
from reference import nip44
from reference.events import as_json, is_genuine, template
from reference.keys import Key

PEER = Key()
PROTECTED = [0, 3, 5, 10002, 30078]


def of(app: App, daemon) -> list[dict]:
    return [request for request in daemon.waiting() if request["client"]["pubkey"] == app.key.public]


async def waits(app: App, daemon, count: int = 1) -> list[dict]:
    """The waiting requests of `app`, once there are `count`; none of them is answered yet."""
    return await eventually(lambda: (found := of(app, daemon)) and len(found) == count and found, f"{count} waiting")


@pytest.fixture
def low(shared, apps):
    """Opens an app with low trust: everything it asks waits."""
    return lambda: apps(App.paired(shared.pair("low")))


@pytest.fixture
def medium(shared, apps):
    return lambda: apps(App.paired(shared.pair("medium")))


async def asks_to_sign(app: App, **fields) -> str:
    return await app.send("sign_event", [as_json(template(**fields))])


async def test_a_request_under_low_trust_waits_and_is_answered_when_approved(low, shared):
    app = await low()
    id = await asks_to_sign(app, content="please")
    (request,) = await waits(app, shared)
    assert (request["method"], request["kind"]) == ("sign_event", 1)
    assert not app.answers(id)
    shared.do("request", "approve", request["id"])
    event = json.loads((await app.reply(id)).result)
    assert is_genuine(event) and event["content"] == "please" and event["pubkey"] == shared.user
    assert of(app, shared) == []


@pytest.mark.parametrize("kind", PROTECTED)
async def test_protected_kinds_wait_under_medium_trust(kind, medium, shared):
    app = await medium()
    id = await asks_to_sign(app, kind=kind, content="{}", tags=[["d", "x"]])
    (request,) = await waits(app, shared)
    assert request["kind"] == kind
    shared.do("request", "approve", request["id"])
    assert json.loads((await app.reply(id)).result)["kind"] == kind


@pytest.mark.parametrize("kind", [1, 6, 7, 30023])
async def test_other_kinds_do_not_wait_under_medium_trust(kind, medium, shared):
    app = await medium()
    assert (await app.sign(template(kind=kind)))["kind"] == kind


@pytest.mark.parametrize("kind", PROTECTED)
async def test_protected_kinds_do_not_wait_under_full_trust(kind, daemon, apps):
    app = await apps(App.paired(daemon.pair("full")))
    assert (await app.sign(template(kind=kind)))["kind"] == kind


@pytest.mark.parametrize("kind", [7375, 17375])
async def test_spending_kinds_wait_under_full_trust_and_cannot_be_allowed_for_good(kind, shared, apps):
    app = await apps(App.paired(shared.pair("full")))
    id = await asks_to_sign(app, kind=kind)
    await waits(app, shared)
    assert not app.answers(id)
    assert shared.cli("client", "allow", app.key.public, f"sign_event:{kind}").code == 4


async def test_medium_trust_encrypts_and_decrypts_without_asking(medium, shared):
    app = await medium()
    sealed = await app.result("nip44_encrypt", PEER.public, "text")
    assert nip44.decrypt(PEER, shared.user, sealed) == "text"
    assert await app.result("nip44_decrypt", PEER.public, nip44.encrypt(PEER, shared.user, "back")) == "back"


@pytest.mark.parametrize("method", ["nip44_encrypt", "nip44_decrypt", "nip04_encrypt", "nip04_decrypt"])
async def test_low_trust_asks_for_every_use_of_the_key(method, low, shared):
    app = await low()
    id = await app.send(method, [PEER.public, "x"])
    (request,) = await waits(app, shared)
    assert request["method"] == method
    assert not app.answers(id)


async def test_what_uses_no_key_is_answered_under_low_trust(low, shared):
    app = await low()
    assert await app.result("ping") == "pong"
    assert await app.result("get_public_key") == shared.user
    assert await app.result("switch_relays") == "null"


async def test_denying_sends_an_error(low, shared):
    app = await low()
    id = await asks_to_sign(app)
    (request,) = await waits(app, shared)
    shared.do("request", "deny", request["id"])
    reply = await app.reply(id)
    assert reply.body == {"id": id, "result": None, "error": reply.error} and reply.error
    assert of(app, shared) == []


async def test_approving_twice_answers_once(low, shared):
    app = await low()
    id = await asks_to_sign(app)
    (request,) = await waits(app, shared)
    shared.do("request", "approve", request["id"])
    await app.reply(id)
    assert shared.cli("request", "approve", request["id"]).code == 5
    assert shared.cli("request", "deny", request["id"]).code == 5
    await app.result("ping")
    assert len(app.answers(id)) == 1


async def test_two_owners_deciding_at_once_decide_once(low, shared):
    app = await low()
    id = await asks_to_sign(app)
    (request,) = await waits(app, shared)
    decisions = await asyncio.gather(
        *(asyncio.to_thread(shared.cli, "request", verb, request["id"]) for verb in ("approve", "deny", "approve", "deny"))
    )
    assert sorted(done.code for done in decisions) == [0, 5, 5, 5]
    await app.reply(id)
    await app.result("ping")
    assert len(app.answers(id)) == 1


async def test_a_request_that_is_not_there_is_not_found(shared):
    for verb in ("approve", "deny"):
        assert shared.cli("request", verb, "0" * 16).code == 5
        assert shared.cli("request", verb, "nosuchrequest").code == 2, "that is no id"


async def test_approval_after_the_client_left_harms_nothing_and_is_recorded(low, shared, apps):
    app = await low()
    await asks_to_sign(app, content="gone")
    (request,) = await waits(app, shared)
    await app.close()
    shared.do("request", "approve", request["id"])
    again = await apps(App.open([shared.relay], app.signer, app.key))
    assert await again.result("ping") == "pong"
    assert any(e.get("client") == app.key.public and e.get("method") == "sign_event" for e in shared.log_entries())


async def test_a_client_that_comes_back_in_time_finds_its_answer_on_the_relay(low, shared, apps):
    """The embedded relay keeps kind 24133 for ten minutes. An app that wakes up later than that answer still reads it."""
    app = await low()
    id = await asks_to_sign(app, content="late")
    (request,) = await waits(app, shared)
    await app.close()
    shared.do("request", "approve", request["id"])
    again = await apps(App.open([shared.relay], app.signer, app.key))
    assert json.loads((await again.reply(id)).result)["content"] == "late"


async def test_an_approval_six_minutes_later_is_answered_with_a_fresh_event(clock, start, scripted_relay, apps):
    """Relays refuse old ephemeral events, so the answer has the time at which it is sent."""
    daemon = start(relays=(scripted_relay.url,), embedded=False, env=clock.environment)
    app = await apps(App.paired(daemon.pair("low")))
    id = await asks_to_sign(app, content="patience")
    (request,) = await waits(app, daemon)
    clock.set(360)
    daemon.do("request", "approve", request["id"])
    reply = await app.reply(id)
    assert json.loads(reply.result)["content"] == "patience"
    assert abs(reply.event["created_at"] - (time.time() + 360)) < 30


async def test_logging_out_withdraws_what_waits(low, shared):
    app = await low()
    id = await asks_to_sign(app)
    await waits(app, shared)
    assert await app.result("logout") == "ack"
    await eventually(lambda: not of(app, shared), "nothing of a client that left waits")
    assert not [reply for reply in app.answers(id) if reply.result]


async def test_revoking_withdraws_what_waits(low, shared):
    app = await low()
    id = await asks_to_sign(app)
    (request,) = await waits(app, shared)
    shared.do("client", "revoke", app.key.public, "--yes")
    await eventually(lambda: not of(app, shared), "nothing of a revoked client waits")
    assert shared.cli("request", "approve", request["id"]).code == 5
    assert not [reply for reply in app.answers(id) if reply.result]


async def test_a_waiting_request_survives_a_restart(start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    app = await apps(App.paired(daemon.pair("low")))
    id = await asks_to_sign(app, content="through a restart")
    (before,) = await waits(app, daemon)
    daemon.stop()
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    (after,) = await waits(app, daemon)
    assert after["id"] == before["id"] and after["received"] == before["received"]
    daemon.do("request", "approve", after["id"])
    assert json.loads((await app.reply(id)).result)["content"] == "through a restart"
    await app.result("ping")
    assert len(app.answers(id)) == 1


async def test_a_waiting_request_survives_kill_9(start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    app = await apps(App.paired(daemon.pair("low")))
    id = await asks_to_sign(app, content="through a crash")
    (before,) = await waits(app, daemon)
    daemon.kill()
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    (after,) = await waits(app, daemon)
    assert after["id"] == before["id"]
    daemon.do("request", "approve", after["id"])
    assert json.loads((await app.reply(id)).result)["content"] == "through a crash"


async def test_the_same_request_under_a_new_id_is_not_asked_twice(low, shared):
    app = await low()
    asked = as_json(template(content="asked again"))
    first = await app.send("sign_event", [asked])
    (request,) = await waits(app, shared)
    second = await app.send("sign_event", [asked])
    await app.result("ping")
    assert len(of(app, shared)) == 1
    shared.do("request", "approve", request["id"])
    reply = await app.reply(second)
    assert json.loads(reply.result)["content"] == "asked again"
    await app.result("ping")
    assert all(answer.result for answer in app.answers(first))


async def test_a_different_request_is_asked_on_its_own(low, shared):
    app = await low()
    await asks_to_sign(app, content="one")
    await waits(app, shared, 1)
    await asks_to_sign(app, content="two")
    await waits(app, shared, 2)


async def test_each_request_is_decided_on_its_own(low, shared):
    app = await low()
    ids = [await asks_to_sign(app, content=text) for text in ("one", "two")]
    first, second = sorted(await waits(app, shared, 2), key=lambda request: request["received"])
    shared.do("request", "deny", first["id"])
    shared.do("request", "approve", second["id"])
    answers = [await app.reply(id) for id in ids]
    assert sorted(bool(answer.error) for answer in answers) == [False, True]


async def test_too_many_waiting_requests_are_refused_with_an_error(low, shared):
    """The queue has a limit, so that an app cannot flood its owner. A request over the limit gets an error at once."""
    app = await low()
    ids = [await asks_to_sign(app, kind=0, content=f'{{"about":"{n}"}}') for n in range(25)]
    await eventually(lambda: any(app.answers(id) for id in ids), "the limit of the queue")
    assert all(reply.error for id in ids for reply in app.answers(id))
    shared.do("client", "revoke", app.key.public, "--yes")


async def test_an_app_that_floods_leaves_the_others_their_places(daemon, apps):
    """Notes count as one request of the app, up to a limit of their own. Another app still has its places."""
    flooding, other = [await apps(App.paired(daemon.pair("low"))) for _ in range(2)]
    ids = [await asks_to_sign(flooding, content=f"number {n}") for n in range(110)]
    await eventually(lambda: sum(bool(flooding.answers(id)) for id in ids) == 10, "the limit of notes")
    assert all(reply.error for id in ids for reply in flooding.answers(id))
    await asks_to_sign(flooding, kind=7, content="+")
    await waits(flooding, daemon, 101)
    asked = [await asks_to_sign(other, kind=0, content=f'{{"about":"{n}"}}') for n in range(20)]
    await waits(other, daemon, 20)
    assert not any(other.answers(id) for id in asked)


async def test_raising_trust_lets_later_requests_through(low, shared):
    app = await low()
    shared.do("client", "trust", app.key.public, "full", "--yes")
    # No profile: one that takes the payment address away, which another test may have set, asks under every trust.
    assert (await app.sign(template(kind=30078)))["kind"] == 30078


async def test_lowering_trust_makes_later_requests_wait(shared, apps):
    app = await apps(App.paired(shared.pair("full")))
    assert await app.sign(template())
    shared.do("client", "trust", app.key.public, "low")
    id = await asks_to_sign(app)
    await waits(app, shared)
    assert not app.answers(id)


async def test_an_allowed_permission_lets_its_kind_through_and_no_other(low, shared):
    app = await low()
    shared.do("client", "allow", app.key.public, "sign_event:1")
    assert (await app.sign(template(kind=1)))["kind"] == 1
    id = await asks_to_sign(app, kind=7)
    await waits(app, shared)
    assert not app.answers(id)


async def test_a_denied_permission_is_refused_at_once_even_under_full_trust(shared, apps):
    app = await apps(App.paired(shared.pair("full")))
    shared.do("client", "deny", app.key.public, "sign_event:7")
    await app.error("sign_event", as_json(template(kind=7)))
    assert (await app.sign(template(kind=1)))["kind"] == 1


async def test_an_app_cannot_approve_its_own_request(low, shared):
    app = await low()
    id = await asks_to_sign(app)
    (request,) = await waits(app, shared)
    for method in ("approve", "request_approve", "request/approve"):
        await app.error(method, request["id"])
    assert len(of(app, shared)) == 1 and not app.answers(id)


async def test_twelve_likes_are_approved_in_one_command(low, shared):
    app = await low()
    ids = [await asks_to_sign(app, kind=7, content="+", tags=[["e", f"{n:064x}"]]) for n in range(12)]
    waiting = await waits(app, shared, 12)
    assert {request["batch_title"] for request in waiting} == {"12 likes"}
    result = shared.do("request", "approve", "--all-like", waiting[0]["id"])
    assert sorted(result["answered"]) == sorted(request["id"] for request in waiting) and result["missing"] == []
    for id in ids:
        assert json.loads((await app.reply(id)).result)["kind"] == 7


async def test_all_requests_of_one_app_are_answered_and_no_others(low, shared):
    app, other = await low(), await low()
    ids = [await asks_to_sign(app, kind=kind, content="x") for kind in (1, 7)]
    await asks_to_sign(other, content="stays")
    await waits(app, shared, 2)
    (stays,) = await waits(other, shared)
    listed = shared.do("request", "list", "--app", app.key.public)["requests"]
    assert sorted(one["id"] for one in listed) == sorted(one["id"] for one in of(app, shared))
    result = shared.do("request", "approve", "--app", app.key.public)
    assert len(result["answered"]) == 2 and result["missing"] == []
    for id in ids:
        assert (await app.reply(id)).result
    assert of(other, shared) == [stays] and shared.do("request", "deny", "--app", other.key.public)["answered"] == [stays["id"]]
    nothing = shared.cli("request", "approve", "--app", app.key.public)
    assert nothing.code == 5 and "No request of" in nothing.said


async def test_a_script_approves_serious_requests_of_an_app_only_with_yes(low, shared):
    app = await low()
    await asks_to_sign(app, content="usual")
    serious = await asks_to_sign(app, kind=5, tags=[["e", "ab" * 32]])
    await waits(app, shared, 2)
    refused = shared.cli("request", "approve", "--app", app.key.public)
    assert refused.code == 2 and "One of these requests is serious" in refused.said and "add --yes" in refused.said
    assert len(of(app, shared)) == 2
    assert len(shared.do("request", "approve", "--app", app.key.public, "--yes")["answered"]) == 2
    assert json.loads((await app.reply(serious)).result)["kind"] == 5


async def test_an_approval_that_fails_says_so(low, shared):
    app = await low()
    id = await app.send("nip44_decrypt", [PEER.public, "A" + "g" * 131])
    (request,) = await waits(app, shared)
    done = run("request", "approve", request["id"], "--home", str(shared.home.path))
    assert done.code == 1 and done.out.startswith("Approved") and "It failed: " in done.err
    assert (await app.reply(id)).error
    await asks_to_sign(app, content="fine")
    (request,) = await waits(app, shared)
    done = run("request", "approve", request["id"], "--home", str(shared.home.path))
    assert done.code == 0 and done.err == ""


async def test_a_request_that_is_like_no_other_says_why(low, shared):
    app = await low()
    for kind in (1, 7):
        await asks_to_sign(app, kind=kind, content="+")
    first, _ = await waits(app, shared, 2)
    done = run("request", "deny", "--all-like", first["id"], "--home", str(shared.home.path))
    said = " ".join(done.said.split())
    assert "This answers 1 request: no other waiting request is of the same app and kind." in said
    assert f"holdfast --home {shared.home.path} request deny --app" in said and len(of(app, shared)) == 1


async def test_the_account_says_what_will_be_signed(low, shared):
    app = await low()
    await asks_to_sign(app, kind=27235, tags=[["u", "https://good.example@evil.example/x"], ["method", "POST"]])
    (request,) = await waits(app, shared)
    account = shared.do("request", "show", request["id"][:6])
    assert account["title"] == "Log in to a website: evil.example" and account["client"]["pubkey"] == app.key.public
    assert any("look like another" in part["text"] for part in account["parts"] if part["type"] == "warning")
    assert json.loads(account["raw"])["kind"] == 27235 and "always" not in account["offers"]


async def test_an_approval_for_an_hour_is_remembered_and_reaches_what_is_alike(low, shared):
    app = await low()
    ids = [await asks_to_sign(app, content=text) for text in ("one", "two")]
    first, second = await waits(app, shared, 2)
    result = shared.do("request", "approve", first["id"], "--for", "1h")
    assert (result["answered"], result["also"]) == ([first["id"]], [second["id"]])
    for id in ids:
        assert (await app.reply(id)).result
    assert (await app.sign(template(content="three")))["content"] == "three"
    (rule,) = shared.do("client", "show", app.key.public)["rules"]
    assert (rule["permission"], rule["verdict"]) == ("sign_event:1", "allow")
    assert 0 < rule["expires"] - time.time() <= 3600


async def test_a_script_that_names_a_serious_request_has_decided(low, shared):
    app = await low()
    id = await asks_to_sign(app, kind=5, tags=[["e", "ab" * 32]])
    (request,) = await waits(app, shared)
    shared.do("request", "approve", request["id"], "--for", "1h")
    assert json.loads((await app.reply(id)).result)["kind"] == 5


@pytest.mark.parametrize("verb", ["approve", "deny"])
async def test_nothing_is_like_a_serious_request(verb, low, shared):
    app = await low()
    await asks_to_sign(app, kind=5, tags=[["e", "ab" * 32]])
    (request,) = await waits(app, shared)
    refused = shared.cli("request", verb, "--all-like", request["id"])
    assert refused.code == 2 and "answered one by one" in refused.value["error"]
    assert f"request {verb} {request['id']}" in refused.value["hint"]
    assert request["id"] in [one["id"] for one in shared.waiting()]


async def test_whoever_approves_a_new_payment_address_sees_it(daemon, apps):
    """In the question, whatever form the approval has, and in the list, however long the rest of the profile is."""
    app = await apps(App.paired(daemon.pair("low")))
    profile = {"name": "Ada", "about": "x" * 3000, "lud16": "ada@good.example"}
    first = await asks_to_sign(app, kind=0, content=json.dumps(profile))
    (request,) = await waits(app, daemon)
    daemon.do("request", "approve", request["id"])
    assert (await app.reply(first)).result
    await asks_to_sign(app, kind=0, content=json.dumps({**profile, "lud16": "evil@pay.example"}))
    (request,) = await waits(app, daemon)
    home = ("--home", str(daemon.home.path))
    assert "(“lud16”: “ada@good.example” → “evil@pay.example”)" in run("request", "list", *home).out
    for words in [(request["id"],), (request["id"], "--for", "1h"), ("--app", app.key.public)]:
        terminal = Terminal("request", "approve", *words, *home)
        try:
            asked = terminal.wait_for("[y/N]")
            terminal.type("n\n")
            terminal.finish()
        finally:
            terminal.close()
        assert "“lud16” was:" in asked and "| ada@good.example" in asked and "| evil@pay.example" in asked
        assert "This changes where payments to you go." in " ".join(asked.split())
        assert terminal.code == 1, "the answer was no"
    daemon.do("request", "deny", request["id"])


@pytest.mark.parametrize("verb", ["approve", "deny"])
async def test_a_retry_after_the_answer_gets_the_same_answer(verb, low, shared):
    app = await low()
    asked = as_json(template(content=f"impatient {verb}"))
    first = await app.send("sign_event", [asked])
    (request,) = await waits(app, shared)
    shared.do("request", verb, request["id"])
    answer = await app.reply(first)
    again = await app.reply(await app.send("sign_event", [asked]))
    assert of(app, shared) == []
    if verb == "approve":
        assert json.loads(again.result)["id"] == json.loads(answer.result)["id"]
    else:
        assert again.error == answer.error


@pytest.mark.parametrize(("kind", "shift", "dated"), [(1, 0, "now"), (1, -3600, "kept"), (27235, -3600, "now")])
async def test_the_date_is_that_of_the_approval_unless_it_was_chosen(kind, shift, dated, clock, start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False, env=clock.environment)
    app = await apps(App.paired(daemon.pair("low")))
    asked = int(time.time()) + shift
    id = await asks_to_sign(app, kind=kind, created_at=asked, tags=[["u", "https://x.example/"], ["method", "GET"]])
    (request,) = await waits(app, daemon)
    clock.set(360)
    daemon.do("request", "approve", request["id"])
    signed = json.loads((await app.reply(id)).result)["created_at"]
    assert signed == asked if dated == "kept" else abs(signed - (time.time() + 360)) < 30


async def test_watching_shows_each_request_as_it_comes(low, shared):
    app = await low()
    watch = await asyncio.create_subprocess_exec(
        *(str(binary()), "request", "watch", "--json", "--home", str(shared.home.path)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        id = await asks_to_sign(app, content="watched")
        waits_now = await heard(watch, lambda line: line.get("waits", {}).get("client", {}).get("pubkey") == app.key.public)
        assert waits_now["waits"]["title"] == "Sign a note"
        shared.do("request", "deny", waits_now["waits"]["id"])
        ended = await heard(watch, lambda line: line.get("ended") == waits_now["waits"]["id"])
        assert ended["approved"] is False and (await app.reply(id)).error
        assert b"until Ctrl-C or SIGTERM" in await asyncio.wait_for(watch.stderr.readline(), 30), "it says why it goes on"
    finally:
        watch.terminate()
        await watch.wait()


async def heard(watch, is_meant) -> dict:
    """The first line of a watching command for which `is_meant` is true."""
    async with asyncio.timeout(30):
        while True:
            line = json.loads(await watch.stdout.readline())
            if is_meant(line):
                return line


async def test_approving_while_locked_fails_and_the_request_waits(start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    app = await apps(App.paired(daemon.pair("low")))
    id = await asks_to_sign(app, content="locked")
    (request,) = await waits(app, daemon)
    daemon.do("lock")
    assert daemon.cli("request", "approve", request["id"]).code == 3
    assert [r["id"] for r in of(app, daemon)] == [request["id"]] and not app.answers(id)


CONSOLE = "https://signer.example/#/approvals"
SHOWING_ADDRESSES = [
    clients.NostrTools,
    clients.NDK,
    clients.NostrLogin,
    clients.Applesauce,
    clients.Welshman,
    clients.GoNostr,
    clients.Amethyst,
]


@pytest.mark.parametrize("library", SHOWING_ADDRESSES, ids=lambda library: library.__name__)
async def test_an_app_that_is_told_where_to_approve_still_gets_its_answer(library, start):
    daemon = start(arguments=("--auth-url", CONSOLE))
    client = library()
    try:
        await client.pair_by_bunker(daemon.pair("medium"))
        signing = asyncio.create_task(client.sign_event(template(kind=0, content="{}")))
        (request,) = await eventually(daemon.waiting, "the profile change waits")
        daemon.do("request", "approve", request["id"])
        assert (await signing)["kind"] == 0
    finally:
        await client.close()


async def test_the_address_is_sent_once_for_each_request_and_only_when_wanted(start, apps, low, shared):
    daemon = start(arguments=("--auth-url", CONSOLE))
    app = await apps(App.paired(daemon.pair("low")))
    asked = as_json(template(content="where?"))
    ids = [await app.send("sign_event", [asked]) for _ in range(2)]
    for id in ids:
        hint = await app.reply(id)
        assert hint.body == {"id": id, "result": "auth_url", "error": CONSOLE}
    (request,) = await waits(app, daemon)
    daemon.do("request", "approve", request["id"])
    await eventually(lambda: all(len(app.answers(id)) == 2 for id in ids), "the answers")
    assert all(json.loads(app.answers(id)[1].result)["content"] == "where?" for id in ids)
    quiet = await low()
    id = await asks_to_sign(quiet)
    await waits(quiet, shared)
    assert await quiet.result("ping") and not quiet.answers(id)
