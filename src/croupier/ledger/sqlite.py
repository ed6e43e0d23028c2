"""The recorder of a single machine: one SQLite file, write-ahead log, every commit on disk before it is acknowledged."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, RLock
from typing import Any
from weakref import WeakSet

from croupier.ledger import database, writing
from croupier.ledger.database import DatabaseRecorder, Prepared, Taken
from croupier.ledger.keys import create_private
from croupier.ledger.packing import Packed
from croupier.ledger.recorder import ANOTHER, Conflict, NotRecorded, Unknown, Unreadable
from croupier.ledger.scribe import Scribe

DATABASE = b"SQLite format 3\0"  # the first bytes of a file
APPLICATION_ID = 0x43524F55  # "CROU", at byte 68 of it

_APPEND_ONLY = """CREATE TRIGGER {table}_{verb}_refused BEFORE {verb} ON {table}
    BEGIN SELECT RAISE(ABORT, 'the {table} of a ledger are only ever added to'); END"""

# Each step brings a file from one version of the schema to the next. A step that was released is never changed.
SCHEMA: tuple[tuple[str, ...], ...] = (
    (
        f"PRAGMA application_id = {APPLICATION_ID}",
        "CREATE TABLE about (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
        "INSERT INTO about VALUES ('schema', 0)",
        """CREATE TABLE entries (position INTEGER PRIMARY KEY, stream TEXT NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL,
            sealed BLOB NOT NULL, hash BLOB NOT NULL, UNIQUE (stream, version))""",
        "CREATE TABLE replies (key TEXT NOT NULL UNIQUE, reply BLOB NOT NULL)",
        "CREATE TABLE snapshots (stream TEXT PRIMARY KEY, version INTEGER NOT NULL, state BLOB NOT NULL)",
        "CREATE TABLE checkpoints (number INTEGER PRIMARY KEY, checkpoint BLOB NOT NULL)",
        *(
            _APPEND_ONLY.format(table=table, verb=verb)
            for table in ("entries", "replies", "checkpoints")
            for verb in ("UPDATE", "DELETE")
        ),
        # INSERT OR REPLACE deletes without asking the trigger above.
        """CREATE TRIGGER entries_REPLACE_refused BEFORE INSERT ON entries
            WHEN EXISTS (SELECT 1 FROM entries WHERE stream = NEW.stream AND version = NEW.version)
            BEGIN SELECT RAISE(ABORT, 'the entries of a ledger are only ever added to'); END""",
    ),
)

# Something has to change: SQLite writes no page that stays as it is.
_SETTLE = "INSERT INTO about VALUES ('settled', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1"

# As the newest, if the one that it follows is still the newest.
_SAVE_CHECKPOINT = """INSERT INTO checkpoints (number, checkpoint)
    SELECT (SELECT coalesce(max(number), 0) + 1 FROM checkpoints), ?
    WHERE coalesce((SELECT checkpoint FROM checkpoints ORDER BY number DESC LIMIT 1), x'') = ?"""

DAMAGE = (sqlite3.Error, UnicodeDecodeError)  # a message that quotes damaged bytes is no text


class SqliteRecorder(DatabaseRecorder):
    """One connection writes, another reads meanwhile."""

    shared = False

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        super().__init__()
        self.path = Path(path)
        self._reading, self._writing = Lock(), Lock()
        self._scribe: Scribe | None = None
        with _OPENING:
            self._open(create=create)
            _OPEN.add(self)

    def _open(self, *, create: bool) -> None:
        _inspect(self.path, create=create)
        try:
            if create:
                create_private(self.path)  # SQLite gives the files beside it the same mode
            self._writer = writing.connect(self.path)
            _migrate(self._writer, self.path)
            writing.make_ready(self._writer)
            self._reader = writing.connect(self.path)
            self._reader.execute("PRAGMA query_only = ON")
            self._reader.execute("SELECT 1 FROM about").fetchone()  # which opens the log, too
        except (*DAMAGE, OSError) as problem:
            raise Unreadable(f"{self.path} cannot be opened as a ledger: {problem}.") from problem
        self.stat = self.path.stat()
        self._file = self.path.resolve(), ""
        with suppress(OSError):
            self._file = self._file[0], writing.identity(self._file[0])

    def begin(self) -> None:
        """Somebody begins to write here. Whoever did before may have been cut off, and what became of that is settled first."""
        if self._scribe and self._scribe.loop.is_closed():
            self._scribe.end()
        self._unknown += 1

    def scribe(self) -> Scribe:
        """A process that writes to this file too, for batches that were prepared here. It answers with what `heard` takes."""
        self._scribe = Scribe(*self._file)
        return self._scribe

    def heard(self, prepared: Prepared, what: str, said: str) -> list[Conflict | None]:
        """Take note of what a scribe answered, as if `append` had written here."""
        if what == writing.WRITTEN:
            self._need_place(Unknown)
            self._heads.update(prepared.sifted.heads)
            return prepared.sifted.conflicts
        raise self._failure(what, said)

    def heard_nothing(self) -> None:
        """A scribe was sent away with a batch in its hands."""
        self._unknown += 1

    def _write(self, packed: Packed) -> None:
        with self._writing, self._told():
            writing.write(self._writer, packed)
        self._need_place(Unknown)

    def gone(self) -> str:
        """Why this is no longer the ledger at its path; empty while it is. What is written then is lost with the file."""
        if _is_at(self._file[0], self.stat):
            return ""
        return f"{self.path} was removed or replaced while it was in use."

    def _need_place(self, kind: type[Unknown | Unreadable]) -> None:
        if why := self.gone():
            raise kind(why)

    def _change(self, statement: str, *values: object) -> int:
        """Write, and count the rows."""
        with self._appending, self._writing, self._told():  # nothing is prepared meanwhile, so that a busy scribe makes room
            return self._writer.execute(statement.format("?"), values).rowcount

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell the failures of a writing statement apart."""
        try:
            yield
        except Exception as problem:  # SQLite's, or that of a memory which is full
            raise self._failure(writing.fate(problem), str(problem) or repr(problem)) from problem

    def _failure(self, what: str, said: str) -> Exception:
        if what == writing.TAKEN:
            return Taken(said)
        if what == writing.UNKNOWN:
            self._unknown += 1
            return Unknown(f"{self.path}: {said} while committing; it may be written or not.")
        return NotRecorded(f"{self.path}: nothing was written: {said}.")

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        self._need_place(Unreadable)
        try:
            if self._outcome_unknown:
                self._settle()
            with self._reading:
                return self._reader.execute(statement.format("?"), values).fetchall()
        except DAMAGE as problem:
            raise Unreadable(f"{self.path} cannot be read: {problem}.") from problem

    def _settle(self) -> None:
        """Write over what a failed commit may have left in the log, or a crash could bring back what was found missing."""
        with self._writing:
            due = self._unknown
            self._writer.execute(_SETTLE)
            self._settled = due

    def save_snapshot(self, stream: str, version: int, state: bytes) -> None:
        self._change(database.SAVE_SNAPSHOT, stream, version, state)

    def save_checkpoint(self, checkpoint: bytes, previous: bytes = b"") -> None:
        try:
            written = self._change(_SAVE_CHECKPOINT, checkpoint, previous)
        except Taken:
            written = 0
        if not written:
            raise Conflict(ANOTHER)

    def close(self) -> None:
        with self._reading, self._writing:
            self._reader.close()
            self._writer.close()
        with _OPENING:
            _OPEN.discard(self)


