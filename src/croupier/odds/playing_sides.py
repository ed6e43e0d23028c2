"""Side wagers in the simulation: each is a slice of the cards laid before a seat, a table of codes and what each code is worth."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.cards import JOKER, SUITS
from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Depending, Holds, Named, Place
from croupier.law.ranking import Ranking, shape
from croupier.law.settling import Settlement
from croupier.odds import counting, sides
from croupier.odds.dealing import Layout, enter
from croupier.odds.deals import CHOOSE, card
from croupier.odds.refusing import NotCounted
from croupier.odds.shapes import Side as Kind
from croupier.odds.shapes import by_color, by_fourth_card, cards_at, side_of
from croupier.odds.solved import Outcomes, Solved, Worth, asked, main_settlement, scaled, unit_of, worth
from croupier.odds.tables import _BIT, _HELD, _WEIGHT, NO_CODE, TOP, WEIGHTS, Table, multisets
from croupier.odds.tables import table as table_of

CARDS, BY_HAND, WITH_FOURTH, COLOURS = range(4)  # what a side wager looks at; three cards are looked up by their index
JOKER_CARD = 52


@dataclass(frozen=True)
class Played:
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


class Sides(NamedTuple):
    """What the kernel needs of all side wagers."""

    wagers: NDArray[np.int64]  # [wager]: what it looks at, from where to where, how many suited cards make a suited hand
    by_hand: NDArray[np.int16]  # [wager, three cards]: their code
    plains: NDArray[np.int16]  # [wager, weight]; last, what lies beside a joker
    suiteds: NDArray[np.int16]  # [wager, suit, ranks]; last, what lies beside a joker
    fourths: NDArray[np.int64]  # [card]: the value of the fact about a fourth card
    worths: NDArray[np.int64]  # [wager, folded, code]


@njit(cache=True, nogil=True)
def play_sides(sums, rounds, layout, sides, laid, hands, folded, nets):
    """Settle the side wagers of a block of rounds, the main game being wager 0. `hands` are the indices of the players' cards."""
    wagers, by_hand, plains, suiteds, fourths, worths = sides
    seats, player, dealer, _, _ = layout
    for side in range(len(wagers)):
        looks, start, stop, size = wagers[side]
        for row in range(rounds * seats):
            if looks == COLOURS:
                code = (dealer + 1) * _reds(laid, row, dealer, dealer + player) + _reds(laid, row, 0, dealer)
            elif looks == BY_HAND:
                code = by_hand[side, hands[row]]
            elif looks == WITH_FOURTH:
                code = 2 * by_hand[side, hands[row]] + fourths[laid[row, laid.shape[1] - 1]]
            else:
                code = _code(laid, row, start, stop, side, len(wagers), plains, suiteds, size)
            nets[row] = worths[side, folded[row], code]
        enter(sums, side + 1, nets, rounds, seats)


@njit(cache=True, nogil=True)
def _code(laid, row, start, stop, table, joker_table, plains, suiteds, size):
    """As `code_of`, of cards among which may be a joker; views of arrays, whose users must be counted, are not made."""
    total = ranks = held = 0
    for place in range(start, stop):
        each = laid[row, place]
        if each == JOKER_CARD:
            table, size = joker_table, size - 1
        else:
            total += _WEIGHT[each]
            ranks |= _BIT[each]
            held += _HELD[each]
    code = plains[table, total]
    enough = (held + (8 - size) * 0x1111) & 0x8888
    if enough:
        for suit in range(4):
            if enough >> (4 * suit + 3) & 1:
                code = max(code, suiteds[table, suit, ranks >> (16 * suit) & 0x1FFF])
    return code


@njit(cache=True, nogil=True)
def _reds(laid, row, start, stop):
    reds = 0
    for place in range(start, stop):
        reds += 1 if 0 < laid[row, place] & 3 < 3 else 0
    return reds


@dataclass(frozen=True)
class Side:
    """One side wager: what it looks at, and the net of each code, not folded and folded."""

    settlement: Settlement
    looks: int
    places: tuple[int, int]
    table: Table
    fourths: list[int]
    nets: list[list[Fraction]]


def played_sides(offer: Offer, layout: Layout, solved: Solved) -> tuple[list[Played], Sides]:
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


