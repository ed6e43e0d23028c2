"""Settlement of a finished round, seat by seat from the dealer's right, including meters, envy and the payout limit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

from croupier.filing.offer import Offer
from croupier.filing.pricing import METER, TABLE_INVENTORY, Paid, SeenHand, name_of_hand, price_line, resolve, symbolic_lines
from croupier.law.fact import PLAYER, Place, Position, looks_at
from croupier.law.paytable import Envy, Limit
from croupier.law.procedure import Validation
from croupier.law.reading import Reading
from croupier.law.settlement import Line, Outcome, Settlement
from croupier.money import Cents, Kind, Odds
from croupier.table.meters import NO_CHANGE, MeterMove


@dataclass(frozen=True)
class SeatRound:
    """One seat's finished round: what settles it, its stakes by wager key, and whose it is."""

    position: Position
    stakes: Mapping[str, Cents]
    player: int | str = 0  # the player's own seat or name; 0 or empty if the player has no other seat
    answers: tuple[str, ...] = ()  # the decisions in words, with those that timed out


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
    """A settled round, with seats in the order that the code settles them."""

    seats: tuple[SeatSettled, ...]
    meters: Mapping[str, MeterReading]


@dataclass
class Settling:
    """A round being settled, one seat at a time from the dealer's right.

    `meters` may be updated before each seat, since other tables may have changed them.
    """

    offer: Offer
    seats: Mapping[int, SeatRound]
    meters: dict[str, Cents]
    reserves: dict[str, Cents] = field(default_factory=dict)  # of the meters
    reseeds: dict[str, Cents] = field(default_factory=dict)  # what to restart with after the round, under that reading
    jackpots: dict[str, Cents] = field(default_factory=dict)  # each player's part of a divided sum
    changes: dict[str, MeterMove] = field(default_factory=dict)  # what was drawn from the meters, and what restarted them

    def __post_init__(self) -> None:
        self.order = sorted(self.seats, reverse=True)  # counterclockwise from the dealer's right
        self.player = {seat: self.seats[seat].player or seat for seat in self.order}
        self.meters = self._seeds() | self.meters
        self._seen = {seat: SeenHand(replace(self.seats[seat].position, readings=self.offer.readings)) for seat in self.order}
        self._symbols = {seat: list(symbolic_lines(self.offer, self._seen[seat], self.seats[seat].stakes)) for seat in self.order}
        # a folded hand is turned over only for a wager that survived the fold
        alive = {seat for seat in self.order if any(line.outcome is not Outcome.FORFEIT for _, line in self._symbols[seat])}
        self.face_up = alive | {seat for seat in self.order if not self.seats[seat].position.folded}

    def settle(self, seat: int, part: Sequence[Settlement] | None = None) -> SeatSettled:
        """The lines of a seat, or of the part being settled."""
        every = self.settlements(seat)
        part = every if part is None else part
        lines = [paid for settlement in part for paid in self._lines(seat, settlement)]
        return SeatSettled(seat, self._limited(seat, lines, before=every[: every.index(part[0])] if part else ()))

    def settlements(self, seat: int) -> list[Settlement]:
        """The settlements of a seat's wagers, in the order of the code."""
        return list(dict.fromkeys(settlement for settlement, _ in self._symbols[seat]))

    def after_folding(self, seat: int) -> list[Settlement]:
        """The settlements left once forfeited wagers are collected. Eligibility for an Envy Bonus outlives its wager."""
        envied = {envy.wager for envy in self.offer.rules.of(Envy)}
        live = {settlement for settlement, line in self._symbols[seat] if line.outcome is not Outcome.FORFEIT}
        return [each for each in self.settlements(seat) if each in live or each.wager in envied]

    def looks_at(self, seat: int, settlement: Settlement, hidden: frozenset[Place]) -> list[tuple[Place, int]]:
        """The cards, by place and seat, that must be face up for a settlement: the hidden places that affect it.

        A player's own hand is always turned over. For an Envy Bonus, so are the other hands that are due to be turned over.
        """
        seen = [(PLAYER, seat)] if seat in self.face_up else []
        seen += [(place, seat) for place in _places_affecting(settlement, self._seen[seat], hidden)]
        for envy in (envy for envy in self.offer.rules.of(Envy) if envy.wager is settlement.wager):
            for other in (other for other in self._others(envy, seat) if other in self.face_up):
                places = looks_at(envy.hand, self._seen[other].position) & hidden if hidden else ()
                seen += [(place, other) for place in (PLAYER, *places)]
        return seen

    def finish(self) -> None:
        """After the last seat: restart meters that, under that reading, restart only now."""
        for name, amount in self.reseeds.items():
            self._start_again(name, amount)
        self.reseeds = {}

    def validated_first(self, seat: int, part: Sequence[Settlement]) -> Iterator[Validation]:
        """A seat's wins, in the part being settled, that a floorperson must validate before they are paid."""
        rules = {rule.wager.key: rule for rule in self.offer.rules.of(Validation)}
        for _, line in (each for each in self._symbols[seat] if rules and each[0] in part):
            rule = rules.get(line.wager.key)
            won = resolve(self.offer, line) if rule and not line.bonus else None
            odds = won[1] if won and won[0] is Outcome.WIN else None
            if rule and odds and rule.covers(odds) and not self._paid_before(seat, line, odds):
                yield rule

    def _seeds(self) -> dict[str, Cents]:
        """A meter not given is at the seed of the largest wager made on it."""
        stakes: dict[str, Cents] = {}
        for seat in self.seats.values():
            for key, stake in seat.stakes.items():
                name = self.offer.rules.wagers[key].name
                if name in self.offer.meters and stake:
                    stakes[name] = max(stake, stakes.get(name, 0))
        return {name: self.offer.seed(name, stake, again=False) for name, stake in stakes.items()}

    def _lines(self, seat: int, settlement: Settlement) -> list[Paid]:
        hand = name_of_hand(self.offer, settlement, self._seen[seat])
        paid = (self._paid(seat, line, hand) for each, line in self._symbols[seat] if each is settlement)
        return [*filter(None, paid), *self._envy(settlement, seat)]

    def _paid(self, seat: int, line: Line, hand: str) -> Paid | None:
        name, stake = line.wager.name, self.seats[seat].stakes[line.wager.key]
        paid = price_line(self.offer, line, stake, self.meters.get(name, 0), hand)
        odds = paid.odds if paid else None
        if paid is None or odds is None or odds.kind is not Kind.METER:
            return paid
        if line.divided:
            part, source = (0, "") if self._paid_before(seat, line, odds) else (self._divided(line, odds, stake), METER)
            return replace(paid, pays=part, source=source, cite=self.offer.rules.cite(line.divided))
        pays = min(paid.pays, self.meters[name])  # rounding never pays more than the meter holds
        self._draw(name, pays, odds, stake)
        return replace(paid, pays=pays, source=METER)

    def _sharing(self, line: Line) -> dict[int, int | str]:
        """Who shares a divided jackpot, by seat that made the wager: players, or each seat separately."""
        made = [seat for seat in self.order if self.seats[seat].stakes.get(line.wager.key)]
        return {seat: seat if line.divided_by_box else self.player[seat] for seat in made}

    def _paid_before(self, seat: int, line: Line, odds: Odds) -> bool:
        """Is this a later box of a player whose part of a divided jackpot was already paid at their first box?"""
        sharing = self._sharing(line) if line.divided and odds.kind is Kind.METER else {}
        return any(whose == sharing[seat] and other > seat for other, whose in sharing.items())

    def _divided(self, line: Line, odds: Odds, stake: Cents) -> Cents:
        """A player's part of a jackpot shared by all who made the wager. Odd cents stay on the meter."""
        name, winners = line.wager.name, len(set(self._sharing(line).values()))
        share = Fraction(odds.on(stake, self.meters[name]), winners)
        if line.divided_at_turn:
            part = min(self.offer.round(share), self.meters[name])
            self._change(name, drawn=part)
            if odds.amount == 1 and not self.meters[name]:  # won in full, by the only one who shares it
                self._start_again(name, self.offer.seed(name, stake, again=True))
            return part
        if line.wager.key not in self.jackpots:
            self.jackpots[line.wager.key] = part = min(self.offer.round(share), self.meters[name] // winners)
            self._change(name, drawn=winners * part)
            if odds.amount == 1:
                self._start_again(name, self.offer.seed(name, stake, again=True))
        return self.jackpots[line.wager.key]

    def _draw(self, name: str, pays: Cents, odds: Odds, stake: Cents) -> None:
        """Take a payout from a meter. If the whole meter is won, it restarts."""
        self._change(name, drawn=pays)
        if odds.amount == 1:
            reseed = self.offer.seed(name, stake, again=True)
            if not self.offer.reads(self.offer.meters[name].later):
                self._start_again(name, reseed)
            else:
                self.reseeds[name] = reseed

    def _start_again(self, name: str, cents: Cents) -> None:
        releases = self.offer.reads(self.offer.meters[name].releases)
        self._change(name, reseeded=cents, released=self.reserves.pop(name, 0) if releases else 0)

    def _change(self, name: str, drawn: Cents = 0, reseeded: Cents = 0, released: Cents = 0) -> None:
        self.meters[name] += reseeded + released - drawn
        was = self.changes.get(name, NO_CHANGE)
        self.changes[name] = MeterMove(drawn=was.drawn + drawn, reseeded=was.reseeded + reseeded, released=was.released + released)

    def _envy(self, settlement: Settlement, seat: int) -> list[Paid]:
        lines: list[Paid] = []
        for envy in self.offer.rules.of(Envy):
            if envy.wager is settlement.wager:
                seen = self.order if self.offer.reads(envy.unseen) else self.face_up
                for other in self._others(envy, seat):
                    if other in seen:
                        lines += self._envied(envy, self.seats[seat].stakes[envy.wager.key], other)
        return lines

    def _others(self, envy: Envy, seat: int) -> list[int]:
        """Seats whose hands may earn this one an Envy Bonus: other players', not another box of the same player."""
        own = self.offer.reads(envy.own)
        return [other for other in self.order if other != seat and (own or self.player[other] != self.player[seat])]

    def _envied(self, envy: Envy, stake: Cents, other: int) -> list[Paid]:
        """The bonus for one other player's hand, if it qualifies."""
        table = envy.schedules[stake]
        row = self._seen[other].value(envy.hand)
        odds = table.pays(self.offer.column(table.name), row)
        if odds is None or odds.kind is not Kind.DOLLARS:
            return []
        pays, source = int(odds.amount), TABLE_INVENTORY
        if self.offer.reads(envy.from_meter) and self.meters[envy.wager.name] >= pays:
            self._change(envy.wager.name, drawn=pays)  # if the meter does not hold enough, the table inventory pays
            source = METER
        return [Paid(envy.name, row, Outcome.WIN, 0, pays, 0, odds, source, table.cite, row)]

    def _limited(self, seat: int, lines: list[Paid], before: Sequence[Settlement]) -> tuple[Paid, ...]:
        """Reduce payouts that the limit covers, in the order of settlement, once it is used up.

        What this box and the player's earlier boxes have already used is recomputed, because a table may have
        forgotten it. A limit covers no wager with a meter, so it does not depend on anything that changes between boxes.
        """
        limit, left = self.offer.rules.limit, self.offer.payout_limit
        if limit is None or left is None:
            return tuple(lines)
        if limit.per_player(self.offer.readings):
            for box in self.order[: self.order.index(seat)]:
                if self.player[box] == self.player[seat]:
                    _, left = self._cut(limit, self._apart(box, self.settlements(box)), left)
        _, left = self._cut(limit, self._apart(seat, before), left)
        return self._cut(limit, lines, left)[0]

    def _apart(self, seat: int, part: Sequence[Settlement]) -> list[Paid]:
        """The lines of part of a seat, ignoring meters and other seats."""
        stakes, symbols = self.seats[seat].stakes, (line for settlement, line in self._symbols[seat] if settlement in part)
        lines = (price_line(self.offer, line, stakes[line.wager.key], 0, "") for line in symbols)
        return [paid for paid in lines if paid is not None]

    def _cut(self, limit: Limit, lines: list[Paid], left: Cents) -> tuple[tuple[Paid, ...], Cents]:
        """The lines, paying no more than what is left of the limit, and what is left after that."""
        with_stakes, cut = self.offer.reads(limit.with_stakes), list[Paid]()
        for line in lines:
            if line.outcome is Outcome.WIN and limit.counts(line.wager, line.row):
                stake = line.returns if with_stakes else 0
                pays = max(0, min(line.pays, left - stake))
                left = max(0, left - stake - pays)
                line = replace(line, pays=pays, cite=limit.cite if pays < line.pays else line.cite)  # noqa: PLW2901
            cut.append(line)
        return tuple(cut), left


def places_unseen(settlement: Settlement, seen: SeenHand, hidden: frozenset[Place]) -> list[frozenset[Place]]:
    """The hidden places that each fact of a settlement looks at."""
    return [frozenset() if isinstance(fact, Reading) else looks_at(fact, seen.position) & hidden for fact in settlement.asks]


def possible_lines(settlement: Settlement, seen: SeenHand, unseen: list[frozenset[Place]]) -> Iterator[tuple[Line, ...]]:
    """The lines of a settlement for everything that the cards in unseen places may be."""
    facts = zip(settlement.asks, unseen, strict=True)
    values = [fact.values if places else (seen.value(fact),) for fact, places in facts]
    return (settlement.lines(*case) for case in product(*values))


def _places_affecting(settlement: Settlement, seen: SeenHand, hidden: frozenset[Place]) -> frozenset[Place]:
    """The hidden places whose cards affect a settlement's lines, given the other cards."""
    unseen = places_unseen(settlement, seen, hidden) if hidden else []
    if not any(unseen):
        return frozenset()
    first, *others = possible_lines(settlement, seen, unseen)
    return frozenset[Place]().union(*unseen) if any(lines != first for lines in others) else frozenset()
