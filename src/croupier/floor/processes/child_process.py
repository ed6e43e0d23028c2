"""A child process that runs functions for its parent, one at a time, and exits with it, even if the parent is killed.

Functions are passed by module and name, so that the parent does not import what only they need.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
from collections.abc import Callable
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Thread
from typing import Any, ParamSpec, TypeVar

NICE = 10
_PR_SET_PDEATHSIG = 1
_SPAWN = get_context("spawn")
P = ParamSpec("P")
T = TypeVar("T")


class ChildFailed(Exception):
    """A call returned no value; the text says why."""


class ChildProcess:
    """Started by the first call, and again by the next call after a crash, a timeout or a cancellation."""

    def __init__(self, seconds: float, nice: int = NICE) -> None:
        self._seconds, self._nice = seconds, nice
        self._turn = asyncio.Lock()
        self._running: tuple[SpawnProcess, Connection] | None = None

    @property
    def is_busy(self) -> bool:
        return self._turn.locked()

    @property
    def is_running(self) -> bool:
        return self._running is not None and self._running[0].is_alive()

    async def call(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Call a module-level function in the child. Raises ChildFailed if it raises, crashes or takes too long."""
        async with self._turn:
            if self._running is None or not self.is_running:
                self._running = self._start()
            process, pipe = self._running
            try:
                async with asyncio.timeout(self._seconds):
                    found, value = await _exchange(pipe, (function, arguments, named))
            except TimeoutError:
                await self.stop()
                raise ChildFailed(f"it took more than {self._seconds:g} seconds") from None
            except (ConnectionError, EOFError):
                await self.stop()
                raise ChildFailed(f"it ended with exit code {process.exitcode}") from None
            except asyncio.CancelledError:
                await self.stop()  # otherwise the next caller would get this answer
                raise
        if not found:
            raise ChildFailed(value)
        answer: T = value
        return answer

    async def stop(self) -> None:
        running, self._running = self._running, None
        if running:
            running[0].kill()
            await asyncio.to_thread(running[0].join)

    def _start(self) -> tuple[SpawnProcess, Connection]:
        """Start on the event loop's thread: the kernel kills a child when the thread that started it ends."""
        mine, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(target=_serve, args=(theirs, self._nice), daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited by the child: Ctrl-C is for the server
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        return process, mine


async def _exchange(pipe: Connection, call: tuple[Any, ...]) -> tuple[bool, Any]:
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    await asyncio.to_thread(pipe.send, call)
    loop.add_reader(pipe.fileno(), ready.set)  # no thread blocks for minutes
    try:
        await ready.wait()
    finally:
        loop.remove_reader(pipe.fileno())
        os.set_blocking(pipe.fileno(), True)  # uvloop made it non-blocking
    answer: tuple[bool, Any] = await asyncio.to_thread(pipe.recv)
    return answer


def _serve(pipe: Connection, nice: int) -> None:
    """The child: answer calls until the parent is gone."""
    end_with_parent()
    os.nice(nice)
    while True:
        try:
            function, arguments, named = pipe.recv()
        except EOFError:
            return
        try:
            answer = (True, function(*arguments, **named))
        except Exception as problem:
            answer = (False, f"{type(problem).__name__}: {problem}")
        pipe.send(answer)


def end_with_parent() -> None:
    """Exit as soon as the parent process is gone. A surviving worker would hold the port."""
    if parent := parent_process():
        if sys.platform == "linux":  # immediate, even while a computation holds the GIL
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

        def wait() -> None:
            parent.join()
            os._exit(1)

        Thread(target=wait, name="parent", daemon=True).start()
