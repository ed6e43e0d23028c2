"""What can be read and verified: a database, by its path or its address, or an exported transcript."""

from __future__ import annotations

from pathlib import Path

from croupier.ledger import Missing, Source, Unreadable, open_recorder
from croupier.ledger.sqlite import DATABASE, first_bytes
from croupier.ledger.transcript import Transcript

ADDRESSES = ("sqlite:///", "postgresql://", "postgres://")


def open_source(text: str) -> Source:
    """The log that a path or an address names. What is neither a ledger nor a transcript is left as it is."""
    if text.startswith(ADDRESSES):
        return open_recorder(text, create=False)
    path = Path(text)
    try:
        start = first_bytes(path)
    except OSError as problem:
        raise Unreadable(f"{text} cannot be read: {problem.strerror}.") from problem
    if start.startswith(b"{"):
        return Transcript(path)
    if start.startswith(DATABASE):
        return open_recorder(text, create=False)
    raise Unreadable(f"{text} is neither a croupier ledger nor a transcript.")


def need_table(source: Source, table: str) -> None:
    if not source.head(f"table/{table}")[0]:
        known = [name.removeprefix("table/") for name in source.streams() if name.startswith("table/")]
        raise Missing(f"There is no table {table} in this log; it has {', '.join(known) or 'none'}.")
