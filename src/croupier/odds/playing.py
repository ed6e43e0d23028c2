"""Players for the simulation: a main game, its best play and its side wagers as tables that a kernel deals against."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Compared, DealerHas, Depending, Holds, Place
from croupier.law.settling import Settlement
from croupier.odds import against_dealer, counting, hold_em, sides
from croupier.odds.analysis import Analysis, solver
from croupier.odds.deals import CHOOSE, canonical, classes, index_of
from croupier.odds.solved import asked, holds_asked, main_settlement, scaled, unit_stakes, worth
from croupier.odds.tables import code_of
from croupier.odds.tables import table as table_of

SIMULATED = "best", "always play"


@dataclass(frozen=True)
class Played:
    """A wager that is played: its name, how its results are scaled to integers, and the exact mean."""

    name: str
    scale: int
    exact: Fraction


@dataclass
class Player:
    """Everything that a kernel needs to play a game."""

    wagers: list[Played]
    kernel: Any
    tables: tuple[Any, ...]

    def nothing(self) -> NDArray[Any]:
        return np.zeros((len(self.wagers), 2), dtype=object)

    def play(self, seed: int, chunk: int, rounds: int) -> NDArray[Any]:
        """Sums and sums of squares of each wager over the rounds of a chunk, as Python integers."""
        sums = np.zeros((len(self.wagers), 2), dtype=np.int64)
        start = np.uint64(start_of(np.uint64(seed), np.uint64(chunk)))
        self.kernel(start, rounds, sums, *self.tables)
        return sums.astype(object)


@njit(cache=True, nogil=True)
def start_of(seed, chunk):
    """The state of a chunk's generator: seed and number mixed twice."""
    return _mix(_mix(seed) ^ (chunk * np.uint64(0x9E3779B97F4A7C15)))


@njit(cache=True, nogil=True)
def _mix(z):
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True, nogil=True)
def deal(state, deck, count):
    """Deal cards to the front of a deck by Fisher-Yates, two from each 64 bits; 32 bits favour no card by more than 52 in 2**32."""
    bits = np.uint64(0)
    for place in range(count):
        if place & 1:
            bits >>= np.uint64(32)
        else:
            state += np.uint64(0x9E3779B97F4A7C15)
            bits = _mix(state)
        other = place + np.int64((bits & np.uint64(0xFFFFFFFF)) * np.uint64(len(deck) - place) >> np.uint64(32))
        deck[place], deck[other] = deck[other], deck[place]
    return state


@njit(cache=True, nogil=True)
def _in_order(cards):
    for i in range(1, len(cards)):
        each, j = cards[i], i - 1
        while j >= 0 and cards[j] > each:
            cards[j + 1] = cards[j]
            j -= 1
        cards[j + 1] = each


@njit(cache=True, nogil=True)
def play_against_dealer(
    state, rounds, sums, size, dealer_size, ups, class_of, best, group_of, worths, threshold, my_codes, their_codes, theirs,
    side_codes, places, codes_worth, plains, suiteds, suited_sizes, choose, seats,
):  # fmt: skip
    """Rounds of a game with one decision. Cards lie seat by seat, then the dealer's, the last of his face up."""
    deck = np.arange(52)
    hand, all_cards = np.empty(size, dtype=np.int64), np.empty(size + dealer_size, dtype=np.int64)
    dealer = np.empty(dealer_size, dtype=np.int64)
    plain, suited, suited_size = theirs
    folds = worths.shape[0] - 1
    for _ in range(rounds):
        state = deal(state, deck, seats * size + dealer_size)
        dealer[:] = deck[seats * size : seats * size + dealer_size]
        up = dealer[dealer_size - 1] if ups > 1 else 0
        if len(their_codes):
            _in_order(dealer)
            their_code = their_codes[index_of(dealer, choose)]
        else:
            their_code = code_of(dealer, plain, suited, suited_size)
        reaches = 1 if their_code >= threshold else 0
        for seat in range(seats):
            hand[:] = deck[seat * size : seat * size + size]
            _in_order(hand)
            at = index_of(hand, choose)
            known = class_of[at]
            if ups > 1:  # the up card moves with the suits of the hand that stands for this one
                _, goes = canonical(hand, choose)
                choice = best[known * ups + ((up & ~3) | (goes >> (4 * (up & 3)) & 3))]
            else:
                choice = best[known]
            compared = 0 if my_codes[at] < their_code else 1 if my_codes[at] == their_code else 2
            net = worths[choice, group_of[known], reaches, compared]
            sums[0, 0] += net
            sums[0, 1] += net * net
            folded = 1 if choice == folds else 0
            for side in range(len(places)):
                if places[side] == 0:
                    code = side_codes[side, at]
                else:
                    all_cards[:size] = hand
                    all_cards[size:] = dealer
                    code = code_of(all_cards, plains[side], suiteds[side], suited_sizes[side])
                net = codes_worth[side, folded, code]
                sums[side + 1, 0] += net
                sums[side + 1, 1] += net * net


