"""Decisions between own and community cards, in words: by what is made already, by suit and straights, and by points.

A card counts as many points as there are rows that a pair of its rank outdoes. Of each kind of hand the points from which each
choice is made are those that pay the most.

Two bets to withdraw (643a) have other words: a bet rides with what is paid already, and with other hands by suit, by how many
straights they fit and by how many high cards they have.
"""

from __future__ import annotations

from collections.abc import Mapping
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
from croupier.odds.solvers.community import Board, Node, SolvedCommunity
from croupier.odds.strategy.one_decision_text import best_rule
from croupier.odds.strategy.vocabulary import (
    NUMBERS,
    StrategyText,
    bold,
    lowest_paid_pair,
    ranks_in_words,
    rows_of_pairs,
    straights_with,
    times_of,
)
from croupier.odds.strategy_edge import TO_THE_LETTER

Ranks = tuple[int, ...]  # from high to low


class SeenKind(NamedTuple):
    """What a player sees of some cards besides their points; of a pair neither suits nor straights matter."""

    made: bool
    paired: bool = False
    suited: bool = False
    straights: int = 0


class Holding(NamedTuple):
    """What a player sees of some cards; of a hand that is made, the code of its row for points."""

    kind: SeenKind
    points: int


def seen_of(board: Board, size: int, points: Mapping[int, int]) -> list[tuple[Holding, Ranks]]:
    """What a player sees of each set of `size` cards up to suit symmetry, with these points for a card of each rank."""
    made = (board.ways(size) > 0).argmax(axis=1)  # the lowest row that may come
    nothing = board.table.row_of_code.index(NOTHING)

    def look(cards: list[int], row: int) -> tuple[Holding, Ranks]:
        ranks = tuple(sorted((card // 4 + 2 for card in cards), reverse=True))
        if row != nothing:
            return Holding(SeenKind(True), row), ranks
        total = sum(points[rank] for rank in ranks)
        if len({*ranks}) < len(ranks):
            return Holding(SeenKind(False, True), total), ranks
        suited = len({card % 4 for card in cards}) == 1
        return Holding(SeenKind(False, False, suited, straights_with(frozenset(ranks), board.ranking.size)), total), ranks

    return [look(held, row) for held, row in zip(classes(size).cards.tolist(), made.tolist(), strict=True)]


@dataclass(frozen=True)
class StreetRule:
    """One decision after some answers, and the rule in words that pays the most."""

    solved: SolvedCommunity
    node: Node

    @cached_property
    def order(self) -> list[int]:
        return bold(self.node.decision)

    @cached_property
    def seen(self) -> list[Holding]:
        ranking = self.solved.board.ranking
        return [held for held, _ in seen_of(self.solved.board, self.node.size, points_of_ranks(ranking))]

    @cached_property
    def rules(self) -> dict[SeenKind, dict[int, int]]:
        """For each kind the choice at each number of points."""
        gains: dict[SeenKind, dict[int, NDArray[np.int64]]] = {}
        values = (self.node.values * classes(self.node.size).times).T
        for (kind, points), value in zip(self.seen, values, strict=True):
            of_kind = gains.setdefault(kind, {})
            of_kind[points] = of_kind[points] + value if points in of_kind else value
        found = {}
        for kind, by_points in sorted(gains.items(), reverse=True):
            levels = sorted(by_points)
            rule = best_rule(self.order, np.array([by_points[level] for level in levels]))
            found[kind] = dict(zip(levels, rule.tolist(), strict=True))
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
            return "a hand that can no longer lose"
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


def strategy_text(_: Offer, solved: SolvedCommunity) -> StrategyText:
    """Describe each street once, after the smallest bets that continue: best play hardly depends on the bets before."""
    if _only_withdraws(solved):
        return _withdrawals(solved)
    nodes = [solved.first]
    while on := {n: then for n, then in enumerate(nodes[-1].then) if isinstance(then, Node)}:
        nodes.append(on[min(on, key=lambda n: times_of(nodes[-1].decision.choices[n]))])
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


def _points(ranking: Ranking) -> list[str]:
    points = points_of_ranks(ranking)
    parts = []
    for level in sorted({*points.values()} - {0}):
        ranks = [rank for rank, each in points.items() if each == level]
        span = RANK_NAMES[ranks[0]] + (f" to {RANK_NAMES[ranks[-1]]}" if len(ranks) > 1 else "")
        parts.append(f"{span} {level}")
    return [f"Points of a card: {', '.join(parts)}; others none."] if parts else []


# two bets to withdraw


@dataclass
class RidingRule:
    """One decision: what riding gains with all hands that look the same to the player, and the rule that gains the most."""

    cards: int
    size: int  # of a hand
    high: str  # the lowest rank whose pair is paid
    gains: dict[Holding, int]
    examples: dict[Holding, Ranks]  # of each the lowest
    even: set[Holding]  # with which it makes no difference, whatever the hand

    @cached_property
    def least_high(self) -> dict[SeenKind, int]:
        """For each kind that rides at all, the least number of high cards with which it does."""
        found = {}
        for kind in {seen.kind for seen in self.gains}:
            by_high = [sum(self.gains[seen] for seen in self._of(kind, least)) for least in range(self.cards + 1)]
            if max(by_high) > 0:
                found[kind] = max(least for least, gain in enumerate(by_high) if gain == max(by_high))
        return found

    def _of(self, kind: SeenKind, least: int = 0) -> list[Holding]:
        return [seen for seen in self.gains if seen.kind == kind and seen.points >= least]

    def rides(self, seen: Holding) -> bool:
        return seen.points >= self.least_high.get(seen.kind, self.cards + 1)

    @property
    def words(self) -> list[str]:
        lines = [f"  a hand that is already paid{f', from a pair of {self.high}s up' if self.high else ''}"]
        if any_suited := all(self.rides(seen) for seen in self.gains if seen.kind.suited):
            lines.append(f"  any {NUMBERS[self.cards]} suited")
        for kind, least in sorted(self.least_high.items(), reverse=True):
            if not kind.made and not (any_suited and kind.suited):
                example = min(self.examples[seen] for seen in self._of(kind, least))
                lines.append(f"  {self._named(kind)}{self._with_high(kind, least)}, such as {ranks_in_words(example)}")
        if even := sorted((seen for seen in self.even if not self.rides(seen)), reverse=True):
            named = [f"{self._named(seen.kind)}, {self._of_high(seen.points, '')}" for seen in even]
            lines.append(f"  (it makes no difference with {', or with '.join(named)})")
        return lines

    def _named(self, kind: SeenKind) -> str:
        cards = f"{NUMBERS[self.cards]} suited" if kind.suited else NUMBERS[self.cards]
        if kind.paired:
            return f"{cards} with a pair"
        if self.cards == self.size - 1 and kind.straights:
            return f"{cards} to an {'outside' if kind.straights > 1 else 'inside'} straight"
        many = f"{NUMBERS[kind.straights]} straight{'' if kind.straights == 1 else 's'}"
        return f"{cards} that fit {many}" if kind.straights else cards

    def _with_high(self, kind: SeenKind, least: int) -> str:
        return f", {self._of_high(least, 'at least ')}" if least > min(seen.points for seen in self._of(kind)) else ""

    def _of_high(self, number: int, at_least: str) -> str:
        many = "all" if number == self.cards else "none" if not number else f"{at_least}{NUMBERS[number]}"
        return f"{many} of {self.high} or higher"


def _only_withdraws(solved: SolvedCommunity) -> bool:
    """Whether two bets are decided, each to ride or to be withdrawn."""
    nodes = [solved.first, *(then for then in solved.first.then if isinstance(then, Node))]
    choices = [[bool(choice.withdraws) for choice in node.decision.choices] for node in nodes]
    sizes = {then.size for then in solved.first.then if isinstance(then, Node)}
    deeper = any(isinstance(then, Node) for node in nodes[1:] for then in node.then)
    return all(sorted(each) == [False, True] for each in choices) and len(nodes) == 3 and len(sizes) == 1 and not deeper


def _withdrawals(solved: SolvedCommunity) -> StrategyText:
    one, two = solved.first, next(then for then in solved.first.then if isinstance(then, Node))
    rides = {node.size: next(n for n, choice in enumerate(node.decision.choices) if not choice.withdraws) for node in (one, two)}
    high = lowest_paid_pair(solved.board.ranking)
    seen = {node.size: seen_of(solved.board, node.size, {rank: int(rank >= high) for rank in RANK_NAMES}) for node in (one, two)}

    def rule(node: Node) -> RidingRule:
        found, examples, uneven = dict[Holding, int](), dict[Holding, Ranks](), set[Holding]()
        ride = rides[node.size]
        gains = (node.values[ride] - node.values[1 - ride]) * classes(node.size).times
        for (each, ranks), gain in zip(seen[node.size], gains.tolist(), strict=True):
            found[each] = found.get(each, 0) + gain
            examples[each] = min(examples.get(each, ranks), ranks)
            uneven |= {each} if gain else set()
        size = solved.board.ranking.size
        return RidingRule(node.size, size, RANK_NAMES.get(high, ""), found, examples, set(found) - uneven)

    first, second = rule(one), rule(two)
    words = [f"{one.decision.name} rides with:", *first.words, f"{two.decision.name} rides with:", *second.words]
    rules = {one.size: first, two.size: second}

    def by_words(node: Node) -> NDArray[Any]:
        ride = rides[node.size]
        return np.array([ride if rules[node.size].rides(each) else 1 - ride for each, _ in seen[node.size]])

    return words, [
        (TO_THE_LETTER, solved.edge_of(by_words)),
        ("always let both bets ride", solved.edge_of(lambda node: np.full(len(node.best), rides[node.size]))),
        ("always withdraw both bets", solved.edge_of(lambda node: np.full(len(node.best), 1 - rides[node.size]))),
    ]
