"""A recorder that keeps the log in memory, for tests, trials and demonstrations. The others are tested against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from threading import Lock

from croupier.ledger.entry import Entry, Unit, genesis
from croupier.ledger.recorders.recorder import ANOTHER, Conflict, Head, Recorder, check_units


class MemoryRecorder(Recorder):
    """The log of one process. It is lost when the process ends."""

    shared = False
    instant = True

    def __init__(self) -> None:
        self._lock = Lock()
        self._streams: dict[str, list[Entry]] = {}
        self._replies: dict[str, bytes] = {}
        self._snapshots: dict[str, tuple[int, bytes]] = {}
        self._checkpoints: list[bytes] = []

    def append(self, units: Sequence[Unit]) -> list[Conflict | None]:
        with self._lock:
            heads = {entry.stream: self.head(entry.stream) for unit in units for entry in unit.entries}
            conflicts, _ = check_units(units, heads, self._replies)
            for unit, conflict in zip(units, conflicts, strict=True):
                if conflict is None:
                    for entry in unit.entries:
                        self._streams.setdefault(entry.stream, []).append(entry)
                    if unit.key:
                        self._replies[unit.key] = unit.reply
            return conflicts

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        stop = None if limit is None else after + limit
        return islice(self._streams.get(stream, ()), after, stop)

    def head(self, stream: str) -> Head:
        entries = self._streams.get(stream)
        return (entries[-1].version, entries[-1].hash) if entries else (0, genesis(stream))

    def streams(self) -> list[str]:
        return sorted(self._streams)

    def heads(self) -> dict[str, Head]:
        with self._lock:
            return {stream: self.head(stream) for stream in self.streams()}

    def reply(self, key: str) -> bytes | None:
        return self._replies.get(key)

    def replies(self) -> int:
        return len(self._replies)

    def save_snapshot(self, stream: str, version: int, state: bytes) -> None:
        with self._lock:
            if version >= self._snapshots.get(stream, (0, b""))[0]:
                self._snapshots[stream] = (version, state)

    def snapshot(self, stream: str) -> tuple[int, bytes] | None:
        return self._snapshots.get(stream)

    def save_checkpoint(self, checkpoint: bytes, previous: bytes = b"") -> None:
        with self._lock:
            if previous != (self._checkpoints[-1] if self._checkpoints else b""):
                raise Conflict(ANOTHER)
            self._checkpoints.append(checkpoint)

    def checkpoints(self, *, newest_first: bool = False) -> Iterator[bytes]:
        return iter(self._checkpoints[:: -1 if newest_first else 1])
