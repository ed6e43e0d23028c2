"""Every deal of some cards, batch by batch, with answers between the batches. Knows no rules: facts and prices come as tables.

Deals that are equal under a permutation of the suits are dealt once. Each batch is the one with the lowest index among its images
under the permutations that leave the earlier batches unchanged.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.odds.kernels.card_sets import index_of, moved_index, next_set
from croupier.odds.kernels.rank_tables import _BIT, _HELD, _WEIGHT, sums_of

RANKED, HIGH, LOOKED_UP = range(3)  # a view sees a code, the ranks (as bits) of a hand that fills no row, or what a table has
VALUE, ROW, AT_LEAST, COMPARED = range(4)  # a fact is what a view sees, a row by its code, a least, or compares two views
MOST_IN_BATCH = 7


class Batches(NamedTuple):
    """The cards to deal."""

    deck: NDArray[np.int64]
    known: NDArray[np.int64]  # [batch, place]: the cards of batches that are known already
    sizes: NDArray[np.int64]  # [batch]
    orders: NDArray[np.int64]  # the suit permutations that make no difference, the identity first
    choose: NDArray[np.int64]


class Facts(NamedTuple):
    """What is asked about a deal. A view is what is seen of some batches, as a number."""

    views: NDArray[np.int64]  # [view]: its batches (as bits), what it sees, by which table, how many suited cards count
    plains: NDArray[np.int16]  # [table, weight]
    suiteds: NDArray[np.int16]  # [table, suit, ranks]
    kinds: NDArray[np.int64]  # [lookup, card]: what is seen of it, a digit of the number that is looked up; last, the base
    lookups: NDArray[np.int16]  # [lookup, number]
    asks: NDArray[np.int64]  # [fact]: how, view, the other view or the least or the code of the first row, stride of its values


class Answers(NamedTuple):
    """The possible answers: one row per choice after each sequence of answers, grouped by decision, the last decision first."""

    first: NDArray[np.int64]  # [batches known]: the first of its rows, and one more
    rows: NDArray[np.int64]  # decision after answers, first and last ending, view of the hand (else -1), what it must be at least
    levels: NDArray[np.int64]  # [batches known]: the view that grades a hand for the words, else -1
    worths: NDArray[np.int64]  # [ending, values of the facts]


@njit(cache=True, nogil=True)
def orbit(cards, alike, orders, choose, scratch):
    """The size of the orbit of this set, 0 if the set is not its first member; and the permutations that fix it (as bits)."""
    mine, same, count, kept = index_of(cards, choose), 0, 0, 0
    for order in range(len(orders)):
        if alike >> order & 1:
            count += 1
            other = moved_index(cards, orders[order], choose, scratch)
            if other < mine:
                return 0, 0
            if other == mine:
                same |= 1 << order
                kept += 1
    return count // kept, same


@njit(inline="always")
def code_of_sums(total, ranks, held, table, size, plains, suiteds):
    """Like `code_at`, but without creating views of the tables."""
    best = plains[table, total]
    enough = (held + (8 - size) * 0x1111) & 0x8888
    if enough:
        for suit in range(4):
            if enough >> (4 * suit + 3) & 1:
                best = max(best, suiteds[table, suit, ranks >> (16 * suit) & 0x3FFF])
    return best


@njit(inline="always")
def high_of(code, ranks):
    """A hand without a row by its ranks; a hand with a row is above all of them."""
    return np.int64(0x2000 if code else (ranks | ranks >> 16 | ranks >> 32 | ranks >> 48) & 0x1FFF)


@njit(cache=True, nogil=True)
def _look_up(view, views, kinds, lookups, dealt, sizes):
    by, number = views[view, 2], 0
    for batch in range(len(sizes)):
        if views[view, 0] >> batch & 1:
            for place in range(sizes[batch]):
                number = number * kinds[by, -1] + kinds[by, dealt[batch, place]]
    return np.int64(lookups[by, number])


@njit(cache=True, nogil=True)
def _seen_at(depth, view, sums, facts, dealt, sizes):
    """What a view sees of the batches that are known."""
    views, (total, ranks, held) = facts.views, sums[depth, view]
    if views[view, 1] == LOOKED_UP:
        return _look_up(view, views, facts.kinds, facts.lookups, dealt, sizes)
    code = code_of_sums(total, ranks, held, views[view, 2], views[view, 3], facts.plains, facts.suiteds)
    return high_of(code, ranks) if views[view, 1] == HIGH else np.int64(code)


@njit(inline="always")
def value_of(how, code, other, theirs):
    """The number of a fact's value, by what its view sees and, for a comparison, what the other view sees.

    It takes numbers alone: arrays would be reference-counted for every deal.
    """
    value = code
    if how == ROW:
        value = other - code
    elif how == COMPARED:
        value = 0 if code < theirs else 1 if code == theirs else 2
    elif how == AT_LEAST:
        value = 1 if code >= other else 0
    return value


@njit(cache=True, nogil=True)
def _add(sums, before, batch, cards, views):
    """Update what the views know when a batch is dealt: weights, bits and suits of all cards that they see."""
    total, ranks, held = sums_of(cards)
    for view in range(len(views)):
        sees = views[view, 0] >> batch & 1
        sums[view, 0] = before[view, 0] + (total if sees else 0)
        sums[view, 1] = before[view, 1] | (ranks if sees else 0)
        sums[view, 2] = before[view, 2] + (held if sees else 0)


@njit(cache=True, nogil=True)
def _others(deck, known, dealt, sizes, batches, rest):
    """Write the cards that the next batch may have: the undealt ones, or just its own if it is known. Returns how many."""
    if batches < len(known):
        for place in range(sizes[batches]):
            rest[batches, place] = known[batches, place]
        return sizes[batches]
    used, count = 0, 0
    for batch in range(batches):
        for place in range(sizes[batch]):
            used |= 1 << dealt[batch, place]
    for each in deck:
        if not used >> each & 1:
            rest[batches, count] = each
            count += 1
    return count


@njit(cache=True, nogil=True)
def _tally(counts, cards, facts, dealt, sums, rest, count, last):
    """Deal the last batch in every way, and count the values of the facts."""
    views, plains, suiteds, kinds, lookups, asks = facts  # unpacked once: each access changes an array's reference count
    sizes, size, seen, fixed = cards.sizes, cards.sizes[last], np.zeros(len(views), dtype=np.int64), 0
    for view in range(len(views)):
        if not views[view, 0] >> last & 1:
            seen[view] = _seen_at(last, view, sums, facts, dealt, sizes)
    moving = np.zeros(len(asks), dtype=np.bool_)
    for n in range(len(asks)):
        moving[n] = views[asks[n, 1], 0] >> last & 1 or (asks[n, 0] == COMPARED and views[asks[n, 2], 0] >> last & 1)
        if not moving[n]:
            theirs = seen[asks[n, 2]] if asks[n, 0] == COMPARED else 0
            fixed += asks[n, 3] * value_of(asks[n, 0], seen[asks[n, 1]], asks[n, 2], theirs)
    picked = np.arange(size)
    while True:
        added = among = suits = 0
        for place in range(size):
            each = rest[last, picked[place]]
            dealt[last, place] = each
            added += _WEIGHT[each]
            among |= _BIT[each]
            suits += _HELD[each]
        for view in range(len(views)):
            if views[view, 0] >> last & 1:
                total, ranks, held = sums[last, view, 0] + added, sums[last, view, 1] | among, sums[last, view, 2] + suits
                if views[view, 1] == LOOKED_UP:
                    seen[view] = _look_up(view, views, kinds, lookups, dealt, sizes)
                else:
                    seen[view] = code_of_sums(total, ranks, held, views[view, 2], views[view, 3], plains, suiteds)
                    if views[view, 1] == HIGH:
                        seen[view] = high_of(seen[view], ranks)
        at = fixed
        for n in range(len(asks)):
            if moving[n]:
                theirs = seen[asks[n, 2]] if asks[n, 0] == COMPARED else 0
                at += asks[n, 3] * value_of(asks[n, 0], seen[asks[n, 1]], asks[n, 2], theirs)
        counts[last, 0, at] += 1
        if size == 0 or picked[0] == count - size:
            return
        next_set(picked)


@njit(cache=True, nogil=True)
def _answer(depth, weight, counts, cards, facts, answers, dealt, sums, totals, barred, forced, picks, at):
    """For each decision, keep the deals of the best choice, or of the choice that a rule in words makes."""
    rows, worths, levels = answers.rows, answers.worths, answers.levels
    level = 0
    if (len(totals) or len(forced)) and levels[depth] >= 0:
        level = _seen_at(depth, levels[depth], sums, facts, dealt, cards.sizes)
    row, stop = answers.first[depth], answers.first[depth + 1]
    while row < stop:
        after, best, most, end = rows[row, 0], -1, 0, row
        while end < stop and rows[end, 0] == after:
            if rows[end, 3] < 0 or _seen_at(depth, rows[end, 3], sums, facts, dealt, cards.sizes) >= rows[end, 4]:
                value = 0
                for ending in range(rows[end, 1], rows[end, 2]):
                    for code in range(counts.shape[2]):
                        value += counts[depth, ending, code] * worths[ending, code]
                if len(totals):
                    totals[end, level] += weight * value
                if best < 0 or value > most:
                    best, most = end, value
            elif len(totals):
                barred[end, level] = True
            end += 1
        if len(forced):
            best = row + forced[after, level]
        for other in range(row, end):
            if other != best:
                for ending in range(rows[other, 1], rows[other, 2]):
                    for code in range(counts.shape[2]):
                        counts[depth, ending, code] = 0
        if len(picks):
            picks[at, after] = best - row
        row = end


@njit(cache=True, nogil=True)
def every_deal(start, stop, cards, facts, answers, first, weights, alike, levels, forced, keeps, graded):
    """For deals that begin with these first batches: how many reach each ending with which values of the facts, under best play.

    With `graded` hands, also what each choice is worth in all deals of each level. With `keeps`, also the answer in each state: the
    sorted keys of the states, and a choice for each decision after each sequence of answers.
    """
    sizes, last = cards.sizes, len(cards.sizes) - 1
    endings, codes = answers.worths.shape
    asked = 0  # from here on nothing more is asked
    for depth in range(last + 1):
        if answers.first[depth + 1] > answers.first[depth]:
            asked = depth
    counts = np.zeros((last + 1, endings, codes), dtype=np.int64)
    dealt, scratch = np.zeros((last + 1, MOST_IN_BATCH), dtype=np.int64), np.zeros(16, dtype=np.int64)
    picked, rest = np.zeros((last + 1, MOST_IN_BATCH), dtype=np.int64), np.zeros((last + 1, 52), dtype=np.int64)
    others, sums = np.zeros(last + 1, dtype=np.int64), np.zeros((last + 2, len(facts.views), 3), dtype=np.int64)
    orders, times = np.zeros(last + 1, dtype=np.int64), np.ones(last + 1, dtype=np.int64)
    weight, keys = np.ones(last + 1, dtype=np.int64), np.zeros(last + 1, dtype=np.int64)
    totals = np.zeros((len(answers.rows) if graded else 0, levels), dtype=np.int64)
    barred = np.zeros((len(answers.rows) if graded else 0, levels), dtype=np.bool_)
    groups = answers.rows[:, 0].max() + 1 if len(answers.rows) else 1
    states = np.zeros((1024 if keeps else 0, 2), dtype=np.int64)
    picks = np.zeros((1024 if keeps else 0, groups), dtype=np.int8)
    kept = 0
    for at in range(start, stop):
        dealt[0, : sizes[0]] = first[at, : sizes[0]]
        _add(sums[1], sums[0], 0, dealt[0, : sizes[0]], facts.views)
        times[1], orders[1], weight[1], keys[1], counts[1] = weights[at], alike[at], weights[at], at, 0
        depth, entering = 1, True
        while depth:
            size = sizes[depth]
            if entering:
                others[depth] = _others(cards.deck, cards.known, dealt, sizes, depth, rest) if size else 0
            done = depth == last
            if done:
                _tally(counts, cards, facts, dealt, sums, rest, others[depth], last)
            elif entering:
                picked[depth, :size] = np.arange(size)
            elif size == 0 or picked[depth, 0] == others[depth] - size:
                done = True
            else:
                next_set(picked[depth, :size])
            entering = False
            if not done:
                batch, ways, same = dealt[depth, :size], 1, orders[depth]
                for place in range(size):
                    batch[place] = rest[depth, picked[depth, place]]
                if same != 1:
                    ways, same = orbit(batch, same, cards.orders, cards.choose, scratch)
                if ways:
                    _add(sums[depth + 1], sums[depth], depth, batch, facts.views)
                    keys[depth + 1] = keys[depth] * cards.choose[52, size] + index_of(batch, cards.choose)
                    times[depth + 1], orders[depth + 1], weight[depth + 1] = ways, same, weight[depth] * ways
                    depth, entering = depth + 1, True
                    counts[depth] = 0
                continue
            if depth == asked:
                for ending in range(1, endings):
                    counts[depth, ending] = counts[depth, 0]
            if answers.first[depth + 1] > answers.first[depth]:
                if keeps:
                    if kept == len(states):
                        more, chosen = np.zeros((2 * kept, 2), dtype=np.int64), np.zeros((2 * kept, groups), dtype=np.int8)
                        more[:kept], chosen[:kept] = states, picks
                        states, picks = more, chosen
                    states[kept, 0], states[kept, 1] = depth, keys[depth]
                _answer(
                    depth, weight[depth], counts, cards, facts, answers, dealt, sums, totals, barred, forced, picks, kept
                )  # fmt: skip
                kept += 1 if keeps else 0
            depth -= 1
            for ending in range(endings if depth < asked else 1):
                for code in range(codes):
                    counts[depth, ending, code] += times[depth + 1] * counts[depth + 1, ending, code]
    if asked == 0:
        for ending in range(1, endings):
            counts[0, ending] = counts[0, 0]
    return counts[0], totals, barred, states[:kept], picks[:kept]
