"""The terms of section .6: what makes a straight, a flush, a royal. Each one tests the shape of a hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from croupier.cards import ACE
from croupier.law.ranking import Hand, Shape

Word = Callable[[Shape], bool]


def of_a_kind(count: int, rank: int = 0, *, at_least: int = 0) -> Word:
    """At least `count` cards of one rank: any rank, this one, or any that is `at_least` this high.

    >>> from croupier.cards import cards
    >>> from croupier.law.ranking import shape_of
    >>> of_a_kind(3)(shape_of(cards("7s 7d 7h 2c"))), of_a_kind(2, ACE)(shape_of(cards("Ks Kd 3h")))
    (True, False)
    """
    if rank:
        return lambda shape: shape.ranks.count(rank) >= count
    if at_least:
        return lambda shape: any(shape.ranks.count(held) >= count for held in set(shape.ranks) if held >= at_least)
    return lambda shape: shape.counts[0] >= count


def two_pairs(shape: Shape) -> bool:
    return len(shape.counts) > 1 and shape.counts[1] >= 2


def full_house(shape: Shape) -> bool:
    return shape.counts[:2] == (3, 2)


def straight(shape: Shape) -> bool:
    return bool(shape.run)


def flush(shape: Shape) -> bool:
    return bool(shape.suit)


def straight_flush(shape: Shape) -> bool:
    return bool(shape.suit and shape.run)


@cache  # so that a row with another name is recognized as the same
def royal(*suits: str) -> Word:
    """An ace-high straight flush of all the hand's cards, in one of these suits if any are named."""
    return lambda shape: straight_flush(shape) and shape.run == ACE and (not suits or shape.suit in suits)


ROYAL_FLUSH = Hand("Royal flush", royal())
STRAIGHT_FLUSH = Hand("Straight flush", straight_flush)
FOUR = Hand("Four-of-a-kind", of_a_kind(4))
FULL_HOUSE = Hand("Full house", full_house)
FLUSH = Hand("Flush", flush)
STRAIGHT = Hand("Straight", straight)
THREE = Hand("Three-of-a-kind", of_a_kind(3))
TWO_PAIRS = Hand("Two pairs", two_pairs)
PAIR = Hand("Pair", of_a_kind(2))
LADDERS = {
    3: (STRAIGHT_FLUSH, THREE, STRAIGHT, FLUSH, PAIR),
    4: (FOUR, STRAIGHT_FLUSH, THREE, FLUSH, STRAIGHT, TWO_PAIRS, PAIR),
    5: (ROYAL_FLUSH, STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, THREE, TWO_PAIRS, PAIR),
}


def hands(size: int, *, down_to: str = "Pair") -> tuple[Hand, ...]:
    """The usual hands of three, four or five cards, from the highest down to a row.

    >>> [hand.name for hand in hands(3, down_to="Straight")]
    ['Straight flush', 'Three-of-a-kind', 'Straight']
    """
    names = [hand.name for hand in LADDERS[size]]
    return LADDERS[size][: names.index(down_to) + 1]
