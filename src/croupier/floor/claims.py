"""Claims: which of several server processes runs the automatic dealer of a table. A process that ends lets go of its claims."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Protocol

import psycopg

from croupier.ledger import is_postgres
from croupier.ledger.postgres import in_time


class Claims(Protocol):
    def take(self, table: str) -> bool:
        """Is this table ours? Once taken, it stays so until `close` or the end of the process."""

    def close(self) -> None: ...


class Alone:
    """The only process takes everything."""

    def take(self, table: str) -> bool:
        return True

    def close(self) -> None:
        pass


class PostgresClaims:
    """Advisory locks of one session: the database gives them up when the session ends, however it ends."""

    def __init__(self, url: str) -> None:
        self._url = in_time(url)
        self._session: psycopg.Connection[tuple[Any, ...]] | None = None
        self._taken: set[str] = set()
        self._floor = ""

    def take(self, table: str) -> bool:
        try:
            if self._session is None or self._session.closed:
                self._taken.clear()  # a lost session has lost its locks
                self._session = psycopg.connect(self._url, autocommit=True)
                found = self._session.execute("SELECT current_schema()").fetchone()
                self._floor = str(found[0]) if found else ""  # locks are the whole database's, a floor is one schema's
            if table not in self._taken:
                number = int.from_bytes(sha256(f"{self._floor}: dealer of {table}".encode()).digest()[:8], signed=True)
                found = self._session.execute("SELECT pg_try_advisory_lock(%s)", (number,)).fetchone()
                if found and found[0]:
                    self._taken.add(table)
            else:
                self._session.execute("SELECT 1")
        except psycopg.Error:
            self._taken.clear()
            self._session = None
        return table in self._taken

    def close(self) -> None:
        if self._session is not None:
            self._session.close()


def open_claims(url: str) -> Claims:
    return PostgresClaims(url) if is_postgres(url) else Alone()
