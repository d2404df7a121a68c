"""Guardians: shares are sent as gift wraps between real signers. Strangers, thieves and copied homes get nothing."""

from __future__ import annotations

import json
import os
import re
import time

import nostr_sdk as sdk
import shamir_mnemonic as slip39
from shamir_mnemonic.share import Share
from websockets.sync.client import connect

from harness.browser import Browser
from harness.clock import Clock
from harness.daemon import REPOSITORY
from harness.people import DELAY, Person
from harness.waiting import next_second, until

GUIDE = REPOSITORY / "docs" / "GUARDIANS.md"
FAILED, USAGE, LOCKED, NOT_FOUND = 1, 2, 3, 5


def test_a_share_is_kept_and_comes_back_after_the_wait_and_the_guardians_yes(scene, people):
    owner, guardian = scene
    before = owner("identity", "show").value["pubkey"]
    held = guardian("guardian", "held").value["held"]
    assert [(one["from"], one["kit"], one["share"]) for one in held] == [(owner.npub, owner.kit, 2)]
    newcomer = people()
    asked = newcomer("guardian", "ask", guardian.npub, owner.kit, "--note", "my laptop is gone", check=True).value
    seen = until(guardian.requests, "the guardian sees the request")[0]
    assert seen["code"] == asked["code"] and seen["note"] == "my laptop is gone" and seen["mine"] is False
    assert seen["from"] == newcomer.npub and seen["due"] is None
    time.sleep(DELAY + 1)  # the time itself: without a yes nothing comes, however long one waits
    assert newcomer.asked()[0]["state"] == "waiting" and newcomer.came() == []
    guardian.release(seen["id"], check=True)
    until(lambda: newcomer.asked()[0]["state"] == "given", "the share comes back")
    came = newcomer.came()
    assert came == [owner.shares[1]]
    (newcomer.home.folder / "paper.txt").write_text(owner.shares[0] + "\n")
    command = re.search(r"`(\(holdfast guardian asked --shares; cat paper.txt\) \| holdfast recovery restore)`", GUIDE.read_text())[1]
    newcomer.typed(command.replace("--shares", f"--shares {' '.join(newcomer.passphrase)}") + f" --identity again --npub {owner.npub}")
    assert newcomer("identity", "show", "again").value["pubkey"] == before
    assert guardian.requests() == []


def test_a_yes_before_the_wait_is_over_gives_nothing_before(scene, people):
    owner, guardian = scene
    newcomer = people()
    newcomer("guardian", "ask", guardian.npub, owner.kit, check=True)
    seen = until(guardian.requests, "the guardian sees the request")[0]
    before = time.monotonic()
    done = guardian.release(seen["id"], check=True).value
    assert done["due"] - time.time() <= DELAY + 1
    until(lambda: newcomer.asked()[0]["state"] == "given", "the share comes back")
    assert time.monotonic() - before >= DELAY


def test_the_owner_hears_of_a_thief_and_stops_him(scene, people):
    owner, guardian = scene
    thief = people()
    # The thief has found the papers.
    code = owner("guardian", "code", owner.kit, check=True).value["code"]
    thief("guardian", "ask", guardian.npub, owner.kit, "--note", "it is me", "--code", code, check=True)
    notice = until(owner.requests, "the owner hears of it")[0]
    assert notice["mine"] is True and notice["from"] == thief.npub and notice["shown"] == "code"
    owner("guardian", "cancel", notice["id"], check=True)
    until(lambda: not guardian.requests(), "the guardian is told")
    assert guardian.release(notice["id"]).code == FAILED
    time.sleep(DELAY + 1)  # the time itself: the wait would be over by now
    assert thief.came() == []
    assert owner.requests() == []


