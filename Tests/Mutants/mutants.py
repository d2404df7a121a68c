#!/usr/bin/env python3
"""Breaks lines that decide, one at a time, and wants a red test for each: `make mutants`.

    mutants.py                   all
    mutants.py --only TEXT       those whose name or file has this text
    mutants.py --since COMMIT    those whose file, or whose tests, differ from that commit
    mutants.py --check           no build: every entry still fits the code, leaves it Swift, and names tests that exist

The tables are the *.toml beside this file (README.md says what an entry holds). A build for each mutant would take a day.
So the tree is copied to .build/mutants/tree, where each named text becomes a choice between the old and the new, made at run time:

    guard event.hasCorrectID            guard (isMutant(7) ? (true) : (event.hasCorrectID))

That is built once. Then the named tests run for each mutant, with its number in HOLDFAST_MUTANT. The build is kept for the next run.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLES = pathlib.Path(__file__).resolve().parent
SCRATCH = ROOT / ".build" / "mutants"
TREE = SCRATCH / "tree"
BUILD = SCRATCH / "build"
LOGS = SCRATCH / "logs"
# How many tests run at a time.
AT_ONCE = 2
# How long the tests of one mutant may take. Who hangs longer is noticed.
MUTANT_SECONDS = 180
# How long all of them may take without a mutant.
GREEN_SECONDS = 1800

# Tests that begin so are files for pytest.
OUTSIDE = "interop/"

# What a red test leaves in the output.
RED = "\u2718".encode()

SWITCH = """\
// Written by Tests/Mutants/mutants.py.
internal import Glibc

private let chosen: UInt32 = getenv("HOLDFAST_MUTANT").flatMap { UInt32(String(cString: $0)) } ?? 0

@usableFromInline func isMutant(_ number: UInt32) -> Bool { chosen == number }
"""


class Fault(Exception):
    """Something in the tables or around them is wrong; the text says what."""


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One text of the code and what is put in its place."""

    name: str
    gain: str
    file: str
    old: str
    new: str
    isStatement: bool
    after: str
    tests: str
    equivalent: str

    @property
    def is_outside(self) -> bool:
        """Whether the tests are a file of interop/, run against the program."""
        return self.tests.startswith(OUTSIDE)

    @property
    def number(self) -> int:
        """Follows from the name: another line in a table changes no other mutant's code."""
        return zlib.crc32(self.name.encode()) or 1

    def place(self, text: str) -> int:
        """Where the old text begins. It stands once in the file, or is the first after the text that `after` names."""
        start = 0
        if self.after:
            if text.count(self.after) != 1:
                raise Fault(f"{self.name}: `after` stands {text.count(self.after)} times in {self.file}, not once")
            start = text.index(self.after) + len(self.after)
        found = text.count(self.old, start)
        if found != 1 and not (self.after and found):
            raise Fault(f"{self.name}: this text stands {found} times in {self.file}, not once:\n{self.old}")
        return text.index(self.old, start)

    def choice(self, old: str) -> str:
        """Swift that is the old or the new, as the environment says.

        `old` is the text, or what another mutant of the same text made of it.
        """
        if not self.isStatement:
            return f"(isMutant({self.number}) ? ({joined(self.new)}) : ({joined(old)}))"
        return f"if isMutant({self.number}) {{ {self.new} }} else {{ {old} }}"


def joined(conditions: str) -> str:
    """The conditions of a `guard`, with commas between, as one expression. A comma in brackets or in a text divides nothing."""
    parts, depth, is_text = [""], 0, False
    for character in conditions:
        is_text ^= character == '"'
        depth += 0 if is_text else (character in "([{") - (character in ")]}")
        if character == "," and depth == 0 and not is_text:
            parts.append("")
        else:
            parts[-1] += character
    return parts[0] if len(parts) == 1 else " && ".join(f"({part.strip()})" for part in parts)


KEYS = {"name", "gain", "file", "old", "new", "statement", "instead", "after", "tests", "equivalent"}


