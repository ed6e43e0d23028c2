"""Shuffles in files: those of play for an examiner, with the bytes that they were made of, and those of a machine to be tested."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import BinaryIO, TextIO

from croupier.cards import Card, NotACard, cards, deck, show
from croupier.floor.house.shuffle import RandomSource, shuffled
from croupier.floor.house.shuffle_report import CHUNK, source_from


class NotAShuffle(ValueError):
    """A line of a file that is not a whole deck."""


class Recorded:
    """A source whose bytes are also written to a file: the raw output of the generator, as a shuffle asks for it."""

    def __init__(self, source: RandomSource, file: BinaryIO) -> None:
        self._source, self._file = source, file

    def bytes(self, count: int, /) -> builtins.bytes:
        given = self._source.bytes(count)
        self._file.write(given)
        return given


def write_shuffles(count: int, to: TextIO, raw: BinaryIO | None = None, *, jokers: int = 0, seed: int | None = None) -> None:
    """Shuffle as a table does, one deck to a line, and write the bytes that were drawn for it to `raw`."""
    new = [str(card) for card in deck(jokers)]
    for start in range(0, count, CHUNK):
        source = source_from(seed, start)
        drawn = Recorded(source, raw) if raw else source
        to.writelines(f"{' '.join(shuffled(new, drawn))}\n" for _ in range(min(CHUNK, count - start)))


def read_shuffles(lines: Iterable[str]) -> tuple[int, Iterator[bytes]]:
    """How many jokers the first deck has, and all decks in parts, one byte per card."""
    numbered = ((at, line) for at, line in enumerate(lines, 1) if line.strip())
    first = next(numbered, None)
    if first is None:
        raise NotAShuffle("the file has no shuffles")
    jokers = int(len(_cards_of(*first)) == 53)
    return jokers, _parts(first, numbered, jokers)


def _parts(first: tuple[int, str], numbered: Iterator[tuple[int, str]], jokers: int) -> Iterator[bytes]:
    new = deck(jokers)
    numbers, whole = {card: at for at, card in enumerate(new)}, Counter(new)

    def order(at: int, line: str) -> bytes:
        found = _cards_of(at, line)
        if wrong := (Counter(found) - whole) or (whole - Counter(found)):
            what = "more than once" if Counter(found) - whole else "not at all"
            raise NotAShuffle(f"line {at:,} has {show(list(wrong)[:3])} {what}")
        return bytes(numbers[card] for card in found)

    decks = (order(*each) for each in chain([first], numbered))
    while part := b"".join(islice(decks, CHUNK)):
        yield part


def _cards_of(at: int, line: str) -> tuple[Card, ...]:
    try:
        return cards(line)
    except NotACard as problem:
        raise NotAShuffle(f"line {at:,}: {problem}") from None
