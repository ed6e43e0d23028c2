"""Decisions between own and community cards, in words: by what is made already, by suit and straights, and by points.

A card counts as many points as there are rows that a pair of its rank outdoes. Of each kind of hand the points from which each
choice is made are those that pay the most.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANK_NAMES
from croupier.filing.offer import Offer
from croupier.law.ranking import NOTHING, Ranking
from croupier.odds.kernels.card_sets import classes
from croupier.odds.solvers.community import Node, SolvedCommunity
from croupier.odds.strategy import withdrawals_text
from croupier.odds.strategy.one_decision_text import cuts_of
from croupier.odds.strategy.vocabulary import NUMBERS, StrategyText, bold, rows_of_pairs, straights_with, times_of
from croupier.odds.words_edge import TO_THE_LETTER


class SeenKind(NamedTuple):
    """What a player sees of some cards beside their points; of a pair neither suits nor straights matter."""

    made: bool
    paired: bool = False
    suited: bool = False
    straights: int = 0


@dataclass(frozen=True)
class StreetRule:
    """One decision after some answers, and the rule in words that pays the most."""

    solved: SolvedCommunity
    node: Node

    @cached_property
    def order(self) -> list[int]:
        return bold(self.node.decision)

    @cached_property
    def seen(self) -> list[tuple[SeenKind, int]]:
        """The kind and the points of each state; of a hand that is made, the code of its row for points."""
        board, points = self.solved.board, points_of_ranks(self.solved.board.ranking)
        made = (board.ways(self.node.size) > 0).argmax(axis=1)  # the lowest row that may come
        nothing = board.table.row_of_code.index(NOTHING)

        def look(cards: list[int], row: int) -> tuple[SeenKind, int]:
            ranks = [card // 4 + 2 for card in cards]
            if row != nothing:
                return SeenKind(True), row
            if len({*ranks}) < len(ranks):
                return SeenKind(False, True), sum(points[rank] for rank in ranks)
            suited = len({card % 4 for card in cards}) == 1
            return SeenKind(False, False, suited, straights_with(frozenset(ranks), board.ranking.size)), sum(
                points[rank] for rank in ranks
            )

        return [look(held, int(row)) for held, row in zip(classes(self.node.size).cards.tolist(), made, strict=True)]

    @cached_property
    def rules(self) -> dict[SeenKind, dict[int, int]]:
        """For each kind the choice at each number of points."""
        gains: dict[SeenKind, dict[int, NDArray[np.int64]]] = {}
        values = (self.node.values * classes(self.node.size).times)[self.order].T
        for (kind, points), value in zip(self.seen, values, strict=True):
            of_kind = gains.setdefault(kind, {})
            of_kind[points] = of_kind[points] + value if points in of_kind else value
        found = {}
        for kind, by_points in sorted(gains.items(), reverse=True):
            levels = sorted(by_points)
            _, rungs = cuts_of(np.array([by_points[level] for level in levels]))
            found[kind] = {level: self.order[rung] for level, rung in zip(levels, rungs, strict=True)}
        return found

    @property
    def policy(self) -> NDArray[Any]:
        return np.array([self.rules[kind][points] for kind, points in self.seen])

    @property
    def words(self) -> list[str]:
        """A line for each kind; those that differ in straights alone share one where they have the same rule."""
        texts = {kind: self._rule(kind, rule) for kind, rule in self.rules.items()}
        lines = list[str]()
        for (_, rule), alike in groupby(texts, key=lambda kind: (kind._replace(straights=0), texts[kind])):
            kinds = list(alike)
            lines.append(f"  {self._named(kinds[0], kinds[-1])}: {rule}")
        return lines

    def _rule(self, kind: SeenKind, rule: dict[int, int]) -> str:
        words = self.node.decision.choices
        parts = list[str]()
        for choice in self.order:
            here = [level for level, each in rule.items() if each == choice]
            if here and min(here) > min(rule):
                parts.append(f"{words[choice].word} from {self._level(kind, min(here))}")
            elif here:
                parts.append(f"otherwise {words[choice].word}" if parts else words[choice].word)
        return ", ".join(parts)

    def _level(self, kind: SeenKind, level: int) -> str:
        if kind.made:
            return self.solved.board.table.row_of_code[level].lower()
        return f"{level} point{'' if level == 1 else 's'}"

    def _named(self, most: SeenKind, least: SeenKind) -> str:
        """Kinds from the most straights to the least."""
        cards = f"{NUMBERS[self.node.size]} suited" if most.suited else NUMBERS[self.node.size]
        if most.made:
            return "a hand that cannot lose any more"
        if most.paired:
            return "a pair that is not paid"
        others = [kind.straights for kind in self.rules if kind._replace(straights=0) == most._replace(straights=0)]
        if (most.straights, least.straights) == (max(others), min(others)):
            return f"any {cards}" if most.suited else f"any other {cards}"
        span = NUMBERS[most.straights]
        if least.straights < most.straights:
            span = f"{NUMBERS[least.straights]} to {span}" if least.straights else f"at most {span}"
        return f"{cards} that fit {span} straight{'' if most.straights == 1 else 's'}"


def points_of_ranks(ranking: Ranking) -> dict[int, int]:
    """How many of the rows that some pair fills a pair of each rank outdoes."""
    rows = rows_of_pairs(ranking)
    ladder = sorted({*rows.values(), len(ranking.hands)}, reverse=True)
    return {rank: ladder.index(row) for rank, row in rows.items()}


def strategy_text(offer: Offer, solved: SolvedCommunity) -> StrategyText:
    """Each street once, after the least that goes on was answered before: what is best hardly depends on the bets before."""
    if withdrawals_text.fits(solved):
        return withdrawals_text.strategy_text(offer, solved)
    nodes = [solved.first]
    while on := [n for n, then in enumerate(nodes[-1].then) if isinstance(then, Node)]:
        nodes.append(_then(nodes[-1], min(on, key=lambda n: times_of(nodes[-1].decision.choices[n]))))
    streets = {node.size: StreetRule(solved, node) for node in nodes}
    words = _points(solved.board.ranking)
    for street in streets.values():
        words += [f"{street.node.decision.name}:", *street.words]
    by_words = {size: street.policy for size, street in streets.items()}
    stays = {size: [n for n in street.order if not street.node.decision.choices[n].folds] for size, street in streets.items()}

    def always(bold: int) -> Fraction:
        return solved.edge_of(lambda node: np.full(len(node.best), stays[node.size][bold]))

    return words, [
        (TO_THE_LETTER, solved.edge_of(lambda node: by_words[node.size])),
        ("never fold, always bet the least", always(-1)),
        ("never fold, always bet the most", always(0)),
    ]


def _then(node: Node, choice: int) -> Node:
    then = node.then[choice]
    assert isinstance(then, Node)
    return then


def _points(ranking: Ranking) -> list[str]:
    points = points_of_ranks(ranking)
    parts = []
    for level in sorted({*points.values()} - {0}):
        ranks = [rank for rank, each in points.items() if each == level]
        span = RANK_NAMES[ranks[0]] + (f" to {RANK_NAMES[ranks[-1]]}" if len(ranks) > 1 else "")
        parts.append(f"{span} {level}")
    return [f"Points of a card: {', '.join(parts)}; others none."] if parts else []
