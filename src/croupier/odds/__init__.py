"""The odds: exact house edge, best play and simulation, from the same chapters. The only home of numpy and numba."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.filing.offer import Offer
    from croupier.odds.analysis import Entry


def analyse(offer: Offer) -> list[Entry]:
    """Every wager of an Offer under its own choices, with the alternatives of each reading beside them."""
    from croupier.odds.analysis import Analysis

    return list(Analysis(offer.rules, offer).entries())


def evaluate(cards: Any) -> Any:
    """The strength of many hands of 5, 6 or 7 cards at once: see `croupier.odds.evaluator.evaluate`."""
    from croupier.odds.evaluator import evaluate as evaluate_hands

    return evaluate_hands(cards)


__all__ = ["analyse", "evaluate"]
