"""Guardians: shares that travel as gift wraps between real signers, and what strangers, thieves and copies come to."""

from __future__ import annotations

import json
import time

import nostr_sdk as sdk
import pytest
from websockets.sync.client import connect

from harness.daemon import Home
from harness.waiting import until

DELAY = 3
FAILED, NOT_FOUND = 1, 5


class Person:
    """A home and its running signer on a relay outside."""

    def __init__(self, closed_home: Home | None, relay: str):
        self.home = closed_home.copied() if closed_home else Home.created()
        self.relay = relay
        self.passphrase = ("--passphrase-file", str(self.home.passphrase_file))
        self.shares: list[str] = []
        self.daemon = None

    def up(self) -> Person:
        self.daemon = self.home.start(relays=(self.relay,), embedded=False)
        return self

    def down(self) -> None:
        if self.daemon:
            self.daemon.kill()
            self.daemon = None

    def __call__(self, *arguments: str, **more):
        return self.home.cli(*arguments, **more)

    @property
    def npub(self) -> str:
        return self("identity", "show").value["npub"]

    def requests(self) -> list[dict]:
        return self("guardian", "requests").value["requests"]

    def asked(self) -> list[dict]:
        return self("guardian", "asked").value["asked"]


@pytest.fixture
def people(rust_relay):
    made: list[Person] = []

    def person() -> Person:
        made.append(Person(None, rust_relay.url).up())
        return made[-1]

    yield person
    for one in made:
        one.down()
        one.home.remove()


@pytest.fixture
def scene(people):
    """An owner with a kit of two in three, a guardian who keeps the second share, and the owner's other share on paper."""
    owner, guardian = people(), people()
    guardian("guardian", "listen", "on", check=True)
    done = owner("recovery", "create", "--threshold", "2", "--shares", "3", "--identity", "alice", *owner.passphrase, check=True)
    owner.shares = done.value["shares"]
    owner.kit = owner("recovery", "list").value["kits"][0]["id"]
    owner("guardian", "add", guardian.npub, "--kit", owner.kit, "--delay", f"{DELAY}s", stdin=owner.shares[1], check=True)
    until(lambda: owner("guardian", "list").value["guardians"][0]["since"], "the guardian says that he keeps it", 20)
    return owner, guardian


def test_a_share_is_kept_and_comes_back_after_the_wait_and_the_guardians_yes(scene, people):
    owner, guardian = scene
    before = owner("identity", "show").value["pubkey"]
    held = guardian("guardian", "held").value["held"]
    assert [(one["from"], one["kit"], one["share"]) for one in held] == [(owner.npub, owner.kit, 2)]
    newcomer = people()
    asked = newcomer("guardian", "ask", guardian.npub, owner.kit, "--note", "my laptop is gone", check=True).value
    seen = until(guardian.requests, "the guardian sees the request", 20)[0]
    assert seen["code"] == asked["code"] and seen["note"] == "my laptop is gone" and seen["mine"] is False
    assert seen["from"] == newcomer.npub and seen["due"] - seen["at"] == DELAY
    # Without a yes nothing comes, however long one waits.
    time.sleep(DELAY + 1)
    assert newcomer.asked()[0]["state"] == "waiting" and newcomer("guardian", "asked", "--shares").value["shares"] == []
    guardian("guardian", "release", seen["id"], check=True)
    until(lambda: newcomer.asked()[0]["state"] == "given", "the share comes back", 20)
    came = newcomer("guardian", "asked", "--shares").value["shares"]
    assert came == [owner.shares[1]]
    newcomer("recovery", "restore", "--identity", "again", stdin="\n".join([*came, owner.shares[0]]), check=True)
    assert newcomer("identity", "show", "again").value["pubkey"] == before
    assert guardian.requests() == []


def test_a_yes_before_the_wait_is_over_gives_nothing_before(scene, people):
    owner, guardian = scene
    newcomer = people()
    newcomer("guardian", "ask", guardian.npub, owner.kit, check=True)
    seen = until(guardian.requests, "the guardian sees the request", 20)[0]
    guardian("guardian", "release", seen["id"], check=True)
    until(lambda: newcomer.asked()[0]["state"] == "given", "the share comes back", 20)
    assert time.time() >= seen["due"]


def test_the_owner_hears_of_a_thief_and_stops_him(scene, people):
    owner, guardian = scene
    thief = people()
    thief("guardian", "ask", guardian.npub, owner.kit, "--note", "it is me", check=True)
    notice = until(owner.requests, "the owner hears of it", 20)[0]
    assert notice["mine"] is True and notice["from"] == thief.npub
    owner("guardian", "cancel", notice["id"], check=True)
    until(lambda: thief.asked()[0]["state"] == "cancelled", "the thief is told no", 20)
    assert guardian("guardian", "release", notice["id"]).code == FAILED
    time.sleep(DELAY + 1)
    assert thief("guardian", "asked", "--shares").value["shares"] == []
    assert owner.requests() == []


