"""The extension and links that somebody installs in a trial."""

from __future__ import annotations

from pathlib import Path

import pytest

from extension.chromium import ID
from harness.daemon import environment, run
from harness.native_host import NativeHost
from harness.waiting import until

PASSPHRASE = "seven quiet otters knit warm socks"


@pytest.fixture
def surroundings(empty_home):
    """The owner's folders. Trials are in the test's folder for temporary files."""
    owner = empty_home.folder / "owner"
    owner.mkdir()
    return environment(HOME=str(owner), XDG_DATA_HOME=str(owner / "data"), TMPDIR=str(empty_home.folder))


@pytest.fixture
def trial(empty_home, start):
    return start(empty_home, trial=True)


def asked(folder: Path, surroundings: dict, let_in_at: str | None = None) -> dict:
    host = NativeHost(None, f"chrome-extension://{ID}/", wrapper=folder / "native-host", env=surroundings)
    try:
        if let_in_at is None:
            return host.ask("getPublicKey")
        host.send({"id": "1", "method": "getPublicKey", "origin": "https://site.example", "params": {}, "channel": "c"})
        home = ("--home", let_in_at, "--json")
        waiting = until(lambda: run("request", "list", *home).value["requests"], "the site's request waits")
        run("request", "approve", waiting[0]["id"], *home)
        return host.read()
    finally:
        host.process.kill()
        host.process.wait()


@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_nothing_that_is_left_names_the_trials_folder(ending, trial, empty_home, surroundings):
    for command in (
        ("extension", "install", "--browser", "chromium"),
        ("extension", "install", "--browser", "firefox"),
        ("links", "install"),
    ):
        done = run(*command, "--home", trial.ready["home"], env=surroundings)
        assert done.code == 0 or command[0] == "links", done.said
        assert "while it runs" in done.out or command[0] == "links"
    getattr(trial, ending)()
    left = [path for path in (empty_home.folder / "owner").rglob("*") if path.is_file()]
    assert {"org.holdfast.signer.json", "native-host", "holdfast-links.desktop"} <= {path.name for path in left}
    for path in left:
        assert b"holdfast-trial-" not in path.read_bytes(), path


def test_sites_ask_the_trial_and_then_the_vault_that_it_became(trial, empty_home, surroundings):
    run("extension", "install", "--browser", "chromium", "--home", trial.ready["home"], env=surroundings)
    data = empty_home.folder / "owner/data"
    folder = data / "holdfast-browser"
    assert asked(folder, surroundings, let_in_at=trial.ready["home"])["result"] == trial.user
    open_browser = NativeHost(None, f"chrome-extension://{ID}/", wrapper=folder / "native-host", env=surroundings)
    assert open_browser.ask("getPublicKey")["result"] == trial.user
    chosen = empty_home.folder / "chosen"
    chosen.write_text(PASSPHRASE)
    kept = run("keep", "--home", trial.ready["home"], "--new-passphrase-file", str(chosen), env=surroundings)
    assert kept.code == 0 and "now ask this vault, or a later trial while one runs" in " ".join(kept.out.split()), kept.said
    until(lambda: len(trial.printed.splitlines()) > 1, "the kept vault's signer")
    assert asked(folder, surroundings)["result"] == trial.user
    answers = until(
        lambda: [one for one in [open_browser.ask("getPublicKey")] if "result" in one], "an answer in the browser that stayed open"
    )
    assert answers[0]["result"] == trial.user
    open_browser.process.kill()
    open_browser.process.wait()
    trial.stop()
    assert asked(folder, surroundings)["error"]["code"] != "unavailable" or (data / "holdfast").exists()
    home = ("--home", str(data / "holdfast"), "--json")
    assert run("extension", "install", "--browser", "chromium", *home, env=surroundings).code == 0
    assert run("extension", "uninstall", "--browser", "chromium", *home, env=surroundings).value["left"] == []
    assert not folder.exists() and not (data / "holdfast/browser").exists()


@pytest.mark.parametrize("words", [("request", "watch"), ("open", "keyfob://pubkey?cb=https://site.example/")], ids=" ".join)
def test_whoever_forgot_the_trials_folder_is_told_of_it(words, trial, surroundings):
    done = run(*words, env=surroundings)
    assert done.code == 5 and "A trial runs in another folder" in done.err and trial.ready["home"] in done.err


def test_doctor_finds_a_manifest_whose_program_is_gone(home, surroundings):
    words = ("--home", str(home.path), "--json")
    assert run("extension", "install", "--browser", "chromium", *words, env=surroundings).code == 0
    proof = ("--passphrase-file", str(home.passphrase_file))
    checks = lambda: [one["check"] for one in run("doctor", *words, *proof, env=surroundings).value["findings"]]  # noqa: E731
    assert "extension" not in checks()
    (home.path / "browser/native-host").unlink()
    assert "extension" in checks()
