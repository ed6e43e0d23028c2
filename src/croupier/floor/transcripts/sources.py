"""Opens a log to read and verify: a database or an exported transcript. Reads a table's chain, and the cards a transcript opens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from croupier.floor.house.vault import Opener
from croupier.law.cite import Refusal
from croupier.ledger import Missing, Source, Unreadable, is_postgres, open_recorder
from croupier.ledger.canonical import encode
from croupier.ledger.entry import Entry, entry_hash, genesis
from croupier.ledger.recorders.sqlite import DATABASE, SqliteReader, first_bytes
from croupier.ledger.transcript import Transcript
from croupier.table.events import Event, read_event
from croupier.table.fold import apply
from croupier.table.state import State


def open_source(text: str) -> Source:
    """Open the log at a path or an address. Nothing in it is changed."""
    if is_postgres(text):
        return open_recorder(text, create=False)
    path = Path(text.removeprefix("sqlite:///"))
    try:
        start = first_bytes(path)
    except OSError as problem:
        raise Unreadable(f"{text} cannot be read: {problem.strerror}.") from problem
    if start.startswith(b"{"):
        return Transcript(path)
    if start.startswith(DATABASE):
        return SqliteReader(path)
    raise Unreadable(f"{text} is neither a croupier ledger nor a transcript.")


def need_table(source: Source, table: str) -> None:
    if not source.head(f"table/{table}")[0]:
        known = [name.removeprefix("table/") for name in source.streams() if name.startswith("table/")]
        raise Missing(f"There is no table {table} in this log; it has {', '.join(known) or 'none'}.")


def applied_events(
    source: Source, table: str, state: State, head: bytes = b"", last: int | None = None, opener: Opener | None = None
) -> Iterator[tuple[Entry, Event]]:
    """The events of a table after a state, whose last entry has the hash `head`, on an unbroken chain.

    Each is applied to the state before it is given. Without an opener nothing sealed is read: the state then knows only cards
    that were face up.
    """
    stream = f"table/{table}"
    head = head or genesis(stream)
    many = None if last is None else last - state.version
    for due, entry in enumerate(source.read(stream, state.version, many), state.version + 1):
        try:
            if entry.version != due:
                raise ValueError("it is missing")
            if entry.hash != entry_hash(head, entry.body):
                raise ValueError("the chain of hashes is broken")
            head, event = entry.hash, read_event(entry.body)
            apply(state, event, opener.open(entry).orders if opener else ())
        except (AssertionError, LookupError, ValueError, Refusal) as problem:
            raise Unreadable(f"{stream}, version {due}: {problem}; run croupier verify for details.") from problem
        yield entry, event


# what a transcript opens: the leaves of a shuffled deck, and cards that the reader may see


class OpenedCard(msgspec.Struct, frozen=True):
    """A card that was dealt face down, and the salt that opens its commitment."""

    position: int
    card: str
    salt: str


class Opened(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    leaves: tuple[tuple[str, ...], ...] = ()  # for each deck that the event commits to
    cards: tuple[OpenedCard, ...] = ()  # of those that the event dealt
    lost: bool = False  # the log records that the key of the event's orders is lost


NOTHING = Opened()
_decode = msgspec.json.Decoder(Opened).decode


def write_opened(opened: Opened) -> bytes:
    return encode(opened) if opened != NOTHING else b""


def opened_in(source: Source, entry: Entry) -> Opened:
    """What a transcript opens of an entry; a log opens nothing in this way."""
    text = source.opened(entry.stream, entry.version) if isinstance(source, Transcript) else b""
    return _decode(text) if text else NOTHING
