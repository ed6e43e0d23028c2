"""Who wants to know how far long counting has come. Apart, so that listening needs no numerics."""

from __future__ import annotations

from collections.abc import Callable

COUNTING: list[Callable[[int, int], None]] = []  # told after each part how many parts are done, of how many
