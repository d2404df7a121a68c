"""sign_event: ids equal to an independent implementation's, and hostile templates refused with an error."""

from __future__ import annotations

import json
import time

import pytest

from harness.app import App
from reference.events import as_json, event_id, is_genuine, template
from reference.keys import Key

OTHER = Key()


async def signed(app, text: str) -> dict:
    """The event for a template given as JSON text."""
    event = json.loads(await app.result("sign_event", text))
    assert set(event) == {"id", "pubkey", "created_at", "kind", "tags", "content", "sig"}
    assert is_genuine(event)
    return event


@pytest.mark.parametrize(
    "content",
    [
        "",
        "plain",
        "/ slashes // stay",
        'quote " backslash \\ both \\"',
        "\n\r\t\b\f",
        "".join(map(chr, range(32))),
        "\x7f\x80\x9f",
        "\u2028\u2029\ufeff\u200b",
        "\ufffd\uffff\ufffe",
        "\U0001f511\U0001f469\u200d\U0001f4bb e\u0301 \u00e9",
        "<script>&amp;</script>",
        "\u202egnp.exe",
    ],
    ids=lambda content: repr(content)[1:24],
)
async def test_content_is_signed_verbatim(content, app, shared):
    wanted = template(content=content, tags=[["t", content], [], [content, content, content]])
    event = await signed(app, as_json(wanted))
    assert {name: event[name] for name in wanted} == wanted
    assert event["pubkey"] == shared.user
    assert event["id"] == event_id({**wanted, "pubkey": shared.user})


@pytest.mark.parametrize("escape", ["\\u00e9", "\\ud83d\\udd11", "\\/", "\\u0041", "\\u2028", "\\u0000", "\\u001f"])
async def test_escapes_in_the_template_are_read_as_characters(escape, app):
    text = f'{{"kind":1,"content":"{escape}","tags":[],"created_at":1700000000}}'
    assert (await signed(app, text))["content"] == json.loads(f'"{escape}"')


async def test_a_thousand_tags_fit_the_embedded_relay(app):
    tags = [["t", str(n)] for n in range(1000)]
    assert (await signed(app, as_json(template(tags=tags))))["tags"] == tags


async def test_five_thousand_tags_and_a_megabyte_of_content(start, scripted_relay, apps):
    daemon = start(relays=(scripted_relay.url,), embedded=False)
    app = await apps(App.paired(daemon.pair()))
    tags = [["t", str(n)] for n in range(5000)]
    assert (await signed(app, as_json(template(tags=tags))))["tags"] == tags
    content = "x" * (1 << 20)
    assert (await signed(app, as_json(template(content=content))))["content"] == content


@pytest.mark.parametrize("kind", [0, 1, 3, 20000, 30023, 65535])
async def test_every_kind_number_can_be_signed_under_full_trust(kind, app):
    assert (await signed(app, as_json(template(kind=kind))))["kind"] == kind


@pytest.mark.parametrize("created_at", [0, 1, 1_500_000_000, 1_700_000_000])
async def test_created_at_is_kept(created_at, app):
    assert (await signed(app, as_json({**template(), "created_at": created_at})))["created_at"] == created_at


async def test_a_missing_created_at_is_now(app):
    wanted = template()
    del wanted["created_at"]
    assert abs((await signed(app, as_json(wanted)))["created_at"] - time.time()) < 30


async def test_a_kind_as_text_is_read_as_its_number(app):
    assert (await signed(app, '{"kind":"30023","content":"","tags":[],"created_at":1}'))["kind"] == 30023


async def test_missing_tags_are_none(app):
    wanted = template()
    del wanted["tags"]
    assert (await signed(app, as_json(wanted)))["tags"] == []


async def test_the_users_own_pubkey_is_accepted(app, shared):
    assert (await signed(app, as_json(template(pubkey=shared.user))))["pubkey"] == shared.user


async def test_a_transport_pubkey_is_replaced_by_the_users(app, shared):
    assert (await signed(app, as_json(template(pubkey=app.signer))))["pubkey"] == shared.user


