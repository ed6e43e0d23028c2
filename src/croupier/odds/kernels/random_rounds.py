"""Kernels of the simulation: deal rounds at random, play them by a table of choices, and add up what each wager nets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.odds.kernels.card_sets import canonical, index_of
from croupier.odds.kernels.every_deal import MOST_IN_BATCH, _add, _value, moved_index, set_index
from croupier.odds.kernels.rank_tables import _BIT, _HELD, _WEIGHT, code_of

BLOCK = 256  # so many rounds are dealt and decided, then their side wagers settled, one wager after another
CARDS, BY_HAND, COMPARED, AT_LEAST, SIGHT = range(5)  # how a side wager looks; three cards are looked up by their index
JOKER_CARD = 52


class Layout(NamedTuple):
    """How many cards lie where: from the front of the deck each seat's, the dealer's, the community cards, each seat's fourth."""

    seats: int
    player: int
    dealer: int
    community: int = 0
    fourth: int = 0

    @property
    def cards(self) -> int:
        return self.seats * (self.player + self.fourth) + self.dealer + self.community

    @property
    def laid(self) -> int:
        return self.player + 2 * self.dealer + self.community + self.fourth


class Answered(NamedTuple):
    """What a player answers in every state that every deal has: see `every_deal`."""

    places: NDArray[np.int64]  # [batch]: where it lies among the cards before a seat
    first: NDArray[np.int64]  # [first batch, by index]: its number up to the suits
    stands: NDArray[np.int64]  # [number]: the index of the first batch that stands for it
    depths: NDArray[np.int64]  # [decision after answers]: batches known
    starts: NDArray[np.int64]  # [batches known]: the first of its states, and one more
    keys: NDArray[np.int64]  # [state]
    picks: NDArray[np.int8]  # [state, decision after answers]
    fixed: NDArray[np.int64]  # [decision after answers]: what is answered whatever is seen, else -1
    then: NDArray[np.int64]  # [decision after answers, choice]: the next, or an ending from -1 down
    worths: NDArray[np.int64]  # [ending, values of the facts]
    folds: NDArray[np.int64]  # [ending]
    asked: int  # the first decision


class Sides(NamedTuple):
    """What the kernel needs of all side wagers. Each looks at a slice of the cards before a seat, or at several in turn."""

    wagers: NDArray[np.int64]  # [wager]: its first look, and one more than its last
    looks: NDArray[
        np.int64
    ]  # [look]: how, from where to where, with which table, stride; the other slice and its table, or the least
    by_hand: NDArray[np.int16]  # [look, three cards]: their code
    plains: NDArray[np.int16]  # [table, weight]; last, what lies beside a joker
    suiteds: NDArray[np.int16]  # [table, suit, ranks]; last, what lies beside a joker
    sizes: NDArray[np.int64]  # [table]: how many suited cards make a suited hand
    kinds: NDArray[np.int64]  # [look, card]: what of it is seen, a digit of the number of a sight
    sights: NDArray[np.int16]  # [look, number of the sight]
    worths: NDArray[np.int64]  # [wager, folded, code]


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
def lay_out(deck, seat, layout, laid, row):
    """The cards that the wagers of a seat look at: the dealer's, the player's, the community cards, the dealer's again, the fourth.

    So laid, the cards of any two places lie side by side.
    """
    seats, player, dealer, community, fourth = layout
    before = seats * player
    for n in range(dealer):
        laid[row, n] = laid[row, dealer + player + community + n] = deck[before + n]
    for n in range(player):
        laid[row, dealer + n] = deck[seat * player + n]
    for n in range(community):
        laid[row, dealer + player + n] = deck[before + dealer + n]
    if fourth:
        laid[row, 2 * dealer + player + community] = deck[before + dealer + community + seat]


@njit(cache=True, nogil=True)
def in_order(cards):
    for i in range(1, len(cards)):
        each, j = cards[i], i - 1
        while j >= 0 and cards[j] > each:
            cards[j + 1] = cards[j]
            j -= 1
        cards[j + 1] = each


@njit(cache=True, nogil=True)
def enter(sums, wager, nets, rounds, seats):
    """Add the nets of a block of rounds to a wager's sums: of nets, of their squares, and of the squares of the rounds' totals."""
    for row in range(0, rounds * seats, seats):
        total = 0
        for net in nets[row : row + seats]:
            sums[wager, 0] += net
            sums[wager, 1] += net * net
            total += net
        sums[wager, 2] += total * total


