"""The place of a SQLite ledger: one server at a time, and a file that is not taken away."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from croupier.ledger import Unreadable
from croupier.ledger.keys import create_private
from croupier.web.copying import WAITING
from croupier.web.settings import Settings

SERVER, SESSIONS = "-server", "-sessions"  # what is added to the ledger's name


def take(settings: Settings) -> int | None:
    """Take the ledger for this server, until the process ends: a file descriptor that holds it.

    Refused are a ledger that another server has, and one that is missing where a floor was served: a new and empty floor must not
    take its place unseen. PostgreSQL is shared by as many servers as there are.
    """
    if settings.on_postgres or settings.database == "memory:":
        return None
    path = Path(settings.database.removeprefix("sqlite:///")).resolve()
    if path.parent.is_dir():
        _need_ledger(path)
        return _hold(path)
    return None  # which opening it says better


def _hold(path: Path) -> int:
    beside = f"{path}{SERVER}"
    try:
        create_private(beside)
        held = os.open(beside, os.O_RDWR | os.O_CLOEXEC)
    except OSError as problem:
        raise Unreadable(f"{beside}, which says who serves the ledger, cannot be written: {problem.strerror}.") from problem
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.read(held, 32).decode(errors="replace").strip()
        os.close(held)
        raise Unreadable(
            f"{path} is served by another process{f' ({owner})' if owner else ''}. SQLite has one server; stop that one first, or"
            " use PostgreSQL for several."
        ) from None
    os.truncate(held, 0)
    os.write(held, b"%d\n" % os.getpid())
    return held


def _need_ledger(path: Path) -> None:
    known = [name for name in (f"{path.name}{SESSIONS}", f"{path.name}-wal") if path.with_name(name).exists()]
    is_there = path.exists() and path.stat().st_size > 0
    if known and not is_there and not path.with_name(path.name + WAITING).exists():
        raise Unreadable(
            f"{path} is missing, yet {known[0]} shows that a floor was served from it. Put the ledger back or restore a backup."
            f" To begin a new floor, remove {' and '.join(known)} first."
        )