def test_junk_messages_do_not_hide_a_request_from_an_owner_who_was_off(scene, people):
    owner, guardian = scene
    code = owner("guardian", "code", owner.kit, check=True).value["code"]
    npub = owner.npub
    owner.down()
    people()("guardian", "ask", guardian.npub, owner.kit, "--code", code, check=True)
    until(lambda: wraps_kept_for(owner, npub), "the guardian's notice is at the relay")
    junk(owner.relay, npub, 600)
    assert wraps_kept_for(owner, npub) < 600, "the relay does not send all in one answer"
    owner.up()
    assert until(owner.requests, "the owner hears of it")[0]["mine"] is True


def junk(relay: str, receiver: str, count: int) -> None:
    """Publishes gift wraps of the present time that nobody can open. The relay takes 60 a minute on one connection."""
    to = sdk.Tag.public_key(sdk.PublicKey.parse(receiver))
    for begin in range(0, count, 50):
        with connect(relay) as socket:
            for number in range(begin, begin + 50):
                event = sdk.EventBuilder(sdk.Kind(1059), f"junk {number}").tags([to]).finalize(sdk.Keys.generate())
                socket.send(f'["EVENT",{event.as_json()}]')
                assert json.loads(socket.recv(10))[2] is True


def test_the_guardian_refuses(scene, people):
    owner, guardian = scene
    stranger = people()
    stranger("guardian", "ask", guardian.npub, owner.kit, check=True)
    seen = until(guardian.requests, "the guardian sees the request")[0]
    guardian("guardian", "refuse", seen["id"], check=True)
    assert guardian.release(seen["id"]).code == FAILED and guardian.requests() == []


def test_a_yes_takes_the_guardians_proof(scene, people):
    owner, guardian = scene
    newcomer = people()
    newcomer("guardian", "ask", guardian.npub, owner.kit, check=True)
    seen = until(guardian.requests, "the guardian sees the request")[0]
    assert guardian("guardian", "release", seen["id"], "--json", stdin="").code != 0
    wrong = guardian.home.folder / "wrong"
    wrong.write_text("not the passphrase")
    assert guardian("guardian", "release", seen["id"], "--passphrase-file", str(wrong)).code == LOCKED
    # A signed-in page is not enough either.
    _, answer = Browser(guardian.daemon).signed_in().call("guardian/release", {"id": seen["id"]})
    assert answer["ok"] is False and "Nothing that opens the vault" in answer["error"]
    assert guardian.requests()[0]["state"] == "waiting"
    guardian.release(seen["id"], check=True)
    assert guardian.requests()[0]["state"] == "approved"


def test_what_is_kept_and_what_came_back_takes_the_proof_of_who_keeps_it(scene):
    owner, guardian = scene
    owner("guardian", "add", guardian.npub, "--delay", "1s", stdin=owner.shares[0], check=True)
    held = until(lambda: (found := guardian("guardian", "held").value["held"])[1:] and found, "the second comes")
    wrong = guardian.home.folder / "wrong"
    wrong.write_text("not the passphrase")
    offered = next(one["id"] for one in held if one["offered"])
    for command in (("remove", held[0]["id"], "--yes"), ("accept", offered), ("asked", "--shares")):
        assert guardian("guardian", *command, "--json", stdin="").code != 0
        assert guardian("guardian", *command, "--passphrase-file", str(wrong)).code == LOCKED
    page = Browser(guardian.daemon).signed_in()
    for operation, name in (("guardian/remove", held[0]["id"]), ("guardian/accept", offered)):
        _, answer = page.call(operation, {"id": name})
        assert answer["ok"] is False and "Nothing that opens the vault" in answer["error"]
    assert guardian("guardian", "held").value["held"] == held


def wraps_for(relay: str, *keys: str) -> list[str]:
    """The ids of all gift wraps at a relay, by recipient."""
    with connect(relay) as socket:
        socket.send(json.dumps(["REQ", "all", {"kinds": [1059], "#p": list(keys)}]))
        found = []
        while (message := json.loads(socket.recv(10)))[0] == "EVENT":
            found.append(message[2]["id"])
        return found


def wraps_kept_for(person, npub: str) -> int:
    """How many gift wraps for a key are at a person's relay."""
    return len(wraps_for(person.relay, sdk.PublicKey.parse(npub).to_hex()))


