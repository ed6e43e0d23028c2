"""Two cards and a board that is turned in streets, against a dealer's two: 653a, Casino Hold'em, Texas Hold'em Bonus.

A street is a decision with some of the board on the table. Best play is found by backward induction. Boards that differ only by a
permutation of the suits form a class, and one of them represents all.

1. For each whole board, the dealer's hands are sorted by strength once. This tells, for each two cards of the player, how
   many of the dealer's hands qualify or not, and how many are lower, equal or higher. With the prices of these six cases this gives
   the value of each ending. If there is a decision with the whole board, the best ending counts.
2. What an answer at an earlier street, a level, is worth is the sum over all whole boards that may follow. So each whole board adds
   its values to each of its subsets that is a board of a level.
3. The levels are decided from these sums, the last first. What the best answers are worth is added to the level before. Two cards
   that are equivalent under the suits of the board are decided together.
4. A second pass over all whole boards: their cards may come in several orders, which lead the player to different answers. This
   counts the deals by ending, row and dealer's hand.

If a decision is asked when only the last card is missing, there are too many such boards to keep sums for. Then these boards, not
the whole ones, are the base of steps 1 and 4: each is tried with every last card, up to suit symmetry, and decided at once.

All answers until nothing more is asked are an ending. Those of them before the whole board lies are a path: several endings share
it if it leads to a decision with the whole board. The answers before a street that lead to its decision are a history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import Cards
from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Compared, DealerHas, Fact, Folded, Holds, Place
from croupier.law.ranking import Ranking
from croupier.law.wager import Choice, Decision
from croupier.odds.kernels import board_streets as kernel
from croupier.odds.kernels.card_sets import (
    CHOOSE,
    FULL,
    SUIT_ORDERS,
    Deck,
    Ints,
    all_sets,
    classes,
    in_threads,
    index_of,
    indices,
    moved,
    numbers,
)
from croupier.odds.kernels.random_rounds import Layout, OnBoard, answer_boards
from croupier.odds.kernels.rank_tables import RankTable, rank_table, rows_by_code, too_many_strengths
from croupier.odds.solvers import enumerator
from croupier.odds.solvers.main_game import NotCounted, main_settlement
from croupier.odds.solvers.shapes import GameShape, endings, game_shape
from croupier.odds.solvers.solution import (
    COMPARED,
    Advice,
    Folds,
    Outcomes,
    SimulatedAnswers,
    Solved,
    Worth,
    cached_solution,
    holds_asked,
    main_worth,
    scaled,
    versus,
)

SERVES = "two cards against two with three to five of the community, and decisions between them"
FLOP = 3  # cards that a side wager may look at alone


def serves(shape: GameShape) -> bool:
    reaches, compared, holds = shape.only(DealerHas), shape.only(Compared), shape.only(Holds)
    boards = [street.seen[COMMUNITY] for street in shape.streets]
    choices = [choice for street in shape.streets for choice in street.decision.choices]
    early = [choice for street in shape.streets[:-1] for choice in street.decision.choices]
    whole = shape.cards.get(COMMUNITY, 0)
    return (
        bool(boards)
        and shape.asks_only(Folded, Decision, DealerHas, Compared, Holds)
        and (len(compared), len(reaches) < 2) == (1, True)
        and compared[0].shared == (COMMUNITY,)
        and all((each.ranking, each.shared) == (compared[0].ranking, (COMMUNITY,)) for each in reaches)
        and all(each == Holds(each.ranking, (PLAYER, COMMUNITY)) for each in holds)
        and shape.cards == {PLAYER: 2, DEALER: 2, COMMUNITY: whole}
        and compared[0].ranking.size - 2 <= whole <= 5
        and all(low < high for low, high in pairwise(boards))
        and all((street.seen[PLAYER], street.seen[DEALER]) == (2, 0) for street in shape.streets)
        and not any(choice.holding for choice in choices)
        and not (shape.only(Decision) and not all(choice.goes_on for choice in early))
        and not (shape.jokers or shape.sets or any(shape.face_up.get(place) for place in (PLAYER, DEALER)))
        and not too_many_strengths(compared[0].ranking)
        and all(rows_by_code(compared[0].ranking, each.ranking) is not None for each in holds)
    )


# boards and suits


@cache
def orders_of(size: int, deck: Deck = FULL) -> Ints:
    """For each set, the suit permutation that moves it to its representative."""
    boards, sets = classes(size, deck), all_sets(size)
    target, order = indices(boards.cards)[boards.class_of], np.zeros(len(sets), dtype=np.int64)
    for number, suits in reversed([*enumerate(SUIT_ORDERS)]):
        order[indices(moved(sets, suits)) == target] = number
    return order


@cache
def moved_holes() -> NDArray[np.uint16]:
    """Where each suit permutation moves each hole."""
    return np.array([indices(moved(all_sets(2), suits)) for suits in SUIT_ORDERS], dtype=np.uint16)


# the game


Choices = tuple[Choice, ...]


class BoardGame:
    """The streets of a game, its answers and their prices, as the kernels need them."""

    def __init__(self, offer: Offer, deck: Deck = FULL) -> None:
        shape = game_shape(offer.rules)
        self.offer, self.deck, self.streets, self.whole = offer, deck, shape.streets, shape.cards[COMMUNITY]
        self.boards = [street.seen[COMMUNITY] for street in shape.streets]
        self.early = len([size for size in self.boards if size < self.whole])  # decisions before the whole board
        self.base = self.whole - 1 if self.whole - 1 in self.boards else self.whole
        self.levels = len([size for size in self.boards if size < self.base])
        self.endings: list[Choices] = list(endings(shape))
        self.paths = list(dict.fromkeys(each[: self.early] for each in self.endings))
        self.histories = [list(dict.fromkeys(each[:n] for each in self.endings if len(each) > n)) for n in range(len(self.boards))]
        self.prices = board_prices(offer)
        self.ranking = self.prices.ranking.ranking

    def answers(self, street: int) -> list[Choices]:
        """What may be answered at a street, after each history."""
        return [(*before, choice) for before in self.histories[street] for choice in self.streets[street].decision.choices]

    def from_base(self, level: int) -> Ints:
        """For each answer at a level its number among the paths, and after them the histories at the base; -1 for others."""
        known = [*self.paths, *(self.histories[self.levels] if self.levels < self.early else [])]
        return np.array([known.index(each) if each in known else -1 for each in self.answers(level)])

    @property
    def deals(self) -> int:
        """How many deals there are: a base board, the last card if it is missing, and two cards each."""
        rest = len(self.deck) - 2
        last_cards = rest - self.base if self.base < self.whole else 1
        return comb(rest + 2, 2) * comb(rest, self.base) * last_cards * comb(rest - self.whole, 2)

    def repeats(self, level: int) -> int:
        """How many paths through the streets in between one direct addition from the base to a level represents."""
        sizes = [*self.boards[level : self.levels], self.base]
        return prod(comb(high, low) for low, high in pairwise(sizes)) // comb(self.base, self.boards[level])

    # what the kernels need

    @property
    def cards(self) -> kernel.Game:
        found, others = self.prices, comb(len(self.deck) - self.whole - 2, 2)
        return kernel.Game(
            np.array(self.deck), self.whole, others, found.threshold, found.row_of_code, *found.ranking.arrays, CHOOSE
        )

    @property
    def tree(self) -> kernel.Tree:
        path_of = {each: -1 - n for n, each in enumerate(self.paths)}
        widest = max([len(street.decision.choices) for street in self.streets])
        then = np.zeros((self.early, max(map(len, self.histories)), widest), dtype=np.int64)
        for street in range(self.early):
            for history, before in enumerate(self.histories[street]):
                for n, choice in enumerate(self.streets[street].decision.choices):
                    after = (*before, choice)
                    then[street, history, n] = path_of[after] if after in path_of else self.histories[street + 1].index(after)
        known = [[n for n in self.from_base(level) if n >= 0] for level in range(self.levels)]
        columns = np.full((self.levels, max(map(len, known), default=0)), -1, dtype=np.int64)
        for row, each in zip(columns, known, strict=True):
            row[: len(each)] = each
        at_end = self.histories[self.early] if self.early < len(self.histories) else []
        return kernel.Tree(
            self.prices.table,
            ranges(self.paths, self.endings),
            ranges(self.histories[self.levels], self.paths) if self.levels < self.early else np.zeros((0, 2), dtype=np.int64),
            columns,
            then,
            np.array([at_end.index(each) if each in at_end else -1 for each in self.paths], dtype=np.int64),
            np.array([ending[-1].folds for ending in self.endings], dtype=np.bool_),
        )

    def steps(self, within: int, sizes: list[int]) -> kernel.Steps:
        """Boards of these sizes as subsets of a board of `within` cards."""
        found, subsets = [classes(size, self.deck) for size in sizes], _subsets(within, sizes)
        places = np.zeros((len(subsets), max(sizes, default=0)), dtype=np.int64)
        for row, (_, each) in zip(places, subsets, strict=True):
            row[: len(each)] = each
        return kernel.Steps(
            np.array(sizes, dtype=np.int64),
            _starts(len(each.class_of) for each in found),
            _starts(len(each.cards) for each in found),
            np.concatenate([np.zeros(0, dtype=np.int32), *(each.class_of for each in found)]),
            np.concatenate([np.zeros(0, dtype=np.int64), *(orders_of(size, self.deck) for size in sizes)]),
            places,
            _starts(comb(within, size) for size in sizes),
            moved_holes(),
            SUIT_ORDERS,
        )

    @property
    def with_flop(self) -> list[int]:
        """The sizes of the boards of the levels, and the Flop."""
        return [*self.boards[: self.levels], *([FLOP] if self.base >= FLOP else [])]

    def ways(self) -> Ints:
        """The orders in which a base board's cards may come: the number of the subset at each level, and of the Flop."""
        sizes = self.with_flop
        number_of = {each: n for n, each in enumerate(_subsets(self.base, sizes))}
        nested = [*_nested(tuple(range(self.base)), sorted({*sizes}, reverse=True))]
        found = [[number_of[level, way[size]] for level, size in enumerate(sizes)] for way in nested]
        return np.array(found, dtype=np.int64).reshape(len(nested), len(sizes))


