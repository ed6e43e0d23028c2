"""A busy SQLite ledger is written by a process of its own; whatever becomes of it, what was acknowledged is there."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import select
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import uvloop

from croupier.floor.sources import open_source
from croupier.ledger import (
    Conflict,
    Entry,
    NotRecorded,
    Recorder,
    Unit,
    Unknown,
    Unreadable,
    canonical,
    follow,
    open_recorder,
    writing,
)
from croupier.ledger.committer import Committer
from croupier.ledger.database import Prepared
from croupier.ledger.packing import pack
from croupier.ledger.scribe import Scribe
from croupier.ledger.sqlite import SqliteRecorder
from croupier.ledger.verifying import verify_chain
from tests.recorders.test_databases import ROOT, writer
from tests.recorders.writing import chain, write

STREAMS = [f"table/T{number}" for number in range(16)]
LOOK = "import sys; from croupier.ledger import open_recorder; open_recorder(sys.argv[1]).close()"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteRecorder]:
    opened = open_recorder(str(tmp_path / "ledger.db"))
    assert isinstance(opened, SqliteRecorder)
    yield opened
    opened.close()


class Busy:
    """Tables that append until they are told to stop, and remember what was acknowledged."""

    def __init__(self, committer: Committer, recorder: Recorder) -> None:
        self.committer, self.recorder = committer, recorder
        self.acknowledged: dict[str, int] = {}
        self.unknown: list[str] = []
        self.not_recorded: list[NotRecorded] = []
        self.done = False

    async def table(self, stream: str) -> None:
        while not self.done:
            (entry,) = chain(self.recorder, stream, "x" * 300)
            try:
                await self.committer.append(Unit((entry,), f"{stream}-{entry.version}", b"r"))
            except Unknown:
                self.unknown.append(stream)
            except NotRecorded as problem:
                self.not_recorded.append(problem)
            else:
                self.acknowledged[stream] = entry.version

    async def until(self, there: Callable[[], bool]) -> None:
        """All tables at work until something is so."""
        self.done = False
        tables = asyncio.gather(*map(self.table, STREAMS))
        async with asyncio.timeout(60):
            while not there():
                await asyncio.sleep(0.001)
        self.done = True
        await tables

    def check(self) -> None:
        """Everything acknowledged is there, and nothing else but what nobody knew of."""
        for stream in STREAMS:
            known, (version, _) = self.acknowledged.get(stream, 0), self.recorder.head(stream)
            assert known <= version <= known + self.unknown.count(stream)
            assert verify_chain(stream, self.recorder.read(stream)) is None
            assert all(self.recorder.reply(f"{stream}-{number}") == b"r" for number in range(1, version + 1))


async def with_scribe(recorder: SqliteRecorder) -> tuple[Committer, Scribe, Busy]:
    """A committer whose scribe is ready."""
    committer = Committer(recorder)
    busy = Busy(committer, recorder)
    await busy.until(lambda: bool(committer._scribe and committer._scribe.ready))
    assert committer._scribe
    return committer, committer._scribe, busy


def counted(scribe: Scribe) -> list[int]:
    """How many units each of its batches has from now on."""
    sizes: list[int] = []
    send = scribe.write

    def write(packed: object, tell: object) -> None:
        sizes.append(packed.entries.count("[") - 1)  # type: ignore[attr-defined]
        send(packed, tell)  # type: ignore[arg-type]

    scribe.write = write  # type: ignore[method-assign]
    return sizes


def gone(pid: int) -> bool:
    """Ended, though perhaps nobody has asked how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def soon(there: Callable[[], bool]) -> bool:
    for _ in range(1000):
        if there():
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_a_busy_ledger_is_written_by_a_scribe(ledger: SqliteRecorder, run: Callable[..., object]) -> None:
    async def main() -> None:
        committer, scribe, busy = await with_scribe(ledger)
        sizes = counted(scribe)
        await busy.until(lambda: len(sizes) >= 50)
        assert min(sizes) >= 8
        await committer.close()
        assert scribe._process.poll() == 0
        busy.check()
        assert not busy.unknown

    run(main())


