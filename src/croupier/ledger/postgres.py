"""The recorder of a floor with several server processes: a PostgreSQL database, to which all of them write."""

from __future__ import annotations

import select
from collections.abc import Callable
from secrets import randbelow
from threading import Lock
from time import monotonic
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from croupier.ledger import database
from croupier.ledger.database import DatabaseRecorder, Taken
from croupier.ledger.packing import Packed
from croupier.ledger.recorder import ANOTHER, Conflict, NotRecorded, Unknown, Unreadable

SECONDS_TO_ANSWER = 5  # a question: a server that is silent for longer is taken for lost
SECONDS_TO_CONNECT_AGAIN = 1.0  # after it could not be reached; until then those who ask are told so at once

A = TypeVar("A")

# How soon it is noticed that nobody at the other end of a network answers any more; an address may say otherwise.
LIMITS: dict[str, Any] = {
    "connect_timeout": SECONDS_TO_ANSWER,
    "tcp_user_timeout": 30_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
SECONDS_FOR_A_LOST_SESSION = 4  # to come to its end
SCHEMA_LOCK = 0x43524F55  # "CROU": processes that start together create the schema one after the other

# Each step brings a database from one version of the schema to the next. A step that was released is never changed.
# Names sort by their bytes, as they do in the other recorders.
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
)

# One statement is one transaction, sent and answered in one go.
_WRITE: LiteralString = """
WITH written AS (
    INSERT INTO entries (stream, version, body, sealed, hash) SELECT
        convert_from(substr(%(bytes)b, (at ->> 1)::int, (at ->> 2)::int), 'UTF8'), (at ->> 0)::bigint,
        substr(%(bytes)b, (at ->> 3)::int, (at ->> 4)::int), substr(%(bytes)b, (at ->> 5)::int, (at ->> 6)::int),
        substr(%(bytes)b, (at ->> 7)::int, 32)
    FROM json_array_elements(%(entries)s::json) AS at
)
INSERT INTO replies (key, reply) SELECT
    convert_from(substr(%(bytes)b, (at ->> 0)::int, (at ->> 1)::int), 'UTF8'), substr(%(bytes)b, (at ->> 2)::int, (at ->> 3)::int)
FROM json_array_elements(%(replies)s::json) AS at"""

# As the newest, if the one that it follows is still the newest. Two at once get the same number, and the second is refused.
_SAVE_CHECKPOINT: LiteralString = """INSERT INTO checkpoints (number, checkpoint) OVERRIDING SYSTEM VALUE
    SELECT (SELECT coalesce(max(number), 0) + 1 FROM checkpoints), %s
    WHERE coalesce((SELECT checkpoint FROM checkpoints ORDER BY number DESC LIMIT 1), ''::bytea) = %s"""

# Two batches that wait for each other: one is told to step back, and has to look again, as when something is taken.
_TAKEN = (psycopg.errors.UniqueViolation, psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)


class Silent(psycopg.OperationalError):
    """No answer in time."""


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """Closes itself when the server does not answer in time: nobody waits any longer, and no late answer is taken for another's."""

    limit: float | None = SECONDS_TO_ANSWER

    def wait(self, gen: PQGen[A], interval: float = 0.1, timeout: float | None = None) -> A:
        limit = self.limit if timeout is None else None
        until = monotonic() + (limit or 0.0)
        try:
            return super().wait(gen, interval, limit or timeout)
        except psycopg.OperationalError as problem:
            if limit is None or monotonic() < until:
                raise
            self.close()
            raise Silent(f"the database did not answer within {limit} seconds") from problem


class AsyncConnection(psycopg.AsyncConnection[tuple[Any, ...]]):
    """The same, for those who wait in an event loop."""

    limit: float | None = SECONDS_TO_ANSWER

    async def wait(self, gen: PQGen[A], interval: float = 0.1, timeout: float | None = None) -> A:
        limit = self.limit if timeout is None else None
        until = monotonic() + (limit or 0.0)
        try:
            return await super().wait(gen, interval, limit or timeout)
        except psycopg.OperationalError as problem:
            if limit is None or monotonic() < until:
                raise
            await self.close()
            raise Silent(f"the database did not answer within {limit} seconds") from problem


