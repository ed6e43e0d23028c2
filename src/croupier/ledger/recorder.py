"""The contract that every recorder keeps, and the judgement of what follows what that all of them share."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from croupier.ledger.entry import Entry, Unit, link

ANOTHER = "Another checkpoint is the newest."
Head = tuple[int, bytes]  # the version and the hash of a stream's last entry; (0, genesis) before the first


class Conflict(Exception):
    """A version or a key is already taken: somebody else wrote. The unit is not written."""


class NotRecorded(Exception):
    """Certainly nothing was written: disk full, locked, connection refused."""


class Unknown(Exception):
    """Written or not, nobody knows: the connection or the disk failed in the commit. Read again before going on."""


class Unreadable(Exception):
    """This cannot be read: no ledger, of a newer version, damaged or out of reach. Nothing in it was touched."""


class Missing(Unreadable):
    """It can be read, and there is no such table, round or seat in it."""


class Altered(Unreadable):
    """This was a transcript of croupier, and somebody or something changed it."""

    def __init__(self, path: str, line: int, what: str) -> None:
        super().__init__(f"{path}, line {line}: {what}.")
        self.path, self.line, self.what = path, line, what


class Source(Protocol):
    """What can be read and verified: a recorder or an exported transcript."""

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a stream after a version, in order, however many there are."""

    def head(self, stream: str) -> Head:
        """Version and hash of the last entry; (0, genesis) of an empty stream."""

    def streams(self) -> list[str]:
        """The names of all streams, sorted."""

    def heads(self) -> dict[str, Head]:
        """The heads of all streams at one moment, by name."""

    def checkpoints(self, *, newest_first: bool = False) -> Iterator[bytes]:
        """All checkpoints, however many there are."""

    def close(self) -> None:
        """Let go of files and connections."""


class Recorder(Source, Protocol):
    """Where the log is kept. Safe to use from several threads."""

    shared: bool  # several processes may write

    def prepare(self, units: Sequence[Unit]) -> Sequence[Unit]:
        """The same units, with all done that can be done before the disk is asked. It waits for nothing; `append` may follow."""

    def append(self, units: Sequence[Unit]) -> list[Conflict | None]:
        """Write in one transaction, durable on return. A unit that conflicts is left out alone; the others are written."""

    def reply(self, key: str) -> bytes | None:
        """The reply that was written with an idempotency key."""

    def replies(self) -> int:
        """How many replies were written."""

    def save_snapshot(self, stream: str, version: int, state: bytes) -> None:
        """Keep a state as a cache; only the newest of a stream stays."""

    def snapshot(self, stream: str) -> tuple[int, bytes] | None:
        """The newest state kept, and the version after which it holds."""

    def save_checkpoint(self, checkpoint: bytes, previous: bytes = b"") -> None:
        """Keep a signed checkpoint after `previous`, which is empty for the first; Conflict if that is not the newest."""


@dataclass(slots=True)
class Sifted:
    """Which units of a batch can be written, and where that leaves the streams."""

    good: list[Unit] = field(default_factory=list)
    conflicts: list[Conflict | None] = field(default_factory=list)
    heads: dict[str, Head] = field(default_factory=dict)


def sift(units: Sequence[Unit], heads: Mapping[str, Head], taken: Collection[str]) -> Sifted:
    """Judge units in their order: a unit may follow another of the same batch, but not one that is left out."""
    sifted = Sifted()
    used: set[str] = set()
    for unit in units:
        if unit.key and (unit.key in used or unit.key in taken):
            sifted.conflicts.append(Conflict(f"The key {unit.key} is already taken."))
            continue
        placed = _place(unit, heads, sifted.heads)
        if isinstance(placed, Conflict):
            sifted.conflicts.append(placed)
            continue
        sifted.heads.update(placed)
        used.add(unit.key)
        sifted.good.append(unit)
        sifted.conflicts.append(None)
    return sifted


def _place(unit: Unit, heads: Mapping[str, Head], moved: Mapping[str, Head]) -> dict[str, Head] | Conflict:
    placed: dict[str, Head] = {}
    for entry in unit.entries:
        name = entry.stream
        version, previous = placed.get(name) or moved.get(name) or heads[name]
        if entry.version != version + 1:
            return Conflict(f"{name}: version {entry.version} cannot follow version {version}.")
        if entry.hash != link(previous, entry.body):
            return Conflict(f"{name}: version {entry.version} does not continue the chain from version {version}.")
        placed[name] = (entry.version, entry.hash)
    return placed
