"""The spread of many rounds: exact where possible, compared with brute force and the normal curve."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from croupier.odds.distribution import LOST, _most, _window, spread

COIN = [(Fraction(1), 1), (Fraction(-1), 1)]
THREE = [(Fraction(3, 2), 1), (Fraction(0), 2), (Fraction(-1), 3)]


def test_few_rounds_are_as_counted_by_hand() -> None:
    sums = [sum(nets, Fraction(0)) for nets in product(*[[net for net, times in THREE for _ in range(times)]] * 5)]
    found = spread(THREE, 5)
    assert found.exact
    assert found.ahead == pytest.approx(sum(each > 0 for each in sums) / len(sums))
    assert found.mean == pytest.approx(float(sum(sums) / len(sums)))
    assert found.marks[2] == float(sorted(sums)[len(sums) // 2])


def test_many_rounds_of_a_coin_look_normal() -> None:
    found = spread(COIN, 10_000)
    assert found.exact and found.mean == 0 and found.deviation == pytest.approx(100)
    assert found.marks[0] == pytest.approx(-257.6, abs=3) and found.marks[3] == pytest.approx(164.5, abs=3)
    assert sum(chance for _, chance in found.bins) == pytest.approx(0.998, abs=0.003)


def test_a_jackpot_that_would_need_too_long_a_window_is_reported_as_normal() -> None:
    found = spread([(Fraction(10_000_000), 1), (Fraction(-1), 10_000_000)], 100_000)
    assert not found.exact
    assert found.marks[1] < found.mean < found.marks[3]


def test_the_window_holds_all_but_a_billionth() -> None:
    low, high = _window(COIN, 2, 1000)
    assert low < -200 and high > 200
    hits = _most(1000, 0.001)
    assert 5 < hits < 20 and _most(1000, 0) == 0
    assert LOST <= 1e-9
