"""The chart of requests tells its five outcomes apart without relying on colour alone, in both themes."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

DRAWN = """async () => {
  const { chart } = await import("/parts/chart.js");
  const counts = { allow: 1, wait: 1, ask: 1, failed: 1, deny: 1 };
  document.querySelector("main").replaceChildren(chart([{ start: 0, end: 1, label: "now", counts }], "Outcomes"));
  const look = (one, names) => names.map((name) => getComputedStyle(one)[name]).join(" ");
  const looks = (selector, names) => [...document.querySelectorAll(selector)].map((one) => look(one, names));
  return {
    swatches: looks(".legend .swatch", ["backgroundColor", "backgroundImage", "borderTopStyle", "borderTopColor"]),
    bars: looks(".chart .bar", ["fill", "stroke"]),
  };
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_no_two_outcomes_look_alike(open_desk, daemon, theme):
    desk = await open_desk(daemon, color_scheme=theme, at="/more")
    await expect(desk.page.get_by_role("heading", name="More", level=1)).to_be_visible()
    drawn = await desk.page.evaluate(DRAWN)
    for looks in drawn.values():
        assert len(looks) == 5 and len(set(looks)) == 5, looks
    # In the order of the legend: allowed, waiting, ended without an answer, failed, denied.
    assert ["solid" in look for look in drawn["swatches"]] == [False, False, True, False, False]
    assert ["gradient" in look for look in drawn["swatches"]] == [False, False, False, True, False]
    assert ["url(" in look for look in drawn["bars"]] == [False, False, False, True, False]
