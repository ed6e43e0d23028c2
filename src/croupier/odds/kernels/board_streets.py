"""Kernels for two hole cards and a board in any streets against a dealer's two. They know no rule; prices come as a table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.odds.kernels.board_counts import _dealers, _pairs_in_order
from croupier.odds.kernels.rank_tables import code_of


class Steps(NamedTuple):
    """The boards of the streets that end with fewer cards than a base board has: which subsets of it they are, and their classes."""

    sizes: NDArray[np.int64]  # [level]: cards on the board
    begins: NDArray[np.int64]  # [level]: where its sets begin in `classes` and `orders`
    starts: NDArray[np.int64]  # [level]: where its classes begin among those of all levels, and the end
    classes: NDArray[np.int32]
    orders: NDArray[np.int64]  # the order of the suits that moves a set to the one that stands for it
    subsets: NDArray[np.int64]  # [subset, place]: places in a board, from the lowest
    first: NDArray[np.int64]  # [level]: the first of its subsets, and one more
    moved: NDArray[np.int64]  # [order, two cards]
    suits: NDArray[np.int64]  # [order, suit]


class Scratch(NamedTuple):
    """Where the hands beside one board are counted."""

    pairs: NDArray[np.int64]  # [hand, card]
    codes: NDArray[np.int64]
    order: NDArray[np.int64]  # of the hands by their codes
    tally: NDArray[np.int64]
    distinct: NDArray[np.int64]
    by_card: NDArray[np.int64]
    counts: NDArray[np.int64]  # [hand, reaches, compared]: of the dealer's hands


class Tree(NamedTuple):
    """What may be answered. Items are what a player comes to before the whole board: an ending, or the decision at the end."""

    worth: NDArray[np.int64]  # [ending, row, reaches, compared]
    items: NDArray[np.int64]  # [item]: its first ending, and one more than its last
    groups: NDArray[np.int64]  # [decision at the base]: its first item, and one more than its last
    columns: NDArray[
        np.int64
    ]  # [level, column]: items, and after them decisions at the base, that a level chooses among; -1 for none
    then: NDArray[np.int64]  # [street, decision, choice]: the decision at the next street, or -1 - item
    rivers: NDArray[np.int64]  # [item]: the number of the decision at the end, -1 for an ending
    folds: NDArray[np.bool_]  # [ending]


@njit(cache=True, nogil=True)
def scratch(hands, codes):
    return Scratch(
        np.empty((hands, 2), dtype=np.int64),
        np.empty(hands, dtype=np.int64),
        np.empty(hands, dtype=np.int64),
        np.zeros(codes, dtype=np.int64),
        np.empty(hands, dtype=np.int64),
        np.empty((3, 52), dtype=np.int64),
        np.empty((hands, 2, 3), dtype=np.int64),
    )


@njit(cache=True, nogil=True)
def count_dealers(board, deck, others, threshold, room, plain, suited, suited_size):
    """All two cards beside a board with their codes, and how the dealer's hands compare with each; `others` is how many there are."""
    pairs, codes, order = room.pairs, room.codes, room.order
    _pairs_in_order(board, deck, pairs, codes, order, room.tally, room.distinct, plain, suited, suited_size)
    _dealers(codes, pairs, order, others, threshold, room.counts, room.by_card)


@njit(inline="always")
def value_of(counts, at, worth, ending, row):
    """What an ending is worth against all hands of the dealer. Makes no views of arrays: there are very many hands."""
    lost = counts[at, 0, 0] * worth[ending, row, 0, 0] + counts[at, 1, 0] * worth[ending, row, 1, 0]
    tied = counts[at, 0, 1] * worth[ending, row, 0, 1] + counts[at, 1, 1] * worth[ending, row, 1, 1]
    return lost + tied + counts[at, 0, 2] * worth[ending, row, 0, 2] + counts[at, 1, 2] * worth[ending, row, 1, 2]


