"""What only a database at the other end of a connection can do: go away, and have several writers."""

from __future__ import annotations

import hmac
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from socket import SHUT_RDWR, socket
from typing import Any

import psycopg
import pytest

from croupier.ledger import Entry, NotRecorded, Recorder, Unit, Unknown, Unreadable, follow, genesis, open_recorder
from croupier.ledger.recorders.postgres import SCHEMA
from croupier.ledger.recorders.recorder import Conflict, Foreign
from tests.recorders.server import new_database, server_url
from tests.recorders.writing import chain, write

T1 = "table/T1"
OWN_SESSIONS = "SELECT pid FROM pg_stat_activity WHERE application_name = %s"


@pytest.fixture
def place() -> str:
    """The address of an empty ledger whose database sessions can be told from others."""
    url = new_database()
    return f"{url}&application_name={url[-12:]}"


@pytest.fixture
def recorder(place: str) -> Iterator[Recorder]:
    opened = open_recorder(place)
    yield opened
    opened.close()


def ask(statement: str, *values: object) -> list[Any]:
    with psycopg.connect(server_url(), autocommit=True) as connection:
        return connection.execute(statement, values).fetchall()  # type: ignore[arg-type]


def end_sessions(place: str) -> None:
    name = place[-12:]
    ask(f"SELECT pg_terminate_backend(pid) FROM ({OWN_SESSIONS}) AS sessions", name)
    while ask(OWN_SESSIONS, name):
        time.sleep(0.01)


def wait_for_blocked_writer(place: str) -> None:
    """Wait until a session of this ledger waits to write."""
    until = time.monotonic() + 20
    while not ask(f"{OWN_SESSIONS} AND wait_event_type = 'Lock'", place[-12:]):
        assert time.monotonic() < until, "nobody waits for the lock"
        time.sleep(0.01)


@contextmanager
def write_lock_held(place: str) -> Iterator[None]:
    """Hold the write lock, so that no one else can write."""
    with psycopg.connect(place.partition("&application_name")[0]) as connection:
        connection.execute("LOCK TABLE entries IN EXCLUSIVE MODE")
        yield


def test_a_connection_lost_between_two_batches_is_reopened(recorder: Recorder, place: str) -> None:
    for number in range(3):
        write(recorder, T1, number, key=f"k{number}")
        end_sessions(place)
    assert [entry.body for entry in recorder.read(T1)] == [b"0", b"1", b"2"]


def test_a_connection_lost_in_a_commit_leaves_the_outcome_unknown_and_the_next_use_goes_on(recorder: Recorder, place: str) -> None:
    write(recorder, T1, 1)
    unit = Unit(chain(recorder, T1, 2), "k", b"r")

    def end() -> None:
        wait_for_blocked_writer(place)
        end_sessions(place)

    ending = threading.Thread(target=end)
    with write_lock_held(place):
        ending.start()
        with pytest.raises(Unknown, match="lost during a commit"):
            recorder.append([unit])
        ending.join()
    assert recorder.head(T1)[0] == 1  # on rereading, it was not written
    assert recorder.append([unit]) == [None]
    assert recorder.reply("k") == b"r"


def test_what_was_found_missing_after_a_lost_connection_is_not_written_later(recorder: Recorder, place: str) -> None:
    """The client loses track of a session that still waits to write. That session has to end before anything is read."""
    write(recorder, T1, 1)
    unit = Unit(chain(recorder, T1, 2), "k", b"r")
    outcome: list[BaseException] = []

    def append() -> None:
        try:
            recorder.append([unit])
        except Unknown as problem:
            outcome.append(problem)

    with write_lock_held(place):
        writing = threading.Thread(target=append)
        writing.start()
        wait_for_blocked_writer(place)
        _shut_down(recorder._writer._connection.fileno())  # type: ignore[attr-defined]
        writing.join()
        assert len(outcome) == 1
        assert recorder.head(T1)[0] == 1
    time.sleep(0.2)
    assert recorder.head(T1)[0] == 1
    assert recorder.reply("k") is None
    assert recorder.append([unit]) == [None]


def _shut_down(number: int) -> None:
    with socket(fileno=os.dup(number)) as connection:
        connection.shutdown(SHUT_RDWR)


def test_a_server_out_of_reach_records_nothing_and_says_so(recorder: Recorder, place: str) -> None:
    write(recorder, T1, 1)
    unit = Unit(chain(recorder, T1, 2))
    for session in (recorder._writer, recorder._reader):  # type: ignore[attr-defined]
        session.close()
        session._conninfo = "host=/nonexistent"
    with pytest.raises(NotRecorded, match=r"^Nothing was written: connection .* failed: No such file or directory\.$"):
        recorder.append([unit])
    with pytest.raises(Unreadable, match="cannot be read"):
        recorder.head(T1)
    with pytest.raises(Unreadable, match="cannot be opened"):
        open_recorder("postgresql://nobody@/nothing?host=/nonexistent")


def test_a_statement_that_the_server_aborts_records_nothing(recorder: Recorder, place: str) -> None:
    recorder._writer.connection().execute("SET lock_timeout = '50ms'")  # type: ignore[attr-defined]
    with write_lock_held(place), pytest.raises(NotRecorded, match="lock timeout"):
        write(recorder, T1, 1)
    write(recorder, T1, 1)


def test_tables_of_others_are_refused_and_left_alone() -> None:
    url = new_database()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE entries (name text)")
    with pytest.raises(Unreadable, match="already exists"):
        open_recorder(url)
    url = new_database()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE about (name text, value int)")
    with pytest.raises(Unreadable, match="not a croupier ledger; they were not changed"):
        open_recorder(url)


