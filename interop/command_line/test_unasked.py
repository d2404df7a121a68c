"""Nothing of weight changes unasked or unsaid: trust, lasting rules, what is named and is not there."""

from __future__ import annotations

import json
import re

import pytest

from harness.app import App
from harness.daemon import run
from harness.waiting import eventually, until
from reference.events import as_json, template
from reference.keys import Key
from reference.links import nostrconnect

NOT_FOUND, USAGE = 5, 2


def paired(daemon, trust: str = "low", name: str = "Rusty") -> tuple[str, str]:
    """An app with that trust: its link and its public key."""
    app = Key()
    link = nostrconnect(app.public, [daemon.relay], "s3cret", name=name)
    daemon.do("pair", link, "--trust", trust)
    return link, app.public


def test_an_app_that_pairs_again_keeps_its_trust_and_the_owners_name(daemon, home):
    link, app = paired(daemon)
    daemon.do("client", "rename", app[:8], "My phone")
    again = daemon.do("pair", link)
    assert (again["trust"], again["trust_before"]) == ("low", "low")
    (client,) = daemon.clients()
    assert (client["trust"], client["name"]) == ("low", "My phone")
    said = run("pair", link, "--trust", "medium", "--home", str(home.path)).out
    assert "Its trust was low and is medium now." in said
    assert daemon.do("pair", nostrconnect(Key().public, [daemon.relay], "other"))["trust_before"] is None


def test_an_app_that_was_revoked_is_not_paired_again_without_a_word(daemon, home, at_terminal):
    link, app = paired(daemon)
    daemon.do("client", "revoke", app, "--yes")
    terminal = at_terminal("pair", link)
    asked = " ".join(terminal.wait_for("[y/N]").split())
    assert re.search(r"You revoked this app on \d{4}-\d\d-\d\d\. Pair it again\? \[y/N\]", asked), asked
    terminal.type("n\n")
    terminal.finish()
    assert daemon.clients() == []
    assert "You revoked it on" in run("pair", link, "--home", str(home.path)).out
    assert daemon.do("pair", nostrconnect(Key().public, [daemon.relay], "other"))["revoked_at"] is None


def test_what_is_serious_is_asked_about_at_a_terminal(daemon, at_terminal):
    _, app = paired(daemon)
    for words, question in (
        (("client", "allow", app[:8], "sign_event:0"), "This is serious"),
        (("client", "trust", app[:8], "full"), "With full trust"),
    ):
        terminal = at_terminal(*words)
        assert question in terminal.wait_for("[y/N]")
        terminal.type("n\n")
        assert "Nothing was done." in terminal.finish()
        assert at_terminal(*words, "--yes").finish().count("[y/N]") == 0
    for words in (("client", "allow", app[:8], "sign_event:1"), ("client", "trust", app[:8], "medium")):
        assert at_terminal(*words).finish().count("[y/N]") == 0


async def test_a_lasting_answer_names_its_rule_to_scripts(daemon, apps):
    app = await apps(App.paired(daemon.pair("low")))
    await app.send("sign_event", [as_json(template(kind=1))])
    (waiting,) = await eventually(daemon.waiting, "a request")
    answered = daemon.do("request", "approve", waiting["id"], "--for", "1h")
    assert answered["rules"] == ["allow=sign_event:1"]
    await app.send("sign_event", [as_json(template(kind=7))])
    (waiting,) = await eventually(daemon.waiting, "a request")
    assert "rules" not in daemon.do("request", "deny", waiting["id"])


def test_what_is_removed_is_looked_for_before_yes_is_wanted(daemon, home):
    for words in (("slot", "remove", "9"), ("recovery", "remove", "zz")):
        assert run(*words, "--home", str(home.path)).code == NOT_FOUND, words


def test_hints_for_scripts_name_the_home(daemon, home):
    done = run("client", "show", "nobody", "--json", "--home", str(home.path))
    assert f"holdfast --home {home.path} client list" in json.loads(done.out)["hint"]


def test_json_alone_is_answered_in_json(home):
    done = run("--json", "--home", str(home.path))
    assert done.code == USAGE and json.loads(done.out)["error"] == "No command was given."


def test_a_relative_home_is_shown_whole(home):
    for relative in ("home", "./home"):
        said = run("status", "--home", relative, folder=home.folder).said
        assert str(home.path) in said, said


