"""Expected win and variance of many bets, from sums of stakes and the exact moments of one bet.

One bet wins the house −(n × stake + s × meter + f): for each outcome of the odds, n is the player's net in units, s their share
of the meter, f a sum fixed in the paytable. So mean and variance of any number of bets follow from a few sums of products.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

from croupier.money import Kind, read_odds

Number = int | Fraction
Bet3 = tuple[Number, Number, Number]  # what the house won, the stake in units, what the meter showed

FIXED = "$"  # the first character of odds of a fixed sum
COCHRAN = 25  # times the squared skewness: bets until a mean is about normal
AT_LEAST = 30


@dataclass(frozen=True)
class Moments:
    """The outcomes of one bet as (stake, meter, fixed) parts with their chances, the means of these parts and their covariance."""

    parts: tuple[tuple[tuple[Fraction, Fraction, Fraction], Fraction], ...]
    mean: tuple[Fraction, Fraction, Fraction]
    covariance: tuple[tuple[Fraction, ...], ...]

    @classmethod
    def of(cls, price: Mapping[str, Any]) -> Moments:
        """The moments of one bet on a wager with this price."""
        listed = [(_part(each, price.get("stake", 0)), int(each["count"])) for each in price["outcomes"]]
        deals = sum(count for _, count in listed)
        parts = tuple((part, Fraction(count, deals)) for part, count in listed)
        mean = tuple(sum((part[n] * chance for part, chance in parts), Fraction(0)) for n in range(3))
        covariance = tuple(
            tuple(sum((p[a] * p[b] * chance for p, chance in parts), Fraction(0)) - mean[a] * mean[b] for b in range(3))
            for a in range(3)
        )
        return cls(parts, (mean[0], mean[1], mean[2]), covariance)

    def needs(self, bet: tuple[Fraction, Fraction, Fraction]) -> int:
        """How many such bets it takes until their sum is about normal (Cochran's rule)."""
        results = [(sum((x * y for x, y in zip(part, bet, strict=True)), Fraction(0)), chance) for part, chance in self.parts]
        mean = sum((result * chance for result, chance in results), Fraction(0))
        second = sum(((result - mean) ** 2 * chance for result, chance in results), Fraction(0))
        third = sum(((result - mean) ** 3 * chance for result, chance in results), Fraction(0))
        return max(AT_LEAST, ceil(COCHRAN * third**2 / second**3)) if second else AT_LEAST


def _part(outcome: Mapping[str, Any], stake: int) -> tuple[Fraction, Fraction, Fraction]:
    """The (stake, meter, fixed) parts of an outcome: a fixed sum does not grow with the stake.

    >>> _part({"net": "19/1", "share": "0/1", "odds": "$100"}, 500)
    (Fraction(-1, 1), Fraction(0, 1), Fraction(10000, 1))
    """
    net, share, odds = Fraction(outcome["net"]), Fraction(outcome["share"]), str(outcome["odds"])
    if odds.startswith(FIXED) and (fixed := read_odds(odds)).kind is Kind.DOLLARS:
        return net - fixed.amount / stake, share, fixed.amount
    return net, share, Fraction(0)


@dataclass(frozen=True)
class Expected:
    """The expected win of the house, and its variance: as the seats correlated, if none did (apart), if all did (together)."""

    win: Fraction
    variance: Fraction
    apart: Fraction
    together: Fraction
    needs: int


SIZE = 4  # what the house won, stake, meter, one
PAIRS = tuple(product(range(SIZE), repeat=2))


@dataclass
class BetSums:
    """Sums of (win, stake, meter, 1) and of their pairwise products, over single bets and over the totals of rounds."""

    bets: int = 0
    sums: list[Number] = field(default_factory=lambda: [0] * SIZE)
    alone: list[Number] = field(default_factory=lambda: [0] * len(PAIRS))
    rounds: list[Number] = field(default_factory=lambda: [0] * len(PAIRS))

    def add(self, made: Sequence[Bet3]) -> None:
        """Add the bets of one round on one wager."""
        for bet in made:
            _add_products(self.alone, (*bet, 1))
        totals = (*map(sum, zip(*made, strict=True)), len(made))
        _add_products(self.rounds, totals)
        self.sums = [a + b for a, b in zip(self.sums, totals, strict=True)]
        self.bets += len(made)

    def expected(self, moments: Moments) -> Expected:
        """The expected win. Seats share cards: their observed correlation is limited to between none and all."""
        mean = sum((-m * x for m, x in zip(moments.mean, self.sums[1:], strict=True)), Fraction(0))
        apart, together = self._variance(moments, self.alone), self._variance(moments, self.rounds)
        seen = self._crossed(moments)
        variance = min(max(apart + seen, apart), max(apart, together))
        unit = Fraction(1, self.bets)
        return Expected(mean, variance, apart, together, moments.needs((self.sums[1] * unit, self.sums[2] * unit, Fraction(1))))

    def _variance(self, moments: Moments, products: list[Number]) -> Fraction:
        terms = (moments.covariance[a - 1][b - 1] * products[n] for n, (a, b) in enumerate(PAIRS) if a and b)
        return sum(terms, Fraction(0))

    def _crossed(self, moments: Moments) -> Fraction:
        """The sum of products of what different seats of a round won beyond their expectation."""
        beyond = (Fraction(1), *moments.mean)  # what the house won, less −(mean)
        terms = (beyond[a] * beyond[b] * (self.rounds[n] - self.alone[n]) for n, (a, b) in enumerate(PAIRS))
        return sum(terms, Fraction(0))


def _add_products(into: list[Number], of: Sequence[Number]) -> None:
    """Add products in the order of PAIRS."""
    for n, (a, b) in enumerate(PAIRS):
        into[n] += of[a] * of[b]
