"""The figures of an Offer's wagers as more than one document states them."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

from croupier.filing.offer import Offer
from croupier.odds.caution import drawn, first_entries
from croupier.odds.report import results

Data = dict[str, Any]


def edge_as_filed(offer: Offer, entry: Data) -> Fraction:
    """The edge of a wager with its meter where the filing starts it, and with what the system draws as often as the filing says."""
    edge = -mean(results(offer, entry))
    for settlement in offer.rules.settlements:
        if settlement.drawn and (settlement.of.name, settlement.of.side) == (entry["wager"], entry.get("on", "")):
            edge -= drawn(offer, settlement, first_entries(offer))
    return edge


def hold_as_filed(offer: Offer, entry: Data) -> Fraction:
    """What the house keeps of a wager in the long run: of a progressive, what goes to meter and reserve is paid out some day.

    The meter is then taken where it starts again; its first start is paid only once.
    """
    terms = offer.progressives.get(entry["wager"])
    edge = edge_as_filed(offer, entry)
    if not terms or not entry["meter"]:
        return edge
    again = Fraction(entry["meter"]["per_dollar"]) * (terms.seed - terms.reseed) / terms.amount
    return edge + again - terms.rate - terms.reserve


def mean(found: list[tuple[Fraction, int]]) -> Fraction:
    return sum((net * count for net, count in found), Fraction(0)) / sum(count for _, count in found)


def deviation_as_filed(offer: Offer, entry: Data) -> float:
    """The standard deviation of one round of one unit, apart from what the system draws."""
    found = results(offer, entry)
    squares = mean([(net * net, count) for net, count in found])
    return sqrt(float(squares - mean(found) ** 2))
