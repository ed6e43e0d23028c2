"""The house as its clients see it: orders go in, answers come out, and sometimes it is gone and comes back from its log."""

from __future__ import annotations

import asyncio
import traceback
from collections import Counter
from typing import Protocol

from croupier.floor.house import House
from croupier.law.cite import Refusal
from croupier.ledger import NotRecorded, Recorder, Unknown, open_recorder
from croupier.ledger.memory import MemoryRecorder
from croupier.shift.auditing.finding import Finding
from croupier.shift.faults import Faults
from croupier.shift.orders import Answer, Order, Step

SNAPSHOT_EVERY = 150  # events: far more often than in service, so that many restarts stand on one
NOT_RECORDED, UNKNOWN = "not recorded", "unknown"


class Writer(Protocol):
    """Whoever writes the log of a pit."""

    recorder: Recorder
    happened: Counter[str]

    async def send(self, step: Step) -> list[Answer]:
        """Carry out the orders of a step, all at once."""

    def house(self) -> House:
        """The house as it stands now, to look at."""

    async def struck(self, step: Step) -> None:
        """Be at work on a step, and fall over before anybody hears of it."""

    async def restart(self, *, bare: bool) -> None:
        """Close in order, and build the house again from the log, with or without snapshots."""

    async def close(self) -> None: ...


class InProcess:
    """The house in this process, on a recorder with faults."""

    def __init__(self, url: str) -> None:
        self.recorder = open_recorder(url)
        self.faults = Faults(self.recorder)
        self.happened = self.faults.happened
        self._at = 0
        self._house = self._open()

    def _open(self) -> House:
        return House(self.recorder, lambda: self._at, SNAPSHOT_EVERY)

    def house(self) -> House:
        return self._house

    def at(self, milliseconds: int) -> None:
        """Set the clock."""
        self._at = milliseconds

    async def send(self, step: Step) -> list[Answer]:
        """All at once; but one after another where only some of them fail, since those who share a transaction share its fate.

        In memory, where nothing is waited for, all at once is one after another too.
        """
        self.at(step.at)
        self.faults.planned = dict(step.faults)
        if 0 < len(step.faults) < len(step.orders) or isinstance(self.recorder, MemoryRecorder):
            return [await self.execute(order) for order in step.orders]
        return list(await asyncio.gather(*(self.execute(order) for order in step.orders)))

    async def execute(self, order: Order) -> Answer:
        try:
            return Answer(order.key, await self._house.execute(order.table, order.command, order.by, order.key, order.person))
        except Refusal as refusal:
            return Answer(order.key, refusal=str(refusal))
        except NotRecorded:
            return Answer(order.key, failed=NOT_RECORDED)
        except Unknown:
            return Answer(order.key, failed=UNKNOWN)
        except Exception as problem:
            where = traceback.extract_tb(problem.__traceback__)[-1]
            said = f"{type(problem).__name__}: {problem} ({where.name}, {where.filename.rpartition('croupier/')[2]})"
            raise Finding("house", f"{order.by} {order.command}: {said}", order.table) from problem

    async def struck(self, step: Step) -> None:
        await self.send(step)
        self._again()

    async def restart(self, *, bare: bool) -> None:
        await self._house.close()
        self._again(bare=bare)

    def _again(self, *, bare: bool = False) -> None:
        tables, meters = list(self._house.tables), list(self._house.meters)
        self.faults.without_snapshots = bare
        self._house = self._open()
        for name in tables:
            self._house.table(name)
        for stream in meters:
            self._house.meter(stream)
        self.faults.without_snapshots = False

    async def close(self) -> None:
        await self._house.close()
        self.recorder.close()
