"""Group commit: all who wait while a commit runs share the next one, so that many tables need one flush of the disk."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

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
                batch, self._waiting = self._waiting[:MOST_UNITS], self._waiting[MOST_UNITS:]
                await self._commit(batch)
        finally:
            self._running = None
            left, self._waiting = [*batch, *self._waiting], []
            for _, done in left:  # only if the loop itself is being torn down
                if not done.done():
                    done.set_exception(Unknown("The program ended in a commit."))

    async def _commit(self, batch: list[Waiter]) -> None:
        units = [unit for unit, _ in batch]
        try:
            outcome: list[Conflict | None] = await asyncio.get_running_loop().run_in_executor(
                self._thread, self._recorder.append, units
            )
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
