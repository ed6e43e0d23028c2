"""The pages of surveillance and of the administrator."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import Controller, Request, get
from litestar.params import Parameter
from litestar.response import Template

from croupier.floor.people import ROLES
from croupier.floor.premises import OPENER, Premises
from croupier.printed.layout import layout
from croupier.printed.press import FORMS
from croupier.table.state import offer_of
from croupier.web import copying
from croupier.web.api_administrator import meters_seen
from croupier.web.api_filings import filed_seen
from croupier.web.api_surveillance import RoundNumber
from croupier.web.api_tables import known
from croupier.web.api_users import UserSeen
from croupier.web.back_office import BackOffice
from croupier.web.errors import Denied, to_login
from croupier.web.guards import ADMINISTRATOR, SURVEILLANCE, roles
from croupier.web.printing import KINDS, WITHOUT_ODDS
from croupier.web.sessions import Session
from croupier.web.settings import Settings

Asked = Request[Session, str, Any]
WATCHING, MINE = roles(SURVEILLANCE), roles(ADMINISTRATOR)
PAGE = 100
WORDS_OF_ROLES = {
    "dealer": "deals where a person deals, and raises irregularities",
    "floorperson": "looks after tables: approvals, fills, limits, closing",
    "surveillance": "sees every dealt card, replays, searches, watches the hold",
    "administrator": "users, submissions, opening of tables, audit, backup",
}


def _page(name: str, request: Asked, here: str, **context: Any) -> Template:
    current = f"/{request.user.role}"  # for the navigation of the house's own people
    return Template(name, context={"me": request.user, "current": current, "here": here, "utc": utc, **context})


def utc(at: int) -> str:
    """A moment in milliseconds, exact to the second.

    >>> utc(1_800_000_000_000)
    '2027-01-15T08:00:00Z'
    """
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class SurveillancePages(Controller):
    path = "/surveillance"
    include_in_schema = False
    exception_handlers = {Denied: to_login}  # noqa: RUF012

    @get("/", opt=WATCHING, sync_to_thread=False)
    def grid(self, request: Asked) -> Template:
        return _page("surveillance.html", request, "live")

    @get("/tables/{table:str}", opt=WATCHING, sync_to_thread=False)
    def table(self, table: str, request: Asked, premises: Premises) -> Template:
        state = known(premises, table)
        felt = layout(state.offer, near=0)
        return _page(
            "surveillance_table.html", request, "table", table=table, title=state.rules.title, felt=felt, rounds=state.rounds
        )

    @get("/tables/{table:str}/rounds/{number:int}", opt=WATCHING)
    async def replay(self, table: str, number: RoundNumber, request: Asked, premises: Premises, office: BackOffice) -> Template:
        rules = known(premises, table).rules
        submission, of = await office.room.played_under(table, number)
        felt = layout(offer_of(submission), near=0)
        return _page("replay.html", request, "replay", table=table, title=rules.title, number=number, of=of, felt=felt)

    @get("/search", opt=WATCHING, sync_to_thread=False)
    def search(self, request: Asked, premises: Premises) -> Template:
        hands = sorted({hand for name in premises.standings for hand in _hands(premises, name)})
        return _page("search.html", request, "search", tables=list(premises.standings), hands=hands)

    @get("/hold", opt=WATCHING, sync_to_thread=False)
    def hold(self, request: Asked) -> Template:
        return _page("hold.html", request, "hold")


def _hands(premises: Premises, table: str) -> list[str]:
    """What a settlement may name: the rows of the table's paytables."""
    offer = premises.house.table(table).state.offer
    return [hand for name in offer.tables for hand in offer.column(name)]


class AdministratorPages(Controller):
    path = "/administrator"
    include_in_schema = False
    exception_handlers = {Denied: to_login}  # noqa: RUF012

    @get(["/", "/users"], opt=MINE)
    async def users(self, request: Asked, premises: Premises) -> Template:
        users = [UserSeen.of(user) for user in await asyncio.to_thread(premises.people.users)]
        users.sort(key=lambda user: (not user.locked_until, not user.enabled, user.name.casefold()))
        return _page("administrator_users.html", request, "users", users=users, roles=ROLES, words=WORDS_OF_ROLES)

    @get("/submissions", opt=MINE)
    async def submissions(self, request: Asked, premises: Premises) -> Template:
        filed = [filed_seen(each, premises) for each in await asyncio.to_thread(premises.filings.all)]
        return _page("administrator_submissions.html", request, "submissions", filed=filed)

    @get("/submissions/{id:str}", opt=MINE)
    async def submission(self, id: str, request: Asked, premises: Premises) -> Template:
        found = await asyncio.to_thread(premises.filings.get, id)
        filed, mine = filed_seen(found, premises), found.is_by(request.user.name)
        text = await asyncio.to_thread(premises.filings.text, id)
        everything = await asyncio.to_thread(premises.filings.all)
        others = [each for each in everything if each.id != filed.id and each.game == filed.game and each.offer and filed.offer]
        return _page(
            "administrator_submission.html", request, "submissions", one=filed, mine=mine, text=text, others=others,
            today=_today(premises), kinds=KINDS, forms=FORMS, without_odds=WITHOUT_ODDS,
        )  # fmt: skip

    @get("/compare", opt=MINE)
    async def compare(
        self,
        request: Asked,
        premises: Premises,
        one: Annotated[str, Parameter(max_length=64)] = "",
        other: Annotated[str, Parameter(max_length=64)] = "",
    ) -> Template:
        filed = [filed_seen(each, premises) for each in await asyncio.to_thread(premises.filings.all) if each.offer]
        return _page("administrator_compare.html", request, "submissions", filed=filed, one=one, other=other)

    @get("/tables", opt=MINE)
    async def tables(self, request: Asked, premises: Premises) -> Template:
        states = {name: premises.house.table(name).state for name in premises.standings}
        filed = [filed_seen(each, premises) for each in await asyncio.to_thread(premises.filings.all)]
        ready = [each for each in filed if each.in_effect]
        streams = await asyncio.to_thread(premises.recorder.streams)
        meters = meters_seen(premises, [name for name in streams if name.startswith("meter/")])
        return _page(
            "administrator_tables.html", request, "tables", states=states, standings=premises.standings, ready=ready,
            meters=meters, opener=OPENER // 100,
        )  # fmt: skip

    @get("/audit", opt=MINE)
    async def audit(self, request: Asked, premises: Premises, before: Annotated[str, Parameter(max_length=200)] = "") -> Template:
        page = await asyncio.to_thread(premises.audit.lines, PAGE, before)
        return _page("administrator_audit.html", request, "audit", page=page, before=before)

    @get("/backup", opt=MINE, sync_to_thread=False)
    def backup(self, request: Asked, settings: Settings, office: BackOffice) -> Template:
        try:
            path, waiting, why = copying.path_of(settings), office.restore.now(), ""
        except Denied as problem:
            path, waiting, why = None, None, problem.detail
        size = path.stat().st_size if path and path.exists() else 0
        ledger = path.name if path else ""
        return _page("administrator_backup.html", request, "backup", ledger=ledger, size=size, waiting=waiting, why=why)


def _today(premises: Premises) -> str:
    return datetime.fromtimestamp(premises.clock() / 1000, premises.filings.zone).date().isoformat()
