"""What a person at a terminal is asked before requests are answered: all that is answered, each rule, and nothing that cannot be done."""

from __future__ import annotations

import pytest

from harness.app import App
from harness.daemon import run
from harness.terminal import Terminal
from harness.waiting import eventually
from reference.events import as_json, template

NOTE, DELETION, LIKE, VANISH = 1, 5, 7, 62


@pytest.fixture
async def app(daemon, apps):
    return await apps(App.paired(daemon.pair("low", "--name", "bot")))


async def asks(app: App, daemon, *kinds: int) -> list[dict]:
    """Requests of these kinds, in order."""
    before = len(daemon.waiting())
    for number, kind in enumerate(kinds):
        tags = {DELETION: [["e", "ab" * 32]], VANISH: [["relay", "ALL_RELAYS"]]}.get(kind, [])
        await app.send("sign_event", [as_json(template(kind=kind, content=f"{number} of these", tags=tags))])
    found = await eventually(lambda: len(found := daemon.waiting()) == before + len(kinds) and found, "they wait")
    return sorted(found[before:], key=lambda request: kinds.index(request["kind"]))


def rules(daemon) -> set[str]:
    return {rule["permission"] for rule in daemon.do("client", "show", "bot")["rules"]}


def answered(terminal: Terminal, answer: str = "y") -> tuple[str, str]:
    """The question, and what is said after it."""
    asked = " ".join(terminal.wait_for("[y/N]").split())
    terminal.type(answer + "\n")
    return asked, " ".join(terminal.finish().split())


async def test_each_rule_is_named_before_a_lasting_answer_to_different_requests(daemon, app, at_terminal):
    note, deletion = await asks(app, daemon, NOTE, DELETION)
    asked, _ = answered(at_terminal("request", "approve", "--app", "bot", "--for", "1h"), "n")
    assert "For 1 hour “bot” may do this without asking (! is serious): sign_event:1 (notes from this app) ! sign_event:5 (" in asked, asked
    assert f"{note['id']} bot: {note['title']}" in asked and f"{deletion['id']} ! bot: {deletion['title']}" in asked
    assert "Relays cannot restore what they delete." in asked and asked.endswith("Approve all 2? [y/N]")
    assert rules(daemon) == set() and len(daemon.waiting()) == 2
    ids = (note["id"], deletion["id"])
    assert answered(at_terminal("request", "approve", *ids, "--for", "1h"), "n")[0] == asked, "the same for ids"
    _, said = answered(at_terminal("request", "approve", "--app", "bot", "--for", "1h"))
    assert "Approved: 2 requests." in said and "may do" not in said, said
    assert rules(daemon) == {"sign_event:1", "sign_event:5"}


async def test_a_time_that_no_request_offers_is_refused_before_the_question(daemon, app, at_terminal):
    note, vanish = await asks(app, daemon, NOTE, VANISH)
    for words in (["--app", "bot"], [note["id"], vanish["id"]]):
        terminal = at_terminal("request", "approve", *words, "--for", "1h")
        shown = " ".join(terminal.finish().split())
        assert terminal.code == 2 and "[y/N]" not in shown, shown
        assert f"An approval of {vanish['id']} ({vanish['title']}) counts once and cannot last 1 hour. Nothing was approved." in shown
        assert "Answer that one first: " in shown and "Then approve the others for 1 hour." in shown
    assert run("request", "approve", vanish["id"], "--for", "1h", "--home", str(daemon.home.path)).code == 2
    assert len(daemon.waiting()) == 2 and rules(daemon) == set()
    _, said = answered(at_terminal("request", "approve", "--app", "bot"))
    assert "Approved: 2 requests." in said and daemon.waiting() == []


@pytest.mark.parametrize("lock, says", [("lock", "The signer is locked."), ("panic", "The signer is locked down.")])
async def test_while_locked_an_approval_is_refused_before_the_question(lock, says, daemon, app, at_terminal):
    (deletion,) = await asks(app, daemon, DELETION)
    daemon.do(lock)
    assert daemon.waiting()[0]["needs_unlock"]
    for words in ([deletion["id"]], ["--app", "bot"], [deletion["id"], "--for", "always"]):
        terminal = at_terminal("request", "approve", *words)
        shown = " ".join(terminal.finish().split())
        assert terminal.code == 3 and "[y/N]" not in shown and says in shown and "unlock" in shown, shown
    asked, said = answered(at_terminal("request", "deny", "--all"))
    assert deletion["id"] in asked and "Denied" in said and daemon.waiting() == []


async def test_several_requests_are_listed_before_all_are_denied(daemon, app, at_terminal):
    likes = await asks(app, daemon, LIKE, LIKE)
    (note,) = await asks(app, daemon, NOTE)
    asked, said = answered(at_terminal("request", "deny", "--all-like", likes[0]["id"]))
    assert all(f"{like['id']} bot: {like['title']}" in asked for like in likes) and note["id"] not in asked
    assert asked.startswith("2 requests of “bot” wait:") and asked.endswith("Deny all 2? [y/N]"), asked
    assert "Denied: 2 requests." in said
    asked, _ = answered(at_terminal("request", "deny", "--all"))
    assert asked.startswith(f"This request waits: {note['id']} bot: ") and asked.endswith("Deny it? [y/N]"), asked


async def test_a_watched_request_is_explained_again_if_another_was_shown_since(daemon, app, at_terminal):
    terminal = at_terminal("request", "watch")
    terminal.wait_for("Nothing waits for you.")
    (vanish,) = await asks(app, daemon, VANISH)
    shown = " ".join(terminal.wait_for("Type a to approve").split())
    await asks(app, daemon, NOTE)
    terminal.wait_for("Answer requests 1, 2 [a 1/d 1/?/q]: ")
    warning = next(part["text"] for part in vanish["parts"] if part["type"] == "warning")
    assert warning[:40] in shown
    terminal.type("a 1 1h\n")
    refused = " ".join(terminal.wait_for("]: ").split())
    assert "counts once and cannot last 1 hour" in refused and "To approve it once: type a 1" in refused, refused
    terminal.type("a 1\n")
    asked = " ".join(terminal.wait_for("[y/N]").split())
    assert "This request is serious:" in asked and vanish["title"] in asked and asked.endswith("Approve it? [y/N]"), asked
    assert warning[:40] in asked, "what was shown first may have left the screen"
    terminal.type("y\n")
    terminal.wait_for("Approved: ")
    terminal.type("a 2 1h30m\n")
    terminal.wait_for("For 90 minutes")
    assert daemon.waiting() == [] and rules(daemon) == {"sign_event:1"}
