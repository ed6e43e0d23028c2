"""Wagers beside the main game: how many deals give each combination of the facts that their settlement asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any

import numpy as np

from croupier.cards import JOKER, SUITS, Cards
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Depending, Folded, Holds, Named, Place, Position
from croupier.law.procedure import Act, Dealing, Stage, deliveries
from croupier.law.ranking import Ranking, shape
from croupier.law.settling import Settlement
from croupier.odds import counting
from croupier.odds.against_dealer import row_codes
from croupier.odds.deals import CHOOSE, FULL, Deck, card, classes, hand, turned
from croupier.odds.hold_em import HoldEm
from croupier.odds.solved import Solved
from croupier.odds.tables import WEIGHTS, multisets
from croupier.odds.tables import table as table_of

Counted = list[tuple[dict[int, Any], int]]  # values by the fact's identity, and how many deals have them


def cards_at(rules: Rules, settlement: Settlement) -> dict[Place, int]:
    """How many cards lie at each place when this wager is made; from the dealing script and the round."""
    dealing = rules.of(Dealing)[0]
    dealt = deliveries(dealing.script, {1: frozenset({dealing.entitled[0].key, settlement.of.key})})
    found = Counter(each.to for each in dealt if isinstance(each.to, Place))
    for stage in rules.of(Stage):
        if stage.act is Act.DEAL and stage.place:
            found[stage.place] += stage.cards
    return dict(found)


def count(offer: Offer, settlement: Settlement, solved: Callable[[], Solved], deck: Deck = FULL) -> Counted:
    """The deals by the values of the facts asked, readings apart. `solved` gives the best play, where a fold matters."""
    holds = [_way(fact, offer) for fact in settlement.asks if isinstance(fact, Holds | Depending)]
    named = [fact for fact in settlement.asks if isinstance(fact, Named)]
    folded = next((fact for fact in settlement.asks if isinstance(fact, Folded)), None)
    at = cards_at(offer.rules, settlement)
    if holds and named:
        if any(FOURTH in at and at[FOURTH] for _ in named) and len(named) == 1:
            return _with_fourth_card(holds[0], named[0], at, deck)
        return _with_draws(offer, holds[0], named, deck)
    if named:
        return [({id(named[0]): value}, ways) for value, ways in _by_colour(named[0], at, deck)]
    fact, way = holds[0]
    if folded is None:
        return [({id(fact): row}, ways) for row, ways in rows_of(offer.rules, way, at, deck).items()]
    return [({id(fact): row, id(folded): gone}, ways) for row, gone, ways in _with_folds(offer, way, at, solved(), deck)]


def _way(fact: Holds | Depending, offer: Offer) -> tuple[Any, Holds]:
    """A fact and, where a reading decides, the way to see it that the Offer reads."""
    return (
        (fact, fact) if isinstance(fact, Holds) else (fact, fact.ways[offer.readings.get(fact.reading.name, fact.reading.chosen)])
    )


def _number(way: Holds, at: dict[Place, int]) -> int:
    return sum(way.first if way.first and place is COMMUNITY else at[place] for place in way.places)


def rows_of(rules: Rules, way: Holds, at: dict[Place, int], deck: Deck = FULL) -> dict[str, int]:
    """How many sets of as many cards as the fact sees fill each row."""
    return _rows(way.ranking, _number(way, at), rules.decks.jokers, deck)


@cache
def _rows(ranking: Ranking, cards: int, jokers: int, deck: Deck) -> dict[str, int]:
    table = table_of(ranking, cards)
    counts = counting.count_codes(cards, np.array(deck), table.levels, *table.arrays, WEIGHTS, CHOOSE)
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
    offer: Offer, way: Holds, at: dict[Place, int], solved: Solved, deck: Deck
) -> Iterator[tuple[str, bool, int]]:
    """Rows with and without a fold, when the main wager is played best."""
    if isinstance(solved.states, HoldEm):
        counted = rows_of(offer.rules, way, at, deck)
        total = sum(counted.values())
        deals, gone = solved.outcomes.deals, solved.states.folded_rows(way.ranking, with_flop=bool(way.first))
        for row, ways in counted.items():
            yield row, True, gone[row]
            yield row, False, ways * (deals // total) - gone[row]
        return
    assert solved.stayed is not None
    hands = classes(at[PLAYER], deck)
    stays, of = hands.times * solved.stayed, hands.times * solved.of
    table = table_of(way.ranking, _number(way, at))
    kept, all_ = [0] * table.levels, [0] * table.levels
    turns = range(4) if table.asks_for_suit else range(1)  # a row may ask for a suit, and a class stands for all suits alike
    for turn in turns:
        cards = turned(hands.cards, turn)
        if way.places == (PLAYER,):
            codes = counting.codes_of_rows(cards, *table.arrays)
            found = codes[:, None] == np.arange(table.levels)
        else:
            found = counting.with_two_more(cards, np.array(deck), table.levels, *table.arrays)
        kept = [total + int(more) for total, more in zip(kept, (found * stays[:, None]).sum(axis=0), strict=True)]
        all_ = [total + int(more) for total, more in zip(all_, (found * of[:, None]).sum(axis=0), strict=True)]
    for code, row in enumerate(table.row_of_code):
        yield row, False, kept[code] // len(turns)
        yield row, True, (all_[code] - kept[code]) // len(turns)


def _by_colour(fact: Named, at: dict[Place, int], deck: Deck) -> Iterator[tuple[Any, int]]:
    """A fact that sees only colours: one position for each number of red cards with the player and with the dealer."""
    player, dealer = at[PLAYER], at[DEALER]
    reds = [card(n) for n in deck if card(n).is_red]
    blacks = [card(n) for n in deck if not card(n).is_red]
    red, black = len(reds), len(blacks)
    for mine, theirs in product(range(player + 1), range(dealer + 1)):
        held = tuple(reds[:mine] + blacks[: player - mine])
        others = tuple(reds[mine : mine + theirs] + blacks[player - mine : player - mine + dealer - theirs])
        red_ways = comb(red, mine) * comb(red - mine, theirs)
        black_ways = comb(black, player - mine) * comb(black - player + mine, dealer - theirs)
        yield fact.of(Position({PLAYER: held, DEALER: others})), red_ways * black_ways


def _with_fourth_card(seen: tuple[Any, Holds], fourth: Named, at: dict[Place, int], deck: Deck) -> Counted:
    """The player's row together with a fact about one more card: each hand up to the suits with each other card."""
    fact, way = seen
    hands = classes(at[PLAYER], deck)
    codes, rows = row_codes(way.ranking, at[PLAYER], deck=deck)
    found: Counter[tuple[str, Any]] = Counter()
    values = {other: fourth.of(Position({FOURTH: (card(other),)})) for other in deck}
    in_deck = Counter(values.values())
    for held, times, code in zip(hands.cards.tolist(), hands.times.tolist(), codes.tolist(), strict=True):
        mine = Counter(values[each] for each in held)
        for value, others in in_deck.items():
            found[rows[code], value] += times * (others - mine[value])
    return [({id(fact): row, id(fourth): value}, ways) for (row, value), ways in found.items()]


