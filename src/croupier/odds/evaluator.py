"""A batch evaluator of poker hands: numpy in, numpy out, by the book's ranking of five-card hands and its tables."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier import book
from croupier.law.ranking import Ranking
from croupier.odds.kernels.hand_counts import strengths
from croupier.odds.kernels.rank_tables import rank_table


@cache
def compared_hands(size: int) -> Ranking:
    """The ranking of the first chapter that compares hands of this size."""
    rankings = (ranking for number in book.MODULES for ranking in book.chapter(number).edition().of(Ranking))
    return next(ranking for ranking in rankings if ranking.compared and ranking.size == size)


def evaluate(cards: NDArray[Any]) -> NDArray[np.int16]:
    """The strength of each hand: 0 to 7461, the greater the better, equal for a tie.

    A row is a hand of 5, 6 or 7 different cards; a card is 4 * (rank - 2) + suit, suits in the order c d h s.

    >>> evaluate(np.array([[51, 47, 43, 39, 35], [0, 5, 10, 15, 20]])).tolist()
    [7461, 0]
    """
    cards = np.ascontiguousarray(cards, dtype=np.uint8)
    if cards.ndim != 2 or cards.shape[1] not in (5, 6, 7):
        raise ValueError("evaluate takes rows of 5, 6 or 7 cards")
    if cards.size and int(cards.max()) > 51:
        raise ValueError("a card is a number from 0 to 51")
    found = np.empty(len(cards), dtype=np.int16)
    lookup = rank_table(compared_hands(5), cards.shape[1], by_strength=True)
    strengths(cards, lookup.plain, lookup.suited, found)
    return found
