"""Two cards and a board that is turned in any streets, against a dealer's two: the relatives of 653a (`streets`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations
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
from croupier.odds.kernels.card_sets import CHOOSE, FULL, Deck, Ints, all_sets, classes, in_parts, index_of, numbers
from croupier.odds.kernels.random_rounds import Layout, OnBoard, answer_boards
from croupier.odds.kernels.rank_tables import RankTable, rank_table, rows_by_code
from croupier.odds.solvers import enumerator
from croupier.odds.solvers.against_dealer import COMPARED
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.not_counted import NotCounted
from croupier.odds.solvers.shapes import Shape, endings, shape_of
from croupier.odds.solvers.solution import (
    Advice,
    Folds,
    Outcomes,
    SimulatedAnswers,
    Solved,
    Worth,
    holds_asked,
    kept,
    priced,
    scaled,
    versus,
)

SERVES = "two cards against two with three to five of the community, and decisions between them"
SUIT_ORDERS = np.array(list(permutations(range(4))), dtype=np.int64)
FLOP = 3  # cards that a wager beside the game may look at alone


def serves(shape: Shape) -> bool:
    reaches, compared, holds = shape.only(DealerHas), shape.only(Compared), shape.only(Holds)
    boards = [street.seen[COMMUNITY] for street in shape.streets]
    choices = [choice for street in shape.streets for choice in street.decision.choices]
    whole = shape.cards.get(COMMUNITY, 0)
    return (
        bool(boards)
        and shape.asks_only(Folded, Decision, DealerHas, Compared, Holds)
        and (len(compared), len(reaches) < 2) == (1, True)
        and compared[0].shared == (COMMUNITY,)
        and all((each.ranking, each.shared) == (compared[0].ranking, (COMMUNITY,)) for each in reaches)
        and all(each == Holds(each.ranking, (PLAYER, COMMUNITY)) for each in holds)
        and shape.dealt(PLAYER=2, DEALER=2, COMMUNITY=whole)
        and compared[0].ranking.size - 2 <= whole <= 5
        and all(low < high for low, high in pairwise(boards))
        and all((street.seen[PLAYER], street.seen[DEALER]) == (2, 0) for street in shape.streets)
        and not any(choice.holding for choice in choices)
        and not (
            shape.only(Decision) and not all(choice.goes_on for street in shape.streets[:-1] for choice in street.decision.choices)
        )
        and not (shape.jokers or shape.sets or any(shape.face_up.get(place) for place in (PLAYER, DEALER)))
        and all(rows_by_code(compared[0].ranking, each.ranking) is not None for each in holds)
    )


# boards and suits


@dataclass(frozen=True)
class Boards:
    """Boards of one size up to the suits."""

    of: NDArray[np.int32]  # the class of each set
    cards: Ints  # the board that stands for each class


def boards_of(size: int, deck: Deck = FULL) -> Boards:
    if not size:
        return Boards(np.zeros(1, dtype=np.int32), np.zeros((1, 0), dtype=np.int64))
    return Boards(classes(size, deck).of, classes(size, deck).cards)


@cache
def orders_of(size: int, deck: Deck = FULL) -> Ints:
    """For each set the order of the suits that moves it to the one that stands for it."""
    boards, order = boards_of(size, deck), np.zeros(int(CHOOSE[52, size]), dtype=np.int64)
    if size:
        target, sets = index_in_row(boards.cards)[boards.of], all_sets(size)
        for number, suits in reversed([*enumerate(SUIT_ORDERS)]):
            order[index_in_row(_moved(sets, suits)) == target] = number
    return order


def _moved(sets: Ints, suits: Ints) -> Ints:
    return np.sort((sets & ~3) | suits[sets & 3], axis=1)


def index_in_row(sets: Ints) -> Ints:
    found: Ints = sum(CHOOSE[sets[:, place], place + 1] for place in range(sets.shape[1]))
    return found


@cache
def moved_holes() -> Ints:
    """Where each order of the suits moves each two cards."""
    return np.array([index_in_row(_moved(all_sets(2), suits)) for suits in SUIT_ORDERS])


# the answers


Answers = tuple[Choice, ...]


class Plan:
    """The answers of a game as the kernels need them.

    A base board is the whole board, or lacks its last card where a decision is asked then. Levels are the streets with fewer cards.
    """

    def __init__(self, shape: Shape, deck: Deck = FULL) -> None:
        self.deck, self.streets, self.whole = deck, shape.streets, shape.cards[COMMUNITY]
        self.said: list[Answers] = list(endings(shape))
        self.boards = [street.seen[COMMUNITY] for street in shape.streets]
        self.early = len([size for size in self.boards if size < self.whole])  # decisions before the end
        self.base = self.whole - 1 if self.whole - 1 in self.boards else self.whole
        self.levels = len([size for size in self.boards if size < self.base])
        self.groups = [list(dict.fromkeys(each[:n] for each in self.said if len(each) > n)) for n in range(len(self.boards))]
        self.items = list(dict.fromkeys(each[: self.early] for each in self.said))

    def rows(self, street: int) -> list[Answers]:
        """What may be answered at a street, after each answers."""
        return [(*before, choice) for before in self.groups[street] for choice in self.streets[street].decision.choices]

    def ranges(self, street: int, among: list[Answers]) -> NDArray[np.int64]:
        """Of each decision at a street the first of some answers that begin with it, and one more than the last."""
        found = [[n for n, each in enumerate(among) if each[:street] == group] for group in self.groups[street]]
        return np.array([(min(each), max(each) + 1) for each in found], dtype=np.int64).reshape(-1, 2)

    def from_base(self, street: int) -> list[int]:
        """What of the answers of a level the base knows: the number of the item, or after them of the decision; -1 for others."""
        at_base = self.groups[self.levels] if self.levels < self.early else []
        known = [*self.items, *at_base] if street + 1 == self.levels else self.items
        return [known.index(each) if each in known else -1 for each in self.rows(street)]

    def tree(self, worth: NDArray[np.int64]) -> kernel.Tree:
        after = {each: -1 - n for n, each in enumerate(self.items)}
        widest = max([len(street.decision.choices) for street in self.streets])
        then = np.zeros((self.early, max(map(len, self.groups)), widest), dtype=np.int64)
        for street in range(self.early):
            for group, before in enumerate(self.groups[street]):
                for n, choice in enumerate(self.streets[street].decision.choices):
                    said = (*before, choice)
                    then[street, group, n] = after[said] if said in after else self.groups[street + 1].index(said)
        at_end = self.groups[self.early] if self.early < len(self.groups) else []
        known = [[each for each in self.from_base(level) if each >= 0] for level in range(self.levels)]
        columns = np.full((self.levels, max(map(len, known), default=0)), -1, dtype=np.int64)
        for row, each in zip(columns, known, strict=True):
            row[: len(each)] = each
        ends = [[n for n, said in enumerate(self.said) if said[: self.early] == each] for each in self.items]
        return kernel.Tree(
            worth,
            np.array([(min(each), max(each) + 1) for each in ends], dtype=np.int64),
            self.ranges(self.levels, self.items) if self.levels < self.early else np.zeros((0, 2), dtype=np.int64),
            columns,
            then,
            np.array([at_end.index(each) if each in at_end else -1 for each in self.items], dtype=np.int64),
            np.array([said[-1].folds for said in self.said], dtype=np.bool_),
        )

    def steps(self, within: int = 0) -> kernel.Steps:
        """The boards of the levels as parts of a base board, or of a board of so many cards."""
        sizes = self.boards[: self.levels]
        found = [boards_of(size, self.deck) for size in sizes]
        subsets = [[*combinations(range(within or self.base), size)] for size in sizes]
        listed = np.zeros((sum(map(len, subsets)), max(sizes, default=0)), dtype=np.int64)
        for row, places in zip(listed, [places for each in subsets for places in each], strict=True):
            row[: len(places)] = places
        return kernel.Steps(
            np.array(sizes, dtype=np.int64),
            _starts(len(each.of) for each in found),
            _starts(len(each.cards) for each in found),
            np.concatenate([np.zeros(0, dtype=np.int32), *(each.of for each in found)]),
            np.concatenate([np.zeros(0, dtype=np.int64), *(orders_of(size, self.deck) for size in sizes)]),
            listed,
            _starts(map(len, subsets)),
            moved_holes(),
            SUIT_ORDERS,
        )

    @property
    def ways(self) -> int:
        """In how many ways the cards of a base board may come, street by street."""
        return len(self.chains()[0])

    def chains(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The ways in which the cards of a base board may come: the number of the subset at each level, and the Flop."""
        sizes = self.boards[: self.levels]
        numbered = list(enumerate(places for size in sizes for places in combinations(range(self.base), size)))
        number_of = {(len(places), places): n for n, places in numbered}
        chains = [*_nested(tuple(range(self.base)), sorted({*sizes, *({FLOP} if self.base >= FLOP else ())}, reverse=True))]
        found = np.array([[number_of[size, chain[size]] for size in sizes] for chain in chains], dtype=np.int64)
        flops = np.array([chain.get(FLOP, (0, 0, 0)) for chain in chains], dtype=np.int64)
        return found.reshape(len(chains), len(sizes)), flops

    def repeats(self, level: int) -> int:
        """How often what the base adds to a level at once would come by the streets between."""
        sizes = [*self.boards[level : self.levels], self.base]
        return prod(comb(high, low) for low, high in pairwise(sizes)) // comb(self.base, self.boards[level])


