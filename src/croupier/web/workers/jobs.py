"""Work that outlasts the request that asked for it, and child processes that end after each piece of work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from itertools import islice
from typing import Any, Generic, ParamSpec, TypeVar

from croupier.floor.processes.child_process import ChildProcess

K = TypeVar("K")
P = ParamSpec("P")
T = TypeVar("T")


class Jobs(Generic[K, T]):
    """One task per key. The newest `kept` results are kept; work that failed is tried again on the next request."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._tasks: dict[K, asyncio.Task[T]] = {}  # the last asked for is last

    async def ask(self, key: K, work: Callable[[], Coroutine[Any, Any, T]], seconds: float) -> T | None:
        """The result, or None if it takes longer than `seconds`; the work continues, so ask again later."""
        task = self.start(key, work)
        await asyncio.wait({task}, timeout=seconds)
        return task.result() if task.done() else None

    def start(self, key: K, work: Callable[[], Coroutine[Any, Any, T]]) -> asyncio.Task[T]:
        """The task of a key, started unless it is running or has succeeded."""
        task = self._tasks.pop(key, None)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(work())
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # asyncio logs one that nobody retrieves
        self._tasks[key] = task
        done = (each for each, job in self._tasks.items() if job.done())
        for old in list(islice(done, max(0, len(self._tasks) - self._kept))):
            del self._tasks[old]
        return task

    def kept(self, key: K) -> T | None:
        """The result, or None if the work is not done or has failed."""
        task = self._tasks.get(key)
        return task.result() if task and task.done() and not task.cancelled() and not task.exception() else None

    def forget(self, key: K) -> None:
        """Do the work again the next time."""
        self._tasks.pop(key, None)

    async def stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


class OneShotProcess(ChildProcess):
    """A child process for documents and odds. It exits after each call, which frees its memory."""

    async def print(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        try:
            return await self.call(function, *arguments, **named)
        finally:
            if not self.is_busy:  # with another caller's work, if this call was canceled while it waited
                await self.stop()
