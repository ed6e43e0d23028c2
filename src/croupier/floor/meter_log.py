"""The log of a meter as verification reads it: what it showed, after which event of which table."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from croupier.filing.offer import Progressive
from croupier.floor.metering import VERSION, MeterEvent, read_meter
from croupier.floor.wrong import CannotTell, Wrong
from croupier.ledger import Entry
from croupier.ledger.verifying import Damage
from croupier.table.meters import Meter, after

_write = msgspec.json.Encoder(order="sorted").encode


@dataclass
class MeterLog:
    """The events of one meter; up to the first damage, if there is any."""

    stream: str
    events: list[MeterEvent] = field(default_factory=list)
    damage: Damage | None = None
    terms: Progressive | None = None
    caused: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))  # by table: versions of its events,
    places: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))  # and of the entries that tell of them
    claimed: set[int] = field(default_factory=set)  # the entries that a table's event answers for

    def read(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            try:
                self._take(entry)
            except Wrong as wrong:
                self.damage = Damage(self.stream, entry.version, str(wrong))
                return

    def _take(self, entry: Entry) -> None:
        try:
            event = read_meter(entry.body)
        except ValueError as problem:
            raise Wrong(f"it is no event of a meter: {problem}") from None
        if event.v != VERSION or _write(event) != entry.body or entry.sealed:
            raise Wrong("it holds what no event of a meter holds")
        self._verify(event)
        if event.version <= max(self.caused[event.table][-1:], default=0):
            raise Wrong(f"events of table {event.table} stand in another order than they happened")
        self.caused[event.table].append(event.version)
        self.places[event.table].append(entry.version)
        self.events.append(event)

    def _verify(self, event: MeterEvent) -> None:
        if self.terms is None:
            if event.terms is None or event.move is not None or event.meter != Meter(event.terms.seed):
                raise Wrong("the meter does not begin at the seed that was filed for it")
            self.terms = event.terms.progressive()
        elif event.move is None or event.terms is not None:
            raise Wrong("the meter is opened a second time")
        elif event.meter != (shows := after(self.events[-1].meter, event.move, self.terms)):
            raise Wrong(f"the meter shows {event.meter.amount} cents where its moves make {shows.amount}")

    def place(self, table: str, version: int) -> int:
        """The entry that tells of a table's event; 0 if none does."""
        at = bisect_left(self.caused.get(table, []), version)
        known = self.caused.get(table, [])
        return self.places[table][at] if at < len(known) and known[at] == version else 0

    def due(self, table: str, version: int) -> int:
        """Where the entry of a table's event would have to stand, if it is missing."""
        at = bisect_left(self.caused.get(table, []), version)
        places = self.places.get(table, [])
        return places[at] if at < len(places) else len(self.events) + 1

    def before(self, table: str, version: int) -> Meter:
        """What the meter showed when a table's event was decided.

        An event that did not touch the meter may have been decided at any moment between its table's other ones. The least
        amount of these stands for all: a payment from the meter grows with it, so none would come of the least if none came then.
        """
        if place := self.place(table, version):
            if place == 1:
                raise Wrong("it opens the meter and moves it at once", self.stream, 1)
            return self.events[place - 2].meter
        at, places = bisect_left(self.caused.get(table, []), version), self.places.get(table, [])
        if at == len(places) and self.damage:
            raise CannotTell(f"{self.stream} is damaged")
        first = places[at - 1] if at else 1
        last = places[at] - 1 if at < len(places) else len(self.events)
        return min((event.meter for event in self.events[first - 1 : last]), key=lambda meter: meter.amount)
