"""The API of dealers and floorpersons: the checklist, a trainee's correction, the board, the log, who deals, opening again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, get, post
from litestar.params import Parameter

from croupier.floor.premises import Premises
from croupier.law.cite import Refusal
from croupier.law.procedure import Act, Fate, Irregularity, Moment
from croupier.money import Cents
from croupier.table import commands as say
from croupier.table.checklist import Correction, Item, checklist, correction
from croupier.table.choices import choices
from croupier.table.commands import MOST_CENTS, AnyCommand
from croupier.table.completing import pending
from croupier.table.engine import decide
from croupier.table.idling import is_idle
from croupier.table.meters import Meter
from croupier.table.state import Phase, State
from croupier.web.api_tables import IdempotencyKey, TableName, known
from croupier.web.board import TableLine, events, lines
from croupier.web.errors import Denied
from croupier.web.guards import ADMINISTRATOR, DEALER, FLOORPERSON, SURVEILLANCE, address_of, roles
from croupier.web.sessions import Session
from croupier.wire import Choice, Dealer, LoggedEvent, Reply, Standing

StaffRequest = Request[Session, str, Any]
MOST_EVENTS = 200
RAISE = "raise irregularity"


class Mishap(msgspec.Struct, frozen=True):
    """An irregularity of the chapter: what comes of it, how it is raised now, or why it cannot be."""

    name: str
    cite: str
    during: str
    then: str
    choices: tuple[Choice, ...]
    why_not: str = ""


class Procedure(msgspec.Struct, frozen=True):
    """The present procedure: its steps, what the dealer says aloud now, and every irregularity.

    `can` is what may be done at this moment, also where only time has passed since the last event.
    """

    version: int
    phase: str
    say: str
    steps: tuple[Item, ...]
    irregularities: tuple[Mishap, ...]
    can: tuple[Choice, ...]


class NewDealer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who deals at a table from now on."""

    dealer: Dealer


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The value of the chips in the table inventory container, in cents."""

    opener: Annotated[int, msgspec.Meta(ge=0, le=MOST_CENTS)]


class Accounts(msgspec.Struct, frozen=True):
    """What lies in each account of a table, by its name. They sum to nothing."""

    version: int
    accounts: dict[str, Cents]


class StaffController(Controller):
    path = "/api"
    tags = ["staff"]  # noqa: RUF012

    @get("/floor", opt=roles(FLOORPERSON, SURVEILLANCE, ADMINISTRATOR, passive=True), sync_to_thread=False)
    def floor(self, premises: Premises) -> list[TableLine]:
        """Every table as the floorperson has it before him; those that wait for a person first."""
        return lines(premises)

    @get("/tables/{table:str}/checklist", opt=roles(DEALER, FLOORPERSON, passive=True), sync_to_thread=False)
    def checklist(self, table: TableName, request: StaffRequest, premises: Premises) -> Procedure:
        """The steps of the present procedure with their clauses, and every irregularity of the chapter."""
        state, at, meters = known(premises, table), premises.clock(), _meters(premises, table)
        can = choices(state, request.user.role, at, meters)
        return Procedure(
            version=state.version,
            phase=state.phase.value,
            say=announcement(state, at),
            steps=tuple(checklist(state, at)),
            irregularities=tuple(mishaps(state, request.user.role, at, can, meters)),
            can=tuple(can),
        )

    @post("/tables/{table:str}/correction", opt=roles(DEALER), status_code=200, sync_to_thread=False)
    def correction(self, table: TableName, data: AnyCommand, premises: Premises) -> Correction:
        """For a trainee: what is wrong with a command, why, and the right next step. Nothing is done."""
        state, at = known(premises, table), premises.clock()
        if not premises.standings[table].practice:
            raise Denied(403, "Corrections are told at practice tables only.")
        wished = say.ShuffleDeck(deck=data.deck, sealed=premises.dealer.seal(state)) if isinstance(data, say.ShuffleDeck) else data
        try:
            decide(state, wished, DEALER, at, _meters(premises, table))
        except Refusal as refusal:
            return correction(state, refusal, at)
        right = next((item for item in checklist(state, at) if item.state == "now"), None)
        return Correction("", "", "", right)

    @post("/tables/{table:str}/dealer", opt=roles(FLOORPERSON), status_code=200)
    async def dealer(self, table: TableName, data: NewDealer, request: StaffRequest, premises: Premises) -> Standing:
        """Put a person or the automatic dealer at a table. A round that is being played goes on where it is."""
        known(premises, table)
        wished = msgspec.structs.replace(premises.standings[table], dealer=data.dealer)
        premises.stand(wished, request.user.name)
        who = "the automatic dealer" if data.dealer == "automatic" else "a person"
        _note(premises, request, f"put {who} at the table", table, premises.house.table(table).version)
        return premises.standings[table]

    @post("/tables/{table:str}/open", opt=roles(FLOORPERSON, ADMINISTRATOR), status_code=200)
    async def open(self, table: TableName, data: Opening, key: IdempotencyKey, request: StaffRequest, premises: Premises) -> Reply:
        """Open a table again that was closed, under the filing that it has."""
        known(premises, table)
        named = f"{request.user.role}/{request.user.name}/{key}"
        reply = await premises.open(premises.standings[table], request.user.name, data.opener, named)
        _note(premises, request, "open table", table, reply.version)
        return reply

    @get("/tables/{table:str}/events", opt=roles(DEALER, FLOORPERSON, SURVEILLANCE, passive=True))
    async def events(
        self,
        table: TableName,
        premises: Premises,
        before: Annotated[int | None, Parameter(ge=1, le=2**53, description="Only events with a lower number.")] = None,
        limit: Annotated[int, Parameter(ge=1, le=MOST_EVENTS)] = 50,
    ) -> list[LoggedEvent]:
        """The log of a table in a dealer's words, the newest first."""
        known(premises, table)
        head = premises.house.table(table).version
        last = min(head, before - 1) if before is not None else head
        return await asyncio.to_thread(events, premises.house, table, max(0, last - limit), last)

    @get("/tables/{table:str}/accounts", opt=roles(FLOORPERSON, ADMINISTRATOR, passive=True), sync_to_thread=False)
    def accounts(self, table: TableName, premises: Premises) -> Accounts:
        """The accounts of a table as its log balances them."""
        state = known(premises, table)
        return Accounts(state.version, {name: cents for name, cents in sorted(state.accounts.items()) if cents})