def _starts(counts: Any) -> NDArray[np.int64]:
    return np.cumsum([0, *counts], dtype=np.int64)


def _nested(places: tuple[int, ...], sizes: list[int]) -> Iterator[dict[int, tuple[int, ...]]]:
    """Sets of these sizes, each within the one before."""
    if not sizes:
        yield {}
        return
    for within in combinations(places, sizes[0]):
        for more in _nested(within, sizes[1:]):
            yield {sizes[0]: within, **more}


# prices


@dataclass(frozen=True)
class Priced:
    """What each way to answer is worth with each row and dealer's hand."""

    prices: list[list[Worth]]  # [ending][row, reaches, compared]
    table: NDArray[np.int64]
    scale: int
    row_of_code: NDArray[np.int64]
    ranking: RankTable
    threshold: int  # the least code with which the dealer qualifies


def prices(offer: Offer) -> Priced:
    main, shape = main_settlement(offer.rules), shape_of(offer.rules)
    compared, facts = shape.only(Compared)[0], holds_asked(main)
    ranking = rank_table(compared.ranking, 2 + shape.cards[COMMUNITY], by_strength=True)
    found = [rows_by_code(compared.ranking, fact.ranking) for fact in facts]
    listed = np.array([each for each in found if each is not None]).reshape(len(facts), ranking.levels)
    kinds, row_of_code = np.unique(listed, axis=1, return_inverse=True)
    rows: list[dict[Fact, Any]] = [
        {fact: fact.ranking.rows[n] for fact, n in zip(facts, kind, strict=True)} for kind in kinds.T.tolist()
    ]
    worths = [
        [priced(offer, said, {**row, **versus(main, bool(r), x)}) for row in rows for r in (0, 1) for x in COMPARED]
        for said in endings(shape)
    ]
    numbers, scale = scaled(each.net for part in worths for each in part)
    table = np.array(numbers, dtype=np.int64).reshape(len(worths), len(rows), 2, 3)
    least = [ranking.least_code(fact.least) for fact in shape.only(DealerHas)]
    return Priced(worths, table, scale, row_of_code.reshape(-1).astype(np.int64), ranking, least[0] if least else 0)


