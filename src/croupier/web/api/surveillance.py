"""The API of surveillance: every table live with every dealt card, replays, search, and the hold against its expectation."""

from __future__ import annotations

from functools import partial
from math import sqrt
from typing import Annotated

import msgspec
from litestar import Controller, get
from litestar.params import Parameter
from litestar.response import Stream

from croupier.floor.premises import Premises
from croupier.floor.surveillance.hold import ASSUMED, FLAGGED_DEVIATIONS, TableHold, Totals, WagerHold
from croupier.floor.surveillance.narration import log_of
from croupier.floor.surveillance.period_report import rounded_share
from croupier.floor.surveillance.replay import Frame
from croupier.floor.surveillance.round_record import RecordedRound
from croupier.floor.surveillance.search import BadCursor, Query, RoundPage
from croupier.ledger import Unreadable
from croupier.money import Cents
from croupier.web.api.tables import TableName, live_view, state_of
from croupier.web.errors import Denied
from croupier.web.live.surveillance_room import Glance, SurveillanceRoom
from croupier.web.schema import streams
from croupier.web.security.guards import SURVEILLANCE, SURVEILLANCE_ONLY, UserRequest, roles
from croupier.wire import LoggedEvent

ASKED = 200  # characters of a search term
NEVER = 1 << 53  # a bound for milliseconds and cents
LONGEST_PAGE = 200
LOG = 100

Words = Annotated[str, Parameter(max_length=ASKED)]
Sum = Annotated[int, Parameter(ge=0, le=NEVER, description="In cents.")]
Moment = Annotated[int, Parameter(ge=0, le=NEVER, description="Milliseconds since 1970; 0 for no bound.")]
RoundNumber = Annotated[int, Parameter(ge=1, le=NEVER)]


class RoundReplay(msgspec.Struct, frozen=True):
    """A round event by event, each with what surveillance sees after it; `of` is the number of rounds played at the table."""

    table: str
    number: int
    of: int
    round: RecordedRound
    frames: list[Frame]


class WagerHoldSeen(Totals, kw_only=True):
    """One wager under one Offer. `expected` is null while its odds are being computed, or if it has none."""

    table: str
    offer: str
    wager: str
    hold: float | None
    expected: Cents | None
    expected_hold: float | None
    deviation: Cents | None
    deviation_apart: Cents | None
    deviation_at_most: Cents | None
    z: float | None
    flagged: bool
    enough: bool
    needs: int | None
    odds: str  # "known", "being worked out"


class TableHoldSeen(msgspec.Struct, frozen=True):
    table: str
    title: str
    rounds: int
    void: int
    drop: Cents
    handle: Cents
    win: Cents
    abandoned: Cents
    hold: float | None
    flagged: bool
    wagers: tuple[WagerHoldSeen, ...]


class HoldSeen(msgspec.Struct, frozen=True):
    """What the house won against its expectation; `assumed` lists the assumptions behind the figures."""

    tables: tuple[TableHoldSeen, ...]
    assumed: tuple[str, ...]
    beyond: int


class GlancesMessage(msgspec.Struct, frozen=True, tag_field="event", tag="tables"):
    """A server-sent event of the surveillance room: all tables at first, then those that have changed."""

    data: list[Glance]


