"""The API of the administrator: users, submissions, opening of tables, meters, the audit, backup and restore."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter
from litestar.response import Stream

from croupier import book
from croupier.filing.offer import Offer
from croupier.floor.audit import Page
from croupier.floor.filings import MOST_BYTES, Filed, KeptFinding
from croupier.floor.house import Reply
from croupier.floor.people import ONE_TIME_FOR, User
from croupier.floor.people_events import Role
from croupier.floor.premises import OPENER, Premises
from croupier.floor.standing import Dealer, Seconds, Standing
from croupier.law.cite import Refusal
from croupier.money import Cents
from croupier.printed import difference as differing
from croupier.printed.form import choices
from croupier.printed.words import percent
from croupier.table.state import offer_of
from croupier.web import copying
from croupier.web.api_tables import IdempotencyKey, TableName, known
from croupier.web.back_office import BackOffice
from croupier.web.copying import Restoring
from croupier.web.edges import Edges
from croupier.web.errors import Denied
from croupier.web.guards import ADMINISTRATOR, at_most, roles
from croupier.web.printing import has_odds
from croupier.web.sessions import Session, Sessions
from croupier.web.settings import Settings

MOST_OPENER = 10**12  # cents
WAIT = 8.0  # seconds until an answer says that something is still being made
PASSWORDS_A_MINUTE, COPIES_A_MINUTE = 30, 6
MINE = roles(ADMINISTRATOR)
Asked = Request[Session, str, Any]
Name = Annotated[str, Parameter(max_length=200, description="The user's name.")]
Id = Annotated[str, Parameter(max_length=64, pattern="^[0-9a-f]{8,64}$", description="The submission: the beginning of its hash.")]
NewTableName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,39}$", description="Letters, digits and hyphens.")]


class NewUser(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    role: Role


class NewRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: Role


class UserSeen(msgspec.Struct, frozen=True):
    """One of the house's people. `must_change`: the password is a one-time password."""

    name: str
    role: str
    enabled: bool
    must_change: bool
    locked_until: int
    last_login: int

    @classmethod
    def of(cls, user: User) -> UserSeen:
        return cls(user.name, user.role, user.enabled, user.must_change, user.locked_until, user.last_login)


class OneTime(msgspec.Struct, frozen=True):
    """A password that is shown once and kept nowhere."""

    name: str
    password: str
    until: int


class NewSubmission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(min_length=1, description="A Rules Submission in TOML.")]


