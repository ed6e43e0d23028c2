"""Players for the simulation: a main game, its best play and its side wagers as tables that a kernel deals against."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.filing.offer import Offer
from croupier.law.fact import Compared, DealerHas
from croupier.odds import against_dealer, counting, hold_em
from croupier.odds.analysis import Analysis, solver
from croupier.odds.dealing import BLOCK, Layout, deal, enter, in_order, lay_out, start_of
from croupier.odds.deals import CHOOSE, canonical, classes, index_of, turned
from croupier.odds.playing_sides import Played, Sides, community_of, fourth_of, play_sides, played_sides, rounds_needed
from croupier.odds.solved import Solved, holds_asked, main_settlement, scaled
from croupier.odds.tables import code_of
from croupier.odds.tables import table as table_of

SIMULATED = "best", "always play"


@dataclass
class Player:
    """Everything that a kernel needs to play a game."""

    wagers: list[Played]
    kernel: Any
    layout: Layout
    sides: Sides
    tables: tuple[Any, ...]

    def nothing(self) -> NDArray[Any]:
        return np.zeros((len(self.wagers), 3), dtype=object)

    def play(self, seed: int, chunk: int, rounds: int) -> NDArray[Any]:
        """For each wager the sum and the sum of squares over seats and rounds, and the sum of squares of the rounds' totals."""
        sums, seats = np.zeros((len(self.wagers), 3), dtype=np.int64), BLOCK * self.layout.seats
        laid, (hands, folded, nets) = np.zeros((seats, self.layout.laid), dtype=np.int64), np.zeros((3, seats), dtype=np.int64)
        start = np.uint64(start_of(np.uint64(seed), np.uint64(chunk)))
        self.kernel(start, rounds, sums, self.layout, self.sides, laid, hands, folded, nets, *self.tables)
        return sums.astype(object)


def player(offer: Offer, strategy: str, seats: int) -> Player:
    """The player of a game at each of so many seats, with every wager that the Offer offers."""
    analysis = Analysis(offer.rules, offer)
    solve = solver(offer.rules)
    if solve is against_dealer.solve:
        return _against_dealer(offer, analysis.solved(offer), strategy, seats)
    if solve is hold_em.solve:
        return _hold_em(offer, analysis.solved(offer), seats)
    from croupier.odds import playing_others

    return playing_others.player(offer, analysis.solved(offer), seats)


def main_wager(offer: Offer, solved: Solved, scale: int, exact: Fraction | None = None) -> Played:
    main = main_settlement(offer.rules)
    name = main.of.group or main.of.name
    return Played(name, main.of.key, scale, -solved.edge if exact is None else exact, rounds_needed(solved.outcomes))


@njit(cache=True, nogil=True)
def play_against_dealer(
    state, rounds, sums, layout, sides, laid, hands, folded, nets, ups, class_of, best, group_of, worths, threshold, my_codes,
    their_codes, theirs, choose,
):  # fmt: skip
    """Rounds of a game with one decision. The last of the dealer's cards lies face up where one does."""
    seats, size, dealer_size, community, fourth = layout
    deck = np.arange(52)
    hand, dealer = np.empty(size, dtype=np.int64), np.empty(dealer_size, dtype=np.int64)
    plain, suited, suited_size = theirs
    folds = worths.shape[0] - 1
    for first in range(0, rounds, BLOCK):
        block = min(BLOCK, rounds - first)
        for row in range(0, block * seats, seats):
            state = deal(state, deck, seats * (size + fourth) + dealer_size + community)
            dealer[:] = deck[seats * size : seats * size + dealer_size]
            up = dealer[dealer_size - 1] if ups > 1 else 0
            if len(their_codes):
                in_order(dealer)
                their_code = their_codes[index_of(dealer, choose)]
            else:
                their_code = code_of(dealer, plain, suited, suited_size)
            reaches = 1 if their_code >= threshold else 0
            for seat in range(seats):
                hand[:] = deck[seat * size : seat * size + size]
                in_order(hand)
                at = index_of(hand, choose)
                known = class_of[at] * ups
                if ups > 1:  # the up card moves with the suits of the hand that stands for this one
                    _, goes = canonical(hand, choose)
                    known += (up & ~3) | (goes >> (4 * (up & 3)) & 3)
                choice = best[known]
                compared = 0 if my_codes[at] < their_code else 1 if my_codes[at] == their_code else 2
                nets[row + seat] = worths[choice, group_of[at], reaches, compared]
                hands[row + seat], folded[row + seat] = at, 1 if choice == folds else 0
                lay_out(deck, seat, layout, laid, row + seat)
        enter(sums, 0, nets, block, seats)
        play_sides(sums, block, layout, sides, laid, hands, folded, nets)


