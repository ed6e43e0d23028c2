"""Group commit: those who wait while a commit runs share the next one, so that many tables need one flush of the disk."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from sys import getswitchinterval
from threading import Lock
from time import perf_counter

from croupier.ledger.entry import Unit
from croupier.ledger.memory import MemoryRecorder
from croupier.ledger.recorder import Conflict, NotRecorded, Recorder, Unknown

MOST_UNITS = 1000  # in one transaction

Waiter = tuple[Unit, "asyncio.Future[None]"]


class Committer:
    """Writes the units of many tasks of one event loop, in the order in which they came."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._in_memory = isinstance(recorder, MemoryRecorder)  # nothing to wait for, so nothing to gain from a thread
        self._thread = ThreadPoolExecutor(1, "ledger")
        self._waiting: list[Waiter] = []
        self._running: asyncio.Task[None] | None = None
        self._closed = False
        self._arrived = 0  # units since the last commit ended
        self._ended = self._last_arrival = perf_counter()
        self._seconds_of_work = 0.0  # between two units that arrive
        self._seconds_of_commit = 0.0

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
        self._waiting.append((unit, done))
        self._arrived += 1
        self._last_arrival = perf_counter()
        if self._running is None:
            self._running = loop.create_task(self._run())
        await done

    async def close(self) -> None:
        """Take nothing new, and finish what is in hand. The recorder stays open: it belongs to the caller."""
        self._closed = True
        if self._running is not None:
            await asyncio.shield(self._running)
        self._thread.shutdown()

    async def _run(self) -> None:
        batch: list[Waiter] = []
        try:
            while self._waiting:
                size = await self._size(returning=len(batch))
                batch, self._waiting = self._waiting[:size], self._waiting[size:]
                began = perf_counter()
                await self._commit(batch)
                self._measure(perf_counter() - began)
        finally:
            self._running = None
            left, self._waiting = [*batch, *self._waiting], []
            for _, done in left:  # only if the loop itself is being torn down
                if not done.done():
                    done.set_exception(Unknown("The program ended in a commit."))

    async def _size(self, returning: int) -> int:
        """How many of those who wait to write next, when some return to work from the last commit.

        While some are written, others can compute. If all were written together, the disk would wait for the tables and then
        the tables for the disk. So they go by halves, unless their work is shorter than a commit: then they had better share it.
        """
        busy = len(self._waiting) + returning
        if busy * self._seconds_of_work > self._seconds_of_commit:
            return min((busy + 1) // 2, MOST_UNITS)
        for _ in range(2):  # those who return are soon back with their next unit
            await asyncio.sleep(0)
        return MOST_UNITS

    def _measure(self, seconds: float) -> None:
        if self._arrived:
            self._seconds_of_work = (self._last_arrival - self._ended) / self._arrived
        self._seconds_of_commit, self._ended, self._arrived = seconds, perf_counter(), 0

    def _append(self, units: list[Unit], begun: Lock) -> list[Conflict | None]:
        begun.release()
        return self._recorder.append(units)

    async def _commit(self, batch: list[Waiter]) -> None:
        units = [unit for unit, _ in batch]
        begun = Lock()
        begun.acquire()
        try:
            written = asyncio.get_running_loop().run_in_executor(self._thread, self._append, units, begun)
            # The thread gets the interpreter at once and gives it back when the disk works. Otherwise it would stand in line
            # behind the next units' work, and the disk with it; but no longer than it would have stood there.
            begun.acquire(timeout=getswitchinterval())
            outcome = await written
        except NotRecorded as problem:
            _fail(batch, NotRecorded, problem)
        except Exception as problem:
            _fail(batch, Unknown, problem)
        else:
            for (_, done), conflict in zip(batch, outcome, strict=True):
                if done.done():
                    continue
                if conflict is None:
                    done.set_result(None)
                else:
                    done.set_exception(conflict)


def _fail(batch: list[Waiter], kind: type[NotRecorded] | type[Unknown], problem: Exception) -> None:
    """Each waiter gets an exception of its own: a shared one would gather everybody's tracebacks."""
    for _, done in batch:
        if not done.done():
            own = kind(str(problem) or repr(problem))
            own.__cause__ = problem
            done.set_exception(own)
