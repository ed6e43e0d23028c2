"""Backup and restore of a ledger in SQLite.

A backup is a consistent copy made while the tables go on. A copy that is to be restored is verified entry by entry and then kept
beside the ledger; the next start puts it in place and keeps the file that was there. A ledger that is open is never replaced.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from croupier.ledger import Unreadable
from croupier.ledger.sqlite import is_ledger
from croupier.web.children import croupier
from croupier.web.errors import Denied
from croupier.web.settings import Settings

LARGEST = 8 * 1024**3  # bytes of a copy
CHUNK = 1 << 18
WAITING, ARRIVING, KEPT = ".restore", ".restore-arriving", ".before-"  # what is added to the ledger's name
BESIDE = ("-wal", "-shm", "-journal")
SESSIONS = tuple(f"-sessions{ending}" for ending in ("", "-wal", "-shm"))
PG_DUMP = (
    "The ledger is in PostgreSQL: `pg_dump` copies it while it runs and `pg_restore` brings it back. It is not a button here,"
    " because the copy belongs where the database's own tools, users and disks are."
)

Status = Literal["none", "arriving", "verifying", "ready", "damaged"]


class Restoring(msgspec.Struct, frozen=True):
    """The copy that waits to be put in place at the next start, if there is one, or why it is not taken."""

    status: Status
    says: str
    bytes: int = 0
    entries: int = 0
    rounds: int = 0
    heads: dict[str, int] = {}


def path_of(settings: Settings) -> Path:
    if settings.on_postgres:
        raise Denied(409, PG_DUMP)
    path = settings.database.removeprefix("sqlite:///")
    if path == "memory:":
        raise Denied(409, "This floor keeps its ledger in memory only; there is nothing to copy.")
    return Path(path).resolve()


# backup


async def backup(path: Path) -> tuple[BinaryIO, int]:
    """A consistent copy of the ledger, and its size. It has no name any more: closed, it is gone, however that comes about."""

    def work() -> tuple[BinaryIO, int]:
        number, name = tempfile.mkstemp(prefix=f".{path.name}-backup-", dir=path.parent)
        os.close(number)
        try:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as source, closing(sqlite3.connect(name)) as copy:
                source.backup(copy)  # in one step: one moment of the ledger, and nobody waits for it
            return Path(name).open("rb"), os.path.getsize(name)
        except (OSError, sqlite3.Error) as problem:
            raise Denied(503, f"The copy cannot be made: {problem}.") from None
        finally:
            Path(name).unlink(missing_ok=True)

    return await asyncio.to_thread(work)


async def sending(copy: BinaryIO) -> AsyncIterator[bytes]:
    """The copy in parts."""
    with copy:
        while part := await asyncio.to_thread(copy.read, CHUNK):
            yield part


# restore


class Restore:
    """The one copy that may wait beside the ledger."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._now: Restoring | None = None
        self._task: asyncio.Task[None] | None = None

    def now(self) -> Restoring:
        if self._now is None:
            waiting = _beside(path_of(self._settings), WAITING)
            self._now = _ready(waiting.stat().st_size) if waiting.exists() else Restoring("none", "No copy waits to be restored.")
        return self._now

    async def receive(self, parts: AsyncIterator[bytes], wait: float) -> Restoring:
        """Take a copy in, part by part, and verify it; the answer may come before the verdict."""
        path = path_of(self._settings)
        if self.now().status in ("arriving", "verifying"):
            raise Denied(409, "Another copy is arriving or being verified.")
        self._now = Restoring("arriving", "The copy is arriving.")
        arriving = _beside(path, ARRIVING)
        try:
            size = await _take_in(parts, arriving)
        except BaseException as problem:
            arriving.unlink(missing_ok=True)
            self._now = None
            if isinstance(problem, OSError):
                raise Denied(503, f"The copy cannot be kept: {problem.strerror}.") from None
            raise
        self._now = Restoring("verifying", "Every entry of the copy is being verified.", size)
        self._task = asyncio.create_task(self._verify(path, arriving, size))
        await asyncio.wait([self._task], timeout=wait)
        return self.now()

    async def discard(self) -> Restoring:
        if self._task and not self._task.done():
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for name in (WAITING, ARRIVING):
            _beside(path_of(self._settings), name).unlink(missing_ok=True)
        self._now = None
        return self.now()

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _verify(self, path: Path, arriving: Path, size: int) -> None:
        try:
            found = await _verified(arriving)
            heads = {stream: head["version"] for stream, head in found["heads"].items()}
            if found["verdict"] != "damaged":
                await asyncio.to_thread(_need_only_a_ledger, arriving, path)
                await asyncio.to_thread(_settle, arriving, _beside(path, WAITING))
                self._now = _ready(size, found["entries"], found["rounds"], heads)
            else:
                first = found["damage"][0]
                says = f"The copy is damaged and was not kept. {first['stream']}, version {first['version']}: {first['what']}."
                self._now = Restoring("damaged", says, size, found["entries"], found["rounds"])
        except (Denied, OSError, sqlite3.Error) as problem:
            said = problem.detail if isinstance(problem, Denied) else f"{problem}."
            self._now = Restoring("damaged", f"The copy was not kept. {said}", size)
        except asyncio.CancelledError:
            self._now = None
            raise
        finally:
            arriving.unlink(missing_ok=True)
            for each in BESIDE:
                _beside(arriving, each).unlink(missing_ok=True)


