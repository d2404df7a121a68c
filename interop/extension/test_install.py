"""`holdfast extension install`: what it writes and where, and what it leaves alone."""

from __future__ import annotations

import json
import os
import re
import stat
import zipfile
from pathlib import Path

import pytest

from harness.daemon import binary, environment, run

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCES = REPOSITORY / "Web" / "extension"
HOST = "org.holdfast.signer.json"


def install(home, browser: str, *more: str, command: str = "install", code: int = 0):
    done = home.cli("extension", command, "--browser", browser, *more, env=environment(HOME=str(home.folder)))
    assert done.code == code, done.said
    return done.value


def test_chromium_gets_the_files_and_every_known_browser_its_manifest(home):
    for folder in ("google-chrome", "BraveSoftware/Brave-Browser"):
        (home.folder / ".config" / folder).mkdir(parents=True)
    installed = install(home, "chromium")
    settings = home.folder / ".config"
    assert installed["manifests"] == [
        str(settings / folder / "NativeMessagingHosts" / HOST) for folder in ("chromium", "google-chrome", "BraveSoftware/Brave-Browser")
    ]
    unpacked = Path(installed["extension"])
    assert {path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file()} == {
        path.relative_to(SOURCES) for path in SOURCES.rglob("*") if path.is_file() and path.name != "README.md"
    }
    for path in [*unpacked.rglob("*"), *map(Path, installed["manifests"]), home.path / "browser"]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert stat.S_IMODE((home.path / "browser" / "native-host").stat().st_mode) == 0o700


def test_a_browser_of_chromiums_family_is_named_as_people_call_it(home):
    assert install(home, "chrome")["browser"] == "chromium"


def test_firefox_gets_an_archive(home):
    installed = install(home, "firefox")
    assert installed["manifests"] == [str(home.folder / ".mozilla" / "native-messaging-hosts" / HOST)]
    manifest = json.loads(Path(installed["manifests"][0]).read_text())
    assert manifest["allowed_extensions"] == [installed["id"]]
    with zipfile.ZipFile(installed["extension"]) as archive:
        assert archive.testzip() is None
        assert "manifest.json" in archive.namelist()
        for name in archive.namelist():
            assert name == "manifest.json" or archive.read(name) == (SOURCES / name).read_bytes()


def test_a_profile_of_firefox_gets_the_archive(home):
    profile = home.folder / "profile"
    installed = install(home, "firefox", "--profile", str(profile))
    copy = profile / "extensions" / f"{installed['id']}.xpi"
    assert copy.read_bytes() == Path(installed["extension"]).read_bytes()
    assert install(home, "firefox", "--profile", str(profile), command="uninstall")["left"] == []
    assert not copy.exists()


def test_a_second_time_changes_nothing_and_removing_leaves_nothing(home):
    first = install(home, "chromium")
    assert install(home, "chromium") == first
    install(home, "firefox")
    assert install(home, "chromium", command="uninstall")["left"] == []
    assert (home.path / "browser" / "holdfast.xpi").exists()
    assert install(home, "firefox", command="uninstall")["left"] == []
    assert not (home.path / "browser").exists()
    assert not Path(first["manifests"][0]).exists()


def test_each_browser_takes_its_own_files_along(home):
    install(home, "chromium")
    install(home, "firefox")
    assert install(home, "chromium", command="uninstall")["left"] == []
    assert not (home.path / "browser" / "chromium").exists() and (home.path / "browser" / "native-host").exists()


def test_a_vault_that_was_moved_installs_and_removes_its_files(home):
    install(home, "chromium")
    moved = home.copied()
    moved.folder = home.folder
    installed = install(moved, "chromium")
    assert str(moved.path) in (moved.path / "browser" / "native-host").read_text()
    assert json.loads(Path(installed["manifests"][0]).read_text())["path"] == str(moved.path / "browser" / "native-host")
    assert install(moved, "chromium", command="uninstall")["left"] == []
    assert not (moved.path / "browser").exists()


@pytest.mark.parametrize("name", ["browser/native-host", "browser/chromium/manifest.json"])
def test_a_file_that_somebody_changed_is_not_replaced_and_not_removed(home, name):
    install(home, "chromium")
    changed = home.path / name
    changed.write_text("mine")
    assert "wrote or changed" in install(home, "chromium", code=1)["error"]
    assert install(home, "chromium", command="uninstall")["left"] == [str(changed)]
    assert changed.read_text() == "mine"


def test_another_programs_manifest_is_not_replaced(home):
    place = home.folder / ".config" / "chromium" / "NativeMessagingHosts" / HOST
    place.parent.mkdir(parents=True)
    place.write_text('{"name":"org.holdfast.signer","path":"/usr/bin/other"}')
    assert "wrote or changed" in install(home, "chromium", code=1)["error"]
    assert not (home.path / "browser").exists()


