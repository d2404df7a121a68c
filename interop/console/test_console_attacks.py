"""Attacks on the console of a real daemon over plain HTTP: by other web pages, by other programs, and by the app that asks."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import socket
import ssl
from urllib.parse import urlsplit

import pytest
import shamir_mnemonic as slip39

from harness.app import App
from harness.browser import Browser
from harness.browser import certificate as localhost_certificate
from harness.daemon import PASSPHRASE, environment
from harness.waiting import eventually, until
from reference.events import as_json, template


@pytest.fixture
def browser(daemon):
    return Browser(daemon).signed_in()


def copied(browser: Browser) -> Browser:
    other = Browser(browser.daemon)
    other.cookie, other.csrf = browser.cookie, browser.csrf
    return other


def test_the_owner_sees_what_the_command_line_sees(daemon, browser):
    assert browser.call("identity/list") == (200, {"ok": True, "result": daemon.do("identity", "list")})


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 421),
        ({"Host": "evil.example:{port}", "Origin": "http://evil.example:{port}"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": None}, 403),
        ({"Origin": "http://127.0.0.1:{port}"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"X_CSRF_Token": None}, 403),
        ({"X_CSRF_Token": "x" * 43}, 403),
        ({"Cookie": None}, 401),
    ],
)
def test_a_strangers_page_cannot_do_anything(daemon, browser, changes, status):
    before = daemon.do("identity", "list")
    port = str(browser.port)
    changes = {name: value and value.replace("{port}", port) for name, value in changes.items()}
    assert copied(browser).call("identity/create", {"name": "stranger"}, **changes)[0] == status
    assert daemon.do("identity", "list") == before


def test_a_stolen_cookie_is_worth_nothing_after_signing_out(browser):
    thief = copied(browser)
    assert thief.call("status")[0] == 200
    assert browser.call("session/close")[0] == 200
    assert thief.call("status")[0] == 401
    assert Browser(browser.daemon).call("status")[0] == 401


def test_a_sign_in_link_works_once_and_not_after_a_restart(daemon, start):
    token = daemon.do("console")["url"].split("#signin=")[1]
    unused = daemon.do("console")["url"].split("#signin=")[1]
    browser = Browser(daemon)
    assert browser.call("session/open", {"token": token})[0] == 200
    assert Browser(daemon).call("session/open", {"token": token})[0] == 401
    daemon.stop()
    again = start()
    assert Browser(again).call("session/open", {"token": unused})[0] == 401
    old = Browser(again)
    old.cookie, old.csrf = browser.cookie, browser.csrf
    assert old.call("status")[0] == 401


@pytest.mark.slow  # the waits after wrong shares add up to two minutes
def test_a_page_that_was_left_open_does_not_keep_the_owner_waiting(home, daemon, browser):
    """Wrong shares count like wrong passphrases, and only those are incidents. The tenth in a row signs the page out."""
    daemon.do("recovery", "create", "--threshold", "2", "--shares", "3", "--passphrase-file", str(home.passphrase_file))
    made_up = slip39.generate_mnemonics(1, [(1, 1)], bytes(16))[0][0].encode()
    tries = 0

    def is_signed_out() -> bool:
        nonlocal tries
        tries += 1
        return browser.call("slot/test", {}, {"shares": made_up})[0] == 401

    until(is_signed_out, "the page is signed out", seconds=240)
    entries = daemon.log_entries("--limit", "200")
    assert sum(entry["entry"] == "vaultOpenFailed" for entry in entries) <= 20 < tries
    assert [entry["rule"] for entry in entries if entry["entry"] == "sessionEnded"] == ["too many wrong passphrases or kits"]
    assert not daemon.do("status")["suspended"]
    refused = home.cli("unlock", "--passphrase-file", str(home.passphrase_file))
    assert refused.code == 3 and 0 < int(re.search(r"try again in (\d+) s", refused.said).group(1)) <= 128


def test_the_console_has_no_operation_that_makes_sign_in_links_or_signs(browser):
    for name in ("console/link", "sign"):
        assert browser.call(name)[0] == 404


async def test_the_asker_cannot_approve_itself_at_the_console(daemon, apps):
    """An app can reach the same port. Without the owner's session it can do nothing there."""
    app = await apps(App.paired(daemon.pair("low")))
    await app.send("sign_event", [as_json(template(1, "x"))])
    waiting = (await eventually(daemon.waiting, "a waiting request"))[0]
    asker = Browser(daemon)
    for headers in ({}, {"Cookie": f"holdfast-{asker.port}=guess", "X_CSRF_Token": "guess"}):
        assert asker.call("request/approve", {"id": waiting["id"]}, **headers)[0] == 401
    assert [request["id"] for request in daemon.waiting()] == [waiting["id"]]


