"""Makes changes as the owner, one after the other, and checks that vault and log agree about them."""

from __future__ import annotations

import copy
import http.client
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

from harness.owner import ask, do

RULES_AT_ONCE = 24
"""An app may have a few dozen rules. Older ones are removed."""
RECORDED = frozenset({"grantChanged", "settingChanged", "identityCreated", "identityRenamed", "unpaired", "linkMade"})
"""Kinds of log entries that each record one change of the vault."""
OFTEN = ("rename", "limit", "allow", "allow", "deny", "forget", "trust", "suspend", "policy")
SELDOM = ("identity", "pair")
LINK = "low trust"
"""The rule in the entries of links made here. A link that the signer makes by itself at a start has another trust."""


@dataclass
class State:
    """The part of the vault that is changed here."""

    apps: dict[str, dict] = field(default_factory=dict)
    identities: list[str] = field(default_factory=list)
    follow_share: int = 50
    links: int = 0

    @classmethod
    def of(cls, home: Path) -> State:
        """Read from the running signer."""
        shown = [do(home, "client/show", client=app["pubkey"]) for app in do(home, "client/list")["clients"]]
        return cls(
            {app["pubkey"]: app_state(app) for app in shown},
            sorted(identity["name"] for identity in do(home, "identity/list")["identities"]),
            do(home, "policy/show")["follow_share"],
            do(home, "status")["links"],
        )


def app_state(shown: dict) -> dict:
    return {
        "name": shown["name"],
        "trust": shown["trust"],
        "per_day": shown["limits"]["per_day"],
        "suspended": shown["suspended"],
        "rules": {rule["permission"]: rule["verdict"] for rule in shown["rules"]},
    }


@dataclass(frozen=True)
class Change:
    """One operation of the owner, the state of the vault after it, and its log entry."""

    operation: str
    given: dict
    after: State
    entry: tuple[str, str | None, str | None]
    """Kind, app and rule, as `log export` names them."""


class Fault(AssertionError):
    """A property that must hold does not."""


