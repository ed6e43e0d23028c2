"""The recorder of a single machine: one SQLite file, write-ahead log, every commit on disk before it is acknowledged."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from croupier.ledger import database
from croupier.ledger.database import DatabaseRecorder, Taken
from croupier.ledger.entry import Entry, genesis
from croupier.ledger.packing import Packed
from croupier.ledger.recorder import Head, NotRecorded, Unknown, Unreadable

APPLICATION_ID = 0x43524F55  # "CROU", at byte 68 of the file

BUSY_SECONDS = 10.0  # how long to wait while another process writes
PAGES_BEFORE_CHECKPOINT = 4000  # 16 MB: batches touch the same pages again and again, and the log takes them in one by one

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

# A view of this connection alone, to which a whole batch is inserted as one row: one statement, one transaction.
_BATCH = (
    "CREATE TEMP VIEW batch AS SELECT x'' AS bytes, '' AS entries, '' AS replies",
    """CREATE TEMP TRIGGER batch_write INSTEAD OF INSERT ON batch BEGIN
    INSERT INTO entries (stream, version, body, sealed, hash) SELECT
        CAST(substr(NEW.bytes, value ->> 1, value ->> 2) AS TEXT), value ->> 0, substr(NEW.bytes, value ->> 3, value ->> 4),
        substr(NEW.bytes, value ->> 5, value ->> 6), substr(NEW.bytes, value ->> 7, 32)
        FROM json_each(NEW.entries);
    INSERT INTO replies (key, reply) SELECT
        CAST(substr(NEW.bytes, value ->> 0, value ->> 1) AS TEXT), substr(NEW.bytes, value ->> 2, value ->> 3)
        FROM json_each(NEW.replies);
    END""",
)

# A commit ends with the write of its last page and then the flush. If any other input or output fails, it may be on disk or not.
_CERTAINLY_NOT_WRITTEN = {sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_LOCK}
DAMAGE = (sqlite3.Error, UnicodeDecodeError)  # a message that quotes damaged bytes is no text


class SqliteRecorder(DatabaseRecorder):
    """One connection writes, another reads meanwhile."""

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        super().__init__()
        self.path = Path(path)
        self._reading, self._writing = Lock(), Lock()
        _inspect(self.path, create=create)
        try:
            self._writer = _connect(self.path)
            _migrate(self._writer, self.path)
            for statement in ("PRAGMA journal_mode = WAL", f"PRAGMA wal_autocheckpoint = {PAGES_BEFORE_CHECKPOINT}", *_BATCH):
                self._writer.execute(statement)
            self._reader = _connect(self.path)
            self._reader.execute("PRAGMA query_only = ON")
        except DAMAGE as problem:
            raise Unreadable(f"{self.path} cannot be opened as a ledger: {problem}.") from problem

    def _write(self, packed: Packed) -> None:
        with self._writing, self._told():
            # `execute` would ask for the number of the last row as well, and stand in line for the interpreter once more.
            self._writer.executemany("INSERT INTO batch VALUES (?, ?, ?)", (packed,))

    def _change(self, statement: str, *values: object) -> None:
        with self._writing, self._told():
            self._writer.execute(statement.format("?"), values)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell the failures of a writing statement apart. SQLite has rolled it back when it reports one."""
        try:
            yield
        except sqlite3.IntegrityError as problem:
            raise Taken(str(problem)) from problem
        except sqlite3.Error as problem:
            code = getattr(problem, "sqlite_errorcode", 0)
            if code & 0xFF == sqlite3.SQLITE_IOERR and code not in _CERTAINLY_NOT_WRITTEN:
                self._outcome_unknown = True
                raise Unknown(f"{self.path}: {problem} while committing; it may be written or not.") from problem
            raise NotRecorded(f"{self.path}: nothing was written: {problem}.") from problem

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
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
            self._writer.execute("UPDATE about SET value = value WHERE name = 'schema'")
            self._outcome_unknown = False

    def _page(self, stream: str, after: int, limit: int) -> list[Entry]:
        return [Entry(stream, *row) for row in self._rows(database.READ, stream, after, limit)]

    def head(self, stream: str) -> Head:
        rows = self._rows(database.HEAD, stream)
        return (rows[0][0], rows[0][1]) if rows else (0, genesis(stream))

    def streams(self) -> list[str]:
        return [name for (name,) in self._rows(database.STREAMS)]

    def reply(self, key: str) -> bytes | None:
        rows = self._rows(database.REPLY, key)
        return rows[0][0] if rows else None

    def replies(self) -> int:
        ((count,),) = self._rows(database.REPLIES)
        return int(count)

    def save_snapshot(self, stream: str, version: int, state: bytes) -> None:
        self._change(database.SAVE_SNAPSHOT, stream, version, state)

    def snapshot(self, stream: str) -> tuple[int, bytes] | None:
        rows = self._rows(database.SNAPSHOT, stream)
        return (rows[0][0], rows[0][1]) if rows else None

    def save_checkpoint(self, checkpoint: bytes) -> None:
        self._change(database.SAVE_CHECKPOINT, checkpoint)

    def checkpoints(self) -> list[bytes]:
        return [checkpoint for (checkpoint,) in self._rows(database.CHECKPOINTS)]

    def close(self) -> None:
        with self._reading, self._writing:
            self._reader.close()
            self._writer.close()


def _inspect(path: Path, *, create: bool) -> None:
    """Look at a file's first bytes before SQLite may touch it."""
    try:
        with path.open("rb") as file:
            start = file.read(100)
    except FileNotFoundError:
        if create and path.parent.is_dir():
            return
        raise Unreadable(f"{path} cannot be opened as a ledger: there is no such {'folder' if create else 'file'}.") from None
    except OSError as problem:
        raise Unreadable(f"{path} cannot be opened as a ledger: {problem.strerror}.") from problem
    if start and not (start.startswith(b"SQLite format 3\0") and start[68:72] == APPLICATION_ID.to_bytes(4, "big")):
        raise Unreadable(f"{path} is not a croupier ledger; it was left as it is.")


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # where the system's plain flush stops at the drive's cache
    return connection


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
