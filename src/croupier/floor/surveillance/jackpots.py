"""Every jackpot in a period: what its meter showed before, what wagers added, what was paid, and what it shows and holds now."""

from __future__ import annotations

import msgspec

from croupier.floor.house.meter_stream import Terms, read_meter
from croupier.ledger import Source
from croupier.money import Cents
from croupier.table.events import NotAnEvent
from croupier.table.meters import MeterMove, MeterState


class Jackpot(msgspec.Struct, kw_only=True):
    """One meter, its terms, and its moves in a period.

    shown = shown_before + contributed + reseeded + released - paid, and held = held_before + reserved - released.
    """

    meter: str
    wager: str
    opened: int  # milliseconds
    terms: Terms
    tables: list[str]  # that fed it or drew from it in the period
    wins: int = 0  # times that it was drawn from
    last_won: int = 0  # milliseconds; 0 if not in the period
    wagered: Cents = 0
    contributed: Cents = 0
    reserved: Cents = 0
    paid: Cents = 0
    reseeded: Cents = 0  # by the cage
    released: Cents = 0  # from the reserve
    shown_before: Cents
    held_before: Cents = 0  # in the reserve
    shown: Cents
    held: Cents = 0

    def count(self, at: int, table: str, move: MeterMove) -> None:
        self.tables = sorted({*self.tables, table})
        self.wins += (move.drawn > 0) - (move.drawn < 0)  # a void round puts back what was drawn
        self.last_won = at if move.drawn > 0 else self.last_won
        self.paid += move.drawn
        for name in ("wagered", "contributed", "reserved", "reseeded", "released"):
            setattr(self, name, getattr(self, name) + getattr(move, name))

    def show(self, meter: MeterState, *, before: bool = False) -> None:
        self.shown, self.held = meter.amount, meter.reserve
        if before:
            self.shown_before, self.held_before = meter.amount, meter.reserve


def jackpots(source: Source, since: int = 0, until: int = 0) -> list[Jackpot]:
    """All meters that were open in a period (milliseconds; 0 for no bound), by name."""
    streams = sorted(name for name in source.streams() if name.startswith("meter/"))
    return [found for stream in streams if (found := _jackpot(source, stream, since, until))]


def _jackpot(source: Source, stream: str, since: int, until: int) -> Jackpot | None:
    found: Jackpot | None = None
    for entry in source.read(stream):
        event = read_meter(entry.body)
        if until and event.at >= until:
            break
        if found is None:
            if event.terms is None:
                raise NotAnEvent(f"{stream} does not begin with its terms")
            name, seed = stream.removeprefix("meter/"), event.meter.amount
            found = Jackpot(
                meter=name, wager=event.wager, opened=event.at, terms=event.terms, tables=[], shown_before=seed, shown=seed
            )
        if event.move and event.at >= since:
            found.count(event.at, event.table, event.move)
        found.show(event.meter, before=event.at < since)
    return found