@njit(inline="always")
def _best(counts, at, worth, items, item, row):
    """The best ending of an item, the first of equals, and what it is worth."""
    best = items[item, 0]
    most = value_of(counts, at, worth, best, row)
    for ending in range(best + 1, items[item, 1]):
        value = value_of(counts, at, worth, ending, row)
        if value > most:
            best, most = ending, value
    return best, most


@njit(cache=True, nogil=True)
def _holes(board, deck, choose, hole):
    """All two cards beside a board. Returns how many there are."""
    used = count = 0
    for each in board:
        used |= 1 << each
    for high in deck:
        for low in deck:
            if low == high:
                break
            if not (used >> high | used >> low) & 1:
                hole[count] = choose[high, 2] + low
                count += 1
    return count


@njit(cache=True, nogil=True)
def _alike(board, suits, same):
    """The orders of the suits that leave a board as it is. Returns how many there are."""
    count, held = 0, 0
    for each in board:
        held |= 1 << each
    for order in range(len(suits)):
        kept = True
        for each in board:
            kept = kept and held >> ((each & ~3) | suits[order, each & 3]) & 1
        if kept:
            same[count] = order
            count += 1
    return count


@njit(cache=True, nogil=True)
def _river(board, whole, deck, steps, same, alike, rivers, weights):
    """The last cards of the board up to the suits, and how many each stands for; one that is none where the board is whole."""
    if len(board) == whole:
        rivers[0], weights[0] = -1, 1
        return 1
    count = 0
    for each in deck:
        fixed, least = 0, each
        for n in range(alike):
            other = (each & ~3) | steps.suits[same[n], each & 3]
            least = min(least, other)
            fixed += 1 if other == each else 0
        taken = False
        for other in board:
            taken = taken or other == each
        if least == each and not taken:
            rivers[count], weights[count] = each, alike // fixed
            count += 1
    return count


@njit(cache=True, nogil=True)
def _index(board, places, size, choose):
    total = 0
    for place in range(size):
        total += choose[board[places[place]], place + 1]
    return total


@njit(cache=True, nogil=True)
def _scatter(board, hole, count, values, columns, times, level, steps, later, sums, choose):
    """Add what two cards come to with a board to all boards of an earlier street that are part of it."""
    width = 0
    while width < len(columns) and columns[width] >= 0:
        for n in range(count):
            later[n, width] = times * values[hole[n], columns[width]]
        width += 1
    if not width:
        return
    for subset in range(steps.first[level], steps.first[level + 1]):
        at = steps.begins[level] + _index(board, steps.subsets[subset], steps.sizes[level], choose)
        into, mapped = sums[steps.starts[level] + steps.classes[at]], steps.moved[steps.orders[at]]
        if width == 2:  # as often as not; a loop over so few takes twice as long
            for n in range(count):
                h = mapped[hole[n]]
                into[h, 0] += later[n, 0]
                into[h, 1] += later[n, 1]
        else:
            for n in range(count):
                for column in range(width):
                    into[mapped[hole[n]], column] += later[n, column]


@njit(cache=True, nogil=True)
def _decide(hole, count, same, alike, values, groups, into, picks, steps, together):
    """Choose for two cards that the suits of the board do not tell apart at once: the first of equals.

    What is chosen for each goes to `picks`, what it is worth for all that are alike to the columns of `values` from `into` on.
    """
    size = groups[-1, 1]
    for n in range(count):
        together[hole[n], :] = 0
    for n in range(count):
        h = hole[n]
        least = h
        for order in range(alike):
            least = min(least, steps.moved[same[order], h])
        together[h, size] = least
        for item in range(groups[0, 0], size):
            together[least, item] += values[h, item]
    for n in range(count):
        h = hole[n]
        for group in range(len(groups)):
            values[h, into + group] = 0
    for n in range(count):
        h = hole[n]
        if together[h, size] == h:
            for group in range(len(groups)):
                best = groups[group, 0]
                for item in range(best + 1, groups[group, 1]):
                    if together[h, item] > together[h, best]:
                        best = item
                picks[h, group], values[h, into + group] = best - groups[group, 0], together[h, best]
    for n in range(count):
        h = hole[n]
        for group in range(len(groups)):
            picks[h, group] = picks[together[h, size], group]


