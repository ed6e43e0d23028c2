"""Exports a transcript of one table for one reader: the whole chain, and only the sealed cards that the reader may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import dropwhile
from pathlib import Path

from croupier.floor.house.house import stream_of
from croupier.floor.house.meter_stream import meter_streams, read_meter
from croupier.floor.house.vault import Opener, Unopened, Vault
from croupier.floor.registers.house_key import lost_orders
from croupier.floor.transcripts.sources import Opened, OpenedCard, need_table, opened_in, write_opened
from croupier.law.fact import PLAYER
from croupier.ledger import Entry, Missing, Source, Unreadable
from croupier.ledger.signatures.checkpoint import open_checkpoint
from croupier.ledger.transcript import EVERYONE, Transcript, write_transcript
from croupier.table import commands as say
from croupier.table.card_reveals import leaves, salt
from croupier.table.commands import Role, SealedDeck
from croupier.table.engine import role_and_seat
from croupier.table.events import Event, Orders, Sealed, Shown, read_event, read_sealed, write_sealed

PUBLIC = "public"


@dataclass
class Exported:
    entries: int = 0
    opened: int = 0  # cards, besides those that were face up
    version: int = 0  # where the table's chain ends
    head: str = ""
    sealed: int = 0  # shuffles that could not be opened without the house key


def export(
    source: Source,
    table: str,
    to: Path,
    reader: str = PUBLIC,
    number: int = 0,
    *,
    overwrite: bool = False,
    vault: Vault | None = None,
) -> Exported:
    """Write a transcript of a table and its meters from the first entry on. `number` opens the cards of that round only.

    No reader gets a card that may still be dealt: of an order that is not used up, only cards that left the deck are opened, and
    these need the house key.
    """
    reader, stream = EVERYONE if reader == Role.SURVEILLANCE else reader, stream_of(table)
    need_table(source, table)
    if isinstance(source, Transcript) and (source.header.get("for") != EVERYONE or source.header.get("round")):
        raise Unreadable(f"{source.path} withholds cards; export from the log instead.")
    newest = next(source.checkpoints(newest_first=True), b"")  # read before the entries, so that it names none beyond them
    header = {"for": reader, "table": table} | ({"round": number} if number else {})
    pen = Export(source, table, reader, number, vault)
    checkpoints = _checkpoints(source, newest, {stream, *pen.meters})
    write_transcript(to, header, pen.entries(), pen.withhold, checkpoints, overwrite=overwrite)
    return pen.made


def _checkpoints(source: Source, newest: bytes, streams: set[str]) -> list[bytes]:
    """The checkpoints to include: up to the newest, the last one that names each stream, and those that endorse a key."""
    kept, due = [], set(streams)
    for text in dropwhile(lambda text: text != newest, source.checkpoints(newest_first=True)):
        read = open_checkpoint(text)
        if read.next or not due.isdisjoint(read.heads):
            kept.append(text)
            due -= read.heads.keys()
    return kept[::-1]


# who sat where, and which shuffle was dealt


Sitting = tuple[int, int]  # a seat, and the number of the player there: 1 for the first, 2 for the next


@dataclass
class Seating:
    """Follows seats, boxes and shuffles from the events alone."""

    rounds: int = 0
    sat: Counter[int] = field(default_factory=Counter)  # how many players each seat has had
    seated: dict[int, str] = field(default_factory=dict)  # the current players
    boxes: dict[int, int] = field(default_factory=dict)  # by box: the seat of its player, in the next round
    owners: dict[int, Sitting] = field(default_factory=dict)  # of the boxes of this round
    decks: dict[str, tuple[int, SealedDeck]] = field(default_factory=dict)  # with the version of the entry that sealed them

    def follow(self, version: int, event: Event, orders: Orders = ()) -> None:
        match event.command:
            case say.Sit(seat=seat, player=player):
                self.sat[seat] += 1
                self.seated[seat] = player
            case say.Leave(seat=seat):
                self.seated.pop(seat, None)
            case say.PlaceWager(seat=box):
                self.boxes[box] = role_and_seat(event.by)[1]
            case say.NoMoreBets():
                self.rounds += 1
                self.owners = {box: (home, self.sat[home]) for box, home in self.boxes.items()}
                self.boxes.clear()
            case say.ShuffleDeck(deck=name):
                self._shuffled(version, (name,), orders)
            case say.ReceiveDecks(decks=names, preshuffled=True):
                self._shuffled(version, names, orders)

    def _shuffled(self, version: int, names: tuple[str, ...], orders: Orders) -> None:
        for n, name in enumerate(names):
            self.decks.pop(name, None)
            if orders and (order := orders[n]):
                self.decks[name] = (version, order)

    def dealt_from(self, shown: Shown) -> tuple[int, SealedDeck] | None:
        """The deck that a card comes from, if its order is known."""
        for version, deck in self.decks.values():
            known = leaves(bytes.fromhex(deck.secret), deck.order)
            if shown.position < len(known) and known[shown.position] == shown.leaf:
                return version, deck
        return None


# what is exported


class Export:
    """What one reader may see of a table's log: the hands of one sitting, one whole shuffle, or everything."""

    def __init__(self, source: Source, table: str, reader: str, number: int, vault: Vault | None) -> None:
        self.source, self.table, self.number = source, table, number
        self.everything = reader == EVERYONE  # every card of all rounds, or of the requested one
        self.opener, self.lost = Opener(source, stream_of(table), vault), lost_orders(source).get(stream_of(table), set())
        self.made = Exported()
        self.meters: list[str] = []
        self.sitting: Sitting | None = None
        self.shuffle = 0  # the version of the entry whose orders are exported
        self._plan(reader)
        self.seating = Seating()
        self.whole: set[int] = set()  # the versions whose orders are exported whole

    def _plan(self, reader: str) -> None:
        """Read the log once: where it ends, which meters the table has, and what the reader may see."""
        role, seat = role_and_seat(reader) if reader not in (EVERYONE, PUBLIC) else (None, 0)
        number, seating, present = self.number, Seating(), False
        for entry in self.source.read(stream_of(self.table)):
            event = read_event(entry.body)
            seating.follow(entry.version, event, self._orders(entry))
            self.made.version, self.made.head = entry.version, entry.hash.hex()
            if isinstance(event.command, say.OpenTable):
                opened = event.command
                names = meter_streams(opened.table, opened.submission, opened.linked).values()
                self.meters += [name for name in names if name not in self.meters and self.source.head(name)[0]]
            if number and seating.rounds == number:
                if isinstance(event.command, say.NoMoreBets):
                    self.sitting, present = (seat, seating.sat[seat]), seat in seating.seated
                dealt = next((shown for shown in event.then.cards if shown.leaf), None)
                if self.everything and dealt and not self.shuffle and (found := seating.dealt_from(dealt)):
                    self.shuffle = found[0]
        if number > seating.rounds:
            raise Missing(f"There is no round {number} of this table; it has had {seating.rounds:,}.")
        if role is not Role.PLAYER:
            self.sitting = None
        elif not (present if number else seating.sat[seat]):
            raise Missing(f"Nobody sat at seat {seat}" + (f" in round {number}." if number else "."))
        elif not number:
            self.sitting = (seat, seating.sat[seat])

    def entries(self) -> Iterator[Entry]:
        """The table's entries up to the planned version and its meters' entries up to the same point, even if play goes on."""
        yield from self.source.read(stream_of(self.table), limit=self.made.version)
        for meter in self.meters:
            for entry in self.source.read(meter):
                event = read_meter(entry.body)
                if event.table == self.table and event.version > self.made.version:
                    break
                yield entry

    def withhold(self, entry: Entry) -> tuple[bytes, bytes]:
        """The whole sealed part, and what is opened of it: the leaves of a shuffle, and the reader's own cards."""
        self.made.entries += 1
        if not entry.stream.startswith("table/"):
            return b"", b""
        event, orders, before = read_event(entry.body), self._orders(entry), opened_in(self.source, entry)
        self.seating.follow(entry.version, event, orders)
        requested = self.everything and (not self.number or entry.version == self.shuffle)
        if requested and (whole := self._used_up(entry, orders)):
            self.made.opened += sum(len(order.order) for order in orders if order)
            self.whole.add(entry.version)
            return whole, b""
        return b"", write_opened(self._open(entry, event, orders, before))

    def _orders(self, entry: Entry) -> Orders:
        try:
            return self.opener.open(entry).orders
        except Unopened as problem:
            raise Unreadable(f"{entry.stream}, version {entry.version}: a sealed order does not open; {problem}.") from problem

    def _used_up(self, entry: Entry, orders: Orders) -> bytes:
        """The orders in clear text if all of them are used up; empty while a card of them may still be dealt."""
        sealed = read_sealed(entry.sealed).orders
        if all(self.opener.published(entry.version, n) for n in range(len(sealed))):
            return write_sealed(Sealed(decks=tuple(order for order in orders if order)))
        return b""

    def _open(self, entry: Entry, event: Event, orders: Orders, before: Opened) -> Opened:
        faces = {opening.position: opening for opening in before.cards}
        cards = [self._opening(shown) or faces.get(shown.position) for shown in event.then.cards if self._may_see(shown)]
        known = tuple(opening for opening in cards if opening)
        self.made.opened += len(known)
        if None in orders or (event.then.decks and not orders and not before.leaves):
            self.made.sealed += 1
            return Opened(cards=known, lost=before.lost or entry.version in self.lost)
        of_decks = tuple(leaves(bytes.fromhex(order.secret), order.order) for order in orders if order)
        return Opened(of_decks or before.leaves, known)

    def _may_see(self, shown: Shown) -> bool:
        """Whether a card was dealt face down to a box of the reader, in the requested round or any; an inspector sees all."""
        if not shown.leaf or shown.card or self.number not in (0, self.seating.rounds):
            return False
        if self.everything:
            found = self.seating.dealt_from(shown)
            return found is None or found[0] not in self.whole
        return shown.at == PLAYER.value and self.sitting is not None and self.seating.owners.get(shown.seat) == self.sitting

    def _opening(self, shown: Shown) -> OpenedCard | None:
        found = self.seating.dealt_from(shown)
        if found is None:
            return None
        _, deck = found
        return OpenedCard(shown.position, deck.order[shown.position], salt(bytes.fromhex(deck.secret), shown.position).hex())
