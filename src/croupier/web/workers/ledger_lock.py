"""The lock of a SQLite ledger: one server at a time, and no new floor in place of a missing one."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from croupier.ledger import Unreadable
from croupier.ledger.private_files import create_private
from croupier.ledger.signatures.witness import witnesses_of
from croupier.web.settings import Settings

SERVER, SESSIONS, STAGED = "-server", "-sessions", ".restore-by-hand"  # what is added to the ledger's name


def take(settings: Settings) -> int | None:
    """Lock the ledger for this server until the process ends; returns the file descriptor that holds the lock.

    Raises Unreadable if another server has it, or if it is missing where a floor was served: an empty floor must not silently take
    its place. PostgreSQL needs no lock; several servers may share it.
    """
    path = settings.path
    if path is None or not path.parent.is_dir():  # opening a ledger in a folder that is missing says so better
        return None
    record, _ = witnesses_of(settings.database, settings.witness)
    _need_ledger(path, [record.path] if record else [])
    return _hold(path)


def _hold(path: Path) -> int:
    beside = f"{path}{SERVER}"
    try:
        create_private(beside)
        held = os.open(beside, os.O_RDWR | os.O_CLOEXEC)
    except OSError as problem:
        raise Unreadable(f"The lock file {beside} cannot be written: {problem.strerror}.") from problem
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.read(held, 32).decode(errors="replace").strip()
        os.close(held)
        raise Unreadable(
            f"{path} is served by another process{f' ({owner})' if owner else ''}. Stop it first; for several servers use"
            " PostgreSQL."
        ) from None
    os.truncate(held, 0)
    os.write(held, b"%d\n" % os.getpid())
    return held


def _need_ledger(path: Path, witnesses: list[Path]) -> None:
    files = [*(path.with_name(path.name + ending) for ending in (SESSIONS, "-wal", STAGED)), *witnesses]
    known = [file.name for file in files if file.exists()]
    is_there = path.exists() and path.stat().st_size > 0
    if known and not is_there:
        raise Unreadable(
            f"{path} is missing, but {known[0]} shows that a floor was served from it. Put the ledger back or restore a backup."
            f" To start a new floor, remove {' and '.join(known)} first."
        )
