"""What the recorders on a database share: the way a batch is judged and written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any, LiteralString

from croupier.ledger.entry import Entry, Unit, genesis
from croupier.ledger.packing import Packed, pack
from croupier.ledger.recorder import Conflict, Head, NotRecorded, Sifted, Unreadable, sift

PAGE = 500  # entries read at a time: no transaction stays open and memory stays bounded, however long the stream

HEAD = "SELECT version, hash FROM entries WHERE stream = {0} ORDER BY version DESC LIMIT 1"
READ = "SELECT version, body, sealed, hash FROM entries WHERE stream = {0} AND version > {0} ORDER BY version LIMIT {0}"
STREAMS = """WITH RECURSIVE names(name) AS (
    SELECT min(stream) FROM entries
    UNION ALL SELECT (SELECT min(stream) FROM entries WHERE stream > name) FROM names WHERE name IS NOT NULL
) SELECT name FROM names WHERE name IS NOT NULL"""  # from name to name through the index: DISTINCT would look at every entry
HEADS = f"""SELECT name, (SELECT version FROM entries WHERE stream = name ORDER BY version DESC LIMIT 1),
    (SELECT hash FROM entries WHERE stream = name ORDER BY version DESC LIMIT 1) FROM ({STREAMS}) AS found"""
REPLY = "SELECT reply FROM replies WHERE key = {0}"
REPLIES = "SELECT count(*) FROM replies"
SAVE_SNAPSHOT = """INSERT INTO snapshots (stream, version, state) VALUES ({0}, {0}, {0})
    ON CONFLICT (stream) DO UPDATE SET version = excluded.version, state = excluded.state
    WHERE excluded.version >= snapshots.version"""
SNAPSHOT = "SELECT version, state FROM snapshots WHERE stream = {0}"
CHECKPOINTS = "SELECT number, checkpoint FROM checkpoints WHERE number > {0} ORDER BY number LIMIT {0}"
NEWEST_CHECKPOINTS = "SELECT number, checkpoint FROM checkpoints WHERE number < {0} ORDER BY number DESC LIMIT {0}"
CHECKPOINTS_AT_A_TIME = 50
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1  # a database can hold rows before the first version or number


class Taken(NotRecorded):
    """The database itself found a version or a key taken; nothing of the batch is written."""


class Prepared(tuple[Unit, ...]):
    """Units that can all be written, as far as anybody knows without asking the database."""

    sifted: Sifted
    packed: Packed


class DatabaseReader(ABC):
    """Reads a ledger in a database."""

    @abstractmethod
    def _rows(self, statement: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        """What a statement finds; Unreadable if it cannot be asked."""

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        while limit is None or limit > 0:
            page = self._rows(READ, stream, after, PAGE if limit is None else min(PAGE, limit))
            if not page:
                return
            for row in page:
                yield Entry(stream, *row)
            after = page[-1][0]
            limit = limit if limit is None else limit - len(page)

    def head(self, stream: str) -> Head:
        rows = self._rows(HEAD, stream)
        return (rows[0][0], rows[0][1]) if rows else (0, genesis(stream))

    def heads(self) -> dict[str, Head]:
        return {name: (version, hash_) for name, version, hash_ in self._rows(HEADS)}

    def streams(self) -> list[str]:
        return [name for (name,) in self._rows(STREAMS)]

    def reply(self, key: str) -> bytes | None:
        rows = self._rows(REPLY, key)
        return rows[0][0] if rows else None

    def replies(self) -> int:
        ((count,),) = self._rows(REPLIES)
        return int(count)

    def snapshot(self, stream: str) -> tuple[int, bytes] | None:
        rows = self._rows(SNAPSHOT, stream)
        return (rows[0][0], rows[0][1]) if rows else None

    def checkpoints(self, *, newest_first: bool = False) -> Iterator[bytes]:
        statement, place = (NEWEST_CHECKPOINTS, HIGHEST) if newest_first else (CHECKPOINTS, LOWEST)
        while page := self._rows(statement, place, CHECKPOINTS_AT_A_TIME):
            for _, checkpoint in page:
                yield checkpoint
            place = page[-1][0]


class DatabaseRecorder(DatabaseReader):
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


def _streams(units: Sequence[Unit]) -> set[str]:
    return {entry.stream for unit in units for entry in unit.entries}