def test_a_start_that_fails_does_not_say_that_it_stopped(home):
    done = run(
        "up", "--identity", "nobody", "--listen", "127.0.0.1:0", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file)
    )
    assert done.code != 0 and "stopped" not in done.said.lower(), done.said


def test_a_wrong_passphrase_of_a_backup_is_asked_for_again_as_the_backups(daemon, home, at_terminal, tmp_path):
    backup = tmp_path / "keys.hfb"
    daemon.do("backup", "create", str(backup), "--passphrase-file", str(home.passphrase_file))
    terminal = at_terminal("backup", "verify", str(backup))
    terminal.wait_for("Passphrase for the backup")
    terminal.type("wrong\n")
    terminal.wait_for("Passphrase for the backup")
    terminal.type(home.passphrase_file.read_text().strip() + "\n")
    shown = terminal.finish()
    assert terminal.code == 0 and "Passphrase for the vault" not in shown, shown


async def test_what_cannot_be_undone_is_asked_about_before_it_is_approved(daemon, apps, at_terminal):
    app = await apps(App.paired(daemon.pair("medium")))
    id = await app.send("sign_event", [as_json(template(kind=62, tags=[["relay", "ALL_RELAYS"]]))])
    (waiting,) = await eventually(daemon.waiting, "a request")
    listed = run("request", "list", "--home", str(daemon.home.path)).out
    assert f"{waiting['id']}  ! " in listed and "! is serious" in listed
    terminal = at_terminal("request", "approve", waiting["id"])
    assert "This request is serious:" in terminal.wait_for("[y/N]")
    terminal.type("n\n")
    terminal.finish()
    assert daemon.waiting() and not app.answers(id)
    assert at_terminal("request", "approve", waiting["id"], "--yes").finish().count("[y/N]") == 0
    assert (await app.reply(id)).result


async def test_a_usual_request_is_approved_without_a_question(daemon, apps, at_terminal):
    app = await apps(App.paired(daemon.pair("low")))
    id = await app.send("sign_event", [as_json(template(kind=1))])
    (waiting,) = await eventually(daemon.waiting, "a request")
    assert "! " not in run("request", "list", "--home", str(daemon.home.path)).out
    assert "[y/N]" not in at_terminal("request", "approve", waiting["id"]).finish()
    assert (await app.reply(id)).result


async def test_what_is_allowed_for_good_is_asked_about_once_at_a_terminal(daemon, apps, at_terminal):
    app = await apps(App.paired(daemon.pair("low")))
    id = await app.send("sign_event", [as_json(template(kind=1, content="for good"))])
    (waiting,) = await eventually(daemon.waiting, "a request")
    terminal = at_terminal("request", "approve", waiting["id"], "--for", "always")
    asked = " ".join(terminal.wait_for("[y/N]").split())
    assert "for good" in asked and "From now on" in asked and "without asking. Approve it?" in asked
    terminal.type("n\n")
    terminal.finish()
    assert daemon.waiting() and daemon.do("client", "show", app.key.public)["rules"] == []
    terminal = at_terminal("request", "approve", waiting["id"], "--for", "always")
    terminal.wait_for("[y/N]")
    terminal.type("y\n")
    said = " ".join(terminal.finish().split())
    assert "From now on" not in said and "To see its rules or end one" in said and "[y/N]" not in said, "it is not said twice"
    assert (await app.reply(id)).result


@pytest.mark.parametrize("verb", ["approve", "deny"])
async def test_one_question_about_an_app_names_what_is_serious_and_the_rule(verb, daemon, apps, at_terminal):
    app = await apps(App.paired(daemon.pair("low")))
    id = await app.send("sign_event", [as_json(template(kind=5, content="gone", tags=[["e", "ab" * 32]]))])
    await eventually(daemon.waiting, "a request")
    terminal = at_terminal("request", verb, "--app", app.key.public, "--for", "always")
    asked = " ".join(terminal.wait_for("[y/N]").split())
    assert "From now on" in asked and "This request is serious:" in asked and ("cannot restore" in asked) == (verb == "approve"), asked
    terminal.type("y\n")
    said = " ".join(terminal.finish().split())
    assert terminal.code == 0 and "[y/N]" not in said and "From now on" not in said, said
    assert bool((await app.reply(id)).result) == (verb == "approve")


