"""The API of tables: the floor, what is seen, what is done, and the live views."""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated, Any

from litestar import Controller, Request, Response, get, post
from litestar.params import Parameter
from litestar.response import Stream

from croupier.floor.premises import Premises
from croupier.law.cite import Refusal
from croupier.table import commands as say
from croupier.table.commands import AnyCommand, Command
from croupier.table.state import State
from croupier.web.errors import Denied
from croupier.web.guards import ANYONE, DEALER, FLOORPERSON, GUEST, at_most, roles
from croupier.web.live import Live
from croupier.web.schema import STREAM, refuses, sends
from croupier.web.seeing import seat_of, viewpoint
from croupier.web.sessions import Session
from croupier.web.summaries import Summaries
from croupier.wire import EventMessage, Ready, Reply, Seen, SeenMessage, TablesMessage, TableSummary

log = logging.getLogger("croupier.web")
JSON = "application/json"
COMMANDS_A_SECOND = 40
TableName = Annotated[str, Parameter(max_length=200, description="The table's name, as the floor lists it.")]
IdempotencyKey = Annotated[
    str,
    Parameter(
        header="Idempotency-Key", min_length=8, max_length=100, pattern=r"^[!-~]{8,100}$",
        description="A word of your own for this wish. Sent again with it, a command has its effect once and the same answer.",
    ),
]  # fmt: skip
GuestRequest = Request[Session | None, str, Any]


def known(premises: Premises, table: str) -> State:
    """A table of the floor, or a refusal."""
    if table not in premises.standings:
        raise Denied(404, "There is no such table on this floor.")
    return premises.house.table(table).state


class TablesController(Controller):
    path = "/api"
    tags = ["tables"]  # noqa: RUF012

    @get("/tables", opt=roles(ANYONE), sync_to_thread=False)
    def tables(self, summaries: Summaries) -> list[TableSummary]:
        """Every table of the floor: game, limits, wagers with their house edges, free seats, meters."""
        return summaries.all()

    @get(
        "/live", opt=roles(ANYONE, passive=True), sync_to_thread=False, media_type=STREAM,
        responses={200: sends(TablesMessage, "Server-sent events.", STREAM)},
    )  # fmt: skip
    def floor_live(self, summaries: Summaries) -> Stream:
        """The floor as it changes: server-sent events “tables”, each a list of the summaries that have changed."""
        return _stream(summaries.stream())

    @get("/tables/{table:str}", opt=roles(ANYONE), sync_to_thread=False, responses={200: sends(Seen, "The table as you see it.")})
    def table(self, table: TableName, request: GuestRequest, premises: Premises, live: Live) -> Response[bytes]:
        """What you may see of a table, and what you may do now."""
        state = known(premises, table)
        return Response(live.seen(table, viewpoint(state, request.user)), media_type=JSON)

    @get(
        "/tables/{table:str}/live", opt=roles(ANYONE, passive=True), sync_to_thread=False, media_type=STREAM,
        responses={200: sends(EventMessage | SeenMessage, "Server-sent events.", STREAM)},
    )  # fmt: skip
    def table_live(
        self,
        table: TableName,
        request: GuestRequest,
        premises: Premises,
        live: Live,
        last: Annotated[str | None, Parameter(header="Last-Event-ID")] = None,
    ) -> Stream:
        """Each event of a table once and in order, as server-sent events whose id is the event's number."""
        known(premises, table)
        after = int(last) if last is not None and last.isdecimal() and len(last) < 16 else None
        sessions, token = request.app.state.sessions, request.auth

        async def by() -> str | None:
            """Asked each time: a person who has logged out sees no more than anybody."""
            session = await sessions.find(token) if token else None
            if token and session is None:
                return None
            return viewpoint(premises.house.table(table).state, session)

        head = premises.house.table(table).version
        return _stream(live.stream(table, by, after if after is None or after <= head else None))

    @post(
        "/tables/{table:str}/commands", opt=roles(GUEST, DEALER, FLOORPERSON), status_code=200, responses=refuses(409),
        middleware=[at_most("second", COMMANDS_A_SECOND, "commands")],
    )  # fmt: skip
    async def command(
        self, table: TableName, data: AnyCommand, key: IdempotencyKey, request: GuestRequest, premises: Premises
    ) -> Reply:
        """Do something at a table. Granted means on disk; refused says why, and under which clause."""
        state, session = known(premises, table), request.user
        assert session is not None
        wish = f"{session.role or 'guest'} {key} {session.name}"  # neither a role nor a key has a space
        try:
            by = _actor(state, session, data)
        except (Denied, Refusal):  # who asks again may have sat down, or left, the first time
            if before := premises.house.answered(wish, table, data):
                return before
            raise
        _need_no_secrets(data)
        if session.role:
            _need_person(premises, table, session)
            if isinstance(data, say.Sit):  # whom the house seats has his name to himself, as a guest has
                await asyncio.to_thread(premises.people.name_guest, data.player)
        said = type(data).name().replace("_", " ")
        reply = await premises.execute(table, data, by, wish, session.name)
        log.info("done", extra={"table": table, "command": said, "version": reply.version, "who": by})
        if session.role:
            await asyncio.to_thread(premises.audit.note, session.name, session.role, said, table, reply.version)
        return reply

    @get("/tables/{table:str}/submission", opt=roles(ANYONE), sync_to_thread=False, media_type="text/plain")
    def submission(self, table: TableName, premises: Premises) -> str:
        """The Rules Submission under which the table is played, as it was filed."""
        return known(premises, table).submission

    @post(
        "/tables/{table:str}/ready", opt=roles(GUEST), status_code=202, sync_to_thread=False,
        middleware=[at_most("second", COMMANDS_A_SECOND, "readiness")],
    )  # fmt: skip
    def ready(self, table: TableName, request: GuestRequest, premises: Premises) -> Ready:
        """You have made the wagers that you want to make: the dealer need not wait for you."""
        seat = seat_of(known(premises, table), request.user)
        if not seat:
            raise Denied(403, "You have no seat at this table.")
        premises.ready(table, seat)
        return Ready(seat)


def _actor(state: State, session: Session, command: Command) -> str:
    """In whose name a command is given: a player acts for his own seat, staff in their role."""
    if isinstance(command, say.OpenTable):
        raise Denied(403, "A table is opened on the administrator's page.")
    if session.role:
        return session.role
    if isinstance(command, say.Sit):
        if command.player != session.name:
            raise Denied(403, "You sit down under your own name.")
        if seat := seat_of(state, session):
            raise Refusal(f"you sit at seat {seat} already", str(state.rules.cite("7(b)")), "one seat at a table")
        return f"player:{command.seat}"
    if not (seat := seat_of(state, session)):
        raise Denied(403, "You have no seat at this table.")
    return f"player:{seat}"


def _need_no_secrets(command: Command) -> None:
    if isinstance(command, say.ShuffleDeck | say.ReceiveDecks) and command.sealed:
        raise Denied(400, "The order of a deck is made by the house, never sent to it.")


def _need_person(premises: Premises, table: str, session: Session) -> None:
    """At a table of the automatic dealer a person does not deal; the floorperson may look after it all the same."""
    standing = premises.standings.get(table)
    if session.role == DEALER and standing is not None and standing.dealer == "automatic":
        raise Denied(403, "The automatic dealer deals at this table. A floorperson can put a person there.")


def _stream(source: Any) -> Stream:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Stream(source, media_type=STREAM, headers=headers)
