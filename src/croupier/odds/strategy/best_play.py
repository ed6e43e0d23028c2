"""Best play in words, from the exact solution, and the cost of each simplification."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from croupier.filing.offer import Offer
from croupier.odds.solvers import hand_setting
from croupier.odds.solvers.against_dealer import SolvedDecision
from croupier.odds.solvers.boards import SolvedBoards
from croupier.odds.solvers.community import SolvedCommunity
from croupier.odds.solvers.dispatch import solver
from croupier.odds.solvers.enumerator import SolvedDeals
from croupier.odds.solvers.hand_setting import SolvedSetting
from croupier.odds.solvers.solution import Solved
from croupier.odds.solvers.streets import SolvedHoldEm
from croupier.odds.strategy import boards_text, community_text, one_decision_text, plain_text, streets_text, withdrawals_text
from croupier.odds.strategy.vocabulary import StrategyText


@dataclass(frozen=True)
class Simplified:
    """A simpler strategy: its edge, and how much more it costs than best play."""

    name: str
    edge: Fraction
    cost: Fraction


@dataclass(frozen=True)
class Strategy:
    edge: Fraction
    words: tuple[str, ...]
    simplified: tuple[Simplified, ...]


def strategy(offer: Offer) -> Strategy:
    """The best play of a main game under an Offer."""
    solved = solver(offer.rules).solve(offer)
    words, others = _in_words(offer, solved)
    return Strategy(solved.edge, tuple(words), tuple(Simplified(name, edge, edge - solved.edge) for name, edge in others))


def _in_words(offer: Offer, solved: Solved) -> StrategyText:
    """In the polished words of a shape that has some, otherwise plainly."""
    tell: Any = TELLERS[type(solved)]
    if isinstance(solved, SolvedCommunity) and withdrawals_text.fits(solved):
        tell = withdrawals_text.strategy_text
    words: StrategyText = tell(offer, solved)
    return words


def _setting_text(offer: Offer, solved: SolvedSetting) -> StrategyText:
    hands, values, points = solved.hands, solved.values, solved.points
    highest = np.array([max(np.flatnonzero(row), key=lambda n: points[n]) for row in solved.may])
    count = hand_setting.count_word(offer.rules)
    words = [f"Set the highest {count} that the cards allow."]
    exceptions = Counter((points[b], points[h]) for b, h in zip(solved.best, highest, strict=True) if b != h)
    words += [f"But set {better} rather than {worse}." for better, worse in sorted(exceptions)]
    times = hand_setting.times(offer, hands)
    scale, deals = hand_setting.scale(offer), solved.outcomes.deals
    total = sum(int(values[row, highest[row]]) * int(times[row]) for row in range(len(hands)))
    return words, [(f"always the highest {count}", -Fraction(total, deals * scale))]


TELLERS = {
    SolvedDecision: one_decision_text.strategy_text,
    SolvedCommunity: community_text.strategy_text,
    SolvedHoldEm: streets_text.strategy_text,
    SolvedBoards: boards_text.strategy_text,
    SolvedSetting: _setting_text,
    SolvedDeals: plain_text.strategy_text,
}