_OPEN: WeakSet[SqliteRecorder] = WeakSet()  # in this process
_OPENING = RLock()


def first_bytes(path: Path) -> bytes:
    """What a file begins with, by which one knows what it is.

    A ledger that a recorder of this process has open is known. It must not be opened in any way but SQLite's: to close it would
    take all locks on it from this process, and the next to leave, here or elsewhere, would take itself for the last and remove
    the log that is in use.
    """
    with _OPENING:
        found = path.stat()
        if any(os.path.samestat(found, recorder.stat) for recorder in _OPEN):
            return DATABASE.ljust(68, b"\0") + APPLICATION_ID.to_bytes(4, "big")
        with path.open("rb") as file:
            return file.read(100)


def is_ledger(start: bytes) -> bool:
    """Whether a file that begins so is a ledger of croupier."""
    return start.startswith(DATABASE) and start[68:72] == APPLICATION_ID.to_bytes(4, "big")


def _inspect(path: Path, *, create: bool) -> None:
    """Look at a file's first bytes before SQLite may touch it."""
    try:
        start = first_bytes(path)
    except FileNotFoundError:
        if create and path.parent.is_dir():
            return
        raise Unreadable(f"{path} cannot be opened as a ledger: there is no such {'folder' if create else 'file'}.") from None
    except OSError as problem:
        raise Unreadable(f"{path} cannot be opened as a ledger: {problem.strerror}.") from problem
    if start and not is_ledger(start):
        raise Unreadable(f"{path} is not a croupier ledger; it was left as it is.")


def _is_at(path: Path, file: os.stat_result) -> bool:
    try:
        return os.path.samestat(path.stat(), file)
    except OSError:
        return False


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the schema up to date, in a rollback journal when the file is new: so its first bytes tell at once what it is."""
    if _schema(connection) == len(SCHEMA):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in (statement for step in SCHEMA[_schema(connection) :] for statement in step):
            connection.execute(statement)
        if _schema(connection) > len(SCHEMA):
            raise Unreadable(
                f"{path} was written by a newer croupier: its schema is {_schema(connection)}, this one knows {len(SCHEMA)}."
            )
        connection.execute("UPDATE about SET value = ? WHERE name = 'schema'", (len(SCHEMA),))
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _schema(connection: sqlite3.Connection) -> int:
    """The version of a file's schema; 0 while it has none."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'about'").fetchone():
        return 0
    (version,) = connection.execute("SELECT value FROM about WHERE name = 'schema'").fetchone()
    return int(version)
