"""The recorder for a single machine: one SQLite file with a write-ahead log, every commit on disk before it is acknowledged."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock, RLock
from typing import Any, LiteralString
from weakref import WeakSet

from croupier.ledger.entry import Unit
from croupier.ledger.private_files import create_private
from croupier.ledger.recorders.database import TOUCH, DatabaseReader, DatabaseRecorder, Examined, Taken
from croupier.ledger.recorders.recorder import NotRecorded, Unknown, Unreadable

DATABASE = b"SQLite format 3\0"  # the first bytes of a file
APPLICATION_ID = 0x43524F55  # "CROU", at byte 68 of it

BUSY_SECONDS = 10.0  # to wait while another process writes
PAGES_BEFORE_CHECKPOINT = 4000  # 16 MB: batches change the same pages again and again, and each change is in the log

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

# A commit writes its last page and then flushes. After any other I/O error it may or may not be on disk.
_CERTAINLY_NOT_WRITTEN = {sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_LOCK}

LEAST_FREE = 8 << 20  # bytes on the disk: a few minutes of play, and room for the write-ahead log
DAMAGE = (sqlite3.Error, UnicodeDecodeError)  # an error message that quotes damaged bytes may not decode


class SqliteReader(DatabaseReader):
    """Reads a ledger without writing to it or beside it, even on a read-only disk."""

    def __init__(self, path: str | Path, *, create: bool = False) -> None:
        self.path = Path(path)
        self._reading = Lock()
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        with _OPENING:
            _inspect(self.path, create=create)
            try:
                self._open(create=create)
            except (*DAMAGE, OSError) as problem:
                self._drop_copy()
                raise Unreadable(f"{self.path} cannot be opened as a ledger: {problem}.") from problem
            self.stat = self.path.stat()
            _OPEN.add(self)

    def _open(self, *, create: bool) -> None:
        self._reader = self._connected()
        if not _known_schema(self._reader, self.path):
            raise Unreadable(f"{self.path} is not a croupier ledger; it was not changed.")

    def _connected(self) -> sqlite3.Connection:
        """Without a write-ahead log nobody has the file open. With one, read both, in a copy if the folder is read-only."""
        log = self.path.with_name(self.path.name + "-wal")
        if not log.exists():
            return _reading(self.path, "immutable=1")
        try:
            return _reading(self.path, "mode=ro")
        except sqlite3.OperationalError:
            if os.access(self.path.parent, os.W_OK):
                raise
        self._copy = tempfile.TemporaryDirectory()
        for each in (self.path, log):
            shutil.copyfile(each, Path(self._copy.name) / each.name)
        return _reading(Path(self._copy.name) / self.path.name, "mode=rw")

    def _rows(self, statement: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        try:
            with self._reading:
                return self._reader.execute(statement.format("?", "x''"), values).fetchall()  # the only writer needs no tags
        except DAMAGE as problem:
            raise Unreadable(f"{self.path} cannot be read: {problem}.") from problem

    def examine(self) -> Examined:
        with self._reading:
            return Examined(_faults(self._reader))

    def copy_to(self, path: Path) -> None:
        try:
            with self._reading, closing(sqlite3.connect(path)) as copy:
                self._reader.backup(copy)
        except DAMAGE as problem:
            raise Unreadable(f"{self.path} cannot be copied: {problem}.") from problem

    def close(self) -> None:
        with _OPENING, self._reading:
            self._reader.close()
            self._drop_copy()
            _OPEN.discard(self)

    def _drop_copy(self) -> None:
        if self._copy:
            self._copy.cleanup()


def _reading(path: Path, how: str) -> sqlite3.Connection:
    connection = _connect(f"{path.resolve().as_uri()}?{how}", uri=True)
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # also opens the log
    except BaseException:
        connection.close()
        raise
    return connection


class SqliteRecorder(SqliteReader, DatabaseRecorder):
    """Writes with one connection and reads with another at the same time."""

    shared = False

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        DatabaseRecorder.__init__(self)
        self._writing = Lock()
        super().__init__(path, create=create)
        self._file = self.path.resolve()

    def _open(self, *, create: bool) -> None:
        if create:
            create_private(self.path)  # SQLite creates the files beside it with the same mode
        self._writer = _connect(self.path)
        _migrate(self._writer, self.path)
        self._writer.execute("PRAGMA journal_mode = WAL")
        self._writer.execute(f"PRAGMA wal_autocheckpoint = {PAGES_BEFORE_CHECKPOINT}")
        self._reader = _connect(self.path)
        self._reader.execute("PRAGMA query_only = ON")
        self._reader.execute("SELECT 1 FROM about").fetchone()  # also opens the log

    def begin(self) -> None:
        self._unknown += 1

    def _write(self, units: Sequence[Unit]) -> None:
        entries = [(e.stream, e.version, e.body, e.sealed, e.hash) for unit in units for e in unit.entries]
        replies = [(unit.key, unit.reply) for unit in units if unit.key]
        with self._writing, self._classified_failures(), self._writer:
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer.executemany("INSERT INTO entries (stream, version, body, sealed, hash) VALUES (?, ?, ?, ?, ?)", entries)
            self._writer.executemany("INSERT INTO replies (key, reply) VALUES (?, ?)", replies)
        self._need_place(Unknown)

    def verify_writable(self) -> None:
        free = shutil.disk_usage(self.path.parent).free
        if free < LEAST_FREE:
            raise NotRecorded(f"The disk of the ledger is full: {free // 1024:,} KiB are left, {LEAST_FREE // 1024:,} are needed.")
        super().verify_writable()

    def gone(self) -> str:
        with suppress(OSError):
            if os.path.samestat(self._file.stat(), self.stat):
                return ""
        return f"{self.path} was removed or replaced while it was in use."

    def _need_place(self, kind: type[Unknown | Unreadable]) -> None:
        if why := self.gone():
            raise kind(why)

    def _execute(self, statement: LiteralString, *values: object) -> int:
        with self._writing, self._classified_failures():
            return self._writer.execute(statement.format("?", ""), values).rowcount

    @contextmanager
    def _classified_failures(self) -> Iterator[None]:
        """Turn the failures of a writing statement into Taken, NotRecorded or Unknown."""
        try:
            yield
        except sqlite3.IntegrityError as problem:
            raise Taken(str(problem)) from problem
        except Exception as problem:
            reason = str(problem) or repr(problem)
            if _is_certain(problem):
                raise NotRecorded(f"{self.path}: nothing was written: {reason}.") from problem
            self._unknown += 1
            raise Unknown(f"{self.path}: {reason} during a commit, which may or may not have been written.") from problem

    def _rows(self, statement: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        self._need_place(Unreadable)
        if self._outcome_unknown:
            self._settle()
        return super()._rows(statement, *values)

    def _settle(self) -> None:
        """Overwrite what a failed commit may have left in the log: a crash could bring it back after it was found missing."""
        try:
            with self._writing:
                due = self._unknown
                self._writer.execute(TOUCH)
                self._settled = due
        except DAMAGE as problem:
            raise Unreadable(f"{self.path} cannot be read: {problem}.") from problem

    def close(self) -> None:
        with _OPENING:
            super().close()
            with self._writing:
                self._writer.close()


def _connect(path: str | Path, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=uri)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # on macOS a plain flush stops at the drive's cache
    return connection


def _is_certain(problem: Exception) -> bool:
    """Whether a failed statement has certainly written nothing. SQLite rolls back before it reports a failure."""
    code = getattr(problem, "sqlite_errorcode", 0)
    lost = code & 0xFF == sqlite3.SQLITE_IOERR and code not in _CERTAINLY_NOT_WRITTEN
    return isinstance(problem, sqlite3.Error) and not lost


_OPEN: WeakSet[SqliteReader] = WeakSet()  # in this process
_OPENING = RLock()


def first_bytes(path: Path) -> bytes:
    """The first bytes of a file, which show what it is.

    A ledger that this process has open is not read: closing the file would release all of this process's SQLite locks on it. The
    next connection to close, here or elsewhere, would then believe that it is the last, and remove the log in use.
    """
    with _OPENING:
        found = path.stat()
        if any(os.path.samestat(found, recorder.stat) for recorder in _OPEN):
            return DATABASE.ljust(68, b"\0") + APPLICATION_ID.to_bytes(4, "big")
        with path.open("rb") as file:
            return file.read(100)


def _marks(start: bytes) -> tuple[bool, bool]:
    """Whether the first bytes of a file have the mark of SQLite, and that of a ledger."""
    return start.startswith(DATABASE), start[68:72] == APPLICATION_ID.to_bytes(4, "big")


def was_ledger(text: str) -> bool:
    """Whether a file is or was a SQLite ledger: it still has one of the marks."""
    try:
        return any(_marks(first_bytes(Path(text.removeprefix("sqlite:///")))))
    except (OSError, ValueError):
        return False


def _inspect(path: Path, *, create: bool) -> None:
    """Check a file's first bytes before SQLite may touch it."""
    try:
        start = first_bytes(path)
    except FileNotFoundError:
        if create and path.parent.is_dir():
            return
        raise Unreadable(f"{path} cannot be opened as a ledger: there is no such {'folder' if create else 'file'}.") from None
    except OSError as problem:
        raise Unreadable(f"{path} cannot be opened as a ledger: {problem.strerror}.") from problem
    if start and not all(_marks(start)):
        raise Unreadable(f"{path} is not a croupier ledger; it was not changed.")


