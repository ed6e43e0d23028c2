"""Live views: each event of a table once, in order, and with the newest what the viewer may see of the table since.

What an event tells is the same for all, but for who acted: the log's body holds no face that lies down, and staff are named to
staff only. What somebody sees is worked out once for each viewpoint and version, however many look.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile
from time import monotonic

import msgspec

from croupier.floor.house import Damaged, House, stream_of
from croupier.floor.telling import sentence, told
from croupier.law.chapter import Rules
from croupier.ledger import Unreadable
from croupier.table.events import Event, read
from croupier.table.views import STAFF
from croupier.wire import LiveEvent, MovedCard

KEPT = 256  # events of a table in memory; older ones are read from the log
GATHER = 0.05  # seconds in which what happens together is sent together
LATEST = 0.5  # more, at most, when the server is busy
KEEP_ALIVE = 15.0
MOST_AT_ONCE = 500  # events sent again after a long absence
_encode = msgspec.json.Encoder().encode

Sees = Callable[[str, str], bytes]  # table and viewpoint -> Seen
Due = Callable[[str], int | None]  # table -> when the decision that is asked now lapses
Moment = tuple[int, int, bool]  # of a table: its version, what stirred beside the log, whether the time for a decision is over


@dataclass
class Feed:
    """One table's news. All who watch wait for the same turn, and those who see the same are sent the same bytes."""

    recent: deque[tuple[int, Event]] = field(default_factory=lambda: deque(maxlen=KEPT))
    told: dict[tuple[int, bool], bytes] = field(default_factory=dict)  # by version, and whether for staff
    stir: int = 0  # counts what changes a view without an event: a player is ready, a clock begins
    moment: Moment = (-1, -1, False)  # of which the two below are
    seen: dict[str, bytes] = field(default_factory=dict)  # by viewpoint
    sent: dict[tuple[str, int], bytes] = field(default_factory=dict)  # by viewpoint, and the version told last
    watching: int = 0
    turn: asyncio.Event = field(default_factory=asyncio.Event)
    alarm: asyncio.TimerHandle | None = None
    alarm_at: float = 0.0