def test_the_guardian_refuses(scene, people):
    owner, guardian = scene
    stranger = people()
    stranger("guardian", "ask", guardian.npub, owner.kit, check=True)
    seen = until(guardian.requests, "the guardian sees the request", 20)[0]
    guardian("guardian", "refuse", seen["id"], check=True)
    until(lambda: stranger.asked()[0]["state"] == "refused", "the stranger is told no", 20)
    assert guardian("guardian", "release", seen["id"]).code == FAILED


def test_who_asks_cannot_stop_or_release_and_other_kits_are_met_with_silence(scene, people):
    owner, guardian = scene
    stranger = people()
    other = "0000" if owner.kit != "0000" else "0001"
    stranger("guardian", "ask", guardian.npub, other, check=True)
    mine = stranger("guardian", "ask", guardian.npub, owner.kit, check=True).value
    seen = until(guardian.requests, "the guardian sees the request", 20)
    assert [one["kit"] for one in seen] == [owner.kit]
    for verb in ("release", "refuse", "cancel"):
        assert stranger("guardian", verb, mine["id"]).code == NOT_FOUND
    assert owner("guardian", "release", mine["id"]).code == NOT_FOUND


def wrapped(relay: str, keys: sdk.Keys, receiver: str, content: dict, *, author: sdk.Keys | None = None, times: int = 1) -> None:
    """Publishes a guardian message that rust-nostr sealed and wrapped."""
    rumor = sdk.EventBuilder(sdk.Kind(4139), json.dumps(content)).finalize_unsigned((author or keys).public_key())
    wrap = sdk.nip59_make_gift_wrap(keys, sdk.PublicKey.parse(receiver), rumor)
    with connect(relay) as socket:
        for _ in range(times):
            socket.send(f'["EVENT",{wrap.as_json()}]')
            assert json.loads(socket.recv(10))[0] == "OK"


def test_what_rust_nostr_wraps_is_read_once(scene):
    owner, guardian = scene
    keys = sdk.Keys.generate()
    wrapped(guardian.relay, keys, guardian.npub, {"v": 1, "do": "ask", "kit": owner.kit, "note": "from rust"}, times=3)
    seen = until(guardian.requests, "the guardian sees the request", 20)
    assert [(one["from"], one["note"]) for one in seen] == [(keys.public_key().to_bech32(), "from rust")]
    # The same after a restart, when the relay sends everything again.
    guardian.down()
    guardian.up()
    time.sleep(2)
    assert len(guardian.requests()) == 1


def test_a_forged_author_and_a_strangers_cancel_do_nothing(scene):
    owner, guardian = scene
    thief, victim = sdk.Keys.generate(), sdk.Keys.generate()
    wrapped(guardian.relay, thief, guardian.npub, {"v": 1, "do": "ask", "kit": owner.kit}, author=victim)
    wrapped(guardian.relay, thief, guardian.npub, {"v": 1, "do": "ask", "kit": owner.kit, "note": "real"})
    seen = until(guardian.requests, "the guardian sees the request", 20)
    assert [one["note"] for one in seen] == ["real"]
    request = guardian.home.cli("guardian", "requests").value["requests"][0]["id"]
    wrapped(guardian.relay, sdk.Keys.generate(), guardian.npub, {"v": 1, "do": "cancel", "request": request.ljust(64, "0")})
    time.sleep(1)
    assert guardian.requests()[0]["state"] == "waiting"


def test_a_flood_of_requests_stays_bounded(scene):
    owner, guardian = scene
    for number in range(8):
        wrapped(guardian.relay, sdk.Keys.generate(), guardian.npub, {"v": 1, "do": "ask", "kit": owner.kit, "note": str(number)})
    until(guardian.requests, "the guardian sees requests", 20)
    time.sleep(1)
    assert len(guardian.requests()) == 4


def test_nobody_who_does_not_listen_is_handed_a_share(people):
    owner, other = people(), people()
    done = owner("recovery", "create", "--threshold", "2", "--shares", "2", "--identity", "alice", *owner.passphrase, check=True)
    owner("guardian", "add", other.npub, stdin=done.value["shares"][0], check=True)
    time.sleep(2)
    assert other("guardian", "held").value["held"] == []
    assert owner("guardian", "list").value["guardians"][0]["since"] is None
    two = owner("guardian", "add", other.npub, stdin="\n".join(done.value["shares"]))
    assert two.code == FAILED and "one share" in two.value["error"]
