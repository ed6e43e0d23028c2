"""Three decisions over the whole tree of two hole cards and five community cards (653a)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.filing.offer import Offer
from croupier.law.fact import Compared, DealerHas
from croupier.odds import counting, counting_boards
from croupier.odds.against_dealer import COMPARED
from croupier.odds.deals import CHOOSE, FULL, Deck, classes, hand, in_parts
from croupier.odds.solved import Outcomes, Solved, Worth, asked, holds_asked, main_settlement, scaled, unit_stakes, worth
from croupier.odds.tables import Table
from croupier.odds.tables import table as table_of

SUIT_ORDERS = list(permutations(range(4)))


@dataclass(frozen=True)
class Suits:
    """How each Flop is moved to the one that stands for it, and where that moves each two cards."""

    flop_class: NDArray[Any]
    flop_suits: NDArray[np.int64]  # the number of the order of suits that moves a Flop
    moved: NDArray[np.int64]  # [order, two cards]
    hole_class: NDArray[Any]
    same: list[list[int]]  # for each Flop up to the suits, the orders that leave it as it is


def suits(deck: Deck = FULL) -> Suits:
    return _suits(deck)


@cache
def _suits(deck: Deck) -> Suits:
    flops = classes(3, deck)
    holes = [(low, high) for high in range(52) for low in range(high)]
    moved = np.array([[_index(_moved(pair, order)) for pair in holes] for order in SUIT_ORDERS], dtype=np.int64)
    sets = [(a, b, c) for c in range(52) for b in range(c) for a in range(b)]
    stands = [tuple(map(int, cards)) for cards in flops.cards]
    order_of = np.zeros(len(sets), dtype=np.int64)
    for at in np.flatnonzero(flops.of >= 0):
        target = stands[flops.of[at]]
        order_of[at] = next(n for n, order in enumerate(SUIT_ORDERS) if _moved(sets[at], order) == target)
    same = [[n for n, order in enumerate(SUIT_ORDERS) if _moved(flop, order) == flop] for flop in stands]
    return Suits(flops.of, order_of, moved, classes(2, deck).of, same)


def _moved(cards: tuple[int, ...], order: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(4 * (card // 4) + order[card % 4] for card in cards))


def _index(pair: tuple[int, ...]) -> int:
    return int(CHOOSE[pair[1], 2]) + pair[0]


@dataclass(frozen=True)
class Priced:
    """The prices of the end for each choice that makes a Play Wager, and for folding."""

    words: list[str]  # first at the greater and the smaller multiple, after the Flop, at the end
    prices: list[list[Worth]]
    table: NDArray[np.int64]
    fold: Worth
    fold_number: int


def prices(offer: Offer, rows: list[str]) -> Priced:
    rules, main = offer.rules, main_settlement(offer.rules)
    fact = holds_asked(main)[0]
    plays = [(decision, choice) for decision in rules.decisions for choice in decision.choices if choice.makes]
    end = rules.decisions[-1]
    folding = next(choice for choice in end.choices if choice.folds)

    def price(decision: Any, choice: Any, row: str, reaches: bool, compared: Any) -> Worth:
        known = {"player folded": choice.folds, "reaches": reaches, "compared": compared}
        values = asked(main, offer, known, {id(fact): row})
        return worth(offer, main, values, unit_stakes(rules, main, decision, choice))

    listed = [[price(d, c, row, bool(r), x) for row in rows for r in (0, 1) for x in COMPARED] for d, c in plays]
    fold = price(end, folding, rows[0], True, COMPARED[0])
    scaled_numbers, _ = scaled([each.net for part in listed for each in part] + [fold.net])
    table = np.array(scaled_numbers[:-1], dtype=np.int64).reshape(len(plays), len(rows), 2, 3)
    return Priced([choice.in_full for _, choice in plays], listed, table, fold, scaled_numbers[-1])


def solve(offer: Offer, deck: Deck = FULL) -> Solved:
    """By backward induction: fold or play at the end, play after the Flop or go on, play at once or go on."""
    main = main_settlement(offer.rules)
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next(fact for fact in main.asks if isinstance(fact, DealerHas))
    ranking, ladder = table_of(compared.ranking, 7, by_strength=True), holds_asked(main)[0].ranking
    rows = list(ladder.rows)
    row_of_code = rows_by_code(ranking, ladder)
    priced, moves, boards = prices(offer, rows), suits(deck), classes(5, deck)
    common = (np.array(deck), moves.flop_class, moves.flop_suits, moves.moved)
    threshold = ranking.least_code(reaches.least)
    parts = in_parts(
        lambda a, b: counting_boards.hold_em(
            boards.cards,
            boards.times,
            a,
            b,
            *common,
            priced.table,
            priced.fold_number,
            threshold,
            row_of_code,
            *ranking.arrays,
            CHOOSE,
        ),
        len(boards),
    )
    sums, first = (sum(part[n] for part in parts) for n in range(2))
    ends, plays = sums[:, :, 0], sums[:, :, 1]
    after_flop, best_later = _after_flop(ends, plays, moves)
    at_once = np.zeros((2, len(best_later)), dtype=np.int64)
    for n in range(2):
        np.add.at(at_once[n], moves.hole_class, first[n])
    values = np.stack([10 * at_once[0], 10 * at_once[1], best_later])  # each board has ten Flops
    best = values.argmax(axis=0)
    fives = table_of(compared.ranking, 5, by_strength=True)
    tallies = in_parts(
        lambda a, b: counting_boards.hold_em_outcomes(
            boards.cards, boards.times, a, b, *common, moves.hole_class, best, after_flop, priced.table, priced.fold_number,
            threshold, row_of_code, len(rows), *ranking.arrays, fives.plain, fives.suited, CHOOSE,
        ),
        len(boards),
    )  # fmt: skip
    counts, folded = sum(part[0] for part in tallies), sum(part[1] for part in tallies)
    river = np.concatenate([part[2] for part in tallies])
    outcomes = Outcomes()
    in_order = [6 * row + end for row in range(len(rows)) for end in reversed(range(6))]  # of each row what wins first
    for n, word in enumerate(priced.words):
        ends_of = counts[n].reshape(-1)
        for at in in_order:
            outcomes.add(priced.prices[n][at], int(ends_of[at]), f"{word}: {priced.prices[n][at].label}")
    outcomes.add(priced.fold, int(folded[0].sum()))
    return Solved(outcomes, main.of.name, best, HoldEm(values, after_flop, ends, plays, folded, ranking, river))


def scale(offer: Offer) -> int:
    """How many units of the solution's values make one Ante."""
    priced = prices(offer, list(holds_asked(main_settlement(offer.rules))[0].ranking.rows))
    return scaled([each.net for part in priced.prices for each in part] + [priced.fold.net])[1]