_HEADER = ("application_id", "user_version", "encoding", "auto_vacuum", "default_cache_size")  # the pragmas that read it


def _faults(connection: sqlite3.Connection) -> list[str]:
    """What SQLite's integrity check finds, and where the header, the schema or the row numbers are not a ledger's.

    The integrity check compares every index with its table. A changed schema could have triggers that allow entries to be replaced.
    """
    found: list[str] = []
    with closing(_new_ledger()) as due:
        for look in (_integrity, _header, _changed_schema, _row_gaps, _row_order):
            try:
                found += look(connection, due)
            except DAMAGE as problem:
                found.append(str(problem))
    return found


def _new_ledger() -> sqlite3.Connection:
    """An empty ledger in memory to compare with, because some defaults of the header depend on how SQLite was compiled."""
    connection = sqlite3.connect(":memory:")
    for statement in (statement for step in SCHEMA for statement in step):
        connection.execute(statement)
    return connection


def _integrity(connection: sqlite3.Connection, due: sqlite3.Connection) -> Iterator[str]:
    return (str(line) for (line,) in connection.execute("PRAGMA integrity_check") if line != "ok")


def _header(connection: sqlite3.Connection, due: sqlite3.Connection) -> Iterator[str]:
    for name in _HEADER:
        found, expected = (each.execute(f"PRAGMA {name}").fetchall() for each in (connection, due))
        if found != expected:
            yield f"its {name} is {found[0][0]} instead of {expected[0][0]}"


