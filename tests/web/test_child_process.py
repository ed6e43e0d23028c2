"""Functions that run in a child process: their results, their failures, and how the process ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest
import uvloop

from croupier.floor.processes.child_process import NICE, ChildFailed, ChildProcess

LEAST_PRIORITY = 19


def called(function: object, *arguments: object, seconds: float = 60.0) -> object:
    async def scene() -> object:
        child = ChildProcess(seconds)
        try:
            return await child.call(function, *arguments)  # type: ignore[arg-type]
        finally:
            await child.stop()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # as the server does
        return runner.run(scene())


def test_a_function_answers_by_value_at_low_priority_and_in_another_process() -> None:
    assert called(divmod, 649, 12) == (54, 1)
    assert called(os.nice, 0) == min(os.nice(0) + NICE, LEAST_PRIORITY)
    assert called(os.getpid) != os.getpid()
    assert len(str(called(str.__mul__, "x", 3_000_000))) == 3_000_000


def test_ctrl_c_does_not_reach_it() -> None:
    assert signal.SIGINT in called(signal.pthread_sigmask, signal.SIG_BLOCK, ())  # type: ignore[operator]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_failure_is_reported_with_its_reason() -> None:
    with pytest.raises(ChildFailed, match="ZeroDivisionError: "):
        called(divmod, 1, 0)
    with pytest.raises(ChildFailed, match="it ended with exit code 3"):
        called(os._exit, 3)
    with pytest.raises(ChildFailed, match=r"it took more than 0\.5 seconds"):
        called(time.sleep, 60, seconds=0.5)


def test_a_crashed_or_abandoned_process_is_replaced() -> None:
    async def scene() -> None:
        child = ChildProcess(60)
        first = await child.call(os.getpid)
        assert await child.call(os.getpid) == first
        os.kill(first, signal.SIGKILL)
        while child.is_running:
            await asyncio.sleep(0.01)
        second = await child.call(os.getpid)
        assert second != first
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(child.call(time.sleep, 60), 0.2)
        third = await child.call(os.getpid)
        assert third not in (first, second)
        with pytest.raises(ChildFailed):
            await child.call(divmod, 1, 0)
        assert await child.call(os.getpid) == third
        await child.stop()
        assert not child.is_running

    asyncio.run(scene())


def test_calls_take_turns() -> None:
    async def scene() -> list[tuple[int, int]]:
        child = ChildProcess(60)
        try:
            return await asyncio.gather(*(child.call(divmod, each, 7) for each in range(20)))
        finally:
            await child.stop()

    assert asyncio.run(scene()) == [divmod(each, 7) for each in range(20)]


def test_the_server_does_not_import_what_computes() -> None:
    code = "import sys, croupier.web.startup; print([name for name in ('numba', 'numpy', 'croupier.cli') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