def test_a_quiet_ledger_needs_none(ledger: SqliteRecorder) -> None:
    async def main() -> None:
        committer = Committer(ledger)
        for number in range(20):
            units = [Unit(chain(ledger, stream, number)) for stream in STREAMS[:7]]
            await asyncio.gather(*map(committer.append, units))
        assert committer._scribe is None
        await committer.close()

    asyncio.run(main())


def test_a_batch_may_be_larger_than_what_can_be_sent_at_once(ledger: SqliteRecorder) -> None:
    async def main() -> None:
        committer, scribe, _ = await with_scribe(ledger)
        sizes = counted(scribe)
        units = [Unit(chain(ledger, f"large/{number}", "x" * 5000), f"large {number}") for number in range(900)]
        ledger._remember({unit.entries[0].stream for unit in units})
        async with asyncio.timeout(60):
            await asyncio.gather(*map(committer.append, units))
        assert max(sizes) >= 400  # half of them, more than two million bytes
        await committer.close()

    asyncio.run(main())
    assert all(ledger.head(f"large/{number}")[0] == 1 for number in range(900))


@pytest.mark.parametrize("delay", [0, 0.0005, 0.001, 0.002, 0.004])
def test_what_was_acknowledged_survives_kill_9_of_the_scribe(ledger: SqliteRecorder, delay: float) -> None:
    async def main() -> None:
        committer, scribe, busy = await with_scribe(ledger)
        sizes = counted(scribe)
        loop = asyncio.get_running_loop()
        loop.call_later(0.02 + delay, scribe._process.kill)
        await busy.until(lambda: scribe.gone)
        busy.check()
        written = len(sizes)
        before = dict(busy.acknowledged)
        await busy.until(lambda: all(busy.acknowledged[stream] > before[stream] + 3 for stream in STREAMS))
        assert len(sizes) == written, "the thread goes on"
        await committer.close()
        busy.check()

    asyncio.run(main())


def test_a_scribe_that_is_lost_with_a_batch_in_hand_leaves_its_outcome_unknown(ledger: SqliteRecorder) -> None:
    async def main() -> None:
        committer, scribe, _ = await with_scribe(ledger)
        os.kill(scribe._process.pid, signal.SIGSTOP)
        heads = {stream: ledger.head(stream) for stream in STREAMS}
        units = [Unit(chain(ledger, stream, "lost"), f"lost {stream}") for stream in STREAMS[:8]]
        waiting = asyncio.gather(*map(committer.append, units), return_exceptions=True)
        await asyncio.sleep(0.05)
        assert not waiting.done()
        scribe._process.kill()
        assert [type(outcome) for outcome in await waiting] == [Unknown] * 8
        assert {stream: ledger.head(stream) for stream in STREAMS} == heads
        assert await asyncio.gather(*map(committer.append, units)) == [None] * 8
        await committer.close()

    asyncio.run(main())


def test_what_others_wrote_meanwhile_is_judged_again(ledger: SqliteRecorder) -> None:
    async def main() -> None:
        committer, scribe, _ = await with_scribe(ledger)
        sizes = counted(scribe)
        units = [Unit(chain(ledger, stream, "ours"), f"k{number}", b"ours") for number, stream in enumerate(STREAMS[:8])]
        other = open_recorder(str(ledger.path))
        write(other, STREAMS[3], "theirs", key="k7", reply=b"theirs")
        other.close()
        outcome = await asyncio.gather(*map(committer.append, units), return_exceptions=True)
        assert sizes == [8]
        assert [number for number, each in enumerate(outcome) if isinstance(each, Conflict)] == [3, 7]
        assert [each for number, each in enumerate(outcome) if number not in (3, 7)] == [None] * 6
        assert ledger.reply("k7") == b"theirs"
        assert ledger.reply("k6") == b"ours"
        await committer.close()

    asyncio.run(main())


def test_signals_are_for_the_house(ledger: SqliteRecorder) -> None:
    """A stop from the keyboard reaches every process of a terminal; the house finishes what it has."""

    async def main() -> None:
        committer, scribe, busy = await with_scribe(ledger)
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(scribe._process.pid, each)
        sizes = counted(scribe)
        await busy.until(lambda: len(sizes) > 10)
        assert scribe.ready
        await committer.close()
        busy.check()

    asyncio.run(main())


