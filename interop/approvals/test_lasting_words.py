"""What a permission does not cover is said with it, and a permission is granted only to the app that is meant."""

from __future__ import annotations

import json

import pytest

from harness.app import App
from harness.daemon import run
from harness.terminal import Terminal
from harness.waiting import eventually
from reference.events import as_json, template

PROFILE, NOT_FOUND, DENIED = 0, 5, 4
PROFILES = "sign_event:0 (profile changes from this app)"
NEW_ADDRESS = "A new payment address is asked about each time."


@pytest.fixture
async def app(daemon, apps):
    return await apps(App.paired(daemon.pair("low", "--name", "Amethyst")))


def asked(terminal: Terminal, answer: str) -> tuple[str, str]:
    """The question, and what is said after it."""
    question = " ".join(terminal.wait_for("[y/N]").split())
    terminal.type(answer + "\n")
    return question, " ".join(terminal.finish().split())


async def asks(app: App, daemon, address: str) -> dict:
    profile = json.dumps({"name": "Ada", "lud16": address})
    await app.send("sign_event", [as_json(template(kind=PROFILE, content=profile))])
    return await eventually(lambda: next(iter(daemon.waiting()), None), "a request")


async def test_a_lasting_approval_of_profiles_says_that_a_new_payment_address_is_asked_about(daemon, app, at_terminal):
    request = await asks(app, daemon, "first@example.com")
    question, _ = asked(at_terminal("request", "approve", request["id"], "--for", "always"), "y")
    assert f"From now on “Amethyst” may do {PROFILES} without asking. {NEW_ADDRESS} Approve it?" in question, question
    await asks(app, daemon, "second@example.com")
    said = run("request", "approve", daemon.waiting()[0]["id"], "--for", "1h", "--home", str(daemon.home.path)).out
    assert PROFILES in said and NEW_ADDRESS in said, said


async def test_allowing_names_each_permission_in_words_and_what_still_asks(daemon, app, at_terminal):
    question, _ = asked(at_terminal("client", "allow", "ame", "sign_event:0"), "n")
    assert question.startswith("This is serious. From now on “Amethyst” (") and "Allow it?" in question, question
    assert f"may do {PROFILES} without asking. {NEW_ADDRESS}" in question, question
    question, said = asked(at_terminal("client", "allow", "ame", "sign_event:3", "sign_event:1", "--for", "1h"), "y")
    assert question.startswith("For 1 hour “Amethyst” (") and "(! is serious): ! sign_event:3 (changes of your follow list" in question, (
        question
    )
    assert "sign_event:1 (notes from this app) Dropping many of the people you follow" in question and "Allow all of it?" in question
    assert (
        "may now do sign_event:3 (changes of your follow list from this app) for 1 hour without asking." in said and "Dropping many" in said
    ), said


async def test_what_can_never_be_allowed_is_refused_before_a_question(daemon, app, at_terminal):
    terminal = at_terminal("client", "allow", "Amethyst", "sign_event:62")
    shown = terminal.finish()
    assert terminal.code == DENIED and "always asks you" in shown and "[y/N]" not in shown, shown
    terminal = at_terminal("client", "allow", "Amethyst", "sign_event:7375", "--for", "2d")
    shown = terminal.finish()
    assert terminal.code == DENIED and "for 1d at most" in shown and "[y/N]" not in shown, shown


async def test_the_beginning_of_a_name_gets_nothing_that_nobody_confirmed(daemon, app, at_terminal):
    for words in (("allow", "ame", "sign_event:1"), ("trust", "ame", "medium"), ("trust", "ame", "full", "--yes")):
        refused = daemon.cli("client", *words)
        assert refused.code == NOT_FOUND and "“Amethyst”" in refused.said, refused.said
    (client,) = daemon.clients()
    assert client["trust"] == "low" and daemon.do("client", "show", "ame")["rules"] == []
    assert at_terminal("client", "trust", "ame", "full", "--yes").finish().count("only the beginning") == 1
    asked(at_terminal("client", "trust", "ame", "full"), "y")
    assert daemon.clients()[0]["trust"] == "full"
    assert daemon.do("client", "trust", "ame", "low")["trust"] == "low", "less is given by the beginning of a name"
    assert daemon.cli("client", "deny", "ame", "sign_event:1").code == 0
    assert daemon.do("client", "trust", "amethyst", "medium")["trust"] == "medium"
    assert daemon.cli("client", "allow", app.key.public[:8], "sign_event:7").code == 0


async def test_the_beginning_of_a_name_approves_nothing_that_nobody_was_shown(daemon, app, at_terminal):
    request = await app.send("sign_event", [as_json(template(content="one"))])
    await eventually(lambda: len(daemon.waiting()) == 1, "it waits")
    for words in (("--json",), ("--for", "1h"), ("--yes",)):
        refused = daemon.cli("request", "approve", "--app", "ame", *words)
        assert refused.code == NOT_FOUND and "“Amethyst”" in refused.said and "Nothing was approved." in refused.said, refused.said
    assert "only the beginning" in at_terminal("request", "approve", "--app", "ame", "--yes").finish()
    assert len(daemon.waiting()) == 1 and daemon.do("client", "show", "ame")["rules"] == []
    daemon.do("request", "approve", "--app", "amethyst")
    assert (await app.reply(request)).result


async def test_the_beginning_of_a_name_ends_no_pause_rule_or_limit(daemon, app):
    """It may tighten what an app may do, and never loosen it again."""
    daemon.do("client", "suspend", "ame")
    daemon.do("client", "deny", "ame", "sign_event:1")
    daemon.do("client", "limit", "ame", "--per-minute", "3")
    daemon.do("client", "budget", "ame", "sign_event:1", "3")
    for words in (
        ("resume", "ame"),
        ("forget", "ame", "sign_event:1"),
        ("limit", "ame", "--per-minute", "30"),
        ("budget", "ame", "sign_event:1", "30"),
    ):
        refused = daemon.cli("client", *words)
        assert refused.code == NOT_FOUND and "“Amethyst”" in refused.said and "Nothing was changed." in refused.said, refused.said
        daemon.do("client", words[0], "Amethyst", *words[2:])


async def test_trust_that_an_app_has_already_is_no_change(daemon, app):
    count = len(daemon.do("log", "show")["entries"])
    said = run("client", "trust", "Amethyst", "low", "--home", str(daemon.home.path)).out
    assert said.startswith("“Amethyst” already has low trust."), said
    daemon.do("client", "trust", "Amethyst", "low")
    assert len(daemon.do("log", "show")["entries"]) == count
