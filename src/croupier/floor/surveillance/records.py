"""The surveillance room's index of rounds, built from the log and kept up to date. Sealed parts are not read."""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from threading import RLock

import msgspec

from croupier.floor.house.meter_stream import MeterHistory
from croupier.floor.surveillance.round_record import Box, RecordedRound, RoundBuilder, TableOpening, money_at_risk
from croupier.floor.transcripts.sources import applied_events
from croupier.ledger import Missing, Source
from croupier.money import Cents

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(RecordedRound).decode


def _numbers() -> array[int]:
    return array("q")


def _lists() -> defaultdict[str, array[int]]:
    return defaultdict(_numbers)


@dataclass
class TableRecords:
    """The rounds of one table in columns. The details of a round are compressed, and read on request."""

    builder: RoundBuilder = field(default_factory=RoundBuilder)
    head: bytes = b""  # the hash of the last entry
    pattern: bytes = b""  # the first round: the others are compressed by what they have in common with it
    packed: list[bytes] = field(default_factory=list)
    begun: array[int] = field(default_factory=_numbers)  # never decreasing: a table never dates an event before the last
    opening: array[int] = field(default_factory=_numbers)
    staked: array[int] = field(default_factory=_numbers)  # the most that one player had at risk
    won: array[int] = field(default_factory=_numbers)  # the most that was paid to one player
    players: defaultdict[str, array[int]] = field(default_factory=_lists)  # by the player's name: the rounds
    hands: defaultdict[str, array[int]] = field(default_factory=_lists)
    irregular: defaultdict[str, array[int]] = field(default_factory=_lists)
    people: defaultdict[str, array[int]] = field(default_factory=_lists)  # by the name of whoever acted, staff included

    def __len__(self) -> int:
        return len(self.packed)

    def add(self, round_: RecordedRound) -> None:
        """Add a finished round. `packed` comes last, because its length is the number of rounds."""
        assert round_.number == len(self) + 1
        amounts = by_player(round_.boxes).values()
        self.begun.append(round_.begun)
        self.opening.append(len(self.builder.openings) - 1)
        self.staked.append(max((staked for staked, _ in amounts), default=0))
        self.won.append(max((won for _, won in amounts), default=0))
        hands = {bet.hand for box in round_.boxes for bet in box.bets}
        columns = (self.players, round_.net), (self.hands, hands), (self.irregular, round_.irregularities)
        for lists, names in (*columns, (self.people, self.builder.people)):
            for name in set(names):
                lists[name].append(round_.number)
        self.pattern = self.pattern or _encode(round_)
        packing = zlib.compressobj(zdict=self.pattern)
        self.packed.append(packing.compress(_encode(round_)) + packing.flush())

    def round(self, number: int) -> RecordedRound:
        return _decode(zlib.decompressobj(zdict=self.pattern).decompress(self.packed[number - 1]))


class Records:
    """An index of all rounds of a log. One thread may add to it while others search."""

    def __init__(self, source: Source) -> None:
        self.source, self.meters = source, MeterHistory(source)
        self._tables: dict[str, TableRecords] = {}
        self._lock = RLock()

    def catch_up(self, table: str) -> int:
        """Read new events of the log; return how many."""
        with self._lock:
            known, taken = self._tables.setdefault(table, TableRecords()), 0
            builder = known.builder
            for entry, event in applied_events(self.source, table, builder.state, known.head):
                known.head = entry.hash
                if found := builder.take(entry.version, event):
                    known.add(found)
                    builder.begin_next()
                taken += 1
            return taken

    def catch_up_all(self, damaged: Collection[str] = ()) -> int:
        """Read new events of every table but those that are known to be damaged."""
        names = [name.removeprefix("table/") for name in self.source.streams() if name.startswith("table/")]
        return sum(self.catch_up(name) for name in names if name not in damaged)

    def tables(self) -> list[str]:
        return sorted(name for name, known in self._tables.items() if known.builder.state.version)

    def count(self, table: str) -> int:
        """The number of finished rounds of a table."""
        return len(self.columns(table))

    def columns(self, table: str) -> TableRecords:
        known = self._tables.get(table)
        return TableRecords() if known is None else known

    def round(self, table: str, number: int) -> RecordedRound:
        """A round by its number, including the one being played."""
        known = self.columns(table)
        if 1 <= number <= len(known):
            return known.round(number)
        builder, draft = known.builder, known.builder.draft
        if draft and draft.round.number == number:
            return builder.record(draft, builder.state.version, ended=0)
        raise Missing(f"There is no round {number} of table {table}; it has had {builder.state.rounds:,}.")

    def rounds(self, table: str, since: int = 0, until: int = 0) -> Iterator[RecordedRound]:
        """The finished rounds of a table, oldest first: all, or those that began in a period."""
        known = self.columns(table)
        last = bisect_left(known.begun, until) if until else len(known)
        for number in range(bisect_left(known.begun, since) + 1, last + 1):
            yield known.round(number)

    def openings(self, table: str) -> list[TableOpening]:
        return self.columns(table).builder.openings

    def opening(self, table: str, number: int) -> TableOpening:
        """The opening of the table under which a finished round was played."""
        known = self.columns(table)
        return known.builder.openings[known.opening[number - 1]]

    def drop(self, table: str, since: int = 0, until: int = 0) -> Cents:
        """The cash that went into the drop box, in total or in a period."""
        return sum(cents for at, cents in self.columns(table).builder.bought if at >= since and (not until or at < until))


def by_player(boxes: tuple[Box, ...]) -> Mapping[str, tuple[Cents, Cents]]:
    """What each player had at risk in a round, and what they were paid on top of their stakes."""
    sums: dict[str, tuple[Cents, Cents]] = {}
    for box in boxes:
        staked, won = sums.get(box.player, (0, 0))
        sums[box.player] = (staked + money_at_risk(box.bets), won + sum(bet.pays for bet in box.bets))
    return sums
