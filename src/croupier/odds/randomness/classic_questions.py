"""The classic tests of random numbers, asked of dealt cards: gaps, overlaps, coupons, permutations, maxima, pairs, subsequences.

They were written for numbers that may repeat; here they are adapted to 52 cards that do not, with exactly counted distributions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from croupier.cards import ACE, deck

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class ShuffleQuestion:
    """A statistic of a shuffle with few values: its values in many shuffles, and how many of all orders have each."""

    name: str
    about: str
    asked: Callable[[Ints], Ints]
    ways: tuple[int, ...]


def how_many(true: NDArray[np.bool_]) -> Ints:
    """For each shuffle, in how many places the condition holds."""
    return np.asarray(true.sum(axis=1), dtype=np.int64)


def without_joker(orders: Ints) -> Ints:
    """The other 52 cards in their order, which is just as random."""
    return orders[orders < 52].reshape(-1, 52)


RED = np.array([card.is_red for card in deck()])
ACES = np.array([card.rank == ACE for card in deck()])
SPADES = np.array([card.suit == "s" for card in deck()])
RANK = np.array([card.rank - 2 for card in deck()])
BY_RANK = np.array([[at for at, rank in enumerate(RANK) if rank == wanted] for wanted in range(13)])
HALF, FOURTH = 26, slice(3, None, 4)


@cache
def classic_questions() -> tuple[ShuffleQuestion, ...]:
    highest, spades = (comb(k, 4) for k in range(52)), (comb(13, k) * comb(39, 13 - k) for k in range(14))
    return (
        ShuffleQuestion("Gaps", "cards between the first two aces", _gap, tuple(gaps(4, 52))),
        ShuffleQuestion("Overlaps", "overlapping threes of one color", _overlaps, tuple(overlaps(26))),
        ShuffleQuestion("Coupon collector", "cards until every rank is seen", _collected, tuple(coupons(13, 4))),
        ShuffleQuestion("Permutations", "relative order of the first four cards", _relative_order, (1,) * 24),
        ShuffleQuestion("Order statistic", "highest of the first five cards", _highest, tuple(highest)),
        ShuffleQuestion("Interplay", "equal ranks half a deck apart", _equal_ranks, tuple(equal_pairs(13))),
        ShuffleQuestion("Subsequences", "spades among every fourth card", _spades, tuple(spades)),
    )


def gaps(marked: int, size: int) -> Iterator[int]:
    """In how many ways marked cards lie in a deck with 0, 1, 2 ... others between the first two: all gaps are alike.

    >>> list(gaps(2, 4))
    [3, 2, 1]
    """
    for gap in range(size - marked + 1):
        yield comb(size - 1 - gap, marked - 1)


def _gap(orders: Ints) -> Ints:
    aces = ACES[without_joker(orders)]
    first = aces.argmax(axis=1)
    aces[np.arange(len(aces)), first] = False
    return np.asarray(aces.argmax(axis=1) - first - 1, dtype=np.int64)


def overlaps(each: int) -> list[int]:
    """How many sequences of equally many red and black cards have 0, 1, 2 ... overlapping threes of one color.

    >>> overlaps(2)
    [6, 0, 0]
    >>> sum(overlaps(3)) == comb(6, 3)
    True
    """
    found = {(0, 0, 0): [1]}  # by how many are red, the color of the last and how many of it came in a row, at most two: by threes
    for dealt in range(2 * each):
        after: defaultdict[tuple[int, int, int], list[int]] = defaultdict(lambda: [0] * (2 * each - 1))
        for (red, last, run), ways in found.items():
            for color, room in ((1, red < each), (-1, dealt - red < each)):
                if room:
                    three = int(color == last and run == 2)
                    state = (red + (color == 1), color, min(2, run + 1) if color == last else 1)
                    after[state] = [a + b for a, b in zip(after[state], [0] * three + ways + [0] * (2 * each), strict=False)]
        found = dict(after)
    return [sum(each) for each in zip(*found.values(), strict=True)]


def _overlaps(orders: Ints) -> Ints:
    red = RED[without_joker(orders)]
    same = red[:, 1:] == red[:, :-1]
    return how_many(same[:, 1:] & same[:, :-1])


def coupons(kinds: int, each: int) -> Iterator[int]:
    """In how many orders of `kinds` times `each` cards the last kind is first seen on card 0, 1, 2 ...

    >>> list(coupons(2, 1)), list(coupons(2, 2))
    ([0, 0, 2], [0, 0, 16, 8, 0])
    """
    size, before = kinds * each, 0
    for dealt in range(size + 1):
        all_seen = sum((-1) ** j * comb(kinds, j) * comb(size - each * j, dealt) for j in range(kinds + 1))
        orders = all_seen * factorial(dealt) * factorial(size - dealt)
        yield orders - before
        before = orders


def _collected(orders: Ints) -> Ints:
    places = without_joker(orders).argsort(axis=1)
    return np.asarray(places[:, BY_RANK].min(axis=2).max(axis=1) + 1, dtype=np.int64)


def _relative_order(orders: Ints) -> Ints:
    """The number of the order of four cards: how many of the later ones are lower, for the first, second and third."""
    four = without_joker(orders)[:, :4]
    lower = [(four[:, at + 1 :] < four[:, at : at + 1]).sum(axis=1) for at in range(3)]
    return np.asarray(6 * lower[0] + 2 * lower[1] + lower[2], dtype=np.int64)


def _highest(orders: Ints) -> Ints:
    return np.asarray(without_joker(orders)[:, :5].max(axis=1), dtype=np.int64)


def equal_pairs(ranks: int) -> Iterator[int]:
    """In how many ways to pair off four cards of each rank 0, 1, 2 ... pairs are of one rank.

    A rank can give one pair in six ways and two in three. By inclusion and exclusion over the pairs that are sure to be there.

    >>> list(equal_pairs(1)), list(equal_pairs(2))
    ([0, 0, 3], [24, 0, 72, 0, 9])
    """
    most = 2 * ranks
    chosen = [1]
    for _ in range(ranks):
        shifted = [[0] * at + [ways * each for each in chosen] + [0] * (2 - at) for at, ways in enumerate((1, 6, 3))]
        chosen = [sum(column) for column in zip(*shifted, strict=True)]
    sure = [ways * _pairings(4 * ranks - 2 * at) for at, ways in enumerate(chosen)]
    for pairs in range(most + 1):
        yield sum((-1) ** (at - pairs) * comb(at, pairs) * sure[at] for at in range(pairs, most + 1))


def _pairings(cards: int) -> int:
    """In how many ways this many cards can be paired off."""
    return prod(range(cards - 1, 0, -2))


def _equal_ranks(orders: Ints) -> Ints:
    ranks = RANK[without_joker(orders)]
    return how_many(ranks[:, :HALF] == ranks[:, HALF:])


def _spades(orders: Ints) -> Ints:
    return how_many(SPADES[without_joker(orders)[:, FOURTH]])
