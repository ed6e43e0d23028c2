"""Hard hands: close calls that occur in best play, priced like the advice."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from croupier.cards import cards, deck
from croupier.odds.advice import advise, called
from croupier.odds.analysis import full_offer
from croupier.odds.training import HardHand, hard_hands
from tests.examples import rules_of, thorough

CLOSE = Fraction(1, 10)


@cache
def dealt(game: str) -> list[HardHand]:
    count = 6 if game in ("653a", "MS") else 4
    return hard_hands(full_offer(rules_of(game), {}, {}), CLOSE, count, seconds=600, chance=Random(649))


@pytest.mark.parametrize(
    "game", thorough(["641a", "643a", "649a", "653a", "679a", "682a", "C4", "MS"], unless=["649a", "643a", "C4"])
)
def test_only_close_calls_are_dealt(game: str) -> None:
    rules, found = rules_of(game), dealt(game)
    assert found
    for hand in found:
        offer = full_offer(rules, {}, {})
        advice = advise(offer, hand.held, hand.up, hand.board)
        assert 0 < advice[0].value - advice[1].value <= CLOSE
        assert sorted(hand.choices, key=lambda each: -each.value) == advice
        words = [choice.word for choice in hand.decision.choices]
        assert sorted(map(hand.word, hand.choices), key=words.index) == list(map(hand.word, hand.choices)), "as in the chapter"
        seen = (*hand.held, *hand.up, *hand.board)
        assert len({*seen}) == len(seen)
        assert {*seen} <= {*deck(rules.decks.jokers)}


@pytest.mark.thorough
def test_a_game_with_several_decisions_asks_more_than_one_of_them() -> None:
    assert len({hand.decision.name for hand in dealt("653a")}) > 1
    assert len({hand.decision.name for hand in dealt("MS")}) > 1


@pytest.mark.thorough
def test_653a_a_later_decision_is_one_that_best_play_comes_to() -> None:
    """With a pair of 3s or better, any ace, or king-5, best play raises at once and is asked nothing more."""
    later = [hand for hand in dealt("653a") if hand.board]
    assert later
    for hand in later:
        high, low = sorted((card.rank for card in hand.held), reverse=True)
        assert high < 14
        assert high != low or high == 2
        assert high != 13 or low < 5


def test_680a_has_nothing_to_decide_but_how_to_set() -> None:
    assert dealt("680a") == []


@pytest.mark.parametrize(
    ("game", "seen", "words"),
    [
        ("649a", "Qs 6h 4d", "queen high"),
        ("653a", "9c 8d", ""),
        ("653a", "9c 8d Ks 4h 9d", "pair of 9s"),
        ("680a", "Jk 3s 4d Ah Ac", ""),
    ],
)
def test_a_hand_is_called_as_a_dealer_does(game: str, seen: str, words: str) -> None:
    assert called(rules_of(game), cards(seen)) == words