def test_no_message_is_sent_before_the_guardians_yes_whatever_kit_a_stranger_names(scene, people):
    owner, guardian = scene
    stranger = people()
    hexed = [one("identity", "show").value["pubkey"] for one in (owner, stranger)]
    before = wraps_for(guardian.relay, *hexed)
    other = "0000" if owner.kit != "0000" else "0001"
    for kit in (other, owner.kit):
        stranger("guardian", "ask", guardian.npub, kit, check=True)
    seen = until(guardian.requests, "the guardian sees the request")[0]
    next_second()  # requests of one second come in the order of their ids
    flood(guardian, owner.kit, 4)
    until(lambda: [one["note"] for one in guardian.requests()] == ["flood"] * 4 or None, "it is pushed out")
    guardian("guardian", "refuse", guardian.requests()[0]["id"], check=True)
    assert wraps_for(guardian.relay, *hexed) == before
    assert [one["state"] for one in stranger.asked()] == ["waiting", "waiting"] and owner.requests() == []
    assert seen["id"] not in [one["id"] for one in guardian.requests()]


def test_a_clock_set_ahead_shortens_no_wait(people):
    owner, guardian = people(), people()
    guardian("guardian", "listen", "on", check=True)
    shares = owner("recovery", "create", "--threshold", "2", "--shares", "2", "--identity", "alice", *owner.passphrase, check=True).value[
        "shares"
    ]
    kit = owner("guardian", "add", guardian.npub, "--delay", "72h", stdin=shares[0], check=True).value["kit"]
    until(lambda: guardian("guardian", "held").value["held"], "the share is kept")
    newcomer = people()
    newcomer("guardian", "ask", guardian.npub, kit, check=True)
    guardian.release(until(guardian.requests, "the guardian sees the request")[0]["id"], check=True)
    clock = Clock(guardian.home.folder)
    guardian.down()
    clock.set(10 * 24 * 3600)
    guardian.up(env=clock.environment)
    [request] = guardian.requests()
    assert request["state"] == "approved"
    # At its start it computes when the share is due by the present clock.
    assert 71 * 3600 < request["due"] - (time.time() + 10 * 24 * 3600) < 73 * 3600
    clock.set(40 * 24 * 3600)
    guardian("lock", check=True)
    guardian("unlock", *guardian.passphrase, check=True)
    until(lambda: guardian.requests()[0]["due"] - time.time() > 42 * 24 * 3600, "it looked again")
    assert guardian.requests()[0]["state"] == "approved" and newcomer.asked()[0]["state"] == "waiting"


def test_a_removed_share_does_not_come_back_when_its_message_is_sent_again(scene):
    owner, guardian = scene
    [held] = guardian("guardian", "held").value["held"]
    guardian("guardian", "remove", held["id"], "--yes", *guardian.passphrase, check=True)
    # Messages of different seconds are told apart.
    guardian.down()
    guardian.up()
    keys = sdk.Keys.generate()
    wrapped(guardian.relay, keys, guardian.npub, {"v": 1, "do": "keep", "share": owner.shares[2], "delay": 5})
    until(lambda: guardian("guardian", "held").value["held"], "letters are read again, a stranger's last")
    assert [one["share"] for one in guardian("guardian", "held").value["held"]] == [3]


def test_a_second_share_of_a_kit_waits_for_the_guardians_consent(scene):
    owner, guardian = scene
    owner("guardian", "add", guardian.npub, "--delay", "1s", stdin=owner.shares[0], check=True)
    held = until(lambda: (found := guardian("guardian", "held").value["held"])[1:] and found, "the second comes")
    offered = {one["share"]: one["offered"] for one in held}
    assert offered == {1: True, 2: False}
    name = next(one["id"] for one in held if one["offered"])
    assert [one["share"] for one in owner("guardian", "list").value["guardians"] if one["since"]] == [2]
    guardian("guardian", "accept", name, *guardian.passphrase, check=True)
    until(lambda: all(one["since"] for one in owner("guardian", "list").value["guardians"]), "the owner is told")
    assert guardian("guardian", "accept", name, *guardian.passphrase).code == NOT_FOUND


