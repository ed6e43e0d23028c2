"""The chi-square distribution: how likely is a sum of squares this large, or this small, by chance?

With d degrees of freedom it is the regularized incomplete gamma function of d/2 at x/2: a series to the left of the peak,
a continued fraction to the right (DLMF 8.7.1 and 8.9.2), each where it converges fast.
"""

from __future__ import annotations

from math import exp, lgamma, log

ENOUGH = 1e-15  # a term that changes the sum no more than rounding does


def tails(statistic: float, degrees: int) -> tuple[float, float]:
    """The chance of less than this statistic, and of more.

    >>> [round(chance, 4) for chance in tails(3.8415, 1)]
    [0.95, 0.05]
    """
    a, x = degrees / 2, statistic / 2
    if x <= 0:
        return 0.0, 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        lower = scale * _series(a, x)
        return lower, 1 - lower
    upper = scale * _fraction(a, x)
    return 1 - upper, upper


def p_value(statistic: float, degrees: int) -> float:
    """The two-sided p-value: the chance of a result at least as far from the expected one, or as close to it.

    >>> round(p_value(3.8415, 1), 4)
    0.1
    """
    return min(1.0, 2 * min(tails(statistic, degrees)))


def _series(a: float, x: float) -> float:
    total = term = 1 / a
    while term > total * ENOUGH:
        a += 1
        term *= x / a
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """By Lentz's method: multiply the ratios of convergents until the product no longer changes."""
    b = x + 1 - a
    c, d = float("inf"), 1 / b
    found, step = d, 1
    while True:
        an = step * (a - step)
        b += 2
        d, c = 1 / (b + an * d), b + an / c
        found *= c * d
        step += 1
        if abs(c * d - 1) < ENOUGH:
            return found
