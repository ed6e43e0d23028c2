"""A batch evaluator of poker hands: numpy in, numpy out, by the ranking of 653a.6 and its tables."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier import book
from croupier.law.ranking import Ranking
from croupier.odds.tables import _BIT, _HELD, _WEIGHT, Table


@cache
def table(cards: int) -> Table:
    ranking = next(rule for rule in book.chapter("653a").rules if isinstance(rule, Ranking))
    return Table(ranking, cards, by_strength=True)


_ADDS = _WEIGHT | (_HELD << 32)  # rank weights below, suit counts above; one sum tells both


@njit(cache=True, nogil=True)
def _evaluate(cards, plain, suited, found):
    size = cards.shape[1]
    for i in range(len(cards)):
        total = 0
        for place in range(size):
            total += _ADDS[cards[i, place]]
        code = plain[total & 0xFFFFFFFF]
        enough = ((total >> 32) + 3 * 0x1111) & 0x8888
        if enough:
            ranks = 0
            for place in range(size):
                ranks |= _BIT[cards[i, place]]
            suit = 0 if enough & 0x8 else 1 if enough & 0x80 else 2 if enough & 0x800 else 3
            code = max(code, suited[suit, ranks >> (16 * suit) & 0x1FFF])
        found[i] = code


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
    lookup = table(cards.shape[1])
    _evaluate(cards, lookup.plain, lookup.suited, found)
    return found
