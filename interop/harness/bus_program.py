"""Programs that call the signer over a session bus: the tests' own process, and processes with a file of their own."""

from __future__ import annotations

import contextlib
import json
import os
import site
import subprocess
import sys
from pathlib import Path

from jeepney import DBusAddress, HeaderFields, MatchRule, MessageType, Properties, new_method_call
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from .local_program import Lines
from .waiting import PATIENCE

NAME = "org.holdfast.Signer1"
SIGNER = DBusAddress("/org/holdfast/Signer1", bus_name=NAME, interface=NAME)
ERROR = NAME + ".Error."

CARRIER = f"""
import json, os, sys, threading
from jeepney import DBusAddress, HeaderFields, MessageType, new_method_call
from jeepney.io.blocking import open_dbus_connection
bus = open_dbus_connection(sys.argv[1])
signer = DBusAddress("/org/holdfast/Signer1", bus_name={NAME!r}, interface={NAME!r})
ids = {{}}
def up():
    for line in sys.stdin:
        id, method, texts = json.loads(line)
        call = new_method_call(signer, method, "s" * len(texts), tuple(texts))
        serial = next(bus.outgoing_serial)
        ids[serial] = id
        bus.send(call, serial=serial)
    os._exit(0)
threading.Thread(target=up, daemon=True).start()
while True:
    message = bus.receive()
    fields = message.header.fields
    if HeaderFields.reply_serial not in fields or fields[HeaderFields.reply_serial] not in ids: continue
    error = fields.get(HeaderFields.error_name)
    print(json.dumps([ids[fields[HeaderFields.reply_serial]], error, message.body]), flush=True)
"""
"""Carries calls and answers between its own standard streams and the bus."""


class Refused(Exception):
    """The signer's error: its name on the bus, without what all have in common."""

    def __init__(self, name: str, message: str):
        super().__init__(f"{name}: {message}")
        self.name = name.removeprefix(ERROR)


class BusCaller:
    """A connection of the tests' own process."""

    def __init__(self, address: str):
        self.bus = open_dbus_connection(address)

    def send(self, method: str, *texts: str) -> int:
        """Calls, and does not wait."""
        return self.send_message(new_method_call(SIGNER, method, "s" * len(texts), texts))

    def send_message(self, message) -> int:
        serial = next(self.bus.outgoing_serial)
        self.bus.send(message, serial=serial)
        return serial

    def read(self, serial: int | None = None, seconds: float = PATIENCE):
        """The next answer, or that to a call."""
        while True:
            message = self.bus.receive(timeout=seconds)
            fields = message.header.fields
            if HeaderFields.reply_serial not in fields or serial not in (None, fields[HeaderFields.reply_serial]):
                continue
            if message.header.message_type == MessageType.error:
                raise Refused(fields[HeaderFields.error_name], (message.body or ("",))[0])
            return message.body

    def call(self, method: str, *texts: str):
        return self.read(self.send(method, *texts))[0]

    def error(self, method: str, *texts: str) -> str:
        return next(iter(self.errors_of([self.send(method, *texts)])))

    def errors_of(self, serials: list[int]) -> set[str]:
        """The names of the errors that answer these calls, in whichever order."""
        missing, names = set(serials), set()
        while missing:
            message = self.bus.receive(timeout=PATIENCE)
            fields = message.header.fields
            if (serial := fields.get(HeaderFields.reply_serial)) not in missing:
                continue
            assert message.header.message_type == MessageType.error, f"answered: {message.body}"
            missing.remove(serial)
            names.add(Refused(fields[HeaderFields.error_name], "").name)
        return names

    def sign(self, event: dict) -> dict:
        return json.loads(self.call("SignEvent", json.dumps(event), ""))

    def property(self, name: str):
        return self.read(self.send_message(Properties(SIGNER).get(name)))[0][1]

    def listen_for_changes(self) -> None:
        rule = MatchRule(type="signal", interface="org.freedesktop.DBus.Properties", path=SIGNER.object_path)
        self.bus.send_and_get_reply(message_bus.AddMatch(rule))

    def change(self, seconds: float = PATIENCE) -> dict:
        """The next signal that properties have changed."""
        while True:
            message = self.bus.receive(timeout=seconds)
            if message.header.fields.get(HeaderFields.member) == "PropertiesChanged":
                return {name: value for name, (_, value) in message.body[1].items()}

    def end(self) -> None:
        self.bus.close()


class BusProgram(Lines):
    """A process that is connected to the bus."""

    def __init__(self, executable: Path, address: str):
        self.process = subprocess.Popen(
            [str(executable), "-c", CARRIER, address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHOME": sys.base_prefix, "PYTHONPATH": os.pathsep.join(site.getsitepackages())},
        )
        super().__init__(self.process.stdout.fileno(), self.process.stdin.fileno())

    def send(self, method: str, *texts: str) -> str:
        self.count += 1
        self.send_line(json.dumps([str(self.count), method, texts]).encode())
        return str(self.count)

    def call(self, method: str, *texts: str):
        """The result."""
        id = self.send(method, *texts)
        answered, error, body = self.read()
        assert answered == id and error is None, (error, body)
        return body[0]

    def error(self, method: str, *texts: str) -> str:
        self.send(method, *texts)
        return self.read()[1].removeprefix(ERROR)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def owner_of(address: str) -> str | None:
    """The unique name of whoever has the signer's name."""
    with contextlib.closing(open_dbus_connection(address)) as bus:
        reply = bus.send_and_get_reply(message_bus.GetNameOwner(NAME))
        return reply.body[0] if reply.header.message_type == MessageType.method_return else None