def _meters(premises: Premises, table: str) -> dict[str, Meter]:
    """The meters of a table by the wager that feeds them."""
    found = premises.house.meters_of(premises.house.table(table).state)
    return {wager: keeper.meter for wager, keeper in found.items() if keeper.meter}


def _note(premises: Premises, request: StaffRequest, what: str, table: str, version: int = 0) -> None:
    premises.audit.note(request.user.name, request.user.role, what, table, version, address_of(request))


# what the dealer says, and what can go wrong


def announcement(state: State, at: int) -> str:
    """What the dealer says aloud at this moment."""
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
    words = [choice.word for choice in stage.decision.choices]
    either = f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)
    return f"“Box {asked[0]}: {either}?”"


def mishaps(state: State, by: str, at: int, can: list[Choice], meters: Mapping[str, Meter]) -> list[Mishap]:
    """Every irregularity of the chapter. Those of the stub are found by counting it, by the method that is in use."""
    if not state.submission or state.phase is Phase.CLOSED:
        return []
    raised = [choice for choice in can if choice.do == RAISE]
    found = []
    for rule in (each.under(state.offer.readings) for each in state.rules.of(Irregularity)):
        if rule.moment is Moment.STUB:
            if rule.cite.section == state.dealing.cite.section:
                found.append(_mishap(rule, (), "The table finds it when the stub is counted."))
            continue
        mine = tuple(choice for choice in raised if choice.command["irregularity"] == rule.name)
        found.append(_mishap(rule, mine, "" if mine else _why_not(state, rule, by, at, meters)))
    return found


def _mishap(rule: Irregularity, mine: tuple[Choice, ...], why_not: str) -> Mishap:
    then = []
    if rule.void:
        kept = " and the ".join(wager.name for wager in rule.settled)
        then.append("all hands are void and the wagers go back" + (f", but for the {kept}" if kept else ""))
    if rule.cards is not Fate.NONE:
        then.append(rule.cards.value)
    return Mishap(rule.name, str(rule.cite), rule.during, "; ".join(then) or rule.then, mine, why_not)


def _why_not(state: State, rule: Irregularity, by: str, at: int, meters: Mapping[str, Meter]) -> str:
    deck = state.decks[0].name if rule.moment is Moment.SHUFFLE and state.decks else ""
    try:
        decide(state, say.RaiseIrregularity(irregularity=rule.name, deck=deck), by, at, meters)
    except Refusal as refusal:
        accepted = f" Possible: {refusal.accepted}." if refusal.accepted else ""
        return f"{refusal.said[:1].upper()}{refusal.said[1:]}.{accepted}"
    return ""
