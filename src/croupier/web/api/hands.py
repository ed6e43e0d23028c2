"""The API of a player's own rounds: results, hands with their decisions priced, figures, files, and links to replays."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from litestar import Controller, Response, delete, get, post
from litestar.di import Provide
from litestar.params import Parameter
from msgspec.structs import replace

from croupier.floor.premises import Premises
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.round_record import Bet, RecordedRound
from croupier.floor.surveillance.search import BadCursor, HandFilter, Result
from croupier.money import Cents
from croupier.web.api.surveillance import ASKED, Moment, RoundNumber, Words
from croupier.web.api.tables import TableName, state_of
from croupier.web.errors import Denied
from croupier.web.live.player_hands import PlayerHands, mark_shared
from croupier.web.schema import refuses, sends
from croupier.web.security.guards import ANYONE, GUEST, UserRequest, VisitorRequest, at_most, roles
from croupier.web.security.shares import SharedRound, Shares
from croupier.web.workers.jobs import OneShotProcess
from croupier.wire import Figures, HandBox, HandPage, HandReplay, PlayerHand, SharedHand

MOST_ROUNDS = 100
Limit = Annotated[int, Parameter(ge=1, le=MOST_ROUNDS, description="The most rounds to return.")]
Before = Annotated[int, Parameter(ge=0, le=10**15, description="Only rounds before this number; 0 for the newest.")]
MOST_HANDS = 50
TableWord = Annotated[str, Parameter(max_length=ASKED)]
Form = Literal["json", "csv", "pdf"]
MEDIA: Mapping[str, str] = {
    "json": "application/octet-stream",  # a file to save
    "csv": "text/csv; charset=utf-8",
    "pdf": "application/pdf",
}
MOST_IN_FILE: Mapping[str, int] = {"json": 500, "csv": 500, "pdf": 200}
HEAD = (
    "time", "table", "game", "round", "box", "cards", "dealer", "community", "decisions", "best play", "cost in cents",
    "wagered", "net", "void",
)  # fmt: skip


class Played(msgspec.Struct, frozen=True):
    """One of your rounds: the result of each wager, and the net."""

    number: int
    at: int
    net: Cents
    decisions: tuple[str, ...]
    bets: tuple[Bet, ...]
    void: str


class HandsFile(msgspec.Struct, frozen=True):
    """What the JSON file holds."""

    player: str
    figures: Figures
    hands: Sequence[PlayerHand]


def wanted(game: Words = "", table: Words = "", result: Result = "", since: Moment = 0, until: Moment = 0) -> HandFilter:
    """Which hands a request asks for."""
    return HandFilter(game=game, table=table, result=result, since=since, until=until)


class HandsController(Controller):
    path = "/api"
    tags = ["players"]  # noqa: RUF012
    dependencies = {"wanted": Provide(wanted, sync_to_thread=False)}  # noqa: RUF012

    @get("/tables/{table:str}/history", opt=roles(GUEST))
    async def history(
        self, table: TableName, request: UserRequest, premises: Premises, limit: Limit = 20, before: Before = 0
    ) -> list[Played]:
        """The rounds you have played at this table, newest first."""
        state_of(premises, table)
        return await asyncio.to_thread(_history, premises.records, table, request.user.name, limit, before)

    @get("/hands", opt=roles(GUEST), middleware=at_most(120, "minute"))
    async def hands(
        self,
        request: UserRequest,
        player_hands: PlayerHands,
        shares: Shares,
        wanted: HandFilter,
        mistakes: bool = False,
        cursor: Annotated[str, Parameter(max_length=ASKED)] = "",
        limit: Annotated[int, Parameter(ge=1, le=MOST_HANDS)] = 20,
    ) -> HandPage:
        """Your finished rounds, newest first: the cards you saw, what you decided, the best choice and what yours cost."""
        try:
            page = await player_hands.page(request.user.name, wanted, cursor, limit, mistakes=mistakes)
        except BadCursor as problem:
            raise Denied(400, str(problem)) from None
        return mark_shared(page, await shares.of(request.user.name))

    @get("/hands/figures", opt=roles(GUEST), middleware=at_most(120, "minute"))
    async def figures(
        self,
        request: UserRequest,
        player_hands: PlayerHands,
        game: Words = "",
        table: Words = "",
        since: Moment = 0,
        until: Moment = 0,
    ) -> Figures:
        """Your rounds, what you wagered, and what you won or lost against the expectation under best play."""
        return await player_hands.figures(request.user.name, HandFilter(game=game, table=table, since=since, until=until))

    @get(
        "/hands/files/{form:str}",
        opt=roles(GUEST),
        middleware=at_most(10, "minute"),
        responses={200: sends(bytes, "The file, in the requested format.", "*/*")},
    )
    async def file(
        self,
        form: Form,
        request: UserRequest,
        player_hands: PlayerHands,
        press: OneShotProcess,
        wanted: HandFilter,
    ) -> Response[bytes]:
        """Your newest hands and your figures as JSON, CSV (one line for each box) or PDF."""
        name = request.user.name
        hands = await player_hands.newest(name, wanted, MOST_IN_FILE[form])
        figures = await player_hands.figures(name, replace(wanted, result=""))  # a choice of results has no expectation
        made = await hands_file(form, name, hands, figures, press)
        headers = {"Content-Disposition": f'attachment; filename="hands.{form}"'}
        return Response(made, media_type=MEDIA[form], headers=headers)

    @get("/hands/tables/{table:str}/rounds/{number:int}", opt=roles(GUEST))
    async def replay(self, table: TableWord, number: RoundNumber, request: UserRequest, player_hands: PlayerHands) -> HandReplay:
        """One of your rounds, event by event, as your seat saw it."""
        return await player_hands.replay(request.user.name, table, number)

    @post("/hands/tables/{table:str}/rounds/{number:int}/share", opt=roles(GUEST), middleware=at_most(30, "minute"))
    async def share(
        self, table: TableWord, number: RoundNumber, request: UserRequest, player_hands: PlayerHands, shares: Shares
    ) -> SharedHand:
        """Make a link to the replay of one of your rounds. Anyone who has it sees what your seat saw, until you revoke it."""
        shared = SharedRound(request.user.name, table, number)
        await player_hands.need(shared.player, table, number)
        return SharedHand(f"/shared#{await shares.make(shared)}")

    @delete("/hands/tables/{table:str}/rounds/{number:int}/share", opt=roles(GUEST))
    async def revoke(self, table: TableWord, number: RoundNumber, request: UserRequest, shares: Shares) -> None:
        """Revoke every link to this round."""
        await shares.revoke(SharedRound(request.user.name, table, number))

    @get("/shared", opt=roles(ANYONE, passive=True), responses=refuses(404), middleware=at_most(120, "minute", each_place=True))
    async def shared(
        self,
        request: VisitorRequest,
        player_hands: PlayerHands,
        shares: Shares,
        token: Annotated[
            str, Parameter(header="x-share-token", max_length=ASKED, description="The part of the link after #; no log has it.")
        ] = "",
    ) -> HandReplay:
        """The replay that a link opens: what its player's seat saw, and nobody's name but theirs."""
        found = await shares.find(token) if token else None
        if found is None:
            raise Denied(404, "This link does not work: it is incomplete, or the player has revoked it.")
        return await player_hands.replay(found.player, found.table, found.number)


# rounds


def _history(records: Records, table: str, player: str, limit: int, before: int) -> list[Played]:
    records.catch_up(table)
    numbers = records.columns(table).players.get(player, ())
    mine = [number for number in numbers if not before or number < before]
    return [_played(records.round(table, number), player) for number in reversed(mine[-limit:])]


def _played(round_: RecordedRound, player: str) -> Played:
    boxes = [box for box in round_.boxes if box.player == player]
    decisions = tuple(word for box in boxes for word in box.decisions)
    bets = tuple(bet for box in boxes for bet in box.bets)
    return Played(round_.number, round_.begun, round_.net[player], decisions, bets, round_.void)


# files


async def hands_file(form: str, player: str, hands: Sequence[PlayerHand], figures: Figures, press: OneShotProcess) -> bytes:
    match form:
        case "json":
            return msgspec.json.format(msgspec.json.encode(HandsFile(player, figures, hands)))
        case "csv":
            return as_csv(hands)
    return await press.print(printed, player, list(hands), figures)


def as_csv(hands: Sequence[PlayerHand]) -> bytes:
    """One line for each box of a round; amounts in cents, costs as exact fractions."""
    text = io.StringIO()
    out = csv.writer(text)
    out.writerow(HEAD)
    for hand in hands:
        out.writerows(_row(hand, box) for box in hand.boxes)
    return text.getvalue().encode()


def _row(hand: PlayerHand, box: HandBox) -> list[object]:
    decisions = box.decisions
    return [
        hand.at, _plain(hand.table), hand.game, hand.number, box.box, " ".join((*box.cards, *box.fourth)), " ".join(hand.dealer),
        " ".join(hand.community), "; ".join(each.said for each in decisions),
        "; ".join(each.best or each.problem or "being computed" for each in decisions), "; ".join(each.cost for each in decisions),
        sum(line.stake for line in box.lines if line.outcome not in ("withdrawn", "void")),
        sum(line.pays + line.returns - line.stake for line in box.lines), hand.void,
    ]  # fmt: skip


def _plain(name: str) -> str:
    """A name that spreadsheets do not read as a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name


def printed(player: str, hands: list[PlayerHand], figures: Figures) -> bytes:
    """In the child process."""
    from croupier.printed.documents.hands import hands_report
    from croupier.printed.output.typeset import typeset

    return typeset(hands_report(player, hands, figures))[0]
