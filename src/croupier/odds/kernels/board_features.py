"""Kernels for what a player can say of two hole cards and a board (653a): they see, and add up; they know no rule."""

from __future__ import annotations

import numpy as np
from numba import njit

from croupier.odds.kernels.board_counts import _dealers, _pairs_in_order, _value
from croupier.odds.kernels.rank_tables import code_of


@njit(cache=True, nogil=True)
def see_flops(flops, plain5, suited5, row_of_code, choose):
    """Of each Flop and two cards beside it: the row of the five, and the highest hole card of a suit that has four (0 if none)."""
    rows = np.full((len(flops), 1326), -1, dtype=np.int8)
    suited = np.zeros((len(flops), 1326), dtype=np.int8)
    five = np.empty(5, dtype=np.int64)
    for f in range(len(flops)):
        five[2:] = flops[f]
        for high in range(52):
            for low in range(high):
                if high in flops[f] or low in flops[f]:
                    continue
                five[0], five[1] = low, high
                h = choose[high, 2] + low
                rows[f, h] = row_of_code[code_of(five, plain5, suited5, 5)]
                for own in (low, high):
                    held = 0
                    for each in five:
                        held += 1 if each & 3 == own & 3 else 0
                    if held == 4:
                        suited[f, h] = 2 + (own >> 2)
    return rows, suited


@njit(cache=True, nogil=True)
def see_ends(
    boards, times, start, stop, flop_class, flop_suits, moved, hole_class, raised, played, worth, fold, threshold, rows,
    plain6, suited6, plain7, suited7, choose,
):  # fmt: skip
    """What the end is worth to those who have checked twice: [unseen cards that beat the hand, fold or play].

    A card beats a hand if with it the board alone is better: the dealer needs no other. `worth` [row, reaches, compared].
    """
    found = np.zeros((46, 2), dtype=np.int64)
    pairs, codes = np.empty((1081, 2), dtype=np.int64), np.empty(1081, dtype=np.int64)
    order, tally = np.empty(1081, dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
    distinct, scratch = np.empty(1081, dtype=np.int64), np.empty((3, 52), dtype=np.int64)
    counts = np.empty((1081, 2, 3), dtype=np.int64)
    with_one, sorted_one, six = np.empty(52, dtype=np.int64), np.empty(47, dtype=np.int64), np.empty(6, dtype=np.int64)
    flops, orders = np.empty(10, dtype=np.int64), np.empty(10, dtype=np.int64)
    deck = np.arange(52)
    for b in range(start, stop):
        board = boards[b]
        _pairs_in_order(board, deck, pairs, codes, order, tally, distinct, plain7, suited7, 5)
        _dealers(codes, pairs, order, 990, threshold, counts, scratch)  # 990 pairs beside the player’s own
        six[:5] = board
        n = 0
        for each in range(52):
            if each not in board:
                six[5] = each
                with_one[each] = sorted_one[n] = code_of(six, plain6, suited6, 5)
                n += 1
        sorted_one.sort()
        n = 0
        for i in range(5):
            for j in range(i):
                for k in range(j):
                    flop = choose[board[i], 3] + choose[board[j], 2] + board[k]
                    flops[n], orders[n] = flop_class[flop], flop_suits[flop]
                    n += 1
        for at in range(1081):
            low, high, code = pairs[at, 0], pairs[at, 1], codes[at]
            h = choose[high, 2] + low
            if raised[hole_class[h]]:
                continue
            checked = 0
            for n in range(10):
                checked += 0 if played[flops[n], moved[orders[n], h]] else 1
            if checked:
                beat = 47 - np.searchsorted(sorted_one, code, side="right") - (with_one[low] > code) - (with_one[high] > code)
                found[beat, 0] += checked * times[b] * 990 * fold
                found[beat, 1] += checked * times[b] * _value(counts[at], worth[rows[code]])
    return found