def read_tables() -> list[Mutant]:
    """All entries, in the order of the files."""
    mutants: list[Mutant] = []
    for path in sorted(TABLES.glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        for entry in table.get("mutant", []):
            mutants.append(mutant({"tests": table.get("tests", ""), **entry}, path.name))
    for what, values in (("name", [m.name for m in mutants]), ("number", [m.number for m in mutants])):
        if twice := {value for value in values if values.count(value) > 1}:
            raise Fault(f"two mutants have the same {what}: {', '.join(map(str, twice))}")
    return mutants


def mutant(entry: dict[str, str], table: str) -> Mutant:
    """One entry, if it has all that it needs and nothing else."""
    name = entry.get("name") or "?"
    if wrong := set(entry) - KEYS:
        raise Fault(f"{table}: {name}: nobody knows {', '.join(wrong)}")
    if missing := [key for key in ("name", "gain", "file", "tests") if not entry.get(key)]:
        raise Fault(f"{table}: {name}: {', '.join(missing)} is missing")
    is_statement = "statement" in entry
    if ("old" in entry) == is_statement or ("new" in entry) == is_statement:
        raise Fault(f"{table}: {name}: wants either `old` and `new`, or `statement` and perhaps `instead`")
    if not is_statement and (half := re.search(r"^guard |\belse$|^if |^return |\blet ", entry["old"] + "\n" + entry["new"], re.MULTILINE)):
        raise Fault(f"{table}: {name}: `old` and `new` are expressions: leave out “{half.group().strip()}”")
    old, new = (entry["statement"], entry.get("instead", "")) if is_statement else (entry["old"], entry["new"])
    return Mutant(
        name, entry["gain"], entry["file"], old, new, is_statement, entry.get("after", ""), entry["tests"], entry.get("equivalent", "")
    )


def rewritten(file: str, mutants: list[Mutant]) -> str:
    """A file with every choice in it."""
    text = (ROOT / file).read_text(encoding="utf-8")
    places: dict[tuple[int, str], list[Mutant]] = {}
    for one in mutants:
        places.setdefault((one.place(text), one.old), []).append(one)
    end = len(text)
    for (place, old), here in sorted(places.items(), reverse=True):
        if place + len(old) > end:
            raise Fault(f"{here[0].name} overlaps with another mutant of {file}")
        new = old
        for one in here:
            new = one.choice(new)
        text = text[:place] + new + text[place + len(old) :]
        end = place
    return text


def check_places(mutants: list[Mutant]) -> None:
    """Every old text is where its entry says; all faults at once."""
    faults: list[str] = []
    for one in mutants:
        try:
            one.place((ROOT / one.file).read_text(encoding="utf-8"))
        except (Fault, OSError) as fault:
            faults.append(f"{one.name}: {fault}" if isinstance(fault, OSError) else str(fault))
    if faults:
        raise Fault("\n".join(faults))


def all_rewritten(mutants: list[Mutant]) -> dict[str, str]:
    """The changed files; those shown to be equivalent are looked at, and left as they are."""
    check_places(mutants)
    files: dict[str, str] = {}
    for file in sorted({one.file for one in mutants}):
        here = [one for one in mutants if one.file == file]
        rewritten(file, here)
        if living := [one for one in here if not one.equivalent]:
            files[file] = rewritten(file, living)
            files[switch_file(file)] = SWITCH
    return files


def switch_file(file: str) -> str:
    """Where the module of a file learns which mutant it is."""
    return "/".join(file.split("/")[:2]) + "/MutantSwitch.swift"


def check_syntax(changed: dict[str, str]) -> None:
    """Every changed file is still Swift, as far as its syntax shows. Types are checked by the build."""
    with tempfile.TemporaryDirectory() as folder:
        for number, content in enumerate(changed.values()):
            pathlib.Path(folder, f"{number}.swift").write_text(content, encoding="utf-8")
        paths = sorted(map(str, pathlib.Path(folder).iterdir()))
        command = ["swiftc", "-frontend", "-parse", "-swift-version", "6", *paths]
        found = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if found.returncode != 0:
            lines = [line.removeprefix(folder + "/") for line in found.stderr.splitlines() if ": error:" in line]
            names = dict(enumerate(changed))
            named = [re.sub(r"^(\d+)\.swift", lambda at: names[int(at[1])], line) for line in lines]
            raise Fault("\n".join(["with the mutants in them, these files are not Swift any more:", *named]))


def check_tests(mutants: list[Mutant]) -> None:
    """Every test or suite that is named exists."""
    known: set[str] = set()
    for path in (ROOT / "Tests").rglob("*.swift"):
        known.update(re.findall(r"\b(?:func|struct|class|enum)\s+(\w+)", path.read_text(encoding="utf-8")))
        known.add(path.relative_to(ROOT / "Tests").parts[0])
    for one in mutants:
        names = [] if one.is_outside else re.findall(r"\w+", one.tests)
        missing = [name for name in names if name not in known]
        if one.is_outside and not (ROOT / one.tests).is_file():
            missing = [one.tests]
        if missing:
            raise Fault(f"{one.name}: there is no test {', '.join(missing)}")


def listed() -> list[str]:
    """The files of the working tree that git knows or would take."""
    output = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    return [name for name in output.decode().split("\0") if name and (ROOT / name).is_file()]


def copy_tree(changed: dict[str, str]) -> None:
    """Makes the copy what it should be, and touches no file that is so already: the compiler builds what is newer."""
    wanted = set(listed()) | set(changed)
    for name in wanted:
        target = TREE / name
        content = changed[name].encode() if name in changed else (ROOT / name).read_bytes()
        if target.is_file() and target.read_bytes() == content:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        if name not in changed:
            shutil.copymode(ROOT / name, target)
    for path in [path for path in TREE.rglob("*") if path.is_file() and str(path.relative_to(TREE)) not in wanted]:
        path.unlink()


def build() -> pathlib.Path:
    """Builds the tests of the copy; the program that runs them."""
    log = LOGS / "build.log"
    command = ["swift", "build", "--build-tests", "--package-path", str(TREE), "--scratch-path", str(BUILD)]
    with log.open("w", encoding="utf-8") as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False).returncode
    if status != 0:
        errors = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if ": error:" in line]
        raise Fault("\n".join(["the mutants do not build:", *dict.fromkeys(errors), f"(all of it in {log})"]))
    return BUILD / "debug" / "holdfastPackageTests.xctest"


