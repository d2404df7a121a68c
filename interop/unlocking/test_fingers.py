"""Fingerprints: the real fprintd and pam_fprintd with a virtual reader; and what a changed set of fingers does to the keys."""

from __future__ import annotations

import json
import subprocess
import time

import pytest

from harness.daemon import PASSPHRASE, Home, environment
from harness.desktop import Desktop, ScriptedDesktop
from harness.fingers import FalseService, Fingers
from harness.owner import ask
from harness.waiting import until

PIN = "135790-pin"
NOTE = '{"kind":1,"content":"by the owner","tags":[]}'
CREDENTIAL, PRF = "cGFzc2tleS1vbmU", bytes(range(32))
CHANGED = "A passkey or a finger was added or removed."


@pytest.fixture
def fingers():
    with Fingers() as machine:
        yield machine.start()


@pytest.fixture
def hand(fingers):
    """A reader that knows one finger."""
    fingers.enrol("right-thumb")
    return fingers


# The PAM check: a question before a token


@pytest.fixture
def gated(home, hand):
    """A token slot with a PAM check for a finger. It tries the slot and returns the result."""
    (home.folder / "tokens").mkdir()
    conf = home.folder / "softhsm2.conf"
    conf.write_text(f"directories.tokendir = {home.folder}/tokens\nlog.level = ERROR\n")
    env = environment(SOFTHSM2_CONF=str(conf), **hand.pam())
    subprocess.run(
        ["softhsm2-util", "--init-token", "--free", "--label", "finger", "--so-pin", "so-pin-1", "--pin", PIN],
        env=env,
        check=True,
        capture_output=True,
    )
    pin = home.folder / "pin"
    pin.write_text(PIN + "\n")
    pin.chmod(0o600)
    home.cli(
        "slot",
        "add",
        "token",
        "--new-pin-file",
        str(pin),
        "--module",
        "/usr/lib/softhsm/libsofthsm2.so",
        "--gate",
        "holdfast",
        "--passphrase-file",
        str(home.passphrase_file),
        env=env,
        check=True,
    )

    def tried(options: str = "max-tries=1 timeout=10"):
        return home.cli("slot", "test", "--token", "--pin-file", str(pin), env=env | hand.pam(options=options))

    return tried


def test_the_right_finger_opens_the_slot_behind_it(gated, hand):
    with hand.showing("right-thumb"):
        opened = gated()
    assert opened.code == 0 and opened.value["type"] == "token"
    assert "right thumb" in opened.err, "the question is shown to the person who started the command"
    assert PIN not in opened.said


def test_a_wrong_finger_opens_nothing(gated, hand):
    with hand.showing("somebody else"):
        refused = gated()
    assert refused.code == 3 and "PAM refused access" in refused.value["error"]
    with hand.showing("somebody else", "right-thumb"):
        assert gated("max-tries=3 timeout=10").code == 0, "a second try is the service's to give"


def test_too_many_wrong_fingers_are_named(gated, hand):
    with hand.showing("somebody", "somebody else", "a third"):
        refused = gated("max-tries=3 timeout=10")
    assert refused.code == 3 and "Too many attempts" in refused.value["error"]
    with hand.showing("right-thumb"):
        assert gated().code == 0, "fprintd locks nobody out for good"


@pytest.mark.slow
def test_no_finger_in_time_is_no_finger(gated):
    began = time.monotonic()
    refused = gated()
    assert refused.code == 4 and "not answered in time" in refused.value["error"]
    assert 9 < time.monotonic() - began < 25


def test_without_an_enrolled_finger_or_a_reader_the_reason_is_given(gated, hand):
    hand.delete("right-thumb")
    refused = gated()
    assert refused.code == 1 and "You have no enrolled finger" in refused.value["error"]
    hand.stop()
    hand.start(reader=False)
    refused = gated()
    assert refused.code == 1 and "There is no fingerprint reader" in refused.value["error"]
    hand.stop()
    refused = gated()
    assert refused.code == 1 and "There is no fingerprint reader" in refused.value["error"]


def test_a_running_signer_shows_the_question_on_the_desktop_and_not_in_its_journal(gated, hand, home, start, tmp_path):
    with Desktop(tmp_path) as desktop, ScriptedDesktop(desktop) as shown:
        daemon = start(env=environment(SOFTHSM2_CONF=f"{home.folder}/softhsm2.conf", **desktop.environment, **hand.pam()))
        with hand.showing("right-thumb"):
            assert home.cli("slot", "test", "--token", "--pin-file", f"{home.folder}/pin").code == 0
        question = next(one for one in shown.shown if one.title == "Prove that it is you")
        assert "right thumb" in question.body
        until(lambda: question not in shown.standing, "it goes when nothing more is asked")
        daemon.stop()
    assert b"thumb" not in b"".join(log.read_bytes() for log in home.folder.glob("run*"))


def test_polkit_says_no_and_nothing_opens(gated, hand):
    hand.allow(False)
    assert gated().code == 1
    hand.allow(True)
    with hand.showing("right-thumb"):
        assert gated().code == 0


# Changed fingers: biometric-required opens only with the fingers that were enrolled before