@njit(cache=True, nogil=True)
def play_hold_em(
    state, rounds, sums, at_once, after_flop, hole_class, flop_class, flop_suits, moved, worths, fold, threshold, rows, trips, plain,
    suited, suited_size, choose, river, board_class,
):  # fmt: skip
    """Rounds of 653a at one seat: two cards each, then five on the board; the last decision is looked up by the board."""
    deck = np.arange(52)
    seven, pair, flop = np.empty(7, dtype=np.int64), np.empty(2, dtype=np.int64), np.empty(3, dtype=np.int64)
    board = np.empty(5, dtype=np.int64)
    for _ in range(rounds):
        state = deal(state, deck, 9)
        pair[:] = deck[:2]
        _in_order(pair)
        flop[:] = deck[4:7]
        _in_order(flop)
        board[:] = deck[4:9]
        _in_order(board)
        seven[2:] = board
        seven[:2] = pair
        mine = code_of(seven, plain, suited, suited_size)
        seven[:2] = deck[2:4]
        theirs = code_of(seven, plain, suited, suited_size)
        h = index_of(pair, choose)
        choice = at_once[hole_class[h]]
        if choice == 2:
            at = index_of(flop, choose)
            if not after_flop[flop_class[at], moved[flop_suits[at], h]]:
                choice = 3 if plays_river(board, pair, river, board_class, choose) else 4
        reaches = 1 if theirs >= threshold else 0
        compared = 0 if mine < theirs else 1 if mine == theirs else 2
        net = fold if choice == 4 else worths[choice, rows[mine], reaches, compared]
        sums[0, 0] += net
        sums[0, 1] += net * net
        net = trips[mine]
        sums[1, 0] += net
        sums[1, 1] += net * net


@njit(cache=True, nogil=True)
def plays_river(board, pair, river, board_class, choose):
    """Is playing at the end better than folding? Looked up by the board up to the suits and the two cards moved with it."""
    at, goes = canonical(board, choose)
    one = (pair[0] & ~3) | (goes >> (4 * (pair[0] & 3)) & 3)
    two = (pair[1] & ~3) | (goes >> (4 * (pair[1] & 3)) & 3)
    h = choose[max(one, two), 2] + min(one, two)
    return river[board_class[at], h >> 3] >> (h & 7) & 1


def player(offer: Offer, strategy: str, seats: int) -> Player:
    """The player of a game: its main wager and the side wagers that need no more cards than the main game deals."""
    analysis = Analysis(offer.rules, offer)
    solve = solver(offer.rules)
    if solve is against_dealer.solve:
        return _against_dealer(offer, analysis, strategy, seats)
    if solve is hold_em.solve:
        return _hold_em(offer, analysis)
    from croupier.odds import playing_others

    return playing_others.player(offer, analysis)


def side_wagers(offer: Offer, places: tuple[tuple[Place, ...], ...]) -> list[tuple[Settlement, Any, Holds]]:
    """The side wagers whose one card fact sees the cards at one of these sets of places."""
    found = []
    for settlement in offer.rules.settlements:
        facts = [fact for fact in settlement.asks if isinstance(fact, Holds | Depending)]
        if (
            settlement is not main_settlement(offer.rules)
            and len(facts) == 1
            and not settlement.of.electronic
            and offer.offers(settlement.of)
        ):
            way = facts[0] if isinstance(facts[0], Holds) else facts[0].ways[offer.readings[facts[0].reading.name]]
            named = [
                fact
                for fact in settlement.asks
                if fact.name not in ("player folded", facts[0].name) and not hasattr(fact, "alternatives")
            ]
            if way.places in places and not named and settlement.of.name not in offer.meters:
                found.append((settlement, facts[0], way))
    return found


def side_worths(offer: Offer, settlement: Settlement, fact: Any, rows: list[str]) -> tuple[NDArray[np.int64], int]:
    """What a side wager comes to by row, not folded and folded."""
    stakes = {settlement.of.key: Fraction(1)}
    nets = [
        worth(offer, settlement, asked(settlement, offer, {"player folded": folded}, {id(fact): row}), stakes).net
        for folded in (False, True)
        for row in rows
    ]
    numbers, scale = scaled(nets)
    return np.array(numbers, dtype=np.int64).reshape(2, -1), scale


def exact_of(analysis: Analysis, offer: Offer, settlement: Settlement) -> Fraction:
    table = {t.name: offer.letters[t.name] for t in analysis._tables(settlement) if t.name in offer.letters}
    return -analysis._side(offer, settlement, table, {}).edge


