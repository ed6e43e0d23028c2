"""One table's stream, entry by entry: its cards, its money, its meters, and its rules where every card is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from croupier.filing.offer import Progressive
from croupier.floor.books import Books
from croupier.floor.house import METERED, Snapshot, meter_stream
from croupier.floor.meter_log import MeterLog
from croupier.floor.metering import MeterEvent, Terms
from croupier.floor.openings import NOTHING, Opened
from croupier.floor.redeciding import redecide
from croupier.floor.tracing import Trace
from croupier.floor.wrong import CannotTell, Wrong
from croupier.law.cite import Refusal
from croupier.ledger import Entry
from croupier.table import commands as say
from croupier.table.accounts import balances, meter, reserve
from croupier.table.commands import SealedDeck
from croupier.table.events import VERSION, Event, NotAnEvent, is_current, read, seal, unseal
from croupier.table.meters import Meter
from croupier.table.state import State, offer_of
from croupier.wire import Reply

_read_snapshot = msgspec.json.Decoder(Snapshot).decode
_write_reply = msgspec.json.Encoder(order="sorted").encode


@dataclass
class TableCheck:
    """Follows a table from its first event. `decides` is false where cards are withheld, so that no rule can be tried."""

    table: str
    meters: Mapping[str, MeterLog]
    decides: bool = True
    state: State = field(default_factory=State)
    trace: Trace = field(default_factory=Trace)
    books: Books = field(default_factory=Books)
    followed: int = 0  # the version of the last entry that was found right
    older: int = 0  # of them, events of an older version: they are not decided again
    rounds: int = 0
    sums: Counter[str] = field(default_factory=Counter)  # what the table put on each meter and its reserve, by their streams
    keys: dict[str, bytes] = field(default_factory=dict)  # idempotency keys, and the reply that each must have
    _opened: say.OpenTable | None = None

    def follow(self, entry: Entry, opened: Opened = NOTHING) -> None:
        event, sealed = _read(entry)
        self._version(entry)
        if isinstance(event.command, say.OpenTable):
            self._open(event.command, older=not is_current(entry.body))
        self.trace.follow(event, sealed, opened)
        self.books.enter(event.then)
        self._follow_meters(entry.version, event)
        if self.decides:
            redecide(self.state, entry, event, sealed, self._shown(entry.version, event))
        self.rounds += isinstance(event.command, say.NoMoreBets)
        if event.key:
            self._key(entry.version, event)
        self.followed = entry.version

    def _version(self, entry: Entry) -> None:
        """Events of an older version stand before all others: nobody writes them any more."""
        if is_current(entry.body):
            return
        if msgspec.json.decode(entry.body)["v"] == VERSION:
            raise Wrong("its body is spelt as no event is")
        if self.followed > self.older:
            raise Wrong("an event of an older version stands after newer ones")
        self.older += 1

    def verify_snapshot(self, head: bytes, kept: bytes) -> None:
        """What the house kept of the table is the table as it stands, and spelt as the house spells it."""
        try:
            snapshot = _read_snapshot(kept)
        except (ValueError, TypeError):
            raise Wrong("the snapshot that was kept after it cannot be read") from None
        if snapshot != Snapshot(head.hex(), self.state) or msgspec.json.encode(snapshot) != kept:
            raise Wrong("the snapshot that was kept after it is not the state that the log gives")

    def _open(self, command: say.OpenTable, *, older: bool) -> None:
        if command.table != self.table:
            raise Wrong(f"it opens table {command.table}")
        try:
            offer_of(command.submission)
        except Refusal as refusal:
            if older:
                raise CannotTell(f"its submission, filed under an older version, is refused now: {refusal}") from None
            raise Wrong(f"its submission is refused: {refusal}") from None
        self._opened = command

    def _key(self, version: int, event: Event) -> None:
        if event.key in self.keys:
            raise Wrong(f"the key {event.key} was used before")
        self.keys[event.key] = _write_reply(Reply(self.table, version, event.event, event.at))

    # meters

    @property
    def _progressives(self) -> Mapping[str, Progressive]:
        return offer_of(self._opened.submission).progressives if self._opened else {}

    def _log(self, wager: str, version: int) -> MeterLog:
        assert self._opened is not None
        stream = meter_stream(self.table, wager, self._opened.linked)
        if stream not in self.meters:
            raise Wrong(f"it is missing; table/{self.table}, version {version} needs it", stream, 1)
        return self.meters[stream]

    def _shown(self, version: int, event: Event) -> dict[str, Meter]:
        """The meters as they stood when the event was decided; only some commands look at them."""
        if not isinstance(event.command, METERED):
            return {}
        return {wager: self._log(wager, version).before(self.table, version) for wager in self._progressives}

    def _follow_meters(self, version: int, event: Event) -> None:
        """Every move of a meter stands in the meter's own log as well, the same in both."""
        if isinstance(event.command, say.OpenTable):
            for wager, terms in self._progressives.items():
                self._meter_opened(version, event, wager, terms)
        for wager, move in event.then.meters.items():
            if wager not in self._progressives:
                raise Wrong(f"the {wager} has no meter here")
            log, told = self._told(version, wager)
            if (told.move, told.at, told.wager) != (move, event.at, wager):
                raise Wrong(
                    f"it is not what table/{self.table}, version {version} did to the meter",
                    log.stream,
                    log.place(self.table, version),
                )
            change = balances(event.then.moves)
            self.sums[log.stream] += change[meter(wager)]
            self.sums[f"{log.stream} reserve"] += change[reserve(wager)]

    def _meter_opened(self, version: int, event: Event, wager: str, terms: Progressive) -> None:
        log = self._log(wager, version)
        if log.place(self.table, version):
            _, told = self._told(version, wager)
            if (told.terms, told.at, told.wager) != (Terms.of(terms), event.at, wager):
                raise Wrong(f"it is not how table/{self.table}, version {version} opened the meter", log.stream, 1)
        elif log.terms != terms:
            if log.terms is None and log.damage:
                raise CannotTell(f"{log.stream} is damaged")
            raise Wrong(f"the {wager} is filed on other terms than those of {log.stream}")

    def _told(self, version: int, wager: str) -> tuple[MeterLog, MeterEvent]:
        """What the meter's log tells of an event; it answers for that entry."""
        log = self._log(wager, version)
        place = log.place(self.table, version)
        if not place:
            if log.damage:
                raise CannotTell(f"{log.stream} is damaged")
            raise Wrong(
                f"it is missing; table/{self.table}, version {version} moved the meter", log.stream, log.due(self.table, version)
            )
        log.claimed.add(place)
        return log, log.events[place - 1]


def _read(entry: Entry) -> tuple[Event, tuple[SealedDeck, ...]]:
    try:
        event = read(entry.body)
    except (NotAnEvent, ValueError, RecursionError) as problem:
        raise Wrong(str(problem)) from None
    try:
        sealed = unseal(entry.sealed)
        whole = all(len(bytes.fromhex(deck.secret)) == 32 for deck in sealed)
    except ValueError:
        raise Wrong("its sealed part is no order of a deck") from None
    if not whole or seal(sealed) != entry.sealed:
        raise Wrong("its sealed part is spelt as no sealed part is")
    if sealed and not event.then.decks:
        raise Wrong("its sealed part holds what the event does not commit to")
    return event, sealed
