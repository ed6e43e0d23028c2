"""Side wagers: how many deals give each combination of the facts that their settlement asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any

import numpy as np

from croupier.cards import JOKER, SUITS, Card, Cards
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Depending, Draw, Drawn, Fact, Folded, Holds, Named, Place, Position
from croupier.law.ranking import Ranking, shape
from croupier.law.settlement import Settlement
from croupier.odds.kernels import hand_counts
from croupier.odds.kernels.card_sets import CHOOSE, FULL, Deck, card, classes, turned
from croupier.odds.kernels.rank_tables import WEIGHTS, multisets, rank_table
from croupier.odds.solvers.against_dealer import SolvedDecision, below, row_codes
from croupier.odds.solvers.not_counted import NotCounted
from croupier.odds.solvers.shapes import SideShape, by_color, by_fourth_card, cards_at, cards_seen, facts_of, side_shape_of
from croupier.odds.solvers.solution import Solved
from croupier.odds.solvers.streets import SolvedHoldEm

Counted = list[tuple[dict[Fact, Any], int]]  # values by the fact, and how many deals have them


def count(offer: Offer, settlement: Settlement, solved: Callable[[], Solved], deck: Deck = FULL) -> Counted:
    """The deals by the values of the facts asked, readings apart. `solved` gives the best play, where a fold matters."""
    side, facts, at = side_shape_of(offer.rules, settlement), facts_of(settlement), cards_at(offer.rules, settlement)
    named = [fact for fact in facts if type(fact) is Named]
    if side is SideShape.COLORS:
        return [({named[0]: value}, ways) for value, ways in _by_color(settlement, named[0], at, deck)]
    fact, way = next(way_of(fact, offer) for fact in facts if isinstance(fact, Holds | Depending))
    if side is SideShape.ROW_AND_FOURTH_CARD:
        return _with_fourth_card(settlement, (fact, way), named[0], at, deck)
    if side is SideShape.ROW_OR_FOLD:
        folded = next(fact for fact in facts if isinstance(fact, Folded))
        rows = _with_folds(offer, settlement, way, at, solved(), deck)
        return [({fact: row, folded: gone}, ways) for row, gone, ways in rows]
    undrawn: dict[Fact, Any] = dict.fromkeys(settlement.drawn.values(), False)  # what the system draws is priced apart (`drawn`)
    return [(undrawn | {fact: row}, ways) for row, ways in rows_of(offer.rules, way, at, deck).items()]


def way_of(fact: Holds | Depending, offer: Offer) -> tuple[Any, Holds]:
    """A fact and, where a reading decides, the way to see it that the Offer reads."""
    return (
        (fact, fact) if isinstance(fact, Holds) else (fact, fact.ways[offer.readings.get(fact.reading.name, fact.reading.chosen)])
    )


def rows_of(rules: Rules, way: Holds, at: dict[Place, int], deck: Deck = FULL) -> dict[str, int]:
    """How many sets of as many cards as the fact sees fill each row."""
    return count_rows(way.ranking, cards_seen(way, at), rules.decks.jokers, deck)


@cache
def count_rows(ranking: Ranking, cards: int, jokers: int = 0, deck: Deck = FULL) -> dict[str, int]:
    """How many sets of this many cards fill each row."""
    table = rank_table(ranking, cards)
    counts = hand_counts.count_codes(cards, np.array(deck), table.levels, *table.arrays, WEIGHTS, CHOOSE)
    found = Counter({row: int(ways) for row, ways in zip(table.row_of_code, counts, strict=True)})
    if jokers:
        found += _with_joker(ranking, cards - 1, deck)
    return {row: found[row] for row in ranking.rows}


def _with_joker(ranking: Ranking, others: int, deck: Deck) -> Counter[str]:
    """How many sets of the joker and so many other cards fill each row: by their ranks, and by the suit that they share."""
    found: Counter[str] = Counter()
    ranks_in_play = sorted({card(n).rank for n in deck}, reverse=True)
    for ranks in combinations_with_replacement(ranks_in_play, others):
        ways = prod(comb(4, count) for count in Counter(ranks).values())
        if len(set(ranks)) == others:
            for suit in SUITS:
                found[ranking.rows[ranking.row_of_shape(shape((*ranks, JOKER.rank), suit))]] += 1
            ways -= len(SUITS)
        if ways:
            found[ranking.rows[ranking.row_of_shape(shape((*ranks, JOKER.rank), ""))]] += ways
    return found


def _with_folds(
    offer: Offer, settlement: Settlement, way: Holds, at: dict[Place, int], solved: Solved, deck: Deck
) -> Iterator[tuple[str, bool, int]]:
    """Rows with and without a fold, when the main wager is played best."""
    alone, shared = way.places == (PLAYER,), way.places == (PLAYER, COMMUNITY)
    if isinstance(solved, SolvedHoldEm) and shared and way.first in (0, 3):
        return _with_late_folds(rows_of(offer.rules, way, at, deck), way, solved)
    if isinstance(solved, SolvedDecision) and (alone or (shared and not way.first and at[COMMUNITY] == 2)):
        return _with_early_folds(way, at, solved, deck)
    raise NotCounted(settlement, f"no counter knows “{way.name}” of a hand that may be folded", SideShape.ROW_OR_FOLD.value)


def _with_late_folds(counted: dict[str, int], way: Holds, solved: SolvedHoldEm) -> Iterator[tuple[str, bool, int]]:
    """Rows of hands that may be folded once the board is dealt."""
    total = sum(counted.values())
    deals, gone = solved.outcomes.deals, solved.folded_rows(way.ranking, with_flop=bool(way.first))
    for row, ways in counted.items():
        yield row, False, ways * (deals // total) - gone[row]
        yield row, True, gone[row]


def _with_early_folds(way: Holds, at: dict[Place, int], solved: SolvedDecision, deck: Deck) -> Iterator[tuple[str, bool, int]]:
    """Rows of hands that may be folded before any community card."""
    hands = classes(at[PLAYER], deck)
    stays, of = hands.times * solved.stayed, hands.times * solved.states_per_hand
    table = rank_table(way.ranking, cards_seen(way, at))
    kept, all_ = [0] * table.levels, [0] * table.levels
    turns = range(4) if table.asks_for_suit else range(1)  # a row may ask for a suit, and a class stands for all suits alike
    for turn in turns:
        cards = turned(hands.cards, turn)
        if way.places == (PLAYER,):
            codes = hand_counts.codes_of_rows(cards, *table.arrays)
            found = codes[:, None] == np.arange(table.levels)
        else:
            found = np.diff(below(cards, cards_seen(way, at) - at[PLAYER], way.ranking, deck), axis=1).astype(np.int64)
        kept = [total + int(more) for total, more in zip(kept, (found * stays[:, None]).sum(axis=0), strict=True)]
        all_ = [total + int(more) for total, more in zip(all_, (found * of[:, None]).sum(axis=0), strict=True)]
    for code, row in reversed(list(enumerate(table.row_of_code))):  # the highest first, as the chapter has them
        yield row, False, kept[code] // len(turns)
        yield row, True, (all_[code] - kept[code]) // len(turns)


def _by_color(settlement: Settlement, fact: Named, at: dict[Place, int], deck: Deck) -> Iterator[tuple[Any, int]]:
    """A fact that sees only colors: for each number of red cards with the player and with the dealer."""
    player, dealer = at.get(PLAYER, 0), at.get(DEALER, 0)
    red = sum(card(n).is_red for n in deck)
    black = len(deck) - red
    for (mine, theirs), value in by_color(settlement, fact, player, dealer).items():
        red_ways = comb(red, mine) * comb(red - mine, theirs)
        black_ways = comb(black, player - mine) * comb(black - player + mine, dealer - theirs)
        yield value, red_ways * black_ways


def _with_fourth_card(settlement: Settlement, seen: tuple[Any, Holds], fourth: Named, at: dict[Place, int], deck: Deck) -> Counted:
    """The player's row together with a fact about one more card: each hand up to the suits with each other card."""
    fact, way = seen
    if way.places != (PLAYER,) or at.get(FOURTH) != 1:
        raise NotCounted(
            settlement, f"no counter knows “{way.name}” together with “{fourth.name}”", SideShape.ROW_AND_FOURTH_CARD.value
        )
    values = by_fourth_card(settlement, fourth, {other: card(other) for other in deck})
    hands = classes(at[PLAYER], deck)
    codes, rows = row_codes(way.ranking, at[PLAYER], deck=deck)
    found: Counter[tuple[str, Any]] = Counter()
    in_deck = Counter(values.values())
    for held, times, code in zip(hands.cards.tolist(), hands.times.tolist(), codes.tolist(), strict=True):
        mine = Counter(values[each] for each in held)
        for value, others in in_deck.items():
            found[rows[code], value] += times * (others - mine[value])
    in_order = sorted(found.items(), key=lambda each: way.ranking.rows.index(each[0][0]))
    return [({fact: row, fourth: value}, ways) for (row, value), ways in in_order]


