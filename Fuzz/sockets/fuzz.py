#!/usr/bin/env python3
"""Sends raw packets to the sanitised server: HTTP, whole and split, frames for the embedded relay, and what hostile relays say.

It fails on a sanitizer's report, a crash, a hang, or a wrong answer to an honest client. What did it is kept under found/ and sent again
first thing in every run. The same seed makes the same inputs; what the kernel and the threads make of them may differ.
"""

import argparse
import base64
import collections
import json
import os
import random
import socket
import ssl
import sys
import time

from frame_inputs import Messages, frame_input
from http_inputs import http_input
from relay_inputs import ACCEPT, relay_input
from server import PATIENCE, Finding, Server

FOUND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "found")
BATCH = 16  # inputs between two honest requests
KEPT_OPEN = 100  # connections that are left open for a while
FULL_CHECK = 500  # inputs between two checks of every way in


class Run:
    def __init__(self, arguments, server):
        self.arguments = arguments
        self.server = server
        self.open = collections.deque()
        self.recent = collections.deque(maxlen=KEPT_OPEN + BATCH)
        self.counts = collections.Counter()

    def play(self, script):
        """Sends one input. What the server does with the connection is its affair, but a right first request must be answered."""
        self.recent.append(script)
        if script["place"] == "dial":
            peer, accept = self.server.dialled()
            script = script | {"parts": with_accept(script["parts"], accept)}
        else:
            peer = self.server.connect(script["place"])
        try:
            if script["place"] == "tls" and not script.get("raw"):
                peer = self.server.tls.wrap_socket(peer)
        except (OSError, ValueError) as fault:
            raise Finding(f"no TLS handshake: {fault}") from None
        heard = b""
        try:
            for part in script["parts"]:
                if part[0] == "send":
                    peer.sendall(base64.b64decode(part[1]))
                elif part[0] == "settle":
                    self.server.settle()
                elif part[0] == "half":
                    socket.socket.shutdown(peer, socket.SHUT_WR)  # that of SSLSocket forgets its keys
                elif part[0] == "head":
                    peer.recv(4096)
                else:
                    heard += self.taken(peer)
        except TimeoutError:
            pass  # not read any more: the pool below closes it
        except OSError:
            pass
        if "expect" in script:
            self.expect(peer, heard, base64.b64decode(script["expect"]))
        self.leave(peer, script["end"])

    def expect(self, peer, heard, mark):
        peer.settimeout(PATIENCE)
        try:
            while mark not in heard:
                piece = peer.recv(65536)
                if not piece:
                    break
                heard += piece
        except TimeoutError:
            raise Finding("a right request has no answer") from None
        except OSError:
            pass
        if mark not in heard:
            raise Finding(f"a right request was answered with {heard[:300]!r}")

    def taken(self, peer):
        """What has come by now."""
        heard = b""
        peer.setblocking(False)
        try:
            while piece := peer.recv(65536):
                heard += piece
        except (BlockingIOError, ssl.SSLWantReadError):
            pass
        finally:
            peer.settimeout(PATIENCE)
        return heard

    def leave(self, peer, end):
        if end == "keep":
            self.open.append(peer)
            if len(self.open) > KEPT_OPEN:
                self.open.popleft().close()
            return
        try:
            if end == "read":
                self.server.settle()
                self.taken(peer)
            if end == "reset":
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        except OSError:
            pass
        finally:
            peer.close()

    def close_all(self):
        while self.open:
            self.open.popleft().close()

    # MARK: the inputs

    def go(self):
        a = self.arguments
        messages = Messages(random.Random(f"{a.seed} messages"))
        began = time.monotonic()
        number = 0
        while True:
            late = a.seconds is not None and time.monotonic() - began > a.seconds
            wants_http = self.counts["http"] < a.http
            wants_frames = self.counts["frames"] < a.frames
            wants_relays = self.counts["relays"] < a.relays
            if late or not (wants_http or wants_frames or wants_relays):
                break
            for _ in range(BATCH):
                number += 1
                numbers = random.Random(f"{a.seed} {number}")
                if wants_relays and (number % 8 == 1 or not (wants_http or wants_frames)):
                    self.play(relay_input(numbers, messages))
                    self.counts["relays"] += 1
                elif wants_http and (number % 8 or not wants_frames):
                    self.play(http_input(numbers))
                    self.counts["http"] += 1
                elif wants_frames:
                    script = frame_input(numbers, messages)
                    self.play(script)
                    self.counts["frames"] += script["frames"]
                    self.counts["connections"] += 1
            self.server.settle()
            if number % FULL_CHECK < BATCH:
                self.server.check()
        self.server.check()
        self.close_all()
        self.server.stop()
        return time.monotonic() - began


