"""What the recorders on a database share: the way a batch is judged and written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from threading import Lock

from croupier.ledger.entry import Entry, Unit
from croupier.ledger.packing import Packed, pack
from croupier.ledger.recorder import Conflict, Head, NotRecorded, Sifted, Unreadable, sift

PAGE = 500  # entries read at a time: no transaction stays open and memory stays bounded, however long the stream

HEAD = "SELECT version, hash FROM entries WHERE stream = {0} ORDER BY version DESC LIMIT 1"
READ = "SELECT version, body, sealed, hash FROM entries WHERE stream = {0} AND version > {0} ORDER BY version LIMIT {0}"
STREAMS = """WITH RECURSIVE names(name) AS (
    SELECT min(stream) FROM entries
    UNION ALL SELECT (SELECT min(stream) FROM entries WHERE stream > name) FROM names WHERE name IS NOT NULL
) SELECT name FROM names WHERE name IS NOT NULL"""  # from name to name through the index: DISTINCT would look at every entry
REPLY = "SELECT reply FROM replies WHERE key = {0}"
REPLIES = "SELECT count(*) FROM replies"
SAVE_SNAPSHOT = """INSERT INTO snapshots (stream, version, state) VALUES ({0}, {0}, {0})
    ON CONFLICT (stream) DO UPDATE SET version = excluded.version, state = excluded.state
    WHERE excluded.version >= snapshots.version"""
SNAPSHOT = "SELECT version, state FROM snapshots WHERE stream = {0}"
SAVE_CHECKPOINT = "INSERT INTO checkpoints (checkpoint) VALUES ({0})"
CHECKPOINTS = "SELECT checkpoint FROM checkpoints ORDER BY number"


class Taken(NotRecorded):
    """The database itself found a version or a key taken; nothing of the batch is written."""


class Prepared(tuple[Unit, ...]):
    """Units that can all be written, as far as anybody knows without asking the database."""

    sifted: Sifted
    packed: Packed


class DatabaseRecorder(ABC):
    """Judges a batch by the heads that it remembers, and lets the database's unique constraints say whether they still hold.

    Streams only grow. So if the version after a remembered head is free, that head is the head, and nothing needs to be read
    before writing. If it is not, somebody else wrote: the heads are read again and the batch is judged once more.
    """

    def __init__(self) -> None:
        self._appending = Lock()
        self._heads: dict[str, Head] = {}
        self._unknown = self._settled = 0  # commits that may be written or not; how many of them are settled

    @property
    def _outcome_unknown(self) -> bool:
        """Of a commit: it has to be settled before anything is read."""
        return self._settled < self._unknown

    @abstractmethod
    def _write(self, packed: Packed) -> None:
        """Write a batch in one transaction; raise Taken, NotRecorded or Unknown."""

    @abstractmethod
    def head(self, stream: str) -> Head: ...

    @abstractmethod
    def reply(self, key: str) -> bytes | None: ...

    @abstractmethod
    def _page(self, stream: str, after: int, limit: int) -> list[Entry]:
        """So many entries after a version."""

    def prepare(self, units: Sequence[Unit]) -> Sequence[Unit]:
        if not self._appending.acquire(blocking=False):
            return units
        try:
            return self._prepared(units)
        finally:
            self._appending.release()

    def _prepared(self, units: Sequence[Unit]) -> Sequence[Unit]:
        if not _streams(units) <= self._heads.keys():
            return units
        sifted = sift(units, self._heads, ())
        if any(sifted.conflicts):
            return units
        prepared = Prepared(units)
        prepared.sifted, prepared.packed = sifted, pack(units)
        return prepared

    def append(self, units: Sequence[Unit]) -> list[Conflict | None]:
        with self._appending:
            try:
                return self._append(units)
            except Unreadable as problem:
                raise NotRecorded(str(problem)) from problem
            except Exception:
                self._heads.clear()  # what was remembered may no longer be so
                raise

    def _append(self, units: Sequence[Unit]) -> list[Conflict | None]:
        if not units:
            return []
        if not isinstance(units, Prepared):
            self._remember(_streams(units) - self._heads.keys())
            units = self._prepared(units)
        sifted = units.sifted if isinstance(units, Prepared) and self._written(units.packed) else self._judged_again(units)
        self._heads.update(sifted.heads)
        return sifted.conflicts

    def _judged_again(self, units: Sequence[Unit]) -> Sifted:
        """Whenever the database finds something taken, one more unit of the batch turns out to conflict: this ends."""
        for _ in range(len(units) + 1):
            self._remember(_streams(units))
            sifted = sift(units, self._heads, {unit.key for unit in units if unit.key and self.reply(unit.key) is not None})
            if not sifted.good or self._written(pack(sifted.good)):
                return sifted
        raise NotRecorded("The database refuses entries that nobody else has written.")

    def _remember(self, streams: set[str]) -> None:
        for stream in streams:
            self._heads[stream] = self.head(stream)

    def _written(self, packed: Packed) -> bool:
        try:
            self._write(packed)
        except Taken:
            return False
        return True

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        while limit is None or limit > 0:
            page = self._page(stream, after, PAGE if limit is None else min(PAGE, limit))
            if not page:
                return
            yield from page
            after = page[-1].version
            limit = limit if limit is None else limit - len(page)


def _streams(units: Sequence[Unit]) -> set[str]:
    return {entry.stream for unit in units for entry in unit.entries}