def ranges(before: list[Choices], among: list[Choices]) -> Ints:
    """For each of the answers `before`, the range of those `among` which begin with it: the first, and one more than the last."""
    found = [[n for n, each in enumerate(among) if each[: len(first)] == first] for first in before]
    return np.array([(min(each), max(each) + 1) for each in found], dtype=np.int64).reshape(-1, 2)


def _starts(counts: Iterable[int]) -> Ints:
    return np.cumsum([0, *counts], dtype=np.int64)


def _subsets(within: int, sizes: list[int]) -> list[tuple[int, tuple[int, ...]]]:
    """The subsets of a board of `within` cards at each level."""
    return [(level, places) for level, size in enumerate(sizes) for places in combinations(range(within), size)]


def _nested(places: tuple[int, ...], sizes: list[int]) -> Iterator[dict[int, tuple[int, ...]]]:
    """Sets of these sizes, each within the one before."""
    if not sizes:
        yield {}
        return
    for within in combinations(places, sizes[0]):
        for more in _nested(within, sizes[1:]):
            yield {sizes[0]: within, **more}


@dataclass(frozen=True)
class Priced:
    """What each sequence of answers is worth with each row and dealer's hand."""

    prices: list[list[Worth]]  # [ending][row, reaches, compared]
    table: Ints
    scale: int
    row_of_code: Ints
    ranking: RankTable
    threshold: int  # the least code with which the dealer qualifies


