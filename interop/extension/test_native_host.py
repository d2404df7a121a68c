"""The helper that a browser starts: what it takes, from whom, and how it ends."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from extension.chromium import ID
from harness.daemon import PASSPHRASE, Home, binary, environment, run
from harness.local_program import new_executable
from harness.native_host import NativeHost
from harness.waiting import PATIENCE, until

ORIGIN = f"chrome-extension://{ID}/"


@pytest.fixture
def host(home):
    """Starts helpers; whatever still runs at the end is ended."""
    home.cli("extension", "install", "--browser", "chromium", "--profile", str(home.folder / "profile"), check=True)
    started: list[NativeHost] = []

    def start_host(*arguments: str) -> NativeHost:
        started.append(NativeHost(home, *(arguments or (ORIGIN,))))
        return started[-1]

    yield start_host
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait()


def said(daemon, *arguments: str) -> str:
    """What a command says to a person."""
    finished = run(*arguments, "--home", str(daemon.home.path))
    return finished.out + finished.err


def let_in(daemon, helper: NativeHost, origin: str = "https://site.example", trust: str = "full") -> str:
    """Approves a site's first request, and trusts it; the public key that it learns."""
    helper.send({"id": "first", "channel": "c", "origin": origin, "method": "getPublicKey"})
    daemon.do("request", "approve", until(daemon.waiting, "the site's request")[0]["id"])
    daemon.do("local", "trust", origin, trust)
    return helper.read()["result"]


def test_a_site_is_shown_with_the_browsers_program_and_the_extensions_id(home, start, host):
    daemon = start()
    assert let_in(daemon, host()) == daemon.user
    site = daemon.do("local", "list")["programs"][0]["site"]
    assert site == {"origin": "https://site.example", "extension": ID, "browser": os.path.realpath(sys.executable)}


@pytest.mark.parametrize("arguments", [["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"], ["/x.json", "other@example"]])
def test_another_extension_is_refused(host, arguments):
    helper = host(*arguments)
    assert helper.process.wait(PATIENCE) == 2
    assert helper.process.stdout.read() == b""


def test_a_message_cannot_name_its_extension(home, start, host):
    daemon = start()
    helper = host()
    let_in(daemon, helper)
    helper.send(
        {"id": "1", "channel": "c", "origin": "https://site.example", "extension": "evil", "method": "getPublicKey", "params": {},
         "for": {"origin": "https://victim.example", "extension": "evil"}}
    )  # fmt: skip
    assert helper.read()["result"] == daemon.user
    assert [entry["site"]["extension"] for entry in daemon.do("local", "list")["programs"]] == [ID]


def test_a_document_keeps_its_origin(start, host):
    daemon = start()
    helper = host()
    let_in(daemon, helper)
    assert "result" in helper.ask("getPublicKey", "https://site.example")
    assert helper.code("getPublicKey", "https://victim.example") == "invalid"


@pytest.mark.parametrize("method", ["listIdentities", "unlock", "panic", "client/list", ""])
def test_other_methods_are_refused(start, host, method):
    start()
    assert host().code(method) == "invalid"


@pytest.mark.parametrize("data", [b"\0\0\0\0", struct.pack("=I", (1 << 20) + 1), b"\xff\xff\xff\xff{}"])
def test_a_wrong_length_ends_it(start, host, data):
    start()
    helper = host()
    helper.send_bytes(data)
    assert helper.process.wait(PATIENCE) == 1
    assert helper.process.stdout.read() == b""


def test_a_message_that_cannot_be_read_ends_nothing(start, host):
    daemon = start()
    helper = host()
    for message in (b"x", b"[]", b'{"id":"1"}', b"\xff\xfe", b"[" * 1_000, b'{"params":{"text":"\\ud800"},"id":"2"}'):
        helper.send(message)
    for id in ("1", "2"):
        assert helper.read() == {"id": id, "error": {"code": "invalid", "message": "The request cannot be read."}}
    assert let_in(daemon, helper) == daemon.user


