"""The API of dealers and floorpersons: checklist, corrections for trainees, board, log, who deals, reopening."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import Parameter

from croupier.floor.premises import Premises
from croupier.floor.surveillance.narration import effects, log_of
from croupier.law.cite import Refusal
from croupier.law.procedure import Act, Irregularity, Moment, Voiding
from croupier.money import Cents
from croupier.printed.content.phrases import listed
from croupier.table import commands
from croupier.table.choices.checklist import Correction, Item, checklist, correction
from croupier.table.choices.players import choices
from croupier.table.commands import MOST_CENTS, AnyCommand
from croupier.table.engine import decide
from croupier.table.meters import MeterState
from croupier.table.rules.decks import is_idle
from croupier.table.rules.irregularities import can_happen, raised_when
from croupier.table.rules.round_play import pending
from croupier.table.state import Phase, State
from croupier.web.api.filings import need_in_effect
from croupier.web.api.tables import IdempotencyKey, TableName, state_of
from croupier.web.errors import Denied, problem_of
from croupier.web.live.board import TableLine, lines
from croupier.web.security.guards import ADMINISTRATOR, DEALER, FLOORPERSON, SURVEILLANCE, UserRequest, note, roles
from croupier.wire import Dealer, HandedBack, LoggedEvent, Reply, Standing, TableChoice

MOST_EVENTS = 200
SeatNumber = Annotated[int, Parameter(ge=1, le=99)]
RAISE = "raise irregularity"


class Mishap(msgspec.Struct, frozen=True):
    """An irregularity of the chapter: its effect, the commands that raise it now, or why there are none."""

    name: str
    cite: str
    during: str
    then: str
    choices: tuple[TableChoice, ...]
    why_not: str = ""


class Procedure(msgspec.Struct, frozen=True):
    """The current procedure: its steps, what the dealer announces now, and every irregularity.

    `can` is what can be done at this moment, which may change with time even without an event.
    """

    version: int
    phase: str
    say: str
    steps: tuple[Item, ...]
    irregularities: tuple[Mishap, ...]
    can: tuple[TableChoice, ...]


class NewDealer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who deals at a table from now on."""

    dealer: Dealer


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why something is done, for the record."""

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The value of the chips in the table inventory container, in cents."""

    opener: Annotated[int, msgspec.Meta(ge=0, le=MOST_CENTS)]


class Accounts(msgspec.Struct, frozen=True):
    """The balance of each account of a table, by name. They sum to zero."""

    version: int
    accounts: dict[str, Cents]


class StaffController(Controller):
    path = "/api"
    tags = ["staff"]  # noqa: RUF012

    @get("/floor", opt=roles(FLOORPERSON, SURVEILLANCE, ADMINISTRATOR, passive=True))
    async def floor(self, premises: Premises) -> list[TableLine]:
        """Every table, as the floorperson's board shows it; tables that wait for a person come first."""
        return lines(premises)

    @get("/tables/{table:str}/checklist", opt=roles(DEALER, FLOORPERSON, passive=True))
    async def checklist(self, table: TableName, request: UserRequest, premises: Premises) -> Procedure:
        """The steps of the current procedure with their clauses, and every irregularity of the chapter."""
        state, at = state_of(premises, table), premises.clock()
        meters = premises.house.shown_meters(state)
        can = choices(state, request.user.role, at, meters)
        return Procedure(
            version=state.version,
            phase=state.phase.value,
            say=announcement(state, at),
            steps=tuple(checklist(state, at)),
            irregularities=tuple(mishaps(state, request.user.role, at, can, meters)),
            can=tuple(can),
        )

    @post("/tables/{table:str}/correction", opt=roles(DEALER), status_code=200)
    async def correction(self, table: TableName, data: AnyCommand, premises: Premises) -> Correction:
        """For trainees: what is wrong with a command, why, and the right next step. The command is not executed."""
        state, at = state_of(premises, table), premises.clock()
        if not premises.table_settings[table].practice:
            raise Denied(403, "Corrections are available at practice tables only.")
        try:
            decide(state, premises.with_orders(table, data), DEALER, at, premises.house.shown_meters(state))
        except Refusal as refusal:
            return correction(state, refusal, at)
        right = next((item for item in checklist(state, at) if item.state == "now"), None)
        return Correction("", "", "", right)

    @post("/tables/{table:str}/dealer", opt=roles(FLOORPERSON), status_code=200)
    async def dealer(self, table: TableName, data: NewDealer, request: UserRequest, premises: Premises) -> Standing:
        """Assign a person or the automatic dealer to a table. A round in progress continues."""
        state_of(premises, table)
        await premises.change_settings(table, by=request.user.name, dealer=data.dealer)
        who = "the automatic dealer" if data.dealer == "automatic" else "a person"
        await note(premises, request, f"put {who} at the table", table, premises.house.table(table).version)
        return premises.table_settings[table]

    @post("/tables/{table:str}/seats/{seat:int}/code", opt=roles(FLOORPERSON), status_code=200)
    async def hand_back(
        self, table: TableName, seat: SeatNumber, data: Reason, request: UserRequest, premises: Premises
    ) -> HandedBack:
        """Hand a seat back to a player who lost access to it. Give them the one-time code, which they enter at `/return`. The audit
        records your name and the reason. Using the code logs out whoever else plays under that name."""
        player = state_of(premises, table).players.get(seat)
        if player is None:
            raise Denied(409, f"Nobody is seated at seat {seat}. Seat the player there instead.")
        by = request.user.name
        code, until = await asyncio.to_thread(premises.people.hand_back, player, table, seat, data.reason, by)
        return HandedBack(player, seat, code, until)

    @post("/tables/{table:str}/open", opt=roles(FLOORPERSON, ADMINISTRATOR), status_code=200)
    async def open(self, table: TableName, data: Opening, key: IdempotencyKey, request: UserRequest, premises: Premises) -> Reply:
        """Reopen a closed table under its filing, unless that was withdrawn."""
        state_of(premises, table)
        settings, named = premises.table_settings[table], f"{request.user.role}/{request.user.name}/{key}"
        need_in_effect(await asyncio.to_thread(premises.filings.get, settings.filing), premises)
        reply = await premises.open(settings, request.user.name, data.opener, named)
        await note(premises, request, "open table", table, reply.version)
        return reply

    @get("/tables/{table:str}/events", opt=roles(DEALER, FLOORPERSON, SURVEILLANCE, passive=True))
    async def events(
        self,
        table: TableName,
        premises: Premises,
        before: Annotated[int | None, Parameter(ge=1, le=2**53, description="Only events with a lower number.")] = None,
        limit: Annotated[int, Parameter(ge=1, le=MOST_EVENTS)] = 50,
    ) -> list[LoggedEvent]:
        """The log of a table in a dealer's words, newest first."""
        state = state_of(premises, table)
        last = min(state.version, before - 1) if before is not None else state.version
        return await asyncio.to_thread(log_of, premises.recorder, table, state.rules, max(0, last - limit), last)

    @get("/tables/{table:str}/accounts", opt=roles(FLOORPERSON, ADMINISTRATOR, passive=True))
    async def accounts(self, table: TableName, premises: Premises) -> Accounts:
        """The balances of a table's accounts."""
        state = state_of(premises, table)
        return Accounts(state.version, {name: cents for name, cents in sorted(state.accounts.items()) if cents})


