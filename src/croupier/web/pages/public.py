"""The public pages: the floor, a seat, the rules of a table, the trainer, returning with a code."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from litestar import Controller, MediaType, Response, get
from litestar.response import Template

from croupier import book
from croupier.floor.premises import Premises
from croupier.money import Cents
from croupier.printed.content.phrases import payout_limit_note
from croupier.table.accounts import kept_for
from croupier.table.state import State, offer_of
from croupier.web.api.staff import SeatNumber
from croupier.web.api.surveillance import RoundNumber
from croupier.web.api.tables import TableName, state_of
from croupier.web.errors import Denied
from croupier.web.live.floor_summary import Summaries
from croupier.web.live.table_stream import Live
from croupier.web.live.table_view import felt, seat_of, viewpoint
from croupier.web.pages.rule_sheet import Anchors, blocks, costs
from croupier.web.security.guards import ANYONE, GUEST, SESSIONLESS, VisitorRequest, roles
from croupier.web.workers.coach import CLOSE
from croupier.web.workers.odds_worker import Edges


class PagesController(Controller):
    include_in_schema = False

    @get("/", opt=roles(ANYONE))
    async def floor(self, request: VisitorRequest, summaries: Summaries, premises: Premises) -> Template:
        me, seats = request.user, premises.seats
        context = {
            "tables": summaries.all(),
            "unpaid": _minutes(seats.unpaid_seconds),
            "away": _minutes(seats.away_seconds),
            "kept": _kept(premises, me.name) if me and not me.role else {},
        }
        return Template("floor.html", context=context)

    @get("/tables/{table:str}", opt=roles(ANYONE))
    async def seat(
        self, table: TableName, request: VisitorRequest, premises: Premises, summaries: Summaries, live: Live
    ) -> Template:
        state = state_of(premises, table)
        seat = seat_of(state, request.user)
        near = seat or _first_free(state.rules.seats, state.players)
        context = {
            "table": summaries.of(table),
            "seen": live.seen(table, viewpoint(state, request.user)).decode().replace("<", r"\u003c"),  # inside a script element
            "seat": seat,
            "near": near,
            "felt": await asyncio.to_thread(felt, state.submission, near),
            "electronic": [wager.name for wager in state.rules.wagers.values() if wager.electronic],
            "away": _minutes(premises.seats.away_seconds),
            "now": premises.clock(),
            "trains": bool(state.rules.decisions),  # without a decision there is nothing to practice
        }
        return Template("seat.html", context=context)

    @get("/tables/{table:str}/felt/{seat:int}", opt=SESSIONLESS)
    async def felt(self, table: TableName, seat: SeatNumber, premises: Premises) -> Response[bytes]:
        """The layout as seen from a seat."""
        state = state_of(premises, table)
        if seat > state.rules.seats:
            raise Denied(404, f"There is no seat {seat} at this table.")
        drawn = await asyncio.to_thread(felt, state.submission, seat)
        return Response(drawn.encode(), media_type="image/svg+xml")

    @get("/tables/{table:str}/rules", opt=roles(ANYONE), media_type=MediaType.HTML)
    async def rules(self, table: TableName, request: VisitorRequest, premises: Premises, edges: Edges) -> str:
        state = state_of(premises, table)
        edges.want(state.submission)
        me = request.user.name if request.user else ""
        found = edges.of(state.offer)
        shown = tuple(costs(found)), payout_limit_note(state.offer, found) if found else ""
        return await asyncio.to_thread(_rule_sheet, request.app.template_engine, table, state.submission, *shown, me)

    @get("/train/{game:str}", opt=roles(ANYONE))
    async def train(self, game: TableName, premises: Premises, summaries: Summaries) -> Template:
        """Hard hands to practice on, of the game of a table, or of a chapter that some table offers."""
        table = next((name for name, state in premises.states().items() if game in _names(name, state)), game)
        state_of(premises, table)
        return Template("train.html", context={"table": summaries.of(table), "close": CLOSE})

    @get("/hands", opt=roles(ANYONE))
    async def hands(self, premises: Premises) -> Template:
        games = [{"number": each.number, "title": each.title} for each in book.chapters()]
        return Template("hands.html", context={"games": games, "tables": list(premises.table_settings)})

    @get("/hands/{table:str}/{number:int}", opt=roles(GUEST))
    async def hand(self, table: TableName, number: RoundNumber) -> Template:
        """The replay of one of a player's own rounds."""
        return Template("hand_replay.html", context={"source": f"/api/hands/tables/{quote(table, safe='')}/rounds/{number}"})

    @get("/shared", opt=roles(ANYONE, passive=True))
    async def shared(self) -> Template:
        """The replay that a link opens. What opens it follows #, which browsers do not send, so no log has it."""
        return Template("hand_replay.html", context={"source": ""})

    @get("/return", opt=roles(ANYONE, passive=True))
    async def come_back(self) -> Template:
        """The page where a guest enters a code. A link has the code after #, which browsers do not send, so no log has it."""
        return Template("return.html")


@lru_cache(maxsize=64)  # of about 150 KB each
def _rule_sheet(engine: Any, table: str, submission: str, edges: tuple[tuple[str, str], ...], note: str, me: str) -> str:
    """The page, rendered once for all visitors without a name, and once per name."""
    offer = offer_of(submission)
    context = {
        "me": me,
        "table": table,
        "offer": offer,
        "blocks": blocks(submission),
        "costs": edges,
        "cost_note": note,
        "anchors": Anchors(),
        "rules": offer.rules,
    }
    return str(engine.get_template("rules.html").render(context))


def _names(table: str, state: State) -> tuple[str, ...]:
    """What a table's game may be called in an address: by the table, the chapter's number or its title."""
    return (table, state.rules.number, state.rules.chapter.slug) if state.submission else (table,)


def _minutes(seconds: int) -> str:
    return f"{seconds / 60:g} minute{'' if seconds == 60 else 's'}" if seconds else ""


def _kept(premises: Premises, player: str) -> dict[str, Cents]:
    """The chips that the house keeps for a player whose seat was freed, by table."""
    held = {table: keeper.state.balance(kept_for(player)) for table, keeper in premises.house.tables.items()}
    return {table: cents for table, cents in held.items() if cents}


def _first_free(seats: int, taken: dict[int, str]) -> int:
    """The free seat nearest the middle, from which a visitor sees the table."""
    middle = (seats + 1) // 2
    return min((seat for seat in range(1, seats + 1) if seat not in taken), key=lambda seat: abs(seat - middle), default=middle)
