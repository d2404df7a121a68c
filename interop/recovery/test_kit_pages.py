"""A restore from every printed page: the commands and words on the page are typed, letter by letter, on a machine without a vault."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from html.parser import HTMLParser

import pytest

from harness.bare_machine import AGAIN, FRESH, NEW, OPENS, Printed, typed
from harness.daemon import PASSPHRASE
from harness.terminal import Terminal
from reference.nip19 import npub as npub_of
from reference.words import key_of_words, words_of

CODE = "velvet 31 canyon"


class PageReader(HTMLParser):
    """Reads a page as a browser shows it."""

    def __init__(self):
        super().__init__()
        self.page = Printed()
        self.inside: list[str] = []

    def handle_starttag(self, tag, attributes):
        marks = dict(attributes)
        if tag == "code" and marks.get("class") == "run":
            self.page.commands.append("")
        if tag in ("section", "code", "svg", "style", "li"):
            self.inside.append(f"{tag} {marks.get('class', '')}".strip())

    def handle_endtag(self, tag):
        if tag in ("section", "code", "svg", "style", "li"):
            self.inside.pop()

    def handle_data(self, data):
        if "style" in self.inside:
            return
        if self.inside[-2:] == ["section share", "li"]:
            self.page.words.append(data)
        if "code run" in self.inside:
            self.page.commands[-1] += data
        self.page.text += data


def read_html(folder) -> list[Printed]:
    pages = []
    for file in sorted(folder.glob("*.html")):
        reader = PageReader()
        reader.feed(file.read_text())
        pages.append(reader.page)
    return pages


def read_text(shown: str) -> list[Printed]:
    """The one text that `recovery create` prints: the words of each sheet, and below them what belongs on every sheet."""
    shares, _, rest = shown.replace("\r", "").partition("These words are shown once")
    lines = shares.split("\n")
    found = [lines[at + 1].split() for at, line in enumerate(lines) if line.startswith("Sheet ")]
    commands = [line.strip() for line in rest.split("\n") if line.startswith("     ")]
    return [Printed(words, commands, shown) for words in found]


@dataclass
class Kind:
    """One kind of identity, and how it is made in the vault."""

    name: str
    words: int = 0
    account: int = 0
    code: bool = False
    identity: str = "alice"
    holds: str = ""

    def __str__(self) -> str:
        return self.name


KINDS = [
    Kind("a key", holds="a Nostr secret key (nsec), 32 bytes"),
    Kind("12 words", words=16, holds="the entropy of 12 English BIP-39 words"),
    Kind("12 words, account 3", words=16, account=3, holds="account 3"),
    Kind("24 words", words=32, holds="the entropy of 24 English BIP-39 words"),
    Kind("24 words, account 5", words=32, account=5, holds="m/44'/1237'/5'/0/0"),
    Kind("24 words, account 70000", words=32, account=70_000, holds="account 70000"),
    Kind("24 words with a recovery code", words=32, code=True, holds="24 English"),
    Kind("a key with a recovery code", code=True, holds="nsec"),
    Kind("a name that no shell takes", words=16, identity="my $(id) 'key'", holds="12 English"),
]


def make_identity(home, kind: Kind) -> str:
    """- Returns: its npub."""
    secret = secrets.token_bytes(kind.words or 32)
    if not kind.words:
        given = secret.hex()
    else:
        given = words_of(secret)
    # The vault of `home` has an `alice` already.
    home.unlocked("identity", "delete", "alice", "--yes")
    more = ("--account", str(kind.account)) if kind.words else ()
    made = home.unlocked("identity", "import", kind.identity, *more, stdin=given).value
    if kind.words and kind.account == 0:
        assert made["npub"] == npub_of(key_of_words(given).public)
    return made["npub"]


def code_options(home, kind: Kind, new: bool) -> tuple[str, ...]:
    if not kind.code:
        return ()
    file = home.folder / "code"
    file.write_text(CODE + "\n")
    return ("--new-recovery-code-file" if new else "--recovery-code-file", str(file))


def create(home, *arguments: str, out=None) -> list[Printed]:
    """Makes a kit and returns what is printed: pages for a browser, or the text of the terminal."""
    proof = ("--passphrase-file", str(home.passphrase_file))
    more = ("--out", str(out)) if out else ()
    terminal = Terminal("recovery", "create", *arguments, *more, *proof, "--home", str(home.path))
    shown = terminal.finish()
    terminal.close()
    assert terminal.code == 0, shown
    return read_html(out) if out else read_text(shown)


@pytest.mark.parametrize("form", ["html", "text"])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_commands_of_every_page_bring_the_key_back_on_a_bare_machine(home, machines, tmp_path, kind, form):
    npub = make_identity(home, kind)
    pages = create(
        home,
        "--threshold",
        "2",
        "--shares",
        "3",
        "--identity",
        kind.identity,
        *code_options(home, kind, new=True),
        out=tmp_path / "kit" if form == "html" else None,
    )
    assert len(pages) == 3
    for page in pages:
        assert npub in page.text and kind.holds in page.text and len(page.commands) == 2
        assert page.commands == pages[0].commands
    machine = machines()
    make, restore = pages[2].commands
    machine.run(make, [(NEW, FRESH), (AGAIN, FRESH)])
    shown = machine.run(restore, [*typed([pages[2], pages[0]], CODE if kind.code else None), (OPENS, FRESH)])
    assert "The key is restored" in shown and npub in shown
    name = kind.identity if kind.identity == "alice" else "restored"
    assert machine.identities() == {name: npub}


@pytest.mark.parametrize("form", ["html", "text"])
@pytest.mark.parametrize("code", [False, True], ids=["without a code", "with a recovery code"])
def test_the_commands_of_a_vaults_page_bring_everything_back(home, machines, tmp_path, form, code):
    kind = Kind("", code=code)
    npub = {one["name"]: one["npub"] for one in home.unlocked("identity", "list").value["identities"]}
    pages = create(
        home,
        "--group",
        "2/3",
        "--group",
        "1/1",
        *code_options(home, kind, new=True),
        out=tmp_path / "kit" if form == "html" else None,
    )
    assert len(pages) == 4 and all("It contains no Nostr key" in page.text for page in pages)
    shares = typed([pages[3], pages[1], pages[0]], CODE if code else None)
    here, elsewhere = pages[0].commands
    # The machine that has the vault.
    same = machines()
    same.takes(home)
    assert "opens with the new passphrase" in same.run(here, [*shares, (NEW, FRESH), (AGAIN, FRESH)])
    assert same.identities() == npub
    # Another one, with a backup.
    other = machines()
    home.unlocked("backup", "create", str(other.home / "backup.hfb"))
    asked = shares if code else shares[:1]
    other.run(elsewhere, [("press Enter to use a kit", ""), *asked, (NEW, FRESH), (AGAIN, FRESH)])
    assert other.identities() == npub
    if not code:
        return
    # Somebody who types the command without its option is asked for the code, and not for the words again.
    forgetful = machines()
    home.unlocked("backup", "create", str(forgetful.home / "backup.hfb"))
    line = elsewhere.replace(" --recovery-code", "")
    forgetful.run(
        line,
        [
            ("press Enter to use a kit", ""),
            shares[0],
            ("These shares alone do not open this backup.\r\nRecovery code", CODE),
            (NEW, FRESH),
            (AGAIN, FRESH),
        ],
    )
    assert forgetful.identities() == npub


def test_shares_without_the_npub_ask_which_key_they_are_for(home, machines):
    kind = Kind("", words=32, account=2)
    npub = make_identity(home, kind)
    pages = create(home, "--threshold", "2", "--shares", "2", "--identity", "alice")
    machine = machines()
    machine.run("holdfast init", [(NEW, FRESH), (AGAIN, FRESH)])
    line = "holdfast recovery restore --identity alice"
    refused = machine.fails(line, [*typed(pages, ""), ("press Enter if none", "")])
    assert "Nothing was stored" in refused and "24 words, account 0" not in refused
    assert machine.identities() == {}
    mistyped = npub[:-1] + ("q" if npub[-1] != "q" else "p")
    machine.run(line, [*typed(pages, ""), ("press Enter if none", mistyped), ("press Enter if none", npub), (OPENS, FRESH)])
    assert machine.identities() == {"alice": npub}


def test_shares_that_give_one_key_alone_are_asked_about(home, machines):
    npub = make_identity(home, Kind("", words=16))
    pages = create(home, "--threshold", "2", "--shares", "2", "--identity", "alice")
    machine = machines()
    machine.run("holdfast init", [(NEW, FRESH), (AGAIN, FRESH)])
    line = "holdfast recovery restore --identity alice"
    assert "Nothing was stored" in machine.fails(line, [*typed(pages, ""), ("Is that the key you want back?", "n")])
    machine.run(line, [*typed(pages, ""), ("[y/N]", "y"), (OPENS, FRESH)])
    assert machine.identities() == {"alice": npub}


def test_a_mistyped_recovery_code_costs_no_share(home, machines):
    kind = Kind("", words=32, code=True)
    npub = make_identity(home, kind)
    pages = create(home, "--threshold", "2", "--shares", "2", "--identity", "alice", *code_options(home, kind, new=True))
    machine = machines()
    machine.run("holdfast init", [(NEW, FRESH), (AGAIN, FRESH)])
    line = f"holdfast recovery restore --identity alice --npub {npub}"
    given_up = machine.fails(line, [*typed(pages, "velvet 13 canyon"), ("once more", ""), (OPENS, FRESH)])
    assert "do not give" in given_up
    machine.run(line, [*typed(pages, "velvet 13"), ("once more", CODE), (OPENS, FRESH)])
    assert machine.identities() == {"alice": npub}


def test_the_pages_are_tested_as_they_say(home, machines, tmp_path):
    """`holdfast recovery test` stands on each page, too."""
    for number, arguments in enumerate([("--identity", "alice"), ()]):
        pages = create(home, "--threshold", "2", "--shares", "3", *arguments, out=tmp_path / str(number))
        assert all("holdfast recovery test" in page.text for page in pages)
        machine = machines()
        machine.takes(home)
        shown = machine.run("holdfast recovery test", [*typed(pages[:2], None), (OPENS, PASSPHRASE)])
        assert "This was tried in a temporary" in shown
