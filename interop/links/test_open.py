"""`holdfast open` and `holdfast links`: links from a shell and from the desktop."""

from __future__ import annotations

import gzip
import json
import subprocess
import threading
from base64 import b64decode, urlsafe_b64encode
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from harness.daemon import binary, environment, run
from harness.terminal import Terminal
from harness.waiting import until
from reference.events import is_genuine
from reference.keys import Key

NOTE = {"kind": 1, "content": "from a link & more", "tags": [["t", "x"]], "created_at": 1_750_000_000}
CALLBACK = "https://site.example/signed?x=1"


def link(action: str = "sign", event: dict | None = NOTE, callback: str = CALLBACK, scheme: str = "keyfob", more: str = "") -> str:
    payload = urlsafe_b64encode(json.dumps(event).encode()).decode().rstrip("=") if event else ""
    return f"{scheme}://{action}?" + (f"payload={payload}&" if payload else "") + f"cb={quote(callback, safe='')}{more}"


def opened_by(daemon, *arguments: str, **more):
    """As a person runs it: without `--json`."""
    return run(*arguments, "--home", str(daemon.home.path), **more)


def answered(daemon, *arguments: str, approve: bool = True, **more):
    """Runs a command that asks, and answers as its owner."""

    def answer():
        waiting = until(daemon.waiting, "a request that waits")[0]
        daemon.do("request", "approve" if approve else "deny", waiting["id"])

    owner = threading.Thread(target=answer)
    owner.start()
    finished = opened_by(daemon, *arguments, **more)
    owner.join()
    return finished


def parts(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address.strip()).query).items()}


def the_event(address: str, event: dict = NOTE) -> dict:
    answer = parts(address)
    return {**event, "id": answer["id"], "pubkey": answer["pubkey"], "sig": answer["sig"]}


def test_a_link_is_answered_with_a_signature(daemon):
    finished = answered(daemon, "open", link(more="&nonce=n%201&origin=https://site.example"), "--print")
    assert finished.code == 0
    assert finished.out.startswith(CALLBACK + "&ok=1&")
    assert is_genuine(the_event(finished.out)) and parts(finished.out)["nonce"] == "n 1"


@pytest.mark.parametrize("scheme", ["keyfob", "holdfast"])
def test_a_link_asks_for_the_public_key(daemon, scheme):
    finished = answered(daemon, "open", link("pubkey", None, scheme=scheme), "--print")
    assert parts(finished.out) == {"x": "1", "ok": "1", "pubkey": daemon.user}


def test_what_was_let_in_is_answered_at_once_and_the_log_names_the_place(daemon):
    answered(daemon, "open", link("pubkey", None), "--print")
    daemon.do("local", "trust", "link:https://site.example", "full")
    assert is_genuine(the_event(opened_by(daemon, "open", link(), "--print").out))
    assert daemon.do("local", "list")["programs"][0]["link"] == {"callback": "https://site.example"}
    assert any("links to https://site.example" in json.dumps(entry) for entry in daemon.log_entries())


def test_a_denial_goes_to_the_callback_and_is_exit_code_4(daemon):
    finished = answered(daemon, "open", link(), "--print", approve=False)
    assert finished.code == 4
    assert parts(finished.out) == {"x": "1", "ok": "0", "code": "denied", "msg": "user rejected"}


def test_another_place_is_another_asker(daemon):
    answered(daemon, "open", link("pubkey", None), "--print")
    daemon.do("local", "trust", "link:https://site.example", "full")
    finished = answered(daemon, "open", link("pubkey", None, "https://other.example/"), "--print", approve=False)
    assert finished.code == 4


@pytest.mark.parametrize(
    "callback", ["javascript:alert(1)", "http://site.example/", "file:///tmp/x", "unknown-app:x", "https://a@b.example"]
)
def test_without_a_good_callback_nothing_is_asked(daemon, callback):
    finished = opened_by(daemon, "open", link(callback=callback), "--print")
    assert finished.code == 2 and finished.out == "" and "Nothing was asked" in finished.err
    assert daemon.waiting() == []


@pytest.mark.parametrize(
    ("more", "event", "code"),
    [
        ("&origin=https://other.example", NOTE, "invalid"),
        ("", {"kind": 1, "content": "x" * 17_000, "tags": []}, "too-large"),
        ("", {"kind": 1}, "invalid"),
    ],
)
def test_a_fault_is_the_answer(daemon, more, event, code):
    finished = opened_by(daemon, "open", link(event=event, more=more), "--print")
    assert (finished.code, parts(finished.out)["code"]) == (2, code)


