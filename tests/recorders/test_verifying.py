"""Every change, removal, exchange and addition is found where it happened."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.ledger import Entry, Recorder, Unit, Unreadable, canonical, follow, genesis
from croupier.ledger.checkpoint import check, open_checkpoint, sign
from croupier.ledger.keys import load_or_create, private_file, public_key
from croupier.ledger.memory import MemoryRecorder
from croupier.ledger.verifying import Damage, verify_chain, verify_checkpoints
from tests.recorders.writing import chain, write

T1, T2 = "table/T1", "table/T2"
KEY = Ed25519PrivateKey.generate()
TRUSTED = public_key(KEY)


def stream_of(values: list[object]) -> list[Entry]:
    return list(chain(MemoryRecorder(), T1, *values))


STREAMS = st.lists(st.integers() | st.text(max_size=8), min_size=1, max_size=8).map(stream_of)


def found(entries: list[Entry]) -> int | None:
    damage = verify_chain(T1, entries)
    return damage.version if damage else None


@given(STREAMS)
def test_a_whole_stream_is_in_order(entries: list[Entry]) -> None:
    assert verify_chain(T1, entries) is None


@given(STREAMS, st.data())
def test_a_changed_byte_is_located(entries: list[Entry], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(entries) - 1))
    field = data.draw(st.sampled_from(["body", "hash"]))
    value = bytearray(getattr(entries[index], field))
    place, bit = data.draw(st.integers(0, len(value) - 1)), data.draw(st.integers(0, 7))
    value[place] ^= 1 << bit
    entries[index] = replace(entries[index], **{field: bytes(value)})
    assert found(entries) == index + 1


@given(STREAMS, st.data())
def test_a_removed_entry_is_located(entries: list[Entry], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(entries) - 1))
    del entries[index]
    assert found(entries) == (index + 1 if index < len(entries) else None)  # of the last one only a checkpoint knows


@given(STREAMS, st.data())
def test_exchanged_entries_are_located(entries: list[Entry], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(entries))))
    first = next((index for index, place in enumerate(order) if index != place), None)
    assert found([entries[place] for place in order]) == (None if first is None else first + 1)


@given(STREAMS, st.data())
def test_an_added_entry_is_located(entries: list[Entry], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(entries)))
    previous = entries[index - 1].hash if index else genesis(T1)
    forged = data.draw(
        st.sampled_from([follow(T1, index + 1, previous, b'"forged"'), follow(T1, index + 1, bytes(32), b"1"), entries[0]])
    )
    entries.insert(index, forged)
    at = found(entries)
    if (
        index == len(entries) - 1
        and forged.version == index + 1
        and forged.hash == follow(T1, index + 1, previous, forged.body).hash
    ):
        assert at is None  # a good entry at the end: that is what appending is
    else:
        assert at in (index + 1, index + 2)  # a forged entry that follows well is seen at the true one after it


def test_the_sentence_says_where_and_how() -> None:
    entries = stream_of([1, 2, 3])
    assert str(verify_chain(T1, [entries[0], entries[2]])) == "table/T1, version 2: in its place stands version 3."
    assert str(verify_chain(T2, entries)) == "table/T2, version 1: in its place stands an entry of table/T1."
    spaced = [follow(T1, 1, genesis(T1), b'{"a": 1}')]
    assert str(verify_chain(T1, spaced)) == "table/T1, version 1: its body is not canonical JSON."


# Checkpoints


def with_checkpoints(recorder: Recorder) -> Recorder:
    for number in range(3):
        write(recorder, T1, number, "more")
        write(recorder, T2, number)
        recorder.save_checkpoint(sign(recorder, KEY, 1_000 + number))
    return recorder


def test_checkpoints_name_the_heads_and_follow_each_other(recorder: Recorder) -> None:
    with_checkpoints(recorder)
    first, *_, last = recorder.checkpoints()
    assert open_checkpoint(first).previous == ""
    assert msgspec.json.decode(last)["heads"] == {T1: [6, recorder.head(T1)[1].hex()], T2: [3, recorder.head(T2)[1].hex()]}
    assert verify_checkpoints(recorder, TRUSTED) is None
    assert verify_checkpoints(recorder) is None


class Tampered(MemoryRecorder):
    """A log that somebody had in hand."""

    def __init__(self) -> None:
        super().__init__()
        with_checkpoints(self)

    def cut(self, stream: str, length: int) -> Tampered:
        self._streams[stream] = self._streams[stream][:length]
        return self

    def swap(self, checkpoints: list[bytes]) -> Tampered:
        self._checkpoints = checkpoints
        return self


@pytest.mark.parametrize("length", [5, 4, 1])
def test_a_cut_off_end_is_found_at_its_first_missing_version(length: int) -> None:
    log = Tampered().cut(T1, length)
    assert verify_chain(T1, log.read(T1)) is None
    damage = verify_checkpoints(log, TRUSTED)
    assert damage
    assert (damage.stream, damage.version) == (T1, length + 1)


def test_a_stream_rewritten_with_a_good_chain_is_found() -> None:
    log = Tampered().cut(T1, 1)
    log.append([Unit(chain(log, T1, *range(5)))])
    assert verify_chain(T1, log.read(T1)) is None
    assert verify_checkpoints(log, TRUSTED) == Damage(T1, 2, "its hash is not the one that a checkpoint names")


def test_a_stream_that_is_gone_is_found_unless_it_was_not_asked_for() -> None:
    log = Tampered()
    del log._streams[T2]
    assert verify_checkpoints(log) == Damage(T2, 1, "it is missing; a checkpoint names version 1")
    assert verify_checkpoints(log, only=log.streams()) is None


@given(st.data())
def test_a_changed_byte_of_a_checkpoint_is_located(data: st.DataObject) -> None:
    log = Tampered()
    checkpoints = log.checkpoints()
    index = data.draw(st.integers(0, 2))
    changed = bytearray(checkpoints[index])
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    checkpoints[index] = bytes(changed)
    damage = verify_checkpoints(log.swap(checkpoints), TRUSTED)
    assert damage
    assert (damage.stream, damage.version) == ("checkpoints", index + 1)


def test_a_removed_or_exchanged_checkpoint_is_located() -> None:
    one, two, three = Tampered().checkpoints()
    for order, number in (([two, three], 1), ([one, three], 2), ([two, one, three], 1), ([one, two, two, three], 3)):
        assert verify_checkpoints(Tampered().swap(order), TRUSTED) == Damage(
            "checkpoints", number, "it does not follow the checkpoint before it"
        )


def test_a_checkpoint_of_another_key_is_not_trusted() -> None:
    recorder = MemoryRecorder()
    write(recorder, T1, 1)
    checkpoint = sign(recorder, Ed25519PrivateKey.generate(), 1)
    assert check(checkpoint, None) is None
    assert "which is not the trusted one" in (check(checkpoint, None, TRUSTED) or "")
    stolen = canonical({**msgspec.json.decode(checkpoint), "key": TRUSTED.hex()})
    assert check(stolen, None, TRUSTED) == "has a signature that is not its own"
    loud = canonical({**(read := msgspec.json.decode(checkpoint)), "signature": read["signature"].upper()})
    assert check(loud, None) == "is not spelt as it was written"
    assert check(b"{}", None) == "does not have the form of a checkpoint"


# Keys


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "signing.pem"
    key = load_or_create(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert public_key(load_or_create(path)) == public_key(key)
    assert os.listdir(tmp_path) == ["signing.pem"]


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "signing.pem"
    load_or_create(path)
    for mode in (0o640, 0o604, 0o620):
        path.chmod(mode)
        with pytest.raises(Unreadable, match=rf"open to others \(mode {mode:04o}\)"):
            load_or_create(path)


def test_a_file_without_a_key_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "signing.pem"
    path.write_bytes(b"nothing")
    path.chmod(0o600)
    with pytest.raises(Unreadable, match="does not hold a key"):
        load_or_create(path)
    assert path.read_bytes() == b"nothing"


def test_a_private_file_is_written_once_and_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    assert private_file(path, lambda: b"first") == b"first"
    assert private_file(path, lambda: b"second") == b"first"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    with pytest.raises(Unreadable, match=r"open to others \(mode 0640\)"):
        private_file(path, lambda: b"third")
    with pytest.raises(Unreadable, match="cannot be created: No such file or directory"):
        private_file(tmp_path / "nowhere" / "secret", lambda: b"fourth")
