"""The distribution of the net after many rounds: exact by FFT, or a normal curve where the exact one is too long.

The transform of the sum of N independent rounds is the N-th power of one round's transform. Sums wrap around in a window so wide
that the chance of falling outside is less than LOST: by Bernstein's inequality for common results, and by the binomial tail for
rare large ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, exp, lcm, lgamma, log, sqrt
from statistics import NormalDist

import numpy as np

LOST = 1e-9
LONGEST = 1 << 21  # points of the window
RARE = 100  # units; larger results are bounded by how often they occur
BINS = 120
MARKS = (0.005, 0.05, 0.5, 0.95, 0.995)

Result = tuple[Fraction, int]  # net of one unit, and how many deals have it


@dataclass(frozen=True)
class Spread:
    """The player's net after a number of one-unit rounds."""

    rounds: int
    exact: bool
    mean: float
    deviation: float
    ahead: float  # the chance that the player is ahead
    marks: tuple[float, ...]  # the quantiles of the net at MARKS
    bins: tuple[tuple[float, float], ...]  # the middle of each bin, and its chance


def spread(results: list[Result], rounds: int) -> Spread:
    """The distribution of the sum of this many rounds."""
    deals = sum(count for _, count in results)
    mean = sum((net * count for net, count in results), Fraction(0)) / deals
    variance = sum((net * net * count for net, count in results), Fraction(0)) / deals - mean**2
    total = float(mean) * rounds, sqrt(float(variance)) * sqrt(rounds)
    window = _window(results, deals, rounds)
    scale = lcm(*(net.denominator for net, _ in results))
    if (window[1] - window[0]) * scale > LONGEST:
        return _normal(total, rounds)
    return _exact(results, deals, total, rounds, window, scale)


def _window(results: list[Result], deals: int, rounds: int) -> tuple[int, int]:
    """Bounds, in units, outside which the sum falls with chance less than LOST."""
    rare = [(net, count) for net, count in results if abs(net) > RARE]
    common = [(net, count) for net, count in results if abs(net) <= RARE]
    mean = sum(float(net) * count for net, count in common) / deals * rounds
    square = sum(float(net) ** 2 * count for net, count in common) / deals * rounds
    t = sqrt(square) + 1
    while 2 * exp(-(t * t) / 2 / (square + 2 * RARE * t / 3)) > LOST / 2:
        t *= 1.1
    hits = _most(rounds, sum(count for _, count in rare) / deals)
    most = max((float(net) for net, _ in rare), default=0.0) * hits
    least = min((float(net) for net, _ in rare), default=0.0) * hits
    return ceil(mean - t + min(0.0, least)) - 1, ceil(mean + t + max(0.0, most)) + 1


def _most(rounds: int, chance: float) -> int:
    """A number of rare results that is exceeded less often than LOST / 2."""
    if not chance:
        return 0
    hits, tail = 0, 1.0
    while tail > LOST / 2:
        ways = lgamma(rounds + 1) - lgamma(hits + 1) - lgamma(rounds - hits + 1)
        tail -= exp(ways + hits * log(chance) + (rounds - hits) * log(1 - chance))
        hits += 1
    return hits


def _exact(
    results: list[Result], deals: int, total: tuple[float, float], rounds: int, window: tuple[int, int], scale: int
) -> Spread:
    low = window[0] * scale
    size = 1 << ((window[1] - window[0]) * scale).bit_length()
    one = np.zeros(size)
    for net, count in results:
        one[int(net * scale) % size] += count / deals
    sums = np.clip(np.fft.irfft(np.fft.rfft(one) ** rounds, size), 0, None)
    chances = np.roll(sums, -(low % size))
    values = (low + np.arange(size)) / scale
    upto = np.cumsum(chances)
    marks = [float(values[int(np.searchsorted(upto, mark))]) for mark in MARKS]
    ahead = float(chances[values > 0].sum())
    inside = int(np.searchsorted(upto, 0.001)), int(np.searchsorted(upto, 0.999)) + 1
    step = max(1, ceil((inside[1] - inside[0]) / BINS))
    parts = [slice(at, at + step) for at in range(inside[0], inside[1], step)]
    bins = [(float(values[part].mean()), float(chances[part].sum())) for part in parts]
    return Spread(rounds, True, *total, ahead, tuple(marks), tuple(bins))


def _normal(total: tuple[float, float], rounds: int) -> Spread:
    mean, deviation = total
    upto = NormalDist(mean, deviation).cdf
    marks = tuple(mean + deviation * NormalDist().inv_cdf(mark) for mark in MARKS)
    edges = [mean + deviation * (-3.1 + 6.2 * n / BINS) for n in range(BINS + 1)]
    bins = [((a + b) / 2, upto(b) - upto(a)) for a, b in pairwise(edges)]
    return Spread(rounds, False, mean, deviation, 1 - upto(0), marks, tuple(bins))
