"""Side wagers: how many deals give each combination of the facts that their settlement asks.

One row, or one fact with its own function, is counted by ranks, colors or whatever it looks at. For facts that are asked together,
or that depend on answers that no faster counter knows, every deal is enumerated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any

import numpy as np

from croupier.cards import SUITS, Card, Cards
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, Drawn, Fact, Folded, Holds, Named, Place, Position
from croupier.law.forfeits import ANSWERED
from croupier.law.ranking import Ranking, shape
from croupier.law.settlement import Settlement
from croupier.odds.kernels.card_sets import CHOOSE, FULL, Deck, Ints, card, classes, turn_suits
from croupier.odds.kernels.rank_tables import TOP, WEIGHTS, RankTable, different, multisets, rank_table
from croupier.odds.solvers import enumerator
from croupier.odds.solvers.against_dealer import sets_below
from croupier.odds.solvers.fact_tables import MOST_CARDS
from croupier.odds.solvers.main_game import NotCounted
from croupier.odds.solvers.shapes import cards_at, cards_seen, facts_of, seen_as
from croupier.odds.solvers.sights import sight
from croupier.odds.solvers.solution import Solved

Counted = list[tuple[dict[Fact, Any], int]]  # values by the fact, and how many deals have them
KNOWN = "facts about cards without a joker, a row with one, and answers to the decisions"


def count(offer: Offer, settlement: Settlement, solved: Callable[[], Solved], deck: Deck = FULL) -> Counted:
    """The deals by the values of the facts asked, except readings. `solved` returns the best play, if an answer matters."""
    verify_one_wager(settlement)
    facts, at = facts_of(settlement), cards_at(offer.rules, settlement)
    undrawn: dict[Fact, Any] = dict.fromkeys(settlement.drawn.values(), False)  # draws are priced separately (`drawn`)
    asked = [fact for fact in facts if fact not in undrawn]
    if not any(isinstance(fact, ANSWERED) for fact in asked):
        return [(undrawn | values, ways) for values, ways in by_cards(offer, settlement, asked, at, deck)]
    by_row = [fact for fact in asked if isinstance(seen_as(fact, offer.readings), Holds)]
    folded = [fact for fact in asked if isinstance(fact, Folded)]
    if len(by_row) == len(folded) == 1 and len(asked) == 2:
        way = _verified(offer.rules, settlement, seen_as(by_row[0], offer.readings), at)
        rows = solved().folds(way, at, lambda: rows_seen(offer.rules, way, at, deck), deck)
        if rows is not None:
            return [(undrawn | {by_row[0]: row, folded[0]: gone}, ways) for row, gone, ways in rows]
    _refuse_jokers(offer.rules, settlement, asked)
    return [(undrawn | values, ways) for values, ways in enumerator.count_with_main_game(offer, asked, at, deck)]


def count_answered(offer: Offer, settlement: Settlement, answer_to: Callable[[Fact], Any]) -> Counted:
    """The deals by the values of the facts asked, when the answers are the same whatever the cards."""
    facts, at = facts_of(settlement), cards_at(offer.rules, settlement)
    known: dict[Fact, Any] = {fact: answer_to(fact) for fact in facts if isinstance(fact, ANSWERED)}
    known |= dict.fromkeys(settlement.drawn.values(), False)
    others = [fact for fact in facts if fact not in known]
    return [(values | known, ways) for values, ways in by_cards(offer, settlement, others, at)]


def by_cards(offer: Offer, settlement: Settlement, facts: Sequence[Fact], at: Mapping[Place, int], deck: Deck = FULL) -> Counted:
    """The deals by the values of facts that no answer changes."""
    if len(facts) != 1 or not isinstance(way := seen_as(facts[0], offer.readings), Holds | Named):
        _refuse_jokers(offer.rules, settlement, facts)
        return enumerator.tally(settlement, facts, at, offer.readings, deck)
    if isinstance(way, Holds):
        found = rows_seen(offer.rules, _verified(offer.rules, settlement, way, at), at, deck)
        return [({facts[0]: row}, ways) for row, ways in found.items()]
    _refuse_jokers(offer.rules, settlement, facts)
    return [({facts[0]: value}, ways) for value, ways in sight(settlement, way, at, offer.readings, deck).ways().items()]


def verify_one_wager(settlement: Settlement) -> None:
    """Refuse a settlement of several wagers: only a single wager is priced."""
    paid = (line.wager for _, lines in settlement.every_case() for line in lines)
    if together := [each for each in dict.fromkeys((*settlement.settles, *paid)) if each is not settlement.wager]:
        names = " and ".join(f"“{wager.name}”" for wager in (settlement.wager, *together))
        raise NotCounted(settlement, f"{names} are settled together; no counter supports such wagers", "one wager by itself")


def _refuse_jokers(rules: Rules, settlement: Settlement, facts: Sequence[Fact]) -> None:
    if rules.decks.jokers:
        asks = " and ".join(f"“{fact.name}”" for fact in facts)
        raise NotCounted(settlement, f"no counter supports {asks} with a joker", KNOWN)


def _verified(rules: Rules, settlement: Settlement, way: Holds, at: Mapping[Place, int]) -> Holds:
    """Refuse too many cards: tables of rows go up to seven (`rank_tables.WEIGHTS`), and with a joker up to the size of a hand."""
    number, size, jokers = cards_seen(way, at), way.ranking.size, rules.decks.jokers
    shape = (
        f"a row of {number} cards" if number > MOST_CARDS
        else f"a row of {number} cards in a hand of {size}" if number < size
        else f"the best {size} of {number} cards with a joker" if jokers and number != size
        else ""
    )  # fmt: skip
    if shape:
        raise NotCounted(
            settlement, f"no counter supports {shape} (“{way.name}”)", f"as many cards as a hand has, up to {MOST_CARDS}"
        )
    return way


def rows_seen(rules: Rules, way: Holds, at: Mapping[Place, int], deck: Deck = FULL) -> dict[str, int]:
    """How many sets of as many cards as the fact sees fill each row."""
    return count_rows(way.ranking, cards_seen(way, at), rules.decks.jokers, deck)


@cache
def count_rows(ranking: Ranking, cards: int, jokers: int = 0, deck: Deck = FULL) -> dict[str, int]:
    """How many sets of this many cards fill each row."""
    table = rank_table(ranking, cards, jokers=jokers)
    if cards < 2 * ranking.size:
        counts = np.sum([_count_codes(table, cards, held, deck) for held in range(jokers + 1)], axis=0)
    else:
        counts = _count_each(table, cards, deck)
    found = dict(zip(table.row_of_code, counts.tolist(), strict=True))
    return {row: found[row] for row in ranking.rows}


def _count_codes(table: RankTable, cards: int, jokers: int, deck: Deck) -> Ints:
    """How many sets of this many cards, with this many jokers among them, have each code.

    First as if no suit had enough cards: each multiset of ranks counts as a product of binomials. Then each set in which one suit
    has enough, with a few cards of other suits, is moved from the code of its ranks to the better one.
    """
    counts, in_play = np.zeros(table.levels, dtype=np.int64), tuple(sorted({card(n).rank for n in deck}, reverse=True))
    ranks = np.array(multisets(cards - jokers, in_play)) - 2
    ways = CHOOSE[4, (ranks[:, :, None] == np.arange(13)).sum(axis=1)].prod(axis=1)
    np.add.at(counts, table.plain[WEIGHTS[ranks].sum(axis=1) + TOP * jokers], ways)
    for more in range(cards - table.ranking.size + 1):
        if suited := different(cards - jokers - more, in_play):
            ranks = np.array(suited) - 2
            sums, bits = WEIGHTS[ranks].sum(axis=1) + TOP * jokers, (1 << ranks).sum(axis=1) + 8192 * jokers
            for others in combinations_with_replacement(in_play, more):
                codes = table.plain[sums + sum(WEIGHTS[rank - 2] for rank in others)]
                ways = prod(comb(3, count) for count in Counter(others).values())
                for better in np.maximum(codes, table.suited[:, bits]):
                    np.subtract.at(counts, codes, ways)
                    np.add.at(counts, better, ways)
    return counts


def _count_each(table: RankTable, cards: int, deck: Deck) -> Ints:
    """How many sets have each code, where two suits may have enough cards: each set is found from all of its cards but two."""
    hands, turns = classes(cards - 2, deck), range(4 if table.asks_for_suit else 1)
    below = [sets_below(turn_suits(hands.cards, turn), 2, table.ranking, deck) for turn in turns]
    counts: Ints = sum((np.diff(each) * hands.times[:, None]).sum(axis=0) for each in below)
    return counts // (len(turns) * comb(cards, 2))


@cache
def _fives_by_ranks(ranking: Ranking) -> dict[tuple[str, int], tuple[Cards, int]]:
    """An example and the number of five-card hands, by row and number of different ranks, which decide whether a draw matches."""
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
    """How many pairs of a hand and a draw (a card or a position) match or not, by row; for a lone player if wagers matter."""
    holds, at = settlement.hand, cards_at(offer.rules, settlement)
    if not isinstance(holds, Holds) or holds.places[1:] != (COMMUNITY,) or cards_seen(holds, at) != 5:
        raise NotCounted(
            settlement, f"no counter supports what “{fact.name}” draws for this hand", "a row of five cards, some of the community"
        )
    first = at[holds.places[0]]
    everywhere = fact.positions(offer.rules.seats, (1,), offer.readings)

    def matches(held: Cards) -> tuple[int, int]:
        lies = {holds.places[0]: held[:first], COMMUNITY: held[first:]}
        if fact.of_position:
            positions = [Position(lies, seat=1, drawn_position=where, readings=offer.readings) for where in everywhere]
        else:
            positions = [Position(lies, drawn_card=card(n), readings=offer.readings) for n in range(52)]
        return sum(bool(fact.of(position)) for position in positions), len(positions)

    for (row, _), (held, hands) in _fives_by_ranks(holds.ranking).items():
        found, among = matches(held)
        if any(matches(_turned(held, turn)) != (found, among) for turn in (1, 2, 3)):
            raise NotCounted(settlement, f"“{fact.name}” tells suits apart", "a draw that matches by a card or its rank")
        yield row, True, hands * found
        yield row, False, hands * (among - found)


def _turned(held: Cards, turn: int) -> Cards:
    return tuple(Card(each.rank, SUITS[(SUITS.index(each.suit) + turn) % 4]) for each in held)
