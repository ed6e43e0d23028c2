"""The tests of randomness are tested by enumeration: over all orders of a few cards, nothing is left to chance."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations, product
from math import comb, factorial
from typing import Any

import numpy as np
import pytest

from croupier.cards import deck
from croupier.floor.house.shuffle import Seeded, shuffled
from croupier.odds.evaluator import compared_hands
from croupier.odds.randomness import shuffle_tests
from croupier.odds.randomness.classic_questions import classic_questions, without_joker
from croupier.odds.randomness.shuffle_tests import (
    ShuffleCounts,
    ShuffleResult,
    by_next_card,
    by_position,
    holm,
    multinomial,
    serial,
)


def proves(vectors: list[Any], statistic: Any, degrees: int) -> None:
    """The statistic of a sum of draws is its squared distance under the exact covariance, whose rank is the degrees of freedom."""
    every = np.array(vectors, dtype=float)
    off = every.reshape(len(every), -1) - every.mean(axis=0).ravel()
    covariance = off.T @ off / len(off)
    assert np.linalg.matrix_rank(covariance) == degrees
    inverse = np.linalg.pinv(covariance, rcond=1e-9)
    for draws in np.random.default_rng(1).integers(len(every), size=(50, 3)):
        distance = off[draws].sum(axis=0) @ inverse @ off[draws].sum(axis=0) / 3
        assert statistic(every[draws].sum(axis=0), 3) == (pytest.approx(distance), degrees)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_card_by_position_has_the_exact_covariance(size: int) -> None:
    matrices = [np.eye(size)[list(order)] for order in permutations(range(size))]
    proves(matrices, by_position, (size - 1) ** 2)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_next_card_has_the_exact_covariance(size: int) -> None:
    matrices = []
    for order in permutations(range(size)):
        matrix = np.zeros((size + 1, size + 1))
        matrix[(size, *order), (*order, size)] = 1
        matrices.append(matrix)
    proves(matrices, by_next_card, size**2 - size - 1)


@pytest.mark.parametrize("size", [3, 4])
def test_serial_correlation_has_the_exact_covariance(size: int) -> None:
    centered = [np.array(order) - (size - 1) / 2 for order in permutations(range(size))]
    proves([one * other for one, other in product(centered, centered)], serial, size)


def test_descents_and_fixed_points_are_counted_as_enumeration_counts_them() -> None:
    orders = np.array(list(permutations(range(6))))
    assert np.bincount(shuffle_tests._descents(orders)).tolist() == shuffle_tests.eulerian(6)
    fixed = [comb(6, k) * shuffle_tests.derangements(6 - k) for k in range(7)]
    assert np.bincount(shuffle_tests._fixed_points(orders), minlength=7).tolist() == fixed
    assert sum(fixed) == factorial(6)


def test_color_changes_are_counted_as_enumeration_counts_them() -> None:
    rows = np.array([[place in reds for place in range(8)] for reds in combinations(range(8), 4)])
    changes = np.bincount((rows[:, 1:] != rows[:, :-1]).sum(axis=1), minlength=8)
    assert changes.tolist() == list(shuffle_tests.color_changes(4))
    assert sum(shuffle_tests.color_changes()) == comb(52, 26)


@pytest.mark.parametrize("jokers", [0, 1])
def test_every_question_counts_all_orders_or_all_hands(jokers: int) -> None:
    size = 52 + jokers
    orders = {name: factorial(size) for name in ("Ascending runs", "Rising sequences", "Fixed points", "Repeats")}
    hands = {f"Hands of {cards} cards": comb(52, cards) for cards in (3, 4, 5, 7)}
    joker = {"Hands with a joker": comb(53, 5)} if jokers else {}
    classic = {question.name for question in classic_questions()}  # they have a separate file
    found = {each.name: sum(each.ways) for each in shuffle_tests.questions(jokers) if each.name not in classic}
    assert found == {**orders, "Color runs": comb(52, 26), **hands, **joker}


def test_hands_have_the_textbook_counts() -> None:
    ways = {question.name: list(question.ways) for question in shuffle_tests.questions(0)}
    assert ways["Hands of 3 cards"] == [48, 52, 720, 1096, 3744, 16440]
    assert ways["Hands of 7 cards"][0] == 4324  # royal flushes
    assert ways["Hands of 7 cards"][-1] == 23_294_460  # high cards


def test_a_hand_is_seen_as_the_chapter_ranks_it() -> None:
    source, full = Seeded("hands"), deck(jokers=1)
    orders = np.array([shuffled(range(53), source) for _ in range(3000)])
    seen = {question.name: question.asked(orders).tolist() for question in shuffle_tests.questions(1)}
    tops = {"Hands with a joker": (shuffle_tests.hands_with_joker(), 5, 0)}
    top = 0
    for size, dealt in shuffle_tests.DEALT:
        tops[f"Hands of {dealt} cards"] = (compared_hands(size), dealt, top)
        top += dealt
    for name, (ranking, cards, top) in tops.items():
        kept = orders if name == "Hands with a joker" else without_joker(orders)
        for order, row in zip(kept[: 3000 if cards == 5 else 300].tolist(), seen[name], strict=False):
            assert ranking.rows[row] == ranking.row(tuple(full[at] for at in order[top : top + cards]))


def test_rare_outcomes_share_a_cell() -> None:
    assert multinomial([0, 1, 9, 90], [1, 1, 8, 90]) == (0.0, 1)
    assert multinomial([90, 9, 1], [90, 8, 2]) == (0.0, 1)
    assert multinomial([60, 40], [1, 1]) == (4.0, 1)


def test_holm_takes_the_least_p_as_often_as_there_are_tests() -> None:
    found = holm([ShuffleResult("", "", 0, 1, p) for p in (0.5, 0.004, 0.003, 0.6)])
    assert [each.adjusted for each in found] == pytest.approx([1.0, 0.012, 0.012, 1.0])
    assert all(each.passes_at(0.99) for each in found)
    assert [each.passes_at(0.99) for each in holm([ShuffleResult("", "", 0, 1, p) for p in (0.5, 0.0024, 0.0034)])] == [
        True,
        False,
        False,
    ]


def test_a_lost_card_is_found() -> None:
    with pytest.raises(ValueError, match="lost or duplicated"):
        ShuffleCounts().add(bytes([*range(51), 0]))


def test_parts_add_up() -> None:
    source = Seeded("parts")
    parts = [b"".join(bytes(shuffled(range(52), source)) for _ in range(count)) for count in (700, 1, 300)]
    tally = ShuffleCounts()
    for part in parts:
        tally.add(part)
    assert (tally.shuffles, tally.pairs) == (1001, 998)
    assert tally.positions.sum() == 1001 * 52
    assert tally.followed.sum() == 1001 * 53
    totals = Counter(int(seen.sum()) for seen in tally.seen)
    assert totals == {1001: 15, 998: 1}
    assert tally.tops.sum() == 1001