def busy_without_scribe(ledger: SqliteRecorder) -> None:
    """Much to do, a scribe that goes at once, and a thread that does it all."""

    async def main() -> None:
        committer = Committer(ledger)
        busy = Busy(committer, ledger)
        await busy.until(lambda: bool(committer._scribe and committer._scribe.gone))
        await committer.close()
        busy.check()

    asyncio.run(main())


@pytest.fixture
def begun(ledger: SqliteRecorder) -> SqliteRecorder:
    """With an entry in every stream."""
    for stream in STREAMS:
        write(ledger, stream, "before", key=f"{stream}-1", reply=b"r")
    return ledger


def test_another_file_in_its_place_is_not_written(begun: SqliteRecorder, tmp_path: Path) -> None:
    """A ledger that is moved away in use takes nothing more in, and nothing is written to what lies there instead."""
    entries = chain(begun, STREAMS[0], "late")
    (tmp_path / "elsewhere").mkdir()
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        (tmp_path / name).rename(tmp_path / "elsewhere" / name)
    other = open_recorder(str(begun.path))
    need_refused(begun, entries)
    assert other.streams() == []
    other.close()


def test_another_database_in_its_place_is_not_touched(begun: SqliteRecorder, tmp_path: Path) -> None:
    entries = chain(begun, STREAMS[0], "late")
    begun.path.rename(tmp_path / "elsewhere.db")
    with closing(sqlite3.connect(begun.path)) as foreign:
        foreign.execute("CREATE TABLE theirs (number INTEGER)")
    content = begun.path.read_bytes()
    need_refused(begun, entries)
    assert begun.path.read_bytes() == content


def need_refused(ledger: SqliteRecorder, entries: tuple[Entry, ...]) -> None:
    with pytest.raises(Unknown, match="was removed or replaced"):
        ledger.append([Unit(entries)])
    with pytest.raises(Unreadable, match="was removed or replaced"):
        ledger.streams()


@pytest.mark.parametrize("endings", [("-wal", "-shm"), ("-wal",), ("-shm",)])
def test_a_log_that_somebody_removed_is_not_begun_anew_by_a_scribe(begun: SqliteRecorder, endings: tuple[str, ...]) -> None:
    """Two logs of one file: what is written to one is not seen in the other."""
    for ending in endings:
        Path(f"{begun.path}{ending}").unlink()
    busy_without_scribe(begun)


