"""Kernels for two hole cards and five on the board (653a). Like all kernels they know no rule; prices come as a table."""

from __future__ import annotations

import numpy as np
from numba import njit

from croupier.odds.kernels.rank_tables import _BIT, _HELD, _WEIGHT, code_at, code_of


@njit(cache=True, nogil=True)
def _pairs_in_order(board, deck, pairs, codes, order, tally, distinct, plain, suited, suited_size):
    """All two cards beside a board with their codes, in the order of the codes. Returns how many codes there are."""
    used = np.zeros(52, dtype=np.bool_)
    total = ranks = held = 0
    for each in board:
        used[each] = True
        total += _WEIGHT[each]
        ranks |= _BIT[each]
        held += _HELD[each]
    count = groups = 0
    for high in deck:
        if used[high]:
            continue
        for low in deck:
            if low == high:
                break
            if not used[low]:
                code = code_at(
                    total + _WEIGHT[high] + _WEIGHT[low],
                    ranks | _BIT[high] | _BIT[low],
                    held + _HELD[high] + _HELD[low],
                    plain,
                    suited,
                    suited_size,
                )
                pairs[count, 0], pairs[count, 1] = low, high
                codes[count] = code
                if tally[code] == 0:
                    distinct[groups] = code
                    groups += 1
                tally[code] += 1
                count += 1
    distinct[:groups].sort()
    at = 0
    for group in range(groups):
        code = distinct[group]
        at, tally[code] = at + tally[code], at
    for each in range(count):
        order[tally[codes[each]]] = each
        tally[codes[each]] += 1
    for group in range(groups):
        tally[distinct[group]] = 0
    return groups


@njit(cache=True, nogil=True)
def _dealers(codes, pairs, order, others, threshold, counts, scratch):
    """For each two cards of the player, how many of the dealer's reach a code or not, and how the player's hand compares.

    `counts` [two cards, reaches, compared]: the dealer's pairs are counted in the order of their codes, and those that share
    a card with the player are taken off card by card. `others` is how many the dealer may have.
    """
    every = len(order)
    poor_with, lower_with, equal_with = scratch[0], scratch[1], scratch[2]
    poor_with[:] = 0
    lower_with[:] = 0
    poor = lower = n = 0
    for each in range(every):
        if codes[each] < threshold:
            poor += 1
            poor_with[pairs[each, 0]] += 1
            poor_with[pairs[each, 1]] += 1
    while n < every:  # groups of equal codes, from the lowest
        code, end = codes[order[n]], n
        equal_with[:] = 0
        while end < every and codes[order[end]] == code:
            equal_with[pairs[order[end], 0]] += 1
            equal_with[pairs[order[end], 1]] += 1
            end += 1
        is_poor_code = code < threshold
        for m in range(n, end):
            at = order[m]
            x, y = pairs[at, 0], pairs[at, 1]
            is_lower = lower - lower_with[x] - lower_with[y]
            is_equal = end - n - equal_with[x] - equal_with[y] + 1
            is_poor = poor - poor_with[x] - poor_with[y] + is_poor_code
            # the dealer's poor hands are all lower, unless the player's is poor too; then the dealer's other hands are all higher
            counts[at, 0, 2] = is_lower if is_poor_code else is_poor
            counts[at, 0, 1] = is_equal if is_poor_code else 0
            counts[at, 0, 0] = is_poor - counts[at, 0, 2] - counts[at, 0, 1]
            counts[at, 1, 2] = is_lower - counts[at, 0, 2]
            counts[at, 1, 1] = is_equal - counts[at, 0, 1]
            counts[at, 1, 0] = others - is_poor - counts[at, 1, 2] - counts[at, 1, 1]
        for m in range(n, end):
            lower_with[pairs[order[m], 0]] += 1
            lower_with[pairs[order[m], 1]] += 1
        lower += end - n
        n = end


@njit(cache=True, nogil=True)
def _value(counts, worth):
    value = 0
    for reaches in range(2):
        for compared in range(3):
            value += counts[reaches, compared] * worth[reaches, compared]
    return value