def test_a_new_default_identity_is_said(daemon, home):
    home.cli("identity", "create", "bob", check=True)
    said = run("identity", "delete", "alice", "--yes", "--passphrase-file", str(home.passphrase_file), "--home", str(home.path)).out
    assert "“bob” is the default identity now" in said


def test_the_beginning_of_a_name_revokes_only_where_somebody_is_asked(daemon, at_terminal):
    _, app = paired(daemon)
    refused = daemon.cli("client", "revoke", "rus")
    assert refused.code == NOT_FOUND and "“Rusty”" in refused.said and len(daemon.clients()) == 1
    assert daemon.cli("client", "revoke", "rus", "--yes").code == NOT_FOUND and len(daemon.clients()) == 1
    assert daemon.do("client", "show", "rus")["pubkey"] == app
    terminal = at_terminal("client", "revoke", "rus")
    shown = " ".join(terminal.wait_for("[y/N]").split())
    assert "This ends the pairing with “Rusty” (" in shown and "for good. To pause the app instead: holdfast client suspend" in shown
    terminal.type("y\n")
    assert "The pairing with “Rusty” has ended." in terminal.finish()
    assert daemon.clients() == []


@pytest.mark.parametrize("more", [("trust", "full"), ("allow", "sign_event:3")], ids=["trust", "allow"])
def test_a_permission_goes_to_the_app_that_the_question_named(daemon, at_terminal, more):
    _, shown = paired(daemon)
    _, other = paired(daemon, name="Other")
    verb, what = more
    terminal = at_terminal("client", verb, "rusty", what)
    assert shown[:16] in "".join(terminal.wait_for("[y/N]").split())
    daemon.do("client", "rename", shown, "Former")
    daemon.do("client", "rename", other, "Rusty")
    terminal.type("y\n")
    terminal.finish()
    assert terminal.code == 0
    before = [client for client in daemon.clients() if client["pubkey"] == other][0]
    assert before["trust"] == "low" and not daemon.do("client", "show", other)["rules"]
    after = daemon.do("client", "show", shown)
    assert after["trust"] == "full" or after["rules"]


def test_an_app_that_is_not_named_in_full_is_asked_about(daemon, at_terminal):
    _, app = paired(daemon)
    terminal = at_terminal("client", "allow", "rus", "sign_event:6")
    assert "“Rusty”" in terminal.wait_for("[y/N]")
    terminal.type("n\n")
    terminal.finish()
    assert not daemon.do("client", "show", app)["rules"]
    assert "[y/N]" not in at_terminal("client", "allow", "rusty", "sign_event:6").finish()
    assert daemon.do("client", "show", app)["rules"]


def test_an_app_cannot_be_called_like_one_without_a_name(daemon):
    _, app = paired(daemon)
    assert daemon.cli("client", "rename", app[:8], "Unnamed app · 12345678").code == USAGE


def test_incidents_are_shown_until_they_are_noted(daemon, home):
    wrong = home.folder / "wrong"
    wrong.write_text("wrong\n")
    wrong.chmod(0o600)
    home.cli("lock", check=True)
    for _ in range(5):
        home.cli("unlock", "--passphrase-file", str(wrong))
    until(lambda: home.cli("unlock", "--passphrase-file", str(home.passphrase_file)).code == 0, "an unlock after the wait")
    count = daemon.do("status")["new_incidents"]
    assert count and f"{count} incident" in run("status", "--home", str(home.path)).out
    assert len(daemon.do("log", "incidents")["entries"]) >= count
    daemon.do("log", "incidents", "--checked")
    assert "incident" not in run("status", "--home", str(home.path)).out


def test_the_owners_own_lockdown_is_listed_and_warned_of_nowhere(daemon, home):
    daemon.do("panic")
    assert home.cli("resume", "--passphrase-file", str(home.passphrase_file)).code == 0
    assert daemon.do("status")["new_incidents"] == 0
    assert "incident" not in run("status", "--home", str(home.path)).out
    assert "You locked everything down" in run("log", "incidents", "--home", str(home.path)).out


def test_without_a_signer_a_program_that_lists_requests_is_told_so_and_nobody_is_asked(home, at_terminal):
    done = home.cli("request", "list")
    assert done.code == 1 and done.value["error"].startswith("No signer runs on this home, so nothing can be answered.")
    assert "holdfast --home" in done.value["hint"] and "--open" in done.value["hint"]
    assert "assphrase" not in at_terminal("request", "list", "--json").finish()
    assert home.unlocked("request", "list").value["requests"] == []
