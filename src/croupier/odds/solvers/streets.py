"""Three decisions over the whole tree of two hole cards and five community cards (653a)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import Cards
from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Compared, DealerHas, Folded, Holds, Place
from croupier.law.ranking import Ranking
from croupier.law.wager import Choice, Decision
from croupier.odds.kernels import board_counts, hand_counts
from croupier.odds.kernels.card_sets import CHOOSE, FULL, Deck, classes, hand, in_parts, index_of, numbers
from croupier.odds.kernels.random_rounds import Layout, answer_hold_em
from croupier.odds.kernels.rank_tables import RankTable, rank_table
from croupier.odds.solvers import boards
from croupier.odds.solvers.against_dealer import COMPARED
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.shapes import Shape, endings, shape_of
from croupier.odds.solvers.solution import (
    Advice,
    Folds,
    Outcomes,
    SimulatedAnswers,
    Solved,
    Worth,
    asked,
    holds_asked,
    kept,
    scaled,
    unit_stakes,
    versus,
    worth,
)

SERVES = "two cards against two and five of the community, to play before the Flop, after it, or at the end or fold"
SUIT_ORDERS = list(permutations(range(4)))


def serves(shape: Shape) -> bool:
    reaches, compared, holds = shape.only(DealerHas), shape.only(Compared), shape.only(Holds)
    return (
        shape.asks(Folded, DealerHas, Compared, Holds)
        and reaches[0].shared == compared[0].shared == (COMMUNITY,)
        and reaches[0].ranking == compared[0].ranking
        and holds[0] == Holds(holds[0].ranking, (PLAYER, COMMUNITY))
        and [[_does(choice) for choice in street.decision.choices] for street in shape.streets] == HOLD_EM
        and [street.seen for street in shape.streets] == [{PLAYER: 2, DEALER: 0, COMMUNITY: count} for count in (0, 3, 5)]
        and shape.dealt(PLAYER=2, DEALER=2, COMMUNITY=5)
        and not (shape.jokers or shape.sets or shape.face_up)
    )


HOLD_EM = [["makes", "makes", "goes on"], ["makes", "goes on"], ["makes", "folds"]]


def _does(choice: Choice) -> str:
    """What a choice does, where it does one thing only."""
    does = {"makes": choice.makes, "goes on": choice.goes_on, "folds": choice.folds, "withdraws": choice.withdraws}
    return " and ".join([word for word, done in does.items() if done] + ["asks for a hand"] * bool(choice.holding))


@dataclass(frozen=True)
class Suits:
    """How suits are permuted to move each Flop to its representative, and where that moves the hole cards."""

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

    def price(decision: Decision, choice: Choice, row: str, reaches: bool, compared: Any) -> Worth:
        values = asked(main, offer, {fact: row, **versus(main, reaches, compared)}, [choice])
        return worth(offer, main, values, unit_stakes(rules, main, [(decision, choice)]))

    listed = [[price(d, c, row, bool(r), x) for row in rows for r in (0, 1) for x in COMPARED] for d, c in plays]
    fold = price(end, folding, rows[0], True, COMPARED[0])
    scaled_numbers, _ = scaled([each.net for part in listed for each in part] + [fold.net])
    table = np.array(scaled_numbers[:-1], dtype=np.int64).reshape(len(plays), len(rows), 2, 3)
    return Priced([choice.in_full for _, choice in plays], listed, table, fold, scaled_numbers[-1])


@dataclass(frozen=True)
class SolvedHoldEm(Solved):
    """A solved game of three decisions."""

    at_once: NDArray[np.int64]  # [choice, two cards up to the suits]
    after_flop: NDArray[np.bool_]  # [Flop up to the suits, two cards]: play after the Flop?
    ends: NDArray[np.int64]
    plays: NDArray[np.int64]
    folded: NDArray[np.int64]  # how many folded ends held each code, of all seven cards and of the two with the Flop
    ranking: RankTable
    river: NDArray[np.uint8]  # [board up to the suits, two cards]: a bit, play at the end?

    def folds(self, way: Holds, at: Mapping[Place, int], rows: Callable[[], dict[str, int]], deck: Deck) -> Folds | None:
        """Rows of all seven cards, or of the two and the Flop, of hands that may be folded at the end."""
        if way.places != (PLAYER, COMMUNITY) or way.first not in (0, 3):
            return None
        return self._folds(way, rows())

    def _folds(self, way: Holds, counted: dict[str, int]) -> Folds:
        codes, folded = rows_by_code(self.ranking, way.ranking), self.folded[1 if way.first else 0]
        each = self.outcomes.deals // sum(counted.values())
        for at, (row, ways) in enumerate(counted.items()):
            gone = int(folded[codes == at].sum())
            yield row, False, ways * each - gone
            yield row, True, gone


def solve(offer: Offer, deck: Deck = FULL) -> SolvedHoldEm:
    """By backward induction: fold or play at the end, play after the Flop or go on, play at once or go on."""
    main = main_settlement(offer.rules)
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next(fact for fact in main.asks if isinstance(fact, DealerHas))
    ranking, ladder = rank_table(compared.ranking, 7, by_strength=True), holds_asked(main)[0].ranking
    rows = list(ladder.rows)
    row_of_code = rows_by_code(ranking, ladder)
    priced, moves, boards = prices(offer, rows), suits(deck), classes(5, deck)
    common = (np.array(deck), moves.flop_class, moves.flop_suits, moves.moved)
    threshold = ranking.least_code(reaches.least)
    parts = in_parts(
        lambda a, b: board_counts.hold_em(
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
    fives = rank_table(compared.ranking, 5, by_strength=True)
    tallies = in_parts(
        lambda a, b: board_counts.hold_em_outcomes(
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
    return SolvedHoldEm(outcomes, best, values, after_flop, ends, plays, folded, ranking, river)


def scale(offer: Offer) -> int:
    """How many units of the solution's values make one Ante."""
    priced = prices(offer, list(holds_asked(main_settlement(offer.rules))[0].ranking.rows))
    return scaled([each.net for part in priced.prices for each in part] + [priced.fold.net])[1]


