"""What a filing's wagers return: a warning for one that returns more than it takes, or less than three quarters."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.filing.finding import Finding, Severity
from croupier.filing.offer import Offer
from croupier.law.settling import Settlement
from croupier.odds.report import report

LEAST, MOST = Fraction(3, 4), Fraction(1)

First = dict[tuple[str, str], dict[str, Any]]


def cautions(offer: Offer) -> list[Finding]:
    """A finding for each wager of an Offer, priced with its own choices, that returns too much or too little."""
    first, found = first_entries(offer), []
    for settlement in offer.rules.settlements:
        wager = settlement.of
        if entry := first.get((wager.name, wager.side)):
            returns = 1 - Fraction(entry["edge"]) + drawn(offer, settlement, first)
            if not LEAST <= returns <= MOST:
                at = " at its seed" if entry["meter"] else ""
                says = f"returns {float(returns) * 100:.2f}% of what it takes{at}"
                found.append(Finding(Severity.WARNING, str(wager.cite), wager.key, says, "between 75% and 100%"))
    return found


def first_entries(offer: Offer) -> First:
    """Of each wager, draw and envy the first entry, which is the one under the filed readings."""
    first: First = {}
    for entry in report(offer.rules, offer)["entries"]:
        first.setdefault((entry["wager"], entry.get("on", "")), entry)
    return first


def drawn(offer: Offer, settlement: Settlement, first: First) -> Fraction:
    """What the draws of the system add, each as often as the submission draws."""
    added = Fraction(0)
    for name, fact in settlement.drawn.items():
        if often := offer.draws.get(fact.draw.value, 0):
            added -= Fraction(first[name, settlement.of.side]["edge"]) / often
    return added
