"""The API of the administrator: opening of tables, meters, the audit, backup and restore."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from litestar import Controller, delete, get, post
from litestar.params import Parameter
from litestar.response import Stream

from croupier import wire
from croupier.floor.audit import Page
from croupier.floor.premises import OPENER, Premises
from croupier.floor.standing import Standing
from croupier.money import Cents, percent
from croupier.web import copying
from croupier.web.api_filings import need_in_effect
from croupier.web.api_tables import IdempotencyKey, TableName, known
from croupier.web.back_office import MINE, WAIT, Asked, BackOffice, note
from croupier.web.copying import Restoring
from croupier.web.errors import Denied
from croupier.web.guards import at_most
from croupier.web.schema import file_body, refuses
from croupier.web.settings import Settings
from croupier.wire import Reply

MOST_OPENER = 10**12  # cents
COPIES_A_MINUTE = 6
NewTableName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,39}$", description="Letters, digits and hyphens.")]


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table under a submission that is approved and in effect."""

    table: NewTableName
    filing: str
    opener: Annotated[int, msgspec.Meta(ge=0, le=MOST_OPENER)] = OPENER
    dealer: wire.Dealer = "automatic"
    practice: bool = False
    betting_seconds: wire.Seconds = 20


class NewStanding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is run from now on; what is not named stays. The time for decisions is the filing's."""

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


TakesALedger = file_body("application/vnd.sqlite3")


class AdministratorController(Controller):
    path = "/api"
    tags = ["administrator"]  # noqa: RUF012

    # tables and meters

    @get("/standings", opt=MINE, sync_to_thread=False)
    def standings(self, premises: Premises) -> list[TableStanding]:
        """How each table is run."""
        return [_table_standing(premises, name) for name in premises.standings]

    @post("/openings", opt=MINE, responses=refuses(404))
    async def open_table(self, data: NewTable, key: IdempotencyKey, request: Asked, premises: Premises) -> Reply:
        """Open a table under a submission that is approved and in effect, and put it on the floor."""
        filed = await asyncio.to_thread(premises.filings.get, data.filing)
        need_in_effect(filed, premises)
        for name in premises.standings:
            if name != data.table and name.casefold() == data.table.casefold():
                raise Denied(409, f"There is a table {name} already; names that differ in capitals only are taken for one another.")
        standing = Standing(data.table, filed.id, data.dealer, data.practice, data.betting_seconds)
        reply = await premises.open(standing, request.user.name, data.opener, f"administrator/{request.user.name}/{key}")
        await note(premises, request, f"opened the table under the submission {filed.id}", data.table, reply.version)
        return reply

    @post("/tables/{table:str}/standing", opt=MINE, status_code=200)
    async def stand(self, table: TableName, data: NewStanding, request: Asked, premises: Premises) -> TableStanding:
        """How a table is run from now on: who deals, for practice or not, how long wagers stay open."""
        known(premises, table)
        named = {name: value for name, value in msgspec.structs.asdict(data).items() if value is not None}
        standing = msgspec.structs.replace(premises.standings[table], **named)
        await asyncio.to_thread(premises.floor.set_standing, table, by=request.user.name, **named)
        premises.stand(standing, request.user.name)
        return _table_standing(premises, table)

    @get("/meters", opt=MINE)
    async def meters(self, premises: Premises) -> list[MeterSeen]:
        """Every progressive meter of the log."""
        streams = await asyncio.to_thread(premises.recorder.streams)
        return meters_seen(premises, [name for name in streams if name.startswith("meter/")])

    # the audit

    @get("/audit", opt=MINE)
    async def audit(
        self,
        premises: Premises,
        limit: Annotated[int, Parameter(ge=1, le=500)] = 100,
        before: Annotated[str, Parameter(max_length=200, description="What the page before gave as `older`.")] = "",
    ) -> Page:
        """Who of the house did what, when: logins, failures, changes, commands. The newest first."""
        return await asyncio.to_thread(premises.audit.lines, limit, before)

    # backup and restore

    @get(
        "/backup",
        opt=MINE,
        responses=refuses(409),
        media_type="application/vnd.sqlite3",
        middleware=[at_most("minute", COPIES_A_MINUTE, "backups")],
    )
    async def backup(self, request: Asked, premises: Premises, settings: Settings) -> Stream:
        """A consistent copy of the ledger, made while the tables go on. It holds everything: keep it as you keep the ledger."""
        path = copying.path_of(settings)
        await note(premises, request, "took a backup of the ledger")
        copy, size = await copying.backup(path)
        day = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        headers = {
            "Content-Disposition": f'attachment; filename="croupier-{day}.db"',
            "Content-Length": str(size),
            "Cache-Control": "no-store",
        }
        return Stream(copying.sending(copy), media_type="application/vnd.sqlite3", headers=headers)

    @get("/restore", opt=MINE, sync_to_thread=False, responses=refuses(409))
    def restoring(self, office: BackOffice) -> Restoring:
        """The copy that waits to be put in place at the next start."""
        return office.restore.now()

    @post(
        "/restore",
        opt=MINE,
        status_code=200,
        operation_class=TakesALedger,
        request_max_body_size=copying.LARGEST,
        middleware=[at_most("minute", COPIES_A_MINUTE, "restores")],
    )
    async def restore(
        self,
        request: Asked,
        premises: Premises,
        office: BackOffice,
    ) -> Restoring:
        """Send a copy of a ledger as the body. Every entry is verified; it is put in place at the next start, never before."""
        found = await office.restore.receive(request.stream(), WAIT)
        await note(premises, request, f"sent a copy of a ledger to be restored: {found.status}")
        return found

    @delete("/restore", opt=MINE, status_code=200)
    async def discard(self, request: Asked, premises: Premises, office: BackOffice) -> Restoring:
        """The copy that waits is not wanted after all."""
        found = await office.restore.discard()
        await note(premises, request, "discarded the copy of a ledger that waited to be restored")
        return found


# tables and meters


def _table_standing(premises: Premises, name: str) -> TableStanding:
    state = premises.house.table(name).state
    rules = state.rules
    return TableStanding(
        name,
        rules.title,
        rules.number,
        state.phase.value,
        state.version,
        state.rounds,
        len(state.players),
        premises.standings[name],
    )


def meters_seen(premises: Premises, streams: list[str]) -> list[MeterSeen]:
    fed: dict[str, list[tuple[str, str]]] = {}
    for name in premises.standings:
        for wager, keeper in premises.house.meters_of(premises.house.table(name).state).items():
            fed.setdefault(keeper.stream, []).append((name, wager))
    found = []
    for stream in streams:
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
