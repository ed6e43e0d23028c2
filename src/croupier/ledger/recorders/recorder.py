"""The contract of every recorder, and the check of units that they all share."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

from croupier.ledger.entry import Entry, Unit, entry_hash

ANOTHER = "Another checkpoint is the newest."
Head = tuple[int, bytes]  # the version and the hash of a stream's last entry; (0, genesis) before the first


class Conflict(Exception):
    """A version or a key is already taken, because another process wrote first. The unit is not written."""


class NotRecorded(Exception):
    """Nothing was written, for certain: disk full, locked, connection refused."""


class Unknown(Exception):
    """The connection or the disk failed during the commit, which may or may not be written. Read again before going on."""


class Unreadable(Exception):
    """A ledger cannot be read: not a ledger, from a newer version, damaged or unreachable. Nothing in it was changed."""


class Foreign(Unreadable):
    """An entry that another program wrote where only Croupier may write. It is neither applied nor signed."""


class Missing(Unreadable):
    """There is no such table, round or seat in a readable log."""


class Altered(Unreadable):
    """A transcript that was changed after it was written."""

    def __init__(self, path: str, line: int, what: str) -> None:
        super().__init__(f"{path}, line {line}: {what}.")
        self.path, self.line, self.what = path, line, what


class Source(Protocol):
    """A log that can be read and verified: a recorder or an exported transcript."""

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """Iterate over the entries of a stream after a version, in order."""

    def head(self, stream: str) -> Head:
        """Version and hash of the last entry; (0, genesis) if the stream is empty."""

    def streams(self) -> list[str]:
        """The names of all streams, sorted."""

    def heads(self) -> dict[str, Head]:
        """The heads of all streams at one moment, by name."""

    def checkpoints(self, *, newest_first: bool = False) -> Iterator[bytes]:
        """Iterate over all checkpoints."""

    def close(self) -> None:
        """Close files and connections."""
        return


class Recorder(Source, Protocol):
    """Keeps the log. Safe to use from several threads. Methods with a body suit a recorder that no other process can reach."""

    shared: bool  # several processes may write
    instant: bool  # reading and writing never wait, so they need no thread

    def begin(self) -> None:
        """Announce a writer. Before the next read, a commit that was interrupted earlier is settled."""
        return

    def hold(self, *keys: bytes) -> None:
        """Let only this process write from now on, or, if the recorder is shared, those that hold it with the same key.

        Entries of others are Foreign. `heads` then returns the heads that this process vouches for: the current ones, and what
        follows them. A shared recorder tags what it writes with the last key, and accepts tags of all of them. It keeps the keys
        of the first call; without any, it holds nothing.
        """
        return

    def foreign(self) -> dict[str, int]:
        """The first foreign entry of each stream that has one."""
        return {}

    def untagged(self, since: Mapping[str, int]) -> dict[str, int]:
        """The first entry without a valid tag, by stream, from these versions on. Empty if the recorder is not shared and held."""
        return {}

    def append(self, units: Sequence[Unit]) -> list[Conflict | None]:
        """Write in one transaction, durable on return. Only units that conflict are left out."""

    def verify_writable(self) -> None:
        """Raise NotRecorded or Unknown if the disk is nearly full, or if the last write failed and a small one fails too."""
        return

    def gone(self) -> str:
        """Why this is no longer the ledger at its path; empty while it is. Writes to a removed file are lost with it."""
        return ""

    def reply(self, key: str) -> bytes | None:
        """The reply that was written with an idempotency key."""

    def replies(self) -> int:
        """The number of replies that were written."""

    def save_snapshot(self, stream: str, version: int, state: bytes) -> None:
        """Keep a state as a cache, replacing an older one of the same stream."""

    def snapshot(self, stream: str) -> tuple[int, bytes] | None:
        """The version after which the newest kept state holds, and that state."""

    def save_checkpoint(self, checkpoint: bytes, previous: bytes = b"") -> None:
        """Keep a signed checkpoint after `previous`, which is empty for the first; Conflict if that is not the newest."""


def check_units(
    units: Sequence[Unit], heads: Mapping[str, Head], taken: Collection[str]
) -> tuple[list[Conflict | None], dict[str, Head]]:
    """The conflict of each unit, if any, and the heads after the units that can be written.

    Units are checked in order: one may follow another of the same batch, but not one that is left out.
    """
    conflicts: list[Conflict | None] = []
    moved: dict[str, Head] = {}
    used: set[str] = set()
    for unit in units:
        is_taken = unit.key and (unit.key in used or unit.key in taken)
        placed = Conflict(f"The key {unit.key} is already taken.") if is_taken else _place(unit, heads, moved)
        if isinstance(placed, Conflict):
            conflicts.append(placed)
        else:
            conflicts.append(None)
            moved.update(placed)
            used.add(unit.key)
    return conflicts, moved


def _place(unit: Unit, heads: Mapping[str, Head], moved: Mapping[str, Head]) -> dict[str, Head] | Conflict:
    placed: dict[str, Head] = {}
    for entry in unit.entries:
        name = entry.stream
        head = placed.get(name) or moved.get(name) or heads.get(name)
        if head is None:
            return Conflict(f"{name}: another program wrote to it.")
        version, previous = head
        if entry.version != version + 1:
            return Conflict(f"{name}: version {entry.version} cannot follow version {version}.")
        if entry.hash != entry_hash(previous, entry.body):
            return Conflict(f"{name}: version {entry.version} does not continue the chain from version {version}.")
        placed[name] = (entry.version, entry.hash)
    return placed
