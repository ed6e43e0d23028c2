"""Checks the log of a meter: what it showed, after which event of which table."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from croupier.filing.offer import Progressive
from croupier.floor.house.meter_stream import VERSION, MeterEvent, read_meter
from croupier.floor.verification.problems import CannotCheck, CheckFailed
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
    caused: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # by table: its event, and the entry that this caused
    claimed: set[int] = field(default_factory=set)  # the entries that an event of a table accounts for

    def follow(self, entry: Entry) -> None:
        try:
            event = read_meter(entry.body)
        except ValueError as problem:
            raise CheckFailed(f"it is not an event of a meter: {problem}") from None
        if event.v != VERSION or encode(event) != entry.body or entry.sealed:
            raise CheckFailed("it is not encoded the way events of a meter are")
        self._verify(event)
        caused = self.caused.setdefault(event.table, [])
        if caused and event.version <= caused[-1][0]:
            raise CheckFailed(f"the events of table {event.table} are not in the order in which they happened")
        caused.append((event.version, entry.version))
        self.events.append(event)

    def _verify(self, event: MeterEvent) -> None:
        if self.terms is None:
            if event.terms is None or event.move is not None or event.meter != MeterState(event.terms.seed):
                raise CheckFailed("the meter does not begin at the seed that was filed for it")
            self.terms = event.terms.progressive()
        elif event.move is None or event.terms is not None:
            raise CheckFailed("the meter is opened a second time")
        elif event.meter != (shows := after(self.events[-1].meter, event.move, self.terms)):
            raise CheckFailed(f"the meter shows {event.meter.amount} cents, but its moves add up to {shows.amount}")

    def _around(self, table: str, version: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """The table's last event before a version, and its first from there on, each with the entry it caused; zeros if none."""
        caused = self.caused.get(table, [])
        at = bisect_left(caused, (version, 0))
        return caused[at - 1] if at else (0, 0), caused[at] if at < len(caused) else (0, 0)

    def place(self, table: str, version: int) -> int:
        """The entry that a table's event caused; 0 if there is none."""
        _, (found, place) = self._around(table, version)
        return place if found == version else 0

    def due(self, table: str, version: int) -> int:
        """Where the missing entry of a table's event should be."""
        _, (_, place) = self._around(table, version)
        return place or len(self.events) + 1

    def before(self, table: str, version: int) -> MeterState:
        """What the meter showed when a table's event was decided.

        An event that did not touch the meter may have been decided at any moment between its table's other ones. The least amount
        in that time stands for all: payments grow with the meter, so if no amount led to a payment, the least does not either.
        """
        if place := self.place(table, version):
            if place == 1:
                raise CheckFailed("it opens the meter and moves it in one entry", self.stream, 1)
            return self.events[place - 2].meter
        (_, earlier), (_, later) = self._around(table, version)
        if not later and self.damage:
            raise CannotCheck(f"{self.stream} is damaged")
        shown = self.events[(earlier or 1) - 1 : later - 1 if later else None]
        return min((event.meter for event in shown), key=lambda meter: meter.amount)
