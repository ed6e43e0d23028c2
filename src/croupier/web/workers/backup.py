"""Download of a consistent copy of a SQLite ledger, made while the tables go on."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from croupier.web.errors import Denied
from croupier.web.settings import Settings

CHUNK = 1 << 18  # bytes sent at a time
PG_DUMP = (
    "The ledger is in PostgreSQL: `pg_dump` copies it while it runs and `pg_restore` brings it back. Use these"
    " tools instead of this page."
)


def path_of(settings: Settings) -> Path:
    """The file of the ledger; Denied if it is not in SQLite."""
    if settings.on_postgres:
        raise Denied(409, PG_DUMP)
    if settings.path is None:
        raise Denied(409, "This floor keeps its ledger in memory only; there is nothing to copy.")
    return settings.path


def backup(path: Path) -> tuple[BinaryIO, int]:
    """An open copy of the ledger, and its size. The file is already unlinked, so it is gone once closed, even after a crash."""
    with tempfile.NamedTemporaryFile(prefix=f".{path.name}-backup-", dir=path.parent) as made:
        name = made.name
        try:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as source, closing(sqlite3.connect(name)) as copy:
                source.backup(copy)  # in one step: one moment of the ledger, and nobody waits for it
            return open(name, "rb"), os.path.getsize(name)
        except (OSError, sqlite3.Error) as problem:
            raise Denied(503, f"The copy cannot be made: {problem}.") from None