class OwnerChanges:
    """Makes changes in one home and remembers which of them the signer confirmed."""

    def __init__(self, home: Path, chance: random.Random, spare: list[str] | None = None, untouched: frozenset[str] = frozenset()):
        self.home = home
        self.chance = chance
        self.state = State.of(home)
        self.spare = spare or []
        """Apps that may be revoked."""
        self.untouched = untouched
        """Apps whose permissions stay as they are, so that they go on being served."""
        self.expected: list[tuple] = []
        self.in_doubt: Change | None = None
        self.made = 0
        self.refused = 0
        self.entries_from = 1 + max((entry["sequence"] for entry in do(home, "log/show", limit=1)["entries"]), default=0)

    # Making

    def next(self) -> Change:
        kinds = [*OFTEN * 3, *SELDOM, *(["revoke"] if self.spare else [])]
        while True:
            change = self.of(self.chance.choice(kinds))
            if change:
                return change

    def of(self, kind: str) -> Change | None:
        """A change of that kind, or None if there is nothing to change."""
        return getattr(self, "_" + kind)(copy.deepcopy(self.state))

    def make(self, change: Change) -> bool:
        """- Returns: whether the signer confirmed the change. If the connection is lost, this raises and the change stays in doubt."""
        self.in_doubt = change
        answer = ask(self.home, change.operation, **change.given)
        self.in_doubt = None
        if not answer["ok"]:
            self.refused += 1
            return False
        self._is_done(change)
        return True

    def _is_done(self, change: Change) -> None:
        self.made += 1
        self.state = change.after
        self.spare = [key for key in self.spare if key in self.state.apps]
        self.expected.append(change.entry)

    # Checking

    def settle(self, found: State | None = None) -> None:
        """After a restart: the vault has all confirmed changes, and perhaps the one in doubt. The log agrees."""
        found = found or State.of(self.home)
        if self.in_doubt and found != self.state and found == self.in_doubt.after:
            self._is_done(self.in_doubt)
        self.in_doubt = None
        if found != self.state:
            raise Fault(f"the vault is not as it was confirmed:\n{differences(self.state, found)}")
        self.compare_log()

    def compare_log(self) -> None:
        entries = read_log(self.home, self.entries_from)
        deadline = time.monotonic() + SOON
        while own_changes(entries) != self.expected and time.monotonic() < deadline:
            entries = read_log(self.home, self.entries_from)
        said = own_changes(entries)
        if said != self.expected:
            at = next((n for n, (a, b) in enumerate(zip(said, self.expected, strict=False)) if a != b), min(len(said), len(self.expected)))
            raise Fault(
                f"vault and log differ from change {at} on: the log has {said[at : at + 3]}, "
                f"the vault {self.expected[at : at + 3]} ({len(said)} entries for {len(self.expected)} changes)"
            )
        if entries:
            self.entries_from, self.expected = entries[-1]["sequence"] + 1, []

    # The kinds of change

    def _app(self, state: State) -> tuple[str, dict]:
        key = self.chance.choice([key for key in sorted(state.apps) if key not in self.spare and key not in self.untouched])
        return key, state.apps[key]

    def _grant(self, state: State, key: str, operation: str, said: str, **given) -> Change:
        return Change(f"client/{operation}", {"client": key, **given}, state, ("grantChanged", key, said))

    def _rename(self, state: State) -> Change:
        key, app = self._app(state)
        app["name"] = f"name {self.made} {self.chance.randrange(10**6)}"
        return self._grant(state, key, "rename", "renamed", name=app["name"])

    def _limit(self, state: State) -> Change:
        key, app = self._app(state)
        app["per_day"] = 10**8 + self.chance.randrange(10**8)
        return self._grant(state, key, "limit", f"limit: {app['per_day']} a day", per_day=app["per_day"])

    def _allow(self, state: State) -> Change | None:
        return self._rule(state, "allow")

    def _deny(self, state: State) -> Change | None:
        return self._rule(state, "deny")

    def _rule(self, state: State, verdict: str) -> Change | None:
        key, app = self._app(state)
        permission = f"sign_event:{self.chance.randrange(31_000, 31_900)}"
        if len(app["rules"]) >= RULES_AT_ONCE or permission in app["rules"]:
            return None
        app["rules"][permission] = verdict
        return self._grant(state, key, verdict, f"{verdict} always: {permission}", permission=permission)

    def _forget(self, state: State) -> Change | None:
        key, app = self._app(state)
        if not app["rules"]:
            return None
        permission = self.chance.choice(sorted(app["rules"]))
        del app["rules"][permission]
        return self._grant(state, key, "forget", f"no rule for {permission}", permission=permission)

    def _trust(self, state: State) -> Change:
        key, app = self._app(state)
        app["trust"] = self.chance.choice([trust for trust in ("full", "medium", "low") if trust != app["trust"]])
        return self._grant(state, key, "trust", f"{app['trust']} trust", trust=app["trust"])

    def _suspend(self, state: State) -> Change:
        key, app = self._app(state)
        app["suspended"] = not app["suspended"]
        operation = "suspend" if app["suspended"] else "resume"
        return self._grant(state, key, operation, "paused" if app["suspended"] else "resumed")

    def _policy(self, state: State) -> Change:
        state.follow_share = self.chance.choice([share for share in range(1, 100) if share != state.follow_share])
        said = ("settingChanged", None, "the rules of all apps")
        return Change("policy/set", {"follow_share": state.follow_share}, state, said)

    def _identity(self, state: State) -> Change:
        name = f"made {len(state.identities)}"
        state.identities = sorted([*state.identities, name])
        return Change("identity/create", {"name": name}, state, ("identityCreated", None, "created"))

    def _pair(self, state: State) -> Change:
        state.links += 1
        return Change("pair/new", {"trust": "low"}, state, ("linkMade", None, LINK))

    def _revoke(self, state: State) -> Change | None:
        if not self.spare:
            return None
        key = self.spare[-1]
        del state.apps[key]
        return Change("client/revoke", {"client": key}, state, ("unpaired", key, "you revoked it"))


SOON = 1.0
"""Seconds after a start within which the log must have the entries that the vault still kept for it."""

CONNECTION_LOST = (OSError, http.client.HTTPException, ValueError)
"""The errors of a call during which the signer is killed."""


def read_log(home: Path, start: int = 1) -> list[dict]:
    """Every entry from number `start` on, oldest first."""
    entries, place = [], start
    while place is not None:
        answer = do(home, "log/export", **{"from": place})
        entries += answer["entries"]
        place = answer["next"]
    return entries


def own_changes(entries: list[dict]) -> list[tuple]:
    """The entries of changes that were made here: kind, app and rule."""
    said = [(e["entry"], e.get("client"), e.get("rule")) for e in entries if e["entry"] in RECORDED]
    return [one for one in said if one[0] != "linkMade" or one[2] == LINK]


def other_links(entries: list[dict]) -> list[dict]:
    """The entries of links that were not made here."""
    return [entry for entry in entries if entry["entry"] == "linkMade" and entry["rule"] != LINK]


def differences(wanted: State, found: State) -> str:
    lines = []
    for name in ("identities", "follow_share", "links"):
        a, b = getattr(wanted, name), getattr(found, name)
        if a != b:
            lines.append(f"  {name}: {b} instead of {a}")
    for key in sorted(set(wanted.apps) | set(found.apps)):
        a, b = wanted.apps.get(key), found.apps.get(key)
        if a != b:
            lines.append(f"  app {key[:8]}: {b}\n    instead of {a}")
    return "\n".join(lines)
