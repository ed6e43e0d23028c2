"""The recorder for a floor with several server processes: a PostgreSQL database that all of them write to."""

from __future__ import annotations

import select
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from secrets import randbelow
from threading import Lock
from time import monotonic
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from croupier.ledger.entry import Unit
from croupier.ledger.recorders import database
from croupier.ledger.recorders.database import DatabaseRecorder, Examined, Taken, tag_of
from croupier.ledger.recorders.recorder import NotRecorded, Unknown, Unreadable

SECONDS_TO_ANSWER = 5  # a query: a server that is silent for longer counts as lost
SECONDS_TO_CONNECT_AGAIN = 1.0  # after it could not be reached; until then requests fail at once

A = TypeVar("A")

# How soon a lost network peer is noticed. An address may set other limits.
LIMITS: dict[str, Any] = {
    "connect_timeout": SECONDS_TO_ANSWER,
    "tcp_user_timeout": 30_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
SECONDS_FOR_A_LOST_SESSION = 4  # to end
SCHEMA_LOCK = 0x43524F55  # "CROU": processes that start together create the schema one after the other

# Each step brings a database from one version of the schema to the next. A step that was released is never changed.
# Names sort by their bytes, as in the other recorders.
SCHEMA: tuple[LiteralString, ...] = (
    """
    CREATE TABLE about (name text PRIMARY KEY, value bigint NOT NULL);
    INSERT INTO about VALUES ('croupier ledger', 0);
    CREATE TABLE entries (stream text COLLATE "C" NOT NULL, version bigint NOT NULL, body bytea NOT NULL, sealed bytea NOT NULL,
        hash bytea NOT NULL, PRIMARY KEY (stream, version));
    CREATE TABLE replies (key text COLLATE "C" PRIMARY KEY, reply bytea NOT NULL);
    CREATE TABLE snapshots (stream text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, state bytea NOT NULL);
    CREATE TABLE checkpoints (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, checkpoint bytea NOT NULL);
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the % of a ledger are only ever added to', TG_TABLE_NAME; END $$;
    CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON entries EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON replies EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoints EXECUTE FUNCTION refuse_change();
    """,
    "ALTER TABLE entries ADD COLUMN tag bytea NOT NULL DEFAULT ''",
)

# One statement is one transaction in one round trip.
_WRITE: LiteralString = """
WITH written AS (
    INSERT INTO entries (stream, version, body, sealed, hash, tag)
    SELECT * FROM unnest(%b::text[], %b::bigint[], %b::bytea[], %b::bytea[], %b::bytea[], %b::bytea[])
)
INSERT INTO replies (key, reply) SELECT * FROM unnest(%b::text[], %b::bytea[])"""

# For each table: its kind, whether it has rules or policies, its primary key, and its triggers.
_BUILT: LiteralString = """SELECT c.relname, c.relkind::text,
    c.relrowsecurity OR EXISTS (SELECT 1 FROM pg_rewrite WHERE ev_class = c.oid),
    (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = c.oid AND contype = 'p'),
    coalesce((SELECT string_agg(concat_ws(' ', tgname, tgenabled, tgtype, prosrc), ' ' ORDER BY tgname)
        FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE tgrelid = c.oid AND NOT tgisinternal), '')
    FROM pg_class c WHERE c.oid IN (to_regclass('about'), to_regclass('entries'), to_regclass('replies'), to_regclass('snapshots'),
        to_regclass('checkpoints'))"""
_REFUSE = "BEGIN RAISE EXCEPTION 'the % of a ledger are only ever added to', TG_TABLE_NAME; END"
_ONLY_ADDED = f"only_added O 58  {_REFUSE} "  # enabled; 58: before UPDATE, DELETE and TRUNCATE
_DUE = {
    "about": ("PRIMARY KEY (name)", ""),
    "entries": ("PRIMARY KEY (stream, version)", _ONLY_ADDED),
    "replies": ("PRIMARY KEY (key)", _ONLY_ADDED),
    "snapshots": ("PRIMARY KEY (stream)", ""),
    "checkpoints": ("PRIMARY KEY (number)", _ONLY_ADDED),
}
_AMCHECK: LiteralString = """SELECT quote_ident(nspname) FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
    WHERE proname = 'verify_heapam' AND has_function_privilege(pg_proc.oid, 'EXECUTE')"""
_CHECK_TABLE = "SELECT blkno, offnum, msg FROM {amcheck}.verify_heapam({{0}}::text::regclass)"
_CHECK_INDEXES = "SELECT {amcheck}.bt_index_check(indexrelid, true)::text FROM pg_index WHERE indrelid = {{0}}::text::regclass"

# When two batches wait for each other, PostgreSQL fails one of them. It reads the heads again, as if something was taken.
_TAKEN = (psycopg.errors.UniqueViolation, psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)


class NoAnswer(psycopg.OperationalError):
    """The server did not answer in time."""


@contextmanager
def _answering(connection: psycopg.Connection[Any] | psycopg.AsyncConnection[Any], limit: float | None) -> Iterator[None]:
    """Close a connection if the server does not answer in time, so that a late answer is not taken for that of another query."""
    until = monotonic() + (limit or 0.0)
    try:
        yield
    except psycopg.OperationalError as problem:
        if limit is None or monotonic() < until:
            raise
        connection.pgconn.finish()
        raise NoAnswer(f"the database did not answer within {limit} seconds") from problem


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """Closes itself if the server does not answer in time."""

    limit: float | None = SECONDS_TO_ANSWER

    def wait(self, gen: PQGen[A], interval: float = 0.1, timeout: float | None = None) -> A:
        limit = self.limit if timeout is None else None
        with _answering(self, limit):
            return super().wait(gen, interval, limit or timeout)


class AsyncConnection(psycopg.AsyncConnection[tuple[Any, ...]]):
    """A `Connection` for an event loop."""

    async def wait(self, gen: PQGen[A], interval: float = 0.1, timeout: float | None = None) -> A:
        limit = SECONDS_TO_ANSWER if timeout is None else None
        with _answering(self, limit):
            return await super().wait(gen, interval, limit or timeout)


class PostgresRecorder(DatabaseRecorder):
    """Writes with one connection and reads with another at the same time. A lost connection is replaced."""

    shared = True

    def __init__(self, url: str, *, create: bool = True) -> None:
        super().__init__()
        self._reading, self._writing = Lock(), Lock()
        self._writer, self._reader = ReconnectingConnection(url, self._fence), ReconnectingConnection(url)
        self._fence_number = randbelow(2**31)
        try:
            _migrate(self._writer.connection(), create=create)
        except psycopg.Error as problem:
            self.close()
            raise Unreadable(f"The database cannot be opened as a ledger: {_first_line(problem)}") from problem
        except Unreadable:
            self.close()
            raise

    def _fence(self, connection: Connection) -> None:
        """End the previous session and wait until it is gone, so that it cannot write after its commit was found missing."""
        connection.execute(f"SET lock_timeout = '{SECONDS_FOR_A_LOST_SESSION}s'")
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objid = %s",
            (SCHEMA_LOCK, self._fence_number),
        )
        connection.execute("SELECT pg_advisory_lock(%s, %s)", (SCHEMA_LOCK, self._fence_number))
        connection.execute("RESET lock_timeout")
        self._settled = self._unknown

    def _write(self, units: Sequence[Unit]) -> None:
        entries = [entry for unit in units for entry in unit.entries]
        keyed = [unit for unit in units if unit.key]
        key = self._held.keys[-1] if self._held else b""  # before `hold`, the heads at that moment cover the entry
        self._execute(
            _WRITE,
            [entry.stream for entry in entries], [entry.version for entry in entries], [entry.body for entry in entries],
            [entry.sealed for entry in entries], [entry.hash for entry in entries],
            [tag_of(key, entry.stream, entry.version, entry.hash) if key else b"" for entry in entries],
            [unit.key for unit in keyed], [unit.reply for unit in keyed],
        )  # fmt: skip

    def _execute(self, statement: LiteralString, *values: object) -> int:
        with self._writing:
            try:
                connection = self._writer.connection()
            except psycopg.Error as problem:
                raise NotRecorded(f"Nothing was written: {_first_line(problem)}") from problem
            try:
                text = statement.replace("{0}", "%s").replace("{1}", "OVERRIDING SYSTEM VALUE")
                return connection.execute(text, values, prepare=True).rowcount
            except _TAKEN as problem:
                raise Taken(_first_line(problem)) from problem
            except psycopg.Error as problem:
                if connection.closed:
                    self._unknown += 1
                    raise Unknown(f"The connection was lost during a commit: {_first_line(problem)}") from problem
                raise NotRecorded(f"Nothing was written: {_first_line(problem)}") from problem

    def _rows(self, statement: LiteralString, *values: object, limit: float | None = SECONDS_TO_ANSWER) -> list[tuple[Any, ...]]:
        try:
            if self._outcome_unknown:
                with self._writing:
                    self._writer.connection()
            with self._reading:
                return self._reader.rows(statement.replace("{0}", "%s").replace("{1}", "tag"), values, limit)
        except psycopg.Error as problem:
            raise Unreadable(f"The database cannot be read: {_first_line(problem)}") from problem

    def replies(self) -> int:
        ((count,),) = self._rows(database.REPLIES, limit=None)  # a full count
        return int(count)

    def examine(self) -> Examined:
        found = Examined(list(self._changed_schema()))
        amcheck = self._rows(_AMCHECK)
        if amcheck:
            found.faults += self._corrupt(amcheck[0][0])
        else:
            found.unchecked.append(
                "the indexes of the database: the extension amcheck is not installed, or this user may not use it"
            )
        if self._rows("SELECT 1 WHERE current_setting('data_checksums') = 'off'"):
            found.unchecked.append("the pages of the database: it was created without checksums (initdb --data-checksums)")
        return found

    def _changed_schema(self) -> Iterator[str]:
        """Tables that were changed or removed: other triggers, keys or rules could hide rows or allow them to be replaced."""
        built = {table: found for table, *found in self._rows(_BUILT, limit=None)}
        for table, (key, triggers) in _DUE.items():
            if table not in built:
                yield f"the table {table} is missing"
                continue
            kind, ruled, found_key, found_triggers = built[table]
            if kind != "r" or ruled:
                yield f"the table {table} is a view, or has rules or policies, which can hide rows"
            if found_key != key:
                yield f"the primary key of {table} was changed"
            if found_triggers != triggers:
                yield f"the triggers of {table}, which keep rows from being changed or removed, were changed"

    def _corrupt(self, amcheck: str) -> Iterator[str]:
        """What amcheck finds in the tables, and in each index against its table."""
        table_check, index_check = (each.format(amcheck=amcheck) for each in (_CHECK_TABLE, _CHECK_INDEXES))
        for table in _DUE:
            try:
                for block, line, what in self._rows(table_check, table, limit=None):
                    yield f"{table}, block {block}, line {line}: {what}"
                self._rows(index_check, table, limit=None)
            except Unreadable as problem:
                yield f"{table}: {str(problem).removesuffix('.')}"

    def close(self) -> None:
        with self._reading, self._writing:
            self._reader.close()
            self._writer.close()