@dataclasses.dataclass
class Outcome:
    """What became of one run of some tests."""

    green: bool
    seconds: float
    log: pathlib.Path


def wait_for(process: subprocess.Popen, end: float, log: pathlib.Path, stops: bool) -> int:
    """The status of a run; -1 where its time is over, or where one test was red and that is enough."""
    while time.monotonic() < end:
        try:
            return process.wait(0.25)
        except subprocess.TimeoutExpired:
            if stops and RED in log.read_bytes():
                return -1
    return -1


def run(binary: pathlib.Path, tests: str, number: int, limit: float, log: pathlib.Path) -> Outcome:
    """Runs some tests under one mutant (0: none). Green is only what ends in the closing line of at least one test."""
    environment = {**os.environ, "HOLDFAST_MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no"}
    environment.setdefault("HOLDFAST_VECTORS", str(ROOT.parent / "shared" / "vectors"))
    command, passing = [binary, "--testing-library", "swift-testing", "--filter", tests], r"Test run with [1-9]\d* tests?.* passed"
    if tests.startswith(OUTSIDE):
        environment["HOLDFAST_BINARY"] = str(binary.parent / "holdfast")
        command = [ROOT / ".venv" / "bin" / "python", "-m", "pytest", "-q", "-n0", "-x", ROOT / tests]
        passing = r"(?m)^[1-9]\d* passed"
    begun = time.monotonic()
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            command, cwd=TREE, env=environment, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True
        )
        status = wait_for(process, begun + limit, log, stops=number != 0)
        try:
            os.killpg(process.pid, signal.SIGKILL)  # also what it started, when it is dead itself
        except ProcessLookupError:
            pass
        process.wait()
    text = log.read_text(encoding="utf-8", errors="replace")
    if "Test run with 0 tests" in text:
        raise Fault(f"no test has a name like {tests}")
    passed = re.search(passing, text) is not None
    return Outcome(status == 0 and passed, time.monotonic() - begun, log)


