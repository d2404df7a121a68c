"""Debian's Firefox ESR with the extension, driven by its own WebDriver BiDi: no driver program is needed."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import websockets

from harness.daemon import Daemon, environment
from harness.waiting import PATIENCE, eventually

FIREFOX = "/usr/bin/firefox-esr"
ID = "signer@holdfast.example"
UUID = "8f6f4c6e-2a0e-4c0e-9b7a-0d1a6c1f5b11"
"""What the address of the extension's pages has in this profile. Firefox would draw a random one."""
PREFERENCES = {
    # The steps that docs/BROWSER.md leaves to a person.
    "extensions.autoDisableScopes": 0,
    "xpinstall.signatures.required": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.webextensions.uuids": json.dumps({ID: UUID}),
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disabled": False,
    "remote.prefs.recommended": True,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.enabled": False,
}


class Firefox:
    """A browser with a home and a profile of its own, whose extension asks one signer."""

    def __init__(self, process, socket, daemon: Daemon, sites):
        self.process, self.socket, self.daemon, self.sites = process, socket, daemon, sites
        self.count = 0
        self.answers: dict[int, asyncio.Future] = {}
        self.reading = asyncio.create_task(self.read())

    @classmethod
    async def opened(cls, daemon: Daemon, sites, folder: Path, *, from_profile: bool = False) -> Firefox:
        """With `from_profile`, Firefox finds the extension in its profile; otherwise it is installed as `about:debugging` does."""
        env = environment(HOME=str(folder), MOZ_HEADLESS="1", MOZ_DISABLE_CONTENT_SANDBOX="1")
        profile = folder / "profile"
        where = ("--profile", str(profile)) if from_profile else ()
        installed = daemon.do("extension", "install", "--browser", "firefox", *where, env=env)
        assert installed["id"] == ID
        profile.mkdir(exist_ok=True)
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items()))
        process = await asyncio.create_subprocess_exec(
            FIREFOX,
            *("--profile", str(profile), "--no-remote", "--remote-debugging-port", "0"),
            env=env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(2 * PATIENCE):
                address = await cls.address(process.stderr)
            socket = await websockets.connect(address + "/session", max_size=None)
        except BaseException:
            process.kill()
            raise
        asyncio.create_task(process.stderr.read())
        firefox = cls(process, socket, daemon, sites)
        await firefox.call("session.new", capabilities={})
        if not from_profile:
            await firefox.call("webExtension.install", extensionData={"type": "archivePath", "path": installed["extension"]})
        return firefox

    @staticmethod
    async def address(lines) -> str:
        while line := await lines.readline():
            if found := re.search(rb"BiDi listening on (ws://\S+)", line):
                return found[1].decode()
        raise AssertionError("Firefox ended before it listened")

    async def read(self) -> None:
        async for text in self.socket:
            message = json.loads(text)
            if "id" in message and (answer := self.answers.pop(message["id"], None)):
                answer.set_result(message)

    async def call(self, method: str, **parameters) -> dict:
        self.count += 1
        answer = self.answers[self.count] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        message = await asyncio.wait_for(answer, 4 * PATIENCE)
        assert message["type"] == "success", message
        return message["result"]

    async def visit(self, site: str, path: str = "/") -> Tab:
        return await self.open(self.sites.origin(site) + path)

    async def open(self, url: str) -> Tab:
        context = (await self.call("browsingContext.create", type="tab"))["context"]
        await self.call("browsingContext.navigate", context=context, url=url, wait="complete")
        return Tab(self, context)

    def callers(self, site: str) -> list[dict]:
        listed = self.daemon.do("local", "list")["programs"]
        return [entry for entry in listed if (entry["site"] or {}).get("origin") == self.sites.origin(site)]

    def waiting(self, site: str) -> list[dict]:
        names = [entry["name"] for entry in self.callers(site)]
        return [request for request in self.daemon.waiting() if request["client"]["name"] in names]

    async def request(self, site: str) -> dict:
        return (await eventually(lambda: self.waiting(site), f"a request of {site}"))[-1]

    async def close(self) -> None:
        self.reading.cancel()
        await self.socket.close()
        if self.process.returncode is None:
            self.process.terminate()
        await self.process.wait()


class Tab:
    """A tab, or one of its frames."""

    def __init__(self, firefox: Firefox, context: str):
        self.firefox, self.context = firefox, context

    async def evaluate(self, expression: str):
        """The value of an expression, or of its promise."""
        answer = await self.firefox.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify({{ value: await ({expression}) }}))()",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"]).get("value")

    async def asked(self, expression: str) -> dict:
        """What a call of window.nostr ends with."""
        return await self.evaluate(
            f"(async () => {{ try {{ return {{ result: await ({expression}) }}; }}"
            " catch (error) { return { error: error.message, code: error.code ?? null }; } })()"
        )

    async def frames(self) -> list[Tab]:
        tree = await self.firefox.call("browsingContext.getTree", root=self.context)
        return [Tab(self.firefox, child["context"]) for child in tree["contexts"][0]["children"]]
