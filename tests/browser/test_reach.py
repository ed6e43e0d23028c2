"""On a phone, everything a round needs is on the first screen and uncovered. On the felt, no plate covers a card or text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.looking import findings, overflows
from tests.browser.playing import TABLES, area, bet, deal, mode, play_out, primary, sit_down
from tests.web.serving import Served, serving

pytestmark = pytest.mark.thorough

SMALL = {"width": 375, "height": 667}
HIDDEN = """(element) => {
  const box = element.getBoundingClientRect();
  const on = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const inside = box.top >= 0 && box.bottom <= innerHeight + 0.5 && box.left >= 0 && box.right <= innerWidth + 0.5;
  return inside && (on === element || element.contains(on) || on?.contains(element)) ? "" : `${element.id || element.textContent} ${box.top} ${box.bottom}`;
}"""
COVERED = """() => {
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const find = (what) => [...document.querySelectorAll(what)].filter((each) => getComputedStyle(each).visibility !== "hidden");
  const box = (each) => each.getBoundingClientRect();
  const letters = (text) => Array.from({ length: text.getNumberOfChars() }, (_, n) => {  // words on an arc: one box each
    const { x, y, width, height } = text.getExtentOfChar(n);  // with the space above capitals
    const [one, other] = [[x, y + height * 0.25], [x + width, y + height]].map((at) => new DOMPoint(...at).matrixTransform(text.getScreenCTM()));
    return { left: Math.min(one.x, other.x), right: Math.max(one.x, other.x), top: Math.min(one.y, other.y), bottom: Math.max(one.y, other.y) };
  });
  const under = [...find("#felt .lies .card use"), ...find("#felt .near .caption")].filter((each) => box(each).width).map(box);
  const words = find("#felt .inscriptions text, #felt .dealer text").filter((each) => box(each).width).flatMap(letters);
  return find("#felt .own-hand-name, #felt .dealer-hand").filter((plate) => [...under, ...words].some((each) => meet(box(plate), each))).map((plate) => plate.textContent);
}"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("unhurried")
    with serving(str(folder / "floor.db"), folder, pace="unhurried") as server:
        yield server


@pytest.fixture(params=[PHONE, SMALL], ids=["phone", "small phone"])
def handheld(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    return open_page(viewport=request.param, has_touch=True, is_mobile=True)


def in_reach(*wanted: Locator) -> None:
    for each in wanted:
        assert each.evaluate(HIDDEN) == ""


def test_what_a_round_needs_is_on_the_first_screen(handheld: Page) -> None:
    sit_down(handheld, "three-card-poker")
    bet(handheld, "Ante Wager", "$5")
    bet(handheld, "Pair Plus Wager", "$5")
    bet(handheld, "Six Card Bonus Wager", "$5")
    handheld.locator('#rack [data-value="100"]').click()
    area(handheld, "Progressive Payout Wager").first.locator(".hit").click()
    handheld.locator("dialog").get_by_role("button", name="Three-Card").click()
    expect(handheld.locator(".laid-wager")).to_have_count(4)
    balance = handheld.locator("#balance-chips")
    expect(balance).to_have_text("$984")
    chips = handheld.locator("#rack button:visible")
    in_reach(balance, handheld.get_by_role("button", name="Deal", exact=True), *chips.all(), handheld.locator("#laid .sum"))
    deal(handheld)
    mode(handheld, "decide")
    in_reach(balance, primary(handheld), handheld.get_by_role("button", name="Fold"), handheld.locator("#clock-words"))
    primary(handheld).click()
    mode(handheld, "settled")
    in_reach(balance, primary(handheld), handheld.locator("#moment"))
    assert not overflows(handheld)


def test_a_message_covers_no_button_and_no_card(handheld: Page) -> None:
    sit_down(handheld, "three-card-prime")
    handheld.locator('#rack [data-value="100"]').click()
    area(handheld, "Ante Wager").first.locator(".hit").click()
    said = handheld.locator("#toasts .notice")
    expect(said).to_contain_text("The minimum is $5, so you bet $5.")
    in_reach(
        said,
        handheld.locator("#balance-chips"),
        handheld.locator("#choices button").last,
        *handheld.locator("#rack button:visible").all(),
    )
    assert findings(handheld) == []


def test_chips_can_be_bought_next_to_the_balance(handheld: Page) -> None:
    sit_down(handheld, "three-card-prime")
    handheld.locator("#balance-buy").click()
    handheld.get_by_role("button", name="$200", exact=True).click()
    expect(handheld.locator("#balance-chips")).to_have_text("$1,200")


@pytest.mark.parametrize("screen", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("game", ["649a", "653a", "680a", "682a"])
def test_no_plate_covers_a_card_or_words(game: str, screen: Any, open_page: OpenPage, allowed: list[str]) -> None:
    allowed.append("409")  # a setting that does not qualify is refused
    page = open_page(viewport=screen, reduced_motion="reduce")
    sit_down(page, TABLES[game])
    bet(page, "Ante Wager", "$5")
    if game == "653a":
        bet(page, "Blind Wager", "$5")
    deal(page)
    play_out(page)
    mode(page, "settled")
    expect(page.locator("#felt .dealer-hand")).to_have_count(1)
    expect(page.locator("#felt .own-hand-name")).to_have_count(1)
    assert page.evaluate(COVERED) == []


def test_results_of_two_boxes_name_the_box(page: Page) -> None:
    seat = sit_down(page, "let-it-ride-poker")
    bet(page, "Bet Number 1", "3 × $5")
    other = page.locator(f'.area.open:not([data-seat="{seat}"])').first
    box = other.get_attribute("data-seat")
    other.locator(".hit").click()
    expect(page.locator("#laid")).to_contain_text(f"(box {box})")
    deal(page)
    for _ in range(4):
        mode(page, "decide")
        before = page.get_attribute("#seat-page", "data-moment")
        primary(page).click()
        page.wait_for_selector(f'#seat-page:not([data-moment="{before}"])')
    mode(page, "settled")
    for each in (str(seat), box):
        expect(page.locator("#settled")).to_contain_text(f"Box {each}, ")
        expect(page.locator("#hint")).to_contain_text(f"Box {each}, ")


def test_the_clock_says_what_happens_when_it_runs_out(page: Page) -> None:
    sit_down(page, "four-card-prime")
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    expect(page.locator("#clock-words")).to_contain_text("to decide, then: fold, lose Ante $5")
