"""Two cards and a board in streets, in plain words: at each decision, from which hand on to do what (relatives of 653a)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from croupier.filing.offer import Offer
from croupier.law.wager import Choice
from croupier.odds.kernels import board_streets as kernel
from croupier.odds.kernels.card_sets import CHOOSE
from croupier.odds.kernels.rank_tables import rank_table
from croupier.odds.solvers import boards
from croupier.odds.solvers.boards import Plan, Priced, SolvedBoards
from croupier.odds.solvers.shapes import shape_of
from croupier.odds.strategy.one_decision_text import cuts_of
from croupier.odds.strategy.plain_text import by_ranks, in_words, names_of
from croupier.odds.strategy.vocabulary import StrategyText, bold, times_of


@dataclass
class GradedBoards:
    """A solved game and its hands in grades: by the ranking with the board, by their ranks alone before there is one."""

    offer: Offer
    solved: SolvedBoards

    @cached_property
    def plan(self) -> Plan:
        return Plan(shape_of(self.offer.rules))

    @cached_property
    def priced(self) -> Priced:
        return boards.prices(self.offer)

    def names(self, street: int) -> list[str]:
        """What the grades at a street are called, from the lowest up."""
        ranking, cards = self.solved.ranking, 2 + self.plan.boards[street]
        if cards >= ranking.size:
            return names_of(rank_table(ranking, cards, by_strength=True))
        return by_ranks(2)[1] if cards == 2 else ["any cards"]

    def grades(self, street: int) -> NDArray[np.int16]:
        """The grade of each two cards with each board up to the suits."""
        ranking, shown = self.solved.ranking, boards.boards_of(self.plan.boards[street]).cards
        if 2 + shown.shape[1] >= ranking.size:
            found: NDArray[np.int16] = kernel.codes_beside(
                shown, *rank_table(ranking, 2 + shown.shape[1], by_strength=True).arrays, CHOOSE
            )
            return found
        return by_ranks(2)[0][None, :] if not shown.shape[1] else np.zeros((len(shown), 1326), dtype=np.int16)

    @cached_property
    def told(self) -> list[NDArray[np.int64]]:
        """What each answer is worth in all deals of each grade, street by street."""
        plan, found = self.plan, list[NDArray[np.int64]]()
        at_base = self.grades(plan.levels) if plan.levels < plan.early else np.zeros((0, 1326), dtype=np.int16)
        _, _, items, ends = boards.values_of(plan, self.priced, at_base, graded=True)
        for street in range(len(plan.boards)):
            rows = plan.rows(street)
            if street < plan.levels:
                grades, sums = self.grades(street), self.solved.sums[street]
                worth = np.zeros((len(self.names(street)), len(rows)), dtype=np.int64)
                np.add.at(worth, grades, sums)
                found.append(worth.T)
            else:
                among, known = (items, plan.items) if street < plan.early else (ends, plan.said)
                found.append(np.array([among[known.index(row)] for row in rows])[:, : len(self.names(street))])
        return found

    def rule(self, street: int, before: tuple[Choice, ...]) -> NDArray[np.int64]:
        """The choice at each grade that pays the most, if a better hand never bets less."""
        plan, order = self.plan, bold(self.plan.streets[street].decision)
        start, stop = plan.ranges(street, plan.rows(street))[plan.groups[street].index(before)]
        _, rungs = cuts_of(self.told[street][start:stop][order].T)
        return np.array([order[rung] for rung in rungs], dtype=np.int64)

    def edge(self, rules: list[NDArray[np.int64]]) -> Fraction:
        """The exact edge when each decision is made so."""
        plan = self.plan
        most = max([len(groups) for groups in plan.groups[: plan.levels]], default=1)
        picks = [rules[street][self.grades(street)].astype(np.int8) for street in range(plan.early)]
        early = [np.repeat(each[:, :, None], most, axis=2) for each in picks[: plan.levels]]
        base = (
            self.solved.base
            if plan.levels == plan.early
            else np.repeat(picks[-1][:, :, None], len(plan.groups[plan.levels]), axis=2)
        )
        river = None
        if plan.early < len(plan.boards):
            river = np.repeat(rules[-1].astype(np.int8)[None, :], len(plan.groups[-1]), axis=0)
        ends, _ = boards.outcomes_of(plan, self.priced, np.concatenate([self.solved.picks[:0], *early]), base, river)
        total = sum(int(count) * int(worth) for count, worth in zip(ends.reshape(-1), self.priced.table.reshape(-1), strict=True))
        return -Fraction(total, int(ends.sum()) * self.priced.scale)


def strategy_text(offer: Offer, solved: SolvedBoards) -> StrategyText:
    """Each decision once, after the least that goes on was answered before."""
    game, before, rules, words = GradedBoards(offer, solved), tuple[Choice, ...](), list[NDArray[np.int64]](), list[str]()
    for street, each in enumerate(game.plan.streets):
        rules.append(game.rule(street, before))
        named = f"{each.decision.name}: " if len(game.plan.streets) > 1 else ""
        words.append(named + in_words(each.decision, rules[street], game.names(street)))
        on = [choice for choice in each.decision.choices if choice.goes_on]
        before += (min(on, key=times_of),) if on else ()
    return words, [("these words to the letter", game.edge(rules))]