def test_who_looks_at_a_ledger_in_use_takes_no_lock_from_it(begun: SqliteRecorder) -> None:
    """A process that closes a file loses its locks on it, and the next one to go would remove the log that is in use."""

    open_recorder(str(begun.path)).close()
    with closing(open_source(str(begun.path))) as source:
        assert source.streams() == sorted(STREAMS)
    subprocess.run([sys.executable, "-c", LOOK, str(begun.path)], check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": "src"})
    assert Path(f"{begun.path}-wal").exists()


def test_a_scribe_that_ends_leaves_the_log_where_it_is(begun: SqliteRecorder) -> None:
    """Whatever became of the locks of the house."""

    async def main() -> None:
        committer, _, busy = await with_scribe(begun)
        begun.path.open("rb").close()
        await committer.close()
        busy.check()

    asyncio.run(main())
    assert Path(f"{begun.path}-wal").exists()


@pytest.mark.parametrize("program", ["/nonexistent/python", None])
def test_where_no_process_can_be_started_the_thread_writes(
    ledger: SqliteRecorder, monkeypatch: pytest.MonkeyPatch, program: str | None
) -> None:
    monkeypatch.setattr(sys, "executable", program)

    async def main() -> None:
        committer = Committer(ledger)
        busy = Busy(committer, ledger)
        await busy.until(lambda: len(busy.acknowledged) == len(STREAMS))
        assert committer._scribe is None
        await committer.close()
        busy.check()

    asyncio.run(main())


def test_a_disk_that_is_full(ledger: SqliteRecorder) -> None:
    """The operating system lets the scribe write no further; when there is room again, it goes on."""

    async def main() -> None:
        committer, scribe, busy = await with_scribe(ledger)
        room = Path(f"{ledger.path}-wal").stat().st_size + 200_000
        resource.prlimit(scribe._process.pid, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        await busy.until(lambda: len(busy.not_recorded) > 100)
        assert "nothing was written" in str(busy.not_recorded[0])
        busy.check()
        resource.prlimit(scribe._process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        sizes, before = counted(scribe), dict(busy.acknowledged)
        await busy.until(lambda: all(busy.acknowledged[stream] > before[stream] + 3 for stream in STREAMS))
        assert sizes
        await committer.close()
        busy.check()
        assert not busy.unknown

    asyncio.run(main())


def test_what_was_acknowledged_survives_kill_9_of_the_house(tmp_path: Path) -> None:
    """And its scribe ends with it."""
    process = writer("crowd", str(tmp_path / "ledger.db"))
    assert process.stdout is not None
    pid = int(process.stdout.readline())
    acknowledged = [process.stdout.readline().split() for _ in range(100)]
    assert not gone(pid)
    process.kill()
    acknowledged += [line.split() for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    process.wait()
    assert soon(lambda: gone(pid))
    recorder = open_recorder(str(tmp_path / "ledger.db"))
    for stream, version, key in acknowledged:
        assert recorder.head(stream)[0] >= int(version)
        assert recorder.reply(key) == version.encode()
    assert all(verify_chain(stream, recorder.read(stream)) is None for stream in recorder.streams())
    recorder.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only there does a process end with its parent in the middle of its work")
def test_nothing_is_written_after_the_house_was_killed(tmp_path: Path) -> None:
    """Though its scribe had a batch in hand, and waited for a file that another has locked."""
    path = tmp_path / "ledger.db"
    process = writer("crowd", str(path))
    assert process.stdout is not None
    pid = int(process.stdout.readline())
    with closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN IMMEDIATE")
        while select.select([process.stdout], [], [], 0.3)[0]:  # until nothing is acknowledged any more
            process.stdout.readline()
        process.kill()
        process.wait()
        process.stdout.close()
        recorder = open_recorder(str(path), create=False)
        heads = {stream: recorder.head(stream) for stream in recorder.streams()}
        other.execute("COMMIT")
    time.sleep(0.5)
    assert gone(pid)
    assert {stream: recorder.head(stream) for stream in recorder.streams()} == heads
    recorder.close()


def test_a_scribe_that_does_not_answer_is_not_waited_for_without_end(
    ledger: SqliteRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        committer, scribe, busy = await with_scribe(ledger)
        monkeypatch.setattr("croupier.ledger.scribe.SECONDS_TO_ANSWER", 0.5)
        os.kill(scribe._process.pid, signal.SIGSTOP)
        await busy.until(lambda: scribe.gone)
        assert len(busy.unknown) >= 8
        await committer.close()
        busy.check()

    asyncio.run(main())


def test_a_scribe_that_does_not_go_is_killed(ledger: SqliteRecorder) -> None:
    async def main() -> None:
        committer, scribe, busy = await with_scribe(ledger)
        os.kill(scribe._process.pid, signal.SIGSTOP)
        await committer.close()
        assert scribe._process.poll() == -signal.SIGKILL
        busy.check()

    asyncio.run(main())


def test_a_batch_that_a_loop_left_behind_is_unknown(ledger: SqliteRecorder) -> None:
    scribes: list[Scribe] = []
    committer = Committer(ledger)

    async def leave() -> None:
        busy = Busy(committer, ledger)
        await busy.until(lambda: bool(committer._scribe and committer._scribe.ready))
        assert committer._scribe
        scribes.append(committer._scribe)
        os.kill(scribes[0]._process.pid, signal.SIGSTOP)
        units = [Unit(chain(ledger, stream, "left")) for stream in STREAMS[:8]]
        for unit in units:
            asyncio.get_running_loop().create_task(committer.append(unit))
        await asyncio.sleep(0.05)

    asyncio.run(leave())
    before = ledger._settled
    asyncio.run(committer.append(Unit(chain(ledger, "other", 1))))
    assert ledger._settled == before + 1, "when the head of the other stream was read"
    assert scribes[0]._process.poll() == -signal.SIGKILL
    asyncio.run(committer.close())


def test_who_writes_next_sends_a_scribe_away_whose_loop_is_gone(ledger: SqliteRecorder) -> None:
    """With a batch in its hands, which would be written after the next has looked."""

    async def leave() -> Scribe:
        committer, scribe, _ = await with_scribe(ledger)
        os.kill(scribe._process.pid, signal.SIGSTOP)
        for stream in STREAMS[:8]:
            asyncio.get_running_loop().create_task(committer.append(Unit(chain(ledger, stream, "left"))))
        await asyncio.sleep(0.05)
        return scribe

    scribe = asyncio.run(leave())
    assert scribe._process.poll() is None
    following = Committer(ledger)
    assert scribe._process.poll() == -signal.SIGKILL
    asyncio.run(following.close())


def test_it_ends_with_its_committer(ledger: SqliteRecorder) -> None:
    """A house that fell over is not closed."""

    async def main() -> None:
        committer, scribe, busy = await with_scribe(ledger)
        del committer, busy
        gc.collect()
        async with asyncio.timeout(10):
            while not scribe.gone:
                await asyncio.sleep(0.001)
        assert scribe._process.poll() == 0

    asyncio.run(main())


def test_the_next_loop_has_its_own(ledger: SqliteRecorder) -> None:
    scribes: list[Scribe] = []
    committer = Committer(ledger)

    async def main() -> None:
        busy = Busy(committer, ledger)
        await busy.until(lambda: bool(committer._scribe and committer._scribe.ready and committer._scribe not in scribes))
        assert committer._scribe
        scribes.append(committer._scribe)

    asyncio.run(main())
    asyncio.run(main())
    asyncio.run(committer.close())
    assert [scribe._process.poll() for scribe in scribes] == [0, 0]


def cut_off_in_a_commit(ledger: SqliteRecorder) -> Prepared:
    """A second entry stands in the log of the file, but SQLite did not come to note that it is written."""
    write(ledger, STREAMS[0], 1)
    index = Path(f"{ledger.path}-shm")
    before = index.read_bytes()
    prepared = ledger.prepare([Unit(chain(ledger, STREAMS[0], 2))])
    assert isinstance(prepared, Prepared)
    ledger._write(prepared.packed)
    with index.open("r+b") as file:
        file.write(before)
    return prepared


def test_what_was_found_missing_stays_missing(ledger: SqliteRecorder, tmp_path: Path) -> None:
    """After a failed flush the log of the file may hold the commit; what was read since must be true after a crash as well."""
    prepared = cut_off_in_a_commit(ledger)
    assert after_a_crash(ledger.path, tmp_path / "before.db") == 2
    with pytest.raises(Unknown, match="may be written or not"):
        ledger.heard(prepared, writing.UNKNOWN, "disk I/O error")
    assert ledger.head(STREAMS[0])[0] == 1
    assert after_a_crash(ledger.path, tmp_path / "after.db") == 1


def test_what_the_next_house_found_missing_stays_missing(ledger: SqliteRecorder, tmp_path: Path) -> None:
    """The house that was killed in its commit says nothing of it; here it is the one that still has the file open."""
    cut_off_in_a_commit(ledger)
    following = open_recorder(str(ledger.path))
    committer = Committer(following)
    assert following.head(STREAMS[0])[0] == 1
    assert after_a_crash(ledger.path, tmp_path / "after.db") == 1
    asyncio.run(committer.close())
    following.close()


class During:
    """A connection, and what happens while it carries out a statement."""

    def __init__(self, connection: sqlite3.Connection, happens: Callable[[], None]) -> None:
        self._connection, self._happens = connection, happens

    def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        cursor = self._connection.execute(statement, *values)  # type: ignore[arg-type]
        self._happens()
        return cursor

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)


def test_what_fails_while_another_failure_is_settled_is_settled_too(ledger: SqliteRecorder) -> None:
    ledger.heard_nothing()
    ledger._writer = During(ledger._writer, ledger.heard_nothing)  # type: ignore[assignment]
    ledger.head(STREAMS[0])
    assert ledger._outcome_unknown


def test_a_busy_scribe_makes_room_for_a_snapshot(ledger: SqliteRecorder) -> None:
    """Nothing is prepared for it while a snapshot waits for the file."""
    write(ledger, STREAMS[0], 1)
    units = [Unit(chain(ledger, STREAMS[0], 2))]
    assert isinstance(ledger.prepare(units), Prepared)
    prepared: list[object] = []
    ledger._writer = During(ledger._writer, lambda: prepared.append(ledger.prepare(units)))  # type: ignore[assignment]
    ledger.save_snapshot(STREAMS[0], 1, b"{}")
    assert prepared == [units]
    assert not isinstance(prepared[0], Prepared)


def test_a_memory_that_is_full_in_a_commit_leaves_its_outcome_unknown(ledger: SqliteRecorder) -> None:
    def fail() -> None:
        raise MemoryError

    ledger._writer = During(ledger._writer, fail)  # type: ignore[assignment]
    with pytest.raises(Unknown, match="MemoryError"):
        ledger.save_snapshot(STREAMS[0], 1, b"{}")
    assert ledger._outcome_unknown


def after_a_crash(path: Path, copy: Path) -> int:
    """The version at which a stream comes back from what lies on the disk now."""
    for ending in ("", "-wal"):
        Path(f"{copy}{ending}").write_bytes(Path(f"{path}{ending}").read_bytes())
    recorder = open_recorder(str(copy))
    version, _ = recorder.head(STREAMS[0])
    recorder.close()
    return version


def test_what_was_not_written_is_told_so(ledger: SqliteRecorder) -> None:
    write(ledger, STREAMS[0], 1)
    prepared = ledger.prepare([Unit(chain(ledger, STREAMS[0], 2))])
    assert isinstance(prepared, Prepared)
    with pytest.raises(NotRecorded, match="nothing was written"):
        ledger.heard(prepared, writing.NOT_WRITTEN, "database or disk is full")
    assert not ledger._outcome_unknown


# the process alone


def spoken_to(path: Path, *said: bytes) -> list[bytes]:
    """What the process answers to this, and then to silence."""
    command = [sys.executable, "-I", "-S", writing.__file__, str(path), writing.identity(path), str(os.getpid())]
    return subprocess.run(command, input=b"".join(said), stdout=subprocess.PIPE, check=True, timeout=60).stdout.splitlines()


def frames(recorder: Recorder, times: int) -> list[bytes]:
    version, previous = recorder.head(STREAMS[0])
    made = []
    for number in range(1, times + 1):
        entry = follow(STREAMS[0], version + number, previous, canonical(number))
        made.append(writing.frame(pack([Unit((entry,), f"k{number}", b"r")])))
        previous = entry.hash
    return made


def test_what_came_only_in_part_is_not_begun(ledger: SqliteRecorder) -> None:
    first, second = frames(ledger, 2)
    cuts = [1, second.index(b"\n"), second.index(b"\n") + 1, len(second) // 2, len(second) - 1]
    assert spoken_to(ledger.path, first, second[: cuts[0]]) == [b'["ready", ""]', b'["written", ""]']
    for cut in cuts[1:]:
        assert spoken_to(ledger.path, second[:cut]) == [b'["ready", ""]']
    assert ledger.head(STREAMS[0])[0] == 1
    assert ledger.reply("k2") is None


def test_what_is_taken_is_told(ledger: SqliteRecorder) -> None:
    (first,) = frames(ledger, 1)
    ready, written, again = spoken_to(ledger.path, first, first)
    assert b"taken" in again
    assert (ready, written) == (b'["ready", ""]', b'["written", ""]')
    assert ledger.head(STREAMS[0])[0] == 1


def test_every_failure_has_its_fate() -> None:
    def failure(code: int) -> sqlite3.OperationalError:
        problem = sqlite3.OperationalError("failed")
        problem.sqlite_errorcode = code
        return problem

    assert writing.fate(failure(sqlite3.SQLITE_IOERR_FSYNC)) == writing.UNKNOWN
    assert writing.fate(failure(sqlite3.SQLITE_IOERR_WRITE)) == writing.NOT_WRITTEN
    assert writing.fate(failure(sqlite3.SQLITE_FULL)) == writing.NOT_WRITTEN
    assert writing.fate(sqlite3.IntegrityError("UNIQUE")) == writing.TAKEN
    assert writing.fate(MemoryError()) == writing.UNKNOWN
