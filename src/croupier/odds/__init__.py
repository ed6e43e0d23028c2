"""The odds: exact house edge, best play and simulation, from the same chapters. The only home of numpy and numba."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.filing.offer import Offer
    from croupier.odds.analysis import Entry


def analyse(offer: Offer) -> list[Entry]:
    """Every wager of an Offer under its own choices, with the alternatives of each reading beside them.

    A wager of a shape that no counter knows is refused; `croupier.odds.prices` has the prices of the others.
    """
    from croupier.odds.analysis import Analysis

    analysis = Analysis(offer.rules, offer)
    entries = list(analysis.entries())
    if refused := next(iter(analysis.not_counted.values()), None):
        raise refused
    return entries


def evaluate(cards: Any) -> Any:
    """The strength of many hands of 5, 6 or 7 cards at once: see `croupier.odds.evaluator.evaluate`."""
    from croupier.odds.evaluator import evaluate as evaluate_hands

    return evaluate_hands(cards)


__all__ = ["analyse", "evaluate"]
