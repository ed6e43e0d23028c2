"""What a browser is sent of a table: the view of its viewpoint, what may be done now, the meters and the clocks."""

from __future__ import annotations

import msgspec

from croupier.floor.premises import Premises
from croupier.money import Cents
from croupier.table.choices import choices
from croupier.table.lapsing import lapses_at
from croupier.table.state import Phase, State
from croupier.table.views import view
from croupier.table.waiting import floorperson_is_due
from croupier.web.sessions import Session
from croupier.wire import Seen

PUBLIC = "public"
_encode = msgspec.json.Encoder().encode


def seat_of(state: State, session: Session | None) -> int:
    """The seat that belongs to this session, or 0. Names of guests are unique, so a seat's name is its owner."""
    if session is None or session.role:
        return 0
    return next((seat for seat, player in state.players.items() if player == session.name), 0)


def viewpoint(state: State, session: Session | None) -> str:
    """“player:3”, “dealer”, “floorperson”, “surveillance”, or “public”."""
    if session is not None and session.role:
        watching = session.role in ("dealer", "floorperson", "surveillance") and not session.locked and not session.must_change
        return session.role if watching else PUBLIC
    seat = seat_of(state, session)
    return f"player:{seat}" if seat else PUBLIC


class Seeing:
    def __init__(self, premises: Premises) -> None:
        self.premises = premises

    def meters(self, state: State) -> dict[str, Cents]:
        found = self.premises.house.meters_of(state)
        return {wager: keeper.meter.amount for wager, keeper in found.items() if keeper.meter}

    def seen(self, table: str, by: str) -> Seen:
        house = self.premises.house
        state, standing = house.table(table).state, self.premises.standings.get(table)
        meters = {wager: keeper.meter for wager, keeper in house.meters_of(state).items() if keeper.meter}
        return Seen(
            view=view(state, by),
            can=choices(state, by, house.clock(), meters),
            meters={wager: meter.amount for wager, meter in meters.items()},
            deadline=deadline(state),
            betting_until=self.premises.pit.betting_until(table) if state.phase is Phase.BETTING and state.stakes else None,
            standing=standing,
            waits_for="" if standing and standing.practice_floorperson else waits_for(state, house.clock()),
        )

    def due(self, table: str) -> int | None:
        return deadline(self.premises.house.table(table).state)

    def encoded(self, table: str, by: str) -> bytes:
        return _encode(self.seen(table, by))


def waits_for(state: State, at: int) -> str:
    """What nothing goes on without: “a floorperson, to verify the inspection of the cards”; empty where nothing waits."""
    due = floorperson_is_due(state, at) if state.submission else None
    return f"a floorperson, to {due.words} ({due.cite})" if due else ""


def deadline(state: State) -> int | None:
    """When the decision that is asked now lapses, in milliseconds."""
    return lapses_at(state, state.round) if state.round else None
