"""The main game of a chapter, which best play is about, and the refusal of what cannot be counted. Does not import numpy."""

from __future__ import annotations

from croupier.law.chapter import Rules
from croupier.law.cite import Refusal, Rule
from croupier.law.settlement import Settlement


class NotCounted(Refusal):
    """A game or wager whose shape cannot be counted. The message names the shape; there is no price."""

    def __init__(self, rule: Rule, shape: str, known: str) -> None:
        super().__init__(f"edge not counted: {shape}", rule.cite, known)


def main_settlement(rules: Rules) -> Settlement:
    """The settlement that a decision affects, or that of the one required wager."""
    made = {choice.makes[0].key for decision in rules.decisions for choice in decision.choices if choice.makes}
    for settlement in rules.settlements:
        if made & {wager.key for wager in settlement.settles} or settlement.wager.required:
            return settlement
    raise NotCounted(rules.settlements[0], "no wager is required, and no decision makes one", "a main game")


def main_name(rules: Rules) -> str:
    """What the main game's wager is called: the name of its group, where the code wagers several at once."""
    main = main_settlement(rules)
    return next((wager.group for wager in main.settles if wager.group), main.wager.name)
