"""Submissions to print: each game's example, and a game with as little as its chapter allows."""

from __future__ import annotations

from functools import cache
from typing import Any

from croupier.filing.check import check
from croupier.filing.offer import Offer
from croupier.filing.template import example_choices
from tests.examples import GAMES, rules_of

__all__ = ["GAMES", "bare", "offer"]


@cache
def offer(game: str) -> Offer:
    rules = rules_of(game)
    return check(example_choices(rules), rules=rules).offer_or_refuse()


def bare(game: str, **changes: Any) -> Offer:
    """The example without its optional wagers."""
    rules = rules_of(game)
    return check(example_choices(rules) | {"wagers": []} | changes, rules=rules).offer_or_refuse()
