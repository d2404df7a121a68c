"""Backups: made, checked and restored by the real program, to folders, a WebDAV server and an S3-compatible store."""

from __future__ import annotations

import http.server
import json
import os
import pty
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from harness.app import App
from harness.daemon import CHEAPEST_COST, Home, binary, environment, run
from harness.stores import BUCKET, KEY_ID, PASSWORD, S3, SECRET, USER, WebDAV
from harness.waiting import until
from reference.events import as_json, template

DONE, FAILED, USAGE, LOCKED = range(4)


@pytest.fixture
def webdav(tmp_path):
    server = WebDAV(tmp_path / "dav")
    yield server
    server.stop()


@pytest.fixture
def s3(tmp_path):
    store = S3(tmp_path / "s3")
    yield store
    store.stop()


@pytest.fixture
def new_home():
    home = Home()
    yield home
    home.remove()


def credentials(folder: Path, *lines: str) -> str:
    path = folder / "credentials"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def restored(file: Path, home: Home, *more: str):
    return home.cli("backup", "restore", str(file), "--passphrase-file", str(home.passphrase_file), *more)


def backup(home: Home, name: str = "one.hfb", **more) -> Path:
    file = home.folder / name
    home.cli("backup", "create", str(file), check=True, **more)
    return file


# Restoring on another machine


async def test_a_lost_machine_comes_back_with_its_keys_and_asks_about_every_app(daemon, new_home, apps):
    app = await apps(App.paired(daemon.pair("full")))
    assert await app.result("sign_event", as_json(template(content="before")))
    file = backup(daemon.home)
    daemon.kill()
    shutil.rmtree(daemon.home.path)

    result = restored(file, new_home).value
    assert len(result["suspended"]) == 1 and result["restored"] is True
    again = new_home.start()
    try:
        assert again.user == daemon.user
        clients = new_home.cli("client", "list").value["clients"]
        assert new_home.cli("client", "show", clients[0]["name"]).value["suspended"] is True
        assert new_home.cli("log", "verify").code == DONE
    finally:
        again.kill()


def test_verify_says_what_is_in_it_and_needs_no_vault(home, new_home):
    file = home.folder / "one.hfb"
    home.unlocked("backup", "create", str(file))
    found = new_home.cli("backup", "verify", str(file), "--passphrase-file", str(home.passphrase_file)).value
    assert [identity["name"] for identity in found["identities"]] == ["alice"] and found["sound"] is True
    assert not new_home.path.exists()
    wrong = new_home.folder / "wrong"
    wrong.write_text("not this one\n")
    assert new_home.cli("backup", "verify", str(file), "--passphrase-file", str(wrong)).code == LOCKED


def test_a_damaged_backup_is_refused_and_leaves_no_home(home, new_home):
    file = home.folder / "one.hfb"
    home.unlocked("backup", "create", str(file))
    whole = file.read_bytes()
    for bytes_, word in [(whole[:-1], "missing"), (whole + b"x", "added"), (whole[:-9] + b"x" + whole[-8:], "piece")]:
        file.write_bytes(bytes_)
        done = restored(file, new_home)
        assert done.code == FAILED and word in done.said
        assert not new_home.path.exists()


