"""A session bus for one test, with a real notification program (dunst, under Xvfb), a scripted one, or a hostile program on it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_call, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from .waiting import until

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"

DUNST = """
[global]
    monitor = 0
    dmenu = {folder}/choose
    notification_limit = 20
"""

BUS = """
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <include>/usr/share/dbus-1/session.conf</include>
  <listen>{address}</listen>
  <servicedir>{services}</servicedir>
  <policy context="mandatory">{policy}</policy>
</busconfig>
"""
"""The session bus of every desktop, with a place and services of its own."""


class Desktop:
    """A session bus. Ends with all that was started on it."""

    def __init__(self, folder: Path, *, is_open: bool = False):
        """is_open: whether it lets in all users."""
        self._folder = folder
        self._is_open = is_open
        self._processes: list[subprocess.Popen] = []
        self.address = ""

    def __enter__(self) -> Desktop:
        self._services = self._folder / "services"
        self._services.mkdir()
        policy = '<allow user="*"/>' if self._is_open else ""
        self._place = Path(tempfile.mkdtemp(prefix="hf-bus-", dir="/tmp"))
        self._place.chmod(0o755)
        address = f"unix:path={self._place}/bus"
        (self._folder / "bus.conf").write_text(BUS.format(address=address, services=self._services, policy=policy))
        self._run_bus()
        self.address = address
        return self

    def _run_bus(self) -> None:
        command = ["dbus-daemon", f"--config-file={self._folder}/bus.conf", "--nofork", "--nopidfile", "--print-address=1"]
        self._bus = self._start(command, stdout=subprocess.PIPE)
        assert self._bus.stdout.readline()

    def restart(self) -> None:
        """Ends the bus, and starts another one at the same place."""
        self._bus.kill()
        self._bus.wait(10)
        (self._place / "bus").unlink(missing_ok=True)
        self._run_bus()

    def offer(self, name: str, command: str) -> None:
        """The bus starts this command when the name is called."""
        (self._services / f"{name}.service").write_text(f"[D-BUS Service]\nName={name}\nExec={command}\n")
        with contextlib.closing(self.connection()) as bus:
            bus.send_and_get_reply(message_bus.ReloadConfig())

    def __exit__(self, *_) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait(10)
        shutil.rmtree(self._place, ignore_errors=True)

    @property
    def environment(self) -> dict[str, str]:
        return {"DBUS_SESSION_BUS_ADDRESS": self.address, "XDG_RUNTIME_DIR": str(self._folder)}

    def _start(self, command: list[str], **more) -> subprocess.Popen:
        environment = {"PATH": os.environ["PATH"], "HOME": str(self._folder), **(self.environment if self.address else {})}
        environment |= more.pop("env", {})
        process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, **more)
        self._processes.append(process)
        return process

    def dunst(self) -> Dunst:
        """Starts the real thing and returns when it answers."""
        read, write = os.pipe()
        self._start(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"], pass_fds=(write,))
        os.close(write)
        with os.fdopen(read) as pipe:
            display = f":{pipe.readline().strip()}"
        (self._folder / "dunstrc").write_text(DUNST.format(folder=self._folder))
        process = self._start(["dunst", "-conf", str(self._folder / "dunstrc")], env={"DISPLAY": display})
        dunst = Dunst(self, process, self._folder)
        until(dunst.is_up, "dunst answers")
        return dunst

    def connection(self):
        return open_dbus_connection(self.address)

    def names_of(self, pid: int) -> list[str]:
        """The unique names of a process on the bus, one for each of its connections."""
        with contextlib.closing(self.connection()) as bus:
            names = bus.send_and_get_reply(message_bus.ListNames()).body[0]
            replies = {name: bus.send_and_get_reply(message_bus.GetConnectionUnixProcessID(name)) for name in names if name.startswith(":")}
            return [
                name for name, reply in replies.items() if reply.header.message_type == MessageType.method_return and reply.body[0] == pid
            ]


class Dunst:
    def __init__(self, desktop: Desktop, process: subprocess.Popen, folder: Path):
        self._desktop, self._folder, self.process = desktop, folder, process

    def ctl(self, *arguments: str) -> str:
        done = subprocess.run(
            ["dunstctl", *arguments], env={"PATH": os.environ["PATH"], **self._desktop.environment}, capture_output=True, timeout=10
        )
        return done.stdout.decode().strip()

    def is_up(self) -> bool:
        return self.ctl("count", "displayed") != ""

    @property
    def displayed(self) -> int:
        return int(self.ctl("count", "displayed") or -1)

    def press(self, label: str) -> None:
        """Opens the menu of actions, as a middle click does, and chooses the first that has this label."""
        choose = self._folder / "choose"
        choose.write_text(f"#!/bin/sh\ntee -a {self._folder}/menu | grep -m1 -F '{label}'\n")
        choose.chmod(0o755)
        self.ctl("context")


@dataclass
class Shown:
    number: int
    replaces: int
    title: str
    body: str
    actions: list[str]
    urgency: int
    isOpen: bool = True


@dataclass
class ScriptedDesktop:
    """A notification program that only remembers notifications. It presses the buttons that a test names."""

    desktop: Desktop
    capabilities: tuple[str, ...] = ("actions", "body", "body-markup")
    shown: list[Shown] = field(default_factory=list)
    first: int = 1
    opened: list[str] = field(default_factory=list)

    def __enter__(self) -> ScriptedDesktop:
        self._bus = self.desktop.connection()
        self._bus.send_and_get_reply(message_bus.RequestName(NAME, 4))
        self._bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop", 4))
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self._bus.close()

    @property
    def standing(self) -> list[Shown]:
        return [one for one in self.shown if one.isOpen]

    def press(self, shown: Shown, action: str) -> None:
        self._tell("ActionInvoked", "us", (shown.number, action))

    def put_away(self, shown: Shown) -> None:
        shown.isOpen = False
        self._tell("NotificationClosed", "uu", (shown.number, 2))

    def _tell(self, member: str, signature: str, body: tuple) -> None:
        self._bus.send(new_signal(DBusAddress(PATH, interface=NAME), member, signature, body))

    def _serve(self) -> None:
        with contextlib.suppress(Exception):
            while True:
                message = self._bus.receive()
                if message.header.message_type == MessageType.method_call:
                    self._answer(message)

    def _answer(self, message) -> None:
        match message.header.fields.get(HeaderFields.member):
            case "OpenURI":
                self.opened.append(message.body[1])
                self._bus.send(new_method_return(message, "o", ("/request",)))
            case "GetCapabilities":
                self._bus.send(new_method_return(message, "as", (list(self.capabilities),)))
            case "Notify":
                self._bus.send(new_method_return(message, "u", (self._notify(message.body),)))
            case "CloseNotification":
                for one in self.standing:
                    if one.number == message.body[0]:
                        one.isOpen = False
                self._bus.send(new_method_return(message))
            case _:
                self._bus.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))

    def _notify(self, body: tuple) -> int:
        _, replaces, _, title, text, actions, hints, _ = body
        number = replaces or self.first + len(self.shown)
        for one in self.standing:
            if one.number == replaces:
                one.isOpen = False
        self.shown.append(Shown(number, replaces, title, text, actions, hints["urgency"][1]))
        return number


def forge(desktop: Desktop, to: list[str], numbers: range, action: str) -> None:
    """Sends forged button presses: as a broadcast, and directly to some connections."""
    with contextlib.closing(desktop.connection()) as bus:
        for number in numbers:
            for destination in (None, *to):
                signal = new_signal(DBusAddress(PATH, interface=NAME), "ActionInvoked", "us", (number, action))
                if destination:
                    signal.header.fields[HeaderFields.destination] = destination
                bus.send(signal)
        # The bus keeps the order: when it has answered, all of it was passed on.
        bus.send_and_get_reply(message_bus.GetId())
        for name in to:
            bus.send_and_get_reply(new_method_call(DBusAddress("/", bus_name=name, interface="org.freedesktop.DBus.Peer"), "Ping"))
