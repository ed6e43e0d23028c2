"""The refusal of games and wagers that cannot be counted."""

from __future__ import annotations

from croupier.law.cite import Refusal, Rule


class NotCounted(Refusal):
    """A game or wager whose shape cannot be counted. The message names the shape; there is no price."""

    def __init__(self, rule: Rule, shape: str, known: str) -> None:
        super().__init__(f"edge not counted: {shape}", rule.cite, known)