def test_nothing_is_overwritten(home):
    file = home.folder / "one.hfb"
    home.unlocked("backup", "create", str(file))
    before = file.read_bytes()
    assert home.cli("backup", "create", str(file), "--passphrase-file", str(home.passphrase_file)).code == FAILED
    assert file.read_bytes() == before and file.stat().st_mode & 0o777 == 0o600
    vault = (home.path / "vault.db").read_bytes()
    assert restored(file, home).code == FAILED
    assert (home.path / "vault.db").read_bytes() == vault


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_restore_that_is_killed_leaves_no_home_or_a_whole_one(home, new_home):
    """Killed at a random moment, and at each call that writes; seed 31."""
    file = home.folder / "one.hfb"
    home.unlocked("backup", "create", str(file))
    command = [binary(), "backup", "restore", str(file), "--passphrase-file", str(home.passphrase_file)]
    whole = 0
    for call in ("fsync", "fdatasync", "rename", "renameat2", "mkdir", "pwrite64", "unlink", "ftruncate"):
        for number in range(1, 200):
            folder = new_home.folder / f"{call}{number}"
            trace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}"]
            trace += ["-e", f"inject={call}:signal=KILL:when={number}"]
            done = subprocess.run([*trace, *command, "--home", str(folder)], capture_output=True, env=environment())
            if folder.exists():
                whole += 1
                listed = run("identity", "list", "--home", str(folder), "--json", "--passphrase-file", str(home.passphrase_file))
                assert listed.code == DONE, f"{call} {number}"
            if done.returncode == 0:
                break
            assert run(*[str(word) for word in command[1:]], "--home", str(folder)).code in (DONE, FAILED)
            assert (folder / "vault.db").exists() and not Path(f"{folder}.restoring").exists()
            shutil.rmtree(folder)
    assert whole >= 8


@pytest.mark.timeout(400)
def test_a_backup_that_is_killed_leaves_no_file_or_a_whole_one(home):
    command = [binary(), "backup", "create", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file)]
    for call in ("fsync", "renameat2", "write"):
        for number in range(1, 60):
            file = home.folder / f"{call}{number}.hfb"
            trace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}"]
            trace += ["-e", f"inject={call}:signal=KILL:when={number}"]
            done = subprocess.run([*trace, *command, str(file)], capture_output=True, env=environment())
            if file.exists():
                home.unlocked("backup", "verify", str(file))
            if done.returncode == 0:
                assert file.exists()
                break
            home.unlocked("backup", "create", str(home.folder / f"{call}{number}-again.hfb"))


def test_shares_of_a_kit_made_after_the_backup_are_named_as_such(home, new_home):
    file = home.folder / "before.hfb"
    home.unlocked("backup", "create", str(file))
    shares = new_home.folder / "shares"
    shares.write_text("\n".join(home.unlocked("recovery", "create", "--threshold", "2", "--shares", "3").value["shares"]) + "\n")
    for words in (["restore", "--new-passphrase-file", str(home.passphrase_file), *CHEAPEST_COST], ["verify"]):
        done = new_home.cli("backup", words[0], str(file), "--shares-file", str(shares), *words[1:])
        assert done.code == 3, done.said
        assert "This does not open the backup" in done.said and "This backup opens with: a passphrase" in done.said
        assert "slot" not in done.said


def test_shares_restore_on_a_clean_machine_and_the_old_passphrase_opens_nothing(home, new_home):
    shares = home.unlocked("recovery", "create", "--threshold", "2", "--shares", "3").value["shares"]
    file = home.folder / "one.hfb"
    home.unlocked("backup", "create", str(file))
    few, fresh = (new_home.folder / name for name in ("few", "fresh"))
    few.write_text(shares[0] + "\n")
    fresh.write_text("a passphrase of the new home\n")
    more = ["--new-passphrase-file", str(fresh), *CHEAPEST_COST]
    assert new_home.cli("backup", "restore", str(file), "--shares-file", str(few), *more).code == FAILED
    assert not new_home.path.exists()
    second, third = (new_home.folder / name for name in ("second", "third"))
    second.write_text(shares[1] + "\n")
    third.write_text(shares[2])
    each = ["--shares-file", str(second), "--shares-file", str(third)]
    assert new_home.cli("backup", "verify", str(file), *each).code == DONE
    assert home.cli("recovery", "list", *each).code == DONE, "they open the vault itself"
    assert new_home.cli("backup", "restore", str(file), *each, *more).code == DONE
    listed = new_home.cli("identity", "list", "--passphrase-file", str(fresh)).value["identities"]
    assert [identity["name"] for identity in listed] == ["alice"]
    assert new_home.cli("identity", "list", "--passphrase-file", str(home.passphrase_file)).code == LOCKED


# The schedule