@dataclass(frozen=True)
class HoldEm:
    """What the solution knows of each state, for advice and for play."""

    at_once: NDArray[np.int64]  # [choice, two cards up to the suits]
    after_flop: NDArray[np.bool_]  # [Flop up to the suits, two cards]: play after the Flop?
    ends: NDArray[np.int64]
    plays: NDArray[np.int64]
    folded: NDArray[np.int64]  # how many folded ends held each code, of all seven cards and of the two with the Flop
    ranking: Table
    river: NDArray[np.uint8]  # [board up to the suits, two cards]: a bit, play at the end?

    def folded_rows(self, ladder: Any, *, with_flop: bool) -> dict[str, int]:
        """How many folded ends held each row of a ladder, with all seven cards or with the two and the Flop."""
        rows, folded = rows_by_code(self.ranking, ladder), self.folded[1 if with_flop else 0]
        return {row: int(folded[rows == at].sum()) for at, row in enumerate(ladder.rows)}


def rows_by_code(ranking: Table, ladder: Any) -> NDArray[np.int64]:
    """The row of a ladder for each code of a ranking: asked of one hand of each code."""
    found = np.full(ranking.levels, -1, dtype=np.int64)
    fives = classes(5)
    codes = counting.codes_of_rows(fives.cards, *table_of(ranking.ranking, 5, by_strength=True).arrays)
    for code, at in zip(*np.unique(codes, return_index=True), strict=True):
        found[code] = ladder.rows.index(ladder.row(hand(fives.cards[at])))
    return found


def _after_flop(ends: NDArray[np.int64], plays: NDArray[np.int64], moves: Suits) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Play after each Flop or go on; two cards that the suits of the Flop do not tell apart are judged together."""
    better = np.zeros(ends.shape, dtype=np.bool_)
    later = np.zeros(moves.hole_class.max() + 1, dtype=np.int64)
    for flop, orders in enumerate(moves.same):
        together = moves.moved[orders].min(axis=0)
        end_sums = np.bincount(together, minlength=1326) * 0
        play_sums = end_sums.copy()
        np.add.at(end_sums, together, ends[flop])
        np.add.at(play_sums, together, plays[flop])
        play = play_sums > end_sums
        better[flop] = play[together]
        np.add.at(later, moves.hole_class, np.where(play, play_sums, end_sums))
    return better, later
