"""Best play of any main game in plain words: at each decision, the lowest hand for each choice.

Hands are graded by the ranking of the main game, or by their ranks alone while a hand has too few cards. Of each grade the choices
are those that pay the most if nothing else distinguishes hands. What that costs is stated with the words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import ACE, RANK_NAMES
from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, PLAYER, Compared, Holds
from croupier.law.ranking import NOTHING, Ranking, or_better
from croupier.law.wager import Choice, Decision
from croupier.odds.kernels.rank_tables import RankTable
from croupier.odds.solvers.enumerator import NOT_GRADED, SolvedDeals, Work
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.strategy.one_decision_text import FORBIDDEN, best_rule
from croupier.odds.strategy.vocabulary import StrategyText, an, bold, ranks_in_words, times_of
from croupier.odds.strategy_edge import TO_THE_LETTER

MOST_BY_RANKS = 4  # cards that are graded by their ranks alone


@dataclass(frozen=True)
class Grade:
    """How the cards at one decision are graded: the view that sees it, and what each grade is called, from the lowest up."""

    view: int
    names: list[str]


@dataclass
class Graded:
    """A solved game with its hands in grades."""

    offer: Offer
    solved: SolvedDeals

    @property
    def work(self) -> Work:
        return self.solved.work

    @cached_property
    def ranking(self) -> Ranking | None:
        """The ranking that the main game compares hands by, or else asks for."""
        main = main_settlement(self.offer.rules)
        asked = (*main.asks, main.hand)
        return next((fact.ranking for kind in (Compared, Holds) for fact in asked if isinstance(fact, kind)), None)

    @cached_property
    def grades(self) -> dict[int, Grade]:
        """The grades at each depth, which is how many batches are known."""
        return {depth: self._grade(depth) for depth in sorted({*self.work.tables.asked_at})}

    def _grade(self, depth: int) -> Grade:
        tables, places = self.work.tables, (PLAYER, COMMUNITY)
        size = sum(batch.count for batch in tables.batches[:depth] if batch.place in places)
        ranked = self.ranking and not any(hand.size for hand in self.ranking.hands)
        if ranked and self.ranking and self.ranking.size <= size <= 7:
            view = tables.view(self.ranking, places, by_strength=True, known=depth)
            return Grade(view, names_of(tables.table(view)))
        if 0 < size <= MOST_BY_RANKS:
            numbers, names = by_ranks(size)
            return Grade(tables.lookup([*(card // 4 for card in range(53)), 13], numbers, places, depth), names)
        return Grade(NOT_GRADED, ["any cards"])

    @property
    def levels(self) -> int:
        return max(len(grade.names) for grade in self.grades.values())

    @cached_property
    def by_grade(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """What each choice is worth in all deals of each grade, and which grades have hands that may not make it."""
        parts = self.work.run(lambda depth: self.grades[depth].view, self.levels)
        return sum(part[1] for part in parts), np.any([part[2] for part in parts], axis=0)

    def rule(self, at: int, before: tuple[Choice, ...]) -> NDArray[np.int64]:
        """The choice at each grade that pays the most, if a better hand never bets less."""
        answers, (totals, barred) = self.work.answers(), self.by_grade
        here = answers.rows[:, 0] == self.work.groups.index((at, before))
        values = np.where(barred[here], FORBIDDEN, totals[here]).T
        count = len(self.grades[self.work.tables.asked_at[at]].names)
        return np.pad(best_rule(bold(self.work.streets[at].decision), values[:count]), (0, self.levels - count))

    def edge(self, rules: dict[int, NDArray[np.int64]]) -> Fraction:
        """The exact edge when each decision is made so."""
        forced = np.array([rules[at] for at, _ in self.work.groups], dtype=np.int64)
        parts = self.work.run(lambda depth: self.grades[depth].view, self.levels, forced)
        counts = sum(part[0] for part in parts)
        return -Fraction(int((counts * self.work.worths).sum()), self.solved.outcomes.deals * self.solved.scale)


def strategy_text(offer: Offer, solved: SolvedDeals) -> StrategyText:
    """Describe each decision once, after the smallest bets that continue: best play hardly depends on the bets before."""
    game, work = Graded(offer, solved), solved.work
    if not work.streets:
        return ["There is nothing to decide."], []
    rules, before, words = dict[int, NDArray[np.int64]](), tuple[Choice, ...](), list[str]()
    for at, street in enumerate(work.streets):
        rules[at] = game.rule(at, before)
        named = f"{street.decision.name}: " if len(work.streets) > 1 else ""
        words.append(named + rule_in_words(street.decision, rules[at], game.grades[work.tables.asked_at[at]].names))
        on = [choice for choice in street.decision.choices if choice.goes_on]
        before += (min(on, key=times_of),) if on else ()
    least = {at: _least(game, street.decision) for at, street in enumerate(work.streets)}
    others = [(TO_THE_LETTER, game.edge(rules))]
    named = ", ".join(dict.fromkeys(work.streets[at].decision.choices[int(rule[0])].word for at, rule in least.items()))
    return words, [*others, (f"always {named}", game.edge(least))]


def _least(game: Graded, decision: Decision) -> NDArray[np.int64]:
    """The least bold choice that needs no hand and does not fold, in every grade."""
    stays = [n for n in bold(decision) if not (decision.choices[n].folds or decision.choices[n].holding)]
    return np.full(game.levels, stays[-1] if stays else bold(decision)[-1], dtype=np.int64)


def rule_in_words(decision: Decision, rule: NDArray[np.int64], names: list[str]) -> str:
    """The lowest hand for each choice, the boldest choice first."""
    parts, lowest = list[str](), int(rule[0])
    for choice in bold(decision):
        here = np.flatnonzero(rule[: len(names)] == choice)
        if len(here) and choice != lowest:
            parts.append(f"{decision.choices[choice].word} with {or_better(names[here[0]])}")
    last = decision.choices[lowest].word
    return "; ".join([*parts, f"otherwise {last}" if parts else f"always {last}"]) + "."


def names_of(table: RankTable) -> list[str]:
    """The hands of a ranking by code: the row, and above its lowest hand the ranks that distinguish hands of one row."""
    found, before = list[str](), ""
    for (_, ranks), row in zip(table.strengths, table.row_of_code, strict=True):
        name = f"{RANK_NAMES[ranks[0]]} high" if row == NOTHING else an(row.lower())
        found.append(name if row not in (before, NOTHING) else f"{name} ({ranks_in_words(ranks)})")
        before = row
    return found


def by_ranks(size: int) -> tuple[NDArray[np.int16], list[str]]:
    """Grades of `size` cards by their ranks (more of a rank before fewer, then higher ranks), and their names.

    The ranks, from 0 for a 2, are the digits of a number in base 13.
    """
    kinds = [_by_group(ranks) for ranks in product(range(2, ACE + 1), repeat=size)]
    grades = {key: n for n, key in enumerate(sorted(set(kinds)))}
    names = [ranks_in_words(rank for count, rank in key for _ in range(count)) for key in grades]
    return np.array([grades[key] for key in kinds], dtype=np.int16), names


def _by_group(ranks: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True))
