"""What only a SQLite ledger can suffer: a commit cut off halfway, and files moved, removed or inspected while in use."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.floor.transcripts.sources import open_source
from croupier.ledger import Entry, Unit, Unknown, Unreadable, open_recorder
from croupier.ledger.recorders.committer import Committer
from croupier.ledger.recorders.sqlite import SqliteRecorder
from tests.recorders.test_databases import ROOT
from tests.recorders.writing import chain, write

STREAM = "table/T1"
LOOK = "import sys; from croupier.ledger import open_recorder; open_recorder(sys.argv[1]).close()"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteRecorder]:
    """A ledger with one entry."""
    opened = open_recorder(str(tmp_path / "ledger.db"))
    assert isinstance(opened, SqliteRecorder)
    write(opened, STREAM, "before")
    yield opened
    opened.close()


def test_another_file_in_its_place_is_not_written(ledger: SqliteRecorder, tmp_path: Path) -> None:
    """A ledger moved away while in use accepts nothing more, and nothing is written to the file in its place."""
    entries = chain(ledger, STREAM, "late")
    (tmp_path / "elsewhere").mkdir()
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        (tmp_path / name).rename(tmp_path / "elsewhere" / name)
    other = open_recorder(str(ledger.path))
    need_refused(ledger, entries)
    assert other.streams() == []
    other.close()


def test_another_database_in_its_place_is_not_touched(ledger: SqliteRecorder, tmp_path: Path) -> None:
    entries = chain(ledger, STREAM, "late")
    ledger.path.rename(tmp_path / "elsewhere.db")
    with closing(sqlite3.connect(ledger.path)) as foreign:
        foreign.execute("CREATE TABLE theirs (number INTEGER)")
    content = ledger.path.read_bytes()
    need_refused(ledger, entries)
    assert ledger.path.read_bytes() == content


def need_refused(ledger: SqliteRecorder, entries: tuple[Entry, ...]) -> None:
    with pytest.raises(Unknown, match="was removed or replaced"):
        ledger.append([Unit(entries)])
    with pytest.raises(Unreadable, match="was removed or replaced"):
        ledger.streams()


def test_inspecting_a_ledger_in_use_does_not_drop_its_locks(ledger: SqliteRecorder) -> None:
    """A process that closes a file loses its locks on it, and the next one to exit would remove the write-ahead log in use."""
    open_recorder(str(ledger.path)).close()
    with closing(open_source(str(ledger.path))) as source:
        assert source.streams() == [STREAM]
    subprocess.run([sys.executable, "-c", LOOK, str(ledger.path)], check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": "src"})
    assert Path(f"{ledger.path}-wal").exists()


def cut_off_in_a_commit(ledger: SqliteRecorder) -> None:
    """A second entry is in the write-ahead log, but SQLite did not get to record it in the WAL index."""
    index = Path(f"{ledger.path}-shm")
    before = index.read_bytes()
    ledger._write([Unit(chain(ledger, STREAM, 2))])
    with index.open("r+b") as file:
        file.write(before)


def after_a_crash(path: Path, copy: Path) -> int:
    """The version at which the stream resumes from what is on disk now."""
    for ending in ("", "-wal"):
        Path(f"{copy}{ending}").write_bytes(Path(f"{path}{ending}").read_bytes())
    recorder = open_recorder(str(copy))
    version, _ = recorder.head(STREAM)
    recorder.close()
    return version


class InterruptedConnection:
    """A connection, with something that happens during one of its statements."""

    def __init__(self, connection: sqlite3.Connection, happens: Callable[[], None]) -> None:
        self._connection, self._happens = connection, happens

    def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        cursor = self._connection.execute(statement, *values)  # type: ignore[arg-type]
        self._happens()
        return cursor

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)


def failed_flush() -> None:
    problem = sqlite3.OperationalError("disk I/O error")
    problem.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
    raise problem


def test_what_was_found_missing_stays_missing(ledger: SqliteRecorder, tmp_path: Path) -> None:
    """After a failed fsync the write-ahead log may hold the commit. Whatever was read since must also be true after a crash."""
    cut_off_in_a_commit(ledger)
    assert after_a_crash(ledger.path, tmp_path / "before.db") == 2
    sound, ledger._writer = ledger._writer, InterruptedConnection(ledger._writer, failed_flush)  # type: ignore[assignment]
    with pytest.raises(Unknown, match="may or may not have been written"):
        ledger.save_snapshot("state/T1", 1, b"{}")
    ledger._writer = sound
    assert ledger.head(STREAM)[0] == 1
    assert after_a_crash(ledger.path, tmp_path / "after.db") == 1


def test_what_the_next_house_found_missing_stays_missing(ledger: SqliteRecorder, tmp_path: Path) -> None:
    """A house that was killed during a commit reports nothing about it. Here it is the one that still has the file open."""
    cut_off_in_a_commit(ledger)
    following = open_recorder(str(ledger.path))
    committer = Committer(following)
    assert following.head(STREAM)[0] == 1
    assert after_a_crash(ledger.path, tmp_path / "after.db") == 1
    asyncio.run(committer.close())
    following.close()


def test_what_fails_while_another_failure_is_settled_is_settled_too(ledger: SqliteRecorder) -> None:
    ledger.begin()
    ledger._writer = InterruptedConnection(ledger._writer, ledger.begin)  # type: ignore[assignment]
    ledger.head(STREAM)
    assert ledger._outcome_unknown


def test_running_out_of_memory_in_a_commit_leaves_its_outcome_unknown(ledger: SqliteRecorder) -> None:
    def fail() -> None:
        raise MemoryError

    ledger._writer = InterruptedConnection(ledger._writer, fail)  # type: ignore[assignment]
    with pytest.raises(Unknown, match="MemoryError"):
        ledger.save_snapshot(STREAM, 1, b"{}")
    assert ledger._outcome_unknown


def test_a_batch_may_be_larger_than_one_statement_takes(ledger: SqliteRecorder) -> None:
    entries = chain(ledger, STREAM, *range(12_345))
    assert ledger.append([Unit(entries[:5000], "k1", b"r1"), Unit(entries[5000:], "k2", b"r2")]) == [None, None]
    assert ledger.head(STREAM) == (12_346, entries[-1].hash)
    assert (ledger.reply("k1"), ledger.reply("k2")) == (b"r1", b"r2")
