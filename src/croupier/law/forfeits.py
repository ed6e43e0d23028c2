"""What a folded hand loses and what stays in play, derived from the chapter's settlements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from croupier.law.chapter import Rules
from croupier.law.fact import Folded, Position
from croupier.law.procedure import Setting
from croupier.law.reading import Reading
from croupier.law.settlement import Outcome, Settlement
from croupier.law.wager import Choice, Decision, never_answered

ANSWERED = (Folded, Decision)  # the facts that depend on a player's answers


@dataclass(frozen=True)
class Forfeits:
    """Keys of the wagers that are lost, each with its clause, and keys of the wagers made before the deal that stay in play."""

    lost: Mapping[str, str]
    kept: tuple[str, ...]


def silence_reading(rules: Rules) -> Reading | None:
    """The reading that says what silence means once time runs out; None if the text is clear."""
    asked = [decision.reading for decision in rules.decisions]
    return next(filter(None, [*asked, *(setting.unset for setting in rules.of(Setting))]), None)


def silent_position(rules: Rules, readings: Mapping[str, str]) -> Position:
    """A position with no cards and the default answers for a player who gives none."""
    return _answered(never_answered(rules.decisions, readings), readings)


def forfeits(rules: Rules, taken: Iterable[Choice], readings: Mapping[str, str]) -> Forfeits:
    """What these choices forfeit, regardless of the cards."""
    position = _answered(tuple(taken), readings)
    lost, kept = dict[str, str](), list[str]()
    for settlement in rules.settlements:
        lines = [line for case in cases(settlement, position) for line in settlement.lines(*case)]
        for wager in settlement.settles:
            outcomes = {line.outcome: line.clause for line in lines if line.wager is wager and not line.bonus}
            if Outcome.FORFEIT in outcomes:
                lost[wager.key] = outcomes[Outcome.FORFEIT]
            elif outcomes and not wager.made_by_decision:
                kept.append(wager.key)
    return Forfeits(lost, tuple(kept))


def _answered(taken: tuple[Choice, ...], readings: Mapping[str, str]) -> Position:
    decided = tuple(choice.word for choice in taken)
    return Position({}, decided=decided, folded=any(choice.folds for choice in taken), readings=readings)


def cases(settlement: Settlement, position: Position) -> Iterable[tuple[Any, ...]]:
    """The facts of every possible case with these answers."""
    fixed = (*ANSWERED, Reading)
    return product(*((fact.of(position),) if isinstance(fact, fixed) else fact.values for fact in settlement.asks))