def rows_by_code(ranking: RankTable, ladder: Ranking) -> NDArray[np.int64]:
    """The row of a ladder for each code of a ranking: asked of one hand of each code."""
    found = np.full(ranking.levels, -1, dtype=np.int64)
    fives = classes(5)
    codes = hand_counts.codes_of_rows(fives.cards, *rank_table(ranking.ranking, 5, by_strength=True).arrays)
    for code, at in zip(*np.unique(codes, return_index=True), strict=True):
        found[code] = ladder.rows.index(ladder.row(hand(fives.cards[at])))
    return found


def _after_flop(ends: NDArray[np.int64], plays: NDArray[np.int64], moves: Suits) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Play after each Flop or check; hole cards that the suits of the Flop do not distinguish are decided together."""
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


def advise(offer: Offer, held: Cards, up: Cards, board: Cards) -> list[Advice]:
    """The value of each choice: before the Flop from the solution, with cards on the board by dealing the rest."""
    if board:
        return boards.advise(offer, held, up, board)
    solved, ante = kept(offer, solve), scale(offer)
    kind = int(classes(2).of[int(index_of(np.array(numbers(held)), CHOOSE))])
    deals = int(classes(2).times[kind]) * comb(50, 3) * comb(47, 2) * 990
    choices = offer.rules.decisions[0].choices
    return [Advice(choice.word, Fraction(int(solved.at_once[n, kind]), deals * ante)) for n, choice in enumerate(choices)]


def answers(offer: Offer, solved: SolvedHoldEm, _: Layout) -> SimulatedAnswers:
    moves = suits()
    tables = (
        solved.best, solved.after_flop, moves.hole_class, moves.flop_class, moves.flop_suits, moves.moved, solved.river,
        classes(5).of, CHOOSE,
    )  # fmt: skip
    return SimulatedAnswers(answer_hold_em, tables, [(said, {}) for said in endings(shape_of(offer.rules))])
