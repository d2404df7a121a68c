"""An older `vault.db` beside the current log is noticed, and nothing is signed until the owner decides."""

from __future__ import annotations

import random
import shutil

from harness.app import App
from harness.daemon import Home
from reference.events import as_json, is_genuine, template

FAILED, LOCKED, DENIED = 1, 3, 4


def proof(home: Home) -> tuple[str, str]:
    return ("--passphrase-file", str(home.passphrase_file))


def kept(home: Home) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in home.path.glob("vault.db*")}


def put_back(home: Home, files: dict[str, bytes]) -> None:
    for path in home.path.glob("vault.db*"):
        path.unlink()
    for name, content in files.items():
        (home.path / name).write_bytes(content)
        (home.path / name).chmod(0o600)


def check_shut(home: Home) -> str:
    """Checks that the signer does not start, that no command of the owner uses a key, and that `doctor` names the reason."""
    started = home.cli("up", *proof(home), "--listen", "127.0.0.1:0")
    assert started.code == LOCKED, started.said
    signed = home.cli("sign", *proof(home), stdin=as_json(template()))
    assert signed.code == LOCKED and '"sig"' not in signed.out, signed.said
    looked = home.cli("doctor", *proof(home))
    assert looked.code == FAILED
    assert "vault-put-back" in {one["check"] for one in looked.value["findings"] if one["verdict"] == "bad"}
    checked = home.cli("vault", "check", *proof(home))
    assert checked.code == FAILED and checked.value["ok"] is False
    return started.said


async def test_a_revoked_app_does_not_sign_with_an_older_vault(home, apps):
    daemon = home.start()
    app = await apps(App.paired(daemon.pair("full")))
    assert is_genuine(await app.sign(template()))
    client = daemon.clients()[0]["name"]
    assert daemon.stop() == 0
    yesterday = kept(home)
    daemon = home.start()
    daemon.do("client", "revoke", client, "--yes")
    assert [entry["entry"] for entry in daemon.log_entries("--entry", "unpaired")] == ["unpaired"], "the entry is in the log's file"
    daemon.kill()
    today = kept(home)

    put_back(home, yesterday)
    told = check_shut(home)
    assert "older than the log" in told and "apps revoked" in told
    put_back(home, today)
    home.unlocked("resume")
    daemon = home.start()
    assert daemon.clients() == []
    daemon.stop()

    put_back(home, yesterday)
    check_shut(home)
    assert home.cli("vault", "accept", stdin="").code != 0, "a proof is needed"
    accepted = home.unlocked("vault", "accept", "--yes").value
    assert accepted["revoked"] == [client]
    home.unlocked("resume")
    daemon = home.start()
    assert daemon.clients() == []
    assert [entry["entry"] for entry in daemon.log_entries("--entry", "vaultAccepted")] == ["vaultAccepted"]
    daemon.stop()
    assert home.unlocked("log", "verify").value["ok"] is True


async def test_a_panic_is_not_undone_by_an_older_vault(home):
    yesterday = kept(home)
    daemon = home.start()
    daemon.do("panic")
    daemon.kill()
    put_back(home, yesterday)
    (home.path / "suspended").unlink()
    assert "everything shut" in check_shut(home)


def test_an_old_passphrase_does_not_sign_with_an_older_vault(home):
    yesterday = kept(home)
    new = home.folder / "new"
    new.write_text("another passphrase\n")
    new.chmod(0o600)
    home.unlocked("slot", "passphrase", "--new-passphrase-file", str(new))
    put_back(home, yesterday)
    assert "passphrase changed" in check_shut(home)


def test_forgotten_attempts_shut_everything_until_the_owner_resumes(home):
    wrong = home.folder / "wrong"
    wrong.write_text("wrong horse\n")
    wrong.chmod(0o600)
    before = kept(home)
    for _ in range(2):
        assert home.cli("identity", "list", "--passphrase-file", str(wrong)).code == LOCKED
        put_back(home, before)
    daemon = home.start()
    assert daemon.ready["shut"] and any("2 wrong passphrases" in remark for remark in daemon.ready["remarks"])
    assert home.cli("resume", *proof(home)).code == 0
    daemon.stop()
    daemon = home.start()
    assert not daemon.ready["shut"]


