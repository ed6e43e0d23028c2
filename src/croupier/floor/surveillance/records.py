"""The surveillance room's index of rounds, built from the log and kept up to date. Sealed parts are not read."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import RLock

import msgspec

from croupier.floor.house.house import stream_of
from croupier.floor.surveillance.round_record import Closed, Draft, Scribe, TableOpening, slim
from croupier.ledger import Missing, Source, Unreadable
from croupier.money import Cents
from croupier.table.events import NotAnEvent


class Bet(msgspec.Struct, frozen=True):
    """The result of one wager, or of a bonus paid beside one (its stake is 0).

    The outcome is that of the settlement's line, or “withdrawn” by a decision, “void” or “abandoned”.
    """

    wager: str  # followed by a colon and the hand that it is on, if there are several
    stake: Cents
    outcome: str
    pays: Cents
    returns: Cents
    hand: str = ""  # as the settlement named it; a folded hand is not shown
    source: str = ""
    bonus: bool = False

    @property
    def net(self) -> Cents:
        return self.pays + self.returns - self.stake


class Box(msgspec.Struct, frozen=True):
    """A betting box in a round: its player, their decisions, and the results of their wagers."""

    box: int
    seat: int
    player: str
    decisions: tuple[str, ...]
    bets: tuple[Bet, ...]

    @property
    def net(self) -> Cents:
        return sum(bet.net for bet in self.bets)


class RecordedRound(msgspec.Struct, frozen=True):
    """One round of a table. `ended` is 0 while it is being played."""

    table: str
    number: int
    first: int  # the versions of its events, including those since the round before
    last: int
    begun: int  # “no more bets”, in milliseconds
    ended: int
    offer: str
    boxes: tuple[Box, ...]
    net: dict[str, Cents]  # by player: what they won from the house; negative if they lost
    void: str = ""  # the irregularity that voided the hands
    irregularities: tuple[str, ...] = ()
    jackpots: dict[str, Cents] = {}  # paid from meters, by wager
    contributed: dict[str, Cents] = {}  # to meters and their reserves, by wager
    locked: int = 0  # the version of “no more bets”


class NameNumbers:
    """Numbers for names, so that each player or wager is stored once."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def find(self, name: str) -> int | None:
        return self._numbers.get(name)

    def number(self, name: str) -> int:
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = len(self.names)
            self.names.append(name)
        return found


# A round as it is kept in memory: words are numbers.
PackedBet = tuple[int, Cents, int, Cents, Cents, int, int, bool]  # as the fields of a Bet
PackedBox = tuple[int, int, int, list[int], list[PackedBet]]  # as the fields of a Box
PackedRound = tuple[
    int, int, int, int, int, int, list[PackedBox], int, list[int], list[tuple[int, Cents]], list[tuple[int, Cents]]
]  # versions, times and the opening; boxes, void, irregularities, jackpots, contributions
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(PackedRound).decode


def _numbers() -> array[int]:
    return array("q")


@dataclass
class TableRecords:
    """The rounds of one table in columns. The details of a round are packed, and unpacked on request."""

    table: str
    scribe: Scribe
    packed: list[bytes] = field(default_factory=list)
    begun: array[int] = field(default_factory=_numbers)
    opening: array[int] = field(default_factory=_numbers)
    order: array[int] = field(default_factory=_numbers)  # `begun`, but never falling, even if a clock was set back
    staked: array[int] = field(default_factory=_numbers)  # the most that one player had at risk
    won: array[int] = field(default_factory=_numbers)  # the most that was paid to one player
    players: dict[int, array[int]] = field(default_factory=dict)  # by the player's number: the rounds
    hands: dict[int, array[int]] = field(default_factory=dict)
    irregular: dict[int, array[int]] = field(default_factory=dict)
    people: dict[int, array[int]] = field(default_factory=dict)  # by the number of whoever acted, staff included

    def __len__(self) -> int:
        return len(self.packed)