def _against_dealer(offer: Offer, solved: Solved, strategy: str, seats: int) -> Player:
    rules, main = offer.rules, main_settlement(offer.rules)
    known, _ = solved.states
    size, dealer_size, _ = against_dealer.cards_of(rules)
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next((fact for fact in main.asks if isinstance(fact, DealerHas)), None)
    mine, theirs = table_of(compared.ranking, size, by_strength=True), table_of(compared.ranking, dealer_size, by_strength=True)
    held, group_of = _groups(offer, size)
    choices = range(len(rules.decisions[0].choices))
    nets = [against_dealer.price(offer, *facts).net for facts in product(choices, held, (False, True), against_dealer.COMPARED)]
    numbers, scale = scaled(nets)
    worths = np.array(numbers, dtype=np.int64).reshape(len(choices), len(held), 2, 3)
    best, exact = solved.best, None
    if strategy != "best":
        best = np.zeros_like(best)
        exact = _worth_of_policy(known, group_of, worths, best) / (solved.outcomes.deals * scale)
        solved = replace(solved, stayed=np.full(len(classes(size)), solved.of))
    layout = Layout(seats, size, dealer_size, community_of(offer), fourth_of(offer))
    played, sides = played_sides(offer, layout, solved)
    dealers = counting.codes_of_all(dealer_size, *theirs.arrays, CHOOSE) if dealer_size < 6 else np.zeros(0, dtype=np.int16)
    return Player([main_wager(offer, solved, scale, exact), *played], play_against_dealer, layout, sides, (
        known.ups, classes(size).of, best, group_of, worths, theirs.least_code(reaches.least) if reaches else 0,
        counting.codes_of_all(size, *mine.arrays, CHOOSE), dealers, theirs.arrays, CHOOSE,
    ))  # fmt: skip


def _groups(offer: Offer, size: int) -> tuple[list[tuple[str, ...]], NDArray[np.int16]]:
    """The rows that a hand may fill in the rankings that the main game asks for, and which of them each hand fills."""
    tables = [table_of(fact.ranking, size) for fact in holds_asked(main_settlement(offer.rules))]
    codes = [counting.codes_of_all(size, *table.arrays, CHOOSE) for table in tables]
    together = np.zeros(len(codes[0]), dtype=np.int64)
    for table, code in zip(tables, codes, strict=True):
        together = together * table.levels + code
    _, first, group_of = np.unique(together, return_index=True, return_inverse=True)
    held = [tuple(table.row_of_code[code[at]] for table, code in zip(tables, codes, strict=True)) for at in first]
    return held, group_of.reshape(-1).astype(np.int16)


def _worth_of_policy(known: Any, group_of: NDArray[np.int16], worths: NDArray[np.int64], policy: NDArray[Any]) -> Fraction:
    """What a policy comes to over all deals. A row may ask for a suit, so each state is looked at with its suits turned."""
    total = 0
    for turn in range(4):
        cards = turned(classes(known.size).cards, turn)
        at = sum(CHOOSE[cards[:, place], place + 1] for place in range(known.size))
        groups = np.repeat(group_of[at], known.ups)
        total += int(counting.value_of_policy(known.counts, known.times, groups, worths, policy.astype(np.int8)))
    return Fraction(total, 4)