def in_time(url: str) -> str:
    """An address with limits, so that a server that does not answer is noticed soon."""
    return make_conninfo(**{**LIMITS, **conninfo_to_dict(url)})


class ReconnectingConnection:
    """A connection that is replaced when it is lost. For one thread at a time."""

    def __init__(self, url: str, prepare: Callable[[Connection], None] | None = None) -> None:
        self._conninfo = in_time(url)
        self._prepare = prepare
        self._connection: Connection | None = None
        self._not_before = 0.0  # monotonic time: requests that queue up do not each wait for a timeout

    def connection(self) -> Connection:
        if self._connection is not None and _is_alive(self._connection):
            return self._connection
        self.close()
        if monotonic() < self._not_before:
            raise psycopg.OperationalError("the database could not be reached a moment ago")
        try:
            self._connection = self._connect()
        except psycopg.Error:
            self._not_before = monotonic() + SECONDS_TO_CONNECT_AGAIN
            raise
        return self._connection

    def _connect(self) -> Connection:
        connection = Connection.connect(self._conninfo, autocommit=True)
        try:
            if connection.execute("SHOW synchronous_commit").fetchone() == ("off",):
                connection.execute("SET synchronous_commit = on")  # acknowledged means on disk
            if self._prepare:
                self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def rows(self, statement: LiteralString, values: tuple[object, ...], limit: float | None) -> list[tuple[Any, ...]]:
        """Read, and try once more on a new connection if the old one is lost."""
        connection = self.connection()
        connection.limit = limit
        try:
            return connection.execute(statement, values, binary=True).fetchall()
        except psycopg.OperationalError as problem:
            if not connection.closed or isinstance(problem, NoAnswer):
                raise
        return self.connection().execute(statement, values, binary=True).fetchall()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _is_alive(connection: Connection) -> bool:
    """Whether the server has not ended the connection: an idle one sends nothing else.

    Noticed before a batch is sent, a lost connection does no harm.
    """
    if connection.closed:
        return False
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return not poll.poll(0)


def _migrate(connection: Connection, *, create: bool) -> None:
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (SCHEMA_LOCK,))
        version = _schema(connection)
        if version > len(SCHEMA):
            raise Unreadable(
                f"The database was written by a newer croupier: its schema is {version}, this one knows {len(SCHEMA)}."
            )
        if not version and not create:
            raise Unreadable("There is no croupier ledger in the database.")
        for step in SCHEMA[version:]:
            connection.execute(step)
        if version < len(SCHEMA):
            connection.execute("UPDATE about SET value = %s WHERE name = 'croupier ledger'", (len(SCHEMA),))


def _schema(connection: Connection) -> int:
    """The version of a database's schema; 0 if it has none."""
    if connection.execute("SELECT to_regclass('about')").fetchone() == (None,):
        return 0
    row = connection.execute("SELECT value FROM about WHERE name = 'croupier ledger'").fetchone()
    if row is None:
        raise Unreadable("The database has tables that are not a croupier ledger; they were not changed.")
    return int(row[0])


def _first_line(problem: psycopg.Error) -> str:
    """The first line of an error; the rest is advice for a console."""
    return (str(problem).splitlines() or [type(problem).__name__])[0].rstrip(".") + "."
