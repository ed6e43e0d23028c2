"""Staff pages: the login, the dealer's table, the floorperson's board and table."""

from __future__ import annotations

import re
from typing import Annotated

from litestar import Controller, get
from litestar.params import QueryParameter
from litestar.response import Redirect, Template

from croupier.floor.premises import Premises
from croupier.web.api.tables import TableName, known
from croupier.web.errors import Denied, to_login
from croupier.web.live.board import line, lines
from croupier.web.live.floor_summary import Summaries
from croupier.web.live.table_view import felt
from croupier.web.security.guards import ANYONE, DEALER, FLOORPERSON, VisitorRequest, roles

_OWN_PATH = re.compile(r"/(?!/)[A-Za-z0-9%._~/-]*")
Next = Annotated[str, QueryParameter(name="next", max_length=400)]


def own_path(text: str) -> str:
    """A path on this server to continue to; empty if the text is anything else.

    >>> own_path("/dealer/three-card-poker"), own_path("//elsewhere.example"), own_path("https://elsewhere.example")
    ('/dealer/three-card-poker', '', '')
    """
    return text if _OWN_PATH.fullmatch(text) else ""


class StaffPagesController(Controller):
    include_in_schema = False
    exception_handlers = {Denied: to_login}  # noqa: RUF012

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
        drawn = felt(known(premises, table).submission, 0)
        return Template("dealer_table.html", context={"table": summaries.of(table), "felt": drawn, "now": premises.clock()})

    @get("/floorperson", opt=roles(FLOORPERSON))
    async def floorperson(self, premises: Premises) -> Template:
        return Template("floorperson.html", context={"lines": lines(premises)})

    @get("/floorperson/{table:str}", opt=roles(FLOORPERSON))
    async def floorperson_table(self, table: TableName, premises: Premises) -> Template:
        drawn = felt(known(premises, table).submission, 0)
        return Template("floorperson_table.html", context={"table": line(premises, table), "felt": drawn})