@njit(cache=True, nogil=True)
def play_sides(sums, rounds, layout, sides, laid, hands, folded, nets):
    """Settle the side wagers of a block of rounds, the main game being wager 0. `hands` are the indices of the players' cards."""
    wagers, looks, by_hand, plains, suiteds, sizes, kinds, sights, worths = sides  # once: each access counts an array's users
    rows = rounds * layout.seats
    for side in range(len(wagers)):
        nets[:rows] = 0  # first what is seen, as a number
        for look in range(wagers[side, 0], wagers[side, 1]):
            how, start, stop, table, stride = looks[look, 0], looks[look, 1], looks[look, 2], looks[look, 3], looks[look, 4]
            least = begin = base = looks[look, 5]
            for row in range(rows):
                if how == BY_HAND:
                    code = np.int64(by_hand[look, hands[row]])
                elif how == SIGHT:
                    number = 0
                    for place in range(start, stop):
                        number = number * base + kinds[look, laid[row, place]]
                    code = np.int64(sights[look, number])
                else:
                    code = np.int64(_code(laid, row, start, stop, table, plains, suiteds, sizes[table]))
                    if how == AT_LEAST:
                        code = np.int64(code >= least)
                    elif how == COMPARED:
                        end, other = looks[look, 6], looks[look, 7]
                        theirs = _code(laid, row, begin, end, other, plains, suiteds, sizes[other])
                        code = np.int64(0 if code < theirs else 1 if code == theirs else 2)
                nets[row] += stride * code
        for row in range(rows):
            nets[row] = worths[side, folded[row], nets[row]]
        enter(sums, side + 1, nets, rounds, layout.seats)


@njit(cache=True, nogil=True)
def _code(laid, row, start, stop, table, plains, suiteds, size):
    """As `code_of`, of cards among which may be a joker; views of arrays, whose users must be counted, are not made."""
    total = ranks = held = 0
    for place in range(start, stop):
        each = laid[row, place]
        if each == JOKER_CARD:
            table, size = len(plains) - 1, size - 1
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


class OnBoard(NamedTuple):
    """What two cards answer with the board of each street, and what comes of it."""

    sizes: NDArray[np.int64]  # [street]: cards on the board
    begins: NDArray[np.int64]  # [street]: where the sets of its size begin in `classes`
    starts: NDArray[np.int64]  # [street]: where its boards begin in `picks`
    classes: NDArray[np.int32]
    picks: NDArray[np.int8]  # [board up to the suits, two cards, decision]
    river: NDArray[np.uint8]  # [whole board up to the suits, decision, two cards]: so many bits each
    bits: int
    then: NDArray[np.int64]  # as in `board_streets.Tree`
    items: NDArray[np.int64]
    rivers: NDArray[np.int64]
    folds: NDArray[np.bool_]
    worth: NDArray[np.int64]


@njit(cache=True, nogil=True)
def play_boards(
    state, rounds, sums, layout, sides, laid, hands, folded, nets, answers, threshold, rows, plain, suited, suited_size, choose
):
    """Rounds of two cards each and a board in streets."""
    seats, _, _, whole, _ = layout
    deck, cards, pair = np.arange(52), np.empty(2 + whole, dtype=np.int64), np.empty(2, dtype=np.int64)
    at, goes = np.zeros(len(answers.sizes), dtype=np.int64), np.zeros(len(answers.sizes), dtype=np.int64)
    shared = 2 * seats + 2  # where the community cards lie
    for first in range(0, rounds, BLOCK):
        block = min(BLOCK, rounds - first)
        for row in range(0, block * seats, seats):
            state = deal(state, deck, shared + whole)
            for street in range(len(at)):
                index, goes[street] = canonical(deck[shared : shared + answers.sizes[street]], choose)
                at[street] = answers.classes[answers.begins[street] + index]
            cards[2:] = deck[shared : shared + whole]
            cards[:2] = deck[shared - 2 : shared]
            theirs = code_of(cards, plain, suited, suited_size)
            reaches = 1 if theirs >= threshold else 0
            for seat in range(seats):
                pair[:] = deck[2 * seat : 2 * seat + 2]
                cards[:2] = pair
                mine, ending = code_of(cards, plain, suited, suited_size), ending_of(pair, at, goes, answers, choose)
                compared = 0 if mine < theirs else 1 if mine == theirs else 2
                nets[row + seat] = answers.worth[ending, rows[mine], reaches, compared]
                folded[row + seat] = 1 if answers.folds[ending] else 0
                lay_out(deck, seat, layout, laid, row + seat)
        enter(sums, 0, nets, block, seats)
        play_sides(sums, block, layout, sides, laid, hands, folded, nets)


@njit(cache=True, nogil=True)
def ending_of(pair, at, goes, answers, choose):
    """The ending that two cards come to with boards of these classes; `goes` moves the suits to those that stand for them."""
    group = street = 0
    while group >= 0 and street < len(answers.then):
        h = _moved_pair(pair, goes[street], choose)
        group = answers.then[street, group, answers.picks[answers.starts[street] + at[street], h, group]]
        street += 1
    item = -1 - group if len(answers.then) else 0
    ending, decision = answers.items[item, 0], answers.rivers[item]
    if decision >= 0:
        bit = answers.bits * _moved_pair(pair, goes[-1], choose)
        ending += answers.river[at[-1], decision, bit >> 3] >> (bit & 7) & ((1 << answers.bits) - 1)
    return ending


