"""The report on shuffles: many of them, made on all cores by the function that shuffles for play, and counted here."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from os import cpu_count
from signal import SIG_IGN, SIGINT, signal
from typing import TYPE_CHECKING

from croupier.floor.shuffling import OS, Seeded, Source, shuffled

if TYPE_CHECKING:  # workers only shuffle and need no numerics
    from croupier.odds.randomness import Verdict

CHUNK = 5_000  # shuffles that one worker makes at a time, with a source of its own where there is a seed
FEWEST, MOST = 1_000, 100_000_000
Shuffle = Callable[[Sequence[int], Source], list[int]]


def report(
    shuffles: int,
    *,
    jokers: int = 0,
    seed: int | None = None,
    shuffle: Shuffle = shuffled,
    workers: int = 0,
    watch: Callable[[int], None] = lambda _: None,
) -> list[Verdict]:
    """Judge so many shuffles of a new deck. With a seed the answer is the same on any number of workers."""
    assert FEWEST <= shuffles <= MOST
    from croupier.odds.randomness import Tally

    tally = Tally(jokers)
    jobs = [_Job(shuffle, 52 + jokers, min(CHUNK, shuffles - start), seed, start) for start in range(0, shuffles, CHUNK)]
    for job, orders in zip(jobs, _made(jobs, min(workers or cpu_count() or 1, len(jobs))), strict=True):
        tally.add(orders)
        watch(job.count)
    return tally.verdicts()


@dataclass(frozen=True)
class _Job:
    shuffle: Shuffle
    cards: int
    count: int
    seed: int | None
    start: int


def _make(job: _Job) -> bytes:
    """Shuffles one after the other, a byte to a card; each begins with a new deck, as a table does."""
    source = OS if job.seed is None else Seeded(f"{job.seed} from {job.start}")
    new = range(job.cards)
    return b"".join(bytes(job.shuffle(new, source)) for _ in range(job.count))


def _made(jobs: Sequence[_Job], workers: int) -> Iterator[bytes]:
    """The jobs' shuffles in order; only a few wait to be counted, however many there are."""
    if workers == 1:
        yield from map(_make, jobs)
        return
    # Fresh processes, for a fork would copy locks that threads hold; Ctrl-C is the parent's to answer.
    with ProcessPoolExecutor(workers, get_context("spawn"), signal, (SIGINT, SIG_IGN)) as pool:
        waiting: deque[Future[bytes]] = deque()
        for job in jobs:
            waiting.append(pool.submit(_make, job))
            if len(waiting) > 3 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
