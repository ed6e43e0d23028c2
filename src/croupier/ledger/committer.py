"""Group commit: those who wait while a commit runs share the next one, so that many tables need one flush of the disk."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock

from croupier.ledger.entry import Unit
from croupier.ledger.memory import MemoryRecorder
from croupier.ledger.recorder import Conflict, NotRecorded, Recorder, Unknown

MOST_UNITS = 1000  # in one transaction

Waiter = tuple[Unit, "asyncio.Future[None]"]
Outcome = list[Conflict | None] | Exception


class Committer:
    """Writes the units of many tasks of one event loop, in the order in which they came.

    A thread writes what waits, tells the loop, and at once writes what has come meanwhile: while some tables are written, the
    others compute. It stands in line for the interpreter once a commit, which is as often as it must.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._in_memory = isinstance(recorder, MemoryRecorder)  # nothing to wait for, so nothing to gain from a thread
        self._thread = ThreadPoolExecutor(1, "ledger")
        self._lock = Lock()  # of the two below
        self._waiting: list[Waiter] = []
        self._writing = False
        self._closed = False

    async def append(self, unit: Unit) -> None:
        """Return when the unit is durable; raise Conflict, NotRecorded or Unknown.

        A caller that is cancelled while it waits takes nothing back: its unit is written all the same, since others may follow it.
        """
        if self._closed:
            raise NotRecorded("The ledger is being closed.")
        if self._in_memory:
            (conflict,) = self._recorder.append([unit])
            if conflict:
                raise conflict
            return
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        with self._lock:
            self._waiting.append((unit, done))
            begin, self._writing = not self._writing, True
        if begin:
            self._thread.submit(self._write, loop)
        await done

    async def close(self) -> None:
        """Take nothing new, and finish what is in hand. The recorder stays open: it belongs to the caller."""
        self._closed = True
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.sleep(0)  # those who waited go on first

    # in the thread

    def _write(self, loop: asyncio.AbstractEventLoop) -> None:
        while batch := self._take():
            outcome = self._commit([unit for unit, _ in batch])
            with suppress(RuntimeError):  # the loop is closed, and nobody waits any more
                loop.call_soon_threadsafe(_tell, batch, outcome)

    def _take(self) -> list[Waiter]:
        with self._lock:
            batch, self._waiting = self._waiting[:MOST_UNITS], self._waiting[MOST_UNITS:]
            self._writing = bool(batch)
            return batch

    def _commit(self, units: list[Unit]) -> Outcome:
        try:
            return self._recorder.append(units)
        except Exception as problem:
            return problem


def _tell(batch: list[Waiter], outcome: Outcome) -> None:
    """Each waiter gets an exception of its own: a shared one would gather everybody's tracebacks."""
    if isinstance(outcome, Exception):
        kind = NotRecorded if isinstance(outcome, NotRecorded) else Unknown
        for _, done in batch:
            if not done.done():
                own = kind(str(outcome) or repr(outcome))
                own.__cause__ = outcome
                done.set_exception(own)
        return
    for (_, done), conflict in zip(batch, outcome, strict=True):
        if done.done():
            continue
        if conflict is None:
            done.set_result(None)
        else:
            done.set_exception(conflict)
