"""Group commit: those who wait while a commit runs share the next one, so that many tables need one flush of the disk."""

from __future__ import annotations

import asyncio
import sys
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from croupier.ledger import writing
from croupier.ledger.database import Prepared
from croupier.ledger.entry import Unit
from croupier.ledger.memory import MemoryRecorder
from croupier.ledger.recorder import Conflict, NotRecorded, Recorder, Unknown
from croupier.ledger.scribe import Scribe
from croupier.ledger.sqlite import SqliteRecorder

MOST_UNITS = 1000  # in one transaction
FEWEST_UNITS = 8  # worth leaving some for the next, or a process to write them: fewer compute faster than a disk is flushed
# A thread that was at the disk asks for the interpreter several times a commit, and waits so long each time (in seconds).
PATIENCE = 0.00005

Waiter = asyncio.Future[None]
Outcome = list[Exception | None]


class Batch(NamedTuple):
    """What is to be written, and whom to tell."""

    units: Sequence[Unit]
    waiters: list[Waiter]
    loop: asyncio.AbstractEventLoop
    tell: Callable[[Batch, Outcome], None]


class Committer:
    """Writes the units of many tasks, in the order in which they came, from one event loop at a time.

    The loop prepares a batch and a thread writes it: what the loop has just made is at hand there, and the thread needs the
    interpreter as little as can be. At most half of those in play are in a batch, so that while they are written the others
    compute. Larger batches for SQLite are written by a scribe, which needs no interpreter of ours; the thread does what the
    scribe cannot, and everything until one is there.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._in_memory = isinstance(recorder, MemoryRecorder)  # nothing to wait for, so nothing to gain from a thread
        self._batches: SimpleQueue[Batch | None] = SimpleQueue()
        # It may be cut short with the process: a commit is whole or not at all. It ends when nobody knows the committer any more.
        self._thread = Thread(target=_serve, args=(recorder, self._batches), name="ledger", daemon=True)
        weakref.finalize(self, self._batches.put, None)
        self._may_dictate = recorder if isinstance(recorder, SqliteRecorder) else None
        self._scribe: Scribe | None = None
        if self._may_dictate:
            self._may_dictate.begin()
        self._waiting: list[tuple[Unit, Waiter]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._at_rest = asyncio.Event()
        self._closed = False
        if not self._in_memory:
            sys.setswitchinterval(min(PATIENCE, sys.getswitchinterval()))
            self._thread.start()

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
        done: Waiter = asyncio.get_running_loop().create_future()
        self._waiting.append((unit, done))
        self._wake()
        await done

    async def close(self) -> None:
        """Take nothing new, and finish what is in hand. The recorder stays open: it belongs to the caller."""
        self._closed = True
        if not self._in_memory:
            self._wake()
            await self._at_rest.wait()
            self._end_scribe()
            self._batches.put(None)
            await asyncio.to_thread(self._thread.join)

    # in the loop

    def _wake(self) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # the one before is gone; what it left in the thread is written first
            self._loop, self._at_rest = loop, asyncio.Event()
            self._at_rest.set()
            self._end_scribe()
        if self._at_rest.is_set():
            self._at_rest.clear()
            loop.call_soon(self._write, loop, 0)

    def _write(self, loop: asyncio.AbstractEventLoop, answered: int) -> None:
        """Send the next batch to the disk. Those who were answered just now compute meanwhile, and will be back."""
        half = (len(self._waiting) + answered + 1) // 2
        most = min(max(half, FEWEST_UNITS), MOST_UNITS)
        batch, self._waiting = self._waiting[:most], self._waiting[most:]
        if not batch:
            self._at_rest.set()
            return
        units: Sequence[Unit] = [unit for unit, _ in batch]
        with suppress(Exception):  # what goes wrong here goes wrong again in the thread, and is told from there
            units = self._recorder.prepare(units)
        self._dispatch(Batch(units, [waiter for _, waiter in batch], loop, self._tell))

    def _dispatch(self, batch: Batch) -> None:
        recorder, units = self._may_dictate, batch.units
        if recorder and isinstance(units, Prepared) and len(units) >= FEWEST_UNITS and (scribe := self._scribe_of(recorder)):
            scribe.write(units.packed, partial(self._heard, recorder, units, batch))
        else:
            self._batches.put(batch)

    def _scribe_of(self, recorder: SqliteRecorder) -> Scribe | None:
        """One that is ready. It has no successor: where it was lost, or could not be started, the thread goes on."""
        if self._scribe is None:
            try:
                self._scribe = recorder.scribe()
            except Exception:
                self._may_dictate = None
                return None
            weakref.finalize(self, self._scribe.dismiss)
        return self._scribe if self._scribe.ready else None

    def _heard(self, recorder: SqliteRecorder, units: Prepared, batch: Batch, what: str, said: str) -> None:
        if what == writing.TAKEN:  # by others, who wrote meanwhile: to be judged again
            self._batches.put(batch)
        else:
            self._tell(batch, _outcome(partial(recorder.heard, units, what, said), units))

    def _end_scribe(self) -> None:
        if self._scribe:
            if self._scribe.end() and self._may_dictate:
                self._may_dictate.heard_nothing()
            self._scribe = None

    def _tell(self, batch: Batch, outcome: Outcome) -> None:
        self._write(batch.loop, len(batch.waiters))  # first: while these are told, the thread wakes up
        for waiter, problem in zip(batch.waiters, outcome, strict=True):
            if waiter.done() or waiter.get_loop() is not batch.loop:
                continue
            if problem is None:
                waiter.set_result(None)
            else:
                waiter.set_exception(problem)


# in the thread


def _serve(recorder: Recorder, batches: SimpleQueue[Batch | None]) -> None:
    while batch := batches.get():
        outcome = _outcome(partial(recorder.append, batch.units), batch.units)
        with suppress(RuntimeError):  # the loop is closed, and nobody waits there any more
            batch.loop.call_soon_threadsafe(batch.tell, batch, outcome)
        del batch, outcome  # what the loop made it also clears away: so it stays with one processor


def _outcome(write: Callable[[], list[Conflict | None]], units: Sequence[Unit]) -> Outcome:
    """What becomes of each. Each gets an exception of its own: a shared one would gather everybody's tracebacks."""
    try:
        return [*write()]
    except NotRecorded as problem:
        return [_own(NotRecorded, problem) for _ in units]
    except Exception as problem:
        return [_own(Unknown, problem) for _ in units]


def _own(kind: type[NotRecorded] | type[Unknown], problem: Exception) -> Exception:
    own = kind(str(problem) or repr(problem))
    own.__cause__ = problem
    return own