async def test_an_empty_pubkey_id_and_sig_are_ignored(app, shared):
    assert (await signed(app, as_json(template(pubkey="", id="", sig=""))))["pubkey"] == shared.user


async def test_extra_id_and_sig_are_replaced(app):
    event = await signed(app, as_json(template(id="00" * 32, sig="00" * 64)))
    assert event["id"] != "00" * 32


async def test_extra_fields_do_not_survive(app):
    await signed(app, as_json(template(seen=True, relays=["a"], client={"a": [1]})))


async def test_an_object_instead_of_text_is_tolerated(app, shared):
    event = json.loads(await app.result("sign_event", template(content="object")))
    assert is_genuine(event) and event["content"] == "object" and event["pubkey"] == shared.user


async def test_somebody_elses_pubkey_is_refused_naming_both(app, shared):
    error = await app.error("sign_event", as_json(template(pubkey=OTHER.public)))
    assert OTHER.public[:8] in error and shared.user[:8] in error


@pytest.mark.parametrize(
    "text",
    [
        '{"kind":"one","content":"","tags":[],"created_at":1}',
        '{"kind":"65536","content":"","tags":[],"created_at":1}',
        '{"kind":"01","content":"","tags":[],"created_at":1}',
        '{"kind":65536,"content":"","tags":[],"created_at":1}',
        '{"kind":-1,"content":"","tags":[],"created_at":1}',
        '{"kind":1.5,"content":"","tags":[],"created_at":1}',
        '{"kind":null,"content":"","tags":[],"created_at":1}',
        '{"kind":99999999999999999999,"content":"","tags":[],"created_at":1}',
        '{"content":"","tags":[],"created_at":1}',
        '{"kind":1,"tags":[],"created_at":1}',
        '{"kind":1,"content":5,"tags":[],"created_at":1}',
        '{"kind":1,"content":null,"tags":[],"created_at":1}',
        '{"kind":1,"content":"","tags":{},"created_at":1}',
        '{"kind":1,"content":"","tags":["t"],"created_at":1}',
        '{"kind":1,"content":"","tags":[[1]],"created_at":1}',
        '{"kind":1,"content":"","tags":[[null]],"created_at":1}',
        '{"kind":1,"content":"","tags":[],"created_at":"1"}',
        '{"kind":1,"content":"","tags":[],"created_at":-1}',
        '{"kind":1,"content":"","tags":[],"created_at":1.5}',
        '{"kind":1,"content":"","tags":[],"created_at":1e400}',
        '{"kind":1,"content":"\\ud800","tags":[],"created_at":1}',
        '{"kind":1,"content":"\\udc00\\ud800","tags":[],"created_at":1}',
        '{"kind":1,"content":"","tags":[["\\ud83d"]],"created_at":1}',
        '{"kind":1,"kind":0,"content":"","tags":[],"created_at":1}',
        '{"kind":1,"content":"a","content":"b","tags":[],"created_at":1}',
        '{"kind":1,"content":"","tags":[],"created_at":1',
        '{"kind":1,"content":"","tags":[],"created_at":1}}',
        '{"kind":01,"content":"","tags":[],"created_at":1}',
        '{"kind":1,"content":"","tags":[],"created_at":1,}',
        '{"kind":1,"content":"a\nb","tags":[],"created_at":1}',
        '{"kind":1,"content":"","tags":' + "[" * 3000 + "]" * 3000 + ',"created_at":1}',
        '{"kind":1,"content":"","tags":[],"created_at":1,"pubkey":5}',
        '{"kind":1,"content":"","tags":[],"created_at":1,"pubkey":"abc"}',
        "[]",
        "null",
        "1",
        "",
        "not json",
    ],
    ids=lambda text: text[:70] or "empty",
)
async def test_a_malformed_template_is_refused(text, app):
    await app.error("sign_event", text)


async def test_an_error_never_repeats_the_content(app):
    canary = "canary-content-1234"
    error = await app.error("sign_event", as_json({"kind": 1, "content": canary, "tags": 5}))
    assert canary not in error
