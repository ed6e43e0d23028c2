"""The surveillance room's index of rounds, made from the log alone and kept up with it. Nothing that is sealed is read."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

import msgspec

from croupier.floor.house import stream_of
from croupier.floor.recording import TAKEN, Closed, Draft, Opening, Scribe, slim
from croupier.ledger import Missing, Source, Unreadable
from croupier.money import Cents
from croupier.table.events import Event, NotAnEvent, write


class Bet(msgspec.Struct, frozen=True):
    """What became of one wager, or of a bonus that was paid beside one (its stake is nothing).

    The outcome is that of the settlement's line, or “withdrawn” by a decision, “void” or “abandoned”.
    """

    wager: str  # with the hand it is placed on after a colon, where there are several
    stake: Cents
    outcome: str
    pays: Cents
    returns: Cents
    hand: str = ""  # as the settlement told it; a folded hand is told to nobody
    source: str = ""
    bonus: bool = False

    @property
    def net(self) -> Cents:
        return self.pays + self.returns - self.stake


class Box(msgspec.Struct, frozen=True):
    """A betting box in a round: whose it was, what he said, what became of his wagers."""

    box: int
    seat: int
    player: str
    decisions: tuple[str, ...]
    bets: tuple[Bet, ...]

    @property
    def net(self) -> Cents:
        return sum(bet.net for bet in self.bets)


class Round(msgspec.Struct, frozen=True):
    """One round of a table; `ended` is 0 while it is played."""

    table: str
    number: int
    first: int  # the versions of its events, from what came after the round before
    last: int
    begun: int  # “no more bets”, in milliseconds
    ended: int
    offer: str
    boxes: tuple[Box, ...]
    net: dict[str, Cents]  # by player: what he won from the house, below nothing what he lost
    void: str = ""  # the irregularity that made the hands void
    irregularities: tuple[str, ...] = ()
    jackpots: dict[str, Cents] = {}  # paid from meters, by wager
    contributed: dict[str, Cents] = {}  # to meters and their reserves, by wager
    locked: int = 0  # the version of “no more bets”


class Words:
    """Names by number: a player or a wager is kept once, however often he plays."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = len(self.names)
            self.names.append(name)
        return found


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder().decode


def _numbers() -> array[int]:
    return array("q")


@dataclass
class TableRecords:
    """The rounds of one table in columns; a round's own story is packed, and unpacked when it is asked for."""

    table: str
    scribe: Scribe
    packed: list[bytes] = field(default_factory=list)
    first: array[int] = field(default_factory=_numbers)
    last: array[int] = field(default_factory=_numbers)
    begun: array[int] = field(default_factory=_numbers)
    ended: array[int] = field(default_factory=_numbers)
    locked: array[int] = field(default_factory=_numbers)
    opening: array[int] = field(default_factory=_numbers)
    order: array[int] = field(default_factory=_numbers)  # `begun`, never falling, though a clock be set back
    staked: array[int] = field(default_factory=_numbers)  # the most that one player had at risk
    won: array[int] = field(default_factory=_numbers)  # the most that was paid to one player
    players: dict[int, array[int]] = field(default_factory=dict)  # by the player's number: the rounds
    hands: dict[int, array[int]] = field(default_factory=dict)
    irregular: dict[int, array[int]] = field(default_factory=dict)
    people: dict[int, array[int]] = field(default_factory=dict)  # by the number of whoever acted, staff included

    def __len__(self) -> int:
        return len(self.packed)


