"""Lookup tables of a ranking, built by asking the chapter's own ranker about one hand of each shape.

A code is a small number; a better hand has a greater code. The table of a ranking for m cards answers with two look-ups:
by the ranks alone (a sum of weights that tells every multiset of ranks apart), and by the ranks of a suit that has
enough cards. Of more cards than a hand has, the best choice counts: the code of a multiset is the greatest among those
with one card removed. A joker has its own weight and bit, and counts as a card of every suit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.cards import ACE, JOKER, SUITS
from croupier.law.ranking import Ranking, Shape, rank_named, shape

#: Sums of up to seven of these, none more than four times, are all different (a test adds them up).
WEIGHTS: NDArray[np.int64] = np.array([0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181], dtype=np.int64)
TOP = 7_825_760  # more than four aces and three kings
NO_CODE = -1
MOST_CODES = int(np.iinfo(np.int16).max)


class RankTable:
    """The codes of a ranking for hands of a number of cards.

    With `by_strength`, codes distinguish hands of one row as the chapter compares them; otherwise a code is a row. Rows of as many
    cards as a hand has may count a joker among them.
    """

    def __init__(self, ranking: Ranking, cards: int, *, by_strength: bool = False, jokers: int = 0) -> None:
        self.ranking, self.cards, self.by_strength = ranking, cards, by_strength
        rows: list[Any] = [(-row, ()) for row in reversed(range(len(ranking.hands) + 1))]
        self.strengths = strengths_of(ranking) if by_strength else rows  # by code: the row, and ranks that distinguish its hands
        self._codes = {strength: code for code, strength in enumerate(self.strengths)}
        self.plain = np.zeros(TOP << jokers, dtype=np.int16)  # the memory of sums that no hand has is never touched
        self.suited = np.full((4, 8192 << jokers), NO_CODE, dtype=np.int16)
        self._fill(ranking.size)
        for size in range(ranking.size + 1, cards + 1):
            self._grow(size)
            if any(each.size == size for each in ranking.hands):
                self._fill(size)
        if jokers:
            self._fill(ranking.size, jokers)

    def _fill(self, size: int, jokers: int = 0) -> None:
        """Ask the ranker about one hand of each shape of this size."""
        for codes, (at, shapes) in ((self.plain, _plain(size, jokers)), (self.suited, _suited(size, jokers))):
            if self.by_strength:
                found = [self._codes[self.ranking.strength_of_shape(each)] for each in shapes]
            else:
                found = [len(self.ranking.hands) - self.ranking.row_of_shape(each) for each in shapes]
            codes[at] = np.maximum(codes[at], found)

    def _grow(self, size: int) -> None:
        """Extend the tables to hands of this size: the best code with one card removed."""
        weights, bits = WEIGHTS[np.array(multisets(size)) - 2], 1 << (np.array(different(size)) - 2)
        sums, masks = weights.sum(axis=1), bits.sum(axis=1)
        grown = np.zeros(len(self.plain), dtype=np.int16)
        grown[sums] = self.plain[sums[:, None] - weights].max(axis=1)
        self.plain = grown
        self.suited[:, masks] = self.suited[:, masks[:, None] ^ bits].max(axis=2)

    @cached_property
    def asks_for_suit(self) -> bool:
        """Does a row depend on which suit a suited hand has?"""
        return bool((self.suited != self.suited[0]).any())

    @cached_property
    def levels(self) -> int:
        return len(self.strengths)

    @cached_property
    def row_of_code(self) -> list[str]:
        """The name of the row of each code."""
        return [self.ranking.rows[-row] for row, _ in self.strengths]

    def least_code(self, at_least: str) -> int:
        """The least code of hands that are this row, or this high card, or better."""
        if at_least in self.ranking.rows:
            last = self.ranking.rows.index(at_least)
            return next(code for code, (row, _) in enumerate(self.strengths) if -row <= last)
        least, rows = rank_named(at_least.removesuffix(" high")), len(self.ranking.hands)
        return next(code for code, (row, ranks) in enumerate(self.strengths) if -row < rows or ranks[0] >= least)

    @property
    def arrays(self) -> tuple[NDArray[np.int16], NDArray[np.int16], int]:
        """What a kernel needs: the two tables and how many suited cards make a suited hand."""
        return self.plain, self.suited, self.ranking.size


_HIGH_TO_LOW = range(ACE, 1, -1)


@cache
def multisets(size: int, among: Sequence[int] = _HIGH_TO_LOW) -> list[tuple[int, ...]]:
    """The ranks that `size` cards may have, from high to low; none occurs five times."""
    found = combinations_with_replacement(among, size)
    return [ranks for ranks in found if all(ranks[at] != ranks[at + 4] for at in range(size - 4))]


def different(size: int, among: Sequence[int] = _HIGH_TO_LOW) -> list[tuple[int, ...]]:
    """The ranks that `size` cards of one suit may have, from high to low."""
    return list(combinations(among, size))


@cache
def _plain(size: int, jokers: int = 0) -> tuple[NDArray[np.int64], list[Shape]]:
    """The shapes without a suit, and where a table has them: at the sum of their weights."""
    found, more = multisets(size - jokers), (JOKER.rank,) * jokers
    return WEIGHTS[np.array(found) - 2].sum(axis=1) + TOP * jokers, [shape((*ranks, *more), "") for ranks in found]


@cache
def _suited(size: int, jokers: int = 0) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], list[Shape]]:
    """The suited shapes, and where a table has them: at the number of the suit and the bits of the ranks."""
    found, more = different(size - jokers), (JOKER.rank,) * jokers
    bits = (1 << (np.array(found) - 2)).sum(axis=1) + 8192 * jokers
    numbers = np.repeat(np.arange(len(SUITS)), len(found))
    return (numbers, np.tile(bits, len(SUITS))), [shape((*ranks, *more), suit) for suit in SUITS for ranks in found]


@cache
def strengths_of(ranking: Ranking) -> list[Any]:
    """All strengths that a ranking distinguishes when hands are compared, the lowest first."""
    shapes = _plain(ranking.size)[1] + _suited(ranking.size)[1]
    return sorted({*map(ranking.strength_of_shape, shapes)})


def too_many_strengths(ranking: Ranking) -> str:
    """Why a table cannot hold all strengths of a ranking; empty if it can."""
    found = len(strengths_of(ranking))
    return f"a comparison of {found:,} kinds of hands (“{ranking.name}”)" if found > MOST_CODES else ""


@cache
def rank_table(ranking: Ranking, cards: int, by_strength: bool = False, jokers: int = 0) -> RankTable:
    """The table of a ranking for this many cards, cached."""
    return RankTable(ranking, cards, by_strength=by_strength, jokers=jokers)


@cache
def rows_by_code(ranking: Ranking, ladder: Ranking) -> NDArray[np.int64] | None:
    """The row of a ladder for each code of a ranking, by number; None if the best hand by one may not be the best by the other."""
    if ladder.size != ranking.size or any(hand.size for hand in (*ranking.hands, *ladder.hands)):
        return None
    mine, theirs = rank_table(ranking, ranking.size, by_strength=True), rank_table(ladder, ranking.size)
    (plain, _), (suited, _) = _plain(ranking.size), _suited(ranking.size)
    codes, rows = (np.concatenate([each.plain[plain], each.suited[suited]]) for each in (mine, theirs))
    found = np.full(mine.levels, -1, dtype=np.int64)
    found[codes] = len(ladder.hands) - rows
    alike = (found[codes] == len(ladder.hands) - rows).all()
    return found if alike and (np.diff(found) <= 0).all() else None


# What a card adds: its rank's weight, its bit among those of its suit, one card of its suit. The last is the joker.
_WEIGHT = np.array([*np.repeat(WEIGHTS, 4), TOP], dtype=np.int64)
_BIT = np.array([*(1 << (16 * (card & 3) + (card >> 2)) for card in range(52)), 0x2000200020002000], dtype=np.int64)
_HELD = np.array([*(1 << (4 * (card & 3)) for card in range(52)), 0x1111], dtype=np.int64)


@njit(cache=True, nogil=True)
def sums_of(cards):
    """The weights, the bits and the suits of some cards together."""
    total = ranks = held = 0
    for each in cards:
        total += _WEIGHT[each]
        ranks |= _BIT[each]
        held += _HELD[each]
    return total, ranks, held


@njit(cache=True, nogil=True)
def code_of(cards, plain, suited, size):
    """The code of a hand: by its ranks, or by a suit with enough cards, whichever is better."""
    total, ranks, held = sums_of(cards)
    return code_at(total, ranks, held, plain, suited, size)


@njit(cache=True, nogil=True)
def code_at(total, ranks, held, plain, suited, size):
    best = plain[total]
    enough = (held + (8 - size) * 0x1111) & 0x8888  # the top bit of a suit's four is set when it has enough cards
    if enough:
        for suit in range(4):
            if enough >> (4 * suit + 3) & 1:
                best = max(best, suited[suit, ranks >> (16 * suit) & 0x3FFF])
    return best
