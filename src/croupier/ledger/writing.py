"""How a batch is written to a SQLite ledger, and a process that does nothing else.

It needs the standard library alone, so that it is at work in an instant: `python -I -S writing.py FILE IDENTITY PARENT` takes
batches from its standard input, each after a line with the lengths of its three parts, and answers each with a line. It ends with
its input, at the latest with its parent, and begins nothing that came only in part.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import BinaryIO

BUSY_SECONDS = 10.0  # how long to wait while another process writes
PAGES_BEFORE_CHECKPOINT = 4000  # 16 MB: batches touch the same pages again and again, and the log takes them in one by one

READY, WRITTEN, TAKEN, NOT_WRITTEN, UNKNOWN = "ready", "written", "taken", "not written", "unknown"

# A view of this connection alone, to which a whole batch is inserted as one row: one statement, one transaction.
_BATCH = (
    "CREATE TEMP VIEW batch AS SELECT x'' AS bytes, '' AS entries, '' AS replies",
    """CREATE TEMP TRIGGER batch_write INSTEAD OF INSERT ON batch BEGIN
    INSERT INTO entries (stream, version, body, sealed, hash) SELECT
        CAST(substr(NEW.bytes, value ->> 1, value ->> 2) AS TEXT), value ->> 0, substr(NEW.bytes, value ->> 3, value ->> 4),
        substr(NEW.bytes, value ->> 5, value ->> 6), substr(NEW.bytes, value ->> 7, 32)
        FROM json_each(NEW.entries);
    INSERT INTO replies (key, reply) SELECT
        CAST(substr(NEW.bytes, value ->> 0, value ->> 1) AS TEXT), substr(NEW.bytes, value ->> 2, value ->> 3)
        FROM json_each(NEW.replies);
    END""",
)

# A commit ends with the write of its last page and then the flush. If any other input or output fails, it may be on disk or not.
_CERTAINLY_NOT_WRITTEN = {sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_LOCK}


def connect(path: str | Path, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=uri)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # where the system's plain flush stops at the drive's cache
    return connection


def make_ready(connection: sqlite3.Connection) -> None:
    """For batches: a write-ahead log, and the view that takes them."""
    for statement in ("PRAGMA journal_mode = WAL", f"PRAGMA wal_autocheckpoint = {PAGES_BEFORE_CHECKPOINT}", *_BATCH):
        connection.execute(statement)


def write(connection: sqlite3.Connection, batch: tuple[bytes, str, str]) -> None:
    # `execute` would ask for the number of the last row as well, and stand in line for the interpreter once more.
    connection.executemany("INSERT INTO batch VALUES (?, ?, ?)", (batch,))


def fate(problem: Exception) -> str:
    """What became of a writing statement that failed. SQLite has rolled it back when it reports a failure."""
    if isinstance(problem, sqlite3.IntegrityError):
        return TAKEN
    if not isinstance(problem, sqlite3.Error):
        return UNKNOWN
    code = getattr(problem, "sqlite_errorcode", 0)
    return UNKNOWN if code & 0xFF == sqlite3.SQLITE_IOERR and code not in _CERTAINLY_NOT_WRITTEN else NOT_WRITTEN


def identity(path: str | Path) -> str:
    """Which file it is, whatever its name, with its log and the index of that."""
    return " ".join(f"{found.st_dev}:{found.st_ino}" for found in (os.stat(f"{path}{ending}") for ending in ("", "-wal", "-shm")))


# the process

_PR_SET_PDEATHSIG = 1


def main(path: str, expected: str, parent: str) -> None:
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # meant for whoever sends the batches, and may still have some
    _end_with(int(parent))
    if identity(path) != expected:  # somebody put another file in its place
        return
    connection = connect(f"{Path(path).as_uri()}?mode=rw", uri=True)
    make_ready(connection)
    if identity(path) != expected:
        return
    _say(READY, "")
    while batch := _read(sys.stdin.buffer):
        try:
            write(connection, batch)
        except Exception as problem:
            _say(fate(problem), str(problem))
        else:
            _say(WRITTEN, "")
    os._exit(0)  # without closing: to fold the log in is left to whoever has the file open


def _end_with(parent: int) -> None:
    """Die when it dies, be it in the middle: else something could be written after the next house has looked. Only Linux can."""
    if sys.platform == "linux":
        import ctypes  # which not every Python has, and nobody else needs

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it is gone already
        os._exit(0)


def frame(batch: tuple[bytes, str, str]) -> bytes:
    """A batch as it is sent to the process."""
    parts = batch[0], batch[1].encode(), batch[2].encode()
    return b"".join((b"%d %d %d\n" % tuple(map(len, parts)), *parts))


def _read(source: BinaryIO) -> tuple[bytes, str, str] | None:
    """The next batch; nothing when the sender is gone, though it began to send one."""
    line = source.readline()
    if not line.endswith(b"\n"):
        return None
    lengths = [int(length) for length in line.split()]
    parts = [source.read(length) for length in lengths]
    if list(map(len, parts)) != lengths:
        return None
    values, entries, replies = parts
    return values, entries.decode(), replies.decode()


def _say(what: str, said: str) -> None:
    sys.stdout.write(json.dumps([what, said]) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
