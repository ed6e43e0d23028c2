"""What a filing's wagers return: a warning for one that returns more than it takes, or less than three quarters."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.filing.finding import Finding, Severity
from croupier.filing.offer import Offer
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
        returns = 1 - Fraction(entry["edge"]) + sum((_drawn(offer, other, wager) for other in entries), Fraction(0))
        if not LEAST <= returns <= MOST:
            at = " at its seed" if entry["meter"] else ""
            says = f"returns {float(returns) * 100:.2f}% of what it takes{at}"
            found.append(Finding(Severity.WARNING, str(wager.cite), wager.key, says, "between 75% and 100%"))
    return found


def _drawn(offer: Offer, entry: dict[str, Any], wager: Any) -> Fraction:
    """What a draw of the system adds, as often as the submission draws."""
    if (
        not wager.electronic
        or entry.get("on") != wager.side
        or not entry["wager"].startswith(f"{wager.name}, ")
        or entry["readings"]
    ):
        return Fraction(0)
    often = offer.draws.get("magic_card" if "magic" in entry["wager"] else "lucky", 0)
    return -Fraction(entry["edge"]) / often if often else Fraction(0)
