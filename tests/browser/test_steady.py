"""Pages do not move while they load or during a round, measured as cumulative layout shift."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.playing import bet, deal, mode, play_out
from tests.browser.test_train import hand

pytestmark = pytest.mark.thorough

BUDGET = 0.1  # the limit web.dev calls good
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) {
    const moved = each.sources.map(({ node }) => node?.id || node?.className || node?.nodeName);
    shifts.push([each.startTime, each.hadRecentInput ? 0 : each.value, moved]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
SETTLE = 600  # milliseconds: a shift counts if it comes more than 500 ms after a press


@pytest.fixture(params=["desk", "phone"])
def watched(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True) if request.param == "phone" else open_page()
    page.add_init_script(WATCH)
    return page


def score(shifts: list[tuple[float, float, list[str]]]) -> float:
    """The largest sum in a window: shifts less than a second apart, five seconds at most."""
    best = total = begun = 0.0
    for (before, _, _), (at, value, _) in pairwise([(-1e9, 0.0, []), *shifts]):
        if at - before >= 1000 or at - begun >= 5000:
            total, begun = 0.0, at
        total += value
        best = max(best, total)
    return best


def stands_still(page: Page) -> None:
    page.wait_for_timeout(SETTLE)
    shifts = page.evaluate("shifts")
    assert score(shifts) < BUDGET, shifts


def test_windows() -> None:
    assert score([]) == 0
    assert score([(0, 0.25, []), (900, 0.25, []), (2000, 0.125, [])]) == 0.5
    assert score([(900 * n, 0.125, []) for n in range(8)]) == 0.75  # six of them start within five seconds


def test_from_the_front_page_through_a_round_to_the_hands(watched: Page) -> None:
    page = watched
    page.goto("/")
    page.wait_for_selector(".table-card[data-ready]")
    stands_still(page)
    page.locator('[data-play="three-card-poker"]').click()
    mode(page, "bet")
    stands_still(page)
    page.goto("/")  # the lobby, for a guest with a name and a seat
    page.wait_for_selector(".table-card[data-ready]")
    stands_still(page)
    page.goto("/tables/three-card-poker")
    mode(page, "bet")
    for _ in range(2):
        page.wait_for_timeout(SETTLE)
        bet(page, "Ante Wager", "$5")
        page.wait_for_timeout(SETTLE)
        deal(page)
        play_out(page)
        page.wait_for_timeout(SETTLE)
        mode(page, "bet")
    stands_still(page)
    page.goto("/hands")
    expect(page.locator("#hands > li")).to_have_count(2)
    stands_still(page)
    page.goto("/tables/three-card-poker/rules")
    stands_still(page)


def test_the_trainer(watched: Page) -> None:
    watched.goto("/train/three-card-poker")
    hand(watched)
    watched.wait_for_timeout(SETTLE)
    watched.locator("#choices .choice").first.click()
    expect(watched.locator(".weighed tbody tr").first).to_be_visible()
    stands_still(watched)
