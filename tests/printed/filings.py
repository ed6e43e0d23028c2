"""Submissions to print: the example of each game, and a game with as little as its chapter allows."""

from __future__ import annotations

from functools import cache
from typing import Any

from croupier import book
from croupier.filing.check import check
from croupier.filing.offer import Offer
from croupier.filing.template import example

GAMES = tuple(book.MODULES)


@cache
def offer(game: str) -> Offer:
    return check(example(book.find(game).edition())).offer_or_refuse()


def bare(game: str, **changes: Any) -> Offer:
    """The example without its optional wagers."""
    raw = example(book.find(game).edition()) | {"wagers": []} | changes
    return check(raw).offer_or_refuse()
