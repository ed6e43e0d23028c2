"""What the house won on each wager of each table, compared with the expected win: exact except for the square root.

The expectation assumes best play. Players who play worse give the house more, so a hold above it is often only their play;
a hold far below it, or far above it on a wager without decisions, needs a closer look.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import sqrt

import msgspec

from croupier.filing.offer import Offer
from croupier.filing.pricing import METER
from croupier.floor.house.meter_stream import MeterHistory, meter_stream
from croupier.floor.surveillance.expected_win import BetSums, Expected, Moments, Number
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.round_record import ABANDONED, VOID, Bet, RecordedRound, TableOpening, money_at_risk
from croupier.law.settlement import Settlement
from croupier.money import Cents
from croupier.odds.prices import Prices, cached_prices
from croupier.table.state import offer_of

FLAGGED_DEVIATIONS = 3  # standard deviations beyond which a hold is flagged

PriceLookup = Callable[[Offer], Prices | None]  # the prices of an Offer, or None while they are not ready

ASSUMED = (
    "The expectation assumes best play: players who play worse raise the hold.",
    "For a progressive, the expectation uses the meter as it was when the bets were closed.",
    "Seats in a round share cards: the deviation includes how much they won and lost together in these rounds. It is never less"
    " than if each seat had played alone, and never more than if all had won and lost together.",
    "Envy bonuses and system draws depend on who else plays and on the draw, so they are listed without an expectation.",
    "The expectation is for the actual stakes; a fixed amount does not grow with them.",
    "Payments are rounded and limited as filed; the expectation is neither.",
    "Void wagers are left out, and abandoned ones count only in the table's win.",
)


class Totals(msgspec.Struct, kw_only=True):
    """What was played on one wager of a table. The wagers of a main game, before the deal and by decision, count as one."""

    rounds: int = 0
    bets: int = 0  # boxes that made it
    base: Cents = 0  # what the edge is a share of: in a main game, the Antes
    handle: Cents = 0  # all money at risk
    win: Cents = 0  # of the house, what meters paid counted as paid
    contributed: Cents = 0  # to the meter and its reserve; for a wager on several hands, listed with the first
    from_meter: Cents = 0


class WagerHold(Totals, kw_only=True):
    """The totals of a wager under one Offer, and the expected win; None if no odds are known."""

    table: str
    offer: str
    wager: str
    expectation: Expected | None

    @property
    def hold(self) -> Fraction | None:
        """The win as a share of the handle."""
        return Fraction(self.win, self.handle) if self.handle else None

    @property
    def expected(self) -> Fraction | None:
        return self.expectation.win if self.expectation else None

    @property
    def z(self) -> float | None:
        """By how many standard deviations the win exceeds the expectation."""
        if not self.expectation or not self.expectation.variance:
            return None
        return float(self.win - self.expectation.win) / sqrt(self.expectation.variance)

    @property
    def flagged(self) -> bool:
        return self.z is not None and abs(self.z) > FLAGGED_DEVIATIONS

    @property
    def enough(self) -> bool:
        """Whether there are enough bets for the normal distribution to apply. A wager that seldom wins much needs many."""
        return self.expectation is not None and self.bets >= self.expectation.needs


@dataclass(frozen=True)
class TableHold:
    """A table: all its wagers, and the amounts that belong to no single wager."""

    table: str
    rounds: int
    void: int
    drop: Cents
    abandoned: Cents  # wagers that players left behind
    wagers: tuple[WagerHold, ...]

    @property
    def handle(self) -> Cents:
        return sum(each.handle for each in self.wagers)

    @property
    def win(self) -> Cents:
        return self.abandoned + sum(each.win for each in self.wagers)

    @property
    def hold(self) -> Fraction | None:
        """The win as a share of the drop, as casinos calculate it."""
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def flagged(self) -> bool:
        return any(each.flagged for each in self.wagers)


# which wager a line belongs to


@dataclass(frozen=True)
class OfferRows:
    """The rows of an Offer: by a line's name its row, and by row the wager whose stake is the unit."""

    row: Mapping[str, str]
    unit: Mapping[str, str]  # by row; a bonus paid beside a wager has none
    entry: Mapping[str, tuple[str, str]]  # by row: the wager and the hand as the odds name them
    divided: frozenset[str]  # rows whose share of the meter is divided among all who made the wager


@lru_cache(maxsize=256)
def offer_rows(submission: str) -> OfferRows:
    offer = offer_of(submission)
    row, unit, entry, divided = dict[str, str](), dict[str, str](), dict[str, tuple[str, str]](), set[str]()
    for settlement in offer.rules.settlements:
        wager, name = settlement.wager, settlement.wager.group or settlement.wager.key
        unit[name], entry[name] = wager.key, (wager.group or wager.name, wager.side)
        row |= {each.key: name for each in settlement.settles} | dict.fromkeys(_bonuses(settlement), name)
        if any(line.divided for _, lines in settlement.every_case() for line in lines):
            divided.add(name)
    return OfferRows(row, unit, entry, frozenset(divided))


def _bonuses(settlement: Settlement) -> set[str]:
    """The bonuses on a wager that depend on the cards. Those that the system draws have their own rows."""
    drawn = [n for n, fact in enumerate(settlement.asks) if fact in settlement.drawn.values()]
    found, other = set[str](), set[str]()
    for values, lines in settlement.every_case():
        names = {f"{line.bonus}: {line.wager.side}" if line.wager.side else line.bonus for line in lines if line.bonus}
        (other if any(values[n] for n in drawn) else found).update(names)
    return found if drawn else found | other


