"""Sessions on the server: the cookie is a random token, and the database has only its hash.

Litestar's own sessions write to their store with every response and accept the identifier that a browser sends. Here a session is
written when it changes, and gets a new identifier whenever somebody's rights change.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
import psycopg

from croupier.floor.clock import now_in_milliseconds
from croupier.ledger import Unknown, Unreadable, is_postgres
from croupier.ledger.private_files import create_private
from croupier.ledger.recorders.postgres import SCHEMA_LOCK, SECONDS_TO_ANSWER, ReconnectingConnection
from croupier.web.settings import IDLE

COOKIE = "croupier"
DAY = 24 * 3600 * 1000
GUEST_LASTS, STAFF_LASTS = 30 * DAY, 12 * 3600 * 1000
CACHED_FOR = 1000  # milliseconds until a change by another process is seen
WRITE_ACTIVE_EVERY = 15_000
LONGEST = SECONDS_TO_ANSWER + 1.0  # seconds that a request waits for its session
FAILURES = (psycopg.Error, sqlite3.Error)

A = TypeVar("A")
Run = Callable[..., list[Any]]  # a statement and its values -> rows

_TABLES = (
    """CREATE TABLE IF NOT EXISTS sessions
        (id TEXT PRIMARY KEY, name TEXT NOT NULL, session {bytes} NOT NULL, expires BIGINT NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS shares
        (id TEXT PRIMARY KEY, player TEXT NOT NULL, place TEXT NOT NULL, number BIGINT NOT NULL, made BIGINT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS shares_by_player ON shares (player)",
)


class Session(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody at a browser. `role` is empty for a guest."""

    name: str
    role: str = ""
    active: int = 0  # when the person last did something
    locked: bool = False  # until the password is entered again
    must_change: bool = False  # a one-time password, which only lets you change it
    place: str = ""  # of a guest: where the session was started from

    @property
    def lasts(self) -> int:
        """Milliseconds from its last change to its end."""
        return STAFF_LASTS if self.role else GUEST_LASTS


class Sessions:
    """The sessions of a floor, in a separate database beside the ledger, or in the ledger's PostgreSQL.

    One thread talks to the database, so that the event loop never waits for it. A read that takes too long raises Unreadable, a
    write Unknown.
    """

    def __init__(self, database: str, clock: Callable[[], int] = now_in_milliseconds, idle: int = IDLE) -> None:
        self.clock, self.idle = clock, idle
        self.ended: list[Callable[[str], None]] = []  # called with the name of whoever's sessions ended
        self._known: dict[str, tuple[int, Session]] = {}
        try:
            self._store = PostgresStore(database) if is_postgres(database) else SqliteStore(_beside(database))
            with self._store.transaction() as run:
                run("INSERT INTO secrets (name, value) VALUES ('csrf', ?) ON CONFLICT (name) DO NOTHING", secrets.token_hex(32))
                self.csrf_secret = str(run("SELECT value FROM secrets WHERE name = 'csrf'")[0][0])
        except FAILURES as problem:
            raise Unreadable(f"The sessions cannot be opened: {problem}") from problem
        self._thread = ThreadPoolExecutor(1, "sessions")

    async def begin(self, session: Session) -> str:
        """Start a session; returns the token for its cookie."""
        token = secrets.token_urlsafe(32)
        key, now = hash_of_token(token), self.clock()
        statement = "INSERT INTO sessions (id, name, session, expires) VALUES (?, ?, ?, ?)"
        values = key, session.name, msgspec.json.encode(session), now + session.lasts
        await self.write(lambda run: run(statement, *values))
        self._remember(key, session)
        return token

    async def find(self, token: str) -> Session | None:
        """The session as it is now. A staff session that has been idle for a while is locked, whatever the request."""
        session = await self._find(token)
        if session is None or not session.role or session.locked or self.clock() - session.active <= self.idle:
            return session
        return msgspec.structs.replace(session, locked=True)

    async def _find(self, token: str) -> Session | None:
        key, now = hash_of_token(token), self.clock()
        known = self._known.get(key)
        if known and now - known[0] < CACHED_FOR:
            return known[1]
        rows = await self.read(lambda run: run("SELECT session FROM sessions WHERE id = ? AND expires > ?", key, now))
        return self._remember(key, msgspec.json.decode(bytes(rows[0][0]), type=Session) if rows else None)

    def _remember(self, key: str, session: Session | None) -> Session | None:
        self._known.pop(key, None)
        if session is not None:
            self._known[key] = (self.clock(), session)
        return session

    async def change(self, token: str, **fields: Any) -> Session | None:
        """Change a session, even while another process changes it. One that has ended stays ended."""
        key, now = hash_of_token(token), self.clock()

        def work(run: Run) -> Session | None:
            while rows := run("SELECT session FROM sessions WHERE id = ? AND expires > ?", key, now):
                before = bytes(rows[0][0])
                session = msgspec.structs.replace(msgspec.json.decode(before, type=Session), **fields)
                statement = "UPDATE sessions SET session = ?, expires = ? WHERE id = ? AND session = ? RETURNING id"
                if run(statement, msgspec.json.encode(session), now + session.lasts, key, before):
                    return session
            return None

        return self._remember(key, await self.write(work))

    async def places_of(self, names: Sequence[str]) -> dict[str, set[str]]:
        """The places that each of these guests came from."""
        marks, now = ", ".join("?" * len(names)), self.clock()
        statement = f"SELECT session FROM sessions WHERE name IN ({marks}) AND expires > ?"
        found: dict[str, set[str]] = {}
        for (body,) in await self.read(lambda run: run(statement, *names, now)):
            session = msgspec.json.decode(bytes(body), type=Session)
            if not session.role:
                found.setdefault(session.name, set()).add(session.place)
        return found

    async def mark_active(self, token: str, session: Session) -> None:
        """Note that the person is at the screen; written only now and then."""
        if self.clock() - session.active > min(WRITE_ACTIVE_EVERY, self.idle // 4):
            await self.change(token, active=self.clock())

    async def end(self, token: str) -> None:
        self._known.pop(hash_of_token(token), None)
        await self.write(lambda run: run("DELETE FROM sessions WHERE id = ?", hash_of_token(token)))

    async def end_all_of(self, name: str, *, guest: bool = False) -> None:
        """End every session of a user whose rights have changed, or of a guest. A guest and a user may have the same name."""

        def work(run: Run) -> None:
            for key, body in run("SELECT id, session FROM sessions WHERE name = ?", name):
                if bool(msgspec.json.decode(bytes(body), type=Session).role) is not guest:
                    run("DELETE FROM sessions WHERE id = ?", key)

        await self.write(work)
        self.forget(name)
        for notify in self.ended:
            notify(name)

    def forget(self, name: str) -> None:
        """Ask the database again about the sessions under a name: another process may have ended them."""
        self._known = {key: kept for key, kept in self._known.items() if kept[1].name != name}

    async def sweep(self) -> None:
        """Delete expired sessions."""
        now = self.clock()
        self._known = {key: kept for key, kept in self._known.items() if now - kept[0] < CACHED_FOR}
        await self.write(lambda run: run("DELETE FROM sessions WHERE expires <= ?", now))

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
        self._store.close()

    async def read(self, work: Callable[[Run], A], failure: type[Unreadable | Unknown] = Unreadable, what: str = "read") -> A:
        """Run statements in one transaction, in the thread of this database."""

        def transact() -> A:
            with self._store.transaction() as run:
                return work(run)

        try:
            async with asyncio.timeout(LONGEST):  # including the wait in line
                return await asyncio.get_running_loop().run_in_executor(self._thread, transact)
        except (*FAILURES, TimeoutError) as problem:
            raise failure(f"The sessions cannot be {what}: {problem or 'no answer in time'}") from problem

    async def write(self, work: Callable[[Run], A]) -> A:
        return await self.read(work, Unknown, "written")


class PostgresStore:
    def __init__(self, url: str) -> None:
        self._link = ReconnectingConnection(url)
        with self.transaction() as run:
            run("SELECT pg_advisory_xact_lock(?)", SCHEMA_LOCK)  # for processes that start together
            for statement in _TABLES:
                run(statement.format(bytes="BYTEA"))

    @contextmanager
    def transaction(self) -> Iterator[Run]:
        connection = self._link.connection()

        def run(statement: str, *values: object) -> list[Any]:
            cursor = connection.execute(statement.replace("?", "%s"), values)
            return list(cursor.fetchall()) if cursor.description else []

        with connection.transaction():
            yield run

    def close(self) -> None:
        self._link.close()


class SqliteStore:
    def __init__(self, path: str) -> None:
        if path != ":memory:":
            _keep_from_others(path)
        self._connection = sqlite3.connect(path, check_same_thread=False, timeout=SECONDS_TO_ANSWER)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=NORMAL")
        for statement in _TABLES:
            self._connection.execute(statement.format(bytes="BLOB"))

    @contextmanager
    def transaction(self) -> Iterator[Run]:
        with self._connection:
            yield lambda statement, *values: list(self._connection.execute(statement, values))

    def close(self) -> None:
        self._connection.close()


def hash_of_token(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _beside(database: str) -> str:
    path = database.removeprefix("sqlite:///")
    return ":memory:" if path == "memory:" else f"{path}-sessions"


def _keep_from_others(path: str) -> None:
    """Make the file readable by its owner only; the files that SQLite puts beside it get the same mode.

    An existing file is not opened: closing it would release the locks of whoever has it open in this process.
    """
    create_private(path)
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.chmod(path + ending, 0o600)
