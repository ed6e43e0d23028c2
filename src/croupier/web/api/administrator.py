"""The API of the administrator: users, opening of tables, meters, the audit, backup."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import Parameter
from litestar.response import Stream

from croupier import wire
from croupier.floor.premises import OPENER, Premises
from croupier.floor.registers.accounts import User
from croupier.floor.registers.audit import AuditPage
from croupier.floor.registers.people import ONE_TIME_FOR
from croupier.floor.registers.people_events import Role
from croupier.floor.registers.table_settings import TableSettings
from croupier.money import Cents, percent
from croupier.web.api.filings import need_in_effect
from croupier.web.api.tables import IdempotencyKey, TableName, state_of
from croupier.web.errors import Denied
from croupier.web.schema import refuses
from croupier.web.security.guards import ADMINISTRATORS_ONLY, UserRequest, at_most, note
from croupier.web.security.sessions import Sessions
from croupier.web.settings import Settings
from croupier.web.workers import backup as copies
from croupier.wire import Reply

MOST_OPENER = 10**12  # cents
UserName = Annotated[str, Parameter(max_length=200, description="The user's name.")]
NewTableName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,39}$", description="Letters, digits and hyphens.")]


class NewUser(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    role: Role


class NewRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: Role


class OneTime(msgspec.Struct, frozen=True):
    """A one-time password, shown once and stored nowhere."""

    name: str
    password: str
    until: int


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table under a submission that is approved and in effect."""

    table: NewTableName
    filing: str
    opener: Annotated[int, msgspec.Meta(ge=0, le=MOST_OPENER)] = OPENER
    dealer: wire.Dealer = "automatic"
    practice: bool = False
    betting_seconds: wire.Seconds = 20