def _ready(size: int, entries: int = 0, rounds: int = 0, heads: dict[str, int] | None = None) -> Restoring:
    says = "A verified copy waits. It is put in place when the server is started again, and the ledger of now is kept."
    return Restoring("ready", says, size, entries, rounds, heads or {})


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


async def _take_in(parts: AsyncIterator[bytes], arriving: Path) -> int:
    size, start = 0, b""
    with arriving.open("wb") as file:
        os.chmod(arriving, 0o600)
        async for part in parts:
            if len(start) < 100:
                start += part[:100]
                if len(start) >= 100 and not is_ledger(start):
                    break
            await asyncio.to_thread(file.write, part)
            size += len(part)
    if not is_ledger(start):
        raise Denied(400, "That is no copy of a Croupier ledger.")
    return size


async def _verified(path: Path) -> dict[str, Any]:
    """What `croupier verify` says of a copy, in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *croupier("verify", str(path), "--json"), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        out, err = await process.communicate()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        raise
    try:
        found: dict[str, Any] = msgspec.json.decode(out)
        return found
    except msgspec.DecodeError:
        said = err.decode(errors="replace").strip().replace(str(path), "the copy")
        raise Denied(409, said.splitlines()[-1][:300] if said else "It could not be verified.") from None


def _need_only_a_ledger(copy: Path, ledger: Path) -> None:
    """The entries are right; beside them a file could hold triggers and views that do something when it is written to."""

    def schema(path: Path) -> set[tuple[str, ...]]:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as file:
            return set(file.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))

    if strange := schema(copy) ^ schema(ledger):
        raise Denied(409, f"It is not built as a ledger is: {min(str(each[1]) for each in strange)}.")


def _settle(arriving: Path, waiting: Path) -> None:
    """Everything into the one file, on disk, under the name that the next start looks for."""
    with closing(sqlite3.connect(arriving)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")
    with arriving.open("rb") as file:
        os.fsync(file.fileno())
    os.replace(arriving, waiting)
    _flush_folder(waiting.parent)


def _flush_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


# at the start


class StillOpen(Unreadable):
    """Another process has the ledger open; it is not replaced under its hands."""


def put_in_place(settings: Settings, now: datetime | None = None) -> str:
    """Before a server opens its ledger: a copy that waits takes its place, and the file of before is kept. What was done, in words.

    An end in the middle is made good by the next start: the copy keeps its name until the old ledger has another.
    """
    try:
        path = path_of(settings)
    except Denied:
        return ""
    waiting = _beside(path, WAITING)
    if not waiting.exists():
        return ""
    kept = ""
    if path.exists():
        _close_up(path)
        stamp = (now or datetime.now(UTC)).strftime("%Y%m%d-%H%M%S")
        kept = f"{path.name}{KEPT}{stamp}"
        for ending in (*SESSIONS, *BESIDE, ""):  # who was logged in under the old ledger logs in again
            with suppress(FileNotFoundError):
                shutil.move(_beside(path, ending), path.with_name(kept + ending))
    os.replace(waiting, path)
    _flush_folder(path.parent)
    return f"The copy that waited is in place as {path.name}." + (f" The ledger of before is kept as {kept}." if kept else "")


def _close_up(path: Path) -> None:
    """Fold the write-ahead log in, which nobody can while another has the file open. A damaged ledger is kept as it is."""
    try:
        with closing(sqlite3.connect(path, timeout=1)) as ledger:
            (mode,) = ledger.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.DatabaseError as problem:
        mode = "wal" if "locked" in str(problem) else ""
    if mode == "wal":
        raise StillOpen(f"{path} is open in another process. Stop it first; the copy waits.")
