"""Rankings: the order of hands, and the ladders of rows that paytables pay.

A hand is judged by its shape alone: its ranks and, where all cards share one, its suit. Everything that ranks hands
asks one shape at a time, so a table over all shapes is a table over all hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import combinations

from croupier.cards import ACE, RANK_NAMES, Cards
from croupier.law.cite import Edition, Rule

NOTHING = "Nothing"  # a hand that fills no row
Strength = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Shape:
    """Ranks from high to low (a joker last, as 0) and the suit that all cards but a joker share, or none.

    Of each shape there is one (`shape_of` keeps them), so that looking one up costs no comparison.
    """

    ranks: tuple[int, ...]
    suit: str

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many of each rank, the largest group first: a full house has (3, 2)."""
        return tuple(sorted(map(self.ranks.count, {*self.ranks}), reverse=True))

    @cached_property
    def by_group(self) -> tuple[int, ...]:
        """The ranks as hands of one name are compared: the largest group first, then the higher rank."""
        groups = sorted(((count, rank) for rank, count in Counter(self.ranks).items()), reverse=True)
        return tuple(rank for _, rank in groups)

    @cached_property
    def run(self) -> int:
        """The high card of consecutive ranks, 0 if they are none; an ace may stand below the 2 and counts low there."""
        if len(set(self.ranks)) < len(self.ranks) or 0 in self.ranks:
            return 0
        if self.ranks[0] - self.ranks[-1] == len(self.ranks) - 1:
            return self.ranks[0]
        low = (*self.ranks[1:], 1)
        return low[0] if self.ranks[0] == ACE and low[0] == len(low) else 0


@cache
def shape(ranks: tuple[int, ...], suit: str) -> Shape:
    """The one shape of these ranks, from high to low, and this common suit or none."""
    return Shape(ranks, suit)


@lru_cache(maxsize=1 << 16)  # a round looks at the same few cards again and again
def shape_of(hand: Cards) -> Shape:
    """The shape of exactly these cards.

    >>> from croupier.cards import cards
    >>> shape_of(cards("3s As 2s")).run, shape_of(cards("As 2s Kd")).run
    (3, 0)
    """
    ranks, suits = zip(*hand, strict=True)
    alike = {*suits} - {""}
    return shape(tuple(sorted(ranks, reverse=True)), alike.pop() if len(alike) == 1 else "")


@dataclass(frozen=True)
class Hand:
    """A row of a ranking: its name, the shapes that fill it, how many cards it takes, and what else the same cards are.

    `otherwise` names the row that pays when a paytable leaves this one blank: a six-card royal is also a royal flush.
    """

    name: str
    fills: Callable[[Shape], bool] = field(compare=False)
    size: int = 0  # 0: as many as the ranking's hands have
    otherwise: str = ""
    clause: str = ""  # where the ranking's own clauses do not tell
    only: tuple[Edition, ...] = ()  # the editions that know the row; in others it is what it is otherwise


@dataclass(frozen=True, kw_only=True)
class Ranking(Rule):
    """Hands from highest to lowest. Of more cards than a hand has, the best choice counts."""

    name: str
    size: int
    hands: tuple[Hand, ...]
    compared: bool = False  # hands of one row are told apart: by .6(c), and by the order that .6(b) gives within a row
    told: str = ""  # what a player must know of its cards
    _rows: dict[Shape, int] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The names of all rows, and that of none, from highest to lowest."""
        return (*(hand.name for hand in self.hands), NOTHING)

    def clause_of(self, hand: Hand) -> str:
        """The clause of a row: its own, or the paragraph that stands for it where the citations list one for each row."""
        paragraphs = [cite.clause for cite in self.cites if cite.clause.count("(") > 1]
        if hand.clause:
            return hand.clause
        return paragraphs[self.hands.index(hand)] if len(paragraphs) == len(self.hands) else self.cite.clause

    def row_of_shape(self, shape: Shape) -> int:
        """The index of the highest row that a shape of one hand's size fills."""
        if (row := self._rows.get(shape)) is None:
            row, size = 0, len(shape.ranks)
            for hand in self.hands:
                if (hand.size or self.size) == size and hand.fills(shape):
                    break
                row += 1
            self._rows[shape] = row
        return row

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        return tuple({self.size, *(hand.size for hand in self.hands if hand.size)})

    def _choices(self, held: Cards) -> Iterator[Shape]:
        for size in self._sizes:
            if size == len(held):
                yield shape_of(held)
            else:
                yield from map(shape_of, combinations(held, size))

    def row(self, held: Cards) -> str:
        """The name of the row that these cards fill at best."""
        return self.rows[min(map(self.row_of_shape, self._choices(held)))]

    def strength_of_shape(self, shape: Shape) -> Strength:
        """Comparable: the higher hand is the greater; within a row the order that .6(b) gives, then .6(c)."""
        return (-self.row_of_shape(shape), (shape.run,) if shape.run else shape.by_group)

    def strength(self, held: Cards) -> Strength:
        return max(map(self.strength_of_shape, self._choices(held)))

    def is_at_least(self, held: Cards, name: str) -> bool:
        """Is the hand this row or better? “Queen high” asks for a row, or else a highest card of that rank."""
        if name in self.rows:
            return self.rows.index(self.row(held)) <= self.rows.index(name)
        return self.row(held) != NOTHING or max(card.rank for card in held) >= rank_named(name.removesuffix(" high"))

    def describe(self, held: Cards) -> str:
        """The row's name; of a hand that fills none the highest card where hands are compared, else what it falls short of."""
        row = self.row(held)
        return row if row != NOTHING else self.describe_nothing(held)

    def call(self, held: Cards) -> str:
        """The best hand as a dealer calls it: “pair of kings”, “straight, 9 high”, “queen high”."""
        best = max(self._choices(held), key=self.strength_of_shape)
        row = self.rows[self.row_of_shape(best)]
        if row == NOTHING:
            return f"{RANK_NAMES[best.by_group[0]]} high"
        return row.lower() + ("" if self._is_one_run(best) else _of_ranks(best))

    def _is_one_run(self, best: Shape) -> bool:
        """Is it in a row of ace-high runs alone, whose name says everything?"""
        lower = shape(tuple(rank - 1 for rank in best.ranks), best.suit)
        return best.run == ACE and self.row_of_shape(lower) != self.row_of_shape(best)

    def describe_nothing(self, held: Cards) -> str:
        if self.compared:
            return f"{RANK_NAMES[max(card.rank for card in held)].capitalize()} high"
        return f"Below {self.hands[-1].name.lower()}"


def _of_ranks(best: Shape) -> str:
    """The ranks that tell hands of one row apart.

    >>> _of_ranks(shape((13, 13, 13, 4, 4), "")), _of_ranks(shape((12, 12, 7), "")), _of_ranks(shape((14, 9, 3), "h"))
    (', kings over 4s', ' of queens', ', ace high')
    """
    first, *others = (RANK_NAMES[rank] for rank in best.by_group)
    match best.counts:
        case [1, *_]:
            return f", {RANK_NAMES[best.run] if best.run else first} high"
        case [2, 2, *_]:
            return f", {first}s and {others[0]}s"
        case [2, *_]:
            return f" of {first}s"
        case [3, 2]:
            return f", {first}s over {others[0]}s"
    return f", {first}s"


def rank_named(name: str) -> int:
    return next(rank for rank, word in RANK_NAMES.items() if word == name.lower())
