"""Continuing with a ledger other than the last one: an administrator and a second person approve it, on the record."""

from __future__ import annotations

from collections.abc import Callable

from croupier.floor.registers.audit import Audit
from croupier.floor.registers.people import ADMINISTRATOR, People
from croupier.floor.registers.register import HouseRefusal
from croupier.ledger import MemoryRecorder, Recorder, Source, Unit
from croupier.ledger.signatures.checkpoint import (
    RESTORE,
    CheckpointAct,
    fingerprint,
    moment,
    newest_checkpoint,
    open_checkpoint,
    sign_and_save,
)
from croupier.ledger.signatures.signer import Signer

Credentials = tuple[str, str]  # a user's name and password


def verify_credentials(source: Source, administrator: Credentials, second: Credentials) -> tuple[str, str]:
    """The names of two users with passwords of their own, one of them an administrator.

    They are checked against what is signed in this ledger. Nothing is written to it.
    """
    people = _signed_people(source)
    first, other = (people.login(*each, "the command line") for each in (administrator, second))
    if first.role != ADMINISTRATOR:
        raise HouseRefusal(f"{first.name} is not an administrator", "an administrator and a second person")
    if other.name == first.name:
        raise HouseRefusal(f"{other.name} cannot also be the second person", "another user")
    for user in (first, other):
        if user.must_change:
            raise HouseRefusal(f"{user.name} has a one-time password", "after they choose their own password")
    return first.name, other.name


def _signed_people(source: Source) -> People:
    """The register of people up to the newest checkpoint: a user added after it may be forged."""
    signed = newest_checkpoint(source)
    last = signed.heads.get(People.stream, (0, ""))[0] if signed else source.head(People.stream)[0]
    memory = MemoryRecorder()
    memory.append([Unit(tuple(source.read(People.stream, limit=last)))])
    return People(memory)


def accept_ledger(recorder: Recorder, signer: Signer, seen: bytes | None, by: tuple[str, str], clock: Callable[[], int]) -> bytes:
    """Sign a ledger as the one to continue with, whatever was signed before. `seen` is the witness's last checkpoint."""
    administrator, second = by
    what, instead_of = f"restored this ledger together with {second}", ""
    if seen is not None and seen not in recorder.checkpoints(newest_first=True):
        what += f", instead of the one that was last signed at {moment(open_checkpoint(seen).at)}"
        instead_of = fingerprint(seen)
    Audit(recorder, clock).note(administrator, ADMINISTRATOR, what)
    return sign_and_save(recorder, signer, clock(), RESTORE, CheckpointAct(instead_of=instead_of, by=by))
