"""The settlement of a finished round: seat by seat from the dealer's right, meters, envy and the payout limit included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from croupier.filing.offer import Offer
from croupier.filing.pricing import METER, TABLE_INVENTORY, Paid, Seen, name_of_hand, price, symbolic
from croupier.law.fact import Position
from croupier.law.paytable import Envy
from croupier.law.settling import Line, Outcome, Settlement
from croupier.money import Cents, Kind, Odds


@dataclass(frozen=True)
class SeatRound:
    """One player's finished round: what he may be settled by, and his stakes by the wagers' keys."""

    position: Position
    stakes: Mapping[str, Cents]


@dataclass(frozen=True)
class MeterReading:
    before: Cents
    after: Cents


@dataclass(frozen=True)
class SeatSettled:
    seat: int
    lines: tuple[Paid, ...]

    @property
    def net(self) -> Cents:
        return sum(line.net for line in self.lines)


@dataclass(frozen=True)
class Settled:
    """A settled round, the seats in the order in which the code settles them."""

    seats: tuple[SeatSettled, ...]
    meters: Mapping[str, MeterReading]


def settle(offer: Offer, seats: Mapping[int, SeatRound], meters: Mapping[str, Cents] | None = None) -> Settled:
    """Settle a round. Meters not given stand at their seed."""
    return _Round(offer, seats, dict(meters or {})).settle()


@dataclass
class _Round:
    offer: Offer
    seats: Mapping[int, SeatRound]
    given: dict[str, Cents]
    meters: dict[str, Cents] = field(default_factory=dict)
    reseeds: dict[str, Cents] = field(default_factory=dict)  # what to start again with after the round, where it is so read
    seen: dict[int, Seen] = field(default_factory=dict)
    jackpots: dict[str, Cents] = field(default_factory=dict)  # each player's part of a sum that is divided

    def settle(self) -> Settled:
        order = sorted(self.seats, reverse=True)  # counter-clockwise from the dealer's right
        self._read_meters(order)
        before = dict(self.meters)
        self.seen = {seat: Seen(replace(self.seats[seat].position, readings=self.offer.readings)) for seat in order}
        symbols = {seat: list(symbolic(self.offer, self.seen[seat], self.seats[seat].stakes)) for seat in order}
        face_up = {seat for seat in order if self._turned_over(seat, symbols[seat])}
        settled = [SeatSettled(seat, self._limited(self._lines(seat, symbols[seat], order, face_up))) for seat in order]
        for name, amount in self.reseeds.items():
            self.meters[name] += amount
        return Settled(tuple(settled), {name: MeterReading(amount, self.meters[name]) for name, amount in before.items()})

    def _read_meters(self, order: Iterable[int]) -> None:
        """A meter not given stands at the seed of the greatest wager made on it."""
        stakes: dict[str, Cents] = {}
        for seat in order:
            for key, stake in self.seats[seat].stakes.items():
                name = self.offer.rules.wagers[key].name
                if name in self.offer.meters and stake:
                    stakes[name] = max(stake, stakes.get(name, 0))
        self.meters |= {name: self.offer.seed(name, stake, again=False) for name, stake in stakes.items()} | self.given

    def _turned_over(self, seat: int, symbols: list[tuple[Settlement, Line]]) -> bool:
        """A folded hand is turned over only for a wager that survived the fold."""
        return not self.seats[seat].position.folded or any(line.outcome is not Outcome.FORFEIT for _, line in symbols)

    def _lines(self, seat: int, symbols: list[tuple[Settlement, Line]], order: list[int], face_up: set[int]) -> list[Paid]:
        lines: list[Paid] = []
        for settlement, group in groupby(symbols, key=itemgetter(0)):
            hand = name_of_hand(settlement, self.seen[seat])
            for _, line in group:
                paid = self._paid(line, self.seats[seat].stakes[line.wager.key], hand)
                lines += [paid] if paid else []
            lines += self._envy(settlement, seat, order, face_up)
        return lines

    def _paid(self, line: Line, stake: Cents, hand: str) -> Paid | None:
        name = line.wager.name
        paid = price(self.offer, line, stake, self.meters.get(name, 0), hand)
        if paid is None or paid.odds is None or paid.odds.kind is not Kind.METER:
            return paid
        if line.divided:
            part = self._divided(line, paid.odds, stake)
            return replace(paid, pays=part, source=METER, cite=self.offer.rules.cite(line.divided))
        pays = min(paid.pays, self.meters[name])  # no rounding pays what the meter does not hold
        self._draw(name, pays, paid.odds, stake)
        return replace(paid, pays=pays, source=METER)

    def _divided(self, line: Line, odds: Odds, stake: Cents) -> Cents:
        """A player's part of a jackpot that all who made the wager share; odd cents stay on the meter."""
        name, winners = line.wager.name, sum(1 for seat in self.seats.values() if seat.stakes.get(line.wager.key))
        share = Fraction(odds.on(stake, self.meters[name]), winners)
        if line.divided_at_turn:
            part = min(self.offer.round(share), self.meters[name])
            self.meters[name] -= part
            return part
        if line.wager.key not in self.jackpots:
            self.jackpots[line.wager.key] = part = min(self.offer.round(share), self.meters[name] // winners)
            rest = self.meters[name] - winners * part
            self.meters[name] = rest + (self.offer.seed(name, stake, again=True) if odds.amount == 1 else 0)
        return self.jackpots[line.wager.key]

    def _draw(self, name: str, pays: Cents, odds: Odds, stake: Cents) -> None:
        """Take a payment from a meter; one that is won whole starts again."""
        self.meters[name] -= pays
        if odds.amount == 1:
            reseed = self.offer.seed(name, stake, again=True)
            if self.offer.readings["reseed"] == "at once":
                self.meters[name] += reseed
            else:
                self.reseeds[name] = reseed

    def _envy(self, settlement: Settlement, seat: int, order: list[int], face_up: set[int]) -> list[Paid]:
        lines: list[Paid] = []
        for envy in self.offer.rules.of(Envy):
            if envy.wager is settlement.of:
                stake = self.seats[seat].stakes[envy.wager.key]
                seen = order if envy.counts_unseen(self.offer.readings) else face_up
                for other in order:
                    if other != seat and other in seen:
                        lines += self._envied(envy, stake, other)
        return lines

    def _envied(self, envy: Envy, stake: Cents, other: int) -> list[Paid]:
        """The bonus for one other player's hand, if it qualifies."""
        table = envy.schedules[stake]
        row = self.seen[other].value(envy.hand)
        odds = table.pays(self.offer.column(table.name), row)
        if odds is None or odds.kind is not Kind.DOLLARS:
            return []
        pays, source = int(odds.amount), TABLE_INVENTORY
        if self.offer.readings["envy paid from"] == METER and self.meters[envy.wager.name] >= pays:
            self.meters[envy.wager.name] -= pays  # a meter that does not hold so much leaves it to the table inventory
            source = METER
        return [Paid(envy.name, row, Outcome.WIN, 0, pays, 0, odds, source, table.cite, row)]

    def _limited(self, lines: list[Paid]) -> tuple[Paid, ...]:
        """Cut what the payout limit covers, in the order of settlement, once it is used up."""
        limit, left = self.offer.rules.limit, self.offer.payout_limit
        if limit is None or left is None:
            return tuple(lines)
        with_stakes, cut = self.offer.readings["payout limit"] == "with stakes", []
        for line in lines:
            if line.outcome is Outcome.WIN and line.wager in limit.covers and (line.wager, line.row) not in limit.never:
                stake = line.returns if with_stakes else 0
                pays = max(0, min(line.pays, left - stake))
                left = max(0, left - stake - pays)
                line = replace(line, pays=pays, cite=limit.cite if pays < line.pays else line.cite)  # noqa: PLW2901
            cut.append(line)
        return tuple(cut)
