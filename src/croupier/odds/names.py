"""Names of prices and exact figures, as reports and pages show them."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Any

from croupier.law.chapter import Rules
from croupier.law.wager import Wager

Price = dict[str, Any]  # an entry of `croupier odds --json`


class EntryRole(StrEnum):
    """What an entry prices."""

    WAGER = "wager"  # a wager under the readings in force; in an Offer, at its lowest stake
    AT_MOST = "wager at its maximum"  # the same at its highest stake, if that changes it
    ALTERNATIVE = "alternative"  # a wager under another alternative of one reading
    DRAW = "draw"  # what a draw of the system adds each time
    ENVY = "envy"  # what an envy bonus adds for each other player
    UNANSWERED = "unanswered"  # a player who never answers: the main game, and a side wager if silence changes its price


def exact(value: Fraction) -> str:
    """A figure as an exact fraction.

    >>> exact(Fraction(3, 2)), exact(Fraction(1))
    ('3/2', '1/1')
    """
    return f"{value.numerator}/{value.denominator}"


def price_name(price: Price) -> str:
    """A wager with the hand that it is on.

    >>> price_name({"wager": "Bonus Wager"}), price_name({"wager": "Bonus Wager", "on": "dealer"})
    ('Bonus Wager', "Bonus Wager on the dealer's hand")
    """
    name: str = price["wager"]
    return name + (f" on the {price['on']}'s hand" if price.get("on") else "")


def wager_name(wager: Wager) -> str:
    """A wager as its price is called."""
    return price_name({"wager": wager.group or wager.name, "on": wager.side})


def priced_wager(rules: Rules, price: Price) -> Wager:
    """The wager that a price is of, or the first of the group that is priced together."""
    return next(wager for wager in rules.wagers.values() if price["wager"] in (wager.name, wager.group))


def outcomes_by_net(price: Price) -> list[dict[str, Any]]:
    """The outcomes behind a price, from the best for the player to the worst; what is paid from a meter comes first."""
    return sorted(price["outcomes"], key=lambda each: (-Fraction(each["share"]), -Fraction(each["net"])))


def units_of(net: Fraction) -> str:
    """A net result in units of the wager.

    >>> units_of(Fraction(3, 2)), units_of(Fraction(-1)), units_of(Fraction(0))
    ('+1.5', '-1', '0')
    """
    value = f"{int(net):,}" if net.denominator == 1 else f"{float(net):,.4f}".rstrip("0")
    return f"+{value}" if net > 0 else value


def interval_words(error: float | None, agrees: bool | None) -> tuple[str, str]:
    """The confidence interval of a simulated edge, and whether the exact edge is in it.

    >>> interval_words(0.001, True), interval_words(None, None)
    (('± 0.1000%', 'agrees'), ('too few rounds', ''))
    """
    interval = "too few rounds" if error is None else f"± {error * 100:.4f}%"
    return interval, {True: "agrees", False: "differs", None: ""}[agrees]
