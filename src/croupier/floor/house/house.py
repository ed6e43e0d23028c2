"""The house: opens tables, writes the log and keeps the meters. It answers a command only when its event is durable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from croupier.filing.offer import Progressive
from croupier.floor.clock import now_in_milliseconds
from croupier.floor.house.meter_stream import VERSION as METER_VERSION
from croupier.floor.house.meter_stream import MeterEvent, Terms, meter_streams, read_meter
from croupier.floor.house.vault import Opener, Unsealed, Vault, ephemeral
from croupier.law.cite import Refusal
from croupier.ledger.canonical import encode
from croupier.ledger.entry import Entry, Unit, entry_hash, follow, genesis
from croupier.ledger.recorders.committer import Committer
from croupier.ledger.recorders.recorder import Conflict, Foreign, NotRecorded, Recorder, Unknown, Unreadable
from croupier.table import commands as say
from croupier.table.commands import Command
from croupier.table.engine import decide, secrets_of, used_up
from croupier.table.events import NOTHING_SEALED, Event, PublishedKey, is_current, read_event, write_event, write_sealed
from croupier.table.fold import apply
from croupier.table.meters import MeterState, after
from croupier.table.state import State, offer_of
from croupier.wire import Reply

SNAPSHOT_EVERY = 2000  # events of a table
TRIES = 20  # how often a command is decided again when another process wrote first
# Commands that can change a meter. The others do not wait for meters.
METERED = (say.NoMoreBets, say.CountStub, say.SettleSeat, say.ClearCards, say.RaiseIrregularity)

A = TypeVar("A")
Listener = Callable[[str, int, Event], None]


class Damaged(Exception):
    """A log is damaged. The table stays closed and nothing is overwritten."""


class Snapshot(msgspec.Struct, frozen=True):
    head: str
    state: State
    keys: dict[str, PublishedKey] = {}  # of orders not used up, by commitment


_read_reply = msgspec.json.Decoder(Reply).decode
REMEMBERED = "state/"  # begins the name of a snapshot that is kept besides that of a table's stream
read_snapshot = msgspec.json.Decoder(Snapshot).decode


def load_snapshot(recorder: Recorder, vault: Vault, stream: str, name: str) -> Snapshot | None:
    """The snapshot of a stream that is kept under a name, if it opens, matches the log and has the current version."""
    version, data = recorder.snapshot(name) or (0, b"")
    entry = next(recorder.read(stream, version - 1, 1), None) if version > 0 else None
    if entry is None or not is_current(entry.body):
        return None
    try:
        snapshot = read_snapshot(vault.open_state(name, version, data))
    except (ValueError, TypeError):  # from the vault, msgspec or decoding
        return None
    return snapshot if snapshot.head == entry.hash.hex() and snapshot.state.version == version else None


def stream_of(table: str) -> str:
    return f"table/{table}"


@dataclass
class Keeper:
    """What this process knows about one stream, and the lock for writing to it."""

    stream: str
    version: int = 0
    head: bytes = b""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.head = self.head or genesis(self.stream)

    def follow(self, body: bytes, sealed: bytes = b"") -> Entry:
        return follow(self.stream, self.version + 1, self.head, body, sealed)

    def advance(self, entry: Entry) -> None:
        self.version, self.head = entry.version, entry.hash


@dataclass
class TableKeeper(Keeper):
    state: State = field(default_factory=State)
    newest: Event | None = None  # None after a snapshot until it is read
    keys: dict[str, PublishedKey] = field(default_factory=dict)  # of orders not used up, by commitment
    saved: int = 0  # the version of the newest snapshot
    damage: str = ""  # why an event was only partly applied; such a state is not used, shown or saved

    @property
    def table(self) -> str:
        return self.stream.removeprefix("table/")


@dataclass
class MeterKeeper(Keeper):
    meter: MeterState | None = None
    terms: Progressive | None = None

    def show(self, entry: Entry, event: MeterEvent) -> None:
        self.meter, self.terms = event.meter, event.terms.progressive() if event.terms else self.terms
        self.advance(entry)


class House:
    """The tables and meters of one log."""

    def __init__(
        self,
        recorder: Recorder,
        clock: Callable[[], int] = now_in_milliseconds,
        snapshot_every: int = SNAPSHOT_EVERY,
        vault: Vault | None = None,
    ) -> None:
        self.recorder, self.clock, self.vault = recorder, clock, vault or ephemeral()
        self.tables: dict[str, TableKeeper] = {}
        self.meters: dict[str, MeterKeeper] = {}
        self.listeners: list[Listener] = []
        self._committer = Committer(recorder)
        self._snapshot_every = snapshot_every

    async def _in_thread(self, read: Callable[[], A]) -> A:
        """Read from the log in a thread, unless it is instant: a slow database must not hold up other tables."""
        return read() if self.recorder.instant else await asyncio.to_thread(read)

    async def _all(self, items: Iterator[A]) -> list[A]:
        return await self._in_thread(lambda: list(items))

    async def close(self) -> None:
        """Finish pending writes and save snapshots."""
        await self._committer.close()
        for keeper in self.tables.values():
            if not await self._save(keeper):  # the others would fail too, and each may take a while
                break

    # reading tables and meters from the log

    def table(self, name: str) -> TableKeeper:
        """A table, read from the log on first use."""
        if name not in self.tables:
            self.tables[name] = self._load(name)
        _refuse_damaged(self.tables[name])
        return self.tables[name]

    async def open(self, name: str) -> TableKeeper:
        """A table, read from the log on first use without blocking the event loop."""
        if name not in self.tables:
            loaded = await self._in_thread(partial(self._load, name))
            self.tables.setdefault(name, loaded)  # another task may have read it first
        return self.table(name)

    def _load(self, name: str) -> TableKeeper:
        keeper = TableKeeper(stream_of(name))
        if kept := load_snapshot(self.recorder, self.vault, keeper.stream, keeper.stream):
            keeper.version = keeper.saved = kept.state.version
            keeper.head, keeper.state, keeper.keys = bytes.fromhex(kept.head), kept.state, kept.keys
        self.catch_up(keeper)
        self._load_meters(_meter_streams(keeper.state).values())
        return keeper

    def _load_meters(self, streams: Iterable[str]) -> None:
        for stream in set(streams) - self.meters.keys():
            keeper = MeterKeeper(stream)
            for entry, event in self._new_meter_events(keeper):
                keeper.show(entry, event)
            self.meters.setdefault(stream, keeper)  # another thread may have read it first

    async def refresh(self, table: str) -> None:
        """Fold what another process has written, and notify the listeners here."""
        keeper = await self.open(table)
        async with keeper.lock:
            await self._read_again(keeper)

    def catch_up(self, keeper: TableKeeper) -> None:
        """Fold new entries of the log."""
        for news in self._new_events(keeper):
            _fold(keeper, *news)

    def _new_events(self, keeper: TableKeeper) -> Iterator[tuple[Entry, Event, Unsealed]]:
        opener = Opener(self.recorder, keeper.stream, self.vault)
        for entry in self._entries(keeper):
            try:
                yield entry, read_event(entry.body), opener.open(entry)
            except ValueError as problem:
                raise Damaged(f"{keeper.stream}, version {entry.version}: {problem}") from problem

    def _notify(self, keeper: TableKeeper, event: Event) -> None:
        for listener in self.listeners:
            listener(keeper.table, keeper.version, event)

    def _entries(self, keeper: Keeper) -> Iterator[Entry]:
        """The entries after the last known one, each checked against the chain."""
        version, head = keeper.version, keeper.head
        for entry in self.recorder.read(keeper.stream, version):
            if entry.version != version + 1 or entry.hash != entry_hash(head, entry.body):
                raise Damaged(f"{keeper.stream}, version {version + 1}: the chain of hashes is broken")
            yield entry
            version, head = entry.version, entry.hash

    def meter(self, stream: str) -> MeterKeeper:
        if stream not in self.meters:
            self._load_meters([stream])
        return self.meters[stream]

    def _new_meter_events(self, keeper: MeterKeeper) -> Iterator[tuple[Entry, MeterEvent]]:
        for entry in self._entries(keeper):
            try:
                yield entry, read_meter(entry.body)
            except (ValueError, RecursionError) as problem:
                raise Damaged(f"{keeper.stream}, version {entry.version}: {problem}") from problem

    def meters_of(self, state: State) -> dict[str, MeterKeeper]:
        """The meters of a table, by the wager that feeds them."""
        return {wager: self.meter(stream) for wager, stream in _meter_streams(state).items()}

    def shown_meters(self, state: State) -> dict[str, MeterState]:
        """What the meters of a table show, by the wager that feeds them."""
        return _shown(self.meters_of(state))

    # commands

    async def execute(self, table: str, command: Command, by: str, key: str = "", person: str = "") -> Reply:
        """Decide a command and write its event, or refuse it. A repeated key takes effect once and gets the same reply.

        `by` is the role or seat that acts, `person` the name of whoever has the role. A player's name is that of the seat.
        """
        keeper = await self.open(table)
        async with keeper.lock:
            for _ in range(TRIES):
                try:
                    return await self._try(keeper, command, by, key, person)
                except (Refusal, NotRecorded, Conflict, Unknown) as problem:
                    if known := await self._written_before(keeper, command, key, problem):
                        return known
                    if not isinstance(problem, Conflict):
                        raise
            raise Conflict(f"{keeper.stream}: other processes keep writing first")

    async def _written_before(self, keeper: TableKeeper, command: Command, key: str, problem: Exception) -> Reply | None:
        """The reply of a command that is in the log after all: a repeated one may come too late, or when the disk is full."""
        try:
            if isinstance(problem, Conflict | Unknown):
                await self._read_again(keeper)
            return await self.answered(key, keeper.table, command)
        except Foreign as foreign:
            raise NotRecorded(str(foreign)) from foreign
        except Unreadable as lost:  # the log cannot say what became of the command
            raise (problem if isinstance(problem, NotRecorded) else Unknown(str(lost))) from lost

    async def answered(self, key: str, table: str, command: Command) -> Reply | None:
        """The earlier reply to this command with this key. Refuses a key that came with another command."""
        found = await self._in_thread(partial(self.recorder.reply, key)) if key else None
        if found is None:
            return None
        reply = _read_reply(found)
        (entry,) = await self._all(self.recorder.read(stream_of(reply.table), reply.version - 1, 1))
        if reply.table != table or read_event(entry.body).command != command.public():
            raise Refusal("this key was used for another command", "", "a new key for a new command")
        return reply

    async def _read_again(self, keeper: TableKeeper) -> None:
        """Fold what others wrote to the table, whose lock is held, and to its meters."""
        for entry, event, unsealed in await self._all(self._new_events(keeper)):
            _fold(keeper, entry, event, unsealed)
            self._notify(keeper, event)
        for stream in sorted(set(_meter_streams(keeper.state).values())):
            meter = self.meter(stream)
            async with meter.lock:
                for moved, shows in await self._all(self._new_meter_events(meter)):
                    meter.show(moved, shows)

    async def _try(self, keeper: TableKeeper, command: Command, by: str, key: str, person: str) -> Reply:
        """Decide and write a command, holding the locks of the meters that it may change.

        Locks are taken in the order of the meters' names, so that tables never deadlock.
        """
        _refuse_damaged(keeper)
        if isinstance(command, say.OpenTable):
            if stream_of(command.table) != keeper.stream:
                raise Refusal(f"this is not table {command.table}", "601a.2", keeper.table)
            meters = await self._meters_to_open(command)
        else:
            meters = self.meters_of(keeper.state) if type(command) in METERED else {}
        async with AsyncExitStack() as held:
            for stream in sorted({each.stream for each in meters.values()}):
                await held.enter_async_context(self.meters[stream].lock)
            return await self._write(keeper, command, by, key, person, meters)

    async def _write(
        self, keeper: TableKeeper, command: Command, by: str, key: str, person: str, meters: dict[str, MeterKeeper]
    ) -> Reply:
        event = decide(keeper.state, command, by, self.clock(), _shown(meters), key, person)
        if not event.person:
            raise Refusal(f"the {by} who acts is not named", "", "the name of the person who acts")
        orders, version = secrets_of(command), keeper.version + 1
        sealed, keys = self.vault.seal(keeper.stream, version, orders) if orders else (NOTHING_SEALED, ())
        published = tuple(keeper.keys[each] for each in used_up(keeper.state, event) if each in keeper.keys)
        entry = keeper.follow(write_event(event), write_sealed(replace(sealed, keys=published)))
        moved = self._meter_entries(keeper, entry, event, meters) if meters else []
        reply = Reply(keeper.table, entry.version, event.event, event.at)
        await self._committer.append(Unit((entry, *(each for _, each, _ in moved)), key, encode(reply)))
        _fold(keeper, entry, event, Unsealed(orders, keys, published))
        for meter, each, shows in moved:
            meter.show(each, shows)
        self._notify(keeper, event)
        if keeper.version - keeper.saved >= self._snapshot_every:
            await self._save(keeper)
        return reply

    async def _meters_to_open(self, command: say.OpenTable) -> dict[str, MeterKeeper]:
        offer = offer_of(command.submission)
        streams = meter_streams(command.table, command.submission, command.linked)
        await self._in_thread(partial(self._load_meters, streams.values()))
        meters = {wager: self.meters[stream] for wager, stream in streams.items()}
        for wager, meter in meters.items():
            if meter.terms and meter.terms != offer.progressives[wager]:
                raise Refusal(f"the {wager} is filed on terms other than those of its linked meter", "601a.2", "the same terms")
        return meters

    def _meter_entries(
        self, keeper: TableKeeper, cause: Entry, event: Event, meters: dict[str, MeterKeeper]
    ) -> list[tuple[MeterKeeper, Entry, MeterEvent]]:
        """Entries for the meters that an event moved."""
        made, caused = [], (METER_VERSION, event.at, keeper.table, cause.version)
        if isinstance(event.command, say.OpenTable):
            offer = offer_of(event.command.submission)
            for wager, meter in meters.items():
                if meter.meter is None:
                    terms = offer.progressives[wager]
                    made.append((meter, MeterEvent(*caused, wager, MeterState(terms.seed), terms=Terms.of(terms))))
        for wager, move in event.then.meters.items():
            meter = meters[wager]
            assert meter.meter is not None
            assert meter.terms is not None
            made.append((meter, MeterEvent(*caused, wager, after(meter.meter, move, meter.terms), move)))
        return [(meter, meter.follow(encode(shows)), shows) for meter, shows in made]

    async def _save(self, keeper: TableKeeper) -> bool:
        """Save a snapshot if the state has changed, and return whether that worked. It is only a cache."""
        if keeper.version > keeper.saved and not keeper.damage:
            state, version = msgspec.json.encode(Snapshot(keeper.head.hex(), keeper.state, keeper.keys)), keeper.version
            sealed = self.vault.seal_state(keeper.stream, version, state)
            keeper.saved = version
            try:
                await self._in_thread(partial(self.recorder.save_snapshot, keeper.stream, version, sealed))
            except (NotRecorded, Unknown):
                return False
        return True


def _shown(meters: Mapping[str, MeterKeeper]) -> dict[str, MeterState]:
    return {wager: keeper.meter for wager, keeper in meters.items() if keeper.meter}


def _meter_streams(state: State) -> dict[str, str]:
    """The streams of a table's meters, by the wager that feeds them."""
    return meter_streams(state.table, state.submission, state.linked) if state.submission else {}


