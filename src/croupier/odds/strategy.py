"""Best play in words a player can carry, made from the exact solution, and what each simplification costs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from croupier.filing.offer import Offer
from croupier.odds import against_dealer, hold_em, let_it_ride, saigon, words_hold_em, words_let_it_ride, words_one_decision
from croupier.odds.analysis import solver
from croupier.odds.solved import Solved
from croupier.odds.words import Told


@dataclass(frozen=True)
class Simplified:
    """Another way to play: its edge, and how much more than best play it costs."""

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
    solve = solver(offer.rules)
    solved: Solved = solve(offer)
    ways = {
        against_dealer.solve: words_one_decision.tell,
        let_it_ride.solve: words_let_it_ride.tell,
        hold_em.solve: words_hold_em.tell,
        saigon.solve: _saigon,
    }
    words, others = ways[solve](offer, solved)
    return Strategy(solved.edge, tuple(words), tuple(Simplified(name, edge, edge - solved.edge) for name, edge in others))


def _saigon(offer: Offer, solved: Solved) -> Told:
    hands, values, may, _, points = solved.states
    highest = np.array([max(np.flatnonzero(row), key=lambda n: points[n]) for row in may])
    count = saigon.count_word(offer.rules)
    words = [f"Set the highest {count} that the cards allow."]
    exceptions = Counter((points[b], points[h]) for b, h in zip(solved.best, highest, strict=True) if b != h)
    words += [f"But set {better} rather than {worse}." for better, worse in sorted(exceptions)]
    times = saigon.times(offer, hands)
    scale, deals = saigon.scale(offer), solved.outcomes.deals
    total = sum(int(values[row, highest[row]]) * int(times[row]) for row in range(len(hands)))
    return words, [(f"always the highest {count}", -Fraction(total, deals * scale))]
