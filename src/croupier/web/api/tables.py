"""The API of tables: the floor, views, commands and live streams."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import nullcontext
from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.params import Parameter
from litestar.response import Stream

from croupier.floor.premises import Premises
from croupier.law.cite import Refusal
from croupier.table import commands
from croupier.table.commands import AnyCommand, Command
from croupier.table.state import State
from croupier.web.errors import Denied
from croupier.web.live.floor_summary import Summaries
from croupier.web.live.table_stream import Live
from croupier.web.live.table_view import seat_of, viewpoint
from croupier.web.schema import STREAM, sends, streams
from croupier.web.security.guards import ANYONE, DEALER, FLOORPERSON, GUEST, VisitorRequest, at_most, place_of, roles
from croupier.web.security.request_limits import SeatLimits, has_place_here
from croupier.web.security.sessions import Session
from croupier.wire import EventMessage, Ready, Reply, Seen, SeenMessage, Standing, TablesMessage, TableSummary

log = logging.getLogger("croupier.web")
JSON = "application/json"
TableName = Annotated[str, Parameter(max_length=200, description="The table's name, as listed by the floor.")]
IdempotencyKey = Annotated[
    str,
    Parameter(
        header="Idempotency-Key", min_length=8, max_length=100, pattern=r"^[!-~]{8,100}$",
        description="Any key for this command. Sent again with the same key, it takes effect once and gets the same reply.",
    ),
]  # fmt: skip


def state_of(premises: Premises, table: str) -> State:
    """The state of a table of the floor; Denied if there is none."""
    if table not in premises.table_settings:
        raise Denied(404, "There is no such table on this floor.")
    return premises.house.table(table).state


def own_seat(state: State, session: Session | None) -> int:
    """The seat of this guest; Denied if they have none."""
    if seat := seat_of(state, session):
        return seat
    raise Denied(403, "You have no seat at this table.")


class TablesController(Controller):
    path = "/api"
    tags = ["tables"]  # noqa: RUF012

    @get("/tables", opt=roles(ANYONE))
    async def tables(self, summaries: Summaries) -> list[TableSummary]:
        """Every table: game, limits, wagers with their house edges, free seats, meters."""
        return summaries.all()

    @get("/live", opt=roles(ANYONE, passive=True), responses=streams(TablesMessage))
    async def floor_live(self, request: VisitorRequest, summaries: Summaries) -> Stream:
        """Live floor: server-sent events “tables”, each a list of the summaries that changed."""
        return _stream(request, summaries.stream())

    @get("/tables/{table:str}", opt=roles(ANYONE), responses={200: sends(Seen, "The table as you see it.")})
    async def table(self, table: TableName, request: VisitorRequest, premises: Premises, live: Live) -> Response[bytes]:
        """What you can see of a table, and what you can do now."""
        state = state_of(premises, table)
        return Response(live.seen(table, viewpoint(state, request.user)), media_type=JSON)

    @get("/tables/{table:str}/live", opt=roles(ANYONE, passive=True), responses=streams(EventMessage | SeenMessage))
    async def table_live(
        self,
        table: TableName,
        request: VisitorRequest,
        premises: Premises,
        live: Live,
        last: Annotated[str | None, Parameter(header="Last-Event-ID")] = None,
    ) -> Stream:
        """Each event of a table, once and in order, as server-sent events whose id is the event's number."""
        state_of(premises, table)
        after = int(last) if last is not None and last.isdecimal() and len(last) < 16 else None
        sessions, token = request.app.state.sessions, request.auth

        async def by() -> str | None:
            """Looked up each time: the stream ends when the session does."""
            session = await sessions.find(token) if token else None
            if token and session is None:
                return None
            return viewpoint(premises.house.table(table).state, session)

        head = premises.house.table(table).version
        return _stream(request, live.stream(table, by, after if after is None or after <= head else None))

    @post("/tables/{table:str}/commands", opt=roles(GUEST, DEALER, FLOORPERSON), status_code=200, middleware=at_most(40, "second"))
    async def command(
        self, table: TableName, data: AnyCommand, key: IdempotencyKey, request: VisitorRequest, premises: Premises
    ) -> Reply:
        """Give a command at a table. A reply means it is on disk; a refusal says why, and under which clause."""
        state, session = state_of(premises, table), request.user
        assert session is not None
        full_key = f"{session.role or 'guest'} {key} {session.name}"  # neither a role nor a key has a space
        try:
            by = _actor(state, premises.table_settings[table], session, data)
        except (Denied, Refusal):  # a repeated request may have succeeded the first time
            if before := await premises.house.answered(full_key, table, data):
                return before
            raise
        if session.role and isinstance(data, commands.Sit):  # reserve the player's name, as for a guest
            await asyncio.to_thread(premises.people.name_guest, data.player)
        name = type(data).name().replace("_", " ")
        takes_a_seat = isinstance(data, commands.Sit) and not session.role
        seats: SeatLimits = request.app.state.seats  # a second injected argument would cost each command two tasks
        async with seats.taking(session, session.place or place_of(request)) if takes_a_seat else nullcontext():
            reply = await premises.execute(table, data, by, full_key, session.name)
        log.info("done", extra={"table": table, "command": name, "version": reply.version, "who": by})
        if session.role:
            await asyncio.to_thread(premises.audit.note, session.name, session.role, name, table, reply.version)
        return reply

    @get("/tables/{table:str}/submission", opt=roles(ANYONE), media_type="text/plain")
    async def submission(self, table: TableName, premises: Premises) -> str:
        """The Rules Submission under which the table is played, as it was filed."""
        return state_of(premises, table).submission

    @post("/tables/{table:str}/ready", opt=roles(GUEST), status_code=202, middleware=at_most(40, "second"))
    async def ready(self, table: TableName, request: VisitorRequest, premises: Premises) -> Ready:
        """Report that your wagers are placed, so that the dealer does not wait for you."""
        seat = own_seat(state_of(premises, table), request.user)
        premises.ready(table, seat)
        return Ready(seat)


def _actor(state: State, settings: Standing, session: Session, command: Command) -> str:
    """Who gives a command: a player for their own seat, staff in their role."""
    if isinstance(command, commands.OpenTable):
        raise Denied(403, "Open a table on the administrator's page.")
    if isinstance(command, commands.ShuffleDeck | commands.ReceiveDecks) and command.sealed:
        raise Denied(400, "The server shuffles the decks, so a command cannot include their order.")
    if session.role == DEALER and settings.dealer == "automatic":  # a floorperson still looks after it
        raise Denied(403, "The automatic dealer runs this table. A floorperson can assign a live dealer.")
    if session.role:
        return session.role
    if isinstance(command, commands.Sit):
        if command.player != session.name:
            raise Denied(403, "You can only sit down under your own name.")
        if seat := seat_of(state, session):
            raise Refusal(f"you are already at seat {seat}", str(state.rules.cite("7(b)")), "one seat at a table")
        return f"player:{command.seat}"
    return f"player:{own_seat(state, session)}"


def _stream(request: VisitorRequest, source: AsyncIterator[bytes]) -> Stream:
    """A live view. Those of people without a place here are limited."""
    if not has_place_here(request.app, request.user):
        source = request.app.state.views.admit(place_of(request), source)
    return live_view(source)


def live_view(source: AsyncIterator[bytes]) -> Stream:
    return Stream(source, media_type=STREAM, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
