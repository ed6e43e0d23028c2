"""Sessions, kept by the server: the cookie is a random word, the database knows only its hash.

Litestar's own sessions write to their store with every response and take the identifier that a browser brings; here a session is
written when it changes, and a new identifier is given out whenever somebody's rights change.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
import psycopg

from croupier.floor.house import now_in_milliseconds
from croupier.ledger import Unknown, Unreadable, is_postgres
from croupier.ledger.keys import create_private
from croupier.ledger.postgres import SCHEMA_LOCK, SECONDS_TO_ANSWER, Link
from croupier.web.settings import IDLE

COOKIE = "croupier"
DAY = 24 * 3600 * 1000
GUEST_LASTS, STAFF_LASTS = 30 * DAY, 12 * 3600 * 1000
CACHED_FOR = 1000  # milliseconds until another process's change must be seen
WRITE_ACTIVE_EVERY = 15_000
LONGEST = SECONDS_TO_ANSWER + 1.0  # seconds that a request waits for its session
FAILURES = (psycopg.Error, sqlite3.Error)

A = TypeVar("A")
Run = Callable[..., list[Any]]  # a statement and its values -> rows

_TABLES = (
    """CREATE TABLE IF NOT EXISTS sessions
        (id TEXT PRIMARY KEY, name TEXT NOT NULL, session {bytes} NOT NULL, expires BIGINT NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
)


