"""The report on shuffles: many shuffles, made on all cores by the function that shuffles for play, and tested."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from os import cpu_count
from signal import SIG_IGN, SIGINT, signal
from typing import TYPE_CHECKING

from croupier.floor.house.shuffle import OS, RandomSource, Seeded, shuffled

if TYPE_CHECKING:  # workers only shuffle and need no numerics
    from croupier.odds.randomness.shuffle_tests import ShuffleResult

CHUNK = 5_000  # shuffles that one worker makes at a time; with a seed, each chunk has its own source
FEWEST = 1_000
Shuffle = Callable[[Sequence[int], RandomSource], list[int]]


def report(
    shuffles: int,
    *,
    jokers: int = 0,
    seed: int | None = None,
    shuffle: Shuffle = shuffled,
    workers: int = 0,
    watch: Callable[[int], None] = lambda _: None,
) -> list[ShuffleResult]:
    """Test `shuffles` shuffles of a new deck. With a seed, the result does not depend on the number of workers."""
    assert shuffles >= FEWEST
    jobs = [_Job(shuffle, 52 + jokers, min(CHUNK, shuffles - start), seed, start) for start in range(0, shuffles, CHUNK)]
    return report_on(_made(jobs, min(workers or cpu_count() or 1, len(jobs))), jokers=jokers, watch=watch)[1]


def report_on(
    orders: Iterable[bytes], *, jokers: int = 0, watch: Callable[[int], None] = lambda _: None
) -> tuple[int, list[ShuffleResult]]:
    """Test shuffles that were made elsewhere, given in parts, one byte per card. How many there were, and the results."""
    from croupier.odds.randomness.shuffle_tests import ShuffleCounts

    tally = ShuffleCounts(jokers)
    for part in orders:
        tally.add(part)
        watch(len(part) // (52 + jokers))
    return tally.shuffles, tally.verdicts() if tally.shuffles >= FEWEST else []


def source_from(seed: int | None, start: int) -> RandomSource:
    """The source of the chunk that starts with this shuffle: the operating system's generator, or one of a demonstration."""
    return OS if seed is None else Seeded(f"{seed} from {start}")


@dataclass(frozen=True)
class _Job:
    shuffle: Shuffle
    cards: int
    count: int
    seed: int | None
    start: int


def _make(job: _Job) -> bytes:
    """The shuffles of a job, one byte per card. Each starts from a new deck, as at a table."""
    source = source_from(job.seed, job.start)
    new = range(job.cards)
    return b"".join(bytes(job.shuffle(new, source)) for _ in range(job.count))


def _made(jobs: Sequence[_Job], workers: int) -> Iterator[bytes]:
    """The shuffles of all jobs in order, with only a few results waiting at a time."""
    if workers == 1:
        yield from map(_make, jobs)
        return
    # Spawn: a fork would copy locks that threads hold. The parent handles Ctrl-C.
    with ProcessPoolExecutor(workers, get_context("spawn"), signal, (SIGINT, SIG_IGN)) as pool:
        waiting: deque[Future[bytes]] = deque()
        for job in jobs:
            waiting.append(pool.submit(_make, job))
            if len(waiting) > 3 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