def nostrsigner(content: str, compression: str = "none") -> str:
    event = quote(json.dumps({"kind": 1, "content": content, "tags": [], "created_at": 1_750_000_000}), safe="")
    callback = quote("https://site.example/?event=", safe="")
    return f"nostrsigner:{event}?compressionType={compression}&returnType=event&type=sign_event&callbackUrl={callback}"


def test_a_nostrsigner_link_gets_the_bare_result(daemon):
    assert is_genuine(json.loads(parts(answered(daemon, "open", nostrsigner("hi"), "--print").out)["event"]))
    finished = answered(daemon, "open", nostrsigner("no"), "--print", approve=False)
    assert (finished.code, finished.out) == (4, "") and "no way to say so" in finished.err


def test_a_nostrsigner_link_gets_gzip_if_it_wants(daemon):
    answer = parts(answered(daemon, "open", nostrsigner("hi", "gzip"), "--print").out)["event"]
    assert is_genuine(json.loads(gzip.decompress(b64decode(answer.removeprefix("Signer1")))))


def test_nothing_is_put_behind_a_bare_host(daemon):
    finished = opened_by(daemon, "open", "nostrsigner:?type=get_public_key&callbackUrl=https://site.example", "--print")
    assert finished.code == 2 and "needs a path" in finished.err
    assert daemon.waiting() == []


def test_without_a_signer_it_says_so(home):
    finished = run("open", link("pubkey", None), "--print", "--home", str(home.path))
    assert finished.code != 0 and "needs the running signer" in finished.err


def test_the_callback_is_opened_by_the_desktop(daemon, tmp_path):
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >"{opened}"\n')
    browser.chmod(0o755)
    finished = answered(daemon, "open", link("pubkey", None), env=environment(BROWSER=str(browser)))
    assert finished.code == 0
    address = until(lambda: opened.exists() and opened.read_text(), "the browser")
    assert parts(address)["pubkey"] == daemon.user


def test_the_desktop_opens_links_with_holdfast(daemon, tmp_path):
    """As a person would: install, then open a link by the desktop's own program."""
    folder = tmp_path / "home"
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >"{opened}"\n')
    browser.chmod(0o755)
    env = environment(
        HOME=str(folder),
        XDG_DATA_HOME=str(folder / "data"),
        XDG_CONFIG_HOME=str(folder / "config"),
        BROWSER=str(browser),
        XDG_CURRENT_DESKTOP="",
        DISPLAY=":99",
        HOLDFAST_HOME=str(daemon.home.path),
    )
    folder.mkdir()
    (folder / "config").mkdir()
    applications = folder / "data/applications"
    applications.mkdir(parents=True)
    handled = "x-scheme-handler/https"
    (applications / "browser.desktop").write_text(f"[Desktop Entry]\nType=Application\nName=B\nExec={browser} %u\nMimeType={handled};\n")
    subprocess.run(["xdg-mime", "default", "browser.desktop", handled], env=env, check=True)
    assert run("links", "install", "--home", str(daemon.home.path), env=env).code == 0
    entry = folder / "data/applications/holdfast-links.desktop"
    assert str(binary().resolve()) in entry.read_text()
    subprocess.run(["desktop-file-validate", entry], check=True)
    for scheme in ("keyfob", "holdfast", "nostrsigner"):
        asked = subprocess.run(["xdg-mime", "query", "default", f"x-scheme-handler/{scheme}"], env=env, capture_output=True, text=True)
        assert asked.stdout.strip() == entry.name
    handler = subprocess.Popen(["xdg-open", link("pubkey", None)], env=env)
    waiting = until(daemon.waiting, "a request that waits")[0]
    daemon.do("request", "approve", waiting["id"])
    assert parts(until(lambda: opened.exists() and opened.read_text(), "the browser"))["pubkey"] == daemon.user
    handler.wait(20)
    assert run("links", "uninstall", env=env).code == 0 and not entry.exists()


def test_uninstalling_takes_only_its_own_lines_out_of_the_lists_of_defaults(tmp_path):
    env = environment(
        HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path / "data"), XDG_CONFIG_HOME=str(tmp_path / "config"), XDG_CURRENT_DESKTOP=""
    )
    (tmp_path / "config").mkdir()
    before = "[Default Applications]\nx-scheme-handler/https=browser.desktop;\n\n[Added Associations]\ntext/plain=a.desktop;\n"
    listed = tmp_path / "config/mimeapps.list"
    listed.write_text(before)
    assert run("links", "install", "--home", "/vaults/a", env=env).code == 0
    assert listed.read_text().count("holdfast-links.desktop") == 3
    listed.chmod(0o600)
    assert run("links", "uninstall", env=env).code == 0
    assert listed.read_text() == before and listed.stat().st_mode & 0o777 == 0o600
    listed.unlink()
    listed.symlink_to(tmp_path / "dotfiles")
    key = "x-scheme-handler/keyfob="
    foreign = f"[Removed Associations]\n{key}holdfast-links.desktop\n"
    listed.write_text(f"[Added Associations]\n{key}other.desktop;holdfast-links.desktop;\n{foreign}")
    assert run("links", "uninstall", env=env).code == 0 and listed.is_symlink()
    assert listed.read_text() == f"[Added Associations]\n{key}other.desktop;\n{foreign}"


