"""Kernels for two cards and a board in streets against a dealer's two. They know no rules; prices come as a table.

`solvers/boards.py` explains the method and its terms: whole and base boards, levels, histories, paths and endings. A hole is the
player's two cards, by their index from 0 to 1325. A hand is two kinds of cards, see `BoardHands`. Inner loops unpack arrays from
their tuples first, because each access changes an array's reference count.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.odds.kernels.hand_counts import choice_value
from croupier.odds.kernels.rank_tables import _BIT, _HELD, _WEIGHT, code_at, code_of, sums_of

HOLES = 1326


class Game(NamedTuple):
    """The cards, how hands are ranked, and what the dealer needs."""

    deck: NDArray[np.int64]
    whole: int  # cards on the whole board
    others: int  # hands that the dealer may have, given a whole board and the player's two cards
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
    orders: NDArray[np.int64]  # the suit permutation that moves a set to the representative of its class
    subsets: NDArray[np.int64]  # [subset, place]: places in the larger board, from the lowest
    first: NDArray[np.int64]  # [level]: the first of its subsets, and one more
    moved: NDArray[np.uint16]  # [order, hole]
    suits: NDArray[np.int64]  # [order, suit]


class Tree(NamedTuple):
    """The possible answers, and where they lead."""

    worth: NDArray[np.int64]  # [ending, row, reaches, compared]
    paths: NDArray[np.int64]  # [path]: its first ending, and one more than its last
    base: NDArray[np.int64]  # [history at the base]: its first path, and one more than its last
    columns: NDArray[np.int64]  # [level, column]: the paths, then the histories at the base, that end at a level; -1 for none
    then: NDArray[np.int64]  # [street, history, choice]: the history at the next street, or -1 - path
    last: NDArray[np.int64]  # [path]: the number of the decision with the whole board, -1 for a path without
    folds: NDArray[np.bool_]  # [ending]


class StreetAnswers(NamedTuple):
    """The answers at every street, and the orders in which the cards of a base board may come."""

    picks: NDArray[np.int8]  # [board of a level, hole, history]
    base: NDArray[np.int8]  # [base board, hole, history]
    ways: NDArray[np.int64]  # [way, level]: the subset of the base board that lies then


# hands with a whole board


class BoardHands(NamedTuple):
    """The hands with one board, and how the dealer's hands compare with each.

    Cards are of one kind if they share a rank and their suits have too few cards on the board for a flush: no ranking distinguishes
    them. A hand is two kinds; with most boards there are about a tenth as many hands as pairs of cards.
    """

    kind_of: NDArray[np.int64]  # [card]: -1 for one on the board
    sizes: NDArray[np.int64]  # [kind]: how many cards it has
    cards: NDArray[np.int64]  # [kind]: one of them
    kinds: NDArray[np.int64]  # [hand, 2]
    hand_of: NDArray[np.int64]  # [kind, kind]
    codes: NDArray[np.int64]  # [hand]
    counts: NDArray[np.int64]  # [hand, reaches, compared]: of the dealer's hands


@njit(cache=True, nogil=True)
def _find_kinds(board, game):
    """The kind of each card, and of each kind how many cards it has, and one of them."""
    kind_of, sizes, cards = np.full(52, -1), np.zeros(52, dtype=np.int64), np.empty(52, dtype=np.int64)
    used = held = count = 0
    for card in board:
        used |= 1 << card
        held += _HELD[card]
    rank = of_rank = -1  # the kind of the cards of a rank that are in no flush
    for card in game.deck:
        if card >> 2 != rank:
            rank, of_rank = card >> 2, -1
        if used >> card & 1:
            continue
        in_flush = (held >> (4 * (card & 3)) & 15) + 2 >= game.suited_size
        kind = count if in_flush or of_rank < 0 else of_rank
        if kind == count:
            cards[kind] = card
            count += 1
        if not in_flush:
            of_rank = kind
        kind_of[card] = kind
        sizes[kind] += 1
    return kind_of, sizes[:count], cards[:count]


@njit(cache=True, nogil=True)
def _find_hands(board, sizes, cards, game):
    """The hands of two kinds: their kinds, the hand of each two, the codes, and how many pairs of cards each has."""
    kinds, hand_of = np.empty((HOLES, 2), dtype=np.int64), np.empty((len(sizes), len(sizes)), dtype=np.int64)
    codes, pairs = np.empty(HOLES, dtype=np.int64), np.empty(HOLES, dtype=np.int64)
    (total, ranks, held), count = sums_of(board), 0
    for a in range(len(sizes)):
        for b in range(a + 1):
            pairs[count] = sizes[a] * sizes[b] if a != b else sizes[a] * (sizes[a] - 1) // 2
            if pairs[count]:
                weight = total + _WEIGHT[cards[a]] + _WEIGHT[cards[b]]
                bits, more = ranks | _BIT[cards[a]] | _BIT[cards[b]], held + _HELD[cards[a]] + _HELD[cards[b]]
                codes[count] = code_at(weight, bits, more, game.plain, game.suited, game.suited_size)
                kinds[count, 0], kinds[count, 1] = a, b
                hand_of[a, b] = hand_of[b, a] = count
                count += 1
    return kinds[:count], hand_of, codes[:count], pairs[:count]


@njit(inline="always")
def _share(kinds, sizes, at, sharing):
    """Count the pairs of a hand for each card that may be in them."""
    a, b = kinds[at, 0], kinds[at, 1]
    if a == b:
        sharing[a] += sizes[a] - 1
    else:
        sharing[a] += sizes[b]
        sharing[b] += sizes[a]


@njit(cache=True, nogil=True)
def count_dealers(board, game):
    """The hands with a whole board: how many of the dealer's hands reach the threshold or not, and how they compare with each.

    The dealer's hands are counted in the order of their codes, and those that share a card with the player are subtracted card by
    card.
    """
    kind_of, sizes, cards = _find_kinds(board, game)
    kinds, hand_of, codes, pairs = _find_hands(board, sizes, cards, game)
    counts = np.empty((len(codes), 2, 3), dtype=np.int64)
    with_poor, with_lower, with_equal = np.zeros_like(sizes), np.zeros_like(sizes), np.zeros_like(sizes)
    poor = lower = n = 0
    for at in range(len(codes)):
        if codes[at] < game.threshold:
            poor += pairs[at]
            _share(kinds, sizes, at, with_poor)
    order = codes * HOLES + np.arange(len(codes))
    order.sort()
    order %= HOLES
    while n < len(codes):  # hands of equal codes, from the lowest
        code, end, equal = codes[order[n]], n, 0
        with_equal[:] = 0
        while end < len(codes) and codes[order[end]] == code:
            equal += pairs[order[end]]
            _share(kinds, sizes, order[end], with_equal)
            end += 1
        is_poor_code = code < game.threshold
        for m in range(n, end):
            at = order[m]
            a, b = kinds[at, 0], kinds[at, 1]
            is_lower = lower - with_lower[a] - with_lower[b]
            is_equal = equal - with_equal[a] - with_equal[b] + 1  # the player's own two cards were subtracted twice
            is_poor = poor - with_poor[a] - with_poor[b] + is_poor_code
            # the dealer's poor hands are all lower, unless the player's is poor too; then the dealer's other hands are all higher
            counts[at, 0, 2] = is_lower if is_poor_code else is_poor
            counts[at, 0, 1] = is_equal if is_poor_code else 0
            counts[at, 0, 0] = is_poor - counts[at, 0, 2] - counts[at, 0, 1]
            counts[at, 1, 2] = is_lower - counts[at, 0, 2]
            counts[at, 1, 1] = is_equal - counts[at, 0, 1]
            counts[at, 1, 0] = game.others - is_poor - counts[at, 1, 2] - counts[at, 1, 1]
        with_lower += with_equal
        lower += equal
        n = end
    return BoardHands(kind_of, sizes, cards, kinds, hand_of, codes, counts)


@njit(inline="always")
def _best(counts, at, worth, paths, path, row):
    """The best ending of a path (the first of equals) and its worth."""
    best = paths[path, 0]
    most = choice_value(counts, at, worth, best, row)
    for ending in range(best + 1, paths[path, 1]):
        value = choice_value(counts, at, worth, ending, row)
        if value > most:
            best, most = ending, value
    return best, most


# boards and suits


@njit(cache=True, nogil=True)
def find_holes(board, deck, choose):
    """Every two cards given a board: the hole, the low and the high card.

    As small unsigned integers, because most of the time is spent indexing with them.
    """
    holes, cards = np.empty(HOLES, dtype=np.uint16), np.empty((2, HOLES), dtype=np.uint8)
    used = count = 0
    for card in board:
        used |= 1 << card
    for high in deck:
        for low in deck:
            if low == high:
                break
            if not (used >> high | used >> low) & 1:
                holes[count], cards[0, count], cards[1, count] = choose[high, 2] + low, low, high
                count += 1
    return holes[:count], cards[0, :count], cards[1, :count]


@njit(cache=True, nogil=True)
def _hands_of_holes(hands, low, high):
    """The hand of each hole; the number of hands if one of the cards is on the board."""
    found, kind_of, hand_of, none = np.empty(len(low), dtype=np.uint16), hands.kind_of, hands.hand_of, len(hands.codes)
    for n in range(len(low)):
        one, two = kind_of[low[n]], kind_of[high[n]]
        found[n] = hand_of[one, two] if one >= 0 and two >= 0 else none
    return found


@njit(cache=True, nogil=True)
def _alike(board, suits):
    """The suit permutations that leave a board unchanged."""
    found, count, held = np.empty(len(suits), dtype=np.int64), 0, 0
    for card in board:
        held |= 1 << card
    for order in range(len(suits)):
        kept = True
        for card in board:
            kept = kept and held >> ((card & ~3) | suits[order, card & 3]) & 1
        if kept:
            found[count] = order
            count += 1
    return found[:count]


@njit(cache=True, nogil=True)
def _last_cards(board, game, suits):
    """The last cards of a base board up to suit symmetry, with their multiplicities; one placeholder if the board is whole."""
    found, count = np.ones((52, 2), dtype=np.int64), 0
    if len(board) == game.whole:
        return found[:1]
    alike = _alike(board, suits)
    for card in game.deck:
        fixed, least = 0, card
        for order in alike:
            other = (card & ~3) | suits[order, card & 3]
            least = min(least, other)
            fixed += 1 if other == card else 0
        if least == card and not (board == card).any():
            found[count, 0], found[count, 1] = card, len(alike) // fixed
            count += 1
    return found[:count]


@njit(inline="always")
def _subset(board, subset, level, steps, choose):
    """The position of a subset of a board among the sets of a level."""
    total = steps.begins[level]
    for place in range(steps.sizes[level]):
        total += choose[board[steps.subsets[subset, place]], place + 1]
    return total


@njit(cache=True, nogil=True)
def _scatter(board, holes, values, columns, level, steps, sums, choose):
    """Add the values of each hole with a board to all boards of a level that are subsets of it."""
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
    """Choose once for all holes that are equivalent under the board's suit symmetry; the first of equals.

    The choices go to `picks`, their worth for all equivalent holes to the rows of `values` from `into` on.
    """
    alike, least, moved = _alike(board, steps.suits), np.empty(len(holes), dtype=np.int64), steps.moved
    together = np.zeros((histories[-1, 1], HOLES), dtype=np.int64)
    for n in range(len(holes)):
        least[n] = holes[n]
        for order in alike:
            least[n] = min(least[n], moved[order, holes[n]])
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
    """The values of all answers with each base board and hole, with the best ones at its streets.

    Returns the sums that each level chooses among, by its boards and holes, and the choices at the base; and if holes have `grades`
    with the base board, what each path is worth by grade.
    """
    paths, size, board, ranges, rows = len(tree.paths), boards.shape[1], np.empty(game.whole, dtype=np.int64), tree.paths, game.rows
    sums = np.zeros((steps.starts[-1], tree.columns.shape[1], HOLES), dtype=np.int64)
    picks = np.zeros((stop - start if len(tree.base) else 0, HOLES, len(tree.base)), dtype=np.int8)
    graded = np.zeros((paths, grades.max() + 1 if len(grades) else 0), dtype=np.int64)
    for b in range(start, stop):
        board[:size] = boards[b]
        holes, low, high = find_holes(boards[b], game.deck, game.choose)
        values = np.zeros((paths + len(tree.base), len(holes)), dtype=np.int64)
        for last, alike in _last_cards(boards[b], game, steps.suits):
            board[size:] = last
            hands = count_dealers(board, game)
            hand_at, codes, counts, worth = _hands_of_holes(hands, low, high), hands.codes, hands.counts, tree.worth
            found = np.zeros(len(codes) + 1, dtype=np.int64)
            for path in range(paths):
                for at in range(len(codes)):
                    _, most = _best(counts, at, worth, ranges, path, rows[codes[at]])
                    found[at] = times[b] * alike * most
                for n in range(len(holes)):
                    values[path, n] += found[hand_at[n]]
        for path in range(paths if len(grades) else 0):
            for n in range(len(holes)):
                graded[path, grades[b, holes[n]]] += values[path, n]
        if len(tree.base):
            _decide(boards[b], holes, values, tree.base, paths, picks[b - start], steps)
        for level in range(len(steps.sizes)):
            _scatter(boards[b], holes, values, tree.columns[level], level, steps, sums, game.choose)
    return sums, picks, graded


@njit(cache=True, nogil=True)
def decide_level(sums, boards, deck, histories, level, columns, steps, choose):
    """Choose for each board and hole of a level, and add the worth to the boards of the level before."""
    width = sums.shape[1]
    picks = np.zeros((len(boards), HOLES, len(histories)), dtype=np.int8)
    found = np.zeros((steps.starts[-1] if level else 0, len(columns), HOLES), dtype=np.int64)
    for b in range(len(boards)):
        holes, _, _ = find_holes(boards[b], deck, choose)
        values = np.empty((width + len(histories), len(holes)), dtype=np.int64)
        for row in range(width):
            for n in range(len(holes)):
                values[row, n] = sums[b, row, holes[n]]
        _decide(boards[b], holes, values, histories, width, picks[b], steps)
        if level:
            _scatter(boards[b], holes, values, columns, level - 1, steps, found, choose)
    return picks, found


# the outcomes


@njit(cache=True, nogil=True)
def _follow(board, b, holes, tree, steps, played, choose):
    """The path of each hole for each order of the base board's cards, and how many orders lead to each path."""
    ways, levels, early, count = len(played.ways), len(tree.columns), len(tree.then), len(holes)
    path_of, many = np.empty((ways, count), dtype=np.int16), np.zeros((len(tree.paths), count), dtype=np.int64)
    states = np.full((early + 1, count), 0 if early else -1, dtype=np.int16)
    for way in range(ways):
        as_before = way > 0
        for street in range(early):
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
            path = -1 - states[early, n]
            path_of[way, n] = path
            many[path, n] += 1
    return path_of, many


