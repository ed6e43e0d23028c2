"""The trainer in a real browser: hands, keys, values, the score, and what it says when there is nothing to practice."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.looking import findings, overflows

pytestmark = pytest.mark.thorough

SOLVED = 240_000  # milliseconds, until the first hand of a game


def hand(page: Page) -> list[str]:
    """Wait for a decision, and return the names of the cards."""
    page.wait_for_selector('#train[data-state="asked"] #choices .choice', timeout=SOLVED)
    return [each.get_attribute("aria-label") or "" for each in page.locator("#cloth svg.card").all()]


def worth(page: Page) -> dict[str, Fraction]:
    """The exact value of each choice, as shown."""
    rows = page.locator(".weighed tbody tr").all()
    return {
        re.split(r"\n|best|yours", row.locator("th").inner_text())[0].strip(): Fraction(row.locator(".exact").inner_text())
        for row in rows
    }


def score(page: Page) -> tuple[str, str, str]:
    return page.inner_text("#hands"), page.inner_text("#right"), page.inner_text("#cost")


def test_a_wrong_choice_costs_what_the_values_say_and_the_score_stays(page: Page) -> None:
    page.goto("/train/three-card-poker")
    assert len(hand(page)) == 3
    total = Fraction(0)
    right = 0
    for n in range(1, 4):
        page.keyboard.press("p")
        expect(page.locator("#verdict strong")).to_be_visible()
        values = worth(page)
        assert values["Fold"] == -1
        cost = max(values.values()) - values["Play"]
        total, right = total + cost, right + (cost == 0)
        expect(page.locator("#verdict strong")).to_contain_text(
            "Right. “Play” is best" if not cost else "“Fold” is best. “Play” costs"
        )
        shown = score(page)
        assert shown[:2] == (str(n), f"{right} ({round(100 * right / n)}%)")
        assert abs(Fraction(shown[2].removesuffix(" units")) - total) <= Fraction(1, 10_000)
        page.keyboard.press("n")
        hand(page)
    before = score(page)
    page.reload()
    hand(page)
    assert score(page) == before, "kept in this browser"
    page.get_by_role("button", name="Start over").click()
    assert score(page) == ("0", "0", "0.0000 units")


def test_a_choice_counts_once(page: Page) -> None:
    page.goto("/train/649a")
    hand(page)
    page.evaluate("document.querySelectorAll('#choices .choice').forEach((each) => { each.click(); each.click(); })")
    assert score(page)[0] == "1"


def test_several_decisions_and_the_dealers_card(page: Page) -> None:
    page.goto("/train/let-it-ride-poker")
    hand(page)
    expect(page.locator("#choices .choice")).to_have_text([re.compile("Let it ride"), re.compile("Take back the bet")])
    expect(page.locator("#asks")).to_contain_text("643a.11(b)")


def test_a_game_without_close_calls_says_why(page: Page, allowed: list[str]) -> None:
    allowed += ["409"]
    page.goto("/train/saigon-5-card")
    expect(page.locator("#cloth")).to_contain_text("Set the highest Point Count that the cards allow.", timeout=SOLVED)
    expect(page.get_by_role("link", name="Read the rules")).to_be_visible()
    expect(page.get_by_label("Score")).to_be_hidden()


@pytest.mark.parametrize(
    "options", [{}, {"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}]
)
def test_the_trainer_can_be_read_and_operated(open_page: OpenPage, options: dict[str, object]) -> None:
    page = open_page(**options)
    page.goto("/train/three-card-poker")
    hand(page)
    assert not findings(page)
    assert page.locator("#choices .choice").first.evaluate("each => each === document.activeElement")
    assert "You hold" in (page.text_content("#announcer") or "")
    page.locator("#choices .choice").last.click()
    assert not findings(page)
    assert not overflows(page)
    assert page.get_by_role("button", name="Next hand").evaluate("each => each === document.activeElement")
