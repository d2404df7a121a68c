"""A real panel (Xfce's, as it comes) on a display and a session bus, which shows icons of programs, and the way it uses them."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

from jeepney import DBusAddress, MessageType, Properties, new_method_call
from jeepney.bus_messages import message_bus

from .desktop import Desktop
from .waiting import until

WATCHER = DBusAddress("/StatusNotifierWatcher", bus_name="org.kde.StatusNotifierWatcher", interface="org.kde.StatusNotifierWatcher")


class Panel:
    def __init__(self, desktop: Desktop, folder: Path):
        self._desktop, self._folder = desktop, folder
        folder.mkdir()
        self.start()

    def start(self) -> None:
        read, write = os.pipe()
        self._desktop._start(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"], pass_fds=(write,))
        os.close(write)
        with os.fdopen(read) as pipe:
            display = f":{pipe.readline().strip()}"
        environment = {"DISPLAY": display, "HOME": str(self._folder), "NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"}
        self.process = self._desktop._start(["xfce4-panel", "--disable-wm-check"], env=environment, stdout=subprocess.DEVNULL)
        until(lambda: self.has_watcher, "the panel's register of icons")

    @property
    def has_watcher(self) -> bool:
        with contextlib.closing(self._desktop.connection()) as bus:
            return bool(bus.send_and_get_reply(message_bus.NameHasOwner(WATCHER.bus_name)).body[0])

    @property
    def items(self) -> list[str]:
        with contextlib.closing(self._desktop.connection()) as bus:
            return bus.send_and_get_reply(Properties(WATCHER).get("RegisteredStatusNotifierItems")).body[0][1]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


class Item:
    """An icon as a panel uses it."""

    def __init__(self, desktop: Desktop, name: str):
        self._desktop = desktop
        name = name.partition("/")[0]
        self._item = DBusAddress("/StatusNotifierItem", bus_name=name, interface="org.kde.StatusNotifierItem")
        self._menu = DBusAddress("/MenuBar", bus_name=name, interface="com.canonical.dbusmenu")

    def _call(self, message):
        with contextlib.closing(self._desktop.connection()) as bus:
            reply = bus.send_and_get_reply(message)
        assert reply.header.message_type == MessageType.method_return, reply.body
        return reply.body

    def property(self, name: str):
        return self._call(Properties(self._item).get(name))[0][1]

    def menu(self) -> dict[str, tuple[int, bool]]:
        """Number and whether it can be chosen, by the label of each entry."""
        _, (_, _, children) = self._call(new_method_call(self._menu, "GetLayout", "iias", (0, -1, [])))
        entries = [(id, {name: value for name, (_, value) in shown.items()}) for _, (id, shown, _) in children]
        return {shown["label"]: (id, shown["enabled"]) for id, shown in entries if "label" in shown}

    def choose(self, label: str) -> None:
        self.event(self.menu()[label][0])

    def event(self, id: int, name: str = "clicked") -> None:
        self._call(new_method_call(self._menu, "Event", "isvu", (id, name, ("i", 0), 0)))