# announcements and irregularities


def announcement(state: State, at: int) -> str:
    """What the dealer announces at this moment."""
    current = state.round
    if state.phase is Phase.BETTING:
        return "“No more bets.”" if state.stakes else "" if is_idle(state, at) else "“Place your bets, please.”"
    if current is None or state.phase is not Phase.COMPLETING:
        return ""
    stage, asked = state.stages[current.stage], pending(state, current)
    if stage.act is Act.SET and asked:
        return "“Please set your hands.”"
    if not asked or stage.decision is None:
        return ""
    return f"“Box {asked[0]}: {listed((choice.word for choice in stage.decision.choices), 'or')}?”"


def mishaps(state: State, by: str, at: int, can: list[TableChoice], meters: Mapping[str, MeterState]) -> list[Mishap]:
    """Every irregularity of the chapter. Those of the stub are found by counting it, under the dealing method in use."""
    if not state.submission or state.phase is Phase.CLOSED:
        return []
    raised = [choice for choice in can if choice.do == RAISE]
    found = []
    for rule in (each.under(state.offer.readings) for each in state.rules.of(Irregularity)):
        if rule.moment is Moment.STUB:
            if rule.cite.section == state.dealing.cite.section:
                found.append(_mishap(state, rule, (), "The table detects this when the stub is counted."))
            continue
        mine = tuple(choice for choice in raised if choice.command["irregularity"] == rule.name)
        found.append(_mishap(state, rule, mine, "" if mine else _why_not(state, rule, by, at, meters)))
    return found


def _mishap(state: State, rule: Irregularity, mine: tuple[TableChoice, ...], why_not: str) -> Mishap:
    (void,) = state.rules.of(Voiding)
    then = effects(rule, void.beside(rule, state.offer.readings))
    return Mishap(rule.name, str(rule.cite), rule.during, "; ".join(then) or rule.then, mine, why_not)


def _why_not(state: State, rule: Irregularity, by: str, at: int, meters: Mapping[str, MeterState]) -> str:
    """When it can be raised, if that is not now; otherwise what the table would answer."""
    if state.round and state.round.void and rule.void:
        return "The hands are already void."
    if rule.moment is Moment.SHUFFLE or not can_happen(state, rule):
        return f"Can be raised only {raised_when(rule)}."
    try:
        decide(state, commands.RaiseIrregularity(irregularity=rule.name), by, at, meters)
    except Refusal as refusal:
        return problem_of(refusal).reason + (f" Allowed: {refusal.accepted}." if refusal.accepted else "")
    return ""
