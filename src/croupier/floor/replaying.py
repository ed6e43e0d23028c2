"""One round told step by step, from what a log or a transcript shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from croupier.cards import Cards
from croupier.filing.offer import Offer
from croupier.filing.pricing import TABLE_INVENTORY
from croupier.floor.house import meter_stream, stream_of
from croupier.floor.metering import read_meter
from croupier.floor.openings import read_opened
from croupier.floor.seating import Seating
from croupier.floor.sources import need_table
from croupier.floor.telling import told
from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Position
from croupier.law.procedure import Irregularity, Moment
from croupier.ledger import Missing, Source, Unreadable
from croupier.ledger.entry import genesis, link
from croupier.ledger.transcript import Transcript
from croupier.money import Cents
from croupier.table import commands as say
from croupier.table.accounts import CAGE, Move
from croupier.table.events import Event, Shown, read, unseal
from croupier.table.meters import MeterMove
from croupier.table.state import CARDS, offer_of
from croupier.wire import Line

IN_THE_ROUND = (
    say.DealCards, say.CountStub, say.Decide, say.SetHand, say.LapseDecision, say.CollectForfeited, say.BurnCard, say.DealCommunity,
    say.TurnCard, say.DrawBonus, say.RevealDealer, say.TurnHand, say.ValidateProgressive, say.SettleSeat, say.CompletePapers,
    say.ClearCards,
)  # fmt: skip


_OF_A_SEAT = re.compile(r"seat (\d+) (chips|game account|layout)")


@dataclass(frozen=True)
class Card:
    """A card on its way; `card` is empty while its face may not be seen, `lay` is where it came from, on its way to the rack."""

    at: str
    seat: int
    position: int
    card: str
    face_up: bool
    lay: str = ""


@dataclass(frozen=True)
class MeterStep:
    """What became of a meter; `shows` is None where the source does not hold the meter's log."""

    wager: str
    move: MeterMove
    shows: Cents | None


@dataclass(frozen=True)
class Step:
    version: int
    at: int
    by: str
    event: str
    says: str
    cites: tuple[str, ...]
    person: str = ""
    cards: tuple[Card, ...] = ()
    lines: tuple[Line, ...] = ()
    meters: tuple[MeterStep, ...] = ()
    commitments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Story:
    """A round of a table; `net` is what each seat that wagered won or lost, `players` who sat there."""

    table: str
    number: int
    rules: Rules
    steps: tuple[Step, ...]
    net: Mapping[int, Cents]
    players: Mapping[int, str]


def replay(source: Source, table: str, number: int, *, everything: bool = False) -> Story:
    """Tell a round. Cards that lie face down are told where the source opens them, or with `everything` from what is sealed."""
    need_table(source, table)
    teller = Teller(source, table, number, everything)
    for version, event in teller.events():
        if teller.follow(version, event) and number > 0:
            break
    if teller.opened is None or not 1 <= number <= teller.seating.rounds:
        raise Missing(f"There is no round {number} of table {table}; it has had {teller.seating.rounds:,}.")
    net = {seat: teller.net[seat] for seat in sorted(teller.players)}
    return Story(table, number, teller.rules, tuple(teller.steps), net, teller.players)