@njit(cache=True, nogil=True)
def board_values(
    boards, times, start, stop, deck, whole, threshold, rows, tree, steps, grades, graded, plain, suited, suited_size, choose
):
    """What all answers come to with each base board and two cards of the player, the best ones at its streets.

    A base board is whole, or lacks its last card where a decision is asked then. Returns the sums by boards of the earlier
    streets and two cards of what each of them chooses among, and what is chosen at the base. For `graded` hands also what each
    item is worth by the grade of two cards with the base board, and each ending by the code of all cards.
    """
    every, others = choose[len(deck) - whole, 2], choose[len(deck) - whole - 2, 2]  # hands beside a board, and beside the player's
    items, size, worth, ranges = len(tree.items), boards.shape[1], tree.worth, tree.items
    sums = np.zeros((steps.starts[-1], 1326, tree.columns.shape[1]), dtype=np.int64)
    picks = np.zeros((stop - start if len(tree.groups) else 0, 1326, len(tree.groups)), dtype=np.int8)
    room = scratch(every, len(rows))
    pairs, codes, counts = room.pairs, room.codes, room.counts
    hole = np.empty(1326, dtype=np.int64)
    values = np.zeros((1326, items + len(tree.groups)), dtype=np.int64)
    told = np.zeros((items, grades.max() + 1 if len(grades) else 0), dtype=np.int64)
    told_ends = np.zeros((len(worth), len(rows) if graded else 0), dtype=np.int64)
    later, together = np.empty((1326, tree.columns.shape[1]), dtype=np.int64), np.empty((1326, items + 1), dtype=np.int64)
    board, same = np.empty(whole, dtype=np.int64), np.empty(24, dtype=np.int64)
    rivers, weights = np.empty(52, dtype=np.int64), np.empty(52, dtype=np.int64)
    for b in range(start, stop):
        board[:size] = boards[b]
        count = _holes(boards[b], deck, choose, hole)
        alike = _alike(boards[b], steps.suits, same) if size < whole else 1
        values[:] = 0
        for r in range(_river(boards[b], whole, deck, steps, same, alike, rivers, weights)):
            if size < whole:
                board[size] = rivers[r]
            count_dealers(board, deck, others, threshold, room, plain, suited, suited_size)
            for at in range(every):
                h, row = choose[pairs[at, 1], 2] + pairs[at, 0], rows[codes[at]]
                for item in range(items):
                    values[h, item] += weights[r] * _best(counts, at, worth, ranges, item, row)[1]
                if graded:
                    for ending in range(len(worth)):
                        told_ends[ending, codes[at]] += times[b] * weights[r] * value_of(counts, at, worth, ending, row)
        if len(grades):
            for n in range(count):
                for item in range(items):
                    told[item, grades[b, hole[n]]] += times[b] * values[hole[n], item]
        if len(tree.groups):
            _decide(hole, count, same, alike, values, tree.groups, items, picks[b - start], steps, together)
        for level in range(len(steps.sizes)):
            _scatter(boards[b], hole, count, values, tree.columns[level], times[b], level, steps, later, sums, choose)
    return sums, picks, told, told_ends


@njit(cache=True, nogil=True)
def codes_beside(boards, plain, suited, suited_size, choose):
    """The codes of each two cards with each board; 0 where they are on it."""
    size = boards.shape[1]
    found, cards = np.zeros((len(boards), 1326), dtype=np.int16), np.empty(size + 2, dtype=np.int64)
    for b in range(len(boards)):
        cards[2:] = boards[b]
        for high in range(52):
            for low in range(high):
                if not ((boards[b] == high) | (boards[b] == low)).any():
                    cards[0], cards[1] = low, high
                    found[b, choose[high, 2] + low] = code_of(cards, plain, suited, suited_size)
    return found


