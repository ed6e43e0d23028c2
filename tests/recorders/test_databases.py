"""What the on-disk recorders promise beyond the contract: nothing is changed, and nothing acknowledged is lost."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from croupier.ledger import NotRecorded, Unit, Unknown, Unreadable, open_recorder
from croupier.ledger.recorders.sqlite import APPLICATION_ID
from tests.recorders.writing import chain, write

T1 = "table/T1"
ROOT = Path(__file__).parent.parent.parent
WRITER = [sys.executable, "-m", "tests.recorders.writer"]


def statement_runner(url: str) -> Callable[[str], object]:
    """Runs statements on the tables, bypassing the recorder."""
    if url.startswith("sqlite"):
        return sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None).execute
    return psycopg.connect(url, autocommit=True).execute  # type: ignore[return-value]


def writer(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*WRITER, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def test_everything_is_there_after_closing_and_opening(url: str) -> None:
    recorder = open_recorder(url)
    entries = write(recorder, T1, 1, 2, key="k", reply=b"r")
    recorder.save_snapshot(T1, 2, b"state")
    recorder.save_checkpoint(b"checkpoint")
    recorder.close()
    recorder = open_recorder(url, create=False)
    assert list(recorder.read(T1)) == list(entries)
    assert recorder.reply("k") == b"r"
    assert recorder.snapshot(T1) == (2, b"state")
    assert list(recorder.checkpoints()) == [b"checkpoint"]
    write(recorder, T1, 3)
    recorder.close()


def test_the_files_of_a_ledger_are_their_owners_alone(tmp_path: Path) -> None:
    recorder = open_recorder(str(tmp_path / "floor.db"))
    write(recorder, T1, 1)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("floor.db", "floor.db-wal", "floor.db-shm"), 0o600)
    recorder.close()


@pytest.mark.parametrize("table", ["entries", "replies", "checkpoints"])
def test_the_database_itself_refuses_to_change_or_remove(url: str, table: str) -> None:
    recorder = open_recorder(url)
    entries = write(recorder, T1, 1, 2, key="k", reply=b"r")
    recorder.save_checkpoint(b"checkpoint")
    run = statement_runner(url)
    column = {"entries": "body", "replies": "reply", "checkpoints": "checkpoint"}[table]
    for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
        with pytest.raises((sqlite3.IntegrityError, psycopg.Error), match="only ever added to"):
            run(statement)
    assert list(recorder.read(T1)) == list(entries)
    assert recorder.reply("k") == b"r"
    recorder.close()


def test_an_entry_cannot_be_overwritten(url: str) -> None:
    recorder = open_recorder(url)
    (entry,) = write(recorder, T1, 1)
    again = "INTO entries (stream, version, body, sealed, hash) SELECT stream, version, body, sealed, hash FROM entries"
    ways = (
        [f"INSERT {again}", f"INSERT OR REPLACE {again}"]
        if url.startswith("sqlite")
        else [f"INSERT {again}", f"INSERT {again} ON CONFLICT (stream, version) DO UPDATE SET body = ''", "TRUNCATE entries"]
    )
    for way in ways:
        with pytest.raises((sqlite3.IntegrityError, psycopg.Error), match=r"only ever added to|duplicate key"):
            statement_runner(url)(way)
    assert list(recorder.read(T1)) == [entry]
    recorder.close()


def test_a_missing_ledger_is_not_created_unless_asked(url: str) -> None:
    with pytest.raises(Unreadable):
        open_recorder(url, create=False)
    if url.startswith("sqlite"):
        assert not Path(url.removeprefix("sqlite:///")).exists()


def test_a_newer_ledger_is_refused_and_left_alone(url: str) -> None:
    recorder = open_recorder(url)
    entries = write(recorder, T1, 1)
    recorder.close()
    run, known = statement_runner(url), 1 if url.startswith("sqlite") else 2
    run("UPDATE about SET value = 9")
    with pytest.raises(Unreadable, match=f"written by a newer croupier: its schema is 9, this one knows {known}"):
        open_recorder(url)
    run(f"UPDATE about SET value = {known}")
    recorder = open_recorder(url)
    assert list(recorder.read(T1)) == list(entries)
    recorder.close()


@pytest.mark.parametrize("content", [b"Dear diary, today I won.", b"SQLite format 3\0" + bytes(1000)])
def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "diary"
    path.write_bytes(content)
    with pytest.raises(Unreadable, match=r"is not a croupier ledger; it was not changed\."):
        open_recorder(str(path))
    assert path.read_bytes() == content
    assert os.listdir(tmp_path) == ["diary"]


def test_a_foreign_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as shop:
        shop.execute("CREATE TABLE goods (name)")
    before = path.read_bytes()
    with pytest.raises(Unreadable, match="is not a croupier ledger"):
        open_recorder(f"sqlite:///{path}")
    assert path.read_bytes() == before


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no such folder"):
        open_recorder(str(tmp_path / "missing" / "ledger.db"))


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.touch()  # an empty file is a valid start
    open_recorder(str(path)).close()
    assert path.read_bytes()[68:72] == APPLICATION_ID.to_bytes(4, "big") == b"CROU"


def test_a_damaged_file_gets_a_one_sentence_error(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    recorder = open_recorder(str(path))
    write(recorder, T1, *range(2000))
    recorder.close()
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(Unreadable, match=r"cannot be (read|opened as a ledger)"):
        list(open_recorder(str(path)).read(T1))


@pytest.mark.parametrize("delay", [0.2, 0.5])
def test_every_acknowledged_unit_survives_kill_9(url: str, delay: float) -> None:
    open_recorder(url).close()
    process = writer("pour", url)
    assert process.stdout
    acknowledged = [process.stdout.readline().split() for _ in range(int(100 * delay))]
    process.send_signal(signal.SIGKILL)
    acknowledged += [line.split() for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    process.wait()
    recorder = open_recorder(url)
    assert len(acknowledged) >= 20
    versions = {stream: [entry.version for entry in recorder.read(stream)] for stream in recorder.streams()}
    for stream, version, key in acknowledged:
        assert int(version) in versions[stream]
        assert recorder.reply(key) == version.encode()
    assert all(found == list(range(1, len(found) + 1)) for found in versions.values())
    write(recorder, T1, "goes on")
    recorder.close()


def fill(recorder_url: str) -> int:
    """Write until nothing more fits, and return how many entries there are."""
    recorder = open_recorder(recorder_url)
    with pytest.raises(NotRecorded):
        for number in range(10_000):
            write(recorder, T1, str(number) + "x" * 2000, key=f"k{number}", reply=b"r" * 100)
    version, _ = recorder.head(T1)
    assert recorder.reply(f"k{version - 1}") is not None
    assert recorder.reply(f"k{version}") is None
    with pytest.raises(NotRecorded):
        recorder.append([Unit(chain(recorder, T1, "y" * 100_000))])
    recorder.close()
    return version


def test_a_full_database_records_nothing_and_stays_readable(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    recorder = open_recorder(str(path))
    recorder._writer.execute("PRAGMA max_page_count = 100")  # type: ignore[attr-defined]
    with pytest.raises(NotRecorded, match="disk is full"):
        write(recorder, T1, *("x" * 1000 for _ in range(1000)))
    assert recorder.head(T1)[0] == 0
    recorder.close()
    recorder = open_recorder(str(path))
    write(recorder, T1, "fits")
    recorder.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk of a size")
def test_a_full_disk_records_nothing_and_stays_readable(tmp_path: Path) -> None:
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)], capture_output=True, check=False
    ).returncode:
        pytest.skip("this machine lets nobody mount a disk")
    try:
        path = tmp_path / "ledger.db"
        version = fill(str(path))
        recorder = open_recorder(str(path))
        assert sum(1 for _ in recorder.read(T1)) == version > 10
        recorder.close()
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_file_that_may_not_grow_records_nothing_and_stays_readable(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    process = writer("fill", url)
    out, _ = process.communicate()
    assert process.returncode == 0, out
    recorder = open_recorder(url)
    assert sum(1 for _ in recorder.read(T1)) == int(out) > 10
    write(recorder, T1, "goes on")
    recorder.close()


def test_a_locked_file_records_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.ledger.recorders.sqlite.BUSY_SECONDS", 0.1)
    recorder = open_recorder(str(tmp_path / "ledger.db"))
    other = sqlite3.connect(tmp_path / "ledger.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(NotRecorded, match="locked"):
        write(recorder, T1, 1)
    other.execute("ROLLBACK")
    write(recorder, T1, 1)
    recorder.close()


def test_two_processes_write_one_stream_without_gap_or_duplicate(url: str) -> None:
    open_recorder(url).close()
    processes = [writer("compete", url, name, "150") for name in "ab"]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    conflicts = [int(process.communicate()[0]) for process in processes]
    recorder = open_recorder(url)
    entries = list(recorder.read(T1))
    assert [entry.version for entry in entries] == list(range(1, 301))
    for name in "ab":
        own = [entry.body for entry in entries if entry.body.startswith(b'"%s' % name.encode())]
        assert own == [b'"%s%d"' % (name.encode(), number) for number in range(150)]
        assert all(recorder.reply(f"{name}{number}") == b"done" for number in range(150))
    assert sum(conflicts) > 0
    recorder.close()


def test_two_recorders_on_one_ledger_see_each_other(url: str) -> None:
    one, two = open_recorder(url), open_recorder(url)
    write(one, T1, 1)
    write(two, T1, 2)
    stale = Unit(chain(one, T1, 3), "k")
    write(two, T1, 4, key="other")
    (conflict,) = one.append([stale])
    assert str(conflict) == "table/T1: version 3 cannot follow version 3."
    outcome = one.append([Unit((), "other"), Unit(chain(one, T1, 5)), Unit(chain(one, "table/T2", 1))])
    assert [found is None for found in outcome] == [False, True, True]
    assert two.head(T1) == one.head(T1)
    one.close()
    two.close()


class FailingConnection:
    """A connection whose next statement fails like a bad disk."""

    def __init__(self, connection: sqlite3.Connection, code: int) -> None:
        self.connection, self.code = connection, code
        self.statements: list[str] = []

    def execute(self, statement: str, values: object = ()) -> object:
        self._fail_once(statement)
        return self.connection.execute(statement, values)  # type: ignore[arg-type]

    def executemany(self, statement: str, rows: object) -> object:
        self._fail_once(statement)
        return self.connection.executemany(statement, rows)  # type: ignore[arg-type]

    def _fail_once(self, statement: str) -> None:
        self.statements.append(statement)
        if len(self.statements) == 1:
            problem = sqlite3.OperationalError("disk I/O error")
            problem.sqlite_errorcode = self.code
            raise problem

    def __enter__(self) -> None:
        self.connection.__enter__()

    def __exit__(self, *problem: Any) -> None:
        self.connection.__exit__(*problem)

    def close(self) -> None:
        self.connection.close()


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_IOERR_FSYNC, Unknown),
        (sqlite3.SQLITE_IOERR_WRITE, NotRecorded),
        (sqlite3.SQLITE_FULL, NotRecorded),
        (sqlite3.SQLITE_CORRUPT, NotRecorded),
    ],
)
def test_only_a_failed_flush_leaves_the_outcome_unknown(tmp_path: Path, code: int, kind: type[Exception]) -> None:
    recorder = open_recorder(str(tmp_path / "ledger.db"))
    unit = Unit(chain(recorder, T1, 1), "k")
    recorder._writer = failing = FailingConnection(recorder._writer, code)  # type: ignore[attr-defined]
    with pytest.raises(kind):
        recorder.append([unit])
    assert recorder.head(T1)[0] == 0
    settled = [statement for statement in failing.statements if statement.startswith("INSERT INTO about")]
    assert len(settled) == (kind is Unknown)
    assert recorder.append([unit]) == [None]
    recorder.close()


def test_the_example_of_the_documentation_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "ledger.md").read_text(), re.S)
    assert example
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(example[1], names)
    assert names["recorder"].reply("command 17") == b"done"
    names["recorder"].close()


def test_a_damaged_schema_that_is_not_text_gets_a_one_sentence_error(tmp_path: Path) -> None:
    """SQLite quotes it in its error message, and Python cannot decode the quotation."""
    path = tmp_path / "ledger.db"
    open_recorder(str(path)).close()
    content = path.read_bytes()
    for word in (b"CREATE TABLE entries", b"CREATE TRIGGER entries_UPDATE_refused"):
        place = content.index(word) + len(b"CREATE T")
        path.write_bytes(content[:place] + b"\xc1" + content[place + 1 :])
        with pytest.raises(Unreadable, match="cannot be opened as a ledger"):
            open_recorder(str(path))
