"""Group commit: units that arrive during a commit share the next one, so that many tables need one flush of the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from croupier.ledger.entry import Unit
from croupier.ledger.recorders.recorder import NotRecorded, Recorder, Unknown

MOST_UNITS = 1000  # in one transaction

Waiter = asyncio.Future[None]


class Committer:
    """Writes the units of many tasks in order, in one thread, from one event loop at a time."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._thread = ThreadPoolExecutor(1, "ledger")
        self._waiting: list[tuple[Unit, Waiter]] = []
        self._writing: asyncio.Task[None] | None = None
        self._closed = False
        recorder.begin()

    async def append(self, unit: Unit) -> None:
        """Return when the unit is durable; raise Conflict, NotRecorded or Unknown.

        Canceling a caller does not cancel its unit: others may already follow it.
        """
        if self._closed:
            raise NotRecorded("The ledger is being closed.")
        if self._recorder.instant:
            (conflict,) = self._recorder.append([unit])
            if conflict:
                raise conflict
            return
        done: Waiter = asyncio.get_running_loop().create_future()
        self._waiting.append((unit, done))
        self._write_soon()
        await done

    async def close(self) -> None:
        """Refuse new units and write those that wait. The recorder stays open: it belongs to the caller."""
        self._closed = True
        await self._write_soon()
        await asyncio.to_thread(self._thread.shutdown)

    def _write_soon(self) -> asyncio.Task[None]:
        """The task that writes until no unit waits. If it runs in another loop that is gone, a new one takes over."""
        loop = asyncio.get_running_loop()
        if self._writing is None or self._writing.done() or self._writing.get_loop() is not loop:
            self._writing = loop.create_task(self._write())
        return self._writing

    async def _write(self) -> None:
        while batch := self._waiting[:MOST_UNITS]:
            del self._waiting[:MOST_UNITS]
            units = [unit for unit, _ in batch]
            outcome = await asyncio.get_running_loop().run_in_executor(self._thread, _outcome, self._recorder, units)
            for (_, waiter), problem in zip(batch, outcome, strict=True):
                if waiter.done() or waiter.get_loop() is not asyncio.get_running_loop():
                    continue
                if problem is None:
                    waiter.set_result(None)
                else:
                    waiter.set_exception(problem)


def _outcome(recorder: Recorder, units: Sequence[Unit]) -> list[Exception | None]:
    """The outcome of each unit. Each gets its own exception, because a shared one would collect the tracebacks of all waiters."""
    try:
        return [*recorder.append(units)]
    except NotRecorded as problem:
        return [_own(NotRecorded, problem) for _ in units]
    except Exception as problem:
        return [_own(Unknown, problem) for _ in units]


def _own(kind: type[NotRecorded] | type[Unknown], problem: Exception) -> Exception:
    own = kind(str(problem) or repr(problem))
    own.__cause__ = problem
    return own