class Live:
    def __init__(self, house: House, sees: Sees, due: Due) -> None:
        self._house, self._sees, self._due = house, sees, due
        self._feeds: dict[str, Feed] = {}
        self.connections = 0
        self._stopping = False
        self._late = 0.0  # seconds by which turns come late, of late: a busy server sends views less often, and commands get by

    def heard(self, table: str, version: int, event: Event) -> None:
        """A listener of the house."""
        if feed := self._feeds.get(table):
            feed.recent.append((version, event))
            self._call(table, feed, GATHER + self._late)

    def stir(self, table: str) -> None:
        """Something beside the log has changed what is seen."""
        if feed := self._feeds.get(table):
            feed.stir += 1
            self._call(table, feed, GATHER + self._late)

    def look_again(self, _: str) -> None:
        """Have everybody who watches ask at once whether they still may: somebody's sessions have ended."""
        for table, feed in self._feeds.items():
            self._call(table, feed, 0.0)

    def stop(self) -> None:
        """Let every connection end; browsers come back by themselves."""
        self._stopping = True
        for feed in self._feeds.values():
            feed.turn.set()

    def seen(self, table: str, by: str) -> bytes:
        """What a viewpoint sees now, as JSON."""
        feed = self._feeds.setdefault(table, Feed())
        self._now(table, feed)
        return self._seen(table, feed, by)

    async def stream(
        self, table: str, viewpoint: Callable[[], Awaitable[str | None]], after: int | None
    ) -> AsyncIterator[bytes]:
        """Server-sent events for one connection. `viewpoint` is asked each time: a player may sit down or log out meanwhile.

        Where the database is out of reach the stream ends: browsers come back by themselves.
        """
        feed = self._feeds.setdefault(table, Feed())
        feed.watching += 1
        self.connections += 1
        try:
            self._call(table, feed, self._patience(table))
            last, before, said_at = -1 if after is None else after, (-1, -1, False), monotonic()
            while not self._stopping and (by := await viewpoint()) is not None:
                turn, moment = feed.turn, self._now(table, feed)  # what happens while this is on its way calls again
                if moment[0] != last or moment != before:
                    news, last = self._news(table, feed, by, last)
                    yield news
                    if last != moment[0]:  # after a long absence, a part at a time
                        continue
                    before, said_at = moment, monotonic()
                elif monotonic() - said_at > KEEP_ALIVE / 2:
                    yield b": still here\n\n"
                    said_at = monotonic()
                await turn.wait()
        except Unreadable:
            return
        finally:
            self.connections -= 1
            feed.watching -= 1

    # turns: one clock for all who watch a table

    def _call(self, table: str, feed: Feed, seconds: float) -> None:
        """Have all who watch look again in so many seconds, or sooner."""
        if not feed.watching:
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + seconds
        if feed.alarm is not None:
            if feed.alarm_at <= at:
                return
            feed.alarm.cancel()
        feed.alarm, feed.alarm_at = loop.call_at(at, self._turn, table, feed), at

    def _turn(self, table: str, feed: Feed) -> None:
        late = asyncio.get_running_loop().time() - feed.alarm_at
        self._late = min(0.8 * self._late + 0.2 * late, LATEST)
        feed.alarm = None
        feed.turn.set()
        if not self._stopping:
            feed.turn = asyncio.Event()
            with suppress(Damaged):  # which each of them finds out
                self._call(table, feed, self._patience(table))

    def _patience(self, table: str) -> float:
        """Seconds until there is something to say again: when the time for a decision is over, others may do more."""
        due, now = self._due(table), self._house.clock()
        return KEEP_ALIVE if due is None or due <= now else min((due - now) / 1000 + GATHER, KEEP_ALIVE)

    # what is sent

    def _now(self, table: str, feed: Feed) -> Moment:
        due = self._due(table)
        moment = self._house.table(table).version, feed.stir, due is not None and due <= self._house.clock()
        if moment != feed.moment:
            feed.moment, feed.seen, feed.sent = moment, {}, {}
        return moment

    def _seen(self, table: str, feed: Feed, by: str) -> bytes:
        if by not in feed.seen:
            feed.seen[by] = self._sees(table, by)
        return feed.seen[by]

    def _news(self, table: str, feed: Feed, by: str, last: int) -> tuple[bytes, int]:
        """What somebody who was told up to `last` is told now, and the version up to which that tells."""
        version = feed.moment[0]
        if known := feed.sent.get((by, last)):
            return known, version
        missed = self._between(table, feed, last, version, by in STAFF) if 0 <= last < version else []
        if missed and missed[-1][0] < version:
            return b"".join(map(_message, missed)), missed[-1][0]
        parts, seen = [_message(each) for each in missed[:-1]], self._seen(table, feed, by)
        if missed:
            parts.append(b'id: %d\nevent: event\ndata: %s,"seen":%s}\n\n' % (version, missed[-1][1][:-1], seen))
        else:
            parts.append(b'id: %d\nevent: seen\ndata: {"version":%d,"seen":%s}\n\n' % (version, version, seen))
        news = feed.sent[by, last] = b"".join(parts)
        return news, version

    def _between(self, table: str, feed: Feed, last: int, version: int, staff: bool) -> list[tuple[int, bytes]]:
        """The events after `last` up to `version`, as they are told; from the log where memory does not reach back so far."""
        found = list(takewhile(lambda each: each[0] > last, reversed(feed.recent)))[::-1]
        if not found or found[0][0] != last + 1:
            entries = self._house.recorder.read(stream_of(table), last, min(version - last, MOST_AT_ONCE))
            found = [(entry.version, read(entry.body)) for entry in entries]
        return [(number, self._told(table, feed, number, event, staff)) for number, event in found if number <= version]

    def _told(self, table: str, feed: Feed, version: int, event: Event, staff: bool) -> bytes:
        known = version, staff
        if known not in feed.told:
            if len(feed.told) >= KEPT:
                feed.told.pop(min(feed.told))
            state = self._house.table(table).state
            feed.told[known] = _encode(tell(version, event, state.rules if state.submission else None, staff=staff))
        return feed.told[known]


def _message(told: tuple[int, bytes]) -> bytes:
    return b"id: %d\nevent: event\ndata: %s\n\n" % told


def tell(version: int, event: Event, rules: Rules | None, *, staff: bool = False) -> LiveEvent:
    """An event for anybody's eyes: a sentence, its clauses, the cards that moved (a face where it lies up), what was paid.

    Players are told a player's name, as the seats show it; staff are named to staff.
    """
    then = event.then
    return LiveEvent(
        version=version,
        at=event.at,
        by=event.by,
        person=event.person if staff or event.by.startswith("player:") else "",
        event=event.event,
        says=(told if staff else sentence)(event, rules),
        cites=then.cites,
        cards=tuple(MovedCard(shown.at, shown.seat, shown.slot, shown.card) for shown in then.cards),
        lines=then.lines,
        seat=getattr(event.command, "seat", 0),
    )