def test_the_asker_cannot_stop_or_release_and_other_kits_get_no_answer(scene, people):
    owner, guardian = scene
    stranger = people()
    other = "0000" if owner.kit != "0000" else "0001"
    stranger("guardian", "ask", guardian.npub, other, check=True)
    mine = stranger("guardian", "ask", guardian.npub, owner.kit, check=True).value
    seen = until(guardian.requests, "the guardian sees the request")
    assert [one["kit"] for one in seen] == [owner.kit]
    for verb in ("refuse", "cancel"):
        assert stranger("guardian", verb, mine["id"]).code == NOT_FOUND
    assert stranger.release(mine["id"]).code == owner.release(mine["id"]).code == NOT_FOUND


def wrapped(relay: str, keys: sdk.Keys, receiver: str, content: dict, *, author: sdk.Keys | None = None, times: int = 1) -> None:
    """Publishes a guardian message that rust-nostr sealed and wrapped."""
    rumor = sdk.EventBuilder(sdk.Kind(4139), json.dumps(content)).finalize_unsigned((author or keys).public_key())
    wrap = sdk.nip59_make_gift_wrap(keys, sdk.PublicKey.parse(receiver), rumor)
    with connect(relay) as socket:
        for _ in range(times):
            socket.send(f'["EVENT",{wrap.as_json()}]')
            assert json.loads(socket.recv(10))[0] == "OK"


def all_that_came(guardian, kit: str) -> list[dict]:
    """The guardian's requests once all earlier messages are read. Two more are sent, and the second is read after all earlier ones."""
    for note in ("a mark", "another mark"):
        wrapped(guardian.relay, sdk.Keys.generate(), guardian.npub, {"v": 1, "do": "ask", "kit": kit, "note": note})
        until(lambda note=note: note in [one["note"] for one in guardian.requests()], f"{note} is read")
    return [one for one in guardian.requests() if "mark" not in one["note"]]


def test_what_rust_nostr_wraps_is_read_once(scene):
    owner, guardian = scene
    keys = sdk.Keys.generate()
    wrapped(guardian.relay, keys, guardian.npub, {"v": 1, "do": "ask", "kit": owner.kit, "note": "from rust"}, times=3)
    seen = until(guardian.requests, "the guardian sees the request")
    assert [(one["from"], one["note"]) for one in seen] == [(keys.public_key().to_bech32(), "from rust")]
    # The same after a restart, when the relay sends everything again.
    guardian.down()
    guardian.up()
    assert [one["note"] for one in all_that_came(guardian, owner.kit)] == ["from rust"]


def test_a_forged_author_and_a_strangers_cancel_do_nothing(scene):
    owner, guardian = scene
    thief, victim = sdk.Keys.generate(), sdk.Keys.generate()
    wrapped(guardian.relay, thief, guardian.npub, {"v": 1, "do": "ask", "kit": owner.kit}, author=victim)
    wrapped(guardian.relay, thief, guardian.npub, {"v": 1, "do": "ask", "kit": owner.kit, "note": "real"})
    seen = until(guardian.requests, "the guardian sees the request")
    assert [one["note"] for one in seen] == ["real"]
    request = guardian.home.cli("guardian", "requests").value["requests"][0]["id"]
    wrapped(guardian.relay, sdk.Keys.generate(), guardian.npub, {"v": 1, "do": "cancel", "request": request.ljust(64, "0")})
    assert [(one["note"], one["state"]) for one in all_that_came(guardian, owner.kit)] == [("real", "waiting")]


def flood(guardian, kit: str, count: int, note: str = "flood") -> None:
    for _ in range(count):
        wrapped(guardian.relay, sdk.Keys.generate(), guardian.npub, {"v": 1, "do": "ask", "kit": kit, "note": note})