class NewStanding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is run from now on; fields left out stay as they are. The filing sets the time for decisions."""

    dealer: wire.Dealer | None = None
    practice: bool | None = None
    betting_seconds: wire.Seconds | None = None


class TableStanding(msgspec.Struct, frozen=True):
    table: str
    title: str
    game: str
    phase: str
    version: int
    rounds: int
    players: int
    standing: wire.Standing


class MeterSeen(msgspec.Struct, frozen=True):
    """A progressive meter, its filed terms, and the tables that feed it."""

    meter: str
    wager: str
    amount: Cents
    reserve: Cents
    seed: Cents
    reseed: Cents
    bet: Cents
    rate: str
    reserve_rate: str
    shared: bool
    tables: tuple[str, ...]
    version: int


class AdministratorController(Controller):
    path = "/api"
    tags = ["administrator"]  # noqa: RUF012
    opt = ADMINISTRATORS_ONLY

    # users

    @get("/users")
    async def users(self, premises: Premises) -> list[User]:
        """All users, by name."""
        return await asyncio.to_thread(premises.people.users)

    @post("/users", middleware=at_most(30, "minute"))
    async def add_user(self, data: NewUser, request: UserRequest, premises: Premises) -> OneTime:
        """Add a user. The response has the one-time password, which is shown only here."""
        password = await asyncio.to_thread(premises.people.add, data.name, data.role, request.user.name)
        return OneTime(data.name, password, premises.clock() + ONE_TIME_FOR)

    @post("/users/{name:str}/role", status_code=200)
    async def change_role(
        self, name: UserName, data: NewRole, request: UserRequest, premises: Premises, sessions: Sessions
    ) -> User:
        """Change a user's role. They have to log in again."""
        user = await asyncio.to_thread(premises.people.change_role, name, data.role, request.user.name)
        await sessions.end_all_of(user.name)
        return user

    @post("/users/{name:str}/disable", status_code=200)
    async def disable(self, name: UserName, request: UserRequest, premises: Premises, sessions: Sessions) -> User:
        """Log a user out and refuse further logins."""
        user = await asyncio.to_thread(premises.people.disable, name, request.user.name)
        await sessions.end_all_of(user.name)
        return user

    @post("/users/{name:str}/enable", status_code=200)
    async def enable(self, name: UserName, request: UserRequest, premises: Premises) -> User:
        return await asyncio.to_thread(premises.people.enable, name, request.user.name)

    @post("/users/{name:str}/unlock", status_code=200)
    async def unlock_user(self, name: UserName, request: UserRequest, premises: Premises) -> User:
        """Unlock a user: forget their failed logins."""
        return await asyncio.to_thread(premises.people.unlock, name, request.user.name)

    @post("/users/{name:str}/reset", status_code=200, middleware=at_most(30, "minute"))
    async def reset(self, name: UserName, request: UserRequest, premises: Premises, sessions: Sessions) -> OneTime:
        """Replace a user's password with a one-time password."""
        password = await asyncio.to_thread(premises.people.reset_password, name, request.user.name)
        user = await asyncio.to_thread(premises.people.user, name)
        assert user is not None
        await sessions.end_all_of(user.name)
        return OneTime(user.name, password, premises.clock() + ONE_TIME_FOR)

    # tables and meters

    @get("/standings")
    async def standings(self, premises: Premises) -> list[TableStanding]:
        """How each table is run."""
        return [_table_standing(premises, name) for name in premises.states()]

    @post("/openings", responses=refuses(404))
    async def open_table(self, data: NewTable, key: IdempotencyKey, request: UserRequest, premises: Premises) -> Reply:
        """Open a new table under a submission that is approved and in effect."""
        filed = await asyncio.to_thread(premises.filings.get, data.filing)
        need_in_effect(filed, premises)
        for name in premises.table_settings:
            if name != data.table and name.casefold() == data.table.casefold():
                raise Denied(409, f"There is already a table {name}; names must differ by more than capitalization.")
        settings = TableSettings(data.table, filed.id, data.dealer, data.practice, data.betting_seconds)
        reply = await premises.open(settings, request.user.name, data.opener, f"administrator/{request.user.name}/{key}")
        await note(premises, request, f"opened the table under the submission {filed.id}", data.table, reply.version)
        return reply

    @post("/tables/{table:str}/standing", status_code=200)
    async def stand(self, table: TableName, data: NewStanding, request: UserRequest, premises: Premises) -> TableStanding:
        """Change how a table is run: who deals, whether it is for practice, how long betting stays open."""
        state_of(premises, table)
        await premises.change_settings(table, by=request.user.name, **msgspec.structs.asdict(data))
        return _table_standing(premises, table)

    @get("/meters")
    async def meters(self, premises: Premises) -> list[MeterSeen]:
        """Every progressive meter."""
        return await meters_seen(premises)

    # the audit

    @get("/audit")
    async def audit(
        self,
        premises: Premises,
        limit: Annotated[int, Parameter(ge=1, le=500)] = 100,
        before: Annotated[str, Parameter(max_length=200, description="The value of `older` from the previous page.")] = "",
    ) -> AuditPage:
        """What staff did and when: logins, failures, changes, commands. Newest first."""
        return await asyncio.to_thread(premises.audit.lines, limit, before)

    # backup

    @get("/backup", responses=refuses(409), media_type="application/vnd.sqlite3", middleware=at_most(6, "minute"))
    async def backup(self, request: UserRequest, premises: Premises, settings: Settings) -> Stream:
        """Download a consistent copy of the ledger while play continues. It contains everything: protect it like the ledger."""
        path = copies.path_of(settings)
        await note(premises, request, "took a backup of the ledger")
        if premises.checkpoints:
            await premises.checkpoints.now("backup")
        copy, size = await asyncio.to_thread(copies.backup, path)
        day = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        name = f'attachment; filename="croupier-{day}.db"'
        headers = {"Content-Disposition": name, "Content-Length": str(size), "Cache-Control": "no-store"}
        return Stream(iter(partial(copy.read, copies.CHUNK), b""), media_type="application/vnd.sqlite3", headers=headers)


# tables and meters


def _table_standing(premises: Premises, name: str) -> TableStanding:
    state, settings = premises.house.table(name).state, premises.table_settings[name]
    title, game, phase, players = state.rules.title, state.rules.number, state.phase.value, len(state.players)
    return TableStanding(name, title, game, phase, state.version, state.rounds, players, settings)


async def meters_seen(premises: Premises) -> list[MeterSeen]:
    streams = await asyncio.to_thread(premises.recorder.streams)
    fed: dict[str, list[tuple[str, str]]] = {}
    for name, state in premises.states().items():
        for wager, keeper in premises.house.meters_of(state).items():
            fed.setdefault(keeper.stream, []).append((name, wager))
    found = []
    for stream in (name for name in streams if name.startswith("meter/")):
        keeper = premises.house.meter(stream)
        meter, terms = keeper.meter, keeper.terms
        if meter is None or terms is None:
            continue
        feeding = fed.get(stream, [])
        name = stream.removeprefix("meter/")
        found.append(
            MeterSeen(
                meter=name,
                wager=feeding[0][1] if feeding else name.partition("/")[2] or name,
                amount=meter.amount,
                reserve=meter.reserve,
                seed=terms.seed,
                reseed=terms.reseed,
                bet=terms.amount,
                rate=percent(terms.rate, 2),
                reserve_rate=percent(terms.reserve, 2),
                shared="/" not in name,
                tables=tuple(table for table, _ in feeding),
                version=keeper.version,
            )
        )
    return found
