"""Kernels of the simulation: deal rounds at random, find how each seat's answers end, and add up what each wager nets.

Dealing and settling are the same for all games. For each kind of game an `answer` kernel finds the ending, which is the number of
all answers that the player gives. Wagers look at the cards before a seat as at a deal of `every_deal`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.odds.kernels.card_sets import canonical_index, in_order, index_of, moved_card, moved_index
from croupier.odds.kernels.every_deal import COMPARED, HIGH, LOOKED_UP, MOST_IN_BATCH, Facts, code_of_sums, high_of, value_of
from croupier.odds.kernels.rank_tables import _BIT, _HELD, _WEIGHT


class Layout(NamedTuple):
    """How many cards lie where. The deck has each seat's first, then the dealer's, the community cards and each seat's fourth."""

    seats: int
    player: int
    dealer: int
    community: int = 0
    fourth: int = 0

    @property
    def before_a_seat(self) -> int:
        """How many cards the wagers of one seat can look at: the player's, the dealer's, the community's and the fourth."""
        return self.player + self.dealer + self.community + self.fourth


class WagerTables(NamedTuple):
    """How to settle a wager: where its batches are among a seat's cards, the facts it asks, and its nets."""

    columns: NDArray[np.int64]  # [batch]: of its first card
    sizes: NDArray[np.int64]  # [batch]
    facts: Facts
    worths: NDArray[np.int64]  # [ending, values of the facts]


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
    """Deal to the front of a deck by Fisher-Yates, two cards per 64 bits. With 32 bits per card, the bias is at most 52 in 2**32."""
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
def deal_rounds(state, deck, layout, laid):
    """Deal rounds, and write the cards of each seat in a row: see `Layout`."""
    seats, player, dealer, community, fourth = layout
    count = seats * (player + fourth) + dealer + community
    shared, others = seats * player, dealer + community
    for row in range(len(laid)):
        seat = row % seats
        if seat == 0:
            state = deal(state, deck, count)
        for n in range(player):
            laid[row, n] = deck[seat * player + n]
        for n in range(others):
            laid[row, player + n] = deck[shared + n]
        if fourth:
            laid[row, player + others] = deck[shared + others + seat]
    return state


@njit(cache=True, nogil=True)
def settle_wager(sums, seats, settled, laid, endings):
    """Add the nets of a wager to its sums: of nets, of their squares, and of the squares of the rounds' totals."""
    columns, sizes, facts, worths = settled
    asks, seen, codes = facts.asks, _see(columns, sizes, facts, laid), np.zeros(len(endings), dtype=np.int64)
    for n in range(len(asks)):
        how, view, other, stride = asks[n, 0], asks[n, 1], asks[n, 2], asks[n, 3]
        for row in range(len(endings)):
            theirs = seen[other, row] if how == COMPARED else 0
            codes[row] += stride * value_of(how, seen[view, row], other, theirs)
    for row in range(0, len(endings), seats):
        total = 0
        for seat in range(row, row + seats):
            net = worths[endings[seat], codes[seat]]
            sums[0] += net
            sums[1] += net * net
            total += net
        sums[2] += total * total


@njit(cache=True, nogil=True)
def _see(columns, sizes, facts, laid):
    """What each view sees of each seat's cards, view by view, so that the tables of one view stay in the processor's cache."""
    views, plains, suiteds, kinds, lookups, _ = facts  # unpacked once: each access changes an array's reference count
    seen, at = np.empty((len(views), len(laid)), dtype=np.int16), np.empty(laid.shape[1], dtype=np.int64)
    for view in range(len(views)):
        how, table, size, count = views[view, 1], views[view, 2], views[view, 3], 0
        for batch in range(len(sizes)):
            if views[view, 0] >> batch & 1:
                for place in range(sizes[batch]):
                    at[count] = columns[batch] + place
                    count += 1
        for row in range(len(laid)):
            if how == LOOKED_UP:
                number = 0
                for n in range(count):
                    number = number * kinds[table, -1] + kinds[table, laid[row, at[n]]]
                seen[view, row] = lookups[table, number]
                continue
            total = ranks = held = 0
            for n in range(count):
                each = laid[row, at[n]]
                total += _WEIGHT[each]
                ranks |= _BIT[each]
                held += _HELD[each]
            code = code_of_sums(total, ranks, held, table, size, plains, suiteds)
            seen[view, row] = high_of(code, ranks) if how == HIGH else code
    return seen


