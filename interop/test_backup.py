"""Backups: made, checked and restored by the real program, to folders, a WebDAV server and an S3-compatible store."""

from __future__ import annotations

import http.server
import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from harness.app import App
from harness.daemon import CHEAPEST_COST, Home, binary, environment, run
from harness.stores import BUCKET, KEY_ID, PASSWORD, SECRET, S3, USER, WebDAV
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


# On one machine and on another


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


def test_shares_restore_on_a_clean_machine_and_the_old_passphrase_opens_nothing(home, new_home):
    shares = home.unlocked("recovery", "create", "--threshold", "2", "--shares", "3").value["shares"]
    file = home.folder / "one.hfb"
    home.unlocked("backup", "create", str(file))
    enough, few, fresh = (new_home.folder / name for name in ("enough", "few", "fresh"))
    enough.write_text("\n".join(shares[1:]) + "\n")
    few.write_text(shares[0] + "\n")
    fresh.write_text("a passphrase of the new home\n")
    more = ["--new-passphrase-file", str(fresh), *CHEAPEST_COST]
    assert new_home.cli("backup", "restore", str(file), "--shares-file", str(few), *more).code == FAILED
    assert not new_home.path.exists()
    assert new_home.cli("backup", "restore", str(file), "--shares-file", str(enough), *more).code == DONE
    listed = new_home.cli("identity", "list", "--passphrase-file", str(fresh)).value["identities"]
    assert [identity["name"] for identity in listed] == ["alice"]
    assert new_home.cli("identity", "list", "--passphrase-file", str(home.passphrase_file)).code == LOCKED


# By itself


def schedule(home: Home, *arguments: str):
    return home.cli("backup", "schedule", *arguments, "--keep", "2", check=True)


@pytest.mark.parametrize("digest", [False, True], ids=["basic", "digest"])
def test_backups_go_to_a_webdav_server(daemon, tmp_path, new_home, digest):
    server = WebDAV(tmp_path / "dav", digest=digest)
    try:
        home = daemon.home
        schedule(home, "--to", f"http://{USER}@{server.address}/my keys", "--credentials-file", credentials(tmp_path, PASSWORD))
        for _ in range(3):
            home.cli("backup", "run", check=True)
        kept = sorted(path.name for path in (server.folder / "my keys").iterdir())
        listed = home.cli("backup", "list").value["backups"]
        assert sorted(one["name"] for one in listed) == kept and len(kept) == 2
        assert all(path.stat().st_size == one["size"] for one in listed for path in [server.folder / "my keys" / one["name"]])
        # It is put under another name first, moved when it is whole, and read back.
        methods = [method for method, path in server.requests if kept[1] in path]
        assert methods.index("PUT") < methods.index("MOVE") < methods.index("GET")
        daemon.kill()
        assert restored(server.folder / "my keys" / kept[1], new_home).code == DONE
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
    kept = sorted(path.name for path in folder.iterdir() if path.name.endswith(".hfb"))
    assert sorted(one["name"] for one in home.cli("backup", "list").value["backups"]) == kept and len(kept) == 2
    schedule(home, *place, "--credentials-file", credentials(tmp_path, KEY_ID, "another secret"))
    refused = home.cli("backup", "run")
    assert refused.code == FAILED and "credentials" in refused.said
    assert len([path for path in folder.iterdir() if path.name.endswith(".hfb")]) == 2
    daemon.kill()
    assert restored(folder / kept[1], new_home).code == DONE


def test_a_wrong_password_is_said_and_no_secret_is_in_any_output(daemon, webdav, tmp_path):
    home = daemon.home
    schedule(home, "--to", f"http://{webdav.address}/", "--credentials-file", credentials(tmp_path, USER, "wrong canary word"))
    done = home.cli("backup", "run")
    assert done.code == FAILED and "credentials" in done.said
    plan = home.cli("backup", "plan").value["plan"]
    assert plan["failures"] == 1 and "credentials" in plan["last_error"]
    for said in (done.said, json.dumps(plan), daemon.printed, daemon.complaints, home.cli("status").said):
        assert "canary word" not in said
    assert b"wrong canary word" not in (home.path / "vault.db").read_bytes()


def test_a_server_that_is_a_stranger_leads_nowhere(daemon, tmp_path):
    """Redirects, listings of elsewhere, answers without end or sense: a named fault each, and the daemon goes on."""

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
            schedule(daemon.home, "--to", f"http://127.0.0.1:{server.server_port}/{kind}/")
            assert daemon.home.cli("backup", "run").code == FAILED, kind
            assert "error" in daemon.home.cli("backup", "list").value, kind
    finally:
        server.shutdown()
        thread.join()
    assert daemon.home.cli("status").code == DONE


def test_plain_http_beyond_this_machine_is_refused(daemon):
    for place in ("http://192.0.2.1/x", "http://cloud.example/x"):
        done = daemon.home.cli("backup", "schedule", "--to", place)
        assert done.code == USAGE and "https" in done.said


def test_a_locked_signer_makes_its_backups(daemon, tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    schedule(daemon.home, "--to", str(place))
    daemon.home.cli("lock", check=True)
    daemon.home.cli("backup", "run", check=True)
    assert len(list(place.iterdir())) == 1


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
