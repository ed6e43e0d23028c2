"""The prices of an Offer's wagers. Every page, document and command that states a price asks here.

An edge is exact, under the Offer's own letters, form, added rows and readings, at the least stake that it allows, with a meter at
its filed seed and with what the system draws as often as it is filed.
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
        """Of each wager offered, its price as filed."""
        return [entry for entry in self.report["entries"] if entry["role"] == EntryRole.WAGER]

    @cached_property
    def others(self) -> list[Price]:
        """At the maximum where that differs, under other readings, by draws and by envy."""
        return [entry for entry in self.report["entries"] if entry["role"] not in (EntryRole.WAGER, EntryRole.UNANSWERED)]

    @cached_property
    def unanswered(self) -> list[Price]:
        """Of a player who never answers, where that changes the price: as silence is read, and as it could be read."""
        return [entry for entry in self.report["entries"] if entry["role"] == EntryRole.UNANSWERED]

    @property
    def published(self) -> list[str]:
        return list(self.report["published"])

    @property
    def not_counted(self) -> dict[str, str]:
        """By the wager, why it has no price."""
        return dict(self.report["not_counted"])

    def in_silence(self, price: Price, *readings: Mapping[str, str]) -> Price:
        """What a wager costs a player who never answers, under the first of these readings that has a price; else its own price."""
        name, on = f"{price['wager']}, {EntryRole.UNANSWERED}", price.get("on")
        mine = [each for each in self.unanswered if (each["wager"], each.get("on")) == (name, on)]
        return next((each for read in readings for each in mine if each["readings"] == read), price)

    def at_most(self, price: Price) -> Price | None:
        """The same wager at the greatest stake, where that has another price."""
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
    """The edge as it is stated everywhere; a floor's page has room for two places."""
    return percent(price["edge"], places)


def stake_of(price: Price) -> str:
    """The stake that is priced, where it matters: “at $5”."""
    return f"at {show_money(price['stake'])}" if price.get("stake") else ""


def limited(offer: Offer, found: Prices) -> list[Price]:
    """The wagers whose highest payout the payout limit can reduce; their prices leave the limit out."""
    limit, most = offer.rules.limit, offer.payout_limit
    if limit is None or not most:
        return []
    limited_prices = []
    for price in found.wagers:
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
    """What the house keeps of such stakes in the long run: of a progressive, what goes to meter and reserve is paid out some day.

    The meter is then taken where it starts again; its first start is paid only once.
    """
    edge, terms = edge_at(price, stake), offer.progressives.get(price["wager"])
    if not terms or not price["meter"]:
        return edge
    again = Fraction(price["meter"]["per_dollar"]) * Fraction(terms.seed - terms.reseed, dollars(1))
    return edge + again - terms.rate - terms.reserve
