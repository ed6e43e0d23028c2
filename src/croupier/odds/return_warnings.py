"""Warnings for wagers that return more than they take, or less than three quarters."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.filing.finding import Finding, Severity
from croupier.filing.offer import Offer
from croupier.money import percent
from croupier.odds.names import Price, price_name, wager_name
from croupier.odds.prices import Prices, hold_of, prices, stake_of

LEAST, MOST = Fraction(3, 4), Fraction(1)
EXPECTED = "expected by GLI-19, section 4.7, to return at least 75%"  # by a test laboratory; the clauses expect nothing


def cautions(offer: Offer, known: Prices | None = None) -> list[Finding]:
    """A finding for each wager of an Offer that returns too much or too little, or whose return cannot be counted."""
    return list(_cautions(offer, known or prices(offer)))


def _cautions(offer: Offer, prices: Prices) -> Iterator[Finding]:
    for settlement in offer.rules.settlements:
        wager = settlement.wager
        if says := prices.not_counted.get(wager_name(wager)):
            yield Finding(Severity.WARNING, str(wager.cite), wager.key, says, "")
        for price in prices.wagers:
            if price_name(price) == wager_name(wager):
                at_most = prices.at_most(price)
                both = [each for each in (price, at_most) if each]
                warnings = [says for each in both if (says := _says(each))] + _over_time(offer, price)
                expected = [EXPECTED] if any(_returns(each) < LEAST for each in both) else []
                if warnings:
                    yield Finding(Severity.WARNING, str(wager.cite), wager.key, "; ".join(expected + warnings))


def _returns(price: Price) -> Fraction:
    return 1 - Fraction(price["edge"])


def _says(price: Price) -> str:
    """What a wager returns, if that is outside the usual range."""
    returns = _returns(price)
    if LEAST <= returns <= MOST:
        return ""
    at = " ".join(filter(None, [stake_of(price), "with the meter at its seed" if price["meter"] else ""]))
    return f"returns {percent(returns)} of what it takes" + (f" {at}" if at else "")


def _over_time(offer: Offer, price: Price) -> list[str]:
    """A progressive that pays out more than it takes once its meter has been won, whatever it returns at the seed."""
    paid = 1 - hold_of(offer, price, price["stake"]) if price["meter"] else Fraction(0)
    return [f"over time pays out or sets aside {percent(paid)} of what it takes"] if paid > MOST else []