def _by_hand(found: list[Side]) -> NDArray[np.int16]:
    looked_up = [side.looks in (BY_HAND, WITH_FOURTH) for side in found]
    codes = np.zeros((len(found), int(CHOOSE[52, 3]) if any(looked_up) else 1), dtype=np.int16)
    for n, side in enumerate(found):
        if looked_up[n]:
            codes[n] = counting.codes_of_all(3, *side.table.arrays, CHOOSE)
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
    return fact.ways[offer.readings[fact.reading.name]] if isinstance(fact, Depending) else fact


def _side(offer: Offer, settlement: Settlement, layout: Layout) -> Side:
    kind = side_of(offer.rules, settlement)
    named = [fact for fact in settlement.asks if isinstance(fact, Named)]
    known: dict[str, Any] = {fact.name: False for fact in named}  # what the system draws is priced apart: here it draws nothing
    if kind is Kind.COLORS:
        values = by_color(settlement, named[0], layout.player, layout.dealer).values()
        return Side(
            settlement, COLOURS, (0, 0), _any_table(offer), [], _nets(offer, settlement, [({named[0].name: v}, "") for v in values])
        )
    way = _way(offer, settlement)
    assert way is not None
    start, stop = _slice(settlement, way, layout)
    table, three = table_of(way.ranking, stop - start), (start, stop) == (layout.dealer, layout.dealer + 3)
    if kind is not Kind.ROW_AND_FOURTH_CARD:
        seen = [(known, row) for row in table.row_of_code]
        return Side(settlement, BY_HAND if three else CARDS, (start, stop), table, [], _nets(offer, settlement, seen))
    fourths = by_fourth_card(settlement, named[0], {n: card(n) for n in range(52)})
    if not three or not {True, False} >= {*fourths.values()}:
        raise NotCounted(settlement, f"no simulation knows “{named[0].name}” of this hand", "three cards, and a fourth: yes or no")
    seen = [({named[0].name: value}, row) for row, value in product(table.row_of_code, (False, True))]
    return Side(settlement, WITH_FOURTH, (start, stop), table, list(map(int, fourths.values())), _nets(offer, settlement, seen))


def _any_table(offer: Offer) -> Table:
    """A wager on colours looks at no table, but its row has a place for one."""
    ranking = next(rule for rule in offer.rules.of(Ranking))
    return table_of(ranking, ranking.size)


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


def _nets(offer: Offer, settlement: Settlement, seen: list[tuple[dict[str, Any], str]]) -> list[list[Fraction]]:
    return [
        [net_at_seed(offer, settlement, _worth(offer, settlement, {**known, "player folded": folded}, row)) for known, row in seen]
        for folded in (False, True)
    ]


def _worth(offer: Offer, settlement: Settlement, known: dict[str, Any], row: str) -> Worth:
    rows = {id(fact): row for fact in settlement.asks if isinstance(fact, Holds | Depending)}
    unit = unit_of(offer, settlement.of)
    return worth(offer, settlement, asked(settlement, offer, known, rows), {settlement.of.key: Fraction(1)}, unit=unit)


def net_at_seed(offer: Offer, settlement: Settlement, found: Worth) -> Fraction:
    """The net of a unit; of a progressive with the meter at its seed."""
    if not found.meter:
        return found.net
    unit = unit_of(offer, settlement.of)
    return found.net + found.meter * Fraction(offer.seed(settlement.of.name, unit, again=False), unit)


def _played(offer: Offer, settlement: Settlement, solved: Solved, scale: int) -> Played:
    outcomes = Outcomes()
    for values, count in sides.count(offer, settlement, lambda: solved):
        facts, unit = asked(settlement, offer, {}, values), unit_of(offer, settlement.of)
        found = worth(offer, settlement, facts, {settlement.of.key: Fraction(1)}, unit=unit)
        outcomes.add(Worth(net_at_seed(offer, settlement, found)), count, found.label)
    side = f" ({settlement.of.side}'s hand)" if settlement.of.side else ""
    drawn = any(offer.draws.get(fact.draw.value) for fact in settlement.drawn.values())  # in the price, but not played here
    return Played(
        settlement.of.name + side + (", without draws" if drawn else ""),
        settlement.of.key,
        scale,
        outcomes.mean(),
        rounds_needed(outcomes),
    )


def with_joker(table: Table) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
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
