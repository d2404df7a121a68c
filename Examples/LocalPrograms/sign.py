#!/usr/bin/env python3
"""Signs a note with Holdfast from Python, over the apps' socket, with nothing but the standard library.

    python3 Examples/LocalPrograms/sign.py "Hello from Python"

The first time, Holdfast asks its owner whether this program may sign. The socket is app.sock in the vault's folder: that of --home,
else of $HOLDFAST_HOME, else ~/.local/share/holdfast.
"""

import argparse
import json
import os
import socket
import sys
import threading


class Refused(Exception):
    """The signer's answer is an error. `code` is one of its stable words, such as "denied"."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class Holdfast:
    """A connection to the signer. Each call waits for its answer, which may take as long as the owner does."""

    def __init__(self, home=None):
        self.socket = socket.socket(socket.AF_UNIX)
        path = os.path.join(home or default_home(), "app.sock")
        try:
            self.socket.connect(path)
        except OSError as error:
            raise ConnectionError(f"{path}: {error.strerror or error}") from error
        self.lines = self.socket.makefile("rw", encoding="utf-8", newline="\n")
        self.count = 0

    def call(self, method, **parameters):
        self.count += 1
        request = {"v": 1, "id": str(self.count), "method": method, "params": parameters}
        self.lines.write(json.dumps(request) + "\n")
        self.lines.flush()
        waiting = threading.Timer(1, say_what_it_waits_for)
        waiting.daemon = True
        waiting.start()
        line = self.lines.readline()
        waiting.cancel()
        if not line:
            raise ConnectionError("the signer has ended the connection")
        answer = json.loads(line)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]


def say_what_it_waits_for():
    """Called when an answer takes long: most likely the owner is asked, or the signer is locked."""
    print("Waiting for the owner: holdfast request list", file=sys.stderr)


def default_home():
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.environ.get("HOLDFAST_HOME") or os.path.join(data, "holdfast")


def what_to_do(home):
    named = os.environ.get("HOLDFAST_HOME")
    if home is None and named and not os.path.isdir(named):
        return "The folder that HOLDFAST_HOME names is gone. Type: unset HOLDFAST_HOME"
    return "Is it running? To start it: holdfast up. For a trial, name its folder: --home DIR"


def main():
    parser = argparse.ArgumentParser(description="Sign a note with Holdfast.")
    parser.add_argument("text", help="what the note says")
    parser.add_argument("--home", help="the vault's folder")
    options = parser.parse_args()
    try:
        event = Holdfast(options.home).call("sign", event={"kind": 1, "content": options.text, "tags": []})
    except Refused as refused:
        sys.exit(f"Not signed ({refused.code}): {refused}")
    except OSError as error:
        sys.exit(f"Cannot reach the signer: {str(error).rstrip('.')}. {what_to_do(options.home)}")
    print(json.dumps(event))


if __name__ == "__main__":
    main()