@njit(cache=True, nogil=True)
def _moved_pair(pair, goes, choose):
    one = (pair[0] & ~3) | (goes >> (4 * (pair[0] & 3)) & 3)
    two = (pair[1] & ~3) | (goes >> (4 * (pair[1] & 3)) & 3)
    return choose[max(one, two), 2] + min(one, two)


@njit(cache=True, nogil=True)
def play_community(
    state, rounds, sums, layout, sides, laid, hands, folded, nets, sizes, starts, class_of, bests, best, then, worths, folds, main,
    choose,
):  # fmt: skip
    """Own and community cards: a player answers by the cards seen so far, up to the suits, until the answers end."""
    seats, own, _, community, _ = layout
    deck, cards = np.arange(52), np.empty(own + community, dtype=np.int64)
    plain, suited, suited_size = main
    shared = own * seats
    for start in range(0, rounds, BLOCK):
        block = min(BLOCK, rounds - start)
        for row in range(0, block * seats, seats):
            state = deal(state, deck, shared + community)
            for seat in range(seats):
                node = 0
                while node >= 0:
                    size = sizes[node]
                    cards[:own] = deck[own * seat : own * seat + own]
                    cards[own:size] = deck[shared : shared + size - own]
                    in_order(cards[:size])
                    node = then[node, best[bests[node] + class_of[starts[node] + index_of(cards[:size], choose)]]]
                cards[:own] = deck[own * seat : own * seat + own]
                in_order(cards[:own])
                hands[row + seat] = index_of(cards[:own], choose)
                cards[own:] = deck[shared : shared + community]
                nets[row + seat] = worths[-1 - node, code_of(cards, plain, suited, suited_size)]
                folded[row + seat] = folds[-1 - node]
                lay_out(deck, seat, layout, laid, row + seat)
        enter(sums, 0, nets, block, seats)
        play_sides(sums, block, layout, sides, laid, hands, folded, nets)


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


@njit(cache=True, nogil=True)
def play_deals(state, rounds, sums, layout, sides, laid, hands, folded, nets, cards, facts, answered):
    """Rounds of any cards and answers: what is answered is looked up by all that is seen, up to the suits."""
    seats, player, dealer, community, fourth = layout
    deck, batches = np.arange(52), len(cards.sizes)
    dealt, scratch = np.zeros((batches, MOST_IN_BATCH), dtype=np.int64), np.zeros(16, dtype=np.int64)
    seen = np.zeros((batches + 1, len(facts.views), 3), dtype=np.int64)
    own = np.zeros(player, dtype=np.int64)
    for start in range(0, rounds, BLOCK):
        block = min(BLOCK, rounds - start)
        for row in range(0, block * seats, seats):
            state = deal(state, deck, seats * (player + fourth) + dealer + community)
            for seat in range(seats):
                at = row + seat
                lay_out(deck, seat, layout, laid, at)
                own[:] = laid[at, dealer : dealer + player]
                in_order(own)
                hands[at] = index_of(own, cards.choose) if player == 3 else 0
                for batch in range(batches):
                    size, first = cards.sizes[batch], answered.places[batch]
                    dealt[batch, :size] = laid[at, first : first + size]
                    in_order(dealt[batch, :size])
                    _add(seen[batch + 1], seen[batch], batch, dealt[batch], size, facts.views)
                asked = answered.asked
                while asked >= 0:
                    choice = answered.fixed[asked]
                    if choice < 0:
                        depth = answered.depths[asked]
                        key = state_key(depth, dealt, cards, answered, scratch)
                        low, high = answered.starts[depth], answered.starts[depth + 1]
                        choice = answered.picks[low + np.searchsorted(answered.keys[low:high], key), asked]
                    asked = answered.then[asked, choice]
                code = 0
                for n in range(len(facts.asks)):
                    ask = facts.asks[n]
                    code += ask[4] * _value(ask, facts.maps[n], seen[batches], facts, dealt, cards.sizes, cards.choose, scratch)
                nets[at], folded[at] = answered.worths[-1 - asked, code], answered.folds[-1 - asked]
        enter(sums, 0, nets, block, seats)
        play_sides(sums, block, layout, sides, laid, hands, folded, nets)


@njit(cache=True, nogil=True)
def state_key(depth, dealt, cards, answered, scratch):
    """The key of a state: of the permutations of the suits that make the first batch what stands for it, the least batches."""
    size, orders = cards.sizes[0], cards.orders
    number = answered.first[set_index(dealt[0], size, cards.choose)]
    key, alike = number, 0
    for order in range(len(orders)):
        if moved_index(dealt[0], size, orders[order], cards.choose, scratch) == answered.stands[number]:
            alike |= 1 << order
    for batch in range(1, depth):
        size, least, same = cards.sizes[batch], -1, 0
        for order in range(len(orders)):
            if alike >> order & 1:
                index = moved_index(dealt[batch], size, orders[order], cards.choose, scratch)
                if least < 0 or index < least:
                    least, same = index, 0
                if index == least:
                    same |= 1 << order
        key, alike = key * cards.choose[52, size] + least, same
    return key
