"""Fixtures: homes and daemons (stopped by pid at the end), relays, apps. Everything on loopback and free ports."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
import pytest_asyncio

sys.path.insert(0, str(Path(__file__).parent))

from harness.app import App
from harness.bare_machine import BareMachine
from harness.clock import Clock  # noqa: E402
from harness.daemon import Daemon, Home, outputs
from harness.keyring import desktop_keyring
from harness.people import DELAY, Person
from harness.push_proxy import Proxy
from harness.relays import NostrRelayProcess, RustLocalRelay
from harness.scripted_relay import ScriptedRelay
from harness.terminal import Terminal
from harness.waiting import until

ENDS = time.monotonic() + float(os.environ.get("HOLDFAST_TEST_SECONDS", "inf"))
"""When no further test begins."""


def pytest_runtest_setup():
    if time.monotonic() > ENDS:
        pytest.skip("the time of HOLDFAST_TEST_SECONDS was over")


@pytest.fixture(scope="session")
def closed_home():
    """A created vault with one identity, `alice`. Never started: tests start copies of it."""
    home = Home.created()
    yield home
    home.remove()


@pytest.fixture
def home(closed_home):
    """A home of this test's own."""
    home = closed_home.copied()
    yield home
    home.remove()


@pytest.fixture
def empty_home():
    """A folder where no vault is yet."""
    home = Home()
    yield home
    home.remove()


@pytest.fixture
def machines():
    """Makes bare machines, on which shares are shown and typed on purpose."""
    made: list[BareMachine] = []
    begun = len(outputs)

    def make() -> BareMachine:
        made.append(BareMachine())
        return made[-1]

    yield make
    for machine in made:
        machine.remove()
    del outputs[begun:]


@pytest.fixture
def start(home):
    """Starts daemons on this test's home; whatever still runs at the end is ended."""
    started: list[Daemon] = []

    def start_daemon(of: Home = home, **options) -> Daemon:
        started.append(of.start(**options))
        return started[-1]

    yield start_daemon
    for daemon in started:
        daemon.kill()


@pytest.fixture
def daemon(start):
    """A daemon of this test's own, with the embedded relay."""
    return start()


@pytest.fixture
def at_terminal(home):
    """Starts commands on this test's home at a terminal; what still runs at the end is ended."""
    opened: list[Terminal] = []

    def start(*words: str) -> Terminal:
        opened.append(Terminal(*words, "--home", str(home.path)))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


@pytest.fixture(params=["daemon running", "vault opened by the command"])
def owner(request, home, start):
    """Runs owner's commands against a daemon, and against a closed vault."""
    if request.param == "daemon running":
        start()
        return lambda *arguments, **more: home.cli(*arguments, **more)
    return lambda *arguments, **more: home.cli(*arguments, "--passphrase-file", str(home.passphrase_file), **more)


@pytest.fixture(params=["daemon running", "vault opened by the command"])
def proving_owner(request, home, start):
    """As `owner`, with the passphrase in either case."""
    if request.param == "daemon running":
        start()
    return lambda *arguments, **more: home.cli(*arguments, "--passphrase-file", str(home.passphrase_file), **more)


@pytest.fixture(scope="module")
def shared(closed_home):
    """One daemon for a whole module, for tests that only add pairings of their own."""
    home = closed_home.copied()
    daemon = home.start()
    yield daemon
    daemon.kill()
    home.remove()


@pytest.fixture
def scripted_relay():
    with ScriptedRelay() as relay:
        yield relay


@pytest.fixture
def scripted_relays():
    """Makes as many scripted relays as a test asks for."""
    relays: list[ScriptedRelay] = []

    def make(count: int) -> list[ScriptedRelay]:
        made = [ScriptedRelay().__enter__() for _ in range(count)]
        relays.extend(made)
        return made

    yield make
    for relay in relays:
        relay.__exit__()


@pytest.fixture
def desktop():
    """The environment of a desktop session with an unlocked keyring."""
    with desktop_keyring() as env:
        yield env


@pytest.fixture
def clock(home):
    return Clock(home.folder)


@pytest.fixture(scope="module")
def nostr_relay():
    with NostrRelayProcess() as relay:
        yield relay


@pytest.fixture(scope="module")
def rust_relay():
    with RustLocalRelay() as relay:
        yield relay


@pytest_asyncio.fixture
async def apps():
    """Opens apps and closes them at the end: `await apps(App.paired(link))`."""
    opened: list[App] = []

    async def open_app(work) -> App:
        app = await work
        opened.append(app)
        return app

    yield open_app
    for app in opened:
        await app.close()


@pytest_asyncio.fixture
async def app(shared, apps):
    """An app that is paired with the module's daemon and may do everything."""
    return await apps(App.paired(shared.pair("full")))


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
    until(lambda: owner("guardian", "list").value["guardians"][0]["since"], "the guardian says that he keeps it")
    return owner, guardian


@pytest.fixture
def proxies():
    """Starts push proxies; what still runs at the end is killed."""
    started: list[Proxy] = []

    def start(*arguments: str, **more: str) -> Proxy:
        started.append(Proxy(*arguments, **more))
        return started[-1]

    yield start
    for proxy in started:
        if proxy.is_running:
            proxy.kill()
