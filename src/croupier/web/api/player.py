"""The API of a player at a seat: the coach of a practice table, and the rounds they have played."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import Controller, get
from litestar.params import Parameter

from croupier.cards import show
from croupier.floor.premises import Premises
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.round_record import Bet, RecordedRound
from croupier.law.procedure import Act
from croupier.money import Cents
from croupier.table.rules.round_play import pending
from croupier.table.state import Held, Phase, State, cards_of
from croupier.web.api.tables import TableName, known
from croupier.web.errors import Denied
from croupier.web.live.table_view import seat_of
from croupier.web.schema import refuses
from croupier.web.security.guards import GUEST, UserRequest, at_most, roles
from croupier.web.workers.coach import Answer, Coach, Question

MOST_ROUNDS = 100
Limit = Annotated[int, Parameter(ge=1, le=MOST_ROUNDS, description="The most rounds to return.")]
Before = Annotated[int, Parameter(ge=0, le=10**15, description="Only rounds before this number; 0 for the newest.")]


class Advised(Answer, frozen=True, kw_only=True):
    """What each choice is worth on average, best first. `unit` is the wager that counts as one.

    The first question about a game takes a while; until then the coach is `thinking`: ask again.
    """

    box: int
    version: int
    cite: str
    unit: str
    thinking: bool = False


class Played(msgspec.Struct, frozen=True):
    """One of your rounds: the result of each wager, and the net."""

    number: int
    at: int
    net: Cents
    decisions: tuple[str, ...]
    bets: tuple[Bet, ...]
    void: str


class PlayerController(Controller):
    path = "/api"
    tags = ["players"]  # noqa: RUF012

    @get("/tables/{table:str}/coach", opt=roles(GUEST), responses=refuses(409), middleware=at_most(120, "minute"))
    async def advice(self, table: TableName, request: UserRequest, premises: Premises, coach: Coach) -> Advised:
        """At a practice table: the exact value of each of your current choices."""
        state = known(premises, table)
        seat = seat_of(state, request.user)
        if not seat:
            raise Denied(403, "You have no seat at this table.")
        if not premises.standings[table].practice:
            raise Denied(403, "The coach speaks at practice tables only.")
        box = _asked(state, seat)
        assert state.round is not None
        stage, decision = state.stages[state.round.stage], state.stages[state.round.stage].decision
        version, unit = state.version, decision.base.name if decision else _first_wager(state)
        answer = await coach.ask(state.rules.number, _question(state, box))
        if isinstance(answer, str):
            raise Denied(409, answer)
        found = msgspec.structs.asdict(answer or Answer())
        return Advised(**found, box=box, version=version, cite=str(stage.cite), unit=unit, thinking=answer is None)

    @get("/tables/{table:str}/history", opt=roles(GUEST))
    async def history(
        self, table: TableName, request: UserRequest, premises: Premises, limit: Limit = 20, before: Before = 0
    ) -> list[Played]:
        """The rounds you have played at this table, newest first."""
        known(premises, table)
        return await asyncio.to_thread(_history, premises.records, table, request.user.name, limit, before)


def _first_wager(state: State) -> str:
    return next(each.name for each in state.rules.wagers.values() if not each.optional)


def _asked(state: State, seat: int) -> int:
    """The box of this player that has to decide now; Denied if there is none."""
    current = state.round
    waiting = pending(state, current)[:1] if current is not None and state.phase is Phase.COMPLETING else []
    if not waiting or state.boxes.get(waiting[0]) != seat:
        raise Denied(409, "Nothing is asked of you now.")
    return waiting[0]


def _question(state: State, box: int) -> Question:
    """What this player can see: their own cards, and the dealer's and community cards that are face up."""
    current = state.round
    assert current is not None

    def face_up(held: list[Held]) -> str:
        return show(cards_of([each for each in held if each.up]))

    sets = state.stages[current.stage].act is Act.SET
    return Question(
        state.submission, show(cards_of(current.hands[box])), "" if sets else face_up(current.dealer), face_up(current.community)
    )


def _history(records: Records, table: str, player: str, limit: int, before: int) -> list[Played]:
    records.catch_up(table)
    numbers = records.columns(table).players.get(player, ())
    mine = [number for number in numbers if not before or number < before]
    return [_played(records.round(table, number), player) for number in reversed(mine[-limit:])]


def _played(found: RecordedRound, player: str) -> Played:
    boxes = [box for box in found.boxes if box.player == player]
    decisions = tuple(word for box in boxes for word in box.decisions)
    bets = tuple(bet for box in boxes for bet in box.bets)
    return Played(found.number, found.begun, found.net[player], decisions, bets, found.void)
