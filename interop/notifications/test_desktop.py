"""Notifications on the owner's desktop: with dunst, with a scripted program, and with a program on the bus that forges button presses."""

from __future__ import annotations

import json
import shutil

import pytest

from harness.app import App
from harness.desktop import Desktop, ScriptedDesktop, forge
from harness.waiting import eventually
from reference.events import as_json, is_genuine, template


@pytest.fixture
def desktop(tmp_path):
    with Desktop(tmp_path) as desktop:
        yield desktop


@pytest.fixture
def signer(start, desktop):
    """A daemon on that desktop."""
    return lambda *arguments: start(env=desktop.environment, arguments=arguments)


async def asks(app: App, kind: int = 1, content: str = "a secret draft") -> str:
    return await app.send("sign_event", [as_json(template(kind=kind, content=content))])


async def low(daemon, apps, **more) -> App:
    return await apps(App.paired(daemon.pair("low"), **more))


async def signed(app: App, id: str) -> bool:
    return is_genuine(json.loads((await app.reply(id)).result))


@pytest.mark.skipif(not shutil.which("dunst") or not shutil.which("Xvfb"), reason="dunst and Xvfb are not installed")
async def test_approve_and_deny_with_a_real_desktop(signer, desktop, apps):
    dunst = desktop.dunst()
    daemon = signer()
    app = await low(daemon, apps)
    id = await asks(app)
    await eventually(lambda: dunst.displayed == 1, "the notification")
    dunst.press("Approve")
    assert await signed(app, id)
    await eventually(lambda: dunst.displayed == 0, "it goes")
    id = await asks(app, content="another")
    await eventually(lambda: dunst.displayed == 1, "the notification")
    dunst.press("Deny")
    assert (await app.reply(id)).error
    await eventually(lambda: dunst.displayed == 0, "it goes")
    assert daemon.waiting() == []
    assert daemon.do("status")["desktop"] == "shown"


@pytest.mark.skipif(not shutil.which("dunst") or not shutil.which("Xvfb"), reason="dunst and Xvfb are not installed")
async def test_answered_elsewhere_it_goes_from_a_real_desktop(signer, desktop, apps):
    dunst = desktop.dunst()
    daemon = signer()
    app = await low(daemon, apps)
    id = await asks(app)
    await eventually(lambda: dunst.displayed == 1, "the notification")
    daemon.do("request", "approve", daemon.waiting()[0]["id"])
    assert await signed(app, id)
    await eventually(lambda: dunst.displayed == 0, "it goes")


async def test_a_notification_is_short_clean_and_not_the_apps_own_text(signer, desktop, apps):
    with ScriptedDesktop(desktop) as shown:
        daemon = signer()
        app = await low(daemon, apps)
        await asks(app, content="<b>a secret draft</b> & more")
        (notice,) = await eventually(lambda: shown.standing, "the notification")
        assert "draft" not in notice.title + notice.body and "<" not in notice.title + notice.body
        assert notice.actions[::2] == ["approve", "deny", "default"] and notice.urgency == 1
        assert "alice" in notice.body


async def test_requests_that_need_review_cannot_be_answered_on_the_desktop(signer, desktop, apps):
    with ScriptedDesktop(desktop) as shown:
        daemon = signer()
        app = await low(daemon, apps)
        await asks(app, kind=3, content="")
        (notice,) = await eventually(lambda: shown.standing, "the notification")
        assert notice.actions[::2] == ["default"]
        shown.press(notice, "approve")
        id = await asks(app)
        await eventually(lambda: len(shown.standing) == 2, "the next one")
        assert len(daemon.waiting()) == 2 and not app.answers(id)


async def test_the_notification_itself_leads_to_the_console(signer, desktop, apps):
    with ScriptedDesktop(desktop) as shown:
        daemon = signer()
        app = await low(daemon, apps)
        await asks(app)
        (notice,) = await eventually(lambda: shown.standing, "the notification")
        shown.press(notice, "default")
        await eventually(lambda: shown.opened == [daemon.ready["console"] + "#/approvals"], "the console is opened")
        assert len(daemon.waiting()) == 1


