"""Checks that a ledger is the one that the server left, not an older copy, another one or a forgery."""

from __future__ import annotations

from croupier.ledger.recorders.recorder import Source, Unreadable
from croupier.ledger.signatures.checkpoint import (
    RESTORE,
    Heads,
    Newest,
    check,
    fingerprint,
    moment,
    named,
    newest,
    open_checkpoint,
)
from croupier.ledger.signatures.signer import Signer


class NotContinued(Unreadable):
    """This is not the ledger that the server left. Two people can approve using it anyway."""


def verify_continues(source: Source, signer: Signer, seen: bytes | None) -> dict[str, int]:
    """Compare a ledger with its own newest checkpoint and with the last one of the witness, `seen`.

    Returns the first entry of each stream that no checkpoint covers, as after a crash.
    """
    before, heads = newest(source), named(source.heads())
    if seen:
        _verify_is_seen(source, signer, seen, before)
    if before is None:
        return dict.fromkeys(heads, 1)
    _verify_stands(source, before, heads)
    unsigned = {name: before.heads.get(name, (0, ""))[0] + 1 for name, head in heads.items() if before.heads.get(name) != head}
    if before.says.why == "close" and unsigned:
        place, version = min(unsigned.items())
        raise NotContinued(f"{place}, version {version}: it was written after the ledger was closed and signed.")
    return unsigned


def _verify_is_seen(source: Source, signer: Signer, seen: bytes, before: Newest | None) -> None:
    """Check that the ledger holds the checkpoint that the witness saw last, or one that replaces it."""
    if wrong := check(seen):
        raise Unreadable(f"The last checkpoint of the witness {wrong}.")
    if not any(text == seen or _replaces(text, seen, signer) for text in source.checkpoints(newest_first=True)):
        at = moment(open_checkpoint(seen).at)
        ends = f"the newest of this ledger is of {moment(before.says.at)}" if before else "this ledger has none"
        raise NotContinued(f"It is an older or another copy: the witness has a checkpoint of {at}, and {ends}.")


def _replaces(text: bytes, seen: bytes, signer: Signer) -> bool:
    """Whether a checkpoint says that this ledger replaces the one of the checkpoint `seen`."""
    if check(text):
        return False
    says = open_checkpoint(text)
    return says.why == RESTORE and says.instead_of == fingerprint(seen) and says.key == signer.public_key.hex()


def _verify_stands(source: Source, before: Newest, heads: Heads) -> None:
    """Check that every signed head is still in its stream."""
    for stream, (version, hash_) in before.heads.items():
        if heads.get(stream) == (version, hash_):
            continue
        found = next(source.read(stream, version - 1, 1), None)
        if found is None or found.version != version or found.hash.hex() != hash_:
            first = min(version, heads.get(stream, (0, ""))[0] + 1)
            raise NotContinued(f"{stream}, version {first}: it is not the entry that was signed.")
