"""A report of a day, a month, a year or the whole log: what each filed offer took and returned over all its tables.

It has every jackpot: what its meter showed before, what wagers added, what was paid, and what it shows and holds now.
"""

from __future__ import annotations

import calendar
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import msgspec

from croupier.filing.offer import Offer
from croupier.floor.house.meter_stream import Terms, read_meter
from croupier.floor.surveillance.hold import TableHolds, Totals, WagerHold
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.round_record import TableOpening
from croupier.ledger import Source
from croupier.money import Cents
from croupier.table.events import NotAnEvent
from croupier.table.meters import MeterMove
from croupier.table.state import offer_of


@dataclass(frozen=True)
class Period:
    """From one moment to another, in milliseconds; 0 for no bound."""

    name: str  # a date, a month, a year, or nothing for all time
    since: int = 0
    until: int = 0

    @classmethod
    def read(cls, text: str) -> Period:
        """A day, month or year in UTC.

        >>> [Period.read(text).until - Period.read(text).since for text in ("2028-02-29", "2028-02", "2028", "")]
        [86400000, 2505600000, 31622400000, 0]
        """
        if not text:
            return cls("")
        year, month, day = [*(int(part) for part in text.split("-")), 0, 0][:3]
        first = datetime(year, month or 1, day or 1, tzinfo=UTC)
        days = 1 if day else calendar.monthrange(year, month)[1] if month else 365 + calendar.isleap(year)
        if text != first.isoformat()[: len(text)]:
            raise ValueError(text)
        since, until = (int(each.timestamp()) * 1000 for each in (first, first + timedelta(days)))
        return cls(text, since, until)


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
        found.shown, found.held = event.meter.amount, event.meter.reserve
        if event.at < since:
            found.shown_before, found.held_before = found.shown, found.held
    return found


class WagerTotals(Totals, kw_only=True):
    """What was played on one wager of an offer, over all its tables. `expected` is None if no odds are known."""

    wager: str
    expected: Fraction | None

    @property
    def returned(self) -> Fraction | None:
        """The share of all money at risk that was paid or returned to players."""
        return 1 - Fraction(self.win, self.handle) if self.handle else None

    @property
    def theoretical(self) -> Fraction | None:
        """The share that best play of the same wagers gets back on average."""
        return None if self.expected is None or not self.handle else 1 - self.expected / self.handle


@dataclass(frozen=True)
class OfferTotals:
    offer: Offer
    opened: int  # when a table was first opened under it, in milliseconds
    tables: tuple[str, ...]
    wagers: tuple[WagerTotals, ...]


@dataclass(frozen=True)
class PeriodReport:
    period: Period
    facilities: tuple[str, ...]
    offers: tuple[OfferTotals, ...]
    rounds: int
    void: int
    drop: Cents
    abandoned: Cents  # wagers that players left behind
    jackpots: tuple[Jackpot, ...]

    @property
    def activity(self) -> bool:
        return bool(self.rounds or self.drop)

    @property
    def win(self) -> Cents:
        return self.abandoned + sum(each.win for offer in self.offers for each in offer.wagers)


def report_of(holds: TableHolds, period: Period) -> PeriodReport:
    """The totals of all tables in a period, by “no more bets”; drop by when it was brought."""
    records, found = holds.records, holds.all(period.since, period.until)
    first = _first_openings(records)
    played = defaultdict[str, list[WagerHold]](list)
    for each in (wager for table in found for wager in table.wagers if wager.bets):
        played[each.offer].append(each)
    offers = sorted((_offer(first[name], lines) for name, lines in played.items()), key=lambda each: each.offer.rules.number)
    return PeriodReport(
        period,
        operators(records),
        tuple(offers),
        rounds=sum(each.rounds for each in found),
        void=sum(each.void for each in found),
        drop=sum(each.drop for each in found),
        abandoned=sum(each.abandoned for each in found),
        jackpots=tuple(jackpots(records.source, period.since, period.until)),
    )


def operators(records: Records) -> tuple[str, ...]:
    """The facilities of all offers under which a table was ever opened."""
    return tuple(sorted({offer_of(each.submission).facility for each in _first_openings(records).values()}))


def _first_openings(records: Records) -> dict[str, TableOpening]:
    """The first opening under each offer, by hash."""
    openings = (each for table in records.tables() for each in records.openings(table))
    return {each.offer: each for each in sorted(openings, key=lambda each: -each.at)}  # the earliest comes last


def _offer(first: TableOpening, holds: list[WagerHold]) -> OfferTotals:
    wagers = dict.fromkeys(each.wager for each in holds)
    lines = tuple(_line(wager, [each for each in holds if each.wager == wager]) for wager in wagers)
    return OfferTotals(offer_of(first.submission), first.at, tuple(sorted({each.table for each in holds})), lines)


def _line(wager: str, holds: list[WagerHold]) -> WagerTotals:
    totals = {name: sum(getattr(each, name) for each in holds) for name in Totals.__struct_fields__}
    known = [each.expected for each in holds if each.expected is not None]
    return WagerTotals(wager=wager, expected=sum(known, Fraction(0)) if len(known) == len(holds) else None, **totals)


def as_data(report: PeriodReport, at: int) -> dict[str, Any]:
    """The report as plain data, with the time at which it was made in milliseconds."""
    return {
        "title": "Wagers, win and return by offer",
        "operators": list(report.facilities),
        "period": report.period.name or "all",
        "since": report.period.since,
        "until": report.period.until,
        "made": at,
        "activity": report.activity,
        **{name: getattr(report, name) for name in ("rounds", "void", "drop", "abandoned", "win")},
        "jackpots": [msgspec.to_builtins(each) for each in report.jackpots],
        "lines": [
            {
                "chapter": each.offer.rules.number,
                "edition": each.offer.rules.edition.name,
                "game": each.offer.rules.title,
                "offer": each.offer.hash,
                "opened": each.opened,
                "tables": list(each.tables),
                "wager": line.wager,
                **{name: getattr(line, name) for name in Totals.__struct_fields__},
                "expected": None if line.expected is None else round(line.expected),
                "return": rounded_share(line.returned),
                "theoretical_return": rounded_share(line.theoretical),
            }
            for each in report.offers
            for line in each.wagers
        ],
    }


def rounded_share(share: Fraction | None) -> float | None:
    return None if share is None else round(float(share), 6)
