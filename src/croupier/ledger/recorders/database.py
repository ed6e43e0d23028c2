"""The common part of the database recorders: how batches are checked and written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hmac import compare_digest
from hmac import digest as hmac
from threading import Lock
from typing import Any, LiteralString

from croupier.ledger.entry import Entry, Unit, genesis
from croupier.ledger.recorders.recorder import ANOTHER, Conflict, Foreign, Head, NotRecorded, Recorder, Unreadable, check_units

PAGE = 500  # entries read at a time, so that no transaction stays open and memory stays bounded

# {0} is a value; {1} the tag of an entry or, where rows are written, what lets a statement number them.
HEAD = "SELECT version, hash, {1} FROM entries WHERE stream = {0} ORDER BY version DESC LIMIT 1"
READ = """SELECT version, body, sealed, hash, {1} FROM entries WHERE stream = {0} AND version > {0}
    ORDER BY version LIMIT {0}"""
STREAMS = """WITH RECURSIVE names(name) AS (
    SELECT min(stream) FROM entries
    UNION ALL SELECT (SELECT min(stream) FROM entries WHERE stream > name) FROM names WHERE name IS NOT NULL
) SELECT name FROM names WHERE name IS NOT NULL"""  # skips through the index: DISTINCT would read every entry
HEADS = f"""SELECT name, (SELECT version FROM entries WHERE stream = name ORDER BY version DESC LIMIT 1),
    (SELECT hash FROM entries WHERE stream = name ORDER BY version DESC LIMIT 1),
    (SELECT {{1}} FROM entries WHERE stream = name ORDER BY version DESC LIMIT 1) FROM ({STREAMS}) AS found"""
REPLY = "SELECT reply FROM replies WHERE key = {0}"
REPLIES = "SELECT count(*) FROM replies"
SAVE_SNAPSHOT = """INSERT INTO snapshots (stream, version, state) VALUES ({0}, {0}, {0})
    ON CONFLICT (stream) DO UPDATE SET version = excluded.version, state = excluded.state
    WHERE excluded.version >= snapshots.version"""
SNAPSHOTS = "SELECT stream FROM snapshots"
SNAPSHOT = "SELECT version, state FROM snapshots WHERE stream = {0}"
# As the newest, if the one that it follows still is. Two at once get the same number, and the second is refused.
SAVE_CHECKPOINT = """INSERT INTO checkpoints (number, checkpoint) {1}
    SELECT (SELECT coalesce(max(number), 0) + 1 FROM checkpoints), {0}
    WHERE coalesce((SELECT checkpoint FROM checkpoints ORDER BY number DESC LIMIT 1), {0}) = {0}"""
CHECKPOINTS = "SELECT number, checkpoint FROM checkpoints WHERE number > {0} ORDER BY number LIMIT {0}"
NEWEST_CHECKPOINTS = "SELECT number, checkpoint FROM checkpoints WHERE number < {0} ORDER BY number DESC LIMIT {0}"
CHECKPOINTS_AT_A_TIME = 50
# Writes something small that nobody reads. The value has to change: SQLite does not write pages that stay the same.
TOUCH = "INSERT INTO about VALUES ('settled', 1) ON CONFLICT (name) DO UPDATE SET value = about.value + 1"
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1  # an edited database can hold rows before the first version or number


class Taken(NotRecorded):
    """The database found a version or a key already taken; nothing of the batch is written."""


@dataclass
class Examined:
    """Faults of a database itself, and what could not be examined."""

    faults: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def tag_of(key: bytes, stream: str, version: int, hash_: bytes) -> bytes:
    """The tag that shows that someone with the key wrote an entry. The hash covers its body and all entries before it."""
    return hmac(key, f"{stream}\n{version}\n".encode() + hash_, "sha256")


@dataclass(frozen=True)
class OwnEntries:
    """The entries a process vouches for: up to the heads at a moment, then what it wrote or tried to write, or what is tagged."""

    heads: Mapping[str, Head]
    written: set[tuple[str, int, bytes]]  # stream, version and hash
    keys: Sequence[bytes] = ()

    def has(self, stream: str, version: object, hash_: object, tag: object) -> bool:
        last, last_hash = self.heads.get(stream, (0, b""))
        if not isinstance(version, int) or version < last:
            return isinstance(version, int)
        if version == last:
            return hash_ == last_hash
        return (stream, version, hash_) in self.written or self.is_tagged(stream, version, hash_, tag)

    def is_tagged(self, stream: str, version: int, hash_: object, tag: object) -> bool:
        if not isinstance(hash_, bytes) or not isinstance(tag, bytes):
            return False
        return any(compare_digest(tag, tag_of(key, stream, version, hash_)) for key in self.keys)


class DatabaseReader(ABC):
    """Reads a ledger in a database. If it is held, entries of others are foreign."""

    _held: OwnEntries | None = None

    @abstractmethod
    def _rows(self, statement: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query; raises Unreadable if it fails."""

    @abstractmethod
    def examine(self) -> Examined:
        """Run the database's integrity check, and compare its schema with that of a ledger. Changes nothing."""

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        for entry, tag in self._tagged(stream, after, limit):
            self._need_own(stream, entry.version, entry.hash, tag)
            yield entry

    def _tagged(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[tuple[Entry, object]]:
        """Entries with their tags, which are empty where the database keeps none."""
        while limit is None or limit > 0:
            page = self._rows(READ, stream, after, PAGE if limit is None else min(PAGE, limit))
            if not page:
                return
            for version, body, sealed, hash_, tag in page:
                yield Entry(stream, version, body, sealed, hash_), tag
            after = page[-1][0]
            limit = limit if limit is None else limit - len(page)

    def head(self, stream: str) -> Head:
        for version, hash_, tag in self._rows(HEAD, stream):
            self._need_own(stream, version, hash_, tag)
            return version, hash_
        return 0, genesis(stream)

    def heads(self) -> dict[str, Head]:
        return self._own_and_foreign()[0]

    def foreign(self) -> dict[str, int]:
        return self._own_and_foreign()[1]

    def _own_and_foreign(self) -> tuple[dict[str, Head], dict[str, int]]:
        """The heads that this process vouches for, and the first foreign entry of each stream that continues after them."""
        heads, foreign = dict[str, Head](), dict[str, int]()
        for stream, version, hash_, tag in self._rows(HEADS):
            if self._is_own(stream, version, hash_, tag):
                heads[stream] = (version, hash_)
                continue
            own = self._last_own(stream)
            foreign[stream] = own[0] + 1
            if own[0]:
                heads[stream] = own
        return heads, foreign

    def _last_own(self, stream: str) -> Head:
        last = self._held.heads.get(stream, (0, b"")) if self._held else (0, b"")
        for entry, tag in self._tagged(stream, max(last[0] - 1, 0)):
            if entry.version == last[0] and entry.hash != last[1]:
                raise Foreign(f"{stream}, version {entry.version}: it is not the entry that this server wrote or read.")
            if not self._is_own(stream, entry.version, entry.hash, tag):
                break
            last = (entry.version, entry.hash)
        return last

    def _is_own(self, stream: str, version: object, hash_: object, tag: object) -> bool:
        held = self._held  # read once: another thread may replace it
        return held is None or held.has(stream, version, hash_, tag)

    def _need_own(self, stream: str, version: int, hash_: bytes, tag: object) -> None:
        if not self._is_own(stream, version, hash_, tag):
            raise Foreign(f"{stream}, version {version}: another program wrote it. It has no effect here and is not signed.")

    def streams(self) -> list[str]:
        return [name for (name,) in self._rows(STREAMS)]

    def reply(self, key: str) -> bytes | None:
        rows = self._rows(REPLY, key)
        return rows[0][0] if rows else None

    def replies(self) -> int:
        ((count,),) = self._rows(REPLIES)
        return int(count)

    def snapshots(self) -> list[str]:
        """The names of all snapshots."""
        return [name for (name,) in self._rows(SNAPSHOTS)]

    def snapshot(self, stream: str) -> tuple[int, bytes] | None:
        rows = self._rows(SNAPSHOT, stream)
        return (rows[0][0], rows[0][1]) if rows else None

    def checkpoints(self, *, newest_first: bool = False) -> Iterator[bytes]:
        statement, place = (NEWEST_CHECKPOINTS, HIGHEST) if newest_first else (CHECKPOINTS, LOWEST)
        while page := self._rows(statement, place, CHECKPOINTS_AT_A_TIME):
            for _, checkpoint in page:
                yield checkpoint
            place = page[-1][0]


class DatabaseRecorder(DatabaseReader, Recorder):
    """Checks a batch against remembered heads; the database's unique constraints tell whether these still hold.

    Streams only grow. So if the version after a remembered head is free, that head is current, and nothing needs to be read
    before writing. If it is taken, another process wrote: the heads are read again and the batch is checked again.
    """

    instant = False

    def __init__(self) -> None:
        self._appending = Lock()
        self._heads: dict[str, Head] = {}
        self._unknown = self._settled = 0  # commits with an unknown outcome; how many of them are settled
        self._failed = False  # whether the last write failed

    @property
    def _outcome_unknown(self) -> bool:
        """Whether a commit has to be settled before anything is read."""
        return self._settled < self._unknown

    def hold(self, *keys: bytes) -> None:
        if self.shared and not keys and not self._held:  # nothing tells other processes' entries from a stranger's
            return
        heads, _ = self._own_and_foreign()
        with self._appending:
            held = self._held or OwnEntries({}, set(), keys if self.shared else ())
            since = {each for each in held.written if each[1] > heads.get(each[0], (0, b""))[0]}
            self._held = OwnEntries(heads, since, held.keys)

    def untagged(self, since: Mapping[str, int]) -> dict[str, int]:
        held, found = self._held, dict[str, int]()
        if held is None or not held.keys:
            return found
        for stream, first in since.items():
            for entry, tag in self._tagged(stream, first - 1):
                if not held.is_tagged(stream, entry.version, entry.hash, tag):
                    found[stream] = entry.version
                    break
        return found

    @abstractmethod
    def _execute(self, statement: LiteralString, *values: object) -> int:
        """Execute a statement and count the rows; raise Taken, NotRecorded or Unknown."""

    @abstractmethod
    def _write(self, units: Sequence[Unit]) -> None:
        """Write a batch in one transaction; raise Taken, NotRecorded or Unknown."""

    def append(self, units: Sequence[Unit]) -> list[Conflict | None]:
        with self._appending:
            try:
                conflicts = self._append(units)
            except Unreadable as problem:
                self._failed = True
                raise NotRecorded(str(problem)) from problem
            except Exception:
                self._failed = True
                self._heads.clear()  # they may be out of date
                raise
            self._failed = False
            return conflicts

    def verify_writable(self) -> None:
        if self._failed:
            self._execute(TOUCH)
            self._failed = False

    def save_snapshot(self, stream: str, version: int, state: bytes) -> None:
        self._execute(SAVE_SNAPSHOT, stream, version, state)

    def save_checkpoint(self, checkpoint: bytes, previous: bytes = b"") -> None:
        try:
            written = self._execute(SAVE_CHECKPOINT, checkpoint, b"", previous)
        except Taken:
            written = 0
        if not written:
            raise Conflict(ANOTHER)

    def _append(self, units: Sequence[Unit]) -> list[Conflict | None]:
        """Write a batch, at first by the remembered heads. Terminates: each failure after that excludes one more unit."""
        streams = {entry.stream for unit in units for entry in unit.entries}
        self._load_heads(streams - self._heads.keys())
        conflicts, heads = check_units(units, self._heads, ())
        if any(conflicts) or not self._try_write(units):
            conflicts, heads = self._append_again(units, streams)
        self._heads.update(heads)
        return conflicts

    def _append_again(self, units: Sequence[Unit], streams: set[str]) -> tuple[list[Conflict | None], dict[str, Head]]:
        for _ in range(len(units) + 1):
            self._load_heads(streams)
            taken = {unit.key for unit in units if unit.key and self.reply(unit.key) is not None}
            conflicts, heads = check_units(units, self._heads, taken)
            if self._try_write([unit for unit, conflict in zip(units, conflicts, strict=True) if conflict is None]):
                return conflicts, heads
        raise NotRecorded("The database refuses entries that nobody else has written.")

    def _load_heads(self, streams: set[str]) -> None:
        for stream in streams:
            self._heads.pop(stream, None)
            with suppress(Foreign):  # units that follow it conflict
                self._heads[stream] = self.head(stream)

    def _try_write(self, units: Sequence[Unit]) -> bool:
        if not units:
            return True
        if self._held:  # own even before the commit is known to succeed
            self._held.written.update((entry.stream, entry.version, entry.hash) for unit in units for entry in unit.entries)
        try:
            self._write(units)
        except Taken:
            return False
        return True
