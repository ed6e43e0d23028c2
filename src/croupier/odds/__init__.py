"""Exact house edges, best play and simulation, from the same chapters. The only package that uses numpy and numba.

The functions here import what they need when they are called, so that importing this package stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from croupier.cards import Cards
    from croupier.filing.offer import Offer
    from croupier.odds.advice import Advice
    from croupier.odds.analysis import OddsEntry
    from croupier.odds.best_play import Strategy
    from croupier.odds.prices import Prices
    from croupier.odds.simulation.rounds import Simulated

__all__ = ["advise", "analyze", "best_play", "evaluate", "price", "simulate"]


def price(offer: Offer) -> Prices:
    """The exact price of every wager in an Offer, cached after the first count."""
    from croupier.odds.prices import prices

    return prices(offer)


def analyze(offer: Offer) -> list[OddsEntry]:
    """Price every wager of an Offer under its own choices and under the alternatives of each reading.

    A wager of a shape that no counter supports is refused; `price` has the prices of the others.
    """
    from croupier.odds.analysis import Analysis

    analysis = Analysis(offer.rules, offer)
    entries = list(analysis.entries())
    if refused := next(iter(analysis.not_counted.values()), None):
        raise refused
    return entries


def advise(offer: Offer, held: Cards, up: Cards = (), board: Cards = ()) -> list[Advice]:
    """The exact value of each choice with these cards, the best first."""
    from croupier.odds.advice import advise as advise_on

    return advise_on(offer, held, up, board)


def best_play(offer: Offer) -> Strategy:
    """Best play in words, and what each simplification costs."""
    from croupier.odds.best_play import strategy

    return strategy(offer)


def simulate(offer: Offer, rounds: int, seed: int = 0, seats: int = 1) -> list[Simulated]:
    """Play random rounds with best play and compare what each wager won with its exact edge."""
    from croupier.odds.simulation.rounds import simulate as simulate_rounds

    return simulate_rounds(offer, rounds, seed, seats=seats)


def evaluate(cards: NDArray[Any]) -> NDArray[np.int16]:
    """The strength of many hands of 5, 6 or 7 cards at once: see `croupier.odds.evaluator.evaluate`."""
    from croupier.odds.evaluator import evaluate as evaluate_hands

    return evaluate_hands(cards)