# solutions


@dataclass(frozen=True)
class SolvedBoards(Solved):
    """A solved game: what is worth what and what is best at the streets before the base board, and what is best at the base."""

    sums: list[NDArray[np.int64]]  # [street][board up to the suits, two cards, answer]
    picks: NDArray[np.int8]  # [board of a street up to the suits, two cards, decision], street after street
    base: NDArray[np.int8]  # [base board up to the suits, two cards, decision]
    folded: NDArray[np.int64]  # how many folded ends held each code, of all cards and of the two with the Flop
    ranking: Ranking

    def folds(self, way: Holds, at: Mapping[Place, int], rows: Callable[[], dict[str, int]], deck: Deck) -> Folds | None:
        """Rows of all cards, or of the two and the Flop, of hands that may be folded."""
        codes = rows_by_code(self.ranking, way.ranking)
        if way.places != (PLAYER, COMMUNITY) or way.first not in (0, FLOP) or codes is None:
            return None
        return self._folds(way, rows(), codes)

    def _folds(self, way: Holds, counted: dict[str, int], codes: NDArray[np.int64]) -> Folds:
        folded = self.folded[1 if way.first else 0]
        each = self.outcomes.deals // sum(counted.values())
        for at, (row, ways) in enumerate(counted.items()):
            gone = int(folded[codes == at].sum())
            yield row, False, ways * each - gone
            yield row, True, gone