@njit(cache=True, nogil=True)
def play_hold_em(
    state, rounds, sums, layout, sides, laid, hands, folded, nets, at_once, after_flop, hole_class, flop_class, flop_suits, moved,
    worths, fold, threshold, rows, plain, suited, suited_size, choose, river, board_class,
):  # fmt: skip
    """Rounds of 653a: two cards each, then five on the board; the last decision is looked up by the board."""
    seats, _, _, _, _ = layout
    deck, seven, pair = np.arange(52), np.empty(7, dtype=np.int64), np.empty(2, dtype=np.int64)
    flop, board = np.empty(3, dtype=np.int64), np.empty(5, dtype=np.int64)
    shared = 2 * seats + 2  # where the community cards lie
    for first in range(0, rounds, BLOCK):
        block = min(BLOCK, rounds - first)
        for row in range(0, block * seats, seats):
            state = deal(state, deck, shared + 5)
            flop[:] = deck[shared : shared + 3]
            in_order(flop)
            board[:] = deck[shared : shared + 5]
            in_order(board)
            seven[2:] = board
            seven[:2] = deck[shared - 2 : shared]
            theirs = code_of(seven, plain, suited, suited_size)
            reaches, at = 1 if theirs >= threshold else 0, index_of(flop, choose)
            for seat in range(seats):
                pair[:] = deck[2 * seat : 2 * seat + 2]
                in_order(pair)
                seven[:2] = pair
                mine, h = code_of(seven, plain, suited, suited_size), index_of(pair, choose)
                choice = at_once[hole_class[h]]
                if choice == 2 and not after_flop[flop_class[at], moved[flop_suits[at], h]]:
                    choice = 3 if plays_river(board, pair, river, board_class, choose) else 4
                compared = 0 if mine < theirs else 1 if mine == theirs else 2
                nets[row + seat] = fold if choice == 4 else worths[choice, rows[mine], reaches, compared]
                folded[row + seat] = 1 if choice == 4 else 0
                lay_out(deck, seat, layout, laid, row + seat)
        enter(sums, 0, nets, block, seats)
        play_sides(sums, block, layout, sides, laid, hands, folded, nets)


@njit(cache=True, nogil=True)
def plays_river(board, pair, river, board_class, choose):
    """Is playing at the end better than folding? Looked up by the board up to the suits and the two cards moved with it."""
    at, goes = canonical(board, choose)
    one = (pair[0] & ~3) | (goes >> (4 * (pair[0] & 3)) & 3)
    two = (pair[1] & ~3) | (goes >> (4 * (pair[1] & 3)) & 3)
    h = choose[max(one, two), 2] + min(one, two)
    return river[board_class[at], h >> 3] >> (h & 7) & 1


def _hold_em(offer: Offer, solved: Solved, seats: int) -> Player:
    main = main_settlement(offer.rules)
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next(fact for fact in main.asks if isinstance(fact, DealerHas))
    ranking, ladder = table_of(compared.ranking, 7, by_strength=True), holds_asked(main)[0].ranking
    priced, moves = hold_em.prices(offer, list(ladder.rows)), hold_em.suits()
    _, scale = scaled([each.net for listed in priced.prices for each in listed] + [priced.fold.net])
    layout = Layout(seats, 2, 2, 5)
    played, sides = played_sides(offer, layout, solved)
    return Player([main_wager(offer, solved, scale), *played], play_hold_em, layout, sides, (
        solved.best, solved.states.after_flop, moves.hole_class, moves.flop_class, moves.flop_suits, moves.moved, priced.table,
        priced.fold_number, ranking.least_code(reaches.least), hold_em.rows_by_code(ranking, ladder), *ranking.arrays, CHOOSE,
        solved.states.river, classes(5).of,
    ))  # fmt: skip