def check_green(binary: pathlib.Path, mutants: list[Mutant]) -> None:
    """Without a mutant all tests that are named are green. Once more where they are not: a machine under load may be the cause."""
    runs = sorted({one.tests for one in mutants if one.is_outside})
    if inside := "|".join(sorted({one.tests for one in mutants if not one.is_outside})):
        runs.append(inside)
    for number, tests in enumerate(runs):
        log = LOGS / f"green{number or ''}.log"
        if not any(run(binary, tests, 0, GREEN_SECONDS, log).green for _ in range(2)):
            raise Fault(f"without a mutant some of these tests are red, or there are none: {log}")


def hunt(binary: pathlib.Path, mutants: list[Mutant]) -> list[Mutant]:
    """Runs every mutant; those that nobody noticed."""
    check_green(binary, mutants)
    print("mutants: all tests are green without one", flush=True)

    def noticed(one: Mutant) -> bool:
        outcome = run(binary, one.tests, one.number, MUTANT_SECONDS, LOGS / f"{one.name}.log")
        print(f"{'SURVIVED' if outcome.green else 'noticed '} {outcome.seconds:6.1f} s  {one.name}", flush=True)
        return not outcome.green

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return [one for one, red in zip(mutants, pool.map(noticed, mutants), strict=True) if not red]


def changed_since(commit: str) -> set[str]:
    """The files that differ from a commit, new ones among them."""
    difference = ["git", "diff", "--name-only", "-z", commit, "--"]
    new = ["git", "ls-files", "-z", "--others", "--exclude-standard"]
    names: set[str] = set()
    for command in (difference, new):
        output = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
        if output.returncode != 0:
            raise Fault(output.stderr.decode().strip())
        names.update(output.stdout.decode().split("\0"))
    return names - {""}


def touched(mutants: list[Mutant], files: set[str]) -> list[Mutant]:
    """The mutants of changed files, of changed tables, and those whose tests changed."""
    tests = [ROOT / name for name in files if name.startswith("Tests/") and name.endswith(".swift") and (ROOT / name).exists()]
    names = {word for path in tests for word in re.findall(r"\b(?:func|struct)\s+(\w+)", path.read_text(encoding="utf-8"))}
    tables = {
        entry["name"]
        for name in files
        if name.startswith("Tests/Mutants/") and name.endswith(".toml") and (ROOT / name).exists()
        for entry in tomllib.loads((ROOT / name).read_text(encoding="utf-8")).get("mutant", [])
    }
    return [one for one in mutants if one.file in files or one.name in tables or names.intersection(re.findall(r"\w+", one.tests))]


def report(mutants: list[Mutant], survivors: list[Mutant], equivalent: int) -> None:
    """The score, and what every survivor would give away."""
    for one in survivors:
        print(f"\nSURVIVED: {one.name}\n  {one.file}\n  {one.gain}\n  nobody noticed in: {one.tests}")
    noticed = len(mutants) - len(survivors)
    print(f"\nmutants: {noticed} of {len(mutants)} noticed, {len(survivors)} survived; {equivalent} more are equivalent and were not run")


def main() -> int:
    """Does what was asked for; 1 when a mutant survived or a table is not true."""
    parser = argparse.ArgumentParser(description="breaks lines that decide, one at a time, and wants a red test for each")
    parser.add_argument("--check", action="store_true", help="only see that the tables fit the code")
    parser.add_argument("--only", metavar="TEXT", default="", help="mutants whose name or file has this text")
    parser.add_argument("--since", metavar="COMMIT", default="", help="mutants whose file or tests differ from this commit")
    asked = parser.parse_args()
    everyone = read_tables()
    changed = all_rewritten(everyone)
    check_tests(everyone)
    if asked.check:
        check_syntax(changed)
        print(f"mutants: {len(everyone)} entries fit the code")
        return 0
    wanted = [one for one in everyone if asked.only in one.name or asked.only in one.file]
    wanted = touched(wanted, changed_since(asked.since)) if asked.since else wanted
    living = [one for one in wanted if not one.equivalent]
    if not living:
        print("mutants: none to run")
        return 0
    LOGS.mkdir(parents=True, exist_ok=True)
    print(f"mutants: building all, to run {len(living)}", flush=True)
    copy_tree(changed)
    survivors = hunt(build(), living)
    report(living, survivors, len(wanted) - len(living))
    return 1 if survivors else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Fault as fault:
        print(f"mutants: {fault}", file=sys.stderr)
        sys.exit(1)