def with_accept(parts, accept):
    """The parts, cut where they were, with the answer to this handshake."""
    pieces = [base64.b64decode(part[1]) if part[0] == "send" else b"" for part in parts]
    data = b"".join(pieces).replace(ACCEPT, accept)
    ready = []
    for part, piece in zip(parts, pieces, strict=True):
        ready.append(["send", base64.b64encode(data[: len(piece)]).decode()] if part[0] == "send" else part)
        data = data[len(piece) :]
    return ready


def reproduces(arguments, scripts):
    """Whether these inputs alone make a fresh server fail."""
    run = Run(arguments, Server(arguments.program, arguments.log + ".again"))
    try:
        for script in scripts:
            run.play(script)
        run.server.check()
        run.close_all()
        run.server.stop()
        return False
    except (Finding, OSError):
        run.server.kill()
        return True


def keep(arguments, run):
    """Keeps the input that did it; where none does it alone, all of the last ones."""
    recent = list(run.recent)
    found = next(([script] for script in reversed(recent) if reproduces(arguments, [script])), recent)
    os.makedirs(FOUND, exist_ok=True)
    path = os.path.join(FOUND, f"seed-{arguments.seed}-{len(os.listdir(FOUND))}.json")
    with open(path, "w", encoding="ascii") as file:
        json.dump(found, file, indent=1)
    return path


def attempt(arguments, work):
    """Runs `work` against a new server; ends the program with what was found."""
    run = Run(arguments, Server(arguments.program, arguments.log))
    try:
        return run, work(run)
    except (Finding, OSError) as fault:
        time.sleep(1)  # a report may still be being written, and nothing tells its end
        run.server.kill()
        print(f"sockets: {fault}\n{run.server.report()}", file=sys.stderr)
        if arguments.replay is None:
            print(f"sockets: kept in {keep(arguments, run)}", file=sys.stderr)
        sys.exit(1)


def replay(path):
    def work(run):
        with open(path, encoding="ascii") as file:
            scripts = json.load(file)
        for script in scripts:
            run.play(script)
        run.server.check()
        run.close_all()
        run.server.stop()

    return work


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the built SocketServer")
    parser.add_argument("--seed", default=str(random.SystemRandom().randrange(10**9)))
    parser.add_argument("--seconds", type=float, help="everything for so long, instead of by number")
    parser.add_argument("--http", type=int, default=0, help="this many HTTP inputs")
    parser.add_argument("--frames", type=int, default=0, help="this many frames for the relay")
    parser.add_argument("--relays", type=int, default=0, help="this many connections to hostile relays")
    parser.add_argument("--log", default="sockets.log")
    parser.add_argument("--replay", help="send the inputs of this file only")
    arguments = parser.parse_args()
    if arguments.seconds is not None:
        arguments.http = arguments.frames = arguments.relays = float("inf")
    open(arguments.log, "wb").close()
    print(f"sockets: seed {arguments.seed}", flush=True)
    paths = [arguments.replay] if arguments.replay else sorted(os.path.join(FOUND, name) for name in os.listdir(FOUND))
    kept, arguments.replay = arguments.replay, "kept"
    for path in paths:
        print(f"sockets: {os.path.basename(path)}", flush=True) if kept else None
        attempt(arguments, replay(path))
    if kept:
        return
    arguments.replay = None
    run, seconds = attempt(arguments, Run.go)
    print(
        f"sockets: {len(paths)} kept inputs, {run.counts['http']} HTTP inputs, {run.counts['frames']} frames on "
        f"{run.counts['connections']} connections, {run.counts['relays']} hostile relays in {seconds:.0f} s, nothing found"
    )


main()
