"""The guided round in a real browser: following the guide plays a whole round, by mouse, touch or keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.looking import findings, overflows
from tests.browser.playing import a_name, deal, mode, primary, set_hand, sit_down

pytestmark = pytest.mark.thorough

SOLVED = 240_000  # milliseconds
PHONES = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def told(page: Page, words: str) -> None:
    expect(page.locator(".guide h2")).to_contain_text(words)


def rings(page: Page, selector: str) -> bool:
    """Whether the ring is around the thing the guide talks about."""
    page.locator(".guide-ring").wait_for()  # hidden while that moves
    page.wait_for_timeout(100)  # it moves with the next frame
    ring, target = page.locator(".guide-ring").bounding_box(), page.locator(selector).first.bounding_box()
    assert ring and target
    return (
        ring["x"] <= target["x"]
        and ring["y"] <= target["y"]
        and ring["x"] + ring["width"] >= target["x"] + target["width"]
        and ring["y"] + ring["height"] >= target["y"] + target["height"]
    )


def press_the_ring(page: Page) -> None:
    page.locator(".guide-ring").wait_for()
    page.wait_for_timeout(100)
    ring = page.locator(".guide-ring").bounding_box()
    assert ring
    page.mouse.click(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)


@pytest.mark.parametrize(
    ("table", "wagers", "options"),
    [
        ("three-card-poker", ["Ante"], {}),
        ("let-it-ride-poker", ["Let It Ride Poker"], PHONES),
        ("four-card-prime", ["Ante"], {"color_scheme": "dark"}),
        ("saigon-5-card", ["Ante"], PHONES),
        pytest.param("four-card-poker", ["Ante"], PHONES, marks=pytest.mark.slow),  # like a game above
        ("ultimate-texas-hold-em-poker", ["Ante", "Blind"], {}),
        pytest.param("three-card-prime", ["Ante"], {"color_scheme": "dark"}, marks=pytest.mark.slow),  # like a game above
    ],
)
def test_from_the_floor_to_a_settled_round(
    open_page: OpenPage, allowed: list[str], table: str, wagers: list[str], options: dict[str, object]
) -> None:
    allowed += ["409"]  # settings the table refuses, and coach requests that come too late
    page = open_page(**options)
    page.goto("/")
    page.locator(f'[data-table="{table}"]').get_by_role("link", name="First time? Take a guided round").click()
    mode(page, "watch")
    told(page, "A first round of")
    assert rings(page, "#choices .primary")
    primary(page).click()
    page.fill("#guest-name", a_name())
    page.click("dialog .primary")
    mode(page, "buy")
    told(page, "Buy chips")
    primary(page).click()
    mode(page, "bet")
    for laid, wager in enumerate(wagers, 1):
        told(page, f"Put a chip on the {wager}")
        press_the_ring(page)
        expect(page.locator(".laid-wager")).to_have_count(laid)
    told(page, "Press Deal")
    assert not findings(page)
    assert not overflows(page)
    deal(page)
    for _ in range(5):
        now = mode(page, "decide", "set", "settled", "bet")
        if now in ("settled", "bet"):
            assert not re.search(r"\b[2-9TJQKA][cdhs] ", page.inner_text("#hint") + page.inner_text("#felt")), (
                "cards as people read them"
            )
            break
        told(page, "Your decision" if now == "decide" else "Set your hand")
        expect(page.locator(".guide-says")).to_contain_text("Your cards: ")
        if now == "set":
            page.wait_for_timeout(1000)  # until the cards are dealt
            assert rings(page, ".lies[data-index]")
            expect(page.locator("#hint")).to_contain_text("three cards that total 10, 20 or 30")
            best = page.locator(".guide-says strong").filter(
                has_text=re.compile(r"Best play: Set .* Choose the |Choose any three\.")
            )
            expect(best).to_be_visible(timeout=SOLVED)
            set_hand(page)
            continue
        assert rings(page, "#choices .choice")
        before = page.get_attribute("#seat-page", "data-moment")
        primary(page).click()
        page.wait_for_selector(f'#seat-page:not([data-moment="{before}"])')
    told(page, "You ")
    assert not findings(page)
    page.locator(".guide summary").click()
    assert page.locator(".guide details li").count() >= 3, "who wins"
    page.get_by_role("button", name="Finish").click()
    expect(page.locator(".guide")).to_have_count(0)
    page.reload()
    mode(page, "settled", "bet")
    expect(page.locator("#first-time")).to_be_hidden()


def test_the_guide_says_best_play_and_why_each_wager_won_or_lost(page: Page) -> None:
    sit_down(page, "three-card-poker")
    page.get_by_role("link", name="First time? Take a guided round").click()
    told(page, "Put a chip on the Ante")
    assert page.locator(".guide").evaluate("each => each === document.activeElement"), "a screen reader begins here"
    assert page.get_attribute(".guide-says", "aria-live") == "polite"
    page.keyboard.press("1")
    told(page, "Press Deal")
    page.keyboard.press("d")
    mode(page, "decide")
    said = page.locator(".guide-says")
    expect(said).to_contain_text("Best play: ", timeout=SOLVED)
    words = said.inner_text()
    best = words.partition("Best play: ")[2].partition(",")[0]
    assert best in ("Play", "Fold")
    assert "Fold, worth −1.00" in words, "a fold loses the Ante"
    assert any(each in words for each in ("high.", "Pair", "Straight", "Flush", "Three-of-a-kind")), "the hand by its name"
    page.keyboard.press("p")
    expect(said).to_contain_text("Ante: ")
    expect(said.get_by_role("link", name="649a.11").or_(said.get_by_role("link", name="649a.12")).first).to_be_visible()
    mode(page, "bet")
    if page.locator(".guide").count():  # the dealer was quicker than the page
        page.keyboard.press("1")
    expect(page.locator(".guide")).to_have_count(0)


def test_the_guide_can_be_skipped_and_taken_again(page: Page) -> None:
    sit_down(page, "three-card-poker")
    page.get_by_role("link", name="First time? Take a guided round").click()
    told(page, "Put a chip on the Ante")
    page.keyboard.press("Escape")
    expect(page.locator(".guide")).to_have_count(0)
    expect(page.locator(".guide-ring")).to_have_count(0)
    expect(page.locator("#first-time")).to_be_hidden()
    page.reload()
    mode(page, "bet")
    expect(page.locator("#first-time")).to_be_hidden()
    page.get_by_role("link", name="Guided round", exact=True).click()
    told(page, "Put a chip on the Ante")
    page.get_by_role("button", name="Skip the guide").click()
    page.get_by_role("link", name="Guided round", exact=True).click()
    told(page, "Put a chip on the Ante")
