"""`holdfast request watch` at a terminal: what waits is answered where it is shown."""

from __future__ import annotations

import re
import signal

import pytest

from harness.app import App
from harness.daemon import run
from harness.terminal import Terminal
from harness.waiting import eventually
from reference.events import as_json, template


@pytest.fixture
def watch(daemon):
    terminal = Terminal("request", "watch", "--home", str(daemon.home.path))
    yield terminal
    terminal.close()


async def asks(app: App, content: str) -> None:
    await app.send("sign_event", [as_json(template(1, content))])


async def test_a_request_is_answered_where_it_is_shown(daemon, apps, watch):
    app = await apps(App.paired(daemon.pair("low")))
    watch.wait_for("Nothing waits for you.")
    await asks(app, "the first")
    watch.wait_for("| the first")
    watch.wait_for("Type a to approve or d to deny request 1, q to quit, or ? for more, then Enter.")
    await asks(app, "the second")
    watch.wait_for("| the second")
    watch.wait_for("Answer requests 1, 2 [a 1/d 1/?/q]: ")
    watch.type("a\n")
    watch.wait_for("2 requests wait. Add the number of the one that you mean.")
    watch.wait_for("Answer requests 1, 2 [a 1/d 1/?/q]: ")
    assert len(daemon.waiting()) == 2, "without a number nothing is answered while two wait"
    watch.type("d 2\n")
    watch.wait_for("Denied: Sign a note")
    watch.type("2\n")
    watch.wait_for("Request 2 does not wait")
    assert "  1  " in watch.wait_for("Answer request 1 [a/d/?/q]: "), "what waits is shown again"
    watch.type("?\n")
    watch.wait_for("denies request 2")
    watch.type("yes\n")
    watch.wait_for("'yes' is no answer")
    assert len(daemon.waiting()) == 1, "the number of one that has ended means no other one"
    watch.type("1\n")
    watch.wait_for("| the first")
    watch.type("a 1\n")
    watch.wait_for("Approved: Sign a note")
    assert daemon.waiting() == []
    await eventually(lambda: len(app.replies) >= 3, "both are answered")
    watch.type("q\n")
    watch.finish()
    assert watch.code == 0


async def test_an_answer_can_last(daemon, apps, watch):
    app = await apps(App.paired(daemon.pair("low")))
    for content in ("one", "two"):
        await asks(app, content)
    watch.wait_for("| two")
    watch.type("a 1 1h\n")
    asked = watch.wait_for("[y/N]")
    assert "The rule also approves:" in asked and "“two”" in asked and "For 1 hour" in asked, "nobody approves what they have not seen"
    watch.type("y\n")
    watch.wait_for("Your new rule answered 1 more.")
    assert "Request 2 was approved." in watch.wait_for("Nothing waits [?/q]: ")
    (rule,) = daemon.do("client", "show", app.key.public)["rules"]
    assert (rule["permission"], rule["verdict"]) == ("sign_event:1", "allow")
    await asks(app, "three")
    await eventually(lambda: len(app.replies) >= 4, "all are answered")
    watch.type("q\n")
    watch.finish()
    assert watch.code == 0


async def test_an_answer_asks_for_the_proof_that_the_key_needs(daemon, apps, watch):
    secret = ("--passphrase-file", str(daemon.home.passphrase_file))
    daemon.do("identity", "class", "alice", "device-passcode", *secret)
    app = await apps(App.paired(daemon.pair("full")))
    await asks(app, "with presence")
    watch.wait_for("| with presence")
    watch.type("a\n")
    watch.wait_for("Passphrase (alice asks you for each use of its key): ")
    watch.type(daemon.home.passphrase_file.read_text())
    watch.wait_for("Approved: Sign a note")
    watch.type("q\n")
    watch.finish()


async def test_an_answer_typed_while_the_requests_change_answers_none(daemon, apps, watch):
    """The letter was meant for the first request, which ends while another one comes."""
    app = await apps(App.paired(daemon.pair("low")))
    await asks(app, "the first")
    watch.wait_for("to approve or d to deny request 1")
    watch.signal(signal.SIGSTOP)
    (first,) = daemon.waiting()
    daemon.do("request", "deny", first["id"])
    await asks(app, "the second")
    await eventually(lambda: [one["id"] for one in daemon.waiting()] not in ([], [first["id"]]), "only the second one waits")
    watch.type("a\na\n")  # the first may be read before the second request is shown
    watch.signal(signal.SIGCONT)
    watch.wait_for("Request 1 was denied.")
    watch.wait_for("Answer request 2 [a/d/?/q]: ")
    watch.type("?\n")
    watch.wait_for("denies request 2")
    assert len(daemon.waiting()) == 1, "the second one was not approved"
    watch.type("d 2\n")
    watch.wait_for("Denied: Sign a note")
    watch.type("q\n")
    watch.finish()


async def test_while_the_signer_is_locked_the_watch_says_that_only_denying_works(daemon, apps):
    app = await apps(App.paired(daemon.pair("low")))
    await asks(app, "later")
    await eventually(daemon.waiting, "it waits")
    daemon.do("lock")
    terminal = Terminal("request", "watch", "--home", str(daemon.home.path))
    terminal.wait_for("Type a to approve or d to deny request 1")
    terminal.wait_for("The signer is locked: you can deny now. To approve, unlock it first:")
    terminal.type("d\n")
    terminal.wait_for("Denied")
    terminal.type("q\n")
    terminal.finish()
    assert daemon.waiting() == []


async def test_what_is_serious_is_marked_wherever_it_stands(daemon, apps, watch):
    app = await apps(App.paired(daemon.pair("low")))
    await app.send("sign_event", [as_json(template(62, "away", tags=[["relay", "ALL_RELAYS"]]))])
    assert re.search(r"!\S* \S*$", watch.wait_for("Send a request to vanish").removesuffix("Send a request to vanish"))
    watch.type("?\n")
    watch.wait_for("  1  ! ")
    (request,) = daemon.waiting()
    shown = run("request", "show", request["id"], "--home", str(daemon.home.path)).out
    assert shown.startswith(f"{request['id']}  ! Send a request to vanish")
