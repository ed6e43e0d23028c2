"""The prices of an Offer's wagers. Every page, document and command that states a price asks here.

An edge is exact, for the Offer's own letters, form, added rows and readings, at its lowest stake, with the meter at its filed seed
and draws at the filed frequency.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.filing.offer import Offer
from croupier.money import Cents, dollars, percent, read_odds, show_money
from croupier.odds.names import EntryRole, Price, price_name, priced_wager
from croupier.odds.report import Around, cached_report, report


@dataclass(frozen=True)
class Prices:
    """The report of an Offer, with its entries sorted by role."""

    report: dict[str, Any]

    @cached_property
    def wagers(self) -> list[Price]:
        """The price of each offered wager, as filed."""
        return [entry for entry in self.report["entries"] if entry["role"] == EntryRole.WAGER]

    @cached_property
    def others(self) -> list[Price]:
        """Other prices: at the maximum where that differs, under other readings, for draws and for envy."""
        return [entry for entry in self.report["entries"] if entry["role"] not in (EntryRole.WAGER, EntryRole.UNANSWERED)]

    @cached_property
    def unanswered(self) -> list[Price]:
        """Prices for a player who never answers: of the main game, and of a side wager where silence changes them."""
        return [entry for entry in self.report["entries"] if entry["role"] == EntryRole.UNANSWERED]

    @property
    def published(self) -> list[str]:
        return list(self.report["published"])

    @property
    def not_counted(self) -> dict[str, str]:
        """Why a wager has no price, by wager."""
        return dict(self.report["not_counted"])

    def in_silence(self, price: Price, *readings: Mapping[str, str]) -> Price:
        """What a wager costs a player who never answers, under the first of these readings that has a price; else its own price."""
        name, on = f"{price['wager']}, {EntryRole.UNANSWERED}", price.get("on")
        mine = [each for each in self.unanswered if (each["wager"], each.get("on")) == (name, on)]
        return next((each for read in readings for each in mine if each["readings"] == read), price)

    def at_most(self, price: Price) -> Price | None:
        """The same wager at its highest stake, if the price differs there."""
        return next(
            (other for other in self.others if other["role"] == EntryRole.AT_MOST and price_name(other) == price_name(price)), None
        )


def prices(offer: Offer, *, fresh: bool = False, counting: Around = nullcontext) -> Prices:
    """The prices of an Offer, counted once and then cached."""
    return Prices(report(offer.rules, offer, fresh=fresh, counting=counting))


def cached_prices(offer: Offer) -> Prices | None:
    """The prices of an Offer if they have been counted before."""
    found = cached_report(offer)
    return Prices(found) if found else None


def edge_of(price: Price, places: int = 4) -> str:
    """The edge as shown everywhere; the floor's page has room for two decimals."""
    return percent(price["edge"], places)


def stake_of(price: Price) -> str:
    """The stake that is priced, where it matters: “at $5”."""
    return f"at {show_money(price['stake'])}" if price.get("stake") else ""


def limited(offer: Offer, prices: Prices) -> list[Price]:
    """The wagers whose highest payout the payout limit can reduce; their prices leave the limit out."""
    limit, most = offer.rules.limit, offer.payout_limit
    if limit is None or not most:
        return []
    limited_prices = []
    for price in prices.wagers:
        wager = priced_wager(offer.rules, price)
        nets = [Fraction(each["net"]) for each in price["outcomes"] if limit.counts(wager.name, each["hand"])]
        if nets and max(nets) * offer.stakes(wager)[1] > most:
            limited_prices.append(price)
    return limited_prices


def edge_at(price: Price, stake: Cents) -> Fraction:
    """The edge at another stake: a fixed sum does not grow with it."""
    edge = Fraction(price["edge"])
    if price["meter"] or not price.get("stake"):
        return edge  # the amount of a progressive is the filed one
    paid = [(read_odds(each["odds"]), each["count"]) for each in price["outcomes"] if each["odds"].startswith("$")]
    deals: int = price["combinations"]
    fixed = sum((odds.amount * count for odds, count in paid), Fraction(0)) / deals
    return edge + fixed / Fraction(price["stake"]) - fixed / stake


def edge_with(price: Price, meter: Cents) -> Fraction:
    """The edge with this much on the meter instead of its seed."""
    per_dollar, added = Fraction(price["meter"]["per_dollar"]), Fraction(meter - price["meter"]["seed"], 100)
    return Fraction(price["edge"]) - per_dollar * added


def hold_of(offer: Offer, price: Price, stake: Cents) -> Fraction:
    """What the house keeps of such stakes in the long run. A progressive eventually pays out what goes to its meter and reserve.

    So the meter counts at its reseed, since the first seed is paid only once.
    """
    edge, terms = edge_at(price, stake), offer.progressives.get(price["wager"])
    if not terms or not price["meter"]:
        return edge
    again = Fraction(price["meter"]["per_dollar"]) * Fraction(terms.seed - terms.reseed, dollars(1))
    return edge + again - terms.rate - terms.reserve