def test_a_home_with_any_name_is_quoted(tmp_path):
    """As the Desktop Entry Specification says: quotes, then the escapes of a string."""
    env = environment(HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path), XDG_CONFIG_HOME=str(tmp_path))
    assert run("links", "install", "--home", '/vaults/a "b" $c %u\\d', env=env).code == 0
    entry = tmp_path / "applications/holdfast-links.desktop"
    assert r'"/vaults/a \\"b\\" \\$c %%u\\\\d" %u' in entry.read_text()
    subprocess.run(["desktop-file-validate", entry], check=True)


def test_a_file_of_somebody_else_is_not_replaced(tmp_path):
    entry = tmp_path / "applications/holdfast-links.desktop"
    entry.parent.mkdir()
    entry.write_text("[Desktop Entry]\nName=Mine\n")
    env = environment(XDG_DATA_HOME=str(tmp_path), XDG_CONFIG_HOME=str(tmp_path))
    for verb in ("install", "uninstall"):
        finished = run("links", verb, env=env)
        assert finished.code == 1 and "was not written by Holdfast" in finished.err
    assert "Mine" in entry.read_text()


@pytest.fixture
def desktop(tmp_path):
    """A desktop without a portal, whose xdg-open notes what it gets. An app takes links of the scheme `editor`."""
    (tmp_path / "bin").mkdir()
    opener = tmp_path / "bin/xdg-open"
    opener.write_text(f'#!/bin/sh\necho "$1" >"{tmp_path}/opened"\necho noise; echo noise >&2\n[ ! -e "{tmp_path}/fails" ]\n')
    query = tmp_path / "bin/xdg-mime"
    query.write_text('#!/bin/sh\n[ "$3" = x-scheme-handler/editor ] && echo editor.desktop\n')
    for program in (opener, query):
        program.chmod(0o755)
    return environment(PATH=f"{tmp_path / 'bin'}:/usr/bin:/bin")


def test_a_decrypted_answer_is_never_an_argument_of_another_program(daemon, desktop, tmp_path):
    peer = Key().public
    back = quote("https://site.example/?event=", safe="")

    def secret(kind: str, text: str, *more: str):
        return opened_by(
            daemon, "open", f"nostrsigner:{quote(text)}?type=nip44_{kind}&pubkey={peer}&callbackUrl={back}", *more, env=desktop
        )

    answered(daemon, "open", f"nostrsigner:hi?type=nip44_encrypt&pubkey={peer}&callbackUrl={back}", "--print", env=desktop)
    daemon.do("local", "trust", "link:https://site.example", "full")
    sealed = parts(secret("encrypt", "a private message", "--print").out)["event"]
    refused = secret("decrypt", sealed)
    assert refused.code == 1 and "--print" in refused.err and "private" not in refused.said
    assert not (tmp_path / "opened").exists()
    assert parts(secret("decrypt", sealed, "--print").out)["event"] == "a private message"


@pytest.mark.parametrize("asked", ["keyfob://x", "keyfob://sign"], ids=["an unknown action", "no event"])
def test_a_faulty_link_opens_no_app(daemon, desktop, tmp_path, asked):
    finished = opened_by(daemon, "open", f"{asked}?cb={quote('editor://run?cmd=x&z=', safe='')}", env=desktop)
    assert finished.code == 2 and "nothing was opened" in finished.err
    assert not (tmp_path / "opened").exists() and daemon.waiting() == []


@pytest.mark.parametrize("more", [(), ("--json",)], ids=["for people", "as JSON"])
def test_a_faulty_link_opens_nothing_for_a_place_that_was_not_let_in(daemon, desktop, tmp_path, more):
    faulty = link(event={"kind": 1})
    finished = opened_by(daemon, "open", faulty, *more, env=desktop)
    assert finished.code == 2 and "is not an event" in finished.said and "nothing was opened" in finished.said
    assert not (tmp_path / "opened").exists() and daemon.waiting() == []
    assert parts(opened_by(daemon, "open", faulty, "--print", env=desktop).out)["code"] == "invalid"


def test_a_faulty_link_is_answered_to_a_place_that_was_let_in(daemon, desktop, tmp_path):
    answered(daemon, "open", link("pubkey", None), "--print", env=desktop)
    daemon.do("local", "trust", "link:https://site.example", "low")
    finished = opened_by(daemon, "open", link(event={"kind": 1}), env=desktop)
    assert finished.code == 2 and parts((tmp_path / "opened").read_text())["code"] == "invalid"


