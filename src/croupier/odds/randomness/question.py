"""A question about a shuffle: something with few values that is seen in each, and in how many of all orders each value is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class ShuffleQuestion:
    """Something seen in a shuffle with few values: what they are in many shuffles, and in how many of all orders each."""

    name: str
    about: str
    asked: Callable[[Ints], Ints]
    ways: tuple[int, ...]


def how_many(true: NDArray[np.bool_]) -> Ints:
    """For each shuffle, in how many places the condition holds."""
    return np.asarray(true.sum(axis=1), dtype=np.int64)


def without_joker(orders: Ints) -> Ints:
    """The other 52 cards in their order, which is as random."""
    return orders[orders < 52].reshape(-1, 52)
