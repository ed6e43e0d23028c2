"""What only a database at the other end of a connection can do: go away."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from socket import SHUT_RDWR, socket
from typing import Any

import psycopg
import pytest

from croupier.ledger import NotRecorded, Recorder, Unit, Unknown, Unreadable, open_recorder
from croupier.ledger.recorders.recorder import Conflict
from tests.recorders.server import new_database, server_url
from tests.recorders.writing import chain, write

T1 = "table/T1"
OWN_SESSIONS = "SELECT pid FROM pg_stat_activity WHERE application_name = %s"


@pytest.fixture
def place() -> str:
    """The address of an empty ledger, whose sessions can be told from others."""
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


def comes_to_the_lock(place: str) -> None:
    """Wait until a session of this ledger waits to write."""
    until = time.monotonic() + 20
    while not ask(f"{OWN_SESSIONS} AND wait_event_type = 'Lock'", place[-12:]):
        assert time.monotonic() < until, "nobody waits for the lock"
        time.sleep(0.01)


@contextmanager
def held_up(place: str) -> Iterator[None]:
    """Nobody else can write meanwhile."""
    with psycopg.connect(place.partition("&application_name")[0]) as connection:
        connection.execute("LOCK TABLE entries IN EXCLUSIVE MODE")
        yield


def test_a_connection_lost_between_two_batches_is_made_anew(recorder: Recorder, place: str) -> None:
    for number in range(3):
        write(recorder, T1, number, key=f"k{number}")
        end_sessions(place)
    assert [entry.body for entry in recorder.read(T1)] == [b"0", b"1", b"2"]


def test_a_connection_lost_in_a_commit_leaves_the_outcome_unknown_and_the_next_use_goes_on(recorder: Recorder, place: str) -> None:
    write(recorder, T1, 1)
    unit = Unit(chain(recorder, T1, 2), "k", b"r")

    def end() -> None:
        comes_to_the_lock(place)
        end_sessions(place)

    ending = threading.Thread(target=end)
    with held_up(place):
        ending.start()
        with pytest.raises(Unknown, match="lost during a commit"):
            recorder.append([unit])
        ending.join()
    assert recorder.head(T1)[0] == 1  # read again: it was not written
    assert recorder.append([unit]) == [None]
    assert recorder.reply("k") == b"r"


def test_what_was_found_missing_after_a_lost_connection_is_not_written_later(recorder: Recorder, place: str) -> None:
    """The client loses sight of a session that still waits to write: it has to be ended before anything is read."""
    write(recorder, T1, 1)
    unit = Unit(chain(recorder, T1, 2), "k", b"r")
    outcome: list[BaseException] = []

    def append() -> None:
        try:
            recorder.append([unit])
        except Unknown as problem:
            outcome.append(problem)

    with held_up(place):
        writing = threading.Thread(target=append)
        writing.start()
        comes_to_the_lock(place)
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


def test_a_statement_that_the_server_gives_up_records_nothing(recorder: Recorder, place: str) -> None:
    recorder._writer.connection().execute("SET lock_timeout = '50ms'")  # type: ignore[attr-defined]
    with held_up(place), pytest.raises(NotRecorded, match="lock timeout"):
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


def test_batches_that_wait_for_each_other_are_told_apart() -> None:
    """Two recorders write the same keys in opposite order: one of them wins each, and nobody hangs."""
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
