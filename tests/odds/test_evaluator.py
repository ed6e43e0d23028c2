"""The batch evaluator compared with phevaluator."""

from __future__ import annotations

import numpy as np
import pytest
from phevaluator import evaluate_cards

from croupier.odds import evaluate
from croupier.odds.kernels.card_sets import card


@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_evaluator_agrees_with_phevaluator_on_random_hands(size: int) -> None:
    random = np.random.default_rng(size)
    hands = np.array([random.choice(52, size, replace=False) for _ in range(20_000)])
    ours = evaluate(hands)
    theirs = [evaluate_cards(*(str(card(int(n))) for n in row)) for row in hands]
    assert (ours == 7462 - np.array(theirs)).all()


def test_a_malformed_hand_is_refused() -> None:
    with pytest.raises(ValueError, match="5, 6 or 7"):
        evaluate(np.zeros((3, 4), dtype=np.uint8))
    with pytest.raises(ValueError, match="0 to 51"):
        evaluate(np.full((1, 5), 52))
