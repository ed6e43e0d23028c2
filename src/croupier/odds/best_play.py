"""Best play in words, from the exact solution, and the cost of each simplification."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from croupier.filing.offer import Offer
from croupier.odds.counters import counter
from croupier.odds.strategy_edge import StrategyEdge, strategy_edge


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

    @property
    def played(self) -> StrategyEdge:
        """The edge of best play, and of playing by the words."""
        return strategy_edge(self.edge, ((each.name, each.edge) for each in self.simplified))


def strategy(offer: Offer) -> Strategy:
    """The best play of a main game under an Offer."""
    found = counter(offer.rules)
    solved = found.solve(offer)
    words, others = found.strategy_text(offer, solved)
    return Strategy(solved.edge, tuple(words), tuple(Simplified(name, edge, edge - solved.edge) for name, edge in others))
