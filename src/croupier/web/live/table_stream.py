"""The live stream of a table: each event once and in order, the newest together with what the viewer now sees.

An event looks the same to everyone except for who acted: it never holds the face of a face-down card, and only staff see the
names of staff. What is seen is built and encoded once per viewpoint, no matter how many watch from it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile

import msgspec

from croupier.floor.house.house import Damaged, House, stream_of
from croupier.floor.surveillance.narration import logged_event, sentence, with_name
from croupier.law.chapter import Rules
from croupier.ledger import Unreadable
from croupier.table.events import Event, read_event
from croupier.table.views import STAFF
from croupier.wire import LiveEvent, MovedCard

KEPT = 256  # events of a table in memory; older ones are read from the log
GATHER = 0.05  # seconds in which events that happen together are sent together
LATEST = 1.0  # seconds more, at most, while the automatic dealer goes on without a pause
KEEP_ALIVE = 15.0
MOST_AT_ONCE = 500  # events sent again after a long absence
STILL_HERE = b": still here\n\n"
_encode = msgspec.json.Encoder().encode

Sees = Callable[[str], bytes]  # viewpoint -> Seen, as JSON
FeedMoment = tuple[int, int, bool]  # of a table: its version, changes outside the log, whether the time for a decision is over


@dataclass
class ShownEvent:
    """An event as viewers see it: a sentence, its clauses, the cards that moved (faces only if face up) and what was paid."""

    version: int
    event: Event
    rules: Rules | None
    _encoded: dict[bool, bytes] = field(default_factory=dict)

    def encoded(self, *, staff: bool) -> bytes:
        """Everyone sees the names of players; only staff see the names of staff."""
        if staff not in self._encoded:
            says, then = (with_name if staff else sentence)(self.event, self.rules), self.event.then
            cards = tuple(MovedCard(shown.at, shown.seat, shown.slot, shown.card) for shown in then.cards)
            seat = getattr(self.event.command, "seat", 0)
            event = logged_event(LiveEvent, self.version, self.event, says, staff=staff, cards=cards, lines=then.lines, seat=seat)
            self._encoded[staff] = _encode(event)
        return self._encoded[staff]


@dataclass
class Feed:
    """The feed of one table. All viewers share one wake-up, and viewers who see the same get the same bytes."""

    recent: deque[ShownEvent] = field(default_factory=lambda: deque(maxlen=KEPT))
    changes: int = 0  # to what is seen, without an event: a player is ready, a clock starts
    moment: FeedMoment = (-1, -1, False)  # that the two below belong to
    sees: Sees = lambda by: b""  # until somebody looks
    sent: dict[tuple[str, int], bytes] = field(default_factory=dict)  # by viewpoint, and the version sent before
    watching: int = 0
    wakeup: asyncio.Event = field(default_factory=asyncio.Event)
    alarm: asyncio.TimerHandle | None = None
    held: float = 0.0  # seconds that viewers have waited for the dealer to pause


class Live:
    """The live streams of all tables of a server process."""

    def __init__(
        self,
        house: House,
        look: Callable[[str], Sees],
        deadline: Callable[[str], int | None],
        is_dealing: Callable[[str], bool] = lambda table: False,
    ) -> None:
        """`look` shows a table as it is now, `deadline` says when the open decision there runs out of time, and `is_dealing`
        whether the automatic dealer is about to change it again."""
        self._house, self._look, self._deadline, self._is_dealing = house, look, deadline, is_dealing
        self._feeds: dict[str, Feed] = {}
        self.connections = 0
        self._stopping = False

    def on_event(self, table: str, version: int, event: Event) -> None:
        """Take in an event, as a listener of the house."""
        if feed := self._feeds.get(table):
            feed.recent.append(ShownEvent(version, event, self._rules(table)))
            self._wake_in(GATHER, table, feed)

    def on_change(self, table: str) -> None:
        """Show a table again because what is seen of it has changed without an event."""
        if feed := self._feeds.get(table):
            feed.changes += 1
            self._wake_in(GATHER, table, feed)

    def check_sessions(self, _: str) -> None:
        """Make every stream check right away whether its viewer may still watch, because someone's sessions have ended."""
        for table, feed in self._feeds.items():
            self._wake(table, feed)

    def stop(self) -> None:
        """End every stream. Browsers reconnect on their own."""
        self._stopping = True
        for feed in self._feeds.values():
            feed.wakeup.set()

    def seen(self, table: str, by: str) -> bytes:
        """What a viewpoint sees now, as JSON."""
        feed = self._feeds.setdefault(table, Feed())
        self._now(table, feed)
        return feed.sees(by)

    async def stream(self, table: str, viewpoint: Callable[[], Awaitable[str | None]], after: int | None) -> AsyncIterator[bytes]:
        """Server-sent events for one connection. `viewpoint` is called each time, since a player may sit down or log out.

        If the database cannot be reached, the stream ends, and browsers reconnect on their own.
        """
        feed = self._feeds.setdefault(table, Feed())
        feed.watching += 1
        self.connections += 1
        try:
            self._wake_in(self._seconds_to_wait(table), table, feed)
            last, before = -1 if after is None else after, (-1, -1, False)
            while not self._stopping and (by := await viewpoint()) is not None:
                wakeup = feed.wakeup  # anything from here on wakes this stream again
                older = await self._older(table, feed, last)
                moment = self._now(table, feed)
                if moment[0] != last or moment != before:
                    news, last = self._news(feed, by, last, older)
                    yield news
                    if last != moment[0]:  # after a long absence, a part at a time
                        continue
                    before = moment
                else:
                    yield STILL_HERE
                await wakeup.wait()
        except Unreadable:
            return
        finally:
            self.connections -= 1
            feed.watching -= 1

    # wake-ups: one clock for all viewers of a table

    def _wake_in(self, seconds: float, table: str, feed: Feed) -> None:
        """Wake all viewers after this many seconds, or sooner."""
        if not feed.watching:
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + seconds
        if feed.alarm is not None:
            if feed.alarm.when() <= at:
                return
            feed.alarm.cancel()
        feed.alarm = loop.call_at(at, self._alarm, table, feed)

    def _alarm(self, table: str, feed: Feed) -> None:
        """Wake all viewers, unless the table is about to change again: what they would see is old before it arrives."""
        feed.alarm = None
        if feed.held < LATEST and self._is_dealing(table):
            feed.held += GATHER
            self._wake_in(GATHER, table, feed)
        else:
            self._wake(table, feed)

    def _wake(self, table: str, feed: Feed) -> None:
        feed.held = 0.0
        feed.wakeup.set()
        if not self._stopping:
            feed.wakeup = asyncio.Event()
            with suppress(Damaged):  # each stream notices on its own
                self._wake_in(self._seconds_to_wait(table), table, feed)

    def _seconds_to_wait(self, table: str) -> float:
        """Seconds until there is something to send. When time for a decision runs out, others get new choices."""
        due, now = self._deadline(table), self._house.clock()
        return KEEP_ALIVE if due is None or due <= now else min((due - now) / 1000 + GATHER, KEEP_ALIVE)

    # messages

    def _now(self, table: str, feed: Feed) -> FeedMoment:
        due = self._deadline(table)
        moment = self._house.table(table).version, feed.changes, due is not None and due <= self._house.clock()
        if moment != feed.moment:
            feed.sees = cache(self._look(table))
            feed.moment, feed.sent = moment, {}
        return moment

    def _news(self, feed: Feed, by: str, last: int, older: list[ShownEvent]) -> tuple[bytes, int]:
        """Bytes for a viewer who has seen up to `last`, and the version they lead to."""
        version = feed.moment[0]
        if known := feed.sent.get((by, last)):
            return known, version
        found = older or list(takewhile(lambda each: each.version > last, reversed(feed.recent)))[::-1] if last >= 0 else []
        missed = [(each.version, each.encoded(staff=by in STAFF)) for each in found if each.version <= version]
        if missed and missed[-1][0] < version:
            return b"".join(map(_message, missed)), missed[-1][0]
        parts, seen = [_message(each) for each in missed[:-1]], feed.sees(by)
        if missed:
            parts.append(b'id: %d\nevent: event\ndata: %s,"seen":%s}\n\n' % (version, missed[-1][1][:-1], seen))
        else:
            parts.append(b'id: %d\nevent: seen\ndata: {"version":%d,"seen":%s}\n\n' % (version, version, seen))
        news = feed.sent[by, last] = b"".join(parts)
        return news, version

    async def _older(self, table: str, feed: Feed, last: int) -> list[ShownEvent]:
        """The events after `last`, read from the log in a thread; none if memory still has them."""
        version = self._house.table(table).version
        if not 0 <= last < version or (feed.recent and feed.recent[0].version <= last + 1):
            return []
        recorder, most = self._house.recorder, min(version - last, MOST_AT_ONCE)
        entries = await asyncio.to_thread(lambda: list(recorder.read(stream_of(table), last, most)))
        return [ShownEvent(entry.version, read_event(entry.body), self._rules(table)) for entry in entries]

    def _rules(self, table: str) -> Rules | None:
        state = self._house.table(table).state
        return state.rules if state.submission else None


def _message(event: tuple[int, bytes]) -> bytes:
    return b"id: %d\nevent: event\ndata: %s\n\n" % event
