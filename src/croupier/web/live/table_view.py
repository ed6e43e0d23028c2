"""The JSON that a browser gets for a table: its view, what its user may do now, the meters and the clocks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from croupier.floor.premises import Premises
from croupier.printed.drawing.felt import layout_drawing
from croupier.table.accounts import kept_for
from croupier.table.choices.hand_terms import chips_needed, not_dealt_reason
from croupier.table.choices.players import aim_words, choices, lapse_words
from croupier.table.choices.staff import blocking_task
from croupier.table.state import Phase, State, offer_of
from croupier.table.views import PUBLIC, public_view, with_own
from croupier.web.errors import problem_of
from croupier.web.security.sessions import Session
from croupier.wire import Seen, Standing

_encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=256)  # of about 35 KB each
def felt(submission: str, near: int) -> str:
    """The layout as seen from a seat, or from the dealer's side (0). Drawing it for each request would stall the tables."""
    return layout_drawing(offer_of(submission), near=near)


def seat_of(state: State, session: Session | None) -> int:
    """The seat that belongs to this session, or 0. Names of guests are unique, so a seat's name is its owner."""
    if session is None or session.role:
        return 0
    return next((seat for seat, player in state.players.items() if player == session.name), 0)


def viewpoint(state: State, session: Session | None) -> str:
    """“player:3”, “dealer”, “floorperson”, “surveillance”, or “public”; “public Ann” for a guest whose chips the house keeps."""
    if session is not None and session.role:
        watching = session.role in ("dealer", "floorperson", "surveillance") and not session.locked and not session.must_change
        return session.role if watching else PUBLIC
    if seat := seat_of(state, session):
        return f"player:{seat}"
    return f"{PUBLIC} {session.name}" if session and state.balance(kept_for(session.name)) else PUBLIC


def brief(state: State, settings: Standing) -> tuple[str, str, str, str, int, dict[int, str], bool, bool]:
    """The fields of a `wire.TableBrief`."""
    rules, players = state.rules, dict(sorted(state.players.items()))
    return state.table, rules.title, rules.number, state.phase.value, rules.seats, players, settings.practice, state.lies_idle


def own_name(state: State) -> str:
    """The table's name among several tables of one game; empty if it is named after the game."""
    return "" if state.table == state.rules.chapter.slug else state.table


def table_now(premises: Premises, table: str) -> Callable[[str], bytes]:
    """A function from a viewpoint to what it sees of a table now, as JSON. What all viewpoints share is built once."""
    house, settings = premises.house, premises.table_settings.get(table)
    state = house.table(table).state
    meters = house.shown_meters(state)
    waits = not (settings and settings.practice_floorperson)
    shared = Seen(
        view=public_view(state),
        can=[],
        meters={wager: meter.amount for wager, meter in meters.items()},
        deadline=premises.pit.deadline(table),
        betting_until=premises.pit.betting_until(table) if state.phase is Phase.BETTING and state.stakes else None,
        standing=settings,
        waits_for=waits_for(state, house.clock()) if waits else "",
        ready=tuple(premises.pit.ready_seats(table)[1]),
    )

    def seen(by: str) -> bytes:
        by, _, guest = by.partition(" ")
        seat = int(by.removeprefix("player:")) if by.startswith("player:") else 0
        refusal = not_dealt_reason(state, seat) if seat else None
        own = replace(
            shared,
            view=with_own(state, shared.view, by),
            can=choices(state, by, house.clock(), meters),
            seat_until=premises.seats.until(table, seat) if seat else None,
            kept=state.balance(kept_for(guest)),
            keep=chips_needed(state, seat) if seat else 0,
            lapse=lapse_words(state, seat) if seat else "",
            aim=aim_words(state, seat) if seat else "",
            not_dealt=problem_of(refusal) if refusal else None,
        )
        return _encode(own)

    return seen


def waits_for(state: State, at: int) -> str:
    """What the table waits for: “a floorperson, to verify the inspection of the cards”; empty if it waits for nothing."""
    due = blocking_task(state, at) if state.submission else None
    return f"a floorperson, to {due.words} ({due.cites[0]})" if due else ""
