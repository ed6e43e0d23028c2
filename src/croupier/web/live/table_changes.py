"""A stream of all tables at a glance: the whole floor first, then the tables that change. All viewers share each look."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from functools import cached_property
from typing import Any

import msgspec

from croupier.web.live.table_stream import KEEP_ALIVE, STILL_HERE


class FloorLook:
    """The floor at one moment, with its messages, which are encoded once no matter how many watch."""

    def __init__(self, at: float, tables: Iterable[Any]) -> None:
        self.at, self.tables = at, {each.table: each for each in tables}
        self._since: tuple[FloorLook, bytes] | None = None

    @cached_property
    def whole(self) -> bytes:
        return _message(list(self.tables.values()))

    def since(self, before: FloorLook) -> bytes:
        """What has changed since another look; empty if nothing has."""
        if self is before:
            return b""
        if self._since is None or self._since[0] is not before:
            changed = [each for name, each in self.tables.items() if before.tables.get(name) != each]
            before._since = None  # a look remembers only the one before it
            self._since = before, _message(changed) if changed else b""
        return self._since[1]


def _message(changed: list[Any]) -> bytes:
    return b"event: tables\ndata: %s\n\n" % msgspec.json.encode(changed)


async def _always() -> bool:
    return True


class TableChanges:
    """Server-sent events of all tables. `tables` is called `every` so many seconds and returns an item for each `table`."""

    def __init__(self, tables: Callable[[], Iterable[Any]], every: float) -> None:
        self._tables, self._every = tables, every
        self._stopping = asyncio.Event()
        self._last: FloorLook | None = None

    def stop(self) -> None:
        self._stopping.set()

    async def stream(self, may: Callable[[], Awaitable[bool]] = _always) -> AsyncIterator[bytes]:
        """Messages for one connection. `may` is called each time, since a session can end."""
        before: FloorLook | None = None
        quiet = 0.0
        while not self._stopping.is_set() and await may():
            now = self._look(fresh=before is None)
            message = now.whole if before is None else now.since(before)
            message = message or (STILL_HERE if quiet >= KEEP_ALIVE else b"")
            quiet, before = 0.0 if message else quiet + self._every, now
            if message:
                yield message
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), self._every)

    def _look(self, fresh: bool) -> FloorLook:
        """The newest look, shared by all viewers. A new viewer gets a fresh one, so they see what they have just done."""
        now = asyncio.get_running_loop().time()
        if self._last is None or fresh or now - self._last.at >= self._every / 2:
            look = FloorLook(now, self._tables())
            if self._last is not None and look.tables == self._last.tables:
                self._last.at = now
            else:
                self._last = look
        return self._last
