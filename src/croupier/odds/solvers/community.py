"""Own cards and community cards, with a decision before each step of the board, and no dealer's hand.

Only the row of all cards is paid, so a player's state at a decision is the set of cards seen, up to suit symmetry. The answers so
far form a tree: each node holds what every choice is worth in every such state, computed from the last street back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import Cards
from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, PLAYER, Folded, Holds
from croupier.law.ranking import Ranking
from croupier.law.wager import Choice, Decision
from croupier.odds.kernels import hand_counts
from croupier.odds.kernels.card_sets import CHOOSE, FULL, Deck, Ints, classes, index_of, numbers, with_each_card
from croupier.odds.kernels.random_rounds import Layout, answer_community
from croupier.odds.kernels.rank_tables import RankTable, rank_table
from croupier.odds.solvers.against_dealer import sets_below
from croupier.odds.solvers.shapes import GameShape, endings, game_shape
from croupier.odds.solvers.solution import Advice, Outcomes, SimulatedAnswers, Solved, Worth, cached_solution, main_worth, scaled

MOST_CARDS = 6  # the states before the last card are sets of up to five
MOST_ENDINGS = 1000  # ways to answer

SERVES = f"own cards and community cards, up to {MOST_CARDS}, with decisions between them, and a row of all of these cards"


def serves(shape: GameShape) -> bool:
    holds, decisions = shape.only(Holds), shape.only(Decision)
    choices = [choice for street in shape.streets for choice in street.decision.choices]
    early = [choice for street in shape.streets[:-1] for choice in street.decision.choices if not choice.goes_on]
    return (
        shape.asks_only(Folded, Decision, Holds)
        and len(holds) == 1
        and holds[0] == Holds(holds[0].ranking, (PLAYER, COMMUNITY))
        and shape.cards.keys() == {PLAYER, COMMUNITY}
        and shape.face_up.keys() <= {COMMUNITY}
        and not (shape.sets or shape.jokers or shape.shown)
        and bool(shape.streets)
        and all(street.seen[PLAYER] == shape.cards[PLAYER] for street in shape.streets)
        and not (early and decisions)
        and not any(choice.holding for choice in choices)
        and holds[0].ranking.size <= sum(shape.cards.values()) <= MOST_CARDS
        and not rank_table(holds[0].ranking, sum(shape.cards.values())).asks_for_suit
        and sum(1 for _ in endings(shape)) <= MOST_ENDINGS
    )


@dataclass(frozen=True, eq=False)
class Ending:
    """A sequence of answers after which nothing more is asked, and what each row is worth then."""

    choices: tuple[Choice, ...]
    prices: list[Worth]
    table: Ints  # the same, scaled to integers

    @property
    def folds(self) -> bool:
        return self.choices[-1].folds


@dataclass(frozen=True, eq=False)
class Node:
    """A decision after some answers: what each choice is worth in each state, and what it leads to."""

    decision: Decision
    size: int  # cards seen
    values: Ints  # [choice, state], summed over the cards to come, in order
    then: tuple[Node | Ending, ...]  # by choice

    @cached_property
    def best(self) -> Ints:
        return np.asarray(self.values.argmax(axis=0))


Policy = Callable[[Node], NDArray[Any]]  # the choice in each state of a node


@dataclass(frozen=True)
class Board:
    """The sets of cards in a game, and the rows that they make."""

    ranking: Ranking
    own: int
    cards: int  # of the whole hand
    deck: Deck

    @property
    def table(self) -> RankTable:
        return rank_table(self.ranking, self.cards)

    def ways(self, size: int) -> Ints:
        """For each set of `size` cards up to suit symmetry, how many orders of the remaining cards make each row."""
        return _ways(self, size)

    def back(self, values: NDArray[Any], size: int, to: int) -> NDArray[Any]:
        """Sum values of larger sets over the cards that lead to them from sets of one size."""
        while size > to:
            size -= 1
            nothing = np.zeros((1, *values.shape[1:]), dtype=values.dtype)  # for cards that cannot come
            values = np.concatenate([values, nothing])[with_each_card(size, self.deck)].sum(axis=1)
        return values

    def forward(self, weights: Ints, size: int, to: int) -> Ints:
        """How often sets of a larger size are reached."""
        while size < to:
            step = with_each_card(size, self.deck)
            size += 1
            found = np.zeros(len(classes(size, self.deck)) + 1, dtype=np.int64)
            np.add.at(found, step, weights[:, None])
            weights = found[:-1]
        return weights


@cache
def _ways(board: Board, size: int) -> Ints:
    if size == board.cards:
        codes = hand_counts.codes_of_rows(classes(size, board.deck).cards, *board.table.arrays)
        return np.asarray(codes[:, None] == np.arange(board.table.levels), dtype=np.int64)
    if size == board.cards - 1:
        return np.diff(sets_below(classes(size, board.deck).cards, 1, board.ranking, board.deck), axis=1).astype(np.int64)
    return np.asarray(board.back(_ways(board, size + 1), size + 1, size))


@dataclass(frozen=True)
class SolvedCommunity(Solved):
    """A solved game of own and community cards."""

    board: Board
    first: Node
    scale: int  # units of the nodes' values in one unit of the stake

    def edge_of(self, policy: Policy) -> Fraction:
        """The exact edge of a policy."""
        return -_outcomes(self.board, self.first, policy).mean()


def solve(offer: Offer, deck: Deck = FULL) -> SolvedCommunity:
    """Solve by backward induction, from the last street to the first."""
    shape = game_shape(offer.rules)
    fact = shape.only(Holds)[0]
    board = Board(fact.ranking, shape.cards[PLAYER], sum(shape.cards.values()), deck)
    prices = {ending: [main_worth(offer, ending, {fact: row}) for row in board.table.row_of_code] for ending in endings(shape)}
    listed, scale = scaled(each.net for found in prices.values() for each in found)
    tables = np.array(listed, dtype=np.int64).reshape(len(prices), -1)
    ended = {ending: Ending(ending, found, table) for (ending, found), table in zip(prices.items(), tables, strict=True)}
    first = _node(shape, board, ended, ())
    return SolvedCommunity(_outcomes(board, first, lambda node: node.best), first.best, board, first, scale)


def _node(shape: GameShape, board: Board, ended: dict[tuple[Choice, ...], Ending], before: tuple[Choice, ...]) -> Node:
    street = shape.streets[len(before)]
    size = board.own + street.seen[COMMUNITY]
    values, then = list[Ints](), list[Node | Ending]()
    for choice in street.decision.choices:
        answers = (*before, choice)
        then.append(ended[answers] if answers in ended else _node(shape, board, ended, answers))
        match then[-1]:
            case Ending(table=table):
                values.append(board.ways(size) @ table)
            case Node() as later:
                values.append(board.back(later.values.max(axis=0), later.size, size))
    return Node(street.decision, size, np.stack(values), tuple(then))


def _outcomes(board: Board, first: Node, policy: Policy) -> Outcomes:
    outcomes, rows = Outcomes(), board.table.row_of_code

    def play(node: Node, weights: Ints) -> None:
        chosen = policy(node)
        for number, then in enumerate(node.then):
            reached = np.where(chosen == number, weights, 0)
            if isinstance(then, Node):
                play(then, board.forward(reached, node.size, then.size))
                continue
            words = ", ".join(choice.word for choice in then.choices)
            counts = reached @ board.ways(node.size)
            for row, price, count in reversed(list(zip(rows, then.prices, counts, strict=True))):  # the highest first
                outcomes.add(price, int(count), words if then.folds else f"{words}: {row}")

    times = classes(board.own, board.deck).times
    play(first, board.forward(times, board.own, first.size))
    return outcomes


def advise(offer: Offer, held: Cards, _: Cards, board: Cards) -> list[Advice]:
    """The value of each choice; with community cards, after the best choices before."""
    *_before, node = path(offer, held, board)
    solved, name = cached_solution(offer, SolvedCommunity, solve), node.decision.name
    orders = perm(len(solved.board.deck) - node.size, solved.board.cards - node.size)
    values = node.values[:, state_of((*held, *board))]
    return [
        Advice(f"{name}: {choice.word}", Fraction(int(value), orders * solved.scale))
        for choice, value in zip(node.decision.choices, values, strict=True)
    ]


def path(offer: Offer, held: Cards, board: Cards) -> list[Node]:
    """The decisions up to this board, each answered with the best choice that leads to the next."""
    solved = cached_solution(offer, SolvedCommunity, solve)
    found = [solved.first]
    while (node := found[-1]).size < len(held) + len(board):
        at = state_of((*held, *board)[: node.size])
        on = {n: then for n, then in enumerate(node.then) if isinstance(then, Node)}
        found.append(on[max(on, key=lambda n: int(node.values[n, at]))])
    return found


def before(offer: Offer, held: Cards, _: Cards, board: Cards) -> tuple[Choice, ...]:
    """The best answers before this board that lead to it."""
    return tuple(node.decision.choices[node.then.index(then)] for node, then in pairwise(path(offer, held, board)))


def state_of(seen: Cards) -> int:
    return int(classes(len(seen)).class_of[index_of(np.array(numbers(seen)), CHOOSE)])


def answers(_: Offer, solved: SolvedCommunity, __: Layout) -> SimulatedAnswers:
    """The tree of answers as rows: nodes from 0 up, endings from -1 down."""
    nodes, ends = list[Node](), list[Ending]()

    def listed(node: Node) -> None:
        nodes.append(node)
        for then in node.then:
            listed(then) if isinstance(then, Node) else ends.append(then)

    listed(solved.first)
    number_of: dict[Node | Ending, int] = {each: n for n, each in enumerate(nodes)}
    number_of |= {each: -1 - n for n, each in enumerate(ends)}
    then = np.zeros((len(nodes), max(len(node.then) for node in nodes)), dtype=np.int64)
    for row, node in zip(then, nodes, strict=True):
        row[: len(node.then)] = [number_of[each] for each in node.then]
    sizes = sorted({node.size for node in nodes})
    starts = dict(zip(sizes, np.cumsum([0, *(len(classes(size).class_of) for size in sizes)]), strict=False))
    tables = (
        solved.board.own,
        np.array([node.size for node in nodes]),
        np.array([starts[node.size] for node in nodes]),
        np.concatenate([classes(size).class_of for size in sizes]),
        np.cumsum([0, *(len(node.best) for node in nodes)]),
        np.concatenate([node.best for node in nodes]),
        then,
        CHOOSE,
    )
    return SimulatedAnswers(answer_community, tables, [(each.choices, {}) for each in ends])