def schedule(home: Home, *arguments: str):
    owner = ["--passphrase-file", str(home.passphrase_file)]
    return home.cli("backup", "schedule", *arguments, "--keep", "2", *owner, check=True)


def backups_in(folder: Path) -> list[str]:
    """The names of the backups in a folder, the oldest first, without the list of revocations."""
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(".hfb"))


@pytest.mark.parametrize("digest", [False, True], ids=["basic", "digest"])
def test_backups_go_to_a_webdav_server(daemon, tmp_path, new_home, digest):
    server = WebDAV(tmp_path / "dav", digest=digest)
    try:
        home = daemon.home
        schedule(home, "--to", f"http://{USER}@{server.address}/my keys", "--credentials-file", credentials(tmp_path, PASSWORD))
        for _ in range(3):
            home.cli("backup", "run", check=True)
        kept = backups_in(server.folder / "my keys")
        listed = home.cli("backup", "list").value["backups"]
        assert sorted(one["name"] for one in listed) == kept and len(kept) == 2
        assert all(path.stat().st_size == one["size"] for one in listed for path in [server.folder / "my keys" / one["name"]])
        # The backup is uploaded under another name, renamed when it is complete, and read back.
        methods = [method for method, path in server.requests if kept[1] in path]
        assert methods.index("PUT") < methods.index("MOVE") < methods.index("GET")
        # The daemon knows the credentials of its place. A new machine must be given them.
        newest = home.cli("backup", "verify", "--passphrase-file", str(home.passphrase_file), check=True).value
        assert newest["number"] == 3 and newest["proven"] is True
        daemon.kill()
        place = ["--from", f"http://{USER}@{server.address}/my keys", "--credentials-file", credentials(tmp_path, PASSWORD)]
        assert [one["name"] for one in new_home.cli("backup", "list", *place).value["backups"]] == kept[::-1]
        opened = ["--passphrase-file", str(home.passphrase_file)]
        assert new_home.cli("backup", "verify", *place, kept[0], *opened).value["number"] == 2
        older = new_home.cli("backup", "restore", *place, kept[0], *opened)
        assert older.code == FAILED and "newer" in older.said and not new_home.path.exists()
        result = new_home.cli("backup", "restore", *place, *opened, check=True).value
        assert result["number"] == 3 and result["revocations"]["state"] == "read"
    finally:
        server.stop()


def test_backups_go_to_an_s3_store_that_checks_signatures(daemon, tmp_path, s3, new_home):
    home = daemon.home
    right = credentials(tmp_path, KEY_ID, SECRET)
    place = ["--to", f"s3://{BUCKET}/a b/keys", "--endpoint", s3.endpoint, "--region", "eu-test"]
    schedule(home, *place, "--credentials-file", right)
    for _ in range(3):
        home.cli("backup", "run", check=True)
    folder = s3.folder / BUCKET / "a b" / "keys"
    kept = backups_in(folder)
    assert sorted(one["name"] for one in home.cli("backup", "list").value["backups"]) == kept and len(kept) == 2
    schedule(home, *place, "--credentials-file", credentials(tmp_path, KEY_ID, "another secret"), "--untested")
    refused = home.cli("backup", "run")
    assert refused.code == FAILED and "credentials" in refused.said
    assert backups_in(folder) == kept
    daemon.kill()
    place += ["--credentials-file", credentials(tmp_path, KEY_ID, SECRET), "--passphrase-file", str(home.passphrase_file)]
    place[0] = "--from"
    assert new_home.cli("backup", "verify", *place, check=True).value["number"] == 3
    assert new_home.cli("backup", "restore", *place, "holdfast-0-0.hfb").code == 5
    result = new_home.cli("backup", "restore", *place, "--older", kept[0], check=True).value
    assert result["number"] == 2 and result["revocations"]["state"] == "read"


