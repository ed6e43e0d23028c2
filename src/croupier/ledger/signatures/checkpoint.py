"""Signed checkpoints: the heads of all streams at a moment. Each names the one before, so a missing one is noticed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.ledger.canonical import canonical, encode
from croupier.ledger.recorders.recorder import Conflict, Head, NotRecorded, Recorder, Source, Unreadable
from croupier.ledger.signatures.signer import Signer

WHOLE_EVERY = 60  # one checkpoint in this many names every stream
RESTORE = "restore"
TRIES = 10  # when other processes sign at the same time

Heads = dict[str, tuple[int, str]]  # by stream: version and hash


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of a checkpoint. Older versions have no fields after `signature`."""

    at: int  # milliseconds since 1970
    heads: Heads  # of every stream; with `all`, of those that moved since the checkpoint before
    previous: str  # the SHA-256 of the checkpoint before; empty in the first
    key: str  # the public key of the signature
    signature: str = ""  # over this checkpoint without it
    all: str = ""  # the SHA-256 of the heads of every stream, if `heads` does not name them all
    why: str = ""  # "start", "minute", "close", "stop", "by hand", "backup", "new key" or "restore"
    next: str = ""  # the public key that has to sign from here on
    instead_of: str = ""  # the SHA-256 of the last checkpoint of the ledger that this one replaces
    by: tuple[str, ...] = ()  # the users who approved that


@dataclass(frozen=True)
class CheckpointAct:
    """What people approve with a checkpoint."""

    next: str = ""
    instead_of: str = ""
    by: tuple[str, ...] = ()


NOTHING = CheckpointAct()


class ForeignKey(NotRecorded):
    """Another key has to sign this ledger."""


@dataclass(frozen=True)
class NewestCheckpoint:
    """The newest checkpoint of a ledger, and the heads of all streams that it covers."""

    text: bytes
    content: Checkpoint
    heads: Heads
    since_whole: int  # checkpoints since one named every stream

    @property
    def due(self) -> str:
        """The public key that has to sign the next one."""
        return self.content.next or self.content.key


def newest_checkpoint(source: Source) -> NewestCheckpoint | None:
    """The newest checkpoint, if any; raises Unreadable if it or one that it builds on is damaged."""
    texts: list[bytes] = []
    for text in source.checkpoints(newest_first=True):
        if wrong := checkpoint_problem(text):
            raise Unreadable(f"A checkpoint of the ledger is damaged: it {wrong}. Run croupier verify to see where.")
        texts.append(text)
        if not open_checkpoint(text).all:
            break
    if not texts:
        return None
    heads: Heads = {}
    for text in reversed(texts):
        heads |= open_checkpoint(text).heads
    last = open_checkpoint(texts[0])
    if last.all and last.all != digest(heads):
        raise Unreadable("A checkpoint of the ledger is missing. Run croupier verify to see where.")
    return NewestCheckpoint(texts[0], last, heads, len(texts) - 1)


def sign_heads(
    source: Source, signer: Signer, at: int, why: str = "", act: CheckpointAct = NOTHING, before: NewestCheckpoint | None = None
) -> bytes:
    """Sign the current heads of all streams. Save the result after the newest checkpoint, `before`.

    A ledger that does not continue the signed one is signed only if two people restore it.
    """
    before = before or newest_checkpoint(source)
    heads, key = checkpoint_heads(source.heads()), signer.public_key.hex()
    if before and before.due != key and why != RESTORE:
        raise ForeignKey(
            f"The key {before.due} must sign this ledger, but the key in {signer.where} is {key}. "
            "Use the first key, or endorse the other one with croupier checkpoint --next-key."
        )
    if before and why != RESTORE and (changed := _changed(source, before.heads, heads)):
        raise NotRecorded(f"{changed} Run croupier verify for details.")
    whole = before is None or before.since_whole + 1 >= WHOLE_EVERY or why != "minute"
    moved = {stream: head for stream, head in heads.items() if whole or before is None or before.heads.get(stream) != head}
    made = Checkpoint(
        at=at,
        heads=moved,
        previous=fingerprint(before.text) if before else "",
        key=key,
        all="" if whole else digest(heads),
        why=why,
        next=act.next,
        instead_of=act.instead_of,
        by=act.by,
    )
    return canonical(msgspec.structs.replace(made, signature=signer.sign(canonical(made)).hex()))


