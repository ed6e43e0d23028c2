"""My hands in a real browser: from a round at the table to its page, its link, and what a stranger sees."""

from __future__ import annotations

import re

import msgspec
import pytest
from playwright.sync_api import Page, expect

from croupier.wire import HandBox, HandDecision, HandPage, PlayerHand, ValuedChoice
from tests.browser.conftest import OpenPage
from tests.browser.looking import findings, overflows
from tests.browser.playing import a_name, bet, deal, mode, play_out, sit_down

TABLE = "three-card-poker"
COMPUTED = 300_000  # milliseconds, for the first price of a game


def played(page: Page, rounds: int = 2) -> None:
    """A guest who plays rounds and opens My hands through the link at the table."""
    sit_down(page, TABLE, a_name("Hands"))
    for n in range(rounds):
        bet(page, "Ante Wager", "$5")
        deal(page)
        play_out(page)
        expect(page.locator("#rounds > li")).to_have_count(n + 1)
        mode(page, "bet")
    page.get_by_role("link", name="My hands").click()
    expect(page.locator("#hands > li")).to_have_count(rounds)
    expect(page.locator("#status")).to_have_text(re.compile(r"^1 round\.$|, newest first\.$"), timeout=COMPUTED)


@pytest.mark.thorough
def test_from_a_round_to_its_price_and_its_link(seat: Page, open_page: OpenPage, allowed: list[str]) -> None:
    allowed.append("404")  # the link after it is revoked
    played(seat)
    expect(seat.locator("#figures .figures")).to_contain_text("Wagered")
    first = seat.locator("#hands > li").first
    first.locator("summary").first.click()
    expect(first.locator(".held .hand").first.locator("svg")).to_have_count(3)
    expect(first.locator(".decisions")).to_contain_text(re.compile("best play|cost"))
    expect(first.locator(".settlement .net")).to_be_visible()
    first.get_by_text("Value of each choice").click()
    expect(first.locator(".values tbody tr")).to_have_count(2)
    assert findings(seat) == []
    assert not overflows(seat)

    first.get_by_role("button", name="Share link").click()
    link = first.get_by_label("Link to the replay").input_value()
    stranger = open_page()
    stranger.goto(link)
    expect(stranger.locator("#title")).to_contain_text("Three Card Poker, round")
    expect(stranger.locator("#felt svg").first).to_be_visible()
    stranger.keyboard.press("End")
    expect(stranger.locator("#settled .net")).to_be_visible()
    assert findings(stranger) == []
    assert not overflows(stranger)
    stranger.keyboard.press("Home")
    stranger.keyboard.press("ArrowRight")
    expect(stranger.locator("#felt .lies[data-index]")).to_have_count(3)

    first.get_by_role("button", name="Stop sharing").click()
    expect(first.locator(".share-status")).to_contain_text("no longer shared")
    stranger.reload()
    expect(stranger.locator("#now")).to_contain_text("revoked")


@pytest.mark.thorough
def test_filters_replay_and_files(seat: Page) -> None:
    played(seat, 1)
    seat.get_by_label("Game").select_option("653a")
    expect(seat.locator("#status")).to_contain_text("No rounds match")
    seat.get_by_label("Game").select_option("649a")
    expect(seat.locator("#hands > li")).to_have_count(1)
    assert "game=649a" in (seat.get_attribute("#pdf", "href") or "")
    with seat.expect_download() as download:
        seat.click("#csv")
    assert download.value.suggested_filename == "hands.csv"
    seat.locator("#hands summary").first.click()
    seat.get_by_role("link", name="Replay").click()
    expect(seat.locator("#count")).to_contain_text("1 of")
    seat.keyboard.press("ArrowRight")
    expect(seat.locator("#count")).to_contain_text("2 of")
    assert findings(seat) == []
    assert not overflows(seat)


def test_a_visitor_without_a_name_is_told_how_to_start(page: Page) -> None:
    page.goto("/hands")
    expect(page.locator(".empty")).to_contain_text("You have no name yet")
    assert findings(page) == []


def test_a_hand_that_timed_out_is_called_so(page: Page) -> None:
    """As the server would send it after the time to decide ran out, which takes too long to wait for here."""
    sit_down(page, TABLE, a_name("Hands"), buy_in=False)
    decision = HandDecision(1, "Play Wager", "649a.11(b)", "timed out", by_clock=True, best="play", cost="100", shown="$1",
        choices=(ValuedChoice("fold", "-500", "-$5"), ValuedChoice("timed out", "-500", "-$5")))  # fmt: skip
    box = HandBox(1, ("Qs", "7h", "4d"), (), (), "", True, {"Ante Wager": 500}, (decision,), ())
    hand = PlayerHand(
        TABLE,
        "Three Card Poker",
        "649a",
        "2019-11-02",
        1,
        0,
        0,
        1,
        (box,),
        ("Ac", "9c"),
        "Ac 9c (20)",
        (),
        "",
        500,
        -500,
        "100",
        "$1",
    )
    page.route(
        "**/api/hands?*", lambda route: route.fulfill(body=msgspec.json.encode(HandPage((hand,))), content_type="application/json")
    )
    page.goto("/hands")
    expect(page.locator("#status")).to_have_text("1 round.")
    page.locator("#hands summary").first.click()
    expect(page.locator(".held").first).to_contain_text("timed out")
    expect(page.locator(".held").last).to_contain_text("A♣ 9♣ (20)")
    page.get_by_text("Value of each choice").click()
    expect(page.locator(".values tbody tr").last).to_contain_text("timed out")