# Answers: each kernel writes the ending that each seat reaches.


def answer_always(laid, endings, layout, ending):
    """Give the same answers whatever the cards."""
    endings[:] = ending


@njit(cache=True, nogil=True)
def answer_once(laid, endings, layout, size, ups, class_of, best, choose):
    """One decision, by the hand and by the last of the dealer's cards where that lies face up."""
    hand, up = np.empty(size, dtype=np.int64), layout.player + layout.dealer - 1
    for row in range(len(endings)):
        hand[:] = laid[row, :size]
        in_order(hand)
        if ups == 1:
            endings[row] = best[class_of[index_of(hand, choose)]]
        else:  # the up card moves with the suits of the hand's representative
            index, goes = canonical_index(hand, choose)
            endings[row] = best[class_of[index] * ups + moved_card(laid[row, up], goes)]


class OnBoard(NamedTuple):
    """The answers of each hole at each street, and where they lead."""

    sizes: NDArray[np.int64]  # [street]: cards on the board
    begins: NDArray[np.int64]  # [street]: where the sets of its size begin in `classes`
    starts: NDArray[np.int64]  # [street]: where its boards begin in `picks`
    classes: NDArray[np.int32]
    picks: NDArray[np.int8]  # [board up to suit symmetry, two cards, decision]
    at_the_end: NDArray[np.uint8]  # [whole board up to suit symmetry, decision, two cards]: `bits` bits each
    bits: int
    then: NDArray[np.int64]  # as in `board_streets.Tree`
    paths: NDArray[np.int64]
    last: NDArray[np.int64]


@njit(cache=True, nogil=True)
def answer_boards(laid, endings, layout, answers, choose):
    """Two cards and a board in streets. The board of a street is looked up when the first hand of the round reaches it."""
    sizes, begins, starts, classes, picks, at_the_end, bits, then, paths, last = answers  # as in `_see`
    board, shared = np.empty(layout.community, dtype=np.int64), layout.player + layout.dealer
    at, goes = np.zeros(len(sizes), dtype=np.int64), np.zeros(len(sizes), dtype=np.int64)
    for row in range(len(endings)):
        if row % layout.seats == 0:
            board[:] = laid[row, shared : shared + layout.community]
            at[:] = -1
        pair, state, street = laid[row, :2], 0, 0
        while state >= 0 and street < len(then):
            if at[street] < 0:
                at[street], goes[street] = _on_board(board, sizes[street], begins[street], classes, choose)
            h = _moved_pair(pair, goes[street], choose)
            state = then[street, state, picks[starts[street] + at[street], h, state]]
            street += 1
        path = -1 - state if len(then) else 0
        endings[row] = paths[path, 0]
        if last[path] >= 0:
            end = len(at) - 1
            if at[end] < 0:
                at[end], goes[end] = _on_board(board, sizes[end], begins[end], classes, choose)
            bit = bits * _moved_pair(pair, goes[end], choose)
            endings[row] += at_the_end[at[end], last[path], bit >> 3] >> (bit & 7) & ((1 << bits) - 1)


@njit(cache=True, nogil=True)
def _on_board(board, size, begin, classes, choose):
    """The class of the first cards of a board, and the suit permutation that moves it to its representative."""
    index, goes = canonical_index(board[:size], choose)
    return classes[begin + index], goes


@njit(cache=True, nogil=True)
def _moved_pair(pair, goes, choose):
    one, two = moved_card(pair[0], goes), moved_card(pair[1], goes)
    return choose[max(one, two), 2] + min(one, two)