def test_a_wrong_password_is_said_and_no_secret_is_in_any_output(daemon, webdav, tmp_path):
    home = daemon.home
    wrong = ["--to", f"http://{webdav.address}/", "--credentials-file", credentials(tmp_path, USER, "wrong canary word")]
    tried = home.cli("backup", "schedule", *wrong, "--passphrase-file", str(home.passphrase_file))
    assert tried.code == FAILED and "credentials" in tried.said and "--untested" in tried.said
    assert home.cli("backup", "plan").value["plan"] is None, "a place that does not work is not taken"
    schedule(home, *wrong, "--untested")
    done = home.cli("backup", "run")
    assert done.code == FAILED and "credentials" in done.said
    plan = home.cli("backup", "plan").value["plan"]
    assert plan["failures"] == 1 and "credentials" in plan["last_error"]
    for said in (tried.said, done.said, json.dumps(plan), daemon.printed, daemon.errors, home.cli("status").said):
        assert "canary word" not in said
    assert b"wrong canary word" not in (home.path / "vault.db").read_bytes()


def test_a_new_password_for_a_known_place_is_tried_before_it_is_stored(daemon, webdav, tmp_path):
    home = daemon.home
    schedule(home, "--to", f"http://{webdav.address}/", "--credentials-file", credentials(tmp_path, USER, PASSWORD))
    home.cli("backup", "run", check=True)
    (tmp_path / "wrong").mkdir()
    wrong = credentials(tmp_path / "wrong", USER, "a password of yesterday")
    tried = home.cli("backup", "schedule", "--credentials-file", wrong, "--passphrase-file", str(home.passphrase_file))
    assert tried.code == FAILED and "credentials" in tried.said
    home.cli("backup", "run", check=True)