def _fold(keeper: TableKeeper, entry: Entry, event: Event, unsealed: Unsealed) -> None:
    """Fold an entry of the log, and remember the keys of the orders that it sealed until they are published.

    If a recorded event cannot be applied, the table stays closed until it is read again.
    """
    try:
        apply(keeper.state, event, unsealed.orders)
    except Exception as problem:
        keeper.damage = f"{keeper.stream}, version {entry.version}: {problem}"
        raise Damaged(keeper.damage) from problem
    keeper.advance(entry)
    keeper.newest = event
    if unsealed.published:
        keeper.keys = {each: key for each, key in keeper.keys.items() if key not in unsealed.published}
    for n, key in enumerate(unsealed.keys):
        if key:
            keeper.keys[event.then.decks[n]] = PublishedKey(entry.version, n, key)


def _refuse_damaged(keeper: TableKeeper) -> None:
    if keeper.damage:
        raise Damaged(keeper.damage)


async def open_table(house: House, name: str, submission: str, opener: int, key: str = "", *, person: str) -> Reply:
    """Open a table under a Rules Submission, as a floorperson does."""
    offer = offer_of(submission)
    command = say.OpenTable(table=name, submission=submission, offer=offer.hash, opener=opener, linked=dict(offer.linked))
    return await house.execute(name, command, "floorperson", key, person)
