"""Side wagers in the simulation: each looks at a slice of the cards at a seat and has a value for each hand code."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import JOKER, SUITS
from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Depending, Fact, Folded, Holds, Named, Place
from croupier.law.ranking import Ranking, shape
from croupier.law.settlement import Settlement
from croupier.odds.kernels import hand_counts
from croupier.odds.kernels.card_sets import CHOOSE, card
from croupier.odds.kernels.random_rounds import BY_HAND, CARDS, COLORS, WITH_FOURTH, Layout, Sides
from croupier.odds.kernels.rank_tables import NO_CODE, TOP, WEIGHTS, RankTable, multisets, rank_table
from croupier.odds.solvers import side_wagers
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.not_counted import NotCounted
from croupier.odds.solvers.shapes import SideShape, by_color, by_fourth_card, cards_at, side_shape_of
from croupier.odds.solvers.solution import Outcomes, Solved, Worth, asked, scaled, unit_of, worth


@dataclass(frozen=True)
class SimulatedWager:
    """A wager that is played: how its results are scaled to integers, the exact mean, and how many rounds an interval needs."""

    name: str
    key: str
    scale: int
    exact: Fraction
    needs: int


def rounds_needed(outcomes: Outcomes) -> int:
    """From how many rounds on a mean is about normal: 25 times the square of the skewness (Cochran's rule), at least 30."""
    deals, mean = outcomes.deals, float(outcomes.mean())
    parts = [(float(net) - mean, count / deals) for (_, net, *_), count in outcomes.counts.items()]
    square, cube = (sum(share * apart**power for apart, share in parts) for power in (2, 3))
    return max(30, round(25 * cube**2 / square**3)) if square else 30


@dataclass(frozen=True)
class SimulatedSide:
    """One side wager: what it looks at, and the net of each code, not folded and folded."""

    settlement: Settlement
    looks: int
    places: tuple[int, int]
    table: RankTable
    fourths: list[int]
    nets: list[list[Fraction]]


def played_sides(offer: Offer, layout: Layout, solved: Solved) -> tuple[list[SimulatedWager], Sides]:
    """The side wagers that an Offer offers, and the exact mean of each when the main game is played so."""
    found = [_side(offer, settlement, layout) for settlement in placed(offer)]
    nets = [scaled(net for each in side.nets for net in each) for side in found]
    worths = np.zeros((len(found), 2, max((len(side.nets[0]) for side in found), default=1)), dtype=np.int64)
    for n, (numbers, _) in enumerate(nets):
        worths[n, :, : len(numbers) // 2] = np.array(numbers).reshape(2, -1)
    played = [_played(offer, side.settlement, solved, scale) for side, (_, scale) in zip(found, nets, strict=True)]
    tables = [(side.table.plain, side.table.suited) for side in found]
    if offer.rules.decks.jokers and found:
        tables.append(with_joker(found[0].table))
    return played, Sides(
        np.array([(side.looks, *side.places, side.table.ranking.size) for side in found], dtype=np.int64).reshape(-1, 4),
        _by_hand(found),
        np.stack([plain for plain, _ in tables]) if found else np.zeros((1, 1), dtype=np.int16),
        np.stack([suited for _, suited in tables]) if found else np.zeros((1, 1, 1), dtype=np.int16),
        np.array(next((side.fourths for side in found if side.fourths), [0]), dtype=np.int64),
        worths,
    )


def _by_hand(found: list[SimulatedSide]) -> NDArray[np.int16]:
    looked_up = [side.looks in (BY_HAND, WITH_FOURTH) for side in found]
    codes = np.zeros((len(found), int(CHOOSE[52, 3]) if any(looked_up) else 1), dtype=np.int16)
    for n, side in enumerate(found):
        if looked_up[n]:
            codes[n] = hand_counts.codes_of_all(3, *side.table.arrays, CHOOSE)
    return codes


def placed(offer: Offer) -> list[Settlement]:
    """The settlements of the side wagers that an Offer offers."""
    return [each for each in offer.rules.settlements if each is not main_settlement(offer.rules) and offer.offers(each.of)]


def community_of(offer: Offer) -> int:
    """How many community cards the side wagers look at."""
    looked = [(each, _way(offer, each)) for each in placed(offer)]
    return max((cards_at(offer.rules, each)[COMMUNITY] for each, way in looked if way and COMMUNITY in way.places), default=0)


def fourth_of(offer: Offer) -> int:
    return max((cards_at(offer.rules, each).get(FOURTH, 0) for each in placed(offer)), default=0)


def _way(offer: Offer, settlement: Settlement) -> Holds | None:
    """How a side wager looks at cards, where it asks for a row."""
    fact = next((fact for fact in settlement.asks if isinstance(fact, Holds | Depending)), None)
    return side_wagers.way_of(fact, offer)[1] if fact else None


def _side(offer: Offer, settlement: Settlement, layout: Layout) -> SimulatedSide:
    kind = side_shape_of(offer.rules, settlement)
    named = [fact for fact in settlement.asks if isinstance(fact, Named)]
    known: dict[Fact, Any] = dict.fromkeys(named, False)  # what the system draws is priced apart: here it draws nothing
    if kind is SideShape.COLORS:
        values = by_color(settlement, named[0], layout.player, layout.dealer).values()
        return SimulatedSide(
            settlement, COLORS, (0, 0), _any_table(offer), [], _nets(offer, settlement, [({named[0]: v}, "") for v in values])
        )
    way = _way(offer, settlement)
    assert way is not None
    start, stop = _slice(settlement, way, layout)
    table, three = rank_table(way.ranking, stop - start), (start, stop) == (layout.dealer, layout.dealer + 3)
    if kind is not SideShape.ROW_AND_FOURTH_CARD:
        seen = [(known, row) for row in table.row_of_code]
        return SimulatedSide(settlement, BY_HAND if three else CARDS, (start, stop), table, [], _nets(offer, settlement, seen))
    fourths = by_fourth_card(settlement, named[0], {n: card(n) for n in range(52)})
    if not three or not {True, False} >= {*fourths.values()}:
        raise NotCounted(settlement, f"no simulation knows “{named[0].name}” of this hand", "three cards, and a fourth: yes or no")
    seen = [({named[0]: value}, row) for row, value in product(table.row_of_code, (False, True))]
    return SimulatedSide(
        settlement, WITH_FOURTH, (start, stop), table, list(map(int, fourths.values())), _nets(offer, settlement, seen)
    )


def _any_table(offer: Offer) -> RankTable:
    """Any table: a wager on colors looks nothing up, but its row needs one."""
    ranking = next(rule for rule in offer.rules.of(Ranking))
    return rank_table(ranking, ranking.size)


def _slice(settlement: Settlement, way: Holds, layout: Layout) -> tuple[int, int]:
    """Where the places lie among the cards before a seat; see `lay_out`."""
    _, player, dealer, community, _ = layout
    shown = way.first or community
    lies: dict[frozenset[Place], tuple[int, int]] = {
        frozenset({PLAYER}): (dealer, dealer + player),
        frozenset({PLAYER, DEALER}): (0, dealer + player),
        frozenset({PLAYER, COMMUNITY}): (dealer, dealer + player + shown),
        frozenset({DEALER, COMMUNITY}): (dealer + player, 2 * dealer + player + community),
    }
    if frozenset(way.places) not in lies:
        raise NotCounted(settlement, f"no simulation knows “{way.name}”", "the player's cards, alone or with others")
    return lies[frozenset(way.places)]


def _nets(offer: Offer, settlement: Settlement, seen: list[tuple[dict[Fact, Any], str]]) -> list[list[Fraction]]:
    return [
        [net_at_seed(offer, settlement, _worth(offer, settlement, known | _folds(settlement, folded), row)) for known, row in seen]
        for folded in (False, True)
    ]


def _folds(settlement: Settlement, folded: bool) -> dict[Fact, Any]:
    return {fact: folded for fact in settlement.asks if isinstance(fact, Folded)}


def _worth(offer: Offer, settlement: Settlement, known: dict[Fact, Any], row: str) -> Worth:
    rows: dict[Fact, Any] = {fact: row for fact in settlement.asks if isinstance(fact, Holds | Depending)}
    unit = unit_of(offer, settlement.of)
    return worth(offer, settlement, asked(settlement, offer, known | rows), {settlement.of.key: Fraction(1)}, unit=unit)


def net_at_seed(offer: Offer, settlement: Settlement, found: Worth) -> Fraction:
    """The net of a unit; of a progressive with the meter at its seed."""
    if not found.meter:
        return found.net
    unit = unit_of(offer, settlement.of)
    return found.net + found.meter * Fraction(offer.seed(settlement.of.name, unit, again=False), unit)


def _played(offer: Offer, settlement: Settlement, solved: Solved, scale: int) -> SimulatedWager:
    outcomes = Outcomes()
    for values, count in side_wagers.count(offer, settlement, lambda: solved):
        facts, unit = asked(settlement, offer, values), unit_of(offer, settlement.of)
        found = worth(offer, settlement, facts, {settlement.of.key: Fraction(1)}, unit=unit)
        outcomes.add(Worth(net_at_seed(offer, settlement, found)), count, found.label)
    side = f" ({settlement.of.side}'s hand)" if settlement.of.side else ""
    drawn = any(offer.draws.get(fact.draw.value) for fact in settlement.drawn.values())  # in the price, but not played here
    return SimulatedWager(
        settlement.of.name + side + (", without draws" if drawn else ""),
        settlement.of.key,
        scale,
        outcomes.mean(),
        rounds_needed(outcomes),
    )


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
