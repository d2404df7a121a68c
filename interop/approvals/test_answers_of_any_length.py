"""Rules for any time, several permissions at once, and answers to everything that waits."""

from __future__ import annotations

import pytest

from harness.app import App
from harness.daemon import run
from harness.terminal import Terminal
from harness.waiting import eventually
from reference.events import as_json, template


@pytest.fixture
def command(daemon):
    """Runs a command on the daemon's home as somebody types it."""
    return lambda *words: run(*words, "--home", str(daemon.home.path))


def lasts(daemon, app) -> dict[str, int]:
    """For how many seconds each rule of the app holds."""
    return {rule["permission"]: rule["expires"] - rule["made"] for rule in daemon.do("client", "show", app.key.public)["rules"]}


async def asks(app: App, daemon, *kinds: int) -> list[dict]:
    before = len(daemon.waiting())
    for kind in kinds:
        await app.send("sign_event", [as_json(template(kind=kind, content=f"of {app.key.public[:6]}"))])
    return await eventually(lambda: len(found := daemon.waiting()) == before + len(kinds) and found, "they wait")


async def test_a_rule_lasts_for_any_time_up_to_a_year(daemon, apps, command):
    app = await apps(App.paired(daemon.pair("low")))
    said = command("client", "allow", app.key.public, "sign_event:1", "--for", "90m")
    assert said.code == 0 and "for 90 minutes without asking" in said.out, said.said
    assert command("client", "deny", app.key.public, "sign_event:7", "--for", "3d").code == 0
    assert lasts(daemon, app) == {"sign_event:1": 5400, "sign_event:7": 3 * 86_400}
    for wrong in ("59s", "366d", "1y", "once", "soon"):
        refused = command("client", "allow", app.key.public, "sign_event:1", "--for", wrong)
        assert refused.code == 2 and "a time from 1 minute to 1 year such as 30m" in refused.err, refused.said


async def test_a_time_may_have_several_units(daemon, apps, command):
    app = await apps(App.paired(daemon.pair("low")))
    assert command("client", "allow", app.key.public, "sign_event:1", "--for", "1h30m").code == 0
    assert lasts(daemon, app) == {"sign_event:1": 5400}
    assert command("log", "show", "--since", "1h30m").code == 0 and command("log", "show", "--since", "30m1h").code == 2


async def test_what_is_serious_is_refused_for_longer_than_it_may_last(daemon, apps, command):
    app = await apps(App.paired(daemon.pair("low")))
    refused = command("client", "allow", app.key.public, "sign_event:7375", "--for", "25h")
    assert refused.code == 4 and "can be allowed for 1d at most" in refused.err
    (request,) = await asks(app, daemon, 7375)
    refused = command("request", "approve", request["id"], "--for", "2d", "--yes")
    assert refused.code == 2 and "lasts 1 day at most, not 2 days" in refused.err and len(daemon.waiting()) == 1
    assert command("request", "approve", request["id"], "--for", "20h", "--yes").code == 0
    assert lasts(daemon, app) == {"sign_event:7375": 72_000}


async def test_an_answer_below_a_request_takes_any_time(daemon, apps):
    app = await apps(App.paired(daemon.pair("low")))
    terminal = Terminal("request", "watch", "--home", str(daemon.home.path))
    try:
        terminal.wait_for("Nothing waits for you.")
        await asks(app, daemon, 1)
        terminal.wait_for("Type a to approve")
        terminal.type("a 30m\n")
        terminal.wait_for("For 30 minutes")
        assert lasts(daemon, app) == {"sign_event:1": 1800}
    finally:
        terminal.close()


async def test_several_permissions_are_changed_at_once_or_none(daemon, apps, command):
    app = await apps(App.paired(daemon.pair("low", "--name", "bot")))
    done = command("client", "allow", "bot", "sign_event:1", "sign_event:7", "nip44_encrypt", "--for", "2h")
    assert done.code == 0 and done.out.count("“bot” may now do") == 3, done.said
    refused = command("client", "allow", "bot", "sign_event:6", "sign_event:62")
    assert refused.code == 4
    assert set(lasts(daemon, app)) == {"sign_event:1", "sign_event:7", "nip44_encrypt"}
    assert command("client", "forget", "bot", "sign_event:1", "sign_event:6").code == 5 and len(lasts(daemon, app)) == 3
    assert command("client", "forget", "bot", "sign_event:1", "sign_event:7", "nip44_encrypt").code == 0
    assert lasts(daemon, app) == {}


async def test_all_that_waits_is_denied_in_one_command(daemon, apps, command):
    first, second = [await apps(App.paired(daemon.pair("low", "--name", name))) for name in ("one", "two")]
    assert command("request", "deny", "--all", "-y").code == 5, "nothing waits"
    await asks(first, daemon, 1, 5)
    await asks(second, daemon, 7)
    refused = command("request", "deny", "--all")
    assert refused.code == 2 and "3 requests wait" in refused.err and len(daemon.waiting()) == 3
    terminal = Terminal("request", "deny", "--all", "--home", str(daemon.home.path))
    try:
        shown = terminal.wait_for("[y/N]")
        assert "3 requests of 2 apps wait, 1 of them serious (!):" in shown and "Deny all 3?" in shown
        assert all(f"{request['id']}  " in shown for request in daemon.waiting())
        terminal.type("n\n")
        terminal.finish()
    finally:
        terminal.close()
    assert len(daemon.waiting()) == 3
    done = command("request", "deny", "--all", "-y")
    assert done.code == 0 and "Denied: 3 requests." in done.out and daemon.waiting() == []


async def test_new_trust_says_what_still_waits_and_answers_none_of_it(daemon, apps, command):
    app = await apps(App.paired(daemon.pair("low", "--name", "bot")))
    (request,) = await asks(app, daemon, 1)
    said = command("client", "trust", "bot", "medium")
    assert "1 request of it still waits for you: holdfast" in said.out, said.said
    assert [one["id"] for one in daemon.waiting()] == [request["id"]] and len(app.replies) == 1
    command("request", "deny", request["id"])
    assert "still wait" not in command("client", "trust", "bot", "low").out


async def test_a_permission_is_explained_by_its_name(daemon, apps, command):
    await apps(App.paired(daemon.pair("full", "--name", "bot")))
    assert "allow (" in command("policy", "explain", "bot", "sign_event:1").out
    profile = command("policy", "explain", "bot", "sign_event:0").out
    assert "By its content" in profile and "or ask (" in profile, profile
    refused = command("policy", "explain", "bot", "fly")
    assert refused.code == 2 and "A permission is sign_event:KIND" in refused.err
    assert command("policy", "explain", "bot", "sign_event:1", "--log").code == 2
