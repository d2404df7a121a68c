"""Every command of the README, typed in a terminal of 80 columns and 24 lines, against a running signer and a real app."""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import nostr_sdk as sdk
import pytest

from console.rust_app import RustApp
from harness.daemon import REPOSITORY
from harness.tmux import COLUMNS, Tmux
from harness.waiting import eventually
from recovery.test_kit_pages import read_html

PASSPHRASE = "a passphrase for the small terminal"
OPENED = {"/.local/share/holdfast:": PASSPHRASE}
LINK = re.compile(r"(bunker|nostrconnect|https?|wss?)://\S+$|npub1\w{58}$")
ESCAPE = re.compile(r"\x1b|\\u\{1b\}|\^\[|\[\d+(;\d+)+m|\[0?[mK]")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def printed() -> set[str]:
    """The commands that the README prints: in its sessions, and within its sentences."""
    text = (REPOSITORY / "README.md").read_text()
    sessions = re.findall(
        r"^(?:\$ )?(holdfast .*)$", "\n".join(re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)), re.MULTILINE
    )
    spans = re.findall(r"`(holdfast [^`]*)`", text)
    return {re.sub(r"\s+#.*", "", command).strip() for command in sessions + spans}


@dataclass
class Person:
    """Types the README's commands, with real names in the places of the README's, and looks at each screen."""

    terminal: Tmux
    typed: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def does(self, readme: str, *commands: str, answers: dict[str, str] | None = None, code: int = 0) -> list[str]:
        """- Returns: what the last one of the commands showed."""
        self.typed.add(readme)
        lines: list[str] = []
        for command in commands or (readme,):
            ended, lines = self.terminal.run(command, answers)
            assert ended == code, f"{command}: exit {ended}: {lines}"
            self.looks(command, lines)
        return lines

    def looks(self, command: str, lines: list[str]) -> None:
        for line in lines:
            is_copied = LINK.search(line) or line.lstrip().startswith(("holdfast ", "echo "))
            if len(line) > COLUMNS and not is_copied:
                self.faults.append(f"{command}: {len(line)} columns: {line}")
            if ESCAPE.search(line):
                self.faults.append(f"{command}: an escape sequence: {line!r}")
            if re.search(r"[^\s/]…$", line.rstrip()):
                self.faults.append(f"{command}: cut: {line}")


@pytest.fixture
def terminals():
    folder = Path(tempfile.mkdtemp(prefix="hf-", dir="/tmp"))
    opened = [Tmux(folder), Tmux(folder)]
    yield opened
    for terminal in opened:
        terminal.close()
    shutil.rmtree(folder, ignore_errors=True)


def last(lines: list[str]) -> str:
    return [line for line in lines if line.strip()][-1]


async def test_every_command_of_the_readme_fits_the_screen(terminals, rust_relay):
    terminal, background = terminals
    person = Person(terminal)
    makes_the_vault(person, terminal.folder)
    link = starts_the_signer(person, background, rust_relay)
    app = await RustApp.paired(link)
    try:
        await answers_a_request(person, app)
        await accepts_a_link(person, rust_relay)
        asks_from_this_machine(person)
        ends_it(person, app.key[:8])
    finally:
        await app.close()
    background.keys("C-c")
    background.wait_for("<done:0>")
    trial(person, background, rust_relay)
    assert printed() - person.typed == set(), "the README prints commands that this test does not type"
    assert not person.faults, "\n".join(person.faults)


def makes_the_vault(person: Person, folder) -> None:
    person.does("holdfast help")
    person.does("holdfast help all")
    person.does("holdfast man | man -l -", "holdfast man | MANPAGER=cat man -l -")
    person.does("holdfast init", answers={"New passphrase: ": PASSPHRASE, "Repeat it: ": PASSPHRASE})
    person.does("holdfast identity create NAME", "holdfast identity create main", answers=OPENED)
    key = sdk.Keys.generate().secret_key().to_bech32()
    person.does("holdfast identity import NAME", "holdfast identity import old", answers=OPENED | {"words): ": key})
    kit = "holdfast recovery create --threshold 3 --shares 5 --out kit"
    person.does(kit, answers=OPENED)
    person.does("holdfast recovery create", kit + "-two", answers=OPENED)
    shares = "\n".join(page.share for page in read_html(folder / "kit")[:3])
    person.does("holdfast recovery test", answers=OPENED | {"words of a share.": shares, "has none):": ""})
    (folder / "stick").mkdir()
    schedule = "holdfast backup schedule --to /media/stick --every 1d"
    person.does(schedule, schedule.replace("/media", str(folder)), answers=OPENED)
    person.does("holdfast identity receipt NAME", "holdfast identity receipt main", answers=OPENED)


