"""Where a ranking has no row for runs, consecutive cards are compared like any others, and the ace is high."""

from __future__ import annotations

import pytest

from croupier.book import poker
from croupier.cards import cards
from croupier.law.ranking import Hand, Ranking

PAIRS = Ranking("X", "Hand", 3, [Hand("Pair", poker.of_a_kind(2))], compared=True, cite="6(a)")
FLUSHES = Ranking("X", "Hand", 3, [Hand("Flush", poker.flush)], compared=True, cite="6(a)")
STRAIGHTS = Ranking("X", "Hand", 3, [Hand("Straight", poker.straight), Hand("Flush", poker.flush)], compared=True, cite="6(a)")


@pytest.mark.parametrize(
    ("ranking", "higher", "lower"),
    [
        (PAIRS, "9s 8d 7h", "9s 8d 6h"),
        (PAIRS, "As 3d 2h", "Ks Qd Th"),
        (PAIRS, "As 4d 2h", "As 3d 2h"),
        (FLUSHES, "As 3s 2s", "Kd Qd Jd"),
        (FLUSHES, "As 3d 2h", "Kd Qs Th"),
        (STRAIGHTS, "4s 3d 2h", "As 3d 2h"),
        (STRAIGHTS, "As Kd Qh", "Kd Qs Jh"),
        (STRAIGHTS, "2s 3d Ah", "As Ks 9s"),
    ],
)
def test_a_run_counts_as_one_only_where_a_row_is_for_runs(ranking: Ranking, higher: str, lower: str) -> None:
    assert ranking.strength(cards(higher)) > ranking.strength(cards(lower))


def test_a_hand_is_called_by_the_card_that_is_compared_first() -> None:
    assert FLUSHES.call(cards("As 3s 2s")) == "flush, ace high"
    assert STRAIGHTS.call(cards("As 3s 2d")) == "straight, 3 high"
    assert PAIRS.call(cards("As 3s 2d")) == "ace high"
