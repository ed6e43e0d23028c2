"""The classic tests of random numbers, applied to cards: compared with enumeration, with a plain count, and with scipy."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, permutations
from math import comb, factorial
from typing import Any

import numpy as np
import pytest

from croupier.cards import ACE, Card, deck
from croupier.floor.house.shuffle import Seeded, shuffled
from croupier.odds.randomness import kolmogorov, shuffle_tests
from croupier.odds.randomness.classic_questions import coupons, equal_pairs, gaps, overlaps


@pytest.fixture(scope="module")
def stats() -> Any:
    """Import scipy lazily: it takes a second, which only the worker that runs these tests should spend."""
    import scipy.stats

    return scipy.stats


def counted(found: Counter[int], length: int) -> list[int]:
    return [found[each] for each in range(length)]


@pytest.mark.parametrize(("marked", "size"), [(2, 5), (3, 7), (4, 9)])
def test_gaps_are_counted_as_enumeration_counts_them(marked: int, size: int) -> None:
    found = Counter(places[1] - places[0] - 1 for places in combinations(range(size), marked))
    assert list(gaps(marked, size)) == counted(found, size - marked + 1)


@pytest.mark.parametrize("each", [2, 3, 5])
def test_overlaps_are_counted_as_enumeration_counts_them(each: int) -> None:
    found = Counter[int]()
    for reds in combinations(range(2 * each), each):
        colors = [place in reds for place in range(2 * each)]
        found[sum(colors[at] == colors[at + 1] == colors[at + 2] for at in range(2 * each - 2))] += 1
    assert overlaps(each) == counted(found, 2 * each - 1)


@pytest.mark.parametrize(("kinds", "each"), [(2, 3), (3, 2), (4, 2)])
def test_coupons_are_counted_as_enumeration_counts_them(kinds: int, each: int) -> None:
    found = Counter(
        next(dealt for dealt in range(kinds * each + 1) if len({card // each for card in order[:dealt]}) == kinds)
        for order in permutations(range(kinds * each))
    )
    assert list(coupons(kinds, each)) == counted(found, kinds * each + 1)


def test_equal_pairs_are_counted_as_enumeration_counts_them() -> None:
    """Eight cards of two ranks in every order. Each way to pair them off comes in 4! × 2**4 orders."""
    found = Counter(sum(order[at] // 4 == order[at + 4] // 4 for at in range(4)) for order in permutations(range(8)))
    assert [ways * factorial(4) * 2**4 for ways in equal_pairs(2)] == counted(found, 5)


def test_all_ways_are_counted() -> None:
    all_ways = {
        "Gaps": comb(52, 4),
        "Overlaps": comb(52, 26),
        "Coupon collector": factorial(52),
        "Permutations": 24,
        "Order statistic": comb(52, 5),
        "Interplay": factorial(52) // (factorial(26) * 2**26),
        "Subsequences": comb(52, 13),
    }
    assert all_ways.items() <= {question.name: sum(question.ways) for question in shuffle_tests.questions(0)}.items()


def counted_plainly(order: tuple[Card, ...]) -> dict[str, int]:
    new = list(deck())
    aces = [place for place, card in enumerate(order) if card.rank == ACE]
    colors, lexical = [card.is_red for card in order], list(permutations(range(4)))
    first = sorted(order[:4], key=new.index)
    return {
        "Gaps": aces[1] - aces[0] - 1,
        "Overlaps": sum(one == two == three for (one, two), (_, three) in pairwise(pairwise(colors))),
        "Coupon collector": next(dealt for dealt in range(53) if len({card.rank for card in order[:dealt]}) == 13),
        "Permutations": lexical.index(tuple(first.index(card) for card in order[:4])),
        "Order statistic": max(new.index(card) for card in order[:5]),
        "Interplay": sum(one.rank == other.rank for one, other in zip(order[:26], order[26:], strict=True)),
        "Subsequences": sum(card.suit == "s" for card in order[3::4]),
    }


@pytest.mark.parametrize("jokers", [0, 1])
def test_each_matches_a_plain_count(jokers: int) -> None:
    source, full = Seeded("classic"), deck(jokers)
    orders = np.array([shuffled(range(52 + jokers), source) for _ in range(500)])
    seen = {question.name: question.asked(orders) for question in shuffle_tests.questions(jokers)}
    for at, order in enumerate(orders):
        for name, value in counted_plainly(tuple(full[card] for card in order if card < 52)).items():
            assert seen[name][at] == value, name


def test_subsequences_and_the_order_statistic_are_scipys(stats: Any) -> None:
    ways = {question.name: question.ways for question in shuffle_tests.questions(0)}
    spades = stats.hypergeom(52, 13, 13).pmf(range(14))
    assert [each / comb(52, 13) for each in ways["Subsequences"]] == pytest.approx(spades)
    at_most = [stats.hypergeom(52, k + 1, 5).pmf(5) for k in range(52)]  # all five are among the lowest k + 1
    assert np.cumsum([each / comb(52, 5) for each in ways["Order statistic"]]).tolist() == pytest.approx(at_most)


def test_fixed_points_are_a_poisson_distribution(stats: Any) -> None:
    """810a.5(c)(15): with 52 cards the exact counts and Poisson's are the same to twelve digits."""
    (ways,) = (question.ways for question in shuffle_tests.questions(0) if question.name == "Fixed points")
    assert [each / factorial(52) for each in ways[:12]] == pytest.approx(stats.poisson(1).pmf(range(12)), rel=1e-12)


@pytest.mark.parametrize("draws", [1_000, 20_000, pytest.param(1_000_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("x", [0.4, 0.6, 0.8, 0.999, 1.001, 1.358, 1.628, 2.2])
def test_kolmogorovs_tail_is_scipys(x: float, draws: int, stats: Any) -> None:
    assert kolmogorov.tail(x) == pytest.approx(stats.kstwobign.sf(x), rel=1e-9)
    exact = float(stats.kstwo.sf(x / draws**0.5, draws))
    assert kolmogorov.p_value(x / draws**0.5, draws) == pytest.approx(2 * min(exact, 1 - exact), rel=1e-3, abs=1e-5)


def test_the_distance_is_scipys(stats: Any) -> None:
    """With many cells it is the distance of a continuous distribution, to within one cell."""
    drawn = np.random.default_rng(1).integers(132_600, size=5_000)
    ours = kolmogorov.distance(np.bincount(drawn, minlength=132_600))
    assert ours == pytest.approx(stats.kstest((drawn + 0.5) / 132_600, "uniform").statistic, abs=1 / 132_600)


def test_the_first_three_cards_are_numbered_in_the_order_of_the_deck() -> None:
    every = [(*three, *(card for card in range(8) if card not in three)) for three in permutations(range(8), 3)]
    orders = np.array([(*order, *range(8, 52)) for order in every])
    numbers = shuffle_tests._first_three(orders).tolist()
    assert numbers == sorted(numbers)
    assert len(set(numbers)) == len(every)
    last = np.array([(51, 50, 49, *range(49))])
    assert (numbers[0], shuffle_tests._first_three(last).tolist()) == (0, [52 * 51 * 50 - 1])