def test_what_nobody_said_no_to_opens_nothing_either(daemon, desktop, tmp_path):
    """Any page can open links without end: while the signer is locked, each would open the next page."""
    daemon.do("lock")
    finished = opened_by(daemon, "open", link("pubkey", None), env=desktop)
    assert finished.code == 3 and "nothing was opened" in finished.err and not (tmp_path / "opened").exists()
    assert parts(opened_by(daemon, "open", link("pubkey", None), "--print", env=desktop).out)["code"] == "locked"


def test_an_app_is_opened_with_an_answer_only(daemon, desktop, tmp_path):
    denied = answered(daemon, "open", link("pubkey", None, callback="editor://got"), approve=False, env=desktop)
    assert denied.code == 4 and "nothing was opened" in denied.err
    # The "no" is remembered for a while: another address of the same app is not opened by it either.
    again = opened_by(daemon, "open", link("pubkey", None, callback="editor://run?cmd=x"), env=desktop)
    assert again.code == 4 and daemon.waiting() == [] and not (tmp_path / "opened").exists()
    answered(daemon, "open", link(callback="editor://got"), env=desktop)
    assert (tmp_path / "opened").read_text().startswith("editor://got?ok=1")


def test_an_answer_that_cannot_be_opened_is_shown(daemon, desktop, tmp_path):
    (tmp_path / "fails").touch()
    finished = answered(daemon, "open", link("pubkey", None), env=desktop)
    assert finished.code == 1 and f"Open it yourself: {CALLBACK}&ok=1&pubkey={daemon.user}" in finished.err
    assert "noise" not in finished.said


def test_at_a_terminal_only_the_errors_of_the_desktops_program_are_dropped(daemon, desktop, tmp_path):
    (tmp_path / "fails").touch()
    answered(daemon, "open", link("pubkey", None), "--print", env=desktop)
    daemon.do("local", "trust", "link:https://site.example", "full")
    terminal = Terminal("open", link("pubkey", None), "--home", str(daemon.home.path), PATH=desktop["PATH"])
    shown = terminal.finish()
    terminal.close()
    assert shown.count("noise") == 1 and "Open it yourself" in shown


def test_it_waits_for_the_owner_as_long_as_it_is_told(daemon, desktop, tmp_path):
    finished = opened_by(daemon, "open", link(), "--print", "--wait", "2s")
    answer = parts(finished.out)
    assert finished.code == 1 and answer["code"] == "expired" and "did not answer within 2s" in answer["msg"]
    until(lambda: not daemon.waiting(), "the end of the request")
    unprinted = opened_by(daemon, "open", link(), "--wait", "1s", env=desktop)
    assert unprinted.code == 1 and "Nothing was opened" in unprinted.err and not (tmp_path / "opened").exists()
    assert opened_by(daemon, "open", link(), "--print", "--wait", "soon").code == 2


def test_at_a_terminal_it_says_how_to_answer(daemon):
    terminal = Terminal("open", link(), "--print", "--home", str(daemon.home.path), COLUMNS="400")
    terminal.wait_for("It waits for you")
    waiting = daemon.waiting()[0]
    typed = f"holdfast --home {daemon.home.path} request approve {waiting['id']}"
    assert typed in " ".join(terminal.wait_for("request deny").split())
    daemon.do("request", "approve", waiting["id"])
    assert "ok=1" in terminal.finish() and terminal.code == 0
    terminal.close()


def test_a_path_with_a_line_break_writes_no_entry(tmp_path):
    env = environment(XDG_DATA_HOME=str(tmp_path), XDG_CONFIG_HOME=str(tmp_path))
    finished = run("links", "install", "--home", "/vaults/a\nExec=/bin/evil\nX=b", env=env)
    assert finished.code == 1 and "control character" in finished.err
    assert not (tmp_path / "applications").exists()


def test_the_page_on_links_makes_a_link_that_signs(daemon):
    page = Path(__file__).parents[2] / "docs/LINKS.md"
    typed = [line[2:] for line in page.read_text().splitlines() if line.startswith(("$ P=", '$ holdfast open --print "'))]
    assert len(typed) == 2, "the page shows how to make the payload, and the link"
    script = "\n".join(typed).replace("holdfast open", f"{binary()} open --home {daemon.home.path}")
    shell = subprocess.Popen(["bash", "-c", script], stdout=subprocess.PIPE, text=True, env=environment())
    daemon.do("request", "approve", until(daemon.waiting, "the link's request")[0]["id"])
    out = shell.communicate(timeout=60)[0]
    assert out.startswith("https://example.com/signed?ok=1&") and {"id", "pubkey", "sig"} <= set(parts(out))
