"""The tamper-evident log: streams of hashed entries, kept by a recorder. It knows nothing about tables or games."""

from __future__ import annotations

from croupier.ledger.canonical import canonical, is_canonical
from croupier.ledger.entry import Entry, Unit, follow, genesis
from croupier.ledger.recorders.memory import MemoryRecorder
from croupier.ledger.recorders.recorder import Altered, Conflict, Missing, NotRecorded, Recorder, Source, Unknown, Unreadable

__all__ = [
    "Altered", "Conflict", "Entry", "MemoryRecorder", "Missing", "NotRecorded", "Recorder", "Source", "Unit", "Unknown",
    "Unreadable", "canonical", "follow", "genesis", "is_canonical", "is_postgres", "open_recorder",
]  # fmt: skip


def is_postgres(url: str) -> bool:
    return url.startswith(("postgresql://", "postgres://"))


def open_recorder(url: str, *, create: bool = True) -> Recorder:
    """The recorder at "memory:", "sqlite:///path" (or a plain path) or "postgresql://...".

    >>> open_recorder("memory:").head("table/T1")[0]
    0
    """
    if url == "memory:":
        return MemoryRecorder()
    if is_postgres(url):
        from croupier.ledger.recorders.postgres import PostgresRecorder

        return PostgresRecorder(url, create=create)
    from croupier.ledger.recorders.sqlite import SqliteRecorder

    return SqliteRecorder(url.removeprefix("sqlite:///"), create=create)
