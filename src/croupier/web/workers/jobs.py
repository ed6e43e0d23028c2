"""Work that outlasts the request that asked for it, and child processes that end after each piece of work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, ParamSpec, TypeVar

from croupier.floor.processes.child_process import ChildProcess

K = TypeVar("K")
P = ParamSpec("P")
T = TypeVar("T")


class Jobs(Generic[K, T]):
    """One task for each key. Results are kept, the newest `kept` of them; what failed is tried again when it is asked for."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._tasks: dict[K, asyncio.Task[T]] = {}  # the last asked for is last

    async def ask(self, key: K, work: Callable[[], Coroutine[Any, Any, T]], seconds: float) -> T | None:
        """The result, or None if it is not there within so many seconds: the work goes on, so ask again later."""
        task = self.start(key, work)
        await asyncio.wait({task}, timeout=seconds)
        return task.result() if task.done() else None

    def start(self, key: K, work: Callable[[], Coroutine[Any, Any, T]]) -> asyncio.Task[T]:
        """The task of a key, begun unless it has been."""
        task = self._tasks.pop(key, None)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(work())
            task.add_done_callback(_heard)
        self._tasks[key] = task
        for old in [each for each, job in self._tasks.items() if job.done()][: -self._kept]:
            del self._tasks[old]
        return task

    def kept(self, key: K) -> T | None:
        """The result of work that is done; None if it is not, or failed."""
        task = self._tasks.get(key)
        return task.result() if task and task.done() and not task.cancelled() and not task.exception() else None

    def forget(self, key: K) -> None:
        """Do the work again the next time."""
        self._tasks.pop(key, None)

    async def stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


def _heard(task: asyncio.Task[Any]) -> None:
    """Whoever asks again sees the exception; asyncio would log it if nobody does."""
    if not task.cancelled():
        task.exception()


class Press(ChildProcess):
    """A child process for documents and odds. It ends after each one and gives its memory back."""

    async def print(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        made = await self.call(function, *arguments, **named)
        await self.stop()
        return made