def board_prices(offer: Offer) -> Priced:
    main, shape = main_settlement(offer.rules), game_shape(offer.rules)
    compared, facts = shape.only(Compared)[0], holds_asked(main)
    ranking = rank_table(compared.ranking, 2 + shape.cards[COMMUNITY], by_strength=True)
    found = [rows_by_code(compared.ranking, fact.ranking) for fact in facts]
    listed = np.array([each for each in found if each is not None]).reshape(len(facts), ranking.levels)
    kinds, row_of_code = np.unique(listed, axis=1, return_inverse=True)
    rows: list[dict[Fact, Any]] = [
        {fact: fact.ranking.rows[n] for fact, n in zip(facts, kind, strict=True)} for kind in kinds.T.tolist()
    ]
    worths = [
        [main_worth(offer, ending, {**row, **versus(main, bool(r), x)}) for row in rows for r in (0, 1) for x in COMPARED]
        for ending in endings(shape)
    ]
    numbers, scale = scaled(each.net for part in worths for each in part)
    table = np.array(numbers, dtype=np.int64).reshape(len(worths), len(rows), 2, 3)
    least = [ranking.least_code(fact.least) for fact in shape.only(DealerHas)]
    return Priced(worths, table, scale, row_of_code.reshape(-1).astype(np.int64), ranking, least[0] if least else 0)


# solutions