def _changed(source: Source, signed: Heads, now: Heads) -> str:
    """The first signed entry that was removed or replaced, in a sentence; empty if all stand. Streams only grow."""
    for stream, (version, hash_) in signed.items():
        if now.get(stream) == (version, hash_):
            continue
        found = next(source.read(stream, version - 1, 1), None)
        if found is None or found.version != version or found.hash.hex() != hash_:
            first = min(version, now.get(stream, (0, ""))[0] + 1)
            return f"{stream}, version {first}: it is not the entry that was signed."
    return ""


def sign_and_save(recorder: Recorder, signer: Signer, at: int, why: str = "", act: CheckpointAct = NOTHING) -> bytes:
    for _ in range(TRIES):
        before = newest_checkpoint(recorder)
        checkpoint = sign_heads(recorder, signer, at, why, act, before)
        try:
            recorder.save_checkpoint(checkpoint, before.text if before else b"")
        except Conflict:  # another process signed first
            continue
        return checkpoint
    raise NotRecorded("Other processes keep signing first.")


def checkpoint_problem(checkpoint: bytes) -> str | None:
    """What is wrong with a single checkpoint, or None."""
    try:
        read = open_checkpoint(checkpoint)
        key, signature = bytes.fromhex(read.key), bytes.fromhex(read.signature)
        unsigned = msgspec.structs.replace(read, signature="")
        Ed25519PublicKey.from_public_bytes(key).verify(signature, canonical(unsigned))
    except (msgspec.ValidationError, ValueError, TypeError):
        return "is not in the format of a checkpoint"
    except InvalidSignature:
        return "has an invalid signature"
    if canonical(msgspec.structs.replace(read, signature=signature.hex())) != checkpoint:
        return "is not in canonical JSON"
    return None


def open_checkpoint(checkpoint: bytes) -> Checkpoint:
    return msgspec.json.decode(checkpoint, type=Checkpoint)


def fingerprint(checkpoint: bytes) -> str:
    return sha256(checkpoint).hexdigest()


def checkpoint_heads(heads: Mapping[str, Head]) -> Heads:
    """Heads in the form that checkpoints use."""
    return {stream: (version, hash_.hex()) for stream, (version, hash_) in heads.items()}


def digest(heads: Heads) -> str:
    """One hash for the heads of all streams."""
    return sha256(encode(heads)).hexdigest()


def moment(at: int) -> str:
    """A time in milliseconds as text.

    >>> moment(1_800_000_000_000)
    '2027-01-15 08:00:00 UTC'
    """
    return f"{datetime.fromtimestamp(at // 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


# is this the ledger that the server left, not an older copy, another one or a forgery?


class NotContinued(Unreadable):
    """This is not the ledger that the server left. Two people can approve using it anyway."""


def verify_continues(source: Source, signer: Signer, seen: bytes | None) -> dict[str, int]:
    """Compare a ledger with its own newest checkpoint and with the last one of the witness, `seen`.

    Returns the first entry of each stream that no checkpoint covers, as after a crash.
    """
    before, heads = newest_checkpoint(source), checkpoint_heads(source.heads())
    if seen:
        _verify_is_seen(source, signer, seen, before)
    if before is None:
        return dict.fromkeys(heads, 1)
    if changed := _changed(source, before.heads, heads):
        raise NotContinued(changed)
    unsigned = {name: before.heads.get(name, (0, ""))[0] + 1 for name, head in heads.items() if before.heads.get(name) != head}
    if before.content.why == "close" and unsigned:
        place, version = min(unsigned.items())
        raise NotContinued(f"{place}, version {version}: it was written after the ledger was closed and signed.")
    return unsigned


def _verify_is_seen(source: Source, signer: Signer, seen: bytes, before: NewestCheckpoint | None) -> None:
    """Check that the ledger holds the checkpoint that the witness saw last, or one that replaces it."""
    if wrong := checkpoint_problem(seen):
        raise Unreadable(f"The last checkpoint of the witness {wrong}.")
    if not any(text == seen or _replaces(text, seen, signer) for text in source.checkpoints(newest_first=True)):
        at = moment(open_checkpoint(seen).at)
        ends = f"the newest of this ledger is of {moment(before.content.at)}" if before else "this ledger has none"
        raise NotContinued(f"It is an older or different copy: the witness has a checkpoint of {at}, and {ends}.")


def _replaces(text: bytes, seen: bytes, signer: Signer) -> bool:
    """Whether a checkpoint says that this ledger replaces the one of the checkpoint `seen`."""
    if checkpoint_problem(text):
        return False
    says = open_checkpoint(text)
    return says.why == RESTORE and says.instead_of == fingerprint(seen) and says.key == signer.public_key.hex()