@njit(cache=True, nogil=True)
def hold_em(
    boards,
    times,
    start,
    stop,
    deck,
    flop_class,
    flop_suits,
    moved,
    worth,
    fold,
    threshold,
    rows,
    plain,
    suited,
    suited_size,
    choose,
):
    """The whole tree of a game with two cards each and five on the board, priced by `worth` (choice, row, reaches, compared).

    For each board up to the suits and each two cards of the player the better end is taken; then the sums are added up for
    each two cards and each Flop up to the suits. Returns the sums by (Flop, two cards) of the best end and of playing after
    the Flop, and by two cards of the choices before it.
    """
    every, others = choose[len(deck) - 5, 2], choose[len(deck) - 7, 2]  # hands beside a board, and beside the player's too
    sums = np.zeros((flop_class.max() + 1, 1326, 2), dtype=np.int64)
    first = np.zeros((2, 1326), dtype=np.int64)
    pairs, codes = np.empty((every, 2), dtype=np.int64), np.empty(every, dtype=np.int64)
    order, tally = np.empty(every, dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
    distinct, scratch = np.empty(every, dtype=np.int64), np.empty((3, 52), dtype=np.int64)
    counts = np.empty((every, 2, 3), dtype=np.int64)
    later, hole = np.empty((every, 2), dtype=np.int64), np.empty(every, dtype=np.int64)
    for b in range(start, stop):
        board = boards[b]
        _pairs_in_order(board, deck, pairs, codes, order, tally, distinct, plain, suited, suited_size)
        _dealers(codes, pairs, order, others, threshold, counts, scratch)
        for at in range(every):
            row = rows[codes[at]]
            h = hole[at] = choose[pairs[at, 1], 2] + pairs[at, 0]
            later[at, 0] = times[b] * max(_value(counts[at], worth[3, row]), others * fold)
            later[at, 1] = times[b] * _value(counts[at], worth[2, row])
            first[0, h] += times[b] * _value(counts[at], worth[0, row])
            first[1, h] += times[b] * _value(counts[at], worth[1, row])
        for i in range(5):
            for j in range(i):
                for k in range(j):
                    flop = choose[board[i], 3] + choose[board[j], 2] + board[k]
                    into, mapped = sums[flop_class[flop]], moved[flop_suits[flop]]
                    for at in range(every):
                        h = mapped[hole[at]]
                        into[h, 0] += later[at, 0]
                        into[h, 1] += later[at, 1]
    return sums, first


@njit(cache=True, nogil=True)
def hold_em_outcomes(
    boards, times, start, stop, deck, flop_class, flop_suits, moved, hole_class, at_once, after_flop, worth, fold, threshold, rows, row_count,
    plain, suited, suited_size, plain5, suited5, choose,
):  # fmt: skip
    """How many deals end how when the choices are made: by (choice, row, reaches, compared), and folded ones by code.

    Returns too, a bit for each board and two cards, whether to play at the end.
    """
    every, others = choose[len(deck) - 5, 2], choose[len(deck) - 7, 2]
    river = np.zeros((stop - start, 166), dtype=np.uint8)
    ends = np.zeros((4, row_count, 2, 3), dtype=np.int64)
    folded = np.zeros((2, len(rows)), dtype=np.int64)  # by the code of all seven cards, and of the two with the Flop
    five, flop_cards = np.empty(5, dtype=np.int64), np.empty((10, 3), dtype=np.int64)
    pairs, codes = np.empty((every, 2), dtype=np.int64), np.empty(every, dtype=np.int64)
    order, tally = np.empty(every, dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
    distinct, scratch = np.empty(every, dtype=np.int64), np.empty((3, 52), dtype=np.int64)
    counts = np.empty((every, 2, 3), dtype=np.int64)
    flops, orders = np.empty(10, dtype=np.int64), np.empty(10, dtype=np.int64)
    for b in range(start, stop):
        board = boards[b]
        _pairs_in_order(board, deck, pairs, codes, order, tally, distinct, plain, suited, suited_size)
        _dealers(codes, pairs, order, others, threshold, counts, scratch)
        n = 0
        for i in range(5):
            for j in range(i):
                for k in range(j):
                    flop = choose[board[i], 3] + choose[board[j], 2] + board[k]
                    flops[n], orders[n] = flop_class[flop], flop_suits[flop]
                    flop_cards[n, 0], flop_cards[n, 1], flop_cards[n, 2] = board[i], board[j], board[k]
                    n += 1
        for at in range(every):
            row, h = rows[codes[at]], choose[pairs[at, 1], 2] + pairs[at, 0]
            now, plays = at_once[hole_class[h]], 0
            plays_on = _value(counts[at], worth[3, row]) >= others * fold
            if plays_on:
                river[b - start, h >> 3] |= 1 << (h & 7)
            if now == 2:
                for n in range(10):
                    plays += after_flop[flops[n], moved[orders[n], h]]
                now = 3 if plays_on else 4
                if now == 4:
                    folded[0, codes[at]] += (10 - plays) * times[b] * others
                    five[0], five[1] = pairs[at, 0], pairs[at, 1]
                    for n in range(10):
                        if not after_flop[flops[n], moved[orders[n], h]]:
                            five[2:] = flop_cards[n]
                            folded[1, code_of(five, plain5, suited5, suited_size)] += times[b] * others
            for reaches in range(2):
                for compared in range(3):
                    deals = times[b] * counts[at, reaches, compared]
                    if now < 2:
                        ends[now, row, reaches, compared] += 10 * deals
                    else:
                        ends[2, row, reaches, compared] += plays * deals
                        if now == 3:
                            ends[3, row, reaches, compared] += (10 - plays) * deals
    return ends, folded, river
