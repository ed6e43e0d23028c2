"""Kernels for two cards and a board in streets against a dealer's two. They know no rule; prices come as a table.

`solvers/boards.py` explains the method and its words: whole and base boards, levels, histories, paths and endings. Here, two cards
of the player are a hole, by their index from 0 to 1325. A hand is two kinds of cards, see `Hands`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.odds.kernels.rank_tables import _BIT, _HELD, _WEIGHT, code_at, code_of

HOLES = 1326
NO_HAND = 2047


class Game(NamedTuple):
    """The cards, how hands are ranked, and what the dealer needs."""

    deck: NDArray[np.int64]
    whole: int  # cards on the whole board
    threshold: int  # the least code with which the dealer qualifies
    rows: NDArray[np.int64]  # [code]: the row that prices ask for
    plain: NDArray[np.int16]  # the tables of the ranking for all cards of a hand
    suited: NDArray[np.int16]
    suited_size: int
    choose: NDArray[np.int64]


class Steps(NamedTuple):
    """The boards of the levels: which subsets of a larger board they are, and their classes."""

    sizes: NDArray[np.int64]  # [level]: cards on the board
    begins: NDArray[np.int64]  # [level]: where its sets begin in `classes` and `orders`
    starts: NDArray[np.int64]  # [level]: where its classes begin among those of all levels, and the end
    classes: NDArray[np.int32]
    orders: NDArray[np.int64]  # the order of the suits that moves a set to the one that stands for its class
    subsets: NDArray[np.int64]  # [subset, place]: places in the larger board, from the lowest
    first: NDArray[np.int64]  # [level]: the first of its subsets, and one more
    moved: NDArray[np.uint16]  # [order, hole]
    suits: NDArray[np.int64]  # [order, suit]


class Tree(NamedTuple):
    """What may be answered, and what comes of it."""

    worth: NDArray[np.int64]  # [ending, row, reaches, compared]
    paths: NDArray[np.int64]  # [path]: its first ending, and one more than its last
    base: NDArray[np.int64]  # [history at the base]: its first path, and one more than its last
    columns: NDArray[
        np.int64
    ]  # [level, column]: the paths, and after them the histories at the base, that end at a level; -1 for none
    then: NDArray[np.int64]  # [street, history, choice]: the history at the next street, or -1 - path
    last: NDArray[np.int64]  # [path]: the number of the decision with the whole board, -1 for a path without
    folds: NDArray[np.bool_]  # [ending]


class Played(NamedTuple):
    """What is answered at every street, and the ways in which the cards of a base board may come."""

    picks: NDArray[np.int8]  # [board of a level, hole, history]
    base: NDArray[np.int8]  # [base board, hole, history]
    ways: NDArray[np.int64]  # [way, level]: the subset of the base board that lies then


# hands beside a whole board


class Hands(NamedTuple):
    """The hands beside one board, in memory that all boards share.

    Cards are of one kind if they have one rank and their suits have too few cards on the board for a flush: no ranking tells them
    apart. A hand is two kinds; beside most boards there are about a tenth as many hands as pairs of cards.
    """

    kind_of: NDArray[np.int64]  # [card]: -1 for one on the board
    sizes: NDArray[np.int64]  # [kind]: how many cards it has
    cards: NDArray[np.int64]  # [kind]: one of them
    hand_of: NDArray[np.int64]  # [kind, kind]
    kinds: NDArray[np.int64]  # [hand, 2]
    pairs: NDArray[np.int64]  # [hand]: how many pairs of cards it has
    codes: NDArray[np.int64]  # [hand]
    order: NDArray[np.int64]  # of the hands by their codes
    sharing: NDArray[np.int64]  # [poor, lower or equal; kind]: the dealer's hands that have a given card of a kind
    counts: NDArray[np.int64]  # [hand, reaches, compared]: of the dealer's hands


@njit(cache=True, nogil=True)
def no_hands():
    by_kind, by_hand = np.empty((6, 52), dtype=np.int64), np.empty((3, HOLES), dtype=np.int64)
    hand_of, kinds = np.empty((52, 52), dtype=np.int64), np.empty((HOLES, 2), dtype=np.int64)
    counts = np.empty((HOLES, 2, 3), dtype=np.int64)
    return Hands(by_kind[0], by_kind[1], by_kind[2], hand_of, kinds, by_hand[0], by_hand[1], by_hand[2], by_kind[3:], counts)


@njit(cache=True, nogil=True)
def _find_kinds(board, game, hands):
    """Number the kinds of cards beside a board. Returns how many there are."""
    used = held = count = 0
    for card in board:
        used |= 1 << card
        held += _HELD[card]
    rank = plain_kind = -1
    hands.kind_of[:] = -1
    for card in game.deck:
        if card >> 2 != rank:
            rank, plain_kind = card >> 2, -1
        if used >> card & 1:
            continue
        in_flush = (held >> (4 * (card & 3)) & 15) + 2 >= game.suited_size
        kind = count if in_flush else plain_kind
        if kind < 0 or in_flush:
            kind = count
            hands.cards[kind], hands.sizes[kind] = card, 0
            count += 1
            if not in_flush:
                plain_kind = kind
        hands.kind_of[card] = kind
        hands.sizes[kind] += 1
    return count


@njit(cache=True, nogil=True)
def _find_hands(board, kinds, game, hands):
    """All hands of two of these kinds beside a board and their codes, in the order of the codes. Returns how many there are."""
    total = ranks = held = count = 0
    for card in board:
        total += _WEIGHT[card]
        ranks |= _BIT[card]
        held += _HELD[card]
    sizes, cards = hands.sizes, hands.cards
    for a in range(kinds):
        for b in range(a + 1):
            pairs = sizes[a] * sizes[b] if a != b else sizes[a] * (sizes[a] - 1) // 2
            if not pairs:
                continue
            one, two = cards[a], cards[b]
            code = code_at(
                total + _WEIGHT[one] + _WEIGHT[two],
                ranks | _BIT[one] | _BIT[two],
                held + _HELD[one] + _HELD[two],
                game.plain,
                game.suited,
                game.suited_size,
            )
            hands.kinds[count, 0], hands.kinds[count, 1] = a, b
            hands.hand_of[a, b] = hands.hand_of[b, a] = count
            hands.pairs[count], hands.codes[count] = pairs, code
            hands.order[count] = code * HOLES + count
            count += 1
    hands.order[:count].sort()
    for n in range(count):
        hands.order[n] %= HOLES
    return count


@njit(inline="always")
def _share(hands, at, sharing):
    """Count a hand of the dealer for each card that it may have."""
    a, b = hands.kinds[at, 0], hands.kinds[at, 1]
    if a == b:
        sharing[a] += hands.sizes[a] - 1
    else:
        sharing[a] += hands.sizes[b]
        sharing[b] += hands.sizes[a]


@njit(cache=True, nogil=True)
def count_dealers(board, game, others, hands):
    """How many of the dealer's hands reach the threshold or not, and how each hand of the player compares with them.

    The dealer's hands are counted in the order of their codes, and those that share a card with the player are taken off card by
    card. `others` is how many the dealer may have. Returns how many hands of the player there are.
    """
    kinds = _find_kinds(board, game, hands)
    every = _find_hands(board, kinds, game, hands)
    order, codes, counts = hands.order, hands.codes, hands.counts
    with_poor, with_lower, with_equal = hands.sharing[0, :kinds], hands.sharing[1, :kinds], hands.sharing[2, :kinds]
    with_poor[:] = 0
    with_lower[:] = 0
    poor = lower = n = 0
    for at in range(every):
        if codes[at] < game.threshold:
            poor += hands.pairs[at]
            _share(hands, at, with_poor)
    while n < every:  # hands of equal codes, from the lowest
        code, end, equal = codes[order[n]], n, 0
        with_equal[:] = 0
        while end < every and codes[order[end]] == code:
            equal += hands.pairs[order[end]]
            _share(hands, order[end], with_equal)
            end += 1
        is_poor_code = code < game.threshold
        for m in range(n, end):
            at = order[m]
            a, b = hands.kinds[at, 0], hands.kinds[at, 1]
            is_lower = lower - with_lower[a] - with_lower[b]
            is_equal = equal - with_equal[a] - with_equal[b] + 1  # the player's own two cards were taken off twice
            is_poor = poor - with_poor[a] - with_poor[b] + is_poor_code
            # the dealer's poor hands are all lower, unless the player's is poor too; then the dealer's other hands are all higher
            counts[at, 0, 2] = is_lower if is_poor_code else is_poor
            counts[at, 0, 1] = is_equal if is_poor_code else 0
            counts[at, 0, 0] = is_poor - counts[at, 0, 2] - counts[at, 0, 1]
            counts[at, 1, 2] = is_lower - counts[at, 0, 2]
            counts[at, 1, 1] = is_equal - counts[at, 0, 1]
            counts[at, 1, 0] = others - is_poor - counts[at, 1, 2] - counts[at, 1, 1]
        for kind in range(kinds):
            with_lower[kind] += with_equal[kind]
        lower += equal
        n = end
    return every


@njit(inline="always")
def value_of(counts, at, worth, ending, row):
    """What an ending is worth against all hands of the dealer."""
    lost = counts[at, 0, 0] * worth[ending, row, 0, 0] + counts[at, 1, 0] * worth[ending, row, 1, 0]
    tied = counts[at, 0, 1] * worth[ending, row, 0, 1] + counts[at, 1, 1] * worth[ending, row, 1, 1]
    return lost + tied + counts[at, 0, 2] * worth[ending, row, 0, 2] + counts[at, 1, 2] * worth[ending, row, 1, 2]


@njit(inline="always")
def _best(counts, at, tree, path, row):
    """The best ending of a path, the first of equals, and what it is worth."""
    best = tree.paths[path, 0]
    most = value_of(counts, at, tree.worth, best, row)
    for ending in range(best + 1, tree.paths[path, 1]):
        value = value_of(counts, at, tree.worth, ending, row)
        if value > most:
            best, most = ending, value
    return best, most


# boards and suits


class Holes(NamedTuple):
    """Every two cards beside a base board. Small unsigned numbers, because nearly all time is spent on looking up by them."""

    holes: NDArray[np.uint16]
    low: NDArray[np.uint8]  # the two cards
    high: NDArray[np.uint8]
    hand: NDArray[np.uint16]  # beside the whole board; `NO_HAND` where one of the cards is on it


@njit(cache=True, nogil=True)
def no_holes():
    holes, cards = np.empty((2, HOLES), dtype=np.uint16), np.empty((2, HOLES), dtype=np.uint8)
    return Holes(holes[0], cards[0], cards[1], holes[1])


@njit(cache=True, nogil=True)
def find_holes(board, deck, choose, beside):
    """Every two cards beside a board. Returns how many there are."""
    used = count = 0
    for card in board:
        used |= 1 << card
    for high in deck:
        for low in deck:
            if low == high:
                break
            if not (used >> high | used >> low) & 1:
                beside.holes[count], beside.low[count], beside.high[count] = choose[high, 2] + low, low, high
                count += 1
    return count


@njit(cache=True, nogil=True)
def _hands_of_holes(hands, beside, count):
    for n in range(count):
        low, high = hands.kind_of[beside.low[n]], hands.kind_of[beside.high[n]]
        beside.hand[n] = hands.hand_of[low, high] if low >= 0 and high >= 0 else NO_HAND


@njit(cache=True, nogil=True)
def _alike(board, suits, same):
    """The orders of the suits that leave a board as it is. Returns how many there are."""
    count, held = 0, 0
    for card in board:
        held |= 1 << card
    for order in range(len(suits)):
        kept = True
        for card in board:
            kept = kept and held >> ((card & ~3) | suits[order, card & 3]) & 1
        if kept:
            same[count] = order
            count += 1
    return count


@njit(cache=True, nogil=True)
def _last_cards(board, game, steps, lasts):
    """The last cards of a base board up to the suits, and how many each stands for; one that is none where the board is whole."""
    if len(board) == game.whole:
        lasts[0, 0], lasts[0, 1] = -1, 1
        return 1
    same, count = np.empty(24, dtype=np.int64), 0
    alike = _alike(board, steps.suits, same)
    for card in game.deck:
        fixed, least = 0, card
        for n in range(alike):
            other = (card & ~3) | steps.suits[same[n], card & 3]
            least = min(least, other)
            fixed += 1 if other == card else 0
        if least == card and not (board == card).any():
            lasts[count, 0], lasts[count, 1] = card, alike // fixed
            count += 1
    return count


@njit(inline="always")
def _subset(board, subset, level, steps, choose):
    """Where a subset of a board is among the sets of a level."""
    total = steps.begins[level]
    for place in range(steps.sizes[level]):
        total += choose[board[steps.subsets[subset, place]], place + 1]
    return total


@njit(cache=True, nogil=True)
def _scatter(board, holes, values, columns, level, steps, sums, choose):
    """Add what two cards come to with a board to all boards of a level that are part of it."""
    targets = np.empty(len(holes), dtype=np.uint16)
    for subset in range(steps.first[level], steps.first[level + 1]):
        at = _subset(board, subset, level, steps, choose)
        into, moved = sums[steps.starts[level] + steps.classes[at]], steps.moved[steps.orders[at]]
        for n in range(len(holes)):
            targets[n] = moved[holes[n]]
        for column in range(len(columns)):
            if columns[column] >= 0:
                sums_here, values_here = into[column], values[columns[column]]
                for n in range(len(holes)):
                    sums_here[targets[n]] += values_here[n]


@njit(cache=True, nogil=True)
def _decide(board, holes, values, histories, into, picks, steps):
    """Choose for all holes at once that the suits of the board do not tell apart: the first of equals.

    What is chosen for each goes to `picks`, what it is worth for all that are alike to the rows of `values` from `into` on.
    """
    same, least = np.empty(24, dtype=np.int64), np.empty(len(holes), dtype=np.int64)
    alike = _alike(board, steps.suits, same)
    together = np.zeros((histories[-1, 1], HOLES), dtype=np.int64)
    for n in range(len(holes)):
        least[n] = holes[n]
        for order in range(alike):
            least[n] = min(least[n], steps.moved[same[order], holes[n]])
        for choice in range(histories[0, 0], len(together)):
            together[choice, least[n]] += values[choice, n]
    for history in range(len(histories)):
        first, stop = histories[history]
        for n in range(len(holes)):
            best = first
            for choice in range(first + 1, stop):
                if together[choice, least[n]] > together[best, least[n]]:
                    best = choice
            picks[holes[n], history] = best - first
            values[into + history, n] = together[best, least[n]] if least[n] == holes[n] else 0


# the solution


@njit(cache=True, nogil=True)
def board_values(boards, times, start, stop, game, tree, steps, grades):
    """What all answers come to with each base board and hole, the best ones at its streets.

    Returns the sums of what each level chooses among, by its boards and holes, and what is chosen at the base; and if holes have
    `grades` with the base board, what each path is worth by grade.
    """
    choose, paths, size = game.choose, len(tree.paths), boards.shape[1]
    others = choose[len(game.deck) - game.whole - 2, 2]
    sums = np.zeros((steps.starts[-1], tree.columns.shape[1], HOLES), dtype=np.int64)
    picks = np.zeros((stop - start if len(tree.base) else 0, HOLES, len(tree.base)), dtype=np.int8)
    graded = np.zeros((paths, grades.max() + 1 if len(grades) else 0), dtype=np.int64)
    hands, beside, lasts = no_hands(), no_holes(), np.empty((52, 2), dtype=np.int64)
    values, worth = np.zeros((paths + len(tree.base), HOLES), dtype=np.int64), np.zeros((paths, NO_HAND + 1), dtype=np.int64)
    board = np.empty(game.whole, dtype=np.int64)
    for b in range(start, stop):
        board[:size] = boards[b]
        count = find_holes(boards[b], game.deck, choose, beside)
        holes = beside.holes[:count]
        values[:paths] = 0
        for last in range(_last_cards(boards[b], game, steps, lasts)):
            board[size:] = lasts[last, 0]
            for at in range(count_dealers(board, game, others, hands)):
                for path in range(paths):
                    _, most = _best(hands.counts, at, tree, path, game.rows[hands.codes[at]])
                    worth[path, at] = times[b] * lasts[last, 1] * most
            _hands_of_holes(hands, beside, count)
            for path in range(paths):
                for n in range(count):
                    values[path, n] += worth[path, beside.hand[n]]
        if len(grades):
            for path in range(paths):
                for n in range(count):
                    graded[path, grades[b, holes[n]]] += values[path, n]
        if len(tree.base):
            _decide(boards[b], holes, values, tree.base, paths, picks[b - start], steps)
        for level in range(len(steps.sizes)):
            _scatter(boards[b], holes, values, tree.columns[level], level, steps, sums, choose)
    return sums, picks, graded


@njit(cache=True, nogil=True)
def decide(sums, boards, deck, histories, level, columns, steps, choose):
    """Choose at a level for each of its boards and holes, and add what that is worth to the boards of the level before."""
    width, beside = sums.shape[1], no_holes()
    picks = np.zeros((len(boards), HOLES, len(histories)), dtype=np.int8)
    found = np.zeros((steps.starts[-1] if level else 0, len(columns), HOLES), dtype=np.int64)
    values = np.zeros((width + len(histories), HOLES), dtype=np.int64)
    for b in range(len(boards)):
        count = find_holes(boards[b], deck, choose, beside)
        holes = beside.holes[:count]
        for row in range(width):
            for n in range(count):
                values[row, n] = sums[b, row, holes[n]]
        _decide(boards[b], holes, values, histories, width, picks[b], steps)
        if level:
            _scatter(boards[b], holes, values, columns, level - 1, steps, found, choose)
    return picks, found


# what comes of it


@njit(cache=True, nogil=True)
def _follow(board, b, holes, tree, steps, played, choose, states, path_of, many):
    """The path of each hole by each way in which the cards of a base board may come, and how many ways lead to each path."""
    ways, levels, count = len(played.ways), len(tree.columns), len(holes)
    states[0, :count] = 0 if len(tree.then) else -1
    many[:, :count] = 0
    for way in range(ways):
        as_before = way > 0
        for street in range(len(tree.then)):
            if street < levels:
                subset = played.ways[way, street]
                as_before = as_before and subset == played.ways[way - 1, street]
                if as_before:
                    continue
                at = _subset(board, subset, street, steps, choose)
                answers, moved = played.picks[steps.starts[street] + steps.classes[at]], steps.moved[steps.orders[at]]
            else:
                answers, moved = played.base[b], steps.moved[0]
            then = tree.then[street]
            for n in range(count):
                state = states[street, n]
                if state >= 0:
                    state = then[state, answers[moved[holes[n]], state]]
                states[street + 1, n] = state
        for n in range(count):
            path = -1 - states[len(tree.then), n]
            path_of[way, n] = path
            many[path, n] += 1


@njit(cache=True, nogil=True)
def _reach(beside, count, many, reach):
    """By how many ways the pairs of cards of a hand come to each path, all together."""
    reach[:] = 0
    for path in range(len(many)):
        for n in range(count):
            reach[path, beside.hand[n]] += many[path, n]


@njit(cache=True, nogil=True)
def _beaten(board, hands, every, game, plain, suited, grades):
    """How many unseen cards would beat each hand if the dealer held one: with it the board alone is better."""
    cards, codes = np.empty(len(board) + 1, dtype=np.int64), np.empty(hands.kind_of.max() + 1, dtype=np.int64)
    cards[:-1] = board
    for kind in range(len(codes)):
        cards[-1] = hands.cards[kind]
        codes[kind] = code_of(cards, plain, suited, game.suited_size)
    for at in range(every):
        grades[at] = 0
        for kind in range(len(codes)):
            if codes[kind] > hands.codes[at]:
                grades[at] += hands.sizes[kind] - (hands.kinds[at, 0] == kind) - (hands.kinds[at, 1] == kind)


@njit(cache=True, nogil=True)
def count_deals(boards, times, start, stop, game, tree, steps, played, flop_codes, graded, plain, suited):
    """How many deals end how when the answers are these: by (ending, grade, row, reaches, compared), and folded ones by code.

    With the whole board the best is chosen. For `graded` hands nothing is chosen then, and the deals of a path count as its first
    ending. The grade is how many unseen cards would beat the hand if the dealer held one, by tables of the ranking for the whole
    board and one card; without them it is the code. `flop_codes` has the code of each hole with the three cards of the last level.
    """
    choose, paths, size, ways = game.choose, len(tree.paths), boards.shape[1], len(played.ways)
    others, flop = choose[len(game.deck) - game.whole - 2, 2], len(steps.sizes) - 1
    grade_count = 1 if not graded else 52 if len(plain) else len(game.rows)
    ends = np.zeros((len(tree.worth), grade_count, tree.worth.shape[1], 2, 3), dtype=np.int64)
    folded = np.zeros((2, len(game.rows)), dtype=np.int64)  # by the code of all cards, and of the two with the first three
    hands, beside, lasts = no_hands(), no_holes(), np.empty((52, 2), dtype=np.int64)
    states, path_of = np.empty((len(tree.then) + 1, HOLES), dtype=np.int16), np.empty((ways, HOLES), dtype=np.int16)
    many, reach = np.empty((paths, HOLES), dtype=np.int64), np.empty((paths, NO_HAND + 1), dtype=np.int64)
    folds, gone = np.zeros((paths, NO_HAND + 1), dtype=np.int64), np.zeros((paths, HOLES), dtype=np.int64)
    board, grades = np.empty(game.whole, dtype=np.int64), np.zeros(HOLES, dtype=np.int64)
    for b in range(start, stop):
        board[:size] = boards[b]
        count = find_holes(boards[b], game.deck, choose, beside)
        _follow(boards[b], b, beside.holes[:count], tree, steps, played, choose, states, path_of, many)
        gone[:] = 0
        for last in range(_last_cards(boards[b], game, steps, lasts)):
            board[size:] = lasts[last, 0]
            every, deals = count_dealers(board, game, others, hands), times[b] * lasts[last, 1]
            _hands_of_holes(hands, beside, count)
            _reach(beside, count, many, reach)
            if graded and len(plain):
                _beaten(board, hands, every, game, plain, suited, grades)
            elif graded:
                grades[:every] = hands.codes[:every]
            for at in range(every):
                row = game.rows[hands.codes[at]]
                for path in range(paths):
                    folds[path, at] = 0
                    if reach[path, at]:
                        ending = tree.paths[path, 0] if graded else _best(hands.counts, at, tree, path, row)[0]
                        into = ends[ending, grades[at], row]
                        for reaches in range(2):
                            for compared in range(3):
                                into[reaches, compared] += deals * reach[path, at] * hands.counts[at, reaches, compared]
                        if tree.folds[ending]:
                            folds[path, at] = deals * others
                            folded[0, hands.codes[at]] += reach[path, at] * folds[path, at]
            for path in range(paths if len(flop_codes) else 0):
                for n in range(count):
                    gone[path, n] += folds[path, beside.hand[n]]
        for way in range(ways if len(flop_codes) else 0):
            at = _subset(boards[b], played.ways[way, flop], flop, steps, choose)
            codes, moved = flop_codes[steps.classes[at]], steps.moved[steps.orders[at]]
            for n in range(count):
                if gone[path_of[way, n], n]:
                    folded[1, codes[moved[beside.holes[n]]]] += gone[path_of[way, n], n]
    return ends, folded


@njit(cache=True, nogil=True)
def codes_beside(boards, plain, suited, suited_size, choose):
    """The codes of each hole with each board; 0 where one of its cards is on it."""
    size = boards.shape[1]
    found, cards = np.zeros((len(boards), HOLES), dtype=np.int16), np.empty(size + 2, dtype=np.int64)
    for b in range(len(boards)):
        cards[2:] = boards[b]
        for high in range(52):
            for low in range(high):
                if not ((boards[b] == high) | (boards[b] == low)).any():
                    cards[0], cards[1] = low, high
                    found[b, choose[high, 2] + low] = code_of(cards, plain, suited, suited_size)
    return found


@njit(cache=True, nogil=True)
def last_picks(boards, start, stop, game, tree, bits):
    """What is best with the whole board: for each board, decision and hole so many bits."""
    others = game.choose[len(game.deck) - game.whole - 2, 2]
    last = np.flatnonzero(tree.last >= 0)
    found = np.zeros((stop - start, len(last), HOLES * bits // 8 + 1), dtype=np.uint8)
    hands, beside = no_hands(), no_holes()
    for b in range(start, stop):
        count_dealers(boards[b], game, others, hands)
        count = find_holes(boards[b], game.deck, game.choose, beside)
        _hands_of_holes(hands, beside, count)
        for n in range(count):
            at, bit = beside.hand[n], bits * beside.holes[n]
            for decision in range(len(last)):
                best, _ = _best(hands.counts, at, tree, last[decision], game.rows[hands.codes[at]])
                found[b - start, decision, bit >> 3] |= (best - tree.paths[last[decision], 0]) << (bit & 7)
    return found
