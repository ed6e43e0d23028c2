"""Many tasks share a commit, and each gets its own answer."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Sequence
from contextlib import suppress

import pytest

from croupier.ledger import Conflict, NotRecorded, Recorder, Unit, Unknown, canonical, follow
from croupier.ledger.recorders.committer import Committer
from croupier.ledger.recorders.memory import MemoryRecorder
from tests.recorders.writing import chain


class Slow:
    """A recorder whose commits the test releases one by one."""

    instant = False

    def __init__(self) -> None:
        self.model = MemoryRecorder()
        self.begun = 0
        self.batches: list[int] = []
        self.gate = threading.Semaphore(0)
        self.problem: Exception | None = None

    def append(self, units: Sequence[Unit]) -> list[Conflict | None]:
        self.begun += 1
        assert self.gate.acquire(timeout=10)
        self.batches.append(len(units))
        if self.problem:
            raise self.problem
        return self.model.append(units)

    def __getattr__(self, name: str) -> object:
        return getattr(self.model, name)


async def play(committer: Committer, recorder: Recorder, stream: str, times: int) -> None:
    version, previous = recorder.head(stream)
    for number in range(times):
        version += 1
        entry = follow(stream, version, previous, canonical(number))
        await committer.append(Unit((entry,), f"{stream}-{number}", b"%d" % number))
        assert recorder.head(stream) == (version, entry.hash), "acknowledged before it was written"
        previous = entry.hash


def test_many_tables_write_at_once(recorder: Recorder) -> None:
    async def main() -> None:
        committer = Committer(recorder)
        await asyncio.gather(*(play(committer, recorder, f"table/T{number}", 20) for number in range(32)))
        await committer.close()

    asyncio.run(main())
    assert len(recorder.streams()) == 32
    assert all(recorder.head(stream)[0] == 20 for stream in recorder.streams())
    assert recorder.reply("table/T31-19") == b"19"


async def begun(slow: Slow, commits: int) -> None:
    async with asyncio.timeout(10):
        while slow.begun < commits:
            await asyncio.sleep(0.001)


async def waiting(committer: Committer, units: Sequence[Unit]) -> list[asyncio.Task[None]]:
    """Tasks that have submitted their units."""
    tasks = [asyncio.create_task(committer.append(unit)) for unit in units]
    for _ in range(5):
        await asyncio.sleep(0)
    return tasks


@pytest.mark.parametrize(("tables", "batches"), [(7, [1, 7]), (50, [1, 50]), (2001, [1, 1000, 1000, 1])])
def test_waiting_tasks_share_commits(tables: int, batches: list[int]) -> None:
    async def main() -> None:
        slow = Slow()
        committer = Committer(slow)  # type: ignore[arg-type]
        first = await waiting(committer, [Unit((), "first")])
        await begun(slow, 1)
        others = await waiting(committer, [Unit((), f"k{number}") for number in range(tables)])
        slow.gate.release(len(batches))
        await asyncio.gather(*first, *others)
        assert slow.batches == batches
        await committer.close()

    asyncio.run(main())


def test_a_conflict_reaches_only_its_own_waiter(recorder: Recorder) -> None:
    async def main() -> None:
        committer = Committer(recorder)
        units = [Unit(chain(recorder, f"table/T{number}", 1), "k2" if number == 7 else f"k{number}") for number in range(10)]
        results = await asyncio.gather(*(committer.append(unit) for unit in units), return_exceptions=True)
        assert [index for index, result in enumerate(results) if result is not None] == [7]
        assert isinstance(results[7], Conflict)
        await committer.close()

    asyncio.run(main())
    assert len(recorder.streams()) == 9


@pytest.mark.parametrize(
    ("problem", "kind"), [(NotRecorded("full"), NotRecorded), (Unknown("lost"), Unknown), (RuntimeError("odd"), Unknown)]
)
def test_a_failed_commit_fails_for_its_units_and_no_others(problem: Exception, kind: type[Exception]) -> None:
    async def main() -> None:
        slow = Slow()
        committer = Committer(slow)  # type: ignore[arg-type]
        before = await waiting(committer, [Unit((), "before")])
        await begun(slow, 1)
        tasks = await waiting(committer, [Unit((), f"k{number}") for number in range(5)])
        slow.gate.release(1)
        await asyncio.gather(*before)
        slow.problem = problem
        slow.gate.release(1)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(result) for result in results] == [kind] * 5
        assert len({id(result) for result in results}) == 5
        slow.problem = None
        slow.gate.release(1)
        await committer.append(Unit((), "k0"))
        await committer.close()

    asyncio.run(main())


def test_a_cancelled_waiter_affects_no_other() -> None:
    async def main() -> None:
        slow = Slow()
        committer = Committer(slow)  # type: ignore[arg-type]
        tasks = await waiting(committer, [Unit((), "running")])
        await begun(slow, 1)
        tasks += await waiting(committer, [Unit((), f"k{number}") for number in range(6)])
        for task in (tasks[0], tasks[3]):
            task.cancel()
        await asyncio.sleep(0)
        slow.gate.release(2)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(result, asyncio.CancelledError) for result in results] == [True, False, False, True, False, False, False]
        await committer.close()
        assert all(slow.model.reply(key) == b"" for key in ("running", "k0", "k1", "k2", "k3", "k4", "k5"))

    asyncio.run(main())


def test_cancelling_at_random_loses_nothing_of_others(recorder: Recorder) -> None:
    async def main() -> None:
        committer = Committer(recorder)
        tasks = [asyncio.create_task(play(committer, recorder, f"table/T{number}", 30)) for number in range(16)]
        for victim in tasks[::3]:
            await asyncio.sleep(0.005)
            victim.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
        await committer.close()

    asyncio.run(main())
    for number in range(16):
        entries = list(recorder.read(f"table/T{number}"))
        assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
        assert number % 3 == 0 or len(entries) == 30


def test_closing_finishes_pending_work_and_accepts_nothing_new() -> None:
    async def main() -> None:
        slow = Slow()
        committer = Committer(slow)  # type: ignore[arg-type]
        tasks = await waiting(committer, [Unit((), f"k{number}") for number in range(3)])
        closing = asyncio.create_task(committer.close())
        await asyncio.sleep(0)
        with pytest.raises(NotRecorded, match="being closed"):
            await committer.append(Unit((), "late"))
        slow.gate.release(2)
        await asyncio.gather(closing, *tasks)
        assert slow.model.reply("k2") == b""

    asyncio.run(main())


def left_behind() -> tuple[Slow, Committer]:
    """A committer whose loop is gone while one unit is being written and another still waits."""
    slow = Slow()
    committer = Committer(slow)  # type: ignore[arg-type]

    async def leave() -> None:
        await waiting(committer, [Unit((), "writing")])
        await begun(slow, 1)
        await waiting(committer, [Unit((), "waiting")])

    asyncio.run(leave())
    slow.gate.release(2)
    return slow, committer


def test_two_loops_one_after_the_other_are_both_written() -> None:
    slow, committer = left_behind()
    asyncio.run(asyncio.wait_for(committer.append(Unit((), "second")), 5))
    asyncio.run(asyncio.wait_for(committer.close(), 5))
    assert all(slow.model.reply(key) == b"" for key in ("writing", "waiting", "second"))


def test_closing_writes_what_an_earlier_loop_left() -> None:
    slow, committer = left_behind()
    asyncio.run(asyncio.wait_for(committer.close(), 5))
    assert slow.model.reply("waiting") == b""


def test_a_loop_that_is_torn_down_leaves_no_task_waiting() -> None:
    slow = Slow()

    async def main() -> None:
        await waiting(Committer(slow), [Unit((), "k")])  # type: ignore[arg-type]
        slow.gate.release(1)

    asyncio.run(main())


def test_the_thread_ends_with_its_committer() -> None:
    """A house that crashed is not closed, and a long shift has many of them."""
    slow = Slow()
    slow.gate.release(1)
    committer = Committer(slow)  # type: ignore[arg-type]
    asyncio.run(committer.append(Unit((), "k")))
    (thread,) = committer._thread._threads
    assert thread.is_alive()
    del committer
    gc.collect()
    thread.join(10)
    assert not thread.is_alive()