def test_a_flood_of_requests_is_bounded_and_the_request_code_still_gets_in(scene, people):
    owner, guardian = scene
    code = owner("guardian", "code", owner.kit, check=True).value["code"]
    flood(guardian, owner.kit, 8)
    until(lambda: len(guardian.requests()) == 4, "the guardian sees requests")
    newcomer = people()
    mine = newcomer("guardian", "ask", guardian.npub, owner.kit, "--code", code.upper().replace("-", " "), check=True).value
    until(lambda: len(guardian.requests()) == 5, "the guardian sees the owner's")
    next_second()
    flood(guardian, owner.kit, 8, "again")
    until(lambda: [one["note"] for one in guardian.requests()[1:]] == ["again"] * 4, "the flood came")
    seen = guardian.requests()
    assert [one["shown"] for one in seen] == ["code"] + ["unknown"] * 4
    assert seen[0]["id"] == mine["id"] and seen[0]["from"] == newcomer.npub
    guardian.release(mine["id"], check=True)
    until(lambda: newcomer.asked()[0]["state"] == "given", "the share comes back")
    assert newcomer("guardian", "ask", guardian.npub, owner.kit, "--code", "wrong").code == USAGE


def test_what_came_while_the_guardian_was_locked_is_read_after_the_unlocking(scene, people):
    owner, guardian = scene
    guardian("lock", check=True)
    newcomer = people()
    there = wraps_kept_for(guardian, guardian.npub)
    newcomer("guardian", "ask", guardian.npub, owner.kit, check=True)
    until(lambda: wraps_kept_for(guardian, guardian.npub) > there, "the request is at the relay")
    guardian("unlock", *guardian.passphrase, check=True)
    until(guardian.requests, "the guardian sees the request")
    # Once more, on connections that have already sent it.
    before = guardian.requests()
    guardian("lock", check=True)
    guardian("unlock", *guardian.passphrase, check=True)
    assert all_that_came(guardian, owner.kit) == before


def forged(share: str) -> str:
    """A share with the same place and the same kit number, made from another secret with the reference implementation of SLIP-39."""
    own = Share.from_mnemonic(share)
    secret = slip39.EncryptedMasterSecret(own.identifier, own.extendable, own.iteration_exponent, os.urandom(len(own.value)))
    return slip39.split_ems(1, [(own.member_threshold, 3)], secret)[0][own.index].mnemonic()


def test_shares_of_several_guardians_are_put_together_though_one_of_them_is_forged(scene, people):
    owner, _ = scene
    before = owner("identity", "show").value["pubkey"]
    newcomer = people()
    to = ("--identity", "again", "--npub", owner.npub)
    lies = [forged(owner.shares[0]), forged(owner.shares[1])]
    # A forged share and one honest share give nothing. Nor do two forged shares of different makers.
    for given in ([lies[0], owner.shares[1]], [*lies, owner.shares[1]]):
        assert newcomer("recovery", "restore", *to, stdin="\n".join(given)).code == FAILED
    given = [lies[0], owner.shares[1], owner.shares[1], lies[1], owner.shares[0]]
    done = newcomer("recovery", "restore", *to, stdin="\n".join(given), check=True).value
    assert done["left_out"] == [1, 4]
    assert newcomer("identity", "show", "again").value["pubkey"] == before
    # `recovery test` is for somebody who holds the papers. It names the first share that is wrong.
    assert owner("recovery", "test", stdin="\n".join(given)).code == FAILED


