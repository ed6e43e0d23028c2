"""Two bets to withdraw, in words (643a): what is paid already, what is suited, what fits straights, what is high.

A rule in words lets a bet ride with what is paid already, and with other hands by suit, by how many straights they fit and by
how many high cards they have; of each such kind the least number of high cards is the one that pays the most.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANK_NAMES
from croupier.filing.offer import Offer
from croupier.law.ranking import NOTHING, Ranking
from croupier.odds.kernels.card_sets import classes
from croupier.odds.solvers.community import Board, Node, SolvedCommunity
from croupier.odds.strategy.vocabulary import NUMBERS, StrategyText, lowest_paid_pair, ranks_in_words, straights_with
from croupier.odds.words_edge import TO_THE_LETTER

Ranks = tuple[int, ...]  # from high to low


class HoldingKind(NamedTuple):
    """What a player sees of cards that are not paid yet; of a pair neither suits nor straights matter."""

    paid: bool
    paired: bool
    suited: bool = False
    straights: int = 0


class Holding(NamedTuple):
    kind: HoldingKind
    high: int  # how many cards would be paid as a pair


@lru_cache(maxsize=1 << 15)
def holding_of(ranking: Ranking, ranks: Ranks, suited: bool, paid: bool) -> Holding:
    high = sum(rank >= lowest_paid_pair(ranking) for rank in ranks)
    paired = len({*ranks}) < len(ranks)
    if paid or paired:
        return Holding(HoldingKind(paid, paired), high)
    return Holding(HoldingKind(False, False, suited, straights_with(frozenset(ranks), ranking.size)), high)


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
    def least_high(self) -> dict[HoldingKind, int]:
        """For each kind that rides at all, the least number of high cards with which it does."""
        found = {}
        for kind in {seen.kind for seen in self.gains}:
            by_high = [sum(self.gains[seen] for seen in self._of(kind, least)) for least in range(self.cards + 1)]
            if max(by_high) > 0:
                found[kind] = max(least for least, gain in enumerate(by_high) if gain == max(by_high))
        return found

    def _of(self, kind: HoldingKind, least: int = 0) -> list[Holding]:
        return [seen for seen in self.gains if seen.kind == kind and seen.high >= least]

    def rides(self, seen: Holding) -> bool:
        return seen.high >= self.least_high.get(seen.kind, self.cards + 1)

    @property
    def words(self) -> list[str]:
        lines = [f"  a hand that is already paid{f', from a pair of {self.high}s up' if self.high else ''}"]
        if any_suited := all(self.rides(seen) for seen in self.gains if seen.kind.suited):
            lines.append(f"  any {NUMBERS[self.cards]} suited")
        for kind, least in sorted(self.least_high.items(), reverse=True):
            if not kind.paid and not (any_suited and kind.suited):
                example = min(self.examples[seen] for seen in self._of(kind, least))
                lines.append(f"  {self._named(kind)}{self._with_high(kind, least)}, such as {ranks_in_words(example)}")
        if even := sorted((seen for seen in self.even if not self.rides(seen)), reverse=True):
            named = [f"{self._named(seen.kind)}, {self._of_high(seen.high, '')}" for seen in even]
            lines.append(f"  (it makes no difference with {', or with '.join(named)})")
        return lines

    def _named(self, kind: HoldingKind) -> str:
        cards = f"{NUMBERS[self.cards]} suited" if kind.suited else NUMBERS[self.cards]
        if kind.paired:
            return f"{cards} with a pair"
        if self.cards == self.size - 1 and kind.straights:
            return f"{cards} to an {'outside' if kind.straights > 1 else 'inside'} straight"
        many = f"{NUMBERS[kind.straights]} straight{'' if kind.straights == 1 else 's'}"
        return f"{cards} that fit {many}" if kind.straights else cards

    def _with_high(self, kind: HoldingKind, least: int) -> str:
        return f", {self._of_high(least, 'at least ')}" if least > min(seen.high for seen in self._of(kind)) else ""

    def _of_high(self, number: int, at_least: str) -> str:
        many = "all" if number == self.cards else "none" if not number else f"{at_least}{NUMBERS[number]}"
        return f"{many} of {self.high} or higher"


def fits(solved: SolvedCommunity) -> bool:
    """Whether two bets are decided, each to ride or to be withdrawn."""
    nodes = [solved.first, *(then for then in solved.first.then if isinstance(then, Node))]
    choices = [[bool(choice.withdraws) for choice in node.decision.choices] for node in nodes]
    sizes = {then.size for then in solved.first.then if isinstance(then, Node)}
    deeper = any(isinstance(then, Node) for node in nodes[1:] for then in node.then)
    return all(sorted(each) == [False, True] for each in choices) and len(nodes) == 3 and len(sizes) == 1 and not deeper


def strategy_text(offer: Offer, solved: SolvedCommunity) -> StrategyText:
    one, two = solved.first, next(then for then in solved.first.then if isinstance(then, Node))
    rides = {node.size: next(n for n, choice in enumerate(node.decision.choices) if not choice.withdraws) for node in (one, two)}
    seen = {node.size: _seen(solved.board, node.size) for node in (one, two)}
    first, second = (_rule(solved.board.ranking, node.size, seen[node.size], _gains(node, rides[node.size])) for node in (one, two))
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


def _gains(node: Node, ride: int) -> NDArray[np.int64]:
    """What riding gains in each state."""
    gains: NDArray[np.int64] = (node.values[ride] - node.values[1 - ride]) * classes(node.size).times
    return gains


def _seen(board: Board, size: int) -> list[tuple[Holding, Ranks]]:
    """What a player sees of each set of `size` cards, up to the suits."""
    nothing = board.ways(size)[:, board.table.row_of_code.index(NOTHING)]

    def look(cards: list[int], paid: bool) -> tuple[Holding, Ranks]:
        ranks = tuple(sorted((card // 4 + 2 for card in cards), reverse=True))
        return holding_of(board.ranking, ranks, len({card % 4 for card in cards}) == 1, paid), ranks

    return [look(held, not lost) for held, lost in zip(classes(size).cards.tolist(), nothing.tolist(), strict=True)]


def _rule(ranking: Ranking, cards: int, seen: Iterable[tuple[Holding, Ranks]], gains: NDArray[np.int64]) -> RidingRule:
    found, examples, uneven = dict[Holding, int](), dict[Holding, Ranks](), set[Holding]()
    for (each, ranks), gain in zip(seen, gains.tolist(), strict=True):
        found[each] = found.get(each, 0) + gain
        examples[each] = min(examples.get(each, ranks), ranks)
        uneven |= {each} if gain else set()
    return RidingRule(cards, ranking.size, RANK_NAMES.get(lowest_paid_pair(ranking), ""), found, examples, set(found) - uneven)
