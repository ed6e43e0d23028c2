"""The chi-square distribution compared with scipy's, at every size the report uses."""

from __future__ import annotations

from math import exp, isclose
from typing import Any

import pytest

from croupier.odds.randomness.chi_square import p_value, tails

SIZES = [1, 2, 3, 5, 8, 12, 52, 53, 100, 2601, 2651, 2704, 2755, 100_000]


@pytest.fixture(scope="module")
def chi2() -> Any:
    """Import scipy lazily: it takes a second, which only the worker that runs these tests should spend."""
    from scipy.stats import chi2 as found

    return found


@pytest.mark.parametrize("degrees", SIZES)
def test_both_tails_agree_with_scipy(degrees: int, chi2: Any) -> None:
    chances = [1e-300, 1e-30, 1e-9, 1e-4, 0.01, 0.3, 0.5, 0.7, 0.99]
    for statistic in [*chi2.ppf(chances, degrees), *chi2.isf(chances, degrees)]:
        lower, upper = tails(float(statistic), degrees)
        assert isclose(lower, chi2.cdf(statistic, degrees), rel_tol=1e-8)
        assert isclose(upper, chi2.sf(statistic, degrees), rel_tol=1e-8)


def test_two_degrees_are_an_exponential() -> None:
    for statistic in (0.001, 1.0, 3.9, 4.1, 50.0, 700.0):
        assert isclose(tails(statistic, 2)[1], exp(-statistic / 2), rel_tol=1e-13)


def test_a_probability_too_small_to_represent_is_zero_and_not_an_error() -> None:
    assert tails(1e9, 52) == (1.0, 0.0)
    assert tails(0.0, 52) == (0.0, 1.0)
    assert p_value(1e9, 52) == p_value(0.0, 52) == p_value(1e-9, 2601) == 0.0


def test_a_result_as_expected_is_not_suspicious(chi2: Any) -> None:
    assert p_value(float(chi2.median(52)), 52) == pytest.approx(1)
    assert p_value(float(chi2.isf(0.005, 52)), 52) == pytest.approx(0.01)
