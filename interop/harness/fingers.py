"""A machine with a fingerprint reader: a system bus of the test's own, the real fprintd on it, and libfprint's virtual reader.

Only polkit is a stand-in (python-dbusmock's), which says yes or no as the test wants. The reader is told by a socket which finger lies on
it; enrolling, matching, storing and refusing are fprintd's own.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

from jeepney import (
    DBusAddress,
    HeaderFields,
    MatchRule,
    MessageType,
    Properties,
    message_bus,
    new_error,
    new_method_call,
    new_method_return,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from .machine import MOCK, PYTHON
from .waiting import until

FPRINTD = "/usr/libexec/fprintd"
NAME = "net.reactivated.Fprint"
MANAGER = DBusAddress("/net/reactivated/Fprint/Manager", bus_name=NAME, interface=f"{NAME}.Manager")
POLKIT = DBusAddress("/org/freedesktop/PolicyKit1/Authority", bus_name="org.freedesktop.PolicyKit1", interface=MOCK)
PAM_FPRINTD = "/lib/x86_64-linux-gnu/security/pam_fprintd.so"
STAGES = 5
"""Scans for one enrolment, as the virtual reader wants them."""

MOMENT = 300
"""From the question to the finger, in milliseconds."""

BUS = """<busconfig><type>system</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
<allow send_type="signal"/></policy></busconfig>"""


class Fingers:
    """The bus, and what runs on it. Ends with all that was started, by their pids."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hff-", dir="/tmp"))
        self._processes: list[subprocess.Popen] = []
        self._service: subprocess.Popen | None = None

    def __enter__(self) -> Fingers:
        conf = self.folder / "bus.conf"
        conf.write_text(BUS.format(folder=self.folder))
        self._start(["dbus-daemon", f"--config-file={conf}", "--nofork", "--nopidfile"])
        until(lambda: connected(self.folder / "bus"), "a bus")
        self._start([PYTHON, "-m", "dbusmock", "--system", "--template", "polkitd"])
        until(lambda: self.owner("org.freedesktop.PolicyKit1"), "polkit's stand-in")
        self.call(POLKIT, "AllowUnknown", "b", (True,))
        return self

    def __exit__(self, *_) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def address(self) -> str:
        return f"unix:path={self.folder}/bus"

    @property
    def environment(self) -> dict[str, str]:
        return {"DBUS_SYSTEM_BUS_ADDRESS": self.address}

    def pam(self, service: str = "holdfast", options: str = "max-tries=1 timeout=10") -> dict[str, str]:
        """The environment in which PAM asks for a finger, and nothing else, for a service of that name."""
        services = self.folder / "services"
        services.mkdir(exist_ok=True)
        (services / service).write_text(f"auth required {PAM_FPRINTD} {options}\naccount required pam_permit.so\n")
        return {"LD_PRELOAD": "libpam_wrapper.so", "PAM_WRAPPER": "1", "PAM_WRAPPER_SERVICE_DIR": str(services), **self.environment}

    def _start(self, command: list[str], **more: str) -> subprocess.Popen:
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), **self.environment, **more}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._processes.append(process)
        return process

    # the service

    def start(self, reader: bool = True) -> Fingers:
        """Starts fprintd, with a reader or without one."""
        more = {"FP_VIRTUAL_DEVICE": str(self.folder / "reader")} if reader else {}
        state = self.folder / "state"
        state.mkdir(exist_ok=True)
        self._service = self._start([FPRINTD, "--no-timeout"], STATE_DIRECTORY=str(state), **more)
        until(lambda: self.owner(NAME), "fprintd")
        return self

    def stop(self) -> None:
        """Ends fprintd, as it ends by itself when nobody uses it."""
        if not self._service:
            return
        self._service.terminate()
        self._service.wait(10)
        until(lambda: not self.owner(NAME), "fprintd is gone")
        self._service = None

    def owner(self, name: str) -> bool:
        with contextlib.closing(open_dbus_connection(self.address)) as bus:
            return bool(bus.send_and_get_reply(message_bus.NameHasOwner(name)).body[0])

    def allow(self, is_allowed: bool) -> None:
        """Sets the answer of polkit from now on."""
        self.call(POLKIT, "AllowUnknown", "b", (is_allowed,))

    def call(self, address: DBusAddress, member: str, kind: str | None = None, body: tuple = ()):
        with contextlib.closing(open_dbus_connection(self.address)) as bus:
            return answer(bus, address, member, kind, body)

    # fingers

    @property
    def device(self) -> DBusAddress:
        [path] = self.call(MANAGER, "GetDevices")[0]
        return DBusAddress(path, bus_name=NAME, interface=f"{NAME}.Device")

    @property
    def name(self) -> str:
        """What the reader calls itself."""
        with contextlib.closing(open_dbus_connection(self.address)) as bus:
            return bus.send_and_get_reply(Properties(self.device).get("name")).body[0][1]

    def enrol(self, finger: str, scan: str | None = None) -> None:
        """Enrols a finger; `scan` is what the reader sees of it."""
        with contextlib.closing(open_dbus_connection(self.address)) as bus:
            device = self.device
            bus.send_and_get_reply(message_bus.AddMatch(MatchRule(type="signal", interface=device.interface, member="EnrollStatus")))
            answer(bus, device, "Claim", "s", ("",))
            self.tell("SET_KEEP_ALIVE 1")
            with bus.filter(MatchRule(type="signal", member="EnrollStatus")) as signals:
                answer(bus, device, "EnrollStart", "s", (finger,))
                for stage in range(1, STAGES + 1):
                    self.tell(f"SCAN {scan or finger}")
                    status = bus.recv_until_filtered(signals, timeout=10).body
                    assert status == (("enroll-completed", True) if stage == STAGES else ("enroll-stage-passed", False)), status
            answer(bus, device, "EnrollStop")
            answer(bus, device, "Release")

    def delete(self, finger: str) -> None:
        with contextlib.closing(open_dbus_connection(self.address)) as bus:
            device = self.device
            answer(bus, device, "Claim", "s", ("",))
            answer(bus, device, "DeleteEnrolledFinger", "s", (finger,))
            answer(bus, device, "Release")

    def list(self) -> list[str]:
        return self.call(self.device, "ListEnrolledFingers", "s", ("",))[0]

    def tell(self, command: str) -> None:
        """One command to the virtual reader, taken in when this returns."""
        with contextlib.closing(until(lambda: connected(self.folder / "reader"), "the reader")) as reader:
            reader.sendall(command.encode())
            assert reader.recv(1) == b""  # the reader closes when it has read

    @contextlib.contextmanager
    def showing(self, *scans: str):
        """While the block runs, these fingers are put on the reader one after the other, each a moment after it asks for one."""
        with contextlib.closing(open_dbus_connection(self.address)) as bus:
            device = self.device
            rule = MatchRule(
                type="signal", interface="org.freedesktop.DBus.Properties", member="PropertiesChanged", path=device.object_path
            )
            bus.send_and_get_reply(message_bus.AddMatch(rule))
            showing = threading.Thread(target=self._show, args=(bus, list(scans)), daemon=True)
            showing.start()
            yield
            showing.join(1)

    def _show(self, bus: DBusConnection, scans: list[str]) -> None:
        with contextlib.suppress(Exception):
            while scans:
                message = bus.receive()
                changed = message.body[1] if message.header.fields.get(HeaderFields.member) == "PropertiesChanged" else {}
                if changed.get("finger-needed", ("b", False))[1]:
                    self.tell(f"SLEEP {MOMENT}")
                    self.tell(f"SCAN {scans.pop(0)}")


