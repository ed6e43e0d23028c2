"""The command that restores a copy of the ledger, or accepts a ledger that the server refuses, with two people's approval."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.shared import LEDGER, SigningKey, WitnessAt, stop
from croupier.ledger import Recorder, is_postgres, open_recorder

if TYPE_CHECKING:
    from croupier.floor.verification.verify import Report
    from croupier.web.settings import Settings

Credentials = tuple[str, str]  # a user's name and password
KEPT_SUFFIX = ".before-"  # what is added to the name of the ledger that is replaced
SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")
SESSION_SUFFIXES = tuple(f"-sessions{ending}" for ending in ("", "-wal", "-shm"))

app = typer.Typer()


@app.command(rich_help_panel=LEDGER)
def restore(
    copy: Annotated[
        Path | None, typer.Argument(help="A copy to put in place of the ledger. Without it, the ledger itself is accepted.")
    ] = None,
    database: Annotated[
        str, typer.Option(help="The ledger: a path, sqlite:///path or postgresql://...", envvar="CROUPIER_DATABASE")
    ] = "croupier.db",
    administrator: Annotated[str, typer.Option(prompt="Name of the administrator", help="An administrator of that ledger.")] = "",
    second: Annotated[str, typer.Option(prompt="Name of the second person", help="Another user of that ledger.")] = "",
    signing_key: SigningKey = "",
    witness: WitnessAt = "",
) -> None:
    """Restore a copy, or accept a ledger that the server refuses, with the passwords of an administrator and a second person."""
    from croupier.web.settings import Settings

    if copy is not None and is_postgres(database):
        stop("Restore the copy with pg_restore, then run croupier restore without COPY.")
    settings = Settings(database=database, signing_key=signing_key, witness=witness)
    passwords = [typer.prompt(f"Password of {name}", hide_input=True) for name in (administrator, second)]
    _restore(settings, copy, (administrator, passwords[0]), (second, passwords[1]))
    typer.echo(f"{administrator} and {second} have accepted this ledger, and it is signed.")


def _restore(settings: Settings, copy: Path | None, administrator: Credentials, second: Credentials) -> None:
    if copy is None:
        with closing(open_recorder(settings.database, create=False)) as recorder:
            _report(recorder)
            signed = _accepted(settings, recorder, administrator, second)
    else:
        path = settings.path
        if path is None:
            stop("A ledger in memory cannot be replaced by a copy.")
        with staged(copy, path) as waiting:
            with closing(open_recorder(str(waiting), create=False)) as recorder:
                if not _report(recorder).holds:
                    last_resort = f"If you have none, put this one at {path} yourself and run croupier restore without COPY."
                    stop(f"The copy is damaged and was not put in place. Use another copy. {last_resort}")
                signed = _accepted(settings, recorder, administrator, second)
            typer.echo(swap(path, waiting))
    for each in settings.signing().witnesses:
        each(signed)


def _accepted(settings: Settings, recorder: Recorder, administrator: Credentials, second: Credentials) -> bytes:
    from croupier.floor.clock import now_in_milliseconds
    from croupier.floor.registers.restore import accept_ledger, verify_credentials

    signing = settings.signing()
    by = verify_credentials(recorder, administrator, second)
    return accept_ledger(recorder, signing.signer, signing.record.last() if signing.record else None, by, now_in_milliseconds)


def _report(recorder: Recorder) -> Report:
    """Print what is damaged or unsigned, and which keys the ledger needs."""
    from croupier.floor.verification.verify import verify

    found = verify(recorder)
    for damage in found.damage:
        typer.echo(f"Damaged: {damage}")
    if found.unsigned:
        typer.echo(f"{found.events - found.signed:,} of {found.events:,} entries are not signed.")
    typer.echo(f"Signed with the key {', then '.join(found.keys)}." if found.keys else "Nothing is signed.")
    if found.house_key:
        typer.echo(f"Sealed with the house key {found.house_key}. The server needs this key to start.")
    return found


@contextmanager
def staged(copy: Path, path: Path) -> Iterator[Path]:
    """A writable duplicate of the copy, next to the ledger; removed if it was not put in place. The copy itself is not changed."""
    from croupier.ledger.private_files import create_private
    from croupier.ledger.recorders.sqlite import SqliteReader
    from croupier.web.workers.ledger_lock import STAGED

    waiting = _beside(path, STAGED)
    waiting.unlink(missing_ok=True)
    create_private(waiting)
    try:
        with closing(SqliteReader(copy)) as source:
            source.copy_to(waiting)
        yield waiting
    finally:
        for each in ("", *SQLITE_SUFFIXES):
            _beside(waiting, each).unlink(missing_ok=True)


def swap(path: Path, waiting: Path, now: datetime | None = None) -> str:
    """Replace a ledger that nobody has open with a copy, and keep the old one. Returns what was done, in words."""
    kept = ""
    if path.exists():
        _checkpoint(path)
        stamp = (now or datetime.now(UTC)).strftime("%Y%m%d-%H%M%S")
        kept = f"{path.name}{KEPT_SUFFIX}{stamp}"
        for ending in (*SESSION_SUFFIXES, *SQLITE_SUFFIXES, ""):  # sessions belong to the old ledger: everybody logs in again
            with suppress(FileNotFoundError):
                shutil.move(_beside(path, ending), path.with_name(kept + ending))
    os.replace(waiting, path)
    _flush_folder(path.parent)
    return f"The copy is in place as {path.name}." + (f" The ledger it replaced is kept as {kept}." if kept else "")


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _checkpoint(path: Path) -> None:
    """Checkpoint the write-ahead log, which works only if no other process has the file open. A damaged ledger is left as it is."""
    import sqlite3

    try:
        with closing(sqlite3.connect(path, timeout=1)) as ledger:
            (mode,) = ledger.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.DatabaseError as problem:
        mode = "wal" if "locked" in str(problem) else ""
    if mode == "wal":
        stop(f"{path} is open in another process. Stop that process first; nothing was changed.")


def _flush_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
