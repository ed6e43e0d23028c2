"""Actions that the regulation assigns to a floorperson and that the table is waiting for."""

from __future__ import annotations

from typing import NamedTuple

from croupier.law.cite import Cite
from croupier.law.procedure import Act
from croupier.table import commands as say
from croupier.table.card_reveals import is_stuck
from croupier.table.commands import Command
from croupier.table.rules.decks import deck_is_due
from croupier.table.rules.irregularities import unfinished
from croupier.table.rules.round_play import box_to_settle, face_down, papers_clauses, to_validate, validation_clause
from croupier.table.rules.wagers import stub_is_due
from croupier.table.state import Condition, Phase, Round, State


class Due(NamedTuple):
    """An action waiting for a floorperson: the command, in words, and the clause that assigns it to them."""

    command: Command
    words: str
    cite: Cite


def floorperson_is_due(table: State, at: int) -> Due | None:
    """The floorperson's action that the dealer and players are waiting for, or None."""
    if is_stuck(table):
        rule = unfinished(table)
        words = "void the round: no key opens its cards"
        return Due(say.RaiseIrregularity(irregularity=rule.name), words, rule.cite)
    if table.phase in (Phase.OPENING, Phase.BETTING):
        return _between_rounds(table, max(at, table.time))
    if table.phase is Phase.COMPLETING and table.round is not None:
        return _in_the_round(table, table.round)
    return None


def _between_rounds(table: State, at: int) -> Due | None:
    if sealed := next((deck for deck in table.decks if deck.is_sealed), None):
        return Due(say.RemoveDecks(), f"remove the decks: no key opens the {sealed.name} deck", table.rules.cite("3(c)"))
    if late := next((cite for deck in table.decks if (cite := deck_is_due(table, deck, at))), None):
        return Due(say.RemoveDecks(), "remove the decks: they are due for replacement", late)
    if any(deck.condition is Condition.INSPECTED for deck in table.decks):
        return Due(say.VerifyInspection(), "verify the inspection of the cards", table.rules.cite("4(a)"))
    return None


def _in_the_round(table: State, current: Round) -> Due | None:
    act = table.stages[current.stage].act
    if act is Act.CLEAR and current.papers:
        box = current.papers[0]
        return Due(say.CompletePapers(seat=box), f"complete the paperwork for box {box}", papers_clauses(table, box)[0])
    box = box_to_settle(table, current)
    if not box or stub_is_due(table, current) or face_down(table, current, box):
        return None
    for wager in to_validate(table, current, box):
        won = say.ValidateProgressive(seat=box, wager=wager)
        return Due(won, f"validate box {box}'s win on the {wager}", validation_clause(table, wager))
    return None