def test_each_identity_has_connections_of_its_own_and_others_are_not_named(scripted_relay):
    person = Person(None, scripted_relay.url)
    for name in ("bob", "carol", "dave"):
        person.home.unlocked("identity", "create", name)
    person.up()
    try:
        keys = {one["name"]: one["pubkey"] for one in person("identity", "list").value["identities"]}

        def named() -> list[set[str]]:
            wraps = [
                {key for filters in visitor.filters.values() for one in filters if 1059 in one["kinds"] for key in one["#p"]}
                for visitor in list(scripted_relay._visitors)
            ]
            return sorted((found for found in wraps if found), key=sorted)

        assert named() == []
        person("guardian", "listen", "on", "--identity", "bob", check=True)
        until(lambda: named() == [{keys["bob"]}], "the relay is asked for bob's letters")
        person("guardian", "listen", "on", "--identity", "carol", check=True)
        both = sorted([{keys["bob"]}, {keys["carol"]}], key=sorted)
        until(lambda: named() == both, "and for carol's on another connection")
        person("lock", check=True)
        until(lambda: not any(keys[name] in found for found in named() for name in keys), "nothing while locked")
        person("unlock", *person.passphrase, check=True)
        until(lambda: named() == both, "both again")
        person("guardian", "listen", "off", "--identity", "bob", check=True)
        until(lambda: named() == [{keys["carol"]}], "bob listens no more")
    finally:
        person.down()
        person.home.remove()


def test_messages_for_a_key_that_needs_presence_wait_until_its_owner_proves_presence(people):
    owner, guardian = people(), people()
    guardian("identity", "create", "careful", "--class", "device-passcode", *guardian.passphrase, check=True)
    npub = guardian("identity", "show", "careful").value["npub"]
    on = guardian("guardian", "listen", "on", "--identity", "careful", check=True).value
    assert on["needs_you"] is True
    shares = owner("recovery", "create", "--threshold", "2", "--shares", "2", "--identity", "alice", *owner.passphrase, check=True).value[
        "shares"
    ]
    kit = owner("guardian", "add", npub, "--delay", "1s", stdin=shares[0], check=True).value["kit"]
    until(lambda: wraps_kept_for(owner, npub), "the share is at the relay")
    [state] = guardian("guardian", "list").value["identities"]
    assert (state["identity"], state["state"]) == ("careful", "needs you")
    assert guardian("guardian", "held").value["held"] == []
    (guardian.home.folder / "wrong").write_text("not the passphrase")
    wrong = guardian("guardian", "open", "--identity", "careful", "--passphrase-file", str(guardian.home.folder / "wrong"))
    assert wrong.code == LOCKED
    assert guardian("guardian", "open", "--identity", "careful", "--for", "2h", *guardian.passphrase).code == USAGE
    guardian("guardian", "open", "--identity", "careful", "--for", "4s", *guardian.passphrase, check=True)
    until(lambda: guardian("guardian", "held").value["held"], "the share is kept")
    until(lambda: owner("guardian", "list").value["guardians"][0]["since"], "the owner hears that it is")
    until(lambda: guardian("guardian", "list").value["identities"][0]["state"] == "needs you", "it is closed again")
    newcomer = people()
    there = wraps_kept_for(owner, npub)
    newcomer("guardian", "ask", npub, kit, check=True)
    until(lambda: wraps_kept_for(owner, npub) > there, "the request is at the relay")
    assert guardian.requests() == []
    guardian("guardian", "open", "--identity", "careful", *guardian.passphrase, check=True)
    seen = until(guardian.requests, "the request is read")[0]
    guardian("lock", check=True)
    guardian("unlock", *guardian.passphrase, check=True)
    closed = guardian.release(seen["id"])
    assert closed.code == FAILED and "guardian open" in closed.value["hint"]
    guardian("guardian", "open", "--identity", "careful", *guardian.passphrase, check=True)
    guardian.release(seen["id"], check=True)
    until(lambda: newcomer.asked()[0]["state"] == "given", "the share comes back")


def test_somebody_who_takes_no_shares_is_not_given_one(people):
    owner, other = people(), people()
    done = owner("recovery", "create", "--threshold", "2", "--shares", "2", "--identity", "alice", *owner.passphrase, check=True)
    owner("guardian", "add", other.npub, stdin=done.value["shares"][0], check=True)
    until(lambda: wraps_kept_for(owner, other.npub), "the share is at the relay")
    assert other("guardian", "held").value["held"] == []
    assert owner("guardian", "list").value["guardians"][0]["since"] is None
    two = owner("guardian", "add", other.npub, stdin="\n".join(done.value["shares"]))
    assert two.code == FAILED and "one share" in two.value["error"]
