"""How simulated wagers look at the cards before a seat: the facts that a settlement asks, compiled for the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import JOKER, SUITS
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Compared, DealerHas, Drawn, Fact, Has, Holds, Named, Place
from croupier.law.forfeits import ANSWERED
from croupier.law.ranking import Ranking, rank_named, shape
from croupier.law.settlement import Settlement
from croupier.odds.kernels.random_rounds import AT_LEAST, COMPARED, HIGH, RANKED, SIGHT, VALUE, Layout, Settlements
from croupier.odds.kernels.rank_tables import NO_CODE, TOP, WEIGHTS, RankTable, multisets, rank_table, too_many_strengths
from croupier.odds.solvers.against_dealer import runs_fill_a_row
from croupier.odds.solvers.enumerator import COMPARISONS, MOST_CARDS
from croupier.odds.solvers.not_counted import NotCounted
from croupier.odds.solvers.shapes import facts_of, seen_as
from croupier.odds.solvers.sights import Sight, sight

Asked = dict[Fact, tuple[Any, ...]]  # the facts that a wager looks at, with the values of each by number


def _verify_size(ranking: Ranking, count: int, *, by_strength: bool) -> None:
    """Refuse what no table has room for."""
    shape = f"a row of {count} cards" if count > MOST_CARDS else too_many_strengths(ranking) if by_strength else ""
    if shape:
        raise NotCounted(ranking, f"no simulation supports {shape}", f"hands of fewer cards, in rows of up to {MOST_CARDS}")


def columns_of(layout: Layout, place: Place) -> range:
    """Where the cards of a place lie among those before a seat."""
    _, player, dealer, community, fourth = layout
    start = {PLAYER: 0, DEALER: player, COMMUNITY: player + dealer, FOURTH: player + dealer + community}[place]
    return range(start, start + {PLAYER: player, DEALER: dealer, COMMUNITY: community, FOURTH: fourth}[place])


@dataclass
class Looks:
    """The looks of all wagers, numbered for the kernel."""

    layout: Layout
    readings: Mapping[str, str]
    jokers: int
    wagers: list[tuple[int, int]] = field(default_factory=list)
    looks: list[tuple[int, int, int, int]] = field(default_factory=list)
    views: list[tuple[int, ...]] = field(default_factory=list)
    tables: list[RankTable] = field(default_factory=list)
    sights: list[tuple[list[int], list[int]]] = field(default_factory=list)  # the kind of each card and the base; the values

    def add(self, settlement: Settlement, at: Mapping[Place, int], known: Iterable[Fact]) -> Asked:
        """One more wager: its facts, apart from answers, draws and those that the ending says."""
        first, asked, found = len(self.looks), Asked(), list[tuple[int, int, int]]()
        for whole in facts_of(settlement):
            if not isinstance(whole, (*ANSWERED, Drawn)) and whole not in known:
                look, asked[whole] = self._look(settlement, seen_as(whole, self.readings), at)
                found.append(look)
        sizes = [len(values) for values in asked.values()]
        self.looks += [(*look, prod(sizes[n + 1 :])) for n, look in enumerate(found)]
        self.wagers.append((first, len(self.looks)))
        return asked

    def _look(self, settlement: Settlement, fact: Any, at: Mapping[Place, int]) -> tuple[tuple[int, int, int], tuple[Any, ...]]:
        """How, the view, and the other view or the least; and the values by number."""
        match fact:
            case Holds():
                view, table = self._ranked(fact.ranking, fact.places, first=fact.first)
                return (VALUE, view, 0), tuple(table.row_of_code)
            case Compared():
                (mine, _), (theirs, _) = (
                    self._ranked(fact.ranking, (whose, *fact.shared), by_strength=True) for whose in (PLAYER, DEALER)
                )
                return (COMPARED, mine, theirs), COMPARISONS
            case DealerHas() | Has():
                places = (DEALER, *fact.shared) if isinstance(fact, DealerHas) else fact.places
                if fact.least in fact.ranking.rows or runs_fill_a_row(fact.ranking):
                    view, table = self._ranked(fact.ranking, places, by_strength=True)
                    return (AT_LEAST, view, table.least_code(fact.least)), (False, True)
                view, _ = self._ranked(fact.ranking, places, how=HIGH)
                return (AT_LEAST, view, rank_named(fact.least.lower().removesuffix(" high")) - 2), (False, True)
            case Named():
                found = sight(settlement, fact, at, self.readings)
                return (VALUE, self._sight(fact, found), 0), tuple(fact.values)
        raise NotCounted(settlement, f"no simulation supports “{fact.name}”", "facts about the cards, and answers")

    def _ranked(
        self, ranking: Ranking, places: Iterable[Place], *, by_strength: bool = False, first: int = 0, how: int = RANKED
    ) -> tuple[int, RankTable]:
        """The number of a view of some places, with only the `first` community cards if given, and the table that ranks it."""
        columns = list[int]()
        for place in places:
            columns += columns_of(self.layout, place)[: first if first and place is COMMUNITY else None]
        _verify_size(ranking, len(columns), by_strength=by_strength)
        table = rank_table(ranking, len(columns), by_strength=by_strength)
        if table not in self.tables:
            self.tables.append(table)
        return self._view(how, self.tables.index(table), columns), table

    def _sight(self, fact: Named, found: Sight) -> int:
        """The number of a view of what a fact sees."""
        columns = [column for place, count in found.places.items() for column in columns_of(self.layout, place)[:count]]
        base = max(found.kind_of.values()) + 1
        numbers = [0] * base ** len(columns)
        for kinds, value in found.values.items():
            numbers[sum(kind * base**n for n, kind in enumerate(reversed(kinds)))] = fact.values.index(value)
        self.sights.append(([*(found.kind_of.get(card, 0) for card in range(53)), base], numbers))
        return self._view(SIGHT, len(self.sights) - 1, columns)

    def _view(self, how: int, by: int, columns: list[int]) -> int:
        view = (how, by, len(columns), *columns)
        if view not in self.views:
            self.views.append(view)
        return self.views.index(view)

    def compiled(self, worths: NDArray[np.int64]) -> Settlements:
        codes = [(table.plain, table.suited) for table in self.tables]
        if self.jokers and self.tables:
            codes.append(with_joker(self.tables[0]))
        return Settlements(
            np.array(self.wagers, dtype=np.int64),
            np.array(self.looks, dtype=np.int64).reshape(-1, 4),
            padded(self.views),
            np.stack([plain for plain, _ in codes]) if codes else np.zeros((1, 1), dtype=np.int16),
            np.stack([suited for _, suited in codes]) if codes else np.zeros((1, 1, 1), dtype=np.int16),
            np.array([table.ranking.size for table in self.tables] or [0], dtype=np.int64),
            padded([kinds for kinds, _ in self.sights]),
            padded([numbers for _, numbers in self.sights]).astype(np.int16),
            worths,
        )


def padded(rows: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Rows of different lengths as one array, with zeros at the end."""
    found = np.zeros((len(rows), max(map(len, rows), default=0)), dtype=np.int64)
    for row, values in zip(found, rows, strict=True):
        row[: len(values)] = values
    return found


def with_joker(table: RankTable) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The codes of a joker with other cards, by the ranks and the suit of the others; the chapter is asked about each shape."""
    plain, suited = np.zeros(TOP, dtype=np.int16), np.full((4, 8192), NO_CODE, dtype=np.int16)
    code = {row: n for n, row in enumerate(table.row_of_code)}

    def asks(ranks: tuple[int, ...], suit: str) -> int:
        return code[table.ranking.rows[table.ranking.row_of_shape(shape((*ranks, JOKER.rank), suit))]]

    for ranks in multisets(table.cards - 1):
        plain[sum(int(WEIGHTS[rank - 2]) for rank in ranks)] = asks(ranks, "")
        if len(set(ranks)) == len(ranks):
            for n, suit in enumerate(SUITS):
                suited[n, sum(1 << (rank - 2) for rank in ranks)] = asks(ranks, suit)
    return plain, suited
