"""The premises: everything that one server process needs to run a floor, opened and closed together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec

from croupier import book
from croupier.filing.template import example_submission
from croupier.floor.clock import Clock, newest_time
from croupier.floor.dealer.automatic_dealer import AutomaticDealer
from croupier.floor.dealer.pit import UNHURRIED, Pace, Pit
from croupier.floor.dealer.seat_keeper import SeatKeeper
from croupier.floor.house.checkpoints import Checkpoints, Signing
from croupier.floor.house.house import Damaged, House, open_table
from croupier.floor.house.shuffle import verify_generator
from croupier.floor.house.vault import Vault
from croupier.floor.processes.bus import Note, open_bus
from croupier.floor.processes.claims import open_claims
from croupier.floor.program import fingerprint
from croupier.floor.registers.audit import Audit
from croupier.floor.registers.filings import Filings
from croupier.floor.registers.house_key import open_vault
from croupier.floor.registers.names import DEMO_FLOOR, EXAMPLES, THE_HOUSE
from croupier.floor.registers.people import People
from croupier.floor.registers.table_settings import Floor, TableSettings
from croupier.floor.surveillance.records import Records
from croupier.ledger import NotRecorded, Unknown, Unreadable, open_recorder
from croupier.money import dollars
from croupier.table.commands import Command, Leave, PlaceWager, ReceiveDecks, ShuffleDeck, Sit, TakeBackWager
from croupier.table.engine import role_and_seat
from croupier.table.events import Event
from croupier.table.state import State
from croupier.wire import Reply

log = logging.getLogger("croupier.floor")
OPENER = dollars(100_000)
LONGEST_COMMAND = 8.0  # seconds that a command waits for its reply
SECONDS_TO_READ_AGAIN = 1.0
SECONDS_BETWEEN_CLOCKS = 1.0  # between checks of the wall clock
SECONDS_BETWEEN_FINGERPRINTS = 24 * 3600  # between two checks of the program's own files
SECONDS_BETWEEN_ERRORS = 60.0  # between two errors of the program in the audit; the server's log has them all
NameListener = Callable[[str], None]


class Premises:
    def __init__(
        self,
        database: str,
        pace: Pace = UNHURRIED,
        clock: Clock | None = None,
        signing: Signing | None = None,
        house_key: str = "",
        *,
        new_house_key: bool = False,
        unpaid_seconds: int = 0,
        away_seconds: int = 0,
    ) -> None:
        self.recorder = open_recorder(database)
        self.clock = clock = clock or Clock()
        self.checkpoints = Checkpoints(self.recorder, signing, clock) if signing else None
        try:
            clock.reach(newest_time(self.recorder))
            sign = self._begin_signing
            self.vault = open_vault(house_key, database, self.recorder, clock, new=new_house_key, before_writing=sign)
        except BaseException:
            self.recorder.close()
            raise
        self.house = House(self.recorder, clock, vault=self.vault)
        self.people = People(self.recorder, clock)
        self.filings = Filings(self.recorder, clock)
        self.floor = Floor(self.recorder, clock)
        self.audit = Audit(self.recorder, clock)
        self.records = Records(self.recorder)
        self.bus = open_bus(database)
        self.damaged: dict[str, str] = {}  # by table: where its log is damaged
        self.table_settings: dict[str, TableSettings] = {}  # a copy of the floor's register
        claims = open_claims(database)
        self.pit = Pit(self.house, self.table_settings.get, pace, claims)
        self.seats = SeatKeeper(self.house, claims, unpaid_seconds, away_seconds)
        self.dealer = AutomaticDealer()
        self.on_session_end: list[NameListener] = []  # called with the name whose sessions have ended, here or in another process
        self.on_change: list[NameListener] = []  # called with a table whose view has changed without an event here
        self._commands: set[asyncio.Task[Reply]] = set()
        self._readers: dict[str, asyncio.Task[None]] = {}
        self._unread: set[str] = set()  # what the readers still have to read
        self._freeing: asyncio.Task[None] | None = None
        self._watches: list[asyncio.Task[None]] = []  # of the wall clock and of the program's files
        self._error_noted: asyncio.Task[None] | None = None
        self.house.listeners.append(self._on_event)
        self.pit.on_claim.append(self._request_ready_seats)

    def _begin_signing(self, vault: Vault) -> None:
        if self.checkpoints:
            self.checkpoints.begin(*vault.tag_keys)

    async def sign(self) -> None:
        """Sign the ledger as it was left, and from then on what is written. Nothing may be written before."""
        if self.checkpoints:
            unsigned = await self.checkpoints.open(*self.vault.tag_keys)
            if unsigned and not self.recorder.shared:  # others may be writing
                places = ", ".join(f"{stream} from version {version:,} on" for stream, version in unsigned.items())
                await asyncio.to_thread(self.audit.note, THE_HOUSE, "", f"found entries that nobody had signed: {places}")

    async def _note(self, what: str) -> None:
        """Note in the audit what the server has already logged. If that fails, nothing is lost."""
        with suppress(NotRecorded, Unknown, Unreadable):
            await asyncio.to_thread(self.audit.note, THE_HOUSE, "", what)

    async def start(self) -> None:
        """Open every table exactly where it was left, once the shuffle has given its known answers."""
        verify_generator()
        await self.sign()
        await self.bus.open(self._on_note)
        await self._load_tables()
        self._freeing = asyncio.create_task(self.seats.run(), name="seats to free")
        self._watches = [asyncio.create_task(watch) for watch in (self._watch_clock(), self._watch_program())]

    async def _watch_clock(self) -> None:
        """Note in the audit when the wall clock steps, or is behind the log."""
        while True:
            if reason := self.clock.stepped():
                log.warning("the wall clock stepped", extra={"reason": reason})
                await self._note(reason)
            await asyncio.sleep(SECONDS_BETWEEN_CLOCKS)

    async def _watch_program(self) -> None:
        """Compare the program's files with those at the start, every day, and note the result in the audit."""
        started = await asyncio.to_thread(_fingerprint)
        log.info("program", extra={"fingerprint": started})
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_FINGERPRINTS)
            now = await asyncio.to_thread(_fingerprint)
            same, found = now == started, "found the program's files changed"
            result = "verified the program: its files are those of the start" if same else found
            log.log(logging.INFO if same else logging.ERROR, result, extra={"fingerprint": now})
            await self._note(f"{result}, fingerprint {now}")

    def note_error(self, what: str) -> None:
        """Note a program error in the audit, at most one per minute. It is already logged."""
        if self._error_noted is None or self._error_noted.done():
            self._error_noted = asyncio.create_task(self._note_error(what))

    async def _note_error(self, what: str) -> None:
        await self._note(f"met an error of the program: {what}")
        await asyncio.sleep(SECONDS_BETWEEN_ERRORS)

    async def _load_tables(self) -> None:
        settings = await asyncio.to_thread(self.floor.all)
        for table in settings:
            try:
                await self.house.open(table)
            except Damaged as problem:  # it stays closed; the others go on
                self._note_damage(table, problem)
            self.table_settings[table] = settings[table]
            if table not in self.damaged:
                self.pit.run(table)

    def _note_damage(self, table: str, problem: Damaged) -> None:
        self.damaged[table] = str(problem)
        log.error("damaged", extra={"table": table, "reason": str(problem)})

    def states(self) -> dict[str, State]:
        """The state of each table whose log is intact. `damaged` has the others."""
        found = {}
        for table in self.table_settings:
            if table not in self.damaged:
                try:
                    found[table] = self.house.table(table).state
                except Damaged as problem:  # since it was opened
                    self._note_damage(table, problem)
        return found

    async def _reload_and_notify(self, table: str) -> None:
        await self._load_tables()
        self._notify(table)

    async def stop(self) -> None:
        """Finish what is pending, then close each part, even if closing another one fails."""
        if self._freeing:
            self.seats.stop()
            await asyncio.wait([self._freeing])
        for task in (*self._readers.values(), *self._watches, *([self._error_noted] if self._error_noted else [])):
            task.cancel()
        async with AsyncExitStack() as closing:
            closing.callback(self.recorder.close)
            closing.push_async_callback(self.bus.close)
            if self.checkpoints:
                closing.push_async_callback(self.checkpoints.close)
            closing.push_async_callback(self.house.close)
            closing.push_async_callback(self.pit.close)

    async def open_demo(self) -> None:
        """Open seven tables, one for each game, for a floor's first day.

        No person files or approves these examples, so the log names none.
        """
        today = datetime.fromtimestamp(self.clock() / 1000, UTC).date()
        for chapter in book.chapters():
            filed = self.filings.file(example_submission(chapter.edition()), EXAMPLES)
            self.filings.approve(filed.id, DEMO_FLOOR, today)
            settings = TableSettings(chapter.slug, filed.id, practice=True, betting_seconds=30)
            await self.open(settings, DEMO_FLOOR)

    async def open(self, settings: TableSettings, by: str, opener: int = OPENER, key: str = "") -> Reply:
        """Open a table under an approved filing, and put it on the floor."""
        text = await asyncio.to_thread(self.filings.text, settings.filing)
        reply = await open_table(self.house, settings.table, text, opener, key, person=by)
        await self.change_settings(by=by, **msgspec.structs.asdict(settings))
        return reply

    async def change_settings(self, table: str, *, by: str, **changes: Any) -> None:
        """Change how a table is run: who deals, for practice or not, how long wagers stay open. The rest stays as it is."""
        self.table_settings[table] = await asyncio.to_thread(self.floor.change_settings, table, by=by, **changes)
        self.pit.run(table)
        self.bus.send(Note(table))
        self._notify(table)

    async def execute(self, table: str, command: Command, by: str, key: str = "", person: str = "") -> Reply:
        return await self._with_timeout(self.house.execute(table, self.with_orders(table, command), by, key, person))

    def with_orders(self, table: str, command: Command) -> Command:
        """A command with the order of each deck that it shuffles: the house determines it, whoever shuffles."""
        state = self.house.table(table).state
        match command:
            case ShuffleDeck(deck=name):
                return ShuffleDeck(deck=name, sealed=self.dealer.seal(state))
            case ReceiveDecks(decks=names, preshuffled=True):
                return ReceiveDecks(decks=names, preshuffled=True, sealed=tuple(self.dealer.seal(state) for _ in names))
        return command

    async def _with_timeout(self, work: Coroutine[Any, Any, Reply]) -> Reply:
        """The reply, or Unknown after `LONGEST_COMMAND` seconds. The work continues, so that what is written is also folded."""
        task = asyncio.create_task(work)
        self._commands.add(task)
        task.add_done_callback(self._commands.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody else may retrieve it
        done, _ = await asyncio.wait({task}, timeout=LONGEST_COMMAND)
        if not done:
            raise Unknown(f"no answer from the ledger within {LONGEST_COMMAND:.0f} seconds")
        return task.result()

    def end(self, name: str) -> None:
        """Tell every process that the sessions under a name have ended."""
        self._announce(Note("", ended=name))

    def ready(self, table: str, seat: int) -> None:
        """Note that a player, whose wagers this process knows, is ready."""
        keeper = self.house.table(table)
        self._announce(Note(table, keeper.version, ready=seat, rounds=keeper.state.rounds))

    def _announce(self, note: Note) -> None:
        self._on_note(note)
        self.bus.send(note)

    # news from here and from the other processes

    def _on_event(self, table: str, version: int, event: Event) -> None:
        self.clock.reach(event.at)  # from a server whose wall clock may be ahead
        self.bus.send(Note(table, version))
        match event.command:
            case PlaceWager() | TakeBackWager():
                self.pit.unready(table, role_and_seat(event.by)[1], version)
            case Sit(seat=seat) | Leave(seat=seat):
                self.pit.unready(table, seat, version)
        self.pit.wake(table)
        if event.then.meters:
            for other in self._linked_with(table):
                self._notify(other)

    def _linked_with(self, table: str) -> list[str]:
        """The other tables that show a meter of this one."""
        open_ = self.house.tables
        shared = set(open_[table].state.linked.values()) if table in open_ else set()
        return [other for other in open_ if other != table and shared & set(open_[other].state.linked.values())]

    def _on_note(self, note: Note) -> None:
        if note.ended:
            for listener in self.on_session_end:
                listener(note.ended)
            return
        if note.asks:
            self._send_ready_seats(note.table)
            return
        if note.ready:
            if self._is_behind(note):  # the dealer must not see who is ready before their wagers
                self._schedule_read(f"ready, {note.table}, {note.ready}", partial(self._read_and_ready, note))
            else:
                self._ready(note)
            return
        if not note.version:  # how a table is run has changed, or notes were lost
            self._schedule_read(f"floor, {note.table}", partial(self._reload_and_notify, note.table))
        if not note.table:  # notes were lost, here and perhaps elsewhere
            self._send_ready_seats("")
            self._request_ready_seats("")
        if not note.table or self._is_behind(note):
            for table in [note.table] if note.table else list(self.house.tables):
                self._schedule_read(table, partial(self.house.refresh, table))

    def _is_behind(self, note: Note) -> bool:
        keeper = self.house.tables.get(note.table)
        return keeper is None or note.version > keeper.version

    async def _read_and_ready(self, note: Note) -> None:
        await self.house.refresh(note.table)
        self._ready(note)

    def _ready(self, note: Note) -> None:
        if note.rounds == self.house.table(note.table).state.rounds:  # not of a round that is over
            self.pit.ready(note.table, note.ready, note.version)
            self._notify(note.table)

    def _request_ready_seats(self, table: str) -> None:
        """Ask the other processes: this one missed players who were ready before it dealt, or while a connection was lost."""
        self.bus.send(Note(table, asks=True))

    def _send_ready_seats(self, table: str) -> None:
        for name in [table] if table else list(self.house.tables):
            rounds, seats = self.pit.ready_seats(name)
            for seat in seats:
                self.bus.send(Note(name, self.house.table(name).version, ready=seat, rounds=rounds))

    def _schedule_read(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Read what others wrote. Each table has one reader; if it is busy, it reads again afterward."""
        self._unread.add(name)
        if name not in self._readers:
            self._readers[name] = asyncio.create_task(self._read(name, work))

    async def _read(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            while name in self._unread:
                self._unread.discard(name)
                try:
                    await work()
                except (Unreadable, Unknown, NotRecorded) as problem:  # until the database is back
                    log.warning("not read", extra={"table": name, "reason": str(problem)})
                    self._unread.add(name)
                    await asyncio.sleep(SECONDS_TO_READ_AGAIN)
                except Damaged as problem:
                    log.error("damaged", extra={"table": name, "reason": str(problem)})
        finally:
            del self._readers[name]

    def _notify(self, table: str) -> None:
        for listener in self.on_change:
            listener(table)


def _fingerprint() -> str:
    try:
        return fingerprint()
    except OSError as problem:  # a file that was listed is gone
        return f"unknown: {problem.strerror}"
