"""The house: opens tables with an Offer, writes the log, keeps the meters. Nothing is answered before it is durable."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import msgspec

from croupier.filing.offer import Progressive
from croupier.floor.metering import MeterEvent, metered, opened, read_meter
from croupier.law.cite import Refusal
from croupier.ledger.committer import Committer
from croupier.ledger.entry import Entry, Unit, follow, genesis, link
from croupier.ledger.recorder import Conflict, NotRecorded, Recorder, Unknown, Unreadable
from croupier.table import commands as say
from croupier.table.commands import Command, SealedDeck
from croupier.table.engine import decide, secrets_of
from croupier.table.events import Event, NotAnEvent, is_current, read, seal, unseal, write
from croupier.table.folding import apply
from croupier.table.meters import Meter, after
from croupier.table.state import State, offer_of
from croupier.wire import Reply

SNAPSHOT_EVERY = 2000  # events of a table
TRIES = 20  # how often a command is decided anew when another process wrote first
# commands that can change a meter; the others need not wait for one
METERED = (say.NoMoreBets, say.CountStub, say.SettleSeat, say.ClearCards, say.RaiseIrregularity)

Listener = Callable[[str, int, Event], None]


class Damaged(Exception):
    """A log that does not hold together. The table stays closed and nothing is overwritten."""


class Snapshot(msgspec.Struct, frozen=True):
    head: str
    state: State


_canonical = msgspec.json.Encoder(order="sorted").encode  # of structs without floats
_read_reply = msgspec.json.Decoder(Reply).decode
_read_snapshot = msgspec.json.Decoder(Snapshot).decode


def stream_of(table: str) -> str:
    return f"table/{table}"


def meter_stream(table: str, wager: str, linked: Mapping[str, str]) -> str:
    """The stream of the meter that a wager feeds: the table's own, or one that several tables share."""
    return f"meter/{linked[wager]}" if wager in linked else f"meter/{table}/{wager}"


@dataclass
class Keeper:
    """What this process knows of one stream, and the lock of its one writer."""

    stream: str
    version: int = 0
    head: bytes = b""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.head = self.head or genesis(self.stream)

    def follow(self, body: bytes, sealed: bytes = b"") -> Entry:
        return follow(self.stream, self.version + 1, self.head, body, sealed)

    def moved(self, entry: Entry) -> None:
        self.version, self.head = entry.version, entry.hash


@dataclass
class TableKeeper(Keeper):
    state: State = field(default_factory=State)
    saved: int = 0  # the version of the newest snapshot
    damage: str = ""  # why the state is half changed: nothing is decided on it, shown of it or saved


@dataclass
class MeterKeeper(Keeper):
    meter: Meter | None = None
    terms: Progressive | None = None


def now_in_milliseconds() -> int:
    return time.time_ns() // 1_000_000


