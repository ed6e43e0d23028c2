"""The house as its clients see it: orders in, answers out, with crashes, kills and restarts from the log."""

from __future__ import annotations

import asyncio
import os
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from random import Random

from croupier.floor.house.house import House
from croupier.floor.house.vault import KEY_BYTES, Vault
from croupier.floor.processes.child_process import ChildFailed, ChildProcess
from croupier.law.cite import Refusal
from croupier.ledger import NotRecorded, Recorder, Unknown, open_recorder
from croupier.ledger.entry import Unit
from croupier.ledger.recorders.recorder import Conflict
from croupier.shift.audit.finding import AuditFinding
from croupier.shift.script import Fault, Order, ScriptStep, Then, WriterAnswer

SNAPSHOT_EVERY = 150  # events: far more often than in production, so that many restarts use one
NOT_RECORDED, UNKNOWN = "not recorded", "unknown"
SECONDS_TO_ANSWER = 120.0
LONGEST_WAIT = 0.004  # seconds before a kill: about as long as a step takes


class Faults:
    """Stands between the house and its recorder. Each fault happens once, in the transaction that holds its key."""

    def __init__(self, recorder: Recorder) -> None:
        self.planned: dict[str, Fault] = {}
        self.incidents: Counter[str] = Counter()
        self.without_snapshots = False
        self._append, self._snapshot = recorder.append, recorder.snapshot
        setattr(recorder, "append", self.append)  # noqa: B010
        setattr(recorder, "snapshot", self.snapshot)  # noqa: B010

    def append(self, units: Sequence[Unit]) -> list[Conflict | None]:
        due = [self.planned.pop(unit.key) for unit in units if unit.key in self.planned]
        for fault in due:
            self.incidents[fault.value] += 1
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
        self.incidents = self.faults.incidents
        self._at = 0
        self.house = self._open()

    def _open(self) -> House:
        return House(self.recorder, lambda: self._at, SNAPSHOT_EVERY, self._vault)

    async def send(self, step: ScriptStep) -> list[WriterAnswer]:
        """Carry out a step's orders together, or one by one if only some fail, since a transaction fails as a whole.

        In memory, where nothing waits, together is one by one too.
        """
        self._at = step.at
        self.faults.planned = dict(step.faults)
        if 0 < len(step.faults) < len(step.orders) or self.recorder.instant:
            return [await self.execute(order) for order in step.orders]
        return list(await asyncio.gather(*(self.execute(order) for order in step.orders)))

    async def execute(self, order: Order) -> WriterAnswer:
        try:
            return WriterAnswer(order.key, await self.house.execute(order.table, order.command, order.by, order.key, order.person))
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

    async def crash_during(self, step: ScriptStep) -> None:
        """Crash while carrying out a step, before anyone gets an answer."""
        await self.send(step)
        self._rebuild()

    async def restart(self, *, bare: bool) -> None:
        """Close properly, and rebuild the house from the log, with or without snapshots."""
        await self.house.close()
        self._rebuild(bare=bare)

    def _rebuild(self, *, bare: bool = False) -> None:
        self.faults.without_snapshots = bare
        self.house = read_again(self._open(), self.house)
        self.faults.without_snapshots = False

    async def close(self) -> None:
        await self.house.close()
        self.recorder.close()


def read_again(house: House, before: House) -> House:
    """A new house, with the tables and meters that the one before it had."""
    for name in before.tables:
        house.table(name)
    for stream in before.meters:
        house.meter(stream)
    return house


class Remote:
    """The house in a process that can be killed at any moment: what it acknowledged must survive. Reads the log independently."""

    def __init__(self, url: str, seed: str) -> None:
        self._url, self._random = url, Random(seed)
        self.recorder = open_recorder(url)
        self.incidents: Counter[str] = Counter()
        self._key, self._bare = os.urandom(KEY_BYTES), False
        self.house = self._look()
        self._child = ChildProcess(SECONDS_TO_ANSWER, nice=0)

    def _look(self) -> House:
        return House(self.recorder, vault=Vault(self._key))

    async def send(self, step: ScriptStep) -> list[WriterAnswer]:
        answers = await self._carry_out(step)
        for table in {order.table for order in step.orders}:  # acknowledged means on disk: anyone who reads the log sees it now
            self.house.catch_up(self.house.table(table))
        self.house.meters.clear()  # the writer may have moved them; they are read again on demand
        return answers

    async def _carry_out(self, step: ScriptStep) -> list[WriterAnswer]:
        try:
            answers = await self._child.call(_carry_out, self._url, self._key, self._bare, step)
        except ChildFailed as problem:
            raise AuditFinding("writer", f"the writer process does not answer: {problem}") from problem
        if isinstance(answers, AuditFinding):
            raise answers
        return answers

    async def crash_during(self, step: ScriptStep) -> None:
        """The writer dies while working, or after its work but before its answer arrives."""
        wait = SECONDS_TO_ANSWER if step.then is Then.CRASH else self._random.uniform(0, LONGEST_WAIT)
        with suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._carry_out(step)
        await self._child.stop()
        self._bare = False

    async def restart(self, *, bare: bool) -> None:
        await self._end()
        self._bare, self.house = bare, read_again(self._look(), self.house)

    async def _end(self) -> None:
        if self._child.is_running:
            await self._child.call(_close, self._url, self._key, self._bare)
            await self._child.stop()

    async def close(self) -> None:
        await self._end()
        self.recorder.close()


Writer = InProcess | Remote  # whoever writes the log of a pit

# in the writer's process


@cache
def _writer(url: str, key: bytes, bare: bool) -> tuple[InProcess, asyncio.Runner]:
    writer = InProcess(url, Vault(key))
    writer.faults.without_snapshots = bare
    return writer, asyncio.Runner()


def _carry_out(url: str, key: bytes, bare: bool, step: ScriptStep) -> list[WriterAnswer] | AuditFinding:
    writer, runner = _writer(url, key, bare)
    try:
        return runner.run(writer.send(step))
    except AuditFinding as finding:
        return finding


def _close(url: str, key: bytes, bare: bool) -> None:
    writer, runner = _writer(url, key, bare)
    runner.run(writer.close())