def test_sign_ins_that_fail_are_limited_and_recorded(daemon):
    stranger = Browser(daemon)
    statuses = [stranger.call("session/open", {"token": "guess"})[0] for _ in range(13)]
    assert statuses[:10] == [401] * 10 and statuses[10:] == [429] * 3

    def failures() -> int:
        return sum(entry["entry"] == "signInFailed" for entry in daemon.log_entries())

    assert until(failures, "the first failure is recorded") <= 5


def test_an_incident_says_where_a_failed_sign_in_came_from(start):
    """Behind one of the owner's proxies, the client and not the proxy."""
    daemon = start(arguments=("--trusted-proxy", "127.0.0.1"))
    stranger = Browser(daemon)
    assert stranger.call("session/open", {"token": "guess"}, **{"X-Forwarded-For": "192.0.2.7"})[0] == 401

    def rules() -> list[str]:
        return [entry["rule"] for entry in daemon.log_entries() if entry["entry"] in ("signInFailed", "incidentMinor")]

    assert until(lambda: len(rules()) == 2 and rules(), "both are recorded") == ["from 192.0.2.7", "a failed sign-in, from 192.0.2.7"]


def test_nobody_else_can_be_at_localhost(daemon):
    """Browsers also try ::1 for "localhost". A program that listens there would be given the sign-in link."""
    port = urlsplit(daemon.ready["console"]).port
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as squatter, pytest.raises(OSError):
        squatter.bind(("::1", port))


@pytest.mark.parametrize(("host", "other"), [("[::1]", "127.0.0.1"), ("[::]", "127.0.0.1"), ("0.0.0.0", "::1")])
def test_the_other_loopback_address_is_taken_as_well(host, other, start):
    """Links name "localhost" only where nobody else can be there."""
    console = urlsplit(start(listen=f"{host}:0").do("console")["url"])
    assert console.hostname == "localhost"
    family = socket.AF_INET6 if ":" in other else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as squatter, pytest.raises(OSError):
        squatter.bind((other, console.port))


def test_a_link_names_no_address_that_the_signer_does_not_have(start):
    """At 127.0.0.2 the signer has neither 127.0.0.1 nor localhost, and at ::1 not what another program has."""
    assert urlsplit(start(listen="127.0.0.2:0").do("console")["url"]).hostname == "127.0.0.2"


def test_a_link_names_the_address_that_is_left(home, start):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as squatter:
        squatter.bind(("127.0.0.1", 0))
        squatter.listen()
        daemon = start(listen=f"[::1]:{squatter.getsockname()[1]}")
        assert urlsplit(daemon.do("console")["url"]).hostname == "::1"
        assert any("at 127.0.0.1" in remark for remark in daemon.ready["remarks"])