def test_wrong_attempts_and_a_doctor_raise_no_alarm(home):
    wrong = home.folder / "wrong"
    wrong.write_text("wrong horse\n")
    wrong.chmod(0o600)
    for _ in range(2):
        assert home.cli("identity", "list", "--passphrase-file", str(wrong)).code == LOCKED
    assert home.cli("doctor", *proof(home)).code == 0
    assert home.cli("log", "verify", *proof(home)).code == 0
    assert is_genuine(home.unlocked("sign", stdin=as_json(template())).value)


async def test_a_signer_killed_at_any_time_starts_again_without_alarm(home, apps):
    """Seed 11."""
    chance = random.Random(11)
    for _ in range(8):
        daemon = home.start()
        app = await apps(App.paired(daemon.pair("full")))
        for number in range(chance.randrange(1, 12)):
            await app.send("sign_event", [as_json(template(kind=10000 + number))])
        if chance.random() < 0.5:
            daemon.do("client", "revoke", daemon.clients()[0]["pubkey"], "--yes")
        daemon.kill()
    assert is_genuine(home.unlocked("sign", stdin=as_json(template())).value)
    assert home.unlocked("vault", "check").value["ok"] is True


def test_a_restored_backup_raises_no_alarm(home):
    file = home.folder / "one.hfb"
    home.unlocked("backup", "create", str(file))
    home.unlocked("identity", "create", "later")
    shutil.rmtree(home.path)
    home.cli("backup", "restore", str(file), *proof(home), check=True)
    assert is_genuine(home.unlocked("sign", stdin=as_json(template())).value)


async def test_a_broken_log_and_a_new_one_make_no_older_vault_right(home, apps):
    daemon = home.start()
    await apps(App.paired(daemon.pair("full")))
    client = daemon.clients()[0]["name"]
    assert daemon.stop() == 0
    yesterday = kept(home)
    daemon = home.start()
    daemon.do("client", "revoke", client, "--yes")
    daemon.stop()
    put_back(home, yesterday)
    log = home.path / "log" / "audit.log"
    log.write_bytes(b"x" + log.read_bytes()[1:])
    refused = home.cli("up", *proof(home), "--listen", "127.0.0.1:0")
    assert refused.code == FAILED and "log renew" in refused.said
    assert home.cli("vault", "accept", *proof(home), "--yes").code == FAILED
    renewed = home.unlocked("log", "renew", "--yes").value
    assert renewed["vouched"] is False and renewed["suspended"] == [client]
    daemon = home.start()
    assert daemon.do("status")["suspended"] is True, "shut until the owner resumes"
    daemon.stop()
    home.unlocked("resume")
    daemon = home.start()
    assert daemon.clients()[0]["suspended"] is True
    assert [entry["rule"] for entry in daemon.log_entries("--entry", "vaultAccepted")] == ["the log could not be read"]
    daemon.stop()


def test_a_whole_home_put_back_is_found_by_a_checkpoint_kept_elsewhere(home):
    checkpoint = home.folder / "elsewhere"
    yesterday = home.copied()
    daemon = home.start(arguments=["--checkpoint", str(checkpoint)])
    assert any("no checkpoint at" in remark for remark in daemon.ready["remarks"])
    daemon.do("identity", "create", "later")
    assert daemon.stop() == 0 and checkpoint.exists()
    daemon = home.start(arguments=["--checkpoint", str(checkpoint)])
    assert not any("checkpoint" in remark for remark in daemon.ready["remarks"])
    looked = home.cli("doctor")
    assert "checkpoint" in {one["check"] for one in looked.value["findings"] if one["verdict"] == "good"}, "the signer names its own"
    daemon.stop()
    shutil.rmtree(home.path)
    shutil.copytree(yesterday.path, home.path)
    yesterday.remove()
    looked = home.cli("doctor", *proof(home), "--checkpoint", str(checkpoint))
    assert "checkpoint" in {one["check"] for one in looked.value["findings"] if one["verdict"] == "bad"}
    refused = home.cli("up", *proof(home), "--listen", "127.0.0.1:0", "--checkpoint", str(checkpoint))
    assert refused.code == LOCKED and "older than the checkpoint" in refused.said