def solve(offer: Offer, deck: Deck = FULL) -> SolvedBoards:
    """By backward induction from the base boards, then once more to see what comes of it."""
    plan, found = Plan(shape_of(offer.rules), deck), prices(offer)
    deals = comb(len(deck), 2) * comb(len(deck) - 2, plan.whole) * comb(len(deck) - 2 - plan.whole, 2)
    if deals * plan.ways * plan.whole * int(abs(found.table).max()) >> 62:
        raise NotCounted(main_settlement(offer.rules), "no counter knows sums so great", "smaller odds")
    steps, (from_base, base, *_) = plan.steps(), values_of(plan, found)
    sums, picks = decided(plan, steps, from_base)
    ends, folded = outcomes_of(plan, found, picks, base)
    first = picks[: steps.starts[1], :, 0] if plan.levels else base[:, :, 0] if plan.early else np.zeros(0, dtype=np.int8)
    return SolvedBoards(counted(plan, found, ends), first, sums, picks, base, folded, found.ranking.ranking)


def values_of(plan: Plan, found: Priced, grades: NDArray[np.int16] | None = None, *, graded: bool = False) -> tuple[Any, ...]:
    """What all answers come to, added up for the streets before the base, and what is best there: see the kernel."""
    boards, ungraded = classes(plan.base, plan.deck), np.zeros((0, 1326), dtype=np.int16)
    how = np.array(plan.deck), plan.whole, found.threshold, found.row_of_code, plan.tree(found.table), plan.steps()
    at_base = ungraded if grades is None else grades
    parts = in_parts(
        lambda a, b: kernel.board_values(boards.cards, boards.times, a, b, *how, at_base, graded, *found.ranking.arrays, CHOOSE),
        len(boards),
    )
    sums, picks, *told = zip(*parts, strict=True)
    return sum(sums), np.concatenate(picks), *(sum(each) for each in told)


def decided(plan: Plan, steps: kernel.Steps, from_base: NDArray[np.int64]) -> tuple[list[NDArray[np.int64]], NDArray[np.int8]]:
    """What each answer is worth at the streets before the base, and which is best: from the last of them to the first."""
    sums, picks, later = list[NDArray[np.int64]](), [np.zeros((0, 1326, 1), dtype=np.int8)], from_base[:, :, :0]
    most = max([len(groups) for groups in plan.groups[: plan.levels]], default=1)
    for level in reversed(range(plan.levels)):
        known, here = np.array(plan.from_base(level)), slice(steps.starts[level], steps.starts[level + 1])
        values = np.zeros((steps.starts[level + 1] - steps.starts[level], 1326, len(known)), dtype=np.int64)
        values[:, :, known >= 0] = from_base[here, :, : (known >= 0).sum()] * plan.repeats(level)
        values[:, :, known < 0] = later[here]
        groups = plan.ranges(level, plan.rows(level))
        columns = len(known) + np.arange(len(groups))
        boards, parts = boards_of(plan.boards[level], plan.deck).cards, plan.steps(plan.boards[level])
        best, later = kernel.decide(values, boards, np.array(plan.deck), groups, level, columns, parts, CHOOSE)
        sums.insert(0, values)
        picks.insert(0, np.pad(best, ((0, 0), (0, 0), (0, most - len(groups)))))
    return sums, np.ascontiguousarray(np.concatenate([each[:, :, :most] for each in picks[:-1]] or picks))


