"""The pages that anybody may open: the floor, a seat, the rules of a table, the login."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from litestar import Controller, Request, Response, get
from litestar.response import Template

from croupier.floor.premises import Premises
from croupier.printed.layout import layout
from croupier.web import art
from croupier.web.api_tables import known
from croupier.web.errors import Denied
from croupier.web.guards import ANYONE, roles
from croupier.web.seeing import seat_of, viewpoint
from croupier.web.sessions import Session
from croupier.web.summaries import Summaries

Asked = Request[Session | None, str, Any]
A_DAY = {"Cache-Control": "public, max-age=86400"}


class PagesController(Controller):
    include_in_schema = False

    @get("/", opt=roles(ANYONE), sync_to_thread=False)
    def floor(self, request: Asked, summaries: Summaries) -> Template:
        return Template("floor.html", context={"me": request.user, "tables": summaries.all()})

    @get("/tables/{table:str}", opt=roles(ANYONE), sync_to_thread=False)
    def seat(self, table: str, request: Asked, premises: Premises, summaries: Summaries) -> Template:
        state = known(premises, table)
        near = seat_of(state, request.user) or (state.rules.seats + 1) // 2
        context = {
            "me": request.user,
            "table": summaries.of(table),
            "viewpoint": viewpoint(state, request.user),
            "near": near,
            "felt": layout(state.offer, near=near),
        }
        return Template("seat.html", context=context)

    @get("/login", opt=roles(ANYONE), sync_to_thread=False)
    def login(self, request: Asked) -> Template:
        return Template("login.html", context={"me": request.user})

    @get("/art/{name:str}", opt=roles(ANYONE, passive=True), sync_to_thread=False)
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
