"""What every recorder promises."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

from croupier.ledger import Conflict, Entry, Recorder, Unit, follow, genesis
from tests.recorders.writing import chain, write

T1, T2 = "table/T1", "table/T2"


def test_an_empty_stream_has_its_genesis_for_a_head(recorder: Recorder) -> None:
    assert recorder.head(T1) == (0, genesis(T1))
    assert list(recorder.read(T1)) == []
    assert recorder.streams() == []
    assert recorder.reply("k") is None
    assert recorder.replies() == 0
    assert recorder.snapshot(T1) is None
    assert list(recorder.checkpoints()) == []


def test_what_is_appended_is_read(recorder: Recorder) -> None:
    sealed = bytes(range(256))
    entries = (*write(recorder, T1, {"§": "é"}, 2), *write(recorder, T1, 3))
    last = chain(recorder, T1, 4, sealed=sealed)
    assert recorder.append([Unit(last)]) == [None]
    assert list(recorder.read(T1)) == [*entries, *last]
    assert recorder.head(T1) == (4, last[0].hash)
    assert list(recorder.read(T1, after=1, limit=2)) == list(entries[1:])
    assert list(recorder.read(T1, limit=0)) == []
    assert list(recorder.read(T1, after=4)) == []


def test_a_long_stream_is_read_in_order_and_in_any_piece(recorder: Recorder) -> None:
    entries = write(recorder, T1, *range(1203))
    assert list(recorder.read(T1)) == list(entries)
    assert list(recorder.read(T1, after=499, limit=502)) == list(entries[499:1001])
    assert all(after.version == before.version + 1 for before, after in pairwise(recorder.read(T1, after=1000)))


def test_reading_goes_on_while_others_write(recorder: Recorder) -> None:
    write(recorder, T1, *range(600))
    reading = recorder.read(T1)
    assert next(reading).version == 1
    write(recorder, T1, "more")
    assert sum(1 for _ in reading) == 600


def test_streams_are_sorted(recorder: Recorder) -> None:
    for name in ("table/b", "Table/c", "meter/é", "table/a", "meter/z"):
        write(recorder, name, 1)
    assert recorder.streams() == sorted(["table/b", "Table/c", "meter/é", "table/a", "meter/z"])


@pytest.mark.parametrize("version", [1, 2, 4, 5])
def test_a_version_that_is_not_next_conflicts(recorder: Recorder, version: int) -> None:
    *_, last = write(recorder, T1, 1, 2)
    entry = follow(T1, version, last.hash, b"3")
    (conflict,) = recorder.append([Unit((entry,), "k", b"r")])
    assert isinstance(conflict, Conflict)
    assert recorder.head(T1) == (2, last.hash)
    assert recorder.reply("k") is None


def test_an_entry_that_breaks_the_chain_conflicts(recorder: Recorder) -> None:
    *_, last = write(recorder, T1, 1, 2)
    good = follow(T1, 3, last.hash, b"3")
    for bad in (replace(good, body=b"4"), replace(good, hash=bytes(32)), follow(T1, 3, genesis(T1), b"3")):
        (conflict,) = recorder.append([Unit((bad,))])
        assert isinstance(conflict, Conflict)
    assert recorder.append([Unit((good,))]) == [None]


def test_a_key_is_taken_once_and_its_reply_stays(recorder: Recorder) -> None:
    write(recorder, T1, 1, key="k", reply=b"\x00first")
    second = Unit(chain(recorder, T1, 2), "k", b"second")
    (conflict,) = recorder.append([second])
    assert isinstance(conflict, Conflict)
    assert recorder.reply("k") == b"\x00first"
    assert recorder.head(T1)[0] == 1
    assert recorder.append([Unit((), "alone", b"")]) == [None]
    assert recorder.reply("alone") == b""


def test_a_unit_over_two_streams_is_written_whole_or_not_at_all(recorder: Recorder) -> None:
    write(recorder, T1, 1)
    good, stale = chain(recorder, T2, 1), replace(chain(recorder, T1, 2)[0], version=1)
    (conflict,) = recorder.append([Unit((*good, stale), "k", b"r")])
    assert isinstance(conflict, Conflict)
    assert recorder.streams() == [T1]
    assert recorder.reply("k") is None
    assert recorder.append([Unit((*good, *chain(recorder, T1, 2)), "k", b"r")]) == [None]
    assert (recorder.head(T1)[0], recorder.head(T2)[0]) == (2, 1)


def test_only_the_conflicting_units_of_a_merged_batch_are_left_out(recorder: Recorder) -> None:
    write(recorder, T1, 1, key="taken", reply=b"r")
    first = chain(recorder, T1, 2, 3)
    after = follow(T1, 4, first[-1].hash, b"4")
    fork = follow(T1, 4, first[-1].hash, b"5")
    behind_fork = follow(T1, 5, fork.hash, b"6")
    units = [
        Unit(first, "a", b"a"),
        Unit(chain(recorder, T2, 1), "taken", b"x"),
        Unit((after,), "b", b"b"),
        Unit((fork,), "c", b"c"),
        Unit((behind_fork,), "d", b"d"),
        Unit(chain(recorder, T2, 2), "a", b"x"),
        Unit(chain(recorder, T2, 3), "e", b"e"),
    ]
    outcome = recorder.append(units)
    assert [conflict is None for conflict in outcome] == [True, False, True, False, False, False, True]
    assert list(recorder.read(T1, after=1)) == [*first, after]
    assert [entry.body for entry in recorder.read(T2)] == [b"3"]
    assert [recorder.reply(key) for key in "abcde"] == [b"a", b"b", None, None, b"e"]


def test_an_empty_batch_is_accepted(recorder: Recorder) -> None:
    assert recorder.append([]) == []
    assert recorder.append([Unit(())]) == [None]


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800", "x" * 201, "a\nb"])
def test_a_name_that_a_database_might_not_take_is_refused_at_once(name: str) -> None:
    with pytest.raises(ValueError, match="is not a name"):
        Unit((Entry(name, 1, b"1", b"", b""),))
    if name:
        with pytest.raises(ValueError, match="is not a name"):
            Unit((), name)


def test_the_newest_snapshot_is_kept(recorder: Recorder) -> None:
    recorder.save_snapshot(T1, 10, b"ten")
    recorder.save_snapshot(T1, 5, b"five")
    assert recorder.snapshot(T1) == (10, b"ten")
    recorder.save_snapshot(T1, 20, b"twenty")
    assert recorder.snapshot(T1) == (20, b"twenty")
    assert recorder.snapshot(T2) is None


def test_checkpoints_stay_in_order(recorder: Recorder) -> None:
    made = [str(number).encode() for number in range(120)]
    for checkpoint, previous in zip(made, [b"", *made], strict=False):
        recorder.save_checkpoint(checkpoint, previous)
    assert list(recorder.checkpoints()) == made
    assert list(recorder.checkpoints(newest_first=True)) == made[::-1]


def test_a_checkpoint_follows_the_newest_or_none(recorder: Recorder) -> None:
    recorder.save_checkpoint(b"one")
    for previous in (b"", b"two"):
        with pytest.raises(Conflict, match="Another checkpoint is the newest"):
            recorder.save_checkpoint(b"other", previous)
    assert list(recorder.checkpoints()) == [b"one"]


def test_all_heads_are_read_at_once(recorder: Recorder) -> None:
    assert recorder.heads() == {}
    write(recorder, T2, 1)
    write(recorder, T1, 1, 2)
    assert list(recorder.heads().items()) == [(T1, recorder.head(T1)), (T2, recorder.head(T2))]


def test_replies_are_counted(recorder: Recorder) -> None:
    recorder.append([Unit(chain(recorder, T1, 1), "a", b"1"), Unit((), "b", b"2"), Unit((), "a", b"3"), Unit(())])
    assert recorder.replies() == 2
