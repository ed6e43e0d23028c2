"""Expected win and variance of many bets, from sums of stakes and the exact moments of one bet.

One bet wins the house −(n × stake + s × meter + f): for each outcome of the odds, n is the player's net in units, s their share
of the meter, f a sum fixed in the paytable. So mean and variance of any number of bets follow from a few sums of products.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import ceil
from operator import mul
from typing import Any

from croupier.money import Kind, read_odds

Number = int | Fraction
BetAmounts = tuple[Number, Number, Number]  # what the house won, the stake in units, what the meter showed

FIXED = "$"  # the first character of odds of a fixed sum
COCHRAN = 25  # times the squared skewness: bets until a mean is about normal
AT_LEAST = 30


def dot(one: Iterable[Number], other: Iterable[Number]) -> Fraction:
    """The sum of the products of two lists."""
    return sum((Fraction(a) * b for a, b in zip(one, other, strict=True)), Fraction(0))


@dataclass(frozen=True)
class Moments:
    """The outcomes of one bet as (stake, meter, fixed) parts with their chances, the means of these parts and their covariance."""

    parts: tuple[tuple[Fraction, ...], ...]
    chances: tuple[Fraction, ...]
    mean: tuple[Fraction, ...]
    covariance: tuple[tuple[Fraction, ...], ...]

    @classmethod
    def of(cls, price: Mapping[str, Any]) -> Moments:
        """The moments of one bet on a wager with this price."""
        counts = [int(each["count"]) for each in price["outcomes"]]
        parts = tuple(_part(each, price.get("stake", 0)) for each in price["outcomes"])
        chances = tuple(Fraction(count, sum(counts)) for count in counts)
        columns = list(zip(*parts, strict=True))
        mean = tuple(dot(column, chances) for column in columns)
        covariance = tuple(
            tuple(dot(map(mul, one, other), chances) - m * n for other, n in zip(columns, mean, strict=True))
            for one, m in zip(columns, mean, strict=True)
        )
        return cls(parts, chances, mean, covariance)

    def needs(self, bet: Sequence[Number]) -> int:
        """How many such bets it takes for their sum to be about normal (Cochran's rule)."""
        results = [dot(part, bet) for part in self.parts]
        mean = dot(results, self.chances)
        second, third = (dot(((result - mean) ** power for result in results), self.chances) for power in (2, 3))
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
    """Sums of the pairwise products of (win, stake, meter, 1), over single bets and over the totals of rounds."""

    alone: list[Number] = field(default_factory=lambda: [0] * len(PAIRS))
    rounds: list[Number] = field(default_factory=lambda: [0] * len(PAIRS))

    def add(self, bets: Sequence[BetAmounts]) -> None:
        """Add the bets of one round on one wager."""
        for bet in bets:
            _add_products(self.alone, (*bet, 1))
        _add_products(self.rounds, (*map(sum, zip(*bets, strict=True)), len(bets)))

    def expected(self, moments: Moments) -> Expected:
        """The expected win. Seats share cards: their observed correlation is limited to between none and all."""
        _, *sums = self.alone[SIZE - 1 :: SIZE]  # the products with 1
        covariance = [0 if a == 0 or b == 0 else moments.covariance[a - 1][b - 1] for a, b in PAIRS]
        apart, together = dot(covariance, self.alone), dot(covariance, self.rounds)
        # Products of what different seats of a round won beyond their expectation: their win, less −(mean).
        beyond: tuple[Number, ...] = (1, *moments.mean)
        crossed = [of_rounds - of_bets for of_rounds, of_bets in zip(self.rounds, self.alone, strict=True)]
        seen = dot((beyond[a] * beyond[b] for a, b in PAIRS), crossed)
        variance = min(max(apart + seen, apart), max(apart, together))
        average = [Fraction(total, sums[-1]) for total in sums]
        return Expected(-dot(moments.mean, sums), variance, apart, together, moments.needs(average))


def _add_products(into: list[Number], of: Sequence[Number]) -> None:
    """Add products in the order of PAIRS."""
    for n, (a, b) in enumerate(PAIRS):
        into[n] += of[a] * of[b]
