"""Cards as numbers, sets of cards as indices, and one class for hands that differ only by a permutation of the suits.

A card is 4 * (rank - 2) + suit, 0 to 51, and a joker is 52. A set of k cards has a colexicographic index: the sum of C(card, place) over its
cards in ascending order. Two sets that a permutation of the suits makes equal have the same canonical index.

A deck may be smaller than 52 cards, so that tests can compare the counters with slow ones. It keeps all four suits of its ranks, and
its sets keep their indices of the whole deck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import comb
from os import cpu_count
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.cards import JOKER, SUITS, Card, Cards
from croupier.odds.progress import PROGRESS_CALLBACKS

Ints = NDArray[np.int64]
Deck = tuple[int, ...]  # the cards in play, in ascending order
FULL: Deck = tuple(range(52))
SUIT_ORDERS: Ints = np.array(list(permutations(range(4))), dtype=np.int64)  # the first leaves each suit as it is
CHOOSE: Ints = np.array([[comb(n, k) for k in range(8)] for n in range(53)], dtype=np.int64)


def number(card: Card) -> int:
    return 52 if card == JOKER else 4 * (card.rank - 2) + SUITS.index(card.suit)


def numbers(hand: Sequence[Card]) -> list[int]:
    return sorted(map(number, hand))


def card(number: int) -> Card:
    return Card(number // 4 + 2, SUITS[number % 4])


def hand(held: Sequence[int]) -> Cards:
    return tuple(card(int(each)) for each in held)


@njit(cache=True, nogil=True)
def index_of(cards, choose):
    """The index of a set of cards in ascending order."""
    total = 0
    for place in range(len(cards)):
        total += choose[cards[place], place + 1]
    return total


@njit(cache=True, nogil=True)
def in_order(cards):
    """Sort a few cards, in place."""
    for i in range(1, len(cards)):
        each, j = cards[i], i - 1
        while j >= 0 and cards[j] > each:
            cards[j + 1] = cards[j]
            j -= 1
        cards[j + 1] = each


@njit(cache=True, nogil=True)
def moved_index(cards, order, choose, scratch):
    """The index of this set after a permutation of the suits."""
    moved = scratch[: len(cards)]
    for place in range(len(cards)):
        moved[place] = (cards[place] & ~3) | order[cards[place] & 3]
    in_order(moved)
    return index_of(moved, choose)


@njit(cache=True, nogil=True)
def next_set(cards):
    """The next set of the same size in colexicographic order, in place. The caller has to stop at the last one."""
    size = len(cards)
    for place in range(size):
        if place == size - 1 or cards[place] + 1 < cards[place + 1]:
            cards[place] += 1
            for below in range(place):
                cards[below] = below
            return


@njit(cache=True, nogil=True)
def canonical_index(cards, choose):
    """The index of the set after its suits are sorted by their ranks, the highest first.

    Also returns where each suit goes, four bits per suit.
    """
    a, b, c, d = 3, 2, 1, 0  # the ranks of each suit, above 3 minus the suit: so suits of the same ranks stay in their order
    for each in cards:
        rank, suit = 4 << (each >> 2), each & 3
        a |= rank if suit == 0 else 0
        b |= rank if suit == 1 else 0
        c |= rank if suit == 2 else 0
        d |= rank if suit == 3 else 0
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    total, place, goes, ordered = 0, 1, 0, (a, b, c, d)
    for suit in range(4):
        goes |= suit << (4 * (3 - (ordered[suit] & 3)))
    for rank in range(13):
        if (a | b | c | d) >> (rank + 2) & 1:
            for suit in range(4):
                if ordered[suit] >> (rank + 2) & 1:
                    total += choose[4 * rank + suit, place]
                    place += 1
    return total, goes


@njit(cache=True, nogil=True)
def moved_card(card, goes):
    """A card after the suit permutation that `canonical_index` returned."""
    return (card & ~3) | (goes >> (4 * (card & 3)) & 3)


@njit(cache=True, nogil=True)
def _canonical_indices(size, choose):
    count = choose[52, size]
    found = np.empty(count, dtype=np.int32)
    cards = np.arange(size)
    for i in range(count):
        found[i], _ = canonical_index(cards, choose)
        if i + 1 < count:
            next_set(cards)
    return found


@njit(cache=True, nogil=True)
def _sets_at(indices, size, choose):
    found = np.empty((len(indices), size), dtype=np.int64)
    for row in range(len(indices)):
        rest, top = indices[row], 51
        for place in range(size, 0, -1):
            while choose[top, place] > rest:
                top -= 1
            found[row, place - 1] = top
            rest -= choose[top, place]
    return found


def all_sets(size: int) -> Ints:
    """Every set of `size` cards, by index."""
    found: Ints = _sets_at(np.arange(CHOOSE[52, size]), size, CHOOSE)
    return found


@dataclass(frozen=True, eq=False)
class Classes:
    """All sets of k cards of a deck up to a permutation of the suits."""

    class_of: NDArray[np.int32]  # the class of each index, -1 for a set that the deck does not have
    cards: Ints  # the representative of each class
    times: Ints  # how many sets each class has

    def __len__(self) -> int:
        return len(self.times)

    def within(self, deck: Deck) -> Classes:
        """The classes of a smaller deck. It contains a class entirely or not at all, because it has every suit of its ranks."""
        inside = np.isin(self.cards, deck).all(axis=1)
        numbered = np.where(inside, np.cumsum(inside) - 1, -1).astype(np.int32)
        return Classes(numbered[self.class_of], self.cards[inside], self.times[inside])


def classes(size: int, deck: Deck = FULL) -> Classes:
    return _classes(size) if deck == FULL else _classes(size).within(deck)


@cache
def _classes(size: int) -> Classes:
    first, class_of, times = np.unique(_canonical_indices(size, CHOOSE), return_inverse=True, return_counts=True)
    return Classes(class_of.astype(np.int32), _sets_at(first.astype(np.int64), size, CHOOSE), times)


def indices(sets: Ints) -> Ints:
    """The index of each set of cards."""
    return sum((CHOOSE[sets[:, place], place + 1] for place in range(sets.shape[1])), np.zeros(len(sets), dtype=np.int64))


@cache
def with_each_card(size: int, deck: Deck) -> NDArray[np.int32]:
    """The class of each representative plus one more card; -1 for a card that it has or that is not in the deck."""
    hands, class_of = classes(size, deck).cards, classes(size + 1, deck).class_of
    found = np.full((len(hands), 52), -1, dtype=np.int32)
    for each in range(52):
        free = (hands != each).all(axis=1)
        found[free, each] = class_of[indices(np.sort(np.insert(hands[free], size, each, axis=1), axis=1))]
    return found


def moved(sets: Ints, suits: Ints) -> Ints:
    """The same sets after a permutation of the suits, each in ascending order."""
    return np.sort((sets & ~3) | suits[sets & 3], axis=1)


def turn_suits(hands: Ints, turn: int) -> Ints:
    """The same hands with their suits rotated by `turn`, each in ascending order."""
    return moved(hands, (np.arange(4) + turn) % 4)


def in_threads(work: Callable[[int, int], Any], count: int, parts: int = 0) -> list[Any]:
    """Run a kernel that releases the GIL over parts of a range, one thread per core; results in order."""
    parts = parts or 4 * (cpu_count() or 1)
    edges, found = [count * part // parts for part in range(parts + 1)], []
    with ThreadPoolExecutor(cpu_count()) as pool:
        for result in pool.map(lambda part: work(edges[part], edges[part + 1]), range(parts)):
            found.append(result)
            for watch in PROGRESS_CALLBACKS:
                watch(len(found), parts)
    return found
