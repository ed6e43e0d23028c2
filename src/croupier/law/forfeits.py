"""What a hand that is given up loses and what stays in play: asked of the chapter's own settlements, never listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product

from croupier.law.chapter import Rules
from croupier.law.fact import Folded, Position, Said
from croupier.law.reading import Reading
from croupier.law.settling import Line, Outcome, Settlement
from croupier.law.wager import Choice


@dataclass(frozen=True)
class Forfeits:
    """The keys of the wagers that are lost, each with its clause, and of those made before the deal that stay in play."""

    lost: Mapping[str, str]
    kept: tuple[str, ...]


def forfeits(rules: Rules, taken: Iterable[Choice], readings: Mapping[str, str]) -> Forfeits:
    """What these choices forfeit, whatever the cards."""
    choices = tuple(taken)
    decided = tuple(choice.word for choice in choices)
    position = Position({}, decided=decided, folded=any(choice.folds for choice in choices), readings=readings)
    lost, kept = dict[str, str](), list[str]()
    for settlement in rules.settlements:
        lines = _lines(settlement, position)
        for wager in settlement.settles:
            outcomes = {line.outcome: line.clause for line in lines if line.wager is wager and not line.bonus}
            if Outcome.FORFEIT in outcomes:
                lost[wager.key] = outcomes[Outcome.FORFEIT]
            elif outcomes and not wager.made_by_decision:
                kept.append(wager.key)
    return Forfeits(lost, tuple(kept))


def _lines(settlement: Settlement, position: Position) -> list[Line]:
    """The lines of every case with these answers."""
    answered = (Folded, Said, Reading)
    values = [(fact.of(position),) if isinstance(fact, answered) else fact.values for fact in settlement.asks]
    return [line for case in product(*values) for line in settlement.lines(*case)]
