"""The fast counters compared with slow and obvious ones on small decks: every deal of every game, the main game and each side wager."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from croupier.cards import ACE, JACK, JOKER, KING, QUEEN, TEN, Cards
from croupier.filing.offer import Offer
from croupier.law.fact import Folded
from croupier.odds.analysis import full_offer
from croupier.odds.counters import counter
from croupier.odds.kernels.card_sets import Deck, hand
from croupier.odds.solvers import side_wagers
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.solution import Solved
from tests.examples import rules_of, thorough
from tests.odds import slow
from tests.odds.replay import UNIT

DECKS = {  # ranks that make the rows of the game, including straights, and hands that do not qualify
    "641a": (2, 3, 4, ACE),
    "643a": (TEN, JACK, QUEEN, KING, ACE),
    "649a": (2, 3, 4, 6, QUEEN),
    "653a": (2, 3, ACE),
    "679a": (2, 3, 4, 6, QUEEN),
    "680a": (4, 5, ACE),
    "682a": (2, 3, 4, ACE),
    "C4": (2, 3, KING, ACE),
    "MS": (5, 6, TEN, JACK),
}
WITHOUT_FOLDS = DECKS | {"649a": (2, 3, 4, 6), "679a": (2, 3, 4, 6)}  # for wagers that a fold does not affect
each_game = pytest.mark.parametrize("game", DECKS)


@cache
def offer_for(game: str) -> Offer:
    return full_offer(rules_of(game), {}, {})


def cards_of(offer: Offer, deck: Deck) -> Cards:
    return (*hand(deck), *([JOKER] if offer.rules.decks.jokers else []))


@cache
def dealt_out(game: str, *ranks: int) -> tuple[Solved, list[slow.Ended]]:
    """The main game with a small deck, as both counters solve it."""
    offer, deck = offer_for(game), slow.deck_of(*(ranks or DECKS[game]))
    cards = cards_of(offer, deck)
    return counter(offer.rules).solve(offer, cards if game == "680a" else deck), list(slow.MAIN[game](offer, cards))


@pytest.mark.parametrize("game", thorough(DECKS, unless=["643a"]))
def test_best_play_of_a_small_deck_is_what_settling_every_deal_gives(game: str, *ranks: int) -> None:
    """Each deal once: how many have which result, and by which words."""
    solved, ends = dealt_out(game, *ranks)
    slowly: Counter[Any] = Counter()
    for end in ends:
        for cents, deals in end.nets.items():
            slowly[_said(game, end.words), Fraction(cents, UNIT)] += deals
    fast: Counter[Any] = Counter()
    for (label, net, *_), deals in solved.outcomes.counts.items():
        fast[label.partition(": ")[0] if ": " in label else "", net] += deals
    assert fast == slowly


@pytest.mark.slow
@pytest.mark.parametrize(("game", "ranks"), [("653a", (2, 3, 4, ACE)), ("MS", (7, 8, 9, TEN, JACK))])
def test_best_play_of_a_larger_deck(game: str, ranks: tuple[int, ...]) -> None:
    """With straights in MS."""
    test_best_play_of_a_small_deck_is_what_settling_every_deal_gives(game, *ranks)


def _said(game: str, words: slow.Words) -> str:
    """The words as in the solution's labels."""
    if game == "653a":
        return {1: words[0], 2: "play 2x", 3: "play 1x"}[len(words)] if words[-1] != "fold" else ""
    said = ", ".join(words).replace("Point Count  ", "Point Count ")
    return "" if said == "Point Count 0" else said


SIDES = [
    (game, settlement.wager.key)
    for game in DECKS
    for settlement in rules_of(game).settlements
    if settlement is not main_settlement(rules_of(game))
]


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "wager"), SIDES)
def test_side_wagers_of_a_small_deck_are_what_dealing_every_card_gives(game: str, wager: str) -> None:
    offer = offer_for(game)
    settlement = next(each for each in offer.rules.settlements if each.wager.key == wager)
    folds = any(isinstance(fact, Folded) for fact in settlement.asks)
    deck = slow.deck_of(*(DECKS if folds else WITHOUT_FOLDS)[game])
    slowly = slow.side(offer, settlement, cards_of(offer, deck), dealt_out(game)[1] if folds else [])
    fast: Counter[Any] = Counter()
    for values, ways in side_wagers.count(offer, settlement, lambda: dealt_out(game)[0], deck):
        fast[slow.fact_values(settlement, values)] += ways
    assert _shares(fast) == _shares(slowly)


def _shares(counted: Counter[Any]) -> dict[Any, Fraction]:
    """Counters may count sets or deals. The shares of the total are the same."""
    return {facts: Fraction(ways, counted.total()) for facts, ways in counted.items() if ways}