def test_what_waits_in_a_document_that_is_closed_is_answered(start, host):
    daemon = start()
    helper = host()
    helper.send({"id": "1", "channel": "c", "origin": "https://site.example", "method": "getPublicKey"})
    until(daemon.waiting, "the request")
    helper.send({"closed": "c"})
    assert helper.read()["id"] == "1", "so that the extension does not count it any more"
    until(lambda: not daemon.waiting(), "the end of the request")


def test_the_end_of_the_stream_ends_it_in_the_middle_of_a_frame(start, host):
    start()
    helper = host()
    helper.send_bytes(b"\x10\0\0\0{")
    assert helper.end() == 0


def test_without_a_signer_it_says_so_and_finds_it_later(start, host):
    helper = host()
    assert helper.code("getPublicKey") == "unavailable"
    assert helper.ask("state", channel=None)["result"] == {"running": False}
    daemon = start()
    let_in(daemon, helper)
    daemon.stop()
    assert helper.code("getPublicKey") == "unavailable"
    start()
    assert "result" in helper.ask("getPublicKey")


def test_a_request_that_waits_ends_with_the_signer(start, host):
    daemon = start()
    helper = host()
    helper.send({"id": "1", "channel": "c", "origin": "https://site.example", "method": "getPublicKey"})
    until(daemon.waiting, "the request")
    daemon.stop()
    assert helper.read()["error"]["code"] == "unavailable"


def test_a_document_that_floods_leaves_room_for_others(start, host):
    daemon = start()
    helper = host()
    for number in range(200):
        helper.send(
            {"id": f"f{number}", "channel": "flood", "origin": "https://flood.example", "method": "nip44Encrypt",
             "params": {"pubkey": daemon.user, "plaintext": f"{number}"}}
        )  # fmt: skip
    codes = [helper.read()["error"]["code"] for _ in range(200 - 64)]
    assert set(codes) == {"rate-limited"}
    helper.send({"id": "g", "channel": "other", "origin": "https://other.example", "method": "getPublicKey"})
    request = until(lambda: [one for one in daemon.waiting() if one["client"]["name"] == "other.example"], "the other's request")
    daemon.do("request", "approve", request[0]["id"])
    answers = [helper.read() for _ in range(1)]
    while answers[-1]["id"] != "g":
        answers.append(helper.read())
    assert answers[-1]["result"] == daemon.user


def test_more_documents_than_connections_are_held_back(start, host):
    start()
    helper = host()
    for number in range(129):
        helper.send({"id": f"{number}", "channel": f"c{number}", "origin": f"https://{number}.example", "method": "getPublicKey"})
    answers = {answer["id"]: answer for answer in (helper.read() for _ in range(129 - 32))}
    assert {answer["error"]["code"] for answer in answers.values()} == {"rate-limited"}
    assert "128" in answers


def test_the_toolbar_learns_no_secret_and_can_lock(home, start, host):
    daemon = start()
    helper = host()
    let_in(daemon, helper)
    state = helper.ask("state", channel=None)["result"]
    assert set(state) == {"running", "locked", "console", "waiting", "identities", "site"}
    assert "signin" not in state["console"] and PASSPHRASE not in str(state)
    assert state["site"]["callers"] == [{"identity": "alice", "trust": "full", "firstUse": False, "paused": False}]
    assert helper.ask("state", "https://other.example", None)["result"]["site"]["callers"] == []
    assert helper.ask("lock", None, None)["result"] == {"locked": True}
    assert daemon.do("status")["locked"] is True