def meter_shown(meters: MeterHistory, round_: RecordedRound, opening: TableOpening, row: str, many: int) -> Number | None:
    """What a row's meter showed for each of `many` bets on it; 0 if it has none, None if the log does not say."""
    offered = offer_rows(opening.submission)
    wager = offered.entry[row][0]
    if wager not in offer_of(opening.submission).progressives:
        return 0
    shown = meters.at(meter_stream(round_.table, wager, opening.linked), round_.table, round_.locked)
    return Fraction(shown, many) if shown is not None and row in offered.divided else shown


# the tally


class RowSums(Totals, kw_only=True):
    tally: BetSums = msgspec.field(default_factory=BetSums)
    unmetered: int = 0  # rounds for which the log does not say what the meter showed


@dataclass
class TableSums:
    """The running sums of a table, round by round."""

    table: str
    rounds: int = 0
    void: int = 0
    abandoned: Cents = 0
    rows: defaultdict[tuple[str, str], RowSums] = field(default_factory=lambda: defaultdict(RowSums))  # by Offer's hash and row
    openings: dict[str, TableOpening] = field(default_factory=dict)

    def add(self, round_: RecordedRound, opening: TableOpening, meters: MeterHistory) -> None:
        self.rounds += 1
        self.void += bool(round_.void)
        self.openings[opening.offer] = opening
        offered = offer_rows(opening.submission)
        boxes: dict[str, list[tuple[Cents, Cents]]] = {}
        for box in round_.boxes:
            for row, bets in by_row(box.bets, offered).items():
                played = self._played(opening.offer, row, bets)
                if played is not None:
                    unit = sum(bet.stake for bet in bets if bet.wager == offered.unit.get(row))
                    boxes.setdefault(row, []).append((played, unit))
        for row, results in boxes.items():
            sums = self.rows[opening.offer, row]
            sums.rounds += 1
            if row in offered.unit:
                sums.base += sum(unit for _, unit in results)
                shows = meter_shown(meters, round_, opening, row, len(results))
                sums.unmetered += shows is None
                sums.tally.add([(win, unit, shows or 0) for win, unit in results])
        for wager, cents in round_.contributed.items():
            for row in [name for name in offered.unit if offered.entry[name][0] == wager][:1]:
                self.rows[opening.offer, row].contributed += cents

    def _played(self, offer: str, row: str, bets: list[Bet]) -> Cents | None:
        """What the house won from one box on one row; None if it was not played."""
        net = sum(bet.net for bet in bets)
        if any(bet.outcome in (VOID, ABANDONED) for bet in bets):
            self.abandoned -= net  # also what a player lost before leaving; void wagers net to zero
            return None
        sums = self.rows[offer, row]
        sums.bets += 1
        sums.win -= net
        sums.handle += money_at_risk(bets)
        sums.from_meter += sum(bet.pays for bet in bets if bet.source == METER)
        return -net


def by_row(bets: Sequence[Bet], offered: OfferRows) -> dict[str, list[Bet]]:
    found: dict[str, list[Bet]] = {}
    for bet in bets:
        found.setdefault(offered.row.get(bet.wager, bet.wager), []).append(bet)
    return found


class KnownMoments:
    """The moments of each wager of an Offer that has a price, by the wager and the hand it is on."""

    def __init__(self, odds: PriceLookup) -> None:
        self._odds = odds
        self._known: dict[str, Mapping[tuple[str, str], Moments]] = {}

    def of(self, opening: TableOpening) -> Mapping[tuple[str, str], Moments] | None:
        """The moments, or None until the odds are known: they are requested again the next time."""
        if opening.offer not in self._known and (found := self._odds(offer_of(opening.submission))):
            self._known[opening.offer] = {(each["wager"], each.get("on", "")): Moments.of(each) for each in found.wagers}
        return self._known.get(opening.offer)


class TableHolds:
    """The holds of all tables, kept up to date with the records."""

    def __init__(self, records: Records, odds: PriceLookup = cached_prices) -> None:
        self.records, self._moments = records, KnownMoments(odds)
        self._counted: dict[str, TableSums] = {}

    def of(self, table: str, since: int = 0, until: int = 0) -> TableHold:
        """The hold of one table, since it was first opened or in a period (milliseconds, by “no more bets”)."""
        if since or until:
            counted = TableSums(table)
            for each in self.records.rounds(table, since, until):
                self._add(counted, each)
        else:
            counted = self._counted.setdefault(table, TableSums(table))
            for number in range(counted.rounds + 1, self.records.count(table) + 1):
                self._add(counted, self.records.round(table, number))
        rows, drop = tuple(self._rows(counted)), self.records.drop(table, since, until)
        return TableHold(table, counted.rounds, counted.void, drop, counted.abandoned, rows)

    def all(self, since: int = 0, until: int = 0) -> list[TableHold]:
        return [self.of(table, since, until) for table in self.records.tables()]

    def _add(self, counted: TableSums, round_: RecordedRound) -> None:
        counted.add(round_, self.records.opening(round_.table, round_.number), self.records.meters)

    def _rows(self, counted: TableSums) -> Iterator[WagerHold]:
        for (offer, row), sums in counted.rows.items():
            opening = counted.openings[offer]
            entry, known = offer_rows(opening.submission).entry.get(row), self._moments.of(opening)
            moments = known.get(entry) if known and entry and not sums.unmetered else None
            expectation = sums.tally.expected(moments) if moments and sums.bets else None
            totals = {name: getattr(sums, name) for name in Totals.__struct_fields__}
            yield WagerHold(table=counted.table, offer=offer, wager=row, expectation=expectation, **totals)
