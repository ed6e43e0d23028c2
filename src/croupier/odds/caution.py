"""What a filing's wagers return: a warning for one that returns more than it takes, or less than three quarters."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.filing.finding import Finding, Severity
from croupier.filing.offer import Offer
from croupier.law.wager import Wager
from croupier.odds.report import report

LEAST, MOST = Fraction(3, 4), Fraction(1)


def cautions(offer: Offer) -> list[Finding]:
    """A finding for each wager of an Offer, priced with its own choices, that returns too much or too little."""
    entries, found, seen = report(offer.rules, offer)["entries"], [], set()
    for entry in entries:  # of each wager the first entry is the one under the filed readings
        key = (entry["wager"], entry.get("on", ""))
        wager = next((each for each in offer.rules.wagers.values() if (each.name, each.side) == key), None)
        if wager is None or key in seen:
            continue
        seen.add(key)
        returns = 1 - Fraction(entry["edge"]) + drawn(offer, entries, wager)
        if not LEAST <= returns <= MOST:
            at = " at its seed" if entry["meter"] else ""
            says = f"returns {float(returns) * 100:.2f}% of what it takes{at}"
            found.append(Finding(Severity.WARNING, str(wager.cite), wager.key, says, "between 75% and 100%"))
    return found


def drawn(offer: Offer, entries: list[dict[str, Any]], wager: Wager) -> Fraction:
    """What the draws of the table game system add to a wager, as often as the submission draws."""
    first: dict[str, Fraction] = {}  # of each draw the first entry is the one under the filed readings
    for entry in entries:
        if wager.electronic and entry.get("on") == wager.side and entry["wager"].startswith(f"{wager.name}, "):
            first.setdefault(entry["wager"], -Fraction(entry["edge"]))
    often = {name: offer.draws.get("magic_card" if "magic" in name else "lucky", 0) for name in first}
    return sum((adds / often[name] for name, adds in first.items() if often[name]), Fraction(0))
