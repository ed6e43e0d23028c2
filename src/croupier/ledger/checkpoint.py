"""Signed checkpoints: the heads of all streams at a moment. Each names the one before, so none can be taken out unseen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.ledger.canonical import canonical
from croupier.ledger.recorder import Conflict, Head, Recorder, Source, Unreadable
from croupier.ledger.signer import NotSigned, Signer

WHOLE_EVERY = 60  # checkpoints: the newest one that names every stream is never farther back
TRIES = 10  # when other processes sign at the same time

Heads = dict[str, tuple[int, str]]  # of each stream its version and hash
_encode = msgspec.json.Encoder(order="sorted").encode  # canonical for heads, and fast


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a checkpoint says. Those of older versions end with `signature`."""

    at: int  # milliseconds since 1970
    heads: Heads  # of every stream; with `all`, of those that moved since the checkpoint before
    previous: str  # the SHA-256 of the checkpoint before, "" of the first
    key: str  # the public key that the signature answers to
    signature: str = ""  # over this checkpoint without it
    all: str = ""  # the SHA-256 of the heads of every stream, where `heads` does not name them all
    why: str = ""  # "start", "minute", "close", "stop", "by hand" or "new key"
    next: str = ""  # the public key that has to sign from here on


class ForeignKey(NotSigned):
    """Another key has to sign this ledger."""


@dataclass(frozen=True)
class Newest:
    """The newest checkpoint of a ledger, and the heads of all streams that it stands for."""

    text: bytes
    says: Checkpoint
    heads: Heads
    since_whole: int  # how many checkpoints ago one named every stream

    @property
    def due(self) -> str:
        """The public key that has to sign the next one."""
        return self.says.next or self.says.key


def newest(source: Source) -> Newest | None:
    """The newest checkpoint; Unreadable if it or one that it builds on is damaged."""
    texts: list[bytes] = []
    for text in source.checkpoints(newest_first=True):
        if wrong := check(text):
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
    return Newest(texts[0], last, heads, len(texts) - 1)


def sign(source: Source, signer: Signer, at: int, why: str = "", next_key: bytes = b"", before: Newest | None = None) -> bytes:
    """A checkpoint of all streams as they stand, to be saved after the newest one, which may be given as `before`."""
    before = before or newest(source)
    heads, key = named(source.heads()), signer.public_key.hex()
    if before and before.due != key:
        raise ForeignKey(
            f"The key {before.due} has to sign this ledger, and the key in {signer.where} is {key}. "
            "Use the first key, or let it endorse the other with croupier checkpoint --next-key."
        )
    if before:
        _verify_grown(before.heads, heads)
    whole = before is None or before.since_whole + 1 >= WHOLE_EVERY or why != "minute"
    moved = {stream: head for stream, head in heads.items() if whole or before is None or before.heads.get(stream) != head}
    made = Checkpoint(
        at=at,
        heads=moved,
        previous=fingerprint(before.text) if before else "",
        key=key,
        all="" if whole else digest(heads),
        why=why,
        next=next_key.hex(),
    )
    return canonical(msgspec.structs.replace(made, signature=signer.sign(canonical(made)).hex()))


def _verify_grown(before: Heads, now: Heads) -> None:
    """Streams only grow. What was removed or exchanged is not signed."""
    for stream, (version, hash_) in before.items():
        stands, found = now.get(stream, (0, ""))
        if stands < version or (stands == version and found != hash_):
            place = f"{stream}, version {min(stands + 1, version)}"
            raise NotSigned(f"{place}: it is not the entry that was signed. Run croupier verify to see more.")


def save(recorder: Recorder, signer: Signer, at: int, why: str = "", next_key: bytes = b"") -> bytes:
    """Sign a checkpoint and keep it."""
    for _ in range(TRIES):
        before = newest(recorder)
        checkpoint = sign(recorder, signer, at, why, next_key, before)
        try:
            recorder.save_checkpoint(checkpoint, before.text if before else b"")
        except Conflict:  # another process signed first
            continue
        return checkpoint
    raise NotSigned("Other processes keep signing first.")


def check(checkpoint: bytes) -> str | None:
    """What is wrong with a checkpoint in itself, or None."""
    try:
        read = open_checkpoint(checkpoint)
        key, signature = bytes.fromhex(read.key), bytes.fromhex(read.signature)
        unsigned = msgspec.structs.replace(read, signature="")
        Ed25519PublicKey.from_public_bytes(key).verify(signature, canonical(unsigned))
    except (msgspec.ValidationError, ValueError, TypeError):
        return "does not have the form of a checkpoint"
    except InvalidSignature:
        return "has a signature that is not its own"
    if canonical(msgspec.structs.replace(read, signature=signature.hex())) != checkpoint:
        return "is not spelt as it was written"
    return None


def open_checkpoint(checkpoint: bytes) -> Checkpoint:
    return msgspec.json.decode(checkpoint, type=Checkpoint)


def fingerprint(checkpoint: bytes) -> str:
    return sha256(checkpoint).hexdigest()


def named(heads: Mapping[str, Head]) -> Heads:
    """Heads as a checkpoint names them."""
    return {stream: (version, hash_.hex()) for stream, (version, hash_) in heads.items()}


def digest(heads: Heads) -> str:
    """One hash for the heads of all streams."""
    return sha256(_encode(heads)).hexdigest()