class Owner:
    """A person with a passkey, at a signer's control socket. The output of its PRF is known here."""

    def __init__(self, home: Home, daemon):
        self.home, self.daemon = home, daemon

    def ask(self, operation: str, secrets: dict[str, bytes] | None = None, **parameters) -> dict:
        return ask(self.home.path, operation, secrets, **parameters)

    def by_passkey(self, operation: str, **parameters) -> dict:
        return self.ask(operation, {"prf": PRF}, credential=CREDENTIAL, **parameters)

    def signs(self) -> dict:
        return self.by_passkey("sign", identity="alice", event=json.loads(NOTE))

    def prepare(self, kit: bool = True) -> list[str]:
        """A passkey, perhaps a kit, and alice's key under biometric-required. Returns the kit's shares."""
        salt = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        made = self.ask(
            "slot/passkey-add",
            {"new_prf": PRF, "passphrase": PASSPHRASE.encode()},
            passkey=CREDENTIAL,
            salt=salt,
            party="localhost",
            label="laptop",
        )
        assert made["ok"], made
        proof = ["--passphrase-file", str(self.home.passphrase_file)]
        shares = []
        if kit:
            shares = self.home.cli("recovery", "create", "--threshold", "1", "--shares", "1", *proof, check=True).value["shares"]
        changed = self.by_passkey("identity/class", name="alice", **{"class": "biometric-required"})
        assert changed["ok"], changed
        assert self.signs()["ok"]
        return shares

    def receipt(self) -> dict:
        claims = self.home.cli("identity", "receipt", "alice", check=True).value["claims"]
        return next(one for one in claims if one["claim"] == "present-fingers")

    def log(self) -> str:
        return self.home.cli("log", "show", check=True).out


@pytest.fixture
def owner(home, start, hand):
    return Owner(home, start(env=hand.environment))


def is_closed(owner: Owner) -> bool:
    answer = owner.signs()
    return not answer["ok"] and CHANGED in answer["error"]


def test_another_finger_closes_the_key_until_the_kit_enrols_anew(owner, hand, home):
    shares = owner.prepare()
    assert owner.receipt()["holds"] is True
    hand.enrol("left-thumb")
    until(lambda: "a finger was added" in owner.log(), "the signer heard of it by itself")
    assert is_closed(owner)
    # After the new finger is removed, the key stays closed.
    hand.delete("left-thumb")
    assert is_closed(owner)
    refused = home.cli("slot", "enrol", "--passphrase-file", str(home.passphrase_file))
    assert refused.code == 4
    written = home.folder / "shares"
    written.write_text("\n".join(shares) + "\n")
    written.chmod(0o600)
    assert home.cli("slot", "enrol", "--shares-file", str(written), check=True).value["enrolled"] == ["biometric-required"]
    assert owner.signs()["ok"]
    owner.daemon.stop()


def test_a_finger_added_while_the_signer_was_off_is_noticed(owner, hand, start):
    owner.prepare()
    owner.daemon.stop()
    hand.enrol("left-index-finger")
    owner.daemon = start(env=hand.environment)
    assert is_closed(owner)
    assert "a finger was added" in owner.log()


def test_a_finger_that_came_and_went_while_locked_is_noticed(owner, hand, home):
    owner.prepare()
    home.cli("lock", check=True)
    hand.enrol("left-thumb")
    assert home.cli("unlock", "--passphrase-file", "/etc/hostname").code == 3, "looked at, though nothing can be compared"
    hand.delete("left-thumb")
    home.cli("unlock", "--passphrase-file", str(home.passphrase_file), check=True)
    assert is_closed(owner)


def test_without_the_service_or_the_reader_nothing_is_closed(owner, hand):
    owner.prepare()
    hand.stop()
    assert owner.signs()["ok"]
    claim = owner.receipt()
    assert claim["holds"] == "not enforced here" and "fprintd" in claim["how"]
    hand.start(reader=False)
    assert owner.signs()["ok"]
    assert "is missing now" in owner.receipt()["how"]
    hand.stop()
    hand.start()
    assert owner.signs()["ok"] and owner.receipt()["holds"] is True


def test_what_only_the_passkeys_have_is_held_back_and_not_lost(owner, hand, home):
    owner.prepare(kit=False)
    hand.enrol("left-thumb")
    assert is_closed(owner)
    hand.delete("left-thumb")
    assert is_closed(owner)
    home.cli("slot", "enrol", "--passphrase-file", str(home.passphrase_file), check=True)
    assert owner.signs()["ok"]


LIES = {
    "a device that is no device": [("r", ["right-thumb", "sixth-finger"])],
    "names without end": [("r", ["right-thumb"] * 5_000)],
    "readers without end": [("r", ["right-thumb"])] * 500,
    "a name that is a number": [(7, ["right-thumb"])],
    "a name that is a book": [("x" * 100_000, ["right-thumb"])],
    "only errors": [("r", "net.reactivated.Fprint.Error.Internal")],
}


@pytest.mark.parametrize("lie", LIES)
def test_a_service_that_answers_nonsense_closes_nothing(owner, hand, lie):
    owner.prepare()
    hand.stop()
    with FalseService(hand, LIES[lie]) as service:
        assert owner.signs()["ok"]
        assert service.asked > 0
        assert owner.receipt()["holds"] == "not enforced here"
    assert owner.signs()["ok"]


def test_a_service_that_never_answers_holds_nothing_up_for_long(owner, hand):
    owner.prepare()
    hand.stop()
    with FalseService(hand, None):
        began = time.monotonic()
        assert owner.signs()["ok"]
        assert time.monotonic() - began < 20, "a call on the bus alone would have 25 s"
        assert "did not answer" in owner.receipt()["how"]
    assert owner.signs()["ok"]
