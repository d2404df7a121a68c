"""`holdfast doctor` finds what is broken, says what to do, and leaves nothing behind."""

from __future__ import annotations

import sqlite3

from harness.daemon import Finished


def findings(done: Finished) -> list[dict]:
    return done.value["findings"]


def bad(done: Finished) -> set[str]:
    return {finding["check"] for finding in findings(done) if finding["verdict"] == "bad"}


def closed(home, *arguments: str) -> Finished:
    return home.cli("doctor", "--passphrase-file", str(home.passphrase_file), *arguments)


def test_a_sound_home_without_a_daemon(home):
    done = closed(home)
    assert (done.code, bad(done)) == (0, set())
    assert sum(finding["check"] == "client" for finding in findings(done)) == 8


def test_a_running_daemon_is_looked_at_without_a_passphrase_and_nothing_is_left(daemon):
    before = (daemon.clients(), len(daemon.log_entries()), daemon.do("status")["links"])
    done = daemon.cli("doctor")
    assert (done.code, bad(done)) == (0, set())
    checks = [finding["check"] for finding in findings(done)]
    assert {"vault", "log", "signer", "embedded-relay"} <= set(checks)
    assert (daemon.clients(), len(daemon.log_entries()), daemon.do("status")["links"]) == before


def test_a_damaged_record_is_named_and_the_others_open(home):
    database = sqlite3.connect(home.path / "vault.db")
    database.execute("UPDATE records SET sealed = zeroblob(length(sealed)) WHERE kind = 1")
    database.commit()
    database.close()
    done = closed(home)
    assert done.code == 1
    found = [finding["found"] for finding in findings(done) if finding["check"] == "vault-record"]
    assert len(found) == 1 and "identity of" in found[0] and "(row " in found[0]


def test_a_record_that_was_taken_out_is_noticed(home):
    database = sqlite3.connect(home.path / "vault.db")
    database.execute("DELETE FROM records WHERE kind = 1")
    database.commit()
    database.close()
    assert "vault-records" in bad(closed(home))


def test_files_open_to_others_are_named(home):
    (home.path / "vault.db").chmod(0o644)
    done = closed(home)
    assert bad(done) == {"file-permissions"}
    assert any("vault.db" in finding["found"] for finding in findings(done))


def test_a_relay_that_refuses_requests_is_told(home, scripted_relay):
    good = closed(home, "--relay", scripted_relay.url)
    assert good.code == 0
    assert any(finding["check"] == "relay" and "carries requests" in finding["found"] for finding in findings(good))
    scripted_relay.refuse_everything = "blocked: kind 24133 is not for here"
    refused = closed(home, "--relay", scripted_relay.url)
    assert bad(refused) == {"relay"}
    assert any("kind 24133 is not for here" in finding["found"] for finding in findings(refused))


def test_a_relay_that_is_away_is_told(home):
    done = closed(home, "--relay", "ws://127.0.0.1:1")
    assert bad(done) == {"relay"}


def test_each_trouble_has_advice(home):
    (home.path / "vault.db").chmod(0o644)
    for finding in findings(closed(home, "--relay", "ws://127.0.0.1:1")):
        assert (finding["advice"] is None) == (finding["verdict"] == "good")


def test_for_people_there_is_a_mark_a_sentence_and_a_sum(home):
    from harness.daemon import run

    done = run("doctor", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    assert done.code == 0
    assert "records of the vault open" in done.out
    assert done.err == ""