def starts_the_signer(person: Person, background: Tmux, relay) -> str:
    """Also `up --checkpoint`. The last line that stays is the link."""
    command = f"holdfast up --checkpoint {person.terminal.folder}/checkpoint --listen 127.0.0.1:0 --relay {relay.url}"
    background.clear()
    background.type(command)
    background.wait_for("Passphrase for ")
    background.type(PASSPHRASE)
    lines = background.wait_for("bunker://")
    assert last(lines).startswith("bunker://"), lines
    person.looks(command, lines[1:])
    person.typed |= {"holdfast up", "holdfast up --checkpoint FILE"}
    person.does("holdfast console")
    lines = person.does("holdfast pair")
    assert last(lines).startswith("bunker://"), lines
    assert "bunker://" in person.terminal.screen().replace("\n", "")
    return last(lines)


def session() -> str:
    """The README's session without what differs each time: keys, ids, times and line breaks."""
    (text,) = re.findall(r"^```\n(\$ holdfast request list\n.*?)\$ holdfast log show", (REPOSITORY / "README.md").read_text(), re.M | re.S)
    return alike(text)


def alike(text: str) -> str:
    one_line = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", " ".join(text.split()))
    return re.sub(r"\b[0-9a-f]{8}([0-9a-f]{8})?\b", "KEY", one_line)


async def answers_a_request(person: Person, app: RustApp) -> None:
    asked = app.asks_to_sign('{"name":"Ada"}', kind=0)
    await eventually(lambda: any(": medium trust" in line for line in person.terminal.run("holdfast request list")[1]), "the request waits")
    lines = person.does("holdfast request list")
    assert alike("\n".join(lines)) in session(), "the README shows what the list shows"
    number = next(line for line in lines if re.match(r"[0-9a-f]{8}  ", line))[:8]
    lasting = {"Approve it? [y/N] ": "y"}
    answered = person.does("holdfast request approve 186c5281 --for 1h", f"holdfast request approve {number} --for 1h", answers=lasting)
    assert alike("\n".join(answered)) in session(), "and what the question says"
    assert (await asked).verify()
    another = app.asks_to_sign("[]", kind=10002)
    await eventually(lambda: any(": medium trust" in line for line in person.terminal.run("holdfast request list")[1]), "the request waits")
    number = next(line for line in person.does("holdfast request list") if re.match(r"[0-9a-f]{8}  ", line))[:8]
    person.does("holdfast request list|approve|deny", f"holdfast request deny {number}")
    another.cancel()
    person.does("holdfast log show --limit 4")
    person.does("holdfast log verify")


def asks_from_this_machine(person: Person) -> None:
    """The browser's files go into a profile of this test's own. A program in the background answers as the owner."""
    install = "holdfast extension install --browser chromium"
    person.does(install, f"{install} --profile {person.terminal.folder}/profile")
    answer = person.terminal.folder / "answer.sh"
    answer.write_text(
        'until id=$(holdfast request list --json | grep -o \'"id":"[0-9a-f]*\' | cut -d\'"\' -f4) && [ -n "$id" ]; do sleep 0.2; done\n'
        "holdfast request approve $id >/dev/null\n"
    )
    person.terminal.run(f"sh {answer} &")
    lines = person.does("holdfast open --print 'keyfob://pubkey?cb=https://example.com/'")
    assert any("ok=1&pubkey=" in line for line in lines), lines
    person.does("holdfast local trust NAME medium", "holdfast local trust link:https://example.com medium")


async def accepts_a_link(person: Person, relay) -> None:
    place = relay.url.replace(":", "%3A").replace("/", "%2F")
    uri = f"nostrconnect://{sdk.Keys.generate().public_key().to_hex()}?relay={place}&secret=aZ3fq8&name=Coracle"
    person.does("holdfast pair 'nostrconnect://…'", f"holdfast pair --local-relay '{uri}'", answers={"[y/N]": "y"})


def ends_it(person: Person, app: str) -> None:
    for word in ["allow", "ask", "deny"]:
        person.does("holdfast client allow|ask|deny APP sign_event:1 --for 1h", f"holdfast client {word} {app} sign_event:1 --for 1h")
    person.does("holdfast client limit", f"holdfast client limit {app} --per-hour 60")
    person.does("holdfast policy show")
    # An exit code that says whether it found something: this machine decides that.
    person.does("holdfast doctor", code=person.terminal.run("holdfast doctor")[0])
    person.does("holdfast client revoke APP", f"holdfast client revoke {app}", answers={"[y/N]": "y"})
    person.does("holdfast panic")


def trial(person: Person, background: Tmux, relay) -> None:
    command = f"holdfast up --trial --listen 127.0.0.1:0 --relay {relay.url}"
    background.clear()
    background.type(command)
    lines = background.wait_for("bunker://")
    assert last(lines).startswith("bunker://"), lines
    person.looks(command, lines[1:])
    person.typed.add("holdfast up --trial --relay wss://…")
    [home] = [line.split()[1] for line in lines if line.startswith("Vault ")]
    chosen = {"New passphrase (for the vault that is kept):": PASSPHRASE, "Repeat it:": PASSPHRASE}
    person.does("holdfast keep", f"holdfast keep --to {person.terminal.folder}/kept --home {home}", answers=chosen)
    person.looks(command, background.wait_for("Next time, start it with:")[1:])
    background.keys("C-c")
    background.wait_for("<done:0>")