@dataclass(frozen=True)
class SolvedBoards(Solved):
    """A solved game. `best` is [board of a level up to suit symmetry, two cards, history], level after level."""

    sums: list[Ints]  # [level][board up to suit symmetry, answer, two cards]: what it is worth
    base: NDArray[np.int8]  # [base board up to suit symmetry, two cards, history]: the best choice
    folded: Ints  # how many folded ends held each code, of all cards and of the two with the Flop
    ranking: Ranking

    def folds(self, way: Holds, at: Mapping[Place, int], rows: Callable[[], dict[str, int]], deck: Deck) -> Folds | None:
        """Rows of all cards, or of the two and the Flop, of hands that may be folded."""
        codes = rows_by_code(self.ranking, way.ranking)
        if way.places != (PLAYER, COMMUNITY) or way.first not in (0, FLOP) or codes is None:
            return None
        return self._folds(way, rows(), codes)

    def _folds(self, way: Holds, counted: dict[str, int], codes: Ints) -> Folds:
        folded = self.folded[1 if way.first else 0]
        each = self.outcomes.deals // sum(counted.values())
        for at, (row, ways) in enumerate(counted.items()):
            gone = int(folded[codes == at].sum())
            yield row, False, ways * each - gone
            yield row, True, gone


def solve(offer: Offer, deck: Deck = FULL) -> SolvedBoards:
    """Solve by backward induction from the base boards, then count the outcomes in a second pass."""
    game = BoardGame(offer, deck)
    if game.deals * len(game.ways()) * int(abs(game.prices.table).max()) >> 62:
        raise NotCounted(main_settlement(offer.rules), "the sums are too large to count", "smaller odds")
    from_base, base, _ = values_of(game)
    sums, best = decided(game, from_base)
    ends, folded = count_deals(game, kernel.StreetAnswers(best, base, game.ways()))
    return SolvedBoards(outcomes_of(game, ends[:, 0]), best, sums, base, folded, game.ranking)


def values_of(game: BoardGame, grades: NDArray[np.int16] | None = None) -> tuple[Ints, NDArray[np.int8], Ints]:
    """The values of all answers, summed for the levels, and the best choices at the base: see the kernel."""
    boards, at_base = classes(game.base, game.deck), np.zeros((0, 1326), dtype=np.int16) if grades is None else grades
    how = game.cards, game.tree, game.steps(game.base, game.boards[: game.levels]), at_base
    parts = in_threads(lambda a, b: kernel.board_values(boards.cards, boards.times, a, b, *how), len(boards))
    sums, picks, graded = zip(*parts, strict=True)
    return sum(sums), np.concatenate(picks), sum(graded)


def decided(game: BoardGame, from_base: Ints) -> tuple[list[Ints], NDArray[np.int8]]:
    """What each answer is worth at the levels, and which is best: from the last level to the first."""
    most = max([len(each) for each in game.histories[: game.levels]], default=1)
    sums, picks, later = list[Ints](), [np.zeros((0, 1326, most), dtype=np.int8)], from_base[:, :0]
    starts = game.steps(game.base, game.boards[: game.levels]).starts
    for level in reversed(range(game.levels)):
        boards, known = classes(game.boards[level], game.deck).cards, game.from_base(level)
        here = slice(*starts[level : level + 2])
        values = np.zeros((len(boards), len(known), 1326), dtype=np.int64)
        values[:, known >= 0] = from_base[here, : (known >= 0).sum()] * game.repeats(level)
        values[:, known < 0] = later[here]
        histories = ranges(game.histories[level], game.answers(level))
        columns, steps = len(known) + np.arange(len(histories)), game.steps(game.boards[level], game.boards[: game.levels])
        best, later = kernel.decide_level(values, boards, np.array(game.deck), histories, level, columns, steps, CHOOSE)
        sums.insert(0, values)
        picks.insert(0, np.pad(best, ((0, 0), (0, 0), (0, most - len(histories)))))
    return sums, np.concatenate(picks)


