"""What many bets are to come to: sums of stakes, and the exact moments of one bet. All exact; only a square root is not.

One bet wins the house −(n × stake + s × meter + f): of each outcome of the odds n is the player's net in units, s his share of
the meter, f a sum fixed in the paytable. So mean and variance of any number of bets follow from a few sums of products.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

from croupier.money import Kind, read_odds

Number = int | Fraction
Bet3 = tuple[Number, Number, Number]  # what the house won, the stake that is the unit, what the meter showed

FIXED = "$"  # how odds of a fixed sum are printed
COCHRAN = 25  # bets needed until a mean is about normal, times the square of the skewness
AT_LEAST = 30


@dataclass(frozen=True)
class Moments:
    """Of one bet: the outcomes as (stake's, meter's, fixed) parts with their chances; their means, and means of products."""

    parts: tuple[tuple[tuple[Fraction, Fraction, Fraction], Fraction], ...]
    mean: tuple[Fraction, Fraction, Fraction]
    covariance: tuple[tuple[Fraction, ...], ...]

    @classmethod
    def of(cls, outcomes: Iterable[Mapping[str, Any]]) -> Moments:
        listed = [(_part(each), int(each["count"])) for each in outcomes]
        deals = sum(count for _, count in listed)
        parts = tuple((part, Fraction(count, deals)) for part, count in listed)
        mean = tuple(sum((part[n] * chance for part, chance in parts), Fraction(0)) for n in range(3))
        covariance = tuple(
            tuple(sum((p[a] * p[b] * chance for p, chance in parts), Fraction(0)) - mean[a] * mean[b] for b in range(3))
            for a in range(3)
        )
        return cls(parts, (mean[0], mean[1], mean[2]), covariance)

    def needs(self, bet: tuple[Fraction, Fraction, Fraction]) -> int:
        """How many such bets until their sum is about normal (Cochran's rule)."""
        results = [(sum((x * y for x, y in zip(part, bet, strict=True)), Fraction(0)), chance) for part, chance in self.parts]
        mean = sum((result * chance for result, chance in results), Fraction(0))
        second = sum(((result - mean) ** 2 * chance for result, chance in results), Fraction(0))
        third = sum(((result - mean) ** 3 * chance for result, chance in results), Fraction(0))
        return max(AT_LEAST, ceil(COCHRAN * third**2 / second**3)) if second else AT_LEAST


def _part(outcome: Mapping[str, Any]) -> tuple[Fraction, Fraction, Fraction]:
    """An outcome's net of a $1 bet taken apart: a fixed sum does not grow with the stake.

    >>> _part({"net": "99/1", "share": "0/1", "odds": "$100"})
    (Fraction(-1, 1), Fraction(0, 1), Fraction(10000, 1))
    """
    net, share, odds = Fraction(outcome["net"]), Fraction(outcome["share"]), str(outcome["odds"])
    if odds.startswith(FIXED) and (fixed := read_odds(odds)).kind is Kind.DOLLARS:
        return net - fixed.amount / 100, share, fixed.amount
    return net, share, Fraction(0)


def moments_of(entries: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], Moments]:
    """By wager and hand: of each the first entry, which is the one under the filed readings."""
    found: dict[tuple[str, str], Moments] = {}
    for entry in entries:
        key = (entry["wager"], entry.get("on", ""))
        if key not in found:
            found[key] = Moments.of(entry["outcomes"])
    return found


@dataclass(frozen=True)
class Expected:
    """What the house was to win, and the variance: as the seats went together, as if each played alone, as if all were one."""

    win: Fraction
    variance: Fraction
    apart: Fraction
    together: Fraction
    needs: int


SIZE = 4  # what the house won, stake, meter, one


@dataclass
class Tally:
    """Sums of products of (win, stake, meter, 1): over single bets, and over the totals of rounds."""

    bets: int = 0
    sums: list[Number] = field(default_factory=lambda: [0] * SIZE)
    alone: list[list[Number]] = field(default_factory=lambda: [[0] * SIZE for _ in range(SIZE)])
    rounds: list[list[Number]] = field(default_factory=lambda: [[0] * SIZE for _ in range(SIZE)])

    def add(self, made: Sequence[Bet3]) -> None:
        """The bets of one round on one wager."""
        total: list[Number] = [0] * SIZE
        for bet in made:
            each = (*bet, 1)
            _add_products(self.alone, each)
            total = [a + b for a, b in zip(total, each, strict=True)]
        _add_products(self.rounds, total)
        self.sums = [a + b for a, b in zip(self.sums, total, strict=True)]
        self.bets += len(made)

    def expected(self, moments: Moments) -> Expected:
        """Seats that share cards win and lose together: what they did so in these rounds is between nothing and everything."""
        mean = sum((-m * x for m, x in zip(moments.mean, self.sums[1:], strict=True)), Fraction(0))
        apart, together = self._variance(moments, self.alone), self._variance(moments, self.rounds)
        seen = self._crossed(moments)
        variance = min(max(apart + seen, apart), max(apart, together))
        unit = Fraction(1, self.bets)
        return Expected(mean, variance, apart, together, moments.needs((self.sums[1] * unit, self.sums[2] * unit, Fraction(1))))

    def _variance(self, moments: Moments, products: list[list[Number]]) -> Fraction:
        pairs = product(range(3), repeat=2)
        return sum((moments.covariance[a][b] * products[a + 1][b + 1] for a, b in pairs), Fraction(0))

    def _crossed(self, moments: Moments) -> Fraction:
        """The products of what different seats of a round won beyond what was expected of them, summed."""
        beyond = (Fraction(1), *moments.mean)  # what the house won, less −(mean)
        pairs = product(range(SIZE), repeat=2)
        return sum((beyond[a] * beyond[b] * (self.rounds[a][b] - self.alone[a][b]) for a, b in pairs), Fraction(0))


def _add_products(into: list[list[Number]], each: Sequence[Number]) -> None:
    for a in range(SIZE):
        for b in range(SIZE):
            into[a][b] += each[a] * each[b]
