"""Sessions, kept by the server: the cookie is a random word, the database knows only its hash.

Litestar's own sessions write to their store with every response and take the identifier that a browser brings; here a session is
written when it changes, and a new identifier is given out whenever somebody's rights change.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from threading import Lock
from typing import Any

import msgspec
import psycopg

from croupier.floor.house import now_in_milliseconds
from croupier.ledger.postgres import in_time

COOKIE = "croupier"
DAY = 24 * 3600 * 1000
GUEST_LASTS, STAFF_LASTS = 30 * DAY, 12 * 3600 * 1000
CACHED_FOR = 1000  # milliseconds until another process's change must be seen
WRITE_ACTIVE_EVERY = 15_000

_TABLES = (
    """CREATE TABLE IF NOT EXISTS sessions
        (id {text} PRIMARY KEY, name {text} NOT NULL, session {bytes} NOT NULL, expires BIGINT NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS secrets (name {text} PRIMARY KEY, value {text} NOT NULL)",
)


class Session(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody at a browser. `role` is empty for a guest."""

    name: str
    role: str = ""
    active: int = 0  # when the person last did something
    locked: bool = False  # until the password is given again
    must_change: bool = False  # a one-time password, good for one thing only


class Sessions:
    """The sessions of a floor, in a database of their own beside the ledger, or in the ledger's PostgreSQL."""

    def __init__(self, database: str, clock: Callable[[], int] = now_in_milliseconds) -> None:
        self.clock = clock
        self._lock = Lock()
        self._known: dict[str, tuple[int, Session]] = {}
        self._postgres = database.startswith(("postgresql://", "postgres://"))
        self._address = in_time(database) if self._postgres else _beside(database)
        self._connection: Any = None
        types = {"text": "TEXT", "bytes": "BYTEA"} if self._postgres else {"text": "TEXT", "bytes": "BLOB"}
        with self._open() as run:
            for statement in _TABLES:
                run(statement.format(**types))

    def secret(self, name: str) -> str:
        """A secret of this floor, made once."""
        with self._open() as run:
            run("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", name, secrets.token_hex(32))
            return str(run("SELECT value FROM secrets WHERE name = ?", name)[0][0])

    def begin(self, session: Session) -> str:
        """A new session; the word that its browser is given."""
        token = secrets.token_urlsafe(32)
        key, now = _hashed(token), self.clock()
        with self._open() as run:
            statement = "INSERT INTO sessions (id, name, session, expires) VALUES (?, ?, ?, ?)"
            run(statement, key, session.name, msgspec.json.encode(session), now + _lasts(session))
        self._known[key] = (now, session)
        return token

    def find(self, token: str) -> Session | None:
        key, now = _hashed(token), self.clock()
        known = self._known.get(key)
        if known and now - known[0] < CACHED_FOR:
            return known[1]
        with self._open() as run:
            rows = run("SELECT session FROM sessions WHERE id = ? AND expires > ?", key, now)
        if not rows:
            self._known.pop(key, None)
            return None
        session = msgspec.json.decode(bytes(rows[0][0]), type=Session)
        self._known[key] = (now, session)
        return session

    def change(self, token: str, **fields: Any) -> Session | None:
        """Change a session as it stands now, whatever another process has just done to it. One that has ended stays ended."""
        key, now = _hashed(token), self.clock()
        while True:
            with self._open() as run:
                rows = run("SELECT session FROM sessions WHERE id = ? AND expires > ?", key, now)
                if not rows:
                    self._known.pop(key, None)
                    return None
                before = bytes(rows[0][0])
                session = msgspec.structs.replace(msgspec.json.decode(before, type=Session), **fields)
                statement = "UPDATE sessions SET session = ?, expires = ? WHERE id = ? AND session = ? RETURNING id"
                changed = run(statement, msgspec.json.encode(session), now + _lasts(session), key, before)
            if changed:
                self._known[key] = (now, session)
                return session

    def is_active(self, token: str, session: Session) -> None:
        """The person is there; written now and then only."""
        if self.clock() - session.active > WRITE_ACTIVE_EVERY:
            self.change(token, active=self.clock())

    def end(self, token: str) -> None:
        self._known.pop(_hashed(token), None)
        with self._open() as run:
            run("DELETE FROM sessions WHERE id = ?", _hashed(token))

    def end_all_of(self, name: str) -> None:
        """Somebody's rights have changed: all browsers of that user have to log in again. A guest of the same name stays."""
        self._known = {key: kept for key, kept in self._known.items() if kept[1].name != name or not kept[1].role}
        with self._open() as run:
            for key, body in run("SELECT id, session FROM sessions WHERE name = ?", name):
                if bool(msgspec.json.decode(bytes(body), type=Session).role):
                    run("DELETE FROM sessions WHERE id = ?", key)

    def sweep(self) -> None:
        """Forget what has expired."""
        now = self.clock()
        self._known = {key: kept for key, kept in self._known.items() if now - kept[0] < CACHED_FOR}
        with self._open() as run:
            run("DELETE FROM sessions WHERE expires <= ?", now)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    @contextmanager
    def _open(self) -> Iterator[Callable[..., list[Any]]]:
        """Run statements in one transaction, on a connection that is made again when it was lost."""
        with self._lock:
            if self._connection is None or (self._postgres and self._connection.closed):
                self._connection = psycopg.connect(self._address) if self._postgres else _sqlite(self._address)
            mark = "%s" if self._postgres else "?"

            def run(statement: str, *values: object) -> list[Any]:
                cursor = self._connection.execute(statement.replace("?", mark), values)
                return list(cursor.fetchall()) if cursor.description else []

            try:
                with self._connection if not self._postgres else self._connection.transaction():
                    yield run
            except (psycopg.Error, sqlite3.Error):
                self._connection.close()
                self._connection = None
                raise


def _lasts(session: Session) -> int:
    return STAFF_LASTS if session.role else GUEST_LASTS


def _hashed(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _beside(database: str) -> str:
    path = database.removeprefix("sqlite:///")
    return ":memory:" if path == "memory:" else f"{path}-sessions"


def _sqlite(path: str) -> sqlite3.Connection:
    if path != ":memory:":
        _keep_from_others(path)
    connection = sqlite3.connect(path, check_same_thread=False, timeout=10)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


def _keep_from_others(path: str) -> None:
    """Make the file readable by its owner only; the files that SQLite puts beside it take over its mode.

    A file that is there is not opened: closing it again would take the locks from whoever has it open in this process.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.chmod(path + ending, 0o600)
