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
from croupier.table.events import Event, NotAnEvent, read_event
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


def chained_events(
    source: Source, table: str, after: int = 0, many: int | None = None, previous: bytes = b""
) -> Iterator[tuple[Entry, Event]]:
    """The events of a table after a version, whose hash is `previous`, on an unbroken chain."""
    stream = f"table/{table}"
    previous = previous or genesis(stream)
    for due, entry in enumerate(source.read(stream, after, many), after + 1):
        if entry.version != due:
            raise _unreadable(stream, due, "it is missing")
        if entry.hash != entry_hash(previous, entry.body):
            raise _unreadable(stream, due, "the chain of hashes is broken")
        previous = entry.hash
        try:
            event = read_event(entry.body)
        except NotAnEvent as problem:
            raise _unreadable(stream, due, problem) from problem
        yield entry, event


def applied_events(
    source: Source, table: str, state: State, head: bytes = b"", last: int | None = None, opener: Opener | None = None
) -> Iterator[tuple[Entry, Event]]:
    """The events of a table after a state, whose last entry has the hash `head`; each is applied to the state before it is given.

    Without an opener nothing sealed is read: the state then knows only cards that were face up.
    """
    many = None if last is None else last - state.version
    for entry, event in chained_events(source, table, state.version, many, head):
        try:
            apply(state, event, opener.open(entry).orders if opener else ())
        except (AssertionError, LookupError, ValueError, Refusal, msgspec.MsgspecError) as problem:
            raise _unreadable(entry.stream, entry.version, problem) from problem
        yield entry, event


def _unreadable(stream: str, version: int, why: object) -> Unreadable:
    return Unreadable(f"{stream}, version {version}: {why}; run croupier verify for details.")


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
