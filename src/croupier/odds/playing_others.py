"""Players of the games without a dealer's hand to beat, or without suits: 643a and 680a."""

from __future__ import annotations

import numpy as np
from numba import njit

from croupier.cards import JOKER
from croupier.filing.offer import Offer
from croupier.odds import let_it_ride, saigon
from croupier.odds.analysis import solver
from croupier.odds.dealing import BLOCK, Layout, deal, enter, in_order, lay_out
from croupier.odds.deals import CHOOSE, canonical, classes, index_of, number
from croupier.odds.playing import Player, main_wager
from croupier.odds.playing_sides import JOKER_CARD, play_sides, played_sides
from croupier.odds.solved import Solved, asked, holds_asked, main_settlement, named_asked, scaled, unit_stakes, worth
from croupier.odds.tables import code_of
from croupier.odds.tables import table as table_of


def player(offer: Offer, solved: Solved, seats: int) -> Player:
    return (_let_it_ride if solver(offer.rules) is let_it_ride.solve else _saigon)(offer, solved, seats)


@njit(cache=True, nogil=True)
def play_let_it_ride(state, rounds, sums, layout, sides, laid, hands, folded, nets, class_of, first, second, worths, main, choose):
    """Three cards, one decision; a community card, another; the last card."""
    seats, _, _, _, _ = layout
    deck, hand, five = np.arange(52), np.empty(3, dtype=np.int64), np.empty(5, dtype=np.int64)
    plain, suited, size = main
    for start in range(0, rounds, BLOCK):
        block = min(BLOCK, rounds - start)
        for row in range(0, block * seats, seats):
            state = deal(state, deck, 3 * seats + 2)
            community = deck[3 * seats]
            five[3:] = deck[3 * seats : 3 * seats + 2]
            for seat in range(seats):
                hand[:] = deck[3 * seat : 3 * seat + 3]
                in_order(hand)
                five[:3] = hand
                at, goes = canonical(hand, choose)
                known = class_of[at]
                one = first[known]
                two = second[one, known, (community & ~3) | (goes >> (4 * (community & 3)) & 3)]
                nets[row + seat] = worths[one, two, code_of(five, plain, suited, size)]
                hands[row + seat] = index_of(hand, choose)
                lay_out(deck, seat, layout, laid, row + seat)
        enter(sums, 0, nets, block, seats)
        play_sides(sums, block, layout, sides, laid, hands, folded, nets)


def _let_it_ride(offer: Offer, solved: Solved, seats: int) -> Player:
    rules, main = offer.rules, main_settlement(offer.rules)
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
    layout = Layout(seats, 3, 0, 2)
    played, sides = played_sides(offer, layout, solved)
    tables = (classes(3).of, solved.best, solved.states[0], worths, table.arrays, CHOOSE)
    return Player([main_wager(offer, solved, scale), *played], play_let_it_ride, layout, sides, tables)


@njit(cache=True, nogil=True)
def play_saigon(state, rounds, sums, layout, sides, laid, hands, folded, nets, kind_of, index, keys, mine, theirs, worths):
    """Five cards each from 53; the main game knows them by their kinds alone, and finds a hand by its key."""
    seats, _, _, _, _ = layout
    deck = np.arange(53)
    for start in range(0, rounds, BLOCK):
        block = min(BLOCK, rounds - start)
        for row in range(0, block * seats, seats):
            state = deal(state, deck, 5 * seats + 5)
            dealer = theirs[np.searchsorted(keys, _key(deck, 5 * seats, kind_of, index))]
            for seat in range(seats):
                nets[row + seat] = worths[mine[np.searchsorted(keys, _key(deck, 5 * seat, kind_of, index))], dealer]
                lay_out(deck, seat, layout, laid, row + seat)
        enter(sums, 0, nets, block, seats)
        play_sides(sums, block, layout, sides, laid, hands, folded, nets)


@njit(cache=True, nogil=True)
def _key(deck, first, kind_of, index):
    """The key of five cards of the deck."""
    key = 0
    for place in range(first, first + 5):
        key += index[kind_of[deck[place]]]
    return key


def _saigon(offer: Offer, solved: Solved, seats: int) -> Player:
    main = main_settlement(offer.rules)
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
    at = hands @ index
    order = np.argsort(at)
    kind_of = np.empty(53, dtype=np.int64)
    for kind, cards in enumerate(alike):
        for each in cards:
            kind_of[JOKER_CARD if each == JOKER else number(each)] = kind
    layout = Layout(seats, 5, 5)
    played, sides = played_sides(offer, layout, solved)
    tables = (kind_of, index, at[order], solved.best[order], dealer[order], worths)
    return Player([main_wager(offer, solved, scale), *played], play_saigon, layout, sides, tables)
