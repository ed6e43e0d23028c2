"""Players of the games without a dealer's hand to beat, or without suits: 643a and 680a."""

from __future__ import annotations

import numpy as np
from numba import njit

from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, PLAYER
from croupier.odds import let_it_ride, playing, saigon
from croupier.odds.analysis import Analysis, solver
from croupier.odds.deals import CHOOSE, canonical, classes
from croupier.odds.solved import asked, holds_asked, main_settlement, named_asked, scaled, unit_stakes, worth
from croupier.odds.tables import code_of
from croupier.odds.tables import table as table_of


def player(offer: Offer, analysis: Analysis) -> playing.Player:
    return _let_it_ride(offer, analysis) if solver(offer.rules) is let_it_ride.solve else _saigon(offer, analysis)


@njit(cache=True, nogil=True)
def play_let_it_ride(state, rounds, sums, class_of, first, second, worths, main, sides, places, side_worths, choose):
    """Three cards, one decision; a community card, another; the last card."""
    deck, five, hand = np.arange(52), np.empty(5, dtype=np.int64), np.empty(3, dtype=np.int64)
    plain, suited, size = main
    for _ in range(rounds):
        state = playing.deal(state, deck, 5)
        five[:] = deck[:5]
        hand[:] = deck[:3]
        at, goes = canonical(hand, choose)
        known, community = class_of[at], five[3]
        one = first[known]
        two = second[one, known, (community & ~3) | (goes >> (4 * (community & 3)) & 3)]
        net = worths[one, two, code_of(five, plain, suited, size)]
        sums[0, 0] += net
        sums[0, 1] += net * net
        for side in range(len(places)):
            plains, suiteds, sizes = sides
            cards = hand if places[side] == 0 else five
            net = side_worths[side, 0, code_of(cards, plains[side], suiteds[side], sizes[side])]
            sums[side + 1, 0] += net
            sums[side + 1, 1] += net * net


def _let_it_ride(offer: Offer, analysis: Analysis) -> playing.Player:
    rules, main = offer.rules, main_settlement(offer.rules)
    solved = analysis.solved(offer)
    then = solved.states[0]
    fact = holds_asked(main)[0]
    table = table_of(fact.ranking, 5)
    one, two = rules.decisions
    stakes = unit_stakes(rules, main)
    nets = [
        worth(offer, main, asked(main, offer, {one.name: x.word, two.name: y.word}, {id(fact): row}), stakes).net
        for x in one.choices
        for y in two.choices
        for row in table.row_of_code
    ]
    numbers, scale = scaled(nets)
    worths = np.array(numbers, dtype=np.int64).reshape(len(one.choices), len(two.choices), -1)
    played = [playing.Played(next(wager.group for wager in main.settles), scale, -solved.edge)]
    found = playing.side_wagers(offer, ((PLAYER,), (PLAYER, COMMUNITY)))
    tables = [table_of(way.ranking, 3 if way.places == (PLAYER,) else 5) for _, _, way in found]
    side_worths = np.zeros((len(found), 2, max(each.levels for each in tables)), dtype=np.int64)
    for n, (settlement, side_fact, _) in enumerate(found):
        values, side_scale = playing.side_worths(offer, settlement, side_fact, tables[n].row_of_code)
        side_worths[n, :, : values.shape[1]] = values
        played.append(playing.Played(settlement.of.name, side_scale, playing.exact_of(analysis, offer, settlement)))
    sides = (np.stack([t.plain for t in tables]), np.stack([t.suited for t in tables]), np.array([t.ranking.size for t in tables]))
    places = np.array([0 if way.places == (PLAYER,) else 1 for _, _, way in found], dtype=np.int64)
    return playing.Player(
        played, play_let_it_ride, (classes(3).of, solved.best, then, worths, table.arrays, sides, places, side_worths, CHOOSE)
    )


def _saigon(offer: Offer, analysis: Analysis) -> playing.Player:
    main = main_settlement(offer.rules)
    solved = analysis.solved(offer)
    hands, _, _, alike, points = solved.states
    dealer = saigon.dealer_points(offer, hands, alike)
    mine_fact, theirs_fact = named_asked(main)
    stakes = unit_stakes(offer.rules, main)
    nets = [
        worth(offer, main, asked(main, offer, {mine_fact.name: m, theirs_fact.name: t}, {}), stakes).net
        for m in points
        for t in points
    ]
    numbers, scale = scaled(nets)
    worths = np.array(numbers, dtype=np.int64).reshape(len(points), -1)
    index = np.array([6**kind for kind in range(len(alike))], dtype=np.int64)  # a hand's counts as digits
    places = {int(at): row for row, at in enumerate(hands @ index)}
    keys = np.array(sorted(places))
    kind_of = np.array([kind for kind, cards in enumerate(alike) for _ in cards], dtype=np.int64)
    order = np.array([places[int(key)] for key in keys])
    return playing.Player(
        [playing.Played(main.of.name, scale, -solved.edge)],
        play_saigon,
        (kind_of, index, keys, solved.best[order], dealer[order], worths),
    )


@njit(cache=True, nogil=True)
def play_saigon(state, rounds, sums, kind_of, index, keys, mine, theirs, worths):
    """Five cards each from 53, known by their kinds alone; a hand is found by its key."""
    deck = np.arange(53)
    for _ in range(rounds):
        state = playing.deal(state, deck, 10)
        one = two = 0
        for card in range(5):
            one += index[kind_of[deck[card]]]
            two += index[kind_of[deck[card + 5]]]
        net = worths[mine[np.searchsorted(keys, one)], theirs[np.searchsorted(keys, two)]]
        sums[0, 0] += net
        sums[0, 1] += net * net
