"""Is this the log that was written? The first place where it is not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from croupier.ledger.canonical import is_canonical
from croupier.ledger.checkpoint import Checkpoint, Heads, check, digest, fingerprint, open_checkpoint
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


@dataclass
class Signed:
    """What the checkpoints of a log vouch for."""

    count: int = 0
    keys: list[str] = field(default_factory=list)  # the public keys that signed, in their order
    last: Checkpoint | None = None
    heads: Heads = field(default_factory=dict)  # of every stream, as of the last checkpoint
    named: defaultdict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))  # all that were ever named
    damage: Damage | None = None


def read_checkpoints(source: Source, trusted: Collection[bytes] = (), *, excerpt: bool = False) -> Signed:
    """Follow the checkpoints up to the first that is damaged: signatures, keys, and that each follows the one before.

    A trusted key vouches for the checkpoints before its own, since each names the one before, and for the key that it endorses.
    Without a trusted key, signatures and keys only have to agree with each other. An excerpt leaves checkpoints out.
    """
    signed = Signed()
    follower = _Follower(frozenset(key.hex() for key in trusted), excerpt)
    for text in source.checkpoints():
        signed.count += 1
        read = follower.follow(text, signed)
        if isinstance(read, str):
            signed.damage = Damage(CHECKPOINTS, signed.count, f"it {read}")
            return signed
        for stream, (version, hash_) in read.heads.items():
            if signed.named[stream].setdefault(version, hash_) != hash_:
                signed.damage = Damage(stream, version, f"checkpoint {signed.count} names another hash for it than one before")
                return signed
    if signed.count and not follower.trusts:
        signed.damage = Damage(CHECKPOINTS, 1, f"it is signed with the key {signed.keys[0]}, and no checkpoint with a trusted key")
    return signed


class _Follower:
    def __init__(self, trusted: frozenset[str], excerpt: bool) -> None:
        self.trusted, self.excerpt = trusted, excerpt
        self.trusts = not trusted  # from the first checkpoint on that a trusted key signed
        self.previous, self.due = "", ""

    def follow(self, text: object, signed: Signed) -> Checkpoint | str:
        """The next checkpoint, or what is wrong with it."""
        if not isinstance(text, bytes):
            return "is not kept as bytes"
        if wrong := check(text):
            return wrong
        read = open_checkpoint(text)
        if not self.excerpt and read.previous != self.previous:
            return "does not follow the checkpoint before it"
        if self.trusts and self.due not in ("", read.key):
            return f"is signed with the key {read.key}, which the key {self.due} never endorsed"
        if read.all:
            signed.heads |= read.heads
        else:
            signed.heads = dict(read.heads)
        if read.all and not self.excerpt and read.all != digest(signed.heads):
            return "does not stand for the heads that the checkpoints before it name"
        self.trusts = self.trusts or read.key in self.trusted
        self.previous, self.due = fingerprint(text), read.next or read.key
        signed.last = read
        if read.key not in signed.keys:
            signed.keys.append(read.key)
        return read


def verify_heads(source: Source, signed: Signed, only: Collection[str] | None = None) -> list[Damage]:
    """Every head that a checkpoint names still stands in its stream; if not, the first place of each stream.

    The chain alone does not show that its last entries are missing; a checkpoint made after them does. A transcript of some
    streams is held to these only.
    """
    held = sorted(signed.named.keys() if only is None else signed.named.keys() & set(only))
    return [damage for stream in held if (damage := _missing(source, stream, signed.named[stream]))]


def _missing(source: Source, stream: str, heads: dict[int, str]) -> Damage | None:
    for version, hash_ in sorted(heads.items()):
        if version == 0:
            continue
        found = next(source.read(stream, after=version - 1, limit=1), None)
        if found is None or found.version != version:
            return Damage(stream, min(version, source.head(stream)[0] + 1), f"it is missing; a checkpoint names version {version}")
        if found.hash.hex() != hash_:
            return Damage(stream, version, "its hash is not the one that a checkpoint names")
    return None