@dataclass
class Teller:
    source: Source
    table: str
    number: int
    everything: bool
    opened: say.OpenTable | None = None
    seating: Seating = field(default_factory=Seating)
    between: list[tuple[int, Event]] = field(default_factory=list)  # after a round, until it is clear to which they belong
    steps: list[Step] = field(default_factory=list)
    at_cage: list[tuple[Move, int]] = field(default_factory=list)  # jackpots that the cage paid, and to which seat
    faces: dict[str, str] = field(default_factory=dict)  # of the leaves that a transcript opens
    laid: dict[int, Card] = field(default_factory=dict)  # this round's cards, by position
    sets: dict[int, tuple[int, ...]] = field(default_factory=dict)  # which of a box's cards are its three-card hand
    players: dict[int, str] = field(default_factory=dict)
    net: Counter[int] = field(default_factory=Counter)

    @property
    def rules(self) -> Rules:
        return self.offer.rules

    @property
    def offer(self) -> Offer:
        assert self.opened is not None
        return offer_of(self.opened.submission)

    def events(self) -> Iterator[tuple[int, Event]]:
        """The events of the table, on an unbroken chain."""
        stream = stream_of(self.table)
        previous = genesis(stream)
        for due, entry in enumerate(self.source.read(stream), 1):
            if entry.version != due or entry.hash != link(previous, entry.body):
                raise Unreadable(f"{stream}, version {due}: the chain of hashes is broken; croupier verify says more.")
            previous = entry.hash
            event = read(entry.body)
            self.seating.follow(due, event, unseal(entry.sealed) if self.everything else ())
            if isinstance(self.source, Transcript):
                at = {shown.position: shown.leaf for shown in event.then.cards}
                for opening in read_opened(self.source.opened(stream, due)).cards:
                    self.faces[at[opening.position]] = opening.card
            yield due, event

    def follow(self, version: int, event: Event) -> bool:
        """Take in one event; true once the round and what follows it are told."""
        if isinstance(event.command, say.OpenTable):
            self.opened = event.command
        if isinstance(event.command, say.NoMoreBets):
            if self.seating.rounds > self.number:
                return True
            self.players = {home: self.seating.seated.get(home, "") for home, _ in self.seating.owners.values()}
            self.laid.clear()
            self.sets.clear()
        elif not self._is_in_the_round(event):
            self.between.append((version, event))
            return False
        if self.seating.rounds == self.number:
            self.steps += [self._step(*each) for each in (*self.between, (version, event))]
        self.between.clear()
        return False

    def _is_in_the_round(self, event: Event) -> bool:
        command = event.command
        if isinstance(command, say.RaiseIrregularity):
            rule = next((each for each in self.rules.of(Irregularity) if each.name == command.irregularity), None)
            return rule is not None and rule.moment not in (Moment.SHUFFLE, Moment.ANY)
        if isinstance(command, say.Leave):
            return any(move.source.endswith("layout") and move.target == TABLE_INVENTORY for move in event.then.moves)
        return isinstance(command, IN_THE_ROUND)

    def _step(self, version: int, event: Event) -> Step:
        then = event.then
        self._count(event)
        cards = tuple(self._card(shown) for shown in then.cards)
        return Step(
            version=version,
            at=event.at,
            by=event.by,
            event=event.event,
            says=told(event, self.rules if self.opened else None, self._announced(event.command)),
            cites=then.cites,
            person=event.person,
            cards=cards,
            lines=then.lines,
            meters=tuple(MeterStep(wager, move, self._shows(wager, version)) for wager, move in then.meters.items()),
            commitments=then.decks,
        )

    def _announced(self, command: say.Command) -> str:
        """What is announced of the hand that a command turns."""
        match command:
            case say.SetHand(seat=box, cards=three):
                self.sets[box] = tuple(three)
            case say.RevealDealer():
                return self.rules.announced(DEALER, self._position(0))
            case say.TurnHand(seat=box):
                return self.rules.announced(PLAYER, self._position(box))
        return ""

    def _position(self, box: int) -> Position:
        """The cards that lie face up of the dealer, the community and a box."""
        lying = {
            place: [card for card in self.laid.values() if card.at == place.value and card.seat in (0, box)]
            for place in (DEALER, COMMUNITY, PLAYER)
        }
        up = {place: _face_up(held) for place, held in lying.items()}
        three = _face_up(lying[PLAYER][number - 1] for number in self.sets.get(box, ()))
        return Position(up, set_aside=three, readings=self.offer.readings)

    def _count(self, event: Event) -> None:
        """What the players won from the house and lost to it. A jackpot that the cage pays goes through no account of theirs."""
        if isinstance(event.command, say.BuyIn):
            return
        for move in event.then.moves:
            if winner := self._seat_of(move.target) if move.source == TABLE_INVENTORY else 0:
                self.net[winner] += move.cents
            elif loser := self._seat_of(move.source) if move.target == TABLE_INVENTORY else 0:
                self.net[loser] -= move.cents
            elif move.target == CAGE and isinstance(event.command, say.SettleSeat):
                self.net[self._home(event.command.seat)] += move.cents
                self.at_cage.append((move, self._home(event.command.seat)))
            elif move.source == CAGE and isinstance(event.command, say.RaiseIrregularity):  # taken back
                paid = next((each for each in self.at_cage if each[0] == Move(move.target, CAGE, move.cents)), None)
                if paid:
                    self.at_cage.remove(paid)
                    self.net[paid[1]] -= move.cents

    def _seat_of(self, account: str) -> int:
        found = _OF_A_SEAT.fullmatch(account)
        seat = int(found[1]) if found else 0
        return self._home(seat) if found and found[2] == "layout" else seat

    def _home(self, box: int) -> int:
        return self.seating.owners.get(box, (box, 0))[0]

    def _card(self, shown: Shown) -> Card:
        before = self.laid.get(shown.position)
        face = shown.card or (before.card if before else "") or self._face(shown)
        if not shown.leaf:  # gathered for the rack
            return Card(shown.at, shown.seat, shown.position, face, bool(before and before.face_up), before.at if before else "")
        card = self.laid[shown.position] = Card(shown.at, shown.seat, shown.position, face, bool(shown.card))
        return card

    def _face(self, shown: Shown) -> str:
        """The face of a card that lies face down, if the reader may know it."""
        found = self.seating.dealt_from(shown) if shown.leaf else None
        return found[1].order[shown.position] if found else self.faces.get(shown.leaf, "")

    def _shows(self, wager: str, version: int) -> Cents | None:
        assert self.opened is not None
        for entry in self.source.read(meter_stream(self.table, wager, self.opened.linked)):
            event = read_meter(entry.body)
            if (event.table, event.version) == (self.table, version):
                return event.meter.amount
        return None


def _face_up(cards: Iterable[Card]) -> Cards:
    return tuple(CARDS[card.card] for card in cards if card.face_up)
