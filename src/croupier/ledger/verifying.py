"""Is this the log that was written? The first place where it is not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from croupier.ledger.canonical import is_canonical
from croupier.ledger.checkpoint import check, open_checkpoint
from croupier.ledger.entry import Entry, genesis, link
from croupier.ledger.recorder import Source

CHECKPOINTS = "checkpoints"  # what stands for a stream's name when a checkpoint itself is damaged


@dataclass(frozen=True, slots=True)
class Damage:
    """Where a stream stops being what was written, and how it shows."""

    stream: str
    version: int
    what: str

    def __str__(self) -> str:
        return f"{self.stream}, version {self.version}: {self.what}."


def verify_chain(stream: str, entries: Iterable[Entry]) -> Damage | None:
    """Follow a stream from its beginning: every change, removal, addition and exchange breaks the chain where it happened."""
    previous = genesis(stream)
    due = 0
    for due, entry in enumerate(entries, start=1):
        if entry.stream != stream:
            return Damage(stream, due, f"in its place stands an entry of {entry.stream}")
        if entry.version != due:
            return Damage(stream, due, f"in its place stands version {entry.version}")
        if entry.hash != link(previous, entry.body):
            return Damage(stream, due, "its hash is not that of its body and the entry before it")
        if not is_canonical(entry.body):
            return Damage(stream, due, "its body is not canonical JSON")
        previous = entry.hash
    return None


def verify_checkpoints(source: Source, trusted: bytes | None = None, only: Collection[str] | None = None) -> Damage | None:
    """Signatures, the chain of the checkpoints, and that every head they name still stands in its stream.

    The chain alone does not show that its last entries are missing; a checkpoint made after them does. A transcript of some
    streams is held to these only.
    """
    named: defaultdict[str, dict[int, str]] = defaultdict(dict)
    previous: bytes | None = None
    for number, checkpoint in enumerate(source.checkpoints(), start=1):
        if wrong := check(checkpoint, previous, trusted):
            return Damage(CHECKPOINTS, number, f"it {wrong}")
        for stream, (version, digest) in open_checkpoint(checkpoint).heads.items():
            if named[stream].setdefault(version, digest) != digest:
                return Damage(stream, version, f"checkpoint {number} names another hash for it than one before")
        previous = checkpoint
    held = sorted(named.keys() if only is None else named.keys() & set(only))
    return next((damage for stream in held if (damage := _missing(source, stream, named[stream]))), None)


def _missing(source: Source, stream: str, heads: dict[int, str]) -> Damage | None:
    for version, digest in sorted(heads.items()):
        if version == 0:
            continue
        found = next(source.read(stream, after=version - 1, limit=1), None)
        if found is None or found.version != version:
            return Damage(stream, min(version, source.head(stream)[0] + 1), f"it is missing; a checkpoint names version {version}")
        if found.hash.hex() != digest:
            return Damage(stream, version, "its hash is not the one that a checkpoint names")
    return None
