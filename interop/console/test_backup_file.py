"""A backup file of the owner's computer is checked in the page: what is said of it, and that nothing of it stays."""

from __future__ import annotations

import base64
import re

import pytest
from playwright.async_api import expect

from console.desk import NARROW
from harness.daemon import PASSPHRASE


def section(desk):
    return desk.page.locator("section.card", has=desk.page.get_by_role("heading", name="Check a backup file"))


async def choose(desk, content: bytes, name: str = "keys.hfb") -> None:
    await desk.go("/backup")
    await expect(section(desk)).to_be_visible()
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    await section(desk).locator('input[type="file"]').set_input_files(file)


async def check(desk, passphrase: str) -> None:
    await section(desk).get_by_label("Your vault’s passphrase").fill(passphrase)
    await section(desk).get_by_label("Your vault’s passphrase").press("Enter")


@pytest.fixture
def backup(daemon, tmp_path) -> bytes:
    daemon.do("backup", "create", str(tmp_path / "one.hfb"))
    return (tmp_path / "one.hfb").read_bytes()


def left(daemon) -> list[str]:
    return [one.name for one in daemon.home.path.iterdir() if "fetched" in one.name]


async def test_a_good_file_is_described_then_opened_and_nothing_stays(desk, daemon, backup):
    await choose(desk, backup)
    await expect(section(desk)).to_contain_text("keys.hfb has its full length and is a backup of this vault. It was made")
    await expect(section(desk)).to_contain_text("has the number 1.")
    await check(desk, PASSPHRASE)
    await expect(section(desk)).to_contain_text("keys.hfb is whole, and what you gave opens it.")
    await expect(section(desk).get_by_role("definition").first).to_have_text("alice")
    assert daemon.do("backup", "list")["last_tested"] and not left(daemon)
    await section(desk).get_by_role("button", name="Check another file").click()
    await expect(section(desk).get_by_role("button", name="Choose a file…")).to_be_focused()
    assert await section(desk).locator('input[type="file"]').evaluate("input => input.files.length") == 0


async def test_after_a_wrong_passphrase_the_right_one_is_taken_without_sending_the_file_again(desk, daemon, backup):
    sent = []
    desk.page.on("request", lambda request: sent.append(request.url) if "upload-part" in request.url else None)
    await choose(desk, backup)
    await check(desk, "not the passphrase")
    await expect(section(desk).get_by_role("alert")).to_contain_text("does not open the backup")
    parts = len(sent)
    await check(desk, PASSPHRASE)
    await expect(section(desk)).to_contain_text("is whole, and what you gave opens it.")
    assert len(sent) == parts


async def test_a_damaged_file_is_named_and_the_next_can_be_chosen(desk, daemon, backup):
    damaged = bytearray(backup)
    damaged[-20] ^= 1
    await choose(desk, bytes(damaged))
    await check(desk, PASSPHRASE)
    await expect(section(desk).get_by_role("alert")).to_contain_text(
        re.compile("The backup is damaged: piece 1 was changed.*copy this one again")
    )
    await expect(section(desk).get_by_role("button", name="Choose a file…")).to_be_focused()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (lambda good: b"dear diary", "This file is not a Holdfast backup."),
        (lambda good: good[:-7], "it is cut short; 7 bytes are missing"),
        (lambda good: good + b"\n", "something was added after its end"),
        (lambda good: b"", "A browser can send files of 1 byte to 64 MiB."),
    ],
    ids=["other", "cut", "longer", "empty"],
)
async def test_what_is_no_whole_backup_is_refused_before_the_passphrase(desk, daemon, backup, content, said):
    await choose(desk, content(backup), "diary.txt")
    await expect(section(desk).get_by_role("alert")).to_contain_text(said)
    await expect(section(desk).get_by_label("Your vault’s passphrase")).to_have_count(0)


async def test_a_backup_of_another_vault_is_named_and_no_passphrase_is_asked_for(desk, unused, tmp_path):
    unused.do("backup", "create", str(tmp_path / "other.hfb"))
    await choose(desk, (tmp_path / "other.hfb").read_bytes())
    await expect(section(desk)).to_contain_text("is a backup of another vault")
    await expect(section(desk)).to_contain_text("holdfast backup verify FILE")
    await expect(section(desk).get_by_label("Your vault’s passphrase")).to_have_count(0)


async def test_sending_can_be_stopped_and_the_signer_forgets_the_file(desk, daemon, backup):
    names = []

    async def hold(route):
        names.append(route.request.post_data_json["upload"])
        await desk.page.get_by_role("button", name="Cancel").click()
        await route.continue_()

    await desk.page.route("**/backup/upload-part", hold)
    async with desk.page.expect_request("**/backup/upload-cancel"):
        await choose(desk, backup * 40)
    await expect(section(desk).get_by_role("button", name="Choose a file…")).to_be_focused()
    answer = await desk.page.evaluate(
        """async (upload) => (await fetch('/api/v1/backup/upload-end', {
            method: 'POST', body: JSON.stringify({upload}),
            headers: {'content-type': 'application/json', 'x-csrf-token': localStorage.getItem('holdfast-session')},
        })).json()""",
        names[0],
    )
    assert not answer["ok"] and "has ended" in answer["error"]


async def test_a_file_can_be_dropped_and_a_phone_shows_it_whole(open_desk, daemon, backup):
    desk = await open_desk(daemon, viewport=NARROW)
    await desk.go("/backup")
    await expect(section(desk)).to_be_visible()
    dropped = await desk.page.evaluate_handle(
        """text => {
            const data = new DataTransfer();
            const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
            data.items.add(new File([bytes], 'a-long-name-of-a-backup-that-does-not-fit-into-one-line-of-a-phone.hfb'));
            return data;
        }""",
        base64.b64encode(backup).decode(),
    )
    await section(desk).dispatch_event("drop", {"dataTransfer": dropped})
    await check(desk, PASSPHRASE)
    await expect(section(desk)).to_contain_text("is whole, and what you gave opens it.")
    assert await desk.page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


async def test_the_keyboard_alone_chooses_a_file(desk, daemon, backup):
    await desk.go("/backup")
    await expect(section(desk)).to_be_visible()
    async with desk.page.expect_file_chooser() as waiting:
        await section(desk).get_by_role("button", name="Choose a file…").press("Enter")
    file = {"name": "keys.hfb", "mimeType": "application/octet-stream", "buffer": backup}
    await (await waiting.value).set_files(file)
    await expect(section(desk).get_by_label("Your vault’s passphrase")).to_be_focused()
    await desk.page.keyboard.type(PASSPHRASE)
    await desk.page.keyboard.press("Enter")
    await expect(section(desk)).to_contain_text("is whole, and what you gave opens it.")


async def test_locking_ends_what_was_sent_and_the_page_says_what_to_do(desk, daemon, backup):
    await choose(desk, backup)
    await expect(section(desk).get_by_label("Your vault’s passphrase")).to_be_visible()
    daemon.do("lock")
    daemon.do("unlock", "--passphrase-file", str(daemon.home.passphrase_file))
    await check(desk, PASSPHRASE)
    await expect(section(desk).get_by_role("alert")).to_contain_text("Choose the file again.")