class Session(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody at a browser. `role` is empty for a guest."""

    name: str
    role: str = ""
    active: int = 0  # when the person last did something
    locked: bool = False  # until the password is given again
    must_change: bool = False  # a one-time password, good for one thing only


class Sessions:
    """The sessions of a floor, in a separate database beside the ledger, or in the ledger's PostgreSQL.

    One thread talks to the database, so that the event loop never waits for it. A question that gets no answer in time raises
    Unreadable; a change raises Unknown.
    """

    def __init__(self, database: str, clock: Callable[[], int] = now_in_milliseconds, idle: int = IDLE) -> None:
        self.clock, self.idle = clock, idle
        self.ended: list[Callable[[str], None]] = []  # told whose sessions have ended, by name
        self._known: dict[str, tuple[int, Session]] = {}
        try:
            self._store = PostgresStore(database) if is_postgres(database) else SqliteStore(_beside(database))
        except FAILURES as problem:
            raise Unreadable(f"The sessions cannot be opened: {problem}") from problem
        self._thread = ThreadPoolExecutor(1, "sessions")

    def secret(self, name: str) -> str:
        """A secret of this floor, made once. For the start of a server: it waits for the database."""
        try:
            with self._store.transaction() as run:
                run("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", name, secrets.token_hex(32))
                return str(run("SELECT value FROM secrets WHERE name = ?", name)[0][0])
        except FAILURES as problem:
            raise Unreadable(f"The sessions cannot be opened: {problem}") from problem

    async def begin(self, session: Session) -> str:
        """A new session; the word that its browser is given."""
        token = secrets.token_urlsafe(32)
        key, now = _hashed(token), self.clock()
        statement = "INSERT INTO sessions (id, name, session, expires) VALUES (?, ?, ?, ?)"
        values = key, session.name, msgspec.json.encode(session), now + _lasts(session)
        await self._change(lambda run: run(statement, *values))
        self._known[key] = (now, session)
        return token

    async def find(self, token: str) -> Session | None:
        """The session as it is now. One of staff that nobody has touched for a while is locked, whoever asks and for what."""
        session = await self._find(token)
        if session is None or not session.role or session.locked or self.clock() - session.active <= self.idle:
            return session
        return msgspec.structs.replace(session, locked=True)

    async def _find(self, token: str) -> Session | None:
        key, now = _hashed(token), self.clock()
        known = self._known.get(key)
        if known and now - known[0] < CACHED_FOR:
            return known[1]
        rows = await self._ask(lambda run: run("SELECT session FROM sessions WHERE id = ? AND expires > ?", key, now))
        if not rows:
            self._known.pop(key, None)
            return None
        session = msgspec.json.decode(bytes(rows[0][0]), type=Session)
        self._known[key] = (now, session)
        return session

    async def change(self, token: str, **fields: Any) -> Session | None:
        """Change a session as it stands now, whatever another process has just done to it. One that has ended stays ended."""
        key, now = _hashed(token), self.clock()

        def work(run: Run) -> Session | None:
            while rows := run("SELECT session FROM sessions WHERE id = ? AND expires > ?", key, now):
                before = bytes(rows[0][0])
                session = msgspec.structs.replace(msgspec.json.decode(before, type=Session), **fields)
                statement = "UPDATE sessions SET session = ?, expires = ? WHERE id = ? AND session = ? RETURNING id"
                if run(statement, msgspec.json.encode(session), now + _lasts(session), key, before):
                    return session
            return None

        session = await self._change(work)
        if session is None:
            self._known.pop(key, None)
        else:
            self._known[key] = (now, session)
        return session

    async def is_active(self, token: str, session: Session) -> None:
        """The person is there; written now and then only."""
        if self.clock() - session.active > min(WRITE_ACTIVE_EVERY, self.idle // 4):
            await self.change(token, active=self.clock())

    async def end(self, token: str) -> None:
        self._known.pop(_hashed(token), None)
        await self._change(lambda run: run("DELETE FROM sessions WHERE id = ?", _hashed(token)))

    async def end_all_of(self, name: str) -> None:
        """Somebody's rights have changed: all browsers of that user have to log in again. A guest of the same name stays."""

        def work(run: Run) -> None:
            for key, body in run("SELECT id, session FROM sessions WHERE name = ?", name):
                if msgspec.json.decode(bytes(body), type=Session).role:
                    run("DELETE FROM sessions WHERE id = ?", key)

        await self._change(work)
        self.forget(name)
        for tell in self.ended:
            tell(name)

    def forget(self, name: str) -> None:
        """Ask the database again about the sessions under a name: another process may have ended them."""
        self._known = {key: kept for key, kept in self._known.items() if kept[1].name != name}

    async def sweep(self) -> None:
        """Forget what has expired."""
        now = self.clock()
        self._known = {key: kept for key, kept in self._known.items() if now - kept[0] < CACHED_FOR}
        await self._change(lambda run: run("DELETE FROM sessions WHERE expires <= ?", now))

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
        self._store.close()

    async def _ask(self, work: Callable[[Run], A]) -> A:
        try:
            return await self._off_the_loop(work)
        except (*FAILURES, TimeoutError) as problem:
            raise Unreadable(f"The sessions cannot be read: {problem or 'no answer in time'}") from problem

    async def _change(self, work: Callable[[Run], A]) -> A:
        try:
            return await self._off_the_loop(work)
        except (*FAILURES, TimeoutError) as problem:
            raise Unknown(f"The sessions cannot be written: {problem or 'no answer in time'}") from problem

    async def _off_the_loop(self, work: Callable[[Run], A]) -> A:
        def transact() -> A:
            with self._store.transaction() as run:
                return work(run)

        async with asyncio.timeout(LONGEST):  # those before it in line included
            return await asyncio.get_running_loop().run_in_executor(self._thread, transact)


class PostgresStore:
    def __init__(self, url: str) -> None:
        self._link = Link(url)
        with self.transaction() as run:
            run("SELECT pg_advisory_xact_lock(?)", SCHEMA_LOCK)  # processes that start together
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


def _lasts(session: Session) -> int:
    return STAFF_LASTS if session.role else GUEST_LASTS


def _hashed(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _beside(database: str) -> str:
    path = database.removeprefix("sqlite:///")
    return ":memory:" if path == "memory:" else f"{path}-sessions"


def _keep_from_others(path: str) -> None:
    """Make the file readable by its owner only; the files that SQLite puts beside it take over its mode.

    A file that is there is not opened: closing it again would take the locks from whoever has it open in this process.
    """
    create_private(path)
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.chmod(path + ending, 0o600)
