"""Checks the log of a meter: what it showed, after which event of which table."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field

from croupier.filing.offer import Progressive
from croupier.floor.house.meter_stream import VERSION, MeterEvent, read_meter
from croupier.floor.verification.problems import CannotTell, Wrong
from croupier.ledger import Entry
from croupier.ledger.canonical import encode
from croupier.ledger.verification import Damage
from croupier.table.meters import MeterState, after


@dataclass
class MeterLog:
    """The events of one meter, up to the first damage if there is any."""

    stream: str
    events: list[MeterEvent] = field(default_factory=list)
    damage: Damage | None = None
    terms: Progressive | None = None
    caused: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))  # by table: the versions of its events,
    places: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))  # and of the entries they caused
    claimed: set[int] = field(default_factory=set)  # the entries that an event of a table accounts for

    def follow(self, entry: Entry) -> None:
        try:
            event = read_meter(entry.body)
        except ValueError as problem:
            raise Wrong(f"it is not an event of a meter: {problem}") from None
        if event.v != VERSION or encode(event) != entry.body or entry.sealed:
            raise Wrong("it is not encoded the way events of a meter are")
        self._verify(event)
        if event.version <= max(self.caused[event.table][-1:], default=0):
            raise Wrong(f"the events of table {event.table} are not in the order in which they happened")
        self.caused[event.table].append(event.version)
        self.places[event.table].append(entry.version)
        self.events.append(event)

    def _verify(self, event: MeterEvent) -> None:
        if self.terms is None:
            if event.terms is None or event.move is not None or event.meter != MeterState(event.terms.seed):
                raise Wrong("the meter does not begin at the seed that was filed for it")
            self.terms = event.terms.progressive()
        elif event.move is None or event.terms is not None:
            raise Wrong("the meter is opened a second time")
        elif event.meter != (shows := after(self.events[-1].meter, event.move, self.terms)):
            raise Wrong(f"the meter shows {event.meter.amount} cents, but its moves add up to {shows.amount}")

    def place(self, table: str, version: int) -> int:
        """The entry that a table's event caused; 0 if there is none."""
        at = bisect_left(self.caused.get(table, []), version)
        known = self.caused.get(table, [])
        return self.places[table][at] if at < len(known) and known[at] == version else 0

    def due(self, table: str, version: int) -> int:
        """Where the missing entry of a table's event should be."""
        at = bisect_left(self.caused.get(table, []), version)
        places = self.places.get(table, [])
        return places[at] if at < len(places) else len(self.events) + 1

    def before(self, table: str, version: int) -> MeterState:
        """What the meter showed when a table's event was decided.

        An event that did not touch the meter may have been decided at any moment between its table's other ones. The least amount
        in that time stands for all: payments grow with the meter, so if no amount led to a payment, the least does not either.
        """
        if place := self.place(table, version):
            if place == 1:
                raise Wrong("it opens the meter and moves it in one entry", self.stream, 1)
            return self.events[place - 2].meter
        at, places = bisect_left(self.caused.get(table, []), version), self.places.get(table, [])
        if at == len(places) and self.damage:
            raise CannotTell(f"{self.stream} is damaged")
        first = places[at - 1] if at else 1
        last = places[at] - 1 if at < len(places) else len(self.events)
        return min((event.meter for event in self.events[first - 1 : last]), key=lambda meter: meter.amount)
