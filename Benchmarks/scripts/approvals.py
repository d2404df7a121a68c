"""Milliseconds from an approval, sent through the control socket, to the signed event at the app. Prints "p50 N" and "p99 N"."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import sys
import time

from harness.app import App
from harness.daemon import Home
from harness.waiting import eventually
from reference.events import as_json, is_genuine, template


class Control(http.client.HTTPConnection):
    """The owner's socket, as the command line uses it."""

    def __init__(self, home):
        super().__init__("holdfast")
        self.path = str(home.path / "control.sock")

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)

    def ask(self, operation: str, **parameters) -> dict:
        self.request("POST", f"/v1/{operation}", as_json(parameters))
        answer = json.loads(self.getresponse().read())
        self.close()
        return answer["result"]


async def measure(rounds: int) -> list[float]:
    home = Home.created()
    daemon = home.start()
    app = await App.paired(daemon.pair("low"))
    control, taken = Control(home), []
    try:
        for number in range(rounds + 5):
            id = await app.send("sign_event", [as_json(template(content=f"{number}"))])
            (request,) = await eventually(lambda: control.ask("request/list")["requests"], "it waits")
            start = time.perf_counter()
            control.ask("request/approve", id=request["id"])
            while not app.answers(id):
                await asyncio.sleep(0)
            taken.append((time.perf_counter() - start) * 1000)
            assert is_genuine(json.loads(app.answers(id)[0].result))
    finally:
        await app.close()
        daemon.kill()
        home.remove()
    return sorted(taken[5:])


if __name__ == "__main__":
    times = asyncio.run(measure(int(sys.argv[1])))
    print(f"p50 {times[len(times) // 2]:.1f}")
    print(f"p99 {times[len(times) * 99 // 100]:.1f}")