@cache
def _fives_by_ranks(ranking: Ranking) -> dict[tuple[str, int], tuple[Cards, int]]:
    """How many hands of five fill a row with so many ranks, with an example: a draw that matches depends on nothing else."""
    found: dict[tuple[str, int], tuple[Cards, int]] = {}
    for ranks in multisets(5):
        times = Counter(ranks)
        ways = prod(comb(4, count) for count in times.values())
        suited = [(SUITS[0], 4)] if len(times) == 5 else []
        for suit, count in [("", ways - 4 * len(suited)), *suited]:
            key = ranking.rows[ranking.row_of_shape(shape(ranks, suit))], len(times)
            held, others = found.get(key) or (_cards_of(ranks, suit), 0)
            found[key] = held, others + count
    return found


def _cards_of(ranks: tuple[int, ...], suit: str) -> Cards:
    """Cards of these ranks: all of this suit, or else not all of one."""
    mixed = [place if len({*ranks}) == len(ranks) else ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    return tuple(Card(rank, suit or SUITS[other % 4]) for rank, other in zip(ranks, mixed, strict=True))


def drawn(offer: Offer, settlement: Settlement, fact: Drawn) -> Iterator[tuple[str, bool, int]]:
    """How many hands of each row and draws match or not: a card of the deck, or a position; alone, where wagers decide which."""
    holds, at = settlement.hand, cards_at(offer.rules, settlement)
    if not isinstance(holds, Holds) or holds.places[1:] != (COMMUNITY,) or cards_seen(holds, at) != 5:
        raise NotCounted(settlement, f"no counter knows what “{fact.name}” draws for this hand", SideShape.ROW_AND_DRAWS.value)
    first = at[holds.places[0]]
    everywhere = fact.positions(offer.rules.seats, (1,), offer.readings)

    def matches(held: Cards) -> tuple[int, int]:
        lies = {holds.places[0]: held[:first], COMMUNITY: held[first:]}
        if fact.draw is Draw.CARD:
            positions = [Position(lies, magic_card=card(n), readings=offer.readings) for n in range(52)]
        else:
            positions = [Position(lies, seat=1, lucky=where, readings=offer.readings) for where in everywhere]
        return sum(bool(fact.of(position)) for position in positions), len(positions)

    for (row, _), (held, hands) in _fives_by_ranks(holds.ranking).items():
        found, among = matches(held)
        if any(matches(_turned(held, turn)) != (found, among) for turn in (1, 2, 3)):
            raise NotCounted(settlement, f"“{fact.name}” tells suits apart", "a draw that matches by a card or its rank")
        yield row, True, hands * found
        yield row, False, hands * (among - found)


def _turned(held: Cards, turn: int) -> Cards:
    return tuple(Card(each.rank, SUITS[(SUITS.index(each.suit) + turn) % 4]) for each in held)
