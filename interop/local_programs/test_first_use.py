"""A program on this machine asks for the first time, and later."""

from __future__ import annotations

import json

from harness.daemon import run
from harness.waiting import until
from reference.events import is_genuine
from reference.keys import Key

NOTE = {"kind": 1, "content": "from a program", "tags": []}


def the_waiting(daemon) -> dict:
    return until(daemon.waiting, "a request that waits")[0]


def test_the_first_request_waits_and_is_signed_when_approved(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    id = program.send("sign", event=NOTE)
    waiting = the_waiting(daemon)
    assert (waiting["rule"], waiting["client"]["name"], waiting["risk"]) == ("first-use", "notes", "usual")
    daemon.do("request", "approve", waiting["id"])
    answer = program.read()
    assert answer["id"] == id
    event = answer["result"]
    assert is_genuine(event)
    assert (event["pubkey"], event["content"]) == (daemon.user, "from a program")


def test_the_event_of_the_help_is_enough(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("sign", event={"kind": 1, "content": "hi"})
    daemon.do("request", "approve", the_waiting(daemon)["id"])
    assert is_genuine(program.read()["result"])


def test_the_card_names_the_file_and_says_what_approving_does(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("getPublicKey")
    shown = daemon.do("request", "show", the_waiting(daemon)["id"])
    facts = {part["label"]: part["value"] for part in shown["parts"] if part["type"] == "fact"}
    assert shown["title"] == "Learn your public key"
    assert facts["Program"] == str(executable)
    assert facts["SHA-256 of the file"].rstrip("…") in daemon.do("local", "list")["programs"][0]["program"]["sha256"]
    assert "let the program in" in facts["If you approve"]


def test_an_interpreter_is_said_to_run_any_script(start, connect):
    daemon = start()
    connect().send("getPublicKey")
    shown = daemon.do("request", "show", the_waiting(daemon)["id"])
    warnings = [part["text"] for part in shown["parts"] if part["type"] == "warning"]
    assert any("not the script" in text for text in warnings), warnings


def test_the_public_key_is_not_told_before_the_owner_approves(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    for method in ("getPublicKey", "listIdentities"):
        program.send(method)
    waiting = the_waiting(daemon)
    assert len(daemon.waiting()) == 1, "both ask the same thing"
    daemon.do("request", "approve", waiting["id"])
    answers = {answer["id"]: answer["result"] for answer in (program.read(), program.read())}
    assert answers["1"] == daemon.user
    assert [identity["pubkey"] for identity in answers["2"]] == [daemon.user]
    assert program.result("getPublicKey") == daemon.user, "it is known from now on"


def test_a_denied_program_learns_nothing(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("getPublicKey")
    daemon.do("request", "deny", the_waiting(daemon)["id"])
    answer = program.read()
    assert answer["error"]["code"] == "denied"
    assert daemon.user not in json.dumps(answer)
    assert daemon.do("local", "list")["programs"][0]["first_use"] is True


def test_a_program_of_medium_trust_is_not_asked_about_again(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("getPublicKey")
    daemon.do("request", "approve", the_waiting(daemon)["id"])
    program.read()
    daemon.do("local", "trust", "notes", "medium")
    for _ in range(3):
        assert is_genuine(program.result("sign", event=NOTE))
    peer = Key()
    sealed = program.result("nip44Encrypt", pubkey=peer.public, plaintext="hello")
    assert program.result("nip44Decrypt", pubkey=peer.public, ciphertext=sealed) == "hello"
    old = program.result("nip04Encrypt", pubkey=peer.public, plaintext="hello")
    assert program.result("nip04Decrypt", pubkey=peer.public, ciphertext=old) == "hello"


def test_a_program_is_let_in_by_its_file_and_not_by_a_name_that_any_can_have(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("sign", event=NOTE)
    the_waiting(daemon)
    refused = daemon.cli("local", "trust", "notes", "full")
    digits = daemon.do("local", "list")["programs"][0]["program"]["sha256"][:16]
    assert refused.code == 1 and str(executable) in refused.out and f"local trust {digits} full" in refused.out
    assert daemon.cli("client", "trust", "notes", "full", "--yes").code == 1
    daemon.do("local", "trust", digits, "full")
    program.send("sign", event={**NOTE, "content": "second"})
    assert {program.read()["id"], program.read()["id"]} == {"1", "2"}, "what waited is signed, too"


def test_a_changed_file_is_a_new_program(start, run_program, executable):
    daemon, program = start(arguments=("--local-trust", "full")), run_program(executable)
    assert is_genuine(program.result("sign", event=NOTE))
    program.end()
    with open(executable, "ab") as file:
        file.write(b"\0")
    daemon.stop()
    daemon = start()
    changed = run_program(executable)
    changed.send("sign", event=NOTE)
    assert the_waiting(daemon)["rule"] == "first-use"
    programs = daemon.do("local", "list")["programs"]
    assert len({one["program"]["sha256"] for one in programs}) == 2
    assert len({one["program"]["path"] for one in programs}) == 1


def test_a_file_replaced_while_it_runs_is_not_taken_for_the_new_one(start, run_program, executable, tmp_path):
    daemon, program = start(), run_program(executable)
    program.send("getPublicKey")
    daemon.do("request", "approve", the_waiting(daemon)["id"])
    program.read()
    executable.unlink()
    executable.write_bytes(b"something else")
    assert program.code("getPublicKey") == "not-allowed", "the kernel says that the file is gone"


def test_revoked_it_asks_again(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("getPublicKey")
    daemon.do("request", "approve", the_waiting(daemon)["id"])
    program.read()
    daemon.do("local", "revoke", "notes")
    program.send("getPublicKey")
    assert the_waiting(daemon)["rule"] == "first-use"


def test_the_log_says_that_a_program_asked_and_not_that_it_was_paired(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("getPublicKey")
    daemon.do("request", "approve", the_waiting(daemon)["id"])
    program.read()
    assert daemon.do("status")["clients"] == 1
    daemon.do("local", "revoke", "notes")
    kinds = [entry["entry"] for entry in daemon.log_entries()]
    assert (kinds.count("firstAsked"), kinds.count("paired")) == (1, 0)
    assert daemon.do("status")["clients"] == 0, "what is not let in is not paired"
    listed = run("client", "list", "--home", str(daemon.home.path)).out
    assert "No app is paired" in listed and "1 program, site or link asked and is not let in: holdfast" in listed


def test_revoked_it_asks_again_although_new_programs_are_trusted(start, run_program, executable):
    daemon, program = start(arguments=("--local-trust", "full")), run_program(executable)
    assert is_genuine(program.result("sign", event=NOTE))
    daemon.do("local", "revoke", "notes")
    program.send("sign", event={**NOTE, "content": "after"})
    assert the_waiting(daemon)["rule"] == "first-use"
    assert daemon.do("local", "list")["programs"][0]["first_use"] is True


def test_what_waits_is_told_that_the_program_was_revoked(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("getPublicKey")
    the_waiting(daemon)
    daemon.do("local", "revoke", "notes")
    error = program.read()["error"]
    assert error["code"] == "expired" and "link" not in error["message"]
    assert daemon.waiting() == []


def test_the_trust_of_new_programs_is_chosen_at_the_start(start, run_program, executable):
    start(arguments=("--local-trust", "full"))
    assert is_genuine(run_program(executable).result("sign", event=NOTE))


def test_a_program_is_known_after_a_restart(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    program.send("getPublicKey")
    daemon.do("request", "approve", the_waiting(daemon)["id"])
    program.read()
    daemon.stop()
    daemon = start()
    assert run_program(executable).result("getPublicKey") == daemon.user


def test_two_identities_are_two_consents(start, run_program, executable):
    daemon, program = start(), run_program(executable)
    work = daemon.do("identity", "create", "work")["pubkey"]
    program.send("getPublicKey")
    daemon.do("request", "approve", the_waiting(daemon)["id"])
    program.read()
    program.send("getPublicKey", identity="work")
    waiting = the_waiting(daemon)
    assert (waiting["rule"], waiting["identity"]["name"]) == ("first-use", "work")
    daemon.do("request", "approve", waiting["id"])
    assert program.read()["result"] == work
    assert {one["name"] for one in program.result("listIdentities")} == {"alice", "work"}


def test_an_app_over_relays_is_no_program(start, connect):
    daemon = start()
    assert daemon.do("local", "list")["programs"] == []
    assert daemon.cli("local", "trust", "nobody", "full").code == 5