def test_by_tls_the_cookie_never_goes_out_in_clear(start, tmp_path):
    certificate, key = localhost_certificate(tmp_path)
    daemon = start(arguments=("--tls-cert", str(certificate), "--tls-key", str(key)))
    url = urlsplit(daemon.do("console")["url"])
    assert (url.scheme, url.hostname) == ("https", "localhost")
    connection = http.client.HTTPSConnection("localhost", url.port, timeout=10, context=ssl.create_default_context(cafile=str(certificate)))
    headers = {"Origin": f"https://localhost:{url.port}", "Content-Type": "application/json"}
    connection.request("POST", "/api/v1/session/open", json.dumps({"token": url.fragment.removeprefix("signin=")}), headers)
    answer = connection.getresponse()
    cookie = answer.getheader("set-cookie")
    assert answer.status == 200 and cookie.startswith(f"__Host-holdfast-{url.port}=") and cookie.endswith("; Secure")
    assert answer.getheader("strict-transport-security")
    connection.close()


NOBODY = 65534
OPENER = """#!/bin/sh
printf %s "$1" > "{found}"
"""


@contextlib.contextmanager
def another_user():
    """What this process connects to meanwhile, it connects to as another user."""
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
def test_a_link_that_is_opened_signs_in_no_other_user_of_the_machine(daemon, tmp_path):
    """While the browser starts, the link is among the arguments of a program, which every user can read."""
    tools, found = tmp_path / "tools", tmp_path / "found"
    tools.mkdir()
    (tools / "xdg-open").write_text(OPENER.format(found=found))
    (tools / "xdg-open").chmod(0o755)
    answer = daemon.do("console", "--open", env=environment(PATH=f"{tools}:{os.environ['PATH']}"))
    assert found.read_text() == answer["url"] and answer["for_this_user"] is True
    token = answer["url"].split("#signin=")[1]
    with another_user():
        status, refusal = Browser(daemon).call("session/open", {"token": token})
    assert status == 401 and "only in a browser of the user who opened it" in refusal["error"]
    assert Browser(daemon).call("session/open", {"token": token})[0] == 200, "it is still good for its own user"


def failed_openings(daemon) -> int:
    return sum(entry["entry"] == "vaultOpenFailed" for entry in daemon.log_entries())


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
def test_another_user_of_the_machine_cannot_sign_in_with_the_passphrase(daemon):
    """Also not with the right one, which that user may have learned at a false sign-in page."""
    with another_user():
        stranger = Browser(daemon)
        assert stranger.do("passphrase/options") == {"accepted": False}
        for passphrase in (PASSPHRASE, "wrong"):
            assert stranger.call("passphrase/sign-in", {}, {"passphrase": passphrase.encode()})[0] == 403
    assert stranger.cookie is None and failed_openings(daemon) == 0
    assert Browser(daemon).do("passphrase/options")["accepted"] is True


def test_nobody_signs_in_with_the_passphrase_through_a_proxy(daemon):
    visitor = Browser(daemon)
    assert visitor.call("passphrase/sign-in", {}, {"passphrase": PASSPHRASE.encode()}, X_Forwarded_For="203.0.113.7")[0] == 403
    assert visitor.call("passphrase/sign-in", {}, {"passphrase": b"wrong"}, Via="1.1 proxy")[0] == 403
    assert visitor.cookie is None and failed_openings(daemon) == 0


def test_guesses_at_the_sign_in_wait_as_at_the_unlocking(daemon, home):
    guesser = Browser(daemon)

    def is_made_to_wait() -> bool:
        status, answer = guesser.call("passphrase/sign-in", {}, {"passphrase": b"wrong"})
        assert status == 200 and not answer["ok"]
        wait = re.search(r"again in (\d+) s", answer["error"])
        return wait is not None and int(wait[1]) >= 2  # seconds, for the two attempts below

    until(is_made_to_wait, "the next attempt has to wait")
    assert guesser.call("passphrase/sign-in", {}, {"passphrase": PASSPHRASE.encode()})[1]["ok"] is False, "also the right one"
    assert home.cli("unlock", "--passphrase-file", str(home.passphrase_file)).code == 3, "and at the command line"
    assert guesser.cookie is None and failed_openings(daemon) >= 2
