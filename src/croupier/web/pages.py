"""The pages that anybody may open: the floor, a seat, the rules of a table, the login."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from litestar import Controller, Request, Response, get
from litestar.params import Parameter
from litestar.response import Template

from croupier.floor.premises import Premises
from croupier.printed.layout import layout
from croupier.web import art
from croupier.web.api_tables import TableName, known
from croupier.web.edges import Edges
from croupier.web.errors import Denied
from croupier.web.guards import ANYONE, SESSIONLESS, roles
from croupier.web.rule_sheet import Anchors, blocks, costs
from croupier.web.seeing import seat_of, viewpoint
from croupier.web.sessions import Session
from croupier.web.summaries import Summaries

Asked = Request[Session | None, str, Any]
SeatNumber = Annotated[int, Parameter(ge=1, le=99)]
A_DAY = {"Cache-Control": "public, max-age=86400"}
_ICON = Path(__file__).parent / "static" / "icon.svg"


class PagesController(Controller):
    include_in_schema = False

    @get("/", opt=roles(ANYONE), sync_to_thread=False)
    def floor(self, request: Asked, summaries: Summaries) -> Template:
        return Template("floor.html", context={"me": request.user, "tables": summaries.all()})

    @get("/tables/{table:str}", opt=roles(ANYONE), sync_to_thread=False)
    def seat(self, table: TableName, request: Asked, premises: Premises, summaries: Summaries) -> Template:
        state = known(premises, table)
        seat = seat_of(state, request.user)
        near = seat or _first_free(state.rules.seats, state.players)
        context = {
            "me": request.user,
            "table": summaries.of(table),
            "viewpoint": viewpoint(state, request.user),
            "seat": seat,
            "near": near,
            "felt": layout(state.offer, near=near),
            "now": premises.clock(),
        }
        return Template("seat.html", context=context)

    @get("/tables/{table:str}/felt/{seat:int}", opt=SESSIONLESS, sync_to_thread=False)
    def felt(self, table: TableName, seat: SeatNumber, premises: Premises) -> Response[bytes]:
        """The layout as it is seen from a seat."""
        state = known(premises, table)
        if seat > state.rules.seats:
            raise Denied(404, f"There is no seat {seat} at this table.")
        return Response(layout(state.offer, near=seat).encode(), media_type="image/svg+xml")

    @get("/tables/{table:str}/rules", opt=roles(ANYONE), sync_to_thread=True)
    def rules(self, table: TableName, request: Asked, premises: Premises, summaries: Summaries, edges: Edges) -> Template:
        state = known(premises, table)
        context = {
            "me": request.user,
            "table": summaries.of(table),
            "blocks": blocks(state.submission),
            "costs": costs(edges.of(state.offer)),
            "anchors": Anchors(),
            "rules": state.rules,
        }
        return Template("rules.html", context=context)

    @get("/favicon.ico", opt=SESSIONLESS, sync_to_thread=False)
    def icon(self) -> Response[bytes]:
        return Response(_ICON.read_bytes(), media_type="image/svg+xml", headers=A_DAY)

    @get("/art/{name:str}", opt=SESSIONLESS, sync_to_thread=False)
    def art(self, name: str) -> Response[bytes]:
        """Cards and chips, drawn as on paper; the typeface of the felt's inscriptions."""
        if name == "felt.ttf":
            return Response(art.felt_font(), media_type="font/ttf", headers=A_DAY)
        drawings: dict[str, Callable[[], str]] = {
            "cards.svg": art.cards_sprite,
            "cards-four.svg": lambda: art.cards_sprite(four=True),
            "chips.svg": art.chips_sprite,
        }
        if name not in drawings:
            raise Denied(404, "There is no such drawing.")
        return Response(drawings[name]().encode(), media_type="image/svg+xml", headers=A_DAY)


def _first_free(seats: int, taken: dict[int, str]) -> int:
    """The free seat nearest to the middle, from where a visitor looks at the table."""
    middle = (seats + 1) // 2
    return min((seat for seat in range(1, seats + 1) if seat not in taken), key=lambda seat: abs(seat - middle), default=middle)
