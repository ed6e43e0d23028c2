"""Shuffles from the operating system's cryptographic generator.

Why a shuffle is unbiased: Fisher-Yates makes one choice for each card, among 52, then 51, down to 2, and each of the
52! ways to choose leads to a different order. So all orders are equally likely if every choice is uniform and independent.
A choice takes a word of 16 bits. 65,536 is not a multiple of 52, so the remainder alone would favor small numbers; words
beyond the greatest multiple are thrown away, and each number is then the remainder of equally many words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from hashlib import shake_256
from struct import unpack
from typing import TypeVar

T = TypeVar("T")
WORDS = 1 << 16  # different words, and so the most things that one word can choose from
SPARE = 2  # extra words, so that one that is thrown away seldom needs a second batch
RandomSource = Callable[[int], bytes]  # returns this many random bytes


def operating_system(count: int) -> bytes:
    """The generator for play: nobody can predict or repeat its bytes."""
    return os.urandom(count)


class Seeded:
    """A source for tests and demonstrations, never for play: the same seed gives the same bytes on every machine.

    >>> Seeded(7)(4) == Seeded(7)(4) != Seeded(8)(4)
    True
    """

    def __init__(self, seed: int | str) -> None:
        self._seed, self._calls = seed, 0

    def __call__(self, count: int) -> bytes:
        self._calls += 1
        return shake_256(f"{self._seed} {self._calls}".encode()).digest(count)


def shuffled(cards: Sequence[T], source: RandomSource = operating_system) -> list[T]:
    """The cards in random order, each order equally likely.

    >>> shuffled("abcde", Seeded(7)), sorted(shuffled("abcde"))
    (['b', 'c', 'a', 'e', 'd'], ['a', 'b', 'c', 'd', 'e'])
    """
    order = list(cards)
    _verify_choices(len(order) or 1)
    words = _words(len(order) + SPARE, source)
    for last in range(len(order) - 1, 0, -1):
        chosen = _choose(last + 1, words)  # may be the card itself: otherwise only cycles would result
        order[last], order[chosen] = order[chosen], order[last]
    return order


def random_below(count: int, source: RandomSource = operating_system) -> int:
    """A number from 0 to count - 1, each equally likely, to draw a magic card or a lucky position.

    >>> random_below(1), random_below(52) in range(52)
    (0, True)
    """
    _verify_choices(count)
    return _choose(count, _words(1, source))


def secret(source: RandomSource = operating_system) -> bytes:
    """32 unguessable bytes for a salt or a key."""
    return source(32)


class GeneratorFault(Exception):
    """The generator or the shuffle does not do what it should. Nothing may be dealt with it."""


def verify_generator(source: RandomSource = operating_system) -> None:
    """Check known answers of the shuffle and the choice, and that the source does not repeat itself.

    Testing and reseeding the generator is left to the operating system. Seen from here, it can only be stuck.
    """
    known = [(shuffled("abcde", Seeded(7)), ["b", "c", "a", "e", "d"]), (random_below(52, Seeded(7)), 26)]
    if any(found != right for found, right in known):
        raise GeneratorFault("the shuffle failed its known-answer test")
    if secret(source) == secret(source):
        raise GeneratorFault("the operating system's generator gave the same 32 bytes twice")


def _verify_choices(count: int) -> None:
    if not 1 <= count <= WORDS:
        raise ValueError(f"a choice is among 1 to {WORDS:,} things, not {count:,}")


def _words(batch: int, source: RandomSource) -> Iterator[int]:
    """Endless random words, drawn in batches: one call of the operating system costs as much as several choices."""
    while True:
        yield from unpack(f"<{batch}H", source(2 * batch))


def _choose(count: int, words: Iterator[int]) -> int:
    beyond = WORDS - WORDS % count
    word = next(words)
    while word >= beyond:
        word = next(words)
    return word % count
