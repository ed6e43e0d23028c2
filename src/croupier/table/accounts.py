"""Double entry: every settled line as transfers between named accounts. What one account loses another gains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from croupier.filing.offer import Offer
from croupier.filing.pricing import METER, TABLE_INVENTORY, Paid
from croupier.law.cite import Cite
from croupier.law.paytable import Envy
from croupier.money import Cents
from croupier.table.settlement import Settled


@dataclass(frozen=True)
class Transfer:
    """So many cents from one account to another, under a clause."""

    source: str
    target: str
    cents: Cents
    cite: Cite


def layout(seat: int) -> str:
    return f"seat {seat} layout"


def chips(seat: int) -> str:
    return f"seat {seat} chips"


def game_account(seat: int) -> str:
    return f"seat {seat} game account"


def meter(wager: str) -> str:
    return f"meter of the {wager}"


def transfers(offer: Offer, settled: Settled) -> Iterator[Transfer]:
    """The transfers of a settlement: stakes lost and given back, payments, and what starts a won meter again."""
    for seat in settled.seats:
        for line in seat.lines:
            yield from _line(offer, seat.seat, line)
    for name, reading in settled.meters.items():
        drawn = sum(line.pays for seat in settled.seats for line in seat.lines if _meter_of(offer, line) == name)
        if reseed := reading.after - reading.before + drawn:
            yield Transfer(TABLE_INVENTORY, meter(name), reseed, offer.meters[name].cite)


def _line(offer: Offer, seat: int, line: Paid) -> Iterator[Transfer]:
    """A stake collected before the deal is in the table inventory already; all others lie on the layout or in the game account."""
    wager = next((w for w in offer.rules.wagers.values() if w.name == line.wager and w.side == line.side), None)
    purse = game_account(seat) if wager and wager.electronic else chips(seat)
    if line.stake:
        held = TABLE_INVENTORY if wager and (wager.collected or wager.electronic) else layout(seat)
        if line.returns:
            yield Transfer(held, purse, line.returns, line.cite)
        if held != TABLE_INVENTORY and line.stake > line.returns:
            yield Transfer(held, TABLE_INVENTORY, line.stake - line.returns, line.cite)
    elif line.returns:
        yield Transfer(TABLE_INVENTORY, purse, line.returns, line.cite)
    if line.pays:
        name = _meter_of(offer, line)
        yield Transfer(meter(name) if name else TABLE_INVENTORY, purse, line.pays, line.cite)


def _meter_of(offer: Offer, line: Paid) -> str:
    """The wager whose meter a line is paid from; an envy bonus read so is paid from its progressive's."""
    if line.source != METER:
        return ""
    return next((envy.wager.name for envy in offer.rules.of(Envy) if envy.name == line.wager), line.wager)


def balances(moves: Iterator[Transfer]) -> Counter[str]:
    """The change of each account. They sum to nothing."""
    change: Counter[str] = Counter()
    for move in moves:
        change[move.source] -= move.cents
        change[move.target] += move.cents
    return change
