"""Signed checkpoints: at a moment, the heads of all streams. Each names the one before, so none can be taken out unseen."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.ledger.canonical import canonical
from croupier.ledger.keys import public_key
from croupier.ledger.recorder import Source


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in a checkpoint."""

    at: int  # milliseconds since 1970
    heads: dict[str, tuple[int, str]]  # of each stream its version and hash
    previous: str  # the SHA-256 of the checkpoint before, "" of the first
    key: str  # the public key that the signature answers to
    signature: str = ""  # over this checkpoint without it


def sign(source: Source, key: Ed25519PrivateKey, at: int) -> bytes:
    """A checkpoint of all streams as they stand, to be saved after those that are there."""
    heads = {stream: (version, digest.hex()) for stream in source.streams() for version, digest in [source.head(stream)]}
    saved = source.checkpoints()
    checkpoint = Checkpoint(at, heads, fingerprint(saved[-1]) if saved else "", public_key(key).hex())
    return canonical(msgspec.structs.replace(checkpoint, signature=key.sign(_signed(checkpoint)).hex()))


def check(checkpoint: bytes, previous: bytes | None, trusted: bytes | None = None) -> str | None:
    """What is wrong with a checkpoint that follows another, or None. Without a trusted key it only has to agree with itself."""
    try:
        read = open_checkpoint(checkpoint)
        key, signature = bytes.fromhex(read.key), bytes.fromhex(read.signature)
        Ed25519PublicKey.from_public_bytes(key).verify(signature, _signed(read))
    except (msgspec.ValidationError, ValueError):
        return "does not have the form of a checkpoint"
    except InvalidSignature:
        return "has a signature that is not its own"
    if canonical(msgspec.structs.replace(read, signature=signature.hex())) != checkpoint:
        return "is not spelt as it was written"
    if trusted is not None and key != trusted:
        return f"is signed with the key {read.key}, which is not the trusted one"
    if read.previous != (fingerprint(previous) if previous is not None else ""):
        return "does not follow the checkpoint before it"
    return None


def open_checkpoint(checkpoint: bytes) -> Checkpoint:
    return msgspec.json.decode(checkpoint, type=Checkpoint)


def fingerprint(checkpoint: bytes) -> str:
    return sha256(checkpoint).hexdigest()


def _signed(checkpoint: Checkpoint) -> bytes:
    fields: dict[str, Any] = msgspec.structs.asdict(checkpoint)
    del fields["signature"]
    return canonical(fields)