class SurveillanceController(Controller):
    path = "/api/surveillance"
    tags = ["surveillance"]  # noqa: RUF012
    opt = SURVEILLANCE_ONLY

    @get("/tables")
    async def tables(self, room: SurveillanceRoom) -> list[Glance]:
        """Every table at a glance, with every dealt card."""
        return room.glances()

    @get("/live", opt=roles(SURVEILLANCE, passive=True), responses=streams(GlancesMessage))
    async def live(self, request: UserRequest, room: SurveillanceRoom) -> Stream:
        """All tables as they change: server-sent events “tables”, each a list of the glances that have changed."""
        sessions, token = request.app.state.sessions, request.auth

        async def is_allowed() -> bool:
            try:
                session = await sessions.find(token)
            except Unreadable:  # the browser comes back
                return False
            return session is not None and session.role == SURVEILLANCE and not session.locked

        return live_view(room.stream(is_allowed))

    @get("/tables/{table:str}/events")
    async def events(
        self,
        table: TableName,
        premises: Premises,
        room: SurveillanceRoom,
        before: Annotated[int, Parameter(ge=0, le=NEVER, description="The number of an event; 0 for the newest.")] = 0,
        limit: Annotated[int, Parameter(ge=1, le=LONGEST_PAGE)] = LOG,
    ) -> list[LoggedEvent]:
        """The events of a table, newest first."""
        state = state_of(premises, table)
        last = min(state.version, before - 1) if before else state.version
        return await room.ask(partial(log_of, premises.recorder, table, state.rules, max(last - limit, 0), last))

    @get("/tables/{table:str}/rounds/{number:int}")
    async def replay(self, table: TableName, number: RoundNumber, premises: Premises, room: SurveillanceRoom) -> RoundReplay:
        """A round from its first event to its last, with every card face up."""
        state_of(premises, table)
        found, of, frames = await room.replay(table, number)
        return RoundReplay(table, number, of, found, frames)

    @get("/search")
    async def search(
        self,
        room: SurveillanceRoom,
        player: Words = "",
        person: Words = "",
        table: Words = "",
        since: Moment = 0,
        until: Moment = 0,
        amount: Sum = 0,
        staked: Sum = 0,
        won: Sum = 0,
        hand: Words = "",
        irregularity: Words = "",
        irregular: bool = False,
        cursor: Annotated[str, Parameter(max_length=ASKED)] = "",
        limit: Annotated[int, Parameter(ge=1, le=LONGEST_PAGE)] = 50,
    ) -> RoundPage:
        """Find rounds by player, person, table, time, amount, hand and irregularity. Terms about a player apply to the same one."""
        query = Query(
            player=player, person=person, table=table, since=since, until=until, amount=amount, staked=staked, won=won,
            hand=hand, irregularity=irregularity, irregular=irregular,
        )  # fmt: skip
        try:
            return await room.search(query, cursor, limit)
        except BadCursor as problem:
            raise Denied(400, str(problem)) from None

    @get("/hold")
    async def hold(self, premises: Premises, room: SurveillanceRoom, since: Moment = 0, until: Moment = 0) -> HoldSeen:
        """Win and hold of each table and wager, in total or within a period, against the exact expectation under best play."""
        found = await room.holds(since, until)
        return HoldSeen(tuple(_hold(each, premises, room) for each in found), ASSUMED, FLAGGED_DEVIATIONS)


def _hold(hold: TableHold, premises: Premises, room: SurveillanceRoom) -> TableHoldSeen:
    known = {offer: room.is_known(hold.table, offer) for offer in {each.offer for each in hold.wagers}}
    same = "table", "rounds", "void", "drop", "handle", "win", "abandoned", "flagged"
    return TableHoldSeen(
        **{name: getattr(hold, name) for name in same},
        title=premises.house.table(hold.table).state.rules.title,
        hold=rounded_share(hold.hold),
        wagers=tuple(_wager(each, "known" if known[each.offer] else "being worked out") for each in hold.wagers),
    )


def _wager(wager: WagerHold, odds: str) -> WagerHoldSeen:
    """In whole cents, shares and deviations as numbers."""
    expectation = wager.expectation
    return WagerHoldSeen(
        **{name: getattr(wager, name) for name in (*Totals.__struct_fields__, "table", "offer", "wager", "flagged", "enough")},
        hold=rounded_share(wager.hold),
        expected=round(expectation.win) if expectation else None,
        expected_hold=rounded_share(expectation.win / wager.handle) if expectation and wager.handle else None,
        deviation=round(sqrt(expectation.variance)) if expectation else None,
        deviation_apart=round(sqrt(expectation.apart)) if expectation else None,
        deviation_at_most=round(sqrt(expectation.together)) if expectation else None,
        z=None if wager.z is None else round(wager.z, 2),
        needs=expectation.needs if expectation else None,
        odds=odds,
    )
