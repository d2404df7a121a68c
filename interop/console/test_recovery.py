"""A recovery kit from the page: its shares are seen once, each is read by a second program, and enough of them work."""

from __future__ import annotations

from playwright.async_api import expect

from console.test_pairing import read_code
from console.test_passkey_unlock import shown


async def make_kit(desk, shape: str = "Any 2 of 3") -> list[str]:
    """Makes a kit and writes its shares down, as a person would: from what the page shows."""
    await desk.go("/recovery")
    await desk.page.get_by_role("button", name="Make a kit…").click()
    await desk.page.get_by_role("dialog").get_by_role("radio", name=shape).check()
    await shown(desk, "Make the kit")
    shares = []
    while True:
        number = len(shares) + 1
        sheet = desk.page.get_by_role("article", name=f"Share {number} of")
        await expect(sheet).to_be_visible()
        words = " ".join(await sheet.locator("ol li").all_inner_texts())
        code = sheet.get_by_role("img", name=f"QR code of share {number}")
        assert read_code(await code.screenshot(scale="css")) == words
        shares.append(words)
        last = desk.page.get_by_role("button", name="I have them all")
        if await last.count():
            await last.click()
            return shares
        await desk.page.get_by_role("button", name="Next share").click()


async def test_a_kit_is_made_seen_once_and_tested(desk):
    sent: list[bytes] = []
    desk.page.on("request", lambda request: sent.append((request.post_data_buffer or b"").split(b"\n", 1)[0]))
    shares = await make_kit(desk)
    assert len(shares) == 3
    page = await desk.page.evaluate(
        "() => document.documentElement.outerHTML + JSON.stringify({...localStorage}) + JSON.stringify({...sessionStorage})"
        " + location.href"
    )
    for share in shares:
        beginning = " ".join(share.split()[4:9])
        assert beginning not in page, "it is shown once"
        assert not any(beginning.encode() in line for line in sent), "and is no JSON on its way to be drawn"
    words = desk.page.get_by_label("Shares, one a line")
    wrong = shares[0].split()
    wrong[7] = "academic" if wrong[7] != "academic" else "acid"
    await words.fill(" ".join(wrong) + "\n" + shares[1])
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await expect(desk.page.get_by_role("alert")).to_be_visible()
    assert await words.input_value() != "", "one wrong word does not cost the others"
    await words.fill(shares[0])
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await expect(desk.page.get_by_role("alert")).to_be_visible()
    await words.fill(shares[2] + "\n" + shares[0])
    await desk.page.get_by_role("button", name="Test", exact=True).click()
    await expect(desk.page.get_by_text("They work: together they rebuild this vault.")).to_be_visible()
    await expect(words).to_have_value("")
    (kit,) = (await desk.asks("recovery/list"))["kits"]
    assert kit["for"] == "vault" and kit["last_tested"]
    await expect(desk.page.get_by_role("listitem").get_by_text("tested just now")).to_be_visible()


async def test_shares_leave_the_page_with_the_person(desk):
    await desk.go("/recovery")
    await desk.page.get_by_role("button", name="Make a kit…").click()
    await shown(desk, "Make the kit")
    sheet = desk.page.get_by_role("article", name="Share 1 of 3")
    await expect(sheet).to_be_visible()
    word = " ".join((await sheet.locator("ol li").all_inner_texts())[4:9])
    await desk.page.emulate_media(media="print")
    await expect(sheet).to_be_visible()
    await expect(desk.page.get_by_role("navigation", name="Pages")).to_be_hidden()
    await desk.page.emulate_media(media="screen")
    await desk.go("/")
    await expect(desk.page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    await desk.go("/recovery")
    await expect(desk.page.get_by_role("button", name="Make a kit…")).to_be_visible()
    assert word not in (await desk.page.locator("body").inner_text()).replace("\n", " ")


async def test_a_kit_is_removed(desk):
    await make_kit(desk, "One sheet")
    await desk.page.get_by_role("button", name="Remove…").click()
    await shown(desk, "Remove")
    await expect(desk.page.get_by_text("Its shares open nothing here any more.")).to_be_visible()
    assert (await desk.asks("recovery/list"))["kits"] == []
