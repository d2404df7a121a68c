"""A recovery kit from the page: its shares are seen once, each is read by a second program, and enough of them work."""

from __future__ import annotations

import asyncio
import re
import secrets

import pytest
from playwright.async_api import expect

from console.desk import NARROW
from console.sheets import sheet_field, type_sheets
from console.test_pairing import read_code
from console.test_passkey_unlock import shown
from harness.bare_machine import AGAIN, FRESH, NEW, OPENS, Printed, typed
from reference.nip19 import npub as npub_of
from reference.words import key_of_words, words_of

PAGES = re.compile(rb"/Type\s*/Page[^s]")
"""The pages of a PDF."""


async def make_kit(desk, shape: str = "Any 2 of 3", *, of: str | None = None, code: str | None = None, said: str = "") -> list[str]:
    """Makes a kit and writes its shares down, as a person would: from what the page shows.

    With `said`, it is the step that stands beside every sheet.
    """
    return [sheet.share for sheet in await make_sheets(desk, shape, of=of, code=code, said=said)]


async def make_sheets(desk, shape: str = "Any 2 of 3", *, of: str | None = None, code: str | None = None, said: str = "") -> list[Printed]:
    """The same with all that stands on each sheet as it is printed."""
    await desk.go("/recovery")
    await desk.page.get_by_role("button", name="Make a kit…").click()
    dialog = desk.page.get_by_role("dialog")
    await dialog.get_by_role("radio", name=re.compile(f"^{shape}")).check()
    if of:
        await dialog.get_by_label("It opens").select_option(of)
    if code:
        await dialog.get_by_role("checkbox", name="With a recovery code").check()
        await dialog.get_by_label("Recovery code", exact=True).fill(code)
        await dialog.get_by_label("Repeat the recovery code").fill(code)
    await shown(desk, "Make the kit")
    sheets: list[Printed] = []
    while True:
        number = len(sheets) + 1
        sheet = desk.page.get_by_role("article", name=f"Sheet {number} of")
        await expect(sheet).to_be_visible()
        if said:
            await expect(step_of(desk)).to_have_text(said)
            await expect(desk.page.get_by_role("heading", name="Guardians")).to_be_hidden()
        words = " ".join(await sheet.locator("ol.share-words li").all_inner_texts())
        code = sheet.get_by_role("img", name=f"QR code of sheet {number}")
        assert read_code(await code.screenshot(scale="css")) == words
        await desk.page.emulate_media(media="print")
        commands = await sheet.locator("code.run").all_inner_texts()
        sheets.append(Printed(words.split(), commands, await sheet.inner_text()))
        await desk.page.emulate_media(media="screen")
        last = desk.page.get_by_role("button", name="I have them all")
        if await last.count():
            await last.click()
            await expect(last).to_have_count(0)
            return sheets
        await desk.page.get_by_role("button", name="Next sheet").click()


@pytest.mark.parametrize("viewport", [{"width": 1366, "height": 768}, NARROW], ids=["laptop", "phone"])
async def test_what_ends_a_sheet_is_in_reach_however_small_the_window(open_desk, daemon, viewport):
    desk = await open_desk(daemon, viewport=viewport)
    await desk.go("/recovery")
    await desk.page.get_by_role("button", name="Make a kit…").click()
    make = desk.page.get_by_role("dialog").get_by_role("button", name="Make the kit")
    menu = desk.page.locator("#menu")
    bottom = (await menu.bounding_box())["y"] if viewport == NARROW else viewport["height"]
    box = await make.bounding_box()
    assert box["y"] + box["height"] <= viewport["height"], "the dialog's button"
    await shown(desk, "Make the kit")
    for number in (1, 2):
        await expect(desk.page.get_by_role("article", name=f"Sheet {number} of 3")).to_be_visible()
        warning = desk.page.get_by_text("Write it down or print it now. It is not shown again.")
        for one in (warning, desk.page.get_by_role("button", name="Print this one"), desk.page.get_by_role("button", name="Next sheet")):
            box = await one.bounding_box()
            assert 0 <= box["y"] and box["y"] + box["height"] <= bottom, await one.inner_text()
        await expect(desk.page.locator("ol.share-words li").first).to_be_in_viewport()
        await desk.page.get_by_role("button", name="Next sheet").click()


