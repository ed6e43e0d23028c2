"""A settled round as plain data. Amounts are cents."""

from __future__ import annotations

from typing import Any

from croupier.filing.pricing import Paid
from croupier.table.case import Case
from croupier.table.settlement import SeatSettled, Settled


def settled(case: Case, result: Settled) -> dict[str, Any]:
    return {
        "game": case.offer.rules.number,
        "edition": case.offer.rules.edition.name,
        "dealer_hand": case.dealers_hand,
        "settled": [_seat(case, seat) for seat in result.seats],
        "meters": {name: {"before": meter.before, "after": meter.after} for name, meter in result.meters.items()},
    }


def _seat(case: Case, seat: SeatSettled) -> dict[str, Any]:
    """One seat, with `player` if the case says whose it is, and `hand` if players set hands in this game."""
    told = {"player": case.seats[seat.seat].player, "hand": case.hand_of(seat.seat)}
    lines = [line(each) for each in seat.lines]
    return {"seat": seat.seat, "lines": lines, "net": seat.net} | {name: words for name, words in told.items() if words}


def line(paid: Paid) -> dict[str, Any]:
    """One line. `on` is the hand it was placed on, for a wager that can be placed on either of two."""
    data = {
        "wager": paid.wager,
        "hand": paid.hand,
        "outcome": paid.outcome.value,
        "stake": paid.stake,
        "pays": paid.pays,
        "returns": paid.returns,
        "odds": str(paid.odds) if paid.odds else None,
        "from": paid.source or None,
        "cite": str(paid.cite),
    }
    return data | ({"on": paid.side} if paid.side else {})
