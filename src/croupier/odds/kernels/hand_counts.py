"""Kernels that count deals. They know no rules and no prices.

Codes come from `rank_tables`: a better hand has a greater code. Counting by removal: the number of sets that avoid a player's cards
and fall below a code is the alternating sum, over the subsets of the player's cards, of the number of sets that contain the subset.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from croupier.odds.kernels.card_sets import next_set
from croupier.odds.kernels.rank_tables import _BIT, _HELD, _WEIGHT, code_of


@njit(cache=True, nogil=True)
def codes_of_rows(hands, plain, suited, suited_size):
    codes = np.empty(len(hands), dtype=np.int16)
    for i in range(len(hands)):
        codes[i] = code_of(hands[i], plain, suited, suited_size)
    return codes


# Removal counting


@njit(cache=True, nogil=True)
def _find_others(hand, deck, others):
    """Write the cards of a deck that a hand does not have. Returns how many."""
    used = count = 0
    for each in hand:
        used |= 1 << each
    for each in deck:
        if not used >> each & 1:
            others[count] = each
            count += 1
    return count


@njit(cache=True, nogil=True)
def count_below(hands, start, stop, deck, more, levels, plain, suited, suited_size):
    """For each set, how many supersets with `more` more cards have a code below each level (one more column than levels)."""
    size = hands.shape[1]
    found = np.zeros((stop - start, levels + 1), dtype=np.int32)
    cards, others = np.empty(size + more, dtype=np.int64), np.empty(52, dtype=np.int64)
    for i in range(start, stop):
        count, picked = _find_others(hands[i], deck, others), np.arange(more)
        cards[:size] = hands[i]
        while True:
            for place in range(more):
                cards[size + place] = others[picked[place]]
            found[i - start, code_of(cards, plain, suited, suited_size) + 1] += 1
            if picked[0] == count - more:
                break
            next_set(picked)
        for level in range(levels):
            found[i - start, level + 1] += found[i - start, level]
    return found


@njit(cache=True, nogil=True)
def sorted_with_one_more(hands, start, stop, deck, plain, suited, suited_size):
    """For each set, the codes that it makes with each of the other cards, in order."""
    size = hands.shape[1]
    found = np.empty((stop - start, len(deck) - size), dtype=np.int16)
    cards, others = np.empty(size + 1, dtype=np.int64), np.empty(52, dtype=np.int64)
    for i in range(start, stop):
        cards[:size] = hands[i]
        for n in range(_find_others(hands[i], deck, others)):
            cards[size] = others[n]
            found[i - start, n] = code_of(cards, plain, suited, suited_size)
        found[i - start].sort()
    return found


@njit(cache=True, nogil=True)
def against_dealer(
    hands, my_codes, start, stop, shown, dealt, threshold, first, row_of, table, last, choose, plain, suited, suited_size
):  # fmt: skip
    """For each player's hand, the dealer's hands that avoid it: how many are lower, equal, and below a threshold.

    If one of the dealer's cards is shown, for each such card; rows of impossible ones are meaningless. The index of a subset with the
    up card is a sum: the cards below it keep their places, those above move up by one. `row_of[first[size] + index]` is the row of
    a subset in `table` (sets below each level) or, where one card is missing, in `last` (the codes that it makes, sorted).
    """
    size = hands.shape[1]
    found = np.zeros((stop - start, 52 if shown else 1, 3 if threshold else 2), dtype=np.int32)
    cards = np.empty(size + 1, dtype=np.int64)
    adds = choose if shown else np.zeros_like(choose)  # what the up card adds to an index
    for i in range(start, stop):
        level = my_codes[i]
        for chosen in range(1 << size):
            held = shown
            for place in range(size):
                if chosen >> place & 1:
                    cards[held] = hands[i, place]
                    held += 1
            if held > dealt:
                continue
            sign = -1 if (held - shown) & 1 else 1
            for gap in range(0 if shown else size, size + 1):  # up cards between the player's cards
                low = 0 if gap == 0 or not shown else hands[i, gap - 1] + 1
                high = 1 if not shown else 52 if gap == size else hands[i, gap]
                base = below_up = place = 0
                for each in range(size):
                    if chosen >> each & 1:
                        if each < gap:
                            base += choose[hands[i, each], place + 1]
                            below_up += 1
                        else:
                            base += choose[hands[i, each], place + 2]
                        place += 1
                start_of = first[min(held, dealt - 1)] + base
                for up in range(low, high):
                    short = 0
                    if held < dealt - 1:
                        row = row_of[start_of + adds[up, below_up + 1]]
                        lower, up_to = table[row, level], table[row, level + 1]
                        if threshold:
                            short = table[row, threshold]
                    elif held == dealt - 1:
                        codes = last[row_of[start_of + adds[up, below_up + 1]]]
                        lower, up_to = np.searchsorted(codes, level), np.searchsorted(codes, level, "right")
                        if threshold:
                            short = np.searchsorted(codes, threshold)
                    else:
                        if shown:
                            cards[0] = up
                        code = code_of(cards[:held], plain, suited, suited_size)
                        lower, up_to = 1 if code < level else 0, 1 if code <= level else 0
                        short = 1 if code < threshold else 0
                    found[i - start, up, 0] += sign * lower
                    found[i - start, up, 1] += sign * (up_to - lower)
                    if threshold:
                        found[i - start, up, 2] += sign * short
    return found


@njit(inline="always")
def choice_value(counts, at, worth, choice, group):
    """What a choice is worth against all hands of the dealer: `counts` and `worth` end with (reaches, compared)."""
    lost = counts[at, 0, 0] * worth[choice, group, 0, 0] + counts[at, 1, 0] * worth[choice, group, 1, 0]
    tied = counts[at, 0, 1] * worth[choice, group, 0, 1] + counts[at, 1, 1] * worth[choice, group, 1, 1]
    return lost + tied + counts[at, 0, 2] * worth[choice, group, 0, 2] + counts[at, 1, 2] * worth[choice, group, 1, 2]


@njit(cache=True, nogil=True)
def best_choices(counts, times, group_of, worth, may):
    """The best choice that a hand may make in each state, and how many deals end how when it is made.

    `worth` is by choice, group, reaches and compared, `may` by choice and group.
    """
    choices, groups = worth.shape[0], worth.shape[1]
    best = np.zeros(len(counts), dtype=np.int8)
    ends = np.zeros((choices, groups, 2, 3), dtype=np.int64)
    for state in range(len(counts)):
        group = group_of[state]
        most, none = 0, True
        for choice in range(choices):
            if not may[choice, group]:
                continue
            value = choice_value(counts, state, worth, choice, group)
            if none or value > most:
                most, none = value, False
                best[state] = choice
        for reaches in range(2):
            for compared in range(3):
                ends[best[state], group, reaches, compared] += times[state] * counts[state, reaches, compared]
    return best, ends


@njit(cache=True, nogil=True)
def count_others(low, low_ways, high, high_ways, codes, found):
    """For each hand, how many hands of the other cards have each code.

    A hand is two halves, and there are few different halves: the ways of a hand given another are the product of those of its halves.
    """
    for mine in range(len(codes)):
        of_low, of_high = low_ways[low[mine]], high_ways[high[mine]]
        for theirs in range(len(codes)):
            found[mine, codes[theirs]] += of_low[low[theirs]] * of_high[high[theirs]]


@njit(cache=True, nogil=True)
def values_by_level(counts, times, group_of, worth, level_of, levels):
    """The value of each choice summed over the states of each level."""
    found = np.zeros((levels, worth.shape[0]), dtype=np.int64)
    for state in range(len(counts)):
        group, level = group_of[state], level_of[state]
        for choice in range(worth.shape[0]):
            found[level, choice] += times[state] * choice_value(counts, state, worth, choice, group)
    return found


_ADDS = _WEIGHT | (_HELD << 32)  # rank weights in the low bits, suit counts in the high ones: one sum gives both


@njit(cache=True, nogil=True)
def strengths(cards, plain, suited, found):
    """The code of each hand of five to seven cards, of which five count; fast for very many hands."""
    size = cards.shape[1]
    for i in range(len(cards)):
        total = 0
        for place in range(size):
            total += _ADDS[cards[i, place]]
        code = plain[total & 0xFFFFFFFF]
        enough = ((total >> 32) + 3 * 0x1111) & 0x8888
        if enough:
            ranks = 0
            for place in range(size):
                ranks |= _BIT[cards[i, place]]
            suit = 0 if enough & 0x8 else 1 if enough & 0x80 else 2 if enough & 0x800 else 3
            code = max(code, suited[suit, ranks >> (16 * suit) & 0x1FFF])
        found[i] = code