@njit(cache=True, nogil=True)
def decide(sums, boards, deck, groups, level, columns, steps, choose):
    """Choose at a street for each of its boards and two cards, and add what that is worth to the boards of the street before."""
    width = sums.shape[2]
    picks = np.zeros((len(boards), 1326, len(groups)), dtype=np.int8)
    found = np.zeros((steps.starts[-1] if level else 0, 1326, len(columns)), dtype=np.int64)
    values, together = np.zeros((1326, width + len(groups)), dtype=np.int64), np.empty((1326, width + 1), dtype=np.int64)
    later, hole = np.empty((1326, len(columns)), dtype=np.int64), np.empty(1326, dtype=np.int64)
    same = np.empty(24, dtype=np.int64)
    for b in range(len(boards)):
        count = _holes(boards[b], deck, choose, hole)
        values[:, :width] = sums[b]
        alike = _alike(boards[b], steps.suits, same)
        _decide(hole, count, same, alike, values, groups, width, picks[b], steps, together)
        if level:
            _scatter(boards[b], hole, count, values, columns, 1, level - 1, steps, later, found, choose)
    return picks, found


class Played(NamedTuple):
    """What is answered at every street, and the ways in which the cards of a base board may have come."""

    picks: NDArray[np.int8]  # [board of an earlier street, two cards, decision]
    base: NDArray[np.int8]  # [base board, two cards, decision]
    river: NDArray[np.int8]  # [decision, code]: what a rule in words answers at the end; nothing where the best is
    chains: NDArray[np.int64]  # [way, level]: the subset of the board that lies at each street
    flops: NDArray[np.int64]  # [way, place]: the first three cards


@njit(cache=True, nogil=True)
def _reach(board, b, hole, count, tree, steps, played, choose, reached, many):
    """By which of the ways each two cards come to which item (as bits), and by how many."""
    starts, classes, orders, moved = steps.starts, steps.classes, steps.orders, steps.moved
    picks, base, then, chains = played.picks, played.base, tree.then, played.chains
    ways, levels = chains.shape
    boards, goes = np.zeros((ways, levels), dtype=np.int64), np.zeros((ways, levels), dtype=np.int64)
    for way in range(ways):
        for level in range(levels):
            at = steps.begins[level] + _index(board, steps.subsets[chains[way, level]], steps.sizes[level], choose)
            boards[way, level], goes[way, level] = starts[level] + classes[at], orders[at]
    early = 1 if levels and steps.sizes[0] == 0 else 0  # an answer that is the same by every way
    begins, on, going = np.zeros(1326, dtype=np.int64), np.zeros(1326, dtype=np.int64), 0
    for n in range(count):
        h = hole[n]
        reached[h, :] = 0
        many[h, :] = 0
        begins[h] = then[0, 0, picks[starts[0], h, 0]] if early else 0 if len(then) else -1
        if begins[h] < 0:
            reached[h, -1 - begins[h]], many[h, -1 - begins[h]] = (1 << ways) - 1, ways
        else:
            on[going] = h
            going += 1
    for way in range(ways):
        for n in range(going):
            h = on[n]
            group = begins[h]
            for street in range(early, len(then)):
                here = street < levels
                pick = picks[boards[way, street], moved[goes[way, street], h], group] if here else base[b, h, group]
                group = then[street, group, pick]
                if group < 0:
                    break
            reached[h, -1 - group] |= 1 << way
            many[h, -1 - group] += 1