class Records:
    """An index of all rounds of a log. One thread may add to it while others search."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.words = NameNumbers()
        self._tables: dict[str, TableRecords] = {}
        self._lock = RLock()

    # adding

    def catch_up(self, table: str) -> int:
        """Read new events of the log; return how many."""
        with self._lock:
            known, scribe, taken = self._known(table), self._known(table).scribe, 0
            for entry in self.source.read(stream_of(table), scribe.version):
                if entry.version != scribe.version + 1:
                    raise Unreadable(f"{entry.stream}, version {scribe.version + 1} is missing; run croupier verify for details.")
                self._take(known, entry.version, entry.body)
                taken += 1
            return taken

    def catch_up_all(self) -> int:
        names = [name.removeprefix("table/") for name in self.source.streams() if name.startswith("table/")]
        return sum(map(self.catch_up, names))

    def _known(self, table: str) -> TableRecords:
        if table not in self._tables:
            self._tables[table] = TableRecords(table, Scribe())
        return self._tables[table]

    def _take(self, known: TableRecords, version: int, body: bytes) -> None:
        try:
            event = slim(body)
            if closed := known.scribe.take(version, event):
                self._enter(known, closed)
        except (NotAnEvent, LookupError, ValueError, msgspec.MsgspecError) as problem:
            raise Unreadable(
                f"{stream_of(known.table)}, version {version}: {problem}; run croupier verify for details."
            ) from problem

    def _enter(self, known: TableRecords, closed: Closed) -> None:
        """Add a finished round to the columns. `packed` comes last, because its length is the number of rounds."""
        draft, number = closed.draft, len(known) + 1
        assert draft.number == number
        boxes = self._boxes(draft)
        amounts = by_player(tuple(_box(each, self.words.names) for each in boxes)).values()
        known.begun.append(draft.begun)
        known.opening.append(draft.opening)
        known.order.append(max(known.order[-1] if known.order else 0, draft.begun))
        known.staked.append(max((staked for staked, _ in amounts), default=0))
        known.won.append(max((won for _, won in amounts), default=0))
        self._post(known, number, draft, boxes)
        known.packed.append(self._packed(draft, boxes, closed.version, closed.at))

    def _boxes(self, draft: Draft) -> list[PackedBox]:
        name = self.words.number
        return [
            (
                number,
                box.seat,
                name(box.player),
                [name(word) for word in box.decided],
                [
                    (name(wager), stake, name(outcome), pays, returns, name(hand), name(source), bonus)
                    for wager, stake, outcome, pays, returns, hand, source, bonus in box.bets
                ],
            )
            for number, box in sorted(draft.boxes.items())
        ]

    def _packed(self, draft: Draft, boxes: list[PackedBox], last: int, ended: int) -> bytes:
        name = self.words.number
        jackpots = [[name(wager), cents] for wager, cents in draft.jackpots.items()]
        contributed = [[name(wager), cents] for wager, cents in draft.contributed.items()]
        versions_and_times = draft.first, last, draft.locked, draft.begun, ended, draft.opening
        return _pack([*versions_and_times, boxes, name(draft.void), [*map(name, draft.irregularities)], jackpots, contributed])

    def _post(self, known: TableRecords, number: int, draft: Draft, boxes: list[PackedBox]) -> None:
        for lists, which in (
            (known.players, {box[2] for box in boxes}),
            (known.hands, {bet[5] for box in boxes for bet in box[4]}),
            (known.irregular, {self.words.number(each) for each in draft.irregularities}),
            (known.people, {self.words.number(each) for each in draft.people}),
        ):
            for each in which:
                lists.setdefault(each, array("q")).append(number)

    # reading

    def tables(self) -> list[str]:
        return sorted(name for name, known in self._tables.items() if known.scribe.version)

    def count(self, table: str) -> int:
        """The number of finished rounds of a table."""
        return len(self._tables[table]) if table in self._tables else 0

    def columns(self, table: str) -> TableRecords:
        return self._tables[table]

    def round(self, table: str, number: int) -> RecordedRound:
        """A round by its number, including the one being played."""
        known = self._tables.get(table)
        if known and 1 <= number <= len(known):
            return self._read(known, number, known.packed[number - 1])
        draft = known.scribe.draft if known else None
        if known and draft and draft.number == number:
            packed = self._packed(draft, self._boxes(draft), known.scribe.version, ended=0)
            return self._read(known, number, packed)
        raise Missing(f"There is no round {number} of table {table}; it has had {known.scribe.rounds if known else 0:,}.")

    def rounds(self, table: str, since: int = 0, until: int = 0) -> Iterator[RecordedRound]:
        """The finished rounds of a table, oldest first: all, or those that began in a period."""
        if table not in self._tables:
            return
        known = self._tables[table]
        for number in range(bisect_left(known.order, since) + 1, len(known) + 1):
            begun = known.begun[number - 1]
            if begun >= since and (not until or begun < until):
                yield self._read(known, number, known.packed[number - 1])

    def openings(self, table: str) -> list[TableOpening]:
        """The openings of a table, in order."""
        return self._tables[table].scribe.openings if table in self._tables else []

    def opening(self, table: str, number: int) -> TableOpening:
        """The opening of the table under which a finished round was played."""
        known = self._tables[table]
        return known.scribe.openings[known.opening[number - 1]]

    def drop(self, table: str, since: int = 0, until: int = 0) -> Cents:
        """The cash that went into the drop box, in total or in a period."""
        if table not in self._tables:
            return 0
        bought = self._tables[table].scribe.bought
        return sum(cents for at, cents in bought if at >= since and (not until or at < until))

    def _read(self, known: TableRecords, number: int, packed: bytes) -> RecordedRound:
        names = self.words.names
        first, last, locked, begun, ended, opening, found, void, irregularities, jackpots, contributed = _unpack(packed)
        boxes = tuple(_box(each, names) for each in found)
        return RecordedRound(
            table=known.table,
            number=number,
            first=first,
            last=last,
            begun=begun,
            ended=ended,
            offer=known.scribe.openings[opening].offer,
            boxes=boxes,
            net=_net(boxes),
            void=names[void],
            irregularities=tuple(names[each] for each in irregularities),
            jackpots={names[wager]: cents for wager, cents in jackpots},
            contributed={names[wager]: cents for wager, cents in contributed},
            locked=locked,
        )


def _box(packed: PackedBox, names: list[str]) -> Box:
    number, seat, player, decided, bets = packed
    return Box(
        number,
        seat,
        names[player],
        tuple(names[word] for word in decided),
        tuple(
            Bet(names[wager], stake, names[outcome], pays, returns, names[hand], names[source], bonus)
            for wager, stake, outcome, pays, returns, hand, source, bonus in bets
        ),
    )


def _net(boxes: tuple[Box, ...]) -> dict[str, Cents]:
    net: dict[str, Cents] = {}
    for box in boxes:
        net[box.player] = net.get(box.player, 0) + box.net
    return net


def by_player(boxes: tuple[Box, ...]) -> Mapping[str, tuple[Cents, Cents]]:
    """What each player had at risk in a round, and what they were paid on top of their stakes."""
    sums: dict[str, tuple[Cents, Cents]] = {}
    for box in boxes:
        staked, won = sums.get(box.player, (0, 0))
        sums[box.player] = (staked + sum(bet.stake for bet in box.bets), won + sum(bet.pays for bet in box.bets))
    return sums