def _changed_schema(connection: sqlite3.Connection, due: sqlite3.Connection) -> Iterator[str]:
    """Tables, indexes and triggers that were changed, added or removed."""
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_master"
    found, expected = ({row[:3]: row[3] for row in each.execute(schema)} for each in (connection, due))
    for key in sorted(found.keys() | expected.keys(), key=lambda key: (key[0] != "table", repr(key))):
        if found.get(key, "") != expected.get(key, ""):
            what = "is missing" if key not in found else "was added" if key not in expected else "was changed"
            yield f"the {key[0]} {key[1]} {what}"


def _row_gaps(connection: sqlite3.Connection, due: sqlite3.Connection) -> Iterator[str]:
    """Gaps in the row numbers: rows are never removed."""
    for table, number in (("entries", "position"), ("checkpoints", "number")):
        count, first, last = connection.execute(f"SELECT count(*), min({number}), max({number}) FROM {table}").fetchone()
        if count and (first, last) != (1, count):
            yield f"the {count:,} rows of {table} are numbered from {first} to {last}"
    for name, value in connection.execute("SELECT name, value FROM about"):
        if name not in ("schema", "settled") or not isinstance(value, int):
            yield f"the table about holds {name!r} with the value {value!r}"


def _row_order(connection: sqlite3.Connection, due: sqlite3.Connection) -> Iterator[str]:
    """Entries of a stream whose row numbers are not in the order of their versions: each is written after the one before it."""
    before = "SELECT stream, version, position, lag(position) OVER (PARTITION BY stream ORDER BY version) AS before FROM entries"
    for stream, version in connection.execute(f"SELECT stream, version FROM ({before}) WHERE position < before"):
        yield f"version {version} of {stream} has a lower row number than the entry before it"


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the schema up to date. A new file does not use the write-ahead log yet, so its first bytes show what it is."""
    if _known_schema(connection, path) == len(SCHEMA):
        return
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        for statement in (statement for step in SCHEMA[_known_schema(connection, path) :] for statement in step):
            connection.execute(statement)
        connection.execute("UPDATE about SET value = ? WHERE name = 'schema'", (len(SCHEMA),))


def _known_schema(connection: sqlite3.Connection, path: Path) -> int:
    """The version of a file's schema; 0 if it has none. Raises Unreadable if it is newer than this program."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'about'").fetchone():
        return 0
    row = connection.execute("SELECT value FROM about WHERE name = 'schema'").fetchone()
    found = row[0] if row and isinstance(row[0], int) else 0
    if found > len(SCHEMA):
        raise Unreadable(f"{path} was written by a newer croupier: its schema is {found}, this one knows {len(SCHEMA)}.")
    return found