def outcomes_of(
    plan: Plan, found: Priced, picks: NDArray[np.int8], base: NDArray[np.int8], river: NDArray[np.int8] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many deals end how when this is answered; at the end what is best, or what a rule in words says of each code."""
    boards, by_words = classes(plan.base, plan.deck), np.zeros((0, 1), dtype=np.int8) if river is None else river
    played = kernel.Played(picks, base, by_words, *plan.chains())
    how = np.array(plan.deck), plan.whole, found.threshold, found.row_of_code, plan.tree(found.table), plan.steps(), played
    flop = plan.base >= FLOP and found.ranking.ranking.size == FLOP + 2
    fives = rank_table(found.ranking.ranking, FLOP + 2, by_strength=True) if flop else None
    tables = (fives.plain, fives.suited) if fives else (np.zeros(0, dtype=np.int16), np.zeros((4, 0), dtype=np.int16))
    parts = in_parts(
        lambda a, b: kernel.board_outcomes(boards.cards, boards.times, a, b, *how, *found.ranking.arrays, *tables, CHOOSE),
        len(boards),
    )
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


def counted(plan: Plan, found: Priced, ends: NDArray[np.int64]) -> Outcomes:
    outcomes = Outcomes()
    for said, listed, counts in zip(plan.said, found.prices, ends, strict=True):
        words = ", ".join(choice.in_full for choice in said if choice.makes and not said[-1].folds)
        for row in range(ends.shape[1]):
            for at in reversed(range(6 * row, 6 * row + 6)):  # of each row what wins first
                label = ": ".join(filter(None, [words, listed[at].label]))
                outcomes.add(listed[at], int(counts.reshape(-1)[at]), label)
    return outcomes


def river_of(plan: Plan, found: Priced) -> tuple[NDArray[np.uint8], int]:
    """What is best with the whole board: [board up to the suits, decision, two cards] in so many bits each."""
    most = max(len(plan.streets[-1].decision.choices), 2)
    bits = 1 << ((most - 1).bit_length() - 1).bit_length()
    boards, tree = classes(plan.whole, plan.deck), plan.tree(found.table)
    how = np.array(plan.deck), found.threshold, found.row_of_code, tree, bits, *found.ranking.arrays, CHOOSE
    return np.concatenate(in_parts(lambda a, b: kernel.river_picks(boards.cards, a, b, *how), len(boards))), bits


# advice


def advise(offer: Offer, held: Cards, _: Cards, board: Cards) -> list[Advice]:
    return [Advice(choice.word, value) for choice, value in _values(offer, held, board, _path(offer, held, board)).items()]


def before(offer: Offer, held: Cards, _: Cards, board: Cards) -> tuple[Choice, ...]:
    """The best answers that lead to these cards, if there are several."""
    found = _path(offer, held, board)
    return found if any(choice.makes for choice in found) else ()


def _path(offer: Offer, held: Cards, board: Cards) -> tuple[Choice, ...]:
    found = tuple[Choice, ...]()
    for street in shape_of(offer.rules).streets:
        if (seen := street.seen[COMMUNITY]) == len(board):
            break
        on = [choice for choice in street.decision.choices if choice.goes_on]
        values = _values(offer, held, board[:seen], found) if len(on) > 1 else {}
        found += (max(on, key=values.__getitem__) if values else on[0],)
    return found


def _values(offer: Offer, held: Cards, board: Cards, said: tuple[Choice, ...]) -> dict[Choice, Fraction]:
    """What each choice is worth: with two cards alone from the solution, with some of the board by dealing the rest."""
    if board:
        return enumerator.values(offer, len(said), said, (held, (), board))
    solved, plan = kept(offer, solve), Plan(shape_of(offer.rules))
    kind = np.flatnonzero(classes(2).of == classes(2).of[index_of(np.array(numbers(held)), CHOOSE)])
    deals = len(kind) * comb(50, plan.base) * (50 - plan.base) ** (plan.whole - plan.base) * comb(50 - plan.whole, 2)
    sums, unit = solved.sums[0][0, kind].sum(axis=0), deals * plan.repeats(0) * prices(offer).scale
    return {choice: Fraction(int(total), unit) for choice, total in zip(plan.streets[0].decision.choices, sums, strict=True)}


def answers(offer: Offer, solved: SolvedBoards, _: Layout) -> SimulatedAnswers:
    plan, found = Plan(shape_of(offer.rules)), prices(offer)
    tree, kinds = plan.tree(found.table), [boards_of(size) for size in plan.boards]
    river, bits = river_of(plan, found) if plan.early < len(plan.boards) else (np.zeros((0, 0, 0), dtype=np.uint8), 1)
    most = max(solved.picks.shape[2], solved.base.shape[2])
    picks = [np.pad(each, ((0, 0), (0, 0), (0, most - each.shape[2]))) for each in (solved.picks, solved.base)]
    tables = OnBoard(
        np.array(plan.boards, dtype=np.int64),
        _starts(len(each.of) for each in kinds),
        _starts(len(each.cards) for each in kinds),
        np.concatenate([each.of for each in kinds]),
        np.concatenate(picks), river, bits, tree.then, tree.items, tree.rivers,
    )  # fmt: skip
    return SimulatedAnswers(answer_boards, (tables, CHOOSE), [(said, {}) for said in plan.said])
