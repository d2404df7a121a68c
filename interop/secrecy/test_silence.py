"""No secret gets out: known secrets are planted, a whole session runs, and everything that it leaves behind is searched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import daemon as command
from harness.app import App
from harness.daemon import PASSPHRASE
from harness.scripted_relay import ScriptedRelay
from harness.waiting import eventually
from reference import nip04, nip19, nip44
from reference.events import as_json, template
from reference.keys import Key

PEER = Key()
IMPORTED = [Key(), Key()]
WORDS = "system short news wasp pilot predict remind relax shell rice hybrid concert"
WORDS_SECRET = bytes.fromhex("205bca3ea9b689f896f387ad2842f29f454c5f1acc5b9c7ae6ecbba8efcd7d7a")
PLAINTEXT = "the canary in the plaintext"
# A text that an app wants encrypted while the owner is asked. The owner's own commands show it.
TO_BE_SEALED = "a text the owner is asked about"
WRONG = "wrong passphrase canary"


def forms_of(secret: bytes) -> set[bytes]:
    """A secret key as it might show up."""
    texts = {secret.hex(), secret.hex().upper(), nip19.nsec(secret), nip19.nsec(secret).upper()}
    return {secret, secret[::-1]} | {text.encode() for text in texts}


CANARIES = {
    "the passphrase": {PASSPHRASE.encode()},
    "a wrong passphrase": {WRONG.encode()},
    "an imported key": set.union(*(forms_of(key.secret) for key in IMPORTED)),
    "the words": {WORDS.encode(), " ".join(WORDS.split()[:4]).encode(), " ".join(WORDS.split()[-4:]).encode()},
    "the key of the words": forms_of(WORDS_SECRET),
    "a decrypted text": {PLAINTEXT.encode()},
}


async def use_everything(daemon, apps) -> None:
    """Every command and every method, right and wrong."""
    for verb, key in (("bob", nip19.nsec(IMPORTED[0].secret)), ("carol", IMPORTED[1].secret.hex()), ("dave", WORDS)):
        daemon.do("identity", "import", verb, stdin=key)
        daemon.cli("identity", "import", verb + "2", stdin=key + "x")
    for identity in ("alice", "bob", "carol", "dave"):
        await use_as(daemon, apps, identity)
    wrong = daemon.home.folder / "wrong"
    wrong.write_text(WRONG)
    daemon.cli("identity", "show", "nobody", "--passphrase-file", str(wrong))
    for command_line in (["identity", "list"], ["client", "list"], ["request", "list"], ["log", "show"], ["status"]):
        daemon.do(*command_line)
    daemon.do("sign", stdin=as_json(template()))


async def use_as(daemon, apps, identity: str) -> None:
    link = daemon.pair("full", "--identity", identity)
    app = await apps(App.by_link(link))
    await app.error("connect", link.signer, "wrong")
    await app.result("connect", link.signer, link.secret)
    user = await app.result("get_public_key")
    await app.sign(template())
    for family, cipher in (("nip44", nip44), ("nip04", nip04)):
        sealed = cipher.encrypt(PEER, user, PLAINTEXT)
        assert await app.result(f"{family}_decrypt", PEER.public, sealed) == PLAINTEXT
        await app.error(f"{family}_decrypt", PEER.public, sealed[:-8])
        await app.result(f"{family}_encrypt", PEER.public, PLAINTEXT)
    low = await apps(App.paired(daemon.pair("low", "--identity", identity)))
    await low.send("nip44_encrypt", [PEER.public, TO_BE_SEALED])
    await eventually(lambda: [r for r in daemon.waiting() if r["client"]["pubkey"] == low.key.public], "a request waits")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def found(canaries: set[bytes], places: dict[str, bytes]) -> list[str]:
    return [place for place, data in places.items() if any(canary in data for canary in canaries)]


@pytest.fixture
async def left_behind(start, home, scripted_relay, apps):
    """Everything that a session leaves: files, outputs, what the kernel shows of the process, and what a relay received."""
    first_output = len(command.outputs)
    daemon = start(relays=(scripted_relay.url,))
    await use_everything(daemon, apps)
    places = {f"while running: {name}": data for name, data in contents(home.path).items()}
    for name in ("cmdline", "environ", "maps"):
        places[f"/proc {name}"] = Path(f"/proc/{daemon.pid}/{name}").read_bytes()
    daemon.stop()
    places |= contents(home.path)
    places |= {f"output of command {n}": text.encode() for n, text in enumerate(command.outputs[first_output:])}
    places |= {"daemon's output": daemon.printed.encode(), "daemon's errors": daemon.errors.encode()}
    places["relay"] = json.dumps(scripted_relay.events).encode()
    return places


async def test_no_secret_in_any_output_log_or_file(left_behind):
    for name, canaries in CANARIES.items():
        assert found(canaries, left_behind) == [], name


async def test_a_text_to_be_sealed_is_shown_to_the_owner_who_is_asked_and_to_nobody_else(left_behind):
    places = found({TO_BE_SEALED.encode()}, left_behind)
    assert places and all(place.startswith("output of command") for place in places)


async def test_the_search_finds_what_is_there(left_behind):
    """The same search finds a planted secret, so an empty result means something."""
    planted = {"a": b"x" + PASSPHRASE.encode() + b"y", "b": nip19.nsec(IMPORTED[0].secret).encode()}
    assert found(CANARIES["the passphrase"], planted) == ["a"]
    assert found(CANARIES["an imported key"], planted) == ["b"]
    assert any(b"alice" in data for data in left_behind.values())


async def test_a_waiting_request_is_sealed_at_rest(start, home, apps):
    daemon = start()
    app = await apps(App.paired(daemon.pair("low")))
    await app.send("sign_event", [as_json(template(content=PLAINTEXT))])
    await eventually(daemon.waiting, "the request waits")
    assert found({PLAINTEXT.encode(), app.key.public.encode(), bytes.fromhex(app.key.public)}, vault_of(home)) == []


def vault_of(home) -> dict[str, bytes]:
    return {name: data for name, data in contents(home.path).items() if "vault" in Path(name).name}


async def test_names_and_relays_of_pairings_are_sealed_at_rest(start, home, apps):
    with ScriptedRelay() as relay:
        daemon = start(relays=(relay.url,))
        app = await apps(App.paired(daemon.pair()))
        daemon.do("client", "rename", app.key.public, "a telling name")
        places = vault_of(home)
    assert found({b"a telling name", relay.url.encode(), app.key.public.encode()}, places) == []
