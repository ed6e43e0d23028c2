"""A result at a slow-paced table: both hands named, each wager's result where the wager was, until the player goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import findings, overflows
from tests.browser.playing import area, bet, deal, mode, primary, sit_down
from tests.web.playing import until
from tests.web.serving import Served, serving

pytestmark = pytest.mark.thorough

TABLE = "three-card-poker"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("unhurried")
    with serving(str(folder / "floor.db"), folder, pace="unhurried") as server:
        yield server


def settled(page: Page, served: Served) -> None:
    """Play until a round is settled and its cards are gone from the table."""
    sit_down(page, TABLE)
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    primary(page).click()
    mode(page, "settled")
    until(lambda: served.client().seen(TABLE).view.round is None)
    page.wait_for_selector("#rounds > li", state="attached")  # the page knows it too


def test_a_result_stays_until_the_player_goes_on(seat: Page, served: Served) -> None:
    settled(seat, served)
    expect(seat.locator("#seat-page")).to_have_attribute("data-mode", "settled")
    expect(seat.locator("#felt .lies[data-index]")).to_have_count(3)
    expect(seat.locator("#felt .dealer-hand")).to_contain_text("play")
    expect(seat.locator("#felt .own-hand-name")).to_have_count(1)
    expect(seat.locator("#felt .wager-result")).to_have_count(2)
    assert findings(seat) == []
    assert not overflows(seat)
    seat.keyboard.press("Space")
    expect(seat.locator("#seat-page")).to_have_attribute("data-mode", "bet")
    expect(seat.locator("#felt .lies[data-index]")).to_have_count(0)


def test_the_same_again_is_one_press(seat: Page, served: Served) -> None:
    settled(seat, served)
    seat.get_by_role("button", name="Repeat bets and deal, $5").click()
    mode(seat, "decide")
    expect(seat.locator("#felt .stack")).to_have_count(1)


def test_a_bet_on_the_felt_goes_on(seat: Page, served: Served) -> None:
    settled(seat, served)
    area(seat, "Ante Wager").first.locator(".hit").click()
    expect(seat.locator("#laid")).to_contain_text("$5")
    expect(seat.locator("#seat-page")).to_have_attribute("data-mode", "bet")
