"""Rankings: the order of hands, and the rows that paytables pay.

A hand is ranked by its shape alone: its ranks and, if all its cards share one, its suit. Everything that ranks hands
looks at one shape at a time, so a table of all shapes covers all hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import combinations, combinations_with_replacement

from croupier.cards import ACE, RANK_NAMES, SUITS, Cards
from croupier.law.cite import Edition, Rule

NOTHING = "Nothing"  # a hand that makes no row
Strength = tuple[int, tuple[int, ...]]


def or_better(hand: str) -> str:
    """A hand or one above it; the name of a row may say so already.

    >>> or_better("a pair"), or_better("jacks or better")
    ('a pair or better', 'jacks or better')
    """
    return f"{hand.removesuffix(' or better')} or better"


@dataclass(frozen=True, eq=False)
class Shape:
    """Ranks from high to low (a joker last, as 0) and the suit that all cards except a joker share, if any.

    Shapes are interned (see `shape_of`), so a lookup needs no comparison.
    """

    ranks: tuple[int, ...]
    suit: str

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many of each rank, the largest group first: a full house has (3, 2)."""
        return tuple(sorted(map(self.ranks.count, {*self.ranks}), reverse=True))

    @cached_property
    def by_group(self) -> tuple[int, ...]:
        """Ranks in the order used to compare hands of the same row: largest group first, then higher rank."""
        groups = sorted(((count, rank) for rank, count in Counter(self.ranks).items()), reverse=True)
        return tuple(rank for _, rank in groups)

    @cached_property
    def run(self) -> int:
        """The high card if the ranks are consecutive, else 0. An ace may also be low, below the 2."""
        if len(set(self.ranks)) < len(self.ranks) or 0 in self.ranks:
            return 0
        if self.ranks[0] - self.ranks[-1] == len(self.ranks) - 1:
            return self.ranks[0]
        low = (*self.ranks[1:], 1)
        return low[0] if self.ranks[0] == ACE and low[0] == len(low) else 0


@cache
def shape(ranks: tuple[int, ...], suit: str) -> Shape:
    """The interned shape with these ranks, from high to low, and this common suit, if any."""
    return Shape(ranks, suit)


def every_shape(size: int, jokers: int) -> Iterator[Shape]:
    """The shapes of hands of `size` cards, from high ranks to low: in mixed suits, and in each suit if possible."""
    for ranks in combinations_with_replacement(sorted([*RANK_NAMES, *[0] * jokers], reverse=True), size):
        if max(Counter(ranks).values()) <= 4 and ranks.count(0) <= jokers:
            plain = len(set(ranks)) == len(ranks)
            yield from (shape(ranks, suit) for suit in (("", *SUITS) if plain else ("",)))


@lru_cache(maxsize=1 << 16)  # a round keeps looking at the same few cards
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
    """A row of a ranking: its name, the shapes that make it, how many cards it takes, and what else the same cards count as.

    `otherwise` names the row that pays when a paytable leaves this one blank: a six-card royal is also a royal flush.
    """

    name: str
    fills: Callable[[Shape], bool] = field(compare=False)
    size: int = 0  # 0: the ranking's own hand size
    otherwise: str = ""
    clause: str = ""  # if it is not among the ranking's own clauses
    only: tuple[Edition, ...] = ()  # the editions that have the row; in others the hand counts as `otherwise`

    def __post_init__(self) -> None:
        if not callable(self.fills):
            raise ValueError(f"the row “{self.name}” needs a function of a shape, not {self.fills!r}")


