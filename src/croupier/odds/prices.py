"""The prices of an Offer: what each of its wagers costs, asked here by every page, paper and command that states it.

An edge is exact, under the Offer's own letters, form, added rows and readings, at the least stake that it allows, with a meter at
its filed seed and with what the system draws as often as it is filed.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.filing.offer import Offer
from croupier.law.wager import Wager
from croupier.money import Cents, percent, read_odds, show
from croupier.odds.report import FILED, Around, kept, report

Price = dict[str, Any]  # an entry of `croupier odds --json`
AT_MOST = "wager at its maximum"


@dataclass(frozen=True)
class Prices:
    """The report of an Offer, by what its entries are."""

    report: dict[str, Any]

    @cached_property
    def wagers(self) -> list[Price]:
        """Of each wager offered, its price as filed."""
        return [entry for entry in self.report["entries"] if entry["role"] == FILED]

    @cached_property
    def others(self) -> list[Price]:
        """At the maximum where that differs, under other readings, by draws and by envy."""
        return [entry for entry in self.report["entries"] if entry["role"] != FILED]

    @property
    def published(self) -> list[str]:
        return list(self.report["published"])

    @property
    def not_counted(self) -> dict[str, str]:
        """By the wager, why it has no price."""
        return dict(self.report["not_counted"])

    def at_most(self, price: Price) -> Price | None:
        """The same wager at the greatest stake, where that has another price."""
        return next((other for other in self.others if other["role"] == AT_MOST and name_of(other) == name_of(price)), None)


def prices(offer: Offer, *, fresh: bool = False, counting: Around = nullcontext) -> Prices:
    """The prices of an Offer, counted once and then kept."""
    return Prices(report(offer.rules, offer, fresh=fresh, counting=counting))


def prices_kept(offer: Offer) -> Prices | None:
    """The prices of an Offer if they have been counted before."""
    found = kept(offer)
    return Prices(found) if found else None


def name_of(price: Price) -> str:
    """A wager with the hand that it is on.

    >>> name_of({"wager": "Bonus Wager"}), name_of({"wager": "Bonus Wager", "on": "dealer"})
    ('Bonus Wager', "Bonus Wager on the dealer's hand")
    """
    name: str = price["wager"]
    return name + (f" on the {price['on']}'s hand" if price.get("on") else "")


def wager_name(wager: Wager) -> str:
    """A wager as its price is called."""
    return name_of({"wager": wager.group or wager.name, "on": wager.side})


def edge_of(price: Price) -> str:
    """The edge as it is stated everywhere."""
    return percent(price["edge"])


def stake_of(price: Price) -> str:
    """The stake that is priced, where it matters: “at $5”."""
    return f"at {show(price['stake'])}" if price.get("stake") else ""


def edge_at(price: Price, stake: Cents) -> Fraction:
    """The edge at another stake: a fixed sum does not grow with it."""
    edge = Fraction(price["edge"])
    if price["meter"] or not price.get("stake"):
        return edge  # the amount of a progressive is the filed one
    paid = [(read_odds(each["odds"]), each["count"]) for each in price["outcomes"] if each["odds"].startswith("$")]
    fixed = sum((odds.amount * count for odds, count in paid), Fraction(0)) / price["combinations"]
    return edge + fixed / price["stake"] - fixed / stake


def edge_with(price: Price, meter: Cents) -> Fraction:
    """The edge with this much on the meter instead of its seed."""
    return Fraction(price["edge"]) - Fraction(price["meter"]["per_dollar"]) * Fraction(meter - price["meter"]["seed"], 100)
