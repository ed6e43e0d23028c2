"""Finds the first place where a log is not what was written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from croupier.ledger.canonical import is_canonical
from croupier.ledger.entry import Entry, entry_hash, genesis
from croupier.ledger.recorders.recorder import Source
from croupier.ledger.signatures.checkpoint import (
    RESTORE,
    Checkpoint,
    Heads,
    checkpoint_problem,
    digest,
    fingerprint,
    moment,
    open_checkpoint,
)

CHECKPOINTS, WITNESS = "checkpoints", "witness"  # in place of a stream's name if a checkpoint itself is damaged


@dataclass(frozen=True, slots=True)
class Damage:
    """The place where a stream, or a transcript's file, stops being what was written, and what is wrong there."""

    stream: str
    version: int
    what: str
    unit: str = "version"  # “line” in a file, empty for a whole database

    def __str__(self) -> str:
        return f"{self.stream}{f', {self.unit} {self.version}' if self.unit else ''}: {self.what}."


def verify_chain(stream: str, entries: Iterable[Entry]) -> Damage | None:
    """Follow a stream from its beginning: every change, removal, addition or exchange breaks the chain where it happened."""
    previous = genesis(stream)
    due = 0
    for due, entry in enumerate(entries, start=1):
        if entry.stream != stream:
            return Damage(stream, due, f"there is an entry of {entry.stream} in its place")
        if entry.version != due:
            return Damage(stream, due, f"there is version {entry.version} in its place")
        if entry.hash != entry_hash(previous, entry.body):
            return Damage(stream, due, "its hash does not match its body and the entry before it")
        if not is_canonical(entry.body):
            return Damage(stream, due, "its body is not canonical JSON")
        previous = entry.hash
    return None


@dataclass
class Signed:
    """What the checkpoints of a log cover."""

    count: int = 0
    keys: list[str] = field(default_factory=list)  # the public keys that signed, in order
    last: Checkpoint | None = None
    heads: Heads = field(default_factory=dict)  # of every stream, as of the last checkpoint
    named: defaultdict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))  # all heads ever named
    prints: dict[str, int] = field(default_factory=dict)  # the number of each checkpoint, by fingerprint
    restored: list[Checkpoint] = field(default_factory=list)  # two people put this log in place of another
    damage: Damage | None = None


def read_checkpoints(source: Source, trusted: Collection[bytes] = (), *, excerpt: bool = False) -> Signed:
    """Follow the checkpoints up to the first damaged one: check signatures and keys, and that each follows the one before.

    A trusted key vouches for the checkpoints before its own, since each names the one before, and for the key that it endorses.
    Without a trusted key, signatures and keys only have to agree with each other. An excerpt omits some checkpoints.
    """
    signed, known = Signed(), {key.hex() for key in trusted}
    trusts = not known  # whether a trusted key has signed so far
    for text in source.checkpoints():
        signed.count += 1
        if wrong := _follow(signed, text, trusts=trusts, excerpt=excerpt):
            signed.damage = Damage(CHECKPOINTS, signed.count, f"it {wrong}")
            return signed
        assert signed.last is not None
        trusts = trusts or signed.last.key in known
        for stream, (version, hash_) in signed.last.heads.items():
            if signed.named[stream].setdefault(version, hash_) != hash_:
                signed.damage = Damage(stream, version, f"checkpoint {signed.count} and one before name different hashes")
                return signed
    if signed.count and not trusts:
        signed.damage = Damage(CHECKPOINTS, 1, f"it is signed with the key {signed.keys[0]}, and no checkpoint with a trusted key")
    return signed


def _follow(signed: Signed, text: object, *, trusts: bool, excerpt: bool) -> str | None:
    """Add the next checkpoint, or return what is wrong with it."""
    if not isinstance(text, bytes):
        return "is not stored as bytes"
    if wrong := checkpoint_problem(text):
        return wrong
    read, before = open_checkpoint(text), signed.last
    if not excerpt and read.previous != next(reversed(signed.prints), ""):
        return "does not follow the checkpoint before it"
    due = before and (before.next or before.key)
    if trusts and due and read.key != due:
        return f"is signed with the key {read.key}, which the key {due} never endorsed"
    signed.heads = signed.heads | read.heads if read.all else dict(read.heads)
    if read.all and not excerpt and read.all != digest(signed.heads):
        return "does not match the heads that the checkpoints before it name"
    signed.prints[fingerprint(text)] = signed.count
    signed.last = read
    if read.why == RESTORE:
        signed.restored.append(read)
    if read.key not in signed.keys:
        signed.keys.append(read.key)
    return None


def verify_heads(source: Source, signed: Signed, only: Collection[str] | None = None) -> list[Damage]:
    """Check that every head that a checkpoint names is still in its stream; return the first damage of each stream.

    The chain alone does not show that its last entries are missing; a checkpoint made after them does. `only` limits the check
    to the streams of a transcript.
    """
    held = sorted(signed.named.keys() if only is None else signed.named.keys() & set(only))
    return [damage for stream in held if (damage := _missing(source, stream, signed.named[stream]))]


def verify_witness(source: Source, signed: Signed, lines: Iterable[bytes]) -> list[Damage]:
    """Check that every checkpoint of the witness is in the log, unless two people put this log in place of another."""
    replaced = {each.instead_of for each in signed.restored}
    unknown: list[tuple[int, bytes]] = []
    for number, line in enumerate(lines, start=1):
        print_ = fingerprint(line)
        if print_ in replaced:
            unknown.clear()
        elif print_ not in signed.prints:
            unknown.append((number, line))
    if not unknown:
        return []
    number, line = unknown[0]
    if wrong := checkpoint_problem(line):
        return [Damage(WITNESS, number, f"it {wrong}")]
    at = moment(open_checkpoint(line).at)
    found = [Damage(CHECKPOINTS, signed.count + 1, f"it is missing; the witness has one of {at}")]
    named: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for _, line in unknown:
        if checkpoint_problem(line) is None:
            for stream, (version, hash_) in open_checkpoint(line).heads.items():
                named[stream][version] = hash_
    return found + [each for stream in sorted(named) if (each := _missing(source, stream, named[stream], "the witness"))]


def _missing(source: Source, stream: str, heads: dict[int, str], who: str = "a checkpoint") -> Damage | None:
    good = 0
    for version, hash_ in sorted(heads.items()):
        if version == 0:
            continue
        found = next(source.read(stream, after=version - 1, limit=1), None)
        if found is None or found.version != version:
            return Damage(stream, min(version, source.head(stream)[0] + 1), f"it is missing; {who} names version {version}")
        if found.hash.hex() != hash_:
            since = f"; up to version {good} the entries are as signed" if good else ""
            return Damage(stream, version, f"its hash is not the one that {who} names{since}")
        good = version
    return None
