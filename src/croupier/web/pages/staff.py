"""Staff pages: the login, the dealer's table, the floorperson's board and table, surveillance, the administrator."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated

from litestar import Controller, get
from litestar.params import Parameter, QueryParameter
from litestar.response import Redirect, Template

from croupier.floor.premises import OPENER, Premises
from croupier.floor.registers.people import ROLES
from croupier.printed.press import FORMATS
from croupier.web.api.administrator import meters_seen
from croupier.web.api.filings import all_filed, filed_seen, today, with_cautions
from croupier.web.api.surveillance import RoundNumber
from croupier.web.api.tables import TableName, state_of
from croupier.web.errors import Denied, to_login
from croupier.web.live.board import line, lines
from croupier.web.live.floor_summary import Summaries
from croupier.web.live.surveillance_room import SurveillanceRoom
from croupier.web.live.table_view import felt
from croupier.web.security.guards import (
    ADMINISTRATORS_ONLY,
    ANYONE,
    DEALER,
    FLOORPERSON,
    SURVEILLANCE_ONLY,
    UserRequest,
    VisitorRequest,
    roles,
)  # fmt: skip
from croupier.web.settings import Settings
from croupier.web.workers import backup
from croupier.web.workers.odds_worker import Edges
from croupier.web.workers.print_worker import KINDS, WITHOUT_ODDS

_OWN_PATH = re.compile(r"/(?!/)[A-Za-z0-9%._~/-]*")
Next = Annotated[str, QueryParameter(name="next", max_length=400)]
FilingId = Annotated[str, Parameter(max_length=64)]
PAGE = 100
WORDS_OF_ROLES = {
    "dealer": "deals at tables with a human dealer, and raises irregularities",
    "floorperson": "looks after tables: approvals, fills, limits, closing",
    "surveillance": "sees every dealt card, replays and searches rounds, watches the hold",
    "administrator": "manages users, submissions, tables, the audit and backups",
}


def own_path(text: str) -> str:
    """A path on this server to continue to; empty if the text is anything else.

    >>> own_path("/dealer/three-card-poker"), own_path("//elsewhere.example"), own_path("https://elsewhere.example")
    ('/dealer/three-card-poker', '', '')
    """
    return text if _OWN_PATH.fullmatch(text) else ""


class StaffPages(Controller):
    """Pages that redirect to the login if somebody has to log in first."""

    include_in_schema = False
    exception_handlers = {Denied: to_login}  # noqa: RUF012


class TablePages(StaffPages):
    @get("/login", opt=roles(ANYONE, passive=True))
    async def staff_login(self, request: VisitorRequest, onward: Next = "") -> Template | Redirect:
        """Log in, choose a password, or unlock the screen, whichever is due."""
        me, path = request.user, own_path(onward)
        if me is None or not me.role:
            form = "login"
        elif me.locked:
            form = "unlock"
        elif me.must_change:
            form = "change"
        else:
            return Redirect(path or f"/{me.role}")
        return Template("login.html", context={"form": form, "next": path})

    @get("/dealer", opt=roles(DEALER))
    async def dealer(self, summaries: Summaries) -> Template:
        return Template("dealer.html", context={"tables": summaries.all()})

    @get("/dealer/{table:str}", opt=roles(DEALER))
    async def dealer_table(self, table: TableName, premises: Premises, summaries: Summaries) -> Template:
        drawn = felt(state_of(premises, table).submission, 0)
        return Template("dealer_table.html", context={"table": summaries.of(table), "felt": drawn, "now": premises.clock()})

    @get("/floorperson", opt=roles(FLOORPERSON))
    async def floorperson(self, premises: Premises) -> Template:
        return Template("floorperson.html", context={"lines": lines(premises)})

    @get("/floorperson/{table:str}", opt=roles(FLOORPERSON))
    async def floorperson_table(self, table: TableName, premises: Premises) -> Template:
        drawn = felt(state_of(premises, table).submission, 0)
        return Template("floorperson_table.html", context={"table": line(premises, table), "felt": drawn})


class SurveillancePages(StaffPages):
    path = "/surveillance"
    opt = SURVEILLANCE_ONLY

    @get("/")
    async def grid(self, premises: Premises) -> Template:
        return Template("surveillance.html", context={"here": "live", "damaged": premises.damaged})

    @get("/tables/{table:str}")
    async def table(self, table: str, premises: Premises) -> Template:
        state = state_of(premises, table)
        context = {"table": table, "title": state.rules.title, "felt": felt(state.submission, 0), "rounds": state.rounds}
        return Template("surveillance_table.html", context={"here": "table", **context})

    @get("/tables/{table:str}/rounds/{number:int}")
    async def replay(self, table: str, number: RoundNumber, premises: Premises, room: SurveillanceRoom) -> Template:
        rules = state_of(premises, table).rules
        submission, of = await room.played_under(table, number)
        context = {"table": table, "title": rules.title, "number": number, "of": of, "felt": felt(submission, 0)}
        return Template("replay.html", context={"here": "replay", **context})

    @get("/search")
    async def search(self, premises: Premises) -> Template:
        offers = [state.offer for state in premises.states().values()]
        hands = sorted({hand for offer in offers for name in offer.tables for hand in offer.column(name)})
        return Template("search.html", context={"here": "search", "tables": list(premises.table_settings), "hands": hands})

    @get("/hold")
    async def hold(self) -> Template:
        return Template("hold.html", context={"here": "hold"})


class AdministratorPages(StaffPages):
    path = "/administrator"
    opt = ADMINISTRATORS_ONLY

    @get(["/", "/users"])
    async def users(self, premises: Premises) -> Template:
        users = await asyncio.to_thread(premises.people.users)
        users.sort(key=lambda user: (not user.locked_until, not user.enabled, user.name.casefold()))
        context = {"here": "users", "users": users, "roles": ROLES, "words": WORDS_OF_ROLES}
        return Template("administrator_users.html", context=context)

    @get("/submissions")
    async def submissions(self, premises: Premises, edges: Edges) -> Template:
        filed = [
            filed_seen(each, premises) if each.status == "withdrawn" else await with_cautions(each, premises, edges)
            for each in await asyncio.to_thread(premises.filings.all)
        ]
        context = {"here": "submissions", "filed": filed}
        return Template("administrator_submissions.html", context=context)

    @get("/submissions/{id:str}")
    async def submission(self, id: str, request: UserRequest, premises: Premises, edges: Edges) -> Template:
        found = await asyncio.to_thread(premises.filings.get, id)
        filed, mine = await with_cautions(found, premises, edges), found.is_by(request.user.name)
        text = await asyncio.to_thread(premises.filings.text, id)
        everything = await asyncio.to_thread(premises.filings.all)
        others = [each for each in everything if each.id != filed.id and each.game == filed.game and each.offer and filed.offer]
        context = {
            "here": "submissions", "one": filed, "mine": mine, "text": text, "others": others, "today": today(premises),
            "kinds": KINDS, "forms": FORMATS, "without_odds": WITHOUT_ODDS,
        }  # fmt: skip
        return Template("administrator_submission.html", context=context)

    @get("/compare")
    async def compare(self, premises: Premises, one: FilingId = "", other: FilingId = "") -> Template:
        filed = [each for each in await all_filed(premises) if each.offer]
        context = {"here": "submissions", "filed": filed, "one": one, "other": other}
        return Template("administrator_compare.html", context=context)

    @get("/tables")
    async def tables(self, premises: Premises) -> Template:
        ready = [each for each in await all_filed(premises) if each.in_effect]
        context = {
            "here": "tables", "states": premises.states(), "damaged": premises.damaged, "settings": premises.table_settings,
            "ready": ready, "meters": await meters_seen(premises), "opener": OPENER // 100,
        }  # fmt: skip
        return Template("administrator_tables.html", context=context)

    @get("/audit")
    async def audit(self, premises: Premises, before: Annotated[str, Parameter(max_length=200)] = "") -> Template:
        page = await asyncio.to_thread(premises.audit.lines, PAGE, before)
        return Template("administrator_audit.html", context={"here": "audit", "page": page, "before": before})

    @get("/backup")
    async def backup(self, settings: Settings) -> Template:
        try:
            path, why = backup.path_of(settings), ""
        except Denied as problem:
            path, why = None, problem.detail
        size = path.stat().st_size if path and path.exists() else 0
        context = {"here": "backup", "ledger": path.name if path else "", "size": size, "why": why}
        return Template("administrator_backup.html", context=context)
