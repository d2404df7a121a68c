"""`/app/sign` and `/app/pubkey`: links over HTTP, as a browser or a program opens them."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import threading
from urllib.parse import urlsplit

import pytest

from harness.waiting import until
from reference.events import is_genuine

from .test_open import CALLBACK, NOTE, link, parts, the_event


def place(daemon) -> tuple[str, int]:
    address = urlsplit(daemon.relay)
    return address.hostname, address.port


def get(daemon, path: str, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(*place(daemon), timeout=30)
    connection.request("GET", path, headers=headers)
    return connection.getresponse()


def path_of(action: str = "sign", **more) -> str:
    return "/app/" + link(action, **more).removeprefix("keyfob://")


def asked(daemon, path: str, approve: bool = True) -> http.client.HTTPResponse:
    def answer():
        daemon.do("request", "approve" if approve else "deny", until(daemon.waiting, "a request that waits")[0]["id"])

    owner = threading.Thread(target=answer)
    owner.start()
    response = get(daemon, path)
    owner.join()
    return response


def test_it_ends_in_a_redirect_to_the_callback(daemon):
    response = asked(daemon, path_of())
    location = response.getheader("location")
    assert response.status == 303 and location.startswith(CALLBACK + "&ok=1&")
    assert is_genuine(the_event(location))
    assert parts(asked(daemon, path_of("pubkey", event=None, callback="https://b.example/")).getheader("location"))["pubkey"] == daemon.user


def test_a_denial_is_a_redirect_too(daemon):
    assert parts(asked(daemon, path_of(), approve=False).getheader("location"))["code"] == "denied"


def test_what_was_let_in_is_answered_at_once(daemon):
    asked(daemon, path_of("pubkey", event=None))
    daemon.do("local", "trust", "link:https://site.example", "full")
    assert is_genuine(the_event(get(daemon, path_of()).getheader("location")))


@pytest.mark.parametrize("callback", ["javascript:alert(1)", "http://site.example/", "myapp:x", ""])
def test_a_bad_callback_is_never_redirected_to(daemon, callback):
    response = get(daemon, path_of(callback=callback))
    assert response.status == 400 and response.getheader("location") is None
    assert daemon.waiting() == []


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}]
)
def test_an_image_or_frame_of_a_page_cannot_ask(daemon, headers):
    assert get(daemon, path_of(), **headers).status == 403
    assert daemon.waiting() == []


def test_a_page_that_is_only_fetched_in_advance_cannot_ask(daemon):
    headers = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Purpose": "prefetch"}
    assert get(daemon, path_of(), **headers).status == 403
    assert daemon.waiting() == []


def test_a_request_ends_with_its_connection(daemon):
    connection = http.client.HTTPConnection(*place(daemon), timeout=30)
    connection.request("GET", path_of())
    until(daemon.waiting, "a request that waits")
    connection.close()
    until(lambda: not daemon.waiting(), "the end of the request")
    assert is_genuine(the_event(asked(daemon, path_of()).getheader("location"))), "it may be asked again"


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via"])
def test_what_came_through_a_proxy_must_sign_in(daemon, header):
    response = get(daemon, path_of(), **{header: "192.0.2.1"})
    assert response.status == 403 and "/link.js" in response.read().decode()
    assert daemon.waiting() == []


def test_an_event_of_16_kib_is_taken_and_a_longer_one_is_too_large(daemon):
    asked(daemon, path_of("pubkey", event=None))
    daemon.do("local", "trust", "link:https://site.example", "full")
    frame = len(json.dumps({**NOTE, "content": ""}))
    largest = {**NOTE, "content": "x" * ((16 << 10) - frame)}
    assert is_genuine(the_event(get(daemon, path_of(event=largest)).getheader("location"), largest))
    larger = {**NOTE, "content": "x" * ((16 << 10) - frame + 1)}
    assert parts(get(daemon, path_of(event=larger)).getheader("location"))["code"] == "too-large"


def test_a_name_that_is_not_the_signers_cannot_ask(daemon):
    assert get(daemon, path_of(), Host="evil.example").status in (400, 403, 421)
    assert daemon.waiting() == []


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user")
def test_another_user_cannot_ask(daemon):
    host, port = place(daemon)
    curl = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code} %{redirect_url}", f"http://{host}:{port}{path_of()}&holdfast-ticket=1"]
    other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", shutil.which("curl"), *curl[1:]]
    assert subprocess.run(other, capture_output=True, text=True, timeout=30).stdout.strip() == "403"
    assert daemon.waiting() == []


def test_the_setting_for_new_programs_lets_no_link_in(start):
    daemon = start(arguments=("--local-trust", "full"))
    for path in (path_of("pubkey", event=None), path_of()):
        assert asked(daemon, path, approve=False).status == 303
    assert daemon.do("local", "list")["programs"][0]["first_use"] is True


def test_a_link_tells_no_page_which_keys_there_are(daemon):
    """Whatever author its event names, the answer waits for the owner, and is the same."""
    foreign = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    answers = set()
    for author in (daemon.user, foreign):
        response = asked(daemon, path_of(event={**NOTE, "pubkey": author}, callback="https://walks.example/?i=1"), approve=False)
        answers.add(response.getheader("location"))
    daemon.do("lock")
    for author in (daemon.user, foreign):
        response = get(daemon, path_of(event={**NOTE, "pubkey": author}, callback="https://walks.example/?i=1"))
        answers.add(parts(response.getheader("location"))["code"])
    assert answers == {"https://walks.example/?i=1&ok=0&code=denied&msg=user%20rejected", "locked"}
