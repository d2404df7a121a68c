"""One damaged record of `vault.db`: what the words say is done, letter by letter, until apps are served again."""

from __future__ import annotations

import re
import shlex
import sqlite3

import pytest

from harness.app import App
from harness.daemon import Home, run
from harness.disk import FULL, KILL, Disk
from reference.events import is_genuine, template

FAILED = 1
SETTING, PAIRING, IDENTITY_KEY, SUMMARY, LOG_KEY = 9, 4, 2, 0, 11


def proof(home: Home) -> tuple[str, str]:
    return ("--passphrase-file", str(home.passphrase_file))


def damage(home: Home, kind: int) -> None:
    """Turns one bit of each sealed item key of a kind."""
    database = sqlite3.connect(home.path / "vault.db")
    for name, wrapped in database.execute("SELECT name, wrapped FROM records WHERE kind = ?", (kind,)).fetchall():
        turned = bytes([*wrapped[:-1], wrapped[-1] ^ 1])
        database.execute("UPDATE records SET wrapped = ? WHERE kind = ? AND name = ?", (turned, kind, name))
    database.commit()
    database.close()


def told(text: str) -> list[list[str]]:
    """The commands that a text names."""
    found = re.findall(r"holdfast (?:--home \S+ )?((?:vault|resume)[a-z -]*?)(?=[.;,)\n]|$| that)", text)
    return [shlex.split(command.strip()) for command in found]


@pytest.mark.parametrize("kind", [SETTING, PAIRING, IDENTITY_KEY, SUMMARY, LOG_KEY])
async def test_what_the_words_say_is_done(home, apps, kind):
    daemon = home.start()
    app = await apps(App.paired(daemon.pair("full")))
    assert is_genuine(await app.sign(template()))
    client = daemon.clients()[0]["name"]
    assert daemon.stop() == 0
    damage(home, kind)

    # The commands look, and say so.
    for command in (("identity", "list"), ("client", "list"), ("identity", "receipt", "alice")):
        looked = home.cli(*command, *proof(home))
        assert looked.code == 0 and "vault_damaged" in looked.value, looked.said
    backup = home.folder / "saved.holdfast"
    saved = home.cli("backup", "create", str(backup), *proof(home))
    assert saved.code == 0 and backup.exists() and "vault_damaged" in saved.value, saved.said

    # Nothing is signed, and the words say what to do.
    refused = run("sign", "--home", str(home.path), *proof(home), stdin='{"kind":1,"content":"x"}')
    assert refused.code == FAILED and '"sig"' not in refused.out
    plan, repair = told(refused.err)[:2]
    assert plan == ["vault", "repair", "--plan"] and repair == ["vault", "repair"], refused.err
    planned = run(*plan, "--home", str(home.path), *proof(home))
    assert planned.code in (0, FAILED) and told(planned.out)[-1] == repair, planned.said
    unasked = home.cli(*repair, *proof(home))
    assert unasked.code == 2 and "--yes" in unasked.said
    done = run(*repair, "--yes", "--home", str(home.path), *proof(home))
    assert [path for path in home.path.iterdir() if "damaged-" in path.name], done.said
    resume = told(done.out)[-1]
    assert resume == ["resume"], done.out
    assert run(*resume, "--home", str(home.path), *proof(home)).code == 0
    assert home.cli("doctor", *proof(home)).code == 0

    daemon = home.start()
    try:
        assert [entry["rule"][:7] for entry in daemon.log_entries("--entry", "vaultAccepted")] == ["without"]
        names = [one["name"] for one in daemon.clients()]
        assert names == ([] if kind == PAIRING else [client])
        assert is_genuine(daemon.do("sign", stdin='{"kind":1,"content":"x"}'))
        again = await apps(App.paired(daemon.pair("full")))
        assert is_genuine(await again.sign(template()))
    finally:
        daemon.stop()


async def test_a_signer_starts_shut_on_a_damaged_vault_and_says_so(home, apps):
    daemon = home.start()
    daemon.pair("full")
    assert daemon.stop() == 0
    damage(home, SETTING)
    before = (home.path / "vault.db").read_bytes()
    daemon = home.start()
    try:
        assert daemon.ready["shut"] is True and any("vault repair" in one or "damaged" in one for one in daemon.ready["remarks"])
        status = daemon.do("status")
        assert "vault-damaged" in [problem["name"] for problem in status["problems"]]
        assert home.cli("unlock", *proof(home)).code == 0
        assert home.cli("resume", *proof(home)).code == FAILED
        assert [one["name"] for one in home.cli("identity", "list").value["identities"]] == ["alice"]
        looked = home.cli("doctor")
        assert "vault-record" in {one["check"] for one in looked.value["findings"] if one["verdict"] == "bad"}
        running = home.cli("vault", "repair", "--yes", *proof(home))
        assert running.code == FAILED and "Stop" in running.said
    finally:
        assert daemon.stop() == 0
    assert len((home.path / "vault.db").read_bytes()) == len(before)
    assert {path.name for path in home.path.glob("vault.db*")} == {"vault.db"}
    assert home.cli("vault", "repair", "--yes", *proof(home)).value["ok"] is True
    home.unlocked("resume")
    home.start().stop()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("what", [KILL, FULL])
def test_a_repair_that_is_cut_off_leaves_the_damaged_vault_or_the_repaired_one(closed_home, tmp_path, what):
    disk = Disk(tmp_path)
    seen = set()
    for at in range(1, 300):
        home = closed_home.copied()
        damage(home, SETTING)
        rows = len(everything(home))
        disk.plan(what, at)
        done = home.cli("vault", "repair", "--yes", *proof(home), env=disk.environment)
        was_hit = disk.calls >= at
        is_done = "vault_damaged" not in home.unlocked("identity", "list").value
        seen.add(is_done)
        assert is_done or done.code != 0, "it was promised"
        if not is_done:
            assert len(everything(home)) == rows, "the damaged vault has all it had"
            home.unlocked("vault", "repair", "--yes")
        assert list(home.path.glob("vault.db.damaged-*"))
        home.unlocked("resume")
        assert is_genuine(home.unlocked("sign", stdin='{"kind":1,"content":"x"}').value)
        assert home.unlocked("log", "verify").value["ok"] is True
        assert not list(home.path.glob("vault.db.salvaged*"))
        home.remove()
        if not was_hit or done.code == 0:
            break
    assert seen == {True, False} and at < 299


def everything(home: Home) -> list:
    database = sqlite3.connect(home.path / "vault.db")
    try:
        return database.execute("SELECT kind, name FROM records").fetchall()
    finally:
        database.close()