def test_a_hostile_server_gets_an_error_and_no_effect(daemon, tmp_path):
    """The server sends redirects, wrong listings, endless or senseless answers. Each gives an error, and the daemon goes on."""

    class Hostile(http.server.BaseHTTPRequestHandler):
        def answer(self):
            length = int(self.headers.get("content-length") or 0)
            self.rfile.read(length)
            kind = self.path.split("/")[1]
            if kind == "redirect":
                self.send_response(307)
                self.send_header("location", "http://127.0.0.1:1/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()
                return
            self.send_response(207 if self.command == "PROPFIND" else 200)
            self.end_headers()
            try:
                for _ in range(4096 if kind == "endless" else 1):
                    self.wfile.write(b"<multistatus>" + b"<response>" * 64 * 100)
            except OSError:
                pass

        do_PUT = do_GET = do_PROPFIND = do_MOVE = do_DELETE = do_MKCOL = answer

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        for kind in ("redirect", "endless", "nonsense"):
            schedule(daemon.home, "--to", f"http://127.0.0.1:{server.server_port}/{kind}/", "--untested")
            assert daemon.home.cli("backup", "run").code == FAILED, kind
            assert "error" in daemon.home.cli("backup", "list").value, kind
    finally:
        server.shutdown()
        thread.join()
    assert daemon.home.cli("status").code == DONE


def test_plain_http_beyond_this_machine_is_refused(daemon):
    for place in ("http://192.0.2.1/x", "http://cloud.example/x"):
        done = daemon.home.cli("backup", "schedule", "--to", place, "--passphrase-file", str(daemon.home.passphrase_file))
        assert done.code == USAGE and "https" in done.said


def test_a_locked_signer_makes_its_backups(daemon, tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    schedule(daemon.home, "--to", str(place))
    daemon.home.cli("lock", check=True)
    daemon.home.cli("backup", "run", check=True)
    assert len(backups_in(place)) == 1


async def test_an_app_revoked_after_the_last_backup_stays_revoked_on_the_next_machine(daemon, new_home, apps, tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    home = daemon.home
    (gone, kept) = [await apps(App.paired(daemon.pair("full"))) for _ in range(2)]
    schedule(home, "--to", str(place))
    home.cli("backup", "run", check=True)
    home.cli("lock", check=True)
    home.cli("client", "revoke", gone.key.public, "--yes", check=True)
    until(lambda: home.cli("backup", "plan").value["plan"]["revocations"] == 1, "the list at the place has it")
    assert len(backups_in(place)) == 1
    daemon.kill()
    result = new_home.cli("backup", "restore", "--from", str(place), "--passphrase-file", str(home.passphrase_file), check=True).value
    assert len(result["revoked"]) == 1 and len(result["suspended"]) == 1 and result["revocations"]["state"] == "read"
    again = new_home.start()
    try:
        clients = new_home.cli("client", "list").value["clients"]
        assert [client["pubkey"] for client in clients] == [kept.key.public]
    finally:
        again.kill()


def test_a_new_place_needs_the_owner_and_the_known_one_does_not(daemon, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    schedule(daemon.home, "--to", str(here), "--every", "6h")
    wrong = tmp_path / "wrong"
    wrong.write_text("not this one\n")
    for command in (["backup", "schedule", "--to", str(there)], ["backup", "create", "--to", str(there)]):
        assert daemon.home.cli(*command).code == LOCKED
        assert daemon.home.cli(*command, "--passphrase-file", str(wrong)).code == LOCKED
    assert not list(there.iterdir())
    daemon.home.cli("backup", "run", check=True)
    assert daemon.home.cli("backup", "plan").value["plan"]["every"] == "6h"


def test_a_newer_backup_beside_it_is_noticed(home, new_home):
    for name in ("one.hfb", "two.hfb"):
        home.unlocked("backup", "create", str(home.folder / name))
    refused = restored(home.folder / "one.hfb", new_home)
    assert refused.code == FAILED and "newer" in refused.said and "two.hfb" in refused.said and "--older" in refused.said
    assert not new_home.path.exists()
    assert restored(home.folder / "one.hfb", new_home, "--older").code == DONE


def test_a_place_with_backups_of_two_vaults_asks_which(home, new_home, tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    other = Home.created()
    try:
        for one in (home, other):
            one.unlocked("backup", "create", "--to", str(place))
        opened = ["--passphrase-file", str(home.passphrase_file)]
        refused = new_home.cli("backup", "verify", "--from", str(place), *opened)
        assert refused.code == USAGE and "several" in refused.said
        listed = new_home.cli("backup", "list", "--from", str(place)).value["backups"]
        assert len({one["vault"] for one in listed}) == 2
        codes = [new_home.cli("backup", "verify", "--from", str(place), one["name"], *opened).code for one in listed]
        assert DONE in codes
    finally:
        other.remove()


def test_verify_says_what_opens_it(home, new_home, tmp_path):
    home.unlocked("recovery", "create", "--threshold", "2", "--shares", "3", "--label", "home safe")
    file = home.folder / "one.hfb"
    home.unlocked("backup", "create", str(file))
    found = new_home.cli("backup", "verify", str(file), "--passphrase-file", str(home.passphrase_file)).value
    assert [(slot["type"], slot["label"]) for slot in found["slots"]] == [("passphrase", ""), ("recovery", "home safe")]
    wrong = tmp_path / "wrong"
    wrong.write_text("not this one\n")
    refused = new_home.cli("backup", "verify", str(file), "--passphrase-file", str(wrong))
    assert refused.code == LOCKED and "shares of a recovery kit" in refused.said


def test_a_person_who_gives_no_passphrase_is_asked_for_shares(home, new_home):
    shares = home.unlocked("recovery", "create", "--threshold", "2", "--shares", "3").value["shares"]
    file = home.folder / "one.hfb"
    home.unlocked("backup", "create", str(file))
    fresh = "four words that nobody knows"
    typed = ["", *shares[:2], "one", "another", "letmein", "", fresh, fresh]
    code, said = at_a_terminal(["backup", "restore", str(file), "--home", str(new_home.path), "--hidden", *CHEAPEST_COST], typed)
    assert code == DONE, said
    assert "differ" in said and "Repeat it to use it anyway" in said
    assert not any(word in said for word in (fresh, *shares))
    secret = new_home.folder / "fresh"
    secret.write_text(fresh + "\n")
    assert new_home.cli("identity", "list", "--passphrase-file", str(secret)).code == DONE


def at_a_terminal(command: list[str], typed: list[str]) -> tuple[int, str]:
    """Runs a command on a terminal. Each line is typed when the next question is shown."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(binary(), [str(binary()), *command], environment(TERM="dumb"))
    said = b""
    lines = list(typed)
    asked = 0
    try:
        while True:
            try:
                more = os.read(terminal, 4096)
            except OSError:
                break
            if not more:
                break
            said += more
            rest = said[asked:]
            if lines and rest.rstrip(b" ").endswith((b":", b"]")) and rest.endswith(b" "):
                asked = len(said)
                os.write(terminal, lines.pop(0).encode() + b"\n")
    finally:
        _, status = os.waitpid(child, 0)
        os.close(terminal)
    return os.waitstatus_to_exitcode(status), said.decode(errors="replace")


def test_doctor_tells_of_a_place_that_fails(daemon, tmp_path):
    place = tmp_path / "disk"
    schedule(daemon.home, "--to", str(place), "--untested")
    assert daemon.home.cli("backup", "run").code == FAILED
    found = {one["check"]: one for one in daemon.home.cli("doctor").value["findings"]}["backup"]
    assert found["verdict"] == "warning" and "no such place" in found["found"]
    place.mkdir()
    daemon.home.cli("backup", "run", check=True)
    found = {one["check"]: one for one in daemon.home.cli("doctor").value["findings"]}["backup"]
    assert found["verdict"] == "good"


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_delivery_that_is_killed_leaves_whole_backups_and_a_list_that_opens(home, new_home, tmp_path):
    """The program is killed at each call that makes something durable. An earlier list is already in the folder."""
    place = tmp_path / "disk"
    place.mkdir()
    owner = ["--passphrase-file", str(home.passphrase_file)]
    create = ["backup", "create", "--to", str(place), *owner]
    home.cli(*create, check=True)
    killed = 0
    for call in ("fsync", "fdatasync", "rename", "renameat2", "unlink", "pwrite64"):
        for number in range(1, 200):
            trace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}"]
            trace += ["-e", f"inject={call}:signal=KILL:when={number}"]
            command = [*trace, binary(), *create, "--home", str(home.path), "--json"]
            done = subprocess.run(command, capture_output=True, env=environment())
            killed += done.returncode != 0
            (file,) = [place / name for name in backups_in(place)[-1:]]
            if number % 4 == 1 or done.returncode == 0:
                into = new_home.folder / f"{call}{number}"
                result = run("backup", "restore", str(file), "--older", "--home", str(into), "--json", *owner).value
                assert result["revocations"]["state"] == "read", f"{call} {number}"
                shutil.rmtree(into)
            if done.returncode == 0:
                break
    assert killed > 20
    for name in backups_in(place):
        assert run("backup", "verify", str(place / name), "--home", str(new_home.path), *owner).code == DONE
    home.cli(*create, check=True)
    assert not [path.name for path in home.path.iterdir() if path.name.startswith("backup.")]


def test_a_full_disk_is_named_and_leaves_nothing(home):
    if os.geteuid() != 0:
        pytest.skip("only root may mount")
    place = home.folder / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", place], check=True)
    try:
        (place / "ballast").write_bytes(bytes(8192))
        done = home.cli("backup", "create", str(place / "one.hfb"), "--passphrase-file", str(home.passphrase_file))
        assert done.code == FAILED and "space" in done.said
        assert [path.name for path in place.iterdir()] == ["ballast"]
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def test_a_pipe_in_a_backups_place_is_refused_at_once(home, tmp_path):
    pipe = tmp_path / "backup.hfb"
    os.mkfifo(pipe)
    for words in [("backup", "verify", str(pipe)), ("backup", "restore", str(pipe))]:
        refused = run(*words, "--home", str(tmp_path / "new"), "--passphrase-file", str(home.passphrase_file), "--json", seconds=10)
        assert refused.code != 0 and "opening the backup" in refused.out, refused