@njit(cache=True, nogil=True)
def board_outcomes(
    boards, times, start, stop, deck, whole, threshold, rows, tree, steps, played, plain, suited, suited_size, plain5, suited5, choose
):  # fmt: skip
    """How many deals end how when the answers are these: by (ending, row, reaches, compared), and folded ones by code."""
    every, others = choose[len(deck) - whole, 2], choose[len(deck) - whole - 2, 2]
    items, size, ways, worth, ranges = len(tree.items), boards.shape[1], len(played.chains), tree.worth, tree.items
    river_of, folds, forced, flops = tree.rivers, tree.folds, played.river, played.flops
    ends = np.zeros(tree.worth.shape, dtype=np.int64)
    folded = np.zeros((2, len(rows)), dtype=np.int64)  # by the code of all cards, and of the two with the first three
    room = scratch(every, len(rows))
    pairs, codes, counts = room.pairs, room.codes, room.counts
    hole = np.empty(1326, dtype=np.int64)
    reached, many = np.zeros((1326, items), dtype=np.int64), np.zeros((1326, items), dtype=np.int64)
    board, same, five = np.empty(whole, dtype=np.int64), np.empty(24, dtype=np.int64), np.empty(5, dtype=np.int64)
    rivers, weights = np.empty(52, dtype=np.int64), np.empty(52, dtype=np.int64)
    for b in range(start, stop):
        board[:size] = boards[b]
        count = _holes(boards[b], deck, choose, hole)
        _reach(boards[b], b, hole, count, tree, steps, played, choose, reached, many)
        alike = _alike(boards[b], steps.suits, same) if size < whole else 1
        for r in range(_river(boards[b], whole, deck, steps, same, alike, rivers, weights)):
            if size < whole:
                board[size] = rivers[r]
            count_dealers(board, deck, others, threshold, room, plain, suited, suited_size)
            deals = times[b] * weights[r]
            for at in range(every):
                h, code = choose[pairs[at, 1], 2] + pairs[at, 0], codes[at]
                for item in range(items):
                    if not many[h, item]:
                        continue
                    ending, times_here = ranges[item, 0], deals * many[h, item]
                    if river_of[item] >= 0:
                        if len(forced):
                            ending += forced[river_of[item], code]
                        else:
                            ending, _ = _best(counts, at, worth, ranges, item, rows[code])
                    for reaches in range(2):
                        for compared in range(3):
                            ends[ending, rows[code], reaches, compared] += times_here * counts[at, reaches, compared]
                    if folds[ending]:
                        folded[0, code] += times_here * others
                        five[0], five[1] = pairs[at, 0], pairs[at, 1]
                        for way in range(ways if len(plain5) else 0):
                            if reached[h, item] >> way & 1:
                                for place in range(3):
                                    five[2 + place] = board[flops[way, place]]
                                folded[1, code_of(five, plain5, suited5, suited_size)] += deals * others
    return ends, folded


@njit(cache=True, nogil=True)
def river_picks(boards, start, stop, deck, threshold, rows, tree, bits, plain, suited, suited_size, choose):
    """What is best at the end: for each board, decision and two cards so many bits."""
    every, others = choose[len(deck) - boards.shape[1], 2], choose[len(deck) - boards.shape[1] - 2, 2]
    last = np.flatnonzero(tree.rivers >= 0)
    found = np.zeros((stop - start, len(last), 1326 * bits // 8 + 1), dtype=np.uint8)
    room = scratch(every, len(rows))
    pairs, codes, counts = room.pairs, room.codes, room.counts
    for b in range(start, stop):
        count_dealers(boards[b], deck, others, threshold, room, plain, suited, suited_size)
        for at in range(every):
            h = bits * (choose[pairs[at, 1], 2] + pairs[at, 0])
            for n in range(len(last)):
                pick = _best(counts, at, tree.worth, tree.items, last[n], rows[codes[at]])[0] - tree.items[last[n], 0]
                found[b - start, n, h >> 3] |= pick << (h & 7)
    return found