def _against_dealer(offer: Offer, analysis: Analysis, strategy: str, seats: int) -> Player:
    rules, main = offer.rules, main_settlement(offer.rules)
    solved = analysis.solved(offer)
    known, _ = solved.states
    size, dealer_size, _ = against_dealer.cards_of(rules)
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next((fact for fact in main.asks if isinstance(fact, DealerHas)), None)
    mine, theirs = table_of(compared.ranking, size, by_strength=True), table_of(compared.ranking, dealer_size, by_strength=True)
    rows = [against_dealer.row_codes(fact.ranking, size) for fact in holds_asked(main)]
    groups, group_of = np.unique(np.stack([codes for codes, _ in rows], axis=1), axis=0, return_inverse=True)
    prices = [worth_of_choice(offer, main, choice, rows, groups) for choice in rules.decisions[0].choices]
    numbers, scale = scaled([each for listed in prices for each in listed])
    worths = np.array(numbers, dtype=np.int64).reshape(len(prices), len(groups), 2, 3)
    best = solved.best if strategy == "best" else np.zeros_like(solved.best)
    total = counting.value_of_policy(
        known.counts, known.times, np.repeat(group_of.reshape(-1), known.ups), worths, best.astype(np.int8)
    )
    exact = Fraction(int(total), solved.outcomes.deals * scale) if strategy != "best" else -solved.edge
    played = [Played(main.of.name, scale, exact)]
    sides_found = side_wagers(offer, ((PLAYER,), (PLAYER, DEALER))) if size + dealer_size == 6 else side_wagers(offer, ((PLAYER,),))
    tables = [table_of(way.ranking, size if way.places == (PLAYER,) else size + dealer_size) for _, _, way in sides_found]
    codes_worth = np.zeros((len(sides_found), 2, max([each.levels for each in tables], default=1)), dtype=np.int64)
    for n, (settlement, fact, _) in enumerate(sides_found):
        values, side_scale = side_worths(offer, settlement, fact, tables[n].row_of_code)
        codes_worth[n, :, : values.shape[1]] = values
        played.append(Played(settlement.of.name, side_scale, exact_of(analysis, offer, settlement)))
    on_hand = [way.places == (PLAYER,) for _, _, way in sides_found]
    side_codes = np.zeros((len(tables), int(CHOOSE[52, size])), dtype=np.int16)
    for n, each in enumerate(tables):
        if on_hand[n]:
            side_codes[n] = counting.codes_of_all(size, *each.arrays, CHOOSE)
    none = np.zeros((1, 1), dtype=np.int16)
    dealers = counting.codes_of_all(dealer_size, *theirs.arrays, CHOOSE) if dealer_size < 6 else np.zeros(0, dtype=np.int16)
    return Player(played, play_against_dealer, (
        size, dealer_size, known.ups, classes(size).of, best, group_of.reshape(-1), worths,
        theirs.least_code(reaches.least) if reaches else 0, counting.codes_of_all(size, *mine.arrays, CHOOSE), dealers, theirs.arrays,
        side_codes, np.array([0 if here else 1 for here in on_hand], dtype=np.int64), codes_worth,
        np.stack([each.plain for each in tables]) if tables else none, np.stack([each.suited for each in tables]) if tables else none[None],
        np.array([each.ranking.size for each in tables], dtype=np.int64), CHOOSE, seats,
    ))  # fmt: skip


def worth_of_choice(offer: Offer, main: Settlement, choice: Any, rows: Any, groups: Any) -> list[Fraction]:
    rules = offer.rules
    stakes = unit_stakes(rules, main, rules.decisions[0], choice)
    found = []
    for group in groups:
        held = {id(fact): names[code] for fact, (_, names), code in zip(holds_asked(main), rows, group, strict=True)}
        for reaches in (False, True):
            for compared in against_dealer.COMPARED:
                known = {"player folded": choice.folds, "reaches": reaches, "compared": compared}
                found.append(worth(offer, main, asked(main, offer, known, held), stakes).net)
    return found


def _hold_em(offer: Offer, analysis: Analysis) -> Player:
    main = main_settlement(offer.rules)
    solved = analysis.solved(offer)
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next(fact for fact in main.asks if isinstance(fact, DealerHas))
    ranking, ladder = table_of(compared.ranking, 7, by_strength=True), holds_asked(main)[0].ranking
    rows = list(ladder.rows)
    priced, moves = hold_em.prices(offer, rows), hold_em.suits()
    settlement, fact, way = side_wagers(offer, ((PLAYER, COMMUNITY),))[0]
    values, side_scale = side_worths(offer, settlement, fact, list(way.ranking.rows))
    trips = values[0][hold_em.rows_by_code(ranking, way.ranking)]
    at = sides.cards_at(offer.rules, settlement)
    assert at[COMMUNITY] == 5
    _, scale = scaled([each.net for listed in priced.prices for each in listed] + [priced.fold.net])
    played = [
        Played(main.of.name, scale, -solved.edge),
        Played(settlement.of.name, side_scale, exact_of(analysis, offer, settlement)),
    ]
    return Player(played, play_hold_em, (
        solved.best, solved.states.after_flop, moves.hole_class, moves.flop_class, moves.flop_suits, moves.moved, priced.table,
        priced.fold_number, ranking.least_code(reaches.least), hold_em.rows_by_code(ranking, ladder), trips, *ranking.arrays, CHOOSE,
        solved.states.river, classes(5).of,
    ))  # fmt: skip
