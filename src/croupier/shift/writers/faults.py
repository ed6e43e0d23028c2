"""A recorder that fails on demand: a full disk, a connection lost before or after the write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from croupier.ledger.entry import Unit
from croupier.ledger.recorders.recorder import Conflict, NotRecorded, Recorder, Unknown
from croupier.shift.script import Fault


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
