"""Units per second that each recorder takes from 64 busy tables: python -m tests.recorders.bench [microseconds of work per unit]

Each table submits a unit (an entry of about 500 bytes, a key, a reply), waits until it is durable, and then works for a while, like
a table that computes. Compared with the rate in memory, this shows what group commit costs.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from croupier.ledger import Recorder, Unit, canonical, follow, open_recorder
from croupier.ledger.recorders.committer import Committer
from tests.recorders.conftest import place

TABLES = 64
SECONDS = 5.0
BODY = canonical({"event": "x" * 480})
REPLY = b"r" * 150


def work(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


async def play(committer: Committer, recorder: Recorder, stream: str, seconds_of_work: float, until: float) -> int:
    version, previous = recorder.head(stream)
    start = version
    while time.perf_counter() < until:
        version += 1
        entry = follow(stream, version, previous, BODY, b"s" * 100)
        previous = entry.hash
        work(seconds_of_work)
        await committer.append(Unit((entry,), f"{stream}-{version}", REPLY))
        await asyncio.sleep(0)
    return version - start


async def measure(recorder: Recorder, seconds_of_work: float) -> float:
    committer = Committer(recorder)
    began = time.perf_counter()
    tables = [play(committer, recorder, f"table/T{number}", seconds_of_work, began + SECONDS) for number in range(TABLES)]
    units = sum(await asyncio.gather(*tables))
    await committer.close()
    return units / (time.perf_counter() - began)


def main(microseconds: int) -> None:
    in_memory = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("memory", "sqlite", "postgres"):
            recorder = open_recorder(place(kind, Path(folder)))
            rate = asyncio.run(measure(recorder, microseconds / 1e6))
            in_memory = in_memory or rate
            recorder.close()
            print(f"{kind:10}{rate:12,.0f} units/s {rate / in_memory:8.0%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
