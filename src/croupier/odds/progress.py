"""Progress callbacks of long counts. Separate, so that registering one does not import numpy."""

from __future__ import annotations

from collections.abc import Callable

COUNTING: list[Callable[[int, int], None]] = []  # called after each part with parts done and parts in all