class Approval(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    effective: date


class Withdrawal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    why: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class FiledSeen(msgspec.Struct, frozen=True):
    """A submission: its findings with their clauses, its approval, and which tables are played under it."""

    id: str
    at: int
    by: str
    game: str
    title: str
    edition: str
    facility: str
    offer: str
    findings: tuple[KeptFinding, ...]
    status: str
    effective: str
    in_effect: bool
    approved_by: str
    withdrawn_by: str
    because: str
    tables: tuple[str, ...]


class ChangeSeen(msgspec.Struct, frozen=True):
    what: str
    before: str
    after: str
    cite: str


class EffectSeen(msgspec.Struct, frozen=True):
    """A wager's edge in both; the yearly win in cents, rounded."""

    wager: str
    edge_before: str
    edge_after: str
    average: Cents
    win_before: Cents
    win_after: Cents


class DifferenceSeen(msgspec.Struct, frozen=True):
    """What the second submission changes of the first. `effects` is empty while odds are being worked out."""

    before: str
    after: str
    choices: tuple[ChangeSeen, ...]
    payouts: tuple[ChangeSeen, ...]
    effects: tuple[EffectSeen, ...]
    odds: str  # "known", "being worked out"


class Making(msgspec.Struct, frozen=True):
    """Not there yet: ask again."""

    says: str


NOT_YET = {202: ResponseSpec(Making, description="It is being made; ask again.")}


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table under a submission that is approved and in effect."""

    table: NewTableName
    filing: str
    opener: Annotated[int, msgspec.Meta(ge=0, le=MOST_OPENER)] = OPENER
    linked: dict[str, Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 -]{0,39}$")]] = {}
    dealer: Dealer = "automatic"
    practice: bool = False
    betting_seconds: Seconds = 20
    decision_seconds: Seconds = 30


class NewStanding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is run from now on; what is not named stays. The time for decisions is set when a table is opened."""

    dealer: Dealer | None = None
    practice: bool | None = None
    betting_seconds: Seconds | None = None


class TableStanding(msgspec.Struct, frozen=True):
    table: str
    title: str
    game: str
    phase: str
    version: int
    rounds: int
    players: int
    standing: Standing


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

    # users

    @get("/users", opt=MINE)
    async def users(self, premises: Premises) -> list[UserSeen]:
        """All users by name."""
        return [UserSeen.of(user) for user in await asyncio.to_thread(premises.people.users)]

    @post("/users", opt=MINE, middleware=[at_most("minute", PASSWORDS_A_MINUTE, "users")])
    async def add_user(self, data: NewUser, request: Asked, premises: Premises) -> OneTime:
        """A new user; the answer has the one-time password, which is shown nowhere else."""
        password = await asyncio.to_thread(premises.people.add, data.name, data.role, request.user.name)
        return OneTime(data.name, password, premises.clock() + ONE_TIME_FOR)

    @post("/users/{name:str}/role", opt=MINE, status_code=200)
    async def change_role(self, name: Name, data: NewRole, request: Asked, premises: Premises, sessions: Sessions) -> UserSeen:
        """Another role. The user has to log in again."""
        user = await asyncio.to_thread(premises.people.change_role, name, data.role, request.user.name)
        await asyncio.to_thread(sessions.end_all_of, user.name)
        return UserSeen.of(user)

    @post("/users/{name:str}/disable", opt=MINE, status_code=200)
    async def disable(self, name: Name, request: Asked, premises: Premises, sessions: Sessions) -> UserSeen:
        """Log the user out and let him in no more."""
        user = await asyncio.to_thread(premises.people.disable, name, request.user.name)
        await asyncio.to_thread(sessions.end_all_of, user.name)
        return UserSeen.of(user)

    @post("/users/{name:str}/enable", opt=MINE, status_code=200)
    async def enable(self, name: Name, request: Asked, premises: Premises) -> UserSeen:
        return UserSeen.of(await asyncio.to_thread(premises.people.enable, name, request.user.name))

    @post("/users/{name:str}/unlock", opt=MINE, status_code=200)
    async def unlock_user(self, name: Name, request: Asked, premises: Premises) -> UserSeen:
        """Forget the failures that locked a user."""
        return UserSeen.of(await asyncio.to_thread(premises.people.unlock, name, request.user.name))

    @post("/users/{name:str}/reset", opt=MINE, status_code=200, middleware=[at_most("minute", PASSWORDS_A_MINUTE, "resets")])
    async def reset(self, name: Name, request: Asked, premises: Premises, sessions: Sessions) -> OneTime:
        """A one-time password instead of the user's own."""
        password = await asyncio.to_thread(premises.people.reset_password, name, request.user.name)
        user = await asyncio.to_thread(premises.people.user, name)
        assert user is not None
        await asyncio.to_thread(sessions.end_all_of, user.name)
        return OneTime(user.name, password, premises.clock() + ONE_TIME_FOR)

    # submissions

    @get("/submissions", opt=MINE)
    async def submissions(self, premises: Premises) -> list[FiledSeen]:
        """All submissions, the newest first."""
        return [filed_seen(each, premises) for each in await asyncio.to_thread(premises.filings.all)]

    @post("/submissions", opt=MINE)
    async def file(self, data: NewSubmission, request: Asked, premises: Premises) -> FiledSeen:
        """File a Rules Submission. Its findings are part of the answer; one with errors is kept, but cannot be approved."""
        if len(data.text.encode(errors="replace")) > MOST_BYTES:
            raise Denied(413, f"A submission has at most {MOST_BYTES // 1024} KiB.")
        return filed_seen(await asyncio.to_thread(premises.filings.file, data.text, request.user.name), premises)

    @get("/submissions/{id:str}", opt=MINE)
    async def submission_filed(self, id: Id, premises: Premises) -> FiledSeen:
        return filed_seen(await asyncio.to_thread(premises.filings.get, id), premises)

    @get("/submissions/{id:str}/text", opt=MINE, media_type="text/plain")
    async def submission_text(self, id: Id, premises: Premises) -> str:
        """As it was filed."""
        return await asyncio.to_thread(premises.filings.text, id)

    @post("/submissions/{id:str}/approve", opt=MINE, status_code=200)
    async def approve(self, id: Id, data: Approval, request: Asked, premises: Premises) -> FiledSeen:
        """Approve a submission without errors, in effect from a day on."""
        return filed_seen(await asyncio.to_thread(premises.filings.approve, id, request.user.name, data.effective), premises)

    @post("/submissions/{id:str}/withdraw", opt=MINE, status_code=200)
    async def withdraw(self, id: Id, data: Withdrawal, request: Asked, premises: Premises) -> FiledSeen:
        """No table is opened under it any more. Tables that are open play on under what they were opened with."""
        return filed_seen(await asyncio.to_thread(premises.filings.withdraw, id, request.user.name, data.why), premises)

    @get("/submissions/{id:str}/difference/{other:str}", opt=MINE)
    async def difference(
        self,
        id: Id,
        other: Id,
        premises: Premises,
        edges: Edges,
        hands_per_hour: Annotated[int, Parameter(ge=0, le=100_000)] = 240,
        hours: Annotated[int, Parameter(ge=0, le=10_000)] = 4000,
    ) -> DifferenceSeen:
        """What the other submission changes of this one, clause by clause, and what it does to each edge and the yearly win."""
        texts = [await asyncio.to_thread(_text_of_an_offer, premises, each) for each in (id, other)]
        play = differing.Play(hands_per_hour, hours, {})
        found = await asyncio.to_thread(_difference, offer_of(texts[0]), offer_of(texts[1]), play)
        if found.odds != "known":
            for text in texts:
                edges.want(text)
        return msgspec.structs.replace(found, before=id, after=other)

    @get("/submissions/{id:str}/print/{document:str}", opt=MINE, responses=NOT_YET)
    async def print_document(
        self,
        id: Id,
        document: Annotated[
            str, Parameter(max_length=20, description="layout, sign, guide, strategy, mathematics, submission, all")
        ],
        request: Asked,
        premises: Premises,
        office: BackOffice,
        form: Annotated[str, Parameter(query="format", max_length=4, description="pdf, svg, html or png")] = "pdf",
    ) -> Response[Any]:
        """A document of a submission as a file; several pages or documents come as a ZIP. Status 202: ask again."""
        text = await asyncio.to_thread(_text_of_an_offer, premises, id)
        sheet = await office.shop.ask(id, text, document, form, WAIT)
        if isinstance(sheet, str):
            return Response(Making(sheet), status_code=202, headers={"Retry-After": "3"})
        await _note(premises, request, f"printed the {document} of the submission {id} as {form}")
        headers = {"Content-Disposition": f'attachment; filename="{sheet.name}"', "Cache-Control": "no-store"}
        return Response(sheet.data, media_type=sheet.media, headers=headers)

    # tables and meters

    @get("/standings", opt=MINE, sync_to_thread=False)
    def standings(self, premises: Premises) -> list[TableStanding]:
        """How each table is run."""
        return [_table_standing(premises, name) for name in premises.standings]

    @post("/openings", opt=MINE)
    async def open_table(self, data: NewTable, key: IdempotencyKey, request: Asked, premises: Premises) -> Reply:
        """Open a table under a submission that is approved and in effect, and put it on the floor."""
        filed = await asyncio.to_thread(premises.filings.get, data.filing)
        _need_in_effect(filed, premises)
        for name in premises.standings:
            if name != data.table and name.casefold() == data.table.casefold():
                raise Denied(409, f"There is a table {name} already; names that differ in capitals only are taken for one another.")
        _need_wagers(offer_of(premises.filings.text(filed.id)), data.linked)
        standing = Standing(
            data.table, filed.id, data.dealer, data.practice, data.betting_seconds, data.decision_seconds, data.linked
        )
        reply = await premises.open(standing, request.user.name, data.opener, f"administrator/{request.user.name}/{key}")
        await _note(premises, request, f"opened the table under the submission {filed.id}", data.table, reply.version)
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

    @get("/backup", opt=MINE, media_type="application/vnd.sqlite3", middleware=[at_most("minute", COPIES_A_MINUTE, "backups")])
    async def backup(self, request: Asked, premises: Premises, settings: Settings) -> Stream:
        """A consistent copy of the ledger, made while the tables go on. It holds everything: keep it as you keep the ledger."""
        path = copying.path_of(settings)
        await _note(premises, request, "took a backup of the ledger")
        copy, size = await copying.backup(path)
        day = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        headers = {
            "Content-Disposition": f'attachment; filename="croupier-{day}.db"',
            "Content-Length": str(size),
            "Cache-Control": "no-store",
        }
        return Stream(copying.sending(copy), media_type="application/vnd.sqlite3", headers=headers)

    @get("/restore", opt=MINE, sync_to_thread=False)
    def restoring(self, office: BackOffice) -> Restoring:
        """The copy that waits to be put in place at the next start."""
        return office.restore.now()

    @post(
        "/restore",
        opt=MINE,
        status_code=200,
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
        await _note(premises, request, f"sent a copy of a ledger to be restored: {found.status}")
        return found

    @delete("/restore", opt=MINE, status_code=200)
    async def discard(self, request: Asked, premises: Premises, office: BackOffice) -> Restoring:
        """The copy that waits is not wanted after all."""
        found = await office.restore.discard()
        await _note(premises, request, "discarded the copy of a ledger that waited to be restored")
        return found


async def _note(premises: Premises, request: Asked, what: str, table: str = "", version: int = 0) -> None:
    session, address = request.user, request.client.host if request.client else ""
    await asyncio.to_thread(premises.audit.note, session.name, session.role, what, table, version, address)


# submissions


def filed_seen(filed: Filed, premises: Premises) -> FiledSeen:
    title = book.find(filed.game).title if filed.game else ""
    tables = tuple(name for name, standing in premises.standings.items() if standing.filing == filed.id)
    told = {name: getattr(filed, name) for name in filed.__struct_fields__}
    return FiledSeen(**told, title=title, in_effect=is_in_effect(filed, premises), tables=tables)


def is_in_effect(filed: Filed, premises: Premises) -> bool:
    day = datetime.fromtimestamp(premises.clock() / 1000, premises.filings.zone).date().isoformat()
    return filed.status == "approved" and filed.effective <= day


def _need_in_effect(filed: Filed, premises: Premises) -> None:
    if filed.status != "approved":
        said = "was withdrawn" if filed.status == "withdrawn" else "is not approved"
        raise Denied(409, f"The submission {filed.id} {said}. A table is opened under one that is approved and in effect.")
    if not is_in_effect(filed, premises):
        raise Denied(409, f"The submission {filed.id} is in effect from {filed.effective} on, not before.")


def _need_wagers(offer: Offer, linked: dict[str, str]) -> None:
    for wager in linked:
        if wager not in offer.progressives:
            accepted = ", ".join(offer.progressives) or "none: this submission offers no progressive"
            raise Refusal(f"“{wager}” has no meter that could be linked", "601a.2", accepted)


def _text_of_an_offer(premises: Premises, id: str) -> str:
    """The text of a submission that makes an Offer; one with errors is neither printed nor compared."""
    filed = premises.filings.get(id)
    if not filed.offer:
        first = filed.errors[0] if filed.errors else None
        said = f"the submission {filed.id} has errors" + (f": {first.about}: {first.found}" if first else "")
        raise Refusal(said, first.cite if first else "601a.2", first.accepted if first else "")
    return premises.filings.text(id)


def _difference(one: Offer, other: Offer, play: differing.Play) -> DifferenceSeen:
    """Choices and payouts at once; the edges where both odds have been worked out."""
    if has_odds(one) and has_odds(other):
        found = differing.difference(one, other, play)
        return DifferenceSeen("", "", _changes(found.choices), _changes(found.payouts), tuple(map(_effect, found.effects)), "known")
    if one.rules.number != other.rules.number:
        raise Refusal(f"the filings are of {one.rules.number} and {other.rules.number}", "601a.2", "two filings of one game")
    chosen = differing.changes(*({(item, cite): choice for item, choice, cite in choices(each)} for each in (one, other)))
    paid = differing.changes(differing.payouts(one), differing.payouts(other))
    return DifferenceSeen("", "", _changes(chosen), _changes(paid), (), "being worked out")


def _changes(found: Any) -> tuple[ChangeSeen, ...]:
    return tuple(ChangeSeen(each.what, each.before, each.after, each.cite) for each in found)


def _effect(found: differing.Effect) -> EffectSeen:
    before, after = ("not offered" if edge is None else percent(edge, 4) for edge in (found.before, found.after))
    return EffectSeen(found.wager, before, after, found.average, round(found.win_before), round(found.win_after))


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