@dataclass(frozen=True, eq=False)
class Ranking(Rule):
    """Hands from highest to lowest. Given more cards than a hand has, the best selection counts."""

    name: str
    size: int
    hands: Sequence[Hand]
    compared: bool = False  # hands in the same row are compared further: by .6(c), and by the order that .6(b) gives within a row
    note: str = ""  # what a player needs to know about its cards
    _rows: dict[Shape, int] = field(default_factory=dict, init=False, repr=False)
    _runs: dict[int, bool] = field(default_factory=dict, init=False, repr=False)  # by row: is it only for runs?

    def complete(self) -> None:
        if not isinstance(self.size, int) or self.size < 1:
            raise ValueError(f"{self.cite.chapter}: the {self.name} has {self.size} cards; it needs 1 or more")

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The names of all rows from highest to lowest, with “Nothing” last."""
        return (*(hand.name for hand in self.hands), NOTHING)

    def clause_of(self, hand: Hand) -> str:
        """The clause of a row: its own, or its paragraph if the citations list one for each row."""
        paragraphs = [cite.clause for cite in self.cites if cite.clause.count("(") > 1]
        if hand.clause:
            return hand.clause
        return paragraphs[self.hands.index(hand)] if len(paragraphs) == len(self.hands) else self.cite.clause

    def row_of_shape(self, shape: Shape) -> int:
        """The index of the highest row made by a shape of one hand's size."""
        if shape not in self._rows:
            hands, size = enumerate(self.hands), len(shape.ranks)
            filled = (row for row, hand in hands if (hand.size or self.size) == size and hand.fills(shape))
            self._rows[shape] = next(filled, len(self.hands))
        return self._rows[shape]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple({self.size, *(hand.size for hand in self.hands if hand.size)})

    def _choices(self, held: Cards) -> Iterator[Shape]:
        for size in self.sizes:
            if size == len(held):
                yield shape_of(held)
            else:
                yield from map(shape_of, combinations(held, size))

    def row(self, held: Cards) -> str:
        """The name of the best row that these cards make."""
        return self.rows[min(map(self.row_of_shape, self._choices(held)))]

    def strength_of_shape(self, shape: Shape) -> Strength:
        """A sort key: a higher hand has a greater key. Within a row, the order is that of .6(b), then .6(c)."""
        row = self.row_of_shape(shape)
        return (-row, (shape.run,) if shape.run and self._needs_run(row, shape) else shape.by_group)

    def _needs_run(self, row: int, run: Shape) -> bool:
        """Whether a row is only for runs, compared by their high card: a run with one card changed no longer makes the row."""
        if row not in self._runs:
            kept = run.ranks[:-1]
            broken = (shape(tuple(sorted((*kept, rank), reverse=True)), run.suit) for rank in RANK_NAMES if rank not in kept)
            self._runs[row] = all(self.row_of_shape(other) != row for other in broken if not other.run)
        return self._runs[row]

    def strength(self, held: Cards) -> Strength:
        return max(map(self.strength_of_shape, self._choices(held)))

    def require(self, name: str) -> None:
        """Refuse a name that `is_at_least` cannot be asked about."""
        card = name.lower().removesuffix(" high")
        if name not in self.rows and (card == name.lower() or card not in RANK_NAMES.values()):
            raise ValueError(f"“{name}” is not a hand of {self.name}")

    def is_at_least(self, held: Cards, name: str) -> bool:
        """Is the hand this row or better? “Queen high” means any row, or a highest card of at least that rank."""
        if name in self.rows:
            return self.rows.index(self.row(held)) <= self.rows.index(name)
        return self.row(held) != NOTHING or max(card.rank for card in held) >= rank_named(name.removesuffix(" high"))

    def describe(self, held: Cards) -> str:
        """The row's name. For a hand that makes no row: its highest card if hands are compared, else the row it falls short of."""
        row = self.row(held)
        return row if row != NOTHING else self.describe_nothing(held)

    def call(self, held: Cards) -> str:
        """The best hand as a dealer calls it: “pair of kings”, “straight, 9 high”, “queen high”."""
        best = max(self._choices(held), key=self.strength_of_shape)
        row = self.rows[self.row_of_shape(best)]
        if row == NOTHING:
            return f"{RANK_NAMES[best.by_group[0]]} high"
        return row.lower() + ("" if self._is_one_run(best) else _of_ranks(best, self.strength_of_shape(best)[1][0]))

    def made_of(self, held: Cards) -> Cards:
        """The cards that make the best hand: of a pair the two, of a straight or a flush all, of a hand with no row the highest."""
        selections = (each for size in self.sizes for each in combinations(held, size))
        best = max(selections, key=lambda each: self.strength_of_shape(shape_of(each)))
        ranks = [card.rank for card in best]
        if self.row(best) == NOTHING:
            return (best[ranks.index(max(ranks))],)
        alike = tuple(card for card in best if ranks.count(card.rank) > 1)
        return alike if alike and 0 not in ranks else best

    def _is_one_run(self, best: Shape) -> bool:
        """Is the row only for ace-high straights, so that its name says it all?"""
        lower = shape(tuple(rank - 1 for rank in best.ranks), best.suit)
        return best.run == ACE and self.row_of_shape(lower) != self.row_of_shape(best)

    def describe_nothing(self, held: Cards) -> str:
        if self.compared:
            return f"{RANK_NAMES[max(card.rank for card in held)].capitalize()} high"
        return f"Below {self.hands[-1].name.lower()}"


def _of_ranks(best: Shape, highest: int) -> str:
    """The ranks that distinguish hands in the same row, in words, from the one that is compared first.

    >>> _of_ranks(shape((13, 13, 13, 4, 4), ""), 13), _of_ranks(shape((12, 12, 7), ""), 12), _of_ranks(shape((14, 3, 2), "h"), 3)
    (', kings over 4s', ' of queens', ', 3 high')
    """
    first, *others = (RANK_NAMES[rank] for rank in best.by_group)
    match best.counts:
        case [1, *_]:
            return f", {RANK_NAMES[highest]} high"
        case [2, 2, *_]:
            return f", {first}s and {others[0]}s"
        case [2, *_]:
            return f" of {first}s"
        case [3, 2]:
            return f", {first}s over {others[0]}s"
    return f", {first}s"


def rank_named(name: str) -> int:
    return next(rank for rank, word in RANK_NAMES.items() if word == name.lower())
