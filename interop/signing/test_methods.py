"""Every method with no, missing, extra and odd parameters. A paired client is always answered."""

from __future__ import annotations

import asyncio
import json

import pytest

from harness.app import App
from reference import nip04, nip44
from reference.events import as_json, template
from reference.keys import NOT_A_POINT, Key

PEER = Key()
WITHOUT_PARAMETERS = {"ping": "pong", "switch_relays": "null"}
WITH_PARAMETERS = ["sign_event", "nip04_encrypt", "nip04_decrypt", "nip44_encrypt", "nip44_decrypt"]
ODD = [0, -1, 1.5, True, None, [], {}, [[]], "", "x" * 1000, [1, 2], {"a": "b"}]


@pytest.mark.parametrize("method, result", WITHOUT_PARAMETERS.items())
@pytest.mark.parametrize("params", [[], [""], ["a", "b"], [None], [{}]], ids=repr)
async def test_methods_without_parameters_ignore_what_they_get(method, result, params, app):
    assert await app.result(method, *params) == result


async def test_get_public_key_is_the_user_key(app, shared):
    assert await app.result("get_public_key") == shared.user
    assert await app.result("get_public_key", "extra", 1) == shared.user


@pytest.mark.parametrize("method", WITH_PARAMETERS)
async def test_no_parameters_is_an_error(method, app):
    await app.error(method)


@pytest.mark.parametrize("method", [method for method in WITH_PARAMETERS if method != "sign_event"])
async def test_a_missing_second_parameter_is_an_error(method, app):
    await app.error(method, PEER.public)


@pytest.mark.parametrize("method", WITH_PARAMETERS)
@pytest.mark.parametrize("odd", [value for value in ODD if value != {}], ids=repr)
async def test_odd_parameters_get_an_error(method, odd, app):
    await app.error(method, odd, odd)


@pytest.mark.parametrize("method", ["nip04_encrypt", "nip44_encrypt"])
async def test_extra_parameters_are_ignored(method, app):
    assert await app.result(method, PEER.public, "text", "extra", "more")
    assert await app.result("sign_event", as_json(template()), "extra")


@pytest.mark.parametrize("params", [None, {}, "text", 5, {"0": "a"}], ids=repr)
@pytest.mark.parametrize("method", ["nip44_encrypt", "sign_event"])
async def test_parameters_that_are_no_array_get_an_error(method, params, app):
    reply = await app.reply(await app.send(method, params))
    assert reply.error


@pytest.mark.parametrize("method", ["nothing_like_this", "", "SIGN_EVENT", "sign_event ", "ping\u0000", "x" * 500, "echo"])
async def test_an_unknown_method_gets_an_error(method, app):
    await app.error(method)


@pytest.mark.parametrize("method", ["get_relays", "create_account", "disconnect", "delegate", "nip44v3_encrypt"])
async def test_old_and_future_methods_are_answered(method, app):
    reply = await app.call(method)
    assert reply.error or reply.result


async def test_describe_lists_method_names(app):
    names = json.loads(await app.result("describe"))
    assert {"connect", "sign_event", "get_public_key", "nip44_encrypt", "ping"} <= set(names)


@pytest.mark.parametrize("id", ["1", "", "x" * 64, "\u00e9 \U0001f511", '"\\/\n'], ids=repr)
async def test_the_id_comes_back_verbatim(id, app):
    assert (await app.call("ping", id=id)).result == "pong"


@pytest.mark.parametrize("id", [7, 0, -3, 12345678901234567890, 1.5])
async def test_an_id_that_is_a_number_comes_back_as_that_number(id, app):
    reply = await app.call("ping", id=id)
    assert type(reply.id) is type(id) and reply.result == "pong"


async def test_two_clients_with_the_same_id_get_their_own_answers(app, shared, apps):
    other = await apps(App.paired(shared.pair()))
    first = await app.sign(template(content="first"))
    await other.call("sign_event", as_json(template(content="second")), id="same")
    reply = await app.call("sign_event", as_json(template(content="third")), id="same")
    assert json.loads(reply.result)["content"] == "third"
    assert first["content"] == "first"


@pytest.mark.parametrize(
    "text",
    [
        "not json",
        "",
        "{",
        "[]",
        "null",
        "5",
        '"text"',
        "{}",
        '{"id":"a"}',
        '{"method":"ping","params":[]}',
        '{"id":"a","method":5,"params":[]}',
        '{"id":"a","method":null,"params":[]}',
        '{"id":"a","method":"ping","method":"logout","params":[]}',
        '{"id":"a","method":"ping","params":["\\ud800"]}',
        '{"id":"a","method":"ping","params":[]} trailing',
        "[" * 5000,
        '{"a":' * 5000,
    ],
    ids=lambda text: text[:24] or "empty",
)
async def test_what_is_no_request_harms_nothing(text, app):
    await app.connections.publish(app.sealed(text or " "))
    assert await app.result("ping") == "pong"


async def test_a_response_sent_to_the_signer_is_not_answered(app):
    await app.connections.publish(app.sealed(as_json({"id": "r1", "result": "ack"})))
    await app.connections.publish(app.sealed(as_json({"id": "r2", "result": None, "error": "x"})))
    await app.hears_nothing("r1", app.result("ping"))
    assert not app.answers("r2")


@pytest.mark.parametrize("peer", ["", "x", "ab", "zz" * 32, NOT_A_POINT, "00" * 32, "npub1xyz"], ids=lambda p: p[:8] or "empty")
@pytest.mark.parametrize("method", [method for method in WITH_PARAMETERS if method != "sign_event"])
async def test_an_invalid_peer_key_is_an_error(method, peer, app):
    await app.error(method, peer, "text")


async def test_many_requests_at_once_are_each_answered_once(app):
    ids = [await app.send("sign_event", [as_json(template(content=str(n)))]) for n in range(50)]
    for number, id in enumerate(ids):
        assert json.loads((await app.reply(id)).result)["content"] == str(number)
    await app.result("ping")
    assert all(len(app.answers(id)) == 1 for id in ids)


async def test_encryption_works_in_both_families_beside_each_other(app, shared):
    for cipher, name in ((nip04, "nip04"), (nip44, "nip44")):
        sealed = await app.result(f"{name}_encrypt", PEER.public, "text")
        assert cipher.decrypt(PEER, shared.user, sealed) == "text"
        assert await app.result(f"{name}_decrypt", PEER.public, cipher.encrypt(PEER, shared.user, "back")) == "back"


async def test_two_thousand_requests_to_one_daemon_are_each_answered(app):
    """A daemon once died after nine hundred: each request left a frame on a worker's stack."""
    for _ in range(20):
        replies = await asyncio.gather(*(app.call("ping") for _ in range(100)))
        assert [reply.result for reply in replies] == ["pong"] * 100
