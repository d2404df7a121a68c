"""docs/WAKE.md, "Try it on one machine", run as it is written, but for the ports and the paths of a test."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess

import pytest

from harness.app import App
from harness.daemon import REPOSITORY, binary
from harness.documents import blocks
from harness.push_proxy import Lines, Proxy, until
from harness.relays import free_port
from harness.waiting import PATIENCE
from reference.events import as_json, is_genuine, template
from reference.links import BunkerLink

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin")


@pytest.fixture
def started():
    processes: list[subprocess.Popen] = []
    yield processes
    for process in processes:
        process.terminate()
        process.wait(PATIENCE)


@pytest.mark.skipif(NGINX is None, reason="there is no nginx")
async def test_a_vault_of_ones_own_is_woken_as_it_is_written(home, start, desktop, apps, nostr_relay, tmp_path, started):
    places = {"7777": nostr_relay.port, "24443": free_port(), "24135": free_port(), "8087": free_port(), "/PATH/TO": tmp_path}
    page = blocks(REPOSITORY / "docs/WAKE.md", "Try it on one machine")
    for written, real in places.items():
        page = [block.replace(written, str(real)) for block in page]
    certificate, server, proxy, commands, _ = page
    subprocess.run(shlex.split(certificate), cwd=tmp_path, check=True, capture_output=True)
    paths = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}}\nhttp {{ access_log off; {paths} {server} }}\n"
    )
    started.append(subprocess.Popen([NGINX, "-c", tmp_path / "nginx.conf"], stderr=subprocess.DEVNULL))
    words = shlex.split(proxy.replace("cert.pem", str(tmp_path / "cert.pem")))
    running = Proxy(*words[1:], "--listen", f"127.0.0.1:{places['8087']}", "--data", str(tmp_path / "push"))
    started.append(running.process)

    proof = ("--passphrase-file", str(home.passphrase_file))
    home.cli("identity", "create", "sleeper", "--class", "after-first-unlock", *proof, env=desktop, check=True)
    home.cli("slot", "add", "keyring", *proof, env=desktop, check=True)
    daemon = start(env=desktop)
    pair, subscription, register, status, stop, listen = commands.splitlines()
    link = daemon.do(*shlex.split(pair)[1:], "--trust", "full", "--identity", "sleeper")["bunker"]
    app = await apps(App.paired(BunkerLink.parse(link)))
    said, device = subscription.split(" > ")
    (tmp_path / device).write_text(home.cli(*shlex.split(said)[1:], check=True).out)
    daemon.do(*shlex.split(register.replace(device, str(tmp_path / device)))[1:])
    until(lambda: daemon.do(*shlex.split(status)[1:])["apps"][0]["state"] == "registered", "the app is registered", 60, pause=0.5)
    assert not daemon.do("push", "status")["apps"][0]["only_own_relay"]
    daemon.do(*shlex.split(stop)[1:])

    command = [binary(), *shlex.split(listen)[1:], "--home", str(home.path), "--json", "--listen", f"127.0.0.1:{places['24135']}"]
    listening = subprocess.Popen(command, env=desktop, stdout=subprocess.PIPE, text=True)
    started.append(listening)
    assert json.loads(listening.stdout.readline())["listening"] is True
    lines = Lines(listening.stdout)
    id, event = app.request("sign_event", [as_json(template(content="on one machine"))])
    await app.connections.publish(event)
    wake = lines.wait(lambda line: line.get("event") == event["id"])[0]
    # A wake for what the app sent while it paired answers what came meanwhile, too.
    assert wake["outcome"] in ("done", "seen"), lines.all()
    signed = json.loads((await app.reply(id)).result)
    assert is_genuine(signed) and signed["content"] == "on one machine"
