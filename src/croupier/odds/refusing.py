"""The refusal of what no counter knows."""

from __future__ import annotations

from croupier.law.cite import Refusal, Rule


class NotCounted(Refusal):
    """A game or wager of a shape that no counter knows: it gets a sentence that names the shape, and no price."""

    def __init__(self, rule: Rule, shape: str, known: str) -> None:
        super().__init__(f"edge not counted: {shape}", rule.cite, known)
