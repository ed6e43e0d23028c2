"""Live views: each event of a table once, in order, and with the newest what the viewer may see of the table since.

What an event tells is the same for all: the log's body holds no face that lies down. What somebody sees is worked out once for
each viewpoint and version, however many look.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from croupier.floor.house import House, stream_of
from croupier.floor.telling import sentence
from croupier.table.events import Event, read

KEPT = 256  # events of a table in memory; older ones are read from the log
GATHER = 0.02  # seconds in which what happens together is sent together
KEEP_ALIVE = 15.0
MOST_AT_ONCE = 500  # events sent again after a long absence
_encode = msgspec.json.Encoder().encode

Sees = Callable[[str, str], bytes]  # table and viewpoint -> Seen
Due = Callable[[str], int | None]  # table -> when the decision that is asked now lapses
Moment = tuple[int, int, bool]  # of a table: its version, what stirred beside the log, whether the time for a decision is over


@dataclass
class Feed:
    """One table's news."""

    recent: deque[tuple[int, Event]] = field(default_factory=lambda: deque(maxlen=KEPT))
    told: dict[int, bytes] = field(default_factory=dict)
    seen: dict[str, tuple[Moment, bytes]] = field(default_factory=dict)  # by viewpoint, with the moment it is of
    stir: int = 0  # counts what changes a view without an event: a player is ready, a clock begins
    watchers: set[asyncio.Event] = field(default_factory=set)


class Live:
    def __init__(self, house: House, sees: Sees, due: Due) -> None:
        self._house, self._sees, self._due = house, sees, due
        self._feeds: dict[str, Feed] = {}
        self.connections = 0
        self._stopping = False

    def heard(self, table: str, version: int, event: Event) -> None:
        """A listener of the house."""
        feed = self._feeds.get(table)
        if feed is None:
            return
        feed.recent.append((version, event))
        for watcher in feed.watchers:
            watcher.set()

    def stir(self, table: str) -> None:
        """Something beside the log has changed what is seen."""
        if feed := self._feeds.get(table):
            feed.stir += 1
            for watcher in feed.watchers:
                watcher.set()

    def stop(self) -> None:
        """Let every connection end; browsers come back by themselves."""
        self._stopping = True
        for feed in self._feeds.values():
            for watcher in feed.watchers:
                watcher.set()

    def seen(self, table: str, by: str) -> bytes:
        """What a viewpoint sees now, as JSON."""
        feed = self._feeds.setdefault(table, Feed())
        at = self._moment(table, feed)
        known = feed.seen.get(by)
        if known is None or known[0] != at:
            known = feed.seen[by] = (at, self._sees(table, by))
        return known[1]

    async def stream(self, table: str, viewpoint: Callable[[], str | None], after: int | None) -> AsyncIterator[bytes]:
        """Server-sent events for one connection. `viewpoint` is asked each time: a player may sit down or log out meanwhile."""
        feed, watcher = self._feeds.setdefault(table, Feed()), asyncio.Event()
        feed.watchers.add(watcher)
        self.connections += 1
        try:
            last, before = -1 if after is None else after, (-1, -1, False)
            while not self._stopping and (by := viewpoint()) is not None:
                called, moment = watcher.is_set(), self._moment(table, feed)
                watcher.clear()  # before anything is sent: what happens while it is on its way calls again
                version = moment[0]
                missed = self._between(table, feed, last, version) if 0 <= last < version else []
                if missed and missed[-1][0] < version:  # after a long absence, a part at a time
                    yield b"".join(map(_message, missed))
                    last = missed[-1][0]
                    continue
                if version != last or moment != before:
                    yield self._messages(table, by, version, missed)
                    last, before = version, moment
                elif not called:
                    yield b": still here\n\n"
                with suppress(TimeoutError):
                    await asyncio.wait_for(watcher.wait(), self._patience(table, moment))
                    await asyncio.sleep(GATHER)
        finally:
            self.connections -= 1
            feed.watchers.discard(watcher)

    def _moment(self, table: str, feed: Feed) -> Moment:
        due = self._due(table)
        return self._house.table(table).version, feed.stir, due is not None and due <= self._house.clock()

    def _patience(self, table: str, told: Moment) -> float:
        """Seconds until there is something to say again: when the time for a decision is over, others may do more."""
        due = self._due(table)
        if due is None or told[2]:
            return KEEP_ALIVE
        return min(max(0, due - self._house.clock()) / 1000 + GATHER, KEEP_ALIVE)

    def _between(self, table: str, feed: Feed, last: int, version: int) -> list[tuple[int, bytes]]:
        """The events after `last` up to `version`, as they are told; from the log where memory does not reach back so far."""
        found = [each for each in feed.recent if last < each[0] <= version]
        if not found or found[0][0] != last + 1:
            entries = self._house.recorder.read(stream_of(table), last, min(version - last, MOST_AT_ONCE))
            found = [(entry.version, read(entry.body)) for entry in entries]
        return [(number, self._told(table, feed, number, event)) for number, event in found]

    def _told(self, table: str, feed: Feed, version: int, event: Event) -> bytes:
        if version not in feed.told:
            if len(feed.told) >= KEPT:
                feed.told.pop(min(feed.told))
            state = self._house.table(table).state
            feed.told[version] = _encode(tell(version, event, state.rules if state.submission else None))
        return feed.told[version]

    def _messages(self, table: str, by: str, version: int, missed: list[tuple[int, bytes]]) -> bytes:
        seen = self.seen(table, by)
        parts = [_message(each) for each in missed[:-1]]
        if missed:
            parts.append(b'id: %d\nevent: event\ndata: %s,"seen":%s}\n\n' % (version, missed[-1][1][:-1], seen))
        else:
            parts.append(b'id: %d\nevent: seen\ndata: {"version":%d,"seen":%s}\n\n' % (version, version, seen))
        return b"".join(parts)


def _message(told: tuple[int, bytes]) -> bytes:
    return b"id: %d\nevent: event\ndata: %s\n\n" % told


def tell(version: int, event: Event, rules: Any) -> dict[str, Any]:
    """An event for anybody's eyes: a sentence, its clauses, the cards that moved (a face where it lies up), what was paid."""
    then = event.then
    return {
        "version": version,
        "at": event.at,
        "by": event.by,
        "event": event.event,
        "says": sentence(event, rules),
        "cites": then.cites,
        "cards": [{"at": shown.at, "seat": shown.seat, "slot": shown.slot, "card": shown.card} for shown in then.cards],
        "lines": then.lines,
        "seat": getattr(event.command, "seat", 0),
    }
