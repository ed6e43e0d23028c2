"""The premises: everything that one server process has of a floor, opened and closed together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime

import msgspec

from croupier import book
from croupier.filing.template import write as example
from croupier.floor.audit import Audit
from croupier.floor.automatic import AutomaticDealer
from croupier.floor.bus import Note, open_bus
from croupier.floor.checkpoints import Checkpoints, Signing
from croupier.floor.claims import open_claims
from croupier.floor.filings import Filings
from croupier.floor.house import Damaged, House, now_in_milliseconds, open_table
from croupier.floor.names import DEMO_FLOOR, EXAMPLES
from croupier.floor.people import People
from croupier.floor.pit import UNHURRIED, Pace, Pit
from croupier.floor.records import Records
from croupier.floor.standing import Floor, Standing
from croupier.ledger import open_recorder
from croupier.money import dollars
from croupier.table.commands import Command, ReceiveDecks, ShuffleDeck
from croupier.table.events import Event
from croupier.wire import Reply

log = logging.getLogger("croupier.floor")
OPENER = dollars(100_000)
Changed = Callable[[str], None]


class Premises:
    def __init__(
        self,
        database: str,
        pace: Pace = UNHURRIED,
        clock: Callable[[], int] = now_in_milliseconds,
        signing: Signing | None = None,
    ) -> None:
        self.recorder = open_recorder(database)
        self.checkpoints = Checkpoints(self.recorder, signing, clock) if signing else None
        self.clock = clock
        self.house = House(self.recorder, clock)
        self.people = People(self.recorder, clock)
        self.filings = Filings(self.recorder, clock)
        self.floor = Floor(self.recorder, clock)
        self.audit = Audit(self.recorder, clock)
        self.records = Records(self.recorder)
        self.bus = open_bus(database)
        self.damaged: dict[str, str] = {}  # tables whose log does not hold together, and where
        self.standings: dict[str, Standing] = {}  # as the floor's log has them, kept at hand
        self.pit = Pit(self.house, self.standings.get, pace, open_claims(database))
        self.dealer = AutomaticDealer()
        self.ended: list[Changed] = []  # told whose sessions have ended, here or in another process
        self.changed: list[Changed] = []  # told of a table whose view has changed without an event here
        self._background: set[asyncio.Task[None]] = set()
        self.house.listeners.append(self._wrote)

    async def sign(self) -> None:
        """Sign the ledger as it was left, and from now on what is written. Nothing may be written before."""
        if self.checkpoints:
            await self.checkpoints.open()

    async def start(self) -> None:
        """Every table resumes exactly where it was."""
        await self.sign()
        await self.bus.open(self._heard)
        self._look_at_the_floor()

    def _look_at_the_floor(self) -> None:
        self.standings.update(self.floor.all())
        for table in self.standings:
            try:
                self.house.table(table)
            except Damaged as problem:  # it stays closed; the others play on
                self.damaged[table] = str(problem)
                log.error("damaged", extra={"table": table, "reason": str(problem)})
            else:
                self.pit.run(table)

    async def stop(self) -> None:
        """Finish what is in hand, then let go: of each, whatever became of the others."""
        async with AsyncExitStack() as closing:
            closing.callback(self.recorder.close)
            closing.push_async_callback(self.bus.close)
            if self.checkpoints:
                closing.push_async_callback(self.checkpoints.close)
            closing.push_async_callback(self.house.close)
            closing.push_async_callback(self.pit.close)

    async def open_demo(self) -> None:
        """Seven tables, one for each game, as a floor has them on its first day. No person files or approves these examples,
        so the log names none."""
        today = datetime.fromtimestamp(self.clock() / 1000, UTC).date()
        for chapter in book.chapters():
            filed = self.filings.file(example(chapter.edition()), EXAMPLES)
            self.filings.approve(filed.id, DEMO_FLOOR, today)
            standing = Standing(chapter.slug, filed.id, practice=True, betting_seconds=30)
            await self.open(standing, DEMO_FLOOR)

    async def open(self, standing: Standing, by: str, opener: int = OPENER, key: str = "") -> Reply:
        """Open a table under an approved filing, and put it on the floor."""
        text = self.filings.text(standing.filing)
        reply = await open_table(self.house, standing.table, text, opener, key, person=by)
        self.stand(standing, by)
        return reply

    def stand(self, standing: Standing, by: str) -> None:
        """How a table is run from now on: who deals, for practice or not, with how much time."""
        named = {name: value for name, value in msgspec.structs.asdict(standing).items() if name != "table"}
        self.standings[standing.table] = self.floor.set_standing(standing.table, by=by, **named)
        self.pit.run(standing.table)
        self.bus.send(Note(standing.table))
        self._tell(standing.table)

    async def execute(self, table: str, command: Command, by: str, key: str = "", person: str = "") -> Reply:
        """A person's command. The order of a shuffled deck is the house's, whoever shuffles."""
        if isinstance(command, ShuffleDeck):
            command = ShuffleDeck(deck=command.deck, sealed=self.dealer.seal(self.house.table(table).state))
        elif isinstance(command, ReceiveDecks) and command.preshuffled:
            state = self.house.table(table).state
            sealed = tuple(self.dealer.seal(state) for _ in command.decks)
            command = ReceiveDecks(decks=command.decks, preshuffled=True, sealed=sealed)
        return await self.house.execute(table, command, by, key, person)

    def end(self, name: str) -> None:
        """The sessions under a name have ended: every process is told at once."""
        self.bus.send(Note("", ended=name))

    def ready(self, table: str, seat: int) -> None:
        self.bus.send(Note(table, ready=seat))

    # what is heard, here and from the other processes

    def _wrote(self, table: str, version: int, event: Event) -> None:
        self.bus.send(Note(table, version))
        self.pit.wake(table)
        if event.then.meters:
            for other in self._linked_with(table):
                self._tell(other)

    def _linked_with(self, table: str) -> list[str]:
        """The other tables that show a meter of this one."""
        open_ = self.house.tables
        shared = set(open_[table].state.linked.values()) if table in open_ else set()
        return [other for other in open_ if other != table and shared & set(open_[other].state.linked.values())]

    def _heard(self, note: Note) -> None:
        if note.ended:
            for ended in self.ended:
                ended(note.ended)
            return
        if note.ready:
            self.pit.ready(note.table, note.ready)
            self._tell(note.table)
        elif not note.version:  # how a table is run has changed, or notes were lost
            self._look_at_the_floor()
            self._tell(note.table)
        for table in [note.table] if note.table else list(self.house.tables):
            keeper = self.house.tables.get(table)
            if keeper is not None and (note.version > keeper.version or not note.table):
                task = asyncio.ensure_future(self.house.refresh(table))
                self._background.add(task)
                task.add_done_callback(self._background.discard)

    def _tell(self, table: str) -> None:
        for changed in self.changed:
            changed(table)
