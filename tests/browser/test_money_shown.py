"""What a seat says about money, on a laptop and on a phone: kept, lost, given up, pending, and taken away."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.looking import findings, overflows
from tests.browser.playing import a_name, area, bet, deal, fold, mode, primary, sit_down
from tests.examples import thorough

pytestmark = pytest.mark.thorough

SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {},
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True, "color_scheme": "dark"},
}
COVERED = """() => {
  const message = document.querySelector('#toasts .notice').getBoundingClientRect();
  const felt = document.querySelector('#felt').getBoundingClientRect();
  return !(message.right <= felt.left || felt.right <= message.left || message.bottom <= felt.top || felt.bottom <= message.top);
}"""


@pytest.fixture(params=thorough(SCREENS, unless=["phone"]))
def seat(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    return open_page(**SCREENS[request.param])


def cents(page: Page, where: str) -> int:
    words = page.locator(where).inner_text().replace("$", "").replace(",", "").replace("−", "-")
    return round(100 * float(words))


def test_after_a_fold_the_result_has_what_was_forfeited(seat: Page) -> None:
    sit_down(seat, "three-card-prime")
    bet(seat, "Ante Wager", "$5")
    bet(seat, "Pair Bonus", "$5")
    deal(seat)
    mode(seat, "decide")
    seat.get_by_role("button", name="Fold, lose Ante $5").click()
    seat.wait_for_selector("#settled .net")
    mode(seat, "bet")
    expect(seat.locator("#settled li")).to_have_count(3)  # the Ante, the Pair Bonus, and the total
    assert cents(seat, "#settled .net .amount") == cents(seat, "#chips") - 100_000


def test_a_bet_that_is_taken_back_is_gone_and_three_bets_count_three_times(seat: Page) -> None:
    sit_down(seat, "let-it-ride-poker")
    bet(seat, "Bet", "3 × $5")
    expect(seat.locator("#laid .sum")).to_have_text("total $15")
    expect(seat.locator("#chips")).to_have_text("$985")
    deal(seat)
    mode(seat, "decide")
    expect(seat.locator("#felt .stack")).to_have_count(3)
    seat.get_by_role("button", name="Take back $5").click()
    expect(seat.locator("#felt .stack")).to_have_count(2)
    expect(seat.locator("#chips")).to_have_text("$990")
    primary(seat).click()
    seat.wait_for_selector("#settled .net")
    mode(seat, "bet")
    seat.get_by_role("button", name="Repeat bets, $15").click()
    expect(seat.locator("#laid .sum")).to_have_text("total $15")


def with_two_hundred(page: Page, table: str) -> None:
    sit_down(page, table, buy_in=False)
    page.get_by_role("button", name="$200", exact=True).click()
    mode(page, "bet")


def test_a_player_who_bets_too_much_to_play_is_warned_and_can_buy_chips_in_time(seat: Page) -> None:
    with_two_hundred(seat, "three-card-prime")
    expect(seat.locator('#rack [data-value="10000"]')).not_to_have_class("short")
    seat.locator('#rack [data-value="10000"]').click()
    bet(seat, "Ante Wager", "$100")
    expect(seat.locator("#hint")).to_contain_text("Keep $100 to play the hand.")
    expect(seat.locator('#rack [data-value="500"]')).to_have_class("short")
    expect(seat.locator('#rack [data-value="500"]')).to_have_accessible_name("Bet with $5 chips, leaves too little to play")
    area(seat, "Ante Wager").first.locator(".hit").click()
    expect(seat.locator("#hint")).to_contain_text("You need $200 to play this hand and have $0.")
    assert findings(seat) == []
    assert not overflows(seat)
    seat.get_by_role("button", name="Deal", exact=True).click()
    mode(seat, "decide")
    expect(primary(seat)).to_contain_text("Buy $200 to play")
    assert findings(seat) == []
    primary(seat).click()
    expect(primary(seat)).to_contain_text("Play $200")
    expect(seat.get_by_role("button", name="Buy $200")).to_have_count(0)


def test_a_chip_bets_what_it_shows_or_the_minimum_and_no_message_covers_the_felt(seat: Page) -> None:
    with_two_hundred(seat, "three-card-prime")
    told = (
        ("50000", "can be at most $200 now. Choose a smaller chip.", "$200"),
        ("100", "The minimum is $5, so you bet $5.", "$195"),
        ("100", "The minimum is $5, so you bet $5.", "$194"),  # said once
    )
    for value, words, left in told:
        seat.locator(f'#rack [data-value="{value}"]').click()
        area(seat, "Ante Wager").first.locator(".hit").click()
        expect(seat.locator("#toasts .notice").last).to_contain_text(words)
        expect(seat.locator("#chips")).to_have_text(left)
        assert not seat.evaluate(COVERED)
    expect(seat.locator(".laid-wager")).to_contain_text("$6")


def test_a_hand_that_is_already_paid_is_folded_only_when_asked_twice(seat: Page) -> None:
    """One hand in four is a pair or better, which the Pair Plus pays whatever the dealer has."""
    sit_down(seat, "three-card-poker")
    bet(seat, "Ante Wager", "$5")
    bet(seat, "Pair Plus Wager", "$5")
    for _ in range(60):
        deal(seat)
        mode(seat, "decide")
        fold = seat.get_by_role("button", name="Fold, lose Ante $5 and Pair Plus $5")
        moment = seat.get_attribute("#seat-page", "data-moment")
        fold.click()
        seat.wait_for_selector(f'dialog, #seat-page:not([data-moment="{moment}"])')
        if seat.locator("dialog").count():
            break
        mode(seat, "bet")
        seat.get_by_role("button", name="Repeat bets, $10").click()
        expect(seat.locator(".laid-wager")).to_have_count(2)
    expect(seat.locator("dialog")).to_contain_text(
        re.compile(r"This hand is sure to be paid: .*Pair Plus \$\d+\. If you fold, you give that up\.")
    )
    assert findings(seat) == []
    seat.keyboard.press("Enter")  # the safe answer has the focus
    expect(seat.locator("dialog")).to_have_count(0)
    mode(seat, "decide")
    fold.click()
    seat.locator("dialog .danger").click()
    seat.wait_for_selector("#settled .net.lost")
    expect(seat.locator("#settled .net .amount")).to_have_text("−$10")


def test_each_of_two_boxes_is_decided_by_its_own_buttons(page: Page) -> None:
    """Both boxes offer the same words and amounts."""
    sit_down(page, "three-card-poker")
    bet(page, "Ante Wager", "$5")
    own = int(page.get_attribute("#seat-page", "data-seat") or 0)
    other = own - 1 if own > 1 else own + 1
    wager = f"{{do: 'place wager', seat: {other}, wager: 'Ante Wager', amount: 500}}"
    page.evaluate(f"async () => (await import('/static/js/shared/api.js')).command('three-card-poker', {wager})")
    expect(page.locator(".laid-wager")).to_have_count(2)
    deal(page)
    for _ in range(2):
        mode(page, "decide")
        expect(page.get_by_role("button", name="Fold, lose Ante $5")).to_be_visible()
        fold(page)
    expect(page.locator("#settled .net .amount")).to_have_text("−$10")
    expect(page.locator("#refused")).to_be_empty()
    mode(page, "bet")
    expect(page.locator("#felt .wager-result")).to_have_count(0)


def test_the_choice_of_a_wager_ends_with_the_time_for_wagers(page: Page) -> None:
    sit_down(page, "three-card-poker")
    bet(page, "Ante Wager", "$5")
    area(page, "Progressive Payout Wager").first.locator(".hit").click()
    expect(page.locator("dialog")).to_contain_text("Which wager?")
    page.evaluate("async () => (await import('/static/js/shared/api.js')).ready('three-card-poker')")
    expect(page.locator("dialog")).to_have_count(0)
    mode(page, "decide")


def test_the_dealer_waits_for_everybody_with_chips(open_page: OpenPage) -> None:
    ada, ben = open_page(), open_page(**SCREENS["phone"])
    sit_down(ada, "four-card-prime")
    sit_down(ben, "four-card-prime")
    bet(ada, "Ante Wager", "$5")
    deal(ada, alone=False)
    expect(ada.get_by_role("button", name="Waiting for others")).to_be_visible()
    expect(ben.locator("#seats")).to_contain_text("ready")
    ben.get_by_role("button", name="Sit this one out").click()
    mode(ada, "decide")
    mode(ben, "wait")


def test_a_player_who_adds_to_their_bets_has_to_press_deal_again(open_page: OpenPage) -> None:
    ada, ben = open_page(), open_page()
    sit_down(ada, "four-card-prime")
    sit_down(ben, "four-card-prime")
    bet(ada, "Ante Wager", "$5")
    deal(ada, alone=False)
    expect(ada.get_by_role("button", name="Waiting for others")).to_be_visible()
    area(ada, "Ante Wager").first.locator(".hit").click()
    expect(ada.locator("#laid .sum")).to_have_text("total $10")
    expect(ada.get_by_role("button", name="Deal", exact=True)).to_be_enabled()


def test_a_refusal_goes_when_its_cause_goes(seat: Page, allowed: list[str]) -> None:
    allowed.append("409")
    with_two_hundred(seat, "three-card-prime")
    problem = {"kind": "refused", "reason": "You do not have so many chips.", "cite": "679a.7(d)(1)", "accepted": None}

    def refuse(route: Route) -> None:
        route.fulfill(status=409, json={"error": problem})

    seat.route("**/commands", refuse)
    area(seat, "Ante Wager").first.locator(".hit").click()
    expect(seat.locator("#refused")).to_contain_text("You do not have so many chips.")
    seat.unroute("**/commands")
    seat.get_by_role("button", name="Buy chips").click()
    seat.get_by_role("dialog").get_by_role("button", name="$500", exact=True).click()
    expect(seat.locator("#chips")).to_have_text("$700")
    expect(seat.locator("#refused")).to_be_empty()


def test_leaving_says_which_chips_you_keep(seat: Page) -> None:
    with_two_hundred(seat, "three-card-prime")
    bet(seat, "Ante Wager", "$5")
    seat.get_by_role("button", name="Leave", exact=True).click()
    expect(seat.get_by_role("dialog")).to_contain_text("Leave the table with $200 (")
    seat.get_by_role("button", name="Stay").click()
    deal(seat)
    mode(seat, "decide")
    seat.get_by_role("button", name="Leave", exact=True).click()
    expect(seat.get_by_role("dialog")).to_contain_text("Leave the table with $195 and lose $5 in play (")


def test_the_result_survives_a_reload(page: Page) -> None:
    sit_down(page, "four-card-poker", a_name("Reload"))
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    primary(page).click()
    page.wait_for_selector("#settled .net")
    told = page.inner_text("#settled")
    page.reload()
    page.wait_for_selector("#settled .net")
    assert page.inner_text("#settled") == told
