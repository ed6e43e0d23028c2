"""Advice and strategy: values against a slow counter, thresholds and costs against what is published of the same games."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from croupier import book
from croupier.cards import cards, deck
from croupier.filing.offer import Offer
from croupier.filing.pricing import priced
from croupier.law.cite import Refusal
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Position
from croupier.odds.advice import advise
from croupier.odds.analysis import offer_of
from croupier.odds.strategy import strategy


def offer(game: str) -> Offer:
    return offer_of(book.find(game).edition(), {}, {})


def values(game: str, held: str, up: str = "", board: str = "") -> dict[str, Fraction]:
    return {each.choice: each.value for each in advise(offer(game), cards(held), cards(up), cards(board))}


def test_649a_values_are_what_settling_every_deal_gives() -> None:
    held = cards("Qs 6h 4d")
    total = sum(
        sum(
            line.net
            for line in priced(
                offer("649a"), Position({PLAYER: held, DEALER: theirs}, decided=("play",)), {"Ante Wager": 100, "Play Wager": 100}
            )
        )
        for theirs in combinations([card for card in deck() if card not in held], 3)
    )
    assert values("649a", "Qs 6h 4d") == {"play": Fraction(total, 100 * 18_424), "fold": -1}


def test_653a_river_values_are_what_settling_every_deal_gives() -> None:
    held, board = cards("9c 8d"), cards("Ks 4h 2c Qd Qh")
    total = sum(
        sum(
            line.net
            for line in priced(
                offer("653a"),
                Position({PLAYER: held, DEALER: theirs, COMMUNITY: board}, decided=("check", "check", "play")),
                {"Ante Wager": 100, "Blind Wager": 100, "Play Wager": 100},
            )
        )
        for theirs in combinations([card for card in deck() if card not in (*held, *board)], 2)
    )
    assert values("653a", "9c 8d", board="Ks 4h 2c Qd Qh") == {"play": Fraction(total, 100 * 990), "fold": -2}


def test_643a_a_low_outside_straight_breaks_even() -> None:
    """Eight cards win five bets and forty lose one: to let the second bet ride is worth nothing either way."""
    found = values("643a", "5s 6d 7h", board="8c")
    assert found["Bet Number 2: ride"] == found["Bet Number 2: withdraw"]


def test_653a_begins_to_raise_where_it_is_known_to() -> None:
    best = [advise(offer("653a"), cards(held))[0].choice for held in ("Kc 5d", "Kc 4d")]
    assert best == ["play 4x", "check"]


def test_680a_a_setting_is_worth_its_count() -> None:
    found = values("680a", "Jk 3s 4d Ah Ac")
    assert set(found) == {"set a Point Count of 5", "set a Point Count of 2"}


@pytest.mark.parametrize(
    ("game", "held", "up", "board", "clause"),
    [
        ("649a", "Qs 6h", "", "", "649a.8(d)"),
        ("649a", "Qs 6h 4d", "7d", "", "649a.8(d)"),
        ("641a", "Qs 6h 4d 3c 2c", "", "", "641a.8(d)"),
        ("653a", "Qs 6h", "", "2c", "653a.11"),
        ("649a", "Qs Qs 4d", "", "", "649a.3(a)"),
        ("649a", "Qs Jk 4d", "", "", "649a.3(a)"),
    ],
)
def test_what_cannot_be_advised_is_refused(game: str, held: str, up: str, board: str, clause: str) -> None:
    with pytest.raises(Refusal) as refusal:
        values(game, held, up, board)
    assert refusal.value.cite == clause


def test_649a_play_queen_six_four_or_better_and_what_else_costs() -> None:
    found = strategy(offer("649a"))
    assert found.words == ("play with queen high (Q-6-4) or better; otherwise fold.",)
    edges = {each.name: f"{float(each.edge) * 100:.2f}" for each in found.simplified}
    assert edges == {"these words to the letter": "3.37", "always play": "7.65", "play queen high or better": "3.45"}
    assert all(each.cost >= 0 for each in found.simplified)


def test_643a_lets_the_first_bet_ride_with_the_known_hands() -> None:
    words = "\n".join(strategy(offer("643a")).words)
    for line in ("a pair: of 10s or better", "three of a kind: any", "5-4-3", "a hand that is paid already"):
        assert line in words
    assert "4-3-2" not in words.split("Bet Number 2")[0]


def test_682a_raises_three_times_from_a_pair_of_tens_and_the_words_cost_next_to_nothing() -> None:
    found = strategy(offer("682a"))
    assert found.words == ("raise 3x with pair (10-10-J-3) or better; raise 1x with pair (3-3-6-4) or better; otherwise fold.",)
    assert found.simplified[0].cost < Fraction(1, 100_000)


def test_680a_sets_the_highest_point_count() -> None:
    assert strategy(offer("680a")).words == ("Set the highest Point Count that the cards allow.",)


def test_653a_raises_before_the_flop_with_the_hands_that_are_known() -> None:
    words = strategy(offer("653a")).words
    assert words[1:6] == (
        "  a pair of 3s or better",
        "  an ace with 2 or better suited, 2 or better of two suits",
        "  a king with 2 or better suited, 5 or better of two suits",
        "  a queen with 6 or better suited, 8 or better of two suits",
        "  a jack with 8 or better suited, 10 or better of two suits",
    )
    assert {"After the Flop play with:", "At the end play with:"} <= set(words)