def count_deals(
    game: BoardGame, played: kernel.StreetAnswers, *, graded: bool = False, by_beaten: bool = False
) -> tuple[Ints, Ints]:
    """How many deals have each outcome with these answers, and which hands were folded: see the kernel."""
    boards, flop_codes = classes(game.base, game.deck), np.zeros((0, 1326), dtype=np.int16)
    if game.base >= FLOP and game.ranking.size == FLOP + 2 and not graded:
        fives = rank_table(game.ranking, FLOP + 2, by_strength=True)
        flop_codes = kernel.codes_beside(classes(FLOP, game.deck).cards, *fives.arrays, CHOOSE)
    tables = np.zeros(0, dtype=np.int16), np.zeros((4, 0), dtype=np.int16)
    if by_beaten:
        tables = rank_table(game.ranking, game.whole + 1, by_strength=True).arrays[:2]
    how = game.cards, game.tree, game.steps(game.base, game.with_flop), played, flop_codes, graded, *tables
    parts = in_threads(lambda a, b: kernel.count_deals(boards.cards, boards.times, a, b, *how), len(boards))
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


def outcomes_of(game: BoardGame, ends: Ints) -> Outcomes:
    outcomes = Outcomes()
    for ending, listed, counts in zip(game.endings, game.prices.prices, ends, strict=True):
        words = ", ".join(choice.in_full for choice in ending if choice.makes and not ending[-1].folds)
        for row in range(ends.shape[1]):
            for at in reversed(range(6 * row, 6 * row + 6)):  # for each row, wins first
                label = ": ".join(filter(None, [words, listed[at].label]))
                outcomes.add(listed[at], int(counts.reshape(-1)[at]), label)
    return outcomes


def at_the_end(game: BoardGame) -> tuple[NDArray[np.uint8], int]:
    """The best answers with the whole board, packed: [board up to suit symmetry, decision, hole], and the bits of each."""
    most = max(len(game.streets[-1].decision.choices), 2)
    bits = 1 << ((most - 1).bit_length() - 1).bit_length()
    boards, cards, tree = classes(game.whole, game.deck), game.cards, game.tree
    return np.concatenate(in_threads(lambda a, b: kernel.last_picks(boards.cards, a, b, cards, tree, bits), len(boards))), bits


# advice


def advise(offer: Offer, held: Cards, _: Cards, board: Cards) -> list[Advice]:
    before = _path(offer, held, board)
    return [Advice(choice.word, value) for choice, value in _values(offer, len(before), before, (held, (), board)).items()]


def before(offer: Offer, held: Cards, _: Cards, board: Cards) -> tuple[Choice, ...]:
    """The best answers that lead to these cards, if there are several."""
    found = _path(offer, held, board)
    return found if any(choice.makes for choice in found) else ()


def _path(offer: Offer, held: Cards, board: Cards) -> tuple[Choice, ...]:
    return enumerator.path(offer, held, (), board, _values)[1]


def _values(offer: Offer, at: int, before: tuple[Choice, ...], cards: tuple[Cards, Cards, Cards]) -> dict[Choice, Fraction]:
    """What each choice is worth: with two cards alone from the solution, with some of the board by dealing the rest."""
    held, _, board = cards
    if board:
        return enumerator.values(offer, at, before, cards)
    solved, game = cached_solution(offer, SolvedBoards, solve), BoardGame(offer)
    kind = np.flatnonzero(classes(2).class_of == classes(2).class_of[index_of(np.array(numbers(held)), CHOOSE)])
    unit = len(kind) * game.deals // comb(52, 2) * game.repeats(0) * game.prices.scale
    sums = solved.sums[0][0][:, kind].sum(axis=1)
    return {choice: Fraction(int(total), unit) for choice, total in zip(game.streets[0].decision.choices, sums, strict=True)}


# the simulation


def answers(offer: Offer, solved: SolvedBoards, _: Layout) -> SimulatedAnswers:
    game = BoardGame(offer)
    tree, kinds = game.tree, [classes(size) for size in game.boards]
    last, bits = at_the_end(game) if game.early < len(game.boards) else (np.zeros((0, 0, 0), dtype=np.uint8), 1)
    most = max(solved.best.shape[2], solved.base.shape[2])
    picks = [np.pad(each, ((0, 0), (0, 0), (0, most - each.shape[2]))) for each in (solved.best, solved.base)]
    tables = OnBoard(
        np.array(game.boards, dtype=np.int64),
        _starts(len(each.class_of) for each in kinds),
        _starts(len(each) for each in kinds),
        np.concatenate([each.class_of for each in kinds]),
        np.concatenate(picks), last, bits, tree.then, tree.paths, tree.last,
    )  # fmt: skip
    return SimulatedAnswers(answer_boards, (tables, CHOOSE), [(ending, {}) for ending in game.endings])