def connected(place: Path) -> socket.socket | None:
    """A socket's file is there before anybody listens."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(10)
    try:
        connection.connect(str(place))
        return connection
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None


def answer(bus: DBusConnection, address: DBusAddress, member: str, kind: str | None = None, body: tuple = ()):
    reply = bus.send_and_get_reply(new_method_call(address, member, kind, body), timeout=20)
    assert reply.header.message_type == MessageType.method_return, (
        f"{member}: {reply.header.fields.get(HeaderFields.error_name)} {reply.body}"
    )
    return reply.body


class FalseService:
    """A program that has fprintd's name and answers what the test wants: `readers` are (name, fingers), or it never answers."""

    def __init__(self, fingers: Fingers, readers: list[tuple[object, object]] | None):
        self._fingers, self.readers, self.asked = fingers, readers, 0

    def __enter__(self) -> FalseService:
        self._bus = open_dbus_connection(self._fingers.address)
        assert self._bus.send_and_get_reply(message_bus.RequestName(NAME, 4)).body[0] == 1
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self._bus.close()
        until(lambda: not self._fingers.owner(NAME), "the false service is gone")

    def _serve(self) -> None:
        with contextlib.suppress(Exception):
            while True:
                message = self._bus.receive()
                if message.header.message_type == MessageType.method_call:
                    self.asked += 1
                    if self.readers is not None:
                        self._bus.send(self._answer(message))

    def _answer(self, message):
        member = message.header.fields.get(HeaderFields.member)
        if member == "GetDevices":
            return new_method_return(message, "ao", ([f"/r/{number}" for number in range(len(self.readers))],))
        number = int(message.header.fields[HeaderFields.path].rsplit("/", 1)[1])
        name, fingers = self.readers[number]
        if member == "Get":
            return new_method_return(message, "v", (("s" if isinstance(name, str) else "u", name),))
        if member == "ListEnrolledFingers":
            if isinstance(fingers, str):
                return new_error(message, fingers)
            return new_method_return(message, "as", (fingers,))
        return new_error(message, "org.freedesktop.DBus.Error.UnknownMethod")