class House:
    """The tables and meters of one log."""

    def __init__(self, recorder: Recorder, clock: Callable[[], int] = now_in_milliseconds, snapshot_every: int = SNAPSHOT_EVERY):
        self.recorder, self.clock = recorder, clock
        self.tables: dict[str, TableKeeper] = {}
        self.meters: dict[str, MeterKeeper] = {}
        self.listeners: list[Listener] = []
        self._committer = Committer(recorder)
        self._snapshot_every = snapshot_every

    async def close(self) -> None:
        """Finish what is in hand, keep snapshots, and let go."""
        await self._committer.close()
        for keeper in self.tables.values():
            if not self._save(keeper):  # nor would the others be kept, and each may take its time
                break

    # tables and meters come back from the log

    def table(self, name: str) -> TableKeeper:
        """A table, read from the log the first time it is asked for."""
        if name not in self.tables:
            keeper = TableKeeper(stream_of(name))
            self._from_snapshot(keeper)
            self.catch_up(keeper)
            self.tables[name] = keeper
        _need_whole(self.tables[name])
        return self.tables[name]

    def _from_snapshot(self, keeper: TableKeeper) -> None:
        """A snapshot is only a cache: one that does not stand on the log is not used, nor one that an older version kept."""
        found = self.recorder.snapshot(keeper.stream)
        if found is None:
            return
        version, data = found
        entry = next(self.recorder.read(keeper.stream, version - 1, 1), None)
        try:
            snapshot = _read_snapshot(data)
        except (ValueError, TypeError):  # of msgspec, or of bytes that are no text
            return
        if entry is not None and is_current(entry.body) and entry.hash.hex() == snapshot.head and snapshot.state.version == version:
            keeper.version, keeper.head, keeper.state, keeper.saved = version, entry.hash, snapshot.state, version

    async def refresh(self, table: str) -> None:
        """Fold what another process has written, and tell of it here too."""
        keeper = self.table(table)
        async with keeper.lock:
            self._read_again(keeper)

    def catch_up(self, keeper: TableKeeper, *, tell: bool = False) -> None:
        """Fold what the log has beyond what is known."""
        for entry in self._entries(keeper):
            try:
                event, sealed = read(entry.body), unseal(entry.sealed)
            except (NotAnEvent, ValueError, msgspec.MsgspecError) as problem:
                raise Damaged(f"{keeper.stream}, version {entry.version}: {problem}") from problem
            _fold(keeper, entry, event, sealed)
            if tell:
                self._tell(keeper, event)

    def _tell(self, keeper: TableKeeper, event: Event) -> None:
        for listener in self.listeners:
            listener(keeper.stream.removeprefix("table/"), keeper.version, event)

    def _entries(self, keeper: Keeper) -> Iterator[Entry]:
        """What comes after what is known, each entry checked against the chain."""
        for entry in self.recorder.read(keeper.stream, keeper.version):
            if entry.version != keeper.version + 1 or entry.hash != link(keeper.head, entry.body):
                raise Damaged(f"{keeper.stream}, version {keeper.version + 1}: the chain of hashes is broken")
            yield entry

    def meter(self, stream: str) -> MeterKeeper:
        if stream not in self.meters:
            keeper = MeterKeeper(stream)
            self.catch_up_meter(keeper)
            self.meters[stream] = keeper
        return self.meters[stream]

    def catch_up_meter(self, keeper: MeterKeeper) -> None:
        for entry in self._entries(keeper):
            try:
                event = read_meter(entry.body)
            except ValueError as problem:
                raise Damaged(f"{keeper.stream}, version {entry.version}: {problem}") from problem
            keeper.meter, keeper.terms = event.meter, event.terms.progressive() if event.terms else keeper.terms
            keeper.moved(entry)

    def meters_of(self, state: State) -> dict[str, MeterKeeper]:
        """The meters of a table by the wager that feeds them."""
        offered = state.offer.progressives if state.submission else {}
        return {wager: self.meter(meter_stream(state.table, wager, state.linked)) for wager in offered}

    # commands

    async def execute(self, table: str, command: Command, by: str, key: str = "", person: str = "") -> Reply:
        """Grant a command, durably, or refuse it. A repeated key has its effect once and gets the same answer.

        `by` is the role or seat that acts, `person` the name of the one who has the role; a player's name is the seat's.
        """
        keeper = self.table(table)
        async with keeper.lock:
            for _ in range(TRIES):
                try:
                    return await self._try(keeper, command, by, key, person)
                except (Refusal, NotRecorded, Conflict, Unknown) as problem:
                    if known := self._written_before(keeper, table, command, key, problem):
                        return known
                    if not isinstance(problem, Conflict):
                        raise
            raise Conflict(f"{keeper.stream}: others keep writing first")

    def _written_before(
        self, keeper: TableKeeper, table: str, command: Command, key: str, problem: Refusal | NotRecorded | Conflict | Unknown
    ) -> Reply | None:
        """What stands in the log of a command all the same: a repetition may come when its time is over, or the disk full."""
        try:
            if isinstance(problem, Conflict | Unknown):
                self._read_again(keeper)
            return self.answered(key, table, command)
        except Unreadable as lost:  # the log is out of reach, and with it what became of the command
            raise (problem if isinstance(problem, NotRecorded) else Unknown(str(lost))) from lost

    def answered(self, key: str, table: str, command: Command) -> Reply | None:
        """What this command was answered when it came with this key before. A key that was another command's is refused."""
        found = self.recorder.reply(key) if key else None
        if found is None:
            return None
        reply = _read_reply(found)
        (entry,) = self.recorder.read(stream_of(reply.table), reply.version - 1, 1)
        if reply.table != table or read(entry.body).command != command.public():
            raise Refusal("this key was given with another command", "", "a new key for a new command")
        return reply

    def _read_again(self, keeper: TableKeeper) -> None:
        self.catch_up(keeper, tell=True)
        for meter in self.meters_of(keeper.state).values():
            self.catch_up_meter(meter)

    async def _try(self, keeper: TableKeeper, command: Command, by: str, key: str, person: str) -> Reply:
        """Decide and write, with the meters that the command may change held for it.

        They are taken in the order of their names, so that tables never wait for each other in a circle.
        """
        _need_whole(keeper)
        if isinstance(command, say.OpenTable):
            if stream_of(command.table) != keeper.stream:
                raise Refusal(f"this is not table {command.table}", "601a.2", keeper.stream.removeprefix("table/"))
            meters = self._meters_to_open(command)
        else:
            meters = self.meters_of(keeper.state) if type(command) in METERED else {}
        if not meters:
            return await self._write(keeper, command, by, key, person, meters)
        async with AsyncExitStack() as held:
            for stream in sorted({each.stream for each in meters.values()}):
                await held.enter_async_context(self.meters[stream].lock)
            return await self._write(keeper, command, by, key, person, meters)

    async def _write(
        self, keeper: TableKeeper, command: Command, by: str, key: str, person: str, meters: dict[str, MeterKeeper]
    ) -> Reply:
        shown = {wager: each.meter for wager, each in meters.items() if each.meter}
        event = decide(keeper.state, command, by, self.clock(), shown, key, person)
        if not event.person:
            raise Refusal(f"nobody is named as the {by} who does this", "", "the name of whoever acts")
        sealed = secrets_of(command)
        entry = keeper.follow(write(event), seal(sealed))
        moved = self._meter_entries(keeper, entry, event, meters) if meters else []
        reply = Reply(keeper.stream.removeprefix("table/"), entry.version, event.event, event.at)
        await self._committer.append(Unit((entry, *(each for _, each, _ in moved)), key, _canonical(reply)))
        _fold(keeper, entry, event, sealed)
        for meter, each, shows in moved:
            meter.meter, meter.terms = shows.meter, shows.terms.progressive() if shows.terms else meter.terms
            meter.moved(each)
        self._tell(keeper, event)
        if keeper.version - keeper.saved >= self._snapshot_every:
            self._save(keeper)
        return reply

    def _meters_to_open(self, command: say.OpenTable) -> dict[str, MeterKeeper]:
        offer = offer_of(command.submission)
        meters = {wager: self.meter(meter_stream(command.table, wager, command.linked)) for wager in offer.progressives}
        for wager, meter in meters.items():
            if meter.terms and meter.terms != offer.progressives[wager]:
                raise Refusal(f"the {wager} is filed on other terms than the meter it is linked to", "601a.2", "the same terms")
        return meters

    def _meter_entries(
        self, keeper: TableKeeper, cause: Entry, event: Event, meters: dict[str, MeterKeeper]
    ) -> list[tuple[MeterKeeper, Entry, MeterEvent]]:
        """What an event did to the meters, as entries of their own streams."""
        made = []
        if isinstance(event.command, say.OpenTable):
            offer = offer_of(event.command.submission)
            for wager, meter in meters.items():
                if meter.meter is None:
                    made.append((meter, opened(event.at, cause, wager, offer.progressives[wager])))
        for wager, move in event.then.meters.items():
            meter = meters[wager]
            assert meter.meter is not None
            assert meter.terms is not None
            made.append((meter, metered(event.at, cause, wager, move, after(meter.meter, move, meter.terms))))
        return [(meter, meter.follow(_canonical(shows)), shows) for meter, shows in made]

    def _save(self, keeper: TableKeeper) -> bool:
        """Keep a snapshot, if one is due; whether that went well. It is only a cache: what was written before it stands anyway."""
        if keeper.version > keeper.saved and not keeper.damage:
            state = msgspec.json.encode(Snapshot(keeper.head.hex(), keeper.state))
            keeper.saved = keeper.version
            try:
                self.recorder.save_snapshot(keeper.stream, keeper.version, state)
            except (NotRecorded, Unknown):
                return False
        return True


def _fold(keeper: TableKeeper, entry: Entry, event: Event, sealed: tuple[SealedDeck, ...]) -> None:
    """Fold an entry of the log. Should it not fold, the log stays the truth and the table closed, until it is read anew."""
    try:
        apply(keeper.state, event, sealed)
    except Exception as problem:
        keeper.damage = f"{keeper.stream}, version {entry.version}: {problem}"
        raise Damaged(keeper.damage) from problem
    keeper.moved(entry)


def _need_whole(keeper: TableKeeper) -> None:
    if keeper.damage:
        raise Damaged(keeper.damage)


async def open_table(
    house: House,
    name: str,
    submission: str,
    opener: int,
    key: str = "",
    *,
    person: str,
) -> Reply:
    """Open a table under a Rules Submission, as a floorperson does."""
    offer = offer_of(submission)
    command = say.OpenTable(
        table=name,
        submission=submission,
        offer=offer.hash,
        opener=opener,
        linked=dict(offer.linked),
    )
    return await house.execute(name, command, "floorperson", key, person)