def test_it_writes_nothing_beside_the_answers(start, host):
    daemon = start()
    helper = host()
    let_in(daemon, helper)
    helper.process.stdin.close()
    assert helper.process.wait(PATIENCE) == 0
    assert helper.process.stderr.read() == b"" and helper.process.stdout.read() == b""


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes an ordinary user")
def test_an_ordinary_users_signer_sees_which_program_it_is(tmp_path_factory):
    """Root sees every process. Others see only those that let themselves be seen."""
    home = Home()
    shutil.copy(binary(), home.folder / "holdfast")
    as_user = ["setpriv", "--reuid", "12345", "--regid", "12345", "--clear-groups"]
    program = [*as_user, str(home.folder / "holdfast")]
    options = {"env": environment(HOME=str(home.folder)), "check": True, "capture_output": True}
    for path in (home.folder, home.folder / "holdfast", home.passphrase_file):
        os.chown(path, 12345, 12345)
    opened = ["--home", str(home.path), "--passphrase-file", str(home.passphrase_file)]
    subprocess.run([*program, "init", *opened, "--kdf-memory", "19"], **options)
    subprocess.run([*program, "identity", "create", "alice", *opened], **options)
    subprocess.run([*program, "extension", "install", "--browser", "chromium", "--home", str(home.path)], **options)
    signer = subprocess.Popen(
        [*program, "up", *opened, "--listen", "127.0.0.1:0", "--json"],
        env=options["env"], stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        signer.stdout.readline()
        helper = NativeHost.__new__(NativeHost)
        helper.count = 0
        helper.process = subprocess.Popen(
            [*as_user, str(home.path / "browser" / "native-host"), ORIGIN],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=options["env"],
        )  # fmt: skip
        helper.send({"id": "1", "channel": "c", "origin": "https://site.example", "method": "getPublicKey"})
        asked = [*program, "request", "list", "--json", "--home", str(home.path)]
        until(lambda: "site.example" in subprocess.run(asked, **options).stdout.decode(), "the site's request")
        assert helper.end() == 0
    finally:
        signer.kill()
        signer.wait()
        signer.stdout.close()
        home.remove()


def test_nobody_else_may_ask_for_a_site(home, start):
    """Only Holdfast's own program is believed: a program that speaks to the socket itself is not."""
    from harness.local_program import Connection

    start(arguments=("--local-trust", "full"))
    connection = Connection(home)
    connection.send_line(b'{"v":1,"id":"1","method":"getPublicKey","for":{"origin":"https://site.example","extension":"%s"}}' % ID.encode())
    assert connection.read()["error"]["code"] == "not-allowed"
    connection.end()


def test_the_manifest_names_the_wrapper(home, host):
    host_manifest = Path(home.folder / "profile" / "NativeMessagingHosts" / "org.holdfast.signer.json").read_text()
    assert f'"path":"{home.path}/browser/native-host"' in host_manifest and f'"{ORIGIN}"' in host_manifest


def test_an_address_means_the_site_and_never_the_links_that_any_page_can_open(start, host):
    """A page opened a link with answers to the site that the owner wants to let in."""
    daemon = start()
    asking = subprocess.Popen(
        [binary(), "open", "keyfob://pubkey?cb=https%3A%2F%2Fsite.example%2Fx", "--print", "--home", str(daemon.home.path)],
        env=environment(), stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        link = until(daemon.waiting, "the link's request")[0]
        assert link["client"]["place"] == "links with answers to https://site.example"
        refused = daemon.cli("local", "trust", "https://site.example", "medium")
        assert refused.code == 5 and "link:" in refused.out
        helper = host()
        helper.send({"id": "1", "channel": "c", "origin": "https://site.example", "method": "getPublicKey"})
        until(lambda: len(daemon.waiting()) == 2, "the site's request")
        done = said(daemon, "local", "trust", "https://site.example", "medium")
        assert "the site https://site.example in the browser " + os.path.realpath(sys.executable) in done
        assert helper.read()["result"] == daemon.user
        let_in = {bool(one["link"]): not one["first_use"] for one in daemon.do("local", "list")["programs"]}
        assert let_in == {True: False, False: True}
        assert [one["id"] for one in daemon.waiting()] == [link["id"]]
        assert "links with answers to https://site.example" in said(daemon, "local", "trust", "link:https://site.example", "low")
    finally:
        asking.kill()
        asking.communicate()


def test_a_long_name_is_cut_where_it_says_least_and_the_list_says_what_asks(start, host):
    daemon = start()
    origin = "https://snort.social.sign-in-with-your-nostr-extension.session-20251128a.evil.example"
    host().send({"id": "1", "channel": "c", "origin": origin, "method": "getPublicKey"})
    name = until(daemon.waiting, "the request")[0]["client"]["name"]
    assert name.startswith("…") and name.endswith(".evil.example")
    assert f"{name} (site {origin})" in said(daemon, "request", "list")


def test_one_page_leaves_places_to_others_that_ask_for_the_first_time(start, host):
    daemon = start()
    helper = host()
    for number in range(40):
        helper.send({"id": f"e{number}", "channel": f"e{number}", "origin": f"https://n{number}.evil.example", "method": "getPublicKey"})
    codes = [helper.read()["error"]["code"] for _ in range(40 - 3)]
    assert set(codes) == {"rate-limited"} and len(daemon.waiting()) == 3
    assert let_in(daemon, helper, "https://honest.example") == daemon.user


BECOMES_THE_BROWSER = """
import os, sys, time
if os.fork() == 0:
    os.execv(sys.argv[3], sys.argv[3:])
while not os.path.exists(sys.argv[2]):
    time.sleep(0.02)
os.execv(sys.argv[1], [sys.argv[1], "-c", "import time; time.sleep(60)"])
"""


def test_a_program_that_becomes_the_browser_after_its_helper_connected_asks_as_itself(home, start, host):
    daemon = start()
    let_in(daemon, host())  # by this interpreter, which plays the browser
    other = new_executable(home.folder / "other")
    helper = str(Path(home.path) / "browser" / "native-host")
    go = home.folder / "go"
    python_home = os.path.realpath(sys.executable).rsplit("/bin/", 1)[0]
    process = subprocess.Popen(
        [str(other), "-c", BECOMES_THE_BROWSER, os.path.realpath(sys.executable), str(go), helper, ORIGIN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(PYTHONHOME=python_home),
    )

    def send(number: int, method: str, **parameters) -> None:
        message = {"id": str(number), "channel": "c", "origin": "https://site.example", "method": method, "params": parameters}
        body = json.dumps(message).encode()
        process.stdin.write(struct.pack("=I", len(body)) + body)
        process.stdin.flush()

    try:
        send(1, "getPublicKey")
        until(daemon.waiting, "its question, as itself")
        go.touch()
        until(lambda: os.path.realpath(f"/proc/{process.pid}/exe") == os.path.realpath(sys.executable), "the other program")
        send(2, "sign", event={"kind": 1, "content": "by another program", "tags": []})
        (length,) = struct.unpack("=I", process.stdout.read(4))
        answer = json.loads(process.stdout.read(length))
        assert answer["id"] == "2" and answer["error"]["code"] == "not-allowed"
    finally:
        process.stdin.close()
        process.kill()
        process.wait()


def test_revoking_a_site_by_its_host_means_the_site_though_links_asked_first(home, start, host):
    daemon = start()
    address = f"{daemon.ready['console'].rstrip('/')}/app/pubkey?cb=https%3A%2F%2Fsite.example%2Fx"
    threading.Thread(target=lambda: subprocess.run(["curl", "-s", "-m", "20", address], capture_output=True), daemon=True).start()
    until(daemon.waiting, "the link's request")
    helper = host()
    helper.send({"id": "first", "channel": "c", "origin": "https://site.example", "method": "getPublicKey"})
    waiting = until(lambda: [one for one in daemon.waiting() if one["client"]["name"] == "site.example"], "the site's request")
    daemon.do("request", "approve", waiting[0]["id"])
    helper.read()
    daemon.do("local", "trust", "https://site.example", "full")
    assert {one["name"] for one in daemon.do("local", "list")["programs"]} == {"site.example", "link:site.example"}
    daemon.do("local", "revoke", "site.example")
    sites = [one for one in daemon.do("local", "list")["programs"] if one["name"] == "site.example"]
    assert [one["first_use"] for one in sites] == [True]
