"""The surveillance room of a server process: all tables live, the search, the holds and the replays.

Slow questions are answered one at a time in a separate thread, so that they hold up nobody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import msgspec

from croupier.floor.premises import Premises
from croupier.floor.surveillance.hold import TableHold, TableHolds
from croupier.floor.surveillance.narration import newest_event
from croupier.floor.surveillance.replay import SURVEILLANCE, Frame, Frames
from croupier.floor.surveillance.round_record import RecordedRound
from croupier.floor.surveillance.search import Query, RoundPage, search
from croupier.money import Cents
from croupier.table.state import State, offer_of
from croupier.table.views import view
from croupier.web.live.table_changes import TableChanges
from croupier.web.live.table_view import brief
from croupier.web.workers.odds_worker import Edges
from croupier.wire import BoxView, LoggedEvent, Standing, TableBrief

A = TypeVar("A")
SECONDS_BETWEEN_LOOKS = 0.5  # seconds between two looks at all tables


class GlanceBox(msgspec.Struct, frozen=True):
    """A betting box of the current round, with every card: this is for surveillance."""

    box: int
    player: str
    stake: Cents
    cards: tuple[str, ...]
    decided: tuple[str, ...] = ()
    folded: bool = False
    settled: bool = False


class Glance(TableBrief, frozen=True):
    """One table at a glance: its phase, what lies on it, what happened last."""

    version: int
    round: int
    stage: str
    void: str
    out_of_order: tuple[str, ...]
    dealer_is: str
    boxes: tuple[GlanceBox, ...]
    dealer: tuple[str, ...]
    dealer_hand: str
    community: tuple[str, ...]
    at_risk: Cents
    says: str
    by: str
    person: str
    at: int


class SurveillanceRoom(TableChanges):
    def __init__(self, premises: Premises, edges: Edges) -> None:
        super().__init__(self.glances, SECONDS_BETWEEN_LOOKS)
        self.premises, self.edges, self.records = premises, edges, premises.records
        self._holds, self._frames = TableHolds(self.records, edges.of), Frames(premises.recorder, self.records, premises.vault)
        self._thread = ThreadPoolExecutor(1, "surveillance")
        self._glances: dict[str, tuple[int, Standing, Glance]] = {}

    def close(self) -> None:
        self.stop()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def ask(self, work: Callable[[], A]) -> A:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # all tables, live

    def glances(self) -> list[Glance]:
        """Every table at a glance, each made again only after a change."""
        for table, state in (states := self.premises.states()).items():
            settings = self.premises.table_settings[table]
            if table not in self._glances or self._glances[table][:2] != (state.version, settings):
                made = _glance(state, settings, newest_event(self.premises.house, table))
                self._glances[table] = state.version, settings, made
        return [self._glances[table][2] for table in states]

    # slow questions, in the thread

    async def search(self, query: Query, cursor: str, limit: int) -> RoundPage:
        await self.ask(partial(self.records.catch_up_all, self.premises.damaged))
        return await self.ask(partial(search, self.records, query, cursor, limit))

    async def holds(self, since: int, until: int) -> list[TableHold]:
        await self.ask(partial(self.records.catch_up_all, self.premises.damaged))
        return await self.ask(partial(self._holds.all, since, until))

    def is_known(self, table: str, offer: str) -> bool:
        """Whether the odds of an Offer that a table was played under are known. If not, request them."""
        opening = next(each for each in self.records.openings(table) if each.offer == offer)
        self.edges.want(opening.submission)
        return self.edges.of(offer_of(opening.submission)) is not None

    async def replay(self, table: str, number: int) -> tuple[RecordedRound, int, list[Frame]]:
        """A round, how many the table has had, and the round event by event."""
        frames = await self.ask(partial(self._frames.frames, table, number, SURVEILLANCE))
        return self.records.round(table, number), self._rounds(table), frames

    async def played_under(self, table: str, number: int) -> tuple[str, int]:
        """The submission under which a round was played, and how many rounds there are."""
        await self.ask(partial(self.records.catch_up, table))
        offer = self.records.round(table, number).offer
        opening = next(each for each in reversed(self.records.openings(table)) if each.offer == offer)
        return opening.submission, self._rounds(table)

    def _rounds(self, table: str) -> int:
        """How many rounds the table has had, including the current one."""
        return self.records.columns(table).builder.state.rounds


def _glance(state: State, settings: Standing, last: LoggedEvent | None) -> Glance:
    seen = view(state, SURVEILLANCE)
    current = seen.round
    boxes = tuple(_boxes(state, current.boxes if current else {}, seen.wagers))
    return Glance(
        *brief(state, settings),
        version=state.version,
        round=current.number if current else state.rounds,
        stage=current.stage.act if current and current.stage else "",
        void=current.void if current else "",
        out_of_order=tuple(state.out_of_order),
        dealer_is=settings.dealer,
        boxes=boxes,
        dealer=current.dealer if current else (),
        dealer_hand=current.dealer_hand if current else "",
        community=current.community if current else (),
        at_risk=sum(box.stake for box in boxes if not box.settled),
        says=last.says if last else "",
        by=last.by if last else "",
        person=last.person if last else "",
        at=last.at if last else 0,
    )


def _boxes(state: State, boxes: dict[int, BoxView], wagers: dict[int, dict[str, Cents]]) -> list[GlanceBox]:
    """The boxes of the round; before it, those with wagers."""

    def player(box: int) -> str:
        return state.players.get(state.boxes.get(box, 0), "")

    if not boxes:
        return [GlanceBox(box, player(box), sum(stakes.values()), ()) for box, stakes in wagers.items()]
    return [
        GlanceBox(box, player(box), sum(each.wagers.values()), (*each.cards, *each.fourth), each.decided, each.folded, each.settled)
        for box, each in boxes.items()
    ]