def test_several_processes_may_open_a_new_database_at_once() -> None:
    url = new_database()
    opened: list[Recorder] = []
    threads = [threading.Thread(target=lambda: opened.append(open_recorder(url))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 6
    for recorder in opened:
        recorder.close()


def test_batches_that_deadlock_are_resolved() -> None:
    """Two recorders write the same keys in opposite order. One of them wins each key, and neither hangs."""
    url = new_database()
    keys = [f"k{number}" for number in range(40)]
    recorders = [open_recorder(url) for _ in range(2)]
    outcomes: dict[int, list[Conflict | None]] = {}

    def append(index: int) -> None:
        order = keys if index else keys[::-1]
        outcomes[index] = recorders[index].append([Unit((), key, str(index).encode()) for key in order])

    threads = [threading.Thread(target=append, args=[index]) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    written = sum(conflict is None for outcome in outcomes.values() for conflict in outcome)
    assert written == len(keys)
    for recorder in recorders:
        recorder.close()


# several processes recognize each other's entries by their tags

KEY, OLDER, OTHER = b"k" * 32, b"o" * 32, b"x" * 32


@contextmanager
def holding(place: str, *keys: bytes) -> Iterator[Recorder]:
    opened = open_recorder(place)
    opened.hold(*keys)
    yield opened
    opened.close()


def insert(place: str, entry: Entry, tag: bytes | None) -> None:
    with psycopg.connect(place, autocommit=True) as connection:
        row = (entry.stream, entry.version, entry.body, entry.sealed, entry.hash, tag)
        connection.execute("INSERT INTO entries (stream, version, body, sealed, hash, tag) VALUES (%s, %s, %s, %s, %s, %s)", row)


def tags(place: str) -> list[bytes]:
    with psycopg.connect(place) as connection:
        return [tag for (tag,) in connection.execute("SELECT tag FROM entries ORDER BY stream, version")]


def test_processes_with_the_same_key_accept_each_others_entries(recorder: Recorder, place: str) -> None:
    write(recorder, T1, 1)
    with holding(place, KEY) as first, holding(place, KEY) as second:
        for number, each in enumerate((first, second, second, first), 2):
            write(each, T1, number)
        for each in (first, second):
            each.hold()  # as after each checkpoint
            assert [entry.version for entry in each.read(T1)] == [1, 2, 3, 4, 5]
            assert each.heads() == {T1: recorder.head(T1)}
            assert each.foreign() == {}
            assert each.untagged({T1: 2}) == {}
            assert each.untagged({T1: 1}) == {T1: 1}


def test_the_tag_is_that_of_the_place_and_the_hash(recorder: Recorder, place: str) -> None:
    with holding(place, KEY) as held:
        (entry,) = write(held, T1, 1)
    assert tags(place) == [hmac.new(KEY, b"table/T1\n1\n" + entry.hash, "sha256").digest()]


@pytest.mark.parametrize(
    "tag", ["none", "null", "another key's", "that of the entry before", "that of this version of another stream"]
)
def test_an_entry_without_its_own_tag_is_foreign(tag: str, recorder: Recorder, place: str) -> None:
    with holding(place, OTHER) as stranger:
        write(stranger, "table/T3", 1)
    with holding(place, KEY) as held:
        write(held, T1, 1)
        write(held, "table/T2", 1, 2)
        (forged,) = chain(held, T1, "forged")
        copied = {
            "none": b"",
            "null": None,
            "another key's": hmac.new(OTHER, b"table/T1\n2\n" + forged.hash, "sha256").digest(),
            "that of the entry before": tags(place)[0],
            "that of this version of another stream": tags(place)[2],
        }
        with psycopg.connect(place) as connection:
            connection.execute("ALTER TABLE entries ALTER tag DROP NOT NULL")  # this must not make a server fail
        insert(place, forged, copied[tag])
        for _ in range(2):
            with pytest.raises(Foreign, match="table/T1, version 2: another program wrote it"):
                list(held.read(T1))
            with pytest.raises(Foreign):
                held.head(T1)
            assert held.heads()[T1][0] == 1
            assert held.foreign() == {T1: 2}
            held.hold()
        (conflict,) = held.append([Unit((follow(T1, 3, forged.hash, b"3"),))])
        assert str(conflict) == "table/T1: another program wrote to it."
        write(held, "table/T2", 3)  # the other streams continue


def test_what_an_older_key_has_tagged_is_still_known(recorder: Recorder, place: str) -> None:
    with holding(place, OLDER, KEY) as held, holding(place, OLDER) as older:
        write(older, T1, 1)
        write(held, T1, 2)
        assert held.heads()[T1][0] == 2
        assert older.heads()[T1][0] == 1
        assert older.foreign() == {T1: 2}


def test_a_ledger_of_the_first_schema_is_upgraded_in_place() -> None:
    url = new_database()
    first = follow(T1, 1, genesis(T1), b"1")
    with psycopg.connect(url) as connection:
        connection.execute(SCHEMA[0])
        connection.execute("UPDATE about SET value = 1")
        row = (first.stream, first.version, first.body, first.sealed, first.hash)
        connection.execute("INSERT INTO entries VALUES (%s, %s, %s, %s, %s)", row)
    with holding(url, KEY) as held:
        assert list(held.read(T1)) == [first]
        write(held, T1, 2)
        assert held.foreign() == {}
        assert held.examine().faults == []  # type: ignore[attr-defined]
    assert [len(tag) for tag in tags(url)] == [0, 32]
