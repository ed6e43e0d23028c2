"""Where a pit's log is kept for the night: in memory, in a SQLite file, or in a separate PostgreSQL schema."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote
from uuid import uuid4


class Store(StrEnum):
    MEMORY = "memory"
    SQLITE = "sqlite"
    POSTGRES = "postgres"


class NoStore(ValueError):
    """A store that cannot be used as asked."""


@contextmanager
def temporary_log(store: Store, database: str = "") -> Iterator[str]:
    """The address of an empty log, which is removed afterward."""
    match store:
        case Store.MEMORY:
            yield "memory:"
        case Store.SQLITE:
            if database and not Path(database).is_dir():
                raise NoStore(f"{database} is not a folder")
            with TemporaryDirectory(prefix="croupier-shift-", dir=database or None, ignore_cleanup_errors=True) as folder:
                yield f"sqlite:///{folder}/ledger.db"
        case Store.POSTGRES:
            yield from _schema(database)


def _schema(database: str) -> Iterator[str]:
    import psycopg

    name = f"shift_{uuid4().hex}"
    if not database:
        raise NoStore("a shift on PostgreSQL needs a database address: --database postgresql://…")
    try:
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(f'CREATE SCHEMA "{name}"'.encode())
            try:
                yield f"{database}{'&' if '?' in database else '?'}options={quote(f'-csearch_path={name}')}"
            finally:
                connection.execute("SET client_min_messages = warning")
                connection.execute(f'DROP SCHEMA "{name}" CASCADE'.encode())
    except psycopg.OperationalError as problem:
        raise NoStore(f"the database cannot be reached: {problem}") from problem