@njit(cache=True, nogil=True)
def _beaten(board, hands, game, plain, suited):
    """How many unseen cards would beat each hand if the dealer held one: the board with that card alone ranks higher."""
    cards, codes = np.empty(len(board) + 1, dtype=np.int64), np.empty(len(hands.cards), dtype=np.int64)
    cards[:-1] = board
    for kind in range(len(codes)):
        cards[-1] = hands.cards[kind]
        codes[kind] = code_of(cards, plain, suited, game.suited_size)
    found = np.zeros(len(hands.codes), dtype=np.int64)
    for at in range(len(found)):
        for kind in range(len(codes)):
            if codes[kind] > hands.codes[at]:
                found[at] += hands.sizes[kind] - (hands.kinds[at, 0] == kind) - (hands.kinds[at, 1] == kind)
    return found


@njit(cache=True, nogil=True)
def count_deals(boards, times, start, stop, game, tree, steps, played, flop_codes, graded, plain, suited):
    """How many deals have each outcome with these answers: by (ending, grade, row, reaches, compared), and folded ones by code.

    With the whole board, the best ending is chosen. For `graded` hands nothing is chosen then, and the deals of a path count as its
    first ending. The grade is how many unseen cards would beat the hand if the dealer held one, by tables of the ranking for the whole
    board and one card; without them it is the code. `flop_codes` has the code of each hole with the three cards of the last level.
    """
    size, board, worth, ranges, rows = boards.shape[1], np.empty(game.whole, dtype=np.int64), tree.worth, tree.paths, game.rows
    ways, flop = len(played.ways) if len(flop_codes) else 0, len(steps.sizes) - 1
    grade_count = 1 if not graded else 52 if len(plain) else len(game.rows)
    ends = np.zeros((len(worth), grade_count, worth.shape[1], 2, 3), dtype=np.int64)
    folded = np.zeros((2, len(game.rows)), dtype=np.int64)  # by the code of all cards, and of the two with the first three
    for b in range(start, stop):
        board[:size] = boards[b]
        holes, low, high = find_holes(boards[b], game.deck, game.choose)
        path_of, many = _follow(boards[b], b, holes, tree, steps, played, game.choose)
        gone = np.zeros((len(ranges), len(holes)), dtype=np.int64)
        for last, alike in _last_cards(boards[b], game, steps.suits):
            board[size:] = last
            hands, deals = count_dealers(board, game), times[b] * alike
            hand_at, codes, counts = _hands_of_holes(hands, low, high), hands.codes, hands.counts
            grades = np.zeros_like(codes)
            if graded:
                grades = _beaten(board, hands, game, plain, suited) if len(plain) else codes
            for path in range(len(ranges)):
                reach, folds = np.zeros(len(codes) + 1, dtype=np.int64), np.zeros(len(codes) + 1, dtype=np.int64)
                for n in range(len(holes)):
                    reach[hand_at[n]] += many[path, n]
                for at in range(len(codes)):
                    if reach[at]:
                        row = rows[codes[at]]
                        ending = ranges[path, 0] if graded else _best(counts, at, worth, ranges, path, row)[0]
                        for reaches in range(2):
                            for compared in range(3):
                                ends[ending, grades[at], row, reaches, compared] += (
                                    deals * reach[at] * counts[at, reaches, compared]
                                )
                        if tree.folds[ending]:
                            folds[at] = deals * game.others
                            folded[0, codes[at]] += reach[at] * folds[at]
                for n in range(len(holes)):
                    gone[path, n] += folds[hand_at[n]]
        for way in range(ways):
            at = _subset(boards[b], played.ways[way, flop], flop, steps, game.choose)
            codes_here, moved = flop_codes[steps.classes[at]], steps.moved[steps.orders[at]]
            for n in range(len(holes)):
                if gone[path_of[way, n], n]:
                    folded[1, codes_here[moved[holes[n]]]] += gone[path_of[way, n], n]
    return ends, folded


@njit(cache=True, nogil=True)
def codes_beside(boards, plain, suited, suited_size, choose):
    """The code of each hole with each board; 0 if one of its cards is on the board."""
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
    """The best answers with the whole board, packed: `bits` bits for each board, decision and hole."""
    paths, ranges, worth, rows = np.flatnonzero(tree.last >= 0), tree.paths, tree.worth, game.rows
    found = np.zeros((stop - start, len(paths), HOLES * bits // 8 + 1), dtype=np.uint8)
    for b in range(start, stop):
        holes, low, high = find_holes(boards[b], game.deck, game.choose)
        hands = count_dealers(boards[b], game)
        hand_at, codes, counts = _hands_of_holes(hands, low, high), hands.codes, hands.counts
        for decision in range(len(paths)):
            for n in range(len(holes)):
                bit, row = bits * holes[n], rows[codes[hand_at[n]]]
                best, _ = _best(counts, hand_at[n], worth, ranges, paths[decision], row)
                found[b - start, decision, bit >> 3] |= (best - ranges[paths[decision], 0]) << (bit & 7)
    return found
