"""Facts about batches of cards, compiled for the kernel that deals them out (`kernels.every_deal`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Compared, DealerHas, Drawn, Fact, Has, Holds, Named, Place
from croupier.law.ranking import Ranking, rank_named
from croupier.law.settlement import Settlement
from croupier.odds.kernels import every_deal as kernel
from croupier.odds.kernels.card_sets import FULL, Deck
from croupier.odds.kernels.random_rounds import Layout
from croupier.odds.kernels.rank_tables import MOST_CODES, RankTable, rank_table, too_many_strengths
from croupier.odds.solvers.main_game import NotCounted
from croupier.odds.solvers.shapes import Street, seen_as
from croupier.odds.solvers.sights import Sight, sight
from croupier.odds.solvers.solution import COMPARED

MOST_LOOKED_AT = 5  # cards that a function looks at alongside other facts
MOST_CARDS = 7  # in a row: see `rank_tables.WEIGHTS`
MOST_FIRST = 5  # cards in a first batch whose sets are listed; the kernel deals larger ones
ANY_CARDS = (
    "any cards in front of the player, the dealer and the community, with decisions between them, if the deals are not too many"
)


@dataclass(frozen=True)
class Batch:
    """Cards of one place that come together."""

    place: Place
    count: int


def batches_of(
    cards: Mapping[Place, int], streets: Sequence[Street], facts: Mapping[Any, Iterable[Place]]
) -> tuple[tuple[Batch, ...], tuple[int, ...]]:
    """The batches in the order in which a player sees them, and how many are known at each decision.

    Cards that no player sees come last, the largest batch at the end, where dealing is cheapest. Cards that no fact looks at
    are not dealt.
    """
    found, known, asked_at = list[Batch](), dict.fromkeys(cards, 0), list[int]()
    cuts = {fact.first for fact in facts if isinstance(fact, Holds) and fact.first}

    def show(place: Place, upto: int) -> None:
        for cut in sorted({cut for cut in cuts if place is COMMUNITY and known[place] < cut < upto} | {upto}):
            if cut > known[place]:
                if not found and cut - known[place] > MOST_FIRST:
                    found.append(Batch(place, 0))
                found.append(Batch(place, cut - known[place]))
                known[place] = cut

    for street in streets:
        for place in cards:
            show(place, street.seen.get(place, 0))
        if not found:  # decided before any card: the batch before it is empty
            found.append(Batch(PLAYER, 0))
        asked_at.append(len(found))
    looked = {place for places in facts.values() for place in places}
    for place in sorted(cards, key=lambda each: cards[each] - known[each]):
        if place in looked:
            show(place, cards[place])
    return tuple(found), tuple(asked_at)


def places_of(
    settlement: Settlement, fact: Any, at: Mapping[Place, int], readings: Mapping[str, str], deck: Deck
) -> tuple[Place, ...]:
    """The places that a fact looks at."""
    match fact:
        case Holds() | Has():
            return fact.places
        case Compared():
            return (PLAYER, DEALER, *fact.shared)
        case DealerHas():
            return (DEALER, *fact.shared)
        case Named() if not isinstance(fact, Drawn):
            return tuple(sight(settlement, fact, at, readings, deck).places)
    return ()


class Tables:
    """Facts about the cards at some places, compiled for the kernel."""

    def __init__(
        self,
        settlement: Settlement,
        facts: Sequence[Fact],
        at: Mapping[Place, int],
        readings: Mapping[str, str],
        deck: Deck = FULL,
        shape: str = "",
        streets: Sequence[Street] = (),
        *,
        simulates: int | None = None,
    ) -> None:
        """`simulates` is the number of jokers if a simulation uses the tables: its batches keep the order of the deal."""
        self.settlement, self.readings, self.deck = settlement, readings, deck
        self._shape = f": {shape}" if shape else ""
        self._simulates = simulates
        self._views: list[tuple[int, int, int, int]] = []
        self._tables: list[RankTable] = []
        self._lookups: list[tuple[list[int], NDArray[np.int16]]] = []
        self._asks: list[tuple[int, int, int]] = []
        self.facts: list[Fact] = []
        self.values: list[tuple[Any, ...]] = []
        self.suits_matter = False
        seen = {each: places_of(settlement, each, at, readings, deck) for each in (seen_as(fact, readings) for fact in facts)}
        self.batches, self.asked_at = batches_of(at, streets, seen)  # and how many are known at each decision
        for fact in facts:
            self._add(fact)

    @property
    def at(self) -> dict[Place, int]:
        found: dict[Place, int] = {}
        for batch in self.batches:
            found[batch.place] = found.get(batch.place, 0) + batch.count
        return found

    def refuse(self, shape: str, known: str = ANY_CARDS) -> NotCounted:
        who = "counter" if self._simulates is None else "simulation"
        return NotCounted(self.settlement, f"no {who} supports {shape}{self._shape}", known)

    def view(
        self,
        ranking: Ranking,
        places: Iterable[Place],
        *,
        by_strength: bool = False,
        first: int = 0,
        known: int = 0,
        how: int = kernel.RANKED,
    ) -> int:
        """The number of a view: the known batches of these places, or only the `first` community cards, and their ranking."""
        bits, cards, places = 0, 0, tuple(places)
        shared = 0
        for n, batch in enumerate(self.batches[: known or None]):
            if batch.place in places and not (first and batch.place is COMMUNITY and shared >= first):
                bits, cards = bits | 1 << n, cards + batch.count
            shared += batch.count if batch.place is COMMUNITY else 0
        if not ranking.size <= cards <= MOST_CARDS:
            more = "more" if cards > MOST_CARDS else f"in a hand of {ranking.size}"
            raise self.refuse(f"a row of {cards} cards {more}", f"as many cards as a hand has, up to {MOST_CARDS}")
        if by_strength and any(hand.size for hand in ranking.hands):
            raise self.refuse(f"a comparison of hands of several sizes (“{ranking.name}”)", "hands of one size")
        if by_strength and (many := too_many_strengths(ranking)):
            raise self.refuse(many, f"up to {MOST_CODES:,} kinds")
        table = rank_table(ranking, cards, by_strength, self._simulates or 0)
        self.suits_matter = self.suits_matter or table.asks_for_suit
        if table not in self._tables:
            self._tables.append(table)
        return self._numbered((bits, how, self._tables.index(table), ranking.size))

    def _numbered(self, view: tuple[int, int, int, int]) -> int:
        if view not in self._views:
            self._views.append(view)
        return self._views.index(view)

    def table(self, view: int) -> RankTable:
        return self._tables[self._views[view][2]]

    def at_least(self, ranking: Ranking, least: str, places: Iterable[Place], known: int = 0) -> tuple[int, int]:
        """A view of some cards, and what it sees at least if they make this row, or have this high card, or better."""
        if least in ranking.rows:
            view = self.view(ranking, places, known=known)
            return view, self.table(view).least_code(least)
        return self.view(ranking, places, known=known, how=kernel.HIGH), 1 << (rank_named(least.lower().removesuffix(" high")) - 2)

    def lookup(self, kinds: list[int], numbers: NDArray[np.int16], places: Iterable[Place], known: int = 0) -> int:
        """A view of the kinds of the cards at some places: see `Sight.table`."""
        places = tuple(places)
        bits = sum(1 << n for n, batch in enumerate(self.batches[: known or None]) if batch.place in places)
        self._lookups.append((kinds, numbers))
        return self._numbered((bits, kernel.LOOKED_UP, len(self._lookups) - 1, 0))

    def _add(self, whole: Any) -> None:
        values: tuple[Any, ...] = (False, True)
        match fact := seen_as(whole, self.readings):
            case Holds():
                view = self.view(fact.ranking, fact.places, first=fact.first)
                ask, values = (kernel.ROW, view, len(fact.ranking.hands)), fact.ranking.rows
            case Compared():
                mine, theirs = (self.view(fact.ranking, (whose, *fact.shared), by_strength=True) for whose in (PLAYER, DEALER))
                ask, values = (kernel.COMPARED, mine, theirs), COMPARED
            case DealerHas():
                ask = (kernel.AT_LEAST, *self.at_least(fact.ranking, fact.least, (DEALER, *fact.shared)))
            case Has():
                ask = (kernel.AT_LEAST, *self.at_least(fact.ranking, fact.least, fact.places))
            case Named() if not isinstance(fact, Drawn):
                found, values = sight(self.settlement, fact, self.at, self.readings, self.deck), tuple(fact.values)
                if self._simulates is None:
                    self._verify_sets(fact, found)
                ask = (kernel.VALUE, self.lookup(*found.table(values), found.places), 0)
            case _:
                raise self.refuse(f"“{fact.name}”")
        self._asks.append(ask)
        self.facts.append(whole)
        self.values.append(values)

    def _verify_sets(self, fact: Named, sight: Sight) -> None:
        """Refuse a fact that depends on the order of its cards, since batches are sets, or on too many cards."""
        number = sum(sight.places.values())
        if (ordered := sight.in_any_order() is None) or number > MOST_LOOKED_AT:
            why = "the order of the cards" if ordered else f"{number} cards"
            raise NotCounted(self.settlement, f"“{fact.name}” looks at {why}, along with other facts", "a fact that is asked alone")
        if len(sight.places) > 1:
            raise self.refuse(f"“{fact.name}”, which looks at several places, along with other facts")
        self.suits_matter = self.suits_matter or not sight.is_suitless()

    @property
    def codes(self) -> int:
        return int(np.prod([len(each) for each in self.values], dtype=object)) if self.values else 1

    def cases(self) -> Iterator[dict[Fact, Any]]:
        """The values of the facts, by code."""
        for values in product(*self.values):
            yield dict(zip(self.facts, values, strict=True))

    def compiled(self) -> kernel.Facts:
        strides = [int(np.prod([len(each) for each in self.values[n + 1 :]], dtype=np.int64)) for n in range(len(self.values))]
        longest = max((len(numbers) for _, numbers in self._lookups), default=1)
        return kernel.Facts(
            np.array(self._views, dtype=np.int64).reshape(-1, 4),
            np.stack([each.plain for each in self._tables] or [np.zeros(1, dtype=np.int16)]),
            np.stack([each.suited for each in self._tables] or [np.zeros((4, 1), dtype=np.int16)]),
            np.array([kinds for kinds, _ in self._lookups], dtype=np.int64).reshape(-1, 54),
            np.array([np.pad(each, (0, longest - len(each))) for _, each in self._lookups], dtype=np.int16).reshape(-1, longest),
            np.array([(*ask, stride) for ask, stride in zip(self._asks, strides, strict=True)], dtype=np.int64).reshape(-1, 4),
        )


def columns_of(batches: Iterable[Batch], layout: Layout) -> list[int]:
    """Where each batch begins among a seat's cards."""
    shared = layout.player + layout.dealer
    begins, found = {PLAYER: 0, DEALER: layout.player, COMMUNITY: shared, FOURTH: shared + layout.community}, list[int]()
    for batch in batches:
        found.append(begins[batch.place])
        begins[batch.place] += batch.count
    return found
