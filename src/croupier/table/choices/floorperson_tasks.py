"""Actions that the regulation assigns to a floorperson and that are due now."""

from __future__ import annotations

from collections.abc import Iterator
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
    """The command, in words, and the clauses that assign it to a floorperson. `blocks`: play waits for it."""

    command: Command
    words: str
    cites: tuple[Cite, ...]
    blocks: bool = True


def floorperson_is_due(table: State, at: int) -> Due | None:
    """The floorperson's action that the dealer and players are waiting for, or None."""
    return next((due for due in floorperson_tasks(table, at) if due.blocks), None)


def floorperson_tasks(table: State, at: int) -> Iterator[Due]:
    """Everything that is due from a floorperson, whether or not play waits for it."""
    if table.phase is Phase.CLOSED:
        return
    if is_stuck(table):
        rule = unfinished(table)
        yield Due(say.RaiseIrregularity(irregularity=rule.name), "void the round: no key opens its cards", (rule.cite,))
        return
    yield from _decks(table, max(at, table.time), between=table.phase in (Phase.OPENING, Phase.BETTING))
    if table.phase is Phase.COMPLETING and table.round is not None:
        yield from _settlement(table, table.round)


def _decks(table: State, at: int, *, between: bool) -> Iterator[Due]:
    after = "" if between else " after this round"
    if between and (sealed := next((deck for deck in table.decks if deck.is_sealed), None)):
        yield Due(say.RemoveDecks(), f"remove the decks: no key opens the {sealed.name} deck", (table.rules.cite("3(c)"),))
    if late := next((cite for deck in table.decks if (cite := deck_is_due(table, deck, at))), None):
        yield Due(say.RemoveDecks(), f"remove the decks{after}: they are due for replacement", (late,), between)
    if any(deck.condition is Condition.INSPECTED for deck in table.decks):
        yield Due(say.VerifyInspection(), "verify the inspection of the cards", (table.rules.cite("4(a)"),), between)


def _settlement(table: State, current: Round) -> Iterator[Due]:
    box = box_to_settle(table, current)
    wagers = to_validate(table, current, box) if box else []
    if wagers and not stub_is_due(table, current) and not face_down(table, current, box):
        for wager in wagers:
            won = say.ValidateProgressive(seat=box, wager=wager)
            yield Due(won, f"validate box {box}'s win on the {wager}", (validation_clause(table, wager),))
    clearing = table.stages[current.stage].act is Act.CLEAR
    for box in current.papers:
        yield Due(say.CompletePapers(seat=box), f"complete the paperwork for box {box}", papers_clauses(table, box), clearing)
