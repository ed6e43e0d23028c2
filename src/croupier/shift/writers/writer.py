"""The house as its clients see it: orders in, answers out, with crashes and restarts from the log."""

from __future__ import annotations

import asyncio
import traceback
from collections import Counter
from collections.abc import Sequence

from croupier.floor.house.house import House
from croupier.floor.house.vault import Vault
from croupier.law.cite import Refusal
from croupier.ledger import NotRecorded, Recorder, Unknown, open_recorder
from croupier.ledger.entry import Unit
from croupier.ledger.recorders.memory import MemoryRecorder
from croupier.ledger.recorders.recorder import Conflict
from croupier.shift.audit.finding import AuditFinding
from croupier.shift.script import Fault, Order, ScriptStep, WriterAnswer

SNAPSHOT_EVERY = 150  # events: far more often than in production, so that many restarts use one
NOT_RECORDED, UNKNOWN = "not recorded", "unknown"


class Faults:
    """Stands between the house and its recorder. Each fault happens once, in the transaction that holds its key."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.planned: dict[str, Fault] = {}
        self.happened: Counter[str] = Counter()
        self.without_snapshots = False
        self._append, self._snapshot = recorder.append, recorder.snapshot
        setattr(recorder, "append", self.append)  # noqa: B010
        setattr(recorder, "snapshot", self.snapshot)  # noqa: B010

    def append(self, units: Sequence[Unit]) -> list[Conflict | None]:
        due = [self.planned.pop(unit.key) for unit in units if unit.key in self.planned]
        for fault in due:
            self.happened[fault.value] += 1
        if Fault.FULL in due:
            raise NotRecorded("The disk is full.")
        if Fault.LOST in due:
            raise Unknown("The connection was lost.")
        outcome = self._append(units)
        if due:
            raise Unknown("The connection was lost after the write.")
        return outcome

    def snapshot(self, stream: str) -> tuple[int, bytes] | None:
        return None if self.without_snapshots else self._snapshot(stream)


class InProcess:
    """The house in this process, on a recorder with faults."""

    def __init__(self, url: str, vault: Vault | None = None) -> None:
        self.recorder, self._vault = open_recorder(url), vault
        self.faults = Faults(self.recorder)
        self.happened = self.faults.happened
        self._at = 0
        self._house = self._open()

    def _open(self) -> House:
        return House(self.recorder, lambda: self._at, SNAPSHOT_EVERY, self._vault)

    def house(self) -> House:
        """The current house, for reading."""
        return self._house

    async def send(self, step: ScriptStep) -> list[WriterAnswer]:
        """Carry out a step's orders together, or one by one if only some fail, since a transaction fails as a whole.

        In memory, where nothing waits, together is one by one too.
        """
        self._at = step.at
        self.faults.planned = dict(step.faults)
        if 0 < len(step.faults) < len(step.orders) or isinstance(self.recorder, MemoryRecorder):
            return [await self.execute(order) for order in step.orders]
        return list(await asyncio.gather(*(self.execute(order) for order in step.orders)))

    async def execute(self, order: Order) -> WriterAnswer:
        try:
            return WriterAnswer(order.key, await self._house.execute(order.table, order.command, order.by, order.key, order.person))
        except Refusal as refusal:
            return WriterAnswer(order.key, refusal=str(refusal))
        except NotRecorded:
            return WriterAnswer(order.key, failed=NOT_RECORDED)
        except Unknown:
            return WriterAnswer(order.key, failed=UNKNOWN)
        except Exception as problem:
            where = traceback.extract_tb(problem.__traceback__)[-1]
            detail = f"{type(problem).__name__}: {problem} ({where.name}, {where.filename.rpartition('croupier/')[2]})"
            raise AuditFinding("house", f"{order.by} {order.command}: {detail}", order.table) from problem

    async def struck(self, step: ScriptStep) -> None:
        """Crash while carrying out a step, before anyone gets an answer."""
        await self.send(step)
        self._again()

    async def restart(self, *, bare: bool) -> None:
        """Close properly, and rebuild the house from the log, with or without snapshots."""
        await self._house.close()
        self._again(bare=bare)

    def _again(self, *, bare: bool = False) -> None:
        self.faults.without_snapshots = bare
        self._house = read_again(self._open(), self._house)
        self.faults.without_snapshots = False

    async def close(self) -> None:
        await self._house.close()
        self.recorder.close()


def read_again(house: House, before: House) -> House:
    """A new house, with the tables and meters that the one before it had."""
    for name in before.tables:
        house.table(name)
    for stream in before.meters:
        house.meter(stream)
    return house
