"""The writer as a separate process, which can be killed at any moment: what it acknowledged must survive."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from contextlib import suppress
from functools import cache
from random import Random

from croupier.floor.house.house import House
from croupier.floor.house.vault import KEY_BYTES, Vault
from croupier.floor.processes.child_process import ChildFailed, ChildProcess
from croupier.ledger import open_recorder
from croupier.shift.audit.finding import AuditFinding
from croupier.shift.script import ScriptStep, Then, WriterAnswer
from croupier.shift.writers.writer import InProcess, read_again

SECONDS_TO_ANSWER = 120.0
LONGEST_WAIT = 0.004  # seconds before a kill: about as long as a step takes


class Remote:
    """Calls the writer in its process, and reads the log for itself."""

    def __init__(self, url: str, seed: str) -> None:
        self._url, self._random = url, Random(seed)
        self.recorder = open_recorder(url)
        self.happened: Counter[str] = Counter()
        self._key, self._bare = os.urandom(KEY_BYTES), False
        self._seen = self._look()
        self._child = ChildProcess(SECONDS_TO_ANSWER, nice=0)

    def _look(self) -> House:
        return House(self.recorder, vault=Vault(self._key))

    def house(self) -> House:
        return self._seen

    async def send(self, step: ScriptStep) -> list[WriterAnswer]:
        answers = await self._carry_out(step)
        for table in {order.table for order in step.orders}:  # acknowledged means on disk: anyone who reads the log sees it now
            self._seen.catch_up(self._seen.table(table))
        self._seen.meters.clear()  # which the writer may have moved: they are read again when somebody looks
        return answers

    async def _carry_out(self, step: ScriptStep) -> list[WriterAnswer]:
        try:
            answers = await self._child.call(_carry_out, self._url, self._key, self._bare, step)
        except ChildFailed as problem:
            raise AuditFinding("writer", f"the writer process does not answer: {problem}") from problem
        if isinstance(answers, AuditFinding):
            raise answers
        return answers

    async def struck(self, step: ScriptStep) -> None:
        """The writer dies while working, or after its work but before its answer arrives."""
        wait = SECONDS_TO_ANSWER if step.then is Then.CRASH else self._random.uniform(0, LONGEST_WAIT)
        with suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._carry_out(step)
        await self._child.stop()
        self._bare = False

    async def restart(self, *, bare: bool) -> None:
        await self._end()
        self._bare, self._seen = bare, read_again(self._look(), self._seen)

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