def step_of(desk):
    """The step to a kit that is open now."""
    return desk.page.locator(".kit-steps [aria-current='step']")


async def test_every_step_to_a_kit_is_numbered_and_the_last_is_its_test(desk):
    await desk.go("/recovery")
    await desk.page.get_by_role("button", name="Make a kit…").click()
    await expect(desk.page.get_by_role("dialog").get_by_role("list", name="Steps").get_by_role("listitem")).to_have_count(3)
    await expect(step_of(desk)).to_have_text("1Choose")
    # The passphrase is below the buttons, which stay in sight.
    await expect(desk.page.get_by_role("dialog")).to_have_class("long")
    await expect(desk.page.locator(".kit-steps .step-number").last).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    await desk.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    await expect(step_of(desk)).to_have_count(0)
    shares = await make_kit(desk, said="2Write down")
    await expect(step_of(desk)).to_have_text("3Test")
    await type_sheets(desk.page, *shares[:2])
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await expect(desk.page.get_by_text("They work: together they open this vault.")).to_be_visible()
    await expect(step_of(desk)).to_have_count(0)
    await expect(desk.page.locator(".kit-steps .done")).to_have_count(3)


async def test_a_kit_is_tested_only_where_there_is_one(desk):
    await desk.go("/recovery")
    await expect(desk.page.get_by_text("You have no recovery kit.")).to_be_visible()
    test = desk.page.get_by_role("heading", name="Test a kit")
    await expect(test).to_be_hidden()
    await make_kit(desk)
    await expect(test).to_be_visible()
    await desk.page.reload()
    await expect(test).to_be_visible()


async def test_leaving_the_sheets_before_the_last_one_asks_and_the_kit_does_not_count(desk):
    await desk.go("/recovery")
    await desk.page.get_by_role("button", name="Make a kit…").click()
    await shown(desk, "Make the kit")
    await expect(desk.page.get_by_role("article", name="Sheet 1 of 3")).to_be_visible()
    question = desk.page.get_by_role("dialog", name="Leave before you have all the sheets?")

    await desk.page.get_by_role("navigation").get_by_role("link", name="Backups").click()
    await question.get_by_role("button", name="Stay").click()
    await expect(desk.page.get_by_role("article", name="Sheet 1 of 3")).to_be_visible()
    assert desk.page.url.endswith("#/recovery")

    await desk.page.get_by_role("navigation").get_by_role("link", name="Backups").click()
    await question.get_by_role("button", name="Leave").click()
    await expect(desk.page.get_by_role("heading", name="Backups", level=1)).to_be_visible()
    [kit] = (await desk.asks("recovery/list"))["kits"]
    assert not kit["handed_out"] and kit["last_tested"] is None
    await desk.go("/recovery")
    await expect(desk.page.get_by_text("you never confirmed its sheets")).to_be_visible()


async def test_a_kit_is_made_seen_once_and_tested(desk):
    sent: list[bytes] = []
    desk.page.on("request", lambda request: sent.append((request.post_data_buffer or b"").split(b"\n", 1)[0]))
    shares = await make_kit(desk)
    assert len(shares) == 3
    page = await desk.page.evaluate(
        "() => document.documentElement.outerHTML + JSON.stringify({...localStorage}) + JSON.stringify({...sessionStorage}) + location.href"
    )
    for share in shares:
        beginning = " ".join(share.split()[4:9])
        assert beginning not in page, "it is shown once"
        assert not any(beginning.encode() in line for line in sent), "and is no JSON on its way to be drawn"
    words = sheet_field(desk.page)
    wrong = shares[0].split()
    wrong[7] = "academic" if wrong[7] != "academic" else "acid"
    await type_sheets(desk.page, " ".join(wrong), shares[1])
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await expect(desk.page.get_by_role("alert")).to_be_visible()
    assert await words.input_value() != "", "one wrong word does not cost the others"
    await type_sheets(desk.page, shares[0])
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await expect(desk.page.get_by_role("alert")).to_be_visible()
    await type_sheets(desk.page, shares[2], shares[0])
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await expect(desk.page.get_by_text("They work: together they open this vault.")).to_be_visible()
    await expect(words).to_have_value("")
    (kit,) = (await desk.asks("recovery/list"))["kits"]
    assert kit["for"] == "vault" and kit["last_tested"] and kit["handed_out"]
    await expect(desk.page.get_by_role("listitem").get_by_text("tested just now")).to_be_visible()


