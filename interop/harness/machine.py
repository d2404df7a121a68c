"""logind and a screen saver that do as they are told: python-dbusmock's logind on a bus of the test's own."""

from __future__ import annotations

import contextlib
import subprocess

from jeepney import DBusAddress, MessageType, new_method_call, new_signal
from jeepney.io.blocking import open_dbus_connection

from .desktop import Desktop
from .waiting import until

LOGIND = DBusAddress("/org/freedesktop/login1", bus_name="org.freedesktop.login1", interface="org.freedesktop.login1.Manager")
SESSION = "/org/freedesktop/login1/session/c1"
MOCK = "org.freedesktop.DBus.Mock"
# Debian's module, whose libraries are the system's: so its Python, not the one of the tests.
PYTHON = "/usr/bin/python3"


def is_installed() -> bool:
    return subprocess.run([PYTHON, "-c", "import dbusmock"], capture_output=True, check=False).returncode == 0


class Machine(Desktop):
    """One bus that is the machine's and the session's at once, with logind on it."""

    def __enter__(self) -> Machine:
        super().__enter__()
        self._start([PYTHON, "-m", "dbusmock", "--system", "--template", "logind"], env=self.environment)
        until(lambda: self._call(LOGIND, "ListInhibitors", quiet=True) is not None, "logind answers")
        self._call(DBusAddress(LOGIND.object_path, LOGIND.bus_name, MOCK), "AddSession", "ssusb", ("c1", "seat0", 0, "root", True))
        return self

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "DBUS_SYSTEM_BUS_ADDRESS": self.address}

    @property
    def inhibitors(self) -> list[tuple]:
        """What holds up sleep: (what, who, why, mode) each. The stand-in forgets one when its descriptor is closed."""
        return [tuple(one[:4]) for one in self._call(LOGIND, "ListInhibitors")[0]]

    def sleeps(self, begins: bool) -> None:
        self._emit(LOGIND.object_path, LOGIND.interface, "PrepareForSleep", "b", begins)

    def locks_session(self) -> None:
        self._call(DBusAddress(SESSION, LOGIND.bus_name, "org.freedesktop.login1.Session"), "Lock")

    def screen_saver(self, is_on: bool, interface: str = "org.freedesktop.ScreenSaver") -> None:
        with contextlib.closing(open_dbus_connection(self.address)) as bus:
            emitter = DBusAddress("/" + interface.replace(".", "/"), interface=interface)
            bus.send(new_signal(emitter, "ActiveChanged", "b", (is_on,)))
            self._flush(bus)

    def forge_sleep(self, to: list[str]) -> None:
        """Another program sends the signal straight to some connections, past every match rule."""
        with contextlib.closing(open_dbus_connection(self.address)) as bus:
            from jeepney import HeaderFields

            for name in to:
                signal = new_signal(DBusAddress(LOGIND.object_path, interface=LOGIND.interface), "PrepareForSleep", "b", (True,))
                signal.header.fields[HeaderFields.destination] = name
                bus.send(signal)
            self._flush(bus)

    def _emit(self, path: str, interface: str, member: str, kind: str, value) -> None:
        mock = DBusAddress(path, LOGIND.bus_name, MOCK)
        self._call(mock, "EmitSignal", "sssav", (interface, member, kind, [(kind, value)]))

    @staticmethod
    def _flush(bus) -> None:
        ping = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        bus.send_and_get_reply(new_method_call(ping, "GetId"))

    def _call(self, address: DBusAddress, member: str, kind: str | None = None, body: tuple = (), quiet: bool = False):
        with contextlib.closing(open_dbus_connection(self.address)) as bus:
            reply = bus.send_and_get_reply(new_method_call(address, member, kind, body))
        if reply.header.message_type == MessageType.error:
            assert quiet, f"{member}: {reply.body}"
            return None
        return reply.body