@njit(cache=True, nogil=True)
def answer_community(laid, endings, layout, own, sizes, starts, class_of, bests, best, then, choose):
    """Own and community cards: answers by the cards seen so far, up to suit symmetry."""
    cards, shared = np.empty(own + layout.community, dtype=np.int64), layout.player + layout.dealer
    for row in range(len(endings)):
        node = 0
        while node >= 0:
            size = sizes[node]
            cards[:own] = laid[row, :own]
            cards[own:size] = laid[row, shared : shared + size - own]
            in_order(cards[:size])
            node = then[node, best[bests[node] + class_of[starts[node] + index_of(cards[:size], choose)]]]
        endings[row] = -1 - node


@njit(cache=True, nogil=True)
def answer_by_kinds(laid, endings, layout, kind_of, index, keys, mine, theirs, counts):
    """Five cards to set against the dealer's five, distinguished only by kind: a hand is looked up by its key."""
    for row in range(len(endings)):
        player = mine[np.searchsorted(keys, _key(laid, row, 0, kind_of, index))]
        dealer = theirs[np.searchsorted(keys, _key(laid, row, layout.player, kind_of, index))]
        endings[row] = player * counts + dealer


@njit(cache=True, nogil=True)
def _key(laid, row, first, kind_of, index):
    """The key of five cards."""
    key = 0
    for place in range(first, first + 5):
        key += index[kind_of[laid[row, place]]]
    return key


class StateAnswers(NamedTuple):
    """The answer in every state of every deal: see `every_deal`."""

    places: NDArray[np.int64]  # [batch]: where it lies among the cards before a seat
    first: NDArray[np.int64]  # [first batch, by index]: its number up to suit symmetry
    stands: NDArray[np.int64]  # [number]: the index of the representative first batch
    depths: NDArray[np.int64]  # [decision after answers]: batches known
    starts: NDArray[np.int64]  # [batches known]: the first of its states, and one more
    keys: NDArray[np.int64]  # [state]
    picks: NDArray[np.int8]  # [state, decision after answers]
    then: NDArray[np.int64]  # [decision after answers, choice]: the next, or an ending from -1 down
    asked: int  # the first decision


@njit(cache=True, nogil=True)
def answer_deals(laid, endings, layout, cards, answered):
    """Any cards and answers, looked up by everything seen, up to suit symmetry."""
    dealt, scratch = np.zeros((len(cards.sizes), MOST_IN_BATCH), dtype=np.int64), np.zeros(16, dtype=np.int64)
    for row in range(len(endings)):
        for batch in range(len(cards.sizes)):
            size, first = cards.sizes[batch], answered.places[batch]
            dealt[batch, :size] = laid[row, first : first + size]
            in_order(dealt[batch, :size])
        asked = answered.asked
        while asked >= 0:
            depth = answered.depths[asked]
            key = state_key(depth, dealt, cards, answered, scratch)
            low, high = answered.starts[depth], answered.starts[depth + 1]
            asked = answered.then[asked, answered.picks[low + np.searchsorted(answered.keys[low:high], key), asked]]
        endings[row] = -1 - asked


@njit(cache=True, nogil=True)
def state_key(depth, dealt, cards, answered, scratch):
    """The key of a state: the lowest batches over the suit permutations that move the first batch to its representative."""
    first, orders = dealt[0, : cards.sizes[0]], cards.orders
    number = answered.first[index_of(first, cards.choose)]
    key, alike = number, 0
    for order in range(len(orders)):
        if moved_index(first, orders[order], cards.choose, scratch) == answered.stands[number]:
            alike |= 1 << order
    for batch in range(1, depth):
        size, least, same = cards.sizes[batch], -1, 0
        for order in range(len(orders)):
            if alike >> order & 1:
                index = moved_index(dealt[batch, :size], orders[order], cards.choose, scratch)
                if least < 0 or index < least:
                    least, same = index, 0
                if index == least:
                    same |= 1 << order
        key, alike = key * cards.choose[52, size] + least, same
    return key
