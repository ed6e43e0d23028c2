"""The setting of hands in words (680a)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

from croupier.filing.offer import Offer
from croupier.odds.solvers import hand_setting
from croupier.odds.solvers.hand_setting import SolvedSetting
from croupier.odds.strategy.vocabulary import StrategyText


def strategy_text(offer: Offer, solved: SolvedSetting) -> StrategyText:
    values, points = solved.values, solved.points
    highest = np.array([max(np.flatnonzero(row), key=lambda n: points[n]) for row in solved.may])
    count = hand_setting.count_word(offer.rules)
    words = [f"Set the highest {count} that the cards allow."]
    exceptions = Counter((points[b], points[h]) for b, h in zip(solved.best, highest, strict=True) if b != h)
    words += [f"But set {better} rather than {worse}." for better, worse in sorted(exceptions)]
    total = sum(int(row[at]) * int(times) for row, at, times in zip(values, highest, solved.hands.times, strict=True))
    return words, [(f"always the highest {count}", -Fraction(total, solved.outcomes.deals * solved.scale))]
