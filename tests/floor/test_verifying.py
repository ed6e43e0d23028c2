"""A sound log verifies. Any damage is found and located."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.floor.house.vault import ephemeral
from croupier.floor.verification.verify import REPLIES, verify
from croupier.ledger import MemoryRecorder, Unreadable, follow, open_recorder
from croupier.ledger.signatures.checkpoint import sign_and_save, sign_heads
from croupier.ledger.verification import Damage
from tests.examples import some_games
from tests.floor.logs import KEY, PUBLIC, body, copy, entries, linked, played, rehash, rewrite, versions
from tests.floor.play import open_and_play, play
from tests.recorders.server import new_database

T1 = "table/T1"
FEW = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


def damage(recorder: MemoryRecorder) -> list[Damage]:
    return list(verify(recorder, [PUBLIC], vault=ephemeral()).damage)


def only(recorder: MemoryRecorder, stream: str, version: int, what: str = "") -> None:
    """Check that nothing else is damaged."""
    found = damage(recorder)
    assert [(each.stream, each.version) for each in found] == [(stream, version)], found
    assert what in found[0].what, found[0]


# sound logs


@pytest.mark.parametrize("method", ["automated shoe", "hand", "manual shoe"])
@some_games
def test_a_log_that_was_really_played_is_sound(game: str, method: str) -> None:
    recorder = played(game, method=method)
    report = verify(recorder, vault=ephemeral())
    assert report.holds, report.damage
    assert report.rounds == 8
    assert report.decided == report.heads[T1][0]
    assert not report.sealed
    assert not report.unchecked
    salts = [salt for entry in recorder.read(T1) for salt in re.findall(rb'"salt":"(\w+)"', entry.body)]
    assert report.cards_opened == len(set(salts)) > 30  # each with a different salt
    assert report.cents_moved > 100_000_00


@pytest.mark.parametrize("game", ["653a", "679a"])
def test_a_log_of_a_continuous_shoe_is_sound(game: str) -> None:
    assert verify(played(game, method="continuous shoe")).holds


@pytest.mark.parametrize("seed", range(1, 5))
def test_tables_that_share_meters_are_sound(seed: int) -> None:
    report = verify(linked(seed), [PUBLIC], vault=ephemeral())
    assert report.sound, report.damage
    assert report.signed == report.events
    assert report.checkpoints == 1
    assert not report.unchecked


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
def test_a_database_is_verified_where_it_is(place: str, tmp_path: Path) -> None:
    url = str(tmp_path / "floor.db") if place == "sqlite" else new_database()
    recorder = open_recorder(url)
    open_and_play(recorder, "641a", 3)
    sign_and_save(recorder, KEY, 1)
    recorder.close()
    seen = list[tuple[int, int]]()
    report = verify(url, [PUBLIC], lambda done, of: seen.append((done, of)))
    assert report.sound, report.damage
    assert report.rounds == 3
    assert seen
    assert all(0 < done <= of == 2 * report.events for done, of in seen)
    assert not verify(url, [bytes(32)]).sound


def test_a_log_that_grows_during_verification_is_sound() -> None:
    recorder = MemoryRecorder()
    house = open_and_play(recorder, "649a", 5)
    before = recorder.head(T1)[0]
    report = verify(recorder, watch=lambda done, of: play(house, "T1", 1, seed=done))
    assert report.holds, report.damage
    assert report.heads[T1][0] == before < recorder.head(T1)[0]


# damage


Tamper = Callable[[list[Any], int], int]  # changes the entry at an index; returns the version where it must show


def _removed(log: list[Any], at: int) -> int:
    del log[at]
    return at + 1


def _swapped(log: list[Any], at: int) -> int:
    log[at], log[at - 1] = log[at - 1], log[at]
    return at if at else 1


def _doubled(log: list[Any], at: int) -> int:
    log.insert(at, log[at])
    return at + 2


def _added(log: list[Any], at: int) -> int:
    entry = log[at]
    previous = log[at - 1].hash if at else b""
    log.insert(at, follow(entry.stream, at + 1, previous, b'{"at":1}'))
    return at + 1


def _flipped(data: bytes, at: int) -> bytes:
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]


@FEW
@given(st.data())
def test_a_changed_byte_of_an_entry_is_found_where_it_is(data: st.DataObject) -> None:
    recorder = copy(linked())
    stream = data.draw(st.sampled_from(recorder.streams()))
    log = entries(recorder, stream)
    at = data.draw(st.integers(0, len(log) - 1))
    part = data.draw(st.sampled_from(["body", "hash"] + (["sealed"] if log[at].sealed else [])))
    log[at] = replace(log[at], **{part: _flipped(getattr(log[at], part), data.draw(st.integers(0, 10_000)))})
    only(recorder, stream, at + 1)


@FEW
@given(st.data())
def test_a_removed_exchanged_doubled_or_added_entry_is_found_where_it_is(data: st.DataObject) -> None:
    recorder = copy(linked())
    stream = data.draw(st.sampled_from(recorder.streams()))
    log = entries(recorder, stream)
    at = data.draw(st.integers(0, len(log) - 1))
    tamper: Tamper = data.draw(st.sampled_from([_removed, _doubled, _added] + ([_swapped] if at else [])))
    only(recorder, stream, tamper(log, at))


@FEW
@given(st.data())
def test_a_sealed_part_that_is_changed_added_or_taken_away_is_found(data: st.DataObject) -> None:
    recorder = copy(linked())
    log = entries(recorder, T1)
    at = data.draw(st.integers(0, len(log) - 1))
    other = next(entry.sealed for entry in log if entry.sealed and entry is not log[at])
    sealed = data.draw(st.sampled_from([other, log[at].sealed + b" "] + ([b""] if log[at].sealed else [])))
    log[at] = replace(log[at], sealed=sealed)
    only(recorder, T1, at + 1, "sealed")


@FEW
@given(st.data())
def test_a_changed_snapshot_is_found(data: st.DataObject) -> None:
    recorder = copy(linked())
    version, state = recorder._snapshots[T1]
    recorder._snapshots[T1] = (version, _flipped(state, data.draw(st.integers(0, len(state) - 1))))
    only(recorder, T1, version, "snapshot")


@FEW
@given(st.data())
def test_a_tail_that_is_cut_off_is_missed_by_the_checkpoint(data: st.DataObject) -> None:
    recorder = copy(linked())
    stream = data.draw(st.sampled_from(recorder.streams()))
    kept = data.draw(st.integers(0, len(entries(recorder, stream)) - 1))
    del entries(recorder, stream)[kept:]
    if not kept:
        del recorder._streams[stream]
    found = damage(recorder)
    assert (stream, kept + 1) in [(each.stream, each.version) for each in found]


def test_a_snapshot_and_a_meter_miss_a_tail_too() -> None:
    recorder = copy(linked())
    recorder._checkpoints.clear()
    kept = recorder.snapshot(T1)[0] - 1  # type: ignore[index]
    del entries(recorder, T1)[kept:]
    only(recorder, T1, kept + 1, "snapshot")
    recorder = copy(linked())
    recorder._checkpoints.clear()
    recorder._snapshots.clear()
    last = versions(recorder, T1, "no more bets")[-1]
    del entries(recorder, T1)[last - 1 :]
    only(recorder, T1, last, "it is missing; meter/")


def test_a_meter_that_was_forgotten_or_moved_by_nobody_is_found() -> None:
    recorder = copy(played("641a"))
    (meter,) = [stream for stream in recorder.streams() if stream.startswith("meter/")]
    length = len(entries(recorder, meter))
    del entries(recorder, meter)[-1]
    only(recorder, meter, length, "it is missing; table/T1")
    recorder = copy(played("641a"))
    last = body(recorder, meter, length)
    last["version"] += 1
    last["move"] = {"contributed": 0}
    entries(recorder, meter).append(replace(entries(recorder, meter)[-1], body=b""))
    rewrite(recorder, meter, length + 1, last | {"move": {}})
    only(recorder, meter, length + 1, "did not move this meter")


def test_a_changed_reply_and_one_too_many_are_found() -> None:
    recorder = copy(linked())
    key = next(iter(recorder._replies))
    recorder._replies[key] = _flipped(recorder._replies[key], 20)
    only(recorder, REPLIES, 1, key)
    recorder = copy(linked())
    recorder._replies["one more"] = b"{}"
    only(recorder, REPLIES, 1)


def test_a_changed_checkpoint_is_found() -> None:
    recorder = copy(linked())
    recorder._checkpoints[0] = _flipped(recorder._checkpoints[0], 30)
    only(recorder, "checkpoints", 1)


# forged logs, whose hashes all fit


def test_a_forged_payout_is_found_by_deciding_it_again() -> None:
    recorder = copy(played("682a"))
    version, forged = next(
        (v, b) for v in versions(recorder, T1, "wagers settled") if (b := body(recorder, T1, v))["then"].get("lines")
    )
    line, move = forged["then"]["lines"][0], forged["then"]["moves"][0]
    line["pays"] += 100
    seat = forged["command"]["seat"]
    forged["then"]["moves"].append(["table inventory", f"seat {seat} chips", 100])
    assert move
    rewrite(recorder, T1, version, forged)
    only(recorder, T1, version, "the rules give another event: then.lines.1.pays is")


FORGERIES: dict[str, tuple[str, Callable[[dict[str, Any]], object], str]] = {
    "a wager of somebody else": ("wager placed", lambda b: b.update(by="player:7"), "refuse"),
    "a clock turned back": ("cards dealt", lambda b: b.update(at=b["at"] - 10**9), "at is"),
    "another clause": ("cards dealt", lambda b: b["then"].update(cites=["649a.1"]), "then.cites.1 is"),
    "a key that nobody gave": ("no more bets", lambda b: b.update(surprise=1), "surprise is 1 in the log and nothing by the rules"),
    "an event of the future": ("no more bets", lambda b: b.update(v=9), "version 9"),
    "a move of a negative amount": (
        "chips bought",
        lambda b: b["then"]["moves"][0].__setitem__(2, -1),
        "it moves a negative amount",
    ),
    "money from an empty account": (
        "chips bought",
        lambda b: b["then"]["moves"].append(["tip box", "cage", 10**9]),
        "the tip box is overdrawn",
    ),
    "money made": ("chips bought", lambda b: b["then"]["moves"][1].__setitem__(2, 10**6), "then.moves.2.3 is"),
    "a meter that was not moved": (
        "cards dealt",
        lambda b: b["then"].update(meters={"Ante Wager": {"drawn": 5}}),
        "what it says about the meter of the Ante Wager is not what it moved",
    ),
    "a card from the bottom": ("cards dealt", lambda b: b["then"]["cards"][0].update(position=51), "committed deck"),
    "a card dealt twice": ("cards dealt", lambda b: b["then"]["cards"].append(b["then"]["cards"][0]), "second time"),
    "a card that opens nothing": (
        "dealer's cards revealed",
        lambda b: b["then"]["cards"][0].update(card="Ah", salt="00"),
        "do not open",
    ),
    "another deck": ("cards shuffled", lambda b: b["then"].update(decks=["0" * 64]), "committed to"),
    "a decision out of turn": ("decision made", lambda b: b["command"].update(seat=9), "refuse"),
    "an unknown command": ("decision made", lambda b: b["command"].update(do="pay everybody"), "not a table event"),
    "another submission": ("table opened", lambda b: b["command"].update(submission="game = 3"), "submission"),
    "another table": ("table opened", lambda b: b["command"].update(table="T9"), "opens table T9"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_event_under_hashes_that_fit_is_found(name: str) -> None:
    event, forge, what = FORGERIES[name]
    recorder = copy(played("682a"))
    version = versions(recorder, T1, event)[0]
    forged = body(recorder, T1, version)
    forge(forged)
    rewrite(recorder, T1, version, forged)
    only(recorder, T1, version, what)


def test_an_event_taken_out_with_new_hashes_is_found() -> None:
    recorder = copy(played("682a"))
    version = versions(recorder, T1, "cards cut")[1]
    del entries(recorder, T1)[version - 1]
    rehash(recorder, T1)
    recorder._snapshots.clear()
    found = next(each for each in damage(recorder) if each.stream == T1)  # a reply to a later event may be reported too
    assert found.version >= version


def test_a_history_that_is_whole_but_not_the_one_that_was_signed_is_found() -> None:
    recorder = copy(played("682a", seed=8))
    recorder._checkpoints = [sign_heads(played("682a"), KEY, 1)]
    found = damage(recorder)
    assert found[0].stream == T1
    assert "checkpoint" in found[0].what


# databases


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("floor") / "floor.db"
    recorder = open_recorder(str(path))
    open_and_play(recorder, "641a", 3)
    sign_and_save(recorder, KEY, 1)
    recorder.close()
    return path


ROWS = {
    "a row before the first": "INSERT INTO entries (stream, version, body, sealed, hash) VALUES ('table/T1', -3, x'7b7d', x'', x'00')",
    "text for a body": "UPDATE entries SET body = CAST(body AS TEXT) WHERE stream = 'table/T1' AND version = 5",
    "nothing for a number": "UPDATE entries SET version = 'last' WHERE stream = 'table/T1' AND version = 9",
    "a stream without a name": "INSERT INTO entries (stream, version, body, sealed, hash) VALUES (x'00ff', 1, x'7b7d', x'', x'00')",
    "a checkpoint of text": "UPDATE checkpoints SET checkpoint = 'none'",
    "a snapshot of a number": "UPDATE snapshots SET state = 5",
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_that_no_ledger_writes_are_damage(name: str, database: Path, tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    shutil.copy(database, path)
    with sqlite3.connect(path, isolation_level=None) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute(ROWS[name])
    connection.close()
    assert not verify(str(path), [PUBLIC], vault=ephemeral()).sound


@pytest.mark.parametrize("running", [False, True])
def test_verification_leaves_no_trace_of_itself(running: bool, database: Path, tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    shutil.copy(database, path)
    recorder = open_recorder(str(path)) if running else None
    if recorder:
        sign_and_save(recorder, KEY, 2)  # which is in the write-ahead log only
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir() if not each.name.endswith("-shm")}
    report = verify(str(path), [PUBLIC])
    assert (report.verdict, report.checkpoints) == ("sound", 2 if running else 1)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir() if not each.name.endswith("-shm")} == before
    if recorder:
        recorder.close()


@pytest.mark.parametrize("running", [False, True])
def test_a_ledger_is_verified_on_read_only_media(running: bool, database: Path) -> None:
    """With or without its write-ahead log, which SQLite cannot read where it cannot write."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "floor.db"
        shutil.copy(database, path)
        if running:
            writer = sqlite3.connect(path)
            writer.execute("PRAGMA wal_autocheckpoint = 0")
            recorder = open_recorder(str(path))
            sign_and_save(recorder, KEY, 2)  # which is in the write-ahead log only
            copies = [(each.name, each.read_bytes()) for each in path.parent.iterdir() if not each.name.endswith("-shm")]
            recorder.close()
            writer.close()
            for name, content in copies:
                (path.parent / name).write_bytes(content)
            path.with_name("floor.db-shm").unlink(missing_ok=True)
        for each in path.parent.iterdir():
            each.chmod(0o444)
        path.parent.chmod(0o555)
        with unprivileged():
            assert not os.access(path.parent, os.W_OK)
            report = verify(str(path), [PUBLIC])
        assert (report.verdict, report.checkpoints) == ("sound", 2 if running else 1)
        path.parent.chmod(0o755)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Run as a user that file permissions apply to: they do not stop root."""
    user, nobody = os.geteuid(), pwd.getpwnam("nobody").pw_uid
    if user == 0:
        os.setresuid(nobody, nobody, user)
    try:
        yield
    finally:
        os.setresuid(user, user, user)


# what cannot be read


def test_a_schema_that_is_not_text_gets_a_one_sentence_error(database: Path, tmp_path: Path) -> None:
    """SQLite quotes the damaged bytes."""
    path, content = tmp_path / "floor.db", database.read_bytes()
    start = content.index(b"CREATE TRIGGER")
    path.write_bytes(content[:start] + b"CREATE \xf3" + content[start + 8 :])
    with pytest.raises(Unreadable, match="cannot be opened as a ledger"):
        verify(str(path))


@pytest.mark.parametrize("content", [b"", b"hello", b"{}", b"SQLite format 3\0", b"SQLite format 3\0" + bytes(200), bytes(40)])
def test_a_file_that_is_not_a_log_gets_a_one_sentence_error(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(Unreadable) as problem:
        verify(str(path))
    assert str(problem.value).endswith(".")
    assert "\n" not in str(problem.value)
    assert path.read_bytes() == content
