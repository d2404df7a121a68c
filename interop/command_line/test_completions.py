"""Completions in real shells: they know the names of things, ask nothing, and run nothing that a name says."""

from __future__ import annotations

import os
import subprocess
import time

import pytest

from harness.app import App
from harness.daemon import binary, environment, run
from harness.terminal import Terminal
from harness.waiting import until

# Names that would do harm if a shell expanded or evaluated them. They make a file in the working folder.
HOSTILE = [
    "a$(touch pwned)",
    "b`touch pwned`",
    "c;touch pwned",
    "d|touch pwned",
    "e' ;touch pwned; '",
    'f";touch pwned;"',
    "g(touch pwned)",
    "h\\$(touch pwned)",
    "i*",
    "j~",
    "k{a,b}",
    "l${(e):-$(touch pwned)}",
    "m<(touch pwned)",
    "n%F{red}x",
    "o[$(touch pwned)]",
]


@pytest.fixture
def folder(tmp_path):
    """A working folder, with the program under its own name in front of the path."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "holdfast").symlink_to(binary())
    (tmp_path / "work").mkdir()
    return tmp_path


def shell(folder, home, *words: str) -> str:
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    env = environment(PATH=path, HOLDFAST_HOME=str(home.path), HOME=str(folder), TERM="xterm", LC_ALL="C.UTF-8")
    done = subprocess.run(words, env=env, cwd=folder / "work", capture_output=True, timeout=60)
    assert not (folder / "work" / "pwned").exists(), f"{words[0]} ran what a name says"
    return done.stdout.decode()


def bash(folder, home, line: str) -> list[str]:
    words = line.split(" ")
    script = run("completions", "bash").out + (
        f"COMP_WORDS=({' '.join(map(quoted, words))}); COMP_CWORD={len(words) - 1}; _holdfast\n"
        'for reply in "${COMPREPLY[@]}"; do eval "set -- $reply"; printf "%s\\n" "$#:$1"; done\n'
    )
    # What bash would put on the line is evaluated as the shell does it: it must be one word, and that name.
    return [reply.removeprefix("1:") for reply in shell(folder, home, "bash", "--norc", "-c", script).splitlines()]


def fish(folder, home, line: str) -> list[str]:
    script = folder / "script.fish"
    script.write_text(run("completions", "fish").out + f"complete -C {quoted(line)}\n")
    answers = shell(folder, home, "fish", "--no-config", str(script)).splitlines()
    return [answer.split("\t")[0] for answer in answers]


class Zsh(Terminal):
    """Zsh completes only at a prompt."""

    def execute(self, words, env):
        os.chdir(words[0])
        os.execvpe("zsh", ["zsh", "-f", "-i"], env)


def zsh(folder, home, line: str) -> list[str]:
    (folder / "completions.zsh").write_text(run("completions", "zsh").out)
    (folder / "start.zsh").write_text(
        f"""
        PROMPT= PS2= ; unsetopt zle_bracketed_paste 2>/dev/null; autoload -U compinit; compinit -u -D
        source {folder}/completions.zsh
        compadd() {{ local -a found; builtin compadd -O found "$@"; print -rl -- $found >> {folder}/found; builtin compadd "$@" }}
        completed() {{ zle complete-word; print -r -- done >> {folder}/found }}
        zle -N completed; bindkey '^I' completed; stty -echo; print READY
        """
    )
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    terminal = Zsh(str(folder / "work"), PATH=path, HOLDFAST_HOME=str(home.path), HOME=str(folder), LC_ALL="C.UTF-8")
    found = folder / "found"
    found.write_text("")
    try:
        terminal.type(f"source {folder}/start.zsh\n")
        terminal.wait_for("READY")
        terminal.type(line + "\t")
        until(lambda: terminal._read(0.05) or "done" in found.read_text().splitlines(), "the end of the completion", 30)
        until(lambda: "done" in found.read_text().splitlines(), "the end of the completion", 30)
    finally:
        terminal.close()
    assert not (folder / "work" / "pwned").exists(), "zsh ran what a name says"
    return found.read_text().splitlines()


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


@pytest.fixture(params=SHELLS)
def complete(request, folder, home):
    return lambda line: SHELLS[request.param](folder, home, line)


def test_names_of_identities_kits_and_slots_are_offered(daemon, home, complete):
    home.cli("identity", "create", "bob the second", check=True)
    made = home.cli(
        "recovery", "create", "--threshold", "1", "--shares", "1", "--passphrase-file", str(home.passphrase_file), check=True
    ).value
    assert {"alice", "bob the second"} <= set(complete("holdfast identity show "))
    assert made["kit"]["id"] in complete("holdfast recovery remove ")
    assert "1" in complete("holdfast slot test ")
    assert "alice" in complete("holdfast pair --identity ")


def test_a_name_runs_nothing_in_a_shell(daemon, home, complete):
    for name in HOSTILE:
        home.cli("identity", "create", name, check=True)
    offered = complete("holdfast identity show ")
    assert set(HOSTILE) <= set(offered), set(HOSTILE) - set(offered)


def test_topics_classes_permissions_and_links_are_offered(daemon, home, complete):
    assert {"all", "opening", "backup"} <= set(complete("holdfast help "))
    assert "after-first-unlock" in complete("holdfast identity class alice ")
    assert "sign_event:1" in complete("holdfast client allow app ")
    assert daemon.do("pair")["pubkey"][:8] in complete("holdfast pair --cancel ")


def test_nothing_is_offered_or_asked_without_a_signer(home, complete):
    assert "alice" not in complete("holdfast identity show ")


def test_names_that_are_not_one_plain_line_are_left_out(daemon, home):
    assert run("complete-names", "identities", "--home", str(home.path)).out == "alice\n"
    for words in (["nosuch"], [], ["apps", "--home"], ["apps", "--home", "/nowhere"]):
        done = run("complete-names", *words)
        assert (done.code, done.out, done.err) == (0, "", "")


def test_completing_never_waits_for_a_signer_that_hangs(daemon, home):
    os.kill(daemon.pid, 19)
    try:
        began = time.monotonic()
        assert run("complete-names", "apps", "--home", str(home.path)).out == ""
        assert time.monotonic() - began < 10
    finally:
        os.kill(daemon.pid, 18)


async def test_each_word_of_a_command_is_completed_in_its_place(daemon, home, apps, complete):
    await apps(App.paired(daemon.pair()))
    name = daemon.clients()[0]["name"]
    levels = {"full", "medium", "low"}
    first, second = set(complete("holdfast client trust ")), set(complete("holdfast client trust someone "))
    assert name in first and not levels & first
    assert levels <= second and name not in second


class Bash(Terminal):
    """An interactive shell, in which readline adds what bash offers by itself."""

    def execute(self, words, env):
        os.chdir(words[0])
        os.execvpe("bash", ["bash", "--norc", "-i"], env)


def test_bash_offers_files_only_where_one_is_wanted(folder, home):
    (folder / "work" / "letter.txt").write_text("")
    (folder / "completions.bash").write_text(run("completions", "bash").out)
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    terminal = Bash(str(folder / "work"), PATH=path, HOLDFAST_HOME=str(home.path), HOME=str(folder), PS1="$ ", INPUTRC="/dev/null")
    try:
        terminal.type(f"source {folder}/completions.bash; echo READ''Y\n")
        terminal.wait_for("READY")
        terminal.wait_for("$ ")
        for line, wanted in (("holdfast pair --name let", False), ("holdfast backup verify let", True)):
            terminal.type(f"{line}\t #END\x01echo \n")
            shown = terminal.wait_for("#END")
            assert ("letter.txt" in shown) == wanted, f"{line}: {shown!r}"
            # What is typed before the prompt is only echoed.
            terminal.type(f"echo NEXT''{wanted}\n")
            terminal.wait_for(f"NEXT{wanted}")
            terminal.wait_for("$ ")
    finally:
        terminal.close()
