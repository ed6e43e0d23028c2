"""What the text gives to a floorperson and nothing goes on without: the table waits for one."""

from __future__ import annotations

from typing import NamedTuple

from croupier.law.cite import Cite
from croupier.law.procedure import Act
from croupier.table import commands as say
from croupier.table.commands import Command
from croupier.table.completing import face_down, papers_clauses, to_settle, to_validate, validation_clause
from croupier.table.decks import deck_is_due
from croupier.table.state import Condition, Phase, Round, State
from croupier.table.wagering import stub_is_due


class Due(NamedTuple):
    """An act that waits for a floorperson: the command that does it, in words, and the clause that gives it to them."""

    command: Command
    words: str
    cite: Cite


def floorperson_is_due(table: State, at: int) -> Due | None:
    """The act of a floorperson without which dealer and players cannot go on; None where there is none."""
    if table.phase in (Phase.OPENING, Phase.BETTING):
        return _between_rounds(table, max(at, table.time))
    if table.phase is Phase.COMPLETING and table.round is not None:
        return _in_the_round(table, table.round)
    return None


def _between_rounds(table: State, at: int) -> Due | None:
    if late := next((cite for deck in table.decks if (cite := deck_is_due(table, deck, at))), None):
        return Due(say.RemoveDecks(), "remove the decks: they are due to be changed", late)
    if any(deck.condition is Condition.INSPECTED for deck in table.decks):
        return Due(say.VerifyInspection(), "verify the inspection of the cards", table.rules.cite("4(a)"))
    return None


def _in_the_round(table: State, current: Round) -> Due | None:
    act = table.stages[current.stage].act
    if act is Act.CLEAR and current.papers:
        box = current.papers[0]
        return Due(say.CompletePapers(seat=box), f"complete the papers of box {box}", papers_clauses(table, box)[0])
    if act is not Act.SETTLE or stub_is_due(table, current):
        return None
    box = to_settle(table, current)[0]
    if face_down(table, current, box):
        return None
    for wager in to_validate(table, current, box):
        won = say.ValidateProgressive(seat=box, wager=wager)
        return Due(won, f"validate the win of box {box} on the {wager}", validation_clause(table, wager))
    return None
