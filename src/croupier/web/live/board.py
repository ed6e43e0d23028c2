"""The floorperson's board: one line per table, and what needs a person there."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier import wire
from croupier.filing.pricing import TABLE_INVENTORY
from croupier.floor.premises import Premises
from croupier.floor.registers.table_settings import TableSettings
from croupier.floor.surveillance.narration import newest_event
from croupier.money import Cents, show_money
from croupier.table import commands as say
from croupier.table.accounts import DROP_BOX, TIP_BOX
from croupier.table.choices.staff import Due, floorperson_tasks
from croupier.table.rules.context import INTERNAL_CONTROLS
from croupier.table.rules.decks import HOUR, idle_rule, is_idle, out_of_order_clause, replacement_due, replacement_time
from croupier.table.rules.round_play import lapses_at
from croupier.table.rules.wagers import stub_is_due
from croupier.table.state import Condition, Deck, Phase, State
from croupier.web.live.table_view import brief, own_name
from croupier.wire import LoggedEvent

WARNING = HOUR // 2  # before a deck is due, so that new ones can be brought
LOW = 500_000  # cents in the table inventory, below which the board asks for a fill
NOW, SOON = "now", "soon"


class Waiting(msgspec.Struct, frozen=True):
    """Something that needs a person. `command` does it if it needs no further input; `when` is “now” or “soon”."""

    words: str
    cite: str
    who: str
    when: str = NOW
    command: wire.Command | None = None


class DeckLine(msgspec.Struct, frozen=True):
    """A deck of the table."""

    name: str
    condition: str
    left: int
    received: int
    due: int  # when it must be replaced, in milliseconds
    cite: str


class TableLine(wire.TableBrief, frozen=True):
    """A table as the floorperson sees it. Money is in cents, times are in milliseconds."""

    stage: str = ""
    rounds: int = 0
    minimum: Cents = 0
    maximum: Cents = 0
    inventory: Cents = 0
    drop: Cents = 0
    tips: Cents = 0
    decks: tuple[DeckLine, ...] = ()
    method: str = ""
    stub: str = ""
    stub_due: bool = False
    out_of_order: tuple[str, ...] = ()
    dealer: str = ""
    waiting: tuple[Waiting, ...] = ()
    last: LoggedEvent | None = None
    name: str = ""  # its name among several tables of one game


def lines(premises: Premises) -> list[TableLine]:
    """All tables, those that need a person first."""
    found = [line(premises, table) for table in premises.states()]
    found += [_damaged(premises.table_settings[table]) for table in premises.damaged]
    return sorted(found, key=lambda each: (not any(wait.when == NOW for wait in each.waiting), not each.waiting))


def _damaged(settings: TableSettings) -> TableLine:
    """The line of a table whose log is damaged: someone has to see it."""
    broken = Waiting("The log is damaged; the table stays closed", "601a.2", "administrator")
    return TableLine(
        settings.table, settings.table, "", "damaged", 0, {}, settings.practice, False, dealer=settings.dealer, waiting=(broken,)
    )


def line(premises: Premises, table: str) -> TableLine:
    """The line of a table whose log is intact."""
    keeper, settings = premises.house.table(table), premises.table_settings[table]
    state, at = keeper.state, max(premises.clock(), keeper.state.time)
    low, high = state.posted
    stub, stub_due = _stub(state)
    return TableLine(
        *brief(state, settings),
        stage=stage_of(state),
        rounds=state.rounds,
        minimum=low,
        maximum=high,
        inventory=state.balance(TABLE_INVENTORY),
        drop=state.balance(DROP_BOX),
        tips=state.balance(TIP_BOX),
        decks=tuple(_deck(state, deck) for deck in state.decks),
        method=f"{state.method}, shuffled by {'device' if state.shuffler or state.reshuffles else 'hand'}" if state.method else "",
        stub=stub,
        stub_due=stub_due,
        out_of_order=tuple(state.out_of_order),
        dealer=settings.dealer,
        waiting=tuple(waiting(state, at, settings)),
        last=newest_event(premises.house, table),
        name=own_name(state),
    )


def stage_of(state: State) -> str:
    """The stage of the round; empty between rounds."""
    if state.round is None or state.phase is not Phase.COMPLETING:
        return ""
    return state.stages[state.round.stage].act.value


def _deck(state: State, deck: Deck) -> DeckLine:
    due, cite = replacement_time(state, deck)
    return DeckLine(deck.name, deck.condition.value, deck.left, deck.received, due, str(cite))


def _stub(state: State) -> tuple[str, bool]:
    """When the stub is next counted, in words, and whether that is now."""
    if not state.method or state.phase is Phase.CLOSED:
        return "", False
    if state.counts_cards:
        return "by device", False
    every = state.dealing.stub_counted_every
    if state.round is not None and stub_is_due(state, state.round):
        return "before this settlement", True
    left = every - state.uncounted
    return ("next round" if left <= 1 else f"in {left} rounds"), False


def waiting(state: State, at: int, settings: TableSettings) -> Iterator[Waiting]:
    """Everything that needs a person. The automatic dealer and the practice floorperson need nobody."""
    rules, person = state.rules, settings.dealer == "person"
    if state.phase is Phase.CLOSED:
        return
    for device in state.out_of_order:
        yield Waiting(f"The {device} is out of order", str(out_of_order_clause(state)), "floorperson")
    if settings.practice_floorperson:
        return
    yield from map(_waiting, floorperson_tasks(state, at))
    for deck in state.decks if person else ():
        if deck.condition is Condition.RECUT:
            yield Waiting(f"The {deck.name} deck must be cut again", str(rules.cite("5(e)")), "dealer")
    if person and is_idle(state, at):
        yield Waiting("The table is idle: spread the cards", str(idle_rule(state).cite), "dealer")
    soon = next((cite for deck in state.decks if (cite := replacement_due(state, deck, at + WARNING))), None)
    if soon and not any(replacement_due(state, deck, at) for deck in state.decks):
        yield Waiting("The decks are due for replacement within half an hour", str(soon), "floorperson", SOON)
    if (held := state.balance(TABLE_INVENTORY)) < LOW:
        yield Waiting(f"The table inventory is low: {show_money(held)}", INTERNAL_CONTROLS, "floorperson", SOON)
    over = lapses_at(state, state.round) if state.round and person else None
    if state.round is not None and over is not None and at >= over:
        box = state.round.asked[1]
        lapse = msgspec.to_builtins(say.LapseDecision(seat=box))
        yield Waiting(
            f"Box {box} has run out of time for its decision", str(state.stages[state.round.stage].cite), "dealer", NOW, lapse
        )


def _waiting(due: Due) -> Waiting:
    """What a floorperson has to do. Decks are not removed in the middle of a round."""
    command = None if isinstance(due.command, say.RemoveDecks) and not due.blocks else msgspec.to_builtins(due.command)
    words, cites = f"{due.words[0].upper()}{due.words[1:]}", ", ".join(map(str, due.cites))
    return Waiting(words, cites, "floorperson", NOW, command)