def _with_draws(offer: Offer, seen: tuple[Any, Holds], draws: list[Named], deck: Deck) -> Counted:
    """The row alone: what the system draws is priced apart (`analysis`), so here nothing is drawn."""
    fact, way = seen
    at = {PLAYER: 3, DEALER: 3, COMMUNITY: 2}
    counted = rows_of(offer.rules, way, at, deck)
    return [({id(fact): row, **{id(draw): False for draw in draws}}, ways) for row, ways in counted.items()]


@cache
def _fives_by_ranks() -> tuple[Counter[int], dict[int, Cards]]:
    """How many hands of five have so many ranks, with an example: a draw that matches depends on nothing else of a hand."""
    by_ranks: Counter[int] = Counter()
    examples = {}
    for ranks in multisets(5):
        times = Counter(ranks)
        by_ranks[len(times)] += prod(comb(4, count) for count in times.values())
        if len(times) not in examples:
            examples[len(times)] = hand([4 * (rank - 2) + ranks[:place].count(rank) for place, rank in enumerate(ranks)])
    return by_ranks, examples


def draws(offer: Offer, settlement: Settlement, facts: list[Named]) -> Iterator[tuple[Named, dict[bool, int]]]:
    """How many hands and draws match, for each fact about a draw: a card of the deck, or a position of a full table."""
    places = settlement.hand.places if isinstance(settlement.hand, Holds) else (PLAYER,)
    by_ranks, examples = _fives_by_ranks()
    for fact in facts:
        ways = {True: 0, False: 0}
        for held, hands in by_ranks.items():
            at = {places[0]: examples[held][:3], COMMUNITY: examples[held][3:]}
            if "magic" in fact.name:
                positions = [Position(at, magic_card=card(n), readings=offer.readings) for n in range(52)]
            else:
                positions = [Position(at, seat=1, lucky=where) for where in (*range(1, offer.rules.seats + 1), "dealer")]
            for position in positions:
                ways[bool(fact.of(position))] += hands
        yield fact, ways
