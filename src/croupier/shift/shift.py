"""A whole shift: pits and nights, on all cores. The same seed gives the same verdict on any number of them."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from croupier.shift.audit.finding import AuditFinding
from croupier.shift.night import Result, Task, run
from croupier.shift.script import Script, write
from croupier.shift.shrink import shrink
from croupier.shift.writers.stores import Store

TABLES_A_PIT = 10  # they share a log, and those of one edition their meters
ROUNDS_A_NIGHT = 1_000  # of a pit; then everything starts over, so that memory and scripts stay small
KILLED = 8  # one pit in this many has its writer killed, if the store is on disk

Progress = Callable[[int], None]


@dataclass
class ShiftVerdict:
    seed: int
    tables: int
    store: str
    counts: Counter[str] = field(default_factory=Counter)
    irregularities: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    temperaments: set[str] = field(default_factory=set)
    seconds: float = 0
    finding: AuditFinding | None = None
    script: Script | None = None

    @property
    def holds(self) -> bool:
        return self.finding is None

    @property
    def rounds(self) -> int:
        return self.counts["rounds"]

    def add(self, result: Result) -> None:
        self.counts += result.counts
        self.irregularities += result.irregularities
        self.faults += result.faults
        self.kinds += result.kinds
        self.temperaments |= result.temperaments

    def words(self) -> str:
        if self.finding is None:
            return "Nothing was lost or duplicated, and every account balances."
        return f"The auditor found a problem: {self.finding}"

    def plain(self) -> dict[str, Any]:
        """All but the time it took is the same for the same seed."""
        return {
            "seed": self.seed,
            "tables": self.tables,
            "store": self.store,
            "holds": self.holds,
            "verdict": self.words(),
            **{name: dict(sorted(getattr(self, name).items())) for name in ("counts", "irregularities", "faults", "kinds")},
            "temperaments": sorted(self.temperaments),
            "finding": str(self.finding) if self.finding else None,
            "script": write(self.script).splitlines() if self.script else None,
            "seconds": round(self.seconds, 1),
            "rounds_per_second": round(self.rounds / self.seconds, 1) if self.seconds else None,
        }


def tasks(
    seed: int, tables: int, rounds: int, store: Store, database: str = "", *, faults: bool = True, games: Sequence[str] = ()
) -> list[Task]:
    """The pits and nights of a shift: of these games, or of all."""
    made = []
    for pit, first in enumerate(range(0, tables, TABLES_A_PIT)):
        mine = range(first, min(tables, first + TABLES_A_PIT))
        for night, some in enumerate(_nights(rounds * mine.stop // tables - rounds * first // tables)):
            killed = faults and store is not Store.MEMORY and (pit + night) % KILLED == 0
            made.append(Task(seed, pit, night, mine, some, store, database, faults, killed, tuple(games)))
    return made


def _nights(rounds: int) -> Iterator[int]:
    while rounds > 0:
        yield min(rounds, ROUNDS_A_NIGHT)
        rounds -= ROUNDS_A_NIGHT


def work(planned: Sequence[Task], workers: int = 0, progress: Progress = lambda rounds: None) -> ShiftVerdict:
    """Run a shift. The first night, in their order, that finds something ends it."""
    first = planned[0]
    verdict = ShiftVerdict(first.seed, max(task.tables.stop for task in planned), first.store.value)
    began = time.monotonic()
    for result in _results(planned, workers or os.cpu_count() or 1, progress):
        verdict.add(result)
        if result.finding:
            verdict.finding = result.finding
            verdict.script = shrink(first.seed, result.steps, result.finding, first.store, first.database)
            break
    verdict.seconds = time.monotonic() - began
    return verdict


def _results(planned: Sequence[Task], workers: int, progress: Progress) -> Iterator[Result]:
    if workers == 1 or len(planned) == 1:
        for task in planned:
            yield run(task)
            progress(task.rounds)
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(run, task) for task in planned]
        for task, future in zip(planned, futures, strict=True):
            future.add_done_callback(partial(_report, progress, task.rounds))
        try:
            for future in futures:
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _report(progress: Progress, rounds: int, done: Future[Result]) -> None:
    if not done.cancelled():
        progress(rounds)


def length(script: Script) -> str:
    return f"{len(script.steps)} steps, {sum(len(step.orders) for step in script.steps)} orders"
