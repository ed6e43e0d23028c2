"""The Kolmogorov-Smirnov test: how far does the share of shuffles below any point stray from its expectation?"""

from __future__ import annotations

from math import exp, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray


def distance(counts: NDArray[Any]) -> float:
    """The greatest difference between the shares of equally likely cells up to any of them and their expectations.

    >>> distance(np.array([1, 1, 2, 0])), distance(np.array([5, 5]))
    (0.25, 0.0)
    """
    cells = len(counts)
    return float(np.abs(counts.cumsum() / counts.sum() - np.arange(1, cells + 1) / cells).max())


def p_value(found: float, draws: int) -> float:
    """The two-sided p-value: the chance of a distance at least as large, or as small, among many draws.

    Kolmogorov's limit with Vrbik's correction (2018) for the number of draws.
    """
    x = found * sqrt(draws)
    beyond = tail(x + 1 / (6 * sqrt(draws)) + (x - 1) / (4 * draws))
    return min(1.0, 2 * min(beyond, 1 - beyond))


def tail(x: float) -> float:
    """The chance of more than x in Kolmogorov's distribution: two series, each where it converges fast.

    >>> round(tail(1.358), 3), tail(0)
    (0.05, 1.0)
    """
    if x <= 0:
        return 1.0
    if x < 1:
        return 1 - sqrt(2 * pi) / x * sum(exp(-(((2 * k - 1) * pi / x) ** 2) / 8) for k in range(1, 6))
    return 2 * sum((1 if k % 2 else -1) * exp(-2 * (k * x) ** 2) for k in range(1, 6))
