"""Callbacks of long counts. Separate, so that registering one does not import numpy."""

from __future__ import annotations

from collections.abc import Callable

PROGRESS_CALLBACKS: list[Callable[[int, int], None]] = []  # called after each part with parts done and parts in all
ANNOUNCE_CALLBACKS: list[Callable[[str], None]] = []  # called with what is to be done before something long


def announce(deals: int, seconds: float) -> None:
    """Say how much is to be dealt, and about how long it takes."""
    for say in ANNOUNCE_CALLBACKS:
        say(f"about {deals:,} deals, about {duration_words(seconds)}")


def duration_words(seconds: float) -> str:
    """
    >>> duration_words(20), duration_words(90), duration_words(200), duration_words(9000)
    ('a minute', '2 minutes', '4 minutes', '3 hours')
    """
    minutes = -(-seconds // 60)
    if minutes > 90:
        return f"{round(seconds / 3600 + 0.5):,} hours"
    return "a minute" if minutes <= 1 else f"{minutes:.0f} minutes"
