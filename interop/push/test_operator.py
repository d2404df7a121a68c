"""What `holdfast-push` says to the operator who starts it with something wrong."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
from pathlib import Path

import pytest

from harness.daemon import binary, environment
from harness.push_proxy import PUBLIC

USUAL = ["--public-url", PUBLIC, "--relay", "ws://127.0.0.1:9", "--listen", "127.0.0.1:0"]


def ended(*arguments: str, folder: Path | None = None) -> tuple[int, str]:
    """The exit code of a proxy that does not start, and what it says."""
    program = binary().with_name("holdfast-push")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment(), cwd=folder, timeout=30)
    return done.returncode, re.sub(r"\s+", " ", done.stderr)


@pytest.mark.parametrize(("option", "more"), [("--push-ca", ()), ("--apns-ca", ("apple",))])
def test_a_file_of_certificates_is_looked_at_before_the_start(option, more, tmp_path, request):
    arguments = [*USUAL, "--data", str(tmp_path / "data")]
    if more:
        apple = request.getfixturevalue("apple").arguments()
        at = apple.index("--apns-ca")
        arguments += apple[:at] + apple[at + 2 :]
    code, said = ended(*arguments, option, str(tmp_path / "absent.pem"))
    assert code == 5 and "absent.pem could not be read: No such file or directory." in said and option in said
    (garbage := tmp_path / "garbage.pem").write_text("no certificate\n")
    code, said = ended(*arguments, option, str(garbage))
    assert code == 1 and "garbage.pem has no certificate that can be read." in said and "BEGIN CERTIFICATE" in said
    assert not (tmp_path / "data").exists()


def test_lines_in_the_journal_have_a_priority_and_no_name(tmp_path):
    read, write = os.pipe()
    about = os.fstat(write)
    words = [binary().with_name("holdfast-push"), *USUAL, "--data", str(tmp_path / "data"), "--trusted-proxy", "0.0.0.0/0"]
    journal = environment(JOURNAL_STREAM=f"{about.st_dev}:{about.st_ino}")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=write, env=journal) as proxy, open(read) as said:
        os.close(write)
        started = proxy.stdout.readline()
        proxy.terminate()
        lines = said.read().splitlines()
    assert b"listens" in started
    assert lines[0].startswith("<4>--trusted-proxy 0.0.0.0/0 trusts addresses of strangers")
    assert any(line.startswith("<6>The proxy ends. ") for line in lines)
    assert not any("holdfast-push:" in line for line in lines)


def test_sighup_does_not_end_it(proxies, tmp_path):
    proxy = proxies(*USUAL, "--data", str(tmp_path / "data"))
    proxy.signal(signal.SIGHUP)
    assert proxy.ready_for_signers()[0] == 200 and proxy.is_running
    assert proxy.stop() == (0, "")


def test_a_copy_from_a_folder_without_registrations_makes_nothing(tmp_path):
    wrong = tmp_path / "wrong"
    words = ["--data", str(wrong), "--database", "postgres://push@127.0.0.1:9/push"]
    code, said = ended("move-to-database", *words)
    assert code == 5 and f"{wrong} has no push.sqlite, so there is nothing to copy." in said
    assert list(tmp_path.iterdir()) == []


def test_a_copy_to_a_folder_that_is_refused_makes_no_folder(proxies, shared, postgres, tmp_path):
    proxies(*shared)
    code, said = ended("move-to-folder", "--data", str(tmp_path / "copy"), "--database", postgres.url())
    assert code == 1 and "Push proxies use the database." in said
    assert not (tmp_path / "copy").exists()


def test_a_folder_that_cannot_be_used_is_named_with_the_reason(tmp_path):
    (tmp_path / "file").write_text("")
    code, said = ended(*USUAL, "--data", str(tmp_path / "no" / "parent"))
    assert code == 5 and f"could not be made in {tmp_path}/no/parent: No such file or directory." in said
    assert "Make the folder above it first" in said
    code, said = ended(*USUAL, "--data", str(tmp_path / "file" / "below"))
    assert code == 5 and "file/below: Not a directory." in said and "A part of its path is a file." in said
    assert "error 2" not in said and "error 20" not in said


def test_a_folder_that_another_proxy_uses_is_named(proxies, tmp_path):
    data = tmp_path / "data"
    first = proxies(*USUAL, "--data", str(data))
    code, said = ended(*USUAL, "--data", str(data))
    assert code == 1
    assert f"Another push proxy (process {first.process.pid}) uses the data folder {data}." in said
    assert "Stop that one, or choose another folder: --data DIR" in said


def test_a_folder_that_others_can_open_is_warned_of(proxies, tmp_path):
    (data := tmp_path / "data").mkdir()
    data.chmod(0o777)
    code, said = proxies(*USUAL, "--data", str(data)).stop()
    assert code == 0
    assert f"{data} (mode 0777)" in said and f"chmod 700 {data}" in said
    data.chmod(0o700)
    assert proxies(*USUAL, "--data", str(data)).stop() == (0, "")
    proxies(*USUAL, "--data", str(tmp_path / "new")).stop()
    assert stat.S_IMODE(os.stat(tmp_path / "new").st_mode) == 0o700


def test_a_port_in_use_is_answered_with_the_next_one(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = ended(*USUAL[:-1], f"127.0.0.1:{port}", "--data", str(tmp_path / "data"))
    assert code == 1
    assert f"Another program listens on 127.0.0.1:{port}." in said and f"--listen 127.0.0.1:{port + 1}" in said


@pytest.mark.parametrize(
    "url", ["http://push.example", "http://192.168.1.2:8087", "http://127.0.0.1.example", "http://localhost.example:1"]
)
def test_an_address_without_tls_is_for_this_machine_only(url, tmp_path):
    code, said = ended("--public-url", url, "--relay", "ws://127.0.0.1:9", folder=tmp_path)
    assert code == 2 and "--public-url takes https://HOST" in said and "http:// is for this machine only" in said
    assert list(tmp_path.iterdir()) == []


def test_an_address_of_this_machine_needs_no_tls(proxies, tmp_path):
    for number, url in enumerate(("http://127.0.0.1:8087", "http://[::1]:8087", "http://localhost")):
        place = ["--relay", "ws://127.0.0.1:9", "--listen", "127.0.0.1:0", "--data", str(tmp_path / str(number))]
        assert proxies("--public-url", url, *place).ready["public_url"] == url


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("relai wss://relay.example", ("there is no option relai.", "Did you mean relay?")),
        ("hunter2canary", ("begins with no option", "may be a password")),
        ("port 8087", ("there is no option port.", "--help lists all options")),
        ("--contact mailto:a@b.example", ("contact is written as on a command line.", "contact VALUE")),
        ("contact=mailto:a@b.example", ("contact is written as on a command line.", "contact VALUE")),
        ("contact mailto:a@b.example # mine", ("there is a comment after contact.", "a line of its own")),
        ("no-metrics # nobody asks", ("there is a comment after no-metrics.",)),
        ("public-url", ("public-url has no value.",)),
        ("no-metrics yes", ("no-metrics takes no value.",)),
    ],
)
def test_a_line_of_the_configuration_that_is_wrong_is_explained(line, said, tmp_path):
    file = tmp_path / "push.conf"
    file.write_text(f"relay wss://relay.example\n{line}\n")
    code, words = ended("--config", str(file))
    assert code == 2 and f"Line 2 of {file}" in words
    assert all(part in words for part in said), words
    assert "hunter2canary" not in words


def test_an_option_that_a_file_has_twice_is_named_with_both_lines(tmp_path):
    file = tmp_path / "push.conf"
    file.write_text("relay wss://a.example\nrelay wss://b.example\npublic-url https://a.example\n\npublic-url https://b.example\n")
    code, said = ended("--config", str(file))
    assert code == 2 and f"Line 5 of {file}: public-url is in line 3 already." in said


def test_a_file_of_another_system_is_read(proxies, tmp_path):
    file = tmp_path / "push.conf"
    file.write_bytes(b"# of mine\r\n  # and more\r\nrelay ws://127.0.0.1:9 \r\nno-metrics\r\n\r\ncontact\tmailto:a@b.example\r\n")
    proxy = proxies("--config", str(file), "--public-url", PUBLIC, "--listen", "127.0.0.1:0", "--data", str(tmp_path / "data"))
    assert proxy.ready["relays"] == ["ws://127.0.0.1:9"]


def with_variables(tmp_path: Path, **variables: str) -> tuple[int, str]:
    """A proxy that finds these variables, and does not start."""
    program = binary().with_name("holdfast-push")
    words = [program, "--public-url", PUBLIC, "--listen", "127.0.0.1:0", "--data", str(tmp_path / "file" / "data")]
    done = subprocess.run(words, capture_output=True, text=True, env=environment(**variables), timeout=30)
    return done.returncode, re.sub(r"\s+", " ", done.stderr)


@pytest.mark.parametrize("between", [",", ", ", ";"])
def test_several_relays_in_a_variable_are_separated_with_spaces(between, proxies, tmp_path):
    both = ["ws://127.0.0.1:8", "ws://127.0.0.1:9"]
    code, said = with_variables(tmp_path, HOLDFAST_PUSH_RELAY=between.join(both))
    assert code == 2 and "In HOLDFAST_PUSH_RELAY, separate several with spaces." in said
    place = ["--public-url", PUBLIC, "--listen", "127.0.0.1:0", "--data", str(tmp_path / "data")]
    assert proxies(*place, HOLDFAST_PUSH_RELAY=" ".join(both)).ready["relays"] == both


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        (
            {"HOLDFAST_PUSH_RELAYS": "wss://a.example"},
            ("The environment has HOLDFAST_PUSH_RELAYS, which is no option.", "Did you mean HOLDFAST_PUSH_RELAY?"),
        ),
        ({"HOLDFAST_PUSH_COLOUR": "blue"}, ("HOLDFAST_PUSH_COLOUR, which is no option.", "Remove the variable.")),
        ({"HOLDFAST_PUSH_NO_METRICS": "yes"}, ("HOLDFAST_PUSH_NO_METRICS takes 1 or 0.",)),
    ],
)
def test_a_variable_that_would_do_nothing_is_refused(variables, said, tmp_path):
    code, words = with_variables(tmp_path, HOLDFAST_PUSH_RELAY="ws://127.0.0.1:9", **variables)
    assert code == 2 and all(part in words for part in said), words
    assert "blue" not in words


def test_the_variables_that_kubernetes_gives_do_not_keep_it_from_starting(proxies, tmp_path):
    given = {"PORT": "tcp://10.0.0.1:80", "PORT_80_TCP_ADDR": "10.0.0.1", "SERVICE_HOST": "10.0.0.1"}
    variables = {"HOLDFAST_PUSH_" + name: value for name, value in given.items()}
    assert proxies(*USUAL, "--data", str(tmp_path / "data"), **variables).stop() == (0, "")


def test_a_secret_that_others_can_read_is_warned_of(proxies, apple, tmp_path):
    apple.key_file.chmod(0o604)
    arguments = [*USUAL, *apple.arguments(), "--data", str(tmp_path / "data")]
    code, said = proxies(*arguments).stop()
    assert code == 0 and f"can read {apple.key_file} (mode 0604)" in said and f"chmod 600 {apple.key_file}" in said
    apple.key_file.chmod(0o640)
    assert proxies(*arguments).stop() == (0, "")


def test_a_configuration_with_a_password_that_others_can_read_is_warned_of(proxies, shared, postgres, tmp_path):
    file = tmp_path / "push.conf"
    file.write_text(f"database {postgres.url()}\n")
    without = [word for word in shared if word not in ("--database", postgres.url())]
    file.chmod(0o644)
    code, said = proxies(*without, "--config", str(file)).stop()
    assert code == 0 and said.count("chmod") == 1 and f"chmod 600 {file}" in said and "canary" not in said
    file.chmod(0o600)
    assert proxies(*without, "--config", str(file)).stop() == (0, "")
    file.write_text("no-metrics\n")
    file.chmod(0o644)
    assert proxies(*shared, "--config", str(file)).stop() == (0, "")


@pytest.mark.parametrize(
    ("given", "is_warned"),
    [
        ("0.0.0.0/0", True),
        ("::/0", True),
        ("64.0.0.0/7", True),
        ("2000::/3", True),
        ("10.0.0.0/8", False),
        ("fc00::/7", False),
        ("::1", False),
    ],
)
def test_a_range_of_reverse_proxies_with_strangers_in_it_is_warned_of(proxies, tmp_path, given, is_warned):
    tmp_path.chmod(0o700)
    said = proxies(*USUAL, "--data", str(tmp_path), "--trusted-proxy", given).stop()[1]
    assert (f"--trusted-proxy {given} trusts addresses of strangers" in said) == is_warned
    assert is_warned or said == ""


def test_a_service_that_other_machines_reach_is_warned_of(proxies, tmp_path):
    def said(place: str, *more: str) -> str:
        return proxies("--public-url", PUBLIC, "--relay", "ws://127.0.0.1:9", "--listen", place, "--data", str(tmp_path), *more).stop()[1]

    tmp_path.chmod(0o700)
    warned = said("0.0.0.0:0")
    assert "can reach the service at 0.0.0.0:0 without TLS, and read /metrics." in warned
    assert "--listen 127.0.0.1:" in warned and "--no-metrics" in warned
    assert "without TLS." in said("[::]:0", "--no-metrics")
    assert said("0.0.0.0:0", "--no-metrics", "--trusted-proxy", "10.0.0.1") == ""
    assert said("127.0.0.1:0") == "" and said("[::1]:0") == ""
