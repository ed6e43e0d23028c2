"""Claims: which of several server processes runs the automatic dealer of a table. A process that ends releases its claims."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256

import psycopg

from croupier.ledger import is_postgres
from croupier.ledger.recorders.postgres import Connection, ReconnectingConnection

SECONDS_BETWEEN = 1.0  # between two checks of the claims
# Seconds of silence, seconds between probes, number of probes until the database notices that a process's machine is gone.
KEEPALIVES = {"tcp_keepalives_idle": 3, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 2}


class Claims:
    """Claims of the only process: every table is its own."""

    def take(self, table: str) -> bool:
        """Whether this process has the table. Never waits: a claim may be granted a moment after it is first requested."""
        return True

    async def keep(self, on_claim: Callable[[str], None]) -> None:
        """Claim requested tables and notice lost claims, until canceled. Calls `on_claim` with each table claimed."""

    def close(self) -> None:
        """Release every claim."""


class PostgresClaims(Claims):
    """Advisory locks of one session. The database releases them when the session ends, however it ends.

    A thread asks for them, because the database may hang. If two processes both believe for a moment that a table is theirs, the
    log accepts one's step and refuses the other's.
    """

    def __init__(self, url: str) -> None:
        self._link = ReconnectingConnection(url, _set_keepalives)
        self._thread = ThreadPoolExecutor(1, "claims")
        self._wanted: set[str] = set()
        self._taken: frozenset[str] = frozenset()
        self._session: Connection | None = None
        self._floor = ""
        self._wake = asyncio.Event()

    def take(self, table: str) -> bool:
        if table not in self._wanted:
            self._wanted.add(table)
            self._wake.set()
        return table in self._taken

    async def keep(self, on_claim: Callable[[str], None]) -> None:
        while True:
            self._wake.clear()
            before, loop = self._taken, asyncio.get_running_loop()
            self._taken = await loop.run_in_executor(self._thread, self._claimed, before, frozenset(self._wanted))
            for table in self._taken - before:
                on_claim(table)
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS_BETWEEN):
                    await self._wake.wait()

    def _claimed(self, taken: frozenset[str], wanted: frozenset[str]) -> frozenset[str]:
        """The tables that are ours now. A new session has to take its tables again."""
        try:
            connection = self._link.connection()
            if connection is not self._session:
                taken, self._session = frozenset(), connection
                found = connection.execute("SELECT current_schema()").fetchone()
                self._floor = str(found[0]) if found else ""  # locks belong to the whole database, a floor to one schema
            names = sorted(wanted - taken)
            query = "SELECT name, pg_try_advisory_lock(lock) FROM unnest(%s::text[], %s::bigint[]) AS asked (name, lock)"
            rows = connection.execute(query, (names, [self._number(name) for name in names])).fetchall()
            return taken | {str(name) for name, is_ours in rows if is_ours}
        except psycopg.Error:
            self._link.close()
            return frozenset()

    def _number(self, table: str) -> int:
        return int.from_bytes(sha256(f"{self._floor}: dealer of {table}".encode()).digest()[:8], signed=True)

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
        self._link.close()


def _set_keepalives(connection: Connection) -> None:
    for name, value in KEEPALIVES.items():
        connection.execute("SELECT set_config(%s, %s, false)", (name, str(value)))


def open_claims(url: str) -> Claims:
    return PostgresClaims(url) if is_postgres(url) else Claims()
