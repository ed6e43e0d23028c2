"""The surveillance room of one server process: the index of rounds kept up with the log, the holds, replays, and all tables live.

What takes a while is done in a thread of the room's own, one question at a time: those who wait for it hold up nobody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

import msgspec

from croupier.floor.frames import SURVEILLANCE, Frame, Frames
from croupier.floor.hold import Holds, TableHold
from croupier.floor.house import stream_of
from croupier.floor.premises import Premises
from croupier.floor.records import Round
from croupier.floor.searching import Page, Query, search
from croupier.floor.telling import told
from croupier.ledger import Unreadable
from croupier.money import Cents
from croupier.table.events import Event, read
from croupier.table.state import State, offer_of
from croupier.table.views import view
from croupier.web.edges import Edges
from croupier.wire import BoxView, LoggedEvent

A = TypeVar("A")
EVERY = 0.5  # seconds between two looks at all tables
KEEP_ALIVE = 30  # looks without news


class GlanceBox(msgspec.Struct, frozen=True):
    """A betting box of the round that is played. Every card is told: this is for surveillance."""

    box: int
    player: str
    stake: Cents
    cards: tuple[str, ...]
    decided: tuple[str, ...] = ()
    folded: bool = False
    settled: bool = False


class Glance(msgspec.Struct, frozen=True):
    """One table at a glance: where it stands, what lies on it, what happened last."""

    table: str
    title: str
    game: str
    version: int
    phase: str
    round: int
    stage: str
    void: str
    out_of_order: tuple[str, ...]
    dealer_is: str
    practice: bool
    seats: int
    players: dict[int, str]
    boxes: tuple[GlanceBox, ...]
    dealer: tuple[str, ...]
    dealer_hand: str
    community: tuple[str, ...]
    at_risk: Cents
    says: str
    by: str
    person: str
    at: int


class Room:
    def __init__(self, premises: Premises, edges: Edges) -> None:
        self.premises, self.edges, self.records = premises, edges, premises.records
        self._holds, self._frames = Holds(self.records, edges.of), Frames(premises.recorder, self.records)
        self._thread = ThreadPoolExecutor(1, "surveillance")
        self._last: dict[str, tuple[int, Event]] = {}
        self._glances: dict[str, Glance] = {}
        self._stopping = asyncio.Event()
        premises.house.listeners.append(self._heard)

    def stop(self) -> None:
        self._stopping.set()

    def close(self) -> None:
        self.stop()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, work: Callable[[], A]) -> A:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # all tables, live

    def _heard(self, table: str, version: int, event: Event) -> None:
        self._last[table] = (version, event)

    def glance(self, table: str) -> Glance:
        state = self.premises.house.table(table).state
        standing = self.premises.standings[table]
        known = self._glances.get(table)
        if known is None or (known.version, known.dealer_is, known.practice) != (state.version, standing.dealer, standing.practice):
            known = self._glances[table] = _glance(state, standing.dealer, standing.practice, self._newest(table, state.version))
        return known

    def _newest(self, table: str, version: int) -> Event | None:
        known = self._last.get(table)
        if known is None or known[0] != version:
            entry = next(self.premises.recorder.read(stream_of(table), version - 1, 1), None)
            if entry is None:
                return None
            known = self._last[table] = (version, read(entry.body))
        return known[1]

    def glances(self) -> list[Glance]:
        return [self.glance(table) for table in self.premises.standings]

    async def stream(self, may: Callable[[], Awaitable[bool]]) -> AsyncIterator[bytes]:
        """All tables first, then those that change; `may` is asked each time, for a session can end meanwhile."""
        sent: dict[str, Glance] = {}
        quiet = 0
        while not self._stopping.is_set() and await may():
            now = self.glances()
            changed = [each for each in now if sent.get(each.table) is not each]
            if changed:
                yield b"event: tables\ndata: %s\n\n" % msgspec.json.encode(changed)
                sent |= {each.table: each for each in changed}
            elif quiet >= KEEP_ALIVE:
                yield b": still here\n\n"
            quiet = 0 if changed or quiet >= KEEP_ALIVE else quiet + 1
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), EVERY)

    # what takes a while

    async def search(self, query: Query, cursor: str, limit: int) -> Page:
        def work() -> Page:
            self.records.catch_up_all()
            return search(self.records, query, cursor, limit)

        return await self._ask(work)

    async def holds(self, since: int, until: int) -> list[TableHold]:
        def work() -> list[TableHold]:
            self.records.catch_up_all()
            return self._holds.all(since, until)

        return await self._ask(work)

    def is_known(self, table: str, offer: str) -> bool:
        """Are the odds of an Offer known under which a table was played? If not, they are asked for."""
        opening = next(each for each in self.records.openings(table) if each.offer == offer)
        self.edges.want(opening.submission)
        return self.edges.of(offer_of(opening.submission)) is not None

    async def replay(self, table: str, number: int) -> tuple[Round, int, list[Frame]]:
        """A round, how many the table has had, and the round event by event."""

        def work() -> tuple[Round, int, list[Frame]]:
            shown = self._frames.frames(table, number, SURVEILLANCE)
            found = self.records.round(table, number)
            return found, self._rounds(table), shown

        return await self._ask(work)

    async def played_under(self, table: str, number: int) -> tuple[str, int]:
        """The submission under which a round was played, and how many rounds there are."""

        def work() -> tuple[str, int]:
            self.records.catch_up(table)
            found = self.records.round(table, number)
            opening = next(each for each in reversed(self.records.openings(table)) if each.offer == found.offer)
            return opening.submission, self._rounds(table)

        return await self._ask(work)

    def _rounds(self, table: str) -> int:
        """The one that is being played included."""
        done = self.records.count(table)
        try:
            self.records.round(table, done + 1)
        except Unreadable:
            return done
        return done + 1

    async def told(self, table: str, before: int, limit: int) -> list[LoggedEvent]:
        """What happened at a table before an event, the newest first."""
        rules = self.premises.house.table(table).state.rules

        def work() -> list[LoggedEvent]:
            first = max(before - limit, 1)
            entries = self.premises.recorder.read(stream_of(table), first - 1, before - first)
            events = [(entry.version, read(entry.body)) for entry in entries]
            return [
                LoggedEvent(n, each.at, each.by, each.person, each.event, told(each, rules), each.then.cites)
                for n, each in reversed(events)
            ]

        return await self._ask(work)


def _glance(state: State, dealer: str, practice: bool, newest: Event | None) -> Glance:
    seen = view(state, SURVEILLANCE)
    current = seen.round
    boxes = tuple(_boxes(state, current.boxes if current else {}, seen.wagers))
    return Glance(
        table=state.table,
        title=state.rules.title,
        game=state.rules.number,
        version=state.version,
        phase=seen.phase,
        round=current.number if current else state.rounds,
        stage=current.stage.act if current and current.stage else "",
        void=current.void if current else "",
        out_of_order=tuple(state.out_of_order),
        dealer_is=dealer,
        practice=practice,
        seats=state.rules.seats,
        players=dict(state.players),
        boxes=boxes,
        dealer=current.dealer if current else (),
        dealer_hand=current.dealer_hand if current else "",
        community=current.community if current else (),
        at_risk=sum(box.stake for box in boxes if not box.settled),
        says=told(newest, state.rules) if newest else "",
        by=newest.by if newest else "",
        person=newest.person if newest else "",
        at=newest.at if newest else 0,
    )


def _boxes(state: State, boxes: dict[int, BoxView], wagers: dict[int, dict[str, Cents]]) -> list[GlanceBox]:
    """Those of the round, or before it the wagers that lie there."""

    def player(box: int) -> str:
        return state.players.get(state.boxes.get(box, 0), "")

    if not boxes:
        return [GlanceBox(box, player(box), sum(stakes.values()), ()) for box, stakes in wagers.items()]
    return [
        GlanceBox(box, player(box), sum(each.wagers.values()), (*each.cards, *each.fourth), each.decided, each.folded, each.settled)
        for box, each in boxes.items()
    ]
