"""The writer as a process of its own, which can be killed at any moment: what it has acknowledged must be there afterwards."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections import Counter
from random import Random

import msgspec

from croupier.floor.house import House
from croupier.ledger import open_recorder
from croupier.shift.auditing.finding import Finding
from croupier.shift.orders import Answer, Step, Then

SECONDS_TO_ANSWER = 120
LONGEST_WAIT = 0.004  # seconds before a kill: about as long as a step takes
_encode, _answers = msgspec.json.Encoder().encode, msgspec.json.Decoder(list[Answer]).decode


class Remote:
    """Speaks to the writer through pipes, and reads the log for itself."""

    def __init__(self, url: str, seed: str) -> None:
        self._url, self._random = url, Random(seed)
        self.recorder = open_recorder(url)
        self.happened: Counter[str] = Counter()
        self._seen = self._look()
        self._child = self._start()

    def _look(self) -> House:
        return House(self.recorder)

    def _start(self, *, bare: bool = False) -> subprocess.Popen[bytes]:
        arguments = [sys.executable, "-m", "croupier.shift.writing", self._url, *(["bare"] if bare else [])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}  # the same code, wherever this was found
        return subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)

    def house(self) -> House:
        return self._seen

    async def send(self, step: Step) -> list[Answer]:
        self._ask(step)
        answers = self._hear()
        self._catch_up(step)
        return answers

    def _ask(self, step: Step) -> None:
        assert self._child.stdin
        self._child.stdin.write(_encode(step) + b"\n")
        self._child.stdin.flush()

    def _hear(self) -> list[Answer]:
        assert self._child.stdout
        ready, _, _ = select.select([self._child.stdout], [], [], SECONDS_TO_ANSWER)
        line = self._child.stdout.readline() if ready else b""
        if not line:
            raise Finding("writer", "the writing process gives no answer")
        answers = _answers(line)
        for answer in answers:
            if answer.failed.startswith("house: "):
                raise Finding("house", answer.failed.removeprefix("house: "), answer.key.partition("-")[0])
        return answers

    def _catch_up(self, step: Step) -> None:
        """Acknowledged means on disk: everybody who reads the log can see it now."""
        for table in {order.table for order in step.orders}:
            self._seen.catch_up(self._seen.table(table))

    async def struck(self, step: Step) -> None:
        """The writer dies at work, or after its work and before its answer is heard."""
        self._ask(step)
        wait = SECONDS_TO_ANSWER if step.then is Then.CRASH else self._random.uniform(0, LONGEST_WAIT)
        assert self._child.stdout
        select.select([self._child.stdout], [], [], wait)
        self._child.kill()
        self._end()
        self._child = self._start()

    async def restart(self, *, bare: bool) -> None:
        self._end()
        tables, meters = list(self._seen.tables), list(self._seen.meters)
        self._child, self._seen = self._start(bare=bare), self._look()
        for name in tables:
            self._seen.table(name)
        for stream in meters:
            self._seen.meter(stream)

    def _end(self) -> None:
        """Close the pipes; a writer that still lives finishes and goes."""
        self._child.communicate()

    async def close(self) -> None:
        self._end()
        self.recorder.close()