async def test_many_are_counted_in_one(signer, desktop, apps):
    with ScriptedDesktop(desktop) as shown:
        daemon = signer()
        app = await low(daemon, apps)
        for number in range(6):
            await asks(app, content=f"{number}")
        await eventually(lambda: [one.title for one in shown.standing] == ["6 requests wait for you"], "the summary")
        for request in daemon.waiting()[:4]:
            daemon.do("request", "deny", request["id"])
        await eventually(lambda: len(shown.standing) == 2, "one by one again")
        assert all("approve" in one.actions for one in shown.standing)


async def test_a_paused_app_is_not_notified(signer, desktop, apps):
    with ScriptedDesktop(desktop) as shown:
        daemon = signer()
        app = await low(daemon, apps)
        daemon.do("client", "suspend", daemon.clients()[0]["signer"])
        await asks(app)
        await eventually(lambda: daemon.waiting(), "it waits")
        await asks(await low(daemon, apps), kind=3, content="")
        (notice,) = await eventually(lambda: shown.standing, "the other app's notification")
        assert notice.actions[::2] == ["default"] and len(daemon.waiting()) == 2


async def test_shown_only_or_not_at_all(signer, desktop, apps):
    with ScriptedDesktop(desktop) as shown:
        daemon = signer("--desktop", "show")
        app = await low(daemon, apps)
        await asks(app)
        (notice,) = await eventually(lambda: shown.standing, "the notification")
        assert notice.actions[::2] == ["default"]
        daemon.stop()
        assert shown.standing == [], "it goes with the signer"
        daemon = signer("--desktop", "off", "--no-dbus")
        assert daemon.do("status")["desktop"] == "off"
        assert len(daemon.waiting()) == 1 and desktop.names_of(daemon.pid) == []


async def test_a_forged_press_is_nothing(signer, desktop, apps):
    """Another program on the bus sends presses, to everybody and straight to the signer."""
    with ScriptedDesktop(desktop) as shown:
        daemon = signer()
        app = await low(daemon, apps)
        id = await asks(app)
        (notice,) = await eventually(lambda: shown.standing, "the notification")
        names = desktop.names_of(daemon.pid)
        assert len(names) == 2, "one for the notices, one for the service"
        forge(desktop, names, range(0, 50), "approve")
        assert not app.answers(id) and len(daemon.waiting()) == 1
        shown.press(notice, "deny")
        assert (await app.reply(id)).error, "the real one, which came last, is the one that counts"


async def test_a_desktop_that_goes_and_another_that_comes(signer, desktop, apps):
    daemon = signer()
    app = await low(daemon, apps)
    id = await asks(app)
    await eventually(lambda: daemon.do("status")["desktop"] == "no desktop shows notifications", "it is said")
    with ScriptedDesktop(desktop) as first:
        (old,) = await eventually(lambda: first.standing, "it is shown once there is a desktop")
    with ScriptedDesktop(desktop, first=100) as second:
        (new,) = await eventually(lambda: second.standing, "the next one shows it, too")
        assert new.number == 100
        second.press(old, "approve")
        second.press(new, "approve")
        assert await signed(app, id)


async def test_without_a_bus_all_else_works(start, apps, tmp_path):
    daemon = start(env={"DBUS_SESSION_BUS_ADDRESS": f"unix:path={tmp_path}/none", "XDG_RUNTIME_DIR": str(tmp_path)})
    app = await low(daemon, apps)
    id = await asks(app)
    await eventually(lambda: daemon.do("status")["desktop"] == "there is no session bus", "it is said")
    daemon.do("request", "approve", daemon.waiting()[0]["id"])
    assert await signed(app, id)
    assert daemon.stop() == 0