def test_another_vaults_manifest_gives_way(home, closed_home):
    other = closed_home.copied()
    place = home.folder / ".config" / "chromium" / "NativeMessagingHosts" / HOST
    try:
        other.cli("extension", "install", "--browser", "chromium", env=environment(HOME=str(home.folder)), check=True)
        assert str(other.path) in place.read_text()
        install(home, "chromium")
        assert str(home.path) in place.read_text()
    finally:
        other.remove()


@pytest.mark.parametrize("target", ["/etc/passwd", "nowhere"])
def test_a_link_is_not_followed(home, target):
    place = home.folder / ".config" / "chromium" / "NativeMessagingHosts" / HOST
    place.parent.mkdir(parents=True)
    place.symlink_to(target)
    assert "wrote or changed" in install(home, "chromium", code=1)["error"]
    assert os.readlink(place) == target


@pytest.mark.skipif(os.geteuid() != 0, reason="makes another user's folder")
def test_another_users_folder_is_left(home):
    folder = home.folder / ".config" / "chromium"
    folder.mkdir(parents=True)
    os.chown(folder, 12345, 12345)
    assert "belongs to another user" in install(home, "chromium", code=1)["error"]
    assert list(folder.iterdir()) == []


def test_a_folder_with_quotes_and_spaces_is_named_as_it_is(home):
    from harness.native_host import NativeHost

    odd = home.folder / "it's a $(id) home"
    home.path.rename(odd)
    home.path = odd
    install(home, "chromium")
    helper = NativeHost(home, "chrome-extension://dceegofnjohdgopdllmjiekcgeofkmob/")
    assert helper.ask("state", channel=None)["result"] == {"running": False}
    assert helper.end() == 0


def test_it_says_what_is_missing(home, empty_home):
    assert "takes chromium, firefox, chrome" in install(home, "netscape", code=2)["error"]
    done = run("extension", "install", "--home", str(home.path), env=environment(HOME=str(home.folder)))
    assert done.code == 2 and "--browser chromium" in done.err
    assert install(empty_home, "chromium", code=5)["error"]


def test_the_last_step_is_said(home):
    done = run("extension", "install", "--browser", "chromium", "--home", str(home.path), env=environment(HOME=str(home.folder)))
    assert "chrome://extensions" in done.out and str(home.path / "browser" / "chromium") in done.out
    done = run("extension", "install", "--browser", "firefox", "--home", str(home.path), env=environment(HOME=str(home.folder)))
    assert "about:debugging" in done.out


# The stores' documented rules: developer.chrome.com/docs/webstore, extensionworkshop.com.


@pytest.fixture(scope="module")
def manifest() -> dict:
    return json.loads((SOURCES / "manifest.json").read_text())


def test_the_manifest_asks_for_the_least(manifest):
    assert manifest["manifest_version"] == 3
    assert manifest["permissions"] == ["nativeMessaging", "storage"]
    for absent in ("host_permissions", "optional_permissions", "web_accessible_resources", "externally_connectable", "update_url"):
        assert absent not in manifest
    assert {match for script in manifest["content_scripts"] for match in script["matches"]} == {"http://*/*", "https://*/*"}
    assert not any("match_about_blank" in script or "match_origin_as_fallback" in script for script in manifest["content_scripts"])
    gecko = manifest["browser_specific_settings"]["gecko"]
    assert gecko["data_collection_permissions"] == {"required": ["none"]}
    assert len(manifest["name"]) <= 45 and len(manifest["description"]) <= 132


def test_the_extension_has_the_programs_version(manifest):
    assert run("--version", env=environment()).out.split()[1] == manifest["version"] and binary()
    assert re.fullmatch(r"\d+(\.\d+){0,3}", manifest["version"])


def test_its_pages_load_only_what_is_in_it(manifest):
    policy = dict(part.split(" ", 1) for part in manifest["content_security_policy"]["extension_pages"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert "unsafe" not in str(policy) and "http" not in str(policy)


def test_no_script_makes_code_of_text_or_reaches_elsewhere():
    forbidden = re.compile(
        r"\beval\b|new Function|import\(|XMLHttpRequest|\bfetch\(|WebSocket|innerHTML|document\.write|console\.\w|https?://(?!\*)|setTimeout\(\s*['\"]"
    )
    for path in SOURCES.rglob("*.js"):
        code = re.sub(r"^\s*//[^\n]*|/\*.*?\*/", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
        assert not forbidden.search(code), (path.name, forbidden.search(code))
    for path in SOURCES.rglob("*.html"):
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|https?:", path.read_text())


def test_the_icons_have_their_sizes(manifest):
    from PIL import Image

    for size, name in manifest["icons"].items():
        assert Image.open(SOURCES / name).size == (int(size), int(size))
