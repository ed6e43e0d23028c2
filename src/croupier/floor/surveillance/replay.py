"""One round step by step, from a log or a transcript."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from croupier.cards import Cards
from croupier.filing.offer import Offer
from croupier.floor.house.house import meter_stream, stream_of
from croupier.floor.house.meter_stream import read_meter
from croupier.floor.house.vault import Opener, Unopened, Vault
from croupier.floor.surveillance.narration import in_words, with_name
from croupier.floor.surveillance.records import Records
from croupier.floor.transcripts.openings import read_opened
from croupier.floor.transcripts.seats import Seating
from croupier.floor.transcripts.sources import chained, need_table
from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Position
from croupier.ledger import Source, Unreadable
from croupier.ledger.entry import Entry
from croupier.ledger.transcript import Transcript
from croupier.money import Cents
from croupier.table import commands as say
from croupier.table.events import Event, Orders, Shown
from croupier.table.meters import MeterMove
from croupier.table.state import CARDS, offer_of
from croupier.wire import LoggedEvent, WagerLine


@dataclass(frozen=True)
class ReplayCard:
    """A card that moved. `card` is empty while its face may not be seen; `lay` is where a card bound for the rack came from."""

    at: str
    seat: int
    position: int
    card: str
    face_up: bool
    lay: str = ""


@dataclass(frozen=True)
class MeterStep:
    """A meter that moved; `shows` is None if the source does not hold the meter's log."""

    wager: str
    move: MeterMove
    shows: Cents | None


class ReplayStep(LoggedEvent, frozen=True):
    """One event of a round, with the cards that moved, what was paid, and what became of meters and decks."""

    cards: tuple[ReplayCard, ...] = ()
    lines: tuple[WagerLine, ...] = ()
    meters: tuple[MeterStep, ...] = ()
    commitments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Story:
    """A round of a table. `net` is what each seat that wagered won or lost, `players` who sat there."""

    table: str
    number: int
    rules: Rules
    steps: tuple[ReplayStep, ...]
    net: Mapping[int, Cents]
    players: Mapping[int, str]


def replay(source: Source, table: str, number: int, *, everything: bool = False, vault: Vault | None = None) -> Story:
    """Replay a round. Cards that lie face down are shown if the source opens them, or with `everything` from the sealed orders;
    the orders of a round that is not over need the house key."""
    need_table(source, table)
    records = Records(source)
    records.catch_up(table)
    found = records.round(table, number)
    replaying, steps = RoundReader(source, table, everything, Opener(source, stream_of(table), vault)), list[ReplayStep]()
    for entry, event in chained(source, table, many=found.last):
        replaying.follow(entry, event)
        if entry.version >= found.first:
            steps.append(replaying.step(entry.version, event))
    net: Counter[int] = Counter()
    for box in found.boxes:
        net[box.seat] += box.net
    return Story(
        table, number, replaying.rules, tuple(steps), dict(sorted(net.items())), {box.seat: box.player for box in found.boxes}
    )


@dataclass
class RoundReader:
    source: Source
    table: str
    everything: bool
    opener: Opener
    opened: say.OpenTable | None = None
    seating: Seating = field(default_factory=Seating)
    faces: dict[str, str] = field(default_factory=dict)  # by the leaves that a transcript opens
    laid: dict[int, ReplayCard] = field(default_factory=dict)  # this round's cards, by position
    sets: dict[int, tuple[int, ...]] = field(default_factory=dict)  # which of a box's cards are its three-card hand

    @property
    def rules(self) -> Rules:
        return self.offer.rules

    @property
    def offer(self) -> Offer:
        assert self.opened is not None
        return offer_of(self.opened.submission)

    def follow(self, entry: Entry, event: Event) -> None:
        """Take in what later steps need of an event: the submission, the orders of decks, the faces that a transcript opens."""
        if isinstance(event.command, say.OpenTable):
            self.opened = event.command
        self.seating.follow(entry.version, event, self._orders(entry) if self.everything else ())
        if isinstance(self.source, Transcript):
            at = {shown.position: shown.leaf for shown in event.then.cards}
            for opening in read_opened(self.source.opened(entry.stream, entry.version)).cards:
                self.faces[at[opening.position]] = opening.card

    def _orders(self, entry: Entry) -> Orders:
        try:
            return self.opener.open(entry).orders
        except Unopened as problem:
            raise Unreadable(f"{entry.stream}, version {entry.version}: its order is sealed, and {problem}.") from problem

    def step(self, version: int, event: Event) -> ReplayStep:
        then = event.then
        cards = tuple(self._card(shown) for shown in then.cards)
        return in_words(
            ReplayStep,
            version,
            event,
            with_name(event, self.rules if self.opened else None, self._announced(event.command)),
            cards=cards,
            lines=then.lines,
            meters=tuple(MeterStep(wager, move, self._shows(wager, version)) for wager, move in then.meters.items()),
            commitments=then.decks,
        )

    def _announced(self, command: say.Command) -> str:
        """The announcement of the hand that a command turns."""
        match command:
            case say.SetHand(seat=box, cards=three):
                self.sets[box] = tuple(three)
            case say.RevealDealer():
                return self.rules.announced(DEALER, self._position(0))
            case say.TurnHand(seat=box):
                return self.rules.announced(PLAYER, self._position(box))
        return ""

    def _position(self, box: int) -> Position:
        """The cards of the dealer, the community and a box that lie face up."""
        lying = {
            place: [card for card in self.laid.values() if card.at == place.value and card.seat in (0, box)]
            for place in (DEALER, COMMUNITY, PLAYER)
        }
        up = {place: _face_up(held) for place, held in lying.items()}
        three = _face_up(lying[PLAYER][number - 1] for number in self.sets.get(box, ()))
        return Position(up, set_aside=three, readings=self.offer.readings)

    def _card(self, shown: Shown) -> ReplayCard:
        before = self.laid.get(shown.position)
        face = shown.card or (before.card if before else "") or self._face(shown)
        if not shown.leaf:  # gathered for the rack
            return ReplayCard(
                shown.at, shown.seat, shown.position, face, bool(before and before.face_up), before.at if before else ""
            )
        card = self.laid[shown.position] = ReplayCard(shown.at, shown.seat, shown.position, face, bool(shown.card))
        return card

    def _face(self, shown: Shown) -> str:
        """The face of a card that lies face down, if the source opens it."""
        found = self.seating.dealt_from(shown) if shown.leaf else None
        return found[1].order[shown.position] if found else self.faces.get(shown.leaf, "")

    def _shows(self, wager: str, version: int) -> Cents | None:
        assert self.opened is not None
        for entry in self.source.read(meter_stream(self.table, wager, self.opened.linked)):
            event = read_meter(entry.body)
            if (event.table, event.version) == (self.table, version):
                return event.meter.amount
        return None


def _face_up(cards: Iterable[ReplayCard]) -> Cards:
    return tuple(CARDS[card.card] for card in cards if card.face_up)