async def test_shares_leave_the_page_with_the_person(desk):
    await desk.go("/recovery")
    await desk.page.get_by_role("button", name="Make a kit…").click()
    await shown(desk, "Make the kit")
    sheet = desk.page.get_by_role("article", name="Sheet 1 of 3")
    await expect(sheet).to_be_visible()
    await expect(desk.page.get_by_text("You have no recovery kit.")).to_be_hidden()
    await expect(desk.page.get_by_role("button", name="Make a kit…")).to_be_hidden()
    word = " ".join((await sheet.locator("ol.share-words li").all_inner_texts())[4:9])
    await desk.page.emulate_media(media="print")
    await expect(sheet).to_be_visible()
    await expect(desk.page.get_by_role("navigation", name="Pages")).to_be_hidden()
    await desk.page.emulate_media(media="screen")
    await desk.go("/")
    await desk.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    await expect(desk.page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    await desk.go("/recovery")
    await expect(desk.page.get_by_role("button", name="Make a kit…")).to_be_visible()
    assert word not in (await desk.page.locator("body").inner_text()).replace("\n", " ")


async def test_a_kit_is_removed(desk):
    await make_kit(desk, "One sheet")
    await desk.page.get_by_role("button", name="Remove…").click()
    await shown(desk, "Remove")
    await expect(desk.page.get_by_text("Its sheets no longer open this vault.")).to_be_visible()
    assert (await desk.asks("recovery/list"))["kits"] == []


@pytest.mark.parametrize("given, account, code", [("words", 0, None), ("words", 4, "velvet 31"), ("key", 0, None)])
async def test_the_commands_of_every_sheet_bring_the_key_back_on_a_bare_machine(desk, machines, given, account, code):
    secret = secrets.token_bytes(32)
    text = words_of(secret) if given == "words" else secret.hex()
    more = ("--account", str(account)) if given == "words" else ()
    npub = desk.daemon.home.cli("identity", "import", "carol", *more, stdin=text, check=True).value["npub"]
    if given == "words" and account == 0:
        assert npub == npub_of(key_of_words(text).public)
    sheets = await make_sheets(desk, of="carol", code=code)
    assert len(sheets) == 3
    for sheet in sheets:
        assert npub in sheet.text and sheet.commands == sheets[0].commands and len(sheet.commands) == 2
    machine = machines()
    make, restore = sheets[1].commands
    await asyncio.to_thread(machine.run, make, [(NEW, FRESH), (AGAIN, FRESH)])
    await asyncio.to_thread(machine.run, restore, [*typed([sheets[2], sheets[1]], code), (OPENS, FRESH)])
    assert machine.identities() == {"carol": npub}


async def test_the_commands_of_a_vaults_sheet_bring_everything_back(desk, machines):
    before = {one["name"]: one["npub"] for one in desk.daemon.do("identity", "list")["identities"]}
    sheets = await make_sheets(desk, code="velvet 31")
    machine = machines()
    home = desk.daemon.home
    home.cli("backup", "create", str(machine.home / "backup.hfb"), "--passphrase-file", str(home.passphrase_file), check=True)
    shares = typed([sheets[0], sheets[2]], "velvet 31")
    answers = [("press Enter to use a kit", ""), *shares, (NEW, FRESH), (AGAIN, FRESH)]
    await asyncio.to_thread(machine.run, sheets[0].commands[1], answers)
    assert machine.identities() == before


async def test_a_kit_with_a_recovery_code_is_tested_with_it(desk):
    shares = await make_kit(desk, code="velvet 31")
    code = desk.page.get_by_label("Recovery code, if the kit has one")
    await type_sheets(desk.page, *shares[:2])
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await expect(desk.page.get_by_role("alert")).to_contain_text("This kit has a recovery code")
    await code.fill("velvet 31")
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await expect(desk.page.get_by_text("They work: together they open this vault.")).to_be_visible()
    await expect(code).to_have_value("")


async def test_each_sheet_has_a_field_and_pasted_lines_are_spread_over_them(open_desk, daemon):
    desk = await open_desk(daemon)
    shares = await make_kit(desk, "Any 3 of 5")
    await desk.page.set_viewport_size(NARROW)
    fields = desk.page.get_by_role("group", name="Words of the sheets").get_by_role("textbox")
    await expect(fields).to_have_count(2)
    await sheet_field(desk.page).fill("\n".join(shares[:3]) + "\n")
    await expect(fields).to_have_count(4)
    for number in range(3):
        await expect(fields.nth(number)).to_have_value(shares[number])
    await expect(fields.nth(3)).to_have_value("")
    # A sheet that was typed in several lines is one sheet.
    words = shares[2].split()
    await fields.nth(2).fill("\n".join([" ".join(words[:10]), " ".join(words[10:])]))
    await expect(fields).to_have_count(4)
    assert await desk.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await expect(desk.page.get_by_text("They work: together they open this vault.")).to_be_visible()
    await expect(fields).to_have_count(2)


async def test_all_sheets_are_printed_at_once_each_on_a_page_of_its_own(desk):
    await desk.go("/recovery")
    await desk.page.get_by_role("button", name="Make a kit…").click()
    await shown(desk, "Make the kit")
    # A dialog that stays open, while each of the sheets is printed here.
    await desk.page.evaluate(
        """() => {
          window.print = () => { window.isPrinting = true; };
          addEventListener("afterprint", (event) => window.isPrinting && event.stopImmediatePropagation(), true);
        }"""
    )
    await expect(desk.page.get_by_role("button", name="I have them all")).to_have_count(0)
    one = await desk.page.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "1cm"))
    assert len(PAGES.findall(one)) == 1
    await desk.page.get_by_role("button", name="Print all").click()
    await desk.page.wait_for_function("() => window.isPrinting")
    sheets = desk.page.get_by_role("article")
    await expect(sheets).to_have_count(1)
    await desk.page.emulate_media(media="print")
    await expect(sheets).to_have_count(3)
    for number in range(3):
        await expect(sheets.nth(number)).to_contain_text(f"Sheet {number + 1} of 3")
        await expect(sheets.nth(number)).to_contain_text("Keep it apart from the others.")
        await expect(sheets.nth(number).locator("ol.share-words li")).to_have_count(20)
    for paper in ("A4", "Letter"):
        pdf = await desk.page.pdf(format=paper, margin=dict.fromkeys(("top", "bottom", "left", "right"), "1cm"))
        assert len(PAGES.findall(pdf)) == 3, paper
    await desk.page.evaluate("() => { window.isPrinting = false; dispatchEvent(new Event('afterprint')); }")
    await desk.page.emulate_media(media="screen")
    await expect(desk.page.locator("article.sheet")).to_have_count(1)
    await desk.page.get_by_role("button", name="I have them all").click()
    await expect(desk.page.get_by_role("heading", name="Test a kit")).to_be_visible()


@pytest.mark.parametrize("plan", [("--identity", "carol"), ()], ids=["a key, 33 words", "the vault"])
async def test_each_page_of_a_file_fits_on_one_sheet_and_no_command_breaks_inside_a_word(browser, home, tmp_path, plan):
    home.unlocked("identity", "import", "carol", stdin=secrets.token_hex(32))
    (home.folder / "code").write_text("velvet 31\n")
    code = ("--new-recovery-code-file", str(home.folder / "code"))
    home.unlocked("recovery", "create", "--threshold", "2", "--shares", "2", *plan, *code, "--out", str(tmp_path / "kit"))
    page = await browser.new_page()
    for file in (tmp_path / "kit").iterdir():
        await page.goto(file.as_uri())
        assert len(PAGES.findall(await page.pdf(prefer_css_page_size=True))) == 1
        heights = await page.locator("code.run span").evaluate_all("all => all.map(one => one.getClientRects().length)")
        assert heights and set(heights) == {1}
    await page.close()
