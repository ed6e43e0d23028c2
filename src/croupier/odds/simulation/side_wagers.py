"""Side wagers in the simulation: each looks at slices of the cards before a seat, and has a net for each number that it sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, product
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from croupier.cards import JOKER, SUITS
from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Compared, DealerHas, Drawn, Fact, Folded, Has, Holds, Named, Place
from croupier.law.ranking import shape
from croupier.law.settlement import Settlement
from croupier.odds.kernels import hand_counts
from croupier.odds.kernels.card_sets import CHOOSE
from croupier.odds.kernels.random_rounds import AT_LEAST, BY_HAND, CARDS, COMPARED, SIGHT, Layout, Sides
from croupier.odds.kernels.rank_tables import NO_CODE, TOP, WEIGHTS, RankTable, multisets, rank_table
from croupier.odds.solvers import side_wagers
from croupier.odds.solvers.enumerator import COMPARISONS
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.not_counted import NotCounted
from croupier.odds.solvers.shapes import cards_at, facts_of, seen_as
from croupier.odds.solvers.sights import Sight, sight
from croupier.odds.solvers.solution import Outcomes, Solved, Worth, asked, scaled, unit_of, worth


@dataclass(frozen=True)
class SimulatedWager:
    """A wager that is played: how its results are scaled to integers, the exact mean, and how many rounds an interval needs."""

    name: str
    key: str
    scale: int
    exact: Fraction | None  # none where the game cannot be counted
    needs: int


NOT_KNOWN = 1_000_000  # rounds for an interval where nobody knows how rare what pays is


def rounds_needed(outcomes: Outcomes) -> int:
    """From how many rounds on a mean is about normal: 25 times the square of the skewness (Cochran's rule), at least 30."""
    deals, mean = outcomes.deals, float(outcomes.mean())
    parts = [(float(net) - mean, count / deals) for (_, net, *_), count in outcomes.counts.items()]
    square, cube = (sum(share * apart**power for apart, share in parts) for power in (2, 3))
    return max(30, round(25 * cube**2 / square**3)) if square else 30


@dataclass(frozen=True)
class Look:
    """How a side wager looks at the cards before a seat, and the values that it may see, by number."""

    how: int
    where: tuple[int, int]
    values: tuple[Any, ...]
    table: RankTable | None = None
    other: tuple[int, int] = (0, 0)
    other_table: RankTable | None = None
    least: int = 0
    found: Sight | None = None


@dataclass(frozen=True)
class SimulatedSide:
    """One side wager: the facts that it looks for, and the net of each code, not folded and folded."""

    settlement: Settlement
    looks: dict[Fact, Look]
    nets: list[list[Fraction]]


def played_sides(offer: Offer, layout: Layout, solved: Solved | None) -> tuple[list[SimulatedWager], Sides]:
    """The side wagers that an Offer offers, and the exact mean of each when the main game is played so."""
    found = [_side(offer, settlement, layout) for settlement in placed(offer)]
    nets = [scaled(net for each in side.nets for net in each) for side in found]
    worths = np.zeros((len(found), 2, max((len(side.nets[0]) for side in found), default=1)), dtype=np.int64)
    for n, (numbers, _) in enumerate(nets):
        worths[n, :, : len(numbers) // 2] = np.array(numbers).reshape(2, -1)
    played = [_played(offer, side.settlement, solved, scale) for side, (_, scale) in zip(found, nets, strict=True)]
    looks = [look for side in found for look in side.looks.values()]
    ends = np.cumsum([0, *(len(side.looks) for side in found)])
    tables = list(dict.fromkeys(table for look in looks for table in (look.table, look.other_table) if table))
    codes = [(table.plain, table.suited) for table in tables]
    if offer.rules.decks.jokers and tables:
        codes.append(with_joker(tables[0]))
    strides = [prod(len(look.values) for look in [*side.looks.values()][n + 1 :]) for side in found for n in range(len(side.looks))]
    sights = [_numbered(look) for look in looks]
    longest = max(map(len, sights), default=1)
    return played, Sides(
        np.stack([ends[:-1], ends[1:]], axis=1).astype(np.int64),
        np.array([_row(look, tables, stride) for look, stride in zip(looks, strides, strict=True)], dtype=np.int64).reshape(-1, 8),
        _by_hand(looks),
        np.stack([plain for plain, _ in codes]) if codes else np.zeros((1, 1), dtype=np.int16),
        np.stack([suited for _, suited in codes]) if codes else np.zeros((1, 1, 1), dtype=np.int16),
        np.array([table.ranking.size for table in tables] or [0], dtype=np.int64),
        np.array([[look.found.kind_of[n] if look.found and n < 52 else 0 for n in range(53)] for look in looks] or [[0]]),
        np.array([[*each, *[0] * (longest - len(each))] for each in sights] or [[0]], dtype=np.int16),
        worths,
    )


def _row(look: Look, tables: list[RankTable], stride: int) -> tuple[int, ...]:
    table = tables.index(look.table) if look.table else 0
    last = tables.index(look.other_table) if look.other_table else 0
    base = max(look.found.kind_of.values()) + 1 if look.found else 0
    first = look.other[0] if look.how == COMPARED else look.least or base
    return (look.how, *look.where, table, stride, first, look.other[1], last)


def _numbered(look: Look) -> list[int]:
    """The numbers of the values that a sight has, by the digits of what is seen."""
    if not look.found:
        return [0]
    base = max(look.found.kind_of.values()) + 1
    found = [0] * base ** sum(look.found.places.values())
    for kinds, value in look.found.values.items():
        found[sum(kind * base**n for n, kind in enumerate(reversed(kinds)))] = look.values.index(value)
    return found


def _by_hand(looks: list[Look]) -> NDArray[np.int16]:
    codes = np.zeros((len(looks), int(CHOOSE[52, 3]) if any(look.how == BY_HAND for look in looks) else 1), dtype=np.int16)
    for n, look in enumerate(looks):
        if look.how == BY_HAND and look.table:
            codes[n] = hand_counts.codes_of_all(3, *look.table.arrays, CHOOSE)
    return codes


def placed(offer: Offer) -> list[Settlement]:
    """The settlements of the side wagers that an Offer offers."""
    return [each for each in offer.rules.settlements if each is not main_settlement(offer.rules) and offer.offers(each.of)]


def dealt_beside(offer: Offer, place: Place) -> int:
    """How many cards lie at a place when the side wagers are made."""
    return max((cards_at(offer.rules, each).get(place, 0) for each in placed(offer)), default=0)


def _side(offer: Offer, settlement: Settlement, layout: Layout) -> SimulatedSide:
    side_wagers.verify(settlement)
    at, looks, others = cards_at(offer.rules, settlement), dict[Fact, Look](), dict[Fact, Any]()
    for fact in facts_of(settlement):
        if isinstance(fact, Drawn):
            others[fact] = False  # what the system draws is priced apart: here it draws nothing
        elif not isinstance(fact, Folded):
            looks[fact] = _look(offer, settlement, seen_as(fact, offer.readings), at, layout)
    nets = [
        [
            net_at_seed(offer, settlement, _worth(offer, settlement, others | dict(zip(looks, values, strict=True)), folded))
            for values in product(*(look.values for look in looks.values()))
        ]
        for folded in (False, True)
    ]
    return SimulatedSide(settlement, looks, nets)


def _look(offer: Offer, settlement: Settlement, fact: Any, at: Mapping[Place, int], layout: Layout) -> Look:
    match fact:
        case Holds():
            where = _slice(settlement, fact, fact.places, layout, fact.first)
            table = rank_table(fact.ranking, where[1] - where[0])
            by_hand = fact.places == (PLAYER,) and layout.player == 3
            return Look(BY_HAND if by_hand else CARDS, where, tuple(table.row_of_code), table)
        case Compared():
            mine, theirs = (_slice(settlement, fact, (whose, *fact.shared), layout) for whose in (PLAYER, DEALER))
            tables = [rank_table(fact.ranking, stop - start, by_strength=True) for start, stop in (mine, theirs)]
            return Look(COMPARED, mine, COMPARISONS, tables[0], theirs, tables[1])
        case DealerHas() | Has():
            places = (DEALER, *fact.shared) if isinstance(fact, DealerHas) else fact.places
            where = _slice(settlement, fact, places, layout)
            table = rank_table(fact.ranking, where[1] - where[0], by_strength=True)
            return Look(AT_LEAST, where, (False, True), table, least=table.least_code(fact.least))
        case Named():
            found = sight(settlement, fact, at, offer.readings)
            where = _slice(settlement, fact, tuple(found.places), layout)
            return Look(SIGHT, where, tuple(fact.values), found=_as_laid(found))
    raise NotCounted(settlement, f"no simulation knows “{fact.name}”", "facts about the cards, and whether the player folds")


def _as_laid(found: Sight) -> Sight:
    """What a fact sees, with the places in the order in which they lie before a seat."""
    order = [place for place in (DEALER, PLAYER, COMMUNITY, FOURTH) if place in found.places]
    starts = dict(zip(found.places, accumulate(found.places.values(), initial=0), strict=False))
    at = [n for place in order for n in range(starts[place], starts[place] + found.places[place])]
    values = {tuple(kinds[n] for n in at): value for kinds, value in found.values.items()}
    return replace(found, places={place: found.places[place] for place in order}, values=values)


def _slice(settlement: Settlement, fact: Fact, places: tuple[Place, ...], layout: Layout, first: int = 0) -> tuple[int, int]:
    """Where the places lie among the cards before a seat; see `lay_out`."""
    _, player, dealer, community, _ = layout
    shown, end = first or community, 2 * dealer + player + community
    lies: dict[frozenset[Place], tuple[int, int]] = {
        frozenset(): (0, 0),
        frozenset({PLAYER}): (dealer, dealer + player),
        frozenset({DEALER}): (0, dealer),
        frozenset({COMMUNITY}): (dealer + player, dealer + player + shown),
        frozenset({FOURTH}): (end, end + 1),
        frozenset({PLAYER, DEALER}): (0, dealer + player),
        frozenset({PLAYER, COMMUNITY}): (dealer, dealer + player + shown),
        frozenset({DEALER, COMMUNITY}): (dealer + player, end),
        frozenset({PLAYER, DEALER, COMMUNITY}): (0, dealer + player + shown),
    }
    if frozenset(places) not in lies or (first and DEALER in places):
        raise NotCounted(settlement, f"no simulation knows “{fact.name}”", "the player's cards, alone or with others")
    return lies[frozenset(places)]


def _worth(offer: Offer, settlement: Settlement, known: dict[Fact, Any], folded: bool) -> Worth:
    folds: dict[Fact, Any] = {fact: folded for fact in settlement.asks if isinstance(fact, Folded)}
    unit = unit_of(offer, settlement.of)
    return worth(offer, settlement, asked(settlement, offer, known | folds), {settlement.of.key: Fraction(1)}, unit=unit)


def net_at_seed(offer: Offer, settlement: Settlement, found: Worth) -> Fraction:
    """The net of a unit; of a progressive with the meter at its seed."""
    if not found.meter:
        return found.net
    unit = unit_of(offer, settlement.of)
    return found.net + found.meter * Fraction(offer.seed(settlement.of.name, unit, again=False), unit)


def _played(offer: Offer, settlement: Settlement, solved: Solved | None, scale: int) -> SimulatedWager:
    outcomes = _outcomes(offer, settlement, solved)
    side = f" ({settlement.of.side}'s hand)" if settlement.of.side else ""
    drawn = any(offer.draws.get(fact.key) for fact in settlement.drawn.values())  # in the price, but not played here
    return SimulatedWager(
        settlement.of.name + side + (", without draws" if drawn else ""),
        settlement.of.key,
        scale,
        outcomes.mean() if outcomes else None,
        rounds_needed(outcomes) if outcomes else NOT_KNOWN,
    )


def _outcomes(offer: Offer, settlement: Settlement, solved: Solved | None) -> Outcomes | None:
    """What a side wager comes to; not known where it depends on a main game that cannot be counted."""
    if solved is None and any(isinstance(fact, Folded) for fact in settlement.asks):
        return None
    outcomes = Outcomes()
    for values, count in side_wagers.count(offer, settlement, lambda: cast(Solved, solved)):
        facts, unit = asked(settlement, offer, values), unit_of(offer, settlement.of)
        found = worth(offer, settlement, facts, {settlement.of.key: Fraction(1)}, unit=unit)
        outcomes.add(Worth(net_at_seed(offer, settlement, found)), count, found.label)
    return outcomes


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
