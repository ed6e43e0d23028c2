"""What it costs to play by the words, for the heading above them: words that are not best play have their own edge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from croupier.money import percent

TO_THE_LETTER = "these words to the letter"  # what every counter calls its own words among the ways to play
FAR_FROM_BEST = Fraction(1, 200)  # of a unit: words that cost more are not close to best play
NOT_CLOSE = "No short rule is close to best play"


@dataclass(frozen=True)
class StrategyEdge:
    """The edge of best play, and the edge of the words."""

    best: Fraction
    words: Fraction

    @property
    def far(self) -> bool:
        return self.words - self.best > FAR_FROM_BEST

    @property
    def cost(self) -> str:
        return percent(self.words - self.best)

    def heading(self, between: str, of_what: str = "") -> str:
        """
        >>> StrategyEdge(Fraction(2, 100), Fraction(2, 100)).heading(", ")
        'best play, house edge 2.0000%'
        >>> StrategyEdge(Fraction(2, 100), Fraction(3, 100)).heading(" · ", " of the Ante")
        'in words · house edge 3.0000% of the Ante (best play: 2.0000%)'
        """
        best, words = percent(self.best), percent(self.words)
        if best == words:
            return f"best play{between}house edge {best}{of_what}"
        return f"in words{between}house edge {words}{of_what} (best play: {best})"


def strategy_edge(best: Fraction | str, ways: Iterable[tuple[str, Fraction | str]]) -> StrategyEdge:
    """Compare the edge of best play with those of other ways to play, by name. Words without a separate price are best play.

    >>> strategy_edge("1/50", [("always play", "1/10")]).words, strategy_edge("1/50", [(TO_THE_LETTER, "1/40")]).words
    (Fraction(1, 50), Fraction(1, 40))
    """
    return StrategyEdge(Fraction(best), Fraction(dict(ways).get(TO_THE_LETTER, best)))
