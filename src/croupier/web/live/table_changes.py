"""A stream of all tables at a glance: the whole floor first, then the tables that change. All viewers share each check."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

import msgspec

from croupier.web.live.table_stream import KEEP_ALIVE, STILL_HERE


class TableChanges:
    """Server-sent events of all tables. `tables` is called every `every` seconds and returns one item per `table`."""

    def __init__(self, tables: Callable[[], Iterable[Any]], every: float) -> None:
        self._tables, self._every = tables, every
        self._stopping = asyncio.Event()
        self._version, self._looked_at = 0, 0.0
        self._shown: dict[str, tuple[int, Any]] = {}  # by table: its item, and the version of the floor in which it changed
        self._messages: dict[int, bytes] = {}  # by the version that a viewer has seen; encoded once no matter how many watch

    def stop(self) -> None:
        self._stopping.set()

    async def stream(self, is_allowed: Callable[[], Awaitable[bool]] | None = None) -> AsyncIterator[bytes]:
        """Messages for one connection. `is_allowed` is called each time, since a session can end."""
        seen, quiet = -1, 0.0
        while not self._stopping.is_set() and (is_allowed is None or await is_allowed()):
            self._refresh(fresh=seen < 0)
            message = self._since(seen) or (STILL_HERE if quiet >= KEEP_ALIVE else b"")
            quiet, seen = 0.0 if message else quiet + self._every, self._version
            if message:
                yield message
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), self._every)

    def _refresh(self, *, fresh: bool) -> None:
        """Look at the floor, unless another viewer just did. A new viewer always looks, so they see what they have just done."""
        now = asyncio.get_running_loop().time()
        if not fresh and now - self._looked_at < self._every / 2:
            return
        before, next_version, self._looked_at = self._shown, self._version + 1, now
        self._shown = {each.table: (next_version, each) for each in self._tables()}
        self._shown |= {name: old for name, old in before.items() if name in self._shown and self._shown[name][1] == old[1]}
        if self._shown != before:
            self._version, self._messages = next_version, {}

    def _since(self, seen: int) -> bytes:
        """What has changed since the version that a viewer has seen; empty if nothing has."""
        if seen == self._version:
            return b""
        if seen not in self._messages:
            changed = [each for version, each in self._shown.values() if version > seen]
            self._messages[seen] = b"event: tables\ndata: %s\n\n" % msgspec.json.encode(changed)
        return self._messages[seen]
