"""Group commit: those who wait while a commit runs share the next one, so that many tables need one flush of the disk."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock

from croupier.ledger.entry import Unit
from croupier.ledger.memory import MemoryRecorder
from croupier.ledger.recorder import NotRecorded, Recorder, Unknown

MOST_UNITS = 1000  # in one transaction

Waiter = tuple[Unit, "asyncio.Future[None]"]
Outcome = list[Exception | None]


class Committer:
    """Writes the units of many tasks, in the order in which they came.

    A thread writes what waits, tells them, and at once writes what has come meanwhile: while some tables are written, the
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
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._lock:
            self._waiting.append((unit, done))
            if not self._writing:
                self._thread.submit(self._write)
                self._writing = True
        await done

    async def close(self) -> None:
        """Take nothing new, and finish what is in hand. The recorder stays open: it belongs to the caller."""
        self._closed = True
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.sleep(0)  # those who waited go on first

    # in the thread

    def _write(self) -> None:
        while batch := self._take():
            outcome = self._commit([unit for unit, _ in batch])
            told = [(done, problem) for (_, done), problem in zip(batch, outcome, strict=True)]
            for loop in {done.get_loop() for done, _ in told}:
                with suppress(RuntimeError):  # the loop is closed, and nobody waits there any more
                    loop.call_soon_threadsafe(_tell, [each for each in told if each[0].get_loop() is loop])

    def _take(self) -> list[Waiter]:
        with self._lock:
            batch, self._waiting = self._waiting[:MOST_UNITS], self._waiting[MOST_UNITS:]
            self._writing = bool(batch)
            return batch

    def _commit(self, units: list[Unit]) -> Outcome:
        """What becomes of each. Each gets an exception of its own: a shared one would gather everybody's tracebacks."""
        try:
            return [*self._recorder.append(units)]
        except NotRecorded as problem:
            return [_own(NotRecorded, problem) for _ in units]
        except Exception as problem:
            return [_own(Unknown, problem) for _ in units]


def _own(kind: type[NotRecorded] | type[Unknown], problem: Exception) -> Exception:
    own = kind(str(problem) or repr(problem))
    own.__cause__ = problem
    return own


def _tell(told: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, problem in told:
        if done.done():
            continue
        if problem is None:
            done.set_result(None)
        else:
            done.set_exception(problem)
