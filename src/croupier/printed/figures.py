"""The figures of an Offer's wagers as more than one document states them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.filing.offer import Offer
from croupier.odds.caution import drawn
from croupier.odds.report import report


def edge_as_filed(offer: Offer, entry: dict[str, Any]) -> Fraction:
    """The edge of a wager, with what the table game system draws for it as often as the submission says."""
    wager = next(
        (each for each in offer.rules.wagers.values() if (each.name, each.side) == (entry["wager"], entry.get("on", ""))), None
    )
    adds = drawn(offer, report(offer.rules, offer)["entries"], wager) if wager else Fraction(0)
    return Fraction(entry["edge"]) - adds
