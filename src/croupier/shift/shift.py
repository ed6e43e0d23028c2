"""A whole shift: pits and nights, on all cores. The same seed gives the same verdict on any number of them."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from croupier.shift.night import NightResult, NightTask, run_night
from croupier.shift.script import ShiftScript, write_script
from croupier.shift.shrink import shrink
from croupier.shift.writers.stores import Store

TABLES_A_PIT = 10  # they share a log, and those of one edition their meters
ROUNDS_A_NIGHT = 1_000  # of a pit; then everything starts over, so that memory and scripts stay small
KILLED = 8  # one pit in this many has its writer killed, if the store is on disk

Progress = Callable[[int], None]


@dataclass
class ShiftVerdict(NightResult):
    seed: int = 0
    tables: int = 0
    store: str = ""
    seconds: float = 0
    script: ShiftScript | None = None

    @property
    def holds(self) -> bool:
        return self.finding is None

    @property
    def rounds(self) -> int:
        return self.counts["rounds"]

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
            "script": write_script(self.script).splitlines() if self.script else None,
            "seconds": round(self.seconds, 1),
            "rounds_per_second": round(self.rounds / self.seconds, 1) if self.seconds else None,
        }


def plan_nights(
    seed: int, tables: int, rounds: int, store: Store, database: str = "", *, faults: bool = True, games: Sequence[str] = ()
) -> list[NightTask]:
    """The pits and nights of a shift: of these games, or of all."""
    nights = []
    for pit, first in enumerate(range(0, tables, TABLES_A_PIT)):
        mine = range(first, min(tables, first + TABLES_A_PIT))
        for night, some in enumerate(_nights(rounds * mine.stop // tables - rounds * first // tables)):
            killed = faults and store is not Store.MEMORY and (pit + night) % KILLED == 0
            nights.append(NightTask(seed, pit, night, mine, some, store, database, faults, killed, tuple(games)))
    return nights


def _nights(rounds: int) -> Iterator[int]:
    while rounds > 0:
        yield min(rounds, ROUNDS_A_NIGHT)
        rounds -= ROUNDS_A_NIGHT


def run_shift(planned: Sequence[NightTask], workers: int = 0, progress: Progress = lambda rounds: None) -> ShiftVerdict:
    """Run a shift. The first night, in their order, that finds something ends it."""
    first = planned[0]
    verdict = ShiftVerdict(seed=first.seed, tables=max(task.tables.stop for task in planned), store=first.store.value)
    began = time.monotonic()
    for task, result in zip(planned, _results(planned, workers or os.cpu_count() or 1), strict=True):
        verdict.add(result)
        progress(task.rounds)
        if result.finding:
            verdict.finding = result.finding
            verdict.script = shrink(first.seed, result.steps, result.finding, first.store, first.database)
            break
    verdict.seconds = time.monotonic() - began
    return verdict


def _results(planned: Sequence[NightTask], workers: int) -> Iterator[NightResult]:
    if workers == 1 or len(planned) == 1:
        yield from map(run_night, planned)
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(run_night, planned)  # which cancels what has not begun when the first finding ends the shift
