"""`holdfast recovery create` alone: it asks how many shares there are, and for a folder for the pages."""

from __future__ import annotations

import subprocess

import pytest

from harness.daemon import PASSPHRASE, binary, environment, run
from harness.terminal import Terminal

ALL, NEEDED, FOLDER = "How many shares in all? [3]", "one may be lost. [2]", "Enter for holdfast-kit:"


@pytest.fixture
def asking(home):
    terminal = Terminal("recovery", "create", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    terminal.wait_for(ALL)
    yield terminal
    terminal.close()


def pages(folder) -> int:
    return len(list(folder.glob("*.html")))


def test_enter_twice_makes_two_of_three(asking, tmp_path):
    asking.type("\n")
    shown = asking.wait_for(NEEDED)
    assert "How many of them to restore? With 2, one may be lost. [2]" in " ".join(shown.split())
    asking.type("\n")
    asking.wait_for(FOLDER)
    asking.type(f"{tmp_path}/kit\n")
    asking.finish()
    assert asking.code == 0 and pages(tmp_path / "kit") == 3


def test_the_usual_folder_is_made_in_the_current_one(home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    terminal = Terminal("recovery", "create", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file))
    terminal.type("  1 \n\n")
    shown = terminal.finish()
    terminal.close()
    assert terminal.code == 0 and pages(tmp_path / "holdfast-kit") == 1, shown


def test_a_tilde_is_the_home_folder(home, tmp_path):
    words = ["recovery", "create", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file)]
    terminal = Terminal(*words, HOME=str(tmp_path))
    terminal.type("5\n3\n~/my kit\n")
    shown = terminal.finish()
    terminal.close()
    assert terminal.code == 0 and pages(tmp_path / "my kit") == 5, shown


@pytest.mark.parametrize(("first", "typed"), [("", "three"), ("", "17"), ("", "0"), ("2\n", "3")])
def test_what_is_no_number_of_shares_makes_nothing(asking, home, first, typed):
    asking.type(first)
    for _ in range(3):
        asking.type(typed + "\n")
    shown = " ".join(asking.finish().split())
    assert asking.code == 2 and f"That is no number from 1 to {2 if first else 16}. No kit was made." in shown
    assert home.unlocked("recovery", "list").value["kits"] == []


def test_a_number_that_was_mistyped_is_asked_for_again(asking, tmp_path):
    asking.type("some\n")
    asking.wait_for("Type a number from 1 to 16, or only Enter for 3.")
    asking.wait_for(ALL)
    asking.type("3\n2\n")
    asking.wait_for(FOLDER)
    asking.type(f"{tmp_path}/kit\n")
    asking.finish()
    assert asking.code == 0 and pages(tmp_path / "kit") == 3


@pytest.mark.parametrize("words", [(), ("--json",), ("--threshold", "2"), ("--shares", "3")])
def test_without_anybody_to_ask_the_missing_numbers_are_said_before_the_passphrase(home, words):
    refused = run("recovery", "create", *words, "--home", str(home.path))
    assert refused.code == 2 and "For example: --threshold 3 --shares 5" in refused.out + refused.err


def test_a_kit_that_is_refused_or_cancelled_leaves_no_folder(home, tmp_path):
    folder, wrong = tmp_path / "kit", tmp_path / "wrong"
    wrong.write_text("not the passphrase")
    words = ["recovery", "create", "--home", str(home.path), "--threshold", "2", "--shares", "3", "--out", str(folder)]
    assert run(*words, "--passphrase-file", str(wrong)).code != 0 and not folder.exists()
    terminal = Terminal(*words)
    terminal.wait_for("assphrase")
    terminal.type("\x03")
    terminal.finish()
    terminal.close()
    assert terminal.code != 0 and not folder.exists()
    folder.mkdir(mode=0o700)
    assert run(*words, "--passphrase-file", str(wrong)).code != 0 and folder.exists(), "it was there before"


def test_what_takes_the_folders_place_while_the_passphrase_is_typed_gets_no_page(home, tmp_path):
    folder, moved, others = tmp_path / "kit", tmp_path / "moved", tmp_path / "others"
    folder.mkdir(mode=0o700)
    words = ["--threshold", "2", "--shares", "3", "--out", str(folder)]
    terminal = Terminal("recovery", "create", "--home", str(home.path), *words)
    terminal.wait_for("assphrase")
    folder.rename(moved)
    others.mkdir()
    folder.symlink_to(others)
    terminal.type(PASSPHRASE + "\n")
    shown = terminal.finish()
    terminal.close()
    assert terminal.code == 0, shown
    assert pages(moved) == 3 and pages(others) == 0


def test_what_is_put_where_a_new_folder_was_to_be_made_gets_no_page(home, tmp_path):
    folder, others = tmp_path / "kit", tmp_path / "others"
    terminal = Terminal("recovery", "create", "--home", str(home.path), "--threshold", "2", "--shares", "3", "--out", str(folder))
    terminal.wait_for("assphrase")
    others.mkdir()
    folder.symlink_to(others)
    terminal.type(PASSPHRASE + "\n")
    shown = terminal.finish()
    terminal.close()
    assert terminal.code != 0 and "could not be made" in shown and pages(others) == 0
    assert home.unlocked("recovery", "list").value["kits"] == [], "a kit that nobody saw is not kept"


def test_a_folder_that_cannot_be_made_is_refused_before_the_passphrase(home, tmp_path):
    words = ("--threshold", "2", "--shares", "3", "--out", str(tmp_path / "none" / "kit"))
    terminal = Terminal("recovery", "create", "--home", str(home.path), *words)
    shown = terminal.finish()
    terminal.close()
    assert terminal.code != 0 and "could not be made" in shown and "assphrase" not in shown


def test_the_suggested_commands_can_be_copied_for_a_folder_with_a_space(home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["--threshold", "2", "--shares", "3", "--out", "my kit of a name that is rather long for a small terminal"]
    terminal = Terminal("recovery", "create", "--home", str(home.path), "--passphrase-file", str(home.passphrase_file), *words)
    shown = terminal.finish()
    terminal.close()
    folder = next(tmp_path.glob("my kit*"))
    commands = {line.split()[0]: line.strip() for line in shown.splitlines() if line.startswith("  ")}
    tested = subprocess.run(
        [
            "sh",
            "-c",
            commands["holdfast"].replace("holdfast", f"'{binary()}'", 1)
            + f" --home '{home.path}' --passphrase-file '{home.passphrase_file}'",
        ],
        capture_output=True,
        env=environment(),
    )
    assert tested.returncode == 0, tested.stderr
    subprocess.run(["sh", "-c", commands["shred"]], check=True)
    assert pages(folder) == 0