class PostgresRecorder(DatabaseRecorder):
    """One connection writes, another reads meanwhile. Either is made anew when it was lost."""

    shared = True

    def __init__(self, url: str, *, create: bool = True) -> None:
        super().__init__()
        self._reading, self._writing = Lock(), Lock()
        self._writer, self._reader = Link(url, self._fence), Link(url)
        self._fence_number = randbelow(2**31)
        try:
            _migrate(self._writer.connection(), create=create)
        except psycopg.Error as problem:
            self.close()
            raise Unreadable(f"The database cannot be opened as a ledger: {_said(problem)}") from problem
        except Unreadable:
            self.close()
            raise

    def _fence(self, connection: Connection) -> None:
        """End the session that went before and wait until it is gone, so that nothing is written after it was found missing."""
        connection.execute(f"SET lock_timeout = '{SECONDS_FOR_A_LOST_SESSION}s'")
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objid = %s",
            (SCHEMA_LOCK, self._fence_number),
        )
        connection.execute("SELECT pg_advisory_lock(%s, %s)", (SCHEMA_LOCK, self._fence_number))
        connection.execute("RESET lock_timeout")
        self._settled = self._unknown

    def _write(self, packed: Packed) -> None:
        self._change(_WRITE, packed._asdict())

    def _change(self, statement: LiteralString, values: Any) -> int:
        """Write, and count the rows."""
        with self._writing:
            try:
                connection = self._writer.connection()
            except psycopg.Error as problem:
                raise NotRecorded(f"Nothing was written: {_said(problem)}") from problem
            try:
                return connection.execute(statement.replace("{0}", "%s"), values, prepare=True).rowcount
            except _TAKEN as problem:
                raise Taken(_said(problem)) from problem
            except psycopg.Error as problem:
                if connection.closed:
                    self._unknown += 1
                    raise Unknown(f"The connection was lost in a commit: {_said(problem)}") from problem
                raise NotRecorded(f"Nothing was written: {_said(problem)}") from problem

    def _rows(
        self, statement: LiteralString, *values: object, limit: float | None = SECONDS_TO_ANSWER
    ) -> list[tuple[Any, ...]]:
        try:
            if self._outcome_unknown:
                with self._writing:
                    self._writer.connection()
            with self._reading:
                return self._reader.rows(statement.replace("{0}", "%s"), values, limit)
        except psycopg.Error as problem:
            raise Unreadable(f"The database cannot be read: {_said(problem)}") from problem

    def replies(self) -> int:
        ((count,),) = self._rows(database.REPLIES, limit=None)  # it counts them all
        return int(count)

    def save_snapshot(self, stream: str, version: int, state: bytes) -> None:
        self._change(database.SAVE_SNAPSHOT, (stream, version, state))

    def save_checkpoint(self, checkpoint: bytes, previous: bytes = b"") -> None:
        try:
            written = self._change(_SAVE_CHECKPOINT, (checkpoint, previous))
        except Taken:
            written = 0
        if not written:
            raise Conflict(ANOTHER)

    def close(self) -> None:
        with self._reading, self._writing:
            self._reader.close()
            self._writer.close()


def in_time(url: str) -> str:
    """An address at which it is noticed soon that nobody answers."""
    return make_conninfo(**{**LIMITS, **conninfo_to_dict(url)})


class Link:
    """A connection that is made again when it was lost. For one thread at a time."""

    def __init__(self, url: str, prepare: Callable[[Connection], None] | None = None) -> None:
        self._conninfo = in_time(url)
        self._prepare = prepare
        self._connection: Connection | None = None
        self._not_before = 0.0  # of the monotonic clock: so that those who queue up do not wait in vain one after the other

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
        """Read; once more on a new connection if the old one is lost meanwhile."""
        connection = self.connection()
        connection.limit = limit
        try:
            return connection.execute(statement, values, binary=True).fetchall()
        except psycopg.OperationalError as problem:
            if not connection.closed or isinstance(problem, Silent):
                raise
        return self.connection().execute(statement, values, binary=True).fetchall()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _is_alive(connection: Connection) -> bool:
    """A server that was asked nothing says nothing, except that it ends the connection.

    Seen before a batch is sent, it is no loss.
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
            raise Unreadable("The database holds no croupier ledger.")
        for step in SCHEMA[version:]:
            connection.execute(step)
        if version < len(SCHEMA):
            connection.execute("UPDATE about SET value = %s WHERE name = 'croupier ledger'", (len(SCHEMA),))


def _schema(connection: Connection) -> int:
    """The version of a database's schema; 0 while it has none."""
    if connection.execute("SELECT to_regclass('about')").fetchone() == (None,):
        return 0
    row = connection.execute("SELECT value FROM about WHERE name = 'croupier ledger'").fetchone()
    if row is None:
        raise Unreadable("The database holds tables that are not a croupier ledger; they were left as they are.")
    return int(row[0])


def _said(problem: psycopg.Error) -> str:
    """The first line of an error: the rest is advice to somebody at a console."""
    return (str(problem).splitlines() or [type(problem).__name__])[0].rstrip(".") + "."