class Records:
    """An index of all rounds of a log. It may be fed by one thread and asked by others."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.words = Words()
        self._tables: dict[str, TableRecords] = {}
        self._lock = RLock()

    # taking in

    def catch_up(self, table: str) -> int:
        """Read what the log has beyond what is known; how many events that was."""
        with self._lock:
            known, scribe, taken = self._known(table), self._known(table).scribe, 0
            for entry in self.source.read(stream_of(table), scribe.version):
                if entry.version != scribe.version + 1:
                    raise Unreadable(f"{entry.stream}, version {scribe.version + 1} is missing; croupier verify says more.")
                self._take(known, entry.version, entry.body)
                taken += 1
            return taken

    def catch_up_all(self) -> int:
        names = [name.removeprefix("table/") for name in self.source.streams() if name.startswith("table/")]
        return sum(map(self.catch_up, names))

    def follow(self, table: str, version: int, event: Event) -> None:
        """Take in one event as it happens: a listener of a House. What was missed before it is read from the log."""
        with self._lock:
            known = self._known(table)
            if version == known.scribe.version + 1:
                if event.event in TAKEN:
                    self._take(known, version, write(event))
                else:
                    known.scribe.pass_by(version, event.person)
            elif version > known.scribe.version:
                self.catch_up(table)

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
            raise Unreadable(f"{stream_of(known.table)}, version {version}: {problem}; croupier verify says more.") from problem

    def _enter(self, known: TableRecords, closed: Closed) -> None:
        """A finished round into the columns; the story last, for its number says how many rounds there are."""
        draft, number = closed.draft, len(known) + 1
        assert draft.number == number
        boxes = self._boxes(draft)
        staked, won = _sums(boxes)
        columns = (
            (known.first, draft.first), (known.last, closed.version), (known.begun, draft.begun), (known.ended, closed.at),
            (known.locked, draft.locked), (known.opening, draft.opening), (known.staked, staked), (known.won, won),
            (known.order, max(known.order[-1] if known.order else 0, draft.begun)),
        )  # fmt: skip
        for column, value in columns:
            column.append(value)
        self._post(known, number, draft, boxes)
        known.packed.append(self._packed(draft, boxes))

    def _boxes(self, draft: Draft) -> list[Any]:
        """As numbers: box, seat, player, decisions, bets."""
        name = self.words.number
        return [
            [
                number,
                box.seat,
                name(box.player),
                [name(word) for word in box.decided],
                [
                    [name(wager), stake, name(outcome), pays, returns, name(hand), name(source), bonus]
                    for wager, stake, outcome, pays, returns, hand, source, bonus in box.bets
                ],
            ]
            for number, box in sorted(draft.boxes.items())
        ]

    def _packed(self, draft: Draft, boxes: list[Any]) -> bytes:
        name = self.words.number
        jackpots = [[name(wager), cents] for wager, cents in draft.jackpots.items()]
        contributed = [[name(wager), cents] for wager, cents in draft.contributed.items()]
        return _pack([boxes, name(draft.void), [name(each) for each in draft.irregularities], jackpots, contributed])

    def _post(self, known: TableRecords, number: int, draft: Draft, boxes: list[Any]) -> None:
        for lists, which in (
            (known.players, {box[2] for box in boxes}),
            (known.hands, {bet[5] for box in boxes for bet in box[4]}),
            (known.irregular, {self.words.number(each) for each in draft.irregularities}),
            (known.people, {self.words.number(each) for each in draft.people}),
        ):
            for each in which:
                lists.setdefault(each, array("q")).append(number)

    # asking

    def tables(self) -> list[str]:
        return sorted(name for name, known in self._tables.items() if known.scribe.version)

    def count(self, table: str) -> int:
        """How many rounds of a table are over."""
        return len(self._tables[table]) if table in self._tables else 0

    def columns(self, table: str) -> TableRecords:
        return self._tables[table]

    def version(self, table: str) -> int:
        """Up to where the log of a table is known."""
        return self._tables[table].scribe.version if table in self._tables else 0

    def round(self, table: str, number: int) -> Round:
        """A round by its number, the one that is being played included."""
        known = self._tables.get(table)
        if known and 1 <= number <= len(known):
            return self._read(known, number)
        draft = known.scribe.draft if known else None
        if known and draft and draft.number == number:
            return self._open(known, draft)
        raise Missing(f"There is no round {number} of table {table}; it has had {known.scribe.rounds if known else 0:,}.")

    def rounds(self, table: str, since: int = 0, until: int = 0) -> Iterator[Round]:
        """The finished rounds of a table, the oldest first: all of them, or those begun in a time."""
        if table not in self._tables:
            return
        known = self._tables[table]
        for number in range(bisect_left(known.order, since) + 1, len(known) + 1):
            begun = known.begun[number - 1]
            if begun >= since and (not until or begun < until):
                yield self._read(known, number)

    def openings(self, table: str) -> list[Opening]:
        """Under which submissions a table was opened, in order."""
        return self._tables[table].scribe.openings if table in self._tables else []

    def opening(self, table: str, number: int) -> Opening:
        """Under which submission a finished round was played."""
        known = self._tables[table]
        return known.scribe.openings[known.opening[number - 1]]

    def round_at(self, table: str, version: int) -> int:
        """The number of the finished round that an event belongs to; 0 where it belongs to none yet."""
        known = self._tables[table]
        number = bisect_right(known.first, version)
        return number if number and version <= known.last[number - 1] else 0

    def drop(self, table: str, since: int = 0, until: int = 0) -> Cents:
        """The cash that went into the drop box, in a time or ever."""
        if table not in self._tables:
            return 0
        bought = self._tables[table].scribe.bought
        return sum(cents for at, cents in bought if at >= since and (not until or at < until))

    def _read(self, known: TableRecords, number: int) -> Round:
        n, names = number - 1, self.words.names
        packed, void, irregularities, jackpots, contributed = _unpack(known.packed[n])
        boxes = tuple(_box(each, names) for each in packed)
        return Round(
            table=known.table,
            number=number,
            first=known.first[n],
            last=known.last[n],
            begun=known.begun[n],
            ended=known.ended[n],
            offer=known.scribe.openings[known.opening[n]].offer,
            boxes=boxes,
            net=_net(boxes),
            void=names[void],
            irregularities=tuple(names[each] for each in irregularities),
            jackpots={names[wager]: cents for wager, cents in jackpots},
            contributed={names[wager]: cents for wager, cents in contributed},
            locked=known.locked[n],
        )

    def _open(self, known: TableRecords, draft: Draft) -> Round:
        boxes = tuple(_box(each, self.words.names) for each in self._boxes(draft))
        return Round(
            table=known.table,
            number=draft.number,
            first=draft.first,
            last=known.scribe.version,
            begun=draft.begun,
            ended=0,
            offer=known.scribe.openings[draft.opening].offer,
            boxes=boxes,
            net=_net(boxes),
            void=draft.void,
            irregularities=tuple(draft.irregularities),
            jackpots=dict(draft.jackpots),
            contributed=dict(draft.contributed),
            locked=draft.locked,
        )


def _box(packed: list[Any], names: list[str]) -> Box:
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


def _sums(boxes: list[Any]) -> tuple[Cents, Cents]:
    """The most that one player had at risk, and the most that was paid to one, over all his boxes."""
    staked: dict[int, Cents] = {}
    won: dict[int, Cents] = {}
    for _, _, player, _, bets in boxes:
        staked[player] = staked.get(player, 0) + sum(bet[1] for bet in bets)
        won[player] = won.get(player, 0) + sum(bet[3] for bet in bets)
    return max(staked.values(), default=0), max(won.values(), default=0)


def by_player(boxes: tuple[Box, ...]) -> Mapping[str, tuple[Cents, Cents]]:
    """What each player had at risk in a round, and what was paid to him beside his stakes."""
    sums: dict[str, tuple[Cents, Cents]] = {}
    for box in boxes:
        staked, won = sums.get(box.player, (0, 0))
        sums[box.player] = (staked + sum(bet.stake for bet in box.bets), won + sum(bet.pays for bet in box.bets))
    return sums
