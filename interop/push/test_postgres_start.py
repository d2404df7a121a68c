"""How `holdfast-push` starts with a PostgreSQL database: tables, passwords, TLS, and what is said when it cannot."""

from __future__ import annotations

import json
import re
import subprocess
import threading
from pathlib import Path

import pytest

from harness.daemon import binary, environment
from harness.postgres import PASSWORD, program
from harness.push_proxy import DEVICE, Proxy, registered, request_to, until
from harness.push_service import Authority
from reference.keys import Key


def test_two_that_start_at_once_make_the_tables_once(shared, postgres):
    started: list[Proxy] = []
    threads = [threading.Thread(target=lambda: started.append(Proxy(*shared))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    try:
        assert len({proxy.ready["application_server_key"] for proxy in started}) == 1
        assert len(started) == 4
        until(lambda: postgres.ask("SELECT count(*) FROM holdfast_push.proxies") == [["4"]], "all four live")
    finally:
        for proxy in started:
            proxy.stop()
    assert postgres.ask("SELECT count(*) FROM holdfast_push.proxies") == [["0"]]


def refused(*arguments: str, **more: str) -> str:
    """What a proxy says that does not start."""
    done = subprocess.run(
        [Path(binary()).with_name("holdfast-push"), *arguments],
        capture_output=True,
        text=True,
        env=environment(**more),
        timeout=30,
    )
    assert done.returncode != 0
    said = re.sub(r"\s+", " ", done.stdout + done.stderr)
    assert PASSWORD not in said and "canary" not in said
    return said


def without_database(arguments: list[str]) -> list[str]:
    return arguments[: arguments.index("--database")]


def moved(*arguments: str) -> dict:
    """What a copy says that it did."""
    done = subprocess.run(
        [Path(binary()).with_name("holdfast-push"), *arguments, "--json"], capture_output=True, text=True, env=environment(), timeout=30
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_registrations_move_to_a_database_and_back(proxies, parts, shared, scripted_relay, apple, postgres, tmp_path):
    old, new = str(tmp_path / "old"), str(tmp_path / "new")
    url = ["--database", postgres.url()]
    first = proxies(*parts, "--data", old)
    signer, app = registered(first, scripted_relay), Key()
    first.do("/pair-client", signer, {"client_pubkey": app.public, "relay_urls": ["wss://relay.example"]})
    first.do("/register", Key(), {"token": "https://push.example/abc"})
    event = request_to(signer)
    scripted_relay.deliver([event])
    apple.pushes(1)
    key = first.ready["application_server_key"]
    assert "process" in refused("move-to-database", "--data", old, *url), "the proxy has to end first"
    first.stop()
    counts = {"ok": True, "devices": 2, "keys": 2, "clients": 1}
    assert moved("move-to-database", "--data", old, *url) == counts
    assert "There are registrations already" in refused("move-to-database", "--data", old, *url)
    second = proxies(*shared)
    until(lambda: scripted_relay.listens_for(signer.public), "the proxy with the database looks for requests")
    assert second.ready["application_server_key"] == key
    later = request_to(signer)
    scripted_relay.deliver([event, later])
    assert [push["payload"]["event_id"] for push in apple.pushes(2)] == [event["id"], later["id"]]
    assert "Push proxies use the database." in refused("move-to-folder", "--data", new, *url)
    second.stop()
    assert moved("move-to-folder", "--data", new, *url) == counts
    third = proxies(*parts, "--data", new)
    assert third.ready["application_server_key"] == key
    until(lambda: scripted_relay.listens_for(signer.public), "the proxy with the copy looks for requests")
    assert "needs a folder and a database" in refused("move-to-folder", *url)


def test_a_copy_is_not_made_while_a_proxy_begins(proxies, shared, postgres, tmp_path):
    one = proxies(*shared)
    one.do("/register", Key(), {"token": DEVICE})
    one.stop()
    words = [Path(binary()).with_name("holdfast-push"), "move-to-folder", "--data", str(tmp_path / "copy"), "--database", postgres.url()]
    waits = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'holdfast-push' AND wait_event_type = 'Lock'"
    with postgres.held("LOCK TABLE holdfast_push.secrets IN ACCESS EXCLUSIVE MODE"):
        copy = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until(lambda: postgres.ask(waits) == [["1"]], "the copy waits for the last table")
        postgres.ask("INSERT INTO holdfast_push.proxies (id) VALUES (7)")
    said = " ".join(copy.communicate(timeout=30)[1].split())
    assert copy.returncode != 0
    assert "Push proxies use the database." in said


def test_tls_is_as_strict_as_the_address_says(proxies, parts, postgres, tmp_path):
    def authority(name: str) -> Authority:
        (tmp_path / name).mkdir()
        return Authority(tmp_path / name)

    def strict(trusted: Authority) -> list[str]:
        url = postgres.url().replace("127.0.0.1", "localhost") + f"?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={trusted.file}"
        return [*parts, "--database", url]

    own = authority("own")
    assert "There is no TLS to the database" in refused(*strict(own))
    own.context("localhost")
    postgres.use_tls(tmp_path / "own" / "localhost.pem")
    assert "There is no TLS to the database" in refused(*strict(authority("other")))
    proxies(*strict(own))
    of_proxies = "JOIN pg_stat_activity USING (pid) WHERE application_name = 'holdfast-push'"
    assert postgres.ask(f"SELECT bool_and(ssl) FROM pg_stat_ssl {of_proxies}") == [["t"]]


def test_tables_of_a_later_version_are_left_alone(proxies, shared, postgres):
    proxies(*shared).stop()
    postgres.ask("UPDATE holdfast_push.format SET version = 99")
    assert "The tables of the database have format 99, which a later version of the push proxy made." in refused(*shared)
    assert postgres.ask("SELECT version FROM holdfast_push.format") == [["99"]]


@pytest.mark.parametrize("made", ["CREATE TABLE holdfast_push.format (version BIGINT, revision BIGINT)", "SELECT 1"])
def test_a_schema_that_another_user_made_is_not_used(shared, postgres, made):
    postgres.ask("CREATE ROLE guest LOGIN")
    postgres.ask("CREATE SCHEMA holdfast_push AUTHORIZATION guest")
    postgres.ask(f"SET ROLE guest; {made}")
    assert "was made or changed by another user" in refused(*shared)


def test_tables_that_run_functions_are_not_used(proxies, shared, postgres):
    proxies(*shared).stop()
    body = "BEGIN RETURN NEW; END"
    postgres.ask(f"CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS $${body}$$")
    postgres.ask("CREATE TRIGGER spy BEFORE INSERT ON holdfast_push.proxies FOR EACH ROW EXECUTE FUNCTION spy()")
    assert "was made or changed by another user" in refused(*shared)
    postgres.ask("DROP TRIGGER spy ON holdfast_push.proxies")
    postgres.ask("VACUUM holdfast_push.proxies")  # only then the table counts as one without triggers
    proxies(*shared)


def test_a_key_of_the_proxies_that_is_none_is_explained(proxies, shared, postgres):
    proxies(*shared).stop()
    postgres.ask("UPDATE holdfast_push.secrets SET secret = 'canary' WHERE name = 'web-push'")
    said = refused(*shared)
    assert "A key in the table holdfast_push.secrets is damaged." in said
    assert "push.sqlite" not in said


def test_a_user_who_may_only_use_the_tables_is_enough(proxies, parts, shared, scripted_relay, apple, postgres):
    """Not their owner, and no superuser, as the role of the other tests is."""
    proxies(*shared).stop()
    postgres.ask(
        "CREATE ROLE least LOGIN PASSWORD 'least'; REVOKE ALL ON DATABASE push FROM PUBLIC; GRANT CONNECT ON DATABASE push TO least"
    )
    postgres.ask("GRANT USAGE ON SCHEMA holdfast_push TO least")
    postgres.ask("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA holdfast_push TO least")
    one = proxies(*parts, "--database", f"postgres://least:least@127.0.0.1:{postgres.port}/push")
    signer = registered(one, scripted_relay)
    one.do("/pair-client", signer, {"client_pubkey": Key().public, "relay_urls": ["wss://relay.example"]})
    event = request_to(signer)
    scripted_relay.deliver([event])
    assert apple.pushes(1)[0]["payload"]["event_id"] == event["id"]
    one.do("/unregister", signer, {"token": DEVICE})
    assert one.stop() == (0, "")


def test_rights_that_are_missing_are_named(proxies, parts, shared, postgres):
    proxies(*shared).stop()
    postgres.ask("CREATE ROLE least LOGIN PASSWORD 'canary'")
    url = f"postgres://least:canary@127.0.0.1:{postgres.port}/push"
    for granted in ("", "GRANT USAGE ON SCHEMA holdfast_push TO least"):
        if granted:
            postgres.ask(granted)
        said = refused(*parts, "--database", url)
        assert "GRANT USAGE ON SCHEMA holdfast_push TO user;" in said, said
        assert "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA holdfast_push TO user" in said


def test_a_database_that_cannot_be_used_is_explained(shared, postgres):
    parts = without_database(shared)
    local = f"@127.0.0.1:{postgres.port}"

    def said(url: str) -> str:
        return refused(*parts, "--database", url)

    assert "refuses the password" in said(postgres.url(password="canary"))
    assert "Make it, for example: createdb" in said(postgres.url("absent"))
    assert "asks for a password, and there is none" in said(f"postgres://push{local}/push")
    assert "does not answer" in said("postgres://push:canary@127.0.0.1:9/push")
    assert "The value of sslmode in --database is wrong." in said(f"{postgres.url()}?sslmode=canary")
    assert "The value of sslmode in --database is wrong." in said(f"{postgres.url()}?sslmode=")
    assert "no address that libpq can read" in said(f"postgres://push:%zzcanary{local}/push")
    assert "--database takes an address that begins with postgres://" in said("host=canary")
    postgres.ask("CREATE ROLE guest LOGIN PASSWORD 'canary'")
    assert "may not make or use the tables" in said(f"postgres://guest:canary{local}/push")
    assert "could not be read" in refused(*shared, "--database-password-file", "/nowhere/canary".replace("canary", "file"))


def test_the_password_comes_from_a_file_and_is_read_again(proxies, shared, tmp_path, postgres):
    parts = without_database(shared)
    url = f"postgres://push@127.0.0.1:{postgres.port}/push"
    file = tmp_path / "password"
    file.write_text(PASSWORD + "\n")
    proxy = proxies(*parts, "--database-password-file", str(file), HOLDFAST_PUSH_DATABASE=url)
    assert proxy.ready["database"] == f"127.0.0.1:{postgres.port}/push"
    postgres.ask("ALTER ROLE push PASSWORD 'another'")
    file.write_text("another")
    postgres.stop()
    postgres.start()
    until(lambda: proxy.ask("/register", Key(), {"token": DEVICE})[0] == 200, "the proxy logs in with the new password")


def test_the_password_comes_from_pgpassfile(proxies, shared, tmp_path, postgres):
    parts = without_database(shared)
    file = tmp_path / "pgpass"
    file.write_text(f"127.0.0.1:{postgres.port}:push:push:{PASSWORD}\n")
    file.chmod(0o600)
    url = f"postgresql://push@127.0.0.1:{postgres.port}/push"
    proxy = proxies(*parts, "--database", url, PGPASSFILE=str(file))
    code, said = proxy.stop()
    assert (code, said) == (0, "")


def test_postgresql_is_not_needed_without_a_database():
    """libpq is loaded when a database is named."""
    proxy = Path(binary()).with_name("holdfast-push")
    needed = subprocess.run(["ldd", proxy], capture_output=True, text=True, check=True).stdout
    assert "libpq" not in needed
    assert program("initdb")
