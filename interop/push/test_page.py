"""docs/PUSH-PROXY.md names all that the proxy takes and tells, and its commands and blocks for nginx are run."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.daemon import REPOSITORY, binary, environment
from harness.documents import blocks
from harness.push_proxy import DEVICE, PUBLIC, registered, until
from harness.relays import free_port
from reference.keys import Key

PAGE = REPOSITORY / "docs/PUSH-PROXY.md"
USUAL = ["--public-url", PUBLIC, "--relay", "ws://127.0.0.1:9", "--listen", "127.0.0.1:0"]


def test_the_page_names_every_option():
    program = binary().with_name("holdfast-push")
    shown = subprocess.run([program, "--help"], capture_output=True, text=True, env=environment(), check=True).stdout
    options = set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", shown, re.MULTILINE))
    assert {"relay", "push-ca", "threads", "help"} <= options
    described = set(re.findall(r"^\| .*$", PAGE.read_text(), re.MULTILINE))
    rows = "\n".join(row for row in described if row.startswith("| `--"))
    assert options - set(re.findall(r"--([a-z-]+)", rows)) == set()


def test_the_page_names_every_figure(proxies, tmp_path):
    proxy = proxies(*USUAL, "--data", str(tmp_path / "data"))
    page = PAGE.read_text()
    health = proxy.health()
    names = set(health) | set(health["apns"])
    program = ["curl", "--silent", "--fail", proxy.url + "/metrics"]
    metrics = subprocess.run(program, capture_output=True, text=True, check=True, timeout=30).stdout
    names |= set(re.findall(r"^# TYPE (\S+)", metrics, re.MULTILINE))
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []
    assert set(re.findall(r"\bholdfast_push_\w+", page)) - names == set(), "a rule or a table names a figure that is not there"


NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin")


def status(url: str) -> int | None:
    """What a server answers, whatever its certificate; None while there is none."""
    asked = ["curl", "--silent", "--insecure", "--output", "/dev/null", "--write-out", "%{http_code}", "--max-time", "20", url]
    code = int(subprocess.run(asked, capture_output=True, text=True).stdout)
    return code or None


@pytest.fixture
def nginx(tmp_path):
    """Starts nginx with the page's server block in front of what is named, and says its address."""
    running: list[subprocess.Popen] = []

    def start(place: str, before: str = "") -> str:
        port = free_port()
        [block] = [block for block in blocks(PAGE) if "proxy_pass" in block]
        making = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=push.example.com"
        files = ["-keyout", "privkey.pem", "-out", "fullchain.pem"]
        subprocess.run(["openssl", *making.split(), *files], check=True, capture_output=True, cwd=tmp_path)
        for old, new in (
            ("listen [::]:443 ssl;", ""),
            ("listen 443", f"listen 127.0.0.1:{port}"),
            ("/etc/letsencrypt/live/push.example.com", str(tmp_path)),
            ("http://127.0.0.1:8087", place),
        ):
            assert old in block
            block = block.replace(old, new)
        paths = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (file := tmp_path / "nginx.conf").write_text(
            f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}}\nhttp {{ access_log off; {paths} {before}\n{block} }}\n"
        )
        running.append(subprocess.Popen([NGINX, "-c", file], stderr=subprocess.DEVNULL))
        return f"https://127.0.0.1:{port}"

    yield start
    for process in running:
        process.terminate()
        process.wait(20)


needs_nginx = pytest.mark.skipif(NGINX is None, reason="there is no nginx")


@needs_nginx
def test_nginx_as_the_page_sets_it_up_answers_no_figures(proxies, nginx, tmp_path):
    proxy = proxies(*USUAL, "--data", str(tmp_path / "data"))
    front = nginx(proxy.url)
    until(lambda: status(f"{front}/health") == 200, "nginx passes requests on")
    assert status(proxy.url + "/metrics") == 200
    assert status(f"{front}/metrics") == 404


@needs_nginx
def test_nginx_as_the_page_sets_it_up_keeps_floods_away(proxies, nginx, tmp_path):
    proxy = proxies(*USUAL, "--data", str(tmp_path / "data"))
    front = nginx(proxy.url)
    until(lambda: status(f"{front}/health") == 200, "nginx passes requests on")
    flood = ["curl", "--silent", "--insecure", "--parallel", "--output", "/dev/null", f"{front}/health?[1-600]"]
    subprocess.run(flood, check=True, timeout=60)
    assert "limiting requests" in (tmp_path / "log").read_text()


@needs_nginx
def test_the_load_balancer_of_the_page_passes_requests_to_the_proxy_that_is_left(proxies, nginx, tmp_path):
    one, other = (proxies(*USUAL, "--data", str(tmp_path / name)) for name in ("one", "other"))
    [balancer] = [block for block in blocks(PAGE) if "upstream" in block]
    for old, new in (("10.0.0.1:8087", one.url), ("10.0.0.2:8087", other.url)):
        assert old in balancer
        balancer = balancer.replace(old, new.removeprefix("http://"))
    front = nginx("http://push_proxies", balancer)
    until(lambda: status(f"{front}/health") == 200, "nginx passes requests on")
    one.stop()
    assert [status(f"{front}/health") for _ in range(6)] == [200] * 6


def told(folder: Path, beginning: str, **replaced: str) -> None:
    """Runs the page's command that begins so, in a folder."""
    [command] = [block for block in blocks(PAGE) if block.startswith(beginning)]
    for old, new in replaced.items():
        assert old in command
        command = command.replace(old, new)
    subprocess.run(["sh", "-ec", command], check=True, cwd=folder, timeout=30)


@pytest.fixture
def registered_phone(arguments, proxies, scripted_relay):
    """A proxy with a signer's device and one client."""
    proxy = proxies(*arguments)
    signer = registered(proxy, scripted_relay)
    proxy.do("/pair-client", signer, {"client_pubkey": Key().public, "relay_urls": ["wss://relay.example"]})
    return proxy, signer


def test_a_copy_that_is_made_while_the_proxy_runs_has_everything(registered_phone, proxies, arguments, tmp_path):
    proxy, _ = registered_phone
    told(tmp_path / "data", 'sqlite3 push.sqlite ".backup')
    (copy := tmp_path / "copy").mkdir()
    (tmp_path / "data/push-backup.sqlite").rename(copy / "push.sqlite")
    restored = proxies(*arguments[:-1], str(copy))
    assert restored.ready["application_server_key"] == proxy.ready["application_server_key"]
    assert (restored.health()["unique_pubkeys"], restored.metric("clients")) == (1, 1)


def test_the_proxys_own_keys_are_changed_as_the_page_says(registered_phone, proxies, arguments, tmp_path):
    proxy, _ = registered_phone
    proxy.stop()
    told(tmp_path / "data", 'sqlite3 push.sqlite "DELETE FROM secrets', **{"relay-login": "web-push"})
    changed = proxies(*arguments)
    assert changed.ready["application_server_key"] != proxy.ready["application_server_key"]
    assert changed.health()["unique_pubkeys"] == 1


def test_the_operator_removes_a_users_registrations_as_the_page_says(registered_phone, proxies, arguments, tmp_path):
    proxy, signer = registered_phone
    proxy.do("/register", Key(), {"token": DEVICE})
    proxy.stop()
    told(tmp_path / "data", 'sqlite3 push.sqlite "DELETE FROM registrations', KEY=signer.public)
    left = proxies(*arguments)
    assert (left.health()["unique_pubkeys"], left.metric("clients")) == (1, 0)
